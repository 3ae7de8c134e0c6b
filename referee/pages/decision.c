/* referee/pages/decision.c - see decision.h. */
#include "referee/pages/decision.h"

#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/pages/markdown.h"
#include "referee/records/replay-asks.h"
#include "referee/records/replay-notes.h"
#include "referee/records/replay.h"

/* A decision that is shown: lines first to asked - 1 of the replay are its
 * asks, those up to end - 1 its result. */
struct shown {
	struct html *html;
	const struct decision_view *view;
	const struct replay *replay; /* a replay with asks */
	int viewer;
	unsigned first, asked, end;
};

/* ---- which one ------------------------------------------------------------ */

/* Finds where the decision begins and ends in which line `i` is an ask. */
static void
measure(struct shown *shown, unsigned i)
{
	const struct replay *replay = shown->replay;

	while (i > 0 && replay->line[i - 1].ask >= 0)
		i--;
	shown->first = i;
	while (i < replay->lines && replay->line[i].ask >= 0)
		i++;
	shown->asked = i;
	while (i < replay->lines && replay->line[i].ask < 0)
		i++;
	shown->end = i;
}

/* Returns true for a line that ends a decision. */
static bool
is_result(const struct replay_line *line)
{
	return strncmp(line->text, "move ", 5) == 0 ||
	       strncmp(line->text, "fault ", 6) == 0 ||
	       strcmp(line->text, "quiet") == 0;
}

/* Finds the decision at a line.  Returns false if there is none. */
static bool
find_decision(struct shown *shown, unsigned at)
{
	const struct replay *replay = shown->replay;
	unsigned i = replay_find_line(replay, shown->viewer, at);
	const struct replay_line *line;

	if (i == replay->lines)
		return false;
	line = &replay->line[i];
	if (i + 1 < replay->lines && replay->line[i + 1].ask >= 0 &&
	    !is_result(line))
		i++;
	while (i > 0 && replay->line[i].ask < 0)
		i--;
	if (replay->line[i].ask < 0)
		return false;
	measure(shown, i);
	return true;
}

/* ---- one ask -------------------------------------------------------------- */

/* Finds the seat's answer in its ask, or in its move if the ask is not known.
 * Returns its length. */
static size_t
find_answer(const struct shown *shown, const struct asks_ask *ask, int seat,
	    const char **answer)
{
	const struct replay_line *line;

	if (ask != NULL) {
		*answer = ask->answer;
		return strlen(ask->answer);
	}
	for (unsigned i = shown->asked; i < shown->end; i++) {
		line = &shown->replay->line[i];
		if (strncmp(line->text, "move ", 5) != 0)
			continue;
		if (line->text[5] - '0' != seat)
			break;
		*answer = line->text + 7;
		return strcspn(*answer, " ");
	}
	*answer = "";
	return 0;
}

static void
write_tokens(const struct shown *shown, const struct replay_line *line,
	     const struct asks_ask *ask)
{
	struct html *html = shown->html;
	const char *answer, *at = line->text + strlen("ask N ");
	const size_t n = find_answer(shown, ask, line->ask, &answer);
	char token[ASKS_ANSWER_BYTES];
	bool chosen, any = false;
	size_t length;

	HTML_OPEN(html, "ul", "class", "tokens");
	for (; *at != '\0'; at += length + (at[length] == ' ')) {
		length = strcspn(at, " ");
		chosen = length == n && memcmp(at, answer, n) == 0;
		any |= chosen;
		HTML_OPEN(html, "li", "class", chosen ? "chosen" : NULL,
			  "aria-current", chosen ? "true" : NULL);
		snprintf(token, sizeof(token), "%.*s", (int)length, at);
		HTML_LEAF(html, token, chosen ? "strong" : "code");
		html_close(html, "li");
	}
	html_close(html, "ul");
	if (n > 0 && !any) { /* the answer is a number within a range */
		snprintf(token, sizeof(token), "%.*s", (int)n, answer);
		html_fmt(html, "<p>It chose ");
		HTML_LEAF(html, token, "strong");
		html_fmt(html, ".</p>");
	}
}

static void
write_remarks(const struct shown *shown, int seat)
{
	struct html *html = shown->html;
	struct replay_note note;
	const char *from;

	for (unsigned i = shown->asked; i < shown->end; i++) {
		from = NULL;
		while (replay_note_next(&shown->replay->line[i], shown->viewer,
					&from, &note)) {
			if (!note.spoke || note.seat != seat)
				continue;
			html_fmt(html, "<p class='remark'>It said: ");
			HTML_LEAF(html, note.text, "q", "dir", "auto");
			html_close(html, "p");
		}
	}
}

