/* referee/base/serve-limits.h - the limits of the daemon that bots need not
 * know.
 *
 * *_MAX and similar names bound what a configuration may set; the others are
 * its defaults.  The limits for every bot stand in protocol/limits.h. */
#ifndef REFEREE_SERVE_LIMITS_H
#define REFEREE_SERVE_LIMITS_H

#include "protocol/limits.h"

/* The configuration itself. */
#define CONFIG_BYTES 1048576   /* bytes of the file */
#define CONFIG_PATH_BYTES 4095 /* bytes of a path in it */
#define CONFIG_LISTENERS 16
#define CONFIG_LADDERS 64

/* The daemon's addresses and data folder by default. */
#define SERVE_ADDRESS "127.0.0.1"
#define SERVE_PORT 7450
#define SERVE_HTTP_PORT 7451
#define SERVE_DATA "referee-data"
#define SERVE_ADDRESS_BYTES 45 /* the longest IPv6 address */
#define SERVE_SOCKET_BYTES 107 /* the kernel's limit for a socket's path */

/* Limits of ladders. */
#define SERVE_SEATS 4 /* or the nearest number of seats that the game allows */
#define SERVE_AT_ONCE 4 /* games at a time; at most JOBS_MAX */
#define SERVE_GAME_MINUTES 60
#define SERVE_GAME_MINUTES_MAX 10080 /* a week */
#define SERVE_GAME_OVERHEAD_MS                                                 \
	10000 /* a part of a game's time, charged to no
				      * seat */
#define SERVE_DAYS_MAX 36500
#define SERVE_RANKED_DAYS 30
#define SERVE_GAMES_A_DAY_MAX 1000000
#define SERVE_READ_AFTER_MAX 525600 /* minutes: a year */

/* Limits of connections.  PROTOCOL.md has these values, which hold unless a
 * configuration sets others. */
#define SERVE_CONNECTIONS 1000
#define SERVE_CONNECTIONS_MAX 100000
#define SERVE_PER_ADDRESS 32
#define SERVE_UNKNOWN 100 /* connections before sign-in */
#define SERVE_HELLO_MS                                                         \
	HELLO_MS /* time for a connection to say who it
					   * is */
#define SERVE_LINES_SECOND                                                     \
	LINES_A_SECOND /* lines that one connection may send */
#define SERVE_LINES_SECOND_MAX 1000000
#define SERVE_QUEUE_MIN 16384	 /* bytes that a connection has not read */
#define SERVE_QUEUE_MAX 67108864 /* the default is OUT_BYTES */
#define SERVE_RETURN_MS GRACE_MS /* time for a lost connection to come back */
#define SERVE_KEEP_ALIVE_MS PING_MS /* silence before a ping */
#define SERVE_KEEP_ALIVE_MIN_MS 100 /* the shortest time between pings */
#define SERVE_STOP_MS 30000	    /* time for games to end at SIGTERM */
#define SERVE_MS_MAX 3600000	    /* the longest of each time above */

/* Limits of bots that live on the daemon's machine. */
#define SERVE_LOCAL_BOT_GAMES 8 /* games at a time, for all of them together */
#define SERVE_LOCAL_BOT_GAMES_MAX 1000
#define SERVE_LOCAL_BOT_AT_ONCE 1 /* games at a time, for one bot */
#define SERVE_LOCAL_BOT_MIB 512	  /* memory that one bot may ask for */
#define SERVE_LOCAL_BOT_PROCESSES 64
#define SERVE_LOCAL_BOT_PROCESSES_MAX 4096

/* Limits of the owners of bots. */
#define SERVE_OWNER_BOTS 16    /* bots of one owner */
#define SERVE_OWNER_UPLOADS 24 /* uploads a day, of all his bots together */
/* The bots and tokens that an owner may make a day, and how often he may withdraw bots
 * or let them play again. */
#define SERVE_OWNER_TOKENS 50
#define SERVE_SIGN_UPS                                                         \
	10 /* sign-ups a day from one address, by the right code */
#define SERVE_OWNER_MAX 100000 /* the highest setting of each */
/* Versions of a bot whose programs are kept: the one that plays, and those that
 * played last before it, to which its author can go back. */
#define SERVE_VERSIONS_KEPT 4

