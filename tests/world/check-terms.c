/* tests/world/check-terms.c - the term of a ladder (referee.conf(5)), read in the
 * trace: no game begins before `begins` or after `ends`, games-a-day is kept, and once
 * the standings are frozen nothing public names a game that ended later.
 *
 * The world says what it wrote into the configuration, when a bot read the first line
 * of a game, and which games an answer names; the daemon logs when it has read its
 * configuration, and which ladder a game belongs to. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/check-inside.h"

/* A bot may read the first line of a game so many seconds after the daemon has drawn
 * it.  For so long after a change, too, an answer may be that of before. */
#define LATE_S 30
#define DAY_S 86400

struct of_ladder {
	struct of_ladder *next;
	char name[NAME_BYTES + 1];
	int64_t now[4], then[4]; /* what is in force, and what was written */
	bool known;		 /* it is in force */
	uint64_t since;		 /* in seconds of the trace */
	/* Games that have begun since this time of the calendar; -1: none yet. */
	int64_t first;
	unsigned begun;
};

enum { BEGINS, FREEZES, ENDS, GAMES_A_DAY };

struct of_game {
	struct of_game *next;
	char id[ID_BYTES + 1], ladder[NAME_BYTES + 1];
	bool begun;
	uint64_t over; /* when it ended last, in seconds of the trace */
};

struct state {
	struct check *check;
	struct of_ladder *ladders;
	struct of_game *games;
	uint64_t now;	 /* in seconds of the trace */
	uint64_t jumped; /* when the calendar was moved, or a life began */
	bool moved;	 /* the calendar was moved in this life */
};

static const char *
behind(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at == NULL ? NULL : at + strlen(key);
}

static struct of_ladder *
ladder_of(struct state *state, const char *name)
{
	struct of_ladder *ladder = state->ladders;

	while (ladder != NULL && strcmp(ladder->name, name) != 0)
		ladder = ladder->next;
	if (ladder != NULL)
		return ladder;
	ladder = zeroed(1, sizeof(*ladder));
	snprintf(ladder->name, sizeof(ladder->name), "%s", name);
	ladder->first = -1;
	ladder->next = state->ladders;
	return state->ladders = ladder;
}

static struct of_game *
game_of(const struct state *state, const char *id)
{
	struct of_game *game = state->games;

	while (game != NULL && strncmp(game->id, id, ID_BYTES) != 0)
		game = game->next;
	return game;
}

/* ---- whose game it is --------------------------------------------------- */

/* Notes the ladder of a game that has ended. */
static void
note_game(struct state *state, const char *line)
{
	const char *id = behind(line, " game="),
		   *ladder = behind(line, " ladder=");
	struct of_game *game;

	if (id == NULL || ladder == NULL)
		return;
	game = game_of(state, id);
	if (game != NULL) {
		game->over = state->now;
		return;
	}
	game = zeroed(1, sizeof(*game));
	game->over = state->now;
	snprintf(game->id, sizeof(game->id), "%.*s", ID_BYTES, id);
	snprintf(game->ladder, sizeof(game->ladder), "%.*s",
		 (int)strcspn(ladder, " \n"), ladder);
	game->next = state->games;
	state->games = game;
}

/* ---- what is in force --------------------------------------------------- */

/* Notes what was written: `NAME: BEGINS FREEZES ENDS GAMES`. */
static void
on_written(struct state *state, const char *rest)
{
	char name[NAME_BYTES + 1];
	struct of_ladder *ladder;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, ":"), rest);
	ladder = ladder_of(state, name);
	if (sscanf(rest, "%*[^:]: %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
		   &ladder->then[BEGINS], &ladder->then[FREEZES],
		   &ladder->then[ENDS], &ladder->then[GAMES_A_DAY]) != 4)
		check_wrong(state->check, "the trace says no term of %s", name);
	/* The daemon takes it at some time before it says that it has. */
	if (memcmp(ladder->now, ladder->then, sizeof(ladder->now)) != 0)
		ladder->known = false;
}

static void
on_configuration(struct state *state)
{
	struct of_ladder *ladder;

	for (ladder = state->ladders; ladder != NULL; ladder = ladder->next) {
		if (ladder->known)
			continue;
		memcpy(ladder->now, ladder->then, sizeof(ladder->now));
		ladder->known = true;
		ladder->since = state->now;
		ladder->first = -1;
	}
}

static void
on_jump(struct state *state)
{
	struct of_ladder *ladder;

	state->jumped = state->now;
	state->moved = true;
	for (ladder = state->ladders; ladder != NULL; ladder = ladder->next)
		ladder->first = -1;
}

/* Returns true if what is in force has been so for a while, and so has the calendar. */
static bool
is_settled(const struct state *state, const struct of_ladder *ladder)
{
	return ladder->known && state->now > ladder->since + LATE_S &&
	       state->now > state->jumped + LATE_S;
}

/* ---- games -------------------------------------------------------------- */

static void
count_begun(struct state *state, struct of_ladder *ladder, int64_t at)
{
	int64_t allowed;

	if (ladder->now[GAMES_A_DAY] == 0)
		return;
	if (ladder->first < 0) {
		ladder->first = at;
		ladder->begun = 0;
	}
	/* The parts in which the first and the last one fall are not whole, and the
	 * first one may have been drawn long before. */
	allowed = 2 + (at - ladder->first + LATE_S) * ladder->now[GAMES_A_DAY] /
			      DAY_S;
	if (++ladder->begun == allowed + 1)
		check_wrong(state->check,
			    "ladder %s: expected at most %" PRId64
			    " games in %" PRId64 " s, as games-a-day = %" PRId64
			    " allows, found one more",
			    ladder->name, allowed, at - ladder->first,
			    ladder->now[GAMES_A_DAY]);
}

