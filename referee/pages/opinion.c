/* referee/pages/opinion.c - see opinion.h. */
#include "referee/pages/opinion.h"

#include <stdio.h>

static void
write_best(struct html *html, const struct opinion *opinion)
{
	const char *before = ":";

	html_fmt(html, "<span class='soft'> The best of %u moves",
		 opinion->moves);
	for (unsigned i = 0; i < opinion->tops; i++, before = ",") {
		html_fmt(html, "%s ", before);
		HTML_LEAF(html, opinion->best[i].token, "code");
		html_fmt(html, " %.2f\xc2\xb1%.2f", opinion->best[i].value,
			 opinion->best[i].error);
	}
	html_fmt(html, ".</span>");
}

static void
write_decisions(struct html *html, const struct opinions *opinions)
{
	char sentence[OPINION_SENTENCE];
	unsigned at;

	html_fmt(html,
		 "<details><summary>All decisions: %u of %u were judged"
		 "</summary><ul>",
		 opinions->count, opinions->choices);
	for (unsigned i = 0; i < opinions->count; i++) {
		at = opinions->opinion[i].at; /* for report.js */
		opinion_sentence(&opinions->opinion[i], sentence);
		html_fmt(html, "<li data-opinion='%u'>Line %u: ", at, at);
		html_text(html, sentence);
		write_best(html, &opinions->opinion[i]);
		html_close(html, "li");
	}
	html_fmt(html, "</ul></details>");
}

static void
write_words(struct html *html, const struct opinions *opinions,
	    const char *name)
{
	const struct opinion *swing = opinions_swing(opinions);
	char sentence[OPINION_SENTENCE];

	html_fmt(html, "<li><bdi>%s</bdi>", name);
	if (swing == NULL) {
		html_text(html, ": the strong bot found no mistake.");
	} else {
		opinion_sentence(swing, sentence);
		html_fmt(html, ", line %u: <span data-swing='%u'>", swing->at,
			 swing->at);
		html_text(html, sentence);
		html_close(html, "span");
	}
	if (opinions->count > 0)
		write_decisions(html, opinions);
	html_close(html, "li");
}

/* Writes the opinions on all seats.  Returns false if there are none. */
static bool
write_all_words(struct html *html, const struct opinion_view *view,
		const struct record *record)
{
	unsigned s = 0;

	while (s < record->seats && view->of[s] == NULL)
		s++;
	if (s == record->seats)
		return false;
	html_fmt(html, "<section id='opinions' "
		       "aria-labelledby='opinions-title'>"
		       "<h2 id='opinions-title'>The biggest mistakes</h2>"
		       "<ul class='plain'>");
	for (; s < record->seats; s++)
		if (view->of[s] != NULL)
			write_words(html, view->of[s], record->name[s]);
	html_fmt(html,
		 "</ul><p class='soft'>By the strong bot. In brackets is the "
		 "share of the other seats that the seat would be placed "
		 "before, by what it knew.</p></section>");
	return true;
}

void
opinion_write(struct html *html, const struct opinion_view *view,
	      const struct record *record, int viewer)
{
	char known[16];

	if (write_all_words(html, view, record) || !view->offered)
		return;
	snprintf(known, sizeof(known), "%d", viewer);
	HTML_OPEN(html, "section", "id", "opinions", "aria-labelledby",
		  "opinions-title", "data-known", view->known ? known : NULL,
		  "hidden", "hidden");
	html_fmt(html, "<h2 id='opinions-title'>Why did they lose?</h2>"
		       "<ul class='links'></ul><div id='opinion'></div>"
		       "</section>");
}
