/* tests/fuzz/fuzz-record.c - text that may be a record.
 *
 * Input: the text.  An accepted record is written again without its comments,
 * and must be the same record: hash, places and verdicts, and the same view for
 * each viewer, except the charged lines of that viewer's own faults. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/ascii.h"
#include "protocol/hidden.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "referee/records/replay-frames.h"
#include "referee/records/replay-notes.h"
#include "referee/records/replay.h"
#include "referee/records/verify.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/views.h"

/* Holds the answers that all forms of one record must give alike. */
struct answers {
	unsigned char hash[RECORD_HASH_BYTES];
	bool placed;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	bool ok, sealed, by_rules;
};

struct watch {
	struct verify_watch watch; /* first: the callback gets its address */
	const struct record *record;
	unsigned at;
};

static void
on_decision(struct verify_watch *verify_watch, unsigned at,
	    const struct game *game)
{
	struct watch *watch = (struct watch *)verify_watch;

	HOLDS(at >= watch->at && at <= watch->record->bodies);
	HOLDS(!game_is_over(game) && game->decision.count > 0);
	watch->at = at;
}

/* Checks that the sentence begins with the number of a line. */
static void
check_why(struct error *why)
{
	size_t n = strnlen(why->text, ERROR_BYTES);
	size_t digits = strspn(why->text, "0123456789");

	HOLDS(n < ERROR_BYTES && ascii_printable(why->text, n));
	HOLDS(digits > 0 && strncmp(why->text + digits, ": ", 2) == 0);
}

static void
check_line(const struct record_line *line)
{
	HOLDS(strlen(line->text) == line->n && line->n <= LINE_REFEREE_BYTES);
	HOLDS(ascii_printable(line->text, line->n));
	HOLDS(strstr(line->text, "  ") == NULL && line->text[0] != ' ');
	HOLDS(line->n == 0 || line->text[line->n - 1] != ' ');
}

static void
check_shape(const struct record *record)
{
	unsigned i, lines = record->headers + 1 + record->bodies;

	HOLDS(record->seats >= 1 && record->seats <= SEATS_MAX);
	HOLDS(record->body == record->header + record->headers + 1);
	HOLDS(record->forfeits <= record->bodies);
	for (i = 0; i < record->seats; i++)
		HOLDS(record->name[i] != NULL);
	for (i = 0; i < lines; i++) {
		check_line(&record->header[i]);
		HOLDS(record->header[i].number == i + 1);
		HOLDS((record->header[i].n == 0) == (i == record->headers));
	}
}

static bool
verdict_of(const struct record *record, bool by_rules, bool *sealed)
{
	static struct verdict verdict;
	struct watch watch = { .watch = { on_decision }, .record = record };

	verdict = (struct verdict){ 0 };
	verify_record(record, by_rules, &watch.watch, &verdict);
	*sealed = verdict.ok && verdict.sealed;
	if (verdict.ok)
		return true;
	HOLDS(verdict.line >= 1 && verdict.line <= record_end_line(record));
	HOLDS(verdict.expected[0] != '\0' && verdict.found[0] != '\0');
	return false;
}

static void
check_places(const struct answers *answers, unsigned seats)
{
	unsigned seat, other;
	int better;

	for (seat = 0; seat < seats; seat++) {
		better = 0;
		for (other = 0; other < seats; other++)
			better += answers->place[other] < answers->place[seat];
		HOLDS(answers->place[seat] == better + 1);
	}
}

static void
ask(const struct record *record, struct answers *answers)
{
	struct error why;
	bool sealed_by_rules;

	memset(answers, 0, sizeof(*answers));
	check_shape(record);
	record_hash(record, answers->hash);
	answers->placed = record_places(record, answers->place, answers->points,
					&why) == 0;
	if (answers->placed) {
		check_places(answers, record->seats);
	} else {
		check_why(&why);
		memset(answers->place, 0, sizeof(answers->place));
		memset(answers->points, 0, sizeof(answers->points));
	}
	answers->ok = verdict_of(record, false, &answers->sealed);
	answers->by_rules = verdict_of(record, true, &sealed_by_rules);
	HOLDS(!sealed_by_rules);
	/* The rules alone must verify what the secret verifies, and a verified
	 * and complete record can be counted. */
	HOLDS(!answers->ok || answers->by_rules);
	HOLDS(!answers->by_rules || record->aborted || answers->placed);
}

/* Checks that every viewer can be shown what a game has written. */
static void
check_views(const struct record *record)
{
	unsigned i;

	for (i = 0; i < record->bodies; i++)
		HOLDS(views_nest(record->body[i].text, record->body[i].n,
				 record->seats));
}

