/* referee/away/away-game.c - between a bot's process and its game elsewhere. */
#include "referee/away/away-game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/line.h"
#include "protocol/message.h"
#include "referee/child/bot-child.h"

/* In place of a line that cannot be passed on as it is; for the referee it is
 * the same fault, and it names its game. */
#define BAD_LINE "?"

/* ---- the process ------------------------------------------------------ */

/* Nobody listens to the process any more. */
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
	size_t i;

	for (i = 0; i < n; i++) {
		if (bytes[i] == '\n' ||
		    game->complaint.used == AWAY_STDERR_BYTES)
			print_complaint(game);
		if (bytes[i] != '\n' && bytes[i] != '\0')
			text_add(&game->complaint, &bytes[i], 1);
	}
}

static void
on_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct away_game *game = arg;

	(void)bot;
	print_complaint(game);
	game->alive = false;
	game->program->calls->ended(game->program->arg, game, end);
}

/* ---- what it says ----------------------------------------------------- */

static void
say(struct away_game *game, const char *line, size_t n)
{
	const struct away_program *program = game->program;
	enum away_said said = program->calls->say(program->arg, game, line, n);

	if (said == AWAY_KEEP) {
		text_add(&game->waiting, line, n);
		text_add(&game->waiting, "\n", 1);
	}
	if (said != AWAY_TOO_MUCH && !game->waiting.full)
		return;
	game->died = true;
	part(game, 0);
}

/* Whether somebody waits for it.  A process that was started anew reads the
 * game from its beginning and answers what was asked long ago. */
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
	uint64_t now_us)
{
	struct away_game *game = arg;

	(void)now_us;
	if (result != LINE_OK || n == 0)
		say(game, BAD_LINE, strlen(BAD_LINE));
	else if (is_wanted(game, line, n))
		say(game, line, n);
}

/* Its clock is the referee's affair. */
static void
on_time(void *arg, uint64_t now_us)
{
	(void)arg;
	(void)now_us;
}

static void
on_gone(void *arg, bool flooded)
{
	struct away_game *game = arg;

	(void)flooded;
	game->died = true;
	part(game, 0);
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

	/* What finds no room now is lost with the connection. */
	if (answer->used > 0)
		(void)game->program->calls->say(game->program->arg, game,
						answer->bytes, answer->used);
	end = at + game->waiting.used;
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if ((size_t)(lf - at) == answer->used &&
		    memcmp(at, answer->bytes, answer->used) == 0)
			continue; /* it has just been said */
		(void)game->program->calls->say(game->program->arg, game, at,
						(size_t)(lf - at));
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

/* The number of an ask: `ask K ...`. */
static void
note_ask(struct away_game *game, const char *line, size_t n)
{
	const char *number = line + 4;
	const char *space = memchr(number, ' ', n - 4);
	uint64_t ask;

	if (space == NULL || message_number(number, (size_t)(space - number),
					    UINT32_MAX, &ask) < 0)
		return;
	game->asked = (uint32_t)ask;
	text_clear(&game->answer);
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

/* At home its process would leave now, too. */
static void
retire(struct away_game *game)
{
	game->retired = true;
	text_clear(&game->answer);
	text_clear(&game->waiting);
	part_with_bye(game, BYE_MS);
}

void
away_game_line(struct away_game *game, const char *line, size_t n)
{
	bool asked = begins(line, n, "ask ");
	bool retired = n == 7 && begins(line, n, "retired");

	game->lines++;
	game->missed |= game->died && (asked || retired);
	if (asked)
		note_ask(game, line, n);
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

struct away_game *
away_game_new(const struct away_program *program, const char *id,
	      const char *greeting)
{
	struct away_game *game;
	struct bot *bot = bot_child_new(program->loop, program->spawner,
					program->argv, NULL);

	if (bot == NULL)
		return NULL;
	game = memory(NULL, sizeof(*game));
	*game = (struct away_game){ .program = program,
				    .alive = true,
				    .bot = bot };
	snprintf(game->id, sizeof(game->id), "%s", id);
	text_init(&game->answer, LINE_BOT_BYTES);
	text_init(&game->waiting, OUT_BYTES);
	text_init(&game->complaint, AWAY_STDERR_BYTES);
	bot->ended = on_ended;
	bot->ended_arg = game;
	if (program->hear)
		bot->complained = on_complained;
	bot_listen(bot, &listener, game);
	bot_line(bot, greeting, strlen(greeting));
	bot_flush(bot);
	return game;
}

void
away_game_free(struct away_game *game)
{
	if (game->alive)
		bug("game %s has a process", game->id);
	text_release(&game->answer);
	text_release(&game->waiting);
	text_release(&game->complaint);
	free(game);
}
