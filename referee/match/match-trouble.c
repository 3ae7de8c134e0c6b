/* referee/match/match-trouble.c - keeps and prints why a bot has lost. */
#include "referee/match/match-trouble.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/base/error-line.h"
#include "referee/base/json-line.h"

/* ---- hearing ---------------------------------------------------------- */

static void
keep_stderr(struct match_trouble *trouble, const struct text *text)
{
	if (error_line_find(text->bytes, text->used).at == NULL)
		return;
	text_clear(&trouble->wrote);
	trouble->wrote.max = EXCERPT_BYTES;
	error_excerpt(text->bytes, text->used, &trouble->wrote);
}

static void
count_silence(struct match_trouble *trouble, const struct job_end *end)
{
	/* A program that is ended for its memory has begun with something, so
	 * it is not silent. */
	if (end->known && end->early && end->silent && !end->over)
		trouble->silent++;
	else if (!end->known || !end->silent || end->over)
		trouble->begun = true;
}

void
match_trouble_hear(struct match_trouble *trouble, uint64_t number,
		   unsigned seat, const struct fault_note *note,
		   const struct job_end *end)
{
	char sentence[COMPLAINT_BYTES];

	count_silence(trouble, end);
	(void)complaints_job_sentence(end, sentence);
	if (trouble->game != number) {
		if ((note == NULL && sentence[0] == '\0') ||
		    (trouble->game != 0 && trouble->game < number))
			return;
		text_clear(&trouble->wrote);
		trouble->game = number;
		trouble->seat = seat;
		trouble->record[0] = trouble->end[0] = '\0';
		memset(&trouble->note, 0, sizeof(trouble->note));
		if (note != NULL)
			trouble->note = *note;
	} else if (trouble->seat != seat) {
		return;
	}
	if (sentence[0] != '\0')
		memcpy(trouble->end, sentence, sizeof(sentence));
	keep_stderr(trouble, &end->complaint);
}

void
match_trouble_kept(struct match_trouble *trouble, uint64_t number,
		   const char *file)
{
	if (trouble->game == number)
		snprintf(trouble->record, sizeof(trouble->record), "%s", file);
}

bool
match_trouble_is_silent(const struct match_trouble *trouble, uint64_t planned)
{
	return !trouble->begun && trouble->silent > 0 &&
	       trouble->silent >= (planned < NEVER_BEGAN_GAMES
					   ? planned
					   : NEVER_BEGAN_GAMES);
}

void
match_trouble_release(struct match_trouble *trouble)
{
	text_release(&trouble->wrote);
}

/* ---- telling ---------------------------------------------------------- */

void
match_trouble_silent(const struct match_trouble *trouble, const char *name,
		     struct error *why)
{
	const char *early = strstr(trouble->end, COMPLAINT_EARLY);
	const size_t n = early == NULL ? strlen(trouble->end)
				       : (size_t)(early - trouble->end);

	error_set(why, ERROR_INPUT,
		  "bot %s never begins: it %.*s before it said anything", name,
		  (int)n, trouble->end);
}

static void
print_stderr(const struct text *wrote)
{
	const char *hint = complaints_hint(wrote->bytes, wrote->used);
	const char *at = wrote->bytes, *end = at + wrote->used, *lf;
	char shown[512];

	if (wrote->used == 0) {
		fputs("  standard error: nothing\n", stderr);
		return;
	}
	fputs("  standard error:\n", stderr);
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (lf == NULL)
			lf = end;
		text_escape(shown, sizeof(shown), at, (size_t)(lf - at));
		fprintf(stderr, "  ! %s\n", shown);
	}
	if (hint != NULL)
		fprintf(stderr, "  %s\n", hint);
}

static void
write_path(const char *records, const struct match_trouble *trouble,
	   char path[PATH_MAX])
{
	path[0] = '\0';
	if (records != NULL && trouble->record[0] != '\0')
		snprintf(path, PATH_MAX, "%s/%s", records, trouble->record);
}

void
match_trouble_print(const char *name, const char *spec, const char *game,
		    const char *records, const struct match_trouble *trouble)
{
	char sentence[FAULT_SENTENCE_BYTES], path[PATH_MAX];

	if (trouble->game == 0)
		return;
	fprintf(stderr, "bot %s, game %" PRIu64 ", seat %u:\n", name,
		trouble->game, trouble->seat);
	if (trouble->note.fault != FAULT_NONE) {
		fault_note_sentence(&trouble->note, sentence);
		fprintf(stderr, "  %s\n", sentence);
	}
	if (trouble->end[0] != '\0')
		fprintf(stderr, "  it %s\n", trouble->end);
	write_path(records, trouble, path);
	if (path[0] != '\0')
		fprintf(stderr, "  record: %s\n", path);
	else
		fputs("  record: none (--records DIR keeps them)\n", stderr);
	print_stderr(&trouble->wrote);
	if (spec != NULL) {
		fputs("  more: referee check ", stderr);
		print_shell_word(stderr, spec);
		fprintf(stderr, " --game %s\n", game);
	}
}

json_t *
match_trouble_json(const char *records, const struct match_trouble *trouble)
{
	const struct fault_note *note = &trouble->note;
	char path[PATH_MAX], token[SAID_BYTES + 1], said[4 * SAID_BYTES + 8];
	char wrote[EXCERPT_BYTES + 1], sentence[FAULT_SENTENCE_BYTES];
	json_t *json;

	if (trouble->game == 0)
		return json_null();
	write_path(records, trouble, path);
	snprintf(wrote, sizeof(wrote), "%.*s", (int)trouble->wrote.used,
		 trouble->wrote.used == 0 ? "" : trouble->wrote.bytes);
	json = JSON_OBJECT(
		INT("game", trouble->game), INT("seat", trouble->seat),
		JSON("end", trouble->end[0] == '\0'
				    ? json_null()
				    : json_string(trouble->end)),
		JSON("record",
		     path[0] == '\0' ? json_null() : json_any_string(path)),
		JSON("stderr", json_any_string(wrote)));
	if (note->fault == FAULT_NONE)
		return json;
	fault_note_token(note, token);
	text_escape(said, sizeof(said), note->said.text, note->said.kept);
	fault_note_sentence(note, sentence);
	JSON_ADD(json, TEXT("fault", fault_name(note->fault)),
		 INT("ask", note->ask), JSON("token", json_any_string(token)),
		 TEXT("said", said), TEXT("legal", note->legal),
		 TEXT("sentence", sentence));
	return json;
}
