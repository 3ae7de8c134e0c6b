/* ladder/fit-kept.c - the file FILE.fit-POOL: two lines that say what it is of,
 * a line for each bot, and `end`. */
#include "ladder/fit-kept.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/store-inside.h"
#include "protocol/field.h"

#define KEY_BYTES (256 + FIT_ANCHORS_MAX * (NAME_BYTES + 32))

/* How far a pool has come. */
struct state {
	int64_t games; /* counted once for each seat */
	int64_t print; /* of its ratings and who has them */
};

static int
read_state(struct ladder *ladder, int64_t pool, struct state *state,
	   struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(store_sql(ladder), SQL_POOL_STATE, "i", pool);
	int result = sql_step(store_sql(ladder), stmt, why);

	*state = (struct state){ 0 };
	if (result <= 0)
		return result;
	state->games = sqlite3_column_int64(stmt, 0);
	state->print = sqlite3_column_int64(stmt, 1);
	sqlite3_reset(stmt);
	return 0;
}

/* What a kept fit must be one of. */
static void
write_key(const struct ladder *ladder, int64_t pool,
	  const struct fit_settings *settings, char key[KEY_BYTES])
{
	unsigned i;
	size_t used = (size_t)snprintf(
		key, KEY_BYTES, "fit 3 %s %" PRId64 " prior %.17g",
		ladder_id(ladder), pool, settings->prior);

	for (i = 0; i < settings->anchors; i++)
		used += (size_t)snprintf(key + used, KEY_BYTES - used,
					 " %s=%.17g", settings->anchor[i].name,
					 settings->anchor[i].rating);
}

static void
write_path(const struct ladder *ladder, int64_t pool, const char *more,
	   char path[LADDER_PATH_BYTES])
{
	snprintf(path, LADDER_PATH_BYTES, "%.*s.fit-%" PRId64 "%s",
		 LADDER_PATH_BYTES - 64, store_place(ladder)->file, pool, more);
}

/* ---- writing ---------------------------------------------------------- */

static bool
write_all(FILE *to, const struct fit *fit, const char *key,
	  const struct state *state)
{
	const struct fit_row *row = fit_rows(fit);
	unsigned i;

	fprintf(to, "%s\n%" PRId64 " %" PRId64 " %" PRIu64 " %u\n", key,
		state->games, state->print, fit_games(fit), fit_bots(fit));
	for (i = 0; i < fit_bots(fit); i++)
		fprintf(to, "%s %.17g %.17g %" PRIu64 " %d %d %u %u %u %.17g\n",
			row[i].name, row[i].rating, row[i].sd, row[i].games,
			(int)row[i].mark, row[i].anchored, row[i].set,
			row[i].best, row[i].worst, row[i].los);
	fputs("end\n", to);
	return ferror(to) == 0;
}

/* A file of ours, whatever may lie there. */
static FILE *
open_fresh(const char *path)
{
	FILE *to;
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return NULL;
	to = fdopen(fd, "w");
	if (to == NULL)
		close(fd);
	return to;
}

void
fit_keep(const struct fit *fit, struct ladder *ladder, int64_t pool,
	 const struct fit_settings *settings)
{
	char path[LADDER_PATH_BYTES], fresh[LADDER_PATH_BYTES];
	char key[KEY_BYTES], more[32];
	struct state state;
	struct error why;
	FILE *to;
	bool good;

	if (read_state(ladder, pool, &state, &why) < 0)
		return;
	snprintf(more, sizeof(more), ".%ld.tmp", (long)getpid());
	write_path(ladder, pool, "", path);
	write_path(ladder, pool, more, fresh);
	if ((to = open_fresh(fresh)) == NULL)
		return;
	write_key(ladder, pool, settings, key);
	good = write_all(to, fit, key, &state);
	good = fclose(to) == 0 && good;
	if (!good || rename(fresh, path) != 0)
		unlink(fresh);
}

/* ---- reading ---------------------------------------------------------- */

struct kept_name {
	char text[NAME_BYTES + 1];
};

