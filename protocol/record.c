/* protocol/record.c - read a record: lines first, then the header's order,
 * then where the body ends.  RECORD.md describes what is read here. */
#include "protocol/record.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/ascii.h"
#include "protocol/file.h"
#include "protocol/message.h"

/* Holds the state of parsing one record. */
struct parse {
	struct record *record;
	struct error *why;
	unsigned lines; /* of the whole file */
	unsigned at;	/* header line looked at, from 0 */
};

/* Returns where ` ;` begins in `n` bytes, or `n`. */
static size_t
find_comment(const char *line, size_t n)
{
	const char *at = line, *semicolon;

	while ((semicolon = memchr(at, ';', n - (size_t)(at - line)))) {
		if (semicolon > line && semicolon[-1] == ' ')
			return (size_t)(semicolon - line) - 1;
		at = semicolon + 1;
	}
	return n;
}

/* Returns true if the words are separated by exactly one space each. */
static bool
spaces_ok(const char *line, size_t n)
{
	const char *end = line + n, *space;

	while ((space = memchr(line, ' ', (size_t)(end - line)))) {
		if (space == line || space + 1 == end)
			return false;
		line = space + 1;
	}
	return true;
}

/* ---- lines ------------------------------------------------------------ */

/* Reads line number `number`: `n` bytes at `bytes`, then LF, which becomes NUL. */
static int
read_line(char *bytes, size_t n, unsigned number, struct record_line *line,
	  struct error *why)
{
	size_t used, i;

	if (!ascii_printable(bytes, n)) {
		for (i = 0; ascii_printable(bytes + i, 1); i++)
			;
		return record_complain(
			why, number,
			"expected printable ASCII, found byte 0x%02x "
			"as number %zu of the line",
			(unsigned)(unsigned char)bytes[i], i + 1);
	}
	used = find_comment(bytes, n);
	if (used > LINE_REFEREE_BYTES)
		return record_complain(
			why, number,
			"expected at most %d bytes before a comment, "
			"found %zu",
			LINE_REFEREE_BYTES, used);
	if (!spaces_ok(bytes, used))
		return record_complain(
			why, number,
			"expected one space between two words and "
			"none at the ends of the line");
	line->text = bytes;
	line->n = (uint32_t)used;
	line->number = number;
	line->comment = used < n ? bytes + used + 2 : NULL;
	bytes[n] = '\0';
	bytes[used] = '\0';
	return 0;
}

static unsigned
count_lines(const char *bytes, size_t n)
{
	const char *end = bytes + n, *lf;
	unsigned lines = 0;

	while ((lf = memchr(bytes, '\n', (size_t)(end - bytes)))) {
		lines++;
		bytes = lf + 1;
	}
	return lines;
}

/* Cuts the copied text into record->header, all lines one after the other. */
static int
split(struct parse *parse, size_t n)
{
	struct record *record = parse->record;
	char *bytes = record->bytes, *end = bytes + n, *lf;
	unsigned i;

	parse->lines = count_lines(bytes, n);
	record->header = memory(NULL, parse->lines * sizeof(*record->header));
	for (i = 0; i < parse->lines; i++) {
		lf = memchr(bytes, '\n', (size_t)(end - bytes));
		if (read_line(bytes, (size_t)(lf - bytes), i + 1,
			      &record->header[i], parse->why) != 0)
			return -1;
		bytes = lf + 1;
	}
	if (bytes < end)
		return record_complain(
			parse->why, i + 1,
			"expected LF at the end of the line, found "
			"the end of the text");
	return 0;
}

/* Parts header and body at the one empty line. */
static int
part(struct parse *parse)
{
	struct record *record = parse->record;

	while (record->headers < parse->lines &&
	       record->header[record->headers].n > 0)
		record->headers++;
	if (record->headers == parse->lines)
		return record_complain(
			parse->why, parse->lines + 1,
			"expected an empty line after the header, "
			"found the end of the text");
	record->body = record->header + record->headers + 1;
	record->bodies = parse->lines - record->headers - 1;
	for (unsigned i = 0; i < record->bodies; i++)
		if (record->body[i].n == 0)
			return record_complain(
				parse->why, record->body[i].number,
				"expected a line of the game, found "
				"an empty one");
	return 0;
}

/* ---- header ----------------------------------------------------------- */

static const char *const ordered[] = { "record", "id",	   "game",
				       "seats",	 "option", "bot" };

/* Complains that the header line looked at is none of those expected. */
static int
unexpected(const struct parse *parse, const char *what)
{
	const struct record_line *line =
		&parse->record->header[parse->at]; /* perhaps the empty one */

	if (line->n == 0)
		return record_complain(
			parse->why, line->number,
			"expected %s, found the end of the header", what);
	return record_complain(parse->why, line->number,
			       "expected %s, found `%.80s`", what, line->text);
}

