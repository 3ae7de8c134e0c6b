/* tests/unit/queue-job.c - makes jobs of a queue for the scripts in
 * tests/end-to-end, as a daemon would, and reads the reports of workers.
 *
 *	queue-job make KEY GAME SEED FIRST COUNT ENTROPY MOVE-MS BOT...
 *
 * prints a line for each game: ID, commitment, spec, sealed secret (in hex),
 * and the rules.  BOT is NAME=HASH, or NAME=random.  With ENTROPY 1 the bots
 * are asked for entropy; they have MOVE-MS for each move.
 *
 *	queue-job read
 *
 * prints the record of a report, whose bytes (in hex) come on standard input. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/file.h"
#include "referee/queue/seal.h"
#include "referee/queue/spec.h"

#define FAULTS 3

static char *const nothing[] = { (char *)(uintptr_t) "sh", NULL };

static void
print_hex(const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++)
		printf("%02x", byte[i]);
	putchar(' ');
}

static void
print_job(const struct seal_key *key, const struct job *job)
{
	unsigned char sealed[SEAL_BYTES];
	char rules[SPEC_RULES_BYTES];
	struct text spec;

	text_init(&spec, JOB_BYTES);
	spec_write(job, &spec);
	seal_close(key, &job->setup.deal, sealed);
	spec_rules(job->setup.game.rules, rules);
	printf("%s ", job->setup.deal.id);
	print_hex(job->setup.deal.commit, sizeof(job->setup.deal.commit));
	print_hex(spec.bytes, spec.used);
	print_hex(sealed, sizeof(sealed));
	puts(rules);
	text_release(&spec);
}

static int
make(int argc, char **argv)
{
	struct sandbox_box box = { .limits = sandbox_limits_default };
	const char *is;
	struct seal_key key;
	struct error why;
	struct job job;
	uint64_t i, first = strtoull(argv[4], NULL, 10);
	unsigned seats = (unsigned)argc - 8, s;

	if (seal_key_load(argv[1], &key, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	memset(&job, 0, sizeof(job));
	game_setup_init(&job.setup.game, game_find(argv[2]), (uint8_t)seats);
	job.setup.clock.time_us = strtoull(argv[7], NULL, 10) * 1000;
	job.setup.faults = FAULTS;
	box.limits.memory_mib = 512;
	box.limits.processes = 64;
	for (s = 0; s < seats; s++) {
		is = strchr(argv[8 + s], '=') + 1;
		snprintf(job.setup.name[s], sizeof(job.setup.name[s]), "%.*s",
			 (int)(is - 1 - argv[8 + s]), argv[8 + s]);
		if (strcmp(is, "random") == 0) {
			job.seat[s].builtin = is;
			continue;
		}
		job.seat[s].content = is;
		job.setup.entropy[s] = strcmp(argv[6], "1") == 0;
		job.seat[s].program =
			(struct spawner_task){ .argv = nothing, .box = &box };
	}
	for (i = first; i < first + strtoull(argv[5], NULL, 10); i++) {
		deal_from_seed(&job.setup.deal, argv[3], i);
		job.setup.deal.seeded = false;
		print_job(&key, &job);
	}
	return 0;
}

static int
read_result(void)
{
	struct job_result result;
	struct text hex;
	char *bytes;
	size_t n = 0;
	bool good;

	text_init(&hex, 2 * RESULT_BYTES + 2);
	if (file_load("/dev/stdin", &hex) < 0)
		return 1;
	bytes = memory(NULL, hex.used / 2 + 1);
	good = sodium_hex2bin((unsigned char *)bytes, hex.used / 2 + 1,
			      hex.bytes, hex.used, "\n", &n, NULL) == 0;
	text_release(&hex);
	job_result_init(&result);
	good = good && job_result_read(&result, bytes, n);
	if (good) {
		fwrite(result.header.bytes, 1, result.header.used, stdout);
		putchar('\n');
		fwrite(result.body.bytes, 1, result.body.used, stdout);
	}
	job_result_release(&result);
	free(bytes);
	return good ? 0 : 1;
}

int
main(int argc, char **argv)
{
	if (sodium_init() < 0)
		return 1;
	if (argc >= 11 && strcmp(argv[1], "make") == 0)
		return make(argc - 1, argv + 1);
	if (argc == 2 && strcmp(argv[1], "read") == 0)
		return read_result();
	fputs("queue-job make KEY GAME SEED FIRST COUNT ENTROPY MOVE-MS "
	      "BOT... or queue-job read\n",
	      stderr);
	return 2;
}
