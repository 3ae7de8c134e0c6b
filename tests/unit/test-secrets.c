/* tests/unit/test-secrets.c - bots are not sent secrets.
 *
 * It plays whole games at real tables.  The lines of each bot are compared
 * with a second statement of who may read what (secrets.h), which ignores
 * marks; and an ask may name only pieces that the bot has read before. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/record.h"
#include "tests/unit/play.h"
#include "tests/unit/scene.h"
#include "tests/unit/secrets.h"

#define VIEWERS (SEATS_MAX + 1) /* the last one is the public */
#define LISTED_MAX 64
#define PUBLIC SEATS_MAX

static const struct kind {
	const char *game;
	const char *options; /* several, separated by `|` */
	unsigned games;	     /* of each, with each number of seats */
} kinds[] = {
	{ "daumen-drauf", "games=1|games=2|twin=any games=1", 10 },
	{ "daupun", "rounds=3|first=cutter rounds=3", 60 },
	{ "doubles-dread", "rounds=1|magic=12 rounds=2", 10 },
	{ "durnius",
	  "|decks=2 games=2|passing=yes travel=yes decks=2|"
	  "adding=defended teams=pairs scoring=order|"
	  "teams=threes start=winners games=2 dealer=fool epaulettes=mark",
	  6 },
	{ "toepen", "points=1|points=5", 12 },
	{ NULL, "", 30 }, /* any other */
};

/* Holds what one bot may read, line by line, and what it did read. */
struct reader {
	struct text may;
	const char *at;		     /* in what it read: the next line */
	char known[128][MOVE_BYTES]; /* pieces that were named to it */
	unsigned knows;
};

static struct scene scene;
static struct reader reader[VIEWERS];
static unsigned long lines, asks, hidden_words;

/* ---- a game ----------------------------------------------------------- */

static void
answer(unsigned seat, struct dice *dice, unsigned done[SEATS_MAX])
{
	unsigned ask = scene_asks(&scene, seat), count = 1, i;
	const char *at;
	char token[64], *range;

	if (ask == done[seat])
		return;
	done[seat] = ask;
	if (dice_below(dice, 60) == 0) {
		fake_say(&scene.bot[seat], "do %u nonsense", ask);
		return;
	}
	at = strchr(strchr(strchr(scene_ask(&scene, seat), ' ') + 1, ' ') + 1,
		    ' ') +
	     1;
	for (i = 0; at[i] != '\n'; i++)
		count += at[i] == ' ';
	for (i = dice_below(dice, count); i > 0; i--)
		at = strchr(at, ' ') + 1;
	snprintf(token, sizeof(token), "%.*s", (int)strcspn(at, " \n"), at);
	range = strstr(token, "..");
	if (range)
		*range = '\0';
	fake_say(&scene.bot[seat], "do %u %s", ask, token);
}

static void
play(struct dice *dice)
{
	unsigned done[SEATS_MAX] = { 0 }, passes, seat;

	scene_begin(&scene);
	for (passes = 0; passes < 100000 && scene.over == 0; passes++) {
		for (seat = 0; seat < scene.setup.game.seats; seat++)
			answer(seat, dice, done);
		scene_pass(&scene);
	}
	cr_assert_eq(scene.over, 1, "it does not end");
}

/* ---- what each may read ----------------------------------------------- */

static bool
is_piece(const char *word)
{
	const struct deck *deck = scene.setup.game.rules->deck;

	return card_find(deck, word, strlen(word)) >= 0;
}

static bool
is_known(const struct reader *r, const char *piece)
{
	unsigned i;

	for (i = 0; i < r->knows; i++)
		if (strcmp(r->known[i], piece) == 0)
			return true;
	return false;
}

/* Learns every piece among the tokens and their arguments, or expects it to be known if
 * it `must`. */
static void
pieces_of(struct reader *r, const char *line, bool must)
{
	char copy[LINE_REFEREE_BYTES + 1], *word, *rest = copy;

	snprintf(copy, sizeof(copy), "%s", line);
	while ((word = strsep(&rest, " :")) != NULL) {
		if (!is_piece(word) || is_known(r, word))
			continue;
		cr_assert_not(must,
			      "`%s` names %s, of which the bot was not "
			      "told",
			      line, word);
		cr_assert_lt(r->knows, NELEM(r->known));
		snprintf(r->known[r->knows++], MOVE_BYTES, "%s", word);
	}
}

/* (d): token by token the public view is a seat's view or has a `?`. */
static void
views_nest(const char *public, const char *own)
{
	for (; *public != '\0'; public ++, own++) {
		hidden_words += *public == '?' && *own != '?';
		if (*public != '?')
			cr_assert_eq(*public, *own, "`%s` is not in `%s`",
				     public, own);
		else
			own += strcspn(own, " ") - 1;
	}
	cr_assert_eq(*own, '\0');
}

static void
line_for_all(struct secrets *secrets, const char *line)
{
	static char view[VIEWERS][LINE_REFEREE_BYTES + 1];
	char redacted[LINE_REFEREE_BYTES + 1];
	unsigned seats = scene.setup.game.seats, seat;
	ssize_t n;

	secrets_view(secrets, line, -1, view[PUBLIC]);
	n = hidden_redact(line, strlen(line), VIEW_PUBLIC, redacted);
	cr_assert_geq(n, 0);
	redacted[n] = '\0';
	cr_assert_str_eq(redacted, view[PUBLIC]);
	for (seat = 0; seat < seats; seat++) {
		secrets_view(secrets, line, (int)seat, view[seat]);
		views_nest(view[PUBLIC], view[seat]);
		text_str(&reader[seat].may, view[seat]);
		text_str(&reader[seat].may, "\n");
	}
	secrets_go_on(secrets, line);
	lines++;
}

