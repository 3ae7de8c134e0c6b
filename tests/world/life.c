/* tests/world/life.c - see life.h. */
#include "tests/world/life.h"

#include <dirent.h>
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
#include "tests/world/crowd.h"
#include "tests/world/kernel.h"
#include "tests/world/organiser.h"
#include "tests/world/promises.h"
#include "tests/world/spawner-luck.h"
#include "tests/world/stall.h"
#include "tests/world/subprocess-luck.h"
#include "tests/world/world-disk.h"

/* A life takes as long as the first at least, and by the second longer at most. */
#define LIFE_US UINT64_C(10000000)
#define DAY_US UINT64_C(86400000000)
#define LONGER_US UINT64_C(150000000)
/* From SIGTERM to the end: stop-time, and syncs of a slow disk. */
#define STOP_US UINT64_C(600000000)
#define LIFE_CHANGES 2000 /* of the disk, about */

struct life {
	const struct scenario *scenario;
	struct dice dice;
	enum scenario_end end;
	struct timer end_timer, late_timer;
	bool told;
	uint64_t told_us; /* when the daemon was told to stop */
	uint64_t begin_us;
};

static struct life life;

static void
on_late(void *arg UNUSED)
{
	world_broken("the daemon was told to stop, and does not end");
}

static void
on_end(void *arg UNUSED)
{
	switch (life.end) {
	case SCENARIO_CUT:
		world_disk_cut(
			(enum disk_loss)dice_draw(&life.dice, DISK_LOSSES));
	case SCENARIO_KILL:
		world_trace("the daemon is killed");
		fflush(NULL);
		_exit(WORLD_KILLED);
	default:
		world_trace("the daemon is told to stop");
		life.told = true;
		life.told_us = clock_us();
		if (life.scenario->kind == SCENARIO_CALM)
			crowd_check_calm(life.scenario,
					 clock_us() - life.begin_us);
		organiser_end();
		crowd_stopping();
		timer_after(&life.late_timer, STOP_US);
		kernel_signal(SIGTERM);
	}
}

bool
life_aborts(void)
{
	return life.told &&
	       clock_us() >= life.told_us + SCENARIO_STOP_MS * UINT64_C(1000);
}

/* In the last life the disk is only slow. */
static void
plan_disk(bool last)
{
	struct world_disk plan;

	if (life.scenario->kind != SCENARIO_WILD) {
		world_disk_calm(&plan);
	} else {
		world_disk_draw(&plan, dice_of("disk", 0), LIFE_CHANGES, !last);
		if (last)
			plan.fails = plan.works = WORLD_DISK_NEVER;
	}
	world_disk_begin(SCENARIO_DATA, SCENARIO_NEXT, &plan);
	promises_begin(SCENARIO_PROMISES);
}

static void
plan(unsigned number)
{
	const bool last = number + 1 == life.scenario->lives;

	life.end = life.scenario->kind == SCENARIO_CALM || last
			   ? SCENARIO_STOP
			   : dice_draw(&life.dice, SCENARIO_ENDS);
	timer_init(&life.end_timer, &world_timers, on_end, NULL);
	timer_init(&life.late_timer, &world_timers, on_late, NULL);
	timer_after(&life.end_timer,
		    life.scenario->kind == SCENARIO_DAY
			    ? DAY_US
			    : LIFE_US + dice_draw(&life.dice, LONGER_US));
	plan_disk(last);
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
		/* SIGTERM may come early, where the disk is slow. */
		if (!world_disk_failed() && !(life.told && why.text[0] == '\0'))
			world_broken("the daemon does not start: %s", why.text);
		world_trace("the daemon does not start: %s", why.text);
		fflush(NULL);
		_exit(WORLD_REFUSED);
	}
	return server;
}

static unsigned
count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	if (dir == NULL)
		world_broken("cannot look at /proc/self/fd");
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

/* The daemon has ended by itself, as it does without a spawner. */
static _Noreturn void
end_without(const char *why)
{
	if (!spawners_counts.died)
		world_broken("the daemon ends: %s", why);
	world_trace("the daemon ends: %s", why);
	fflush(NULL);
	_exit(WORLD_KILLED);
}

_Noreturn void
life_live(const struct scenario *scenario, unsigned number, uint64_t now_us,
	  int64_t calendar_ms, FILE *trace)
{
	struct logger *logger;
	struct spawner *spawner;
	struct server *server;
	struct error why;
	unsigned lost, before, after;
	char name[32];

	kernel_begin(scenario->seed * 1000 + number, now_us, calendar_ms,
		     trace);
	snprintf(name, sizeof(name), "%lu",
		 (unsigned long)scenario->seed * 1000 + number);
	setenv("CHECK_SEED", name, 1);
	seeded_begin("world");
	life.scenario = scenario;
	life.dice = dice_of("life", number);
	life.begin_us = now_us;
	plan(number);
	before = count_descriptors();
	logger = log_new(fileno(trace), LOG_LEVEL_INFO);
	spawner = spawner_new();
	server = open_server(logger, spawner);
	world_trace("life %u begins", number);
	if (scenario->kind != SCENARIO_CALM) {
		organiser_begin(scenario, number);
		crowd_draw_luck(number);
		stall_begin(number);
	}
	crowd_begin(scenario, number);
	if (server_run(server, &lost, &why) < 0)
		end_without(why.text);
	if (!life.told)
		world_broken("the daemon ends, but nobody told it to");
	if (lost > 0 && !world_disk_failed())
		world_broken("%u games are lost, and the disk works", lost);
	server_free(server);
	spawner_free(spawner);
	log_flush(logger);
	log_free(logger);
	crowd_end();
	kernel_close_watched();
	after = count_descriptors();
	if (after != before)
		world_broken("%u descriptors are open before the daemon's "
			     "life, and %u after it",
			     before, after);
	crowd_report();
	world_trace("life %u ends", number);
	exit(world_disk_failed() ? WORLD_FAILED : 0);
}
