/* referee/queue/verdicts.c - see verdicts.h. */
#include "referee/queue/verdicts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "referee/queue/pg.h"
#include "referee/queue/voids.h"

struct verdicts {
	struct pg_line *line;
	int64_t epoch;
	char name[NAME_BYTES + 1];
	/* Once the ladder is bound: its ID; it and its records, of who writes. */
	char id[ID_BYTES + 1];
	struct ladder *ladder;
	char *dir; /* owned */
	struct writer_log log;
};

/* Games on their way there. */
struct batch {
	size_t count, bytes;
	int64_t after; /* the serial that the database has at least, or 0 */
	const char *ladder[VERDICTS_GAMES], *game[VERDICTS_GAMES];
	int64_t serial[VERDICTS_GAMES];
	int64_t job[VERDICTS_GAMES], attempt[VERDICTS_GAMES];
	struct pg_piece hash[VERDICTS_GAMES], record[VERDICTS_GAMES],
		asks[VERDICTS_GAMES];
	struct text whole[VERDICTS_GAMES]; /* owned: a record */
};

/* ---- there ------------------------------------------------------------- */

static void
batch_clear(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		text_release(&batch->whole[i]);
	batch->count = batch->bytes = 0;
}

/* Asking twice is fine: a game that stands there with this serial and hash is
 * passed over.  Games that the database has forgotten must come before them. */
static int
send_batch(struct verdicts *verdicts, struct batch *batch, struct error *why)
{
	const size_t n = batch->count;
	const struct pg_answer *answer;
	unsigned tries = 0;
	int result;

	if (n == 0)
		return 0;
	do
		answer = pg_line_ask(
			verdicts->line,
			"SELECT referee.add_verdicts($1, $2, $3, "
			"$4, $5, $6, $7, $8, $9) "
			"FROM referee.check_verdicts($10, $11)",
			"iSISIIBBBsi", verdicts->epoch, batch->ladder, n,
			batch->serial, n, batch->game, n, batch->job, n,
			batch->attempt, n, batch->hash, n, batch->record, n,
			batch->asks, n, verdicts->id, batch->after);
	while (pg_line_again(answer, &tries, VERDICTS_TRIES));
	result = answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
	batch_clear(batch);
	return result;
}

static bool
batch_is_full(const struct batch *batch)
{
	return batch->count == VERDICTS_GAMES || batch->bytes >= VERDICTS_BYTES;
}

/* The record is whole[count], which is the batch's now. */
static void
batch_add(struct batch *batch, const char *ladder,
	  const struct ladder_game *game, const struct text *asks)
{
	const size_t i = batch->count++;
	const struct text *whole = &batch->whole[i];

	batch->ladder[i] = ladder;
	batch->serial[i] = game->serial;
	batch->game[i] = game->id;
	batch->job[i] = batch->attempt[i] = 0;
	batch->hash[i] = (struct pg_piece){ (const char *)game->hash,
					    sizeof(game->hash) };
	batch->record[i] = (struct pg_piece){ whole->bytes, whole->used };
	batch->asks[i] = (struct pg_piece){ NULL, 0 };
	if (asks != NULL && asks->used > 0)
		batch->asks[i] = (struct pg_piece){ asks->bytes, asks->used };
	batch->bytes += whole->used;
}

/* A game without a result: its job is done, and there is no verdict. */
static int
keep_aborted(struct verdicts *verdicts, const struct writer_job *job,
	     struct error *why)
{
	const struct pg_answer *answer;
	unsigned tries = 0;

