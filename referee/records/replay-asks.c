/* referee/records/replay-asks.c - see replay-asks.h. */
#include "referee/records/replay-asks.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/base/json-line.h"

/* ---- reading ------------------------------------------------------------ */

/* Finds the record's lines of the asks. */
static int
place_asks(const struct record *record, struct asks *asks, struct error *why)
{
	const uint32_t end = record_end_line(record);
	const uint32_t first = end - record->bodies;

	for (unsigned i = 0; i < asks->count; i++) {
		if (asks->ask[i].line > end - first) {
			asks->count = i;
			return error_set(why, ERROR_INPUT,
					 "the record has no line for ask %u",
					 i + 1);
		}
		asks->ask[i].line += first;
	}
	return 0;
}

static uint64_t
first_bank(const struct record *record)
{
	const char *bank = record_header(record, "bank");

	return bank == NULL ? 0 : strtoull(bank, NULL, 10);
}

static int
read_asks(struct pack_cache *cache, const char *path,
	  const struct record *record, struct asks *asks, struct error *why)
{
	/* One byte more shows that the file is too long. */
	struct text text = { .max = ASKS_BYTES + 1 };
	struct error place;
	int result = packed_load_regular(cache, path, &text);

	if (result < 0 && errno == ENOENT)
		result = 0;
	else if (result < 0)
		(void)error_set(why, ERROR_MACHINE, "%m");
	else if (text.full)
		result = error_set(why, ERROR_INPUT,
				   "it is longer than %d bytes", ASKS_BYTES);
	else
		result = asks_parse(text.used > 0 ? text.bytes : "", text.used,
				    record->seats, first_bank(record), asks,
				    why);
	text_release(&text);
	if (asks->id[0] != '\0' && strcmp(asks->id, record->id) != 0) {
		asks_forget(asks);
		return error_set(why, ERROR_INPUT,
				 "it belongs to another game");
	}
	if (place_asks(record, asks, &place) == 0)
		return result;
	return error_set(why, ERROR_INPUT, "%s", place.text);
}

int
replay_asks_read(struct pack_cache *cache, const char *path,
		 const struct record *record, struct asks *asks,
		 struct error *why)
{
	char beside[PATH_MAX];

	*asks = (struct asks){ .count = 0 };
	if (!asks_path(path, beside, sizeof(beside)) ||
	    read_asks(cache, beside, record, asks, why) == 0)
		return 0;
	return error_prefix(why, "cannot read all times from %s: ", beside);
}

/* ---- finding ------------------------------------------------------------ */

bool
replay_ask_visible(const struct asks_ask *ask, int viewer)
{
	return viewer == VIEW_ALL || viewer == (int)ask->seat;
}

/* In a decision each seat has at most an ask and a fault.  More lines are not
 * one decision, and are not searched again and again. */
#define DECISION_LINES (2 * SEATS_MAX)

/* Returns the first line of the decision that line `number` belongs to; 0 if
 * there is none. */
static uint32_t
decision_of(const struct record *record, uint32_t number)
{
	const uint32_t first = record->headers + 2, last = number;
	const struct record_line *line;

	if (number == record_end_line(record))
		return number;
	if (number < first || number > record_end_line(record))
		return 0;
	line = &record->body[number - first];
	if (record_after(line, "ask") == NULL &&
	    record_after(line, "fault") == NULL &&
	    record_after(line, "move") == NULL &&
	    strcmp(line->text, "quiet") != 0)
		return 0;
	for (; number > first; number--, line--)
		if (record_after(line - 1, "ask") == NULL &&
		    record_after(line - 1, "fault") == NULL)
			break;
		else if (last - number == DECISION_LINES)
			return 0;
	return number;
}

static int
by_line(const void *key, const void *entry)
{
	const struct asks_ask *a = key, *b = entry;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (int)a->seat - (int)b->seat;
}

/* Returns the ask of a seat in the decision that this line belongs to. */
static const struct asks_ask *
find_ask(const struct asks *asks, const struct record *record, uint32_t number,
	 unsigned seat)
{
	const struct asks_ask key = { .line = decision_of(record, number),
				      .seat = (uint8_t)seat };

	if (asks->count == 0 || key.line == 0)
		return NULL;
	return bsearch(&key, asks->ask, asks->count, sizeof(key), by_line);
}

