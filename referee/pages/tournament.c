/* referee/pages/tournament.c - see tournament.h. */
#include "referee/pages/tournament.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "protocol/date.h"
#include "referee/records/bracket.h"

#define TITLE_BYTES (2 * NAME_BYTES + 20)

static bool
is_swiss(const struct tournament_told *told)
{
	return strcmp(tournament_phase(told), "round") == 0;
}

static bool
is_knockout(const struct tournament_told *told)
{
	return told->best > 0;
}

/* Links a bot in a report, which has pages of bots.  A daemon may not know the
 * bot. */
static void
write_bot(struct html *html, const char *name)
{
	if (html->site->part != NULL)
		html_name_link(html, "bots", name);
	else
		html_name(html, name);
}

/* ---- what it is -------------------------------------------------------- */

static void
write_state(struct html *html, const struct tournament_told *told)
{
	char state[TOURNAMENT_WORDS], date[DATE_BYTES];
	struct bracket bracket;

	tournament_state(told, state);
	date_write(told->told, date);
	HTML_OPEN(html, "p", "class", told->over ? "told won" : "told");
	if (told->over) {
		write_bot(html, told->bot[0].name);
		html_text(html, " has won.");
	} else if (bracket_fill(&bracket, told)) {
		bracket_name(&bracket, told->phase - 1, state);
		html_fmt(html, "Now: %s.", state);
	} else {
		html_fmt(html, "It is not over: %s.", state);
	}
	html_fmt(html, "</p><p class='soft'>As of %.10s %.5s UTC.</p>", date,
		 date + 11);
}

static void
write_what(struct html *html, const struct tournament_told *told)
{
	char words[TOURNAMENT_WORDS];

	tournament_words(told, words);
	html_fmt(html, "<p class='lead'>%s, %u seats: %s.</p>", told->game,
		 told->seats, words);
}

/* ---- standings --------------------------------------------------------- */

static void
open_standings(struct html *html, const struct tournament_told *told)
{
	if (is_swiss(told))
		HTML_OPEN_TABLE(html, NULL, "rank", "n", "bot", NULL, "sum",
				"n", "buchholz", "n", "byes", "n wide", "games",
				"n wide");
	else if (is_knockout(told))
		HTML_OPEN_TABLE(html, NULL, "rank", "n", "bot", NULL, "phase",
				"n", "score", "n", "byes", "n wide", "games",
				"n wide");
	else
		HTML_OPEN_TABLE(html, NULL, "rank", "n", "bot", NULL, "score",
				"n", "sum", "n", "games", "n wide");
}

/* Returns true if the bot can still win a knockout: its place is not known yet. */
static bool
is_in(const struct tournament_told *told, unsigned place)
{
	return is_knockout(told) && !told->over &&
	       told->bot[place].phase == told->phase;
}

static void
write_standing(struct html *html, const struct tournament_told *told,
	       unsigned place)
{
	const struct told_bot *bot = &told->bot[place];

	if (is_in(told, place))
		html_fmt(html, "<tr><td class='n'>in</td><th scope='row'>");
	else
		html_fmt(html, "<tr><td class='n'>%u</td><th scope='row'>",
			 place + 1);
	write_bot(html, bot->name);
	html_close(html, "th");
	if (is_swiss(told))
		html_fmt(html, "<td class='n'>%.2f</td><td class='n'>%.4f</td>",
			 bot->points, bot->buchholz);
	else if (is_knockout(told))
		html_fmt(html, "<td class='n'>%u</td><td class='n'>%.3f</td>",
			 bot->phase, bot->score);
	else
		html_fmt(html, "<td class='n'>%.3f</td><td class='n'>%.2f</td>",
			 bot->score, bot->points);
	if (is_swiss(told) || is_knockout(told))
		html_fmt(html, "<td class='n wide'>%u</td>", bot->byes);
	html_fmt(html, "<td class='n wide'>%" PRIu64 "</td></tr>", bot->games);
}

static void
write_standings(struct html *html, const struct tournament_told *told,
		unsigned most)
{
	html_fmt(html, "<section id='standings'><h2>Standings</h2>");
	open_standings(html, told);
	for (unsigned i = 0; i < told->bots && i < most; i++)
		write_standing(html, told, i);
	html_close_table(html);
	if (most >= told->bots)
		html_fmt(html,
			 "<p class='soft'>A score is the mean share of the "
			 "other "
			 "seats that a bot beat, and a sum their sum. A bye "
			 "counts half. Level bots are ordered by %s.</p>",
			 told->final[0] != '\0' ? "their rank on the ladder"
						: "lot");
	html_close(html, "section");
}

