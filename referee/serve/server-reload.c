/* referee/serve/server-reload.c - another configuration while games go on.
 *
 * First all that can go wrong, which leaves everything as it was; then what
 * cannot. */
#include <stdio.h>
#include <string.h>

#include "referee/serve/server-inside.h"

/* Whether ladders that are open can be as the new configuration has them. */
static int
check_ladders(const struct server *server, const struct config *config,
	      char why[SERVER_WHY_BYTES])
{
	const struct config_ladder *ladder;
	unsigned i;
	int place;

	for (i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		place = server_find_hall(server, ladder->name,
					 strlen(ladder->name));
		if (place < 0 || hall_can_set(server->hall[place], ladder))
			continue;
		snprintf(why, SERVER_WHY_BYTES,
			 "ladder %s: game, seats, options, open, "
			 "same-bot-twice, k and start-rating stay as they are "
			 "while it is open",
			 ladder->name);
		return -1;
	}
	return 0;
}

static bool
has_ladder(const struct config *config, const char *name)
{
	unsigned i;

	for (i = 0; i < config->ladders; i++)
		if (strcmp(config->ladder[i].name, name) == 0)
			return true;
	return false;
}

/* Those that were not there; a bit for each in `opened`. */
static int
open_ladders(struct server *server, const struct config *config,
	     uint64_t *opened, char why[SERVER_WHY_BYTES])
{
	const struct config_ladder *ladder;
	unsigned i;
	size_t n;

	for (i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		n = strlen(ladder->name);
		if (server_find_hall(server, ladder->name, n) >= 0)
			continue;
		if (server_open_hall(server, config, ladder, why) < 0)
			return -1;
		*opened |= UINT64_C(1)
			   << server_find_hall(server, ladder->name, n);
	}
	return 0;
}

static void
drop_ladders(struct server *server, uint64_t opened)
{
	unsigned i;

	for (i = 0; i < SERVER_HALLS; i++)
		if (opened >> i & 1)
			server_close_hall(server, i);
}

/* All that can go wrong: 0, and `next` are the listeners. */
static int
prepare(struct server *server, const struct config *config,
	struct listening next[CONFIG_LISTENERS], char why[SERVER_WHY_BYTES])
{
	struct door_limits limits;
	uint64_t opened = 0;

	if (strcmp(config->data, server->config->data) != 0) {
		snprintf(why, SERVER_WHY_BYTES,
			 "data stays as it is while the referee runs");
		return -1;
	}
	if (check_ladders(server, config, why) < 0)
		return -1;
	server_door_limits(config, &limits);
	door_set_limits(server->door, &limits);
	if (listen_prepare(server, config, next, why) == 0) {
		if (open_ladders(server, config, &opened, why) == 0)
			return 0;
		drop_ladders(server, opened);
		listen_drop(server, config->listeners, next);
	}
	server_door_limits(server->config, &limits);
	door_set_limits(server->door, &limits);
	return -1;
}

static void
set_ladders(struct server *server, const struct config *config)
{
	const struct config_ladder *ladder;
	unsigned i;
	int place;

	for (i = 0; i < SERVER_HALLS; i++)
		if (server->hall[i] != NULL &&
		    !has_ladder(config, hall_name(server->hall[i])))
			server_retire_hall(server, i);
	for (i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		place = server_find_hall(server, ladder->name,
					 strlen(ladder->name));
		server->closing &= ~(UINT64_C(1) << place);
		hall_set(server->hall[place], ladder);
	}
}

static void
commit(struct server *server, struct config *config,
       const struct listening next[])
{
	listen_commit(server, config->listeners, next);
	set_ladders(server, config);
	server_set_residents(server, config);
	server_guest_limits(config, &server->guests.limits,
			    &server->guests.links.limits);
	http_set_put(server->http, config->uploads ? UPLOAD_BYTES : 0);
	http_set_each_address(server->http,
			      (unsigned)config->limits.pages_per_address);
	log_set_level(server->logger, config->log_level);
	config_free(server->config);
	server->config = config;
	server_look_residents(server);
}

static int
take(struct server *server, char why[SERVER_WHY_BYTES])
{
	struct listening next[CONFIG_LISTENERS];
	struct config *config;

	_Static_assert(CONFIG_WHY_BYTES <= SERVER_WHY_BYTES, "room for it");
	if (config_read(server->file, &config, why) < 0)
		return -1;
	if (prepare(server, config, next, why) < 0) {
		config_free(config);
		return -1;
	}
	commit(server, config, next);
	return 0;
}

void
server_reload(struct server *server)
{
	char why[SERVER_WHY_BYTES];
	struct log_line line;
	int result;

	notify_reloading(server->notify);
	result = take(server, why);
	if (result == 0)
		server->reloads++;
	else
		server->reloads_failed++;
	log_begin(&line, server->logger,
		  result == 0 ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR,
		  result == 0 ? "configuration-read" : "configuration-refused");
	if (result < 0)
		log_str(&line, "why", why);
	log_end(&line);
	notify_ready(server->notify);
}
