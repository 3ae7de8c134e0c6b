/* referee/queue/proof.c - see proof.h. */
#include "referee/queue/proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/asks.h"
#include "protocol/date.h"
#include "referee/records/verify.h"
#include "referee/table/record-keys.h"

/* Header lines about the course of the game.  The job fixes all others, or the
 * daemon and later commands add them. */
static const enum record_key told_here[] = {
	RECORD_ENDED, RECORD_REFEREE, RECORD_OWED,    RECORD_BROKEN,
	RECORD_CPU,   RECORD_MEMORY,  RECORD_ABORTED,
};

static bool no(char why[PROOF_WHY_BYTES], const char *fmt, ...)
	PRINTF_LIKE(2, 3);

static bool
no(char why[PROOF_WHY_BYTES], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, PROOF_WHY_BYTES, fmt, ap);
	va_end(ap);
	return false;
}

/* Returns the next line with this key, or NULL; `*n` includes its LF. */
static const char *
next_line(const char *at, const char *end, const char *key, size_t *n)
{
	const size_t k = strlen(key);
	const char *lf;

	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (lf == NULL)
			return NULL;
		*n = (size_t)(lf - at) + 1;
		if (*n > k && memcmp(at, key, k) == 0 &&
		    (at[k] == ' ' || at[k] == '\n'))
			return at;
	}
	return NULL;
}

/* Returns true if both have the same lines with this key. */
static bool
same_lines(const struct text *one, const struct text *other, const char *key)
{
	const char *a = one->bytes, *a_end = a + one->used;
	const char *b = other->bytes, *b_end = b + other->used;
	size_t n, m;

	for (;;) {
		a = next_line(a, a_end, key, &n);
		b = next_line(b, b_end, key, &m);
		if (a == NULL || b == NULL)
			return a == b;
		if (n != m || memcmp(a, b, n) != 0)
			return false;
		a += n;
		b += m;
	}
}

static bool
is_told_here(enum record_key key)
{
	for (unsigned i = 0; i < NELEM(told_here); i++)
		if (told_here[i] == key)
			return true;
	return false;
}

/* Returns true if the lines that were fixed before the first card are those
 * that the table writes for this job. */
static bool
is_of_job(const struct job *job, const struct text *header,
	  char why[PROOF_WHY_BYTES])
{
	static const struct seat seats[SEATS_MAX];
	static const struct entropy none;
	const struct table_setup *setup = &job->setup;
	struct text expected = { .max = RECORD_BYTES };
	const char *ended;
	bool same;

	table_record_header(&expected, setup, seats,
			    setup->given ? &setup->given_entropy : &none, "",
			    ABORT_NONE);
	ended = strstr(text_string(&expected), "\nended");
	if (ended == NULL)
		bug("a header without an end");
	same = header->used > (size_t)(ended - expected.bytes) &&
	       memcmp(header->bytes, expected.bytes,
		      (size_t)(ended - expected.bytes) + 1) == 0;
	if (!same)
		no(why, "its record is not of this game, these bots and these "
			"settings");
	for (unsigned i = 0; same && i < RECORD_KEYS; i++) {
		if (is_told_here((enum record_key)i))
			continue;
		same = same_lines(header, &expected, record_rows[i].key);
		if (!same)
			no(why, "its record has another `%s` line than the job",
			   record_rows[i].key);
	}
	text_release(&expected);
	return same;
}

/* Returns true if the header has its form.  It must end in a whole line before
 * the empty one, as more lines are added.  No line may have a comment, as the
 * date is written over. */
static bool
is_header(const struct record *record, const struct text *header,
	  char why[PROOF_WHY_BYTES])
{
	const struct record_line *end = &record->header[record->headers];

	if (end->text != record->bytes + header->used)
		return no(why, "its header and its record end differently");
	for (const struct record_line *line = record->header; line <= end;
	     line++)
		if (line->comment != NULL)
			return no(why,
				  "there is a comment in its header: "
				  "line %u",
				  (unsigned)line->number);
	return record_header(record, "ended") != NULL ||
	       no(why, "its record does not tell when the game ended");
}

static bool
proves_itself(const struct record *record, char why[PROOF_WHY_BYTES])
{
	struct verdict verdict;

	verify_record(record, false, NULL, &verdict);
	if (!verdict.ok)
		return no(why,
			  "its record does not hold: line %u: expected %s, "
			  "found %s",
			  (unsigned)verdict.line, verdict.expected,
			  verdict.found);
	return verdict.sealed ||
	       no(why, "its record does not tell the secret of the game");
}