/* ---- who met whom ------------------------------------------------------ */

/* Returns true if the bot sat in a later phase than this table's. */
static bool
goes_on(const struct tournament_told *told, const struct told_table *table,
	unsigned s)
{
	return is_knockout(told) &&
	       told->bot[table->bot[s]].phase > table->phase;
}

/* Returns true if the bot has won the final. */
static bool
has_won(const struct tournament_told *told, const struct told_table *table,
	unsigned s)
{
	return is_knockout(told) && told->over && table->phase == told->phase &&
	       table->bot[s] == 0;
}

static void
write_seat(struct html *html, const struct tournament_told *told,
	   const struct told_table *table, unsigned s)
{
	const char *what = goes_on(told, table, s)   ? " goes on"
			   : has_won(told, table, s) ? " has won"
						     : NULL;

	HTML_OPEN(html, "li", "class", what != NULL ? "onward" : NULL);
	HTML_OPEN(html, "span");
	write_bot(html, told->bot[table->bot[s]].name);
	if (what != NULL)
		HTML_LEAF(html, what, "small");
	html_close(html, "span");
	if (table->games > 0)
		html_fmt(html, "<span class='n'>%.2f</span>", table->share[s]);
	html_close(html, "li");
}

static void
write_table(struct html *html, const struct tournament_told *told,
	    const struct told_table *table)
{
	html_fmt(html, "<li><ul>");
	for (unsigned s = 0; s < told->seats; s++)
		write_seat(html, told, table, s);
	html_fmt(html, "</ul><p class='soft'>");
	if (html->site->part != NULL)
		html_fmt(html, "<a href='games/%s'>%s</a>", table->first,
			 counted(table->games, "game").text);
	else if (table->games == 0)
		html_text(html, "no game is over yet");
	else
		html_text(html, counted(table->games, "game").text);
	html_fmt(html, "</p></li>");
}

static void
write_byes(struct html *html, const struct tournament_told *told,
	   unsigned phase)
{
	unsigned i, found = 0;

	for (i = 0; i < told->byes; i++) {
		if (told->bye[i].phase != phase)
			continue;
		html_fmt(html, found++ == 0 ? "<p>Bye: " : ", ");
		write_bot(html, told->bot[told->bye[i].bot].name);
	}
	if (found > 0)
		html_close(html, "p");
}

/* Returns true if as many bots are left in this phase of a knockout as a table has
 * seats. */
static bool
is_last_phase(const struct tournament_told *told, unsigned phase)
{
	unsigned in = 0;

	for (unsigned i = 0; i < told->bots; i++)
		in += told->bot[i].phase >= phase;
	return is_knockout(told) && in == told->seats;
}

static void
write_phase_title(struct html *html, const struct tournament_told *told,
		  unsigned phase)
{
	if (is_last_phase(told, phase))
		HTML_LEAF(html, "Final", "h3");
	else if (is_swiss(told) || is_knockout(told))
		html_fmt(html, "<h3>%s %u</h3>",
			 is_swiss(told) ? "Round" : "Phase", phase);
	else
		HTML_LEAF(html, "All tables", "h3");
}

/* Writes the phase whose tables begin at `from`. */
static void
write_phase(struct html *html, const struct tournament_told *told,
	    unsigned from, unsigned most)
{
	const unsigned phase = told->table[from].phase;
	unsigned end = from, shown;

	while (end < told->tables && told->table[end].phase == phase)
		end++;
	shown = end - from > most ? most : end - from;
	HTML_OPEN(html, "section");
	write_phase_title(html, told, phase);
	HTML_OPEN(html, "ul", "class", "pairings");
	for (unsigned i = from; i < from + shown; i++)
		write_table(html, told, &told->table[i]);
	html_close(html, "ul");
	if (from + shown < end)
		html_fmt(html, "<p class='soft'>And %u more.</p>",
			 end - from - shown);
	write_byes(html, told, phase);
	html_close(html, "section");
}

