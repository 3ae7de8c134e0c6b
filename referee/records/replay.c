/* referee/records/replay.c - the record's lines with the asks between them. */
#include "referee/records/replay.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/message.h"

struct filler {
	struct verify_watch watch; /* first member: the callback gets its
				    * address */
	struct replay *replay;
	unsigned at; /* the next line of the body */
};

/* Finds ` ; said TEXT`, alone or before other comments. */
static const char *
find_said(const struct record_line *line)
{
	static const char verb[] = " said ";
	const char *said = line->comment;

	if (said == NULL || strncmp(said, verb, sizeof(verb) - 1) != 0)
		return NULL;
	said += sizeof(verb) - 1;
	return strcspn(said, " ") <= 3 * SAID_BYTES ? said : NULL;
}

static void
take_fault(struct replay_line *to, const struct record_line *line)
{
	to->charged = -1;
	if (record_after(line, "fault") == NULL || line->n < 8 ||
	    line->text[7] != ' ')
		return;
	to->charged = (int8_t)(line->text[6] - '0');
	to->said = find_said(line);
}

static void
add_events(struct filler *filler, unsigned end)
{
	const struct record_line *line;

	for (; filler->at < end; filler->at++) {
		line = &filler->replay->record->body[filler->at];
		if (record_after(line, "ask") != NULL)
			continue;
		*ADDED(filler->replay->line,
		       filler->replay->lines) = (struct replay_line){
			.text = line->text,
			.n = line->n,
			.number = line->number,
			.ask = -1,
			.comment = line->comment,
			.forfeit = record_after(line, "forfeit") != NULL,
		};
		take_fault(&filler->replay->line[filler->replay->lines - 1],
			   line);
	}
}

static void
add_ask(struct replay *replay, const struct game *game, unsigned seat,
	uint32_t number)
{
	struct text text = { .max = LINE_REFEREE_BYTES };

	verify_ask(game, seat, &text);
	text_string(&text);
	*ADDED(replay->line, replay->lines) = (struct replay_line){
		.text = text.bytes,
		.n = (uint32_t)text.used,
		.number = number,
		.ask = (int8_t)seat,
		.charged = -1,
		.owned = text.bytes,
	};
}

static void
add_asks(struct verify_watch *watch, unsigned at, const struct game *game)
{
	struct filler *filler = (struct filler *)watch;
	const struct record *record = filler->replay->record;
	uint32_t number = at < record->bodies ? record->body[at].number
					      : record_end_line(record);

	add_events(filler, at);
	for (unsigned seat = 0; seat < record->seats; seat++)
		if (game->decision.asked >> seat & 1)
			add_ask(filler->replay, game, seat, number);
}

int
replay_init(struct replay *replay, const struct record *record, bool asks,
	    struct verdict *verdict)
{
	struct filler filler = { { add_asks }, replay, 0 };

	*replay = (struct replay){ .record = record };
	if (asks) {
		verify_record(record, true, &filler.watch, verdict);
		if (!verdict->ok) {
			replay_release(replay);
			return -1;
		}
	}
	add_events(&filler, record->bodies);
	return 0;
}

void
replay_release(struct replay *replay)
{
	for (unsigned i = 0; i < replay->lines; i++)
		free(replay->line[i].owned);
	free(replay->line);
	*replay = (struct replay){ 0 };
}

int
replay_round(const struct replay *replay, unsigned round)
{
	const char *text, *end;
	uint64_t number;

	for (unsigned i = 0; i < replay->lines; i++) {
		text = replay->line[i].text;
		if (strncmp(text, "round ", 6) != 0)
			continue;
		text += 6;
		end = strchrnul(text, ' ');
		if (message_number(text, (size_t)(end - text), UINT32_MAX,
				   &number) == 0 &&
		    number == round)
			return (int)i;
	}
	return -1;
}

bool
replay_visible(const struct replay_line *line, int viewer)
{
	if (viewer == VIEW_ALL)
		return true;
	if (line->ask >= 0)
		return line->ask == viewer;
	return !line->forfeit;
}

unsigned
replay_find_line(const struct replay *replay, int viewer, unsigned at)
{
	unsigned i, count = 0;

	for (i = 0; i < replay->lines; i++)
		if (replay->line[i].ask < 0 &&
		    replay_visible(&replay->line[i], viewer) && ++count == at)
			break;
	return i;
}

ssize_t
replay_text(const struct replay_line *line, int viewer,
	    char text[LINE_REFEREE_BYTES + 1])
{
	ssize_t n = hidden_redact(line->text, line->n, viewer, text);

	if (n >= 0)
		text[n] = '\0';
	return n;
}

/* Reads a line as spectators do; "" behind the last one.  Returns 0, or -1. */
static int
read_public(const struct replay *replay, unsigned i,
	    char text[LINE_REFEREE_BYTES + 1])
{
	text[0] = '\0';
	if (i >= replay->lines ||
	    !replay_visible(&replay->line[i], VIEW_PUBLIC))
		return 0;
	return replay_text(&replay->line[i], VIEW_PUBLIC, text) < 0 ? -1 : 0;
}

int
replay_difference(const struct replay *one, const struct replay *other)
{
	char mine[LINE_REFEREE_BYTES + 1], theirs[LINE_REFEREE_BYTES + 1];

	for (unsigned i = 0; i < one->lines || i < other->lines; i++) {
		if (read_public(one, i, mine) < 0 ||
		    read_public(other, i, theirs) < 0)
			return -1;
		if (strcmp(mine, theirs) != 0)
			return (int)i + 1;
	}
	return 0;
}

const char *
replay_said(const struct replay_line *line, int viewer)
{
	if (line->charged < 0 ||
	    (viewer != VIEW_ALL && viewer != line->charged))
		return NULL;
	return line->said;
}
