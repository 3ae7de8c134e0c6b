/* referee/match/match-done.c - see match-done.h. */
#include "referee/match/match-done.h"

#include <stdlib.h>

static int
by_number(const void *number, const void *done)
{
	const uint64_t a = *(const uint64_t *)number;
	const uint64_t b = ((const struct match_done *)done)->result.number;

	return (a > b) - (a < b);
}

const struct match_done *
match_resume_find(const struct match_resume *resume, uint64_t number)
{
	if (resume == NULL || resume->count == 0)
		return NULL;
	return bsearch(&number, resume->done, resume->count,
		       sizeof(*resume->done), by_number);
}

void
match_resume_release(struct match_resume *resume)
{
	for (uint64_t i = 0; i < resume->count; i++)
		text_release(&resume->done[i].faults);
	free(resume->done);
}
