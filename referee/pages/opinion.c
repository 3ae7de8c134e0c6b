/* referee/pages/opinion.c - see opinion.h. */
#include "referee/pages/opinion.h"

#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"

#define PATH_BYTES 96

/* Once it is known, to its moment; else to where it is asked for, which robots
 * need not do. */
static void
write_swing(struct html *html, const struct opinion_view *view,
	    const struct record *record, unsigned seat, int viewer)
{
	const struct opinion *swing = NULL;
	char path[PATH_BYTES], href[PATH_BYTES + 8], number[16];

	if (view->opinions != NULL && viewer == (int)seat)
		swing = opinions_swing(view->opinions);
	if (swing != NULL)
		snprintf(path, sizeof(path), "games/%s?view=%u&at=%u#moment",
			 record->id, seat, swing->at);
	else
		snprintf(path, sizeof(path), "games/%s?view=%u&swing=1#moment",
			 record->id, seat);
	snprintf(href, sizeof(href), "%s%s", html->root, path);
	HTML_OPEN(html, "li");
	if (swing == NULL && view->opinions != NULL && viewer == (int)seat) {
		html_name(html, record->name[seat]);
		html_text(html, ": the strong bot found no mistake");
	} else {
		snprintf(number, sizeof(number), "%u", seat);
		HTML_OPEN(html, "a", "class", "swing", "rel", "nofollow",
			  "data-seat", number, "href", href);
		HTML_OPEN(html, "span");
		html_text(html, "Biggest swing of ");
		html_name(html, record->name[seat]);
		html_close(html, "span");
		html_close(html, "a");
	}
	html_close(html, "li");
}

static void
write_links(struct html *html, const struct opinion_view *view,
	    const struct record *record, const bool seat[SEATS_MAX], int viewer)
{
	unsigned s;

	HTML_OPEN(html, "ul", "class", "links");
	for (s = 0; s < record->seats; s++)
		if (seat[s])
			write_swing(html, view, record, s, viewer);
	html_close(html, "ul");
}

static void
write_value(struct html *html, const struct opinion_value *value,
	    const char *what)
{
	HTML_OPEN(html, "tr");
	HTML_OPEN(html, "th", "scope", "row");
	HTML_LEAF(html, value->token, "code");
	html_text(html, what);
	html_close(html, "th");
	HTML_OPEN(html, "td", "class", "n");
	html_fmt(html, "%.2f", value->value);
	html_close(html, "td");
	HTML_OPEN(html, "td", "class", "n soft");
	html_fmt(html, "\xc2\xb1%.2f", value->error);
	html_close(html, "td");
	html_close(html, "tr");
}

/* The best moves, and the one that was made. */
static void
write_opinion(struct html *html, const struct opinion *opinion)
{
	char sentence[OPINION_SENTENCE];
	bool told = !opinion->known, is_made;
	unsigned i;

	opinion_sentence(opinion, sentence);
	HTML_LEAF(html, sentence, "p");
	HTML_OPEN(html, "table", "class", "opinion");
	HTML_OPEN(html, "caption");
	html_fmt(html, "The best of %u moves", opinion->moves);
	html_close(html, "caption");
	text_str(html->to, "<thead><tr><th scope=\"col\">Move</th>"
			   "<th scope=\"col\" class=\"n\">Expected</th>"
			   "<th scope=\"col\" class=\"n\">Error</th></tr>"
			   "</thead>");
	HTML_OPEN(html, "tbody");
	for (i = 0; i < opinion->tops; i++) {
		is_made = opinion->known && strcmp(opinion->best[i].token,
						   opinion->made.token) == 0;
		write_value(html, &opinion->best[i], is_made ? " (made)" : "");
		told |= is_made;
	}
	if (!told)
		write_value(html, &opinion->made, " (made)");
	html_close(html, "tbody");
	html_close(html, "table");
	HTML_LEAF(html,
		  "Expected is the share of the other seats that this seat "
		  "would be placed before, by what it knew.",
		  "p", "class", "soft");
	HTML_OPEN(html, "p");
	HTML_LEAF(html, "The table at this moment", "a", "class", "to-table",
		  "href", "#moment");
	html_close(html, "p");
}

static void
write_state(struct html *html, const struct opinion_view *view, unsigned at)
{
	const struct opinion *opinion;

	if (view->coming)
		HTML_LEAF(html,
			  "The strong bot is thinking about this game. Load "
			  "the page again in a few seconds if it does not do "
			  "so by itself.",
			  "p", "role", "status");
	if (view->failed)
		HTML_LEAF(html,
			  "The strong bot could not judge this game. Try again "
			  "in some minutes.",
			  "p", "role", "status");
	if (view->opinions == NULL)
		return;
	opinion = opinions_at(view->opinions, at);
	if (opinion != NULL)
		write_opinion(html, opinion);
	else
		HTML_LEAF(html, "Here this seat has nothing to decide.", "p",
			  "class", "soft");
	if (view->opinions->count < view->opinions->choices) {
		HTML_OPEN(html, "p", "class", "soft");
		html_fmt(html, "Of %u decisions %u were judged.",
			 view->opinions->choices, view->opinions->count);
		html_close(html, "p");
	}
}

