/* tests/world/life.c - see life.h. */
#include "tests/world/life.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"
#include "referee/serve/server-inside.h"
#include "referee/spawner/spawner.h"
#include "tests/seeded/seeded.h"
#include "tests/world/kernel.h"
#include "tests/world/organiser.h"

#define MINUTE_US UINT64_C(60000000)

struct life {
	const struct scenario *scenario;
	struct dice dice;
	enum scenario_end end;
	struct timer end_timer;
	bool told;
};

static struct life life;

static void
on_end(void *arg UNUSED)
{
	switch (life.end) {
	case SCENARIO_KILL:
	case SCENARIO_CUT:
		world_trace("the daemon is killed");
		fflush(NULL);
		_exit(WORLD_KILLED);
	default:
		world_trace("the daemon is told to stop");
		life.told = true;
		kernel_signal(SIGTERM);
	}
}

static void
plan(unsigned number, bool calm)
{
	const bool last = number + 1 == life.scenario->lives;

	life.end = calm || last ? SCENARIO_STOP
				: dice_draw(&life.dice, SCENARIO_ENDS);
	timer_init(&life.end_timer, &world_timers, on_end, NULL);
	timer_after(&life.end_timer,
		    MINUTE_US + dice_draw(&life.dice, 60 * MINUTE_US));
}

/* Opens the daemon.  The beat would be 20 turns a second of nothing. */
static struct server *
open_server(struct logger *logger, struct spawner *spawner)
{
	struct config *config;
	struct server *server;
	struct error why;

	if (config_read(SCENARIO_CONFIG, &config, &why) < 0 ||
	    server_raise_descriptors(config, &why) < 0)
		world_broken("%s", why.text);
	server = server_new(config, SCENARIO_CONFIG, spawner, logger, &why);
	if (server == NULL) {
		world_trace("the daemon does not start: %s", why.text);
		fflush(NULL);
		_exit(WORLD_REFUSED);
	}
	return server;
}

_Noreturn void
life_live(const struct scenario *scenario, unsigned number, bool calm,
	  uint64_t now_us, int64_t calendar_ms, FILE *trace)
{
	struct logger *logger;
	struct spawner *spawner;
	struct server *server;
	struct error why;
	unsigned lost;
	char name[32];

	kernel_begin(scenario->seed * 1000 + number, now_us, calendar_ms,
		     trace);
	snprintf(name, sizeof(name), "%lu",
		 (unsigned long)scenario->seed * 1000 + number);
	setenv("CHECK_SEED", name, 1);
	seeded_begin("world");
	life.scenario = scenario;
	life.dice = dice_of("life", number);
	plan(number, calm);
	logger = log_new(fileno(trace), LOG_LEVEL_INFO);
	spawner = NULL;
	server = open_server(logger, spawner);
	world_trace("life %u begins", number);
	if (!calm)
		organiser_begin(scenario, number);
	if (server_run(server, &lost, &why) < 0)
		world_broken("the daemon ends: %s", why.text);
	if (!life.told)
		world_broken("the daemon ends, but nobody told it to");
	server_free(server);
	spawner_free(spawner);
	log_flush(logger);
	log_free(logger);
	world_trace("life %u ends", number);
	exit(0);
}
