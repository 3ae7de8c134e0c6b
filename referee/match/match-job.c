/* referee/match/match-job.c - see match-job.h. */
#include "referee/match/match-job.h"

#include <string.h>

#include "protocol/clock.h"

static void
fill_setup(const struct match_setup *from, uint64_t number,
	   const struct match_game *game, struct table_setup *setup)
{
	memset(setup, 0, sizeof(*setup));
	setup->game = from->game;
	if (from->duplicate)
		deal_block_from_seed(&setup->deal, from->seed, number,
				     from->game.seats);
	else
		deal_from_seed(&setup->deal, from->seed, number);
	/* A seed that is secret until the end binds as well as a secret drawn
	 * for the game alone. */
	setup->deal.seeded = from->seeded;
	setup->arrival = from->arrival;
	setup->clock = from->clock;
	setup->faults = from->faults;
	setup->record_asks = from->record_asks;
	setup->show_names = !from->no_names;
	setup->date = (uint64_t)clock_seconds();
	for (unsigned s = 0; s < from->game.seats; s++) {
		memcpy(setup->name[s], from->bot[game->bot[s]].name,
		       sizeof(setup->name[s]));
		setup->entropy[s] =
			from->bot[game->bot[s]].entropy && !from->duplicate;
	}
}

void
match_job(const struct match_setup *setup, uint64_t number,
	  const struct match_game *game, struct job *job)
{
	const struct match_bot *bot;

	memset(job, 0, sizeof(*job));
	job->number = number;
	fill_setup(setup, number, game, &job->setup);
	job->rests = setup->no_pondering;
	job->all_ends = setup->stderr_dir != NULL;
	for (unsigned s = 0; s < setup->game.seats; s++) {
		bot = &setup->bot[game->bot[s]];
		job->seat[s].builtin = bot->builtin;
		job->seat[s].bot = game->bot[s];
		job->seat[s].reuse = bot->reuse;
		job->seat[s].program.argv = bot->argv;
		job->seat[s].program.folder = bot->folder;
		job->seat[s].program.box = &bot->box;
	}
}
