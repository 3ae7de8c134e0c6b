/* tests/unit/test-table-random.c - thousands of games with bots that misbehave
 * at random: every record verifies, and every seat has read exactly its view of
 * it. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/record.h"
#include "referee/records/verify.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"
#include "tests/unit/scene.h"

#define GAMES check_rounds(1500, 6000)

/* Counts the events of one run of games, because a test without events proves
 * nothing. */
static struct {
	unsigned faults[8]; /* by the first letter of the kind, modulo 8 */
	unsigned retired, voids, quiets, losers, aborted, arrivals, entropies;
} met;

struct random_bot {
	unsigned seen;	 /* the ask that it has dealt with */
	unsigned writes; /* so far */
	bool good;	 /* never makes a mistake */
	bool slow;	 /* does not always answer in the pass of the ask */
};

/* Picks a token of the bot's last ask, as the bot may answer it. */
static void
pick_token(struct scene *scene, unsigned seat, struct dice *dice,
	   char token[MOVE_BYTES])
{
	const char *at = scene_ask(scene, seat), *end;
	unsigned count = 1, pick, i;

	for (i = 0; i < 3; i++)
		at = strchr(at, ' ') + 1;
	end = strchr(at, '\n');
	for (i = 0; at + i < end; i++)
		count += at[i] == ' ';
	for (pick = dice_below(dice, count); pick > 0; pick--)
		at = strchr(at, ' ') + 1;
	snprintf(token, MOVE_BYTES, "%.*s", (int)strcspn(at, " \n"), at);
}

static void
misbehave(struct fake_bot *bot, unsigned ask, struct dice *dice)
{
	switch (dice_below(dice, 12)) {
	case 0:
		fake_say(bot, "do %u nonsense", ask);
		break;
	case 1:
		fake_say(bot, "do %u pass", ask + 1);
		break;
	case 2:
		fake_say(bot, "what?");
		break;
	case 3:
		fake_break(bot, LINE_TOO_LONG);
		break;
	case 4:
		fake_break(bot, LINE_BAD_BYTE);
		break;
	case 5:
		if (dice_below(dice, 4) == 0)
			fake_die(bot);
		break;
	case 6:
		bot->stuck = true;
		break;
	case 7:
		fake_unstick(bot);
		break;
	case 8:
		fake_say(bot, "say { ; } %u", ask);
		break;
	case 9:
		fake_say(bot, "entropy 0102");
		break;
	case 10:
		fake_say(bot, "do %u pass", ask > 1 ? ask - 1 : 1);
		break;
	case 11:
		fake_say(bot, "rest");
		break;
	}
}

static void
act(struct scene *scene, unsigned seat, struct random_bot *player,
    struct dice *dice)
{
	struct fake_bot *bot = &scene->bot[seat];
	unsigned ask = scene_asks(scene, seat);
	char token[MOVE_BYTES];

	if (!player->good && dice_below(dice, 12) == 0)
		misbehave(bot, ask, dice);
	if (ask == player->seen || (player->slow && dice_below(dice, 3) == 0))
		return;
	player->seen = ask;
	pick_token(scene, seat, dice, token);
	fake_say(bot, "do %u %s", ask, token);
	if (!player->good && dice_below(dice, 8) == 0)
		fake_say(bot, "do %u %s", ask, token);
}

/* Expects what leaves in one pass to leave in one write, with an ask as its last
 * line. */
static void
check_writes(struct scene *scene, struct random_bot player[])
{
	const char *ask;
	unsigned s;

	for (s = 0; s < scene->setup.game.seats; s++) {
		if (scene->bot[s].writes == player[s].writes)
			continue;
		cr_assert_leq(scene->bot[s].writes, player[s].writes + 1);
		ask = strstr(fake_last_write(&scene->bot[s]), "\nask ");
		if (ask != NULL && !scene->bot[s].parted)
			cr_assert_str_eq(strchr(ask + 1, '\n'), "\n");
	}
}

