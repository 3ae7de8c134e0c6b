/* tests/world/check-read.c - no bot has read more than it may: compares what each one
 * was sent with the record of the game.
 *
 * An event line must be the one that tests/unit/secrets.h says of the record's line in
 * its place.  An ask must be one that the rules give to this seat before the same event
 * line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "referee/records/verify-header.h"
#include "referee/records/verify.h"
#include "tests/unit/secrets.h"
#include "tests/world/check-inside.h"

/* An ask by the rules. */
struct rule_ask {
	unsigned seat;
	size_t events; /* event lines before it */
	char *line;    /* owned; `ask S TOKEN…` */
};

struct reading {
	struct verify_watch watch; /* first: the callback gets its address */
	struct check *check;
	const struct record *record;
	size_t *before; /* owned: of each line of the body, the events before it */
	size_t events; /* of the whole game */
	char **view;   /* owned: what the present seat may read, by event */
	struct rule_ask *ask; /* owned */
	size_t asks, room;
};

/* Returns true for lines of a body that no bot is sent. */
static bool
is_silent(const char *line)
{
	return strncmp(line, "ask ", 4) == 0 ||
	       strncmp(line, "forfeit ", 8) == 0;
}

/* Returns true if the referee's line tells nothing of what happens at the table. */
static bool
is_control(const char *line)
{
	static const char *const verbs[] = {
		"referee", "game",     "commit",       "void",	  "over",
		"abort",   "entropy?", "entropy-over", "retired", "bye",
		"error",   "ping",     "awaits",       "gone"
	};
	const size_t n = strcspn(line, " ");

	for (size_t i = 0; i < NELEM(verbs); i++)
		if (strlen(verbs[i]) == n && strncmp(line, verbs[i], n) == 0)
			return true;
	return false;
}

/* ---- what the rules ask ------------------------------------------------- */

static void
on_decision(struct verify_watch *watch, unsigned at, const struct game *game)
{
	struct reading *reading = (struct reading *)(void *)watch;
	const struct decision *decision = &game->decision;
	struct text line;

	for (unsigned i = 0; i < decision->count; i++) {
		text_init(&line, 65536);
		verify_ask(game, decision->seat[i], &line);
		if (reading->asks == reading->room) {
			reading->room = reading->room * 2 + 64;
			reading->ask =
				memory(reading->ask,
				       reading->room * sizeof(*reading->ask));
		}
		reading->ask[reading->asks++] = (struct rule_ask){
			.seat = decision->seat[i],
			.events = reading->before[at],
			.line = copied(text_string(&line)),
		};
		text_release(&line);
	}
}

/* Returns true if the seat is asked this before event number `events`. */
static bool
is_asked(const struct reading *reading, unsigned seat, size_t events,
	 const char *line)
{
	for (size_t i = 0; i < reading->asks; i++)
		if (reading->ask[i].seat == seat &&
		    reading->ask[i].events == events &&
		    verify_same_ask(reading->ask[i].line, line))
			return true;
	return false;
}

/* ---- what a seat may read ------------------------------------------------ */

static void
look_at_events(struct reading *reading)
{
	const struct record *record = reading->record;

	reading->before = zeroed(record->bodies + 1, sizeof(*reading->before));
	for (unsigned i = 0; i < record->bodies; i++) {
		reading->before[i] = reading->events;
		reading->events += !is_silent(record->body[i].text);
	}
	reading->before[record->bodies] = reading->events;
	reading->view = zeroed(reading->events + 1, sizeof(*reading->view));
}

static void
forget_views(struct reading *reading)
{
	for (size_t i = 0; i < reading->events; i++) {
		free(reading->view[i]);
		reading->view[i] = NULL;
	}
}

static void
view_as(struct reading *reading, const struct game_setup *setup, unsigned seat)
{
	static char view[2 * LINE_REFEREE_BYTES];
	const struct record *record = reading->record;
	struct secrets secrets;
	size_t events = 0;

	forget_views(reading);
	secrets_begin(&secrets, setup);
	for (unsigned i = 0; i < record->bodies; i++) {
		const char *line = record->body[i].text;

		if (is_silent(line))
			continue;
		secrets_view(&secrets, line, (int)seat, view);
		reading->view[events++] = copied(view);
		secrets_go_on(&secrets, line);
	}
}

