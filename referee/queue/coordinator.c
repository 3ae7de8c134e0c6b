/* referee/queue/coordinator.c - see coordinator.h: the house, and what is asked
 * again and again. */
#include <event2/event.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/coordinator-inside.h"
#include "referee/queue/house.h"
#include "referee/queue/schema.h"
#include "referee/queue/spec.h"
#include "referee/queue/version.h"
#include "referee/runner/cores.h"

/* ---- the house --------------------------------------------------------- */

static void
set_why(struct coordinator *coordinator, enum coordinator_state state,
	const char *why)
{
	if (coordinator->state == COORDINATOR_FAILED)
		return;
	coordinator->state = state;
	snprintf(coordinator->why, sizeof(coordinator->why), "%s", why);
}

bool
coordinator_is_taken(struct coordinator *coordinator,
		     const struct pg_answer *answer)
{
	if (answer->outcome != PG_REFUSED ||
	    strcmp(answer->state, QUEUE_EPOCH) != 0)
		return false;
	if (!coordinator->taken)
		coordinator->news->taken(coordinator->news_arg, answer->why);
	coordinator->taken = true;
	return true;
}

static void ask_house(struct coordinator *coordinator);

/* The database refuses; what mends it. */
static void
fail(struct coordinator *coordinator, const struct pg_answer *answer)
{
	struct error why;

	queue_trouble(answer, QUEUE_DAEMON, &why);
	set_why(coordinator, COORDINATOR_FAILED, why.text);
}

static void
on_key(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (coordinator_is_taken(coordinator, answer))
		return;
	if (answer->outcome == PG_REFUSED)
		fail(coordinator, answer);
	else if (answer->outcome == PG_DONE && pg_rows(answer) == 0)
		set_why(coordinator, COORDINATOR_FAILED,
			"jobs in the queue's database are sealed with another "
			"key: queue-key must name the file with that one; if "
			"it is lost, `referee queue void all` gives them up");
	else if (answer->outcome == PG_DONE)
		left_ask(coordinator);
}

void
left_known(struct coordinator *coordinator, bool known)
{
	if (!known || coordinator->state == COORDINATOR_READY)
		return;
	coordinator->state = COORDINATOR_READY;
	classes_send(coordinator);
	coordinator_send(coordinator);
	coordinator_fetch(coordinator);
}

/* Another key is fine once no job is left that this one does not open. */
static void
check_key(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_key, coordinator,
	       "UPDATE referee.house h SET key_print = $1 "
	       "FROM referee.check_epoch($2) WHERE h.key_print IS NULL OR "
	       "h.key_print = $1 OR NOT EXISTS (SELECT FROM referee.job "
	       "WHERE state IN ('waiting', 'claimed', 'reported', 'parked')) "
	       "RETURNING h.epoch",
	       "si", coordinator->key.print, coordinator->house.epoch);
}

static void
on_taken(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (answer->outcome == PG_REFUSED)
		fail(coordinator, answer);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 0)) {
		coordinator->held = true;
		coordinator->grace_us = 0;
		set_why(coordinator, COORDINATOR_HELD,
			coordinator->standby
				? "another referee has the queue"
				: "another referee has the queue: stop it, or "
				  "let this one wait with standby = yes");
		loop_after_us(coordinator->retry, COORDINATOR_RETRY_MS * 1000);
		return;
	}
	coordinator->house.epoch = pg_number(answer, 0, 0);
	check_key(coordinator);
}

/* Without the lock it goes on, as long as no other has taken it. */
static void
on_kept(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (coordinator_is_taken(coordinator, answer))
		return;
	if (coordinator->state != COORDINATOR_READY)
		check_key(coordinator);
	if (answer->outcome == PG_DONE && pg_number(answer, 0, 0) == 0)
		loop_after_us(coordinator->retry, COORDINATOR_RETRY_MS * 1000);
}

static void
take_house(struct coordinator *coordinator)
{
	char holder[HOUSE_HOLDER_BYTES];

	house_holder(holder);
	pg_ask(coordinator->pg, on_taken, coordinator,
	       "SELECT referee.take_house($1)", "s", holder);
}

