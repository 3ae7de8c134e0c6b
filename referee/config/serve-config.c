/* referee/config/serve-config.c - read a configuration: the defaults, and the
 * file over them. */
#include "referee/config/serve-config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/config/serve-config-inside.h"

/* ---- defaults --------------------------------------------------------- */

static void
default_listeners(struct config *config)
{
	struct config_listener *listener = memory(NULL, 2 * sizeof(*listener));

	memset(listener, 0, 2 * sizeof(*listener));
	config_presets(config_listener_keys, &listener[0]);
	snprintf(listener[0].name, sizeof(listener[0].name), "bots");
	listener[0].port = SERVE_PORT;
	config_presets(config_listener_keys, &listener[1]);
	snprintf(listener[1].name, sizeof(listener[1].name), "pages");
	listener[1].kind = CONFIG_HTTP;
	listener[1].port = SERVE_HTTP_PORT;
	config->listener = listener;
	config->listeners = 2;
}

/* In Durnius, so that every place counts and not the fool alone. */
static void
default_ladders(struct config *config)
{
	struct config_ladder *ladder;
	char why[SENTENCE_BYTES];
	unsigned n = 0;

	while (games[n] != NULL)
		n++;
	config->ladder = memory(NULL, n * sizeof(*ladder));
	config->ladders = n;
	for (n = 0; n < config->ladders; n++) {
		ladder = &config->ladder[n];
		config_ladder_init(ladder, games[n],
				   config_default_seats(games[n]));
		snprintf(ladder->name, sizeof(ladder->name), "%s",
			 games[n]->name);
		if ((games[n] == &game_durnius &&
		     game_setup_option(&ladder->setup, "scoring", "order",
				       why) < 0) ||
		    game_setup_seats(&ladder->setup, why) < 0 ||
		    game_setup_check(&ladder->setup, why) < 0)
			bug("the default ladder of %s: %s", games[n]->name,
			    why);
	}
}

static struct config *
config_new(void)
{
	struct config *config = memory(NULL, sizeof(*config));

	memset(config, 0, sizeof(*config));
	config_presets(config_top_keys, config);
	config_presets(config_limit_keys, &config->limits);
	config_presets(config_local_bot_keys, &config->locals);
	return config;
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

/* Room for all sections of a name, or the sentence that there are too many. */
static int
make_room(cfg_t *cfg, const char *name, unsigned max, size_t bytes, void **room,
	  unsigned *count)
{
	*count = cfg_size(cfg, name);
	if (*count > max)
		return config_wrong(config_line_of_section(name, max),
				    "expected at most %u sections %s", max,
				    name);
	if (*count == 0)
		return 0;
	*room = memory(NULL, *count * bytes);
	memset(*room, 0, *count * bytes);
	return 0;
}

static int
read_sections(cfg_t *cfg)
{
	struct config *config = config_reading->config;
	unsigned i;

	if (make_room(cfg, "listener", CONFIG_LISTENERS,
		      sizeof(*config->listener), (void **)&config->listener,
		      &config->listeners) < 0 ||
	    make_room(cfg, "ladder", CONFIG_LADDERS, sizeof(*config->ladder),
		      (void **)&config->ladder, &config->ladders) < 0)
		return -1;
	for (i = 0; i < config->listeners; i++)
		if (config_read_listener(cfg_getnsec(cfg, "listener", i), i) <
		    0)
			return -1;
	for (i = 0; i < config->ladders; i++)
		if (config_read_ladder(cfg_getnsec(cfg, "ladder", i), i) < 0)
			return -1;
	return 0;
}

/* A section that stands once, or not at all. */
static int
read_once(cfg_t *cfg, const char *name, const struct config_key *keys, void *to)
{
	if (cfg_size(cfg, name) > 1)
		return config_wrong(config_line_of_section(name, 1),
				    "expected %s once, they begin in line %d "
				    "already",
				    name, config_line_of_section(name, 0));
	if (cfg_size(cfg, name) == 0)
		return 0;
	return config_read_keys(cfg_getnsec(cfg, name, 0), keys, to);
}

static int
read_all(cfg_t *cfg)
{
	struct config *config = config_reading->config;

	if (config_read_keys(cfg, config_top_keys, config) < 0 ||
	    read_sections(cfg) < 0 ||
	    read_once(cfg, "limits", config_limit_keys, &config->limits) < 0)
		return -1;
	return read_once(cfg, "residents", config_local_bot_keys,
			 &config->locals);
}

static int
read_text_of(char *text, size_t n)
{
	char why[256];
	cfg_t *cfg;
	int line;

	if (config_text_check(text, n, &config_reading->marks, &line, why,
			      sizeof(why)) < 0)
		return config_wrong(line, "%s", why);
	cfg = config_parse(text);
	if (!config_reading->failed && read_all(cfg) < 0)
		config_reading->failed = true;
	cfg_free(cfg);
	return config_reading->failed ? -1 : 0;
}

char *
config_load(const char *file, size_t max, size_t *n, struct error *why)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = memory(NULL, max + 2);
	ssize_t got = fd == -1 ? -1 : 1;

	*n = 0;
	while (got > 0 && *n <= max) {
		got = read(fd, text + *n, max + 1 - *n);
		*n += got > 0 ? (size_t)got : 0;
	}
	if (got < 0)
		error_set(why, ERROR_MACHINE, "%s: expected a file to read: %s",
			  file, strerror(errno));
	else if (*n > max)
		error_set(why, ERROR_INPUT, "%s: expected at most %zu bytes",
			  file, max);
	if (fd != -1)
		close(fd);
	if (got < 0 || *n > max) {
		free(text);
		return NULL;
	}
	text[(*n)++] = ' ';
	text[*n] = '\0';
	return text;
}

/* What stands in the file over what stands in a new configuration. */
static int
read_file(const char *file, struct config *config, struct error *why)
{
	struct config_reading now = { .file = file,
				      .why = why,
				      .config = config };
	size_t n;
	char *text = config_load(file, CONFIG_BYTES, &n, why);
	int result;

	if (text == NULL)
		return -1;
	config_reading = &now;
	result = read_text_of(text, n);
	config_reading = NULL;
	free(now.marks.mark);
	free(now.given);
	free(text);
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
	if (new->listeners == 0)
		default_listeners(new);
	if (new->ladders == 0)
		default_ladders(new);
	*config = new;
	return 0;
}
