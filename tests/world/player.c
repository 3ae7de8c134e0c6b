/* tests/world/player.c - see player.h. */
#include "tests/world/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/line.h"
#include "tests/world/arrivals.h"
#include "tests/world/variants.h"

/* So many of 1000 asks or answers. */
#define REMARKS 10
#define SLIPS 3
#define CARRIAGE_RETURNS 20
#define LATE_ANSWERS 300    /* to a void, with `multi` alone */
#define STRANGE_ANSWERS 300 /* of bots whose nature they are */
#define FLOODS 100
#define ENDLESS_LINES 100 /* of the floods */

#define FLOOD_LINES 3000
#define DEED_ASKS 30 /* the nature strikes within so many asks */
/* The referee's own work, and news that wait for others (TELL_MS). */
#define SPARE_MS 2000
/* An ask that is told again has no more time than was left, but for a rounding. */
#define LEFT_MS 10
/* An answer takes at most a part of the clock, see dice_delay_us(). */
#define CLOCK_PART 40
/* In so many of 1000 answers an honest bot takes all of its clock but this. */
#define LAST_MOMENTS 20
#define MARGIN_MS 500
#define SLUGGISH_MOMENTS 200
#define SLUGGISH_MARGIN_MS 20
#define SLUGGISH_MOST_MS                                                       \
	20000 /* of a clock, so that games do not take too long */
/* It has so much time left when it answers together with others (arrivals.h). */
#define TOGETHER_US 1000000

struct game {
	struct game *next;
	struct player *player;
	char id[ID_BYTES + 1];
	unsigned seat;
	uint64_t lines;			/* read completely */
	uint64_t ask;			/* the last one that was read */
	uint64_t awaits;		/* asks before this one are over */
	uint64_t awaits_ms;		/* what `awaits` said is left of it */
	uint64_t asked_us, asked_ms;	/* of the last ask that was read */
	uint64_t answered;		/* the last one that was answered */
	char token[LINE_BOT_BYTES + 1]; /* the answer to the last ask */
	bool pending; /* it was said, and it is not known what came of it */
	bool away;    /* the bot was cut off in this game */
	bool retired, ends;
	bool started;  /* an ask to it has ended without a void */
	bool arrival;  /* open=arrival */
	bool together; /* it answers at a moment of arrivals.h */
	uint64_t time_ms, bank_ms, increment_ms;
	uint64_t heard_us; /* the last line */
	struct timer think;
	struct timer wait; /* fires if an honest bot waits for too long */
};

struct player {
	struct player_setup setup;
	const struct player_calls *calls;
	void *arg;
	struct dice dice;
	struct line_reader reader;
	struct game *games;
	bool there; /* connected */
	bool mute;
	bool whole;   /* what it says is not cut */
	bool no_more; /* `error again=no` came */
	uint64_t asks, deed_at;
};

static const struct bot_calls no_calls;
static const struct bot_calls *told = &no_calls;
static void *told_arg;
struct bots_counts bots_counts;
uint64_t bots_think_us = 1000000;

void
bots_tell(const struct bot_calls *calls, void *arg)
{
	told = calls;
	told_arg = arg;
}

#define NATURE_NAME(name, word) word,
const char *const nature_names[NATURE_COUNT] = { NATURES(NATURE_NAME) };
#undef NATURE_NAME

enum nature
nature_read(const char *name)
{
	unsigned i = 0;

	while (i < NATURE_COUNT && strcmp(nature_names[i], name) != 0)
		i++;
	return (enum nature)i;
}

/* ---- words ------------------------------------------------------------ */

/* Cuts the next word off; returns "" at the end. */
static char *
take_word(char **at)
{
	char *word = *at;
	size_t n = strcspn(word, " ");

	*at = word + n;
	if (word[n] == ' ') {
		word[n] = '\0';
		++*at;
	}
	return word;
}

static uint64_t
take_number(char **at)
{
	return strtoull(take_word(at), NULL, 10);
}

static bool
is_hex(const char *word, size_t n)
{
	return strlen(word) == n && strspn(word, "0123456789abcdef") == n;
}

