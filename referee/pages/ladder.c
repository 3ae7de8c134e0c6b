/* referee/pages/ladder.c - see ladder.h. */
#include "referee/pages/ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/milli.h"
#include "protocol/date.h"
#include "referee/games/game.h"
#include "referee/pages/plot.h"

#define DASH "\xe2\x80\x93" /* U+2013 */

/* ---- columns ---------------------------------------------------------- */

/* The columns.  `class` is from style.css: a small screen leaves some out. */
static const struct column {
	const char *key, *title, *class;
	bool falls; /* falls when first sorted by */
} columns[LADDER_SORTS] = {
	[LADDER_BY_RANK] = { "rank", "rank", "n rank", false },
	[LADDER_BY_BOT] = { "bot", "bot", NULL, false },
	[LADDER_BY_AUTHOR] = { "author", "author", "wide", false },
	[LADDER_BY_ELO] = { "elo", "Elo", "n", true },
	[LADDER_BY_FROM] = { "from", "from", "n", true },
	[LADDER_BY_TO] = { "to", "to", "n", true },
	[LADDER_BY_GAMES] = { "games", "games", "n middling", true },
	[LADDER_BY_SCORE] = { "score", "score", "n middling", true },
	[LADDER_BY_FAULTS] = { "faults", "faults", "n middling", true },
	[LADDER_BY_LAST] = { "last", "last game (UTC)", "nowrap wide", true },
	[LADDER_BY_HOME] = { "home", "where", "wide", false },
};

bool
ladder_sort_read(const char *value, enum ladder_sort *sort, bool *falling)
{
	*falling = *value == '-';
	value += *falling;
	for (unsigned i = 0; i < LADDER_SORTS; i++)
		if (strcmp(value, columns[i].key) == 0) {
			*sort = (enum ladder_sort)i;
			return true;
		}
	return false;
}

/* ---- rows ------------------------------------------------------------- */

/* The facts that a row shows. */
struct shown {
	const struct standings_row *row;
	const struct tally_bot *tally;	  /* or NULL */
	const struct ladder_local *local; /* or NULL */
	struct standings_elo elo;
	unsigned number; /* its index in the standings */
};

/* Compares names; a struct ladder_local begins with one. */
static int
by_name(const void *left, const void *right)
{
	return strcmp(left, right);
}

void
ladder_locals_sort(struct ladder_local local[], unsigned locals)
{
	if (locals > 0)
		qsort(local, locals, sizeof(*local), by_name);
}

const struct ladder_local *
ladder_local_find(const struct ladder_local local[], unsigned locals,
		  const char *bot)
{
	return locals == 0
		       ? NULL
		       : bsearch(bot, local, locals, sizeof(*local), by_name);
}

/* Compares two numbers.  NAN is not known, and stands below all others. */
static int
order(double a, double b)
{
	return isnan(a) || isnan(b) ? !isnan(a) - !isnan(b) : (a > b) - (a < b);
}

/* Returns a number to sort by rank.  Bots with a rank of the fit stand before
 * those without. */
static double
rank_of(const struct shown *shown)
{
	const struct fit_row *fit = shown->row->fit;

	if (fit == NULL || fit->best == 0)
		return 1e9 + shown->number;
	return 1e6 * fit->set - fit->rating;
}

static const char *
author_of(const struct shown *shown)
{
	return shown->local == NULL ? "" : shown->local->author;
}

static int
compare(const struct shown *a, const struct shown *b,
	const struct ladder_view_of *view)
{
	switch (view->sort) {
	case LADDER_BY_BOT:
		return strcmp(a->row->standing.bot, b->row->standing.bot);
	case LADDER_BY_AUTHOR:
		return strcmp(author_of(a), author_of(b));
	case LADDER_BY_ELO:
		return order(a->elo.elo, b->elo.elo);
	case LADDER_BY_FROM:
		return order(a->elo.from, b->elo.from);
	case LADDER_BY_TO:
		return order(a->elo.to, b->elo.to);
	case LADDER_BY_GAMES:
		return order((double)standings_games(view->standings, a->row),
			     (double)standings_games(view->standings, b->row));
	case LADDER_BY_SCORE:
		return order(standings_score(view->standings, a->row),
			     standings_score(view->standings, b->row));
	case LADDER_BY_FAULTS:
		return order((double)standings_faults(a->row),
			     (double)standings_faults(b->row));
	case LADDER_BY_LAST:
		return order(a->tally ? (double)a->tally->last : 0,
			     b->tally ? (double)b->tally->last : 0);
	case LADDER_BY_HOME:
		return (a->local == NULL) - (b->local == NULL);
	default:
		return order(rank_of(a), rank_of(b));
	}
}

