-- referee/queue/schema.sql - the queue in PostgreSQL: jobs, results, verdicts.
--
-- One transaction, which may be run again: it makes what is not there, and
-- gives every function its present text.  All times are those of the database.
--
-- referee_coordinator owns all of it; the daemon is a member.  A worker is a
-- member of referee_worker, which may call some functions and read no table.

SELECT pg_advisory_xact_lock(7450001);

DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles
		       WHERE rolname = 'referee_coordinator') THEN
		CREATE ROLE referee_coordinator NOLOGIN;
	END IF;
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'referee_worker') THEN
		CREATE ROLE referee_worker NOLOGIN;
	END IF;
	IF NOT pg_has_role('referee_coordinator', 'MEMBER') THEN
		EXECUTE format('GRANT referee_coordinator TO %I', current_user);
	END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS referee AUTHORIZATION referee_coordinator;
SET LOCAL ROLE referee_coordinator;
SET LOCAL search_path = referee, pg_temp;

-- ---- tables --------------------------------------------------------------

-- One row.
CREATE TABLE IF NOT EXISTS house (
	one bool PRIMARY KEY DEFAULT true CHECK (one),
	version bigint NOT NULL,	-- of this schema
	epoch bigint NOT NULL DEFAULT 0,	-- of the daemon that writes
	holder text,			-- what that calls itself
	taken timestamptz,
	key_print text			-- of the key of the seals
);

-- Files that a standby daemon needs, such as the roster.
CREATE TABLE IF NOT EXISTS house_file (
	name text PRIMARY KEY,
	bytes bytea NOT NULL,
	made timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS bot (
	hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
	name text NOT NULL DEFAULT '',
	archive bytea NOT NULL,
	made timestamptz NOT NULL DEFAULT now()
);
-- Pieces of it are read.
ALTER TABLE bot ALTER COLUMN archive SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS worker (
	worker text PRIMARY KEY CHECK (worker ~ '^[!-~]{1,64}$'),
	role text NOT NULL,		-- who logs in for it
	instance text NOT NULL,		-- the process
	class text NOT NULL DEFAULT '',
	version text NOT NULL,		-- of the program
	processor text NOT NULL,
	cores bigint NOT NULL,
	speed float8 NOT NULL,
	enlisted timestamptz NOT NULL DEFAULT now(),
	seen timestamptz NOT NULL DEFAULT now(),
	suspended bool NOT NULL DEFAULT false,
	why text			-- it is suspended
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS job (
	job bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	-- The order of claims.  For the order of `job` the planner would go along
	-- the primary key, by all that do not wait.
	place bigint GENERATED ALWAYS AS (job) STORED,
	ladder text NOT NULL,
	game text NOT NULL UNIQUE,	-- its ID
	spec bytea NOT NULL,
	sealed bytea NOT NULL,
	commitment text NOT NULL,
	entropy bytea,			-- the first that was given
	bot text[] NOT NULL,		-- a hash for each seat; '' is built in
	name text[] NOT NULL,
	class text NOT NULL DEFAULT '',	-- of its worker; '' is any
	rules text NOT NULL,		-- with their version
	state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting',
		'claimed', 'reported', 'done', 'parked', 'void')),
	attempt bigint NOT NULL DEFAULT 0,
	losses bigint NOT NULL DEFAULT 0,
	lease_until timestamptz,
	worker text,
	made timestamptz NOT NULL DEFAULT now(),
	why text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 10000);
CREATE INDEX IF NOT EXISTS job_waiting ON job (class, rules, place)
	WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS job_lease ON job (lease_until)
	WHERE state = 'claimed';
CREATE INDEX IF NOT EXISTS job_worker ON job (worker)
	WHERE state = 'claimed';
CREATE INDEX IF NOT EXISTS job_parked ON job (job) WHERE state = 'parked';
CREATE INDEX IF NOT EXISTS job_over ON job (made)
	WHERE state IN ('done', 'void');

