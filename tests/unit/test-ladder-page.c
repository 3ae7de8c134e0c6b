/* tests/unit/test-ladder-page.c - the standings of a ladder and a bot's page:
 * Elo with both ends, open ends, unknown Elo, and the meaning of zero. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "protocol/date.h"
#include "referee/pages/bot.h"
#include "referee/pages/live.h"

#define BOTS 5
#define DASH "\xe2\x80\x93"

static const struct site site = { "s", "i", "f/" };
static const struct ladder_head head = { .name = "quick",
					 .pool.game = "durnius",
					 .pool.seats = 2 };
static struct fit_row fit[BOTS - 1];
static struct standings_row row[BOTS];
static struct fit_kept kept = { .count = BOTS - 1, .row = fit };
static struct standings standings = { .row = row, .count = BOTS, .fit = &kept };
static struct ladder_view_of view = { .head = &head, .standings = &standings };
static struct tally *tally;
static struct text text;

static void
set_fit(unsigned bot, double elo, double low, double high, uint64_t games)
{
	fit[bot] = (struct fit_row){ .name = row[bot].standing.bot,
				     .rating = elo,
				     .low = low,
				     .high = high,
				     .score = isinf(high)  ? 1
					      : isinf(low) ? 0
							   : .5,
				     .games = games,
				     .best = 1,
				     .worst = BOTS };
	row[bot].fit = &fit[bot];
}

/* `ace` won all, `bea` and `cat` did not, `dog` lost all, `eel` is new. */
static void
begin(void)
{
	static const char *const name[BOTS] = { "ace", "bea", "cat", "dog",
						"eel" };
	unsigned i;

	memset(row, 0, sizeof(row));
	for (i = 0; i < BOTS; i++) {
		snprintf(row[i].standing.bot, sizeof(row[i].standing.bot), "%s",
			 name[i]);
		row[i].standing.games = 90;
		row[i].standing.rating_milli = 1501000;
	}
	set_fit(0, 2050, 1900, INFINITY, 70);
	set_fit(1, 1550, 1450, 1661, 70);
	set_fit(2, 1500, 1400, 1600, 70);
	set_fit(3, 950, -INFINITY, 1100, 12);
	view.tally = tally = tally_new();
	view.sort = LADDER_BY_RANK;
	view.falling = false;
	text_init(&text, 1 << 20);
}

static void
end(void)
{
	text_release(&text);
	tally_free(tally);
}

TestSuite(ladder_page, .init = begin, .fini = end);

static void
make(void)
{
	text_clear(&text);
	ladder_page(&site, &view, &text);
}

/* The bot has as many latest games that tell of its conduct. */
static void
make_bot_after(const char *name, unsigned latest)
{
	struct conduct conduct = CONDUCT_NONE;
	struct games_found games = { .count = 0 };

	conduct.games = latest;
	text_clear(&text);
	bot_page(&site,
		 &(struct bot_view){ .name = name,
				     .called = name,
				     .at = &view,
				     .conduct = &conduct,
				     .games = &games },
		 &text);
}

static void
make_bot(const char *name)
{
	make_bot_after(name, 0);
}

static void
shows(const char *what)
{
	cr_expect_not_null(strstr(text_string(&text), what), "%s: %s", what,
			   text_string(&text));
}

static void
lacks(const char *what)
{
	cr_expect_null(strstr(text_string(&text), what), "%s: %s", what,
		       text_string(&text));
}

Test(ladder_page, what_the_live_elo_depends_on_is_told)
{
	standings.k_milli = 20500;
	standings.start_milli = 1200000;
	make();
	shows("The live Elo begins with 1200, and K is 20.5:");
	standings.count = 0;
	make();
	shows("rated here yet. The live Elo begins with 1200");
}

/* The page says so only if it has happened. */
Test(ladder_page, an_overloaded_machine_is_said_under_the_table)
{
	struct ladder_head busy = head;

	make();
	lacks("overloaded");
	busy.starved = 2;
	view.head = &busy;
	make();
	shows("This machine is overloaded: 2 time-outs");
}

