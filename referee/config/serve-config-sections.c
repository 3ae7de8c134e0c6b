/* referee/config/serve-config-sections.c - the values of a configuration: each
 * by itself, then together. */
#include "referee/config/serve-config-inside.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "ladder/milli.h"
#include "protocol/message.h"
#include "referee/command.h"
#include "referee/suggest.h"

#define MINUTES_A_DAY 1440
#define MS_A_MINUTE 60000

/* ---- values ----------------------------------------------------------- */

static int
read_word(const struct config_key *key, const struct config_value *value,
	  unsigned *word)
{
	char words[128] = "";
	size_t used = 0;
	unsigned i;

	for (i = 0; key->words[i] != NULL; i++) {
		if (strcmp(key->words[i], value->text) == 0) {
			*word = i;
			return 0;
		}
	}
	for (i = 0; key->words[i] != NULL && used < sizeof(words); i++)
		used += (size_t)snprintf(words + used, sizeof(words) - used,
					 "%s%s",
					 i == 0			     ? ""
					 : key->words[i + 1] == NULL ? " or "
								     : ", ",
					 key->words[i]);
	return config_wrong(value->line, "%s: expected %s, not %s", key->name,
			    words, quoted(value->text).text);
}

static int
read_flag(const struct config_key *key, const struct config_value *value,
	  bool *flag)
{
	*flag = strcmp(value->text, "yes") == 0;
	if (*flag || strcmp(value->text, "no") == 0)
		return 0;
	return config_wrong(value->line, "%s: expected yes or no, not %s",
			    key->name, quoted(value->text).text);
}

static int
read_number(const char *name, const struct config_value *value, uint64_t min,
	    uint64_t max, uint64_t *number)
{
	if (message_number(value->text, strlen(value->text), max, number) ==
		    0 &&
	    *number >= min)
		return 0;
	return config_wrong(value->line,
			    "%s: expected an integer from %" PRIu64
			    " to %" PRIu64 ", not %s",
			    name, min, max, quoted(value->text).text);
}

static int
read_milli(const struct config_key *key, const struct config_value *value,
	   int64_t *milli)
{
	char max[MILLI_TEXT_BYTES];

	if (milli_read(value->text, (int64_t)key->max, milli) == 0)
		return 0;
	milli_text((int64_t)key->max, max);
	return config_wrong(
		value->line,
		"%s: expected points from 0 to %s with at most three "
		"decimals, not %s",
		key->name, max, quoted(value->text).text);
}

static int
read_text(const struct config_key *key, const struct config_value *value,
	  char *to)
{
	size_t n = strlen(value->text);

	if (n == 0 || n > key->max)
		return config_wrong(value->line,
				    "%s: expected 1 to %" PRIu64
				    " bytes, not %zu",
				    key->name, key->max, n);
	memcpy(to, value->text, n + 1);
	return 0;
}

static int
read_value(const struct config_key *key, const struct config_value *value,
	   void *field)
{
	switch (key->kind) {
	case KEY_NUMBER:
		return read_number(key->name, value, key->min, key->max, field);
	case KEY_FLAG:
		return read_flag(key, value, field);
	case KEY_WORD:
		return read_word(key, value, field);
	case KEY_MILLI:
		return read_milli(key, value, field);
	case KEY_TEXT:
		return read_text(key, value, field);
	case KEY_SETUP:
	case KEY_OPTIONS:
		break;
	}
	return 0;
}

int
config_read_keys(cfg_t *section, const struct config_key *keys, void *to)
{
	const struct config_value *value;
	int result = 0;

	for (; keys->name != NULL && result == 0; keys++) {
		value = config_value_of(section, keys->name, 0);
		if (value != NULL)
			result =
				read_value(keys, value, config_field(to, keys));
	}
	return result;
}

