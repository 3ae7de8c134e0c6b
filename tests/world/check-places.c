/* tests/world/check-places.c - the places of a record, by protocol/RECORD.md alone. */
#include <stdio.h>
#include <string.h>

#include "tests/world/check-inside.h"

struct placed {
	unsigned result;  /* 0: it has none */
	unsigned retired; /* a later one was retired later; 0: it was not */
	unsigned fault;	  /* the decision of its last fault */
};

static bool
is_better(const struct placed *a, const struct placed *b)
{
	if (a->retired != 0 || b->retired != 0)
		return b->retired != 0 &&
		       (a->retired == 0 || a->retired > b->retired);
	return a->result < b->result;
}

/* Two faults belong to one decision if there are only faults and asks between them. */
static void
read_body(const struct record *record, struct placed placed[SEATS_MAX])
{
	const struct record_line *line = record->body;
	unsigned seat, place, decision = 1;

	for (; line < record->body + record->bodies; line++) {
		if (sscanf(line->text, "result %u %u ", &seat, &place) == 2 &&
		    seat < record->seats)
			placed[seat].result = place;
		else if (sscanf(line->text, "forfeit %u ", &seat) == 1 &&
			 seat < record->seats)
			placed[seat].retired = placed[seat].fault;
		else if (sscanf(line->text, "fault %u ", &seat) == 1 &&
			 seat < record->seats)
			placed[seat].fault = decision;
		else if (strncmp(line->text, "ask ", 4) != 0)
			decision++;
	}
}

char *
check_placing(const struct record *record)
{
	struct placed placed[SEATS_MAX] = { { 0 } };
	struct text text = { .max = SIZE_MAX };
	unsigned seat, other, place;

	read_body(record, placed);
	for (seat = 0; seat < record->seats; seat++) {
		if (placed[seat].result == 0) {
			text_release(&text);
			return NULL;
		}
		place = 1;
		for (other = 0; other < record->seats; other++)
			place += is_better(&placed[other], &placed[seat]);
		text_fmt(&text, "%s%s %u", seat == 0 ? "" : " ",
			 record->name[seat], place);
	}
	text_string(&text);
	return text.bytes;
}
