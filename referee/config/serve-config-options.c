/* referee/config/serve-config-options.c - the tables; doc/referee.conf.example
 * is printed from them. */
#include "referee/config/serve-config-inside.h"

#include <stddef.h>

#include "ladder/roster.h"
#include "ladder/store.h"
#include "referee/config/config-keys.h"

static const char *const kinds[] = { "tcp", "tls", "unix", "http", NULL };
static const char *const opens[] = { "priority", "arrival", NULL };
static const char *const pairings[] = { "random", "rating", "rounds", NULL };

static const char *const uploads[] = { "no", "yes", "without-box", NULL };
static const char *const sign_ups[] = { "off", "code", NULL };
static const char *const readers[] = { "nobody", "players", "everybody", NULL };

_Static_assert(SERVE_OWNER_BOTS == ROSTER_OWNER_BOTS,
	       "the same without a daemon");

const struct config_key config_top_keys[] = {
	{ "data", CONFIG_TEXT(struct config, data), .text = SERVE_DATA,
	  .brief = "The folder that the daemon keeps everything in. It is "
		   "created if it does not exist." },
	{ "log-level", CONFIG_WORD(struct config, log_level),
	  .words = log_levels, .preset = LOG_LEVEL_INFO,
	  .brief = "The least severe level that is logged: debug, info, warn "
		   "or error." },
	{ "sandbox", CONFIG_WORD(struct config, sandbox),
	  .words = sandbox_wants, .preset = SANDBOX_AUTO,
	  .brief = "The sandbox of bots on this machine: the best available "
		   "(auto); tier A or B,\n"
		   "or the daemon does not start (on); or none (off)." },
	{ "sandbox-minimum", CONFIG_WORD(struct config, sandbox_minimum),
	  .words = sandbox_tiers, .preset = SANDBOX_NONE,
	  .brief = "The daemon does not start if the sandbox is below this "
		   "tier: A limits the memory\n"
		   "of all processes of a bot together, B of each process, C "
		   "hides only files and\n"
		   "network, D is no sandbox." },
	{ "uploads", CONFIG_WORD(struct config, uploads), .words = uploads,
	  .preset = CONFIG_UPLOADS_NO,
	  .brief = "Whether authors may upload the program of a bot over HTTP, "
		   "with its token. It is\n"
		   "built and played on this machine. With yes the daemon "
		   "starts only in tier A or B of\n"
		   "the sandbox; without-box takes strangers' programs in any "
		   "tier." },
	{ "sign-up", CONFIG_WORD(struct config, sign_up), .words = sign_ups,
	  .preset = CONFIG_SIGN_UP_OFF,
	  .brief = "Whether authors may make an account over HTTP: not at all "
		   "(off), or with the code\n"
		   "that `referee owners code` makes (code)." },
	{ "opinions", CONFIG_TEXT(struct config, opinions),
	  .text = SERVE_OPINIONS_OFF,
	  .brief = "Who says on the page of a game what would have been "
		   "better: off, strong-bot, or the\n"
		   "path of another program like referee's strong-opinions. It "
		   "judges one seat of one game\n"
		   "at a time, and is niced." },
	{ "queue", CONFIG_TEXT(struct config, queue), .text = SERVE_QUEUE_OFF,
	  .brief = "PostgreSQL's connection string of the queue through which "
		   "other machines play the\n"
		   "games of uploaded bots; off means that this machine plays "
		   "them." },
	{ "queue-key", CONFIG_TEXT(struct config, queue_key),
	  .text = SERVE_QUEUE_OFF,
	  .brief = "The file with the key of the queue, as `referee queue key` "
		   "makes it." },
	{ "standby", CONFIG_FLAG(struct config, standby),
	  .brief = "Whether the daemon waits while another one has the queue, "
		   "and takes its place when\n"
		   "that one is gone. Its data folder, which may be empty at "
		   "first, becomes a copy." },
	{ "trusted-proxies", KEY_LIST,
	  .brief = "Proxies in front of the http listeners: \"ADDRESS\" or "
		   "\"ADDRESS/BITS\", ... The\n"
		   "client that they name in X-Forwarded-For or Forwarded is "
		   "the one that counts." },
	{ 0 },
};