static void
play(struct scene *scene, struct random_bot player[], struct dice *dice)
{
	unsigned s, pass, seats = scene->setup.game.seats;

	for (pass = 0; pass < 20000 && scene->over == 0; pass++) {
		for (s = 0; s < seats; s++)
			act(scene, s, &player[s], dice);
		for (s = 0; s < seats; s++)
			player[s].writes = scene->bot[s].writes;
		if (dice_below(dice, 8) == 0)
			scene_wait(scene, dice_below(dice, 1500));
		else
			scene_pass(scene);
		check_writes(scene, player);
		if (pass > 20 && dice_below(dice, 5000) == 0)
			table_abort(scene->table, ABORT_INTERRUPTED);
	}
	cr_assert_eq(scene->over, 1, "it does not end");
}

/* ---- views ------------------------------------------------------------- */

static bool
is_control(const char *line)
{
	static const char *const verbs[] = {
		"referee ", "game ", "commit ", "entropy?", "ask ",
		"void ",    "over ", "abort ",	"retired",  "bye",
	};
	size_t i;

	for (i = 0; i < NELEM(verbs); i++)
		if (strncmp(line, verbs[i], strlen(verbs[i])) == 0)
			return true;
	return false;
}

/* Redacts all lines of the body that are events, as `seat` may see them; up to and with
 * its own fault number `faults`, unless that is 0. */
static void
redact_body(const struct record *record, unsigned seat, unsigned faults,
	    struct text *to)
{
	char line[LINE_REFEREE_BYTES], fault[16];
	const struct record_line *full;
	unsigned i;
	ssize_t n;

	snprintf(fault, sizeof(fault), "fault %u ", seat);
	for (i = 0; i < record->bodies; i++) {
		full = &record->body[i];
		if (strncmp(full->text, "ask ", 4) == 0 ||
		    strncmp(full->text, "forfeit ", 8) == 0)
			continue;
		n = hidden_redact(full->text, full->n, (int)seat, line);
		cr_assert_geq(n, 0);
		text_add(to, line, (size_t)n);
		text_str(to, "\n");
		if (strncmp(full->text, fault, strlen(fault)) == 0 &&
		    --faults == 0)
			return;
	}
}

static void
take_events(struct fake_bot *bot, struct text *to)
{
	const char *at = fake_read(bot), *lf;

	for (; *at != '\0'; at = lf + 1) {
		lf = strchr(at, '\n');
		met.voids += strncmp(at, "void ", 5) == 0;
		if (!is_control(at))
			text_add(to, at, (size_t)(lf - at) + 1);
	}
}

static void
check_view(struct scene *scene, const struct record *record, unsigned seat,
	   const struct table_outcome *outcome, bool alive)
{
	struct text expected = { .max = RECORD_BYTES };
	struct text found = { .max = RECORD_BYTES };
	bool retired = fake_has_read(&scene->bot[seat], "retired");

	take_events(&scene->bot[seat], &found);
	redact_body(record, seat, retired ? outcome->faults[seat] : 0,
		    &expected);
	if (retired || alive) {
		cr_assert_str_eq(text_string(&found), text_string(&expected));
	} else { /* it was lost somewhere, or does not read */
		cr_assert_leq(found.used, expected.used);
		cr_assert_eq(strncmp(text_string(&found),
				     text_string(&expected), found.used),
			     0);
		met.losers++;
	}
	if (retired)
		cr_assert(outcome->retired[seat]);
	text_release(&expected);
	text_release(&found);
}

static void
check_asks(struct fake_bot *bot)
{
	const char *at = fake_read(bot);
	unsigned asks = 0;

	for (; *at != '\0'; at = strchr(at, '\n') + 1)
		if (strncmp(at, "ask ", 4) == 0)
			cr_assert_eq(strtoul(at + 4, NULL, 10), ++asks);
}

/* ---- records ----------------------------------------------------------- */

static void
check_proof(const struct record *record)
{
	struct verdict verdict;
	unsigned by_rules;

	for (by_rules = 0; by_rules < 2; by_rules++) {
		verify_record(record, by_rules, NULL, &verdict);
		cr_assert(verdict.ok, "line %u: expected %s, found %s",
			  verdict.line, verdict.expected, verdict.found);
		cr_assert_eq(verdict.sealed, !by_rules);
	}
}