CREATE TABLE IF NOT EXISTS result (
	job bigint NOT NULL REFERENCES job ON DELETE CASCADE,
	attempt bigint NOT NULL,
	worker text NOT NULL,
	body bytea NOT NULL,		-- emptied when it is taken
	state text NOT NULL CHECK (state IN ('new', 'taken', 'late', 'refused')),
	why text,
	made timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (job, attempt)
);
CREATE INDEX IF NOT EXISTS result_new ON result (made) WHERE state = 'new';

-- The log that counts: each ladder can be made from it.  A game that was
-- played without a job has none here.
CREATE TABLE IF NOT EXISTS verdict (
	ladder text NOT NULL,
	serial bigint NOT NULL,
	game text NOT NULL UNIQUE,
	job bigint UNIQUE,
	attempt bigint,
	hash bytea NOT NULL,
	record bytea NOT NULL,		-- whole
	asks bytea,
	made timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (ladder, serial)
);

INSERT INTO house (version) VALUES (1) ON CONFLICT DO NOTHING;
DO $$
BEGIN
	IF (SELECT version FROM house) > 1 THEN
		RAISE EXCEPTION 'the queue was made by a newer referee';
	END IF;
END
$$;

-- ---- what workers may call -----------------------------------------------

-- The worker is known, and belongs to who has logged in.
CREATE OR REPLACE FUNCTION see_worker(name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
DECLARE
	known worker;
BEGIN
	SELECT * INTO known FROM worker w WHERE w.worker = name;
	IF NOT FOUND OR known.role <> session_user THEN
		RAISE EXCEPTION 'there is no worker % of the role %', name,
			session_user USING ERRCODE = 'RF003';
	END IF;
	IF known.suspended THEN
		RAISE EXCEPTION 'the worker % is suspended: %', name,
			coalesce(known.why, '?') USING ERRCODE = 'RF001';
	END IF;
	-- Not more often than is worth a write.
	UPDATE worker w SET seen = now()
		WHERE w.worker = name AND w.seen < now() - interval '2 s';
END
$$;

-- A claim comes to nothing: the job waits again, or is parked.
CREATE OR REPLACE FUNCTION lose_job(lost bigint, reason text) RETURNS void
LANGUAGE sql SET search_path = referee, pg_temp AS $$
	UPDATE job SET losses = losses + 1,
		state = CASE WHEN losses + 1 >= 2 THEN 'parked'
			ELSE 'waiting' END,
		lease_until = NULL, worker = NULL,
		why = CASE WHEN losses + 1 >= 2 THEN
			format('lost %s times, with %s: %s', losses + 1,
				array_to_string(name, ', '), reason)
			ELSE reason END
	WHERE job = lost AND state = 'claimed';
$$;

-- Leases that are over; how many.
CREATE OR REPLACE FUNCTION expire(n bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
DECLARE
	late record;
	found bigint := 0;
BEGIN
	FOR late IN SELECT j.job, j.worker FROM job j
		WHERE j.state = 'claimed' AND j.lease_until < now()
		ORDER BY j.lease_until LIMIT n FOR UPDATE SKIP LOCKED
	LOOP
		PERFORM lose_job(late.job,
			format('the worker %s was not heard of',
				late.worker));
		found := found + 1;
	END LOOP;
	IF found > 0 THEN
		PERFORM pg_notify('referee_job', '');
	END IF;
	RETURN found;
END
$$;

CREATE OR REPLACE FUNCTION enlist(worker text, instance text, class text,
	version text, processor text, cores bigint, speed float8)
RETURNS TABLE (schema_version bigint, key_print text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	before worker;
	suspect worker;
	held bigint;
BEGIN
	SELECT * INTO before FROM worker w WHERE w.worker = enlist.worker
		FOR UPDATE;
	IF FOUND AND before.role <> session_user THEN
		RAISE EXCEPTION 'the worker % belongs to the role %; give '
			'this one another name', enlist.worker, before.role
			USING ERRCODE = 'RF003';
	END IF;
	-- Another name makes it no other machine.
	IF before.worker IS NULL THEN
		SELECT * INTO suspect FROM worker w
			WHERE w.role = session_user AND w.suspended LIMIT 1;
		IF FOUND THEN
			RAISE EXCEPTION 'the worker % of the same login is '
				'suspended: %', suspect.worker,
				coalesce(suspect.why, '?')
				USING ERRCODE = 'RF001';
		END IF;
	END IF;
	INSERT INTO worker AS w (worker, role, instance, class, version,
			processor, cores, speed)
		VALUES (enlist.worker, session_user, enlist.instance,
			enlist.class, enlist.version, enlist.processor,
			enlist.cores, enlist.speed)
		ON CONFLICT (worker) DO UPDATE SET instance = excluded.instance,
			class = excluded.class, version = excluded.version,
			processor = excluded.processor, cores = excluded.cores,
			speed = excluded.speed, seen = now(),
			enlisted = CASE WHEN w.instance = excluded.instance
				THEN w.enlisted ELSE now() END;
	-- It was started again: what the last process had is lost.
	IF before.instance <> enlist.instance THEN
		FOR held IN SELECT j.job FROM job j
			WHERE j.state = 'claimed' AND j.worker = enlist.worker
			FOR UPDATE
		LOOP
			PERFORM lose_job(held,
				format('the worker %s was started again',
					enlist.worker));
			PERFORM pg_notify('referee_job', '');
		END LOOP;
	END IF;
	PERFORM see_worker(enlist.worker);
	RETURN QUERY SELECT h.version, h.key_print FROM house h;
END
$$;

-- First what it holds and does not know of, because the answer to a claim was
-- lost: the same attempt.  Then the oldest, of the classes and rules that it has.
-- Each of these has a part of the index to itself, so nothing else is looked at,
-- also by a plan that was made while the table was small.
CREATE OR REPLACE FUNCTION claim(worker text, n bigint, class text,
	rules text[], lease_s bigint, known bigint[])
RETURNS TABLE (job bigint, attempt bigint, ladder text, game text, spec bytea,
	sealed bytea, commitment text, entropy bytea, bot text[], name text[],
	rule text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp
	SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
	part record;
	wanted bigint := n;
	got bigint;
BEGIN
	PERFORM see_worker(claim.worker);
	PERFORM expire(100);
	RETURN QUERY
	UPDATE job j SET lease_until = now() + lease_s * interval '1 s'
	WHERE j.job IN (SELECT o.job FROM job o
		WHERE o.state = 'claimed' AND o.worker = claim.worker
			AND o.job <> ALL (known)
		ORDER BY o.job LIMIT wanted FOR UPDATE)
	RETURNING j.job, j.attempt, j.ladder, j.game, j.spec, j.sealed,
		j.commitment, j.entropy, j.bot, j.name, j.rules;
	GET DIAGNOSTICS got = ROW_COUNT;
	wanted := wanted - got;
	FOR part IN
		SELECT c.class, r.rules, (SELECT j.place FROM job j
			WHERE j.state = 'waiting' AND j.class = c.class
				AND j.rules = r.rules
			ORDER BY j.place LIMIT 1) AS oldest
		FROM (SELECT DISTINCT unnest(ARRAY['', claim.class])) c (class),
			(SELECT DISTINCT unnest(claim.rules)) r (rules)
		ORDER BY oldest NULLS LAST
	LOOP
		EXIT WHEN wanted <= 0 OR part.oldest IS NULL;
		RETURN QUERY
		WITH next AS MATERIALIZED (
			SELECT j.job FROM job j
			WHERE j.state = 'waiting' AND j.class = part.class
				AND j.rules = part.rules
			ORDER BY j.place LIMIT wanted FOR UPDATE SKIP LOCKED)
		UPDATE job j SET state = 'claimed', attempt = j.attempt + 1,
			worker = claim.worker,
			lease_until = now() + lease_s * interval '1 s'
		FROM next WHERE j.job = next.job
		RETURNING j.job, j.attempt, j.ladder, j.game, j.spec, j.sealed,
			j.commitment, j.entropy, j.bot, j.name, j.rules;
		GET DIAGNOSTICS got = ROW_COUNT;
		wanted := wanted - got;
	END LOOP;
END
$$;

-- What is kept; NULL: the job is not this worker's any more.
CREATE OR REPLACE FUNCTION give_entropy(worker text, job bigint,
	attempt bigint, bytes bytea)
RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	kept bytea;
BEGIN
	PERFORM see_worker(give_entropy.worker);
	UPDATE job j SET entropy = coalesce(j.entropy, bytes)
		WHERE j.job = give_entropy.job
			AND j.attempt = give_entropy.attempt
			AND j.worker = give_entropy.worker
			AND j.state = 'claimed'
		RETURNING j.entropy INTO kept;
	RETURN kept;
END
$$;

-- Those that are not this worker's any more.
CREATE OR REPLACE FUNCTION beat(worker text, jobs bigint[], attempts bigint[],
	lease_s bigint)
RETURNS TABLE (job bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM see_worker(beat.worker);
	RETURN QUERY
	WITH mine AS MATERIALIZED (
		SELECT j.job FROM job j
		JOIN unnest(jobs, attempts) AS m (job, attempt)
			ON j.job = m.job AND j.attempt = m.attempt
		WHERE j.state = 'claimed' AND j.worker = beat.worker
		ORDER BY j.job FOR UPDATE OF j),
	longer AS (
		UPDATE job j SET lease_until = now() + lease_s * interval '1 s'
		FROM mine WHERE j.job = mine.job RETURNING j.job)
	SELECT m.job FROM unnest(jobs) AS m (job)
	WHERE m.job NOT IN (SELECT l.job FROM longer l);
END
$$;

-- 'ok': it may count; 'late': there is another, this one is kept beside it;
-- 'done': the game is decided.  The same answer for the same result.
CREATE OR REPLACE FUNCTION report(worker text, job bigint, attempt bigint,
	body bytea)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	of job;
	before result;
	first bool;
BEGIN
	PERFORM see_worker(report.worker);
	SELECT * INTO of FROM job j WHERE j.job = report.job FOR UPDATE;
	IF NOT FOUND THEN
		RETURN 'done';
	END IF;
	SELECT * INTO before FROM result r
		WHERE r.job = report.job AND r.attempt = report.attempt;
	IF FOUND THEN
		IF before.worker <> report.worker THEN
			RAISE EXCEPTION 'attempt % of job % is of the worker %',
				report.attempt, report.job, before.worker
				USING ERRCODE = 'RF003';
		END IF;
		RETURN CASE WHEN of.state IN ('done', 'void') THEN 'done'
			WHEN before.state = 'new' THEN 'ok' ELSE 'late' END;
	END IF;
	IF report.attempt NOT BETWEEN 1 AND of.attempt OR
		(report.attempt = of.attempt AND of.state = 'claimed' AND
		of.worker <> report.worker) THEN
		RAISE EXCEPTION 'attempt % of job % is not of the worker %',
			report.attempt, report.job, report.worker
			USING ERRCODE = 'RF003';
	END IF;
	IF of.state IN ('done', 'void') THEN
		RETURN 'done';
	END IF;
	first := of.state <> 'reported';
	INSERT INTO result (job, attempt, worker, body, state)
		VALUES (report.job, report.attempt, report.worker, body,
			CASE WHEN first THEN 'new' ELSE 'late' END);
	IF NOT first THEN
		RETURN 'late';
	END IF;
	UPDATE job j SET state = 'reported', lease_until = NULL, why = NULL
		WHERE j.job = report.job;
	PERFORM pg_notify('referee_result', report.job::text);
	RETURN 'ok';
END
$$;

-- Jobs that are not played here after all; with a reason that is a loss.
CREATE OR REPLACE FUNCTION give_back(worker text, jobs bigint[],
	attempts bigint[], why text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	mine bigint;
BEGIN
	PERFORM see_worker(give_back.worker);
	FOR mine IN SELECT j.job FROM job j
		JOIN unnest(jobs, attempts) AS m (job, attempt)
			ON j.job = m.job AND j.attempt = m.attempt
		WHERE j.state = 'claimed' AND j.worker = give_back.worker
		ORDER BY j.job FOR UPDATE OF j
	LOOP
		IF give_back.why IS NULL THEN
			UPDATE job j SET state = 'waiting', worker = NULL,
				lease_until = NULL WHERE j.job = mine;
		ELSE
			PERFORM lose_job(mine, format('%s gave it back: %s',
				give_back.worker, give_back.why));
		END IF;
		PERFORM pg_notify('referee_job', '');
	END LOOP;
END
$$;

-- A piece of an archive, from byte `at` (0 is the first) on.
CREATE OR REPLACE FUNCTION fetch_bot(hash text, at bigint, n bigint)
RETURNS TABLE (size bigint, bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = referee, pg_temp AS $$
	SELECT length(b.archive)::bigint,
		substring(b.archive FROM at::int + 1 FOR n::int)
	FROM bot b WHERE b.hash = fetch_bot.hash;
$$;

-- ---- what the daemon calls -----------------------------------------------

-- This session's daemon writes from now on: its epoch; NULL: another does.
CREATE OR REPLACE FUNCTION take_house(holder text) RETURNS bigint
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	now_is bigint;
BEGIN
	IF NOT pg_try_advisory_lock(7450, 1) THEN
		RETURN NULL;
	END IF;
	UPDATE house h SET epoch = h.epoch + 1, holder = take_house.holder,
		taken = now() RETURNING h.epoch INTO now_is;
	RETURN now_is;
END
$$;

-- It does still, and this transaction will have been its own.
CREATE OR REPLACE FUNCTION check_epoch(epoch bigint) RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM FROM house h WHERE h.epoch = check_epoch.epoch FOR SHARE;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the daemon % has taken over',
			(SELECT h.holder FROM house h) USING ERRCODE = 'RF002';
	END IF;
END
$$;

-- In a new session: false: another one has the lock (or the lost one still).
CREATE OR REPLACE FUNCTION keep_house(epoch bigint) RETURNS bool
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
BEGIN
	PERFORM check_epoch(epoch);
	RETURN pg_try_advisory_lock(7450, 1);
END
$$;

CREATE OR REPLACE FUNCTION add_job(epoch bigint, ladder text, game text,
	spec bytea, sealed bytea, commitment text, bot text[], name text[],
	class text, rules text)
RETURNS bigint
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	number bigint;
BEGIN
	PERFORM check_epoch(epoch);
	INSERT INTO job (ladder, game, spec, sealed, commitment, bot, name,
			class, rules)
		VALUES (ladder, game, spec, sealed, commitment, bot, name,
			class, rules)
		ON CONFLICT (game) DO NOTHING RETURNING job INTO number;
	IF number IS NULL THEN
		SELECT j.job INTO number FROM job j WHERE j.game = add_job.game;
	ELSE
		PERFORM pg_notify('referee_job', '');
	END IF;
	RETURN number;
END
$$;

CREATE OR REPLACE FUNCTION new_results(n bigint)
RETURNS TABLE (job bigint, attempt bigint, worker text, body bytea,
	ladder text, game text, entropy bytea, commitment text, sealed bytea,
	spec bytea, bot text[], name text[], rules text)
LANGUAGE sql STABLE SET search_path = referee, pg_temp AS $$
	SELECT r.job, r.attempt, r.worker, r.body, j.ladder, j.game, j.entropy,
		j.commitment, j.sealed, j.spec, j.bot, j.name, j.rules
	FROM result r JOIN job j ON j.job = r.job
	WHERE r.state = 'new' ORDER BY r.made, r.job LIMIT n;
$$;

-- A result that does not hold: another one that is here gets its turn, or the
-- job waits for one.
CREATE OR REPLACE FUNCTION refuse(epoch bigint, job bigint, attempt bigint,
	why text, suspend bool)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	whose text;
	next_one bigint;
BEGIN
	PERFORM check_epoch(epoch);
	SELECT r.worker INTO whose FROM result r
		WHERE r.job = refuse.job AND r.attempt = refuse.attempt
			AND r.state IN ('new', 'late');
	IF whose IS NULL THEN
		RETURN;
	END IF;
	-- First the worker, then its job, as the worker itself does.
	IF suspend THEN
		UPDATE worker w SET suspended = true,
			why = format('job %s: %s', refuse.job, refuse.why)
			WHERE w.worker = whose;
	END IF;
	PERFORM FROM job j WHERE j.job = refuse.job FOR UPDATE;
	UPDATE result r SET state = 'refused', why = refuse.why
		WHERE r.job = refuse.job AND r.attempt = refuse.attempt;
	IF EXISTS (SELECT FROM result r
		WHERE r.job = refuse.job AND r.state = 'new') THEN
		RETURN;
	END IF;
	UPDATE result r SET state = 'new' WHERE (r.job, r.attempt) =
		(SELECT o.job, o.attempt FROM result o
		WHERE o.job = refuse.job AND o.state = 'late'
		ORDER BY o.made LIMIT 1)
		RETURNING r.attempt INTO next_one;
	IF next_one IS NULL THEN
		UPDATE job j SET state = 'waiting', worker = NULL,
			lease_until = NULL
			WHERE j.job = refuse.job AND j.state = 'reported';
		PERFORM pg_notify('referee_job', '');
	ELSE
		PERFORM pg_notify('referee_result', refuse.job::text);
	END IF;
END
$$;

-- The transaction that decides games, all or none.  What is there already with
-- the same serial and hash is no trouble.
CREATE OR REPLACE FUNCTION add_verdicts(epoch bigint, ladders text[],
	serials bigint[], games text[], jobs bigint[], attempts bigint[],
	hashes bytea[], records bytea[], asks bytea[])
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	one record;
BEGIN
	PERFORM check_epoch(epoch);
	FOR one IN SELECT * FROM unnest(ladders, serials, games, jobs, attempts,
			hashes, records, add_verdicts.asks)
		AS v (ladder, serial, game, job, attempt, hash, record, asks)
	LOOP
		IF EXISTS (SELECT FROM verdict v WHERE v.ladder = one.ladder
			AND v.serial = one.serial AND v.game = one.game
			AND v.hash = one.hash) THEN
			CONTINUE;
		END IF;
		INSERT INTO verdict (ladder, serial, game, job, attempt, hash,
				record, asks)
			VALUES (one.ladder, one.serial, one.game,
				nullif(one.job, 0), nullif(one.attempt, 0),
				one.hash, one.record, one.asks);
		CONTINUE WHEN one.job = 0;
		UPDATE job j SET state = 'done', lease_until = NULL
			WHERE j.job = one.job;
		UPDATE result r SET state = 'taken', body = ''
			WHERE r.job = one.job AND r.attempt = one.attempt;
		PERFORM pg_notify('referee_verdict',
			one.job || ' ' || encode(one.hash, 'hex'));
	END LOOP;
	-- Jobs of yesterday that are over have told all that they know.
	DELETE FROM job WHERE job IN (SELECT j.job FROM job j
		WHERE j.state IN ('done', 'void')
			AND j.made < now() - interval '1 day'
		ORDER BY j.made LIMIT 2 * cardinality(games) + 2
		FOR UPDATE SKIP LOCKED);
END
$$;

CREATE OR REPLACE FUNCTION void_job(epoch bigint, job bigint, why text)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM check_epoch(epoch);
	UPDATE job j SET state = 'void', lease_until = NULL, why = void_job.why
		WHERE j.job = void_job.job AND j.state <> 'done';
END
$$;

-- ---- who may what --------------------------------------------------------

REVOKE ALL ON ALL TABLES IN SCHEMA referee FROM PUBLIC, referee_worker;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA referee FROM PUBLIC, referee_worker;
GRANT USAGE ON SCHEMA referee TO referee_worker;
GRANT EXECUTE ON FUNCTION
	enlist(text, text, text, text, text, bigint, float8),
	claim(text, bigint, text, text[], bigint, bigint[]),
	give_entropy(text, bigint, bigint, bytea),
	beat(text, bigint[], bigint[], bigint),
	report(text, bigint, bigint, bytea),
	give_back(text, bigint[], bigint[], text),
	fetch_bot(text, bigint, bigint)
	TO referee_worker;
