/* protocol/asks.c - see asks.h. */
#include "protocol/asks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/ascii.h"
#include "protocol/message.h"
#include "protocol/put.h"
#include "protocol/record-word.h"

#define HEAD "asks 1"
#define LINE_BYTES 192 /* the longest that is written, with room */
#define NOTHING "-"

static const char bank_word[] = "bank=", fault_word[] = "fault=",
		  wrote_word[] = "stderr=";

/* ---- writing ------------------------------------------------------------ */

void
asks_begin(struct asks_writer *writer, const char *id, uint64_t bank)
{
	*writer = (struct asks_writer){ .looked = 0 };
	text_init(&writer->text, ASKS_BYTES);
	text_fmt(&writer->text, HEAD "\nid %s\n", id);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		writer->bank[s] = bank;
}

void
asks_release(struct asks_writer *writer)
{
	text_release(&writer->text);
}

uint32_t
asks_count_lines(struct asks_writer *writer, const char *body, size_t used)
{
	const char *lf;

	while (writer->looked < used) {
		lf = memchr(body + writer->looked, '\n', used - writer->looked);
		if (lf == NULL)
			break;
		writer->looked = (size_t)(lf - body) + 1;
		writer->lines++;
	}
	return writer->lines;
}

static char *
put_changed(char *to, const char *word, uint64_t number, uint64_t *before)
{
	if (number == *before)
		return to;
	*before = number;
	*to++ = ' ';
	return put_number(put_word(to, word), number);
}

void
asks_add(struct asks_writer *writer, const struct asks_ask *ask)
{
	char line[LINE_BYTES], *to = line;

	to = put_number(to, ask->line - writer->line);
	writer->line = ask->line;
	*to++ = ' ';
	*to++ = (char)('0' + ask->seat);
	*to++ = ' ';
	to = ask->number == 0 ? put_word(to, NOTHING) : put_number(to, ask->us);
	*to++ = ' ';
	to = put_word(to, ask->answer[0] == '\0' ? NOTHING : ask->answer);
	if (ask->fault != FAULT_NONE) {
		*to++ = ' ';
		to = put_word(put_word(to, fault_word),
			      fault_name((enum fault)ask->fault));
	}
	to = put_changed(to, bank_word, ask->bank, &writer->bank[ask->seat]);
	to = put_changed(to, wrote_word, ask->wrote, &writer->wrote[ask->seat]);
	*to++ = '\n';
	text_add(&writer->text, line, (size_t)(to - line));
}

/* ---- reading ------------------------------------------------------------ */

/* Holds a file that is read, and what of it goes on from line to line. */
struct reading {
	const char *at, *end;
	unsigned line; /* of the file, from 1: the one at `at` */
	unsigned seats;
	uint32_t body;
	uint32_t number[SEATS_MAX];
	uint64_t bank[SEATS_MAX], wrote[SEATS_MAX];
};

/* Finds the next word of a line, which ends at `end`; returns its bytes, or 0. */
static size_t
take_word(const char **at, const char *end, const char **word)
{
	const char *space = memchr(*at, ' ', (size_t)(end - *at));
	const size_t n = (size_t)((space == NULL ? end : space) - *at);

	*word = *at;
	*at = space == NULL ? end : space + 1;
	return n;
}

static bool
take_number(const char **at, const char *end, uint64_t max, uint64_t *number)
{
	const char *word;
	const size_t n = take_word(at, end, &word);

	return message_number(word, n, max, number) == 0;
}

/* Returns what follows `start` in the word, or NULL if the word does not begin with
 * `start` or has nothing behind it. */
static const char *
behind(const char *word, size_t n, const char *start)
{
	const size_t head = strlen(start);

	return n > head && memcmp(word, start, head) == 0 ? word + head : NULL;
}

/* The words of which each may be there, in this order. */
static bool
read_rest(struct reading *reading, const char *at, const char *end,
	  struct asks_ask *ask)
{
	const char *word, *value;
	size_t n = take_word(&at, end, &word);
	enum fault fault;

	if ((value = behind(word, n, fault_word)) != NULL) {
		if (!fault_read(value, (size_t)(word + n - value), &fault))
			return false;
		ask->fault = (uint8_t)fault;
		n = take_word(&at, end, &word);
	}
	if ((value = behind(word, n, bank_word)) != NULL) {
		if (message_number(value, (size_t)(word + n - value), INT64_MAX,
				   &reading->bank[ask->seat]) < 0)
			return false;
		n = take_word(&at, end, &word);
	}
	if ((value = behind(word, n, wrote_word)) != NULL) {
		if (message_number(value, (size_t)(word + n - value), INT64_MAX,
				   &reading->wrote[ask->seat]) < 0)
			return false;
		n = take_word(&at, end, &word);
	}
	return n == 0 && at == end && end[-1] != ' ';
}

