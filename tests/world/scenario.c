/* tests/world/scenario.c - see scenario.h. */
#include "tests/world/scenario.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ladder/roster-owner.h"
#include "ladder/roster.h"
#include "protocol/date.h"
#include "protocol/text.h"
#include "referee/cli/commands.h"
#include "tests/world/kernel.h"
#include "tests/world/variants.h"

/* Games that are short, so that many are played. */
static const struct {
	const char *game, *options;
	unsigned least, most; /* seats */
} games[] = {
	{ "toepen", "\"points=3\"", 2, 4 },
	{ "durnius", "\"games=1\"", 2, 4 },
	{ "daupun", "\"rounds=2\"", 2, 2 },
	{ "doubles-dread", "\"rounds=1\"", 2, 4 },
	{ "daumen-drauf", "\"games=1\"", 2, 4 },
};

/* Natures that are drawn for a bot; six of ten bots are honest. */
static const char *const natures[] = {
	"slow",	   "silent", "flooding", "crashing",  "stale",
	"garbled", "deaf",   "closing",	 "vanishing", "doubled",
};
#define DAY_BOTS 40
#define DAY_MOVE_MS 900000
#define CODE_S 604800	/* until the code ends */
#define LOCAL_NATURES 8 /* the first so many are natures of local bots, too */

static const char *
draw_nature(struct dice *dice, bool remote)
{
	if (dice_often(dice, 600))
		return "honest";
	return natures[dice_draw(dice,
				 remote ? NELEM(natures) : LOCAL_NATURES)];
}

static void
draw_ladder(struct scenario *scenario, struct dice *dice)
{
	const size_t game = dice_draw(dice, NELEM(games));
	const unsigned i = scenario->ladders++;

	snprintf(scenario->ladder[i].name, sizeof(scenario->ladder[i].name),
		 "ladder%u", i);
	scenario->ladder[i].game = games[game].game;
	scenario->ladder[i].options = games[game].options;
	scenario->ladder[i].seats =
		games[game].least +
		(unsigned)dice_draw(dice,
				    games[game].most - games[game].least + 1);
	scenario->ladder[i].at_once = 1 + (unsigned)dice_draw(dice, 6);
	scenario->ladder[i].move_ms = 5000 + (unsigned)dice_draw(dice, 40000);
}

static void
draw_bot(struct scenario *scenario, struct dice *dice)
{
	struct scenario_bot *bot = &scenario->bot[scenario->bots];

	bot->remote = dice_often(dice, 500);
	bot->nature = scenario->kind == SCENARIO_CALM
			      ? "honest"
			      : draw_nature(dice, bot->remote);
	bot->ladder = (unsigned)dice_draw(dice, scenario->ladders);
	snprintf(bot->name, sizeof(bot->name), "%s%u", bot->nature,
		 scenario->bots++);
}

#define OWNED 600    /* of 1000 bots */
#define ARRIVALS 500 /* of 1000 ladders */
#define RARE 400     /* of 1000 scenarios */

/* Draws what the configuration allows, and whose the bots are. */
static void
draw_rules(struct scenario *scenario, struct dice dice)
{
	const unsigned owners = 1 + scenario->bots / 8;
	struct dice late = dice_of("more rules", scenario->seed);
	unsigned i;

	for (i = 0; i < scenario->ladders; i++) {
		scenario->ladder[i].ponder = dice_often(&dice, 600);
		scenario->ladder[i].same_owner = dice_often(&dice, 700);
	}
	for (i = 0; i < scenario->ladders; i++)
		scenario->ladder[i].arrival = dice_often(&late, ARRIVALS);
	scenario->rare = dice_often(&late, RARE);
	for (i = 0; i < scenario->bots; i++)
		if (dice_often(&dice, OWNED))
			snprintf(scenario->bot[i].owner,
				 sizeof(scenario->bot[i].owner), "owner%u",
				 (unsigned)dice_draw(&dice, owners));
	scenario->uploads = 1 + (unsigned)dice_draw(&dice, 5);
	scenario->watchers = 2 + (unsigned)dice_draw(&dice, 8);
}

