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
	  .brief = "The folder that the daemon keeps everything in. It is "
		   "created if it does not exist." },
	{ "log-level", KEY_WORD, TOP(log_level), .words = log_levels,
	  .preset = LOG_LEVEL_INFO,
	  .brief = "The least severe level that is logged: debug, info, warn "
		   "or error." },
	{ "sandbox", KEY_WORD, TOP(sandbox), .words = sandbox_wants,
	  .preset = SANDBOX_AUTO,
	  .brief = "The sandbox of bots on this machine: the best available "
		   "(auto); tier A or B,\n"
		   "or the daemon does not start (on); or none (off)." },
	{ "sandbox-minimum", KEY_WORD, TOP(sandbox_minimum),
	  .words = sandbox_tiers, .preset = SANDBOX_NONE,
	  .brief = "The daemon does not start if the sandbox is below this "
		   "tier: A limits the memory\n"
		   "of all processes of a bot together, B of each process, C "
		   "hides only files and\n"
		   "network, D is no sandbox." },
	{ "uploads", KEY_FLAG, TOP(uploads),
	  .brief = "Whether authors may upload the program of a bot over HTTP, "
		   "with its token. It is\n"
		   "built and played on this machine." },
	{ "trusted-proxies", KEY_LIST,
	  .brief = "Proxies in front of the http listeners: \"ADDRESS\" or "
		   "\"ADDRESS/BITS\", ... The\n"
		   "client that they name in X-Forwarded-For or Forwarded is "
		   "the one that counts." },
	{ 0 },
};