static int
by_wish(const void *left, const void *right, void *arg)
{
	const struct ladder_view_of *view =
		*(const struct ladder_view_of *const *)arg;
	const struct shown *a = left, *b = right;
	int result = compare(a, b, view);

	if (view->falling)
		result = -result;
	return result != 0 ? result
			   : (a->number > b->number) - (a->number < b->number);
}

/* Returns true if the row of the version that stands for the bot includes it. */
static bool
is_folded(const struct standings_row *row)
{
	return row->standing.superseded_by[0] != '\0';
}

unsigned
ladder_page_rows(const struct standings *standings)
{
	unsigned i, count = 0;

	for (i = 0; i < standings->count; i++)
		count += !is_folded(&standings->row[i]);
	return count;
}

/* Gathers and sorts the rows; with `fold` without those that are folded. */
static struct shown *
gather(const struct ladder_view_of *view, bool fold, unsigned *count)
{
	const struct standings *standings = view->standings;
	struct shown *all = zeroed(standings->count + 1, sizeof(*all));
	const struct ladder_view_of *wish = view; /* qsort_r() needs a pointer
						   * to it */
	const char *bot;

	*count = 0;
	for (unsigned i = 0; i < standings->count; i++) {
		if (fold && is_folded(&standings->row[i]))
			continue;
		bot = standings->row[i].standing.bot;
		all[(*count)++] = (struct shown){
			.row = &standings->row[i],
			.tally = tally_find(view->tally, bot),
			.local = ladder_local_find(view->local, view->locals,
						   bot),
			.elo = standings_elo(&standings->row[i]),
			.number = i,
		};
	}
	qsort_r(all, *count, sizeof(*all), by_wish, &wish);
	return all;
}

const struct standings_row **
ladder_ranked(const struct ladder_view_of *view)
{
	const struct standings_row **row =
		zeroed(view->standings->count + 1, sizeof(*row));
	struct ladder_view_of ranked = *view;
	struct shown *all;
	unsigned count;

	ranked.sort = LADDER_BY_RANK;
	ranked.falling = false;
	all = gather(&ranked, false, &count);
	for (unsigned i = 0; i < count; i++)
		row[i] = all[i].row;
	free(all);
	return row;
}

static struct plot_scale
scale_of(const struct standings *standings)
{
	struct plot_value *value = zeroed(standings->count + 1, sizeof(*value));
	struct plot_scale scale;

	for (unsigned i = 0; i < standings->count; i++)
		value[i].elo = standings_elo(&standings->row[i]);
	scale = plot_scale_of(value, standings->count);
	free(value);
	return scale;
}

/* ---- pages of rows ---------------------------------------------------- */

void
ladder_write_more(struct html *html, const char *path, unsigned first,
		  unsigned end, unsigned count, unsigned rows)
{
	if (first == 0 && end == count)
		return;
	html_fmt(html, "<nav aria-label='More bots'><ul class='links'>");
	if (first > 0)
		html_fmt(html, "<li><a href='%s%u'>Previous bots</a></li>",
			 path, first > rows ? first - rows + 1 : 1);
	if (end < count)
		html_fmt(html, "<li><a href='%s%u'>Next bots</a></li>", path,
			 end + 1);
	html_fmt(html, "</ul>Bots %u to %u of %u.</nav>", first + 1, end,
		 count);
}

/* ---- the table -------------------------------------------------------- */

void
ladder_write_date(struct html *html, const char *date)
{
	if (strlen(date) < 16)
		html_text(html, DASH);
	else
		html_fmt(html, "<time datetime='%s'>%.10s %.5s</time>", date,
			 date, date + 11);
}

struct ladder_rank
ladder_rank_of(const struct standings_row *row, bool fitted)
{
	const unsigned live = fitted ? 0 : row->standing.rank;

	if (row->fit == NULL || row->fit->best == 0)
		return (struct ladder_rank){ live, live };
	return (struct ladder_rank){ row->fit->best, row->fit->worst };
}

const char *
ladder_rank_text(struct ladder_rank rank, char text[HTML_NUMBER_BYTES])
{
	if (rank.best == 0)
		snprintf(text, HTML_NUMBER_BYTES, DASH);
	else if (rank.best == rank.worst)
		snprintf(text, HTML_NUMBER_BYTES, "%u", rank.best);
	else
		snprintf(text, HTML_NUMBER_BYTES, "%u" DASH "%u", rank.best,
			 rank.worst);
	return text;
}