static void
wrong(const struct player *player, const char *line, const char *why)
{
	if (told->wrong != NULL)
		told->wrong(told_arg, &player->setup.about, line, why);
}

/* ---- what it says ----------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void
say(struct player *player, const struct game *game, const char *fmt, ...)
{
	struct text text = { .max = SIZE_MAX };
	va_list args;
	char *line;

	if (player->mute || !player->there)
		return;
	va_start(args, fmt);
	line = vformatted(fmt, args);
	va_end(args);
	if (game != NULL && player->setup.multi)
		text_fmt(&text, "@%s ", game->id);
	text_fmt(&text, "%s%s", line,
		 dice_often(&player->dice, CARRIAGE_RETURNS) ? "\r\n" : "\n");
	player->calls->say(player->arg, text.bytes, text.used);
	text_release(&text);
	free(line);
}

static void
say_remark(struct player *player, const struct game *game)
{
	if (dice_often(&player->dice, REMARKS))
		say(player, game,
		    "say  ask %" PRIu64 ", hm \"><b class='x'>&lt; ",
		    game->ask);
	if (dice_often(&player->dice, SLIPS))
		say(player, game, "say failed Rhyme: no rhyme on %" PRIu64,
		    game->ask);
}

static void
flood(struct player *player, const struct game *game)
{
	struct text text = { .max = SIZE_MAX };
	uint64_t n = dice_draw(&player->dice, FLOOD_LINES), i;

	if (!dice_often(&player->dice, ENDLESS_LINES)) {
		for (i = 0; i < n; i++)
			say(player, game, "say line %" PRIu64, i);
		return;
	}
	while (text.used < 2 * SKIP_BYTES)
		text_str(&text, "an endless line ");
	player->calls->say(player->arg, text.bytes, text.used);
	text_release(&text);
}

/* Says something that no honest bot says. */
static void
say_nonsense(struct player *player, const struct game *game)
{
	static const struct {
		const char *bytes;
		size_t n;
	} nonsense[] = {
#define NONSENSE(bytes) { bytes, sizeof(bytes) - 1 }
		NONSENSE("\n"),
		NONSENSE("do\n"),
		NONSENSE("do 1\n"),
		NONSENSE("do -1 pass\n"),
		NONSENSE("do 18446744073709551616 pass\n"),
		NONSENSE("do 1  pass\n"),
		NONSENSE("do 1 pass extra\n"),
		NONSENSE("DO 1 pass\n"),
		NONSENSE("hello world\n"),
		NONSENSE("\xff\xfe\x80\n"),
		NONSENSE("do 1 \0pass\n"),
		NONSENSE("@ do 1 pass\n"),
		NONSENSE("@00000000000000000000000000000000 do 1 pass\n"),
		NONSENSE("entropy xyz\n"),
		NONSENSE("bot 1 somebody token=x\n"),
		NONSENSE("sit\n"),
		NONSENSE("pong \n"),
		NONSENSE("{marks}1\n"),
#undef NONSENSE
	};
	const uint64_t i = dice_draw(&player->dice, NELEM(nonsense) + 2);
	char line[2 * LINE_BOT_BYTES];

	if (i < NELEM(nonsense)) {
		player->calls->say(player->arg, nonsense[i].bytes,
				   nonsense[i].n);
	} else if (i == NELEM(nonsense)) {
		say(player, game, "do %" PRIu64 " illegal:token", game->ask);
	} else {
		memset(line, 'x', sizeof(line));
		line[sizeof(line) - 1] = '\n';
		player->calls->say(player->arg, line, sizeof(line));
	}
}

/* ---- its answers ------------------------------------------------------ */

/* Writes a move of this entry of a list, which may hold a range, to `to`. */
static void
draw_move(struct player *player, const char *entry, char to[LINE_BOT_BYTES + 1])
{
	const char *dots = strstr(entry, ".."), *colon;
	long low, high;

	snprintf(to, LINE_BOT_BYTES + 1, "%s", entry);
	if (dots == NULL)
		return;
	for (colon = dots; colon > entry && colon[-1] != ':';)
		colon--;
	low = strtol(colon, NULL, 10);
	high = strtol(dots + 2, NULL, 10);
	low += (long)dice_draw(&player->dice, (uint64_t)(high - low) + 1);
	dots += 2;
	dots += strspn(dots, "-0123456789");
	snprintf(to, LINE_BOT_BYTES + 1, "%.*s%ld%s", (int)(colon - entry),
		 entry, low, dots);
}

