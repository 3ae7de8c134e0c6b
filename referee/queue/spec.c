/* referee/queue/spec.c - see spec.h. */
#include "referee/queue/spec.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
spec_rules(const struct game_rules *rules, char text[SPEC_RULES_BYTES])
{
	snprintf(text, SPEC_RULES_BYTES, "%s/%u/%d", rules->name,
		 (unsigned)rules->version, SPEC_FORMAT);
}

const char **
spec_known(size_t *n)
{
	const char **known;
	char *text;

	for (*n = 0; games[*n] != NULL; (*n)++)
		;
	known = memory(NULL, *n * (sizeof(*known) + SPEC_RULES_BYTES));
	text = (char *)(known + *n);
	for (size_t i = 0; i < *n; i++, text += SPEC_RULES_BYTES) {
		spec_rules(games[i], text);
		known[i] = text;
	}
	return known;
}

enum spec_age
spec_age(const char *rules)
{
	const size_t name = strcspn(rules, "/");
	unsigned long version, format;
	char *end;

	for (unsigned i = 0; rules[name] != '\0' && games[i] != NULL; i++) {
		if (strlen(games[i]->name) != name ||
		    memcmp(games[i]->name, rules, name) != 0)
			continue;
		version = strtoul(rules + name + 1, &end, 10);
		format = *end == '/' ? strtoul(end + 1, NULL, 10) : 0;
		if (version > games[i]->version || format > SPEC_FORMAT)
			return SPEC_NEWER;
		return version == games[i]->version && format == SPEC_FORMAT
			       ? SPEC_KNOWN
			       : SPEC_OLDER;
	}
	return SPEC_STRANGE;
}

void
spec_write(const struct job *job, struct text *to)
{
	struct sandbox_box box[SEATS_MAX];
	struct job plain = *job;
	struct spawner_task *program;

	memset(plain.setup.deal.secret, 0, sizeof(plain.setup.deal.secret));
	plain.setup.given = false;
	for (unsigned s = 0; s < job->setup.game.seats; s++) {
		if (!job_seat_is_program(&job->seat[s]))
			continue;
		program = &plain.seat[s].program;
		box[s] = *program->box;
		box[s].folder = NULL;
		program->folder = job->seat[s].content;
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

	for (unsigned s = 0; s < SEATS_MAX; s++)
		hash[s] = NULL;
	for (unsigned s = 0; job != NULL && s < job->setup.game.seats; s++) {
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

const char *
spec_open(const struct pg_answer *answer, unsigned row, unsigned column,
	  const struct seal_key *key, struct job **job,
	  const char *hash[SEATS_MAX])
{
	unsigned char commit[DEAL_COMMIT_BYTES];
	struct table_setup *setup;
	const char *bytes;
	size_t n;

	bytes = pg_bytes(answer, row, column + 1, &n);
	*job = spec_read(bytes, n, hash);
	if (*job == NULL)
		return "its spec cannot be read";
	setup = &(*job)->setup;
	if (strcmp(pg_string(answer, row, column), setup->deal.id) != 0)
		return "its spec is that of another game";
	bytes = pg_bytes(answer, row, column + 3, &n);
	if (sodium_hex2bin(commit, sizeof(commit), bytes, n, NULL, &n, NULL) !=
		    0 ||
	    n != sizeof(commit))
		return "its commitment cannot be read";
	memcpy(setup->deal.commit, commit, sizeof(commit));
	bytes = pg_bytes(answer, row, column + 2, &n);
	if (!seal_open(key, &setup->deal, bytes, n))
		return SPEC_SEALED;
	deal_commit(&setup->deal);
	if (memcmp(setup->deal.commit, commit, sizeof(commit)) != 0)
		return "its secret does not fit its commitment";
	setup->given = !pg_null(answer, row, column + 4);
	bytes = pg_bytes(answer, row, column + 4, &n);
	if (setup->given && !spec_entropy_read(bytes, n, setup->game.seats,
					       &setup->given_entropy))
		return "its entropy cannot be read";
	return NULL;
}
