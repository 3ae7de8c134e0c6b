/* referee/match/tournament-keep.c - see tournament-keep.h. */
#include "referee/match/tournament-keep.h"

#include <stdio.h>
#include <string.h>

#include "ladder/durable.h"
#include "referee/records/tournament-file.h"

/* ---- what is told ------------------------------------------------------ */

static void
tell_id(const struct tournament_keep *keep, uint64_t game,
	char id[ID_BYTES + 1])
{
	struct deal deal;

	deal_from_seed(&deal, keep->setup->seed, game);
	memcpy(id, deal.id, ID_BYTES + 1);
}

/* Fills in the bots in the order of the standings.  Sets `place` to the
 * position there of each bot of the setup. */
static void
tell_bots(const struct tournament_keep *keep, struct tournament_told *told,
	  unsigned place[BOTS_MAX])
{
	unsigned order[BOTS_MAX];

	told->bots = keep->setup->bots;
	told->bot = zeroed(told->bots, sizeof(*told->bot));
	keep->source.order(keep->source.arg, order);
	for (unsigned i = 0; i < told->bots; i++) {
		place[order[i]] = i;
		told->bot[i] = tournament_row(keep->tournament, order[i]);
		memcpy(told->bot[i].name, keep->setup->bot[order[i]].name,
		       sizeof(told->bot[i].name));
	}
}

static void
tell_tables(const struct tournament_keep *keep, struct tournament_told *told,
	    const unsigned place[BOTS_MAX])
{
	const unsigned all = tournament_tables(keep->tournament);
	struct told_table *to;

	told->left_out =
		all > TOURNAMENT_FILE_TABLES ? all - TOURNAMENT_FILE_TABLES : 0;
	told->table = zeroed(all + 1, sizeof(*told->table));
	for (unsigned i = told->left_out; i < all; i++) {
		to = &told->table[told->tables++];
		tell_id(keep, tournament_table(keep->tournament, i, to),
			to->first);
		for (unsigned s = 0; s < told->seats; s++)
			to->bot[s] = place[to->bot[s]];
	}
}

/* Adds the bots that are in a phase but sit at none of its tables, which begin
 * at `from`.  Returns where the tables end. */
static unsigned
tell_byes_of(struct tournament_told *told, unsigned phase, unsigned from)
{
	bool sits[BOTS_MAX] = { false };

	for (; from < told->tables && told->table[from].phase <= phase; from++)
		for (unsigned s = 0; s < told->seats; s++)
			sits[told->table[from].bot[s]] = true;
	for (unsigned i = 0; i < told->bots; i++) {
		if (sits[i] || told->bot[i].phase < phase ||
		    told->byes == TOURNAMENT_FILE_TABLES)
			continue;
		*ADDED(told->bye, told->byes) = (struct told_bye){ phase, i };
	}
	return from;
}

/* Adds the byes of the phases of which all tables are filled in. */
static void
tell_byes(struct tournament_told *told)
{
	unsigned phase = told->table[0].phase, at = 0;

	for (; told->left_out > 0 && at < told->tables &&
	       told->table[at].phase == phase;
	     at++)
		;
	for (phase += told->left_out > 0; phase <= told->phase; phase++)
		at = tell_byes_of(told, phase, at);
}

static void
tell(const struct tournament_keep *keep, struct tournament_told *told)
{
	const struct tournament_setup *setup =
		tournament_setup_of(keep->tournament);
	const bool knockout = setup->format == TOURNAMENT_KNOCKOUT;
	unsigned place[BOTS_MAX];

	*told = (struct tournament_told){
		.seats = setup->seats,
		.games = (uint64_t)setup->sets * setup->seats,
		.rounds = knockout ? 0 : setup->rounds,
		.best = knockout ? setup->best : 0,
		.phase = tournament_phase_now(keep->tournament),
		.over = tournament_is_over(keep->tournament),
		.told = clock_seconds(),
	};
	tell_id(keep, 1, told->id);
	snprintf(told->format, sizeof(told->format), "%s",
		 tournament_formats[setup->format]);
	snprintf(told->game, sizeof(told->game), "%s",
		 keep->setup->game.rules->name);
	game_setup_text(&keep->setup->game, false, told->options,
			sizeof(told->options));
	if (setup->format == TOURNAMENT_GAUNTLET)
		memcpy(told->hero, keep->setup->bot[setup->hero].name,
		       sizeof(told->hero));
	if (setup->seeded)
		snprintf(told->final, sizeof(told->final), "%s", keep->final);
	told->frozen = setup->seeded && keep->frozen;
	tell_bots(keep, told, place);
	tell_tables(keep, told, place);
	if (setup->format == TOURNAMENT_SWISS || knockout)
		tell_byes(told);
}

/* ---- when -------------------------------------------------------------- */

/* Keeps the error `why` if `what` is -1 and no error came before. */
static void
note_failure(struct tournament_keep *keep, int what, const struct error *why)
{
	if (what == 0 || keep->failed)
		return;
	keep->failed = true;
	keep->why = *why;
}

static void
keep_now(struct tournament_keep *keep)
{
	struct tournament_told told;
	struct error why;

	keep->begun = true;
	keep->phase = tournament_phase_now(keep->tournament);
	keep->over = tournament_is_over(keep->tournament);
	keep->written_us = clock_us();
	if (keep->setup->records == NULL && keep->shown[0] == '\0')
		return;
	tell(keep, &told);
	if (keep->setup->records != NULL)
		note_failure(keep,
			     tournament_file_write(&told, keep->setup->records,
						   &why),
			     &why);
	if (keep->shown[0] != '\0')
		note_failure(keep,
			     tournament_file_write(&told, keep->shown, &why),
			     &why);
	tournament_told_release(&told);
}

static enum match_next
next(void *arg, uint64_t number, struct match_game *game)
{
	struct tournament_keep *keep = arg;

	if (!keep->begun)
		keep_now(keep);
	return keep->source.next(keep->source.arg, number, game);
}

static void
hear(void *arg, const struct match_result *result)
{
	struct tournament_keep *keep = arg;

	keep->source.hear(keep->source.arg, result);
	if (keep->phase != tournament_phase_now(keep->tournament) ||
	    keep->over != tournament_is_over(keep->tournament) ||
	    clock_us() - keep->written_us >=
		    TOURNAMENT_KEEP_MS * UINT64_C(1000))
		keep_now(keep);
}

static void
order(void *arg, unsigned bot[])
{
	const struct tournament_keep *keep = arg;

	keep->source.order(keep->source.arg, bot);
}

int
tournament_keep_show(struct tournament_keep *keep, const char *data,
		     struct error *why)
{
	if ((size_t)snprintf(keep->shown, sizeof(keep->shown),
			     "%s/" TOURNAMENT_FOLDER,
			     data) < sizeof(keep->shown))
		return folder_need(keep->shown, why);
	return error_set(why, ERROR_INPUT,
			 "the path of the data folder is too long");
}

struct match_source
tournament_keep_source(struct tournament_keep *keep)
{
	return (struct match_source){
		.next = next, .hear = hear, .order = order, .arg = keep
	};
}

int
tournament_keep_end(struct tournament_keep *keep, struct error *why)
{
	if (keep->begun)
		keep_now(keep);
	if (!keep->failed)
		return 0;
	*why = keep->why;
	return -1;
}