static void
check_places(const struct record *record, const struct table_outcome *outcome)
{
	struct error why = { 0 };
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	unsigned s;

	if (outcome->aborted != ABORT_NONE) {
		cr_assert_str_eq(record->aborted, abort_name(outcome->aborted));
		met.aborted++;
		return;
	}
	cr_assert_eq(record_places(record, place, points, &why), 0, "%s",
		     why.text);
	for (s = 0; s < record->seats; s++) {
		cr_assert_eq(place[s], outcome->place[s]);
		cr_assert_eq(points[s], outcome->points[s]);
	}
}

static void
note_met(const struct record *record, const struct table_outcome *outcome)
{
	unsigned i;

	for (i = 0; i < record->bodies; i++) {
		if (strncmp(record->body[i].text, "fault ", 6) == 0)
			met.faults[record->body[i].text[8] % 8]++;
		met.quiets += strcmp(record->body[i].text, "quiet") == 0;
	}
	for (i = 0; i < record->seats; i++)
		met.retired += outcome->retired[i];
	met.entropies += record_header(record, "entropy") != NULL;
}

static void
check_game(struct scene *scene)
{
	bool alive[SEATS_MAX];
	struct error why = { 0 };
	const char *text = scene_record(scene);
	struct table_outcome outcome;
	struct record *record;
	unsigned s, seats = scene->setup.game.seats;

	cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0, "%s",
		     why.text);
	table_outcome(scene->table, &outcome);
	check_proof(record);
	check_places(record, &outcome);
	note_met(record, &outcome);
	for (s = 0; s < seats; s++)
		alive[s] = !scene->bot[s].parted && !scene->bot[s].stuck;
	scene_receipt(scene);
	for (s = 0; s < seats; s++) {
		check_view(scene, record, s, &outcome, alive[s]);
		check_asks(&scene->bot[s]);
		cr_assert(scene->bot[s].parted);
	}
	record_free(record);
}

/* ---- games ------------------------------------------------------------- */

static void
set_up(struct scene *scene, struct random_bot player[], unsigned number,
       struct dice *dice)
{
	unsigned seats = 2 + dice_below(dice, 6), s;

	scene_init(scene, seats, PARLEY_SINGLE, 1);
	if (dice_below(dice, 3) == 0)
		play_setup(&scene->setup.game, "daumen-drauf", seats,
			   "games=1");
	else
		play_setup(&scene->setup.game, "toepen", seats,
			   dice_below(dice, 2) ? "points=1" : "points=3");
	deal_from_seed(&scene->setup.deal, "random", number);
	scene->setup.arrival = dice_below(dice, 2);
	met.arrivals += scene->setup.arrival;
	scene->setup.record_asks = dice_below(dice, 4) == 0;
	scene->setup.faults = 1 + dice_below(dice, 4);
	scene->setup.clock.bank_us = dice_below(dice, 2) * UINT64_C(500000);
	scene->setup.clock.total_us = dice_below(dice, 3) * UINT64_C(4000000);
	memset(player, 0, SEATS_MAX * sizeof(*player));
	for (s = 0; s < seats; s++) {
		scene->setup.entropy[s] = dice_below(dice, 4) == 0;
		scene->bot[s].bot.started = dice_below(dice, 4) > 0;
		player[s].good = dice_below(dice, 3) == 0;
		player[s].slow = dice_below(dice, 2) == 0;
	}
}

static void
play_games(unsigned from, unsigned to)
{
	static struct scene scene;
	struct random_bot player[SEATS_MAX];
	struct dice dice;
	unsigned number;

	for (number = from; number < to; number++) {
		dice.state = number;
		set_up(&scene, player, number, &dice);
		scene_begin(&scene);
		play(&scene, player, &dice);
		check_game(&scene);
		scene_end(&scene);
	}
}

Test(table_random, every_record_proves_itself_and_every_view_is_its_own)
{
	static const char kinds[] = "tipc"; /* timeout, illegal, … */
	unsigned i;

	play_games(0, GAMES);
	for (i = 0; kinds[i] != '\0'; i++)
		cr_expect_gt(met.faults[kinds[i] % 8], 100, "%c", kinds[i]);
	cr_expect_gt(met.retired, 100);
	cr_expect_gt(met.voids, 100);
	cr_expect_gt(met.quiets, 100);
	cr_expect_gt(met.losers, 100);
	cr_expect_gt(met.aborted, 10);
	cr_expect_gt(met.arrivals, 100);
	cr_expect_gt(met.entropies, 50);
}