const struct config_key config_listener_keys[] = {
	{ "kind", CONFIG_WORD(struct config_listener, kind), .words = kinds,
	  .preset = CONFIG_TCP,
	  .brief = "tcp, tls and unix are for bots, http is for people." },
	{ "address", CONFIG_TEXT(struct config_listener, address),
	  .text = SERVE_ADDRESS,
	  .brief = "An IPv4 or IPv6 address in digits (not for a unix "
		   "listener)." },
	{ "port", CONFIG_NUMBER(struct config_listener, port, 65535),
	  .preset = CONFIG_NO_PORT,
	  .brief = "0 means any free port (not for a unix listener)." },
	{ "path", CONFIG_TEXT(struct config_listener, path),
	  .brief = "The socket of a unix listener." },
	{ "certificate", CONFIG_TEXT(struct config_listener, certificate),
	  .brief = "The certificate chain of a tls listener: a PEM file." },
	{ "key", CONFIG_TEXT(struct config_listener, key),
	  .brief = "Its private key: a PEM file." },
	{ "plain-beyond-loopback",
	  CONFIG_FLAG(struct config_listener, plain_beyond_loopback),
	  .brief = "Whether a tcp or http listener may have an address that "
		   "other machines can\n"
		   "reach. Others on the network can then read tokens and "
		   "cards." },
	{ 0 },
};

const struct config_key config_ladder_keys[] = {
	{ "game", KEY_OTHER,
	  .brief = "`referee games` lists the games, and `referee games GAME` "
		   "the options of one." },
	{ "seats", KEY_OTHER, .brief = "Seats at each table." },
	{ "options", KEY_LIST,
	  .brief = "Options of the game: \"NAME=VALUE\", ..." },
	{ "open", CONFIG_WORD(struct config_ladder, arrival), .words = opens,
	  .brief = "How open decisions are resolved: by priority or arrival." },
	{ "move-time",
	  CONFIG_NUMBER(struct config_ladder, move_time_ms, TIME_MS_MAX),
	  .min = 1, .preset = MOVE_TIME_MS,
	  .brief = "Milliseconds for each move." },
	{ "bank", CONFIG_NUMBER(struct config_ladder, bank_ms, TIME_MS_MAX),
	  .brief = "Milliseconds for the whole game, used when a move takes "
		   "longer than move-time." },
	{ "increment",
	  CONFIG_NUMBER(struct config_ladder, increment_ms, TIME_MS_MAX),
	  .brief = "Milliseconds added to the bank after each move." },
	{ "total", CONFIG_NUMBER(struct config_ladder, total_ms, TOTAL_MS_MAX),
	  .brief = "Milliseconds that a seat may use in the whole game; 0 "
		   "means an equal part of\n"
		   "game-minutes, less 10 seconds. After that its bot is not "
		   "asked any more." },
	{ "faults", CONFIG_NUMBER(struct config_ladder, faults, FAULTS_MAX),
	  .min = 1, .preset = FAULTS_DEFAULT,
	  .brief = "A seat is retired at this number of faults." },
	{ "pairing", CONFIG_WORD(struct config_ladder, pairing),
	  .words = pairings, .preset = CONFIG_RATING,
	  .brief =
		  "Who plays whom: random, rating (bots of similar rating by "
		  "the fit of all games)\n"
		  "or rounds (every bot against every other, in every seat)." },
	{ "at-once", CONFIG_NUMBER(struct config_ladder, at_once, JOBS_MAX),
	  .min = 1, .preset = SERVE_AT_ONCE,
	  .brief = "Games at the same time. A remote bot plays in at most half "
		   "of them (rounded up)." },
	{ "class", CONFIG_TEXT(struct config_ladder, class),
	  .text = SERVE_CLASS_ANY,
	  .brief = "The class of the workers that may play the games, as their "
		   "--class says; any means\n"
		   "all of them. Games with a remote bot are played by the "
		   "daemon, whatever its machine is." },
	{ "same-bot-twice", CONFIG_FLAG(struct config_ladder, same_bot_twice),
	  .brief = "Whether a bot may have several seats at one table. A "
		   "remote bot has one at most." },
	{ "same-owner", CONFIG_FLAG(struct config_ladder, same_owner),
	  .brief = "Whether bots of one owner may meet at a table of more than "
		   "two, where they\n"
		   "could help each other." },
	{ "ponder", CONFIG_FLAG(struct config_ladder, ponder), .preset = 1,
	  .brief = "Whether a bot on this machine may use a processor while it "
		   "is not asked." },
	{ "game-minutes",
	  CONFIG_NUMBER(struct config_ladder, game_minutes,
			SERVE_GAME_MINUTES_MAX),
	  .min = 1, .preset = SERVE_GAME_MINUTES,
	  .brief = "A game that takes longer is aborted and not rated." },
	{ "keep-days",
	  CONFIG_NUMBER(struct config_ladder, keep_days, SERVE_DAYS_MAX),
	  .brief = "Days that whole records are kept; 0 means for ever. After "
		   "that the header, the\n"
		   "faults and the result remain, from which the ladder can "
		   "still be rebuilt." },
	{ "ranked-days",
	  CONFIG_NUMBER(struct config_ladder, ranked_days, SERVE_DAYS_MAX),
	  .preset = SERVE_RANKED_DAYS,
	  .brief = "Days for which a bot keeps its rank after its last game, "
		   "while others play on;\n"
		   "0 means for ever." },
	{ "readers", CONFIG_WORD(struct config_ladder, readers),
	  .words = readers, .preset = CONFIG_PLAYERS,
	  .brief = "Who may read whole records over HTTP: nobody, players (the "
		   "bots that sat in the\n"
		   "game) or everybody." },
	{ "read-after-minutes",
	  CONFIG_NUMBER(struct config_ladder, read_after_minutes,
			SERVE_READ_AFTER_MAX),
	  .brief = "Minutes after the end of a game until they may read its "
		   "record; 0 means at once." },
	{ "spectators-delay",
	  CONFIG_NUMBER(struct config_ladder, spectators_delay,
			SERVE_SPECTATORS_DELAY_MAX),
	  .preset = SERVE_SPECTATORS_DELAY,
	  .brief = "Seconds by which spectators see a running game late if a "
		   "remote bot plays in it." },
	{ "spectators-delay-local",
	  CONFIG_NUMBER(struct config_ladder, spectators_delay_local,
			SERVE_SPECTATORS_DELAY_MAX),
	  .brief = "The same for a game of local bots only, which cannot "
		   "watch." },
	{ "begins", CONFIG_DATE(struct config_ladder, begins),
	  .preset = 1796148000,
	  .brief = "No game begins before this date (UTC); bots may sit." },
	{ "freezes", CONFIG_DATE(struct config_ladder, freezes),
	  .preset = 1803319200,
	  .brief = "From this date on pages show the standings of that moment, "
		   "and no later game, until\n"
		   "this option is gone." },
	{ "ends", CONFIG_DATE(struct config_ladder, ends), .preset = 1803924000,
	  .brief = "No game begins from this date on. Games that run then are "
		   "played to their end and\n"
		   "count." },
	{ "games-a-day",
	  CONFIG_NUMBER(struct config_ladder, games_a_day,
			SERVE_GAMES_A_DAY_MAX),
	  .brief =
		  "Games that may begin in a day (UTC), one in each of so many "
		  "equal parts of the day;\n"
		  "0 means that there is no bound." },
	{ "k", CONFIG_MILLI(struct config_ladder, k_milli, LADDER_K_MILLI_MAX),
	  .preset = LADDER_K_MILLI,
	  .brief = "K: how much a game moves ratings. Without it that of the "
		   "ladder stays." },
	{ "start-rating",
	  CONFIG_MILLI(struct config_ladder, start_milli,
		       LADDER_START_MILLI_MAX),
	  .preset = LADDER_START_MILLI,
	  .brief = "The rating of a bot before its first game. Without it that "
		   "of the ladder stays." },
	{ "anchor", KEY_LIST,
	  .brief = "Bots whose Elo is fixed: \"NAME=RATING\", ... Without one "
		   "that plays, the mean of\n"
		   "all bots is 1500." },
	{ 0 },
};

