/* tests/world/check-allowed.c - who may play and upload, read in the trace: no game
 * begins with a bot that is disabled, withdrawn, or of an owner who is banned, and none
 * of its uploads is taken; an owner who is banned does nothing; a code makes as many
 * accounts as it may, each once.
 *
 * The world says what the organiser, owners and authors ask, and how they are answered.
 * What was asked and not answered may have been done or not.  So may two requests that
 * were on their way at the same time have been done in any order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/check-inside.h"

/* A bot may read the first line of a game so many seconds after the daemon has drawn
 * it. */
#define LATE_S 30
#define NAMED (NAME_BYTES + 1)

/* A bot or an owner. */
struct subject {
	struct subject *next;
	char name[NAMED];
	bool owner; /* it is one */
	bool off;   /* it is known that it may not play */
	uint64_t since;
	unsigned waiting; /* requests about it that are not answered */
	unsigned changes; /* requests about it */
	bool signed_up;
};

/* The organiser, an owner or the author of a bot, and what each has asked last. */
struct actor {
	struct actor *next;
	char name[NAMED + 16];
	struct subject *subject; /* what it changes; NULL: nothing */
	bool off;		 /* how it will be then */
	bool alone;		 /* nothing else was on its way */
	unsigned change;	 /* which of the requests about it this is */
	bool may_not;		 /* it was not allowed when it was asked */
	struct subject *signs_up;
};

struct game {
	struct game *next;
	char id[ID_BYTES + 1], bot[SEATS_MAX][NAMED];
	bool begun;
};

struct state {
	struct check *check;
	struct subject *subjects;
	struct actor *actors;
	struct game *games;
	uint64_t now;
	unsigned accounts, signed_up;
};

static const char *
behind(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at == NULL ? NULL : at + strlen(key);
}

/* Takes out a word that ends with one of `ends`. */
static void
take(const char *at, const char *ends, char to[NAMED])
{
	snprintf(to, NAMED, "%.*s", (int)strcspn(at, ends), at);
}

static struct subject *
subject_of(struct state *state, const char *name, bool owner)
{
	struct subject *subject = state->subjects;

	while (subject != NULL &&
	       (strcmp(subject->name, name) != 0 || subject->owner != owner))
		subject = subject->next;
	if (subject != NULL)
		return subject;
	subject = zeroed(1, sizeof(*subject));
	snprintf(subject->name, sizeof(subject->name), "%s", name);
	subject->owner = owner;
	subject->next = state->subjects;
	return state->subjects = subject;
}

static struct actor *
actor_of(struct state *state, const char *name)
{
	struct actor *actor = state->actors;

	while (actor != NULL && strcmp(actor->name, name) != 0)
		actor = actor->next;
	if (actor != NULL)
		return actor;
	actor = zeroed(1, sizeof(*actor));
	snprintf(actor->name, sizeof(actor->name), "%s", name);
	actor->next = state->actors;
	return state->actors = actor;
}

/* Returns who forbids this bot to play at `at` or before: the bot or its owner; NULL:
 * it may, as far as is known.  A version has a name like `bot.2`. */
static const struct subject *
find_off(struct state *state, const char *name, uint64_t at)
{
	const struct check_rules *rules = state->check->what->rules;
	const char *owner = rules->owner(rules->arg, name);
	const struct subject *subject;
	char bot[NAMED];

	take(name, ".", bot);
	subject = subject_of(state, bot, false);
	if (subject->off && subject->since <= at)
		return subject;
	if (owner[0] == '\0')
		return NULL;
	subject = subject_of(state, owner, true);
	return subject->off && subject->since <= at ? subject : NULL;
}

/* ---- requests ----------------------------------------------------------- */

/* Notes that an actor changes whether a bot or an owner may play. */
static void
begin_change(struct actor *actor, struct subject *subject, bool off)
{
	actor->subject = subject;
	actor->off = off;
	actor->alone = subject->waiting++ == 0;
	actor->change = ++subject->changes;
	subject->off = false;
}

