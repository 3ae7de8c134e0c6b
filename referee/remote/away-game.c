/* referee/remote/away-game.c - passes lines between the bot's processes and
 * their games elsewhere. */
#include "referee/remote/away-inside.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/line.h"
#include "protocol/message.h"
#include "referee/base/command.h"
#include "referee/runner/complaints.h"
#include "referee/sandbox/program-exec.h"
#include "referee/spawner/bot-child.h"
#include "referee/table/fault-note.h"

/* Stands for a line that is too long to pass on.  The referee charges the same
 * fault, and the line names its game. */
#define LONG_LINE "(a line that is too long)"
#define CRASHED "crashed"

/* ---- the process ------------------------------------------------------ */

/* Stops listening to the process. */
static void
part(struct away_game *game, unsigned grace_ms)
{
	struct bot *bot = game->bot;

	game->bot = NULL;
	text_clear(&game->waiting);
	text_clear(&game->answer);
	if (bot != NULL)
		bot_part(bot, grace_ms);
}

static void
part_with_bye(struct away_game *game, unsigned grace_ms)
{
	if (game->bot != NULL) {
		bot_line(game->bot, "bye", 3);
		bot_flush(game->bot);
	}
	part(game, grace_ms);
}

static void
print_complaint(struct away_game *game)
{
	struct text *text = &game->complaint;

	if (text->used == 0)
		return;
	fprintf(stderr, "%.8s: %s\n", game->id, text_string(text));
	text_clear(text);
}

static void
on_complained(void *arg, const char *bytes, size_t n)
{
	struct away_game *game = arg;

	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' ||
		    game->complaint.used == AWAY_STDERR_BYTES)
			print_complaint(game);
		if (bytes[i] != '\n' && bytes[i] != '\0')
			text_add(&game->complaint, &bytes[i], 1);
	}
}

static void
not_started(struct away *away, const struct bot_end *end)
{
	const char *program = away->setup->argv[0];

	if (end->machine)
		away_quit(away,
			  complain_machine("cannot start %s: %s: %s",
					   quoted(program).text, end->step,
					   strerror(end->error)));
	else
		away_quit(away, complain_usage("cannot start %s: %s: %s",
					       quoted(program).text, end->step,
					       program_exec_words(end->error)));
}

static void
on_ended(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	struct away_game *game = arg;
	char how[COMPLAINT_BYTES];

	print_complaint(game);
	game->alive = false;
	if (!end->started && end->step != NULL)
		not_started(game->away, end);
	else if (game->died && complaints_sentence(end, how))
		note("game %s: the bot's process %s", game->id, how);
	else if (game->died)
		note("game %s: the bot's process was ended", game->id);
	away_tidy(game->away);
}

/* ---- what it says ----------------------------------------------------- */

static void
say(struct away_game *game, const char *line, size_t n)
{
	struct away *away = game->away;

	if (away->state == AWAY_IN) {
		if (away_say(away, game->id, line, n))
			return;
	} else {
		text_add(&game->waiting, line, n);
		text_add(&game->waiting, "\n", 1);
		if (!game->waiting.full)
			return;
	}
	game->died = true; /* more than we can keep */
	part(game, 0);
}

/* Returns true if the referee waits for this answer.  A restarted process reads
 * the game from its beginning and answers asks of long ago. */
static bool
is_wanted(struct away_game *game, const char *line, size_t n)
{
	struct message message;

	message_read(line, n, &message);
	if (message.verb != MESSAGE_DO)
		return true;
	if (message.ask < game->asked)
		return false;
	if (message.ask == game->asked && game->answer.used == 0)
		text_add(&game->answer, line, n);
	return true;
}

static void
on_line(void *arg, enum line_result result, char *line, size_t n,
	uint64_t now_us UNUSED)
{
	struct away_game *game = arg;

	if (result == LINE_TOO_LONG) {
		snprintf(game->said, sizeof(game->said), LONG_LINE);
		say(game, LONG_LINE, strlen(LONG_LINE));
		return;
	}
	text_escape(game->said, sizeof(game->said), line, n);
	if (result != LINE_OK || is_wanted(game, line, n))
		say(game, line, n);
}

