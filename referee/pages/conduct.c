/* referee/pages/conduct.c - see conduct.h. */
#include "referee/pages/conduct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"

void
conduct_release(struct conduct *conduct)
{
	free(conduct->fault);
	free(conduct->ms);
}

static void
add_fault(struct conduct *conduct, const char *id, unsigned at, int seat,
	  enum fault kind)
{
	if (conduct->of_kind[kind]++ >= CONDUCT_FAULTS)
		return;
	conduct->fault =
		grown(conduct->fault, conduct->faults, sizeof(*conduct->fault));
	conduct->fault[conduct->faults] =
		(struct conduct_fault){ .at = at, .seat = seat, .kind = kind };
	snprintf(conduct->fault[conduct->faults++].id, ID_BYTES + 1, "%s", id);
}

static void
add_time(struct conduct *conduct, double ms)
{
	if (conduct->times == CONDUCT_TIMES)
		return;
	*ADDED(conduct->ms, conduct->times) = (float)ms;
}

/* Adds the time of `move S … ; 0.123ms`. */
static void
add_move(struct conduct *conduct, const struct record_line *line, unsigned seat)
{
	char *end;
	double ms;

	if (strncmp(line->text, "move ", 5) != 0 ||
	    (unsigned)(line->text[5] - '0') != seat || line->comment == NULL)
		return;
	ms = strtod(line->comment, &end);
	if (end != line->comment && strncmp(end, "ms", 2) == 0)
		add_time(conduct, ms);
}

/* Adds the times of all asks that were sent.  Returns true if there are any. */
static bool
add_asks(struct conduct *conduct, const struct asks *asks, unsigned seat)
{
	const struct asks_ask *ask;
	bool any = false;

	for (unsigned i = 0; asks != NULL && i < asks->count; i++) {
		ask = &asks->ask[i];
		if (ask->seat != seat || ask->number == 0)
			continue;
		any = true;
		add_time(conduct, (double)ask->us / 1000);
	}
	return any;
}

/* Returns the number in a header line `KEY S NUMBER`, or -1 if there is none. */
static double
seat_number(const struct record *record, const char *key, unsigned seat)
{
	char begin[32];
	int n = snprintf(begin, sizeof(begin), "%s %u ", key, seat);

	for (unsigned i = 0; i < record->headers; i++)
		if (strncmp(record->header[i].text, begin, (size_t)n) == 0)
			return strtod(record->header[i].text + n, NULL);
	return -1;
}

static void
raise_to(double *most, double value)
{
	if (value > *most)
		*most = value;
}

void
conduct_add(struct conduct *conduct, const struct record *record, unsigned seat,
	    bool times, const struct asks *asks)
{
	const char *limit = record_header(record, "time");
	const struct record_line *line;
	unsigned i, at = 0, of;
	enum fault kind;

	conduct->games++;
	for (i = 0; i < record->bodies; i++) {
		line = &record->body[i];
		if (strncmp(line->text, "ask ", 4) == 0)
			continue;
		at++;
		if (fault_line(line->text, line->n, &of, &kind) && of == seat)
			add_fault(conduct, record->id, at,
				  times ? (int)seat : VIEW_PUBLIC, kind);
	}
	if (!times)
		return;
	if (!add_asks(conduct, asks, seat))
		for (i = 0; i < record->bodies; i++)
			add_move(conduct, &record->body[i], seat);
	if (limit != NULL)
		conduct->limit_ms = strtod(limit, NULL);
	raise_to(&conduct->cpu_ms, seat_number(record, "cpu", seat));
	raise_to(&conduct->memory_kib, seat_number(record, "memory", seat));
}

static int
by_time(const void *left, const void *right)
{
	const float *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

double
conduct_time(struct conduct *conduct, double part)
{
	if (conduct->times == 0)
		return 0;
	qsort(conduct->ms, conduct->times, sizeof(*conduct->ms), by_time);
	return conduct->ms[(unsigned)(part * (conduct->times - 1))];
}
