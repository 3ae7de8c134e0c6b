/* tests/world/organiser.c - see organiser.h. */
#include "tests/world/organiser.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/world/kernel.h"

#define USUAL_US UINT64_C(20000000) /* between two deeds */
#define USUAL_DAY_US UINT64_C(400000000)
#define ANSWER_US UINT64_C(120000000)
#define TRIES 20 /* to draw a bot of some kind */

static struct {
	const struct scenario *scenario;
	struct dice dice;
	struct timer next;
	uint64_t usual_us;
	/* The request that is answered now. */
	int fd; /* -1: none */
	struct watch *watch;
	struct timer late;
	char answer[4096];
	size_t used;
	const struct scenario_bot
		*revokes; /* whose token it takes away; or NULL */
	const struct scenario_owner *banned; /* in this life; or NULL */
} organiser = { .fd = -1 };

/* ---- requests --------------------------------------------------------- */

static void
on_answer(void *arg UNUSED)
{
	char rest[4096];
	const bool full = organiser.used == sizeof(organiser.answer) - 1;
	ssize_t n;

	n = full ? read(organiser.fd, rest, sizeof(rest))
		 : read(organiser.fd, organiser.answer + organiser.used,
			sizeof(organiser.answer) - 1 - organiser.used);
	if (n > 0) {
		organiser.used += full ? 0 : (size_t)n;
		return;
	}
	if (n < 0 && errno == EAGAIN)
		return;
	organiser.answer[organiser.used] = '\0';
	organiser.answer[strcspn(organiser.answer, "\n")] = '\0';
	world_trace("the organiser is answered %s", organiser.answer);
	timer_stop(&organiser.late);
	if (organiser.used == 0 && timer_runs(&organiser.next))
		world_broken("the organiser is not answered");
	if (organiser.revokes != NULL && strcmp(organiser.answer, "0") == 0)
		world_trace("revoked for good: %s", organiser.revokes->name);
	organiser.revokes = NULL;
	world_forget(organiser.watch);
	close(organiser.fd);
	organiser.fd = -1;
}

/* Sends a line of words with tabs between them to the control socket. */
static void
ask(const char *line)
{
	const struct sockaddr_un at = { .sun_family = AF_UNIX,
					.sun_path = SCENARIO_DATA "/control" };
	int fd;

	if (organiser.fd >= 0)
		return;
	world_trace("the organiser asks %s", line);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&at, sizeof(at)) < 0)
		world_broken("the control socket does not listen: %s",
			     strerror(errno));
	if (write(fd, line, strlen(line)) < 0 || write(fd, "\n", 1) < 0)
		world_broken("the control socket takes nothing: %s",
			     strerror(errno));
	organiser.fd = fd;
	organiser.used = 0;
	organiser.watch = world_watch(fd, on_answer, NULL);
	timer_after(&organiser.late, ANSWER_US);
}

static const struct scenario_bot *
draw_bot(void)
{
	return &organiser.scenario->bot[dice_draw(&organiser.dice,
						  organiser.scenario->bots)];
}

/* ---- deeds ------------------------------------------------------------ */

static void
disable(void)
{
	char line[128];

	snprintf(line, sizeof(line), "disable\t%s\tit was drawn",
		 draw_bot()->name);
	ask(line);
}

static void
enable(void)
{
	char line[128];

	snprintf(line, sizeof(line), "enable\t%s", draw_bot()->name);
	ask(line);
}

static void
pardon(void)
{
	char line[128];

	snprintf(line, sizeof(line), "pardon\t%s", draw_bot()->name);
	ask(line);
}

/* The token of an honest bot is not taken, so that enough of them play. */
static void
take_token(void)
{
	const struct scenario_bot *bot = draw_bot();
	unsigned tries = TRIES;
	char line[128];

	while ((strcmp(bot->nature, "honest") == 0 || !bot->remote) &&
	       --tries > 0)
		bot = draw_bot();
	if (tries == 0 || organiser.fd >= 0)
		return;
	organiser.revokes = bot;
	snprintf(line, sizeof(line), "revoke\t%s", bot->name);
	ask(line);
}

/* Lifts the ban of this life, or one of an earlier life. */
static void
unban(void)
{
	const struct scenario *scenario = organiser.scenario;
	const struct scenario_owner *owner = organiser.banned;
	char line[128];

	if (owner == NULL)
		owner = &scenario->owner[dice_draw(&organiser.dice,
						   scenario->owners)];
	organiser.banned = NULL;
	snprintf(line, sizeof(line), "unban\t%s", owner->name);
	ask(line);
}

/* At most one owner is banned at a time, so that enough bots play. */
static void
ban(void)
{
	const struct scenario *scenario = organiser.scenario;
	char line[128];

	if (organiser.banned != NULL) {
		unban();
		return;
	}
	organiser.banned =
		&scenario->owner[dice_draw(&organiser.dice, scenario->owners)];
	snprintf(line, sizeof(line), "ban\t%s\tit was drawn",
		 organiser.banned->name);
	ask(line);
}

static void
list(void)
{
	ask("list");
}

/* Writes the configuration again, with other numbers, and has the daemon read it. */
static void
reload(void)
{
	world_trace("the organiser reloads");
	scenario_configure(organiser.scenario, &organiser.dice);
	kernel_signal(SIGHUP);
}

static void
set_calendar(void)
{
	const int64_t seconds =
		(int64_t)dice_draw(&organiser.dice, 14401) - 7200;

	world_trace("the calendar is moved by %ld s", (long)seconds);
	world_calendar_jump(seconds);
}

static void
on_late(void *arg UNUSED)
{
	world_broken("the organiser has no answer");
}

static void
on_next(void *arg UNUSED)
{
	static void (*const deeds[])(void) = {
		disable, enable, enable, pardon, take_token, list,
		reload,	 reload, ban,	 unban,	 unban,	     set_calendar
	};

	deeds[dice_draw(&organiser.dice, NELEM(deeds))]();
	timer_after(&organiser.next,
		    dice_delay_us(&organiser.dice, organiser.usual_us));
}

void
organiser_begin(const struct scenario *scenario, uint64_t number)
{
	organiser.scenario = scenario;
	organiser.dice = dice_of("organiser", number);
	organiser.usual_us =
		scenario->kind == SCENARIO_DAY ? USUAL_DAY_US : USUAL_US;
	timer_init(&organiser.next, &world_timers, on_next, NULL);
	timer_init(&organiser.late, &world_timers, on_late, NULL);
	timer_after(&organiser.next,
		    dice_delay_us(&organiser.dice, organiser.usual_us));
}

void
organiser_end(void)
{
	timer_stop(&organiser.next);
	timer_stop(&organiser.late);
}
