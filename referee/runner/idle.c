/* referee/runner/idle.c - a short queue. */
#include "referee/runner/idle.h"

#include <stdlib.h>

struct idle_program {
	TAILQ_ENTRY(idle_program) at;
	unsigned bot;
	struct bot *program;
};

void
idle_init(struct idle *idle)
{
	TAILQ_INIT(&idle->programs);
	idle->count = 0;
}

static struct bot *
take(struct idle *idle, struct idle_program *one)
{
	struct bot *program = one->program;

	TAILQ_REMOVE(&idle->programs, one, at);
	idle->count--;
	free(one);
	return program;
}

void
idle_send_away(struct bot *program)
{
	if (!program->stays)
		bot_line(program, "bye", 3);
	bot_part(program, BYE_MS);
}

void
idle_keep(struct idle *idle, unsigned bot, struct bot *program, unsigned most)
{
	struct idle_program *one = memory(NULL, sizeof(*one));

	*one = (struct idle_program){ .bot = bot, .program = program };
	TAILQ_INSERT_TAIL(&idle->programs, one, at);
	if (++idle->count > most)
		idle_send_away(take(idle, TAILQ_FIRST(&idle->programs)));
}

struct bot *
idle_take(struct idle *idle, unsigned bot)
{
	struct idle_program *one, *next;
	struct bot *program;

	for (one = TAILQ_FIRST(&idle->programs); one != NULL; one = next) {
		next = TAILQ_NEXT(one, at);
		if (one->bot != bot)
			continue;
		program = take(idle, one);
		if (!program->gone)
			return program;
		bot_part(program, 0);
	}
	return NULL;
}

void
idle_traffic(const struct idle *idle, uint64_t *out, uint64_t *in)
{
	const struct idle_program *one;

	*out = *in = 0;
	TAILQ_FOREACH(one, &idle->programs, at)
	{
		*out += one->program->bytes_out;
		*in += one->program->bytes_in;
	}
}

void
idle_dismiss(struct idle *idle)
{
	while (idle->count > 0)
		idle_send_away(take(idle, TAILQ_FIRST(&idle->programs)));
}
