-- ladder/schema.sql - a ladder's tables: version 1 of the file.
--
-- Compiled into the program, where it is the first of the numbered migrations
-- (store.c).  Once released it does not change: what comes later is a
-- migration of its own.  "milli" are thousandths of a rating point.  The
-- tables game, seat and rating can be had again from the records.

-- The ladder itself: one row.
CREATE TABLE meta (
	only INTEGER PRIMARY KEY CHECK (only = 1), -- there is but one row
	id TEXT NOT NULL,	-- 32 random hex digits; in every record of it
	created TEXT NOT NULL	-- YYYY-MM-DDTHH:MM:SSZ
);

-- What rating depends on beside the games, and since when.
CREATE TABLE setting (
	from_serial INTEGER PRIMARY KEY, -- in force for this game and later
	k_milli INTEGER NOT NULL,	-- K
	start_milli INTEGER NOT NULL	-- rating of a bot's first game
);

-- Where records are looked for.
CREATE TABLE folder (
	folder INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE	-- absolute; since version 2 relative to the
				-- folder of this file, if it lies below
);

-- What is rated apart from what.
CREATE TABLE pool (
	pool INTEGER PRIMARY KEY,
	game TEXT NOT NULL,	-- its name in records
	options TEXT NOT NULL,	-- name=value name=value, in the rules' order
	seats INTEGER NOT NULL,
	arrival INTEGER NOT NULL, -- 1: open decisions go to who comes first
	UNIQUE (game, options, seats, arrival)
);

CREATE TABLE bot (
	bot INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
);

-- How a bot stands in a pool.
CREATE TABLE rating (
	pool INTEGER NOT NULL REFERENCES pool,
	bot INTEGER NOT NULL REFERENCES bot,
	milli INTEGER NOT NULL,	-- after its last game
	games INTEGER NOT NULL,	-- seats it has filled in games
	wins INTEGER NOT NULL,	-- of them at place 1
	places INTEGER NOT NULL, -- the sum of its places
	halves INTEGER NOT NULL, -- 2 for each seat beaten, 1 for each level
	entered INTEGER NOT NULL, -- serial of its first game here
	PRIMARY KEY (pool, bot)
) WITHOUT ROWID;

-- The games that are rated.
CREATE TABLE game (
	serial INTEGER PRIMARY KEY, -- the order in which they count
	id TEXT NOT NULL UNIQUE,    -- so that each counts once
	pool INTEGER NOT NULL REFERENCES pool,
	ended TEXT NOT NULL,	-- date as in the record, or empty
	folder INTEGER REFERENCES folder, -- where its record is; NULL: none
	hash BLOB NOT NULL	-- BLAKE2b-256 of the record without comments
);

-- Who sat where in a game, and what came of it.
CREATE TABLE seat (
	serial INTEGER NOT NULL REFERENCES game,
	seat INTEGER NOT NULL,	-- from 0
	bot INTEGER NOT NULL REFERENCES bot,
	place INTEGER NOT NULL,	-- 1 is best; ties equal; the retired last
	points INTEGER NOT NULL, -- as in the record
	before_milli INTEGER NOT NULL, -- rating before the game
	delta_milli INTEGER NOT NULL,  -- what the game added to it
	PRIMARY KEY (serial, seat)
) WITHOUT ROWID;
CREATE INDEX seat_of_bot ON seat (bot, serial);
