/* referee/base/serve-limits.h - the limits of the daemon that bots need not
 * know.
 *
 * *_MAX and the like bound what a configuration may say; the others are what
 * it says unless it says otherwise.  What every bot is held to stands in
 * protocol/limits.h. */
#ifndef REFEREE_SERVE_LIMITS_H
#define REFEREE_SERVE_LIMITS_H

#include "protocol/limits.h"

/* The configuration itself. */
#define CONFIG_BYTES 1048576   /* of the file */
#define CONFIG_PATH_BYTES 4095 /* of a path in it */
#define CONFIG_LISTENERS 16
#define CONFIG_LADDERS 64

/* Where the daemon listens when nobody says where. */
#define SERVE_ADDRESS "127.0.0.1"
#define SERVE_PORT 7450
#define SERVE_HTTP_PORT 7451
#define SERVE_DATA "referee-data"
#define SERVE_ADDRESS_BYTES 45 /* the longest IPv6 address */
#define SERVE_SOCKET_BYTES 107 /* the kernel's limit for a socket's path */

/* Ladders. */
#define SERVE_SEATS 4	/* or the nearest number that the game takes */
#define SERVE_AT_ONCE 4 /* games; at most JOBS_MAX */
#define SERVE_GAME_MINUTES 60
#define SERVE_GAME_MINUTES_MAX 10080 /* a week */
#define SERVE_GAME_OVERHEAD_MS 10000 /* of them, charged to no seat */
#define SERVE_DAYS_MAX 36500
#define SERVE_RANKED_DAYS 30
#define SERVE_READ_AFTER_MAX 525600 /* minutes: a year */

/* Connections.  What bots are told in PROTOCOL.md holds unless a configuration
 * says otherwise. */
#define SERVE_CONNECTIONS 1000
#define SERVE_CONNECTIONS_MAX 100000
#define SERVE_PER_ADDRESS 32
#define SERVE_UNKNOWN 100		  /* that have not said who they are */
#define SERVE_HELLO_MS HELLO_MS		  /* to say who they are */
#define SERVE_LINES_SECOND LINES_A_SECOND /* of one connection */
#define SERVE_LINES_SECOND_MAX 1000000
#define SERVE_QUEUE_MIN 16384	    /* bytes that a connection has not read */
#define SERVE_QUEUE_MAX 67108864    /* likewise; OUT_BYTES unless said */
#define SERVE_RETURN_MS GRACE_MS    /* for a lost connection to come back */
#define SERVE_KEEP_ALIVE_MS PING_MS /* of silence, then a ping */
#define SERVE_KEEP_ALIVE_MIN_MS 100 /* as often as that at most */
#define SERVE_STOP_MS 30000	    /* for games to end at SIGTERM */
#define SERVE_MS_MAX 3600000	    /* of each time above */

/* Bots that live on the daemon's machine. */
#define SERVE_LOCAL_BOT_GAMES 8 /* that they play at a time, all together */
#define SERVE_LOCAL_BOT_GAMES_MAX 1000
#define SERVE_LOCAL_BOT_AT_ONCE 1 /* of them, one bot */
#define SERVE_LOCAL_BOT_MIB 512	  /* of memory that one may ask for */
#define SERVE_LOCAL_BOT_PROCESSES 64
#define SERVE_LOCAL_BOT_PROCESSES_MAX 4096

/* Owners of bots. */
#define SERVE_OWNER_BOTS 16    /* of one */
#define SERVE_OWNER_UPLOADS 24 /* a day, of all his bots together */
#define SERVE_OWNER_MAX 100000 /* of both */

/* Bots that are sent in over HTTP. */
#define UPLOAD_BYTES 4194304	/* of an archive */
#define UPLOADS_WAITING 8	/* owners, each with one in memory */
#define UPLOAD_MS 300000	/* to be imported */
#define UPLOAD_COUNTS_MS 120000 /* each so long it counts once more */
/* Kept free on the disk of the data folder, beside what one import may need:
 * uploads stop first, records last. */
#define UPLOAD_RESERVE_BYTES 536870912
#define UPLOAD_RESERVE_FILES 10000

/* What games leave for the author of a bot: GET /api/1/bots/NAME/log. */
#define GAME_NOTE_BYTES STDERR_BYTES   /* of standard error, of one game */
#define GAME_NOTES_A_BOT 50	       /* games */
#define GAME_NOTES_BYTES 67108864      /* of all bots together */
#define GAME_NOTES_TOLD_BYTES 16777216 /* in one answer; more is not sent */

