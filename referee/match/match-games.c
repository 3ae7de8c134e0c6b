/* referee/match/match-games.c - see match-games.h.
 *
 * A game is a struct run. match_games_play() gives it to the workers, on_over()
 * hears that it is over, on_written() that its record is safe. */
#include "referee/match/match-games.h"

#include <event2/event.h>
#include <stdlib.h>

#include "referee/match/match-job.h"
#include "referee/runner/kept.h"
#include "referee/runner/workers.h"

struct run {
	struct match_games *all;
	struct run *next, **prev;
	uint64_t began_us;
	struct table_setup setup;
	struct writer_task task;
	struct match_played played;
	bool held; /* waits until its block is over */
};

struct match_games {
	struct loop *loop;
	const struct match_setup *setup;
	const struct match_game_calls *calls;
	void *arg;
	struct workers *workers;
	struct event *writer_event;
	struct run *runs; /* games that have not ended */
	struct match_games_counts count;
	uint64_t begun; /* the number of the last game */
};

/* ---- a game ends ------------------------------------------------------ */

static struct run *
find(const struct match_games *all, uint64_t number)
{
	struct run *run = all->runs;

	while (run != NULL && run->played.number != number)
		run = run->next;
	if (run == NULL)
		bug("a game of the workers is not in the match");
	return run;
}

static void
end_run(struct run *run, bool counts)
{
	const struct match_games *all = run->all;

	LIST_CUT(run);
	run->played.counts = counts;
	run->played.known = run->task.counted;
	all->calls->ended(all->arg, &run->played);
}

void
match_played_free(struct match_played *played)
{
	struct run *run = ENCLOSING(played, struct run, played);

	text_release(&run->task.header);
	job_result_release(&played->result);
	free(run);
}

static void
on_written(struct writer_task *task)
{
	struct run *run = ENCLOSING(task, struct run, task);
	struct match_games *all = run->all;
	char file[LADDER_FILE_BYTES];

	all->count.writing--;
	if (task->failed || task->behind)
		all->calls->failed(all->arg, task->why.text);
	if (!task->failed) {
		writer_file_name(task, file);
		all->calls->kept(all->arg, &run->played, file);
	}
	workers_receipt(all->workers, run->played.number,
			task->failed ? NULL : task->hash);
	end_run(run, !task->failed && !task->aborted);
}

static void
on_writer(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	const struct match_games *all = arg;

	writer_tell(all->setup->writer);
}

static void
keep(struct run *run)
{
	run->all->count.writing++;
	writer_submit(run->all->setup->writer, &run->task);
}

/* ---- blocks ------------------------------------------------------------ */

/* The secret in the record of one game tells the cards of its whole block.  So
 * no bot hears of the end of a game of a block, and no file has the record,
 * before the last game of the block is over. */

static uint64_t
block_of(const struct match_games *all, uint64_t number)
{
	return (number - 1) / all->setup->game.seats;
}

/* Gives the held games of this block, or of all blocks if it is NULL, to the
 * writer as one group in the order of their numbers.  The list has the newest
 * first. */
static void
let_go(struct match_games *all, const uint64_t *block)
{
	struct thread_task *tasks = NULL;
	struct run *run;

	for (run = all->runs; run != NULL; run = run->next) {
		if (!run->held || (block != NULL &&
				   block_of(all, run->played.number) != *block))
			continue;
		run->held = false;
		all->count.holding--;
		all->count.writing++;
		run->task.waits.next = tasks;
		tasks = &run->task.waits;
	}
	if (tasks != NULL)
		writer_submit_all(all->setup->writer,
				  (struct writer_task *)tasks);
}

/* Gives the games of the block to the writer if the last of them has begun and
 * none is being played. */
static void
end_block(struct match_games *all, uint64_t number)
{
	const uint64_t block = block_of(all, number);
	const struct run *run;

	if (block_of(all, all->begun + 1) == block)
		return;
	for (run = all->runs; run != NULL; run = run->next)
		if (block_of(all, run->played.number) == block && !run->held &&
		    run->task.body == NULL)
			return;
	let_go(all, &block);
}

/* ---- workers ---------------------------------------------------------- */