static void
draw_token(struct player *player, struct game *game, char *list)
{
	uint64_t n = 1, drawn;
	const char *at;

	if (variants_choose(&player->dice, game->id, game->seat, list,
			    game->token))
		return;
	for (at = list; *at != '\0'; at++)
		n += *at == ' ';
	for (drawn = dice_draw(&player->dice, n); drawn > 0; drawn--)
		take_word(&list);
	draw_move(player, take_word(&list), game->token);
}

static void
say_answer(struct player *player, struct game *game)
{
	player->whole = game->together;
	if (!game->together)
		say_remark(player, game);
	else if (strcmp(game->token, "pass") != 0)
		arrivals_answer(game->id, game->seat);
	say(player, game, "do %" PRIu64 " %s", game->ask, game->token);
	game->answered = game->ask;
	player->whole = false;
	game->pending = true;
	bots_counts.answers++;
}

static bool
is_strange(struct player *player)
{
	return dice_often(&player->dice, STRANGE_ANSWERS);
}

static void
say_stale(struct player *player, struct game *game)
{
	uint64_t ask = game->ask;

	if (dice_often(&player->dice, 800))
		ask -= dice_draw(&player->dice, ask) + 1;
	else
		ask += dice_draw(&player->dice, 3) + 1;
	say(player, game, "do %" PRIu64 " %s", ask, game->token);
}

/* Does what its nature does before an answer.  Returns false if there is none. */
static bool
is_tempted(struct player *player, struct game *game)
{
	switch (player->setup.about.nature) {
	case NATURE_STALE:
		if (!is_strange(player))
			return true;
		say_stale(player, game);
		return dice_often(&player->dice, 500);
	case NATURE_GARBLED:
		if (!is_strange(player))
			return true;
		if (!player->mute && player->there)
			say_nonsense(player, game);
		return dice_often(&player->dice, 500);
	case NATURE_FLOODING:
		if (dice_often(&player->dice, FLOODS))
			flood(player, game);
		return true;
	default:
		return true;
	}
}

static void
on_think(void *arg)
{
	struct game *game = arg;

	if (is_tempted(game->player, game))
		say_answer(game->player, game);
}

/* `ms` is what its clock says.  A program has more for its first ask. */
static uint64_t
draw_delay_us(struct player *player, const struct game *game, uint64_t ms)
{
	uint64_t usual_us = player->setup.think_us;
	const bool sluggish = player->setup.sluggish && game->ask > 1 &&
			      ms <= SLUGGISH_MOST_MS;

	if (player->setup.about.nature == NATURE_HONEST && ms > 4 * MARGIN_MS &&
	    dice_often(&player->dice,
		       sluggish ? SLUGGISH_MOMENTS : LAST_MOMENTS)) {
		if (game->ask == 1 && !player->setup.remote)
			ms += START_MS;
		ms -= sluggish ? SLUGGISH_MARGIN_MS : MARGIN_MS;
		return ms * 1000;
	}
	if (usual_us > ms * 1000 / CLOCK_PART)
		usual_us = ms * 1000 / CLOCK_PART;
	usual_us = dice_delay_us(&player->dice, usual_us);
	if (player->setup.about.nature == NATURE_SLOW && is_strange(player))
		usual_us +=
			ms * 500 + dice_draw(&player->dice,
					     (ms + START_MS) * UINT64_C(1500));
	return usual_us;
}

static void
begin_deed(struct player *player, struct game *game)
{
	char part[2 * LINE_BOT_BYTES];
	int n;

	switch (player->setup.about.nature) {
	case NATURE_SILENT:
		player->mute = true;
		return;
	case NATURE_CRASHING:
	case NATURE_CLOSING:
	case NATURE_DEAF:
		n = snprintf(part, sizeof(part), "do %" PRIu64 " %s\n",
			     game->ask, game->token);
		player->deed_at += 1 + dice_draw(&player->dice, DEED_ASKS);
		player->calls->deed(
			player->arg, part,
			(size_t)dice_draw(&player->dice, (uint64_t)n + 1));
		return;
	default:
		return;
	}
}

