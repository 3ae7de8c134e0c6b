-- ladder/roster.sql - the tables of a roster: version 1 of the file.
--
-- Compiled into the program, where it is the first of the numbered migrations
-- (roster-open.c).  Once released it does not change: what comes later is a
-- migration of its own.  Times are in seconds since 1970.

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
	token_made INTEGER	-- when it got that token, NULL likewise
);

-- All names that there ever were, so that none is given twice.
CREATE TABLE name (
	name TEXT PRIMARY KEY,
	bot INTEGER NOT NULL REFERENCES bot,
	since INTEGER NOT NULL,	-- when the bot took it first
	number INTEGER NOT NULL	-- of the bot's names, from 1
) WITHOUT ROWID;
CREATE INDEX name_of_bot ON name (bot, number);
