-- referee/queue/schema-figures.sql - how the queue does, for people and alarms.
--
-- None of it is the dearer the more jobs wait: counts stop at `counted`, and the
-- oldest of each class and rules is the first of its part of an index.

CREATE INDEX IF NOT EXISTS verdict_made ON verdict (made);
CREATE INDEX IF NOT EXISTS result_worker ON result (worker, made);

-- One row.  If more than `counted` jobs wait or are parked, so many are told as the
-- last vacuum has seen.  `recent`: games of the queue that were
-- rated in the last `recent_s` seconds, the last `recents` of them.
CREATE OR REPLACE FUNCTION figures(counted bigint, seen_s bigint,
	recents bigint, recents_s bigint)
RETURNS TABLE (version bigint, epoch bigint, holder text, key_print text,
	taken bigint, at bigint, waiting bigint, claimed bigint, reported bigint,
	 parked bigint, verdicts bigint, oldest_s bigint,
	workers bigint, suspended bigint, recent bigint, recent_s float8,
	lag_median_s float8, lag_worst_s float8)
LANGUAGE sql STABLE SET search_path = referee, pg_temp
	SET enable_seqscan = off SET enable_bitmapscan = off
	SET enable_hashjoin = off SET enable_mergejoin = off
	SET jit = off AS $$
	WITH RECURSIVE
	part AS (
		(SELECT j.class, j.rules, j.losses > 0 AS lost, j.made FROM job j
		WHERE j.state = 'waiting'
		ORDER BY j.class, j.rules, (j.losses > 0), j.place LIMIT 1)
		UNION ALL
		SELECT next.* FROM part p CROSS JOIN LATERAL (
			SELECT j.class, j.rules, j.losses > 0, j.made FROM job j
			WHERE j.state = 'waiting'
				AND (j.class, j.rules, (j.losses > 0)) >
					(p.class, p.rules, p.lost)
			ORDER BY j.class, j.rules, (j.losses > 0), j.place
			LIMIT 1) next),
	ladder AS (
		(SELECT v.ladder FROM verdict v ORDER BY v.ladder LIMIT 1)
		UNION ALL
		SELECT (SELECT v.ladder FROM verdict v
			WHERE v.ladder > l.ladder ORDER BY v.ladder LIMIT 1)
		FROM ladder l WHERE l.ladder IS NOT NULL),
	few AS (SELECT
		(SELECT count(*) FROM (SELECT FROM job j
			WHERE j.state = 'waiting' LIMIT counted + 1) found)
			AS waiting,
		(SELECT count(*) FROM (SELECT FROM job j
			WHERE j.state = 'parked' LIMIT counted + 1) found)
			AS parked),
	many AS (SELECT
		greatest(counted + 1, (SELECT c.reltuples::bigint FROM pg_class c
			WHERE c.oid = 'job_waits'::regclass)) AS waiting,
		greatest(counted + 1, (SELECT c.reltuples::bigint FROM pg_class c
			WHERE c.oid = 'job_parked'::regclass)) AS parked),
	last AS (SELECT v.made, v.made - r.made AS lag FROM (
			SELECT * FROM verdict w
			WHERE w.made > now() - recents_s * interval '1 s'
			ORDER BY w.made DESC LIMIT recents) v
		JOIN result r ON r.job = v.job AND r.attempt = v.attempt),
	lag AS (SELECT count(*) AS n, min(l.made) AS since,
			percentile_disc(0.5) WITHIN GROUP (ORDER BY l.lag)
				AS median,
			max(l.lag) AS worst FROM last l)
	SELECT h.version, h.epoch, h.holder, h.key_print,
		floor(extract(epoch FROM h.taken))::bigint,
		floor(extract(epoch FROM now()))::bigint,
		CASE WHEN few.waiting > counted THEN many.waiting
			ELSE few.waiting END,
		(SELECT count(*) FROM job j WHERE j.state = 'claimed'),
		(SELECT count(*) FROM result r WHERE r.state = 'new'),
		CASE WHEN few.parked > counted THEN many.parked
			ELSE few.parked END,
		(SELECT coalesce(sum((SELECT v.serial FROM verdict v
				WHERE v.ladder = l.ladder
				ORDER BY v.serial DESC LIMIT 1)), 0)::bigint
			FROM ladder l WHERE l.ladder IS NOT NULL),
		(SELECT coalesce(greatest(0, extract(epoch FROM
				now() - min(p.made))), 0)::bigint FROM part p),
		(SELECT count(*) FROM worker w WHERE NOT w.suspended
			AND w.seen > now() - seen_s * interval '1 s'),
		(SELECT count(*) FROM worker w WHERE w.suspended),
		lag.n,
		CASE WHEN lag.n < recents THEN recents_s
			ELSE greatest(1, extract(epoch FROM now() - lag.since))
			END::float8,
		coalesce(greatest(0, extract(epoch FROM lag.median)), 0)::float8,
		coalesce(greatest(0, extract(epoch FROM lag.worst)), 0)::float8
	FROM house h, few, many, lag;
$$;

-- The first n that are parked, behind the job `behind`; `unbuilt` is the bot that
-- is why, if one is.
DROP FUNCTION IF EXISTS parked_jobs(bigint, bigint);
CREATE OR REPLACE FUNCTION parked_jobs(behind bigint, n bigint)
RETURNS TABLE (job bigint, ladder text, game text, losses bigint, why text,
	name text[], made bigint, unbuilt text)
LANGUAGE sql STABLE SET search_path = referee, pg_temp
	SET enable_seqscan = off SET enable_bitmapscan = off
	SET jit = off AS $$
	SELECT j.job, j.ladder, j.game, j.losses, left(j.why, 500), j.name,
		floor(extract(epoch FROM j.made))::bigint,
		j.name[array_position(j.bot, j.blamed)]
	FROM job j WHERE j.state = 'parked' AND j.job > behind
	ORDER BY j.job LIMIT n;
$$;

-- It has other columns than it had.
DROP FUNCTION IF EXISTS workers();
CREATE OR REPLACE FUNCTION workers()
RETURNS TABLE (worker text, class text, version text, processor text,
	cores bigint, speed float8, seen_s bigint, jobs bigint, hour bigint,
	suspended bool, why text)
LANGUAGE sql STABLE SET search_path = referee, pg_temp
	SET enable_seqscan = off SET jit = off AS $$
	SELECT w.worker, w.class, left(w.version, 64), left(w.processor, 200),
		w.cores, w.speed,
		greatest(0, extract(epoch FROM now() - w.seen))::bigint,
		(SELECT count(*) FROM job j
			WHERE j.state = 'claimed' AND j.worker = w.worker),
		(SELECT count(*) FROM result r WHERE r.worker = w.worker
			AND r.made > now() - interval '1 hour'),
		w.suspended, left(w.why, 500)
	FROM worker w ORDER BY w.worker;
$$;
