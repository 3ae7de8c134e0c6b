/* tests/world/owner.c - see owner.h. */
#include "tests/world/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/text.h"
#include "tests/world/talk.h"

#define EACH_US 9000000 /* the usual time between two requests */
#define ANSWER_US 120000000
#define CUTS 100    /* of 1000 requests */
#define EXTRAS 3    /* bots that an owner makes */
#define STRANGERS 4 /* names of accounts that are made */

struct owner {
	const struct scenario *scenario;
	const struct scenario_owner *self;
	uint64_t number, requests;
	uint32_t address;
	struct dice dice;
	struct talk talk;
	bool connected;
	bool forbidden; /* what was asked must be refused */
	struct text answer;
	struct timer next, late;
};

static bool stopping;
struct owners_counts owners_counts;

/* ---- the conversation -------------------------------------------------- */

static void
disconnect(struct owner *owner)
{
	timer_stop(&owner->late);
	if (owner->connected)
		talk_release(&owner->talk);
	owner->connected = false;
	text_clear(&owner->answer);
	timer_after(&owner->next, dice_delay_us(&owner->dice, EACH_US));
}

static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct owner *owner = arg;

	text_add(&owner->answer, bytes, n);
}

/* The daemon closes the connection behind its answer. */
static void
on_ended(void *arg)
{
	struct owner *owner = arg;
	unsigned status = 0;

	if (sscanf(text_string(&owner->answer), "HTTP/1.1 %u ", &status) != 1)
		owners_counts.broken_off++;
	else if (status / 100 == 2)
		owners_counts.done++;
	else
		owners_counts.refused++;
	/* check-allowed.c reads it. */
	world_trace("owner %s is answered %u", owner->self->name, status);
	if (status == 0 && !stopping && owner->talk.until_cut > 0)
		world_broken("a request of %s is not answered",
			     owner->self->name);
	if (status >= 500 && status != 503 && status != 507)
		world_broken("a request of %s is answered %u",
			     owner->self->name, status);
	if (owner->forbidden && status / 100 == 2)
		world_broken("%s did what is not allowed", owner->self->name);
	disconnect(owner);
}

static void
on_late(void *arg)
{
	const struct owner *owner = arg;

	if (!stopping && owner->talk.until_cut > 0)
		world_broken("a request of %s has no answer",
			     owner->self->name);
}

