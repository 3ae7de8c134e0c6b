-- referee/queue/schema-registry.sql - what the daemon's data folder has beside the
-- games of its ladders: roster, and who follows.

-- One row: the roster and its key, as they are after so many changes.
CREATE TABLE IF NOT EXISTS roster (
	one bool PRIMARY KEY DEFAULT true CHECK (one),
	house text NOT NULL DEFAULT gen_random_uuid()::text,	-- tells it apart
	state bigint NOT NULL DEFAULT 0,	-- 0: there is none yet
	size bigint NOT NULL DEFAULT 0,		-- bytes of its file
	key bytea,			-- sealed
	made timestamptz NOT NULL DEFAULT now()
);
INSERT INTO roster DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Its file, cut into pieces.
CREATE TABLE IF NOT EXISTS roster_page (
	page bigint PRIMARY KEY,
	bytes bytea NOT NULL,
	state bigint NOT NULL		-- in which it came
);

-- Of version 4, which had voids apart from games.
DROP TABLE IF EXISTS ladder_void;
DROP FUNCTION IF EXISTS put_void(bigint, text, bigint, bytea);

-- Daemons that wait, and how far they have come.
CREATE TABLE IF NOT EXISTS follower (
	follower text PRIMARY KEY,	-- what it calls itself
	behind bigint NOT NULL,		-- verdicts that it does not have
	behind_s float8 NOT NULL,	-- the age of the oldest of them
	state bigint NOT NULL,		-- of the roster that it has
	why text,			-- what it cannot do
	seen timestamptz NOT NULL DEFAULT now()
);

-- The roster is so from now on: the pages are those that differ from what it was
-- in the state `since`.  Asking twice is fine.
CREATE OR REPLACE FUNCTION put_roster(epoch bigint, since bigint, state bigint,
	size bigint, key bytea, pages bigint[], bytes bytea[], page_bytes bigint)
RETURNS void
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	before bigint;
BEGIN
	PERFORM check_epoch(epoch);
	SELECT r.state INTO before FROM roster r FOR UPDATE;
	IF before = put_roster.state THEN
		RETURN;
	END IF;
	IF before <> put_roster.since THEN
		RAISE EXCEPTION 'the roster has changed % times, not %', before,
			put_roster.since USING ERRCODE = 'RF005';
	END IF;
	INSERT INTO roster_page AS p (page, bytes, state)
		SELECT n.page, n.bytes, put_roster.state
		FROM unnest(put_roster.pages, put_roster.bytes) n (page, bytes)
		ON CONFLICT (page) DO UPDATE
			SET bytes = excluded.bytes, state = excluded.state;
	DELETE FROM roster_page p
		WHERE p.page * put_roster.page_bytes >= put_roster.size;
	UPDATE roster r SET state = put_roster.state, size = put_roster.size,
		key = put_roster.key, made = now();
	PERFORM pg_notify('referee_house', '');
END
$$;

-- How far this daemon has come with each of its ladders; how far behind that is.
CREATE OR REPLACE FUNCTION tell_following(follower text, ladders text[],
	serials bigint[], state bigint, why text)
RETURNS TABLE (behind bigint, behind_s float8)
LANGUAGE plpgsql SET search_path = referee, pg_temp AS $$
#variable_conflict use_column
DECLARE
	verdicts bigint;
	age float8;
BEGIN
	SELECT coalesce(sum(greatest(0, l.last - l.serial)), 0)::bigint,
		coalesce(max(extract(epoch FROM now() - (SELECT v.made
			FROM verdict v WHERE v.ladder = l.id
				AND v.serial = l.serial + 1))), 0)::float8
		INTO verdicts, age
		FROM (SELECT f.id, n.serial, coalesce((SELECT max(v.serial)
				FROM verdict v WHERE v.ladder = f.id), 0) AS last
			FROM unnest(tell_following.ladders,
				tell_following.serials) n (name, serial)
			JOIN (SELECT name, encode(bytes, 'escape') AS id
				FROM house_file) f
				ON f.name = 'ladder/' || n.name) l;
	INSERT INTO follower AS f (follower, behind, behind_s, state, why)
		VALUES (tell_following.follower, verdicts, greatest(0, age),
			tell_following.state, tell_following.why)
		ON CONFLICT (follower) DO UPDATE SET behind = excluded.behind,
			behind_s = excluded.behind_s, state = excluded.state,
			why = excluded.why, seen = now();
	DELETE FROM follower f WHERE f.seen < now() - interval '1 day';
	RETURN QUERY SELECT verdicts, greatest(0, age);
END
$$;
