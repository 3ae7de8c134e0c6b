/* referee/pages/opinion.c - see opinion.h. */
#include "referee/pages/opinion.h"

#include <stdio.h>

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
	      const struct record *record, int viewer)
{
	char known[16];

	if (write_all_words(html, view, record) || !view->offered)
		return;
	snprintf(known, sizeof(known), "%d", viewer);
	HTML_OPEN(html, "section", "id", "opinions", "aria-labelledby",
		  "opinions-title", "data-known", view->known ? known : NULL,
		  "hidden", "hidden");
	HTML_LEAF(html, "Why did they lose?", "h2", "id", "opinions-title");
	HTML_OPEN(html, "ul", "class", "links");
	html_close(html, "ul");
	HTML_OPEN(html, "div", "id", "opinion");
	html_close(html, "div");
	html_close(html, "section");
}