Test(ladder_page, an_end_that_is_open_is_told_in_words)
{
	make();
	shows("<td class=\"n\">1550</td><td class=\"n soft\">1450</td>"
	      "<td class=\"n soft\">1661</td>");
	shows("<td class=\"n\">2050</td><td class=\"n soft\">1900</td>"
	      "<td class=\"n soft\" title=\"won all 70 games: at least "
	      "1900\">" DASH "</td>");
	shows("<td class=\"n soft\" title=\"lost all 12 games: at most "
	      "1100\">" DASH "</td><td class=\"n soft\">1100</td>");
	shows("A dash marks an end that games do not bound");
	lacks("inf");
	set_fit(0, 1950, 1800, 2150, 70);
	set_fit(3, 950, 800, 1100, 12);
	make();
	lacks("A dash stands");
}

Test(ladder_page, a_pause_of_games_a_day_is_no_warning)
{
	struct ladder_head paced = head;

	snprintf(paced.why, sizeof(paced.why), "A pause.");
	view.head = &paced;
	make();
	shows("<p id=\"why\" class=\"warn\">A pause.</p>");
	paced.paced = true;
	make();
	view.head = &head;
	shows("<p id=\"why\" class=\"soft\">A pause.</p>");
}

Test(ladder_page, what_is_not_computed_yet_is_the_live_elo)
{
	make();
	shows("<td class=\"n\">1501</td>"
	      "<td class=\"n soft\" title=\"not known yet\">" DASH "</td>"
	      "<td class=\"n soft\" title=\"not known yet\">" DASH "</td>");
	shows("it is the live Elo, until");
	lacks("nan");
	standings.count = BOTS - 1;
	make();
	standings.count = BOTS;
	lacks("it is the live Elo, until");
}

Test(ladder_page, a_new_version_has_the_elo_of_the_version_before_it)
{
	row[4].before = &fit[1];
	make();
	lacks("<td class=\"n\">1501</td>");
	make_bot("eel");
	shows("<dt>Elo</dt><dd>1550</dd>");
	shows("it has the Elo of the version before it and no rank");
}

Test(ladder_page, a_bot_that_no_fit_has_yet_has_no_rank)
{
	row[4].standing.rank = 5;
	make_bot("eel");
	shows("<dt>rank</dt><dd>" DASH "</dd>");
	shows("It has come since the Elo of all bots was computed");
	standings.fit = NULL;
	make_bot("eel");
	standings.fit = &kept;
	shows("<dt>rank</dt><dd>5</dd>");
	lacks("It has come since");
}

Test(ladder_page, a_bot_says_of_which_moment_its_numbers_are)
{
	kept.games = 20;
	make_bot("bea");
	shows("Rank, Elo, games and score are those after 20 games.</p>");
	shows("<dt>won</dt>");
	kept.since = 7;
	make_bot("bea");
	shows("those after 20 games. Since then 7 have come.</p>");
	shows("<dt>won by now</dt>");
	kept.games = kept.since = 1;
	make();
	shows("those after 1 game. Since then 1 has come.");
}

Test(ladder_page, one_game_is_a_game)
{
	row[1].standing.faults[FAULT_TIMEOUT] = 1;
	make_bot_after("bea", 1);
	shows("the moments in its last game<");
}

Test(ladder_page, the_zero_is_told)
{
	make();
	shows("1500 is the mean of all bots.");
	shows("it may fall after a win");
	set_fit(1, 1100, 1100, 1100, 70);
	make();
	lacks("mean of all bots");
	shows(" bea is fixed at 1100.");
	set_fit(1, 1099, 1099, 1099, 70);
	make();
	shows(" bea is fixed at 1099 and plays 401 points below the others: "
	      "bars "
	      "are wide because of that.");
	set_fit(2, 1001, 1001, 1001, 70);
	make();
	shows(" bea is fixed at 1099, cat is fixed at 1001; they play 450 "
	      "points below the others: bars are wide because of that.");
	set_fit(2, 1500, 1400, 1600, 70);
	fit[1].set = 1; /* with others of another set it is not compared */
	make();
	shows(" bea is fixed at 1099.");
}

/* Returns the bots in the order of the page. */
static const char *
sorted(enum ladder_sort sort, bool falling)
{
	static char order[BOTS + 1];
	const char *at;
	unsigned n = 0;

	view.sort = sort;
	view.falling = falling;
	make();
	at = strstr(text_string(&text), "<tbody>");
	while (n < BOTS && (at = strstr(at, "<bdi>")) != NULL) {
		at += strlen("<bdi>");
		order[n++] = *at;
		at = strstr(at, "<tr>");
		if (at == NULL)
			break;
	}
	order[n] = '\0';
	return order;
}

