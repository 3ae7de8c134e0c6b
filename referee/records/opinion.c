/* referee/records/opinion.c - see opinion.h. */
#include "referee/records/opinion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/frames/piece.h"

/* ---- what the program reads ------------------------------------------- */

static void
write_game(const struct record *record, unsigned seat, struct text *to)
{
	const char *faults = record_header(record, "faults");

	text_fmt(to, "game %s %s seat %u of %u", record->id, record->game, seat,
		 record->seats);
	for (unsigned i = 0; i < record->options; i++)
		text_fmt(to, " %s=%s", record->option[i].name,
			 record->option[i].value);
	if (faults != NULL)
		text_fmt(to, " faults=%s", faults);
	text_str(to, "\n");
}

int
opinion_input(const struct replay *replay, unsigned seat, struct text *to)
{
	char text[LINE_REFEREE_BYTES + 1];
	ssize_t n;

	write_game(replay->record, seat, to);
	for (unsigned i = 0; i < replay->lines; i++) {
		if (!replay_visible(&replay->line[i], (int)seat))
			continue;
		n = replay_text(&replay->line[i], (int)seat, text);
		if (n < 0)
			return -1;
		text_add(to, text, (size_t)n);
		text_str(to, "\n");
	}
	return 0;
}

/* ---- what it writes --------------------------------------------------- */

/* Cuts off and returns the next word of a line; "" at its end. */
static const char *
take(char **line)
{
	char *word = *line;

	*line += strcspn(word, " ");
	if (**line != '\0')
		*(*line)++ = '\0';
	return word;
}

static bool
take_number(char **line, unsigned *number)
{
	const char *word = take(line);
	uint64_t value;

	if (message_number(word, strlen(word), INT32_MAX, &value) < 0)
		return false;
	*number = (unsigned)value;
	return true;
}

/* Takes a number from 0 to 1, such as `0.612`. */
static bool
take_share(char **line, double *share)
{
	const char *word = take(line);
	char *end;

	if (word[strspn(word, "0123456789.")] != '\0' || word[0] == '\0')
		return false;
	*share = strtod(word, &end);
	return *end == '\0' && *share >= 0 && *share <= 1;
}

static bool
take_word(char **line, const char *word)
{
	return strcmp(take(line), word) == 0;
}

/* Takes a value.  Its token is one that a game may write. */
static bool
take_value(char **line, struct opinion_value *value)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789:-+?.";
	const char *token = take(line);

	if (token[0] == '\0' || token[strspn(token, allowed)] != '\0' ||
	    strlen(token) >= sizeof(value->token))
		return false;
	snprintf(value->token, sizeof(value->token), "%s", token);
	return take_share(line, &value->value) &&
	       take_share(line, &value->error);
}

static bool
read_opinion(char *line, struct opinion *opinion)
{
	*opinion = (struct opinion){ 0 };
	if (!take_word(&line, "opinion") ||
	    !take_number(&line, &opinion->ask) ||
	    !take_number(&line, &opinion->at) || !take_word(&line, "of") ||
	    !take_number(&line, &opinion->moves) || !take_word(&line, "made"))
		return false;
	opinion->known = strncmp(line, "- ", 2) != 0;
	if (opinion->known ? !take_value(&line, &opinion->made)
			   : !take_word(&line, "-"))
		return false;
	if (!take_word(&line, "best"))
		return false;
	while (*line != '\0' && opinion->tops < OPINION_TOP)
		if (!take_value(&line, &opinion->best[opinion->tops++]))
			return false;
	return *line == '\0' && opinion->tops > 0;
}

/* Reads `over N of M`; N must be the number of decisions read. */
static bool
read_over(char *line, struct opinions *opinions)
{
	unsigned judged;

	return take_word(&line, "over") && take_number(&line, &judged) &&
	       take_word(&line, "of") &&
	       take_number(&line, &opinions->choices) && *line == '\0' &&
	       judged == opinions->count && judged <= opinions->choices;
}

static bool
add_opinion(struct opinions *opinions, char *line)
{
	struct opinion opinion;

	if (opinions->count == OPINION_DECISIONS ||
	    !read_opinion(line, &opinion) ||
	    (opinions->count > 0 &&
	     opinion.at <= opinions->opinion[opinions->count - 1].at))
		return false;
	*ADDED(opinions->opinion, opinions->count) = opinion;
	return true;
}

/* Reads line after line.  Returns true if the last one was `over`. */
static bool
read_lines(char *text, struct opinions *opinions)
{
	char *next;

	for (; *text != '\0'; text = next) {
		next = text + strcspn(text, "\n");
		if (*next == '\n')
			*next++ = '\0';
		if (strncmp(text, "over ", 5) == 0)
			return read_over(text, opinions) && *next == '\0';
		if (!add_opinion(opinions, text))
			return false;
	}
	return false;
}

