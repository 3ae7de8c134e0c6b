-- referee/queue/schema-machines.sql - machines that differ.

ALTER TABLE worker ADD COLUMN IF NOT EXISTS warning text;	-- it is odd: why
ALTER TABLE worker ADD COLUMN IF NOT EXISTS warned timestamptz;

-- Games come out otherwise on this worker than elsewhere: whether that is worth
-- telling, once an hour, and that it is suspended always.
CREATE OR REPLACE FUNCTION note_odd(epoch bigint, worker text, why text,
	suspend bool)
RETURNS bool
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM check_epoch(epoch);
	UPDATE worker w SET warning = note_odd.why, warned = now(),
		suspended = w.suspended OR suspend,
		why = CASE WHEN suspend AND NOT w.suspended THEN note_odd.why
			ELSE w.why END
		WHERE w.worker = note_odd.worker
			AND ((suspend AND NOT w.suspended) OR w.warned IS NULL
			OR w.warned < now() - interval '1 hour');
	RETURN FOUND;
END
$$;

-- Jobs that are not played yet get the class that their ladder asks for by now,
-- at most n; how many.  What runs ends where it is.
CREATE OR REPLACE FUNCTION set_classes(epoch bigint, ladders text[],
	classes text[], n bigint)
RETURNS bigint
LANGUAGE plpgsql SET search_path = referee, pg_temp
	SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
	changed bigint;
BEGIN
	PERFORM check_epoch(epoch);
	WITH other AS MATERIALIZED (
		SELECT j.job, c.class FROM job j
		JOIN unnest(ladders, classes) AS c (ladder, class)
			ON c.ladder = j.ladder AND c.class <> j.class
		-- Each has an index; those that are over are many.
		WHERE (j.state = 'waiting' OR j.state = 'claimed'
			OR j.state = 'parked')
		LIMIT n FOR UPDATE OF j SKIP LOCKED)
	UPDATE job j SET class = other.class FROM other
		WHERE other.job = j.job;
	GET DIAGNOSTICS changed = ROW_COUNT;
	IF changed > 0 THEN
		PERFORM pg_notify('referee_job', '');
	END IF;
	RETURN changed;
END
$$;

-- A job that repeats a game that another worker has played.  It has no verdict.
ALTER TABLE job ADD COLUMN IF NOT EXISTS again_of bigint;	-- that job
ALTER TABLE job ADD COLUMN IF NOT EXISTS again_worker text;	-- who played it
CREATE INDEX IF NOT EXISTS job_again ON job (made)
	WHERE again_of IS NOT NULL AND state IN ('waiting', 'parked');

-- How often a bot was compared between two workers, and how often it moved
-- otherwise.
CREATE TABLE IF NOT EXISTS again (
	bot text NOT NULL,		-- its hash
	one text NOT NULL,		-- the worker's name that sorts first
	two text NOT NULL,
	total bigint NOT NULL,
	other bigint NOT NULL,
	seen timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (bot, one, two)
);

-- Once a game has a result that holds.  The repetition's game is "ID+", as each
-- game has one job; who plays it reads what stands before the "+".
CREATE OR REPLACE FUNCTION add_again(epoch bigint, job bigint, worker text,
	n bigint)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM check_epoch(epoch);
	-- No other worker takes it, or can.
	UPDATE job j SET state = 'void' WHERE j.again_of IS NOT NULL
		AND j.state IN ('waiting', 'parked') AND (j.state = 'parked'
			OR j.made < now() - interval '1 hour');
	IF (SELECT count(*) FROM job j WHERE j.again_of IS NOT NULL
		AND j.state IN ('waiting', 'parked')) >= n THEN
		RETURN;
	END IF;
	INSERT INTO job (ladder, game, spec, sealed, commitment, entropy, bot,
			name, class, rules, again_of, again_worker)
		SELECT j.ladder, j.game || '+', j.spec, j.sealed, j.commitment,
			j.entropy, j.bot, j.name, j.class, j.rules, j.job,
			add_again.worker
		FROM job j WHERE j.job = add_again.job AND j.again_of IS NULL
		ON CONFLICT DO NOTHING;
	IF FOUND THEN
		PERFORM pg_notify('referee_job', '');
	END IF;
END
$$;

-- The repetition is over; of these bots some moved otherwise than on the first
-- worker.  Of each of the two workers, and each bot that ever moved otherwise: in
-- how many comparisons it did, in how many of these with that worker, and the
-- share of that worker in all of its comparisons.
CREATE OR REPLACE FUNCTION end_again(epoch bigint, job bigint, attempt bigint,
	worker text, first text, bots text[], others bigint[])
RETURNS TABLE (suspect text, differs float8, here float8, share float8)
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM check_epoch(epoch);
	UPDATE job j SET state = 'done', lease_until = NULL
		WHERE j.job = end_again.job;
	UPDATE result r SET state = 'taken', body = ''
		WHERE r.job = end_again.job AND r.attempt = end_again.attempt;
	INSERT INTO again AS a (bot, one, two, total, other)
		SELECT b.bot, least(end_again.worker, first),
			greatest(end_again.worker, first), count(*),
			sum(b.other)
		FROM unnest(bots, others) AS b (bot, other) GROUP BY b.bot
		ON CONFLICT (bot, one, two) DO UPDATE
			SET total = a.total + excluded.total,
			other = a.other + excluded.other, seen = now();
	IF NOT coalesce(1 = ANY (others), false) THEN
		RETURN;
	END IF;
	DELETE FROM again a WHERE a.seen < now() - interval '90 days';
	RETURN QUERY
	SELECT w.name, sum(a.other)::float8,
		coalesce(sum(a.other) FILTER (WHERE w.name IN (a.one, a.two)),
			0)::float8,
		coalesce(sum(a.total) FILTER (WHERE w.name IN (a.one, a.two)),
			0)::float8 / sum(a.total)::float8
	FROM again a, (VALUES (end_again.worker), (first)) AS w (name)
	GROUP BY w.name, a.bot HAVING sum(a.other) > 0 ORDER BY w.name;
END
$$;