	if (job->queue_job == 0)
		return 0;
	do
		answer = pg_line_ask(verdicts->line,
				     "SELECT referee.void_job($1, $2, $3)",
				     "iis", verdicts->epoch, job->queue_job,
				     "the game was aborted");
	while (pg_line_again(answer, &tries, VERDICTS_TRIES));
	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

static int
keep_game(struct verdicts *verdicts, struct batch *batch,
	  const struct writer_job *job, struct error *why)
{
	struct text *whole = &batch->whole[batch->count];

	text_init(whole, 2 * (size_t)RECORD_BYTES);
	text_add(whole, job->header.bytes, job->header.used);
	text_add(whole, "\n", 1);
	if (job->body->used > 0)
		text_add(whole, job->body->bytes, job->body->used);
	if (batch->count == 0)
		batch->after = job->game.serial - 1;
	batch_add(batch, verdicts->id, &job->game, job->asks);
	batch->job[batch->count - 1] = job->queue_job;
	batch->attempt[batch->count - 1] = job->queue_attempt;
	return batch_is_full(batch) ? send_batch(verdicts, batch, why) : 0;
}

static int
keep(void *arg, const struct writer_job *jobs, struct error *why)
{
	struct verdicts *verdicts = arg;
	struct batch *batch = zeroed(1, sizeof(*batch));
	const struct writer_job *job;
	int result = 0;

	for (job = jobs; job != NULL && result == 0;
	     job = writer_job_after(job)) {
		if (job->failed || job->counted)
			continue;
		if (job->aborted)
			result = keep_aborted(verdicts, job, why);
		else
			result = keep_game(verdicts, batch, job, why);
	}
	if (result == 0)
		result = send_batch(verdicts, batch, why);
	batch_clear(batch);
	free(batch);
	return result;
}

/* ---- and back ---------------------------------------------------------- */

static const char rows_above[] =
	"SELECT serial, game, record, asks FROM ("
	"SELECT *, sum(octet_length(record)) OVER (ORDER BY serial) AS sum "
	"FROM (SELECT serial, game, record, asks FROM referee.verdict "
	"WHERE ladder = $1 AND serial > $2 ORDER BY serial LIMIT $3) AS rows"
	") AS sums WHERE sum - octet_length(record) < $4 ORDER BY serial";

static const struct pg_answer *
ask_above(struct verdicts *verdicts, const char *id, int64_t serial)
{
	return pg_line_ask(verdicts->line, rows_above, "siii", id, serial,
			   (int64_t)VERDICTS_GAMES, (int64_t)VERDICTS_BYTES);
}

/* A game that the folder lacks. */
struct missed {
	struct writer_job job; /* first: the writer's list */
	struct text body, asks;
	char id[ID_BYTES + 1];
};

static void
forget(void *arg UNUSED, struct writer_job *jobs)
{
	struct writer_job *next;
	struct missed *missed;

	for (; jobs != NULL; jobs = next) {
		next = writer_job_after(jobs);
		missed = (struct missed *)jobs;
		text_release(&missed->job.header);
		text_release(&missed->body);
		text_release(&missed->asks);
		free(missed);
	}
}

static int
read_game(struct missed *missed, const char *bytes, size_t n, struct error *why)
{
	struct record *record;
	int result;

	if (record_parse(bytes, n, &record, why) != 0)
		return -1;
	result = ladder_game_from_record(record, &missed->job.game, why);
	record_free(record);
	return result;
}

/* Of a record that can be read: it has its empty line. */
static void
cut(struct missed *missed, const char *bytes, size_t n)
{
	const char *end = memmem(bytes, n, "\n\n", 2);
	const size_t header = (size_t)(end - bytes) + 1;

	text_init(&missed->job.header, RECORD_BYTES);
	text_init(&missed->body, RECORD_BYTES);
	text_add(&missed->job.header, bytes, header);
	text_add(&missed->body, bytes + header + 1, n - header - 1);
	missed->job.body = &missed->body;
}

static struct missed *
take_missed(const struct pg_answer *answer, unsigned row, struct error *why)
{
	struct missed *missed = zeroed(1, sizeof(*missed));
	const char *bytes;
	size_t n;

	bytes = pg_bytes(answer, row, 2, &n);
	if (read_game(missed, bytes, n, why) < 0) {
		error_prefix(why, "game %s in the queue's database: line ",
			     pg_string(answer, row, 1));
		free(missed);
		return NULL;
	}
	cut(missed, bytes, n);
	snprintf(missed->id, sizeof(missed->id), "%s", missed->job.game.id);
	missed->job.id = missed->id;
	text_init(&missed->asks, ASKS_BYTES);
	bytes = pg_bytes(answer, row, 3, &n);
	if (n > 0)
		text_add(&missed->asks, bytes, n);
	missed->job.asks = &missed->asks;
	return missed;
}

/* ---- which ladder it is ------------------------------------------------ */

int
verdicts_find(struct verdicts *verdicts, char id[ID_BYTES + 1],
	      struct error *why)
{
	struct text text;
	int result;

