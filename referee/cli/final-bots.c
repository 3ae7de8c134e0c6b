/* referee/cli/final-bots.c - see final-bots.h. */
#include "referee/cli/final-bots.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/pack.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/cli/data-bot.h"
#include "referee/data/owner.h"
#include "referee/match/match-plan.h"
#include "referee/pages/standings.h"

/* A finalist is an object: "bot", the name of the version that plays; "hash" of its
 * files; "owner". */
struct final {
	struct match_arguments *arguments;
	unsigned top;
	bool may_be;   /* --frozen: the standings may be frozen */
	bool frozen;   /* they were when the bots were chosen */
	bool recalled; /* `frozen` was kept */
	json_t *list;  /* owned: the data folder's bots */
	json_t *bots;  /* owned: the finalists */
	/* Names of bots that are left out: by their marks, LADDER_PLAYS if they are not
	 * of this machine; and because their owners have better ones. */
	struct text out[LADDER_REMOVED + 1], same;
	const struct roster_marks *marks; /* or NULL */
	json_t *clock; /* owned: the ladder's limits of time, by their keys in a
			* record; empty if they are not known */
	struct ladder_game last; /* on the ladder */
	struct ladder_pool pool; /* number 0: none yet */
};

/* The arguments borrow it. */
static struct {
	char game[NAME_BYTES + 1];
	char options[LADDER_OPTIONS_BYTES];
} taken;

/* The keys of a record's header that are taken. */
static const char *const limits[] = { "time", "bank", "increment", "total",
				      "faults" };

static const char *
text_of(const json_t *from, const char *key)
{
	const char *text = json_string_value(json_object_get(from, key));

	return text != NULL ? text : "";
}

static void
add_name(struct text *names, const char *name)
{
	text_fmt(names, "%s%s", names->used > 0 ? ", " : "", name);
}

/* ---- the ladder -------------------------------------------------------- */

/* Returns the entry of the bot that has this version, or NULL if its files are not
 * here. */
static const json_t *
find_local(const struct final *final, const char *version)
{
	const char *name = roster_plays(final->marks, version);
	const json_t *line;
	size_t i;

	json_array_foreach(final->list, i, line)
	{
		if (strcmp(text_of(json_object_get(line, "local"), "plays_as"),
			   name) == 0)
			return line;
	}
	return NULL;
}

static bool
has_owner(const struct final *final, const char *owner)
{
	const json_t *bot;
	size_t i;

	json_array_foreach(final->bots, i, bot)
	{
		if (*owner != '\0' && strcmp(text_of(bot, "owner"), owner) == 0)
			return true;
	}
	return false;
}

/* Adds the bot of this row, or notes why it is left out. */
static void
add_row(struct final *final, const struct ladder_standing *standing)
{
	const json_t *line = find_local(final, standing->bot);
	const json_t *local = json_object_get(line, "local");

	if (standing->rank == 0)
		add_name(&final->out[standing->mark], standing->bot);
	else if (line == NULL)
		add_name(&final->out[LADDER_PLAYS], standing->bot);
	else if (strcmp(text_of(line, "state"), "enabled") != 0)
		add_name(&final->out[LADDER_DISABLED], standing->bot);
	else if (final->pool.seats > 2 &&
		 has_owner(final, text_of(line, "owner")))
		add_name(&final->same, standing->bot);
	else
		JSON_PUSH(final->bots, TEXT("bot", text_of(local, "plays_as")),
			  TEXT("hash", text_of(local, "hash")),
			  TEXT("owner", text_of(line, "owner")));
}

static void
take_game(void *arg, const struct ladder_game *game)
{
	struct final *final = arg;

	final->last = *game;
	final->pool = (struct ladder_pool){ .seats = game->seats,
					    .arrival = game->arrival };
	memcpy(final->pool.game, game->game, sizeof(game->game));
	memcpy(final->pool.options, game->options, sizeof(game->options));
}

/* Takes the pool of the last game: the one that the ladder plays now. */
static int
read_pool(struct final *final, struct ladder *ladder, const char *name,
	  struct error *why)
{
	if (ladder_latest(ladder, INT64_MAX, 1, take_game, final, why) < 0)
		return -1;
	if (final->pool.seats == 0)
		return error_set(why, ERROR_INPUT,
				 "the ladder %s has no games yet", name);
	return 0;
}

/* Takes a number from the header, or 0. */
static uint64_t
header_number(const struct record *record, const char *key)
{
	const char *value = record_header(record, key);

	return value == NULL ? 0 : strtoull(value, NULL, 10);
}

/* Takes the limits of time from the record of the last game, which was verified
 * when the ladder took it. */
