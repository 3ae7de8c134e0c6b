/* referee/config/serve-config.c - reads the daemon's configuration: checks the
 * values of each section alone and together, and sets defaults. */
#include "referee/config/serve-config.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/date.h"
#include "protocol/message.h"
#include "referee/config/config-keys.h"
#include "referee/config/serve-config-inside.h"
#include "referee/table/game-help.h"

#define MINUTES_A_DAY 1440
#define MS_A_MINUTE 60000

static int
read_name(const struct config_section *section, char name[NAME_BYTES + 1])
{
	const char *text = section->name;

	if (!message_name_ok(text, strlen(text)))
		return config_wrong(
			section, section->line,
			"expected a name of 1 to %d letters, digits, '.', "
			"'_', '-' that begins with a letter or digit, not %s",
			NAME_BYTES, quoted(text).text);
	memcpy(name, text, strlen(text) + 1);
	return 0;
}

/* ---- listeners -------------------------------------------------------- */

/* Returns 1 for an address of this machine alone, 0 for any other address, -1
 * if it is not one. */
static int
is_loopback(const char *address)
{
	struct in6_addr in6;
	struct in_addr in;

	if (inet_pton(AF_INET, address, &in) == 1)
		return ntohl(in.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, address, &in6) == 1)
		return IN6_IS_ADDR_LOOPBACK(&in6);
	return -1;
}

/* Checks that each option fits the kind and that none is missing. */
static int
check_kind(const struct config_section *section,
	   const struct config_listener *listener)
{
	const struct config_key *key = section->keys;
	const char *kind = key->words[listener->kind], *missing = NULL;

	for (unsigned k = 0; key[k].name != NULL; k++)
		if (section->option[k].line != 0 &&
		    !config_listener_has(listener, &key[k]))
			return config_wrong(
				section, section->option[k].line,
				"expected no %s in a listener of kind %s",
				key[k].name, kind);
	if (listener->kind == CONFIG_UNIX && listener->path[0] == '\0')
		missing = "a path";
	else if (listener->kind != CONFIG_UNIX &&
		 listener->port == CONFIG_NO_PORT)
		missing = "a port";
	else if (listener->kind == CONFIG_TLS &&
		 (listener->certificate[0] == '\0' || listener->key[0] == '\0'))
		missing = "certificate and key";
	return missing == NULL ? 0
			       : config_wrong(section, section->line,
					      "expected %s in the listener %s",
					      missing, listener->name);
}

static int
check_address(const struct config_section *section,
	      const struct config_listener *listener)
{
	int loopback = is_loopback(listener->address);
	int line = config_line(section, "address");

	if (listener->kind == CONFIG_UNIX)
		return 0;
	if (loopback < 0)
		return config_wrong(section, line,
				    "address: expected an IPv4 or IPv6 address "
				    "in digits, not %s",
				    quoted(listener->address).text);
	if (loopback == 0 && listener->kind != CONFIG_TLS &&
	    !listener->plain_beyond_loopback)
		return config_wrong(
			section, line,
			"address: expected one of this machine alone, like "
			"127.0.0.1 or ::1, for a listener without TLS, or "
			"plain-beyond-loopback = yes");
	return 0;
}

static bool
collide(const struct config_listener *a, const struct config_listener *b)
{
	if (a->kind == CONFIG_UNIX || b->kind == CONFIG_UNIX)
		return a->kind == b->kind && strcmp(a->path, b->path) == 0;
	return a->port != 0 && a->port == b->port &&
	       strcmp(a->address, b->address) == 0;
}

static struct config_listener *
add_listener(struct config *config)
{
	struct config_listener *listener =
		ADDED(config->listener, config->listeners);

	config_presets(config_listener_keys, listener);
	return listener;
}

static int
read_listener(const struct config_section *section, void *to)
{
	struct config *config = to;
	struct config_listener *listener = add_listener(config);
	const struct config_listener *other = config->listener;

	if (read_name(section, listener->name) < 0 ||
	    config_read_keys(section, listener) < 0 ||
	    check_kind(section, listener) < 0 ||
	    check_address(section, listener) < 0)
		return -1;
	for (; other < listener; other++)
		if (collide(other, listener))
			return config_wrong(section, section->line,
					    "expected another place than that "
					    "of the listener %s",
					    other->name);
	if (listener->kind == CONFIG_UNIX)
		listener->address[0] = '\0';
	return 0;
}

/* ---- ladders ---------------------------------------------------------- */

uint64_t
config_total_ms(const struct config_ladder *ladder)
{
	if (ladder->total_ms != 0)
		return ladder->total_ms;
	return (ladder->game_minutes * MS_A_MINUTE - SERVE_GAME_OVERHEAD_MS) /
	       ladder->setup.seats;
}

