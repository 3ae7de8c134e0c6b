/* referee/queue/registry.c - see registry.h. */
#include "referee/queue/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "referee/data/data-folder.h"
#include "referee/import/incoming.h"
#include "referee/import/pack.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/bot-keep.h"
#include "referee/queue/pg.h"
#include "referee/queue/schema.h"
#include "referee/queue/seal.h"

#define MARK_FORMAT "house %s state %" PRId64 "\n"
#define LOOK_MS 200 /* looks this often at `*stop` while a bot is built */

struct registry {
	struct pg_line *line;
	char *data; /* owned */
	int64_t epoch;
	enum sandbox_want want;
	enum sandbox_tier minimum;
	struct seal_key key;
	/* The database's roster when it was last read. */
	char id[REGISTRY_ID_BYTES];
	int64_t state; /* 0: none, or it must be read from its beginning */
	struct text image;
	unsigned char sealed[SEAL_ROSTER_KEY_BYTES];
	size_t sealed_n;
	int64_t here; /* the state of the folder */
	bool marked;  /* the folder is marked as a copy of this database */
};

/* ---- the folder --------------------------------------------------------- */

static bool
path_of(const char *data, const char *name, char path[LADDER_PATH_BYTES])
{
	return snprintf(path, LADDER_PATH_BYTES, "%s/%s", data, name) <
	       LADDER_PATH_BYTES;
}

void
registry_holder(char name[REGISTRY_HOLDER_BYTES])
{
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(name, REGISTRY_HOLDER_BYTES, "%s process %ld", host,
		 (long)getpid());
}

int
registry_leave(const char *data, struct error *why)
{
	char path[LADDER_PATH_BYTES];

	if (!path_of(data, DATA_FOLDER_COPY, path) || unlink(path) == 0 ||
	    errno == ENOENT)
		return 0;
	return path_error(why, ERROR_MACHINE, "remove", path);
}

/* Parses the words of MARK_FORMAT. */
static bool
parse_mark(char *line, char id[REGISTRY_ID_BYTES], int64_t *state)
{
	char *word[4] = { NULL }, *end;
	unsigned n = 0;

	line[strcspn(line, "\n")] = '\0';
	while (n < NELEM(word) && line != NULL)
		word[n++] = strsep(&line, " ");
	if (n < NELEM(word) || line != NULL || strlen(word[1]) == 0 ||
	    strlen(word[1]) >= REGISTRY_ID_BYTES || *word[3] == '\0')
		return false;
	memcpy(id, word[1], strlen(word[1]) + 1);
	errno = 0;
	*state = strtoll(word[3], &end, 10);
	return errno == 0 && *end == '\0' && *state >= 0;
}

/* Reads the mark; `id` becomes "" if there is none. */
static int
read_mark(const struct registry *registry, char id[REGISTRY_ID_BYTES],
	  int64_t *state, struct error *why)
{
	char path[LADDER_PATH_BYTES];
	struct text text = { .max = LADDER_PATH_BYTES };
	int result = 0;

	id[0] = '\0';
	*state = 0;
	if (!path_of(registry->data, DATA_FOLDER_COPY, path) ||
	    access(path, F_OK) < 0)
		return 0;
	if (file_load(path, &text) < 0)
		result = path_error(why, ERROR_MACHINE, "read", path);
	else if (text.used == 0 ||
		 !parse_mark((char *)(uintptr_t)text_string(&text), id, state))
		result =
			error_set(why, ERROR_INPUT,
				  "%.300s is damaged: remove it, roster.db and "
				  "roster.key, which come back from the "
				  "queue's database",
				  path);
	text_release(&text);
	return result;
}

static int
write_mark(struct registry *registry, int64_t state, struct error *why)
{
	char path[LADDER_PATH_BYTES];
	char *text = formatted(MARK_FORMAT, registry->id, state);
	int result = -1;

	if (path_of(registry->data, DATA_FOLDER_COPY, path))
		result = file_replace(path, ".new", 0, text, strlen(text));
	free(text);
	if (result < 0)
		return path_error(why, ERROR_MACHINE, "write", path);
	registry->here = state;
	registry->marked = true;
	return 0;
}

/* Marks the folder with state 0, by which the next start recognizes a copy that
 * was cut off. */
static int
begin_mark(struct registry *registry, struct error *why)
{
	return registry->marked ? 0 : write_mark(registry, 0, why);
}

static bool
has_roster(const struct registry *registry)
{
	char path[LADDER_PATH_BYTES];

	return path_of(registry->data, ROSTER_DB, path) &&
	       access(path, F_OK) == 0;
}

/* ---- what the database has ---------------------------------------------- */

static int
damaged(struct registry *registry, struct error *why)
{
	registry->state = 0;
	return error_set(why, ERROR_INPUT,
			 "the roster in the queue's database is damaged");
}

