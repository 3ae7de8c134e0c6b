/* ladder/fit-kept.c - see fit-kept.h.
 *
 * The file has the layout of this machine's memory.  A file of another machine,
 * or of another build with other structs, is not valid, and is made again. */
#include "ladder/fit-kept.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/store-inside.h"
#include "protocol/file.h"

#define HASH_BYTES 32
#define ANCHORS_HASH_BYTES 16

/* The state of a pool: how far it has come, and what it is fitted with. */
struct state {
	int64_t games; /* counted once for each seat */
	int64_t print; /* a checksum of its ratings and their bots; after add_ranks()
			* also of who has no rank */
	unsigned char anchors[ANCHORS_HASH_BYTES];
};

static void
sum_of(const void *bytes, size_t n, unsigned char *sum, size_t sum_bytes)
{
	crypto_generichash(sum, sum_bytes, bytes, n, NULL, 0);
}

static int
read_state(struct ladder *ladder, int64_t pool, struct state *state,
	   struct error *why)
{
	struct ladder_anchors anchors;
	int result = ladder_anchors(ladder, &anchors, why);

	*state = (struct state){ 0 };
	if (result < 0)
		return result;
	sum_of(&anchors, sizeof(anchors), state->anchors,
	       sizeof(state->anchors));
	result = sql_row(&ladder->sql, why,
			 "SELECT sum(games), sum(milli % 1000003 * bot) FROM "
			 "rating WHERE pool = ?",
			 "i", pool, "ii", &state->games, &state->print);
	return result < 0 ? result : 0;
}

static void
add_unranked(void *arg, const struct ladder_standing *standing)
{
	if (standing->rank == 0)
		text_fmt(arg, "%s ", standing->bot);
}

/* Bots lose ranks and get them back without a game. */
static int
add_ranks(struct ladder *ladder, int64_t pool, struct state *state,
	  struct error *why)
{
	struct text text = { .max = SIZE_MAX };
	unsigned char sum[HASH_BYTES];
	int64_t first;
	int result = ladder_standings(ladder, pool, add_unranked, &text, why);

	sum_of(text.bytes, text.used, sum, sizeof(sum));
	memcpy(&first, sum, sizeof(first));
	state->print ^= first;
	text_release(&text);
	return result;
}

/* Computes the sum that says which pool of which ladder a kept fit belongs to. */
static void
sum_of_key(const struct ladder *ladder, int64_t pool,
	   unsigned char sum[HASH_BYTES])
{
	char key[ID_BYTES + 64];

	snprintf(key, sizeof(key), "fit 7 %s %" PRId64, ladder_id(ladder),
		 pool);
	sum_of(key, strlen(key), sum, HASH_BYTES);
}

static void
write_path(const struct ladder *ladder, int64_t pool,
	   char path[LADDER_PATH_BYTES])
{
	snprintf(path, LADDER_PATH_BYTES, "%.*s.fit-%" PRId64,
		 LADDER_PATH_BYTES - 64, ladder->place.file, pool);
}

/* ---- the file --------------------------------------------------------- */

#define BOT_BYTES (sizeof(struct fit_row) + NAME_BYTES + 1)
#define KEPT_BOTS_MAX 1000000

/* The beginning of the file.  `count` rows, whose names are NULL, and as many
 * names follow. */
struct kept_head {
	unsigned char sum[HASH_BYTES]; /* sum of everything behind it */
	unsigned char key[HASH_BYTES]; /* from sum_of_key() */
	struct state state;
	uint64_t games, count;
	double lead, lead_low;
};

_Static_assert(sizeof(struct fit_row) == 64,
	       "no padding: the same fit gives the same file");

/* Compares the first two bots, unless one has no rank, or they have no end. */
static void
compare_leaders(const struct fit *fit, double *lead, double *low)
{
	const struct fit_row *row = fit_rows(fit);
	struct fit_difference difference;

	*lead = *low = 0;
	if (fit_bots(fit) < 2 || row[0].best == 0 || row[1].best == 0)
		return;
	difference = fit_compare(fit, row[0].bot, row[1].bot);
	if (!difference.compared || !isfinite(difference.low))
		return;
	*lead = difference.points;
	*low = difference.low;
}