/* Nothing to do: the referee keeps the bot's clock. */
static void
on_time(void *arg UNUSED, uint64_t now_us UNUSED)
{
}

static void
on_gone(void *arg, bool flooded UNUSED)
{
	struct away_game *game = arg;

	game->died = true;
	part(game, 0);
	/* Kept as the answer, it is sent again after each return. */
	text_add(&game->answer, CRASHED, strlen(CRASHED));
	if (game->away->state == AWAY_IN)
		(void)away_say(game->away, game->id, CRASHED, strlen(CRASHED));
}

static const struct bot_listener listener = {
	.line = on_line,
	.handed = on_time,
	.stuck = on_time,
	.gone = on_gone,
};

void
away_game_say(struct away_game *game)
{
	const char *at = game->waiting.bytes, *end, *lf;
	struct text *answer = &game->answer;

	/* If there is no room, the connection is lost anyway. */
	if (answer->used > 0)
		(void)away_say(game->away, game->id, answer->bytes,
			       answer->used);
	end = at + game->waiting.used;
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if ((size_t)(lf - at) == answer->used &&
		    memcmp(at, answer->bytes, answer->used) == 0)
			continue; /* just sent */
		(void)away_say(game->away, game->id, at, (size_t)(lf - at));
	}
	text_clear(&game->waiting);
}

/* ---- what it is told -------------------------------------------------- */

static bool
begins(const char *line, size_t n, const char *word)
{
	size_t length = strlen(word);

	return n >= length && memcmp(line, word, length) == 0;
}

/* Returns K of `ask K ...` or `void K`; 0 if there is none. */
static uint32_t
number_of(const char *line, size_t n)
{
	const char *number = memchr(line, ' ', n), *space;
	uint64_t found;

	if (number == NULL)
		return 0;
	number++;
	n -= (size_t)(number - line);
	space = memchr(number, ' ', n);
	if (space != NULL)
		n = (size_t)(space - number);
	return message_number(number, n, UINT32_MAX, &found) < 0
		       ? 0
		       : (uint32_t)found;
}

static void
note_ask(struct away_game *game, uint32_t ask)
{
	if (ask == 0)
		return;
	game->asked = ask;
	if (!game->died)
		text_clear(&game->answer);
}

/* Returns true for an ask that is over, which the process would think about in
 * vain, and for the `void` behind it. */
static bool
is_over(struct away_game *game, const char *line, size_t n, bool asked)
{
	const uint32_t number = number_of(line, n);

	if (!asked)
		return begins(line, n, "void ") && number == game->kept &&
		       number != 0;
	if (number == 0 || number >= game->awaits)
		return false;
	game->kept = number;
	return true;
}

static void
tell(struct away_game *game, const char *line, size_t n, bool asked)
{
	if (game->bot == NULL)
		return;
	bot_line(game->bot, line, n);
	if (asked)
		bot_stamp(game->bot);
	else
		bot_flush(game->bot);
}

/* Answers `entropy?` in place of the bot.  The author can look up the printed
 * line in the record. */
static void
give_entropy(struct away_game *game)
{
	char line[sizeof("entropy ") + 2 * ENTROPY_BYTES] = "entropy ";
	char *hex = line + strlen(line);
	unsigned char bytes[ENTROPY_BYTES];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(hex, 2 * ENTROPY_BYTES + 1, bytes, sizeof(bytes));
	printf("entropy %s %s\n", game->id, hex);
	say(game, line, strlen(line));
}

/* Ends the process of a retired seat, as a local referee would. */
static void
retire(struct away_game *game)
{
	text_clear(&game->answer);
	text_clear(&game->waiting);
	part_with_bye(game, BYE_MS);
}