/* Returns the default number of seats. */
static unsigned
default_seats(const struct game_rules *rules)
{
	if (rules->max_seats < SERVE_SEATS)
		return rules->max_seats;
	return rules->min_seats > SERVE_SEATS ? rules->min_seats : SERVE_SEATS;
}

static int
read_game(const struct config_section *section, struct game_setup *setup)
{
	const struct config_value *game = config_option(section, "game")->first;
	const struct game_rules *rules;
	char why[SENTENCE_BYTES];
	uint64_t seats;

	if (game == NULL)
		return config_wrong(section, section->line,
				    "expected a game in the ladder");
	rules = game_find(game->text);
	if (rules == NULL)
		return config_wrong(section, game->line,
				    "game: expected one that `referee games` "
				    "lists, not %s%s",
				    quoted(game->text).text,
				    suggest_game(game->text).text);
	seats = default_seats(rules);
	if (config_read_number(section, "seats", 1, 99, &seats) < 0)
		return -1;
	game_setup_init(setup, rules, (unsigned)seats);
	if (game_setup_seats(setup, why) < 0)
		return config_wrong(section, config_line(section, "seats"),
				    "%s", why);
	return 0;
}

/* Reads one value; the values before it begin at `first`. */
static int
read_option(const struct config_section *section,
	    const struct config_value *first, const struct config_value *value,
	    struct game_setup *setup)
{
	const char *equals = strchr(value->text, '=');
	char name[64], why[SENTENCE_BYTES];
	size_t n;

	if (equals == NULL || equals == value->text)
		return config_wrong(section, value->line,
				    "options: expected \"NAME=VALUE\", not %s",
				    quoted(value->text).text);
	n = (size_t)(equals - value->text);
	snprintf(name, sizeof(name), "%.*s", (int)n, value->text);
	/* The game's sentence may name the value. */
	if (strlen(equals + 1) > QUOTED_BYTES)
		return config_wrong(section, value->line,
				    "options: expected at most %d bytes for %s",
				    QUOTED_BYTES, quoted(name).text);
	if (game_setup_option(setup, name, equals + 1, why) < 0)
		return config_wrong(section, value->line, "%s", why);
	for (; first != value; first = first->next)
		if (strncmp(first->text, value->text, n + 1) == 0)
			return config_wrong(section, value->line,
					    "option %s is given twice", name);
	return 0;
}

static int
read_options(const struct config_section *section, struct game_setup *setup)
{
	const struct config_value *first =
		config_option(section, "options")->first;
	const struct config_value *value;
	char why[SENTENCE_BYTES];

	for (value = first; value != NULL; value = value->next)
		if (read_option(section, first, value, setup) < 0)
			return -1;
	if (game_setup_check(setup, why) < 0)
		return config_wrong(section, config_line(section, "options"),
				    "%s", why);
	return 0;
}

static int
read_anchors(const struct config_section *section,
	     struct ladder_anchors *anchors)
{
	const struct config_value *value =
		config_option(section, "anchor")->first;
	struct error why;

	for (; value != NULL; value = value->next) {
		if (!message_name_ok(value->text, strcspn(value->text, "=")))
			return config_wrong(section, value->line,
					    "anchor: expected "
					    "\"NAME=RATING\", not %s",
					    quoted(value->text).text);
		if (ladder_anchor_add(anchors, value->text, &why) < 0)
			return config_wrong(section, value->line, "anchor %s",
					    why.text);
	}
	return 0;
}

/* Checks that records live long enough to be read. */
static int
check_reading(const struct config_section *section,
	      const struct config_ladder *ladder)
{
	const uint64_t kept = ladder->keep_days * MINUTES_A_DAY;

	if (kept == 0 || ladder->readers == CONFIG_NOBODY ||
	    ladder->read_after_minutes < kept)
		return 0;
	return config_wrong(
		section, config_line(section, "read-after-minutes"),
		"read-after-minutes: expected less than the %" PRIu64
		" of keep-days = %" PRIu64
		", or readers = nobody: no whole record would ever be read",
		kept, ladder->keep_days);
}

/* Checks that the dates of the term are in order. */
static int
check_term(const struct config_section *section,
	   const struct config_ladder *ladder)
{
	const struct {
		const char *name;
		int64_t at;
	} dates[] = { { "begins", ladder->begins },
		      { "freezes", ladder->freezes },
		      { "ends", ladder->ends } };
	char date[DATE_BYTES];

	for (unsigned i = 1; i < NELEM(dates); i++)
		for (unsigned j = 0; j < i; j++) {
			if (dates[i].at == 0 || dates[j].at < dates[i].at)
				continue;
			date_write(dates[j].at, date);
			return config_wrong(section,
					    config_line(section, dates[i].name),
					    "%s: expected a date after %s = %s",
					    dates[i].name, dates[j].name, date);
		}
	return 0;
}