static void
write_wrote(const struct shown *shown, const struct replay_wrote_part *part)
{
	struct html *html = shown->html;
	char sentence[REPLAY_WROTE_BYTES];

	if (part->all == 0)
		return;
	replay_wrote_sentence(part, sentence);
	HTML_LEAF(html, sentence, "p", "class", "wrote");
	if (part->n == 0)
		return;
	HTML_OPEN(html, "pre", "class", "wrote");
	html_escape(html->to, part->bytes, part->n);
	html_close(html, "pre");
}

static void
write_wrote_at(const struct shown *shown, const struct asks_ask *ask)
{
	struct replay_wrote_part part;

	if (shown->view->wrote == NULL || ask == NULL)
		return;
	part = replay_wrote_at(shown->view->asks, ask,
			       &shown->view->wrote[ask->seat],
			       DECISION_WROTE_BYTES);
	write_wrote(shown, &part);
}

static void
write_ask(const struct shown *shown, const struct replay_line *line)
{
	const struct record *record = shown->replay->record;
	const struct asks_ask *ask =
		replay_asks_of(shown->replay, line, shown->viewer);
	char sentence[REPLAY_ASK_BYTES];
	struct html *html = shown->html;

	html_fmt(html, "<h3><bdi>%s</bdi>, seat %d</h3>",
		 record->name[line->ask], line->ask);
	write_tokens(shown, line, ask);
	if (ask != NULL) {
		replay_ask_sentence(ask, record, sentence);
		markdown_write(html, sentence, strlen(sentence));
	}
	write_remarks(shown, line->ask);
	write_wrote_at(shown, ask);
}

/* ---- the section ---------------------------------------------------------- */

/* Writes the asks that the viewer sees.  Returns false if there are none. */
static bool
write_asks(const struct shown *shown)
{
	const struct replay_line *line;
	bool any = false;

	for (unsigned i = shown->first; i < shown->asked; i++) {
		line = &shown->replay->line[i];
		if (!replay_visible(line, shown->viewer))
			continue;
		any = true;
		write_ask(shown, line);
	}
	return any;
}

/* Writes what bots wrote after their last answers. */
static void
write_after(const struct shown *shown)
{
	const struct record *record = shown->replay->record;
	struct replay_wrote_part part;

	if (shown->view->wrote == NULL)
		return;
	for (unsigned s = 0; s < record->seats; s++) {
		if (shown->viewer != VIEW_ALL && shown->viewer != (int)s)
			continue;
		part = replay_wrote_after(shown->view->asks, s,
					  &shown->view->wrote[s],
					  DECISION_WROTE_BYTES);
		if (part.all == 0)
			continue;
		html_fmt(shown->html, "<h3><bdi>%s</bdi>, seat %u</h3>",
			 record->name[s], s);
		write_wrote(shown, &part);
	}
}

static void
write_decision(struct shown *shown, const struct record *record, unsigned at)
{
	struct html *html = shown->html;
	struct verdict verdict;
	struct replay replay;

	if (replay_init(&replay, record, true, &verdict) < 0) {
		html_fmt(html, "<p>This game cannot be played again here, so "
			       "its decisions are not known.</p>");
		return;
	}
	replay.asks = shown->view->asks;
	shown->replay = &replay;
	if (!find_decision(shown, at) || !write_asks(shown))
		HTML_LEAF(html,
			  shown->viewer == VIEW_ALL
				  ? "Here nothing was decided."
				  : "Here this seat had nothing to decide.",
			  "p");
	if (shown->end == replay.lines)
		write_after(shown);
	replay_release(&replay);
}

void
decision_write(struct html *html, const struct decision_view *view,
	       const struct record *record, int viewer, unsigned at)
{
	struct shown shown = { .html = html, .view = view, .viewer = viewer };
	const bool hidden = viewer == VIEW_PUBLIC;

	HTML_OPEN(html, "section", "id", "decision", "aria-labelledby",
		  hidden ? NULL : "decision-title", "hidden",
		  hidden ? "" : NULL);
	if (!hidden) {
		HTML_LEAF(html, "The decision", "h2", "id", "decision-title");
		write_decision(&shown, record, at);
	}
	html_close(html, "section");
}