/* Returns the seats of the `forfeit` lines as bits. */
static unsigned
retired_seats(const struct record *record)
{
	const struct record_line *line = record->body + record->bodies;
	unsigned seats = 0;
	const char *at;
	int seat;

	for (unsigned i = 0; i < record->forfeits; i++) {
		at = record_after(--line, "forfeit");
		seat = record_take_seat(&at, record->seats);
		if (seat >= 0)
			seats |= 1U << seat;
	}
	return seats;
}

/* Returns true if the outcome beside the record is that of the record. */
static bool
has_its_outcome(const struct record *record, const struct job_result *result,
		char why[PROOF_WHY_BYTES])
{
	const struct table_outcome *outcome = &result->outcome;
	const unsigned retired = retired_seats(record);
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error wrong;

	if (record_places(record, place, points, &wrong) != 0)
		return no(why, "its record has no result: line %s", wrong.text);
	for (unsigned s = 0; s < record->seats; s++) {
		if (place[s] != outcome->place[s] ||
		    points[s] != outcome->points[s])
			return no(why, "its record tells another result");
		if ((retired >> s & 1) != outcome->retired[s])
			return no(why, "its record tells other seats that were "
				       "retired");
	}
	return true;
}

/* Returns true if the game may have ended like this.  A machine that fails or
 * stops gives its job back and reports nothing. */
static bool
has_its_end(const struct job *job, const struct record *record,
	    const struct job_result *result, char why[PROOF_WHY_BYTES])
{
	const enum abort_word end = result->outcome.aborted;
	const char *told = record->aborted;

	if ((end == ABORT_NONE) != (told == NULL) ||
	    (told != NULL && strcmp(abort_name(end), told) != 0))
		return no(why, "its record tells another end of the game");
	if (end == ABORT_NONE)
		return has_its_outcome(record, result, why);
	if (end == ABORT_RECORD_TOO_LONG ||
	    (end == ABORT_TOO_LONG && job->limit_us > 0) ||
	    (end == ABORT_NOT_STARTED && result->not_started >= 0 &&
	     job->seat[result->not_started].untried))
		return true;
	return no(why,
		  "its record says `aborted %s`, but a game of the queue does "
		  "not end so",
		  told);
}

void
proof_date(struct job_result *result, int64_t seconds)
{
	static const char key[] = "\nended ";
	struct text *header = &result->header;
	char *at = memmem(header->bytes, header->used, key, sizeof(key) - 1);

	date_write(seconds, result->ended);
	if (at == NULL ||
	    memchr(at + 1, '\n',
		   header->used - (size_t)(at + 1 - header->bytes)) !=
		    at + sizeof(key) - 1 + strlen(result->ended))
		bug("a proved record without its end");
	memcpy(at + sizeof(key) - 1, result->ended, strlen(result->ended));
}

/* Drops asks that do not hold.  Only their ID may contain a NUL. */
static void
check_asks(const struct job *job, const struct record *record,
	   struct text *text)
{
	struct asks asks;
	struct error why;

	if (text->used == 0)
		return;
	if (asks_parse(text->bytes, text->used, record->seats,
		       job->setup.clock.bank_us / 1000, &asks, &why) < 0 ||
	    memchr(text->bytes, '\0', text->used) != NULL ||
	    strcmp(asks.id, record->id) != 0)
		text_clear(text);
	asks_forget(&asks);
}

bool
proof_holds(const struct job *job, struct job_result *result,
	    char why[PROOF_WHY_BYTES])
{
	struct record *record;
	struct error wrong;
	struct text whole = { .max = 2 * (size_t)RECORD_BYTES };
	bool holds;

	if (result->header.used > TABLE_HEADER_BYTES ||
	    result->body.used > TABLE_BODY_BYTES)
		return no(why,
			  "its record is too long: a header has at most %d "
			  "bytes, a body %d",
			  TABLE_HEADER_BYTES, TABLE_BODY_BYTES);
	if (!is_of_job(job, &result->header, why))
		return false;
	text_add(&whole, result->header.bytes, result->header.used);
	text_str(&whole, "\n");
	if (result->body.used > 0)
		text_add(&whole, result->body.bytes, result->body.used);
	holds = record_parse(whole.bytes, whole.used, &record, &wrong) == 0;
	text_release(&whole);
	if (!holds)
		return no(why, "its record cannot be read: line %.1000s",
			  wrong.text);
	holds = is_header(record, &result->header, why) &&
		proves_itself(record, why) &&
		has_its_end(job, record, result, why);
	check_asks(job, record, &result->asks);
	record_free(record);
	return holds;
}