static void
end_change(struct state *state, struct actor *actor, bool done)
{
	struct subject *subject = actor->subject;

	actor->subject = NULL;
	if (subject == NULL)
		return;
	/* One that came later makes this one uncertain, too. */
	if (done && actor->alone && subject->changes == actor->change) {
		subject->off = actor->off;
		subject->since = state->now;
	}
	subject->waiting--;
}

/* `WORD<tab>NAME…` */
static void
on_organiser_asks(struct state *state, const char *rest)
{
	static const struct {
		const char *word;
		bool owner, off;
	} words[] = { { "disable\t", false, true },
		      { "enable\t", false, false },
		      { "ban\t", true, true },
		      { "unban\t", true, false } };
	char name[NAMED];

	for (size_t i = 0; i < NELEM(words); i++) {
		if (strncmp(rest, words[i].word, strlen(words[i].word)) != 0)
			continue;
		take(rest + strlen(words[i].word), "\t\n", name);
		begin_change(actor_of(state, "the organiser"),
			     subject_of(state, name, words[i].owner),
			     words[i].off);
	}
}

/* `NAME asks METHOD PATH` */
static void
on_owner_asks(struct state *state, const char *rest)
{
	const struct check_rules *rules = state->check->what->rules;
	const char *path = behind(rest, " asks PUT /"), *what;
	char name[NAMED], owner[NAMED];
	struct actor *actor;

	take(rest, " ", owner);
	actor = actor_of(state, owner);
	actor->may_not = subject_of(state, owner, true)->off;
	actor->signs_up = NULL;
	if (path == NULL)
		return;
	what = strchr(path, '/') == NULL ? path : strchr(path, '/') + 1;
	take(what, "/\n", name);
	if (strncmp(path, "owners/", 7) == 0) {
		/* A stranger needs no owner. */
		actor->may_not = false;
		actor->signs_up = subject_of(state, name, true);
	} else if (strcmp(rules->owner(rules->arg, name), owner) == 0 &&
		   (strstr(what, "/withdrawn\n") != NULL ||
		    strstr(what, "/playing\n") != NULL)) {
		begin_change(actor, subject_of(state, name, false),
			     strstr(what, "/withdrawn\n") != NULL);
	}
}

static void
count_sign_up(struct state *state, struct subject *subject)
{
	if (subject->signed_up)
		check_wrong(state->check,
			    "expected one account of %s, found another one",
			    subject->name);
	subject->signed_up = true;
	if (++state->signed_up == state->accounts + 1)
		check_wrong(state->check,
			    "expected a code that makes %u accounts, found one "
			    "more: %s",
			    state->accounts, subject->name);
}

/* `NAME is answered STATUS` */
static void
on_owner_answered(struct state *state, const char *rest)
{
	const char *text = behind(rest, " is answered ");
	char name[NAMED];
	struct actor *actor;
	bool done;

	take(rest, " ", name);
	actor = actor_of(state, name);
	done = text != NULL && text[0] == '2';
	if (done && actor->may_not && subject_of(state, name, true)->off)
		check_wrong(state->check,
			    "expected that %s is banned, found an answer: %.*s",
			    name, (int)strcspn(rest, "\n"), rest);
	if (done && actor->signs_up != NULL)
		count_sign_up(state, actor->signs_up);
	end_change(state, actor, done);
}

/* `NAME DOES`, or `NAME is answered STATUS` */
static void
on_author(struct state *state, const char *rest)
{
	const char *text = behind(rest, " is answered ");
	char name[NAMED], key[NAMED + 16];
	struct actor *actor;

	take(rest, " ", name);
	snprintf(key, sizeof(key), "author of %s", name);
	actor = actor_of(state, key);
	if (text == NULL)
		actor->may_not = find_off(state, name, state->now) != NULL;
	else if (text[0] == '2' && actor->may_not &&
		 find_off(state, name, state->now) != NULL)
		check_wrong(state->check,
			    "expected that %s may not be uploaded, found an "
			    "answer: %.*s",
			    name, (int)strcspn(rest, "\n"), rest);
}