/* Limits of trials of versions that do not count yet. */
#define SERVE_TRIAL_GAMES 200	  /* games of one trial */
#define SERVE_TRIAL_GAMES_DAY 400 /* games a day of one owner */
#define SERVE_TRIALS 16	       /* trials that are kept, each with its files */
#define SERVE_TRIAL_MS 1800000 /* time for all games of a trial */
/* Time after which a trial makes room for one of an owner who has used less today. */
#define SERVE_TRIAL_TURN_MS 300000
/* Time that trials wait for a place that the ladders leave free; then they get the
 * next one. */
#define SERVE_TRIAL_PATIENCE_MS 60000
/* A trial that has been over for so long makes room before those of owners who have
 * more. */
#define SERVE_TRIAL_KEPT_MS 1800000
#define SERVE_TRIAL_BYTES                                                      \
	8388608 /* bytes of a trial's games after which no record is kept, also
		 * while it plays */
#define SERVE_TRIALS_GONE                                                      \
	64 /* trials that made room, and whose authors are told so */
/* At 19 a trial had 1 % of a busy processor, and took longer than it may. */
#define SERVE_TRIAL_NICE 10

/* Limits of bots that are sent in over Limits of HTTP. */
#define UPLOAD_BYTES 4194304 /* bytes of an archive */
#define UPLOADS_WAITING                                                        \
	8 /* owners who wait, each with one archive in
	   * memory */
#define UPLOADS_WAITING_PER_ADDRESS                                            \
	2 /* an address with more makes room for others when all places are
	   * taken */
#define UPLOAD_MS 300000 /* time for an import */
#define UPLOAD_COUNTS_MS                                                       \
	120000 /* an import counts once more each time this has
				 * passed */
/* This much stays free on the disk of the data folder, beside what one import
 * may need: uploads stop first, records last. */
#define UPLOAD_RESERVE_BYTES 536870912
#define UPLOAD_RESERVE_FILES 10000

/* Limits of the notes that games leave for the author of a bot: GET
 * /api/1/bots/NAME/log. */
#define GAME_NOTE_BYTES STDERR_BYTES /* bytes of standard error of one game */
#define GAME_NOTES_A_BOT 50	     /* games whose notes are kept */
#define GAME_NOTES_BYTES 67108864    /* bytes of all bots together */
#define GAME_NOTES_TOLD_BYTES                                                  \
	16777216 /* bytes in one answer; more are not sent */
/* Bytes of the same as JSON, where a byte takes up to 5. */
#define GAME_NOTES_JSON_BYTES 33554432
/* Notes of a bot with more bytes count among the records on their way. */
#define GAME_NOTES_LARGE_BYTES 65536

/* Settings for games that other machines play. */
#define SERVE_QUEUE_OFF "off"
#define SERVE_QUEUE_BYTES 1000 /* bytes of the queue's connection string */
#define SERVE_CLASS_ANY "any"  /* the class that a ladder asks for by default */

/* Limits of the strong bot's opinions on games that are over; one process at a
 * time finds them. */
#define SERVE_OPINIONS_OFF "off"
#define SERVE_OPINIONS_OWN "strong-bot" /* the program of this build */
#define OPINION_MS 600000 /* time for one seat of a game; then it is killed */
#define OPINION_PLAYOUTS_MAX                                                   \
	1000000 /* the most that may be asked for, for a
				       * decision */
#define SERVE_OPINIONS_WAITING                                                 \
	8 /* games that wait queued requests; more are refused */
#define SERVE_OPINIONS_EACH                                                    \
	2			      /* games that wait for one address or
				       * owner */
#define SERVE_OPINIONS_PER_ADDRESS 30 /* opinions an hour that are worked out */
#define SERVE_OPINIONS_KEPT 1000
#define SERVE_OPINIONS_BYTES 16777216 /* bytes of the opinions that are kept */
#define SERVE_OPINION_AGAIN_MS                                                 \
	60000		       /* time before one that failed is tried
				       * again */
#define SERVE_OPINION_WAIT_S 2 /* seconds until a client asks again */

/* Limits of HTTP. */
#define SERVE_PAGES 256		   /* connections */
#define SERVE_PAGES_PER_ADDRESS 32 /* connections from one address */
#define SERVE_PAGE_REQUESTS 1000   /* lines that one connection may send */
#define SERVE_PAGE_MS                                                          \
	30000 /* time for a request to come or its answer
				    * to go */
