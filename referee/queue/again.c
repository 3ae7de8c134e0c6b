/* referee/queue/again.c - see again.h. */
#include "referee/queue/again.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/fault.h"
#include "referee/queue/residuals.h"

/* The next line without its comment and LF; false: there is none. */
static bool
next_line(const char **at, const char *end, const char **line, size_t *n)
{
	const char *lf, *comment;

	if (*at == end)
		return false;
	lf = memchr(*at, '\n', (size_t)(end - *at));
	if (lf == NULL)
		lf = end;
	*line = *at;
	*n = (size_t)(lf - *at);
	comment = memmem(*line, *n, " ;", 2);
	if (comment != NULL)
		*n = (size_t)(comment - *line);
	*at = lf == end ? end : lf + 1;
	return true;
}

/* `move S ...`: S; else -1. */
static int
mover(const char *line, size_t n)
{
	static const char word[] = "move ";
	const size_t at = sizeof(word) - 1;

	return n > at + 1 && memcmp(line, word, at) == 0 && line[at] >= '0' &&
			       line[at] <= '9' && line[at + 1] == ' '
		       ? line[at] - '0'
		       : -1;
}

/* What is lost on one machine may not be on another. */
static bool
lost_time(const char *body, size_t n)
{
	unsigned count[SEATS_MAX][FAULT_KINDS] = { 0 };
	unsigned lost = 0;

	fault_count(body, n, count);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		lost += count[s][FAULT_TIMEOUT] + count[s][FAULT_CRASH];
	return lost > 0;
}

enum again
again_compare(const char *record, size_t n, const char *body, size_t m,
	      unsigned *seat)
{
	static const char pruned[] = "\npruned ";
	const char *first = memmem(record, n, "\n\n", 2), *line, *other;
	const char *end = record + n, *body_end = body + m;
	size_t a, b;
	bool more;
	int s;

	if (first == NULL || memmem(record, (size_t)(first - record), pruned,
				    sizeof(pruned) - 1) != NULL)
		return AGAIN_UNKNOWN;
	first += 2;
	if (lost_time(first, (size_t)(end - first)) || lost_time(body, m))
		return AGAIN_UNKNOWN;
	for (;;) {
		more = next_line(&first, end, &line, &a);
		if (next_line(&body, body_end, &other, &b) != more)
			return AGAIN_UNKNOWN;
		if (!more)
			return AGAIN_SAME;
		if (a != b || memcmp(line, other, a) != 0)
			break;
	}
	s = mover(line, a);
	if (s < 0 || s >= SEATS_MAX || s != mover(other, b))
		return AGAIN_UNKNOWN;
	*seat = (unsigned)s;
	return AGAIN_OTHER;
}

double
again_chance(const struct again_bot bot[], size_t n)
{
	double sum = 0;
	unsigned bots = 0;

	for (size_t i = 0; i < n; i++) {
		if (bot[i].other < 1 || bot[i].share >= 1)
			continue;
		bots++;
		if (bot[i].here > bot[i].other * bot[i].share)
			sum += bot[i].other *
			       residuals_divergence(bot[i].here / bot[i].other,
						    bot[i].share);
	}
	return residuals_chance(2 * sum, 2 * bots);
}