/* Takes the pages of an answer, which has a row for each page that is newer
 * than ours, or one row without a page. */
static int
take_pages(struct registry *registry, const struct pg_answer *answer,
	   struct error *why)
{
	const int64_t size = pg_number(answer, 0, 2);
	const char *bytes;
	int64_t page;
	size_t n, at;

	if (size < 0 || size > ROSTER_IMAGE_BYTES)
		return damaged(registry, why);
	while (registry->image.used < (size_t)size)
		text_add(&registry->image, "", 1);
	registry->image.used = (size_t)size;
	for (unsigned i = 0; i < pg_rows(answer); i++) {
		if (pg_null(answer, i, 4))
			continue;
		page = pg_number(answer, i, 4);
		bytes = pg_bytes(answer, i, 5, &n);
		if (page < 0 || page > ROSTER_IMAGE_BYTES / REGISTRY_PAGE_BYTES)
			return damaged(registry, why);
		at = (size_t)page * REGISTRY_PAGE_BYTES;
		if (at + n > (size_t)size)
			return damaged(registry, why);
		memcpy(registry->image.bytes + at, bytes, n);
	}
	return 0;
}

static int
look(struct registry *registry, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		registry->line,
		"SELECT r.house, r.state, r.size, r.key, p.page, p.bytes "
		"FROM referee.roster r LEFT JOIN referee.roster_page p "
		"ON p.state > $1",
		"i", registry->state);
	const char *bytes;
	int64_t state;
	size_t n;

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) == 0)
		return error_set(why, ERROR_INPUT,
				 "the queue is not whole; run `referee queue "
				 "init`");
	state = pg_number(answer, 0, 1);
	if (state < registry->state) { /* restored from a backup */
		registry->state = 0;
		return look(registry, why);
	}
	snprintf(registry->id, sizeof(registry->id), "%s",
		 pg_string(answer, 0, 0));
	bytes = pg_bytes(answer, 0, 3, &n);
	registry->sealed_n = n <= sizeof(registry->sealed) ? n : 0;
	memcpy(registry->sealed, bytes, registry->sealed_n);
	if (take_pages(registry, answer, why) < 0)
		return -1;
	registry->state = state;
	return 0;
}

/* ---- into the folder ---------------------------------------------------- */

/* Returns true if our key opens the database's roster key and that is `key`. */
static bool
has_key(const struct registry *registry, const unsigned char *key)
{
	unsigned char there[ROSTER_KEY_BYTES];
	bool has = unseal_roster_key(&registry->key, registry->sealed,
				     registry->sealed_n, there) &&
		   memcmp(there, key, sizeof(there)) == 0;

	explicit_bzero(there, sizeof(there));
	return has;
}

/* Returns true if the folder has a roster whose first copy from or to the
 * database is not whole. */
static bool
is_half_copied(const struct registry *registry)
{
	char path[LADDER_PATH_BYTES];
	struct text key = { .max = LADDER_PATH_BYTES };
	bool is;

	if (!registry->marked || registry->here > 0 ||
	    !path_of(registry->data, ROSTER_KEY, path))
		return false;
	is = file_load(path, &key) == 0 && key.used == ROSTER_KEY_BYTES &&
	     has_key(registry, (const unsigned char *)key.bytes);
	explicit_bzero(key.bytes, key.used);
	text_release(&key);
	return is;
}

/* Sets `*older` to true if the folder's roster must be replaced. */
static int
is_older(struct registry *registry, bool *older, struct error *why)
{
	char id[REGISTRY_ID_BYTES];

	if (read_mark(registry, id, &registry->here, why) < 0)
		return -1;
	registry->marked = strcmp(id, registry->id) == 0;
	if (!registry->marked)
		registry->here = 0;
	*older = registry->state > 0 &&
		 (!has_roster(registry) || is_half_copied(registry));
	if (*older || registry->state == 0)
		return 0;
	if (registry->here == 0)
		return error_set(
			why, ERROR_INPUT,
			"%.200s has a roster of its own, which is not "
			"the one in the queue's database: move " ROSTER_DB
			" and " ROSTER_KEY " away, and the other comes "
			"in their place",
			registry->data);
	*older = registry->here < registry->state;
	return 0;
}

int
registry_bring(struct registry *registry, bool *changed, struct error *why)
{
	unsigned char key[ROSTER_KEY_BYTES];
	bool older;
	int result;

	*changed = false;
	if (look(registry, why) < 0 || is_older(registry, &older, why) < 0)
		return -1;
	if (!older)
		return 0;
	if (!unseal_roster_key(&registry->key, registry->sealed,
			       registry->sealed_n, key))
		return error_set(why, ERROR_INPUT,
				 "the roster in the queue's database is sealed "
				 "with another key: queue-key must name the "
				 "file with that one");
	if (begin_mark(registry, why) < 0) {
		explicit_bzero(key, sizeof(key));
		return -1;
	}
	result = roster_install(registry->data, registry->image.bytes,
				registry->image.used, key, why);
	explicit_bzero(key, sizeof(key));
	if (result < 0 || write_mark(registry, registry->state, why) < 0)
		return -1;
	*changed = true;
	return 0;
}