/* ---- what each did read ----------------------------------------------- */

static bool
is_control(const char *line)
{
	static const char *const verbs[] = { "referee ", "game ", "commit ",
					     "void ",	 "over ", "entropy?",
					     "retired",	 "bye" };
	unsigned i;

	for (i = 0; i < NELEM(verbs); i++)
		if (strncmp(line, verbs[i], strlen(verbs[i])) == 0)
			return true;
	return false;
}

/* Returns the record's `ask S token…` of this seat, one after the other. */
static const char *
next_ask(const struct record *record, unsigned seat, unsigned *at)
{
	char head[16];

	snprintf(head, sizeof(head), "ask %u ", seat);
	for (; *at < record->bodies; ++*at)
		if (strncmp(record->body[*at].text, head, strlen(head)) == 0)
			return record->body[(*at)++].text + strlen(head);
	return NULL;
}

/* `ask N MS token…`: the tokens that the record says this seat was asked, all
 * of pieces that it knows. */
static void
check_ask(struct reader *r, const char *line, const struct record *record,
	  unsigned seat, unsigned *at)
{
	const char *tokens = strchr(strchr(line + 4, ' ') + 1, ' ') + 1;
	const char *want = next_ask(record, seat, at);

	cr_assert_not_null(want);
	cr_assert_str_eq(tokens, want, "seat %u is asked `%s`", seat, tokens);
	pieces_of(r, tokens, true);
	asks++;
}

static void
check_reader(unsigned seat, const struct record *record)
{
	const char *at = fake_read(&scene.bot[seat]), *lf;
	const char *may = text_string(&reader[seat].may), *end;
	char line[LINE_REFEREE_BYTES + 1];
	unsigned ask_at = 0;

	for (; *at != '\0'; at = lf + 1) {
		lf = strchr(at, '\n');
		snprintf(line, sizeof(line), "%.*s", (int)(lf - at), at);
		if (is_control(line))
			continue;
		if (strncmp(line, "ask ", 4) == 0) {
			check_ask(&reader[seat], line, record, seat, &ask_at);
			continue;
		}
		end = strchr(may, '\n');
		cr_assert_not_null(end, "seat %u was sent `%s`", seat, line);
		cr_assert(strlen(line) == (size_t)(end - may) &&
				  strncmp(line, may, strlen(line)) == 0,
			  "seat %u was sent `%s`, but may read `%.*s`", seat,
			  line, (int)(end - may), may);
		may = end + 1;
		pieces_of(&reader[seat], line, false);
	}
	if (!fake_has_read(&scene.bot[seat], "retired"))
		cr_assert_eq(*may, '\0', "seat %u was not sent `%s`", seat,
			     may);
}

static void
check_game(void)
{
	unsigned seats = scene.setup.game.seats, seat, i;
	const char *text = scene_record(&scene);
	struct error why;
	struct secrets secrets;
	struct record *record;

	cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0, "%s",
		     why.text);
	secrets_begin(&secrets, &scene.setup.game);
	for (seat = 0; seat < seats; seat++) {
		text_init(&reader[seat].may, RECORD_BYTES);
		reader[seat].knows = 0;
	}
	for (i = 0; i < record->bodies; i++)
		if (strncmp(record->body[i].text, "ask ", 4) != 0 &&
		    strncmp(record->body[i].text, "forfeit ", 8) != 0)
			line_for_all(&secrets, record->body[i].text);
	for (seat = 0; seat < seats; seat++) {
		check_reader(seat, record);
		text_release(&reader[seat].may);
	}
	record_free(record);
}

static void
one_game(const struct game_rules *rules, unsigned seats, const char *options,
	 unsigned number)
{
	struct dice dice = { .state = number * 31 + seats };
	struct game_setup setup;

	if (!play_may_setup(&setup, rules->name, seats, options))
		return;
	scene_init(&scene, seats, PARLEY_SINGLE, 1);
	scene.setup.game = setup;
	scene.setup.record_asks = true;
	scene.setup.arrival = dice_below(&dice, 4) == 0;
	deal_from_seed(&scene.setup.deal, "secrets", number);
	play(&dice);
	check_game();
	scene_receipt(&scene);
	scene_end(&scene);
}

/* Returns true if some lines hide what one seat may read and another may not. */
static bool
hides(const struct game_rules *rules)
{
	unsigned i;

	for (i = 0; rules->lines[i]; i++)
		if (strstr(rules->lines[i], "}S"))
			return true;
	return false;
}

static void
games_of(const struct game_rules *rules)
{
	const struct kind *kind = kinds;
	const char *at;
	char options[128];
	unsigned seats, i;
	size_t n;

	while (kind->game && strcmp(kind->game, rules->name) != 0)
		kind++;
	for (seats = rules->min_seats; seats <= rules->max_seats; seats++) {
		for (at = kind->options;; at += n + 1) {
			n = strcspn(at, "|");
			snprintf(options, sizeof(options), "%.*s", (int)n, at);
			for (i = 0; i < kind->games; i++)
				one_game(rules, seats, options, i);
			if (!at[n])
				break;
		}
	}
	cr_assert_gt(lines, 1000);
	cr_assert_gt(asks, 1000);
	if (hides(rules))
		cr_assert_gt(hidden_words, 1000);
}

/* Each game of the table has a number, so that they run in parallel. */
ParameterizedTestParameters(secrets, every_game)
{
	static unsigned number[LISTED_MAX];
	size_t n;

	for (n = 0; games[n]; n++)
		number[n] = (unsigned)n;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(const unsigned *number, secrets, every_game)
{
	games_of(games[*number]);
}
