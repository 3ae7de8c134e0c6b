/* referee/table/fault-note.c - notes of faults, and their sentences. */
#include "referee/table/fault-note.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "protocol/message.h"

#define WRONG_BYTES 192
#define REMARK "say "

struct fault_note *
fault_notes_add(struct fault_notes *notes, unsigned seat)
{
	unsigned i, has = 0;

	for (i = 0; i < notes->count; i++)
		has += notes->note[i].seat == seat;
	if (has == FAULT_NOTES_A_SEAT)
		return NULL;
	notes->note =
		memory(notes->note, (notes->count + 1) * sizeof(*notes->note));
	memset(&notes->note[notes->count], 0, sizeof(*notes->note));
	notes->note[notes->count].seat = (uint8_t)seat;
	return &notes->note[notes->count++];
}

const struct fault_note *
fault_notes_first(const struct fault_notes *notes, unsigned seat)
{
	for (unsigned i = 0; i < notes->count; i++)
		if (notes->note[i].seat == seat)
			return &notes->note[i];
	return NULL;
}

void
fault_notes_release(struct fault_notes *notes)
{
	free(notes->note);
	*notes = (struct fault_notes){ .count = 0 };
}

void
fault_note_legal(struct fault_note *note, const char *tokens, size_t n)
{
	static const char more[] = " ...";
	size_t keep = n;

	if (n >= sizeof(note->legal)) {
		keep = sizeof(note->legal) - sizeof(more);
		while (keep > 0 && tokens[keep] != ' ')
			keep--;
	}
	snprintf(note->legal, sizeof(note->legal), "%.*s%s", (int)keep, tokens,
		 keep < n ? more : "");
}

/* Reads the message of a note; `why` of a bad one stays. */
static void
read_said(const struct fault_note *note, char line[SAID_BYTES + 1],
	  struct message *message)
{
	memcpy(line, note->said.text, note->said.kept);
	line[note->said.kept] = '\0';
	message_read(line, note->said.kept, message);
}

void
fault_note_token(const struct fault_note *note, char token[SAID_BYTES + 1])
{
	char line[SAID_BYTES + 1];
	struct message message;

	token[0] = '\0';
	if (note->fault == FAULT_TIMEOUT || note->fault == FAULT_CRASH)
		return;
	read_said(note, line, &message);
	if (message.verb == MESSAGE_DO && note->said.kept == note->said.bytes)
		snprintf(token, SAID_BYTES + 1, "%.*s", (int)message.n,
			 message.text);
}

/* Returns true if the token is in the list but for the case of its letters. */
static bool
is_listed(const char *tokens, const char *token, size_t n)
{
	const char *at;
	size_t length;

	for (at = tokens; *at != '\0'; at += length + (at[length] == ' ')) {
		length = strcspn(at, " ");
		if (length == n && strncasecmp(at, token, n) == 0)
			return true;
	}
	return false;
}

const char *
fault_token_hint(const char *tokens, const char *token, size_t n)
{
	if (is_listed(tokens, token, n))
		return memmem(token, n, "..", 2) != NULL
			       ? "; a range stands for one of its numbers"
			       : "; small and capital letters differ";
	if (n > 0 && strspn(token, "0123456789") >= n)
		return "; the answer is the token itself, not its number";
	return "";
}

const char *
fault_line_hint(const char *tokens, const char *line, size_t n)
{
	const char *answer = memmem(line, n, "do ", 3);

	if (is_listed(tokens, line, n))
		return "; an answer begins with `do` and the number of its ask";
	if (answer == line)
		return "";
	if (n > 2 && memcmp(line, "do", 2) == 0 &&
	    isdigit((unsigned char)line[2]))
		return "; put a space after `do`";
	if (answer != NULL && answer[-1] != '\n' &&
	    n - (size_t)(answer - line) > 5)
		return "; is there a prompt before the answer?";
	return "; is it a debug print? they belong on standard error";
}

/* Writes what is wrong with a line: ": a line begins with bot, ...".  Of one that was
 * cut we know only if it was a remark: its text was too long. */
static void
tell_wrong(const struct fault_note *note, const struct message *message,
	   char to[WRONG_BYTES])
{
	to[0] = '\0';
	if (note->said.kept < note->said.bytes) {
		if (strncmp(note->said.text, REMARK, strlen(REMARK)) == 0 &&
		    note->said.bytes > strlen(REMARK) + SAY_BYTES)
			snprintf(to, WRONG_BYTES, ": %stakes at most %d bytes",
				 REMARK, SAY_BYTES);
		return;
	}
	if (message->verb == MESSAGE_BAD)
		snprintf(to, WRONG_BYTES, ": %s%s", message->why,
			 fault_line_hint(note->legal, note->said.text,
					 note->said.kept));
	else if (message->verb == MESSAGE_DO && note->ask == 0)
		snprintf(to, WRONG_BYTES, ", but that ask was not made yet");
	else if (message->verb == MESSAGE_DO && message->ask > note->ask)
		snprintf(to, WRONG_BYTES,
			 ", but ask %" PRIu32 " was not made yet; the last was "
			 "%" PRIu32,
			 message->ask, note->ask);
}

void
fault_byte_words(const char *line, size_t n, char *to, size_t size)
{
	const unsigned char *at = (const unsigned char *)line;
	size_t i = 0;

	while (i < n && at[i] >= ' ' && at[i] < 0x7f)
		i++;
	if (i < n)
		snprintf(to, size,
			 "said a line with the byte 0x%02x, which is not "
			 "printable ASCII: ",
			 at[i]);
	else
		snprintf(to, size,
			 "said a line with a byte that is not printable ASCII, "
			 "behind its first %zu: ",
			 n);
}