/* Reads the seat from `game ID NAME seat S of N ...`. */
static void
note_seat(struct away_game *game, const char *line, size_t n)
{
	static const char word[] = " seat ";
	const char *at = memmem(line, n, word, sizeof(word) - 1);

	if (at != NULL && at + sizeof(word) - 1 < line + n)
		game->seat = at[sizeof(word) - 1] - '0';
}

/* Prints a fault of ours from `fault S WHY`, so that the author sees at once
 * what happened. */
static void
tell_fault(struct away_game *game, const char *line, size_t n)
{
	char doing[FAULT_UNENDED_BYTES] = "";
	struct bot_seen seen;
	const char *begun;
	size_t unended;

	if (n < 9 || line[6] - '0' != game->seat)
		return;
	if (++game->faults > AWAY_FAULTS_TOLD)
		return;
	if (game->bot != NULL && n == 15 &&
	    memcmp(line + 8, "timeout", 7) == 0) {
		seen = bot_doing(game->bot);
		bot_doing_words(&seen, game->said[0] != '\0', doing);
		unended = bot_unended(game->bot, &begun);
		if (unended > 0)
			fault_unended_words(begun, unended, false, doing);
	}
	note("game %.8s: fault %u, %.*s, at ask %" PRIu32
	     "%s; it said last: %s",
	     game->id, game->faults, (int)(n - 8), line + 8, game->asked, doing,
	     game->said[0] == '\0' ? "nothing" : game->said);
}

static bool
is_crash(const struct away_game *game, const char *line, size_t n)
{
	return n == 13 && begins(line, n, "fault ") &&
	       line[6] - '0' == game->seat &&
	       memcmp(line + 7, " crash", 6) == 0;
}

static void
game_line(struct away_game *game, const char *line, size_t n)
{
	bool asked = begins(line, n, "ask ");
	bool retired = n == 7 && begins(line, n, "retired");

	if (begins(line, n, "game "))
		note_seat(game, line, n);
	else if (begins(line, n, "fault "))
		tell_fault(game, line, n);
	else if (retired)
		note("game %.8s: retired after %s; the referee makes "
		     "the bot's moves from here on",
		     game->id, counted(game->faults, "fault").text);
	game->lines++;
	if (n == 12 && begins(line, n, "entropy-over"))
		return;
	if (n == 8 && begins(line, n, "entropy?") &&
	    !game->away->setup->entropy) {
		give_entropy(game);
		return;
	}
	game->missed |=
		game->died && (asked || retired || is_crash(game, line, n));
	if (asked)
		note_ask(game, number_of(line, n));
	if (!is_over(game, line, n, asked))
		tell(game, line, n, asked);
	if (retired)
		retire(game);
	if (begins(line, n, "over ") || begins(line, n, "abort "))
		away_game_end(game, BYE_MS);
}

void
away_game_end(struct away_game *game, unsigned grace_ms)
{
	game->over = true;
	part_with_bye(game, grace_ms);
}

/* ---- life ------------------------------------------------------------- */

unsigned
away_running(const struct away *away)
{
	const struct away_game *game;
	unsigned count = 0;

	for (game = away->game; game != NULL; game = game->next)
		count += !game->over;
	return count;
}

static void
game_free(struct away_game *game)
{
	LIST_CUT(game);
	text_release(&game->answer);
	text_release(&game->waiting);
	text_release(&game->complaint);
	free(game);
}

void
away_tidy(struct away *away)
{
	struct away_game *game, *next;

	for (game = away->game; game != NULL; game = next) {
		next = game->next;
		if (game->over && !game->alive)
			game_free(game);
	}
	if (away->state == AWAY_DONE && away->game == NULL)
		away->loop.stop = true;
}

static struct away_game *
find_game(const struct away *away, const char *id)
{
	struct away_game *game = away->game;

	while (game != NULL &&
	       (game->over || memcmp(game->id, id, ID_BYTES) != 0))
		game = game->next;
	return game;
}

