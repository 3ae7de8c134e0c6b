/* tests/world/check-rules.c - what the configuration allows to owners, read in the
 * trace: who meets whom, and how much is uploaded.
 *
 * The daemon logs that it has read its configuration, and the games that are over; the
 * world says what it wrote into the configuration, when a bot read the first line of a
 * game, and which uploads were taken. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/date.h"
#include "tests/world/check-inside.h"

/* A game that was drawn before the configuration was read begins within so many seconds
 * of the trace. */
#define DRAWN_BEFORE_S 5
#define DAY_S 86400
#define NEVER UINT64_MAX

struct of_ladder {
	struct of_ladder *next;
	char name[NAME_BYTES + 1];
	bool apart, then; /* what is in force, and what was written */
	uint64_t since;	  /* in seconds of the trace; NEVER: it may change */
};

/* A game of a ladder whose bots of one owner are apart, by the ladders' rules when it
 * began. */
struct begun {
	struct begun *next;
	char id[ID_BYTES + 1];
	uint64_t at;
	char name[SEATS_MAX][NAME_BYTES + 1]; /* "": not known */
};

struct of_owner {
	struct of_owner *next;
	char name[NAME_BYTES + 1];
	int64_t day;
	unsigned uploads;
	int trials; /* games of trials; below 0 if they are given back first */
};

struct state {
	struct check *check;
	struct of_ladder *ladders;
	struct begun *begun;
	struct of_owner *owners;
	uint64_t now; /* of the last line that tells it */
};

/* Returns what follows `key` in the line, or NULL. */
static const char *
behind(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at == NULL ? NULL : at + strlen(key);
}

static bool
take_word(const char *line, const char *key, char to[NAME_BYTES + 1])
{
	const char *at = behind(line, key);

	if (at == NULL)
		return false;
	snprintf(to, NAME_BYTES + 1, "%.*s", (int)strcspn(at, " \n"), at);
	return true;
}

static struct of_ladder *
ladder_of(struct state *state, const char *name)
{
	struct of_ladder *ladder = state->ladders;

	while (ladder != NULL && strcmp(ladder->name, name) != 0)
		ladder = ladder->next;
	if (ladder == NULL) {
		ladder = zeroed(1, sizeof(*ladder));
		snprintf(ladder->name, sizeof(ladder->name), "%s", name);
		ladder->since = NEVER;
		ladder->next = state->ladders;
		state->ladders = ladder;
	}
	return ladder;
}

/* ---- who meets whom -------------------------------------------------------- */

/* The daemon takes what is written at some time before it says that it has read it. */
static void
on_written(struct state *state, const char *name, const char *line)
{
	struct of_ladder *ladder = ladder_of(state, name);

	ladder->then = strstr(line, " is no\n") != NULL;
	if (ladder->then != ladder->apart)
		ladder->since = NEVER;
}

static void
on_configuration(struct state *state)
{
	struct of_ladder *ladder;

	for (ladder = state->ladders; ladder != NULL; ladder = ladder->next) {
		if (ladder->apart == ladder->then && ladder->since != NEVER)
			continue;
		ladder->apart = ladder->then;
		ladder->since = state->now + DRAWN_BEFORE_S;
	}
}

static struct begun *
begun_find(const struct state *state, const char *id)
{
	struct begun *begun = state->begun;

	while (begun != NULL && strncmp(begun->id, id, ID_BYTES) != 0)
		begun = begun->next;
	return begun;
}

/* Notes that a bot has read the first line of a game: `ID seat S by NAME`. */
static void
on_begun(struct state *state, const char *id)
{
	struct begun *begun = begun_find(state, id);
	char name[NAME_BYTES + 1];
	unsigned seat;

	if (begun == NULL) {
		begun = zeroed(1, sizeof(*begun));
		snprintf(begun->id, sizeof(begun->id), "%.*s", ID_BYTES, id);
		begun->at = state->now;
		begun->next = state->begun;
		state->begun = begun;
	}
	if (sscanf(id, "%*s seat %u by %32s", &seat, name) == 2 &&
	    seat < SEATS_MAX && strcmp(name, "-") != 0)
		memcpy(begun->name[seat], name, sizeof(name));
}

/* Each bot that knows its name has to sit where the daemon says that it sat. */
static void
check_names(struct state *state, const struct begun *begun, const char *line)
{
	char name[NAME_BYTES + 1], key[16];

	for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
		snprintf(key, sizeof(key), " bot%u=", seat);
		if (begun->name[seat][0] != '\0' &&
		    take_word(line, key, name) &&
		    strcmp(name, begun->name[seat]) != 0)
			check_wrong(state->check,
				    "expected %s on seat %u, which read its "
				    "lines, found: %.*s",
				    begun->name[seat], seat,
				    (int)strcspn(line, "\n"), line);
	}
}