	text_init(&text, SIZE_MAX);
	result = house_file_get(verdicts->line, "ladder", verdicts->name, &text,
				why);
	snprintf(id, ID_BYTES + 1, "%s",
		 text.used == ID_BYTES ? text_string(&text) : "");
	text_release(&text);
	return result;
}

int
verdicts_founding(struct verdicts *verdicts, struct text *to, struct error *why)
{
	char id[ID_BYTES + 1];
	const size_t before = to->used;

	if (verdicts_find(verdicts, id, why) < 0)
		return -1;
	if (id[0] == '\0')
		return 0;
	if (house_file_get(verdicts->line, "founding", id, to, why) < 0)
		return -1;
	if (to->used == before) /* it is from before such lines were kept */
		text_fmt(to, "ladder\t%s\n", id);
	return 0;
}

static int
make_known(struct verdicts *verdicts, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		verdicts->line,
		"INSERT INTO referee.house_file (name, bytes) "
		"SELECT 'ladder/' || $2, $3 FROM referee.check_epoch($1) "
		"ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
		"isb", verdicts->epoch, verdicts->name, verdicts->id,
		(size_t)ID_BYTES);

	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

/* The last serial there that is not above `most`, and whose game that is. */
static int
find_last(struct verdicts *verdicts, int64_t most, int64_t *serial,
	  char id[ID_BYTES + 1], struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		verdicts->line,
		"SELECT serial, game FROM referee.verdict WHERE ladder = $1 "
		"AND serial <= $2 ORDER BY serial DESC LIMIT 1",
		"si", verdicts->id, most);

	*serial = 0;
	id[0] = '\0';
	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) == 0)
		return 0;
	*serial = pg_number(answer, 0, 0);
	snprintf(id, ID_BYTES + 1, "%s", pg_string(answer, 0, 1));
	return 0;
}

/* ---- games from before the queue --------------------------------------- */

struct older {
	struct ladder_game *game; /* owned */
	size_t games;
};

static void
on_latest(void *arg, const struct ladder_game *game)
{
	struct older *older = arg;

	older->game = grown(older->game, older->games, sizeof(*older->game));
	older->game[older->games++] = *game;
}

static int
bring_game(struct verdicts *verdicts, struct ladder *ladder,
	   struct batch *batch, const struct ladder_game *game,
	   struct error *why)
{
	char path[LADDER_PATH_BYTES];
	struct text *whole = &batch->whole[batch->count];

	if (ladder_game_path(ladder, game, path, why) != 0)
		return -1;
	text_init(whole, 2 * (size_t)RECORD_BYTES);
	if (packed_load(NULL, path, whole) < 0) {
		error_set(why, ERROR_INPUT,
			  "cannot bring game %s to the queue's database: %s: "
			  "%m",
			  game->id, path);
		text_release(whole);
		return -1;
	}
	batch_add(batch, verdicts->id, game, NULL);
	return batch_is_full(batch) ? send_batch(verdicts, batch, why) : 0;
}

/* The oldest first. */
static int
bring_some(struct verdicts *verdicts, struct ladder *ladder,
	   const struct older *older, struct error *why)
{
	struct batch *batch = zeroed(1, sizeof(*batch));
	int result = 0;
	size_t i;

	for (i = older->games; i-- > 0 && result == 0;)
		result = bring_game(verdicts, ladder, batch, &older->game[i],
				    why);
	if (result == 0)
		result = send_batch(verdicts, batch, why);
	batch_clear(batch);
	free(batch);
	return result;
}

/* Games with serials from..to. */
static int
bring(struct verdicts *verdicts, struct ladder *ladder, int64_t from,
      int64_t to, struct error *why)
{
	struct older older = { NULL, 0 };
	int64_t until;
	int result = 0;

	for (; from <= to && result == 0; from = until + 1) {
		until = to - from < VERDICTS_GAMES ? to
						   : from + VERDICTS_GAMES - 1;
		older.games = 0;
		result = ladder_latest(ladder, until + 1,
				       (unsigned)(until - from + 1), on_latest,
				       &older, why);
		if (result == 0)
			result = bring_some(verdicts, ladder, &older, why);
	}
	free(older.game);
	return result;
}

/* Whether game `id` has this serial here, too. */
static int
check_last(struct ladder *ladder, int64_t serial, const char *id,
	   struct error *why)
{
	struct ladder_game game;
	int result;

	if (serial == 0)
		return 0;
	result = ladder_game_find(ladder, id, &game, why);
	if (result < 0 || (result == LADDER_FOUND && game.serial == serial))
		return result < 0 ? -1 : 0;
	return error_set(why, ERROR_INPUT,
			 "its games are not those that the queue's database "
			 "has: game %lld is %s there",
			 (long long)serial, id);
}

/* All up to that serial that the database lacks. */
static int
bring_all(struct verdicts *verdicts, int64_t serial, struct error *why)
{
	char id[ID_BYTES + 1];
	int64_t there;

	if (find_last(verdicts, INT64_MAX, &there, id, why) < 0)
		return -1;
	return bring(verdicts, verdicts->ladder, there + 1, serial, why);
}