#define ACCOUNTS 600 /* of 1000 owners where things may go wrong */
#define SIGN_UPS 500 /* of 1000 scenarios */

static void
draw_owners(struct scenario *scenario, struct dice dice)
{
	unsigned i;

	scenario->owners = 1 + scenario->bots / 8;
	for (i = 0; i < scenario->owners; i++) {
		snprintf(scenario->owner[i].name,
			 sizeof(scenario->owner[i].name), "owner%u", i);
		scenario->owner[i].account = dice_often(&dice, ACCOUNTS) &&
					     scenario->kind == SCENARIO_WILD;
	}
	scenario->sign_up = dice_often(&dice, SIGN_UPS);
	scenario->accounts = 1 + (unsigned)dice_draw(&dice, 3);
	scenario->trials = 5 + (unsigned)dice_draw(&dice, 60);
}

#define TERMS 250 /* of 1000 ladders where things may go wrong */

/* Draws a moment in the first minutes of a life. */
static int64_t
draw_moment(struct dice *dice, unsigned life, unsigned seconds)
{
	return SCENARIO_BEGIN_S + (int64_t)life * SCENARIO_LIFE_S +
	       (int64_t)dice_draw(dice, seconds);
}

static void
draw_term(const struct scenario *scenario, struct dice *dice,
	  struct scenario_term *term)
{
	const unsigned lives = scenario->lives;

	if (dice_often(dice, 300))
		term->begins = draw_moment(dice, 0, 40);
	if (dice_often(dice, 600))
		term->freezes =
			45 +
			draw_moment(dice, (unsigned)dice_draw(dice, lives), 60);
	if (dice_often(dice, 400))
		term->ends = 50 + draw_moment(dice, lives - 1, 80);
	if (term->ends != 0 && term->ends <= term->freezes)
		term->ends = term->freezes + 1;
	if (dice_often(dice, 250))
		term->games_a_day = 1440 + (unsigned)dice_draw(dice, 2880);
}

static void
draw_terms(struct scenario *scenario, struct dice dice)
{
	unsigned i;

	for (i = 0; i < scenario->ladders; i++)
		if (dice_often(&dice, TERMS) && scenario->kind == SCENARIO_WILD)
			draw_term(scenario, &dice, &scenario->ladder[i].term);
}

void
scenario_draw(struct scenario *scenario, uint64_t seed, enum scenario_kind kind)
{
	struct dice dice = dice_of("scenario", seed);
	const bool day = kind == SCENARIO_DAY;
	unsigned n;

	memset(scenario, 0, sizeof(*scenario));
	scenario->seed = seed;
	scenario->kind = kind;
	scenario->lives = day ? 1 : 2 + (unsigned)dice_draw(&dice, 4);
	n = day ? 1 : 1 + (unsigned)dice_draw(&dice, SCENARIO_LADDERS);
	while (scenario->ladders < n)
		draw_ladder(scenario, &dice);
	if (!day)
		variants_draw(scenario);
	if (day) {
		scenario->ladder[0].at_once = 1;
		scenario->ladder[0].move_ms = DAY_MOVE_MS;
	}
	n = day ? DAY_BOTS : 4 + (unsigned)dice_draw(&dice, 20);
	while (scenario->bots < n)
		draw_bot(scenario, &dice);
	draw_rules(scenario, dice_of("rules", seed));
	draw_terms(scenario, dice_of("terms", seed));
	draw_owners(scenario, dice_of("owners", seed));
}

static FILE *
opened(const char *path, const char *how)
{
	FILE *file = fopen(path, how);

	if (file == NULL)
		world_broken("cannot open %s: %s", path, strerror(errno));
	return file;
}

static unsigned
at_most(struct dice *dice, unsigned usual)
{
	return dice == NULL ? usual : 1 + (unsigned)dice_draw(dice, 2 * usual);
}

