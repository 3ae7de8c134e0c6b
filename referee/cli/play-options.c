/* referee/cli/play-options.c - see play-options.h. */
#include "referee/cli/play-options.h"

#include <signal.h>
#include <sodium.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/cli/arguments.h"
#include "referee/sandbox/sandbox.h"

/* Everybody on the machine can read our arguments, and with the seed know all
 * cards: no bot runs yet, and when the first does it is not there. */
static void
take_seed(char seed[SEED_BYTES + 1], char *arg)
{
	const size_t n = strlen(arg);

	if (n == 0 || n > SEED_BYTES)
		refuse_argument("--seed takes 1 to %d bytes", SEED_BYTES);
	memcpy(seed, arg, n + 1);
	memset(arg, '*', n);
}

static uint64_t
microseconds(const char *option, const char *arg, uint64_t min, uint64_t max)
{
	return argument_number(option, arg, min, max) * 1000;
}

void
play_options_default(struct play_options *options)
{
	options->clock.time_us = (uint64_t)MOVE_TIME_MS * 1000;
	options->faults = FAULTS_DEFAULT;
}

error_t
play_options_parse(struct play_options *options, int key, char *arg)
{
	struct seat_clock *clock = &options->clock;

	switch (key) {
	case KEY_MOVE_TIME:
		clock->time_us =
			microseconds("--move-time", arg, 1, TIME_MS_MAX);
		break;
	case KEY_BANK:
		clock->bank_us = microseconds("--bank", arg, 0, TIME_MS_MAX);
		break;
	case KEY_INCREMENT:
		clock->increment_us =
			microseconds("--increment", arg, 0, TIME_MS_MAX);
		break;
	case KEY_TOTAL:
		clock->total_us = microseconds("--total", arg, 1, TOTAL_MS_MAX);
		break;
	case KEY_FAULTS:
		options->faults = (unsigned)argument_number("--faults", arg, 1,
							    FAULTS_MAX);
		break;
	case KEY_SEED:
		take_seed(options->seed, arg);
		break;
	case KEY_SANDBOX:
		options->sandbox =
			argument_word("--sandbox", arg, sandbox_wants);
		break;
	case KEY_JSON:
		options->json = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
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
