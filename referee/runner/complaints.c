/* referee/runner/complaints.c - says in a sentence how a program ended. */
#include "referee/runner/complaints.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "referee/base/error-line.h"
#include "referee/base/progress.h"
#include "referee/runner/job.h"

#define QUOTE_BYTES 200 /* a longer line ends in "..." */

/* Returns false for our own signals: after a program was let go, SIGKILL ends
 * one that does not leave, and SIGPIPE one that talks on. */
static bool
is_worth_telling(const struct bot_end *end, int number)
{
	if (end->over)
		return true;
	return end->status == 0 || number == SIGKILL ? end->early
						     : number != SIGPIPE;
}

bool
complaints_sentence(const struct bot_end *end, char to[COMPLAINT_BYTES])
{
	int number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
	size_t used;

	to[0] = '\0';
	if (!is_worth_telling(end, number))
		return false;
	if (number == SIGKILL)
		snprintf(to, COMPLAINT_BYTES, "was killed%s",
			 end->over ? ""
				   : ", or closed its output and lived on");
	else if (number != 0)
		snprintf(to, COMPLAINT_BYTES, "was ended by signal %d (%s)",
			 number, strsignal(number));
	else
		snprintf(to, COMPLAINT_BYTES, "ended with status %d%s",
			 WEXITSTATUS(end->status),
			 end->early && end->status == 0 ? COMPLAINT_EARLY : "");
	used = strlen(to);
	if (end->over)
		snprintf(to + used, COMPLAINT_BYTES - used,
			 ": its processes had more memory together than a bot "
			 "may have, or more files in /tmp");
	return true;
}

bool
complaints_job_sentence(const struct job_end *end, char to[COMPLAINT_BYTES])
{
	const struct bot_end how = { .started = true,
				     .early = end->early,
				     .over = end->over,
				     .status = end->status };

	to[0] = '\0';
	return end->known && end->started && !end->machine &&
	       complaints_sentence(&how, to);
}

const char *
complaints_hint(const char *text, size_t n)
{
	static const char *const words[] = {
		"Address family not supported", /* the error in a box */
		"address family not supported",
		"EAFNOSUPPORT",
		"name resolution",
	};

	for (size_t i = 0; n > 0 && i < NELEM(words); i++)
		if (memmem(text, n, words[i], strlen(words[i])) != NULL)
			return "did it want the network? a bot has none in its "
			       "sandbox";
	return NULL;
}

void
complaints_hear(struct complaints *complaints, const char *name, unsigned bot,
		uint64_t game, unsigned seat, const struct job_end *end)
{
	char how[COMPLAINT_BYTES], said[QUOTE_BYTES + 7];

	if (!complaints_job_sentence(end, how) ||
	    complaints->told[bot] == COMPLAINTS_A_BOT)
		return;
	complaints->told[bot]++;
	if (complaints->progress)
		progress_erase();
	fprintf(stderr, "bot %s (game %" PRIu64 ", seat %u) %s", name, game,
		seat, how);
	error_line_quote(end->complaint.bytes, end->complaint.used, said,
			 sizeof(said));
	fprintf(stderr, "%s%s\n", said[0] == '\0' ? "" : "; it said: ", said);
}