static void
write_date(const char *key, int64_t seconds, FILE *file)
{
	char date[DATE_BYTES];

	if (seconds == 0)
		return;
	date_write(seconds, date);
	fprintf(file, "%s = %s ", key, date);
}

#define SHOWN_AGAIN                                                            \
	300 /* of 1000 reloads show all of a ladder that is frozen */

/* Writes the term of a ladder. */
static void
write_term(const char *name, struct scenario_term term, struct dice *dice,
	   FILE *file)
{
	if (term.freezes != 0 && dice != NULL && dice_often(dice, SHOWN_AGAIN))
		term.freezes = 0;
	write_date("begins", term.begins, file);
	write_date("freezes", term.freezes, file);
	write_date("ends", term.ends, file);
	if (term.games_a_day > 0)
		fprintf(file, "games-a-day = %u ", term.games_a_day);
	/* check-terms.c reads it. */
	world_trace("term of %s: %" PRId64 " %" PRId64 " %" PRId64 " %u", name,
		    term.begins, term.freezes, term.ends, term.games_a_day);
}

static void
write_ladder(const struct scenario *scenario, unsigned i, struct dice *dice,
	     FILE *file)
{
	const char *name = scenario->ladder[i].name;
	const unsigned at_once = at_most(dice, scenario->ladder[i].at_once);
	const bool same_owner = dice == NULL ? scenario->ladder[i].same_owner
					     : dice_often(dice, 400);

	fprintf(file,
		"ladder %s { game = %s seats = %u options = { %s } "
		"at-once = %u move-time = %u same-owner = %s ponder = %s\n"
		"readers = everybody spectators-delay = 0 open = %s\n",
		name, scenario->ladder[i].game, scenario->ladder[i].seats,
		scenario->ladder[i].options, at_once,
		scenario->ladder[i].move_ms, same_owner ? "yes" : "no",
		scenario->ladder[i].ponder ? "yes" : "no",
		scenario->ladder[i].arrival ? "arrival" : "priority");
	write_term(name, scenario->ladder[i].term, dice, file);
	fprintf(file, "}\n");
	/* check-rules.c reads it. */
	world_trace("same-owner of %s is %s", name, same_owner ? "yes" : "no");
}

void
scenario_configure(const struct scenario *scenario, struct dice *dice)
{
	FILE *file = opened(SCENARIO_CONFIG, "w");

	fprintf(file,
		"data = \"" SCENARIO_DATA
		"\"\nsandbox = off\nuploads = without-box\n"
		"listener bots { kind = tcp address = \"127.0.0.1\" port = %u "
		"}\n"
		"listener pages { kind = http address = \"127.0.0.1\" port = "
		"%u }\n"
		"trusted-proxies = { \"127.0.9.9\" }\nsign-up = %s\n"
		"limits { return-time = 20000 stop-time = %u "
		"connections-per-address = 1000 uploads-per-day = %u "
		"trial-games-per-day = %u "
		"watchers-per-address = %u }\n"
		"local-bots { games = %u at-once = %u processes = 64 }\n",
		SCENARIO_BOTS_PORT, SCENARIO_PAGES_PORT,
		scenario->sign_up ? "code" : "off", (unsigned)SCENARIO_STOP_MS,
		scenario->uploads, scenario->trials, scenario->watchers,
		at_most(dice, 8), at_most(dice, 2));
	for (unsigned i = 0; i < scenario->ladders; i++)
		write_ladder(scenario, i, dice, file);
	fclose(file);
}

