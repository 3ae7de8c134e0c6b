/* referee/away/away-games.c - the games of a bot that is away: each with its
 * process, from the first line of the referee to the last. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "protocol/message.h"
#include "referee/away/away-inside.h"
#include "referee/command.h"
#include "referee/net/link.h"
#include "referee/child/spawner.h"
#include "referee/child/program-exec.h"

unsigned
away_running(const struct away *away)
{
	const struct away_game *game;
	unsigned count = 0;

	for (game = away->game; game != NULL; game = game->next)
		count += !game->over;
	return count;
}

/* Those that are over and left nothing behind. */
void
away_tidy(struct away *away)
{
	struct away_game **at = &away->game, *game;

	while ((game = *at) != NULL) {
		if (!game->over || game->alive) {
			at = &game->next;
			continue;
		}
		*at = game->next;
		away_game_free(game);
	}
	if (away->state == AWAY_DONE && away->game == NULL)
		away->loop.stop = true;
}

static enum away_said
on_say(void *arg, const struct away_game *game, const char *line, size_t n)
{
	struct away *away = arg;

	if (away->state != AWAY_IN)
		return AWAY_KEEP;
	return away_say(away, game->id, line, n) ? AWAY_SAID : AWAY_TOO_MUCH;
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
on_game_ended(void *arg, struct away_game *game, const struct bot_end *end)
{
	struct away *away = arg;

	if (!end->started && end->step != NULL)
		not_started(away, end);
	else if (game->died && WIFSIGNALED(end->status))
		note("game %s: the bot's process was ended by signal %d",
		     game->id, WTERMSIG(end->status));
	else if (game->died)
		note("game %s: the bot's process ended with status %d before "
		     "its game",
		     game->id, WEXITSTATUS(end->status));
	away_tidy(away);
}

const struct away_game_calls away_game_calls = {
	.say = on_say,
	.ended = on_game_ended,
};

static struct away_game *
find_game(const struct away *away, const char *id)
{
	struct away_game *game = away->game;

	while (game != NULL &&
	       (game->over || memcmp(game->id, id, ID_BYTES) != 0))
		game = game->next;
	return game;
}

static struct away_game *
begin_game(struct away *away, const char *id)
{
	struct away_game *game, **at = &away->game;
	char copy[ID_BYTES + 1];

	snprintf(copy, sizeof(copy), "%.*s", ID_BYTES, id);
	game = away_game_new(&away->program, copy, away->greeting);
	if (game == NULL) {
		away_quit(away, complain_machine("cannot start a process: %s",
						 strerror(errno)));
		return NULL;
	}
	while (*at != NULL)
		at = &(*at)->next;
	*at = game;
	return game;
}

/* The end of a game: `line` tells how. */
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

/* `@ID ` and a line of that game. */
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
	away_game_line(game, said, n - LINK_PREFIX_BYTES);
	if (strcmp(said, "retired") == 0)
		printf("retired %s\n", game->id);
	if (game->over)
		game_over(away, game, said);
}

/* The game is not known there any more. */
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
