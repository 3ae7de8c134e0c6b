/* referee/cli/play-options.c - see play-options.h. */
#include "referee/cli/play-options.h"

#include <signal.h>
#include <sodium.h>
#include <string.h>

#include "referee/base/command.h"

/* Overwrites the argument, because every user of the machine can read our
 * arguments, and the seed tells all cards.  No bot runs yet, so none can have
 * seen it. */
void
play_take_seed(void *to, const struct argument *option, char *arg)
{
	const size_t n = strlen(arg);

	if (n == 0 || n > SEED_BYTES)
		refuse_argument("--seed takes 1 to %d bytes", SEED_BYTES);
	memcpy(argument_field(option, to), arg, n + 1);
	memset(arg, '*', n);
}

void
play_options_default(struct play_options *options)
{
	options->clock.time_us = (uint64_t)MOVE_TIME_MS * 1000;
	options->faults = FAULTS_DEFAULT;
}

bool
play_seed(struct play_options *options, size_t bytes)
{
	unsigned char drawn[SEED_BYTES / 2];

	if (options->seed[0] != '\0')
		return true;
	randombytes_buf(drawn, bytes);
	sodium_bin2hex(options->seed, sizeof(options->seed), drawn, bytes);
	return false;
}

void
play_raise(int caught)
{
	if (caught != 0) {
		signal(caught, SIG_DFL);
		raise(caught);
	}
}