int64_t
registry_state(const struct registry *registry)
{
	return registry->here;
}

/* ---- and there ---------------------------------------------------------- */

struct change {
	int64_t *page;
	struct pg_piece *piece;
	size_t count;
};

static void
compare(const struct registry *registry, const char *image, size_t n,
	struct change *change)
{
	const struct text *before = &registry->image;
	const size_t most = n / REGISTRY_PAGE_BYTES + 1;
	size_t bytes;

	change->count = 0;
	change->page = memory(NULL, most * sizeof(*change->page));
	change->piece = memory(NULL, most * sizeof(*change->piece));
	for (size_t at = 0; at < n; at += REGISTRY_PAGE_BYTES) {
		bytes = n - at < REGISTRY_PAGE_BYTES ? n - at
						     : REGISTRY_PAGE_BYTES;
		if (registry->state > 0 && at + bytes <= before->used &&
		    memcmp(before->bytes + at, image + at, bytes) == 0)
			continue;
		change->page[change->count] =
			(int64_t)(at / REGISTRY_PAGE_BYTES);
		change->piece[change->count++] =
			(struct pg_piece){ image + at, bytes };
	}
}

/* Sends the changed pages.  Sets `*forgotten` to true if the database has
 * another roster than the compared one. */
static int
send_pages(struct registry *registry, const struct change *change,
	   int64_t state, size_t n, bool *forgotten, struct error *why)
{
	const struct pg_answer *answer;
	unsigned tries = 0;

	if (begin_mark(registry, why) < 0)
		return -1;

	do
		answer = pg_line_ask(
			registry->line,
			"SELECT referee.put_roster($1, $2, $3, $4, $5, $6, $7, "
			"$8)",
			"iiiibIBi", registry->epoch, registry->state, state,
			(int64_t)n, registry->sealed, registry->sealed_n,
			change->page, change->count, change->piece,
			change->count, (int64_t)REGISTRY_PAGE_BYTES);
	while (pg_line_again(answer, &tries, REGISTRY_TRIES));
	*forgotten = answer->outcome == PG_REFUSED &&
		     strcmp(answer->state, QUEUE_OTHER) == 0;
	return answer->outcome == PG_DONE ? 0 : pg_failed(answer, why);
}

/* Notes that the database has this roster now, as `state`. */
static int
note(struct registry *registry, const char *image, size_t n, int64_t state,
     struct error *why)
{
	text_clear(&registry->image);
	text_add(&registry->image, image, n);
	registry->state = state;
	return write_mark(registry, state, why);
}

static int
put(struct registry *registry, const void *image, size_t n,
    const unsigned char key[ROSTER_KEY_BYTES], bool *forgotten,
    struct error *why)
{
	struct change change;
	int64_t state;
	bool stands;
	int result;

	if (registry->state == 0 && look(registry, why) < 0)
		return -1;
	stands = has_key(registry, key);
	compare(registry, image, n, &change);
	/* The folder may be ahead of a restored database. */
	state = (registry->here > registry->state ? registry->here
						  : registry->state) +
		1;
	if (change.count == 0 && stands && n == registry->image.used) {
		result = registry->here == registry->state
				 ? 0
				 : write_mark(registry, registry->state, why);
	} else {
		if (!stands) {
			seal_roster_key(&registry->key, key, registry->sealed);
			registry->sealed_n = SEAL_ROSTER_KEY_BYTES;
		}
		result =
			send_pages(registry, &change, state, n, forgotten, why);
		if (result == 0)
			result = note(registry, image, n, state, why);
		else
			registry->state =
				0; /* the write may have happened all the
					   * same */
	}
	free(change.page);
	free(change.piece);
	return result;
}

int
registry_put(struct registry *registry, const void *image, size_t n,
	     const unsigned char key[ROSTER_KEY_BYTES], struct error *why)
{
	bool forgotten = false;

	if (put(registry, image, n, key, &forgotten, why) == 0)
		return 0;
	return forgotten ? put(registry, image, n, key, &forgotten, why) : -1;
}

void
registry_look_again(struct registry *registry)
{
	registry->state = 0;
}

/* ---- bots --------------------------------------------------------------- */