static int
read_name(cfg_t *section, int line, char name[NAME_BYTES + 1])
{
	const char *title = cfg_title(section);

	if (!message_name_ok(title, strlen(title)))
		return config_wrong(
			line,
			"expected a name of 1 to %d letters, digits, '.', "
			"'_', '-' that begins with a letter or digit, not "
			"%s",
			NAME_BYTES, quoted(title).text);
	memcpy(name, title, strlen(title) + 1);
	return 0;
}

/* ---- listeners -------------------------------------------------------- */

/* 1: an address of this machine alone, 0: any other, -1: none. */
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

/* Whether each option goes with the kind, and what is needed is there. */
static int
check_kind(cfg_t *section, int line, const struct config_listener *listener)
{
	const char *kind = config_listener_keys[0].words[listener->kind];
	const struct config_key *key;

	for (key = config_listener_keys; key->name != NULL; key++)
		if (config_value_of(section, key->name, 0) != NULL &&
		    !config_listener_has(listener, key))
			return config_wrong(
				config_line_of(section, key->name, line),
				"expected no %s in a listener of kind %s",
				key->name, kind);
	if (listener->kind == CONFIG_UNIX && listener->path[0] == '\0')
		return config_wrong(line, "expected a path in the listener %s",
				    listener->name);
	if (listener->kind != CONFIG_UNIX && listener->port == CONFIG_NO_PORT)
		return config_wrong(line, "expected a port in the listener %s",
				    listener->name);
	if (listener->kind != CONFIG_TLS)
		return 0;
	if (listener->certificate[0] == '\0' || listener->key[0] == '\0')
		return config_wrong(
			line, "expected certificate and key in the listener %s",
			listener->name);
	return 0;
}