static void
begin_think(struct player *player, struct game *game, uint64_t ms)
{
	const uint64_t us = draw_delay_us(player, game, ms);

	game->together = game->arrival && !player->setup.remote &&
			 player->setup.about.nature == NATURE_HONEST &&
			 us + TOGETHER_US < ms * 1000;
	if (game->together)
		timer_at(&game->think, arrivals_moment(clock_us() + us));
	else
		timer_after(&game->think, us);
	if (++player->asks == player->deed_at)
		begin_deed(player, game);
}

/* ---- its games -------------------------------------------------------- */

static struct game *
game_find(const struct player *player, const char *id)
{
	struct game *game = player->games;

	while (game != NULL && strcmp(game->id, id) != 0)
		game = game->next;
	return game;
}

static void
game_free(struct player *player, struct game *game)
{
	struct game **at = &player->games;

	while (*at != game)
		at = &(*at)->next;
	*at = game->next;
	timer_stop(&game->think);
	timer_stop(&game->wait);
	free(game);
}

/* Returns how long the clocks allow that nothing is told of a game. */
static uint64_t
allowed_us(const struct game *game)
{
	return UINT64_C(1000) * (game->time_ms + game->bank_ms +
				 game->increment_ms * game->lines + START_MS +
				 WRITE_MS + ENTROPY_MS + SPARE_MS);
}

static void
on_wait(void *arg)
{
	const struct game *game = arg;

	if (!game->away && !game->ends && !game->retired &&
	    told->waited != NULL)
		told->waited(told_arg, &game->player->setup.about, game->id,
			     clock_us() - game->heard_us, allowed_us(game));
}

static struct game *
game_new(struct player *player, const char *id)
{
	struct game *game = zeroed(1, sizeof(*game));

	game->player = player;
	snprintf(game->id, sizeof(game->id), "%s", id);
	timer_init(&game->think, &world_timers, on_think, game);
	timer_init(&game->wait, &world_timers, on_wait, game);
	game->next = player->games;
	player->games = game;
	return game;
}

/* Returns the game whose lines come without `multi`: not one that is to come back. */
static struct game *
game_at_table(const struct player *player)
{
	struct game *game = player->games;

	while (game != NULL && game->lines == 0)
		game = game->next;
	return game;
}

static uint64_t
pair_number(const char *rest, const char *key)
{
	const char *at = strstr(rest, key);

	return at == NULL ? 0 : strtoull(at + strlen(key), NULL, 10);
}

/* Tells of a line of this game that was read. */
static void
tell_read(const struct player *player, const struct game *game,
	  const char *line)
{
	if (line[0] == '@')
		line += strlen(game->id) + 2;
	if (told->read != NULL)
		told->read(told_arg, &player->setup.about, game->id, game->seat,
			   game->lines, line);
}

static void
on_game(struct player *player, const char *line, char *rest)
{
	struct game *game;
	char *id = take_word(&rest);

	if (!is_hex(id, ID_BYTES)) {
		wrong(player, line, "the ID of a game");
		return;
	}
	game = game_find(player, id);
	if (game != NULL && game->lines > 0) {
		wrong(player, line, "a game that was told already");
		return;
	}
	if (!player->setup.multi && game_at_table(player) != NULL) {
		wrong(player, line, "a second game");
		return;
	}
	if (game == NULL)
		game = game_new(player, id);
	take_word(&rest);
	take_word(&rest);
	game->seat = (unsigned)take_number(&rest);
	game->arrival = strstr(rest, " open=arrival ") != NULL;
	game->time_ms = pair_number(rest, " time=");
	game->bank_ms = pair_number(rest, " bank=");
	game->increment_ms = pair_number(rest, " increment=");
	game->lines = 1;
	game->heard_us = clock_us();
	bots_counts.games++;
	tell_read(player, game, line);
}