static void
write_rank(struct html *html, struct ladder_rank rank)
{
	char text[HTML_NUMBER_BYTES];

	html_fmt(html, "<td class='%s'>%s</td>",
		 rank.best != rank.worst ? "n rank bracket" : "n rank",
		 ladder_rank_text(rank, text));
}

static int
by_entry(const void *left, const void *right)
{
	const struct standings_row
		*a = *(const struct standings_row *const *)left,
		*b = *(const struct standings_row *const *)right;

	return (a->standing.entered < b->standing.entered) -
	       (a->standing.entered > b->standing.entered);
}

/* Writes the versions that this row includes, the newest first. */
static void
write_others(struct html *html, const struct standings *standings,
	     const struct standings_row *row)
{
	const struct standings_row **other =
		zeroed(standings->count, sizeof(const struct standings_row *));
	unsigned i, count = 0;

	for (i = 0; i < standings->count; i++)
		if (strcmp(standings->row[i].standing.superseded_by,
			   row->standing.bot) == 0)
			other[count++] = &standings->row[i];
	if (count > 0) {
		qsort(other, count, sizeof(const struct standings_row *),
		      by_entry);
		html_fmt(html,
			 "<details class='older'><summary>%u other version%s"
			 "</summary><ul class='plain'>",
			 count, count == 1 ? "" : "s");
		for (i = 0; i < count; i++) {
			HTML_OPEN(html, "li");
			html_name_link(html, "bots", other[i]->standing.bot);
			html_fmt(html, " %.0f</li>",
				 standings_elo(other[i]).elo);
		}
		html_fmt(html, "</ul></details>");
	}
	free(other);
}

static void
write_tag(struct html *html, const char *text)
{
	html_fmt(html, " <span class='tag'>%s</span>", text);
}

static void
write_bot(struct html *html, const struct standings *standings,
	  const struct standings_row *row)
{
	const struct ladder_standing *standing = &row->standing;

	HTML_OPEN(html, "th", "scope", "row");
	html_name_link(html, "bots", standing->bot);
	if (standing->mark != LADDER_PLAYS)
		write_tag(html, ladder_mark_name(standing->mark));
	else if (standing->provisional)
		write_tag(html, "provisional");
	write_others(html, standings, row);
	html_close(html, "th");
}

static void
write_end(struct html *html, const struct standings_elo *elo, double end)
{
	if (isfinite(end))
		html_fmt(html, "<td class='n soft'>%.0f</td>", end);
	else
		HTML_LEAF(html, DASH, "td", "class", "n soft", "title",
			  elo->words);
}

void
ladder_write_elo(struct html *html, const struct standings_elo *elo)
{
	html_fmt(html, "<td class='n'>%.0f</td>", elo->elo);
	write_end(html, elo, elo->from);
	write_end(html, elo, elo->to);
}

/* ---- a short list ----------------------------------------------------- */

unsigned
ladder_best(const struct ladder_view_of *view, unsigned most,
	    struct ladder_short best[])
{
	const struct standings_row **row = ladder_ranked(view);
	unsigned i, count = 0;

	for (i = 0; i < view->standings->count && count < most; i++) {
		if (row[i]->standing.mark != LADDER_PLAYS)
			continue;
		snprintf(best[count].name, sizeof(best[count].name), "%s",
			 row[i]->standing.bot);
		best[count].elo = standings_elo(row[i]);
		best[count].provisional = row[i]->standing.provisional;
		best[count++].rank =
			ladder_rank_of(row[i], view->standings->fit != NULL);
	}
	free(row);
	return count;
}

void
ladder_write_best(struct html *html, const struct ladder_short best[],
		  unsigned count, bool links)
{
	HTML_OPEN_TABLE(html, NULL, "rank", "n", "bot", NULL, "Elo", "n",
			"from", "n", "to", "n");
	for (unsigned i = 0; i < count; i++) {
		HTML_OPEN(html, "tr");
		write_rank(html, best[i].rank);
		HTML_OPEN(html, "th", "scope", "row");
		if (links)
			html_name_link(html, "bots", best[i].name);
		else
			html_name(html, best[i].name);
		if (best[i].provisional)
			write_tag(html, "provisional");
		html_close(html, "th");
		ladder_write_elo(html, &best[i].elo);
		html_close(html, "tr");
	}
	html_close_table(html);
}

/* ---- the whole table -------------------------------------------------- */

