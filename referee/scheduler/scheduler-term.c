/* referee/scheduler/scheduler-term.c - see scheduler-term.h. */
#include "referee/scheduler/scheduler-term.h"

#include <inttypes.h>
#include <stdio.h>

#include "protocol/date.h"

#define DAY_MS INT64_C(86400000)

/* Returns the number of the part of a day at this moment; each day has `parts`. */
static int64_t
part_at(int64_t ms, int64_t parts)
{
	return ms / DAY_MS * parts + ms % DAY_MS * parts / DAY_MS;
}

/* Returns the first millisecond of a part. */
static int64_t
part_begins(int64_t part, int64_t parts)
{
	return part / parts * DAY_MS +
	       (part % parts * DAY_MS + parts - 1) / parts;
}

void
term_use(struct term *term, const struct config_ladder *ladder, int64_t now_ms)
{
	term->games_a_day = ladder->games_a_day;
	term->used = part_at(now_ms, (int64_t)ladder->games_a_day);
}

static bool
is_paced(struct term *term, const struct config_ladder *ladder, int64_t now_ms)
{
	if (ladder->games_a_day == 0)
		return false;
	/* A clock that was set back would stop the ladder until it is there again. */
	if (term->games_a_day != ladder->games_a_day ||
	    term->used > part_at(now_ms, (int64_t)ladder->games_a_day))
		term_use(term, ladder, now_ms);
	return term->used == part_at(now_ms, (int64_t)ladder->games_a_day);
}

/* Returns when the next part of the day begins. */
static int64_t
next_part(const struct config_ladder *ladder, int64_t now_ms)
{
	const int64_t parts = (int64_t)ladder->games_a_day;

	return part_begins(part_at(now_ms, parts) + 1, parts);
}

enum term_phase
term_look(struct term *term, const struct config_ladder *ladder, int64_t now_ms)
{
	char date[DATE_BYTES];

	term->why[0] = '\0';
	term->paced = false;
	if (ladder->begins != 0 && now_ms < ladder->begins * 1000) {
		date_write(ladder->begins, date);
		snprintf(term->why, sizeof(term->why), "the games begin at %s",
			 date);
		return TERM_BEFORE;
	}
	if (ladder->ends != 0 && now_ms >= ladder->ends * 1000) {
		date_write(ladder->ends, date);
		snprintf(term->why, sizeof(term->why), "the games ended at %s",
			 date);
		return TERM_AFTER;
	}
	if (!is_paced(term, ladder, now_ms))
		return TERM_OPEN;
	date_write((next_part(ladder, now_ms) + 999) / 1000, date);
	snprintf(term->why, sizeof(term->why),
		 "games-a-day is %" PRIu64
		 ", and the next game may begin at %s",
		 ladder->games_a_day, date);
	term->paced = true;
	return TERM_PACED;
}

int64_t
term_next(const struct term *term, const struct config_ladder *ladder,
	  int64_t now_ms)
{
	const int64_t dates[] = { ladder->begins, ladder->freezes,
				  ladder->ends };
	int64_t next = 0;

	if (ladder->games_a_day != 0 && term->why[0] != '\0')
		next = next_part(ladder, now_ms);
	for (unsigned i = 0; i < NELEM(dates); i++)
		if (dates[i] * 1000 > now_ms &&
		    (next == 0 || dates[i] * 1000 < next))
			next = dates[i] * 1000;
	return next;
}
