/* referee/config/serve-config-options.c - the tables; doc/referee.conf.example
 * is printed from them. */
#include "referee/config/serve-config-inside.h"

#include <stddef.h>

#include "ladder/roster.h"
#include "ladder/store.h"

static const char *const kinds[] = { "tcp", "tls", "unix", "http", NULL };
static const char *const opens[] = { "priority", "arrival", NULL };
static const char *const pairings[] = { "random", "rating", "rounds", NULL };

static const char *const readers[] = { "nobody", "players", "everybody", NULL };

#define TOP(field) .offset = offsetof(struct config, field)
#define LISTENER(field) .offset = offsetof(struct config_listener, field)
#define LADDER(field) .offset = offsetof(struct config_ladder, field)
#define LOCAL_BOTS(field) .offset = offsetof(struct config_local_bots, field)
#define LIMIT(field) .offset = offsetof(struct config_limits, field)

_Static_assert(SERVE_OWNER_BOTS == ROSTER_OWNER_BOTS,
	       "the same without a daemon");

const struct config_key config_top_keys[] = {
	{ "data", KEY_TEXT, TOP(data), .max = CONFIG_PATH_BYTES,
	  .text = SERVE_DATA,
	  .brief = "The folder that the daemon keeps everything in; it is made "
		   "if need be." },
	{ "log-level", KEY_WORD, TOP(log_level), .words = log_levels,
	  .preset = LOG_LEVEL_INFO,
	  .brief = "What is logged: debug, info, warn or error, and what is "
		   "worse." },
	{ "sandbox", KEY_WORD, TOP(sandbox), .words = sandbox_wants,
	  .preset = SANDBOX_AUTO,
	  .brief =
		  "Of bots that run on this machine: the best there is (auto), "
		  "that or no daemon if it\nhides neither files nor network "
		  "(on), none (off)." },
	{ "sandbox-minimum", KEY_WORD, TOP(sandbox_minimum),
	  .words = sandbox_tiers, .preset = SANDBOX_NONE,
	  .brief = "The daemon does not start below this tier: A bounds the "
		   "memory of all of a bot's\nprocesses together, B of each "
		   "alone, D is no sandbox." },
	{ "uploads", KEY_FLAG, TOP(uploads),
	  .brief = "Whether who has a bot's token may send its program in over "
		   "HTTP, to be built and\nplayed on this machine." },
	{ 0 },
};

const struct config_key config_listener_keys[] = {
	{ "kind", KEY_WORD, LISTENER(kind), .words = kinds,
	  .preset = CONFIG_TCP,
	  .brief = "tcp, tls and unix are for bots, http is for people." },
	{ "address", KEY_TEXT, LISTENER(address), .max = SERVE_ADDRESS_BYTES,
	  .text = SERVE_ADDRESS,
	  .brief = "An IPv4 or IPv6 address in digits (not of a unix "
		   "listener)." },
	{ "port", KEY_NUMBER, LISTENER(port), .max = 65535,
	  .preset = CONFIG_NO_PORT,
	  .brief = "0 is any that is free (not of a unix listener)." },
	{ "path", KEY_TEXT, LISTENER(path), .max = SERVE_SOCKET_BYTES,
	  .brief = "Where a unix listener has its socket." },
	{ "certificate", KEY_TEXT, LISTENER(certificate),
	  .max = CONFIG_PATH_BYTES,
	  .brief = "The certificate, and those above it, of a tls listener: a "
		   "PEM file." },
	{ "key", KEY_TEXT, LISTENER(key), .max = CONFIG_PATH_BYTES,
	  .brief = "Its private key: a PEM file." },
	{ "plain-beyond-loopback", KEY_FLAG, LISTENER(plain_beyond_loopback),
	  .brief = "A tcp or http listener may have an address that others can "
		   "reach, where\nanybody on the way can read tokens and "
		   "cards." },
	{ 0 },
};

