/* referee/pages/bot.c - see bot.h. */
#include "referee/pages/bot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/pages/cross.h"
#include "referee/pages/plot.h"
#include "referee/pages/queue.h"
#include "referee/records/replay-asks.h"

#define VERSIONS 32 /* versions of one bot that are shown */

/* Writes a tab for each ladder.  Each is a link except the one that is shown. */
static void
write_tabs(struct html *html, const char *path, const char *shown,
	   const char (*ladder)[NAME_BYTES + 1], unsigned ladders)
{
	html_fmt(html, "<nav aria-label='Ladders'><ul class='links'>");
	for (unsigned i = 0; i < ladders; i++)
		if (strcmp(ladder[i], shown) == 0)
			html_fmt(html,
				 "<li><span aria-current='page'>%s</span></li>",
				 ladder[i]);
		else
			html_fmt(html, "<li><a href='%s?ladder=%s'>%s</a></li>",
				 path, ladder[i], ladder[i]);
	html_fmt(html, "</ul></nav>");
}

/* ---- how it stands ---------------------------------------------------- */

static void
write_facts(struct html *html, const struct bot_view *view,
	    const struct standings_row *row)
{
	const struct fit_kept *fit = view->at->standings->fit;
	const struct standings_elo elo = standings_elo(row);
	const bool behind = fit != NULL && fit->since > 0 && row->fit != NULL;
	char rank[HTML_NUMBER_BYTES];

	HTML_OPEN(html, "dl", "class", "facts");
	html_fact(html, "rank", "%s",
		  ladder_rank_text(ladder_rank_of(row, fit != NULL), rank));
	html_fact(html, "Elo", "%.0f", elo.elo);
	html_fact(html, "95 % interval", "%s", elo.words);
	html_fact(html, "games", "%" PRId64,
		  standings_games(view->at->standings, row));
	html_fact(html, "score", "%.1f %%",
		  100 * standings_score(view->at->standings, row));
	html_fact(html, behind ? "won by now" : "won", "%" PRId64,
		  row->standing.wins);
	html_fact(html, behind ? "faults by now" : "faults", "%" PRIu64,
		  standings_faults(row));
	html_close(html, "dl");
	if (fit == NULL)
		return;
	HTML_OPEN(html, "p", "class", "soft");
	if (row->fit != NULL)
		ladder_write_moment(html, fit, "Rank, Elo, games and score");
	else
		html_fmt(html,
			 "It has come since the Elo of all bots was computed: "
			 "until that is done again, it has %s and no rank.",
			 row->before != NULL
				 ? "the Elo of the version before it"
				 : "its live Elo");
	html_close(html, "p");
}

static void
write_curve(struct html *html, const struct bot_view *view,
	    const struct standings_row *row)
{
	const struct tally_bot *bot = tally_find(view->at->tally, view->name);
	double x[TALLY_CURVE], y[TALLY_CURVE];
	char text[HTML_NUMBER_BYTES];
	unsigned i;

	if (bot == NULL || bot->points < 2)
		return;
	for (i = 0; i < bot->points; i++) {
		x[i] = bot->point[i].game;
		y[i] = (double)bot->point[i].live_elo;
	}
	snprintf(text, sizeof(text),
		 "From %.0f after game %.0f to %.0f after game %.0f.", y[0],
		 x[0], y[i - 1], x[i - 1]);
	HTML_OPEN(html, "figure");
	plot_curve(html,
		   &(struct plot_curve){ "curve", "Live Elo", text, x, y,
					 bot->points, standings_elo(row) });
	html_fmt(html,
		 "<figcaption>Live Elo: recent games weigh more. It may be far "
		 "from the Elo of the standings, which is computed from all "
		 "games at once.</figcaption></figure>");
}

/* ---- versions --------------------------------------------------------- */

/* Finds the bot, its earlier and its later versions, the oldest first. */
static unsigned
find_versions(const struct standings *standings, const char *name,
	      const struct standings_row *version[VERSIONS])
{
	const struct standings_row *row = standings_find(standings, name),
				   *older;
	unsigned count = 0, i, j;

	/* Go back to the first version. */
	for (i = 0; i < VERSIONS && row->standing.heir_of[0] != '\0'; i++) {
		older = standings_find(standings, row->standing.heir_of);
		if (older == NULL)
			break;
		row = older;
	}
	while (row != NULL && count < VERSIONS) {
		version[count++] = row;
		row = NULL;
		for (j = 0; j < standings->count && row == NULL; j++)
			if (strcmp(standings->row[j].standing.heir_of,
				   version[count - 1]->standing.bot) == 0)
				row = &standings->row[j];
	}
	return count;
}

