-- ladder/schema.sql - a ladder's tables.
--
-- Compiled into the program.  A change raises LADDER_VERSION (store.c).
-- "milli" are thousandths of a rating point.  The tables game, seat, rating,
-- heir, conduct, block, course, void and voided can be had again from the log, and
-- setting, season and entry from it and the founding.

-- The ladder itself: one row.
CREATE TABLE meta (
	only INTEGER PRIMARY KEY CHECK (only = 1), -- there is but one row
	id TEXT NOT NULL,	-- 32 random hex digits; in every record of it
	created TEXT NOT NULL,	-- YYYY-MM-DDTHH:MM:SSZ
	last INTEGER NOT NULL	-- serial of the last entry of the log in here
);

-- What the ladder began with (RECORD.md): apart, for `last` is often written.
CREATE TABLE founding (
	only INTEGER PRIMARY KEY CHECK (only = 1),
	text TEXT NOT NULL
);

-- What rating depends on beside the games, and since when.
CREATE TABLE setting (
	from_serial INTEGER PRIMARY KEY, -- of the entry; 0: the founding
	id TEXT NOT NULL,		-- its own
	k_milli INTEGER NOT NULL,	-- K
	start_milli INTEGER NOT NULL	-- rating of a bot's first game
);

-- Where records are looked for.
CREATE TABLE folder (
	folder INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE	-- absolute, or relative to the folder of
				-- this file, if it lies below
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
	heir_of TEXT,		-- the earlier version, as in the record; or NULL
	timeout INTEGER NOT NULL DEFAULT 0,
	illegal INTEGER NOT NULL DEFAULT 0,
	protocol INTEGER NOT NULL DEFAULT 0,
	crash INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (serial, seat)
) WITHOUT ROWID;
CREATE INDEX seat_of_bot ON seat (bot, serial);

-- Bots that have entered with the rating of an earlier version of theirs; or,
-- with of_bot less than 0, whose voided games name that one.
CREATE TABLE heir (
	pool INTEGER NOT NULL,
	bot INTEGER NOT NULL,
	of_bot INTEGER NOT NULL, -- the earlier version
	PRIMARY KEY (pool, bot)
) WITHOUT ROWID;

-- What takes games out of the ratings, and the IDs of those games.
CREATE TABLE void (
	number INTEGER PRIMARY KEY, -- its serial in the log
	id TEXT NOT NULL,	-- its own
	why TEXT NOT NULL
);
CREATE TABLE voided (
	id TEXT PRIMARY KEY,
	number INTEGER NOT NULL
) WITHOUT ROWID;

-- What bots were charged with in a pool, and their last games there.
CREATE TABLE conduct (
	pool INTEGER NOT NULL,
	bot INTEGER NOT NULL,
	last INTEGER NOT NULL,	-- serial
	timeout INTEGER,
	illegal INTEGER,
	protocol INTEGER,
	crash INTEGER,
	PRIMARY KEY (pool, bot)
) WITHOUT ROWID;

-- How long bots are ranked.
CREATE TABLE ranking (
	only INTEGER PRIMARY KEY CHECK (only = 1),
	days INTEGER NOT NULL
);

-- In the copy of a freeze: what the roster said then of bots (ladder_keep_marks()).
-- A number below 0 stands for a version of a bot that has several, and when it played
-- last (store.c).
CREATE TABLE mark (
	bot INTEGER PRIMARY KEY REFERENCES bot,
	mark INTEGER NOT NULL	-- enum ladder_mark
);

-- The ratings that are fixed where the ladder is fitted, as the daemon's
-- configuration has them.
CREATE TABLE anchor (
	bot TEXT PRIMARY KEY,	-- its name, whether it has played or not
	milli INTEGER NOT NULL
) WITHOUT ROWID;

-- The season that it is, and the ratings that bots enter it with.
CREATE TABLE season (
	only INTEGER PRIMARY KEY CHECK (only = 1),
	name TEXT NOT NULL,
	after TEXT NOT NULL	-- the ID of the ladder before it
);
CREATE TABLE entry (
	game TEXT NOT NULL,
	options TEXT NOT NULL,
	seats INTEGER NOT NULL,
	arrival INTEGER NOT NULL,
	bot TEXT NOT NULL,
	milli INTEGER NOT NULL,
	PRIMARY KEY (game, options, seats, arrival, bot)
) WITHOUT ROWID;

-- Which games have one deal.
CREATE TABLE block (
	serial INTEGER PRIMARY KEY,
	id TEXT NOT NULL
);

-- How many moves a game had, and which seats were charged with what (search.c).
CREATE TABLE course (
	serial INTEGER PRIMARY KEY,
	moves INTEGER NOT NULL,	-- -1: not known
	faults INTEGER NOT NULL
);
