/* referee/runner/idle.c - a short queue. */
#include "referee/runner/idle.h"

#include <stdlib.h>

#include "protocol/limits.h"

struct idle_program {
	struct idle_program *next;
	unsigned bot;
	struct bot *program;
};

void
idle_init(struct idle *idle)
{
	*idle = (struct idle){ .end = &idle->first };
}

static struct bot *
unlink_at(struct idle *idle, struct idle_program **at)
{
	struct idle_program *one = *at;
	struct bot *program = one->program;

	*at = one->next;
	if (idle->end == &one->next)
		idle->end = at;
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
	*idle->end = one;
	idle->end = &one->next;
	if (++idle->count > most)
		idle_send_away(unlink_at(idle, &idle->first));
}

struct bot *
idle_take(struct idle *idle, unsigned bot)
{
	struct idle_program **at = &idle->first;
	struct bot *program;

	while (*at != NULL) {
		if ((*at)->bot != bot) {
			at = &(*at)->next;
			continue;
		}
		program = unlink_at(idle, at);
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
	for (one = idle->first; one != NULL; one = one->next) {
		*out += one->program->bytes_out;
		*in += one->program->bytes_in;
	}
}

void
idle_dismiss(struct idle *idle)
{
	while (idle->first != NULL)
		idle_send_away(unlink_at(idle, &idle->first));
}