static int
missed(void *arg, int64_t serial, struct writer_job **jobs, struct error *why)
{
	struct verdicts *verdicts = arg;
	const struct pg_answer *answer;
	struct worker_thread_job **end = (struct worker_thread_job **)jobs;
	struct missed *one;
	unsigned i;

	*jobs = NULL;
	/* It may have forgotten some, which were there before. */
	if (verdicts->ladder != NULL && bring_all(verdicts, serial, why) < 0)
		return -1;
	answer = ask_above(verdicts, verdicts->id, serial);
	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	for (i = 0; i < pg_rows(answer); i++) {
		one = take_missed(answer, i, why);
		if (one == NULL) {
			forget(NULL, *jobs);
			return -1;
		}
		*end = &one->job.waits;
		end = &one->job.waits.next;
	}
	return 0;
}

/* A season takes the place of the ladder that it follows, and any ladder that of
 * one without games. */
static int
check_known(struct verdicts *verdicts, const struct ladder *ladder,
	    const char *known, struct error *why)
{
	const struct pg_answer *answer;

	if (known[0] == '\0' || strcmp(known, verdicts->id) == 0 ||
	    strcmp(ladder_season(ladder)->after, known) == 0)
		return 0;
	answer = pg_line_ask(
		verdicts->line,
		"SELECT 1 FROM referee.verdict WHERE ladder = $1 LIMIT 1", "s",
		known);
	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) == 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the queue's database has another ladder of this "
			 "name, %s: give one of them another name",
			 known);
}

static int
keep_void(void *arg, int64_t number, const char *bytes, size_t n,
	  struct error *why)
{
	struct verdicts *verdicts = arg;

	if (verdicts->dir != NULL &&
	    void_bring(verdicts->line, verdicts->epoch, verdicts->id,
		       verdicts->dir, why) < 0)
		return -1;
	return void_put(verdicts->line, verdicts->epoch, verdicts->id, number,
			bytes, n, why);
}

int
verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
	      struct error *why)
{
	char known[ID_BYTES + 1], id[ID_BYTES + 1];
	int64_t common, here = ladder_next_serial(ladder) - 1;

	ladder_untake_serials(ladder, here + 1);
	memcpy(verdicts->id, ladder_id(ladder), sizeof(verdicts->id));
	if (verdicts_find(verdicts, known, why) < 0 ||
	    check_known(verdicts, ladder, known, why) < 0 ||
	    find_last(verdicts, here, &common, id, why) < 0 ||
	    check_last(ladder, common, id, why) < 0)
		return -1;
	if (verdicts->epoch == 0)
		return 0;
	/* First what it began with: who finds its name finds that, too. */
	if (founding_put(verdicts->line, verdicts->epoch, ladder, why) < 0 ||
	    (strcmp(known, verdicts->id) != 0 && make_known(verdicts, why) < 0))
		return -1;
	ladder_log_voids(ladder, keep_void, verdicts);
	verdicts->ladder = ladder;
	return bring_all(verdicts, here, why);
}

/* ---- voids -------------------------------------------------------------- */

int
verdicts_voids(struct verdicts *verdicts, const char *dir,
	       struct void_list *voids, struct error *why)
{
	if (verdicts->dir == NULL)
		verdicts->dir = copied(dir);
	if (verdicts->epoch != 0 && void_bring(verdicts->line, verdicts->epoch,
					       verdicts->id, dir, why) < 0)
		return -1;
	return void_list_read(verdicts->line, verdicts->id, dir, voids, why);
}

/* ---- life --------------------------------------------------------------- */

const struct writer_log *
verdicts_log(const struct verdicts *verdicts)
{
	return &verdicts->log;
}

struct verdicts *
verdicts_new(const struct queue_house *house, const char *name,
	     struct error *why)
{
	struct verdicts *verdicts = zeroed(1, sizeof(*verdicts));

	verdicts->epoch = house->epoch;
	snprintf(verdicts->name, sizeof(verdicts->name), "%s", name);
	verdicts->log = (struct writer_log){ .keep = keep,
					     .missed = missed,
					     .forget = forget,
					     .arg = verdicts };
	verdicts->line = pg_line_new(house->conninfo, "referee verdicts", why);
	if (verdicts->line != NULL)
		return verdicts;
	free(verdicts);
	return NULL;
}

void
verdicts_free(struct verdicts *verdicts)
{
	if (verdicts == NULL)
		return;
	pg_line_free(verdicts->line);
	free(verdicts->dir);
	free(verdicts);
}