static bool
read_row(FILE *from, struct fit_row *row, struct kept_name *name)
{
	unsigned mark = 0, anchored = 0;
	char line[512];
	const char *at;

	if (fgets(line, sizeof(line), from) == NULL)
		return false;
	at = field_word(line, name->text, sizeof(name->text));
	at = field_double(at, &row->rating);
	at = field_double(at, &row->sd);
	at = field_number(at, &row->games);
	at = field_unsigned(at, FIT_NOWHERE, &mark);
	at = field_unsigned(at, 1, &anchored);
	at = field_unsigned(at, FIT_KEPT_BOTS_MAX, &row->set);
	at = field_unsigned(at, FIT_KEPT_BOTS_MAX, &row->best);
	at = field_unsigned(at, FIT_KEPT_BOTS_MAX, &row->worst);
	if (field_double(at, &row->los) == NULL)
		return false;
	row->name = name->text;
	row->mark = (enum fit_mark)mark;
	row->anchored = anchored != 0;
	return true;
}

static int
compare_names(const void *left, const void *right, void *arg)
{
	const struct fit_row *row = arg;

	return strcmp(row[*(const unsigned *)left].name,
		      row[*(const unsigned *)right].name);
}

static struct fit_kept *
new_kept(unsigned count)
{
	struct fit_kept *kept = memory(NULL, sizeof(*kept));
	size_t n = count + (size_t)1;

	*kept = (struct fit_kept){
		.count = count,
		.row = memory(NULL, n * sizeof(*kept->row)),
		.name = memory(NULL, n * sizeof(*kept->name)),
		.by_name = memory(NULL, n * sizeof(unsigned))
	};
	memset(kept->row, 0, n * sizeof(*kept->row));
	return kept;
}

/* All rows are there. */
static void
sort_names(struct fit_kept *kept)
{
	unsigned i;

	for (i = 0; i < kept->count; i++)
		kept->by_name[i] = i;
	qsort_r(kept->by_name, kept->count, sizeof(unsigned), compare_names,
		kept->row);
}

const struct fit_row *
fit_kept_find(const struct fit_kept *kept, const char *name)
{
	unsigned low = 0, high = kept->count, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(name, kept->row[kept->by_name[middle]].name);
		if (order == 0)
			return &kept->row[kept->by_name[middle]];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static struct fit_kept *
read_rows(FILE *from, unsigned count)
{
	struct fit_kept *kept = new_kept(count);
	char line[16];
	unsigned i = 0;

	while (i < count && read_row(from, &kept->row[i], &kept->name[i]))
		i++;
	if (i == count && fgets(line, sizeof(line), from) != NULL &&
	    strcmp(line, "end\n") == 0) {
		sort_names(kept);
		return kept;
	}
	fit_kept_free(kept);
	return NULL;
}

/* Of any state, which is then in `state`; NULL: none, or none that is whole. */
static bool
read_size(const char *line, struct state *state, int64_t *games,
	  unsigned *count)
{
	const char *at = field_signed(line, &state->games);

	at = field_signed(at, &state->print);
	at = field_signed(at, games);
	return field_unsigned(at, FIT_KEPT_BOTS_MAX, count) != NULL;
}

static struct fit_kept *
read_kept(const struct ladder *ladder, int64_t pool,
	  const struct fit_settings *settings, struct state *state)
{
	char path[LADDER_PATH_BYTES], key[KEY_BYTES], line[KEY_BYTES];
	struct fit_kept *kept = NULL;
	int64_t games = 0;
	unsigned count;
	FILE *from;

	write_path(ladder, pool, "", path);
	if ((from = fopen(path, "re")) == NULL)
		return NULL;
	write_key(ladder, pool, settings, key);
	if (fgets(line, sizeof(line), from) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, key) == 0 &&
		    fgets(line, sizeof(line), from) != NULL &&
		    read_size(line, state, &games, &count))
			kept = read_rows(from, count);
	}
	fclose(from);
	if (kept != NULL)
		kept->games = games;
	return kept;
}