int
registry_put_bot(struct registry *registry, const char *hash, const char *name,
		 struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		registry->line, "SELECT 1 FROM referee.bot WHERE hash = $1",
		"s", hash);
	struct text pack = { .max = BOT_PACK_BYTES };
	int result;

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) > 0)
		return 0;
	result = import_pack(registry->data, hash, &pack, why);
	if (result < 0) {
		why->kind = ERROR_INPUT;
	} else {
		answer = pg_line_ask(
			registry->line,
			"INSERT INTO referee.bot (hash, name, archive) "
			"SELECT $2, $3, $4 FROM referee.check_epoch($1) "
			"ON CONFLICT (hash) DO NOTHING",
			"issb", registry->epoch, hash, name, pack.bytes,
			pack.used);
		if (answer->outcome != PG_DONE)
			result = pg_failed(answer, why);
	}
	text_release(&pack);
	return result;
}

/* Fetches the archive into a file in memory.  Returns its descriptor, or -1. */
static int
fetch(struct registry *registry, const char *hash, struct error *why)
{
	const struct pg_answer *answer;
	const char *bytes;
	int64_t size, at = 0;
	size_t n;
	int fd = memfd_create("bot", MFD_CLOEXEC);

	if (fd < 0)
		return error_set(why, ERROR_MACHINE,
				 "this machine has no memory for a bot: %m");
	do {
		answer = pg_line_ask(
			registry->line,
			"SELECT size, bytes FROM referee.fetch_bot($1, $2, $3)",
			"sii", hash, at, (int64_t)BOT_PIECE_BYTES);
		if (answer->outcome != PG_DONE) {
			pg_failed(answer, why);
			break;
		}
		if (pg_rows(answer) == 0) {
			error_set(why, ERROR_INPUT,
				  "the queue's database has no bot %.16s",
				  hash);
			break;
		}
		size = pg_number(answer, 0, 0);
		bytes = pg_bytes(answer, 0, 1, &n);
		if (n == 0 || size > BOT_PACK_BYTES ||
		    file_write(fd, bytes, n) < 0) {
			error_set(why, ERROR_MACHINE,
				  "this machine has no memory for a bot, or "
				  "its archive is damaged");
			break;
		}
		at += (int64_t)n;
		if (at >= size) {
			(void)!lseek(fd, 0, SEEK_SET);
			return fd;
		}
	} while (true);
	close(fd);
	return -1;
}

int
registry_bring_bot(struct registry *registry, const char *hash,
		   const atomic_bool *stop, struct error *why)
{
	char path[IMPORT_PATH_BYTES];
	struct subprocess *process;
	struct subprocess_end *end;
	int pack, result = 0;

	import_path(registry->data, hash, "", path);
	if (access(path, F_OK) == 0)
		return 0;
	pack = fetch(registry, hash, why);
	if (pack < 0)
		return -1;
	process = bot_keep_start(registry->data, hash, registry->want,
				 registry->minimum, pack);
	close(pack);
	if (process == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot start the process that builds it: %m");
	do
		end = subprocess_wait(process, -1, LOOK_MS);
	while (end == NULL && !atomic_load(stop));
	if (end == NULL || end->how != SUBPROCESS_ENDED || end->status != 0)
		result = error_set(why, ERROR_MACHINE, "%s",
				   end != NULL && end->output.used > 0
					   ? text_string(&end->output)
					   : "its build was ended");
	subprocess_free(process);
	return result;
}

/* ---- who follows -------------------------------------------------------- */

int
registry_tell(struct registry *registry, const char *follower,
	      const char *const ladder[], const int64_t serial[], size_t n,
	      const char *cannot, int64_t *behind, double *behind_s,
	      struct error *why)
{
	const struct pg_answer *answer =
		pg_line_ask(registry->line,
			    "SELECT behind, behind_s "
			    "FROM referee.tell_following($1, $2, $3, $4, $5)",
			    "sSIis", follower, ladder, n, serial, n,
			    registry->here, cannot);

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	*behind = pg_number(answer, 0, 0);
	*behind_s = pg_real(answer, 0, 1);
	return 0;
}

/* ---- life --------------------------------------------------------------- */

struct registry *
registry_new(const struct queue_term *queue, const struct config *config,
	     struct error *why)
{
	struct registry *registry = zeroed(1, sizeof(*registry));

	registry->data = copied(config->data);
	registry->epoch = queue->epoch;
	registry->want = config->sandbox;
	registry->minimum = config->sandbox_minimum;
	text_init(&registry->image, ROSTER_IMAGE_BYTES);
	if (seal_key_load(config->queue_key, &registry->key, why) == 0)
		registry->line =
			pg_line_new(queue->conninfo, "referee house", why);
	if (registry->line != NULL)
		return registry;
	registry_free(registry);
	return NULL;
}

void
registry_free(struct registry *registry)
{
	if (registry == NULL)
		return;
	pg_line_free(registry->line);
	text_release(&registry->image);
	seal_key_forget(&registry->key);
	free(registry->data);
	free(registry);
}