/* Nothing is answered any more, and it is not known what was done. */
static void
on_life(struct state *state)
{
	struct subject *subject;
	struct actor *actor;

	for (actor = state->actors; actor != NULL; actor = actor->next) {
		actor->subject = actor->signs_up = NULL;
		actor->may_not = false;
	}
	for (subject = state->subjects; subject != NULL;
	     subject = subject->next)
		subject->waiting = 0;
}

/* ---- games -------------------------------------------------------------- */

static struct game *
game_of(const struct state *state, const char *id)
{
	struct game *game = state->games;

	while (game != NULL && strncmp(game->id, id, ID_BYTES) != 0)
		game = game->next;
	return game;
}

/* Notes who sat in a game that has ended. */
static void
note_game(struct state *state, const char *line)
{
	const char *id = behind(line, " game="), *bot;
	struct game *game;
	char key[16];

	if (id == NULL || game_of(state, id) != NULL)
		return;
	game = zeroed(1, sizeof(*game));
	snprintf(game->id, sizeof(game->id), "%.*s", ID_BYTES, id);
	for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
		snprintf(key, sizeof(key), " bot%u=", seat);
		bot = behind(line, key);
		if (bot != NULL)
			take(bot, " \n", game->bot[seat]);
	}
	game->next = state->games;
	state->games = game;
}

static void
on_begun(struct state *state, const char *id)
{
	struct game *game = game_of(state, id);
	const struct subject *off;

	if (game == NULL || game->begun)
		return;
	game->begun = true;
	for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
		if (game->bot[seat][0] == '\0' || state->now < LATE_S)
			continue;
		off = find_off(state, game->bot[seat], state->now - LATE_S);
		if (off != NULL)
			check_wrong(state->check,
				    "game %s begins with %s, but %s may not "
				    "play for %" PRIu64 " s",
				    game->id, game->bot[seat], off->name,
				    state->now - off->since);
	}
}

/* ---- the trace ---------------------------------------------------------- */

static void
read_line(struct state *state, const char *line)
{
	const char *rest;
	char *end;
	const uint64_t now = strtoull(line, &end, 10);

	if (*end != '.') /* a line of the log, which has a date */
		return;
	state->now = now;
	if ((rest = behind(line, " the organiser asks ")) != NULL)
		on_organiser_asks(state, rest);
	else if ((rest = behind(line, " the organiser is answered ")) != NULL)
		end_change(state, actor_of(state, "the organiser"),
			   strcmp(rest, "0\n") == 0);
	else if ((rest = behind(line, " the author of ")) != NULL)
		on_author(state, rest);
	else if ((rest = behind(line, " owner ")) != NULL &&
		 strstr(rest, " asks ") != NULL)
		on_owner_asks(state, rest);
	else if (rest != NULL && strstr(rest, " is answered ") != NULL)
		on_owner_answered(state, rest);
	else if ((rest = behind(line, " begun: ")) != NULL)
		on_begun(state, rest);
	else if ((rest = behind(line, " a code for accounts: ")) != NULL)
		state->accounts = (unsigned)strtoul(rest, NULL, 10);
	else if (strstr(line, " begins\n") != NULL)
		on_life(state);
}

#define FREE_ALL(list)                                                         \
	while ((list) != NULL) {                                               \
		void *first = (list);                                          \
		(list) = (list)->next;                                         \
		free(first);                                                   \
	}

void
check_allowed(struct check *check)
{
	struct state state = { .check = check };
	char *line = NULL;
	size_t room = 0;
	FILE *trace;

	if (check->what->log == NULL || check->what->rules == NULL)
		return;
	trace = fopen(check->what->log, "re");
	if (trace == NULL)
		return;
	while (getline(&line, &room, trace) > 0)
		if (strstr(line, " event=game-over ") != NULL ||
		    strstr(line, " event=game-aborted ") != NULL)
			note_game(&state, line);
	rewind(trace);
	while (getline(&line, &room, trace) > 0)
		read_line(&state, line);
	fclose(trace);
	free(line);
	FREE_ALL(state.subjects);
	FREE_ALL(state.actors);
	FREE_ALL(state.games);
}
