/* tests/fuzz/views.c */
#include "tests/fuzz/views.h"

#include <string.h>

#include "protocol/hidden.h"
#include "protocol/limits.h"
#include "tests/fuzz/fuzz.h"

/* Returns true if a viewer that knows less may read `less` if another reads
 * `more`. */
static bool
token_nests(struct fuzz_text less, struct fuzz_text more)
{
	if (less.n == more.n && memcmp(less.at, more.at, less.n) == 0)
		return true;
	return less.n > 0 && less.at[less.n - 1] == '?' && more.n >= less.n &&
	       memcmp(less.at, more.at, less.n - 1) == 0;
}

static bool
line_nests(struct fuzz_text less, struct fuzz_text more)
{
	struct fuzz_text one, other;
	bool taken;

	do {
		taken = fuzz_take(&less, ' ', &one);
		if (taken != fuzz_take(&more, ' ', &other))
			return false;
		if (taken && !token_nests(one, other))
			return false;
	} while (taken);
	return true;
}

static void
check_seat(const char *line, size_t n, unsigned seat, struct fuzz_text open,
	   struct fuzz_text all)
{
	static char text[LINE_REFEREE_BYTES];
	ssize_t used = hidden_redact(line, n, (int)seat, text);
	struct fuzz_text view = { text, (size_t)used };

	HOLDS(used >= 0);
	HOLDS(line_nests(open, view));
	HOLDS(line_nests(view, all));
}

bool
views_nest(const char *line, size_t n, unsigned seats)
{
	static char open_text[LINE_REFEREE_BYTES], all_text[LINE_REFEREE_BYTES];
	ssize_t open = hidden_redact(line, n, VIEW_PUBLIC, open_text);
	ssize_t all = hidden_redact(line, n, VIEW_ALL, all_text);
	unsigned seat;

	HOLDS((open < 0) == (all < 0));
	for (seat = 0; seat < seats && open >= 0; seat++)
		check_seat(line, n, seat,
			   (struct fuzz_text){ open_text, (size_t)open },
			   (struct fuzz_text){ all_text, (size_t)all });
	return open >= 0;
}
