/* referee/table/table-record.c - lines of the record; RECORD.md tells their
 * forms. */
#include "referee/table/table-record.h"

#include "config.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "protocol/date.h"
#include "protocol/hidden.h"
#include "referee/table/record-keys.h"

/* Room that is left in a line for its thinking time. */
#define THOUGHT_BYTES 32

void
table_record_init(struct table_record *record)
{
	text_init(&record->body, TABLE_BODY_BYTES);
	text_init(&record->asks, SEATS_MAX * (LINE_REFEREE_BYTES + 1));
	text_init(&record->remarks, SEATS_MAX * (SAY_COUNT + SLIP_TYPES + 1) *
					    (3 * SAY_BYTES + 16));
}

void
table_record_release(struct table_record *record)
{
	text_release(&record->body);
	text_release(&record->asks);
	text_release(&record->remarks);
}

void
table_record_ask(struct table_record *record, unsigned seat, const char *tokens,
		 size_t n)
{
	text_fmt(&record->asks, "ask %u ", seat);
	text_add(&record->asks, tokens, n);
	text_add(&record->asks, "\n", 1);
}

void
table_record_asks(struct table_record *record)
{
	if (record->asks.used == 0)
		return;
	text_add(&record->body, record->asks.bytes, record->asks.used);
	text_clear(&record->asks);
}

/* Appends as many of the waiting remarks to a line of `n` bytes as a record's
 * line can hold; the others wait on.  They wait as ` ; say S TEXT`, each with
 * an LF. */
static void
add_remarks(struct table_record *record, size_t n)
{
	struct text *remarks = &record->remarks;
	char *at = remarks->bytes, *end = at + remarks->used, *lf;

	if (remarks->used == 0)
		return;
	while (at < end) {
		lf = memchr(at, '\n', (size_t)(end - at));
		n += (size_t)(lf - at);
		if (n > LINE_REFEREE_BYTES)
			break;
		text_add(&record->body, at, (size_t)(lf - at));
		at = lf + 1;
	}
	remarks->used = (size_t)(end - at);
	memmove(remarks->bytes, at, remarks->used);
}

/* ` ; 0.123ms`, by hand: it stands behind every move. */
static size_t
write_thought(char to[THOUGHT_BYTES], uint64_t us)
{
	char digits[THOUGHT_BYTES];
	size_t n = 0, i = 0;

	memcpy(to, " ; ", 3);
	do
		digits[n++] = (char)('0' + us % 10);
	while ((us /= 10) > 0 || n < 4);
	to += 3;
	while (n > 0) {
		if (n == 3)
			to[i++] = '.';
		to[i++] = digits[--n];
	}
	memcpy(to + i, "ms", 2);
	return 3 + i + 2;
}

void
table_record_events(struct table_record *record, const char *text, size_t n,
		    const uint64_t *thought_us)
{
	const char *end = text + n, *lf;
	char thought[THOUGHT_BYTES];
	size_t line;

	/* The lines are copied one by one only as long as there are comments. */
	while (text < end && (thought_us != NULL || record->remarks.used > 0)) {
		lf = memchr(text, '\n', (size_t)(end - text));
		line = (size_t)(lf - text);
		text_add(&record->body, text, line);
		if (thought_us != NULL &&
		    line + THOUGHT_BYTES <= LINE_REFEREE_BYTES) {
			text_add(&record->body, thought,
				 write_thought(thought, *thought_us));
			line += THOUGHT_BYTES;
		}
		thought_us = NULL;
		add_remarks(record, line);
		text_add(&record->body, "\n", 1);
		text = lf + 1;
	}
	text_add(&record->body, text, (size_t)(end - text));
}

/* Encodes a text into at most three times as many bytes; returns how many. */
static size_t
encode(char *to, const char *text, size_t n)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t i, used = 0;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > ' ' && c < 0x7f && c != '%' && c != ';') {
			to[used++] = (char)c;
			continue;
		}
		to[used++] = '%';
		to[used++] = hex[c >> 4];
		to[used++] = hex[c & 15];
	}
	return used;
}

void
table_record_remark(struct table_record *record, unsigned seat,
		    const char *text, size_t n)
{
	char coded[3 * SAY_BYTES];

	text_fmt(&record->remarks, " ; say %u %.*s\n", seat,
		 (int)encode(coded, text, n < SAY_BYTES ? n : SAY_BYTES),
		 coded);
}

void
table_record_fault(struct table_record *record, const char *line, size_t n,
		   const struct seat_said *said, const struct bot_seen *seen)
{
	static const char verb[] = " ; said ";
	char coded[3 * SAID_BYTES], starved[64];
	size_t used = encode(coded, said->text, said->kept);

	text_add(&record->body, line, n - 1);
	if (said->bytes > 0) {
		text_add(&record->body, verb, sizeof(verb) - 1);
		text_add(&record->body, coded, used);
		n += sizeof(verb) - 1 + used;
	}
	if (seen->doing == BOT_STARVED) {
		used = (size_t)snprintf(starved, sizeof(starved),
					FAULT_STARVED "%" PRIu32 " of %" PRIu32
						      "ms",
					seen->had_ms, seen->of_ms);
		text_add(&record->body, starved, used);
		n += used;
	}
	add_remarks(record, n);
	text_add(&record->body, "\n", 1);
}

