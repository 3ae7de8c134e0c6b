-- referee/queue/schema-daemon.sql - what the daemon calls.

-- This session's daemon writes from now on: its epoch; NULL: another does.
-- No epoch comes twice, not even in a database that was restored and does not know
-- of the last ones.
CREATE OR REPLACE FUNCTION take_house(holder text) RETURNS bigint
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	now_is bigint;
BEGIN
	IF NOT pg_try_advisory_lock(7450, 1) THEN
		RETURN NULL;
	END IF;
	UPDATE house h SET holder = take_house.holder, taken = now(),
		epoch = greatest(h.epoch + 1,
			(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
		RETURNING h.epoch INTO now_is;
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

-- A login of workers, which is not the daemon's or a superuser's as well.
CREATE OR REPLACE FUNCTION is_worker_login(login oid) RETURNS bool
LANGUAGE sql STABLE SET search_path = referee, pg_temp AS $$
	SELECT pg_has_role(login, 'referee_worker', 'MEMBER')
		AND NOT pg_has_role(login, 'referee_coordinator', 'MEMBER');
$$;

-- How a session is named to people: by its login, and by the workers that have
-- enlisted in it, or by those of its login.
CREATE OR REPLACE FUNCTION session_name(pid bigint, login name) RETURNS text
LANGUAGE sql STABLE SET search_path = referee, pg_temp AS $$
	SELECT format('the login %s', login) || coalesce(
		(SELECT ' (worker ' || string_agg(w.worker, ', ') || ')'
			FROM worker w WHERE w.pid = session_name.pid),
		(SELECT ' (of worker ' || string_agg(w.worker, ', ') || ')'
			FROM (SELECT * FROM worker o WHERE o.role = login
				ORDER BY o.worker LIMIT 8) w), '');
$$;

-- Ends a session: false: we may not.
CREATE OR REPLACE FUNCTION end_session(pid bigint) RETURNS bool
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
BEGIN
	PERFORM pg_terminate_backend(end_session.pid::int, 1000);
	RETURN true;
EXCEPTION WHEN insufficient_privilege THEN
	RETURN false;
END
$$;

-- Ends all sessions of a worker's login, also of others that share it, which come
-- back: how many there are that we may not end.  They are found first: in one query
-- the planner would end a session before it looks whose it is.
CREATE OR REPLACE FUNCTION end_sessions(worker text) RETURNS bigint
LANGUAGE sql SET search_path = referee, pg_temp AS $$
	WITH found AS MATERIALIZED (
		SELECT a.pid FROM pg_stat_activity a
			JOIN worker w ON w.role = a.usename
		WHERE w.worker = end_sessions.worker
			AND a.datname = current_database()
			AND is_worker_login(a.usesysid))
	SELECT count(*) FROM found WHERE NOT end_session(found.pid);
$$;

-- Ends sessions of workers that hold a transaction open for longer than any of ours
-- does: a session may take back its time-outs.
CREATE OR REPLACE FUNCTION end_stalled(most_s bigint)
RETURNS TABLE (session text, seconds bigint, ended bool)
LANGUAGE sql SET search_path = referee, pg_temp AS $$
	SELECT session_name(a.pid, a.usename),
		extract(epoch FROM now() - a.xact_start)::bigint,
		end_session(a.pid)
	FROM pg_stat_activity a
	WHERE a.datname = current_database()
		AND a.xact_start < now() - most_s * interval '1 s'
		AND is_worker_login(a.usesysid);
$$;

-- Suspended workers of which the daemon has not heard yet.
CREATE OR REPLACE FUNCTION tell_suspended()
RETURNS TABLE (worker text, why text)
LANGUAGE sql SET search_path = referee, pg_temp AS $$
	UPDATE worker w SET told = coalesce(w.why, '?')
	WHERE w.worker IN (SELECT o.worker FROM worker o
		WHERE o.suspended AND o.told IS DISTINCT FROM coalesce(o.why, '?')
		FOR UPDATE SKIP LOCKED)
	RETURNING w.worker, w.told;
$$;

-- Who holds these jobs, or all that are not over, or this worker, so that they
-- cannot be changed: a sentence, or NULL.
CREATE OR REPLACE FUNCTION who_blocks(jobs bigint[], every bool, worker text)
RETURNS text
LANGUAGE sql SET search_path = referee, pg_temp AS $$
	SELECT string_agg(DISTINCT format(
		'%s has a transaction open since %s, process %s',
		session_name(a.pid, a.usename),
		coalesce(date_trunc('second', a.xact_start)::text, '?'), a.pid),
		'; ')
	FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
	WHERE l.locktype = 'transactionid' AND l.granted
		AND l.pid <> pg_backend_pid()
		AND l.transactionid IN (SELECT j.xmax FROM job j
			WHERE j.job = ANY (jobs) OR (every AND j.state IN
				('waiting', 'claimed', 'reported', 'parked'))
			UNION ALL SELECT w.xmax FROM worker w
			WHERE w.worker = who_blocks.worker);
$$;

DROP FUNCTION IF EXISTS new_results(bigint);	-- of version 1

-- A result that does not hold: another one that is here gets its turn, or the
-- job waits for one.  If results of two workers did not hold, who knows whose
-- fault it is: the second is not suspended, and the job is parked.
CREATE OR REPLACE FUNCTION refuse(epoch bigint, job bigint, attempt bigint,
	why text, suspend bool)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp
	-- Its worker may hold a lock; all other results wait for this answer.
	SET lock_timeout = '500ms' AS $$
#variable_conflict use_column
DECLARE
	whose text;
	others text;
	next_one bigint;
BEGIN
	PERFORM check_epoch(epoch);
	SELECT r.worker INTO whose FROM result r
		WHERE r.job = refuse.job AND r.attempt = refuse.attempt
			AND r.state IN ('new', 'late');
	IF whose IS NULL THEN
		RETURN;
	END IF;
	SELECT string_agg(DISTINCT r.worker, ', ') INTO others FROM result r
		WHERE r.job = refuse.job AND r.state = 'refused'
			AND r.worker <> whose;
	-- First the worker, then its job, as the worker itself does.
	IF suspend AND others IS NULL THEN
		UPDATE worker w SET suspended = true,
			why = format('job %s: %s', refuse.job, refuse.why)
			WHERE w.worker = whose;
	END IF;
	PERFORM FROM job j WHERE j.job = refuse.job FOR NO KEY UPDATE;
	-- Its body may have the cards of a game that waits again.
	UPDATE result r SET state = 'refused', why = refuse.why, body = ''
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
	IF next_one IS NULL AND others IS NOT NULL THEN
		UPDATE job j SET state = 'parked', worker = NULL,
			lease_until = NULL,
			why = format('what %s, %s reported was refused, with '
				'%s: %s', others, whose,
				array_to_string(j.name, ', '), refuse.why)
			WHERE j.job = refuse.job AND j.state = 'reported';
	ELSIF next_one IS NULL THEN
		UPDATE job j SET state = 'waiting', worker = NULL,
			lease_until = NULL
			WHERE j.job = refuse.job AND j.state = 'reported';
		PERFORM pg_notify('referee_job', '');
	ELSE
		PERFORM pg_notify('referee_result', refuse.job::text);
	END IF;
END
$$;

-- The log has games up to this serial, as the daemon knows: with another database
-- it may have forgotten some.
CREATE OR REPLACE FUNCTION check_verdicts(ladder text, last bigint) RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	there bigint;
BEGIN
	SELECT coalesce(max(v.serial), 0) INTO there FROM verdict v
		WHERE v.ladder = check_verdicts.ladder;
	IF there < check_verdicts.last THEN
		RAISE EXCEPTION 'the ladder ends with game % there, not with %',
			there, check_verdicts.last USING ERRCODE = 'RF005';
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
				record, asks, worker, processor, speed)
			SELECT one.ladder, one.serial, one.game,
				nullif(one.job, 0), nullif(one.attempt, 0),
				one.hash, one.record, one.asks,
				r.worker, w.processor, w.speed
			FROM (VALUES (1)) one_row
			LEFT JOIN result r ON r.job = one.job
				AND r.attempt = one.attempt
			LEFT JOIN worker w ON w.worker = r.worker;
		IF one.job = 0 THEN
			PERFORM pg_notify('referee_house', '');
			CONTINUE;
		END IF;
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

-- A job that cannot be read: an operator must look at it.
CREATE OR REPLACE FUNCTION park_job(epoch bigint, job bigint, why text)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM check_epoch(epoch);
	UPDATE job j SET state = 'parked', worker = NULL, lease_until = NULL,
		why = park_job.why
		WHERE j.job = park_job.job AND j.state = 'reported';
	-- Else there were two once it is played again.
	UPDATE result r SET state = 'late'
		WHERE r.job = park_job.job AND r.state = 'new';
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
	IF FOUND THEN
		UPDATE result r SET state = 'taken', body = ''
			WHERE r.job = void_job.job AND r.state IN ('new', 'late');
	END IF;
END
$$;