static int
read_clock(struct final *final, struct ladder *ladder, struct error *why)
{
	char path[LADDER_PATH_BYTES];
	struct record *record;

	if (ladder_game_path(ladder, &final->last, path, why) < 0)
		return -1;
	if (path[0] == '\0') {
		note("the record of the ladder's last game is not kept, so "
		     "give its limits of time if they are not the defaults");
		return 0;
	}
	if (packed_record(NULL, path, &record, why) < 0)
		return -1;
	for (size_t i = 0; i < NELEM(limits); i++)
		json_object_set_new(final->clock, limits[i],
				    json_integer((json_int_t)header_number(
					    record, limits[i])));
	record_free(record);
	return 0;
}

static int
read_rows(struct final *final, struct ladder *ladder, struct error *why)
{
	struct standings standings;

	if (standings_read(ladder, &final->pool, true, &standings, why) < 0)
		return -1;
	standings_sort(&standings);
	for (unsigned i = 0;
	     i < standings.count && json_array_size(final->bots) < final->top;
	     i++)
		add_row(final, &standings.row[i].standing);
	standings_release(&standings);
	return 0;
}

static int
read_ladder(struct final *final, const char *name, bool rows, struct error *why)
{
	const char *data = final->arguments->data;
	struct roster_marks *marks = NULL;
	char file[LADDER_PATH_BYTES];
	struct ladder *ladder = NULL;
	int result = owner_find_ladder(data, name, file, why);

	if (result == 0 && !final->recalled)
		final->frozen = owner_ladder_is_frozen(file);
	if (result == 0 && rows && final->frozen && !final->may_be)
		result = error_set(
			why, ERROR_INPUT,
			"the standings of %s are frozen, and the seeds of a "
			"final tell their true order: remove `freezes` from "
			"the configuration and reload it, or give --frozen",
			name);
	if (result == 0)
		result = owner_open_ladder(file, &ladder, &marks, why);
	final->marks = marks;
	if (result == 0)
		result = read_pool(final, ladder, name, why);
	if (result == 0 && rows)
		result = read_rows(final, ladder, why);
	if (result == 0 && rows)
		result = read_clock(final, ladder, why);
	if (ladder != NULL)
		ladder_close(ladder);
	final->marks = NULL;
	roster_marks_free(marks);
	return result;
}

static void
note_left_out(const struct final *final)
{
	const size_t count = json_array_size(final->bots);

	for (unsigned i = 0; i < NELEM(final->out); i++)
		if (final->out[i].used > 0)
			note("left out, because they %s%s: %.*s",
			     i == LADDER_PLAYS ? "do not live on this machine"
					       : "are ",
			     ladder_mark_name((enum ladder_mark)i),
			     (int) final->out[i].used, final->out[i].bytes);
	if (final->same.used > 0)
		note("left out, because at %u seats an owner has one bot in "
		     "the final: %.*s",
		     final->pool.seats, (int) final->same.used,
		     final->same.bytes);
	if (count < final->top)
		note("the ladder has %s for the final, not %u",
		     counted(count, "bot").text, final->top);
}

/* Chooses the finalists by the ladder. */
static int
choose(struct final *final, const char *name, struct error *why)
{
	final->list = data_bot_list(final->arguments->data, why);
	final->bots = json_array();
	if (final->list == NULL || read_ladder(final, name, true, why) < 0)
		return -1;
	note_left_out(final);
	if (json_array_size(final->bots) < final->pool.seats)
		return error_set(
			why, ERROR_INPUT,
			"a final on %s needs %u bots, and %zu can play", name,
			final->pool.seats, json_array_size(final->bots));
	return 0;
}

/* ---- the finalists that are kept --------------------------------------- */

/* Writes the path of the file.  Returns false if nothing is kept. */
static bool
kept_path(const struct final *final, char path[LADDER_PATH_BYTES])
{
	const char *dir = final->arguments->resume;

	return dir != NULL &&
	       snprintf(path, LADDER_PATH_BYTES, "%s/" FINAL_FILE, dir) <
		       LADDER_PATH_BYTES;
}

static int
keep(const struct final *final, struct error *why)
{
	char path[LADDER_PATH_BYTES], *text;
	json_t *kept;
	int result = 0;

	if (!kept_path(final, path))
		return 0;
	kept = JSON_OBJECT(JSON("bots", json_incref(final->bots)),
			   JSON("clock", json_incref(final->clock)),
			   BOOL("frozen", final->frozen));
	text = json_dumps(kept, JSON_INDENT(1));
	json_decref(kept);
	if (folder_make(final->arguments->resume, 0777) < 0 ||
	    file_replace(path, ".tmp", 0600, text, strlen(text)) < 0)
		result = error_set(why, path_kind(errno), "cannot write %s: %m",
				   quoted(path).text);
	free(text);
	return result;
}

