/* referee/records/replay-notes.c - see replay-notes.h. */
#include "referee/records/replay-notes.h"

#include <string.h>

#include "protocol/hidden.h"

static int
hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

/* Decodes at most `most` bytes and adds a NUL. Drops NULs and bytes that do not
 * fit. */
static void
decode(const char *from, size_t n, char *to, size_t most)
{
	size_t i, used = 0;
	int byte;

	for (i = 0; i < n && used < most; i++) {
		byte = (unsigned char)from[i];
		if (from[i] == '%' && i + 2 < n &&
		    hex_digit(from[i + 1]) >= 0 &&
		    hex_digit(from[i + 2]) >= 0) {
			byte = hex_digit(from[i + 1]) * 16 +
			       hex_digit(from[i + 2]);
			i += 2;
		}
		if (byte != 0)
			to[used++] = (char)byte;
	}
	to[used] = '\0';
}

/* Returns the seat at the front of ` S…`, or -1. */
static int
seat_at(const char *text, size_t n)
{
	return n >= 2 && text[0] == ' ' && text[1] >= '0' &&
			       text[1] < '0' + SEATS_MAX
		       ? text[1] - '0'
		       : -1;
}

/* Reads ` say S TEXT`. */
static bool
read_remark(const char *text, size_t n, struct replay_note *note)
{
	const size_t head = strlen(" say S ");

	if (n <= head || memcmp(text, " say", 4) != 0 || text[head - 1] != ' ')
		return false;
	note->seat = seat_at(text + 4, n - 4);
	note->spoke = true;
	decode(text + head, n - head, note->text, SAY_BYTES);
	return note->seat >= 0;
}

/* Reads ` 0.311ms` of a move. */
static bool
read_time(const struct replay_line *line, const char *text, size_t n,
	  struct replay_note *note)
{
	if (n < 4 || n > SAY_BYTES || memcmp(text + n - 2, "ms", 2) != 0 ||
	    strspn(text + 1, "0123456789.") != n - 3 ||
	    strncmp(line->text, "move", 4) != 0)
		return false;
	note->seat = seat_at(line->text + 4, line->n - 4);
	note->spoke = false;
	decode(text + 1, n - 1, note->text, SAY_BYTES);
	return note->seat >= 0;
}

bool
replay_note_next(const struct replay_line *line, int viewer, const char **at,
		 struct replay_note *note)
{
	const char *text, *end;
	size_t n;

	if (line->comment == NULL || viewer == VIEW_PUBLIC)
		return false;
	for (text = *at == NULL ? line->comment : *at; *text != '\0';
	     text = end) {
		end = strstr(text, " ;");
		n = end == NULL ? strlen(text) : (size_t)(end - text);
		end = end == NULL ? text + n : end + 2;
		if ((read_remark(text, n, note) ||
		     read_time(line, text, n, note)) &&
		    (viewer == VIEW_ALL || viewer == note->seat)) {
			*at = end;
			return true;
		}
	}
	return false;
}

void
replay_said_text(const char *said, char text[SAID_BYTES + 1])
{
	decode(said, strcspn(said, " "), text, SAID_BYTES);
}
