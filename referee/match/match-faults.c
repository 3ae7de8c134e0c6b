/* referee/match/match-faults.c - counts faults by kind from the bodies of
 * records. */
#include "referee/match/match-faults.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "protocol/error.h"

static void
count(struct match_faults *faults, uint64_t number, unsigned seat,
      enum fault fault)
{
	faults->kind[fault]++;
	if (faults->game != 0 && faults->game <= number)
		return;
	faults->game = number;
	faults->seat = seat;
	faults->first = fault;
}

void
match_faults_add(struct match_faults faults[], uint64_t number,
		 const unsigned bot[], const struct text *body)
{
	const char *line = body->bytes, *end, *lf;
	unsigned starved[SEATS_MAX] = { 0 };
	enum fault fault;
	unsigned seat;

	if (body->used > 0)
		fault_count_starved(line, body->used, starved);
	for (seat = 0; seat < SEATS_MAX; seat++)
		if (starved[seat] > 0)
			faults[bot[seat]].starved += starved[seat];

	for (end = line + body->used; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		if (lf == NULL)
			return;
		if (fault_line(line, (size_t)(lf - line), &seat, &fault))
			count(&faults[bot[seat]], number, seat, fault);
	}
}

static void
add_slip(struct match_slip *slip, uint64_t number, unsigned seat,
	 const struct seat_slip *told)
{
	slip->count += told->count;
	if (told->count == 0 || (slip->game != 0 && slip->game <= number))
		return;
	slip->game = number;
	slip->seat = seat;
	memcpy(slip->first, told->first, sizeof(slip->first));
}

void
match_slips_add(struct match_faults faults[], uint64_t number,
		const unsigned bot[], unsigned seats,
		const struct table_outcome *outcome)
{
	for (unsigned s = 0; s < seats; s++)
		for (unsigned i = 0; i < SLIPS; i++)
			add_slip(&faults[bot[s]].slip[i], number, s,
				 &outcome->slip[s][i]);
}

static void
print_slips(const char *name, const struct match_slip slip[SLIPS])
{
	static const char *const did[SLIPS] = {
		[SLIP_FALLBACK] = "made the first legal move instead",
		[SLIP_FAILED] = "failed while it was told something",
	};

	for (unsigned i = 0; i < SLIPS; i++)
		if (slip[i].count > 0)
			fprintf(stderr,
				"bot %s %s %s: %s (game %" PRIu64
				", seat %u)\n",
				name, did[i],
				counted(slip[i].count, "time").text,
				slip[i].first, slip[i].game, slip[i].seat);
}

static void
print_bot(const char *name, const struct match_faults *faults, uint64_t all)
{
	const char *before = ": ";
	enum fault fault;

	fprintf(stderr, "bot %s: %s", name, counted(all, "fault").text);
	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++) {
		if (faults->kind[fault] == 0)
			continue;
		fprintf(stderr, "%s%" PRIu64 " %s", before, faults->kind[fault],
			fault_name(fault));
		before = ", ";
	}
	fprintf(stderr, "; the first in game %" PRIu64 " (seat %u): %s\n",
		faults->game, faults->seat, fault_name(faults->first));
}

void
match_faults_print(const char *name, const struct match_faults *faults,
		   uint64_t all)
{
	if (all > 0)
		print_bot(name, faults, all);
	print_slips(name, faults->slip);
}