/* Writes the last phases in their order. */
static void
write_phases(struct html *html, const struct tournament_told *told,
	     unsigned phases, unsigned most)
{
	const unsigned first = told->phase > phases ? told->phase - phases : 0;

	html_fmt(html, "<section id='phases'><h2>%s</h2>",
		 is_knockout(told) ? "Bracket"
		 : is_swiss(told)  ? "Rounds"
				   : "Tables");
	if (!html->bare && (first > 0 || told->left_out > 0))
		HTML_LEAF(html, "Only the file has the earlier ones.", "p",
			  "class", "soft");
	if (is_knockout(told))
		HTML_OPEN(html, "div", "class", "cup", "tabindex", "0");
	for (unsigned i = 0; i < told->tables; i++)
		if (told->table[i].phase > first &&
		    (i == 0 ||
		     told->table[i].phase != told->table[i - 1].phase))
			write_phase(html, told, i, most);
	if (is_knockout(told))
		html_close(html, "div");
	html_close(html, "section");
}

/* ---- a bracket --------------------------------------------------------- */

/* Writes a side of a match whose bot is not known, or that has a bye. */
static void
write_nobody(struct html *html, const char *what)
{
	HTML_OPEN(html, "li", "class", "soft");
	HTML_LEAF(html, what, "span");
	html_close(html, "li");
}

static void
write_known(struct html *html, const struct tournament_told *told, int bot,
	    const char *what)
{
	HTML_OPEN(html, "li", "class", *what != '\0' ? "onward" : NULL);
	html_fmt(html, "<span><small class='seed'>%u </small>",
		 told->bot[bot].draw);
	write_bot(html, told->bot[bot].name);
	if (*what != '\0')
		HTML_LEAF(html, what, "small");
	html_close(html, "span");
}

/* Writes how many games a side has won; a level one counts half. */
static void
write_wins(struct html *html, double share)
{
	const unsigned halves = (unsigned)lround(2 * share);

	html_fmt(html, "<span class='n'>%u%s</span>", halves / 2,
		 halves % 2 == 1 ? "\xC2\xBD" : "");
}

static void
write_side(struct html *html, const struct tournament_told *told,
	   const struct bracket_match *match, unsigned s, bool last)
{
	const struct told_table *table = match->table;
	const int bot = match->bot[s];
	char what[32] = "";

	if (bot < 0) {
		write_nobody(html,
			     s == 1 && match->bye ? "bye" : "not known yet");
		return;
	}
	if (match->winner == bot)
		snprintf(what, sizeof(what), " %s%s",
			 last ? "has won" : "goes on",
			 table != NULL && table->share[0] == table->share[1]
				 ? " by rank"
				 : "");
	write_known(html, told, bot, what);
	if (table != NULL && table->games > 0)
		write_wins(html, table->share[(int)table->bot[0] != bot]);
	html_close(html, "li");
}

static void
write_match(struct html *html, const struct tournament_told *told,
	    const struct bracket_match *match, bool last)
{
	const struct told_table *table = match->table;

	HTML_OPEN(html, "li");
	HTML_OPEN(html, "div", "class",
		  table != NULL && match->winner < 0 ? "now" : NULL);
	HTML_OPEN(html, "ul");
	write_side(html, told, match, 0, last);
	write_side(html, told, match, 1, last);
	html_close(html, "ul");
	if (table != NULL && html->site->part != NULL)
		html_fmt(html, "<p class='soft'><a href='games/%s'>%s</a></p>",
			 table->first, counted(table->games, "game").text);
	else if (table != NULL && match->winner < 0)
		html_fmt(html, "<p class='soft'>%s of %" PRIu64 " played</p>",
			 counted(table->games, "game").text,
			 table->games > told->games ? table->games
						    : told->games);
	html_fmt(html, "</div></li>");
}

static void
write_round(struct html *html, const struct tournament_told *told,
	    const struct bracket *bracket, unsigned round)
{
	const bool last = round + 1 == bracket->rounds;
	char name[BRACKET_NAME];

	bracket_name(bracket, round, name);
	HTML_OPEN(html, "section", "class",
		  round + 1 == told->phase && !told->over ? "now" : NULL);
	HTML_LEAF(html, name, "h3");
	HTML_OPEN(html, "ul", "class", "pairings");
	for (unsigned i = 0; i < bracket_matches(bracket, round); i++)
		write_match(html, told, &bracket->match[round][i], last);
	html_fmt(html, "</ul></section>");
}

/* Writes the bracket from round `from` on, or only this round. */
static void
write_bracket(struct html *html, const struct tournament_told *told,
	      const struct bracket *bracket, unsigned from, bool only)
{
	const unsigned end = only ? from + 1 : bracket->rounds;

	html_fmt(html, "<section id='bracket'><h2>Bracket</h2>");
	HTML_OPEN(html, "div", "class", only ? "tree" : "cup tree", "tabindex",
		  "0", "role", "region", "aria-label", "Bracket");
	for (; from < end; from++)
		write_round(html, told, bracket, from);
	html_fmt(html, "</div></section>");
}

