/* referee/queue/verdicts.c - see verdicts.h. */
#include "referee/queue/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/pg.h"
#include "referee/records/log-packs.h"

struct verdicts {
	struct ladder_log log; /* first; the database and the packs together */
	struct ladder_log there; /* the database alone */
	struct ladder_log *here; /* owned; the packs */
	struct pg_line *line;
	int64_t epoch;
	char name[NAME_BYTES + 1];
	char id[ID_BYTES + 1]; /* ID of the ladder, once bound */
};

/* ---- there ------------------------------------------------------------- */

/* Entries on their way to the database. */
struct batch {
	size_t count, bytes;
	int64_t after; /* the database has at least this serial */
	const char *ladder[LADDER_LOG_ENTRIES], *id[LADDER_LOG_ENTRIES];
	int64_t serial[LADDER_LOG_ENTRIES];
	int64_t job[LADDER_LOG_ENTRIES], attempt[LADDER_LOG_ENTRIES];
	unsigned char hash[LADDER_LOG_ENTRIES][RECORD_HASH_BYTES];
	struct pg_piece hashes[LADDER_LOG_ENTRIES], text[LADDER_LOG_ENTRIES],
		asks[LADDER_LOG_ENTRIES];
};

/* Sends a batch.  It may be sent twice: the database skips an entry that it has
 * with this serial and hash.  Entries that it has lost must be sent before. */
static int
send_batch(struct verdicts *verdicts, const struct batch *batch,
	   struct error *why)
{
	const size_t n = batch->count;
	const struct pg_answer *answer;
	unsigned tries = 0;

	do
		answer = pg_line_ask(
			verdicts->line,
			"SELECT referee.add_verdicts($1, $2, $3, "
			"$4, $5, $6, $7, $8, $9) "
			"FROM referee.check_verdicts($10, $11)",
			"iSISIIBBBsi", verdicts->epoch, batch->ladder, n,
			batch->serial, n, batch->id, n, batch->job, n,
			batch->attempt, n, batch->hashes, n, batch->text, n,
			batch->asks, n, verdicts->id, batch->after);
	while (pg_line_again(answer, &tries, VERDICTS_TRIES));
	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

static void
batch_add(struct batch *batch, const char *ladder,
	  const struct log_entry *entry)
{
	const size_t i = batch->count++;
	const struct text *asks = entry->asks;

	batch->ladder[i] = ladder;
	batch->serial[i] = entry->serial;
	batch->id[i] = entry->id;
	batch->job[i] = entry->queue_job;
	batch->attempt[i] = entry->queue_attempt;
	if (entry->game != NULL) /* a pruned record keeps its hash */
		memcpy(batch->hash[i], entry->game->hash, RECORD_HASH_BYTES);
	else
		record_hash_text(entry->text->bytes, entry->text->used,
				 batch->hash[i]);
	batch->hashes[i] = (struct pg_piece){ (const char *)batch->hash[i],
					      RECORD_HASH_BYTES };
	batch->text[i] =
		(struct pg_piece){ entry->text->bytes, entry->text->used };
	batch->asks[i] = (struct pg_piece){ NULL, 0 };
	if (asks != NULL && asks->used > 0)
		batch->asks[i] = (struct pg_piece){ asks->bytes, asks->used };
	batch->bytes += entry->text->used;
}

static struct verdicts *
of_there(struct ladder_log *there)
{
	return ENCLOSING(there, struct verdicts, there);
}

static int
append_there(struct ladder_log *there, struct log_entry *group,
	     struct error *why)
{
	struct verdicts *verdicts = of_there(there);
	struct batch *batch = memory(NULL, sizeof(*batch));
	struct log_entry *first = group;
	int result = 0;

	while (group != NULL && result == 0) {
		batch->count = batch->bytes = 0;
		batch->after = group->serial - 1;
		for (; group != NULL && batch->count < LADDER_LOG_ENTRIES &&
		       batch->bytes < LADDER_LOG_BYTES;
		     group = group->next)
			batch_add(batch, verdicts->id, group);
		result = send_batch(verdicts, batch, why);
		for (; result == 0 && first != group; first = first->next) {
			first->durable = true;
			there->last = first->serial;
		}
	}
	free(batch);
	return result;
}

static const char rows_above[] =
	"SELECT game, record, asks FROM ("
	"SELECT *, sum(octet_length(record)) OVER (ORDER BY serial) AS sum "
	"FROM (SELECT serial, game, record, asks FROM referee.verdict "
	"WHERE ladder = $1 AND serial > $2 ORDER BY serial LIMIT $3) AS rows"
	") AS sums WHERE sum - octet_length(record) < $4 ORDER BY serial";

static int
read_there(struct ladder_log *there, int64_t after, struct log_entry **group,
	   struct error *why)
{
	struct verdicts *verdicts = of_there(there);
	const struct pg_answer *answer = pg_line_ask(
		verdicts->line, rows_above, "siii", verdicts->id, after,
		(int64_t)LADDER_LOG_ENTRIES, (int64_t)LADDER_LOG_BYTES);
	struct log_entry **end = group;
	const char *text, *asks;
	char where[ID_BYTES + 64];
	size_t n, asks_n;

