/* referee/table/fault-note.c - notes of faults, and their sentences. */
#include "referee/table/fault-note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/text.h"

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
	unsigned i;

	for (i = 0; i < notes->count; i++)
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

/* Its message; `why` of a bad one stays. */
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
	read_said(note, line, &message);
	if (message.verb == MESSAGE_DO && note->said.kept == note->said.bytes)
		snprintf(token, SAID_BYTES + 1, "%.*s", (int)message.n,
			 message.text);
}

static void
tell_said(const struct fault_note *note, char *to, size_t size)
{
	char said[4 * SAID_BYTES + 8], token[SAID_BYTES + 1];
	char line[SAID_BYTES + 1];
	const bool cut = note->said.kept < note->said.bytes;
	struct message message;

	fault_note_token(note, token);
	read_said(note, line, &message);
	text_escape(said, sizeof(said), note->said.text, note->said.kept);
	if (note->fault == FAULT_ILLEGAL && token[0] != '\0')
		snprintf(to, size, "answered ask %" PRIu32 " with '%s'",
			 note->ask, token);
	else if (note->said.bytes > 0)
		snprintf(to, size, "said '%s%s'%s%s", said, cut ? "..." : "",
			 message.verb == MESSAGE_BAD && !cut ? ": " : "",
			 message.verb == MESSAGE_BAD && !cut ? message.why
							     : "");
	else
		snprintf(to, size, "said an empty line, or one too long");
}

void
fault_note_sentence(const struct fault_note *note,
		    char to[FAULT_SENTENCE_BYTES])
{
	char what[4 * SAID_BYTES + 192] = "";

	switch (note->fault) {
	case FAULT_TIMEOUT:
		if (note->ask == 0)
			snprintf(what, sizeof(what),
				 "had used up its time for the game");
		else
			snprintf(what, sizeof(what),
				 "no answer to ask %" PRIu32 " in %" PRIu64
				 " ms%s",
				 note->ask, note->used_us / 1000,
				 note->ask == 1 ? " (did it flush its output?)"
						: "");
		break;
	case FAULT_CRASH:
		if (note->ask == 0)
			snprintf(what, sizeof(what),
				 "ended, or closed its output, before it could "
				 "be asked");
		else
			snprintf(what, sizeof(what),
				 "ended, or closed its output, before it "
				 "answered ask %" PRIu32,
				 note->ask);
		break;
	default:
		tell_said(note, what, sizeof(what));
	}
	snprintf(to, FAULT_SENTENCE_BYTES, "%s: %s; legal: %s",
		 fault_name(note->fault), what, note->legal);
}