/* `bea` stands for `dog` and then `cat`, though `cat` is an heir of `bea`. */
static void
supersede(void)
{
	snprintf(row[2].standing.heir_of, sizeof(row[2].standing.heir_of),
		 "bea");
	for (unsigned i = 2; i < 4; i++) {
		snprintf(row[i].standing.superseded_by,
			 sizeof(row[i].standing.superseded_by), "bea");
		row[i].standing.mark = LADDER_SUPERSEDED;
	}
	row[2].standing.entered = 9;
	row[3].standing.entered = 8;
}

Test(ladder_page, other_versions_fold_under_the_one_that_stands_for_the_bot)
{
	make();
	lacks("other version");
	shows("<tr><td class=\"n rank bracket\">1" DASH
	      "5</td><th scope=\"row\">"
	      "<a href=\"../bots/cat\"");
	supersede();
	make();
	shows("<bdi>bea</bdi></a><details class=\"older\"><summary>2 other "
	      "versions</summary><ul class=\"plain\"><li><a "
	      "href=\"../bots/cat\"><bdi>cat</bdi></a> 1500</li><li><a "
	      "href=\"../bots/dog\"><bdi>dog</bdi></a> "
	      "950</li></ul></details>");
	lacks("<th scope=\"row\"><a href=\"../bots/cat\"");
	lacks("<th scope=\"row\"><a href=\"../bots/dog\"");
	cr_expect_eq(ladder_page_rows(&standings), BOTS - 2);
}

/* The first page and the projector show the ranks of the ladder, and only bots
 * that play. */
Test(ladder_page, short_lists_follow_the_long_one)
{
	struct ladder_short best[BOTS];

	supersede();
	row[0].standing.mark = LADDER_REMOVED;
	cr_assert_eq(ladder_best(&view, BOTS, best), 2);
	cr_expect_str_eq(best[0].name, "bea");
	cr_expect_str_eq(best[1].name, "eel");
	text_clear(&text);
	live_projector(&site, &(struct live_view){ .tables = 0 }, &view, &text);
	shows("<td class=\"n rank bracket\">1" DASH "5</td><th scope=\"row\">"
	      "<bdi>bea</bdi>");
	shows("<td class=\"n rank\">" DASH "</td><th scope=\"row\">"
	      "<bdi>eel</bdi>");
	lacks("<bdi>ace</bdi>");
	lacks("<bdi>cat</bdi>");
}

Test(ladder_page, an_elo_of_few_games_is_provisional)
{
	const char tag[] = "<bdi>bea</bdi></a> <span "
			   "class=\"tag\">provisional</span>";
	struct ladder_short best[BOTS];

	make();
	lacks("provisional");
	row[1].standing.provisional = true;
	make();
	shows(tag);
	shows(" A provisional Elo comes from fewer than 30 games,");
	cr_assert_eq(ladder_best(&view, BOTS, best), BOTS);
	for (unsigned i = 0; i < BOTS; i++)
		cr_expect_eq(best[i].provisional,
			     strcmp(best[i].name, "bea") == 0);
	text_clear(&text);
	live_projector(&site, &(struct live_view){ .tables = 0 }, &view, &text);
	shows("<bdi>bea</bdi> <span class=\"tag\">provisional</span>");
	row[1].standing.mark = LADDER_DISABLED;
	make();
	lacks(tag);
}

/* A page does not mix new games with an old Elo. */
Test(ladder_page, tells_one_moment)
{
	kept.games = 300;
	make();
	shows("are those after 300 games.");
	lacks("have come");
	shows("<td class=\"n middling\">90</td>");
	kept.since = 12;
	make();
	shows("are those after 300 games. Since then 12 have come.");
	shows("<td class=\"n middling\">70</td><td class=\"n middling\">50.0 "
	      "%</td>");
	make_bot("bea");
	shows("<dt>games</dt><dd>70</dd>");
}

Test(ladder_page, why_no_bots_are_paired)
{
	struct ladder_head idle = head;

	make();
	shows("<p id=\"why\" class=\"warn\"></p>");
	snprintf(idle.why, sizeof(idle.why), "No bots are paired now: <so>.");
	view.head = &idle;
	make();
	shows("class=\"warn\">No bots are paired now: &lt;so&gt;.</p>");
	idle.by_term = true;
	make();
	lacks("No bots are paired now");
}