	*group = NULL;
	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	for (unsigned i = 0; i < pg_rows(answer); i++) {
		snprintf(where, sizeof(where),
			 "game %.*s in the queue's database", ID_BYTES,
			 pg_string(answer, i, 0));
		text = pg_bytes(answer, i, 1, &n);
		asks = pg_bytes(answer, i, 2, &asks_n);
		*end = ladder_log_entry(where, text, n, asks, asks_n, why);
		/* The entries before the error are passed on first. */
		if (*end == NULL)
			return *group == NULL ? -1 : 0;
		end = &(*end)->next;
	}
	return 0;
}

static const struct ladder_log_ops there_ops = {
	.append = append_there,
	.read = read_there,
};

/* ---- what a ladder began with ------------------------------------------- */

static int
house_file_put(struct verdicts *verdicts, const char *folder, const char *name,
	       const void *bytes, size_t n, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		verdicts->line,
		"INSERT INTO referee.house_file (name, bytes) "
		"SELECT $2 || '/' || $3, $4 FROM referee.check_epoch($1) "
		"ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes "
		"WHERE $2 <> 'founding'", /* the first one stays */
		"issb", verdicts->epoch, folder, name, bytes, n);

	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

static int
founding_put(struct verdicts *verdicts, struct ladder *ladder,
	     struct error *why)
{
	struct text text = { .max = SIZE_MAX };
	int result = ladder_founding_tell(ladder, &text, why);

	if (result == 0)
		result = house_file_put(verdicts, "founding", verdicts->id,
					text.bytes, text.used, why);
	text_release(&text);
	return result;
}

static int
queue_file_get(struct verdicts *verdicts, const char *folder, const char *name,
	       struct text *to, struct error *why)
{
	const struct pg_answer *answer =
		pg_line_ask(verdicts->line,
			    "SELECT bytes FROM referee.house_file "
			    "WHERE name = $1 || '/' || $2",
			    "ss", folder, name);
	const char *bytes;
	size_t n;

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) == 0)
		return 0;
	bytes = pg_bytes(answer, 0, 0, &n);
	text_add(to, bytes, n);
	return 0;
}

/* ---- which ladder it is ------------------------------------------------ */

/* Finds the ID of the ladder that the database knows by that name; "" if none. */
static int
find_known(struct verdicts *verdicts, char id[ID_BYTES + 1], struct error *why)
{
	struct text text = { .max = SIZE_MAX };
	int result;

	result = queue_file_get(verdicts, "ladder", verdicts->name, &text, why);
	snprintf(id, ID_BYTES + 1, "%s",
		 text.used == ID_BYTES ? text_string(&text) : "");
	text_release(&text);
	return result;
}

int
verdicts_founding(struct verdicts *verdicts, struct text *to, struct error *why)
{
	char id[ID_BYTES + 1];

	if (find_known(verdicts, id, why) < 0)
		return -1;
	return id[0] == '\0'
		       ? 0
		       : queue_file_get(verdicts, "founding", id, to, why);
}

/* Finds where the database's log ends, and checks that the last game there that
 * the ladder has is the same one here. */
static int
look_there(struct verdicts *verdicts, struct ladder *ladder, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		verdicts->line,
		"SELECT every.last, one.serial, one.game FROM "
		"(SELECT coalesce(max(serial), 0) AS last "
		"FROM referee.verdict WHERE ladder = $1) AS every LEFT JOIN "
		"(SELECT serial, game FROM referee.verdict WHERE ladder = $1 "
		"AND serial <= $2 "
		"AND substring(record FROM 1 FOR 6) = 'record' "
		"ORDER BY serial DESC LIMIT 1) AS one ON true",
		"si", verdicts->id, ladder_last(ladder));
	struct ladder_game game;
	char id[ID_BYTES + 1];
	int64_t serial;
	int result;

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	verdicts->there.last = pg_number(answer, 0, 0);
	serial = pg_number(answer, 0, 1); /* 0: there is none */
	snprintf(id, sizeof(id), "%s", pg_string(answer, 0, 2));
	result = serial == 0 ? 0 : ladder_game_find(ladder, id, &game, why);
	if (result < 0 || serial == 0 ||
	    (result == LADDER_FOUND && game.serial == serial))
		return result < 0 ? -1 : 0;
	return error_set(why, ERROR_INPUT,
			 "its games are not those that the queue's database "
			 "has: game %lld is %s there",
			 (long long)serial, id);
}

/* Checks that this ladder may have its name.  A season may replace the ladder
 * that it follows, and any ladder may replace one without games. */
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

/* ---- both -------------------------------------------------------------- */

/* Makes the database and the packs equal.  Entries that only the packs have are
 * from before the queue, or a new database has lost them: all of them are sent
 * before new ones.  Entries that only the database has come in parts. */
