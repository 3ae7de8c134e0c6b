-- referee/queue/schema-worker.sql - what workers may call.

-- What every program asks first, so it stays as it is.
CREATE OR REPLACE FUNCTION queue_version()
RETURNS TABLE (version bigint, oldest bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = referee, pg_temp AS $$
	SELECT h.version, h.oldest FROM house h;
$$;

-- The session in which a worker enlisted is there still, and not this one.
CREATE OR REPLACE FUNCTION lives_elsewhere(pid bigint) RETURNS bool
LANGUAGE sql STABLE SET search_path = referee, pg_temp AS $$
	SELECT lives_elsewhere.pid <> pg_backend_pid() AND EXISTS (
		SELECT FROM pg_stat_activity a
		WHERE a.pid = lives_elsewhere.pid
			AND a.datname = current_database());
$$;

-- The worker is known, belongs to who has logged in, and is this process.  Its
-- session, if it does not say otherwise later, leaves no transaction open for long.
CREATE OR REPLACE FUNCTION see_worker(name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
DECLARE
	known worker;
BEGIN
	SELECT * INTO known FROM worker w WHERE w.worker = name;
	IF NOT FOUND OR known.role <> session_user THEN
		RAISE EXCEPTION 'there is no worker % of the role %',
			left(name, QUEUE_NAME_BYTES), session_user USING ERRCODE = 'RF003';
	END IF;
	IF known.suspended THEN
		RAISE EXCEPTION 'the worker % is suspended: %', name,
			coalesce(known.why, '?') USING ERRCODE = 'RF001';
	END IF;
	IF known.pid <> pg_backend_pid() AND lives_elsewhere(known.pid) THEN
		RAISE EXCEPTION 'another process plays under the name %; '
			'give each worker a name of its own', name
			USING ERRCODE = 'RF004';
	END IF;
	PERFORM set_config('statement_timeout', 'QUEUE_IDLE_MS', false),
		set_config('idle_in_transaction_session_timeout',
			'QUEUE_IDLE_MS', false);
	-- Not more often than is worth a write.
	UPDATE worker w SET seen = now()
		WHERE w.worker = name AND w.seen < now() - interval '2 s';
END
$$;

-- Why a worker is suspended: not by an operator.
CREATE OR REPLACE FUNCTION suspend_worker(worker text, why text) RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	UPDATE worker w SET suspended = true, why = suspend_worker.why
		WHERE w.worker = suspend_worker.worker AND NOT w.suspended;
	RAISE WARNING 'the worker % is suspended: %', suspend_worker.worker,
		suspend_worker.why;
END
$$;

-- Whether a worker gives more of something than is taken: then nothing of it is,
-- and the worker, which is none of ours, is suspended.  An error would forget who
-- it was.
CREATE OR REPLACE FUNCTION is_too_much(worker text, what text, n bigint,
	most bigint)
RETURNS bool
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	IF coalesce(n, 0) <= most THEN
		RETURN false;
	END IF;
	PERFORM suspend_worker(is_too_much.worker, format(
		'it gave %s %s, and at most %s are taken', n, what, most));
	RETURN true;
END
$$;

-- A claim comes to nothing: the job waits again, or is parked.  If it is not
-- charged, another job is to blame.  That the second loss is another worker's is
-- the claim's care.  A function in SQL would be planned each time.
DROP FUNCTION IF EXISTS lose_job(bigint, text);	-- of version 1
CREATE OR REPLACE FUNCTION lose_job(lost bigint, reason text, charged bool)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
BEGIN
	UPDATE job SET losses = losses + charged::int,
		state = CASE WHEN charged AND losses + 1 >= QUEUE_LOSSES
			THEN 'parked' ELSE 'waiting' END,
		lease_until = NULL, worker = NULL,
		lost_by = CASE WHEN charged THEN worker ELSE lost_by END,
		lost_at = CASE WHEN charged THEN now() ELSE lost_at END,
		why = CASE WHEN charged AND losses + 1 >= QUEUE_LOSSES THEN
			format('lost %s times, with %s: %s', losses + 1,
				array_to_string(name, ', '),
				left(reason, QUEUE_REASON_KEPT))
			ELSE left(reason, QUEUE_REASON_KEPT) END
	-- It is claimed.  By its state the planner would look at all that are.
	WHERE job = lost AND lease_until IS NOT NULL;
END
$$;

-- The job that was lost before, of those that a worker holds: it has one at a
-- time, and if the worker is lost, that job is to blame and no other.
CREATE OR REPLACE FUNCTION suspect_of(worker text) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = referee, pg_temp AS $$
BEGIN
	RETURN (SELECT j.job FROM job j WHERE j.state = 'claimed'
		AND j.worker = suspect_of.worker AND j.losses > 0
		ORDER BY j.job LIMIT 1);
END
$$;

-- Workers that are there, and may play jobs of this class.
CREATE OR REPLACE FUNCTION workers_there(class text)
RETURNS TABLE (worker text, role text)
LANGUAGE sql STABLE SET search_path = referee, pg_temp AS $$
	SELECT w.worker, w.role FROM worker w
	WHERE NOT w.suspended
		AND w.seen > now() - QUEUE_SEEN_S * interval '1 s'
		AND (workers_there.class = '' OR w.class = workers_there.class)
		AND EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.pid
			AND a.datname = current_database());
$$;

-- Whose losses a worker leaves to others: its own, if there is another worker for
-- them; and those of all names of its login, if there is one of another login.
CREATE OR REPLACE FUNCTION shunned_by(worker text, class text) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	RETURN (SELECT coalesce(array_agg(m.worker), '{}') FROM worker m
		WHERE m.role = session_user AND EXISTS (
			SELECT FROM workers_there(shunned_by.class) o
			WHERE o.role <> m.role
				OR (m.worker = shunned_by.worker
					AND o.worker <> m.worker)));
END
$$;

-- A worker that gives back several jobs as lost, and no bot sits in all of them,
-- is to blame itself: it is suspended, and these are no losses.
CREATE OR REPLACE FUNCTION blame_worker(worker text) RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	jobs bigint;
	common bigint;
BEGIN
	DELETE FROM given_back g
		WHERE g.made < now() - QUEUE_GIVEN_S * interval '1 s';
	SELECT count(*) INTO jobs FROM given_back g
		WHERE g.worker = blame_worker.worker;
	SELECT coalesce(max(b.jobs), 0) INTO common FROM (
		SELECT count(DISTINCT g.job) AS jobs
		FROM given_back g CROSS JOIN unnest(g.bot) AS hash
		WHERE g.worker = blame_worker.worker AND hash <> ''
		GROUP BY hash) b;
	IF jobs < QUEUE_GIVEN_BACK OR common = jobs THEN
		RETURN;
	END IF;
	PERFORM suspend_worker(blame_worker.worker, format(
		'it gave back %s games that have no bot in common, at last: %s',
		jobs, (SELECT left(j.why, 200) FROM job j JOIN given_back g
			ON g.job = j.job WHERE g.worker = blame_worker.worker
			ORDER BY g.made DESC, g.job DESC LIMIT 1)));
	-- What is locked is being claimed.
	UPDATE job j SET losses = j.losses - 1, lost_by = NULL
		WHERE j.job IN (SELECT o.job FROM job o
			JOIN given_back g ON g.job = o.job
			WHERE g.worker = blame_worker.worker
				AND o.state = 'waiting' AND o.losses > 0
				AND o.lost_by = blame_worker.worker
			FOR UPDATE OF o SKIP LOCKED);
	DELETE FROM given_back g WHERE g.worker = blame_worker.worker;
END
$$;

-- Leases that are over, and jobs of suspended workers, which are no losses: how
-- many.
CREATE OR REPLACE FUNCTION expire(n bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
DECLARE
	late record;
	found bigint := 0;
BEGIN
	FOR late IN SELECT j.job, j.worker FROM worker w
		JOIN job j ON j.worker = w.worker AND j.state = 'claimed'
		WHERE w.suspended LIMIT n FOR UPDATE OF j SKIP LOCKED
	LOOP
		PERFORM lose_job(late.job,
			format('the worker %s was suspended', late.worker),
			false);
		found := found + 1;
	END LOOP;
	-- A suspect comes after those that it takes the blame from.
	FOR late IN SELECT j.job, j.worker, j.losses FROM job j
		WHERE j.job IN (SELECT o.job FROM job o
			WHERE o.state = 'claimed' AND o.lease_until < now()
			ORDER BY o.lease_until LIMIT n FOR UPDATE SKIP LOCKED)
		ORDER BY j.losses > 0, j.job
	LOOP
		PERFORM lose_job(late.job,
			format('the worker %s was not heard from', late.worker),
			late.losses > 0 OR suspect_of(late.worker) IS NULL);
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
	to_blame bigint;
BEGIN
	-- NaN is more than any number.
	IF octet_length(enlist.worker) > QUEUE_NAME_BYTES
		OR greatest(octet_length(instance), octet_length(class),
			octet_length(version), octet_length(processor)) >
			QUEUE_TEXT_BYTES
		OR cores NOT BETWEEN 0 AND 1000000
		OR speed NOT BETWEEN 0 AND 1e9 THEN
		RAISE EXCEPTION 'no worker is as % tells of itself',
			left(enlist.worker, QUEUE_NAME_BYTES) USING ERRCODE = 'RF003';
	END IF;
	SELECT * INTO before FROM worker w WHERE w.worker = enlist.worker
		FOR UPDATE;
	IF FOUND AND before.role <> session_user THEN
		RAISE EXCEPTION 'the worker % belongs to the role %; give '
			'this one another name', enlist.worker, before.role
			USING ERRCODE = 'RF003';
	END IF;
	-- One process has the name, until its session ends; that of a machine
	-- which is gone may not end for long.
	IF before.instance <> enlist.instance
		AND before.seen > now() - interval '30 s'
		AND lives_elsewhere(before.pid) THEN
		RAISE EXCEPTION 'another process plays under the name %; '
			'give each worker a name of its own', enlist.worker
			USING ERRCODE = 'RF004';
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
			processor, cores, speed, pid)
		VALUES (enlist.worker, session_user, enlist.instance,
			enlist.class, enlist.version, enlist.processor,
			enlist.cores, enlist.speed, pg_backend_pid())
		ON CONFLICT (worker) DO UPDATE SET instance = excluded.instance,
			class = excluded.class, version = excluded.version,
			processor = excluded.processor, cores = excluded.cores,
			speed = excluded.speed, seen = now(),
			pid = excluded.pid,
			enlisted = CASE WHEN w.instance = excluded.instance
				THEN w.enlisted ELSE now() END;
	-- It was started again: what the last process had is lost.
	IF before.instance <> enlist.instance THEN
		to_blame := suspect_of(enlist.worker);
		FOR held IN SELECT j.job FROM job j
			WHERE j.state = 'claimed' AND j.worker = enlist.worker
			ORDER BY j.job FOR UPDATE
		LOOP
			PERFORM lose_job(held,
				format('the worker %s was started again',
					enlist.worker),
				coalesce(held = to_blame, true));
			PERFORM pg_notify('referee_job', '');
		END LOOP;
	END IF;
	PERFORM see_worker(enlist.worker);
	RETURN QUERY SELECT h.version, h.key_print FROM house h;
END
$$;

-- Bots that could not be built by workers of two logins, or by two of the only
-- login, or by the only worker that is there, and why.
CREATE OR REPLACE FUNCTION hopeless_bots()
RETURNS TABLE (hash text, why text)
LANGUAGE plpgsql STABLE SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	RETURN QUERY SELECT u.hash, string_agg(
			format('%s says: %s', u.worker, u.why), '; '
			ORDER BY u.made, u.worker)
		FROM unbuilt u LEFT JOIN worker m ON m.worker = u.worker
		WHERE u.made > now() - interval '10 minutes' GROUP BY u.hash
		HAVING count(DISTINCT m.role) >= 2
			OR (count(*) >= 2 AND NOT EXISTS (SELECT FROM worker w
				WHERE NOT w.suspended
				AND w.seen > now() - QUEUE_SEEN_S * interval '1 s'
				AND w.role <> ALL (array_agg(m.role))))
			OR (min(u.made) < now() - interval '1 minute'
			AND NOT EXISTS (SELECT FROM worker w
				WHERE NOT w.suspended
				AND w.seen > now() - QUEUE_SEEN_S * interval '1 s'
				AND w.worker <> ALL (array_agg(u.worker))));
END
$$;

-- First what it holds and does not know of, because the answer to a claim was
-- lost: the same attempt.  Then the oldest, of the classes and rules that it has,
-- and of suspects one at a time.  Each of these has a part of the index to itself,
-- so nothing else is looked at, also by a plan that was made while the table was
-- small.  A plan for given values would sort all that wait: it takes
-- `(losses > 0) = false` for `losses <= 0`, which is not in the index.
CREATE OR REPLACE FUNCTION claim(worker text, n bigint, class text,
	rules text[], lease_s bigint, known bigint[])
RETURNS TABLE (job bigint, attempt bigint, ladder text, game text, spec bytea,
	sealed bytea, commitment text, entropy bytea, bot text[], name text[],
	rule text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp
	SET enable_seqscan = off SET enable_bitmapscan = off
	SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	part record;
	wanted bigint := least(n, QUEUE_HELD_MOST);
	got bigint;
	suspects bigint := 1;
	unable text[];
	shunned text[] := '{}';
BEGIN
	PERFORM see_worker(claim.worker);
	IF is_too_much(claim.worker, 'bytes of a class', octet_length(claim.class),
			QUEUE_TEXT_BYTES)
		OR is_too_much(claim.worker, 'rules', cardinality(claim.rules),
			QUEUE_RULES_MOST)
		OR is_too_much(claim.worker, 'bytes of rules',
			(SELECT max(octet_length(r.rules))
				FROM unnest(claim.rules) r (rules)),
			QUEUE_NAME_BYTES)
		OR is_too_much(claim.worker, 'jobs', cardinality(known),
			QUEUE_HELD_MOST) THEN
		RETURN;
	END IF;
	-- A few, so that no claim takes long.
	PERFORM expire(10);
	-- Bots that it could not build, or two others.
	SELECT coalesce(array_agg(o.hash), '{}') INTO unable FROM (
		SELECT u.hash FROM unbuilt u
		WHERE u.made > now() - interval '10 minutes'
			AND u.worker = claim.worker
		UNION SELECT h.hash FROM hopeless_bots() h) o;
	IF suspect_of(claim.worker) IS NOT NULL THEN
		suspects := 0;
	END IF;
	RETURN QUERY
	UPDATE job j SET lease_until = now() + least(lease_s, 600) * interval '1 s'
	WHERE j.job IN (SELECT o.job FROM job o
		-- What is locked is being lost, by a claim that may wait for
		-- what was lost by this one.
		WHERE o.state = 'claimed' AND o.worker = claim.worker
			AND o.job <> ALL (known)
		ORDER BY o.job LIMIT wanted FOR UPDATE SKIP LOCKED)
	RETURNING j.job, j.attempt, j.ladder, j.game, j.spec, j.sealed,
		j.commitment, j.entropy, j.bot, j.name, j.rules;
	GET DIAGNOSTICS got = ROW_COUNT;
	wanted := wanted - got;
	FOR part IN
		SELECT c.class, r.rules, s.suspect, (SELECT j.place FROM job j
			WHERE j.state = 'waiting' AND j.class = c.class
				AND j.rules = r.rules
				AND (j.losses > 0) = s.suspect
			ORDER BY j.place LIMIT 1) AS oldest
		FROM (SELECT DISTINCT unnest(ARRAY['', claim.class])) c (class),
			(SELECT DISTINCT unnest(claim.rules)) r (rules),
			(VALUES (false), (true)) s (suspect)
		ORDER BY oldest NULLS LAST
	LOOP
		EXIT WHEN wanted <= 0 OR part.oldest IS NULL;
		CONTINUE WHEN part.suspect AND suspects = 0;
		IF part.suspect THEN
			shunned := shunned_by(claim.worker, part.class);
		END IF;
		RETURN QUERY
		WITH next AS MATERIALIZED (
			SELECT j.job FROM job j
			WHERE j.state = 'waiting' AND j.class = part.class
				AND j.rules = part.rules
				AND (j.losses > 0) = part.suspect
				AND (unable = '{}' OR NOT j.bot && unable)
				AND (NOT part.suspect OR coalesce(j.lost_by, '')
						<> ALL (shunned)
					OR j.lost_at < now() -
						QUEUE_SHUN_S * interval '1 s')
			ORDER BY j.place LIMIT CASE WHEN part.suspect
				THEN suspects ELSE wanted END
			FOR UPDATE SKIP LOCKED)
		UPDATE job j SET state = 'claimed', attempt = j.attempt + 1,
			worker = claim.worker,
			player[j.attempt + 1] = claim.worker,
			lease_until = now() + least(lease_s, 600) * interval '1 s'
		FROM next WHERE j.job = next.job
		RETURNING j.job, j.attempt, j.ladder, j.game, j.spec, j.sealed,
			j.commitment, j.entropy, j.bot, j.name, j.rules;
		GET DIAGNOSTICS got = ROW_COUNT;
		wanted := wanted - got;
		suspects := suspects - CASE WHEN part.suspect THEN got ELSE 0 END;
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
	IF is_too_much(give_entropy.worker, 'bytes of entropy',
			octet_length(bytes), QUEUE_ENTROPY_BYTES) THEN
		RETURN NULL;
	END IF;
	UPDATE job j SET entropy = coalesce(j.entropy, bytes)
		WHERE j.job = give_entropy.job
			AND j.attempt = give_entropy.attempt
			AND j.worker = give_entropy.worker
			AND j.lease_until IS NOT NULL
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
	IF is_too_much(beat.worker, 'jobs',
		greatest(cardinality(jobs), cardinality(attempts)),
		QUEUE_HELD_MOST) THEN
		RETURN;
	END IF;
	RETURN QUERY
	WITH mine AS MATERIALIZED (
		SELECT j.job FROM job j
		JOIN unnest(jobs, attempts) AS m (job, attempt)
			ON j.job = m.job AND j.attempt = m.attempt
		WHERE j.state = 'claimed' AND j.worker = beat.worker
		ORDER BY j.job FOR UPDATE OF j),
	longer AS (
		UPDATE job j SET lease_until = now() + least(lease_s, 600) * interval '1 s'
		FROM mine WHERE j.job = mine.job RETURNING j.job)
	SELECT m.job FROM unnest(jobs) AS m (job)
	WHERE m.job NOT IN (SELECT l.job FROM longer l);
END
$$;

-- 'ok': it may count; 'late': there is another, this one is kept beside it;
-- 'done': the game is decided; 'refused': it is too long.  The same answer for the same result.
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
	IF is_too_much(report.worker, 'bytes of a result', octet_length(body),
			QUEUE_RESULT_BYTES) THEN
		RETURN 'refused';
	END IF;
	-- What is reported is the daemon's, which must not wait for a worker that
	-- leaves its transaction open: that lock is let go.
	BEGIN
		SELECT * INTO of FROM job j WHERE j.job = report.job FOR UPDATE;
		IF of.state IN ('reported', 'done', 'void') THEN
			RAISE EXCEPTION '' USING ERRCODE = 'RF000';
		END IF;
	EXCEPTION WHEN SQLSTATE 'RF000' THEN
		NULL;
	END;
	IF of.job IS NULL THEN
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
		of.player[report.attempt] <> report.worker THEN
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
	-- Its worker may have another suspect now.
	IF of.losses > 0 THEN
		PERFORM pg_notify('referee_job', '');
	END IF;
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
	IF is_too_much(give_back.worker, 'jobs',
			greatest(cardinality(jobs), cardinality(attempts)),
			QUEUE_HELD_MOST)
		OR is_too_much(give_back.worker, 'bytes of a reason',
			octet_length(give_back.why), QUEUE_REASON_BYTES) THEN
		RETURN;
	END IF;
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
				give_back.worker, give_back.why), true);
			INSERT INTO given_back (worker, job, bot)
				SELECT give_back.worker, j.job, j.bot
				FROM job j WHERE j.job = mine
				ON CONFLICT (worker, job)
					DO UPDATE SET made = now();
		END IF;
		PERFORM pg_notify('referee_job', '');
	END LOOP;
	IF give_back.why IS NOT NULL THEN
		PERFORM blame_worker(give_back.worker);
	END IF;