static void
write_faults(struct html *html, const struct ladder_standing *standing,
	     uint64_t faults)
{
	HTML_OPEN(html, "td", "class", columns[LADDER_BY_FAULTS].class);
	if (faults == 0)
		html_text(html, "0");
	else
		html_fmt(html, "<a href='bots/%s#faults'>%" PRIu64 "</a>",
			 standing->bot, faults);
	html_close(html, "td");
}

static void
write_row(struct html *html, const struct ladder_view_of *view,
	  const struct shown *shown, const struct plot_scale *scale)
{
	const struct ladder_standing *standing = &shown->row->standing;
	double trend[TALLY_TREND];

	HTML_OPEN(html, "tr");
	write_rank(html,
		   ladder_rank_of(shown->row, view->standings->fit != NULL));
	write_bot(html, view->standings, shown->row);
	HTML_OPEN(html, "td", "class", columns[LADDER_BY_AUTHOR].class);
	html_name(html, author_of(shown));
	html_close(html, "td");
	ladder_write_elo(html, &shown->elo);
	HTML_OPEN(html, "td", "class", "wide");
	plot_bar(html, scale, &shown->elo);
	html_fmt(html,
		 "</td><td class='%s'>%" PRId64 "</td>"
		 "<td class='%s'>%.1f %%</td><td class='wide'>",
		 columns[LADDER_BY_GAMES].class,
		 standings_games(view->standings, shown->row),
		 columns[LADDER_BY_SCORE].class,
		 100 * standings_score(view->standings, shown->row));
	if (shown->tally != NULL)
		plot_trend(html, trend, tally_trend(shown->tally, trend));
	html_close(html, "td");
	write_faults(html, standing, standings_faults(shown->row));
	HTML_OPEN(html, "td", "class", columns[LADDER_BY_LAST].class);
	ladder_write_date(html,
			  shown->tally == NULL ? "" : shown->tally->ended);
	html_fmt(html, "</td><td class='%s'>%s</td></tr>",
		 columns[LADDER_BY_HOME].class,
		 html->site->part != NULL ? DASH
		 : shown->local != NULL	  ? "local"
					  : "remote");
}

static void
write_title(struct html *html, const struct ladder_view_of *view,
	    enum ladder_sort sort)
{
	const struct column *column = &columns[sort];
	const bool here = view->sort == sort;
	const bool falls = here ? !view->falling : column->falls;

	HTML_OPEN(html, "th", "scope", "col", "class", column->class,
		  "aria-sort",
		  !here		  ? NULL
		  : view->falling ? "descending"
				  : "ascending");
	html_fmt(html, "<a href='ladders/%s?sort=%s%s'>%s</a></th>",
		 view->head->name, falls ? "-" : "", column->key,
		 column->title);
}

static void
write_titles(struct html *html, const struct ladder_view_of *view)
{
	html_fmt(html, "<thead><tr>");
	for (unsigned i = 0; i < LADDER_SORTS; i++) {
		if (i == LADDER_BY_FAULTS)
			html_fmt(html,
				 "<th scope='col' class='wide'>live Elo</th>");
		write_title(html, view, (enum ladder_sort)i);
		if (i == LADDER_BY_TO)
			html_fmt(html,
				 "<th scope='col' class='wide'>interval</th>");
	}
	html_fmt(html, "</tr></thead>");
}

static void
write_zero(struct html *html, const struct fit_kept *fit)
{
	struct text text = { .max = SIZE_MAX };

	text_str(&text, " ");
	fit_tell_zero(fit->row, fit->count, &text);
	html_text(html, text_string(&text));
	text_release(&text);
}

void
ladder_write_moment(struct html *html, const struct fit_kept *fit,
		    const char *what)
{
	html_fmt(html, "%s are those after %s.", what,
		 counted((uint64_t)fit->games, "game").text);
	if (fit->since > 0)
		html_fmt(html, " Since then %" PRId64 " %s come.", fit->since,
			 fit->since == 1 ? "has" : "have");
}

/* Writes the moment of the numbers: the last game of all, and how many games
 * the fit does not have yet. */
static void
write_moment(struct html *html, const struct ladder_view_of *view)
{
	const struct fit_kept *fit = view->standings->fit;
	const struct tally_bot *bot, *last = NULL;

	for (unsigned i = 0; i < view->standings->count; i++) {
		bot = tally_find(view->tally,
				 view->standings->row[i].standing.bot);
		if (bot != NULL && (last == NULL || bot->last > last->last))
			last = bot;
	}
	if (fit != NULL)
		ladder_write_moment(html, fit, " Ranks, Elo, games and scores");
	if (last != NULL && strlen(last->ended) >= 16)
		html_fmt(html, " The last game ended on %.10s at %.5s UTC.",
			 last->ended, last->ended + 11);
}