Test(ladder_page, dates_that_come_can_be_counted_down_to)
{
	struct ladder_head term = head;

	make();
	lacks("class=\"term\"");
	term.begins = date_read("2026-12-01T18:00:00Z");
	term.freezes = date_read("2027-02-22T18:00:00Z");
	term.ends = date_read("2027-03-01T18:00:00Z");
	term.now = term.begins - 1;
	view.head = &term;
	make();
	shows("<p class=\"term\">The games begin on <time class=\"until\" "
	      "datetime=\"2026-12-01T18:00:00Z\">2026-12-01 18:00 UTC</time>. "
	      "The standings freeze on <time class=\"until\" "
	      "datetime=\"2027-02-22T18:00:00Z\">2027-02-22 18:00 UTC</time>. "
	      "The games end on <time class=\"until\" "
	      "datetime=\"2027-03-01T18:00:00Z\">2027-03-01 18:00 "
	      "UTC</time>.</p>");
	term.now = term.begins;
	make();
	lacks("The games begin");
	term.now = term.ends;
	term.frozen = true;
	make();
	shows("The standings are those of <time "
	      "datetime=\"2027-02-22T18:00:00Z\">2027-02-22 18:00 UTC</time>, "
	      "when they froze.");
	shows("The games ended on <time datetime");
	shows("until"); /* the organiser shows them */
	lacks("class=\"until\"");
}

/* Makes `/live` with these ladders, while no table runs. */
static void
make_live(const struct ladder_head *one, const struct ladder_head *other)
{
	const struct ladder_head *const heads[] = { one, other };

	text_clear(&text);
	live_page(&site, &(struct live_view){ .ladder = heads, .ladders = 2 },
		  &text);
}

Test(ladder_page, live_says_what_holds_for_all_ladders)
{
	const char enough[] = "when enough bots sit at a ladder.";
	struct ladder_head one = head, other = head;

	one.now = other.now = date_read("2026-12-01T12:00:00Z");
	make_live(&one, &other);
	shows(enough);
	lacks("class=\"term\"");
	one.begins = one.now + 60;
	make_live(&one, &other);
	shows(enough);
	shows("The games begin on <time class=\"until\" "
	      "datetime=\"2026-12-01T12:01:00Z\">");
	other.begins = one.begins;
	make_live(&one, &other);
	shows("A table appears here when the games have begun.");
	one.begins = other.begins = one.now - 60;
	one.frozen = true;
	one.freezes = one.now;
	make_live(&one, &one);
	shows("No table that can be watched runs now");
	shows("The standings are frozen, and games are hidden");
	other.ends = other.now;
	make_live(&one, &other);
	shows(enough);
	make_live(&other, &other);
	shows("<p>The games have ended.</p>");
}

/* A page does not say in one place that no table runs, and in another that one does. */
Test(ladder_page, live_says_once_why_running_tables_are_not_shown)
{
	const char why[] = "Games of a ladder whose records are not public, or "
			   "whose standings are frozen, cannot be watched.";
	struct ladder_head public = head, private = head;
	const struct ladder_head *one = &public;
	struct live_view live = { .ladder = &one, .ladders = 1, .running = 1 };

	public.records = true;
	text_clear(&text);
	live.missing = true;
	live.asked = "";
	live_page(&site, &live, &text);
	shows("No table that can be watched runs now");
	shows("1 table runs now");
	shows(why);
	cr_expect_null(strstr(strstr(text_string(&text), why) + 1, why));
	shows("No other table can be watched.");
	lacks("Only some are listed");
	public.ends = 1;
	public.now = 2;
	text_clear(&text);
	live_page(&site, &live, &text);
	shows(why);
	lacks("The games have ended.");
	public.frozen = true;
	text_clear(&text);
	live_page(&site, &live, &text);
	shows("The standings are frozen, and games are hidden");
	lacks(why);
	one = &private;
	private.running = 1;
	text_clear(&text);
	live_projector(&site, &live, &view, &text);
	shows("No table that can be watched runs now");
	shows(why);
}