int
opinions_read(const char *text, size_t n, struct opinions *opinions,
	      struct error *why)
{
	char *copy = memory(NULL, n + 1);
	bool read;

	memcpy(copy, text, n);
	copy[n] = '\0';
	*opinions = (struct opinions){ 0 };
	read = memchr(text, '\0', n) == NULL && read_lines(copy, opinions);
	free(copy);
	if (read)
		return 0;
	opinions_release(opinions);
	return error_set(why, ERROR_MACHINE,
			 "what the program wrote are not the opinions of "
			 "one seat");
}

void
opinions_release(struct opinions *opinions)
{
	free(opinions->opinion);
	*opinions = (struct opinions){ 0 };
}

/* ---- what they say ---------------------------------------------------- */

const struct opinion *
opinions_at(const struct opinions *opinions, unsigned at)
{
	for (unsigned i = 0; i < opinions->count; i++)
		if (opinions->opinion[i].at == at)
			return &opinions->opinion[i];
	return NULL;
}

double
opinion_loss(const struct opinion *opinion)
{
	if (!opinion->known)
		return 0;
	return fmax(0, opinion->best[0].value - opinion->made.value);
}

double
opinion_error(const struct opinion *opinion)
{
	return hypot(opinion->best[0].error, opinion->made.error);
}

bool
opinion_is_equal(const struct opinion *opinion)
{
	return opinion->known &&
	       opinion_loss(opinion) <= opinion_error(opinion);
}

const struct opinion *
opinions_swing(const struct opinions *opinions)
{
	const struct opinion *opinion, *worst = NULL;
	double most = 0, loss;

	for (unsigned i = 0; i < opinions->count; i++) {
		opinion = &opinions->opinion[i];
		loss = opinion_loss(opinion) - opinion_error(opinion);
		if (opinion->known && loss > most) {
			most = loss;
			worst = opinion;
		}
	}
	return worst;
}

/* "0.61 +-0.02" */
struct shown_value {
	char text[48];
};

static struct shown_value
show(const struct opinion_value *value)
{
	struct shown_value to;

	snprintf(to.text, sizeof(to.text), "%.2f +-%.2f", value->value,
		 value->error);
	return to;
}

void
opinion_sentence(const struct opinion *opinion, char sentence[OPINION_SENTENCE])
{
	const struct opinion_value *best = &opinion->best[0];
	char move[OPINION_MOVE], made[OPINION_MOVE];

	piece_move(best->token, move, sizeof(move));
	piece_move(opinion->made.token, made, sizeof(made));
	if (!opinion->known)
		snprintf(sentence, OPINION_SENTENCE,
			 "The strong bot would have chosen \"%s\" (%s); "
			 "another "
			 "seat moved first.",
			 move, show(best).text);
	else if (strcmp(best->token, opinion->made.token) == 0)
		snprintf(sentence, OPINION_SENTENCE,
			 "The strong bot would have chosen \"%s\" (%s), too.",
			 move, show(best).text);
	else if (opinion_is_equal(opinion))
		snprintf(sentence, OPINION_SENTENCE,
			 "To the strong bot \"%s\" (%s) and \"%s\" (%s) are "
			 "equal.",
			 made, show(&opinion->made).text, move,
			 show(best).text);
	else
		snprintf(sentence, OPINION_SENTENCE,
			 "The strong bot would have chosen \"%s\" (%s); "
			 "\"%s\" gave %s.",
			 move, show(best).text, made,
			 show(&opinion->made).text);
}

/* ---- for programs ----------------------------------------------------- */

static json_t *
value_json(const struct opinion_value *value)
{
	return JSON_OBJECT(TEXT("token", value->token),
			   REAL("value", value->value),
			   REAL("error", value->error));
}

json_t *
opinion_json(const struct opinion *opinion)
{
	char sentence[OPINION_SENTENCE];
	json_t *best = json_array();

	for (unsigned i = 0; i < opinion->tops; i++)
		json_array_append_new(best, value_json(&opinion->best[i]));
	opinion_sentence(opinion, sentence);
	return JSON_OBJECT(INT("opinion", opinion->ask), INT("at", opinion->at),
			   INT("moves", opinion->moves),
			   JSON_IF("made", opinion->known
						   ? value_json(&opinion->made)
						   : NULL),
			   BOOL("equal", opinion_is_equal(opinion)),
			   JSON("best", best), TEXT("sentence", sentence));
}

void
opinions_json(const struct opinions *opinions, struct text *to)
{
	const struct opinion *swing = opinions_swing(opinions);

	for (unsigned i = 0; i < opinions->count; i++) {
		json_text_line(opinion_json(&opinions->opinion[i]),
			       OPINION_DIGITS, to);
	}
	json_text_line(JSON_OBJECT(INT("judged", opinions->count),
				   INT("choices", opinions->choices),
				   INT_IF("swing", swing != NULL, swing->at)),
		       0, to);
}