/* Writes why there is no line to show, or what it has that is worth more than the line;
 * returns false if there is neither. */
static bool
tell_reason(const struct fault_note *note, char *to, size_t size)
{
	switch (note->said.why) {
	case SAID_EMPTY:
		snprintf(to, size, "said an empty line");
		return true;
	case SAID_LONG:
		snprintf(to, size, "said a line of more than %d bytes",
			 LINE_BOT_BYTES);
		return true;
	case SAID_BYTE:
		fault_byte_words(note->said.text, note->said.kept, to, size);
		return false;
	case SAID_MUCH:
		snprintf(to, size,
			 "said more than %d useless lines in one game: "
			 "second answers, remarks beyond the %dth, or lines "
			 "that mean nothing here",
			 CHATTER_MAX, SAY_COUNT);
		return true;
	case SAID_ENDLESS:
		snprintf(to, size, "said %d bytes without the end of a line",
			 SKIP_BYTES);
		return true;
	case SAID_NOT_READ:
		snprintf(to, size, "did not read what it was told");
		return true;
	default:
		return false;
	}
}

static void
tell_said(const struct fault_note *note, char *to, size_t size)
{
	char said[4 * SAID_BYTES + 8], token[SAID_BYTES + 1];
	char line[SAID_BYTES + 1], wrong[WRONG_BYTES] = "";
	size_t used;
	const bool cut = note->said.kept < note->said.bytes;
	struct message message;

	to[0] = '\0';
	if (note->fault == FAULT_PROTOCOL && tell_reason(note, to, size))
		return;
	used = strlen(to);
	fault_note_token(note, token);
	read_said(note, line, &message);
	tell_wrong(note, &message, wrong);
	text_escape(said, sizeof(said), note->said.text, note->said.kept);
	if (note->fault == FAULT_ILLEGAL && token[0] != '\0')
		snprintf(to, size, "answered ask %" PRIu32 " with `%s`%s",
			 note->ask, token,
			 fault_token_hint(note->legal, token, strlen(token)));
	else
		snprintf(to + used, size - used, "%s`%s%s`%s",
			 used > 0 ? "" : "said ", said, cut ? "..." : "",
			 used > 0 ? "" : wrong);
}

void
fault_late_words(uint64_t us, char to[FAULT_LATE_BYTES])
{
	snprintf(to, FAULT_LATE_BYTES, "; its answer came %" PRIu64 " ms late",
		 (us + 999) / 1000);
}

void
fault_unended_words(const char *line, size_t n, bool cut,
		    char to[FAULT_UNENDED_BYTES])
{
	const size_t kept = n < SAID_BYTES ? n : SAID_BYTES;
	char said[4 * SAID_BYTES + 8];

	text_escape(said, sizeof(said), line, kept);
	snprintf(to, FAULT_UNENDED_BYTES,
		 "; its line `%s%s` has no end (no line feed)", said,
		 cut || kept < n ? "..." : "");
}

static void
tell_unended(const struct fault_note *note, char to[FAULT_UNENDED_BYTES])
{
	to[0] = '\0';
	if (note->said.kept > 0)
		fault_unended_words(note->said.text, note->said.kept,
				    note->said.kept < note->said.bytes, to);
}

static void
tell_timeout(const struct fault_note *note, char *to, size_t size)
{
	char doing[FAULT_UNENDED_BYTES], late[FAULT_LATE_BYTES];
	size_t used;

	tell_unended(note, doing);
	if (note->seen.doing == BOT_STARVED ||
	    (doing[0] == '\0' && note->again == 0 && note->late_us == 0))
		bot_doing_words(&note->seen, note->ask > 1, doing);
	snprintf(to, size, "no answer to ask %" PRIu32 " in %" PRIu64 " ms%s",
		 note->ask, note->used_us / 1000, doing);
	used = strlen(to);
	if (note->again > 0)
		snprintf(to + used, size - used,
			 "; it answered ask %" PRIu32 " again", note->again);
	used = strlen(to);
	if (note->late_us > 0) {
		fault_late_words(note->late_us, late);
		snprintf(to + used, size - used, "%s", late);
	}
}

void
fault_note_sentence(const struct fault_note *note,
		    char to[FAULT_SENTENCE_BYTES])
{
	char what[4 * SAID_BYTES + 32 + WRONG_BYTES] = "";
	char unended[FAULT_UNENDED_BYTES];

	switch (note->fault) {
	case FAULT_TIMEOUT:
		if (note->ask == 0)
			snprintf(what, sizeof(what),
				 "had used up its time for the game");
		else
			tell_timeout(note, what, sizeof(what));
		break;
	case FAULT_CRASH:
		tell_unended(note, unended);
		if (note->ask == 0)
			snprintf(what, sizeof(what),
				 "ended, or closed its output, before it could "
				 "be asked");
		else
			snprintf(what, sizeof(what),
				 "ended, or closed its output, before it "
				 "answered ask %" PRIu32 "%s",
				 note->ask, unended);
		break;
	default:
		tell_said(note, what, sizeof(what));
	}
	snprintf(to, FAULT_SENTENCE_BYTES, "%s: %s; legal: %s",
		 fault_name(note->fault), what, note->legal);
}