const struct config_key config_limit_keys[] = {
	{ "connections",
	  CONFIG_NUMBER(struct config_limits, connections,
			SERVE_CONNECTIONS_MAX),
	  .min = 1, .preset = SERVE_CONNECTIONS,
	  .brief = "Connections in total." },
	{ "connections-per-address",
	  CONFIG_NUMBER(struct config_limits, per_address,
			SERVE_CONNECTIONS_MAX),
	  .min = 1, .preset = SERVE_PER_ADDRESS,
	  .brief = "Connections from one address, and new connections a second "
		   "from it." },
	{ "pages-per-address",
	  CONFIG_NUMBER(struct config_limits, pages_per_address, SERVE_PAGES),
	  .min = 1, .preset = SERVE_PAGES_PER_ADDRESS,
	  .brief = "HTTP connections from one address." },
	{ "watchers",
	  CONFIG_NUMBER(struct config_limits, watchers, SERVE_WATCHERS_MAX),
	  .min = 1, .preset = SERVE_WATCHERS,
	  .brief = "HTTP connections that watch games and ladders as they go; "
		   "they are not among\n"
		   "those of pages-per-address." },
	{ "watchers-per-address",
	  CONFIG_NUMBER(struct config_limits, watchers_per_address,
			SERVE_WATCHERS_MAX),
	  .min = 1, .preset = SERVE_WATCHERS_PER_ADDRESS,
	  .brief = "HTTP connections from one address that watch." },
	{ "unauthenticated",
	  CONFIG_NUMBER(struct config_limits, unknown, SERVE_CONNECTIONS_MAX),
	  .min = 1, .preset = SERVE_UNKNOWN,
	  .brief = "Connections that have not authenticated yet." },
	{ "hello-time",
	  CONFIG_NUMBER(struct config_limits, hello_ms, SERVE_MS_MAX), .min = 1,
	  .preset = SERVE_HELLO_MS, .brief = "Milliseconds to authenticate." },
	{ "lines-per-second",
	  CONFIG_NUMBER(struct config_limits, lines_second,
			SERVE_LINES_SECOND_MAX),
	  .min = 1, .preset = SERVE_LINES_SECOND,
	  .brief = "Lines that a connection may send a second." },
	{ "queue-bytes",
	  CONFIG_NUMBER(struct config_limits, queue_bytes, SERVE_QUEUE_MAX),
	  .min = SERVE_QUEUE_MIN, .preset = OUT_BYTES,
	  .brief = "Bytes sent to a connection and not yet read by it. With "
		   "more, it is closed." },
	{ "return-time",
	  CONFIG_NUMBER(struct config_limits, return_ms, SERVE_MS_MAX),
	  .preset = SERVE_RETURN_MS,
	  .brief = "Milliseconds for a lost connection to come back." },
	{ "keep-alive",
	  CONFIG_NUMBER(struct config_limits, keep_alive_ms, SERVE_MS_MAX),
	  .min = SERVE_KEEP_ALIVE_MIN_MS, .preset = SERVE_KEEP_ALIVE_MS,
	  .brief = "Milliseconds of silence before a ping." },
	{ "stop-time",
	  CONFIG_NUMBER(struct config_limits, stop_ms, SERVE_MS_MAX),
	  .preset = SERVE_STOP_MS,
	  .brief = "Milliseconds that running games have to end after "
		   "SIGTERM." },
	{ "bots-per-owner",
	  CONFIG_NUMBER(struct config_limits, owner_bots, SERVE_OWNER_MAX),
	  .min = 1, .preset = SERVE_OWNER_BOTS,
	  .brief = "Bots that one owner may have; removed bots do not count. "
		   "`referee bots token NAME\n"
		   "--owner WHO` sets the owner." },
	{ "uploads-per-day",
	  CONFIG_NUMBER(struct config_limits, owner_uploads, SERVE_OWNER_MAX),
	  .min = 1, .preset = SERVE_OWNER_UPLOADS,
	  .brief = "Uploads that one owner may send in a day (UTC), with all "
		   "bots together." },
	{ "trial-games-per-day",
	  CONFIG_NUMBER(struct config_limits, trial_games, SERVE_OWNER_MAX),
	  .preset = SERVE_TRIAL_GAMES_DAY,
	  .brief = "Games that one owner may play in trials in a day (UTC); 0: "
		   "there are no trials." },
	{ "sign-ups-per-address",
	  CONFIG_NUMBER(struct config_limits, sign_ups, SERVE_OWNER_MAX),
	  .min = 1, .preset = SERVE_SIGN_UPS,
	  .brief = "Accounts that one address may make in a day (UTC), with "
		   "tries for names that are taken." },
	{ 0 },
};

