-- ladder/roster.sql - the tables of a roster.
--
-- Compiled into the program.  A change raises ROSTER_VERSION (roster-inside.h).
-- Times are in seconds since 1970.

-- The roster itself: one row.
CREATE TABLE meta (
	only INTEGER PRIMARY KEY CHECK (only = 1), -- there is but one row
	created INTEGER NOT NULL,
	proof BLOB NOT NULL	-- a fixed text hashed with the key: tells
				-- another key
);

-- Row 0 is nobody, of the name '': what is looked at in place of a bot that
-- there is not, so that both take the same time.
CREATE TABLE bot (
	bot INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE, -- the one it has now
	state INTEGER NOT NULL,	-- enum roster_state
	reason TEXT NOT NULL,	-- why it is in that state, or empty
	since INTEGER NOT NULL,	-- when it came into that state
	made INTEGER NOT NULL,
	token BLOB,		-- BLAKE2b-256 with the key; NULL: it has none
	token_made INTEGER,	-- when it got that token, NULL likewise
	owner TEXT NOT NULL DEFAULT '' -- who answers for it, or empty
);
CREATE INDEX bot_of_owner ON bot (owner) WHERE owner <> '';

-- All names that there ever were, so that none is given twice.
CREATE TABLE name (
	name TEXT PRIMARY KEY,
	bot INTEGER NOT NULL REFERENCES bot,
	since INTEGER NOT NULL,	-- when the bot took it first
	number INTEGER NOT NULL	-- of the bot's names, from 1
) WITHOUT ROWID;
CREATE INDEX name_of_bot ON name (bot, number);

-- The versions of bots that live on the daemon's machine.
CREATE TABLE entry (
	bot INTEGER NOT NULL REFERENCES bot,
	number INTEGER NOT NULL, -- of the bot's entries, from 1
	stands_as TEXT NOT NULL UNIQUE, -- in records and ladders
	version TEXT NOT NULL,	-- as its author says
	hash TEXT NOT NULL,	-- of what was added
	ladders TEXT NOT NULL,	-- names, or '': all that fit
	made INTEGER NOT NULL,
	PRIMARY KEY (bot, number)
) WITHOUT ROWID;

-- How many archives were taken from an owner on a day.
CREATE TABLE upload (
	owner TEXT NOT NULL,
	day INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (owner, day)
) WITHOUT ROWID;