/* Whether a session has the house now. */
static void
on_lock(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (pg_rows(answer) > 0 && pg_number(answer, 0, 0) != 0)
		ask_house(coordinator); /* which has it still */
	else
		loop_after_us(coordinator->retry, COORDINATOR_RETRY_MS * 1000);
}

/* A database that comes back knows of no lock: the daemon that had the house
 * comes first, if it lives. */
static void
ask_in_turn(struct coordinator *coordinator)
{
	if (clock_us() >= coordinator->grace_us)
		ask_house(coordinator);
	else
		pg_ask(coordinator->pg, on_lock, coordinator,
		       "SELECT EXISTS (SELECT FROM pg_locks l, pg_database d "
		       "WHERE l.locktype = 'advisory' AND l.classid = 7450 "
		       "AND l.objid = 1 AND l.granted AND l.database = d.oid "
		       "AND d.datname = current_database())",
		       "");
}

static void
on_version(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	char why[QUEUE_FIT_BYTES];

	switch (queue_fit(answer, why)) {
	case QUEUE_TOO_NEW:
		set_why(coordinator, COORDINATOR_FAILED, why);
		break;
	case QUEUE_TOO_OLD:
		set_why(coordinator, COORDINATOR_HELD, why);
		loop_after_us(coordinator->retry, COORDINATOR_RETRY_MS * 1000);
		break;
	default: /* what is wrong with it, the next answer says */
		take_house(coordinator);
	}
}

static void
ask_house(struct coordinator *coordinator)
{
	if (coordinator->house.epoch != 0)
		pg_ask(coordinator->pg, on_kept, coordinator,
		       "SELECT referee.keep_house($1)", "i",
		       coordinator->house.epoch);
	else
		pg_ask(coordinator->pg, on_version, coordinator,
		       QUEUE_VERSION_ASK, "");
}

static void
on_retry(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct coordinator *coordinator = arg;

	if (pg_is_up(coordinator->pg))
		ask_in_turn(coordinator);
}

bool
coordinator_is_ready(const struct coordinator *coordinator)
{
	return coordinator->state == COORDINATOR_READY && !coordinator->taken &&
	       pg_is_up(coordinator->pg);
}

struct about *
about_new(struct coordinator *coordinator)
{
	struct about *about = zeroed(1, sizeof(*about));

	about->coordinator = coordinator;
	LIST_PUT(coordinator->abouts, about);
	return about;
}

void
about_free(struct about *about)
{
	LIST_CUT(about);
	free(about);
}

/* ---- what is asked again and again --------------------------------------- */

static void
on_followers(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_counts *counts = &coordinator->counts;

	if (pg_rows(answer) == 0)
		return;
	counts->followers = pg_number(answer, 0, 0);
	counts->behind = pg_number(answer, 0, 1);
	counts->behind_s = pg_real(answer, 0, 2);
}

static void
count_followers(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_followers, coordinator,
	       "SELECT count(*), coalesce(max(f.behind), 0)::int8, "
	       "coalesce(max(f.behind_s), 0)::float8 "
	       "FROM referee.follower f, referee.house h "
	       "WHERE f.follower IS DISTINCT FROM h.holder "
	       "AND f.seen > now() - $1 * interval '1 s'",
	       "i", (int64_t)QUEUE_SEEN_S);
}

static void
on_poll(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct coordinator *coordinator = arg;

	if (!coordinator_is_ready(coordinator))
		return;
	pg_ask(coordinator->pg, NULL, NULL, "SELECT referee.expire($1)", "i",
	       (int64_t)1000);
	figures_ask(coordinator);
	orders_ask_parked(coordinator);
	left_ask(coordinator);
	count_followers(coordinator);
	pg_ask(coordinator->pg, NULL, NULL, "SELECT referee.park_unbuilt()",
	       "");
	coordinator_send(coordinator);
	coordinator_fetch(coordinator);
}

/* ---- the connection ------------------------------------------------------ */