void
fit_keep(const struct fit *fit, struct ladder *ladder, int64_t pool)
{
	struct kept_head head = { .games = fit_games(fit),
				  .count = fit_bots(fit) };
	struct text text = { .max = SIZE_MAX };
	char path[LADDER_PATH_BYTES], more[32], name[NAME_BYTES + 1];
	struct fit_row row;
	struct error why;

	if (read_state(ladder, pool, &head.state, &why) < 0 ||
	    add_ranks(ladder, pool, &head.state, &why) < 0)
		return;
	sum_of_key(ladder, pool, head.key);
	compare_leaders(fit, &head.lead, &head.lead_low);
	text_add(&text, &head, sizeof(head));
	for (unsigned i = 0; i < head.count; i++) {
		row = fit_rows(fit)[i];
		row.name = NULL;
		text_add(&text, &row, sizeof(row));
	}
	for (unsigned i = 0; i < head.count; i++) {
		memset(name, 0, sizeof(name));
		snprintf(name, sizeof(name), "%s", fit_rows(fit)[i].name);
		text_add(&text, name, sizeof(name));
	}
	sum_of(text.bytes + HASH_BYTES, text.used - HASH_BYTES, head.sum,
	       HASH_BYTES);
	memcpy(text.bytes, head.sum, HASH_BYTES);
	write_path(ladder, pool, path);
	snprintf(more, sizeof(more), ".%ld.tmp", (long)getpid());
	(void)!file_replace(path, more, 0, text.bytes, text.used);
	text_release(&text);
}

/* ---- in memory -------------------------------------------------------- */