/* Returns the ask that away_on_awaits() has noted for a game that begins here. */
static uint32_t
find_awaits(const struct away *away, const char *id)
{
	for (unsigned i = 0; i < away->awaited; i++)
		if (memcmp(away->awaits[i].id, id, ID_BYTES) == 0)
			return away->awaits[i].ask;
	return 0;
}

static struct away_game *
begin_game(struct away *away, const char *id)
{
	const struct away_setup *setup = away->setup;
	struct away_game *game, **at = &away->game;
	struct bot *bot =
		bot_child_start(&away->loop, setup->spawner,
				&(struct spawner_task){ .argv = setup->argv });

	if (bot == NULL) {
		away_quit(away, complain_machine("cannot start a process: %m"));
		return NULL;
	}
	game = memory(NULL, sizeof(*game));
	*game = (struct away_game){
		.away = away, .alive = true, .seat = -1, .bot = bot
	};
	memcpy(game->id, id, ID_BYTES);
	game->awaits = find_awaits(away, id);
	text_init(&game->answer, LINE_BOT_BYTES);
	text_init(&game->waiting, OUT_BYTES);
	text_init(&game->complaint, AWAY_STDERR_BYTES);
	bot->ended = on_ended;
	bot->ended_arg = game;
	if (setup->hear)
		bot->complained = on_complained;
	bot_listen(bot, &listener, game);
	bot_line(bot, away->greeting, strlen(away->greeting));
	bot_flush(bot);
	while (*at != NULL)
		at = &(*at)->next;
	LIST_PUT(*at, game);
	return game;
}

/* ---- lines of the connection ------------------------------------------ */

/* Ends a game; `line` tells how it ended. */
static void
game_over(struct away *away, const struct away_game *game, const char *line)
{
	puts(line);
	away->deaths = game->missed ? away->deaths + 1 : 0;
	if (away->deaths == AWAY_DEATHS_MAX) {
		note("the bot's process ended early in %d games in a row",
		     AWAY_DEATHS_MAX);
		away_quit(away, EXIT_NEGATIVE);
	}
	away_tidy(away);
}

/* Handles `@ID ` and a line of that game. */
void
away_on_game_line(struct away *away, const char *line, size_t n)
{
	const char *id = line + 1, *said = line + LINK_PREFIX_BYTES;
	struct away_game *game;

	if (n <= LINK_PREFIX_BYTES || said[-1] != ' ' ||
	    !message_id_ok(id, ID_BYTES))
		return;
	game = find_game(away, id);
	if (game == NULL && strncmp(said, "game ", 5) == 0)
		game = begin_game(away, id);
	if (game == NULL)
		return;
	away->proved = true;
	away->wait_ms = AWAY_WAIT_MS;
	game_line(game, said, n - LINK_PREFIX_BYTES);
	if (strcmp(said, "retired") == 0)
		printf("retired %s\n", game->id);
	if (game->over)
		game_over(away, game, said);
}

void
away_on_awaits(struct away *away, const char *rest, size_t n)
{
	struct away_game *game;
	struct away_awaits *awaits;

	if (n <= ID_BYTES + 1 || !message_id_ok(rest, ID_BYTES))
		return;
	game = find_game(away, rest);
	if (game != NULL)
		game->awaits = number_of(rest, n);
	if (game != NULL || away->awaited == GAMES_AT_ONCE)
		return;
	awaits = &away->awaits[away->awaited++];
	memcpy(awaits->id, rest, ID_BYTES);
	awaits->ask = number_of(rest, n);
}

/* Ends a game that the referee does not know any more. */
void
away_on_gone(struct away *away, const char *id, size_t n)
{
	struct away_game *game =
		message_id_ok(id, n) ? find_game(away, id) : NULL;

	if (game == NULL)
		return;
	printf("gone %s\n", game->id);
	away_game_end(game, BYE_MS);
	away_tidy(away);
}