const struct config_key config_ladder_keys[] = {
	{ "game", KEY_OTHER,
	  .brief = "`referee games` lists them, and `referee games GAME` the "
		   "options of one." },
	{ "seats", KEY_OTHER, .brief = "At each table." },
	{ "options", KEY_LIST, .brief = "Of the game: \"NAME=VALUE\", ..." },
	{ "open", KEY_WORD, LADDER(arrival), .words = opens,
	  .brief = "How open decisions are resolved: by priority or arrival." },
	{ "move-time", KEY_NUMBER, LADDER(move_time_ms), .min = 1,
	  .max = TIME_MS_MAX, .preset = MOVE_TIME_MS,
	  .brief = "Milliseconds for each move." },
	{ "bank", KEY_NUMBER, LADDER(bank_ms), .max = TIME_MS_MAX,
	  .brief = "Milliseconds beyond that for the whole game." },
	{ "increment", KEY_NUMBER, LADDER(increment_ms), .max = TIME_MS_MAX,
	  .brief = "Milliseconds added to the bank after each move." },
	{ "total", KEY_NUMBER, LADDER(total_ms), .max = TOTAL_MS_MAX,
	  .brief = "Milliseconds that a seat may use in the whole game; 0: an "
		   "equal part of\ngame-minutes, less 10 seconds. Then its bot "
		   "is asked no more." },
	{ "faults", KEY_NUMBER, LADDER(faults), .min = 1, .max = FAULTS_MAX,
	  .preset = FAULTS_DEFAULT,
	  .brief = "At this fault a seat is retired." },
	{ "pairing", KEY_WORD, LADDER(pairing), .words = pairings,
	  .preset = CONFIG_RATING,
	  .brief =
		  "Who plays whom: random, rating (those near in it) or rounds "
		  "(everybody\nagainst everybody, in every seat)." },
	{ "at-once", KEY_NUMBER, LADDER(at_once), .min = 1, .max = JOBS_MAX,
	  .preset = SERVE_AT_ONCE,
	  .brief = "Games at a time, at most; one bot from elsewhere plays in "
		   "half of them." },
	{ "same-bot-twice", KEY_FLAG, LADDER(same_bot_twice),
	  .brief =
		  "Whether a bot may have several seats at one table; one that "
		  "plays from\nelsewhere never has." },
	{ "same-owner", KEY_FLAG, LADDER(same_owner),
	  .brief = "Whether bots of one owner may meet at a table of more than "
		   "two, where they\ncould help each other." },
	{ "ponder", KEY_FLAG, LADDER(ponder), .preset = 1,
	  .brief = "Whether a bot that runs on this machine has a processor "
		   "while it is not asked." },
	{ "game-minutes", KEY_NUMBER, LADDER(game_minutes), .min = 1,
	  .max = SERVE_GAME_MINUTES_MAX, .preset = SERVE_GAME_MINUTES,
	  .brief = "A game that takes longer is aborted, and not rated." },
	{ "keep-days", KEY_NUMBER, LADDER(keep_days), .max = SERVE_DAYS_MAX,
	  .brief = "How long whole records are kept; 0: for ever. Then header "
		   "and result stay, from\nwhich the ladder can still be "
		   "rebuilt." },
	{ "ranked-days", KEY_NUMBER, LADDER(ranked_days), .max = SERVE_DAYS_MAX,
	  .preset = SERVE_RANKED_DAYS,
	  .brief = "For how long after its last game a bot has a rank, while "
		   "others play on;\n0: for ever." },
	{ "readers", KEY_WORD, LADDER(readers), .words = readers,
	  .preset = CONFIG_PLAYERS,
	  .brief = "Who may read whole records over HTTP: nobody, players "
		   "(bots that sat in the\ngame) or everybody." },
	{ "read-after-minutes", KEY_NUMBER, LADDER(read_after_minutes),
	  .max = SERVE_READ_AFTER_MAX,
	  .brief = "And so long after the end of their game, not before; 0: at "
		   "once." },
	{ "k", KEY_MILLI, LADDER(k_milli), .max = LADDER_K_MILLI_MAX,
	  .preset = LADDER_K_MILLI,
	  .brief = "K: how much a game moves ratings." },
	{ "start-rating", KEY_MILLI, LADDER(start_milli),
	  .max = LADDER_START_MILLI_MAX, .preset = LADDER_START_MILLI,
	  .brief = "Of a bot's first game." },
	{ 0 },
};