static int
compare_rows(const void *left, const void *right)
{
	const struct fit_row *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

/* Copies the rows, except for the names, which the caller fills in. */
static struct fit_kept *
new_kept(const void *rows, size_t count, uint64_t games)
{
	struct fit_kept *kept = zeroed(1, sizeof(*kept));

	kept->count = (unsigned)count;
	kept->games = (int64_t)games;
	kept->row = zeroed(count + 1, sizeof(*kept->row));
	kept->name = zeroed(count + 1, sizeof(*kept->name));
	kept->by_name = zeroed(count + 1, sizeof(const struct fit_row *));
	memcpy(kept->row, rows, count * sizeof(*kept->row));
	for (size_t i = 0; i < count; i++)
		kept->by_name[i] = &kept->row[i];
	return kept;
}

/* Sets the names of the rows and sorts them, once kept->name is filled in. */
static void
sort_names(struct fit_kept *kept)
{
	for (unsigned i = 0; i < kept->count; i++)
		kept->row[i].name = kept->name[i];
	qsort(kept->by_name, kept->count, sizeof(*kept->by_name), compare_rows);
}

const struct fit_row *
fit_kept_find(const struct fit_kept *kept, const char *name)
{
	const struct fit_row wanted = { .name = name }, *key = &wanted;
	const struct fit_row *const *found =
		bsearch(&key, kept->by_name, kept->count,
			sizeof(*kept->by_name), compare_rows);

	return found == NULL ? NULL : *found;
}

/* Returns NULL if the text is damaged, or does not belong to `key`. */
static struct fit_kept *
take_kept(const struct text *text, const unsigned char key[HASH_BYTES],
	  struct state *state)
{
	unsigned char sum[HASH_BYTES];
	struct fit_kept *kept;
	struct kept_head head;
	const char *rows;

	if (text->used < sizeof(head))
		return NULL;
	rows = text->bytes + sizeof(head);
	memcpy(&head, text->bytes, sizeof(head));
	sum_of(text->bytes + HASH_BYTES, text->used - HASH_BYTES, sum,
	       HASH_BYTES);
	if (memcmp(head.sum, sum, HASH_BYTES) != 0 ||
	    memcmp(head.key, key, HASH_BYTES) != 0 ||
	    head.count > KEPT_BOTS_MAX ||
	    text->used != sizeof(head) + head.count * BOT_BYTES)
		return NULL;
	kept = new_kept(rows, head.count, head.games);
	memcpy(kept->name, rows + head.count * sizeof(struct fit_row),
	       head.count * sizeof(*kept->name));
	for (unsigned i = 0; i < head.count; i++)
		kept->name[i][NAME_BYTES] = '\0';
	sort_names(kept);
	kept->lead = head.lead;
	kept->lead_low = head.lead_low;
	*state = head.state;
	return kept;
}

/* Returns the kept fit whatever its state, and sets `*state` to that.  Returns
 * NULL if there is no valid one. */
static struct fit_kept *
read_kept(const struct ladder *ladder, int64_t pool, struct state *state)
{
	struct text text = { .max = sizeof(struct kept_head) +
				    KEPT_BOTS_MAX * BOT_BYTES };
	unsigned char key[HASH_BYTES];
	char path[LADDER_PATH_BYTES];
	struct fit_kept *kept = NULL;

	write_path(ladder, pool, path);
	sum_of_key(ladder, pool, key);
	if (file_load_regular(path, &text) == 0)
		kept = take_kept(&text, key, state);
	text_release(&text);
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

int
fit_settings_of(struct ladder *ladder, struct fit_settings *settings,
		struct error *why)
{
	*settings = (struct fit_settings)FIT_DEFAULTS;
	return ladder_anchors(ladder, &settings->anchors, why);
}

int
fit_settle(struct fit *fit, const struct fit_settings *settings,
	   struct error *why)
{
	const struct ladder_anchor *at = settings->anchors.at;
	unsigned bot;

	for (unsigned i = 0; i < settings->anchors.count; i++)
		if (fit_find(fit, at[i].bot, &bot))
			fit_anchor(fit, bot, (double)at[i].milli / 1000);
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

/* Returns the results of a fit, without its games. */
static struct fit_kept *
copy_fit(const struct fit *fit)
{
	struct fit_kept *kept =
		new_kept(fit_rows(fit), fit_bots(fit), fit_games(fit));

	for (unsigned i = 0; i < kept->count; i++)
		snprintf(kept->name[i], sizeof(kept->name[i]), "%s",
			 kept->row[i].name);
	sort_names(kept);
	compare_leaders(fit, &kept->lead, &kept->lead_low);
	return kept;
}

/* Returns true if the kept fit will do for the present state of the pool. */
static bool
holds(const struct fit_kept *kept, const struct state *then,
      const struct state *now)
{
	if (memcmp(then->anchors, now->anchors, sizeof(now->anchors)) != 0)
		return false;
	if (then->games == now->games)
		return then->print == now->print;
	return now->games > then->games && kept->games >= FIT_STALE_GAMES &&
	       now->games - then->games <= then->games / 100;
}

/* Returns how many games have come since, scaled from seats to games. */
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
fit_recall(struct ladder *ladder, int64_t pool, struct fit_kept **kept,
	   struct error *why)
{
	struct fit_settings settings;
	struct state then, now;
	struct fit *fit;

	*kept = NULL;
	if (read_state(ladder, pool, &now, why) < 0 ||
	    add_ranks(ladder, pool, &now, why) < 0)
		return -1;
	*kept = read_kept(ladder, pool, &then);
	if (*kept != NULL && holds(*kept, &then, &now)) {
		(*kept)->since = came_since(*kept, &then, &now);
		return 0;
	}
	fit_kept_free(*kept);
	*kept = NULL;
	if (fit_settings_of(ladder, &settings, why) < 0 ||
	    fit_pool(ladder, pool, &settings, NULL, &fit, why) < 0)
		return -1;
	*kept = copy_fit(fit);
	if (fit_games(fit) >= FIT_KEEP_GAMES)
		fit_keep(fit, ladder, pool);
	fit_free(fit);
	return 0;
}

struct fit_kept *
fit_recall_any(struct ladder *ladder, int64_t pool)
{
	struct state then, now;
	struct error why;
	struct fit_kept *kept;

	if (read_state(ladder, pool, &now, &why) < 0)
		return NULL;
	kept = read_kept(ladder, pool, &then);
	if (kept != NULL)
		kept->since = came_since(kept, &then, &now);
	return kept;
}
