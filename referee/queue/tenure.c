/* referee/queue/tenure.c - see tenure.h. */
#include "referee/queue/tenure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/registry.h"
#include "referee/queue/schema.h"
#include "referee/queue/version.h"

struct tenure {
	struct pg *pg;
	const char *key_print;
	bool standby;
	const struct tenure_calls *calls;
	void *arg;
	struct timer retry;
	struct queue_term term;
	enum tenure_state state;
	char why[512];
	bool taken;
	bool held;	   /* another daemon had the queue */
	uint64_t grace_us; /* until then that daemon may have it again */
};

static void
set_why(struct tenure *tenure, enum tenure_state state, const char *why)
{
	if (tenure->state == TENURE_FAILED)
		return;
	tenure->state = state;
	snprintf(tenure->why, sizeof(tenure->why), "%.*s",
		 (int)sizeof(tenure->why) - 1, why);
}

bool
tenure_is_taken(struct tenure *tenure, const struct pg_answer *answer)
{
	if (answer->outcome != PG_REFUSED ||
	    strcmp(answer->state, QUEUE_EPOCH) != 0)
		return false;
	if (!tenure->taken)
		tenure->calls->taken(tenure->arg, answer->why);
	tenure->taken = true;
	return true;
}

static void ask_queue(struct tenure *tenure);

/* Fails because the database refuses; the reason says what mends it. */
static void
fail(struct tenure *tenure, const struct pg_answer *answer)
{
	struct error why;

	queue_trouble(answer, QUEUE_DAEMON, &why);
	set_why(tenure, TENURE_FAILED, why.text);
}

static void
on_key(void *arg, const struct pg_answer *answer)
{
	struct tenure *tenure = arg;

	if (tenure_is_taken(tenure, answer))
		return;
	if (answer->outcome == PG_REFUSED)
		fail(tenure, answer);
	else if (answer->outcome == PG_DONE && pg_rows(answer) == 0)
		set_why(tenure, TENURE_FAILED,
			"jobs in the queue's database are sealed with another "
			"key: queue-key must name the file with that one; if "
			"it is lost, `referee queue void all` gives them up");
	else if (answer->outcome == PG_DONE)
		tenure->calls->has(tenure->arg);
}

void
tenure_begin(struct tenure *tenure)
{
	if (tenure->state == TENURE_READY)
		return;
	tenure->state = TENURE_READY;
	tenure->calls->begun(tenure->arg);
}

/* Checks our key.  Another key than before is allowed once no open job is left. */
static void
check_key(struct tenure *tenure)
{
	pg_ask(tenure->pg, on_key, tenure,
	       "UPDATE referee.house h SET key_print = $1 "
	       "FROM referee.check_epoch($2) WHERE h.key_print IS NULL OR "
	       "h.key_print = $1 OR NOT EXISTS (SELECT FROM referee.job "
	       "WHERE state IN ('waiting', 'claimed', 'reported', 'parked')) "
	       "RETURNING h.epoch",
	       "si", tenure->key_print, tenure->term.epoch);
}

static void
on_taken(void *arg, const struct pg_answer *answer)
{
	struct tenure *tenure = arg;

	if (answer->outcome == PG_REFUSED)
		fail(tenure, answer);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 0)) {
		tenure->held = true;
		tenure->grace_us = 0;
		set_why(tenure, TENURE_HELD,
			tenure->standby
				? "another referee has the queue"
				: "another referee has the queue: stop it, or "
				  "let this one wait with standby = yes");
		timer_after(&tenure->retry, TENURE_RETRY_MS * 1000);
		return;
	}
	tenure->term.epoch = pg_number(answer, 0, 0);
	check_key(tenure);
}

/* Goes on even without the lock, as long as no other daemon has taken over. */
static void
on_kept(void *arg, const struct pg_answer *answer)
{
	struct tenure *tenure = arg;

	if (tenure_is_taken(tenure, answer))
		return;
	if (tenure->state != TENURE_READY)
		check_key(tenure);
	if (answer->outcome == PG_DONE && pg_number(answer, 0, 0) == 0)
		timer_after(&tenure->retry, TENURE_RETRY_MS * 1000);
}