#define SERVE_PAGE_IDLE_MS                                                     \
	15000			  /* time between an answer and the next
				    * request */
#define SERVE_PAGE_LINGER_MS 1000 /* time to wait for the client to close */
#define SERVE_HEAD_BYTES 16384	  /* bytes of a request's head */
#define SERVE_BODIES 4		  /* uploads that are being read */
#define SERVE_BODIES_PER_ADDRESS 1
#define SERVE_BODIES_PER_OWNER 1 /* bots without an owner share one */
/* A body has SERVE_BODY_MS, and a second more for each SERVE_BODY_RATE bytes
 * that have come. */
#define SERVE_BODY_MS 5000
#define SERVE_BODY_RATE 16384
/* A body or a record on its way makes room if it is slower than SERVE_FAIR_RATE
 * bytes a second after its first SERVE_FAIR_MS. */
#define SERVE_FAIR_MS 2000
#define SERVE_FAIR_RATE 65536
/* A body makes room for one of an owner whose bodies took less time today: by this, and
 * that of its length at twice SERVE_FAIR_RATE. */
#define SERVE_BODY_TURN_MS 10000
/* Seconds after which a client may ask again that was refused with 429 or 503: a body
 * or an import takes about so long. */
#define SERVE_RETRY_S "10"
#define SERVE_KERNEL_BYTES                                                     \
	131072		    /* kernel buffer of a connection in each
				   * direction */
#define SERVE_WATCHERS 1000 /* clients that are sent events */
#define SERVE_WATCHERS_PER_ADDRESS 20
#define SERVE_WATCHERS_MAX 100000
#define SERVE_WATCHER_BYTES 262144 /* bytes that one watcher has not read */
#define SERVE_WATCH_MS 15000	   /* silence before a comment is sent */
#define SERVE_EVENTS_MS 250  /* time between two looks at what is watched */
#define SERVE_LOOK_MS 2000   /* time for a page to see a running game */
#define SERVE_EVENT_GAMES 64 /* games that are watched at a time */
#define SERVE_EVENT_KEPT_MS                                                    \
	60000 /* how long a game's lines are kept after its
				    * end */
#define SERVE_EVENT_IDLE_MS                                                    \
	5000			  /* how long they are kept after the last
				    * watcher left */
#define SERVE_EVENT_TOPICS 8	  /* topics of one watcher */
#define SERVE_SPECTATORS_DELAY 10 /* seconds, where a remote bot plays */
#define SERVE_SPECTATORS_DELAY_MAX 300
#define SERVE_PAGE_CACHE_BYTES 16777216 /* bytes of all pages that are kept */
#define SERVE_HTML_BYTES 16777216	/* bytes a larger page is not sent */
#define SERVE_LIVE_BYTES                                                       \
	4194304			    /* bytes of a live page; a larger one is not
				     * sent */
#define SERVE_METRICS_BYTES 1048576 /* bytes of /metrics; more are not sent */
#define SERVE_GZIP_BYTES 1024	    /* smaller answers are not gzipped */
#define SERVE_GZIP_NOW_BYTES 16384  /* larger ones are gzipped by a thread */
/* Bytes of answers that were not read yet, in all and for one address. */
#define SERVE_UNREAD_BYTES 67108864
#define SERVE_UNREAD_BYTES_PER_ADDRESS 16777216
#define SERVE_RECORD_BYTES 4194304 /* a larger record is not sent */
#define SERVE_FRAMES_BYTES                                                     \
	8388608		/* bytes of a game's frames; more are not
				    * sent */
#define SERVE_RECORDS 8 /* records on their way at a time */
#define SERVE_RECORDS_PER_ADDRESS 4
#define SERVE_GAMES_DEFAULT 20	  /* games of a ladder in one answer */
#define SERVE_GAMES_MAX 100	  /* the most that a client may ask for */
#define SERVE_GAMES_BYTES 1048576 /* bytes of such an answer */
#define SERVE_OWNER_GAMES 2000	/* an owner's games that are sorted at a time */
#define SERVE_TAR_BYTES 8388608 /* bytes of records in one tar file */

#endif