/* Says how many games are missing until the first two bots are apart. */
static void
write_missing(struct html *html, const struct fit_kept *fit)
{
	const int64_t missing = standings_missing(fit);

	if (missing == 0)
		html_text(html, " The first two bots are apart: the interval "
				"of their difference does not include 0.");
	else if (missing > STANDINGS_MISSING_MAX)
		html_text(html, " More than 100,000 further games would have "
				"to tell the first two bots apart.");
	else if (missing > 0)
		html_fmt(html,
			 " About %" PRId64 " further game%s would tell the "
			 "first two bots apart, if their Elo stays as it is.",
			 missing, missing == 1 ? "" : "s");
}

/* Warns that faults say more about the machine than about the bots. */
static void
write_starved(struct html *html, uint64_t starved)
{
	if (starved == 0)
		return;
	html_fmt(
		html,
		" This machine is overloaded: %s since the start of the daemon "
		"came because it had no processor for the bot.",
		counted(starved, "time-out").text);
}

/* Writes the settings that live Elo depends on. */
static void
write_settings(struct html *html, const struct standings *standings)
{
	char k[MILLI_TEXT_BYTES], start[MILLI_TEXT_BYTES];

	milli_text(standings->k_milli, k);
	milli_text(standings->start_milli, start);
	html_fmt(html,
		 " The live Elo begins with %s, and K is %s: so many points a "
		 "game of two seats can move.",
		 start, k);
}

/* Says what the numbers of the table mean; ladder.js loads this again with the
 * rows. */
static void
write_notes(struct html *html, const struct ladder_view_of *view)
{
	const struct standings *standings = view->standings;
	bool open = false, unknown = false, few = false;
	struct standings_elo elo;

	html_fmt(html,
		 "<p id='notes'>Elo is computed from all games at once, so "
		 "it may fall after a win, when games of others have "
		 "shown more.");
	for (unsigned i = 0; i < standings->count; i++) {
		elo = standings_elo(&standings->row[i]);
		open |= isinf(elo.from) || isinf(elo.to);
		unknown |= isnan(elo.from);
		few |= standings->row[i].standing.provisional;
	}
	if (standings->fit != NULL)
		write_zero(html, standings->fit);
	if (open)
		html_text(html, " A dash marks an end that games do not "
				"bound: a bot that won all has no upper "
				"end, one that lost all no lower one.");
	if (unknown)
		html_text(html, " Where both ends are missing, it is the live "
				"Elo, until all games are computed again, or "
				"that of the version before.");
	if (few)
		html_fmt(html,
			 " A provisional Elo comes from fewer than %d games, "
			 "and may still change much.",
			 LADDER_PROVISIONAL);
	if (standings->fit != NULL)
		write_missing(html, standings->fit);
	write_settings(html, standings);
	write_moment(html, view);
	write_starved(html, view->head->starved);
	html_close(html, "p");
}

static void
write_table(struct html *html, const struct ladder_view_of *view)
{
	struct plot_scale scale = scale_of(view->standings);
	unsigned count;
	struct shown *all = gather(view, true, &count);
	const unsigned first =
		view->from < 1 || view->from > count ? 0 : view->from - 1;
	const unsigned end =
		count - first > LADDER_ROWS ? first + LADDER_ROWS : count;
	char path[HTML_NUMBER_BYTES];

	HTML_OPEN(html, "table", "class", "standings");
	HTML_LEAF(html,
		  "Elo, and between which two values the true one is in 95 of "
		  "100 cases. A rank of 3" DASH "7 among 9 bots means that 2 "
		  "are surely better, 2 surely worse, and the order of the "
		  "others is too close to call.",
		  "caption");
	write_titles(html, view);
	HTML_OPEN(html, "tbody");
	for (unsigned i = first; i < end; i++)
		write_row(html, view, &all[i], &scale);
	html_close_table(html);
	write_notes(html, view);
	snprintf(path, sizeof(path),
		 "ladders/%s?sort=%s%s&from=", view->head->name,
		 view->falling ? "-" : "", columns[view->sort].key);
	ladder_write_more(html, path, first, end, count, LADDER_ROWS);
	free(all);
}

/* ---- the page --------------------------------------------------------- */