/* Returns P(a is better than b) if their errors are independent; below 0 if it
 * is not known.  As in a fit, the arms of their intervals that point at each
 * other make the arm of the difference. */
static double
better(const struct standings_row *a, const struct standings_row *b)
{
	const struct standings_elo x = standings_elo(a), y = standings_elo(b);
	const double apart = x.elo - y.elo;
	const double arm = apart >= 0 ? hypot(x.elo - x.from, y.to - y.elo)
				      : hypot(x.to - x.elo, y.elo - y.from);

	if (!isfinite(arm) || arm == 0 || a->fit->set != b->fit->set)
		return -1;
	return erfc(-FIT_Z * apart / arm / sqrt(2)) / 2;
}

static void
write_version(struct html *html, const struct standings_row *version,
	      const struct standings_row *before)
{
	const struct standings_elo elo = standings_elo(version);
	char text[HTML_NUMBER_BYTES];

	html_fmt(html, "<tr><th scope='row'>");
	html_name_link(html, "bots", version->standing.bot);
	html_close(html, "th");
	ladder_write_elo(html, &elo);
	html_fmt(html, "<td class='n middling'>%" PRId64 "</td>",
		 version->standing.games);
	if (before != NULL)
		cross_likelihood(text, better(version, before));
	HTML_LEAF(html, before == NULL ? "" : text, "td", "class", "n");
	html_close(html, "tr");
}

static void
write_versions(struct html *html, const struct bot_view *view)
{
	const struct standings_row *version[VERSIONS];
	struct plot_value value[VERSIONS];
	unsigned count = find_versions(view->at->standings, view->name,
				       version),
		 i;

	if (count < 2)
		return;
	HTML_LEAF(html, "Versions", "h2", "id", "versions");
	for (i = 0; i < count; i++)
		value[i] = (struct plot_value){ version[i]->standing.bot,
						standings_elo(version[i]) };
	HTML_OPEN(html, "figure");
	plot_forest(html, "forest", "Elo of the versions", value, count);
	html_close(html, "figure");
	HTML_OPEN_TABLE(html, NULL, "version", NULL, "Elo", "n", "from", "n",
			"to", "n", "games", "n middling", "P(newer is better)",
			"n");
	for (i = 0; i < count; i++)
		write_version(html, version[i], i > 0 ? version[i - 1] : NULL);
	html_close_table(html);
}

/* ---- opponents -------------------------------------------------------- */

static void
write_opponent(struct html *html, const struct bot_view *view,
	       const char *other, const struct tally_meeting *met)
{
	const struct tally_score score = tally_score(met);
	char text[HTML_NUMBER_BYTES];

	html_fmt(html, "<tr><th scope='row'>");
	html_name_link(html, "bots", other);
	cross_score(text, &score);
	html_fmt(html,
		 "</th><td class='n'><a href='bots/%s/vs/%s?ladder=%s'>%u</a>"
		 "</td><td class='n'>%s</td>",
		 view->name, other, view->at->head->name,
		 met->won + met->level + met->lost, text);
	cross_likelihood(text, score.better);
	html_fmt(html, "<td class='n middling'>%s</td></tr>", text);
}

static void
write_opponents(struct html *html, const struct bot_view *view)
{
	const struct standings *standings = view->at->standings;
	const struct tally_bot *bot = tally_find(view->at->tally, view->name),
			       *other;
	struct tally_meeting met;

	if (bot == NULL)
		return;
	HTML_LEAF(html, "Against each opponent", "h2", "id", "opponents");
	HTML_OPEN_TABLE(html, NULL, "opponent", NULL, "duels", "n", "score",
			"n", "likelihood of superiority", "n middling");
	for (unsigned i = 0; i < standings->count; i++) {
		other = tally_find(view->at->tally,
				   standings->row[i].standing.bot);
		if (other == NULL || other == bot)
			continue;
		met = tally_meet(view->at->tally, bot, other);
		if (met.won + met.level + met.lost > 0)
			write_opponent(html, view, other->name, &met);
	}
	html_close_table(html);
}

/* ---- faults and times ------------------------------------------------- */

static void
write_fault_links(struct html *html, const struct conduct *conduct,
		  enum fault kind)
{
	HTML_OPEN(html, "td");
	for (unsigned i = 0; i < conduct->faults; i++) {
		if (conduct->fault[i].kind != kind)
			continue;
		html_fmt(html, "<a href='games/%s?view=%s&at=%u'>%.8s</a> ",
			 conduct->fault[i].id,
			 view_name(conduct->fault[i].seat).text,
			 conduct->fault[i].at, conduct->fault[i].id);
	}
	html_close(html, "td");
}