void
owners_stop(void)
{
	stopping = true;
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

/* ---- requests ---------------------------------------------------------- */

/* Says a request with this token, and these headers, each with its end. */
static void
ask(struct owner *owner, const char *method, const char *path,
    const char *token, const char *headers)
{
	struct text text = { .max = SIZE_MAX };

	world_trace("owner %s asks %s %s", owner->self->name, method, path);
	text_fmt(&text, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path);
	if (token != NULL)
		text_fmt(&text, "X-Owner: %s\r\nAuthorization: Bearer %s\r\n",
			 owner->self->name, token);
	text_fmt(&text, "%s%sConnection: close\r\n\r\n", headers,
		 strcmp(method, "PUT") == 0 ? "Content-Length: 0\r\n" : "");
	if (dice_often(&owner->dice, CUTS))
		talk_cut_after(&owner->talk,
			       (size_t)dice_draw(&owner->dice, text.used));
	talk_say(&owner->talk, text.bytes, text.used);
	text_release(&text);
}

/* Draws a bot that is this owner's, or is not; NULL: none was found. */
static const struct scenario_bot *
draw_bot(struct owner *owner, bool own)
{
	const struct scenario *scenario = owner->scenario;
	const struct scenario_bot *bot;
	unsigned tries;

	for (tries = 0; tries < 20; tries++) {
		bot = &scenario->bot[dice_draw(&owner->dice, scenario->bots)];
		if ((strcmp(bot->owner, owner->self->name) == 0) == own)
			return bot;
	}
	return NULL;
}

static void
ask_of_bot(struct owner *owner, bool own, const char *what)
{
	const struct scenario_bot *bot = draw_bot(owner, own);
	char *path =
		formatted("/bots/%s/%s", bot == NULL ? "-" : bot->name, what);

	owner->forbidden = !own && bot != NULL;
	ask(owner, "PUT", path, owner->self->token, "");
	free(path);
}

static void
withdraw(struct owner *owner)
{
	ask_of_bot(owner, true, "withdrawn");
}

static void
let_play(struct owner *owner)
{
	ask_of_bot(owner, true, "playing");
}

static void
touch_foreign(struct owner *owner)
{
	static const char *const whats[] = { "withdrawn", "playing", "token" };

	ask_of_bot(owner, false, whats[dice_draw(&owner->dice, NELEM(whats))]);
}

static void
make_bot(struct owner *owner)
{
	char *path =
		formatted("/bots/extra-%s-%" PRIu64 "/token", owner->self->name,
			  dice_draw(&owner->dice, EXTRAS));

	ask(owner, "PUT", path, owner->self->token, "");
	free(path);
}

static void
look(struct owner *owner)
{
	static const char *const ends[] = { "", "/games", "/games?order=latest",
					    "/records?view=own" };
	char *path = formatted("/api/1/owners/%s%s", owner->self->name,
			       ends[dice_draw(&owner->dice, NELEM(ends))]);
	char *wrong = formatted("%sx", owner->self->token);

	owner->forbidden = dice_often(&owner->dice, 200);
	ask(owner, "GET", path, owner->forbidden ? wrong : owner->self->token,
	    "");
	free(wrong);
	free(path);
}

static void
look_at_other(struct owner *owner)
{
	const struct scenario *scenario = owner->scenario;
	const struct scenario_owner *other =
		&scenario->owner[dice_draw(&owner->dice, scenario->owners)];
	char *path = formatted("/api/1/owners/%s", other->name);

	owner->forbidden = other != owner->self;
	ask(owner, "GET", path, owner->self->token, "");
	free(path);
}

/* Makes an account as a stranger. */
static void
sign_up(struct owner *owner)
{
	const struct scenario *scenario = owner->scenario;
	const bool wrong = dice_often(&owner->dice, 300);
	char *path = formatted("/owners/stranger%" PRIu64,
			       dice_draw(&owner->dice, STRANGERS));
	char *header = formatted("X-Code: %s\r\n",
				 wrong ? "0123456789abcdef" : scenario->code);

	owner->forbidden = wrong || !scenario->sign_up;
	ask(owner, "PUT", path, NULL, header);
	free(header);
	free(path);
}

static void
on_next(void *arg)
{
	static void (*const requests[])(struct owner *) = {
		withdraw, let_play, let_play, let_play,	     let_play,
		make_bot, look,	    sign_up,  look_at_other, touch_foreign
	};
	struct owner *owner = arg;
	const int fd = world_connect(SCENARIO_PAGES_PORT, owner->address);

	if (fd < 0) {
		timer_after(&owner->next, dice_delay_us(&owner->dice, EACH_US));
		return;
	}
	owner->connected = true;
	owner->forbidden = false;
	owners_counts.requests++;
	talk_init(
		&owner->talk, fd, fd,
		dice_of("owner-talk", owner->number << 32 | ++owner->requests),
		&talk_calls, owner);
	timer_after(&owner->late, ANSWER_US);
	requests[dice_draw(&owner->dice, NELEM(requests))](owner);
}

void
owner_begin(const struct scenario *scenario, unsigned number, uint32_t address)
{
	struct owner *owner = zeroed(1, sizeof(*owner));

	owner->scenario = scenario;
	owner->self = &scenario->owner[number];
	owner->number = number;
	owner->address = address;
	owner->dice = dice_of("owner", number);
	owner->answer.max = SIZE_MAX;
	timer_init(&owner->next, &world_timers, on_next, owner);
	timer_init(&owner->late, &world_timers, on_late, owner);
	timer_after(&owner->next, dice_delay_us(&owner->dice, EACH_US));
}