static void
on_up(void *arg)
{
	struct coordinator *coordinator = arg;

	figures_up(coordinator, true);
	coordinator->fetching = false;
	orders_again(coordinator);
	coordinator->news->up(coordinator->news_arg);
	if (coordinator->house.epoch == 0 && coordinator->held)
		coordinator->grace_us =
			clock_us() + COORDINATOR_GRACE_MS * UINT64_C(1000);
	ask_in_turn(coordinator);
	count_followers(coordinator);
	classes_send(coordinator);
	coordinator_send(coordinator);
	coordinator_fetch(coordinator);
}

static void
on_down(void *arg, const char *why)
{
	struct coordinator *coordinator = arg;

	figures_up(coordinator, false);
	if (coordinator->state == COORDINATOR_HELD ||
	    coordinator->state == COORDINATOR_WAITS)
		set_why(coordinator, COORDINATOR_WAITS, why);
	coordinator->news->down(coordinator->news_arg, why);
}

static void
on_notice(void *arg, const char *channel UNUSED, const char *payload UNUSED)
{
	coordinator_fetch(arg);
}

static const struct pg_calls pg_calls = {
	.up = on_up,
	.down = on_down,
	.notice = on_notice,
};

/* ---- life ---------------------------------------------------------------- */

enum coordinator_state
coordinator_state(const struct coordinator *coordinator, const char **why)
{
	*why = coordinator->why;
	return coordinator->state;
}

const struct queue_house *
coordinator_house(const struct coordinator *coordinator)
{
	return &coordinator->house;
}

const struct coordinator_counts *
coordinator_counts(const struct coordinator *coordinator)
{
	return &coordinator->counts;
}

void
coordinator_begin(struct coordinator *coordinator)
{
	coordinator->begun = true;
	coordinator_fetch(coordinator);
}

struct coordinator *
coordinator_new(const struct coordinator_setup *setup,
		const struct coordinator_calls *calls, void *arg,
		struct error *why)
{
	static const char *const listen[] = { QUEUE_RESULTS, NULL };
	struct coordinator *coordinator = zeroed(1, sizeof(*coordinator));

	coordinator->loop = setup->loop;
	coordinator->conninfo = copied(setup->conninfo);
	coordinator->data = copied(setup->data);
	coordinator->standby = setup->standby;
	coordinator->house.conninfo = coordinator->conninfo;
	coordinator->calls = calls;
	coordinator->news = setup->news;
	coordinator->news_arg = setup->news_arg;
	coordinator->arg = arg;
	coordinator->rules = spec_known(&coordinator->games);
	set_why(coordinator, COORDINATOR_WAITS, "no answer yet");
	coordinator->threads = worker_thread_pool(setup->loop, cores_usable());
	if (coordinator->threads == NULL)
		error_set(why, ERROR_MACHINE, "cannot make a thread: %m");
	else if (seal_key_load(setup->key, &coordinator->key, why) == 0)
		coordinator->pg =
			pg_new(setup->loop, setup->conninfo, "referee serve",
			       listen, &pg_calls, coordinator, why);
	if (coordinator->pg == NULL) {
		coordinator_free(coordinator);
		return NULL;
	}
	coordinator->poll =
		loop_every(setup->loop->base, COORDINATOR_POLL_MS * 1000,
			   on_poll, coordinator);
	coordinator->retry =
		loop_timer(setup->loop->base, on_retry, coordinator);
	return coordinator;
}

void
coordinator_free(struct coordinator *coordinator)
{
	if (coordinator == NULL)
		return;
	coordinator->begun = false;
	worker_thread_free(coordinator->threads);
	pg_free(coordinator->pg);
	while (coordinator->orders != NULL)
		order_free(coordinator->orders);
	while (coordinator->checks != NULL)
		check_free(coordinator->checks);
	while (coordinator->abouts != NULL)
		about_free(coordinator->abouts);
	bots_free(coordinator);
	classes_free(coordinator);
	left_free(coordinator);
	if (coordinator->poll != NULL)
		event_free(coordinator->poll);
	if (coordinator->retry != NULL)
		event_free(coordinator->retry);
	seal_key_forget(&coordinator->key);
	free((void *)coordinator->rules);
	free(coordinator->conninfo);
	free(coordinator->data);
	free(coordinator);
}