static void
write_faults(struct html *html, const struct bot_view *view,
	     const struct standings_row *row)
{
	const struct conduct *conduct = view->conduct;
	char text[HTML_NUMBER_BYTES];
	enum fault kind;

	HTML_LEAF(html, "Faults", "h2", "id", "faults");
	if (standings_faults(row) == 0 && conduct->faults == 0) {
		HTML_LEAF(html, "None.", "p");
		return;
	}
	snprintf(text, sizeof(text), "the moments in its last %s",
		 conduct->games == 1 ? "game"
				     : counted(conduct->games, "game").text);
	HTML_OPEN_TABLE(html, NULL, "fault", NULL, "in all games", "n", text,
			NULL);
	for (kind = FAULT_TIMEOUT; kind < FAULT_KINDS; kind++) {
		html_fmt(html,
			 "<tr><th scope='row'>%s</th><td class='n'>%" PRIu64
			 "</td>",
			 fault_name(kind), row->standing.faults[kind]);
		write_fault_links(html, conduct, kind);
		html_close(html, "tr");
	}
	html_close_table(html);
}

/* Writes a time in the form that all pages use. */
static void
write_time(struct html *html, const char *what, double ms)
{
	char text[REPLAY_TIME_BYTES];

	replay_time((uint64_t)(ms * 1000 + 0.5), text);
	html_fact(html, what, "%s", text);
}

static void
write_times(struct html *html, struct conduct *conduct)
{
	if (conduct->times == 0)
		return;
	html_fmt(html, "<h2 id='time'>Thinking time</h2><dl class='facts'>");
	write_time(html, "median", conduct_time(conduct, 0.5));
	write_time(html, "99 % of decisions", conduct_time(conduct, 0.99));
	write_time(html, "worst", conduct_time(conduct, 1));
	if (conduct->limit_ms > 0)
		write_time(html, "limit", conduct->limit_ms);
	if (conduct->cpu_ms >= 0)
		write_time(html, "processor, most in a game", conduct->cpu_ms);
	if (conduct->memory_kib >= 0)
		html_fact(html, "memory, most", "%.1f MiB",
			  conduct->memory_kib / 1024);
	html_fmt(html, "</dl><p class='soft'>%s in its last %s.</p>",
		 counted(conduct->times, "decision").text,
		 conduct->games == 1 ? "game"
				     : counted(conduct->games, "game").text);
}

/* ---- for its author --------------------------------------------------- */

/* Writes the author's section, where author.js asks for the token and shows
 * what it opens. */
static void
write_author(struct html *html, const char *name)
{
	html_fmt(html,
		 "<section id='author' data-bot='%s' data-root='%s'>"
		 "<h2>For its author</h2>"
		 "<p>With the token of the bot or of its owner: its log, what "
		 "it wrote to standard error in its last games, why it is "
		 "suspended, and the upload of a new version. Without "
		 "JavaScript a program can ask for the same: "
		 "<code>/api/1/bots/%s/log</code> "
		 "(<a href='api'>how</a>).</p></section>",
		 name, html->root, name);
}

/* ---- the pages -------------------------------------------------------- */

static void
write_at(struct html *html, const struct bot_view *view, const char *path)
{
	const struct standings_row *row =
		standings_find(view->at->standings, view->name);

	write_tabs(html, path, view->at->head->name, view->ladder,
		   view->ladders);
	if (row == NULL) {
		HTML_LEAF(html, "It has no rated game on this ladder yet.",
			  "p");
		return;
	}
	write_facts(html, view, row);
	write_curve(html, view, row);
	write_versions(html, view);
	write_opponents(html, view);
	write_faults(html, view, row);
	write_times(html, view->conduct);
	if (view->games->count > 0) {
		HTML_LEAF(html, "Latest games", "h2", "id", "games");
		games_write_table(html, view->at->head, view->games);
	}
}

static void
write_notices(struct html *html, const struct bot_view *view)
{
	if (view->notices == 0)
		return;
	html_fmt(html, "<h2 id='why'>Why it is not paired</h2>"
		       "<ul class='prose'>");
	for (unsigned i = 0; i < view->notices; i++) {
		HTML_OPEN(html, "li");
		if (view->notice[i].ladder[0] != '\0')
			html_fmt(html,
				 "<bdi>%s</bdi>: ", view->notice[i].ladder);
		html_text(html, view->notice[i].why);
		html_close(html, "li");
	}
	html_close(html, "ul");
}