static bool
read_answer(const char *word, size_t n, char answer[ASKS_ANSWER_BYTES])
{
	if (n == 0 || n >= ASKS_ANSWER_BYTES || !ascii_printable(word, n))
		return false;
	if (n == strlen(NOTHING) && memcmp(word, NOTHING, n) == 0)
		n = 0;
	memcpy(answer, word, n);
	answer[n] = '\0';
	return true;
}

/* `D S US ANSWER …` up to `end`. */
static bool
read_ask(struct reading *reading, const char *end, struct asks_ask *ask)
{
	const char *at = reading->at, *word;
	uint64_t lines, seat;
	size_t n;

	*ask = (struct asks_ask){ .seat = 0 };
	if (!take_number(&at, end, UINT32_MAX - reading->body, &lines) ||
	    !take_number(&at, end, reading->seats - 1, &seat))
		return false;
	ask->line = reading->body += (uint32_t)lines;
	ask->seat = (uint8_t)seat;
	n = take_word(&at, end, &word);
	if (n != strlen(NOTHING) || memcmp(word, NOTHING, n) != 0) {
		if (message_number(word, n, INT64_MAX, &ask->us) < 0)
			return false;
		ask->number = ++reading->number[seat];
	}
	n = take_word(&at, end, &word);
	if (!read_answer(word, n, ask->answer) ||
	    !read_rest(reading, at, end, ask))
		return false;
	ask->bank = reading->bank[seat];
	ask->wrote = reading->wrote[seat];
	return true;
}

/* Returns the LF of the line at `at`; or NULL and a sentence. */
static const char *
find_end(const struct reading *reading, struct error *why)
{
	const char *lf =
		memchr(reading->at, '\n', (size_t)(reading->end - reading->at));

	if (lf == NULL)
		(void)record_complain(why, reading->line,
				      "the file ends in the middle of a line");
	return lf;
}

static void
go_on(struct reading *reading, const char *lf)
{
	reading->at = lf + 1;
	reading->line++;
}

static int
read_head(struct reading *reading, struct asks *asks, struct error *why)
{
	static const char id[] = "id ";
	const char *lf = find_end(reading, why);
	size_t n;

	if (lf == NULL)
		return -1;
	if ((size_t)(lf - reading->at) != strlen(HEAD) ||
	    memcmp(reading->at, HEAD, strlen(HEAD)) != 0)
		return record_complain(why, reading->line,
				       "expected `" HEAD "`");
	go_on(reading, lf);
	if ((lf = find_end(reading, why)) == NULL)
		return -1;
	n = (size_t)(lf - reading->at);
	if (n < sizeof(id) || n > sizeof(id) - 1 + ID_BYTES ||
	    memcmp(reading->at, id, sizeof(id) - 1) != 0)
		return record_complain(why, reading->line,
				       "expected `id` and the game's ID");
	snprintf(asks->id, sizeof(asks->id), "%.*s", (int)(n - sizeof(id) + 1),
		 reading->at + sizeof(id) - 1);
	go_on(reading, lf);
	return 0;
}

int
asks_parse(const char *bytes, size_t n, unsigned seats, uint64_t bank,
	   struct asks *asks, struct error *why)
{
	struct reading reading = {
		.at = bytes, .end = bytes + n, .line = 1, .seats = seats
	};
	struct asks_ask ask;
	const char *lf;

	*asks = (struct asks){ .count = 0 };
	for (unsigned s = 0; s < SEATS_MAX; s++)
		reading.bank[s] = bank;
	if (n > ASKS_BYTES)
		return record_complain(
			why, 1, "the file is longer than %d bytes", ASKS_BYTES);
	if (read_head(&reading, asks, why) < 0)
		return -1;
	while (reading.at < reading.end) {
		if ((lf = find_end(&reading, why)) == NULL)
			return -1;
		if (!read_ask(&reading, lf, &ask))
			return record_complain(why, reading.line,
					       "expected an ask, its time and "
					       "its answer");
		*ADDED(asks->ask, asks->count) = ask;
		go_on(&reading, lf);
	}
	return 0;
}

void
asks_forget(struct asks *asks)
{
	free(asks->ask);
	*asks = (struct asks){ .count = 0 };
}

bool
asks_path(const char *record, char *path, size_t size)
{
	static const char end[] = ".rec";
	const size_t n = strlen(record), tail = strlen(end);

	return n > tail && strcmp(record + n - tail, end) == 0 &&
	       (size_t)snprintf(path, size, "%.*s" ASKS_SUFFIX, (int)(n - tail),
				record) < size;
}
