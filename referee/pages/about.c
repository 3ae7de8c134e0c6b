/* referee/pages/about.c - see about.h. */
#include "referee/pages/about.h"

#include <string.h>

#include "config.h"
#include "referee/pages/account.h"
#include "referee/pages/markdown.h"

static void
write_limits(struct html *html, const struct about *about)
{
	HTML_LEAF(html, "Limits", "h2", "id", "limits");
	HTML_OPEN_TABLE(html, NULL, "limit", NULL, "value", "n");
	for (unsigned i = 0; i < about->limits; i++)
		html_fmt(
			html,
			"<tr><th scope='row'>%s</th><td class='n'>%s</td></tr>",
			about->limit[i].what, about->limit[i].value);
	html_close_table(html);
}

static void
write_data(struct html *html, const struct about *about)
{
	html_fmt(
		html,
		"<h2 id='data'>Take the data with you</h2><p>"
		"All pages are made from data that programs can read, "
		"too: standings, games and records. "
		"<a href='api'>How to ask for them</a>.</p><ul class='plain'>");
	for (unsigned i = 0; i < about->ladders; i++)
		html_fmt(html, "<li><a href='ladders/%s/games'>%s</a>: %s</li>",
			 about->ladder[i].name, about->ladder[i].name,
			 about->ladder[i].readers);
	html_close(html, "ul");
}

void
about_page(const struct site *site, const struct about *about, struct text *to)
{
	static const char checked[] =
		"The referee is bound to the cards before the first move. "
		"The record of a game holds all cards, moves and times, and "
		"`referee verify` proves from it that the cards are those that "
		"it was bound to, and that the rules were kept. Ratings are "
		"computed from records alone.";
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "About this referee" });
	html_fmt(&html, "<p class='lead'>Programs play card games with hidden "
			"information against each other here. The referee "
			"deals, keeps the rules, tells each bot only what its "
			"seat may see, and rates the games.</p>");
	if (about->sign_up)
		account_write_link(&html);
	HTML_LEAF(&html, "What can be checked", "h2");
	markdown_write(&html, checked, strlen(checked));
	html_fmt(&html, "<h2>Version and sandbox</h2><dl class='facts'>");
	html_fact(&html, "version", PACKAGE_VERSION);
	html_fact(&html, "sandbox tier", "%s", about->tier);
	html_close(&html, "dl");
	HTML_LEAF(&html, about->sandbox, "p");
	write_limits(&html, about);
	write_data(&html, about);
	layout_end(&html);
}
