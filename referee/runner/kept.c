/* referee/runner/kept.c - see kept.h. */
#include "referee/runner/kept.h"

#include <stdio.h>
#include <string.h>

/* Fills in the ladder's game.  The writer fills in the rest. */
static void
fill_game(const struct table_setup *setup, const struct job_result *result,
	  struct ladder_game *game)
{
	unsigned faults[SEATS_MAX][FAULT_KINDS] = { 0 };
	const struct table_outcome *outcome = &result->outcome;

	snprintf(game->id, sizeof(game->id), "%s", setup->deal.id);
	memcpy(game->block, setup->deal.block, sizeof(game->block));
	snprintf(game->game, sizeof(game->game), "%s", setup->game.rules->name);
	game_setup_text(&setup->game, false, game->options,
			sizeof(game->options));
	game->seats = setup->game.seats;
	game->arrival = setup->arrival;
	snprintf(game->ended, sizeof(game->ended), "%s", result->ended);
	if (result->body.used > 0) {
		fault_count(result->body.bytes, result->body.used, faults);
		game->moves =
			record_moves(result->body.bytes, result->body.used);
	}
	for (unsigned i = 0; i < game->seats; i++) {
		memcpy(game->seat[i].faults, faults[i], sizeof(faults[i]));
		memcpy(game->seat[i].bot, setup->name[i],
		       sizeof(setup->name[i]));
		memcpy(game->seat[i].heir_of, setup->heir_of[i],
		       sizeof(setup->heir_of[i]));
		game->seat[i].place = outcome->place[i];
		game->seat[i].points = outcome->points[i];
	}
}

void
kept_task(const struct table_setup *setup, struct job_result *result,
	  uint64_t number, struct writer_task *task)
{
	task->header = result->header;
	text_init(&result->header, RECORD_BYTES);
	task->body = &result->body;
	task->asks = &result->asks;
	task->number = number;
	task->id = setup->deal.id;
	task->aborted = result->outcome.aborted != ABORT_NONE;
	fill_game(setup, result, &task->game);
}