/* Writes the record without its comments. */
static void
write_plain(const struct record *record, struct text *text)
{
	unsigned i;

	for (i = 0; i < record->headers + 1 + record->bodies; i++) {
		text_add(text, record->header[i].text, record->header[i].n);
		text_str(text, "\n");
	}
}

/* Checks that a fault's text is shown only to the seat that was charged, and to viewers
 * who see all. */
static void
check_said(const struct replay_line *line, int viewer)
{
	static const char verb[] = "fault ";
	const char *said = replay_said(line, viewer);
	size_t n;

	if (said == NULL)
		return;
	n = strcspn(said, " ");
	HOLDS(n <= 3 * (size_t)SAID_BYTES && ascii_printable(said, n));
	HOLDS(strncmp(line->text, verb, sizeof(verb) - 1) == 0);
	HOLDS(viewer == VIEW_ALL ||
	      (line->text[sizeof(verb) - 1] == '0' + viewer &&
	       line->text[sizeof(verb)] == ' '));
}

static void
check_line_shown(const struct replay_line *line,
		 const struct replay_line *plain, int viewer)
{
	static char text[LINE_REFEREE_BYTES + 1], other[LINE_REFEREE_BYTES + 1];
	ssize_t n;

	HOLDS(replay_said(plain, viewer) == NULL);
	HOLDS(replay_visible(line, viewer) == replay_visible(plain, viewer));
	if (!replay_visible(line, viewer))
		return;
	n = replay_text(line, viewer, text);
	HOLDS(n == replay_text(plain, viewer, other));
	HOLDS(n < 0 || memcmp(text, other, (size_t)n + 1) == 0);
	check_said(line, viewer);
}

/* Checks that thinking times and remarks are shown only to their seats, and to
 * viewers who see all. */
static void
check_notes(const struct replay_line *line, int viewer)
{
	const char *at = NULL;
	struct replay_note note;

	while (replay_note_next(line, viewer, &at, &note)) {
		HOLDS(strnlen(note.text, sizeof(note.text)) <= SAY_BYTES);
		HOLDS(note.seat >= 0 && note.seat < SEATS_MAX);
		HOLDS(viewer == VIEW_ALL || viewer == note.seat);
	}
}

/* Checks that frames can be made of any lines. */
static void
check_frames(const struct replay *replay, int viewer)
{
	static struct frame frame;
	char text[LINE_REFEREE_BYTES + 1];
	unsigned i;
	ssize_t n;

	replay_frame_begin(replay, &frame);
	for (i = 0; i < replay->lines; i++) {
		check_notes(&replay->line[i], viewer);
		if (!replay_visible(&replay->line[i], viewer))
			continue;
		n = replay_text(&replay->line[i], viewer, text);
		if (n < 0)
			continue;
		frame_next(&frame, text, (size_t)n);
		HOLDS(ascii_printable(frame.sentence, strlen(frame.sentence)));
	}
}

/* Checks that comments show viewers nothing else. */
static void
check_shown(const struct record *record, const struct record *plain)
{
	struct verdict verdict = { 0 };
	struct replay shown, bare;
	unsigned i;
	int viewer;

	HOLDS(replay_init(&shown, record, false, &verdict) == 0);
	HOLDS(replay_init(&bare, plain, false, &verdict) == 0);
	HOLDS(shown.lines == bare.lines);
	for (i = 0; i < shown.lines; i++)
		for (viewer = VIEW_ALL; viewer < SEATS_MAX; viewer++)
			check_line_shown(&shown.line[i], &bare.line[i], viewer);
	check_frames(&shown, VIEW_ALL);
	check_frames(&shown, 0);
	replay_release(&shown);
	replay_release(&bare);
}

static void
check_record(const struct record *record, const char *bytes, size_t n)
{
	struct text text = { .max = RECORD_BYTES };
	unsigned char hash[RECORD_HASH_BYTES];
	struct answers answers, again;
	struct error why;
	struct record *plain;

	ask(record, &answers);
	if (answers.by_rules)
		check_views(record);
	record_hash_text(bytes, n, hash);
	HOLDS(memcmp(hash, answers.hash, sizeof(hash)) == 0);
	write_plain(record, &text);
	HOLDS(record_parse(text.bytes, text.used, &plain, &why) == 0);
	ask(plain, &again);
	HOLDS(memcmp(&answers, &again, sizeof(again)) == 0);
	check_shown(record, plain);
	record_free(plain);
	text_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct error why;
	struct record *record;

	HOLDS(sodium_init() >= 0);
	if (record_parse((const char *)data, n, &record, &why) != 0) {
		HOLDS(record == NULL);
		check_why(&why);
		return 0;
	}
	check_record(record, (const char *)data, n);
	record_free(record);
	return 0;
}