/* Returns the seat whose ask a line is about, or -1. */
static int
seat_of(const struct replay_line *line)
{
	if (line->ask >= 0)
		return line->ask;
	if (line->charged >= 0)
		return line->charged;
	return strncmp(line->text, "move ", 5) == 0 ? line->text[5] - '0' : -1;
}

const struct asks_ask *
replay_asks_of(const struct replay *replay, const struct replay_line *line,
	       int viewer)
{
	const int seat = seat_of(line);
	const struct asks_ask *ask;

	if (replay->asks == NULL || seat < 0)
		return NULL;
	ask = find_ask(replay->asks, replay->record, line->number,
		       (unsigned)seat);
	return ask != NULL && replay_ask_visible(ask, viewer) ? ask : NULL;
}

/* ---- telling ------------------------------------------------------------ */

/* Computes in whole numbers, so that JavaScript rounds in the same way. */
void
replay_time(uint64_t us, char text[REPLAY_TIME_BYTES])
{
	const uint64_t tenths =
		us < 9950 ? (us + 50) / 100 : (us + 50000) / 100000;

	if (us < 100)
		snprintf(text, REPLAY_TIME_BYTES, "0.%03" PRIu64 " ms", us);
	else if (us < 9950 || us >= 999500)
		snprintf(text, REPLAY_TIME_BYTES, "%" PRIu64 ".%" PRIu64 " %s",
			 tenths / 10, tenths % 10, us < 9950 ? "ms" : "s");
	else
		snprintf(text, REPLAY_TIME_BYTES, "%" PRIu64 " ms",
			 (us + 500) / 1000);
}

void
replay_ask_time(const struct asks_ask *ask, char sentence[REPLAY_ASK_BYTES])
{
	char time[REPLAY_TIME_BYTES];

	replay_time(ask->us, time);
	snprintf(sentence, REPLAY_ASK_BYTES, "It thought %s.", time);
}

void
replay_ask_sentence(const struct asks_ask *ask, const struct record *record,
		    char sentence[REPLAY_ASK_BYTES])
{
	const char *fault = fault_name((enum fault)ask->fault);
	char time[REPLAY_TIME_BYTES];
	int n;

	replay_time(ask->us, time);
	if (ask->number == 0)
		n = snprintf(sentence, REPLAY_ASK_BYTES,
			     "It was not asked, because it owed a fault: %s.",
			     fault);
	else if (ask->fault != FAULT_NONE)
		n = snprintf(sentence, REPLAY_ASK_BYTES,
			     "It thought %s and was charged with a fault: %s.",
			     time, fault);
	else if (ask->answer[0] != '\0')
		n = snprintf(sentence, REPLAY_ASK_BYTES,
			     "It thought %s and answered `%s`.", time,
			     ask->answer);
	else
		n = snprintf(sentence, REPLAY_ASK_BYTES,
			     "Its answer was not awaited after %s.", time);
	if (ask->bank == 0 && first_bank(record) == 0)
		return;
	replay_time(ask->bank * 1000, time);
	snprintf(sentence + n, REPLAY_ASK_BYTES - (size_t)n,
		 " Its bank has %s left.", time);
}

void
replay_ask_fill(const struct asks_ask *ask, json_t *json)
{
	const char *fault = fault_name((enum fault)ask->fault);

	JSON_ADD(json, INT_IF("us", ask->number != 0, (json_int_t)ask->us),
		 INT("bank_ms", (json_int_t)ask->bank),
		 TEXT_IF("answer", ask->answer[0] == '\0' ? NULL : ask->answer),
		 TEXT_IF("fault", ask->fault == FAULT_NONE ? NULL : fault));
}

void
replay_asks_write(const struct asks *asks, int viewer, unsigned own,
		  struct text *to)
{
	const struct asks_ask *ask;
	uint64_t before[SEATS_MAX] = { 0 }, wrote;
	json_t *json;

	for (unsigned i = 0; i < asks->count && !to->full; i++) {
		ask = &asks->ask[i];
		wrote = ask->wrote - before[ask->seat];
		before[ask->seat] = ask->wrote;
		if (!replay_ask_visible(ask, viewer))
			continue;
		json = JSON_OBJECT(
			INT("line", ask->line), INT("seat", ask->seat),
			INT_IF("ask", ask->number != 0, ask->number));
		replay_ask_fill(ask, json);
		if (wrote > 0 && (own >> ask->seat & 1))
			JSON_ADD(json, INT("wrote", (json_int_t)wrote));
		json_text_line(json, 0, to);
	}
}