const struct config_key config_listener_keys[] = {
	{ "kind", KEY_WORD, LISTENER(kind), .words = kinds,
	  .preset = CONFIG_TCP,
	  .brief = "tcp, tls and unix are for bots, http is for people." },
	{ "address", KEY_TEXT, LISTENER(address), .max = SERVE_ADDRESS_BYTES,
	  .text = SERVE_ADDRESS,
	  .brief = "An IPv4 or IPv6 address in digits (not for a unix "
		   "listener)." },
	{ "port", KEY_NUMBER, LISTENER(port), .max = 65535,
	  .preset = CONFIG_NO_PORT,
	  .brief = "0 means any free port (not for a unix listener)." },
	{ "path", KEY_TEXT, LISTENER(path), .max = SERVE_SOCKET_BYTES,
	  .brief = "The socket of a unix listener." },
	{ "certificate", KEY_TEXT, LISTENER(certificate),
	  .max = CONFIG_PATH_BYTES,
	  .brief = "The certificate chain of a tls listener: a PEM file." },
	{ "key", KEY_TEXT, LISTENER(key), .max = CONFIG_PATH_BYTES,
	  .brief = "Its private key: a PEM file." },
	{ "plain-beyond-loopback", KEY_FLAG, LISTENER(plain_beyond_loopback),
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
	{ "open", KEY_WORD, LADDER(arrival), .words = opens,
	  .brief = "How open decisions are resolved: by priority or arrival." },
	{ "move-time", KEY_NUMBER, LADDER(move_time_ms), .min = 1,
	  .max = TIME_MS_MAX, .preset = MOVE_TIME_MS,
	  .brief = "Milliseconds for each move." },
	{ "bank", KEY_NUMBER, LADDER(bank_ms), .max = TIME_MS_MAX,
	  .brief = "Milliseconds for the whole game, used when a move takes "
		   "longer than move-time." },
	{ "increment", KEY_NUMBER, LADDER(increment_ms), .max = TIME_MS_MAX,
	  .brief = "Milliseconds added to the bank after each move." },
	{ "total", KEY_NUMBER, LADDER(total_ms), .max = TOTAL_MS_MAX,
	  .brief = "Milliseconds that a seat may use in the whole game; 0 "
		   "means an equal part of\n"
		   "game-minutes, less 10 seconds. After that its bot is not "
		   "asked any more." },
	{ "faults", KEY_NUMBER, LADDER(faults), .min = 1, .max = FAULTS_MAX,
	  .preset = FAULTS_DEFAULT,
	  .brief = "A seat is retired at this number of faults." },
	{ "pairing", KEY_WORD, LADDER(pairing), .words = pairings,
	  .preset = CONFIG_RATING,
	  .brief =
		  "Who plays whom: random, rating (bots of similar rating by "
		  "the fit of all games)\n"
		  "or rounds (every bot against every other, in every seat)." },
	{ "at-once", KEY_NUMBER, LADDER(at_once), .min = 1, .max = JOBS_MAX,
	  .preset = SERVE_AT_ONCE,
	  .brief = "Games at the same time. A remote bot plays in at most half "
		   "of them (rounded up)." },
	{ "same-bot-twice", KEY_FLAG, LADDER(same_bot_twice),
	  .brief = "Whether a bot may have several seats at one table. A "
		   "remote bot has one at most." },
	{ "same-owner", KEY_FLAG, LADDER(same_owner),
	  .brief = "Whether bots of one owner may meet at a table of more than "
		   "two, where they\n"
		   "could help each other." },
	{ "ponder", KEY_FLAG, LADDER(ponder), .preset = 1,
	  .brief = "Whether a bot on this machine may use a processor while it "
		   "is not asked." },
	{ "game-minutes", KEY_NUMBER, LADDER(game_minutes), .min = 1,
	  .max = SERVE_GAME_MINUTES_MAX, .preset = SERVE_GAME_MINUTES,
	  .brief = "A game that takes longer is aborted and not rated." },
	{ "keep-days", KEY_NUMBER, LADDER(keep_days), .max = SERVE_DAYS_MAX,
	  .brief = "Days that whole records are kept; 0 means for ever. After "
		   "that the header, the\n"
		   "faults and the result remain, from which the ladder can "
		   "still be rebuilt." },
	{ "ranked-days", KEY_NUMBER, LADDER(ranked_days), .max = SERVE_DAYS_MAX,
	  .preset = SERVE_RANKED_DAYS,
	  .brief = "Days for which a bot keeps its rank after its last game, "
		   "while others play on;\n"
		   "0 means for ever." },
	{ "readers", KEY_WORD, LADDER(readers), .words = readers,
	  .preset = CONFIG_PLAYERS,
	  .brief = "Who may read whole records over HTTP: nobody, players (the "
		   "bots that sat in the\n"
		   "game) or everybody." },
	{ "read-after-minutes", KEY_NUMBER, LADDER(read_after_minutes),
	  .max = SERVE_READ_AFTER_MAX,
	  .brief = "Minutes after the end of a game until they may read its "
		   "record; 0 means at once." },
	{ "k", KEY_MILLI, LADDER(k_milli), .max = LADDER_K_MILLI_MAX,
	  .preset = LADDER_K_MILLI,
	  .brief = "K: how much a game moves ratings." },
	{ "start-rating", KEY_MILLI, LADDER(start_milli),
	  .max = LADDER_START_MILLI_MAX, .preset = LADDER_START_MILLI,
	  .brief = "The rating of a bot before its first game." },
	{ 0 },
};

const struct config_key config_limit_keys[] = {
	{ "connections", KEY_NUMBER, LIMIT(connections), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_CONNECTIONS,
	  .brief = "Connections in total." },
	{ "connections-per-address", KEY_NUMBER, LIMIT(per_address), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_PER_ADDRESS,
	  .brief = "Connections from one address, and new connections a second "
		   "from it." },
	{ "pages-per-address", KEY_NUMBER, LIMIT(pages_per_address), .min = 1,
	  .max = SERVE_PAGES, .preset = SERVE_PAGES_PER_ADDRESS,
	  .brief = "HTTP connections from one address." },
	{ "unauthenticated", KEY_NUMBER, LIMIT(unknown), .min = 1,
	  .max = SERVE_CONNECTIONS_MAX, .preset = SERVE_UNKNOWN,
	  .brief = "Connections that have not authenticated yet." },
	{ "hello-time", KEY_NUMBER, LIMIT(hello_ms), .min = 1,
	  .max = SERVE_MS_MAX, .preset = SERVE_HELLO_MS,
	  .brief = "Milliseconds to authenticate." },
	{ "lines-per-second", KEY_NUMBER, LIMIT(lines_second), .min = 1,
	  .max = SERVE_LINES_SECOND_MAX, .preset = SERVE_LINES_SECOND,
	  .brief = "Lines that a connection may send a second." },
	{ "queue-bytes", KEY_NUMBER, LIMIT(queue_bytes), .min = SERVE_QUEUE_MIN,
	  .max = SERVE_QUEUE_MAX, .preset = OUT_BYTES,
	  .brief = "Bytes sent to a connection and not yet read by it. With "
		   "more, it is closed." },
	{ "return-time", KEY_NUMBER, LIMIT(return_ms), .max = SERVE_MS_MAX,
	  .preset = SERVE_RETURN_MS,
	  .brief = "Milliseconds for a lost connection to come back." },
	{ "keep-alive", KEY_NUMBER, LIMIT(keep_alive_ms),
	  .min = SERVE_KEEP_ALIVE_MIN_MS, .max = SERVE_MS_MAX,
	  .preset = SERVE_KEEP_ALIVE_MS,
	  .brief = "Milliseconds of silence before a ping." },
	{ "stop-time", KEY_NUMBER, LIMIT(stop_ms), .max = SERVE_MS_MAX,
	  .preset = SERVE_STOP_MS,
	  .brief = "Milliseconds that running games have to end after "
		   "SIGTERM." },
	{ "bots-per-owner", KEY_NUMBER, LIMIT(owner_bots), .min = 1,
	  .max = SERVE_OWNER_MAX, .preset = SERVE_OWNER_BOTS,
	  .brief = "Bots that one owner may have; removed bots do not count. "
		   "`referee bots token NAME\n"
		   "--owner WHO` sets the owner." },
	{ "uploads-per-day", KEY_NUMBER, LIMIT(owner_uploads), .min = 1,
	  .max = SERVE_OWNER_MAX, .preset = SERVE_OWNER_UPLOADS,
	  .brief = "Uploads that one owner may send in a day (UTC), with all "
		   "bots together." },
	{ 0 },
};

const struct config_key config_local_bot_keys[] = {
	{ "games", KEY_NUMBER, LOCAL_BOTS(games),
	  .max = SERVE_LOCAL_BOT_GAMES_MAX, .preset = SERVE_LOCAL_BOT_GAMES,
	  .brief = "Games at the same time in which bots of this machine play; "
		   "0 means none." },
	{ "at-once", KEY_NUMBER, LOCAL_BOTS(at_once), .min = 1,
	  .max = SERVE_LOCAL_BOT_GAMES_MAX, .preset = SERVE_LOCAL_BOT_AT_ONCE,
	  .brief = "Games at the same time of one bot, each with a process of "
		   "its own." },
	{ "memory", KEY_NUMBER, LOCAL_BOTS(memory_mib), .min = MEMORY_MIB_MIN,
	  .max = MEMORY_MIB_MAX, .preset = SERVE_LOCAL_BOT_MIB,
	  .brief = "MiB that a bot may ask for. A bot that asks for more does "
		   "not play." },
	{ "processes", KEY_NUMBER, LOCAL_BOTS(processes), .min = 1,
	  .max = SERVE_LOCAL_BOT_PROCESSES_MAX,
	  .preset = SERVE_LOCAL_BOT_PROCESSES,
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