const struct config_key config_local_bot_keys[] = {
	{ "games",
	  CONFIG_NUMBER(struct config_local_bots, games,
			SERVE_LOCAL_BOT_GAMES_MAX),
	  .preset = SERVE_LOCAL_BOT_GAMES,
	  .brief = "Games at the same time in which bots of this machine play; "
		   "0 means none." },
	{ "at-once",
	  CONFIG_NUMBER(struct config_local_bots, at_once,
			SERVE_LOCAL_BOT_GAMES_MAX),
	  .min = 1, .preset = SERVE_LOCAL_BOT_AT_ONCE,
	  .brief = "Games at the same time of one bot, each with a process of "
		   "its own." },
	{ "memory",
	  CONFIG_NUMBER(struct config_local_bots, memory_mib, MEMORY_MIB_MAX),
	  .min = MEMORY_MIB_MIN, .preset = SERVE_LOCAL_BOT_MIB,
	  .brief = "MiB that a bot may ask for. A bot that asks for more does "
		   "not play." },
	{ "processes",
	  CONFIG_NUMBER(struct config_local_bots, processes,
			SERVE_LOCAL_BOT_PROCESSES_MAX),
	  .min = 1, .preset = SERVE_LOCAL_BOT_PROCESSES,
	  .brief = "Processes and threads of a bot in one game." },
	{ 0 },
};

_Static_assert(NELEM(config_ladder_keys) <= CONFIG_KEYS_MAX + 1,
	       "a longer table");

bool
config_listener_has(const struct config_listener *listener,
		    const struct config_key *key)
{
	const unsigned kind = listener->kind;

	switch (key->offset) {
	case offsetof(struct config_listener, address):
	case offsetof(struct config_listener, port):
		return kind != CONFIG_UNIX;
	case offsetof(struct config_listener, path):
		return kind == CONFIG_UNIX;
	case offsetof(struct config_listener, certificate):
	case offsetof(struct config_listener, key):
		return kind == CONFIG_TLS;
	case offsetof(struct config_listener, plain_beyond_loopback):
		return kind == CONFIG_TCP || kind == CONFIG_HTTP;
	default:
		return true;
	}
}