static bool
begins_with(const char *line, size_t n, const char *word)
{
	return n >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

/* Asks tell what a seat might do, forfeits stand at the end for the result. */
static void
add_public(const char *line, size_t n, struct text *to)
{
	static const char comment[] = " ; ";
	const char *end = memmem(line, n, comment, sizeof(comment) - 1);
	char text[LINE_REFEREE_BYTES];
	ssize_t used;

	if (begins_with(line, n, "ask ") || begins_with(line, n, "forfeit "))
		return;
	if (end != NULL)
		n = (size_t)(end - line);
	used = hidden_redact(line, n, VIEW_PUBLIC, text);
	if (used < 0)
		bug("cannot redact the event line %.*s", (int)n, line);
	text_add(to, text, (size_t)used);
	text_add(to, "\n", 1);
}

size_t
table_record_public(const struct text *body, size_t from, size_t until,
		    struct text *to)
{
	const char *lf;
	size_t begin = from;

	if (until > body->used)
		until = body->used;
	while (from < until && from - begin < PUBLIC_BYTES) {
		lf = memchr(body->bytes + from, '\n', until - from);
		if (lf == NULL)
			break;
		add_public(body->bytes + from,
			   (size_t)(lf - body->bytes) - from, to);
		from = (size_t)(lf - body->bytes) + 1;
	}
	return from;
}

void
table_record_cut(struct table_record *record)
{
	struct text *body = &record->body;

	while (body->used > 0 && body->bytes[body->used - 1] != '\n')
		body->used--;
}

void
table_record_forfeits(struct table_record *record, const unsigned seats[],
		      unsigned count, const enum fault why[])
{
	for (unsigned i = 0; i < count; i++)
		text_fmt(&record->body, "forfeit %u %s\n", seats[i],
			 fault_name(why[i]));
}

/* ---- the header ------------------------------------------------------- */

/* `before` is empty, or a seat and a space. */
static void
add_hex(struct text *to, enum record_key key, const char *before,
	const unsigned char *bytes, size_t n)
{
	char hex[2 * 64 + 1];

	sodium_bin2hex(hex, sizeof(hex), bytes, n);
	record_put(to, key, "%s%s", before, hex);
}

static void
add_control(struct text *to, const struct table_setup *setup)
{
	record_put(to, RECORD_OPEN, setup->arrival ? "arrival" : "priority");
	record_put(to, RECORD_TIME, "%" PRIu64, setup->clock.time_us / 1000);
	record_put(to, RECORD_BANK, "%" PRIu64, setup->clock.bank_us / 1000);
	record_put(to, RECORD_INCREMENT, "%" PRIu64,
		   setup->clock.increment_us / 1000);
	if (setup->clock.total_us != 0)
		record_put(to, RECORD_TOTAL, "%" PRIu64,
			   setup->clock.total_us / 1000);
	record_put(to, RECORD_FAULTS, "%u", setup->faults);
}

void
table_record_names(struct text *to, const struct table_setup *setup)
{
	const struct game_setup *game = &setup->game;
	char value[16];

	text_fmt(to, "record 1\nid %s\ngame %s\nseats %u\n", setup->deal.id,
		 game->rules->name, game->seats);
	for (unsigned i = 0; game->rules->options[i].name != NULL; i++) {
		game_setup_value(game, i, value);
		text_fmt(to, "option %s %s\n", game->rules->options[i].name,
			 value);
	}
	for (unsigned i = 0; i < game->seats; i++)
		text_fmt(to, "bot %u %s\n", i, setup->name[i]);
}

void
table_record_header(struct text *to, const struct table_setup *setup,
		    const struct seat seat[], const struct entropy *entropy,
		    const char *ended, enum abort_word aborted)
{
	const struct game_setup *game = &setup->game;
	char before[32], date[DATE_BYTES];

	table_record_names(to, setup);
	record_put(to, RECORD_RULES, "%u", game->rules->version);
	for (unsigned i = 0; i < game->seats; i++)
		if (setup->heir_of[i][0] != '\0')
			record_put(to, RECORD_HEIR_OF, "%u %s", i,
				   setup->heir_of[i]);
	add_control(to, setup);
	date_write((int64_t)setup->date, date);
	record_put(to, RECORD_STARTED, "%s", date);
	record_put(to, RECORD_ENDED, "%s", ended);
	record_put(to, RECORD_REFEREE, "%s", PACKAGE_VERSION);
	add_hex(to, RECORD_COMMIT, "", setup->deal.commit,
		sizeof(setup->deal.commit));
	if (setup->deal.in_block > 0)
		record_put(to, RECORD_BLOCK, "%s %u", setup->deal.block,
			   setup->deal.in_block);
	for (unsigned i = 0; i < game->seats; i++) {
		if (entropy->bytes[i] == 0)
			continue;
		snprintf(before, sizeof(before), "%u ", i);
		add_hex(to, RECORD_ENTROPY, before, entropy->byte[i],
			entropy->bytes[i]);
	}
	if (setup->deal.seeded)
		record_put(to, RECORD_SEEDED, "%s", "");
	add_hex(to, RECORD_SECRET, "", setup->deal.secret,
		sizeof(setup->deal.secret));
	for (unsigned i = 0; i < game->seats; i++) {
		if (seat[i].owed != FAULT_NONE)
			record_put(to, RECORD_OWED, "%u %s", i,
				   fault_name(seat[i].owed));
		if (seat[i].broken)
			record_put(to, RECORD_BROKEN, "%u %s", i,
				   fault_name(seat[i].broken_fault));
	}
	if (aborted != ABORT_NONE)
		record_put(to, RECORD_ABORTED, "%s", abort_name(aborted));
}

void
table_record_usage(struct text *to, const struct bot_usage used[],
		   unsigned seats)
{
	for (unsigned i = 0; i < seats; i++) {
		if (used[i].cpu_us == 0)
			continue;
		record_put(to, RECORD_CPU, "%u %" PRIu64 ".%03u", i,
			   used[i].cpu_us / 1000,
			   (unsigned)(used[i].cpu_us % 1000));
		record_put(to, RECORD_MEMORY, "%u %" PRIu64, i,
			   used[i].peak_kib);
	}
}