/* Makes the folder of a local bot and adds it as an organiser does. */
static void
add_local(const struct scenario *scenario, const struct scenario_bot *bot)
{
	char *const folder = (char *)(uintptr_t)bot->name,
		    *path = formatted("%s/bot.conf", folder);
	char name[] = "referee bots", add[] = "add", option[] = "--data",
	     data[] = SCENARIO_DATA, no_check[] = "--no-check",
	     ladder[] = "--ladder";
	char *argv[] = {
		name,	add,
		folder, no_check,
		option, data,
		ladder, (char *)(uintptr_t)scenario->ladder[bot->ladder].name,
		NULL
	};
	FILE *file;

	if (mkdir(folder, 0777) < 0)
		world_broken("cannot make %s: %s", folder, strerror(errno));
	file = opened(path, "w");
	free(path);
	fprintf(file,
		"name = \"%s\"\nversion = \"1\"\n"
		"run = { \"sh\", \"world-bot\", \"%s\" }\n",
		bot->name, bot->nature);
	fclose(file);
	if (command_bots.run(NELEM(argv) - 1, argv) != EXIT_DONE)
		world_broken("cannot add %s", bot->name);
}

/* Makes accounts and a code, and writes their tokens. */
static void
make_accounts(const struct scenario *scenario, struct roster *roster,
	      FILE *tokens)
{
	char token[ROSTER_TOKEN_BYTES + 1];
	struct error why;
	unsigned i;

	for (i = 0; i < scenario->owners; i++) {
		if (!scenario->owner[i].account)
			continue;
		if (roster_owner_token(roster, scenario->owner[i].name, token,
				       &why) < 0)
			world_broken("%s", why.text);
		fprintf(tokens, "@%s %s\n", scenario->owner[i].name, token);
	}
	if (roster_new_code(roster, scenario->accounts,
			    SCENARIO_BEGIN_S + CODE_S, token, &why) < 0)
		world_broken("%s", why.text);
	fprintf(tokens, "@ %s\n", token);
	/* check-allowed.c reads it. */
	world_trace("a code for accounts: %u", scenario->accounts);
}

void
scenario_prepare(const struct scenario *scenario)
{
	char token[ROSTER_TOKEN_BYTES + 1];
	const struct scenario_bot *bot;
	struct roster *roster;
	struct error why;
	FILE *tokens;

	scenario_configure(scenario, NULL);
	if (mkdir(SCENARIO_DATA, 0700) < 0)
		world_broken("cannot make %s: %s", SCENARIO_DATA,
			     strerror(errno));
	for (bot = scenario->bot; bot < scenario->bot + scenario->bots; bot++)
		if (!bot->remote)
			add_local(scenario, bot);
	if (roster_open(SCENARIO_DATA, &roster, &why) < 0)
		world_broken("%s", why.text);
	tokens = opened("tokens", "w");
	for (bot = scenario->bot; bot < scenario->bot + scenario->bots; bot++) {
		if (!bot->remote)
			continue;
		if (roster_add(roster, bot->name, "", token, &why) < 0)
			world_broken("%s", why.text);
		fprintf(tokens, "%s %s\n", bot->name, token);
	}
	for (bot = scenario->bot; bot < scenario->bot + scenario->bots; bot++)
		if (bot->owner[0] != '\0' &&
		    roster_set_owner(roster, bot->name, bot->owner, &why) < 0)
			world_broken("%s", why.text);
	make_accounts(scenario, roster, tokens);
	fclose(tokens);
	roster_close(roster);
}

void
scenario_tokens(struct scenario *scenario)
{
	char name[NAME_BYTES + 1], token[80];
	unsigned i;
	FILE *file;

	file = opened("tokens", "r");
	while (fscanf(file, "%32s %79s", name, token) == 2) {
		if (strcmp(name, "@") == 0)
			memcpy(scenario->code, token, sizeof(token));
		for (i = 0; i < scenario->owners; i++)
			if (strcmp(scenario->owner[i].name, name + 1) == 0)
				memcpy(scenario->owner[i].token, token,
				       sizeof(token));
		for (i = 0; i < scenario->bots; i++)
			if (strcmp(scenario->bot[i].name, name) == 0)
				snprintf(scenario->bot[i].token,
					 sizeof(scenario->bot[i].token), "%s",
					 token);
	}
	fclose(file);
}