/* The numbers are games * ((lead - low)^2 / lead^2 - 1), by Python's fractions. */
Test(ladder_page, games_that_are_missing_until_the_first_two_are_apart)
{
	static const struct {
		double lead, low;
		int64_t games, missing;
	} cases[] = {
		{ 50, -30, 300, 470 },	   /* 468 */
		{ 10, -10, 1000, 3000 },   /* 3000 */
		{ 4, -1, 12345, 6900 },	   /* 6944.06 */
		{ 100, -1, 77, 2 },	   /* 1.5477 */
		{ 30, 0, 500, 1 },	   /* 0 */
		{ 10, -90, 1010, 100000 }, /* 99990 */
		{ 10, -90, 1011, 100001 }, /* 100089 */
		{ 0, -50, 1000, 100001 },  /* level */
		{ 30, .001, 500, 0 },	   /* apart */
		{ 30, 30, 500, -1 },	   /* both fixed, or not known */
	};
	unsigned i;

	for (i = 0; i < NELEM(cases); i++)
		cr_expect_eq(standings_missing(&(struct fit_kept){
				     .games = cases[i].games,
				     .lead = cases[i].lead,
				     .lead_low = cases[i].low }),
			     cases[i].missing, "case %u", i);
}

/* A bot that wins 55 of 100 games against another is apart from it after
 * z^2 / (p q ln(p/q)^2) = 385.4 games, by the variance 1/(n p q) of the logit. */
Test(ladder_page, so_many_games_would_be_enough)
{
	const int place[2][2] = { { 1, 2 }, { 2, 1 } };
	struct fit *fit_of = fit_new();
	const unsigned bot[] = { fit_bot(fit_of, "one"),
				 fit_bot(fit_of, "two") };
	struct fit_kept of = { .games = 100 };
	struct fit_difference apart;
	struct error why;
	int64_t total;
	unsigned i;

	for (i = 0; i < 100; i++)
		fit_game(fit_of, 2, bot, place[i >= 55], FIT_ALONE);
	cr_assert_eq(fit_solve(fit_of, false, &why), 0);
	apart = fit_compare(fit_of, bot[0], bot[1]);
	of.lead = apart.points;
	of.lead_low = apart.low;
	total = 100 + standings_missing(&of);
	cr_expect(total > 365 && total < 405, "%lld", (long long)total);
	fit_free(fit_of);
}

Test(ladder_page, says_how_many_games_are_missing)
{
	make();
	lacks("first two bots");
	kept.games = 300;
	kept.lead = 50;
	kept.lead_low = -30;
	make();
	shows("About 470 further games would tell the first two bots apart");
	kept.lead_low = -5000;
	make();
	shows("More than 100,000 further games");
	kept.lead_low = 5;
	make();
	shows("The first two bots are apart");
}

Test(ladder_page, sorts_by_either_end)
{
	cr_expect_str_eq(sorted(LADDER_BY_ELO, true), "abecd");
	cr_expect_str_eq(sorted(LADDER_BY_FROM, true), "abcde");
	cr_expect_str_eq(sorted(LADDER_BY_FROM, false), "edcba");
	cr_expect_str_eq(sorted(LADDER_BY_TO, true), "abcde");
	cr_expect_str_eq(sorted(LADDER_BY_TO, false), "edcba");
	shows("?sort=-from\"");
	shows("?sort=-to\"");
}

Test(ladder_page, a_bot_is_told_from_where_to_where_it_is)
{
	make_bot("bea");
	shows("<dt>Elo</dt><dd>1550</dd>");
	shows("<dd>1450 to 1661</dd>");
	make_bot("ace");
	shows("<dd>won all 70 games: at least 1900</dd>");
	fit[3].games = 1;
	make_bot("dog");
	shows("<dd>lost its only game: at most 1100</dd>");
	make_bot("eel");
	shows("<dd>not known yet</dd>");
}

static void
make_versions(unsigned older, unsigned newer)
{
	memcpy(row[newer].standing.heir_of, row[older].standing.bot,
	       sizeof(row[older].standing.bot));
	make_bot(row[newer].standing.bot);
	row[newer].standing.heir_of[0] = '\0';
}

/* The ends that point at each other decide: 50 points are 1.96 * 50 / hypot(150, 100)
 * of a standard deviation. */
Test(ladder_page, how_likely_a_newer_version_is_better)
{
	set_fit(1, 1550, 1400, 1560, 70);
	set_fit(2, 1500, 1490, 1600, 70);
	make_versions(2, 1);
	shows(">70.7 %</td>");
	make_versions(1, 2);
	shows(">29.3 %</td>");
	/* An end that points elsewhere may be open. */
	set_fit(1, 1550, 1400, INFINITY, 70);
	make_versions(2, 1);
	shows(">70.7 %</td>");
	set_fit(2, 1500, 1490, INFINITY, 70);
	make_versions(2, 1);
	shows(">" DASH "</td></tr></tbody>");
	make_versions(2, 4);
	shows(">" DASH "</td></tr></tbody>");
}