const struct config_key config_limit_keys[] = {
	{ "connections", KEY_NUMBER, LIMIT(connections), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_CONNECTIONS,
	  .brief = "All of them together." },
	{ "connections-per-address", KEY_NUMBER, LIMIT(per_address), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_PER_ADDRESS,
	  .brief = "From one address; and so many a second may come from "
		   "there." },
	{ "pages-per-address", KEY_NUMBER, LIMIT(pages_per_address), .min = 1,
	  .max = SERVE_PAGES, .preset = SERVE_PAGES_PER_ADDRESS,
	  .brief = "Likewise, over HTTP, where a connection is one request." },
	{ "unauthenticated", KEY_NUMBER, LIMIT(unknown), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_UNKNOWN,
	  .brief = "Connections that have not said yet who they are." },
	{ "hello-time", KEY_NUMBER, LIMIT(hello_ms), .min = 1,
	  .max = SERVE_MS_MAX, .preset = SERVE_HELLO_MS,
	  .brief = "Milliseconds to say it." },
	{ "lines-per-second", KEY_NUMBER, LIMIT(lines_second), .min = 1,
	  .max = SERVE_LINES_SECOND_MAX, .preset = SERVE_LINES_SECOND,
	  .brief = "That a connection may send." },
	{ "queue-bytes", KEY_NUMBER, LIMIT(queue_bytes), .min = SERVE_QUEUE_MIN,
	  .max = SERVE_QUEUE_MAX, .preset = OUT_BYTES,
	  .brief = "That a connection has not read yet; more, and it ends." },
	{ "return-time", KEY_NUMBER, LIMIT(return_ms), .max = SERVE_MS_MAX,
	  .preset = SERVE_RETURN_MS,
	  .brief = "Milliseconds for a lost connection to come back." },
	{ "keep-alive", KEY_NUMBER, LIMIT(keep_alive_ms),
	  .min = SERVE_KEEP_ALIVE_MIN_MS, .max = SERVE_MS_MAX,
	  .preset = SERVE_KEEP_ALIVE_MS,
	  .brief = "Milliseconds of silence, then a ping." },
	{ "stop-time", KEY_NUMBER, LIMIT(stop_ms), .max = SERVE_MS_MAX,
	  .preset = SERVE_STOP_MS,
	  .brief = "Milliseconds that games have to end at SIGTERM." },
	{ "bots-per-owner", KEY_NUMBER, LIMIT(owner_bots), .min = 1,
	  .max = SERVE_OWNER_MAX, .preset = SERVE_OWNER_BOTS,
	  .brief = "That were not removed; `referee bots token NAME --owner "
		   "WHO` says whose one is." },
	{ "uploads-per-day", KEY_NUMBER, LIMIT(owner_uploads), .min = 1,
	  .max = SERVE_OWNER_MAX, .preset = SERVE_OWNER_UPLOADS,
	  .brief = "Of one owner, all bots together, by the day in UTC." },
	{ 0 },
};

const struct config_key config_local_bot_keys[] = {
	{ "games", KEY_NUMBER, LOCAL_BOTS(games),
	  .max = SERVE_LOCAL_BOT_GAMES_MAX, .preset = SERVE_LOCAL_BOT_GAMES,
	  .brief = "Games at a time in which bots of this machine play; 0: "
		   "they play none." },
	{ "at-once", KEY_NUMBER, LOCAL_BOTS(at_once), .min = 1,
	  .max = SERVE_LOCAL_BOT_GAMES_MAX, .preset = SERVE_LOCAL_BOT_AT_ONCE,
	  .brief = "Of them, one bot: each is a process of its own." },
	{ "memory", KEY_NUMBER, LOCAL_BOTS(memory_mib), .min = MEMORY_MIB_MIN,
	  .max = MEMORY_MIB_MAX, .preset = SERVE_LOCAL_BOT_MIB,
	  .brief = "MiB that a bot may ask for; one that asks for more does "
		   "not play." },
	{ "processes", KEY_NUMBER, LOCAL_BOTS(processes), .min = 1,
	  .max = SERVE_LOCAL_BOT_PROCESSES_MAX,
	  .preset = SERVE_LOCAL_BOT_PROCESSES,
	  .brief = "And threads, together, of a bot in one game." },
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
