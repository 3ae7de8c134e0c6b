/* referee/show-followers.c - see show-followers.h. */
#include "referee/show-followers.h"

#include <stdint.h>
#include <stdio.h>

#include "referee/command.h"
#include "referee/json-line.h"

static void
show_follower(const struct pg_answer *answer, unsigned row, bool json)
{
	const uint64_t behind = (uint64_t)pg_number(answer, row, 1);
	json_t *cannot = pg_null(answer, row, 6) || !json
				 ? NULL
				 : json_any_string(pg_string(answer, row, 6));

	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "follower"),
				JSON("follower", json_any_string(pg_string(
							 answer, row, 0))),
				INT("behind", pg_number(answer, row, 1)),
				REAL("behind_s", pg_real(answer, row, 2)),
				INT("roster", pg_number(answer, row, 3)),
				INT("roster_behind", pg_number(answer, row, 4)),
				INT("seen_s", pg_number(answer, row, 5)),
				JSON_IF("why", cannot)),
			0);
		return;
	}
	printf("follower  ");
	print_escaped(stdout, pg_string(answer, row, 0));
	printf(": %s behind", counted(behind, "verdict").text);
	if (behind > 0)
		printf(", the oldest for %s",
		       counted((uint64_t)pg_real(answer, row, 2), "second")
			       .text);
	if (pg_number(answer, row, 4) > 0)
		printf(", %s of the roster",
		       counted((uint64_t)pg_number(answer, row, 4), "change")
			       .text);
	printf(", heard from %s ago",
	       counted((uint64_t)pg_number(answer, row, 5), "second").text);
	if (!pg_null(answer, row, 6)) {
		printf(": ");
		print_escaped(stdout, pg_string(answer, row, 6));
	}
	putchar('\n');
}

int
show_followers(struct pg_line *line, bool json, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT f.follower, f.behind, f.behind_s, f.state,"
		" greatest(0, r.state - f.state),"
		" greatest(0, extract(epoch FROM now() - f.seen))::int8, f.why"
		" FROM referee.follower f, referee.roster r,"
		" referee.house h WHERE h.holder IS DISTINCT FROM f.follower"
		" ORDER BY f.follower",
		"");

	if (answer->outcome != PG_DONE)
		return error_set(why, ERROR_MACHINE, "%s", answer->why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		show_follower(answer, i, json);
	return 0;
}