static void
on_ask(struct player *player, struct game *game, const char *line, char *rest)
{
	const uint64_t number = take_number(&rest), ms = take_number(&rest);

	if (number != game->ask + 1 || *rest == '\0')
		wrong(player, line, "the number of an ask");
	if (number == game->awaits && game->awaits_ms > 0 &&
	    ms != game->awaits_ms)
		wrong(player, line, "another time than `awaits` has told");
	game->awaits_ms = 0;
	game->asked_us = clock_us();
	game->asked_ms = ms;
	bots_counts.asks++;
	timer_stop(&game->think);
	game->ask = number;
	game->pending = false;
	if (number < game->awaits)
		return;
	draw_token(player, game, rest);
	begin_think(player, game, ms);
}

static void
on_void(struct player *player, struct game *game, char *rest)
{
	if (take_number(&rest) != game->ask)
		return;
	game->pending = false;
	if (!timer_runs(&game->think) ||
	    player->setup.about.nature == NATURE_SLOW)
		return;
	timer_stop(&game->think);
	/* An answer may still come.  Without `multi` it could be taken for one of the
	 * next game. */
	if (player->setup.multi && dice_often(&player->dice, LATE_ANSWERS))
		say(player, game, "do %" PRIu64 " %s", game->ask, game->token);
}

static void
on_move(struct player *player, struct game *game, char *rest)
{
	const unsigned seat = (unsigned)take_number(&rest);
	const bool ours = seat == game->seat;
	const bool pending = game->pending;
	const char *made = take_word(&rest);

	game->pending = false;
	game->started |= ours;
	if (game->arrival && !player->setup.remote &&
	    player->setup.about.nature == NATURE_HONEST)
		arrivals_move(game->id, seat);
	if (pending && ours && !game->away && strchr(made, '?') == NULL &&
	    strcmp(made, game->token) != 0 && told->refused != NULL &&
	    player->setup.about.nature == NATURE_HONEST)
		told->refused(told_arg, &player->setup.about, game->id,
			      game->token, made);
}

static void
on_fault(struct player *player, struct game *game, char *rest)
{
	if (take_number(&rest) != game->seat)
		return;
	game->started = true;
	bots_counts.faults++;
	if (told->charged != NULL)
		told->charged(told_arg, &player->setup.about, game->id,
			      take_word(&rest), game->away);
}

static void
on_end(struct player *player, struct game *game, const char *line, char *rest,
       bool over)
{
	const struct bot_about *about = &player->setup.about;
	const char *id = take_word(&rest), *what = take_word(&rest);

	if (strcmp(id, game->id) != 0 || (over && !is_hex(what, 64)))
		wrong(player, line, "the end of a game");
	if (over) {
		bots_counts.over++;
		if (told->over != NULL)
			told->over(told_arg, about, game->id, what);
	} else {
		bots_counts.aborted++;
		if (told->aborted != NULL)
			told->aborted(told_arg, about, game->id, what);
	}
	game_free(player, game);
	if (player->games == NULL && player->calls->idle != NULL)
		player->calls->idle(player->arg);
}

static void
bound_wait(const struct player *player, struct game *game)
{
	if (player->setup.about.nature == NATURE_HONEST && !game->away &&
	    !game->ends && !game->retired)
		timer_after(&game->wait, allowed_us(game));
}

/* Notes how long the bot waited for this line, and bounds its wait for the next one.
 * The record of a game must be safe before its end is told, so that may take longer. */
static void
look_at_wait(const struct player *player, struct game *game)
{
	const uint64_t now_us = clock_us(), us = now_us - game->heard_us;

	game->heard_us = now_us;
	timer_stop(&game->wait);
	if (game->away || game->ends || game->retired)
		return;
	if (us > bots_counts.longest_us)
		bots_counts.longest_us = us;
	bound_wait(player, game);
}