static void
write_places(struct html *html, const char *name, const char *here)
{
	static const struct {
		const char *text, *path;
	} places[] = { { "Standings", "" },
		       { "Cross table", "/cross" },
		       { "Games", "/games" } };

	html_fmt(html, "<nav aria-label='Ladder'><ul class='links'>");
	for (unsigned i = 0; i < NELEM(places); i++)
		if (strcmp(here, places[i].path) == 0)
			html_fmt(html,
				 "<li><span aria-current='page'>%s</span></li>",
				 places[i].text);
		else
			html_fmt(html, "<li><a href='ladders/%s%s'>%s</a></li>",
				 name, places[i].path, places[i].text);
	html_fmt(html, "</ul></nav>");
}

void
ladder_write_head(struct html *html, const struct ladder_head *head,
		  const struct ladder_season *season, const char *here)
{
	const struct game_rules *rules = game_find(head->pool.game);

	HTML_OPEN(html, "p", "class", "lead");
	if (rules != NULL)
		html_fmt(html, "<a href='rules/%s'>%s</a>", head->pool.game,
			 rules->title);
	else
		html_text(html, head->pool.game);
	html_fmt(html, " with %u seats", head->pool.seats);
	if (head->pool.options[0] != '\0')
		html_fmt(html, ", <code>%s</code>", head->pool.options);
	html_text(html, head->pool.arrival
				? ". Open decisions go to who answers first."
				: ".");
	if (season->name[0] != '\0') {
		html_text(html, " Season ");
		html_name(html, season->name);
		html_text(html, ".");
	}
	if (head->closing)
		html_text(html, " This ladder is closing.");
	html_close(html, "p");
	write_places(html, head->name, here);
}

/* Writes a sentence about a date. */
static void
write_when(struct html *html, const struct ladder_head *head, const char *what,
	   int64_t seconds, const char *more)
{
	char date[DATE_BYTES];

	date_write(seconds, date);
	html_fmt(html, "%s ", what);
	HTML_OPEN(html, "time", "class", seconds > head->now ? "until" : NULL,
		  "datetime", date);
	html_fmt(html, "%.10s %.5s UTC</time>%s", date, date + 11, more);
}

void
ladder_write_term(struct html *html, const struct ladder_head *head)
{
	if (head->begins == 0 && head->freezes == 0 && head->ends == 0)
		return;
	HTML_OPEN(html, "p", "class", "term");
	if (head->begins > head->now)
		write_when(html, head, "The games begin on", head->begins,
			   ". ");
	if (head->frozen)
		write_when(html, head, "The standings are those of",
			   head->freezes,
			   ", when they froze. Games that ended later are "
			   "hidden until the organiser shows them. ");
	else if (head->freezes != 0)
		write_when(html, head, "The standings freeze on", head->freezes,
			   ". ");
	if (head->ends > head->now)
		write_when(html, head, "The games end on", head->ends, ".");
	else if (head->ends != 0)
		write_when(html, head, "The games ended on", head->ends, ".");
	html_close(html, "p");
}

/* Writes a fact; `key` is its name in ladder.js. */
static void
write_fact(struct html *html, const char *what, const char *key, int64_t number)
{
	html_fmt(html,
		 "<div><dt>%s</dt><dd data-fact='%s'>%" PRId64 "</dd></div>",
		 what, key, number);
}

void
ladder_page(const struct site *site, const struct ladder_view_of *view,
	    struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "../");
	layout_begin(&html, &(struct layout){ .title = view->head->name,
					      .script = "ladder.js",
					      .crumb = { { "Ladders", "" } } });
	ladder_write_head(&html, view->head, &view->standings->season, "");
	HTML_OPEN(&html, "dl", "id", "facts", "class", "facts", "data-ladder",
		  view->head->name, "data-root", html.root);
	write_fact(&html, "bots in the standings", "bots",
		   view->standings->count);
	if (site->part == NULL) {
		write_fact(&html, "bots that play now", "sitting",
			   view->head->sitting);
		write_fact(&html, "tables now", "running", view->head->running);
	}
	html_close(&html, "dl");
	HTML_LEAF(&html, view->head->by_term ? "" : view->head->why, "p", "id",
		  "why", "class", view->head->paced ? "soft" : "warn");
	ladder_write_term(&html, view->head);
	if (view->standings->count == 0) {
		html_fmt(&html, "<p>No game has been rated here yet.");
		write_settings(&html, view->standings);
		html_close(&html, "p");
	} else {
		write_table(&html, view);
	}
	layout_end(&html);
}