static void
write_best(struct html *html, const struct opinion *opinion)
{
	const char *before = ":";
	unsigned i;

	HTML_OPEN(html, "span", "class", "soft");
	html_fmt(html, " The best of %u moves", opinion->moves);
	for (i = 0; i < opinion->tops; i++, before = ",") {
		html_text(html, before);
		html_text(html, " ");
		HTML_LEAF(html, opinion->best[i].token, "code");
		html_fmt(html, " %.2f\xc2\xb1%.2f", opinion->best[i].value,
			 opinion->best[i].error);
	}
	html_text(html, ".");
	html_close(html, "span");
}

static void
write_decisions(struct html *html, const struct opinions *opinions)
{
	char sentence[OPINION_SENTENCE], at[16];
	unsigned i;

	HTML_OPEN(html, "details");
	HTML_OPEN(html, "summary");
	html_text(html, "All decisions: ");
	html_fmt(html, "%u of %u were judged", opinions->count,
		 opinions->choices);
	html_close(html, "summary");
	HTML_OPEN(html, "ul");
	for (i = 0; i < opinions->count; i++) {
		snprintf(at, sizeof(at), "%u", opinions->opinion[i].at);
		opinion_sentence(&opinions->opinion[i], sentence);
		HTML_OPEN(html, "li", "data-opinion", at); /* for report.js */
		html_fmt(html, "Line %s: ", at);
		html_text(html, sentence);
		write_best(html, &opinions->opinion[i]);
		html_close(html, "li");
	}
	html_close(html, "ul");
	html_close(html, "details");
}

static void
write_words(struct html *html, const struct opinions *opinions,
	    const char *name)
{
	const struct opinion *swing = opinions_swing(opinions);
	char sentence[OPINION_SENTENCE], at[16];

	snprintf(at, sizeof(at), "%u", swing == NULL ? 0 : swing->at);
	HTML_OPEN(html, "li");
	html_name(html, name);
	if (swing == NULL) {
		html_text(html, ": the strong bot found no mistake.");
	} else {
		opinion_sentence(swing, sentence);
		html_fmt(html, ", line %s: ", at);
		HTML_LEAF(html, sentence, "span", "data-swing", at);
	}
	if (opinions->count > 0)
		write_decisions(html, opinions);
	html_close(html, "li");
}

/* Whether there are any. */
static bool
write_all_words(struct html *html, const struct opinion_view *view,
		const struct record *record)
{
	unsigned s = 0;

	while (s < record->seats && view->of[s] == NULL)
		s++;
	if (s == record->seats)
		return false;
	HTML_OPEN(html, "section", "id", "opinions", "aria-labelledby",
		  "opinions-title");
	HTML_LEAF(html, "The biggest mistakes", "h2", "id", "opinions-title");
	HTML_OPEN(html, "ul", "class", "plain");
	for (; s < record->seats; s++)
		if (view->of[s] != NULL)
			write_words(html, view->of[s], record->name[s]);
	html_close(html, "ul");
	HTML_LEAF(html,
		  "By the strong bot. In brackets is the share of the other "
		  "seats that the seat would be placed before, by what it "
		  "knew.",
		  "p", "class", "soft");
	html_close(html, "section");
	return true;
}

void
opinion_write(struct html *html, const struct opinion_view *view,
	      const struct record *record, const bool seat[SEATS_MAX],
	      int viewer, unsigned at)
{
	char known[16];
	unsigned s = 0;

	snprintf(known, sizeof(known), "%d", viewer);
	while (s < record->seats && !seat[s])
		s++;
	if (write_all_words(html, view, record) || !view->offered)
		return;
	/* `data-` is for opinions.js, which draws the same, and shows the section
	 * when a token opens a seat's view. */
	HTML_OPEN(html, "section", "id", "opinions", "aria-labelledby",
		  "opinions-title", "data-known",
		  view->opinions != NULL ? known : NULL, "hidden",
		  s == record->seats ? "hidden" : NULL);
	HTML_LEAF(html, "Why did they lose?", "h2", "id", "opinions-title");
	write_links(html, view, record, seat, viewer);
	HTML_OPEN(html, "div", "id", "opinion");
	if (viewer >= 0)
		write_state(html, view, at);
	html_close(html, "div");
	html_close(html, "section");
}