static void
on_entropy(struct player *player, const struct game *game, const char *line)
{
	uint64_t n = 1 + dice_draw(&player->dice, ENTROPY_BYTES), i;
	char hex[2 * ENTROPY_BYTES + 1];

	if (!player->setup.entropy) {
		wrong(player, line, "this bot has not said entropy=yes");
		return;
	}
	for (i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x",
			 (unsigned)dice_draw(&player->dice, 256));
	say(player, game, "entropy %s", hex);
}

/* `line` is for complaints; `verb` and `rest` were cut off a copy. */
static void
hear_of_game(struct player *player, struct game *game, const char *line,
	     const char *verb, char *rest)
{
	game->lines++;
	tell_read(player, game, line);
	game->ends |= strcmp(verb, "over") == 0 || strcmp(verb, "abort") == 0;
	look_at_wait(player, game);
	if (game->retired && strcmp(verb, "over") != 0 &&
	    strcmp(verb, "abort") != 0)
		wrong(player, line, "a line for a seat that is retired");
	if (strcmp(verb, "ask") == 0)
		on_ask(player, game, line, rest);
	else if (strcmp(verb, "void") == 0)
		on_void(player, game, rest);
	else if (strcmp(verb, "move") == 0)
		on_move(player, game, rest);
	else if (strcmp(verb, "quiet") == 0)
		game->pending = false;
	else if (strcmp(verb, "fault") == 0)
		on_fault(player, game, rest);
	else if (strcmp(verb, "entropy?") == 0)
		on_entropy(player, game, line);
	else if (strcmp(verb, "result") == 0)
		game->ends = true;
	else if (strcmp(verb, "over") == 0)
		on_end(player, game, line, rest, true);
	else if (strcmp(verb, "abort") == 0)
		on_end(player, game, line, rest, false);
	else if (strcmp(verb, "retired") == 0) {
		game->retired = true;
		timer_stop(&game->think);
	}
}

/* ---- the connection --------------------------------------------------- */

static void
on_awaits(struct player *player, const char *line, char *rest)
{
	const char *id = take_word(&rest);
	const uint64_t number = take_number(&rest), ms = take_number(&rest);
	struct game *game = game_find(player, id);

	/* One that has forgotten all reads it before the game's first line. */
	if (game == NULL) {
		game = game_new(player, id);
		game->away = true;
	}
	if (number == 0 || number < game->ask)
		wrong(player, line, "the number of an ask");
	game->awaits = number;
	game->awaits_ms = ms;
	if (game->ask != number)
		return;
	game->awaits_ms = 0;
	/* Until an ask ends without a void each has START_MS on top, which `ask` does
	 * not name. */
	if (ms * 1000 + clock_us() - game->asked_us >
	    (game->asked_ms + (game->started ? 0 : START_MS) + LEFT_MS) * 1000)
		wrong(player, line, "more time than is left of the ask");
	/* The answer may be lost, or it has not yet answered. */
	if (game->answered == number)
		say(player, game, "do %" PRIu64 " %s", number, game->token);
	else
		timer_after(&game->think, draw_delay_us(player, game, ms));
}

static void
on_gone(struct player *player, const char *line, char *rest)
{
	struct game *game = game_find(player, take_word(&rest));

	if (game == NULL) {
		wrong(player, line, "a game that the bot did not name");
		return;
	}
	bots_counts.gone++;
	if (told->gone != NULL)
		told->gone(told_arg, &player->setup.about, game->id);
	game_free(player, game);
}

static void
on_error(struct player *player, char *rest)
{
	player->no_more = strncmp(rest, "again=no", 8) == 0 ||
			  strstr(rest, " again=no ") != NULL;
	if (told->turned_away != NULL)
		told->turned_away(told_arg, &player->setup.about, rest,
				  player->no_more);
}

/* Returns false if the line belongs to a game. */
static bool
hear_of_connection(struct player *player, const char *line, const char *verb,
		   char *rest)
{
	if (strcmp(verb, "referee") == 0) {
		if (strcmp(take_word(&rest), PROTOCOL_NUMBER) != 0)
			wrong(player, line, "the number of the protocol");
		if (player->calls->greeted != NULL)
			player->calls->greeted(player->arg);
	} else if (strcmp(verb, "ping") == 0) {
		say(player, NULL, "pong %s", rest);
	} else if (strcmp(verb, "error") == 0) {
		on_error(player, rest);
	} else if (strcmp(verb, "bye") == 0) {
		player->calls->bye(player->arg, !player->no_more);
	} else if (strcmp(verb, "awaits") == 0) {
		on_awaits(player, line, rest);
	} else if (strcmp(verb, "gone") == 0) {
		on_gone(player, line, rest);
	} else {
		return false;
	}
	return true;
}

