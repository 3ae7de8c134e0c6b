-- referee/queue/schema-tables.sql - the queue in PostgreSQL: jobs, results, verdicts.
--
-- The files schema-*.sql are one transaction, in the order of referee/local.mk,
-- which may be run again: it makes what is not there, and gives every function its
-- present text.  All times are those of the database.
--
-- referee_coordinator owns all of it; the daemon is a member.  A worker is a
-- member of referee_worker, which may call some functions and read no table.

-- An index of a large table takes its time.
SET LOCAL statement_timeout = 0;
SELECT pg_advisory_xact_lock(7450001);

-- Since PostgreSQL 16 a member may become the role only if the grant says so, and
-- only who has the ADMIN OPTION may grant it: whoever made the role has, but is not
-- allowed to become it; CREATEROLE alone no longer suffices.
DO $$
DECLARE
	since_16 CONSTANT bool :=
		current_setting('server_version_num')::int >= 160000;
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles
		       WHERE rolname = 'referee_coordinator') THEN
		CREATE ROLE referee_coordinator NOLOGIN;
	END IF;
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'referee_worker') THEN
		CREATE ROLE referee_worker NOLOGIN;
	END IF;
	IF pg_has_role('referee_coordinator',
		       CASE WHEN since_16 THEN 'SET' ELSE 'MEMBER' END) THEN
		RETURN;
	END IF;
	EXECUTE format('GRANT referee_coordinator TO %I', current_user)
		|| CASE WHEN since_16 THEN ' WITH INHERIT TRUE, SET TRUE'
			ELSE '' END;
EXCEPTION WHEN insufficient_privilege THEN
	IF (SELECT count(*) FROM pg_roles WHERE rolname IN
	    ('referee_coordinator', 'referee_worker')) < 2 THEN
		RAISE;
	END IF;
	RAISE EXCEPTION USING ERRCODE = 'RF006', MESSAGE = format(
		'the role %I may not become referee_coordinator; a superuser has '
		'to run: GRANT referee_coordinator, referee_worker TO %1$I WITH '
		'ADMIN OPTION', current_user);
END
$$;

-- To end the sessions of a worker, and to see how long they do nothing, is a right
-- of its own.  Who may not give it has a queue that works without.
DO $$
BEGIN
	IF NOT (pg_has_role('referee_coordinator', 'pg_signal_backend', 'MEMBER')
		AND pg_has_role('referee_coordinator', 'pg_read_all_stats',
			'MEMBER')) THEN
		GRANT pg_signal_backend, pg_read_all_stats
			TO referee_coordinator;
	END IF;
-- Or another database's queue has just been given it.
EXCEPTION WHEN insufficient_privilege OR unique_violation OR internal_error THEN
	NULL;
END
$$;

CREATE SCHEMA IF NOT EXISTS referee AUTHORIZATION referee_coordinator;
SET LOCAL ROLE referee_coordinator;
SET LOCAL search_path = referee, pg_temp;

-- One row.
CREATE TABLE IF NOT EXISTS house (
	one bool PRIMARY KEY DEFAULT true CHECK (one),
	version bigint NOT NULL,	-- of this schema
	epoch bigint NOT NULL DEFAULT 0,	-- of the daemon that writes
	holder text,			-- what that calls itself
	taken timestamptz,
	key_print text			-- of the key of the seals
);
-- The oldest program that can use it, by the version of the schema that it knows.
ALTER TABLE house ADD COLUMN IF NOT EXISTS oldest bigint;

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
-- The session in which it enlisted.
ALTER TABLE worker ADD COLUMN IF NOT EXISTS pid bigint;
-- The reason of its suspension that the daemon has logged.
ALTER TABLE worker ADD COLUMN IF NOT EXISTS told text;

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
-- Whose each attempt was.
ALTER TABLE job ADD COLUMN IF NOT EXISTS player text[] NOT NULL DEFAULT '{}';
DROP INDEX IF EXISTS job_waiting;	-- of version 1
-- Those that were lost before are suspects, and claimed one at a time.
CREATE INDEX IF NOT EXISTS job_waits ON job
	(class, rules, (losses > 0), place) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS job_lease ON job (lease_until)
	WHERE state = 'claimed';
CREATE INDEX IF NOT EXISTS job_worker ON job (worker)
	WHERE state = 'claimed';
CREATE INDEX IF NOT EXISTS job_suspect ON job (worker)
	WHERE state = 'claimed' AND losses > 0;
CREATE INDEX IF NOT EXISTS job_parked ON job (job) WHERE state = 'parked';
CREATE INDEX IF NOT EXISTS job_over ON job (made)
	WHERE state IN ('done', 'void');

-- The hash of the bot that is why it is parked.
ALTER TABLE job ADD COLUMN IF NOT EXISTS blamed text;
-- The worker that has lost it last, and when.
ALTER TABLE job ADD COLUMN IF NOT EXISTS lost_by text,
	ADD COLUMN IF NOT EXISTS lost_at timestamptz;

-- Jobs that workers gave back as lost, with their bots.
CREATE TABLE IF NOT EXISTS given_back (
	worker text NOT NULL,
	job bigint NOT NULL,
	bot text[] NOT NULL,
	made timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (worker, job)
);

-- Bots that a worker could not fetch or build.  It tries again later.
CREATE TABLE IF NOT EXISTS unbuilt (
	hash text NOT NULL,
	worker text NOT NULL,
	why text NOT NULL,
	made timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (hash, worker)
);

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

-- The logs that count: each ladder can be made from its own.  A game that was
-- played without a job has none here, nor has a void.
CREATE TABLE IF NOT EXISTS verdict (
	ladder text NOT NULL,
	serial bigint NOT NULL,
	game text NOT NULL UNIQUE,	-- the ID of the entry
	job bigint UNIQUE,
	attempt bigint,
	hash bytea NOT NULL,
	record bytea NOT NULL,		-- or void: the whole entry
	asks bytea,
	made timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (ladder, serial)
);

-- Who played it, as it was then: results and workers may be gone.
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS worker text;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS processor text;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS speed float8;

-- A record of 64 MiB takes a fifth of the time that way, if the server has it.
DO $$
BEGIN
	ALTER TABLE result ALTER body SET COMPRESSION lz4;
	ALTER TABLE verdict ALTER record SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
	NULL;
END
$$;

-- Of version 2, which had games played again.
DROP TABLE IF EXISTS again;
DROP FUNCTION IF EXISTS note_odd(bigint, text, text, bool),
	add_again(bigint, bigint, text, bigint),
	end_again(bigint, bigint, bigint, text, text, text[], bigint[]);
ALTER TABLE job DROP COLUMN IF EXISTS again_of,
	DROP COLUMN IF EXISTS again_worker;
ALTER TABLE worker DROP COLUMN IF EXISTS warning,
	DROP COLUMN IF EXISTS warned;

INSERT INTO house (version) VALUES (5) ON CONFLICT DO NOTHING;
DO $$
BEGIN
	IF (SELECT version FROM house) > 5 THEN
		RAISE EXCEPTION 'the queue was made by a newer referee';
	END IF;
	IF (SELECT version FROM house) < 3 THEN
		DELETE FROM job WHERE game LIKE '%+';	-- those games
	END IF;
	UPDATE house SET version = 5, oldest = 5;
END
$$;
