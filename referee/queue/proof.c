/* referee/queue/proof.c - see proof.h. */
#include "referee/queue/proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/abort.h"
#include "protocol/record.h"
#include "referee/record-keys.h"
#include "referee/records/verify.h"
#include "referee/table/table-record.h"

/* Lines that only the coordinator's writer adds, or a later command. */
static const enum record_key not_yet[] = {
	RECORD_LADDER,	     RECORD_SERIAL, RECORD_RATING_K,
	RECORD_RATING_START, RECORD_ENTER,  RECORD_PRUNED,
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

/* The next line that begins with this word, or NULL; `*n` with its LF. */
static const char *
next_line(const char *at, const char *end, const char *word, size_t *n)
{
	const char *lf;

	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (lf == NULL)
			return NULL;
		*n = (size_t)(lf - at) + 1;
		if (*n > strlen(word) && memcmp(at, word, strlen(word)) == 0)
			return at;
	}
	return NULL;
}

/* Whether both have the same lines that begin with this word. */
static bool
same_lines(const struct text *one, const struct text *other, const char *word)
{
	const char *a = one->bytes, *a_end = a + one->used;
	const char *b = other->bytes, *b_end = b + other->used;
	size_t n, m;

	for (;;) {
		a = next_line(a, a_end, word, &n);
		b = next_line(b, b_end, word, &m);
		if (a == NULL || b == NULL)
			return a == b;
		if (n != m || memcmp(a, b, n) != 0)
			return false;
		a += n;
		b += m;
	}
}

/* What was fixed before the first card, as the table writes it. */
static bool
is_of_job(const struct job *job, const struct text *header,
	  char why[PROOF_WHY_BYTES])
{
	static const struct seat seats[SEATS_MAX];
	static const struct entropy none;
	static const char *const words[] = { "commit ", "block ", "entropy ",
					     "seeded", "secret " };
	const struct table_setup *setup = &job->setup;
	struct text expected;
	const char *ended;
	bool same;

	text_init(&expected, RECORD_BYTES);
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
	for (unsigned i = 0; same && i < NELEM(words); i++) {
		same = same_lines(header, &expected, words[i]);
		if (!same)
			no(why,
			   "its record has another `%.*s` line than the job",
			   (int)strcspn(words[i], " "), words[i]);
	}
	text_release(&expected);
	return same;
}

static bool
has_no_serial(const struct record *record, char why[PROOF_WHY_BYTES])
{
	for (unsigned i = 0; i < NELEM(not_yet); i++)
		if (record_header(record, record_rows[not_yet[i]].key) != NULL)
			return no(why,
				  "its record has a `%s` line, which only the "
				  "coordinator adds",
				  record_rows[not_yet[i]].key);
	return true;
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

/* The outcome beside the record is the record's. */
static bool
has_its_outcome(const struct record *record, const struct job_result *result,
		char why[PROOF_WHY_BYTES])
{
	const struct table_outcome *outcome = &result->outcome;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error wrong;

	if (outcome->aborted != ABORT_NONE || record->aborted != NULL)
		return (outcome->aborted != ABORT_NONE &&
			record->aborted != NULL &&
			strcmp(abort_name(outcome->aborted), record->aborted) ==
				0) ||
		       no(why, "its record tells another end of the game");
	if (record_places(record, place, points, &wrong) != 0)
		return no(why, "its record has no result: line %s", wrong.text);
	for (unsigned s = 0; s < record->seats; s++)
		if (place[s] != outcome->place[s] ||
		    points[s] != outcome->points[s])
			return no(why, "its record tells another result");
	return true;
}

bool
proof_holds(const struct job *job, const struct job_result *result,
	    char why[PROOF_WHY_BYTES])
{
	struct record *record;
	struct error wrong;
	struct text whole;
	bool holds;

	if (!is_of_job(job, &result->header, why))
		return false;
	text_init(&whole, 2 * (size_t)RECORD_BYTES);
	text_add(&whole, result->header.bytes, result->header.used);
	text_str(&whole, "\n");
	if (result->body.used > 0)
		text_add(&whole, result->body.bytes, result->body.used);
	holds = record_parse(whole.bytes, whole.used, &record, &wrong) == 0;
	text_release(&whole);
	if (!holds)
		return no(why, "its record cannot be read: line %.1000s",
			  wrong.text);
	holds = has_no_serial(record, why) && proves_itself(record, why) &&
		has_its_outcome(record, result, why);
	record_free(record);
	return holds;
}