/* Reads the finalists if they are kept; else leaves final->bots NULL.  Without a plan
 * no game has begun, and the command before had a mistake perhaps: the finalists are
 * chosen again. */
static int
recall(struct final *final, struct error *why)
{
	char path[LADDER_PATH_BYTES];
	json_t *kept, *bots, *frozen;
	int result = 0;

	if (!kept_path(final, path) || access(path, F_OK) < 0)
		return 0;
	kept = json_load_file(path, 0, NULL);
	bots = json_object_get(kept, "bots");
	if (!json_is_array(bots))
		result = error_set(why, ERROR_INPUT,
				   "%s does not have the bots of a final; take "
				   "another folder",
				   quoted(path).text);
	if (result == 0 && match_plan_is_there(final->arguments->resume)) {
		final->bots = json_incref(bots);
		/* Older versions have not kept it. */
		frozen = json_object_get(kept, "frozen");
		final->recalled = frozen != NULL;
		final->frozen = json_is_true(frozen);
		json_object_update(final->clock,
				   json_object_get(kept, "clock"));
	}
	json_decref(kept);
	return result;
}

/* ---- all of it --------------------------------------------------------- */

static int
add_bot(struct final *final, const json_t *bot, struct error *why)
{
	const char *name = text_of(bot, "bot"), *hash = text_of(bot, "hash");
	const char *data = final->arguments->data;
	char path[IMPORT_PATH_BYTES];

	if (strlen(hash) != ROSTER_CONTENT_BYTES ||
	    strspn(hash, "0123456789abcdef") != ROSTER_CONTENT_BYTES)
		return error_set(why, ERROR_INPUT,
				 "the files of the finalist %s are not known",
				 quoted(name).text);
	if (data_bot_hold(data, hash, why) < 0)
		return -1;
	import_path(data, hash, "bot", path);
	return match_bots_take(&final->arguments->bots, name, path, why);
}

static uint64_t
clock_us_of(const struct final *final, const char *key)
{
	const json_t *ms = json_object_get(final->clock, key);

	return (uint64_t)json_integer_value(ms) * 1000;
}

/* Sets the ladder's limits of time, unless others than the defaults were given. */
static void
take_clock(const struct final *final)
{
	struct play_options usual = { 0 }, *play = &final->arguments->play;

	play_options_default(&usual);
	if (memcmp(&play->clock, &usual.clock, sizeof(usual.clock)) != 0 ||
	    play->faults != usual.faults || clock_us_of(final, "time") == 0)
		return;
	play->clock.time_us = clock_us_of(final, "time");
	play->clock.bank_us = clock_us_of(final, "bank");
	play->clock.increment_us = clock_us_of(final, "increment");
	play->clock.total_us = clock_us_of(final, "total");
	play->faults = (unsigned)json_integer_value(
		json_object_get(final->clock, "faults"));
}

/* Sets what is played as the pool has it. */
static void
take_setup(const struct final *final)
{
	struct match_arguments *arguments = final->arguments;
	char *rest = NULL, *option;

	snprintf(taken.game, sizeof(taken.game), "%s", final->pool.game);
	snprintf(taken.options, sizeof(taken.options), "%s",
		 final->pool.options);
	arguments->game = taken.game;
	arguments->seats = final->pool.seats;
	arguments->arrival = final->pool.arrival;
	for (option = strtok_r(taken.options, " ", &rest);
	     option != NULL && arguments->options < OPTIONS_MAX;
	     option = strtok_r(NULL, " ", &rest))
		arguments->option[arguments->options++] = option;
}

int
final_bots_take(struct match_arguments *arguments, const char *name,
		unsigned top, bool *frozen)
{
	struct final final = { .arguments = arguments,
			       .top = top,
			       .may_be = *frozen,
			       .clock = json_object() };
	struct error why;
	const json_t *bot;
	int result;
	size_t i;

	for (i = 0; i < NELEM(final.out); i++)
		text_init(&final.out[i], SENTENCE_BYTES / 2);
	text_init(&final.same, SENTENCE_BYTES / 2);
	result = recall(&final, &why);
	if (result == 0 && final.bots != NULL) {
		result = read_ladder(&final, name, false, &why);
	} else if (result == 0) {
		result = choose(&final, name, &why);
		if (result == 0)
			result = keep(&final, &why);
	}
	if (result == 0) {
		take_setup(&final);
		take_clock(&final);
	}
	json_array_foreach(final.bots, i, bot)
	{
		if (result == 0)
			result = add_bot(&final, bot, &why);
	}
	*frozen = final.frozen;
	json_decref(final.list);
	json_decref(final.clock);
	json_decref(final.bots);
	for (i = 0; i < NELEM(final.out); i++)
		text_release(&final.out[i]);
	text_release(&final.same);
	return result == 0 ? EXIT_DONE : complain_error(&why);
}
