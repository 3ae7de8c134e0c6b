/* protocol/record-places.c - the places that a ladder counts.
 *
 * What the `result` lines say, but seats that were retired come last.  No line
 * says when a seat was retired: it is at its last `fault` line. */

#include "protocol/record-word.h"
#include "protocol/record.h"

/* Reads the `result` lines: place and points of each seat. */
static int
read_results(const struct record *record, int place[], long points[],
	     struct error *why)
{
	unsigned first;
	const struct record_line *line;
	const char *at;
	long number;

	if (record->bodies < record->forfeits + record->seats)
		return record_complain(
			why,
			record->header[record->headers].number +
				record->bodies + 1,
			"expected one `result` line for each seat, "
			"found the end of the text");
	first = record->bodies - record->forfeits - record->seats;
	for (unsigned seat = 0; seat < record->seats; seat++) {
		line = &record->body[first + seat];
		at = record_after(line, "result");
		if (at == NULL ||
		    record_take_seat(&at, record->seats) != (int)seat ||
		    record_take_number(&at, &number) != 0 || number < 1 ||
		    number > (long)record->seats ||
		    record_take_number(&at, &points[seat]) != 0 || *at != '\0')
			return record_complain(
				why, line->number,
				"expected `result %u PLACE POINTS`, "
				"found `%.80s`",
				seat, line->text);
		place[seat] = (int)number;
	}
	return 0;
}

/* Checks that the places are those of a ranking in which equals share the better
 * place. */
static int
check_places(const struct record *record, const int place[], struct error *why)
{
	unsigned line;
	int right;

	for (unsigned seat = 0; seat < record->seats; seat++) {
		right = 1;
		for (unsigned other = 0; other < record->seats; other++)
			right += place[other] < place[seat];
		if (right == place[seat])
			continue;
		line = record->bodies - record->forfeits - record->seats + seat;
		return record_complain(
			why, record->body[line].number,
			"expected place %d after the places of the "
			"other seats, found %d",
			right, place[seat]);
	}
	return 0;
}

/* Finds the decision in which each seat had its last fault, counted from 1 in steps of
 * any size; 0: it had none.  All fault lines of one decision stand together. */
static void
find_last_faults(const struct record *record, unsigned fault[SEATS_MAX])
{
	unsigned i, decision = 1;
	const char *at;
	int seat;

	for (i = 0; i < record->bodies - record->forfeits; i++) {
		at = record_after(&record->body[i], "fault");
		if (at == NULL) {
			decision += !record_after(&record->body[i], "ask");
			continue;
		}
		seat = record_take_seat(&at, record->seats);
		if (seat >= 0)
			fault[seat] = decision;
	}
}

/* Reads the `forfeit` lines: `retired[s]` is the decision in which seat s was
 * retired, or UINT32_MAX. */
static int
read_retired(const struct record *record, unsigned retired[SEATS_MAX],
	     struct error *why)
{
	unsigned fault[SEATS_MAX] = { 0 }, i, latest = 0;
	const struct record_line *line;
	const char *at;
	int seat;

	for (i = 0; i < SEATS_MAX; i++)
		retired[i] = UINT32_MAX;
	find_last_faults(record, fault);
	for (i = record->bodies - record->forfeits; i < record->bodies; i++) {
		line = &record->body[i];
		at = record_after(line, "forfeit");
		seat = record_take_seat(&at, record->seats);
		if (seat < 0 || *at == '\0')
			return record_complain(
				why, line->number,
				"expected `forfeit SEAT WHY`, found "
				"`%.80s`",
				line->text);
		if (retired[seat] != UINT32_MAX)
			return record_complain(
				why, line->number,
				"expected one `forfeit` line a seat, "
				"found a second of seat %d",
				seat);
		if (fault[seat] == 0 || fault[seat] < latest)
			return record_complain(
				why, line->number,
				"expected `forfeit` lines in the order "
				"of the seats' last `fault` lines, "
				"found `%.80s`",
				line->text);
		retired[seat] = latest = fault[seat];
	}
	return 0;
}

int
record_places(const struct record *record, int place[SEATS_MAX],
	      long points[SEATS_MAX], struct error *why)
{
	const struct record_line *aborted =
		record_header_line(record, "aborted");
	unsigned retired[SEATS_MAX], seat, other;
	int result[SEATS_MAX];

	if (aborted != NULL)
		return record_complain(
			why, aborted->number,
			"expected a game with a result, found one that "
			"was aborted");
	if (read_results(record, result, points, why) != 0 ||
	    check_places(record, result, why) != 0 ||
	    read_retired(record, retired, why) != 0)
		return -1;
	for (seat = 0; seat < record->seats; seat++) {
		place[seat] = 1;
		for (other = 0; other < record->seats; other++)
			place[seat] += retired[other] > retired[seat] ||
				       (retired[seat] == UINT32_MAX &&
					retired[other] == UINT32_MAX &&
					result[other] < result[seat]);
	}
	return 0;
}