END
$$;

-- A bot that cannot be built is the cause itself: what waits for it is parked.
CREATE OR REPLACE FUNCTION park_unbuilt() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp
	SET enable_seqscan = off AS $$
DECLARE
	bad record;
BEGIN
	FOR bad IN SELECT * FROM hopeless_bots() LOOP
		UPDATE job j SET state = 'parked', blamed = bad.hash,
			why = format('the bot %s cannot be had: %s',
				j.name[array_position(j.bot, bad.hash)],
				left(bad.why, QUEUE_REASON_KEPT))
			-- The daemon calls it again.
			WHERE j.job IN (SELECT o.job FROM job o
				WHERE o.state = 'waiting'
					AND bad.hash = ANY (o.bot)
				LIMIT 1000 FOR UPDATE SKIP LOCKED);
	END LOOP;
END
$$;

-- A job with a bot that this worker cannot have, which is no loss: another worker
-- may.
CREATE OR REPLACE FUNCTION give_back_unbuilt(worker text, job bigint,
	attempt bigint, hash text, why text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	PERFORM see_worker(give_back_unbuilt.worker);
	IF is_too_much(give_back_unbuilt.worker, 'bytes of a hash',
			octet_length(give_back_unbuilt.hash), QUEUE_NAME_BYTES)
		OR is_too_much(give_back_unbuilt.worker, 'bytes of a reason',
			octet_length(give_back_unbuilt.why),
			QUEUE_REASON_BYTES) THEN
		RETURN;
	END IF;
	UPDATE job j SET state = 'waiting', worker = NULL, lease_until = NULL
		WHERE j.job = give_back_unbuilt.job
			AND j.attempt = give_back_unbuilt.attempt
			AND j.worker = give_back_unbuilt.worker
			AND j.state = 'claimed'
			AND give_back_unbuilt.hash = ANY (j.bot);
	IF NOT FOUND THEN
		RETURN;
	END IF;
	DELETE FROM unbuilt u WHERE u.made < now() - interval '10 minutes';
	INSERT INTO unbuilt AS u (hash, worker, why)
		VALUES (give_back_unbuilt.hash, give_back_unbuilt.worker,
			left(give_back_unbuilt.why, QUEUE_REASON_KEPT))
		ON CONFLICT (hash, worker) DO UPDATE SET why = excluded.why;
	PERFORM park_unbuilt();
	PERFORM pg_notify('referee_job', '');
END
$$;

-- A piece of an archive, from byte `at` (0 is the first) on.
CREATE OR REPLACE FUNCTION fetch_bot(hash text, at bigint, n bigint)
RETURNS TABLE (size bigint, bytes bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
BEGIN
	IF octet_length(fetch_bot.hash) > QUEUE_NAME_BYTES THEN
		RAISE EXCEPTION 'a hash has at most QUEUE_NAME_BYTES bytes'
			USING ERRCODE = 'RF003';
	END IF;
	RETURN QUERY SELECT length(b.archive)::bigint,
		substring(b.archive FROM at::int + 1 FOR n::int)
		FROM bot b WHERE b.hash = fetch_bot.hash;
END
$$;
