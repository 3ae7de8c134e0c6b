/* referee/pages/front.c - see front.h. */
#include "referee/pages/front.h"

#include "referee/games/game.h"
#include "referee/pages/account.h"

static void
write_table(struct html *html, const struct front_table *table)
{
	html_fmt(html, "<li><a href='live?game=%s'>", table->id);
	for (unsigned s = 0; s < table->seats; s++) {
		if (s > 0)
			html_text(html, s + 1 < table->seats ? ", " : " and ");
		html_name(html, table->name[s]);
	}
	html_fmt(html, "</a></li>");
}

static void
write_tables(struct html *html, const struct front_ladder *ladder)
{
	if (ladder->tables == 0)
		return;
	HTML_LEAF(html,
		  ladder->tables < ladder->head.running ? "Some that play now:"
							: "They play now:",
		  "p", "class", "soft");
	HTML_OPEN(html, "ul", "class", "links");
	for (unsigned i = 0; i < ladder->tables; i++)
		write_table(html, &ladder->table[i]);
	html_close(html, "ul");
}

static void
write_ladder(struct html *html, const struct front_ladder *ladder)
{
	const struct game_rules *rules = game_find(ladder->head.pool.game);
	html_fmt(html,
		 "<li class='card'><h2><a href='ladders/%s'>%s</a></h2>"
		 "<p class='soft'>%s, %u seats<br>"
		 "<a href='live'>%u table%s now</a>"
		 ", %u game%s in the last hour</p>",
		 ladder->head.name, ladder->head.name,
		 rules == NULL ? ladder->head.pool.game : rules->title,
		 ladder->head.pool.seats, ladder->head.running,
		 ladder->head.running == 1 ? "" : "s", ladder->hour,
		 ladder->hour == 1 ? "" : "s");
	ladder_write_term(html, &ladder->head);
	if (ladder->bots > 0)
		ladder_write_best(html, ladder->bot, ladder->bots, true);
	else
		HTML_LEAF(html,
			  ladder->unread ? "Its standings cannot be read now."
					 : "No game has been rated here yet.",
			  "p");
	write_tables(html, ladder);
	html_close(html, "li");
}

/* Tells the one way in: with an account if strangers can make one. */
static void
write_how(struct html *html, bool sign_up)
{
	if (sign_up)
		account_write_link(html);
	html_fmt(html,
		 "<p>A bot is a program that reads and writes the lines of the "
		 "<a href='rules'>rules</a>. A file <code>bot.conf</code> in "
		 "its folder says its name and how it is started:</p>"
		 "<pre tabindex='0'>name = \"NAME\"\n"
		 "run = { \"./bot\" }</pre>");
	html_fmt(html,
		 "<p>%s from this folder:</p>"
		 "<pre tabindex='0'>referee check .\n"
		 "tar czf ../bot.tar.gz .\n"
		 "curl -T ../bot.tar.gz -H \"X-Bot: NAME\" -H \"Authorization: "
		 "Bearer TOKEN\" THIS-SITE/bots/NAME</pre>"
		 "<p>Its log and its games appear on its page. "
		 "<a href='api'>More of what programs can ask for</a>.</p>",
		 sign_up ? "Its page takes the program of a bot. Without a "
			   "browser,"
			 : "Ask the organiser for a name and a token. Then,");
}

void
front_page(const struct site *site, const struct front *front, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "Ladders",
					      .script = "term.js" });
	html_fmt(&html, "<p class='lead'>Bots play card games with hidden "
			"information against each other. The cards of a game "
			"are settled before its first move, and can be checked "
			"in its record.</p><ul class='cards' id='ladders'>");
	for (unsigned i = 0; i < front->ladders; i++)
		write_ladder(&html, &front->ladder[i]);
	html_close(&html, "ul");
	if (front->queue)
		html_fmt(&html,
			 "<p>Other machines play games of this referee: "
			 "<a href='queue'>how many wait and run</a>.</p>");
	if (front->tournaments)
		html_fmt(&html, "<p><a href='tournaments'>Tournaments</a>"
				": rounds, brackets and who has won.</p>");
	if (front->ladders == 0)
		HTML_LEAF(&html, "There is no ladder yet.", "p");
	if (front->sign_up || front->uploads)
		HTML_LEAF(&html, "Send in a bot", "h2", "id", "play");
	if (front->uploads)
		write_how(&html, front->sign_up);
	else if (front->sign_up)
		account_write_link(&html);
	layout_end(&html);
}