/* Checks that a game in which all seats use all their time is not too long. */
static int
check_total(const struct config_section *section,
	    const struct config_ladder *ladder)
{
	uint64_t have_ms = ladder->game_minutes * MS_A_MINUTE,
		 sum_ms = ladder->setup.seats * config_total_ms(ladder) +
			  SERVE_GAME_OVERHEAD_MS;

	if (sum_ms <= have_ms)
		return 0;
	return config_wrong(
		section, config_line(section, "total"),
		"total: %u seats x %" PRIu64 " ms + %d ms = %" PRIu64
		" ms do not fit into the %" PRIu64
		" ms of game-minutes = %" PRIu64
		": expected a smaller total or more minutes",
		ladder->setup.seats, config_total_ms(ladder),
		SERVE_GAME_OVERHEAD_MS, sum_ms, have_ms, ladder->game_minutes);
}

static struct config_ladder *
add_ladder(struct config *config)
{
	struct config_ladder *ladder = ADDED(config->ladder, config->ladders);

	config_presets(config_ladder_keys, ladder);
	return ladder;
}

/* Checks the class: without a queue the daemon's own machine plays, which has
 * none. */
static int
check_class(const struct config_section *section,
	    const struct config_ladder *ladder, const struct config *config)
{
	const char *class = config_class(ladder);

	if (*class == '\0')
		return 0;
	if (!message_name_ok(class, strlen(class)))
		return config_wrong(section, config_line(section, "class"),
				    "class: expected a class of up to %d "
				    "letters, digits, `.`, `_` and `-`, not %s",
				    NAME_BYTES, quoted(class).text);
	if (!config_has_queue(config))
		return config_wrong(section, config_line(section, "class"),
				    "class: expected queue = CONNINFO at "
				    "the top: only workers have classes");
	return 0;
}

static int
read_ladder(const struct config_section *section, void *to)
{
	struct config_ladder *ladder = add_ladder(to);

	if (read_name(section, ladder->name) < 0 ||
	    read_game(section, &ladder->setup) < 0 ||
	    read_options(section, &ladder->setup) < 0 ||
	    config_read_keys(section, ladder) < 0 ||
	    read_anchors(section, &ladder->anchors) < 0 ||
	    check_reading(section, ladder) < 0 ||
	    check_term(section, ladder) < 0 ||
	    check_class(section, ladder, to) < 0)
		return -1;
	return check_total(section, ladder);
}

/* ---- defaults --------------------------------------------------------- */

static struct config *
config_new(void)
{
	struct config *config = zeroed(1, sizeof(*config));

	config_presets(config_top_keys, config);
	config_presets(config_limit_keys, &config->limits);
	config_presets(config_local_bot_keys, &config->locals);
	return config;
}

static void
default_listener(struct config *config, const char *name, unsigned kind,
		 uint64_t port)
{
	struct config_listener *listener = add_listener(config);

	snprintf(listener->name, sizeof(listener->name), "%s", name);
	listener->kind = kind;
	listener->port = port;
}

/* Sets the default ladder.  In Durnius every place counts, not only the fool. */
static void
default_ladder(struct config *config, const struct game_rules *rules)
{
	struct config_ladder *ladder = add_ladder(config);
	char why[SENTENCE_BYTES];

	snprintf(ladder->name, sizeof(ladder->name), "%s", rules->name);
	game_setup_init(&ladder->setup, rules, default_seats(rules));
	if ((rules == &game_durnius &&
	     game_setup_option(&ladder->setup, "scoring", "order", why) < 0) ||
	    game_setup_seats(&ladder->setup, why) < 0 ||
	    game_setup_check(&ladder->setup, why) < 0)
		bug("the default ladder of %s: %s", rules->name, why);
}

void
config_free(struct config *config)
{
	if (config == NULL)
		return;
	free(config->listener);
	free(config->ladder);
	free(config);
}

/* ---- the file --------------------------------------------------------- */

static int
read_limits(const struct config_section *section, void *config)
{
	return config_read_keys(section, &((struct config *)config)->limits);
}

static int
read_local_bots(const struct config_section *section, void *config)
{
	return config_read_keys(section, &((struct config *)config)->locals);
}