/* Writes the games of the queue that no machine plays for now. */
static void
write_parked(struct html *html, const struct bot_view *view)
{
	if (view->parked_jobs == 0)
		return;
	html_fmt(html,
		 "<h2 id='parked'>Parked games</h2>"
		 "<p>These games count for no one, unless "
		 "<a href='queue'>the queue</a> gives them to a machine again."
		 "</p><ul class='prose'>");
	for (unsigned i = 0; i < view->parked_jobs; i++) {
		HTML_OPEN(html, "li");
		queue_job_write(html, &view->parked[i]);
		html_close(html, "li");
	}
	html_close(html, "ul");
}

/* Opens what bot.js fetches again when games were rated on these ladders. */
static void
open_now(struct html *html, const struct bot_view *view)
{
	struct text names = { .max = SIZE_MAX };

	for (unsigned i = 0; i < view->ladders; i++)
		text_fmt(&names, "%s%s", i > 0 ? " " : "", view->ladder[i]);
	HTML_OPEN(html, "div", "id", "now", "data-root", html->root,
		  "data-ladders", text_string(&names));
	text_release(&names);
}

void
bot_page(const struct site *site, const struct bot_view *view, struct text *to)
{
	const struct ladder_local *local =
		view->at == NULL
			? NULL
			: ladder_local_find(view->at->local, view->at->locals,
					    view->name);
	char path[HTML_NUMBER_BYTES];
	struct html html;

	html_begin(&html, site, to, "../");
	layout_begin(&html, &(struct layout){ .title = view->name,
					      .script = "author.js",
					      .crumb = { { "Ladders", "" } } });
	open_now(&html, view);
	HTML_OPEN(&html, "p", "class", "lead");
	html_text(&html, view->at == NULL ? "A bot"
			 : local == NULL  ? "A bot that plays from elsewhere"
					  : "A bot of this machine");
	if (local != NULL && local->author[0] != '\0') {
		html_text(&html, ", by ");
		html_name(&html, local->author);
	}
	html_fmt(&html, ".</p>");
	snprintf(path, sizeof(path), "bots/%s", view->name);
	write_notices(&html, view);
	if (view->at == NULL)
		HTML_LEAF(&html, "It has no rated game yet.", "p");
	else
		write_at(&html, view, path);
	write_parked(&html, view);
	html_close(&html, "div");
	write_author(&html, view->called);
	layout_end(&html);
}

static void
write_versus(struct html *html, const struct versus_view *view)
{
	const struct tally_bot *a = tally_find(view->at->tally, view->name),
			       *b = tally_find(view->at->tally, view->other);
	struct tally_meeting met = { 0 };
	struct tally_score score;
	char text[HTML_NUMBER_BYTES];

	if (a != NULL && b != NULL)
		met = tally_meet(view->at->tally, a, b);
	if (met.won + met.level + met.lost == 0) {
		HTML_LEAF(html, "They have not met on this ladder.", "p");
		return;
	}
	score = tally_score(&met);
	HTML_OPEN(html, "dl", "class", "facts");
	cross_score(text, &score);
	html_fact(html, "score of the first", "%s", text);
	cross_likelihood(text, score.better);
	html_fact(html, "likelihood that it is better", "%s", text);
	html_fact(html, "won, level, lost", "%u, %u, %u", met.won, met.level,
		  met.lost);
	html_close(html, "dl");
	if (view->games->count == GAMES_PAGE)
		html_fmt(html, "<p class='soft'>Their latest %d games:</p>",
			 GAMES_PAGE);
	games_write_table(html, view->at->head, view->games);
}

void
versus_page(const struct site *site, const struct versus_view *view,
	    struct text *to)
{
	char path[2 * HTML_NUMBER_BYTES], bot[HTML_NUMBER_BYTES],
		title[HTML_NUMBER_BYTES];
	struct html html;

	html_begin(&html, site, to, "../../../");
	snprintf(title, sizeof(title), "%s against %s", view->name,
		 view->other);
	snprintf(bot, sizeof(bot), "bots/%s", view->name);
	layout_begin(&html,
		     &(struct layout){ .title = title,
				       .crumb = { { "Ladders", "" },
						  { view->name, bot } } });
	if (view->at == NULL) {
		HTML_LEAF(&html, "They play on no common ladder.", "p");
	} else {
		snprintf(path, sizeof(path), "bots/%s/vs/%s", view->name,
			 view->other);
		write_tabs(&html, path, view->at->head->name, view->ladder,
			   view->ladders);
		write_versus(&html, view);
	}
	layout_end(&html);
}