static int
check_address(cfg_t *section, int line, const struct config_listener *listener)
{
	int loopback = is_loopback(listener->address);

	line = config_line_of(section, "address", line);
	if (listener->kind == CONFIG_UNIX)
		return 0;
	if (loopback < 0)
		return config_wrong(
			line,
			"address: expected an IPv4 or IPv6 address in "
			"digits, not %s",
			quoted(listener->address).text);
	if (loopback == 0 && listener->kind != CONFIG_TLS &&
	    !listener->plain_beyond_loopback)
		return config_wrong(
			line,
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

int
config_read_listener(cfg_t *section, unsigned i)
{
	struct config_listener *listener = &config_reading->config->listener[i];
	int line = config_line_of_section("listener", i);
	unsigned j;

	config_presets(config_listener_keys, listener);
	if (read_name(section, line, listener->name) < 0 ||
	    config_read_keys(section, config_listener_keys, listener) < 0 ||
	    check_kind(section, line, listener) < 0 ||
	    check_address(section, line, listener) < 0)
		return -1;
	for (j = 0; j < i; j++)
		if (collide(&config_reading->config->listener[j], listener))
			return config_wrong(
				line,
				"expected another place than that of the "
				"listener %s",
				config_reading->config->listener[j].name);
	if (listener->kind == CONFIG_UNIX)
		listener->address[0] = '\0';
	return 0;
}

/* ---- ladders ---------------------------------------------------------- */

static int
read_game(cfg_t *section, int line, struct config_ladder *ladder)
{
	const struct config_value *game = config_value_of(section, "game", 0);
	const struct config_value *seats = config_value_of(section, "seats", 0);
	const struct game_rules *rules;
	char why[SENTENCE_BYTES];
	uint64_t count;

	if (game == NULL)
		return config_wrong(line, "expected a game in the ladder");
	rules = game_find(game->text);
	if (rules == NULL)
		return config_wrong(
			game->line,
			"game: expected one that `referee games` lists, "
			"not %s%s",
			quoted(game->text).text, suggest_game(game->text).text);
	count = config_default_seats(rules);
	if (seats != NULL && read_number("seats", seats, 1, 99, &count) < 0)
		return -1;
	config_ladder_init(ladder, rules, (unsigned)count);
	if (game_setup_seats(&ladder->setup, why) < 0)
		return config_wrong(config_line_of(section, "seats", line),
				    "%s", why);
	return 0;
}

static int
read_option(cfg_t *section, unsigned i, struct game_setup *setup)
{
	const struct config_value *value =
		config_value_of(section, "options", i);
	const char *equals = strchr(value->text, '=');
	char name[64], why[SENTENCE_BYTES];
	size_t n;
	unsigned j;

	if (equals == NULL || equals == value->text)
		return config_wrong(value->line,
				    "options: expected \"NAME=VALUE\", not %s",
				    quoted(value->text).text);
	n = (size_t)(equals - value->text);
	snprintf(name, sizeof(name), "%.*s", (int)n, value->text);
	/* The game's sentence may name the value. */
	if (strlen(equals + 1) > QUOTED_BYTES)
		return config_wrong(value->line,
				    "options: expected at most %d bytes "
				    "for %s",
				    QUOTED_BYTES, quoted(name).text);
	if (game_setup_option(setup, name, equals + 1, why) < 0)
		return config_wrong(value->line, "%s", why);
	for (j = 0; j < i; j++)
		if (strncmp(config_value_of(section, "options", j)->text,
			    value->text, n + 1) == 0)
			return config_wrong(value->line,
					    "option %s is given twice", name);
	return 0;
}

static int
read_setup(cfg_t *section, int line, struct config_ladder *ladder)
{
	char why[SENTENCE_BYTES];
	unsigned i;

	if (read_game(section, line, ladder) < 0)
		return -1;
	for (i = 0; config_value_of(section, "options", i) != NULL; i++)
		if (read_option(section, i, &ladder->setup) < 0)
			return -1;
	if (game_setup_check(&ladder->setup, why) < 0)
		return config_wrong(config_line_of(section, "options", line),
				    "%s", why);
	return 0;
}

/* What is pruned before anybody may read it is never read. */
static int
check_reading(cfg_t *section, int line, const struct config_ladder *ladder)
{
	if (ladder->keep_days == 0 || ladder->readers == CONFIG_NOBODY ||
	    ladder->read_after_minutes < ladder->keep_days * MINUTES_A_DAY)
		return 0;
	return config_wrong(
		config_line_of(section, "read-after-minutes", line),
		"read-after-minutes: expected less than the %" PRIu64
		" of keep-days = %" PRIu64
		", or readers = nobody: no whole record would ever be read",
		ladder->keep_days * MINUTES_A_DAY, ladder->keep_days);
}

/* A game in which all seats use all their time is not too long. */
static int
check_total(cfg_t *section, int line, const struct config_ladder *ladder)
{
	uint64_t have_ms = ladder->game_minutes * MS_A_MINUTE,
		 sum_ms = ladder->setup.seats * config_total_ms(ladder) +
			  SERVE_GAME_OVERHEAD_MS;

	if (sum_ms <= have_ms)
		return 0;
	return config_wrong(
		config_line_of(section, "total", line),
		"total: %u seats x %" PRIu64 " ms + %d ms = %" PRIu64
		" ms do not fit into the %" PRIu64
		" ms of game-minutes = %" PRIu64
		": expected a smaller total or more minutes",
		ladder->setup.seats, config_total_ms(ladder),
		SERVE_GAME_OVERHEAD_MS, sum_ms, have_ms, ladder->game_minutes);
}

int
config_read_ladder(cfg_t *section, unsigned i)
{
	struct config_ladder *ladder = &config_reading->config->ladder[i];
	int line = config_line_of_section("ladder", i);

	if (read_setup(section, line, ladder) < 0 ||
	    read_name(section, line, ladder->name) < 0)
		return -1;
	if (config_read_keys(section, config_ladder_keys, ladder) < 0)
		return -1;
	if (check_reading(section, line, ladder) < 0)
		return -1;
	return check_total(section, line, ladder);
}