/* ---- what it has read ---------------------------------------------------- */

/* These return false, and say so, if the line must not have been sent. */

static bool
check_ask(struct reading *reading, unsigned seat, size_t events,
	  const char *line)
{
	const char *tokens = line + strlen("ask ");
	bool asked;
	char *told;

	tokens += strcspn(tokens, " ");
	tokens += *tokens != '\0';
	tokens += strcspn(tokens, " ");
	told = formatted("ask %u%s", seat, tokens);
	asked = is_asked(reading, seat, events, told);
	free(told);
	reading->check->checked->asks++;
	if (!asked)
		check_wrong(reading->check,
			    "game %s: seat %u was asked `%s`, which the rules "
			    "do not ask it before event %zu",
			    reading->record->id, seat, line, events + 1);
	return asked;
}

static bool
check_event(struct reading *reading, unsigned seat, size_t events,
	    const char *line)
{
	const char *may = events < reading->events ? reading->view[events]
						   : "no line more";
	const bool same = strcmp(line, may) == 0;

	reading->check->checked->lines++;
	if (!same)
		check_wrong(reading->check,
			    "game %s: seat %u may read `%s` as event %zu, but "
			    "was sent `%s`",
			    reading->record->id, seat, may, events + 1, line);
	return same;
}

/* Holds what a seat has read so far. */
struct seen {
	unsigned seat;
	bool over, retired;
	/* Owned: how many event lines there are before the line of each number, because
	 * the bot has read all lines with lower ones; SIZE_MAX: it has not. */
	size_t *before;
};

static bool
check_line(struct reading *reading, struct seen *seen,
	   const struct promised_line *line)
{
	const size_t events = seen->before[line->number];
	size_t *after = &seen->before[line->number + 1];

	if (events == SIZE_MAX) {
		check_wrong(reading->check,
			    "game %s: seat %u has read line %" PRIu64
			    ", but no line %" PRIu64,
			    reading->record->id, seen->seat, line->number,
			    line->number - 1);
		return false;
	}
	*after = events;
	if (strncmp(line->line, "ask ", 4) == 0)
		return check_ask(reading, seen->seat, events, line->line);
	seen->over |= strncmp(line->line, "over ", 5) == 0;
	seen->retired |= strcmp(line->line, "retired") == 0;
	if (is_control(line->line))
		return true;
	++*after;
	return check_event(reading, seen->seat, events, line->line);
}

/* Checks the lines of a seat, the numbers of which may go back, up to the first that is
 * wrong. */
static void
check_seat(struct reading *reading, unsigned seat,
	   const struct promised_line *line, size_t count)
{
	struct seen seen = { .seat = seat };
	uint64_t most = 0, number;
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++)
		if (line[i].number > most)
			most = line[i].number;
	seen.before = memory(NULL, (most + 2) * sizeof(*seen.before));
	for (number = 0; number < most + 2; number++)
		seen.before[number] = number <= line[0].number ? 0 : SIZE_MAX;
	for (i = 0; i < count && good; i++)
		good = check_line(reading, &seen, &line[i]);
	if (good && seen.over && !seen.retired &&
	    seen.before[most + 1] != reading->events)
		check_wrong(reading->check,
			    "game %s: seat %u was sent %zu of %zu event lines",
			    reading->record->id, seat, seen.before[most + 1],
			    reading->events);
	free(seen.before);
}

void
check_read(struct check *check, const struct record *record)
{
	struct reading reading = { .watch = { .decision = on_decision },
				   .check = check,
				   .record = record };
	const struct promised_line *line;
	struct verify_header header;
	struct verdict verdict;
	unsigned seat;
	size_t count, i;

	for (seat = 0; seat < record->seats; seat++) {
		line = promises_lines(check->what->promises, record->id, seat,
				      &count);
		if (count == 0)
			continue;
		if (reading.before == NULL) {
			look_at_events(&reading);
			verify_record(record, false, &reading.watch, &verdict);
			if (verify_header_read(&header, record, true,
					       &verdict) < 0)
				break;
		}
		view_as(&reading, &header.setup, seat);
		check_seat(&reading, seat, line, count);
	}
	if (reading.before != NULL)
		forget_views(&reading);
	for (i = 0; i < reading.asks; i++)
		free(reading.ask[i].line);
	free(reading.ask);
	free(reading.view);
	free(reading.before);
}
