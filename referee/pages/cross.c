/* referee/pages/cross.c - see cross.h. */
#include "referee/pages/cross.h"

#include <stdio.h>
#include <stdlib.h>

#define DASH "\xe2\x80\x93"
#define PLUS_MINUS "\xc2\xb1"

void
cross_score(char text[HTML_NUMBER_BYTES], const struct tally_score *score)
{
	if (score->bar < 0)
		snprintf(text, HTML_NUMBER_BYTES, "%.1f %%",
			 100 * score->score);
	else
		snprintf(text, HTML_NUMBER_BYTES, "%.1f %% " PLUS_MINUS " %.1f",
			 100 * score->score, 100 * score->bar);
}

void
cross_likelihood(char text[HTML_NUMBER_BYTES], double p)
{
	if (p < 0)
		snprintf(text, HTML_NUMBER_BYTES, DASH);
	else if (p > 0.999)
		snprintf(text, HTML_NUMBER_BYTES, "> 99.9 %%");
	else if (p < 0.001)
		snprintf(text, HTML_NUMBER_BYTES, "< 0.1 %%");
	else
		snprintf(text, HTML_NUMBER_BYTES, "%.1f %%", 100 * p);
}

/* The bots that are shown, by rank, from `first` to before `end`. */
struct cross {
	const struct ladder_view_of *view;
	const struct standings_row **ranked; /* owned */
	unsigned first, end;
};

static const char *
bot_at(const struct cross *cross, unsigned i)
{
	return cross->ranked[i]->standing.bot;
}

static struct tally_meeting
meeting_of(const struct cross *cross, unsigned row, unsigned column)
{
	const struct tally *tally = cross->view->tally;
	const struct tally_bot *a = tally_find(tally, bot_at(cross, row));
	const struct tally_bot *b = tally_find(tally, bot_at(cross, column));

	return a != NULL && b != NULL ? tally_meet(tally, a, b)
				      : (struct tally_meeting){ 0 };
}

static bool
has_met(const struct cross *cross, unsigned row, unsigned column)
{
	const struct tally_meeting met = meeting_of(cross, row, column);

	return met.won + met.level + met.lost > 0;
}

static void
write_cell(struct html *html, const struct cross *cross, unsigned row,
	   unsigned column)
{
	const struct tally_meeting met = meeting_of(cross, row, column);
	struct tally_score score;
	char text[HTML_NUMBER_BYTES];

	if (!has_met(cross, row, column)) {
		HTML_LEAF(html, "not met", "td", "class", "never");
		return;
	}
	score = tally_score(&met);
	HTML_OPEN(html, "td", "class", score.better > 0.975 ? "n won" : "n");
	cross_score(text, &score);
	html_text(html, text);
	cross_likelihood(text, score.better);
	html_fmt(html, "<br><small>%s</small></td>", text);
}

static void
write_titles(struct html *html, const struct cross *cross)
{
	html_fmt(html, "<thead><tr><th scope='col'>scored against</th>");
	for (unsigned i = cross->first; i < cross->end; i++)
		html_fmt(html, "<th scope='col'><bdi>%s</bdi></th>",
			 bot_at(cross, i));
	html_fmt(html, "</tr></thead>");
}

/* Writes the rows.  Returns how many pairs on the page have not met. */
static unsigned
write_rows(struct html *html, const struct cross *cross)
{
	unsigned row, column, never = 0;

	for (row = cross->first; row < cross->end; row++) {
		html_fmt(html, "<tr><th scope='row'>");
		html_name_link(html, "bots", bot_at(cross, row));
		html_close(html, "th");
		for (column = cross->first; column < cross->end; column++) {
			if (row == column)
				HTML_LEAF(html, DASH, "td", "class", "self");
			else
				write_cell(html, cross, row, column);
			never += row < column && !has_met(cross, row, column);
		}
		html_close(html, "tr");
	}
	return never;
}

/* Writes for each bot the bots below it that it has not met. */
static void
write_strangers(struct html *html, const struct cross *cross)
{
	bool begun;

	html_fmt(html, "<details><summary>Pairs that have not met</summary>"
		       "<ul>");
	for (unsigned row = cross->first; row < cross->end; row++) {
		begun = false;
		for (unsigned other = row + 1; other < cross->end; other++) {
			if (has_met(cross, row, other))
				continue;
			if (!begun) {
				HTML_OPEN(html, "li");
				html_name_link(html, "bots",
					       bot_at(cross, row));
			}
			html_fmt(html, "%s<bdi>%s</bdi>",
				 begun ? ", " : " and ", bot_at(cross, other));
			begun = true;
		}
		if (begun)
			html_close(html, "li");
	}
	html_fmt(html, "</ul></details>");
}

static void
write_table(struct html *html, const struct cross *cross)
{
	const unsigned n = cross->end - cross->first, pairs = n * (n - 1) / 2;
	char path[HTML_NUMBER_BYTES];
	unsigned never;

	html_fmt(html,
		 "<p>Bots %u to %u of the ladder. "
		 "Each row scored so much against the bot of the column, with "
		 "half of the 95 %% interval; below, the likelihood that it "
		 "is the better one of the two.</p>"
		 "<div class='scroll' tabindex='0' role='region' "
		 "aria-label='Cross table'><table class='cross'>",
		 cross->first + 1, cross->end);
	write_titles(html, cross);
	HTML_OPEN(html, "tbody");
	never = write_rows(html, cross);
	html_close_table(html);
	html_close(html, "div");
	if (never == 0) {
		HTML_LEAF(html, "All of these bots have met.", "p");
	} else {
		html_fmt(html, "<p>%u of these %u pairs have not met.</p>",
			 never, pairs);
		write_strangers(html, cross);
	}
	snprintf(path, sizeof(path),
		 "ladders/%s/cross?from=", cross->view->head->name);
	ladder_write_more(html, path, cross->first, cross->end,
			  cross->view->standings->count, CROSS_BOTS);
}

void
cross_page(const struct site *site, const struct ladder_view_of *view,
	   unsigned from, struct text *to)
{
	const unsigned count = view->standings->count;
	struct cross cross = { .view = view,
			       .first = from < 1 || from > count ? 0
								 : from - 1 };
	char path[HTML_NUMBER_BYTES];
	struct html html;

	cross.end = count - cross.first > CROSS_BOTS ? cross.first + CROSS_BOTS
						     : count;
	html_begin(&html, site, to, "../../");
	snprintf(path, sizeof(path), "ladders/%s", view->head->name);
	layout_begin(&html, &(struct layout){
				    .title = "Cross table",
				    .crumb = { { "Ladders", "" },
					       { view->head->name, path } } });
	ladder_write_head(&html, view->head, &view->standings->season,
			  "/cross");
	if (count == 0) {
		HTML_LEAF(&html, "No game has been rated here yet.", "p");
	} else {
		cross.ranked = ladder_ranked(view);
		write_table(&html, &cross);
		free(cross.ranked);
	}
	layout_end(&html);
}
