/* protocol/limits.h - every limit of the conversation and of what we keep.
 *
 * PROTOCOL.md prints the same table; a test compares the two.  A bot that
 * passes a limit commits the fault `protocol` unless the line says otherwise.
 */
#ifndef PROTOCOL_LIMITS_H
#define PROTOCOL_LIMITS_H

#define PROTOCOL_VERSION 1
/* The version as text, for the lines and sentences that have it. */
#define PROTOCOL_NUMBER PROTOCOL_TEXT_OF(PROTOCOL_VERSION)
#define PROTOCOL_TEXT_OF(number) PROTOCOL_TEXT(number)
#define PROTOCOL_TEXT(number) #number

/* Lines, in bytes before the LF. */
#define LINE_REFEREE_BYTES 8191 /* a line from the referee, or of a record */
#define LINE_BOT_BYTES 1023	/* a line from a bot */

/* Seats and names. */
#define SEATS_MAX 8   /* seats at one table; a seat is one digit */
#define NAME_BYTES 32 /* [A-Za-z0-9][A-Za-z0-9._-]* */
#define ID_BYTES 32   /* the hex digits of a game's ID */

/* These limits hold for the remarks and useless lines of a bot. */
#define SAY_BYTES 200	 /* of one remark */
#define SAY_COUNT 100	 /* remarks a game; more are useless lines */
#define SLIP_TYPES 8	 /* TYPEs of slips of a seat that a record keeps */
#define CHATTER_MAX 1000 /* useless lines a game, then `protocol` */
#define SAID_BYTES 200	 /* of a wrong line, kept in the record */
#define ENTROPY_BYTES 32 /* of one seat's entropy */

/* Times, in milliseconds. */
#define ENTROPY_MS 1000 /* to answer `entropy?` */
#define START_MS 5000	/* on top of a process's first ask */
#define START_PART 10	/* TCP: as much time fills this part of it again */
#define WRITE_MS 200	/* until the clock of a bot that does not read runs */
#define TELL_MS 10	/* that news may wait while a seat is not asked */
#define RECEIPT_MS 2000 /* for `over` of a game of a queue; then `bye` alone */
#define BYE_MS 500	/* to leave after `bye`, then it is killed */
#define BYE_STARVED_MS 5000    /* more while it has no processor */
#define MOVE_TIME_MS 10000     /* default of --move-time */
#define TIME_MS_MAX 86400000   /* of --move-time, --bank, --increment */
#define TOTAL_MS_MAX 604800000 /* of --total: a week */

/* These limits hold for the bytes that the referee keeps for one bot. */
#define OUT_BYTES 262144   /* written but not read by it; more: the line ends */
#define SKIP_BYTES 1048576 /* of one line without end; more: the line ends */
#define STDERR_BYTES 65536 /* of its standard error, the last of it */

/* These limits hold for a program in a sandbox. */
#define BOX_MEMORY_MIB 512  /* all together; how: doc/SECURITY.md */
#define BOX_PROCESSES 64    /* and threads */
#define BOX_TMP_MIB 16	    /* in /tmp, all together */
#define BOX_NAMES 16384	    /* there, files and folders */
#define BOX_FILE_MIB 16	    /* in one file */
#define BOX_DESCRIPTORS 256 /* of one process */

/* Connections, over TCP. */
#define BOT_TOKEN_BYTES 128 /* a bot's token */
#define GAMES_AT_ONCE 16    /* of `games=`: with multi=yes, at a time */
#define HELLO_MS 10000	    /* to say who one is */
#define PING_MS 30000	    /* without a line, then comes a `ping` */
#define PONG_MS 15000 /* without a line after it: the connection is dead */
#define LINES_A_SECOND 5000 /* what comes faster is read later */
#define LINES_AT_ONCE 10000 /* but so many may come together */
#define USELESS_MS 1000	    /* after which one useless line is forgiven */
#define GRACE_MS 60000	    /* to come back after a connection was lost */
#define RETURNS_AT_ONCE 20  /* that a bot may come back, */
#define RETURN_MS 1000	    /* and once more after each of these */
#define RESUME_BYTES 262144 /* of one game, kept for coming back to it */
#define WRONG_MS 1000	    /* to wait for the answer to a wrong token; twice */
#define WRONG_MS_MAX 60000  /* as long each time, up to this */

/* Faults. */
#define FAULTS_DEFAULT 3 /* at this one the seat is retired */
#define FAULTS_MAX 1000

/* Decisions. */
#define LEGAL_MAX 1024 /* entries of one legal list */

/* Records. */
#define RECORD_BYTES 67108864 /* a whole record's text */
#define RECORD_OPTIONS 64     /* `option` lines of a record */
#define ASKS_BYTES 1048576    /* of the asks beside it */

/* Bot folders: what bot.conf may say. */
#define MANIFEST_BYTES 65536 /* of the file */
#define VERSION_BYTES 32     /* of `version` */
#define AUTHOR_BYTES 100     /* of `author` */
#define WORDS_MAX 64	     /* words of `run`, of `build`, of `needs` */
#define MEMORY_MIB 256	     /* `memory`, if it does not say */
#define MEMORY_MIB_MIN 16    /* the least it can say */
#define MEMORY_MIB_MAX 65536 /* the most */

/* Matches. */
#define GAMES_MAX 1000000  /* --games */
#define JOBS_MAX 1000	   /* --jobs */
#define BOTS_MAX 256	   /* --bot, counted */
#define COMMAND_BYTES 4096 /* a bot's command line */
#define SEED_BYTES 256	   /* --seed */

#endif