void
fit_kept_free(struct fit_kept *kept)
{
	if (kept == NULL)
		return;
	free(kept->row);
	free(kept->name);
	free(kept->by_name);
	free(kept);
}

/* ---- fitting ---------------------------------------------------------- */

void
fit_defaults(struct fit_settings *settings, bool daemon)
{
	*settings = (struct fit_settings){ .prior = FIT_PRIOR };
	if (!daemon)
		return;
	settings->anchors = 1;
	snprintf(settings->anchor[0].name, sizeof(settings->anchor[0].name),
		 "%s", FIT_DAEMON_ANCHOR);
	settings->anchor[0].rating = FIT_DAEMON_RATING;
}

int
fit_settle(struct fit *fit, const struct fit_settings *settings,
	   struct error *why)
{
	unsigned i, bot;

	for (i = 0; i < settings->anchors; i++)
		if (fit_find(fit, settings->anchor[i].name, &bot))
			fit_anchor(fit, bot, settings->anchor[i].rating);
	return fit_solve(fit, settings->prior, why);
}

int
fit_pool(struct ladder *ladder, int64_t pool,
	 const struct fit_settings *settings, const char *since,
	 struct fit **fit, struct error *why)
{
	*fit = fit_new();
	if (fit_add_pool(*fit, ladder, pool, since, why) == 0 &&
	    fit_settle(*fit, settings, why) == 0)
		return 0;
	fit_free(*fit);
	*fit = NULL;
	return -1;
}

/* The same without the games. */
static struct fit_kept *
copy_fit(const struct fit *fit)
{
	struct fit_kept *kept = new_kept(fit_bots(fit));
	unsigned i;

	kept->games = (int64_t)fit_games(fit);
	for (i = 0; i < kept->count; i++) {
		kept->row[i] = fit_rows(fit)[i];
		snprintf(kept->name[i].text, sizeof(kept->name[i].text), "%s",
			 kept->row[i].name);
		kept->row[i].name = kept->name[i].text;
	}
	sort_names(kept);
	return kept;
}

/* Whether it does, with the pool as it is now. */
static bool
holds(const struct fit_kept *kept, const struct state *then,
      const struct state *now)
{
	if (then->games == now->games)
		return then->print == now->print;
	return now->games > then->games && kept->games >= FIT_STALE_GAMES &&
	       now->games - then->games <= then->games / 100;
}

/* How many came since, of so many at that time. */
static int64_t
came_since(const struct fit_kept *kept, const struct state *then,
	   const struct state *now)
{
	return then->games > 0 && now->games > then->games
		       ? (int64_t)((double)(now->games - then->games) *
					   (double)kept->games /
					   (double)then->games +
				   0.5)
		       : 0;
}

int
fit_recall(struct ladder *ladder, int64_t pool,
	   const struct fit_settings *settings, struct fit_kept **kept,
	   struct error *why)
{
	struct state then, now;
	struct fit *fit;

	*kept = NULL;
	if (read_state(ladder, pool, &now, why) < 0)
		return -1;
	*kept = read_kept(ladder, pool, settings, &then);
	if (*kept != NULL && holds(*kept, &then, &now)) {
		(*kept)->since = came_since(*kept, &then, &now);
		return 0;
	}
	fit_kept_free(*kept);
	*kept = NULL;
	if (fit_pool(ladder, pool, settings, NULL, &fit, why) < 0)
		return -1;
	*kept = copy_fit(fit);
	if (fit_games(fit) >= FIT_KEEP_GAMES)
		fit_keep(fit, ladder, pool, settings);
	fit_free(fit);
	return 0;
}

struct fit_kept *
fit_recall_any(struct ladder *ladder, int64_t pool,
	       const struct fit_settings *settings)
{
	struct state then, now;
	struct error why;
	struct fit_kept *kept;

	if (read_state(ladder, pool, &now, &why) < 0)
		return NULL;
	kept = read_kept(ladder, pool, settings, &then);
	if (kept != NULL)
		kept->since = came_since(kept, &then, &now);
	return kept;
}