/* Returns the value of the header line looked at if its word is `key`, or NULL. */
static const char *
header_value(const struct parse *parse, const char *key)
{
	return record_after(&parse->record->header[parse->at], key);
}

/* Reads the four lines that every record begins with. */
static int
read_head(struct parse *parse)
{
	struct record *record = parse->record;
	const char *value = header_value(parse, "record");
	uint64_t seats;

	if (value == NULL || strcmp(value, "1") != 0)
		return unexpected(parse, "`record 1`");
	parse->at++;
	record->id = header_value(parse, "id");
	if (record->id == NULL ||
	    !message_name_ok(record->id, strlen(record->id)))
		return unexpected(parse, "`id` and the game's ID");
	parse->at++;
	record->game = header_value(parse, "game");
	if (record->game == NULL ||
	    !message_name_ok(record->game, strlen(record->game)))
		return unexpected(parse, "`game` and the game's name");
	parse->at++;
	value = header_value(parse, "seats");
	if (value == NULL ||
	    message_number(value, strlen(value), SEATS_MAX, &seats) != 0 ||
	    seats == 0)
		return unexpected(parse, "`seats` and a number from 1 to 8");
	parse->at++;
	record->seats = (unsigned)seats;
	return 0;
}

_Static_assert(SEATS_MAX == 8 && RECORD_OPTIONS == 64,
	       "sentences here name these limits");

static bool
has_option(const struct record *record, const char *name)
{
	for (unsigned i = 0; i < record->options; i++)
		if (strcmp(record->option[i].name, name) == 0)
			return true;
	return false;
}

/* `words` is where the names are copied to, since a line stays whole. */
static int
read_options(struct parse *parse, char *words)
{
	struct record *record = parse->record;
	const char *name, *value;
	size_t n;

	record->option = memory(NULL, RECORD_OPTIONS * sizeof(*record->option));
	for (; (name = header_value(parse, "option")); parse->at++) {
		n = strcspn(name, " ");
		value = name + n + 1;
		if (n == 0 || name[n] == '\0' || strchr(value, ' ') != NULL)
			return unexpected(parse, "`option NAME VALUE`");
		memcpy(words, name, n);
		words[n] = '\0';
		if (record->options == RECORD_OPTIONS)
			return unexpected(parse, "at most 64 options");
		if (has_option(record, words))
			return unexpected(parse, "each option once");
		record->option[record->options].name = words;
		record->option[record->options].value = value;
		record->options++;
		words += n + 1;
	}
	return 0;
}

static int
read_bots(struct parse *parse)
{
	struct record *record = parse->record;
	char what[sizeof("an option, or `bot 0 NAME`")];
	const char *value;

	for (unsigned seat = 0; seat < record->seats; seat++, parse->at++) {
		snprintf(what, sizeof(what), "%s`bot %u NAME`",
			 seat == 0 ? "an option, or " : "", seat % 10);
		value = header_value(parse, "bot");
		if (value == NULL ||
		    record_take_seat(&value, record->seats) != (int)seat ||
		    !message_name_ok(value, strlen(value)))
			return unexpected(parse, what);
		record->name[seat] = value;
	}
	return 0;
}

/* Reads the remaining header lines.  They are the referee's, in any order; none of the
 * ordered ones may come again. */
static int
read_rest(struct parse *parse)
{
	struct record *record = parse->record;

	for (; parse->at < record->headers; parse->at++)
		for (size_t i = 0; i < NELEM(ordered); i++)
			if (header_value(parse, ordered[i]) != NULL)
				return unexpected(parse, "no more of the "
							 "lines above");
	record->aborted = record_header(record, "aborted");
	return 0;
}

/* ---- body ------------------------------------------------------------- */

/* Reads the forfeit lines, which stand at the end and nowhere else. */
static int
read_forfeits(struct parse *parse)
{
	struct record *record = parse->record;
	unsigned i, first = record->bodies;

	while (first > 0 && record_after(&record->body[first - 1], "forfeit"))
		first--;
	record->forfeits = record->bodies - first;
	for (i = 0; i + 1 < first; i++)
		if (record_after(&record->body[i], "forfeit") != NULL &&
		    record_after(&record->body[i + 1], "forfeit") == NULL)
			return record_complain(
				parse->why, record->body[i + 1].number,
				"expected nothing but `forfeit` lines "
				"after the first of them, found "
				"`%.80s`",
				record->body[i + 1].text);
	return 0;
}

/* ---- whole records ---------------------------------------------------- */

static int
parse_copy(struct parse *parse, size_t n)
{
	struct record *record = parse->record;

	if (split(parse, n) != 0 || part(parse) != 0 || read_head(parse) != 0)
		return -1;
	if (read_options(parse, record->bytes + n + 1) != 0)
		return -1;
	if (read_bots(parse) != 0 || read_rest(parse) != 0)
		return -1;
	return read_forfeits(parse);
}

