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
	token_used INTEGER,	-- the day when it was last shown, or NULL
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
	turn INTEGER NOT NULL,	-- the bot's highest one plays; more than
				-- the number: its author went back to it
	PRIMARY KEY (bot, number),
	UNIQUE (bot, turn)
) WITHOUT ROWID;

-- People who answer for bots, and are known by more than the name in bot.owner:
-- they have an account, or are banned.  Row 0 is nobody, as in the table of bots.
CREATE TABLE owner (
	owner INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	state INTEGER NOT NULL,	-- enum roster_state; never deleted
	reason TEXT NOT NULL,	-- why it is in that state, or empty
	since INTEGER NOT NULL,	-- when it came into that state
	made INTEGER NOT NULL,
	token BLOB,		-- as a bot's; NULL: no account
	token_made INTEGER,
	token_used INTEGER	-- the day when it was last shown
);

-- The code with which strangers make an account: one row at most.
CREATE TABLE code (
	only INTEGER PRIMARY KEY CHECK (only = 1),
	hash BLOB NOT NULL,	-- as a token's
	until INTEGER NOT NULL,	-- when it ends
	accounts INTEGER NOT NULL -- that may still be made with it
);

-- What was done how often on a day, and by whom: uploads and the like.
CREATE TABLE tally (
	kind INTEGER NOT NULL,	-- enum roster_kind
	who TEXT NOT NULL,	-- an owner, or a network address
	day INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (kind, who, day)
) WITHOUT ROWID;

-- Who did what: a row for each change of the roster, and for other acts of the
-- organiser.  The oldest rows go (ROSTER_DEEDS).
CREATE TABLE deed (
	number INTEGER PRIMARY KEY,
	at INTEGER NOT NULL,
	who TEXT NOT NULL,	-- organiser, owner NAME or bot NAME
	what TEXT NOT NULL,	-- a word, as in roster-owner.h
	name TEXT NOT NULL,	-- of the bot, owner or ladder that it was done to
	note TEXT NOT NULL
);
