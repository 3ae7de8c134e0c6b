/* referee/queue/spec.c - see spec.h. */
#include "referee/queue/spec.h"

#include <stdio.h>
#include <string.h>

#include "referee/runner/channel.h"

void
spec_rules(const struct game_rules *rules, char text[SPEC_RULES_BYTES])
{
	snprintf(text, SPEC_RULES_BYTES, "%s/%u/%d", rules->name,
		 (unsigned)rules->version, CHANNEL_VERSION);
}

void
spec_write(const struct job *job, const char *const hash[SEATS_MAX],
	   struct text *to)
{
	struct sandbox_box box[SEATS_MAX];
	struct job plain = *job;
	struct spawner_job *program;
	unsigned s;

	memset(plain.setup.deal.secret, 0, sizeof(plain.setup.deal.secret));
	plain.setup.given = false;
	for (s = 0; s < job->setup.game.seats; s++) {
		if (!job_seat_is_program(&job->seat[s]))
			continue;
		program = &plain.seat[s].program;
		box[s] = *program->box;
		box[s].folder = NULL;
		program->folder = hash[s];
		program->box = &box[s];
	}
	job_write(&plain, to);
}

static bool
is_hash(const char *text)
{
	return text != NULL && strlen(text) == ROSTER_CONTENT_BYTES &&
	       strspn(text, "0123456789abcdef") == ROSTER_CONTENT_BYTES;
}

struct job *
spec_read(const char *bytes, size_t n, const char *hash[SEATS_MAX])
{
	struct job *job = job_read(bytes, n);
	const struct job_seat *seat;
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		hash[s] = NULL;
	for (s = 0; job != NULL && s < job->setup.game.seats; s++) {
		seat = &job->seat[s];
		if (!job_seat_is_program(seat))
			continue;
		hash[s] = seat->program.folder;
		if (seat->program.box != NULL && is_hash(hash[s]))
			continue;
		job_free(job);
		job = NULL;
	}
	return job;
}

void
spec_entropy_write(const struct entropy *entropy, unsigned seats,
		   struct text *to)
{
	for (unsigned s = 0; s < seats; s++) {
		text_add(to, &entropy->bytes[s], 1);
		if (entropy->bytes[s] > 0)
			text_add(to, entropy->byte[s], entropy->bytes[s]);
	}
}

bool
spec_entropy_read(const char *bytes, size_t n, unsigned seats,
		  struct entropy *entropy)
{
	size_t some;

	memset(entropy, 0, sizeof(*entropy));
	for (unsigned s = 0; s < seats; s++) {
		if (n == 0)
			return false;
		some = (unsigned char)*bytes;
		if (some > ENTROPY_BYTES || some > n - 1)
			return false;
		memcpy(entropy->byte[s], bytes + 1, some);
		entropy->bytes[s] = (uint8_t)some;
		bytes += 1 + some;
		n -= 1 + some;
	}
	return n == 0;
}