static void
on_over(struct state *state, const char *line)
{
	const struct check_rules *rules = state->check->what->rules;
	const char *owner[SEATS_MAX], *id = behind(line, " game=");
	char name[NAME_BYTES + 1], key[16];
	const struct of_ladder *ladder;
	const struct begun *begun;
	unsigned seats, i;

	if (id == NULL || !take_word(line, " ladder=", name))
		return;
	begun = begun_find(state, id);
	if (begun != NULL)
		check_names(state, begun, line);
	if (begun == NULL || !rules->many(rules->arg, name))
		return;
	ladder = ladder_of(state, name);
	if (!ladder->apart || ladder->since == NEVER ||
	    begun->at <= ladder->since)
		return;
	for (seats = 0; seats < SEATS_MAX; seats++) {
		snprintf(key, sizeof(key), " bot%u=", seats);
		if (!take_word(line, key, name))
			break;
		owner[seats] = rules->owner(rules->arg, name);
		for (i = 0; i < seats; i++)
			if (owner[seats][0] != '\0' &&
			    strcmp(owner[i], owner[seats]) == 0)
				check_wrong(state->check,
					    "expected that two bots of %s do "
					    "not meet, found: %.*s",
					    owner[i], (int)strcspn(line, "\n"),
					    line);
	}
}

/* ---- uploads --------------------------------------------------------------- */

/* Returns the owner, with what it did on this day.  The daemon counts one day, and
 * forgets all days before: then it returns NULL. */
static struct of_owner *
owner_of(struct state *state, const char *name, int64_t day)
{
	struct of_owner *owner = state->owners;

	while (owner != NULL && strcmp(owner->name, name) != 0)
		owner = owner->next;
	if (owner == NULL) {
		owner = zeroed(1, sizeof(*owner));
		snprintf(owner->name, sizeof(owner->name), "%s", name);
		owner->next = state->owners;
		state->owners = owner;
	}
	if (day > owner->day)
		owner->uploads = owner->trials = 0;
	if (day < owner->day)
		return NULL;
	owner->day = day;
	return owner;
}

static int64_t
read_day(const char *line)
{
	const char *at = behind(line, " on day ");

	return at == NULL ? 0 : strtoll(at, NULL, 10);
}

static void
on_trial(struct state *state, const char *name, const char *line)
{
	const char *games = behind(line, ": ");
	struct of_owner *owner = owner_of(state, name, read_day(line));

	if (owner == NULL || games == NULL)
		return;
	owner->trials += (int)strtoul(games, NULL, 10);
	if (owner->trials > (int)state->check->what->rules->trials)
		check_wrong(state->check,
			    "expected %u games of trials of %s on day %" PRId64
			    " at most, found %d",
			    state->check->what->rules->trials, name, owner->day,
			    owner->trials);
}

/* A trial that began no game does not count. */
static void
on_back(struct state *state, const char *line)
{
	const char *games = behind(line, " games=");
	char date[DATE_BYTES], name[NAME_BYTES + 1];
	struct of_owner *owner;

	if (games == NULL || !take_word(line, " owner=", name))
		return;
	snprintf(date, sizeof(date), "%.19sZ", line);
	owner = owner_of(state, name, date_read(date) / DAY_S);
	if (owner != NULL)
		owner->trials -= (int)strtoul(games, NULL, 10);
}

static void
on_upload(struct state *state, const char *name, const char *line)
{
	struct of_owner *owner = owner_of(state, name, read_day(line));

	if (owner == NULL)
		return;
	if (++owner->uploads == state->check->what->rules->uploads + 1)
		check_wrong(state->check,
			    "expected %u uploads of %s on day %" PRId64
			    " at most, found one more",
			    owner->uploads - 1, name, owner->day);
}

/* ---- the trace ------------------------------------------------------------- */

static void
read_line(struct state *state, const char *line)
{
	char name[NAME_BYTES + 1], *end;
	const uint64_t now = strtoull(line, &end, 10);
	const char *id;

	if (*end == '.') /* not a line of the log, which has a date */
		state->now = now;
	if (take_word(line, " same-owner of ", name))
		on_written(state, name, line);
	else if (strstr(line, " event=configuration-read") != NULL ||
		 strstr(line, " begins\n") != NULL)
		on_configuration(state);
	else if ((id = behind(line, " begun: ")) != NULL)
		on_begun(state, id);
	else if (strstr(line, " event=game-over ") != NULL ||
		 strstr(line, " event=game-aborted ") != NULL)
		on_over(state, line);
	else if (strstr(line, " event=trial-back ") != NULL)
		on_back(state, line);
	else if (take_word(line, " taken upload of ", name))
		on_upload(state, name, line);
	else if (take_word(line, " taken trial of ", name))
		on_trial(state, name, line);
}

#define FREE_ALL(list)                                                         \
	while ((list) != NULL) {                                               \
		void *first = (list);                                          \
		(list) = (list)->next;                                         \
		free(first);                                                   \
	}

void
check_rules(struct check *check)
{
	struct state state = { .check = check };
	char *line = NULL;
	size_t room = 0;
	FILE *trace;

	if (check->what->log == NULL || check->what->rules == NULL)
		return;
	trace = fopen(check->what->log, "re");
	while (trace != NULL && getline(&line, &room, trace) > 0)
		read_line(&state, line);
	if (trace != NULL)
		fclose(trace);
	free(line);
	FREE_ALL(state.ladders);
	FREE_ALL(state.begun);
	FREE_ALL(state.owners);
}