static void
hear_line(struct player *player, char *at)
{
	char *line = copied(at);
	struct game *game = game_at_table(player);
	const char *verb, *id = NULL;

	if (at[0] == '@') {
		id = take_word(&at) + 1;
		if (!player->setup.multi)
			wrong(player, line, "this bot has not said multi=yes");
		game = game_find(player, id);
	}
	verb = take_word(&at);
	if (id == NULL && hear_of_connection(player, line, verb, at))
		goto done;
	if (player->setup.multi && id == NULL)
		wrong(player, line, "whose game?");
	else if (strcmp(verb, "game") == 0)
		on_game(player, line, at);
	else if (game == NULL || game->lines == 0)
		wrong(player, line, "there is no such game");
	else
		hear_of_game(player, game, line, verb, at);
done:
	free(line);
}

void
player_hear(struct player *player, const char *bytes, size_t n)
{
	enum line_result result;
	char *line, *to;
	size_t room;

	while (n > 0) {
		to = line_space(&player->reader, &room);
		if (room > n)
			room = n;
		memcpy(to, bytes, room);
		bytes += room;
		n -= room;
		line_added(&player->reader, room);
		while ((result = line_take(&player->reader, &line, &room)) !=
		       LINE_NONE) {
			if (result == LINE_OK && room > 0)
				hear_line(player, line);
			else
				wrong(player,
				      result == LINE_BAD_BYTE ? line : "",
				      "the bytes of a line");
		}
	}
}

/* ---- life ------------------------------------------------------------- */

#define LINE_BYTES (LINE_REFEREE_BYTES + ID_BYTES + 2) /* with `@ID ` */

void
player_connected(struct player *player)
{
	player->there = true;
	player->mute = player->no_more = false;
	player->deed_at =
		player->asks + 1 + dice_draw(&player->dice, DEED_ASKS);
}

bool
player_says_whole(const struct player *player)
{
	return player->whole;
}

bool
player_waits(const struct player *player)
{
	const struct game *game;

	for (game = player->games; game != NULL; game = game->next)
		if (timer_runs(&game->think))
			return false;
	return player->games != NULL;
}

void
player_stopped(struct player *player, bool stopped)
{
	struct game *game;

	for (game = player->games; game != NULL; game = game->next) {
		timer_stop(&game->wait);
		game->heard_us = clock_us();
		if (!stopped)
			bound_wait(player, game);
	}
}

void
player_lost(struct player *player)
{
	struct game *game;

	player->there = false;
	line_reader_release(&player->reader);
	line_reader_init(&player->reader, LINE_BYTES);
	for (game = player->games; game != NULL; game = game->next) {
		game->away = true;
		timer_stop(&game->think);
		timer_stop(&game->wait);
	}
}

void
player_resume(struct player *player, bool forgets, struct text *to)
{
	const struct game *game;

	while (forgets && player->games != NULL)
		game_free(player, player->games);
	for (game = player->games; game != NULL; game = game->next)
		text_fmt(to, "%s%s:%" PRIu64, to->used == 0 ? "" : ",",
			 game->id, game->lines);
}

struct player *
player_new(const struct player_setup *setup, const struct player_calls *calls,
	   void *arg)
{
	struct player *player = zeroed(1, sizeof(*player));

	player->setup = *setup;
	player->calls = calls;
	player->arg = arg;
	player->dice = dice_of("player", setup->about.number);
	line_reader_init(&player->reader, LINE_BYTES);
	player_connected(player);
	return player;
}

void
player_free(struct player *player)
{
	if (player == NULL)
		return;
	while (player->games != NULL)
		game_free(player, player->games);
	line_reader_release(&player->reader);
	free(player);
}