/* A bot has read the first line of a game: `ID seat S by NAME at TIME`. */
static void
on_begun(struct state *state, const char *id)
{
	struct of_game *game = game_of(state, id);
	const char *text = behind(id, " at ");
	struct of_ladder *ladder;
	int64_t at;

	if (game == NULL || game->begun || text == NULL)
		return;
	game->begun = true;
	at = strtoll(text, NULL, 10);
	ladder = ladder_of(state, game->ladder);
	if (!is_settled(state, ladder))
		return;
	count_begun(state, ladder, at);
	if (at < ladder->now[BEGINS])
		check_wrong(state->check,
			    "ladder %s: game %s began %" PRId64
			    " s before `begins`",
			    ladder->name, game->id, ladder->now[BEGINS] - at);
	if (ladder->now[ENDS] != 0 && at > ladder->now[ENDS] + LATE_S)
		check_wrong(state->check,
			    "ladder %s: game %s began %" PRId64
			    " s after `ends`",
			    ladder->name, game->id, at - ladder->now[ENDS]);
}

/* ---- answers ------------------------------------------------------------ */

static const struct check_game *
rated_game(const struct check *check, const char *id)
{
	for (size_t i = 0; i < check->games; i++)
		if (strncmp(check->game[i].id, id, ID_BYTES) == 0)
			return &check->game[i];
	return NULL;
}

/* Checks an answer: `PATH at TIME: ID...`.  A game that runs may be named.  The seconds
 * of the trace tell if it runs, because the calendar may be moved meanwhile. */
static void
on_games(struct state *state, const char *rest)
{
	const char *text = behind(rest, " at "), *id = behind(rest, ": ");
	const int64_t at = text == NULL ? 0 : strtoll(text, NULL, 10);
	const struct check_game *game;
	const struct of_ladder *ladder;
	const struct of_game *of;

	for (; id != NULL && strlen(id) >= ID_BYTES;
	     id += ID_BYTES + (id[ID_BYTES] == ' ')) {
		game = rated_game(state->check, id);
		of = game_of(state, id);
		if (game == NULL || of == NULL)
			continue;
		ladder = ladder_of(state, game->ladder);
		if (is_settled(state, ladder) && ladder->now[FREEZES] != 0 &&
		    at > ladder->now[FREEZES] + LATE_S &&
		    game->ended >= ladder->now[FREEZES] &&
		    state->now > of->over + LATE_S)
			check_wrong(state->check,
				    "ladder %s: game %s ended after `freezes`, "
				    "but is told by %.*s",
				    ladder->name, game->id,
				    (int)strcspn(rest, " "), rest);
	}
}

/* Checks that standings are frozen: `NAME at TIME frozen:` or `live:`.  A calendar that
 * is moved back does not thaw them. */
static void
on_standings(struct state *state, const char *rest)
{
	const char *text = behind(rest, " at ");
	const int64_t at = text == NULL ? 0 : strtoll(text, NULL, 10);
	char name[NAME_BYTES + 1];
	const struct of_ladder *ladder;
	bool live;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, " "), rest);
	ladder = ladder_of(state, name);
	live = strstr(rest, " live:") != NULL;
	if (!is_settled(state, ladder))
		return;
	if (live ? ladder->now[FREEZES] != 0 &&
			    at > ladder->now[FREEZES] + LATE_S
		 : (at + LATE_S < ladder->now[FREEZES] && !state->moved) ||
			    ladder->now[FREEZES] == 0)
		check_wrong(state->check,
			    "ladder %s: its standings are %s at %" PRId64
			    ", and `freezes` is %" PRId64,
			    name, live ? "live" : "frozen", at,
			    ladder->now[FREEZES]);
}

/* ---- the trace ---------------------------------------------------------- */

/* Takes the seconds of a line, unless it is one of the log, which has a date. */
static void
read_seconds(struct state *state, const char *line)
{
	char *end;
	const uint64_t now = strtoull(line, &end, 10);

	if (*end == '.')
		state->now = now;
}

static void
read_line(struct state *state, const char *line)
{
	const char *rest;

	read_seconds(state, line);
	if ((rest = behind(line, " term of ")) != NULL)
		on_written(state, rest);
	else if (strstr(line, " event=configuration-read") != NULL)
		on_configuration(state);
	else if ((rest = behind(line, " begun: ")) != NULL)
		on_begun(state, rest);
	else if ((rest = behind(line, " told games of ")) != NULL)
		on_games(state, rest);
	else if ((rest = behind(line, " told standings of ")) != NULL)
		on_standings(state, rest);
	else if (strstr(line, " the calendar is moved ") != NULL)
		on_jump(state);
	else if (strstr(line, " begins\n") != NULL) {
		on_jump(state);
		state->moved = false;
		on_configuration(state);
	}
}

#define FREE_ALL(list)                                                         \
	while ((list) != NULL) {                                               \
		void *first = (list);                                          \
		(list) = (list)->next;                                         \
		free(first);                                                   \
	}

void
check_terms(struct check *check)
{
	struct state state = { .check = check };
	char *line = NULL;
	size_t room = 0;
	FILE *trace;

	trace = check->what->log == NULL ? NULL : fopen(check->what->log, "re");
	if (trace == NULL)
		return;
	while (getline(&line, &room, trace) > 0) {
		read_seconds(&state, line);
		if (strstr(line, " event=game-over ") != NULL ||
		    strstr(line, " event=game-aborted ") != NULL)
			note_game(&state, line);
	}
	rewind(trace);
	while (getline(&line, &room, trace) > 0)
		read_line(&state, line);
	fclose(trace);
	free(line);
	FREE_ALL(state.ladders);
	FREE_ALL(state.games);
}