/* Games that other machines play. */
#define SERVE_QUEUE_OFF "off"
#define SERVE_QUEUE_BYTES 1000 /* of the queue's connection string */
#define SERVE_CLASS_ANY "any"  /* of the class that a ladder asks for */

/* What the strong bot thinks of games that are over: one process at a time. */
#define SERVE_OPINIONS_OFF "off"
#define SERVE_OPINIONS_OWN "strong-bot" /* this build's */
#define OPINION_MS 600000 /* for one seat of a game; then it is killed */
#define OPINION_PLAYOUTS_MAX 1000000  /* that may be asked for, a decision */
#define SERVE_OPINIONS_WAITING 8      /* for their turn; more are refused */
#define SERVE_OPINIONS_EACH 2	      /* of them, of an address or an owner */
#define SERVE_OPINIONS_PER_ADDRESS 30 /* an hour, that are found out */
#define SERVE_OPINIONS_KEPT 1000
#define SERVE_OPINIONS_BYTES 16777216 /* of those that are kept */
#define SERVE_OPINION_AGAIN_MS 60000  /* after one that failed */
#define SERVE_OPINION_WAIT_S 2	      /* until a client asks again */

/* HTTP. */
#define SERVE_PAGES 256		   /* connections */
#define SERVE_PAGES_PER_ADDRESS 32 /* of them, from one address */
#define SERVE_PAGE_REQUESTS 1000   /* of one connection */
#define SERVE_PAGE_MS 30000	   /* for a request to come, its answer to go */
#define SERVE_PAGE_IDLE_MS 15000   /* between an answer and a request */
#define SERVE_PAGE_LINGER_MS 1000  /* for the end of one to be heard */
#define SERVE_HEAD_BYTES 16384	   /* of a request */
#define SERVE_BODIES 4		   /* uploads that are being read */
#define SERVE_BODIES_PER_ADDRESS 1
#define SERVE_BODIES_PER_OWNER 1 /* bots without an owner share one */
/* A body has so long, and a second more for so many bytes that have come. */
#define SERVE_BODY_MS 5000
#define SERVE_BODY_RATE 16384
/* A body or a record on its way that is slower than so many bytes a second after
 * its first so many milliseconds makes room. */
#define SERVE_FAIR_MS 2000
#define SERVE_FAIR_RATE 65536
#define SERVE_KERNEL_BYTES 131072 /* of a connection, in each direction */
#define SERVE_WATCHERS 1000	  /* who are sent events */
#define SERVE_WATCHERS_PER_ADDRESS 20
#define SERVE_WATCHERS_MAX 100000
#define SERVE_WATCHER_BYTES 262144 /* that one has not read */
#define SERVE_WATCH_MS 15000	   /* of silence, then a comment */
#define SERVE_EVENTS_MS 250	   /* between two looks at what is watched */
#define SERVE_LOOK_MS 2000	   /* for a page to see a running game */
#define SERVE_EVENT_GAMES 64	   /* that are watched at a time */
#define SERVE_EVENT_KEPT_MS 60000  /* lines of one, after its end */
#define SERVE_EVENT_IDLE_MS 5000   /* likewise, after its last watcher */
#define SERVE_EVENT_TOPICS 8	   /* of one watcher */
#define SERVE_SPECTATORS_DELAY 10  /* seconds, where a remote bot plays */
#define SERVE_SPECTATORS_DELAY_MAX 300
#define SERVE_PAGE_CACHE_BYTES 16777216 /* of pages that are kept */
#define SERVE_HTML_BYTES 16777216   /* of a page; a larger one is not sent */
#define SERVE_LIVE_BYTES 4194304    /* of a page of what runs, likewise */
#define SERVE_METRICS_BYTES 1048576 /* of /metrics, likewise */
#define SERVE_GZIP_BYTES 1024	    /* smaller answers are not gzipped */
#define SERVE_GZIP_NOW_BYTES 16384  /* larger ones are, by the worker thread */
/* Of answers that were not read yet, in all and from one address. */
#define SERVE_UNREAD_BYTES 67108864
#define SERVE_UNREAD_BYTES_PER_ADDRESS 16777216
#define SERVE_RECORD_BYTES 4194304 /* a larger record is not sent */
#define SERVE_FRAMES_BYTES 8388608 /* of a game; more are not sent */
#define SERVE_RECORDS 8		   /* that are on their way at a time */
#define SERVE_RECORDS_PER_ADDRESS 4
#define SERVE_GAMES_DEFAULT 20	  /* told of a ladder at a time */
#define SERVE_GAMES_MAX 100	  /* if so many are asked for */
#define SERVE_GAMES_BYTES 1048576 /* of what is told of them */

#endif
