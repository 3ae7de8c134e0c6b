/* referee/check/check-remote.c - a check whose bot comes by TCP: what becomes of
 * its games when it comes, leaves, is cut off and comes back. */
#include <stdio.h>

#include "referee/base/command.h"
#include "referee/check/check-inside.h"
#include "referee/check/check-listen.h"

static void
on_changed(void *arg)
{
	check_wake(arg);
}

static void
on_back(void *arg)
{
	struct check *check = arg;
	struct check_game *game = check->game;

	for (; game < check->game + GAMES_AT_ONCE; game++) {
		if (game->own == NULL)
			continue;
		if (check->cut)
			game->missed = tap_watch(game->own)->ask;
		tap_returned(game->own);
	}
	check->cut = false;
}

static void
cut_connection(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, cut_task);

	check->cut = !check_listen_is_lost(check->listener);
	check_listen_cut(check->listener);
}

static void
on_absent(void *arg, const char *why)
{
	struct check *check = arg;
	struct check_report *report = check->report;
	const struct check_game *last = check_last_game(check);
	const char *name = check_listen_name(check->listener);

	if (check->begun > 0) {
		report->gave_up = true;
		if (!check->loss_told)
			check_report_add(report, CHECK_CRASH, &last->trial,
					 last->number, NULL, why);
	} else {
		snprintf(report->why, sizeof(report->why), "%s%s%s", name,
			 name[0] == '\0' ? "" : " ", why);
		report->not_started = true;
	}
	check->stopping = true;
	check_wake(check);
}

static const struct check_listen_calls listen_calls = {
	.changed = on_changed,
	.back = on_back,
	.absent = on_absent,
	.useless = check_on_useless,
};

int
check_remote_open(struct check *check)
{
	const struct check_setup *setup = check->setup;
	struct check_report *report = check->report;
	const char *where;
	struct error why;
	uint64_t seconds;

	if (setup->listen == NULL)
		return 0;
	report->by_tcp = true;
	check->cut_task.run = cut_connection;
	check->listener =
		check_listen_open(&check->loop, setup->listen->host,
				  setup->listen->port, setup->listen->plain,
				  setup->limit_s, &listen_calls, check, &why);
	if (check->listener != NULL) {
		where = check_listen_where(check->listener, &seconds);
		note("listening at %s for %s: come with any name and any "
		     "token, and sit on any ladder; %s, at most %s; --seed %s",
		     where, counted(seconds, "second").text,
		     counted(report->planned, "game").text,
		     counted(setup->limit_s, "second").text, setup->seed);
		return 0;
	}
	snprintf(report->why, sizeof(report->why), "%.500s", why.text);
	report->failed = why.kind == ERROR_MACHINE;
	report->not_started = !report->failed;
	return -1;
}

/* ---- its games -------------------------------------------------------- */

unsigned
check_remote_games(const struct check *check)
{
	return check->listener == NULL ? 1
				       : check_listen_games(check->listener);
}

bool
check_remote_is_there(struct check *check, bool idle)
{
	struct check_report *report = check->report;

	if (check_listen_ready(check->listener, idle)) {
		snprintf(report->name, sizeof(report->name), "%s",
			 check_listen_name(check->listener));
		return true;
	}
	if (!check_listen_has_quit(check->listener))
		return false;
	report->quit = check->begun > 0;
	if (!report->quit)
		on_absent(check, "quit before its first game");
	check->stopping = true;
	return true;
}

struct bot *
check_remote_seat(struct check_game *game, const char *id)
{
	struct check *check = game->check;
	bool drip = false;
	unsigned i;

	for (i = 0; i < GAMES_AT_ONCE; i++)
		drip |= check->game[i].playing &&
			check->game[i].trial.style == CHECK_DRIP;
	check->loss_told = false;
	return check_listen_seat(check->listener, id, drip);
}

void
check_remote_ended(struct check_game *game)
{
	struct check *check = game->check;

	/* Of several each line says which game it is for. */
	check->followed = game->trial.at_once <= 1;
	if (check->followed)
		check->watch = *tap_watch(game->own);
	check_report_ended(check->report, check_listen_why(check->listener),
			   NULL);
}