static const struct config_section_kind kinds[] = {
	{ "listener", config_listener_keys, CONFIG_LISTENERS, true,
	  read_listener },
	{ "ladder", config_ladder_keys, CONFIG_LADDERS, true, read_ladder },
	{ "limits", config_limit_keys, 1, false, read_limits },
	{ "local-bots", config_local_bot_keys, 1, false, read_local_bots },
	{ 0 },
};

static int
read_proxies(const struct config_section *top, struct networks *proxies)
{
	const struct config_value *value =
		config_option(top, "trusted-proxies")->first;
	struct error why;

	for (; value != NULL; value = value->next)
		if (networks_add(proxies, value->text, &why) < 0)
			return config_wrong(top, value->line,
					    "trusted-proxies: %s", why.text);
	return 0;
}

/* Refuses a word without a slash: it is mistyped and would fail in each game. */
static int
check_opinions(const struct config_section *top, const char *opinions)
{
	if (strcmp(opinions, SERVE_OPINIONS_OFF) == 0 ||
	    strcmp(opinions, SERVE_OPINIONS_OWN) == 0 ||
	    strchr(opinions, '/') != NULL)
		return 0;
	return config_wrong(top, config_line(top, "opinions"),
			    "opinions: expected " SERVE_OPINIONS_OFF
			    ", " SERVE_OPINIONS_OWN
			    " or the path of a program with a '/', not '%s'",
			    opinions);
}

bool
config_has_queue(const struct config *config)
{
	return strcmp(config->queue, SERVE_QUEUE_OFF) != 0;
}

const char *
config_class(const struct config_ladder *ladder)
{
	return strcmp(ladder->class, SERVE_CLASS_ANY) == 0 ? "" : ladder->class;
}

/* Checks that the three options of the queue are given together. */
static int
check_queue(const struct config_section *top, const struct config *config)
{
	const bool has = config_has_queue(config);
	const bool has_key = strcmp(config->queue_key, SERVE_QUEUE_OFF) != 0;

	if (has && !has_key)
		return config_wrong(top, config_line(top, "queue"),
				    "queue: expected queue-key = FILE beside "
				    "it; `referee queue key FILE` makes one");
	if (!has && has_key)
		return config_wrong(top, config_line(top, "queue-key"),
				    "queue-key: expected queue = CONNINFO "
				    "beside it");
	if (!has && config->standby)
		return config_wrong(top, config_line(top, "standby"),
				    "standby: expected queue = CONNINFO beside "
				    "it: only what is in a database can be "
				    "taken over");
	return 0;
}

static int
read_file(const char *file, struct config *config, struct error *why)
{
	struct config_section *top =
		config_parse(file, CONFIG_BYTES, config_top_keys, kinds, why);
	const struct config_section *section;
	int result;

	if (top == NULL)
		return -1;
	result = config_read_keys(top, config);
	if (result == 0)
		result = read_proxies(top, &config->proxies);
	if (result == 0)
		result = check_opinions(top, config->opinions);
	if (result == 0)
		result = check_queue(top, config);
	for (section = top->next; result == 0 && section != NULL;
	     section = section->next)
		result = section->kind->read(section, config);
	config_parse_free(top);
	return result;
}

int
config_read(const char *file, struct config **config, struct error *why)
{
	struct config *new = config_new();

	*config = NULL;
	if (file != NULL && read_file(file, new, why) < 0) {
		config_free(new);
		return -1;
	}
	if (new->listeners == 0) {
		default_listener(new, "bots", CONFIG_TCP, SERVE_PORT);
		default_listener(new, "pages", CONFIG_HTTP, SERVE_HTTP_PORT);
	}
	if (new->ladders == 0)
		for (unsigned i = 0; games[i] != NULL; i++)
			default_ladder(new, games[i]);
	*config = new;
	return 0;
}

/* ---- the sandbox ------------------------------------------------------ */

enum sandbox_tier
config_upload_tier(const struct config *config)
{
	return config->uploads == CONFIG_UPLOADS_YES &&
			       config->sandbox_minimum < SANDBOX_BOX
		       ? SANDBOX_BOX
		       : (enum sandbox_tier)config->sandbox_minimum;
}

int
config_tier(const struct config *config, enum sandbox_tier *tier,
	    struct error *why)
{
	const enum sandbox_tier minimum = config_upload_tier(config);

	if (sandbox_choose(config->sandbox, config->sandbox_minimum, tier,
			   why) < 0)
		return -1;
	if (*tier >= minimum)
		return 0;
	return error_set(
		why, ERROR_INPUT,
		"uploads = yes needs a sandbox of tier A or B, but %s; "
		"uploads = without-box takes them all the same",
		config->sandbox == SANDBOX_OFF ? "the sandbox is off"
					       : sandbox_probe()->sentence);
}