int
record_parse(const char *bytes, size_t n, struct record **record,
	     struct error *why)
{
	static const char first[] = "record ";
	struct parse parse = { .why = why };

	*record = NULL;
	if (n > RECORD_BYTES)
		return record_complain(why, 1,
				       "expected at most %d bytes, found more",
				       RECORD_BYTES);
	if (n < sizeof(first) - 1 ||
	    memcmp(bytes, first, sizeof(first) - 1) != 0)
		return record_complain(why, 1,
				       "expected the record of a game, which "
				       "begins with `record 1`; this is not "
				       "one");
	parse.record = zeroed(1, sizeof(*parse.record));
	/* There is room for the text twice: words that are cut out of lines stand
	 * behind it. */
	parse.record->bytes = memory(NULL, 2 * (n + 1));
	if (n > 0)
		memcpy(parse.record->bytes, bytes, n);
	if (parse_copy(&parse, n) != 0) {
		record_free(parse.record);
		return -1;
	}
	*record = parse.record;
	return 0;
}

int
record_read(const char *path, struct record **record, struct error *why)
{
	struct text text = { .max = RECORD_BYTES };
	struct error sentence;
	int result = -1;

	*record = NULL;
	if (file_load(path, &text) != 0) {
		error_set(why,
			  errno == FILE_IS_NONE ? ERROR_INPUT : ERROR_MACHINE,
			  "%.200s: cannot read it: %s", path, file_trouble());
	} else if (text.full) {
		error_set(why, ERROR_INPUT,
			  "%.200s:1: expected at most %d bytes, found more",
			  path, RECORD_BYTES);
	} else {
		result = record_parse(text.bytes, text.used, record, &sentence);
		if (result != 0)
			error_set(why, ERROR_INPUT, "%.200s:%.300s", path,
				  sentence.text);
	}
	text_release(&text);
	return result;
}

void
record_free(struct record *record)
{
	if (record == NULL)
		return;
	free(record->option);
	free(record->header);
	free(record->bytes);
	free(record);
}

const struct record_line *
record_header_line(const struct record *record, const char *key)
{
	for (unsigned i = 0; i < record->headers; i++)
		if (record_after(&record->header[i], key) != NULL)
			return &record->header[i];
	return NULL;
}

const char *
record_header(const struct record *record, const char *key)
{
	const struct record_line *line = record_header_line(record, key);

	return line != NULL ? record_after(line, key) : NULL;
}

/* ---- hash ------------------------------------------------------------- */

static void
hash_line(crypto_generichash_state *state, const char *line, size_t n)
{
	crypto_generichash_update(state, (const unsigned char *)line, n);
	crypto_generichash_update(state, (const unsigned char *)"\n", 1);
}

void
record_hash(const struct record *record, unsigned char hash[RECORD_HASH_BYTES])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, RECORD_HASH_BYTES);
	for (unsigned i = 0; i < record->headers + 1 + record->bodies; i++)
		hash_line(&state, record->header[i].text, record->header[i].n);
	crypto_generichash_final(&state, hash, RECORD_HASH_BYTES);
}

/* From comment to comment. */
void
id_draw(char id[ID_BYTES + 1])
{
	unsigned char bytes[ID_BYTES / 2];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(id, ID_BYTES + 1, bytes, sizeof(bytes));
}

void
record_hash_text(const char *bytes, size_t n,
		 unsigned char hash[RECORD_HASH_BYTES])
{
	const char *from = bytes, *end = bytes + n, *lf;
	crypto_generichash_state state;
	size_t line, kept;

	crypto_generichash_init(&state, NULL, 0, RECORD_HASH_BYTES);
	for (; bytes < end; bytes = lf + 1) {
		lf = memchr(bytes, '\n', (size_t)(end - bytes));
		line = (size_t)((lf != NULL ? lf : end) - bytes);
		kept = find_comment(bytes, line);
		if (lf == NULL) {
			hash_line(&state, from, (size_t)(bytes + kept - from));
			from = end;
			break;
		}
		if (kept == line)
			continue;
		crypto_generichash_update(&state, (const unsigned char *)from,
					  (size_t)(bytes + kept - from));
		from = lf;
	}
	crypto_generichash_update(&state, (const unsigned char *)from,
				  (size_t)(end - from));
	crypto_generichash_final(&state, hash, RECORD_HASH_BYTES);
}

int64_t
record_moves(const char *body, size_t n)
{
	const char *lf, *end = body + n;
	int64_t moves = 0;

	while (body < end) {
		n = (size_t)(end - body);
		moves += n >= 5 && memcmp(body, "move ", 5) == 0;
		lf = memchr(body, '\n', n);
		body = lf == NULL ? end : lf + 1;
	}
	return moves;
}
