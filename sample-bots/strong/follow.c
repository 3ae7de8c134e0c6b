/* follow.c - the lines that a seat is sent, cut into steps. */
#include "follow.h"

#include <string.h>

/* Returns the seat that makes the move of the current step, as a set, which is empty if
 * there is no move. */
static unsigned
mover(const struct follow *follow)
{
	if (follow->used < 6 || memcmp(follow->step, "move ", 5) != 0)
		return 0;
	return 1u << (follow->step[5] & 7);
}

static bool
take_step(struct follow *follow)
{
	bool forced = (follow->at_fault | follow->retired) & mover(follow);

	follow->at_fault = 0;
	follow->begun = true;
	follow->stale = true;
	return sample_step(&follow->sample, follow->step, follow->used,
			   forced) == 0;
}

/* ---- lines ------------------------------------------------------------ */

static bool
begins_with(const char *line, size_t n, const char *verb)
{
	size_t bytes = strlen(verb);

	return n >= bytes && memcmp(line, verb, bytes) == 0 &&
	       (n == bytes || line[bytes] == ' ');
}

/* Returns true for lines that say nothing of what happens at the table. */
static bool
is_control(const char *line, size_t n)
{
	static const char *const verbs[] = {
		"referee",  "game",	    "commit", "ask",
		"void",	    "retired",	    "over",   "abort",
		"entropy?", "entropy-over", "bye"
	};
	unsigned i;

	for (i = 0; i < NELEM(verbs); i++)
		if (begins_with(line, n, verbs[i]))
			return true;
	return false;
}

/* `fault S WHY` */
static int
take_fault(struct follow *follow, const char *line, size_t n)
{
	unsigned seat;

	if (n < 7 || line[6] < '0' ||
	    line[6] >= '0' + (int)follow->sample.game.setup.seats)
		return -1;
	if (follow_settle(follow) != 0)
		return -1;
	seat = (unsigned)(line[6] - '0');
	follow->at_fault |= 1u << seat;
	if (++follow->faults[seat] >= follow->faults_max) {
		follow->retired |= 1u << seat;
	}
	return 0;
}

void
follow_begin(struct follow *follow, const struct game_setup *setup,
	     unsigned faults, int viewer,
	     const unsigned char seed[DRAWS_SEED_BYTES])
{
	unsigned char other[DRAWS_SEED_BYTES];

	memcpy(other, seed, sizeof(other));
	other[0] ^= 1;
	sample_begin(&follow->sample, setup, viewer, seed);
	draws_seed(&follow->draws, other);
	follow->begun = follow->lost = follow->stale = false;
	follow->viewer = viewer;
	follow->faults_max = faults;
	memset(follow->faults, 0, sizeof(follow->faults));
	follow->at_fault = follow->retired = 0;
	follow->used = 0;
}

int
follow_line(struct follow *follow, const char *line, size_t n)
{
	if (follow->lost)
		return -1;
	if (is_control(line, n))
		return 0;
	if (begins_with(line, n, "fault"))
		return take_fault(follow, line, n);
	if ((begins_with(line, n, "move") || begins_with(line, n, "quiet")) &&
	    follow_settle(follow) != 0)
		return -1;
	if (n >= sizeof(follow->step) - follow->used) {
		follow->lost = true;
		return -1;
	}
	memcpy(follow->step + follow->used, line, n);
	follow->used += (unsigned)n;
	follow->step[follow->used++] = '\n';
	return 0;
}

int
follow_settle(struct follow *follow)
{
	if (!follow->lost && follow->used > 0) {
		follow->lost = !take_step(follow);
		follow->used = 0;
	}
	return follow->lost || !follow->begun ? -1 : 0;
}

void
follow_deal(struct follow *follow, struct game *to)
{
	struct sample *sample = &follow->sample;
	bool resamples = sample->game.setup.rules->resample;

	if (!resamples)
		sample_walk(sample, follow->stale
					    ? SAMPLE_FRESH * sample->deal.drawn
					    : SAMPLE_STIR);
	follow->stale = false;
	game_copy(to, &sample->game);
	if (resamples)
		game_resample(to, follow->viewer, &follow->draws);
}

void
follow_release(struct follow *follow)
{
	sample_release(&follow->sample);
}