static int
bring(struct ladder_log *log, struct error *why)
{
	struct verdicts *verdicts = (struct verdicts *)log;
	struct ladder_log *here = verdicts->here, *there = &verdicts->there;
	int result = look_there(verdicts, log->ladder, why);

	if (result == 0 && verdicts->epoch != 0 &&
	    (result = ladder_log_copy(here, there, why)) < 0)
		error_prefix(why, "cannot bring all to the queue's database: ");
	if (result == 0) {
		log->last = there->last > here->last ? there->last : here->last;
		log->unsure = verdicts->epoch == 0;
		result = ladder_log_copy_some(there, here, why);
	}
	log->here = here->last;
	return result;
}

/* Appends a group to the database, which decides.  Entries that cannot be
 * written to the packs now, and those after them, are copied there later. */
static int
append(struct ladder_log *log, struct log_entry *group, struct error *why)
{
	struct verdicts *verdicts = (struct verdicts *)log;
	struct log_entry *entry;
	struct error ignored;

	/* Goes on even if there is no room here for the entries that bring()
	 * reads. */
	if (log->unsure && bring(log, why) < 0 && log->unsure)
		return -1;
	if (group->serial != log->last + 1)
		return error_set(why, ERROR_MACHINE,
				 "the queue's database has other games by now");
	verdicts->there.last = log->last;
	if (append_there(&verdicts->there, group, why) < 0) {
		log->unsure = true;
		return -1;
	}
	log->last = verdicts->there.last;
	if (verdicts->here->last + 1 == group->serial)
		(void)!verdicts->here->ops->append(verdicts->here, group,
						   &ignored);
	log->here = verdicts->here->last;
	for (entry = group; entry != NULL; entry = entry->next)
		entry->durable = true;
	return 0;
}

static int
drop(struct ladder_log *log, int64_t queue_job, struct error *why)
{
	struct verdicts *verdicts = (struct verdicts *)log;
	const struct pg_answer *answer;
	unsigned tries = 0;

	do
		answer = pg_line_ask(verdicts->line,
				     "SELECT referee.void_job($1, $2, $3)",
				     "iis", verdicts->epoch, queue_job,
				     "the game was aborted");
	while (pg_line_again(answer, &tries, VERDICTS_TRIES));
	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

static void
let_go(struct ladder_log *log)
{
	struct verdicts *verdicts = (struct verdicts *)log;

	pg_line_free(verdicts->line);
	ladder_log_free(verdicts->here);
	free(verdicts);
}

static const struct ladder_log_ops ops = {
	.append = append,
	.read = ladder_log_read, /* from the packs */
	.bring = bring,
	.drop = drop,
	.free = let_go,
};

int
verdicts_bind(struct verdicts *verdicts, struct ladder *ladder, const char *dir,
	      unsigned *count, struct error *why)
{
	char known[ID_BYTES + 1];

	memcpy(verdicts->id, ladder_id(ladder), sizeof(verdicts->id));
	if (find_known(verdicts, known, why) < 0 ||
	    check_known(verdicts, ladder, known, why) < 0 ||
	    look_there(verdicts, ladder, why) < 0 ||
	    log_packs_open(ladder, dir, verdicts->there.last, &verdicts->here,
			   why) < 0 ||
	    ladder_follow(ladder, verdicts->here, NULL, count, why) < 0 ||
	    look_there(verdicts, ladder, why) < 0)
		return -1;
	verdicts->log.ladder = ladder;
	verdicts->log.cut = verdicts->here->cut;
	verdicts->here->cut.copy = NULL;
	verdicts->log.last = verdicts->log.here = verdicts->here->last;
	verdicts->log.unsure = true;
	if (verdicts->epoch == 0)
		return 0;
	/* A name in the database leads there if ladder.db is lost.  So what the
	 * database must have then comes first. */
	if (founding_put(verdicts, ladder, why) < 0 ||
	    bring(&verdicts->log, why) < 0)
		return -1;
	return strcmp(known, verdicts->id) == 0
		       ? 0
		       : house_file_put(verdicts, "ladder", verdicts->name,
					verdicts->id, ID_BYTES, why);
}

struct ladder_log *
verdicts_log(struct verdicts *verdicts)
{
	return &verdicts->log;
}

/* ---- life --------------------------------------------------------------- */

struct verdicts *
verdicts_new(const struct queue_term *term, const char *name, struct error *why)
{
	struct verdicts *verdicts = zeroed(1, sizeof(*verdicts));

	verdicts->epoch = term->epoch;
	snprintf(verdicts->name, sizeof(verdicts->name), "%s", name);
	verdicts->log.ops = &ops;
	verdicts->there.ops = &there_ops;
	verdicts->line = pg_line_new(term->conninfo, "referee verdicts", why);
	if (verdicts->line != NULL)
		return verdicts;
	free(verdicts);
	return NULL;
}