static void
take_queue(struct tenure *tenure)
{
	char holder[REGISTRY_HOLDER_BYTES];

	registry_holder(holder);
	pg_ask(tenure->pg, on_taken, tenure, "SELECT referee.take_house($1)",
	       "s", holder);
}

/* Asks for the queue if a session has the lock; if not, it waits. */
static void
on_lock(void *arg, const struct pg_answer *answer)
{
	struct tenure *tenure = arg;

	if (pg_rows(answer) > 0 && pg_number(answer, 0, 0) != 0)
		ask_queue(tenure); /* a session has the lock: no need to wait */
	else
		timer_after(&tenure->retry, TENURE_RETRY_MS * 1000);
}

/* After a restart the database has no lock.  So the daemon that had the queue
 * comes first, if it lives. */
static void
ask_in_turn(struct tenure *tenure)
{
	if (clock_us() >= tenure->grace_us)
		ask_queue(tenure);
	else
		pg_ask(tenure->pg, on_lock, tenure,
		       "SELECT EXISTS (SELECT FROM pg_locks l, pg_database d "
		       "WHERE l.locktype = 'advisory' AND l.classid = 7450 "
		       "AND l.objid = 1 AND l.granted AND l.database = d.oid "
		       "AND d.datname = current_database())",
		       "");
}

static void
on_version(void *arg, const struct pg_answer *answer)
{
	struct tenure *tenure = arg;
	char why[QUEUE_FIT_BYTES];

	switch (queue_fit(answer, why)) {
	case QUEUE_TOO_NEW:
		set_why(tenure, TENURE_FAILED, why);
		break;
	case QUEUE_TOO_OLD:
		set_why(tenure, TENURE_HELD, why);
		timer_after(&tenure->retry, TENURE_RETRY_MS * 1000);
		break;
	default: /* the next answer says what is wrong */
		take_queue(tenure);
	}
}

static void
ask_queue(struct tenure *tenure)
{
	if (tenure->term.epoch != 0)
		pg_ask(tenure->pg, on_kept, tenure,
		       "SELECT referee.keep_house($1)", "i",
		       tenure->term.epoch);
	else
		pg_ask(tenure->pg, on_version, tenure, QUEUE_VERSION_ASK, "");
}

static void
on_retry(void *arg)
{
	struct tenure *tenure = arg;

	if (pg_is_up(tenure->pg))
		ask_in_turn(tenure);
}

bool
tenure_is_ready(const struct tenure *tenure)
{
	return tenure->state == TENURE_READY && !tenure->taken &&
	       pg_is_up(tenure->pg);
}

/* ---- what its owner tells and asks -------------------------------------- */

void
tenure_up(struct tenure *tenure)
{
	if (tenure->term.epoch == 0 && tenure->held)
		tenure->grace_us =
			clock_us() + TENURE_GRACE_MS * UINT64_C(1000);
	ask_in_turn(tenure);
}

void
tenure_down(struct tenure *tenure, const char *why)
{
	if (tenure->state != TENURE_READY)
		set_why(tenure, TENURE_WAITS, why);
}

enum tenure_state
tenure_state(const struct tenure *tenure, const char **why)
{
	*why = tenure->why;
	return tenure->state;
}

const struct queue_term *
tenure_term(const struct tenure *tenure)
{
	return &tenure->term;
}

struct tenure *
tenure_new(struct loop *loop, struct pg *pg, const char *conninfo,
	   const char *key_print, bool standby,
	   const struct tenure_calls *calls, void *arg)
{
	struct tenure *tenure = zeroed(1, sizeof(*tenure));

	tenure->pg = pg;
	tenure->key_print = key_print;
	tenure->standby = standby;
	tenure->calls = calls;
	tenure->arg = arg;
	tenure->term.conninfo = conninfo;
	timer_init(&tenure->retry, &loop->timers, on_retry, tenure);
	set_why(tenure, TENURE_WAITS, "no answer yet");
	return tenure;
}

void
tenure_free(struct tenure *tenure)
{
	if (tenure == NULL)
		return;
	timer_stop(&tenure->retry);
	free(tenure);
}