static void
on_over(void *arg, struct job_result *result)
{
	struct match_games *all = arg;
	struct run *run = find(all, result->number);
	struct match_played *played = &run->played;

	job_result_move(&played->result, result);
	all->count.running--;
	if (!all->calls->over(all->arg, played, clock_us() - run->began_us)) {
		workers_receipt(all->workers, played->number, NULL);
		end_run(run, false);
		return;
	}
	kept_task(&run->setup, &played->result, played->number, &run->task);
	run->task.done = on_written;
	if (all->setup->duplicate) {
		run->held = true;
		all->count.holding++;
		end_block(all, played->number);
	} else {
		keep(run);
	}
}

static void
on_left(void *arg, uint64_t number, unsigned seat, uint32_t bot,
	const struct job_end *end)
{
	const struct match_games *all = arg;

	all->calls->left(all->arg, number, bot, seat, end);
}

static void
on_parked(void *arg, uint64_t number)
{
	struct match_games *all = arg;
	struct run *run = find(all, number);

	all->count.running--;
	all->calls->parked(all->arg, &run->played);
	end_run(run, false);
	if (all->setup->duplicate)
		end_block(all, number);
}

static void
on_lost(void *arg, const char *sentence)
{
	const struct match_games *all = arg;

	all->calls->lost(all->arg, sentence);
}

/* Returns a game that is still being played, or NULL. */
static struct run *
on_table(const struct match_games *all)
{
	struct run *run = all->runs;

	while (run != NULL && run->task.body != NULL)
		run = run->next;
	return run;
}

static void
on_failed(void *arg, const char *why)
{
	struct match_games *all = arg;
	struct run *run;

	all->calls->failed(all->arg, why);
	while ((run = on_table(all)) != NULL) {
		all->count.running--;
		end_run(run, false);
	}
}

static void
on_finished(void *arg)
{
	const struct match_games *all = arg;

	all->calls->finished(all->arg);
}

static const struct workers_calls workers_calls = {
	.over = on_over,
	.ended = on_left,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_failed,
	.finished = on_finished,
};

/* ---- called by the match ---------------------------------------------- */

void
match_games_play(struct match_games *all, uint64_t number,
		 const struct match_game *game)
{
	struct run *run = zeroed(1, sizeof(*run));
	struct job job;

	run->all = all;
	run->began_us = clock_us();
	run->played.number = number;
	run->played.game = *game;
	job_result_init(&run->played.result);
	match_job(all->setup, number, game, &job);
	run->setup = job.setup;
	LIST_PUT(all->runs, run);
	all->begun = number;
	all->count.running++;
	workers_play(all->workers, &job);
}

void
match_games_pass(struct match_games *all, uint64_t number)
{
	all->begun = number;
	if (all->setup->duplicate)
		end_block(all, number);
}

void
match_games_end_blocks(struct match_games *all, bool keeps)
{
	struct run *run, *next;

	if (keeps)
		let_go(all, NULL);
	for (run = all->runs; run != NULL; run = next) {
		next = run->next;
		if (!run->held)
			continue;
		all->count.holding--;
		workers_receipt(all->workers, run->played.number, NULL);
		end_run(run, false);
	}
}

void
match_games_share(struct match_games *all, unsigned sets)
{
	workers_share(all->workers, sets);
}

void
match_games_abort(struct match_games *all, enum abort_word why)
{
	workers_abort(all->workers, why);
}

void
match_games_finish(struct match_games *all)
{
	workers_finish(all->workers);
}

struct match_games_counts
match_games_counts(const struct match_games *all)
{
	return all->count;
}

struct match_games *
match_games_new(struct loop *loop, const struct match_setup *setup,
		const struct match_game_calls *calls, void *arg,
		struct error *why)
{
	struct match_games *all = zeroed(1, sizeof(*all));
	struct workers_setup workers = { .count = workers_count(),
					 .jobs = setup->jobs + setup->ahead,
					 .pin = setup->pin };

	*all = (struct match_games){
		.loop = loop, .setup = setup, .calls = calls, .arg = arg
	};
	if (workers.count > setup->jobs)
		workers.count = setup->jobs;
	all->workers = workers_new(loop, &workers, &workers_calls, all, why);
	if (all->workers == NULL) {
		free(all);
		return NULL;
	}
	all->writer_event = loop_reads(loop->base, writer_fd(setup->writer),
				       on_writer, all);
	return all;
}

void
match_games_free(struct match_games *all)
{
	event_free(all->writer_event);
	workers_free(all->workers);
	free(all);
}