/* A projector shows one round after the other until few rounds are left; these it
 * shows together. */
static void
write_far(struct html *html, const struct tournament_told *told,
	  const struct bracket *bracket)
{
	const unsigned last = bracket->rounds > TOURNAMENT_FAR_ROUNDS
				      ? bracket->rounds - TOURNAMENT_FAR_ROUNDS
				      : 0;

	if (told->phase - 1 < last)
		write_bracket(html, told, bracket, told->phase - 1, true);
	else
		write_bracket(html, told, bracket, last, false);
}

static void
write_title(const struct tournament_told *told, char title[TITLE_BYTES])
{
	if (told->final[0] != '\0')
		snprintf(title, TITLE_BYTES, "%s: the final of %s", told->game,
			 told->final);
	else
		snprintf(title, TITLE_BYTES, "%s: %s", told->game,
			 told->format);
}

/* ---- pages ------------------------------------------------------------- */

void
tournament_page(const struct site *site, const struct tournament_told *told,
		struct text *to)
{
	char title[TITLE_BYTES];
	struct layout layout = {
		.title = title,
		.crumb = { { "Ladders", "" }, { "Tournaments", "tournaments" } }
	};
	struct bracket bracket;
	struct html html;

	write_title(told, title);
	html_begin(&html, site, to, site->part == NULL ? "../" : "");
	layout_begin(&html, &layout);
	write_state(&html, told);
	write_what(&html, told);
	if (bracket_fill(&bracket, told)) {
		write_bracket(&html, told, &bracket, 0, false);
		write_standings(&html, told, told->bots);
	} else {
		write_standings(&html, told, told->bots);
		write_phases(&html, told, TOURNAMENT_PHASES, TOURNAMENT_SHOWN);
	}
	if (told->options[0] != '\0')
		html_fmt(&html, "<p class='soft'>Options: %s</p>",
			 told->options);
	if (site->part == NULL)
		html_fmt(&html,
			 "<p><a href='tournaments/%s/projector'>"
			 "For a projector</a></p>",
			 told->id);
	layout_end(&html);
}

void
tournament_projector(const struct site *site,
		     const struct tournament_told *told, struct text *to)
{
	char title[TITLE_BYTES];
	struct bracket bracket;
	struct html html;

	write_title(told, title);
	html_begin(&html, site, to, "../../");
	layout_begin(&html, &(struct layout){ .title = title,
					      .refresh_s = TOURNAMENT_REFRESH_S,
					      .bare = "projector" });
	write_state(&html, told);
	if (bracket_fill(&bracket, told)) {
		write_far(&html, told, &bracket);
	} else {
		HTML_OPEN(&html, "div", "class", "afar");
		write_standings(&html, told, TOURNAMENT_FAR_BOTS);
		write_phases(&html, told, 1, TOURNAMENT_FAR_TABLES);
		html_close(&html, "div");
	}
	layout_end(&html);
}

static void
write_listed(struct html *html, const struct tournament_told *told)
{
	char words[TOURNAMENT_WORDS], date[DATE_BYTES];

	tournament_words(told, words);
	date_write(told->told, date);
	html_fmt(html,
		 "<tr><th scope='row'><a href='tournaments/%s'>%s</a></th>"
		 "<td>%s</td><td>",
		 told->id, told->game, words);
	tournament_state(told, words);
	if (told->over)
		html_fmt(html, "<bdi>%s</bdi> has won", told->bot[0].name);
	else
		html_text(html, words);
	html_fmt(html, "</td><td class='wide'>%.10s %.5s UTC</td></tr>", date,
		 date + 11);
}

void
tournaments_page(const struct site *site, const struct tournament_told *told,
		 unsigned count, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "Tournaments",
					      .crumb = { { "Ladders", "" } } });
	html_fmt(&html, "<p class='lead'>Tournaments that the organiser has "
			"played with bots of this referee. Their games are on "
			"no ladder here.</p>");
	if (count == 0) {
		HTML_LEAF(&html, "There was none yet.", "p");
	} else {
		HTML_OPEN_TABLE(&html, NULL, "game", NULL, "format", NULL,
				"state", NULL, "as of", "wide");
		for (unsigned i = 0; i < count; i++)
			write_listed(&html, &told[i]);
		html_close_table(&html);
	}
	layout_end(&html);
}
