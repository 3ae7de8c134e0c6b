/* tests/unit/ladder-kit.c */
#include "tests/unit/ladder-kit.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char kit_dir[256];

/* The descriptions that kit_describe() has returned. */
static struct described {
	struct described *next;
	char *text; /* owned */
} * described;

const char *
kit_pathf(const char *format, ...)
{
	static char path[4][512];
	static unsigned next;
	char *to = path[next++ % 4];
	const int n = snprintf(to, sizeof(path[0]), "%s/", kit_dir);
	va_list ap;

	va_start(ap, format);
	vsnprintf(to + n, sizeof(path[0]) - (size_t)n, format, ap);
	va_end(ap);
	return to;
}

const char *
kit_path(const char *name)
{
	return kit_pathf("%s", name);
}

bool
kit_is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

void
kit_expect_error(enum error_kind found, enum error_kind wanted,
		 const struct error *why, const char *part, const char *call)
{
	cr_assert_eq(found, wanted, "%s: kind %d, \"%s\"", call, (int)found,
		     why->text);
	cr_assert_not_null(strstr(why->text, part), "%s: \"%s\" lacks \"%s\"",
			   call, why->text, part);
}

void
kit_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(kit_dir, sizeof(kit_dir), "%s/ladder-XXXXXX",
		 tmp ? tmp : "/tmp");
	cr_assert_not_null(mkdtemp(kit_dir));
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
}

void
kit_remove(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[1024];

	while (dir && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 && unlink(name) != 0)
			kit_remove(name);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

void
kit_end(void)
{
	struct described *next;

	for (; described != NULL; described = next) {
		next = described->next;
		free(described->text);
		free(described);
	}
	kit_remove(kit_dir);
	cr_assert_not(kit_is_there(kit_dir));
}

uint32_t
kit_random(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

/* ---- games ------------------------------------------------------------ */

static const char *const bots[] = { "ada", "bob", "cyd", "dee",
				    "eve", "fay", "gus", "hal" };

void
kit_game(uint32_t number, int64_t serial, struct ladder_game *game)
{
	uint32_t state = number * 2654435761u + 1, first;
	unsigned i, j;

	*game = (struct ladder_game){ .serial = serial,
				      .seats = 2 + number % 3 };
	snprintf(game->id, sizeof(game->id), "%032" PRIx32, number);
	snprintf(game->game, sizeof(game->game), "toepen");
	snprintf(game->options, sizeof(game->options), "points=10 joker=no");
	snprintf(game->ended, sizeof(game->ended), "2026-11-21T09:00:%02uZ",
		 number % 60);
	game->arrival = number % 3 == 0;
	first = kit_random(&state, NELEM(bots));
	for (i = 0; i < game->seats; i++) {
		snprintf(game->seat[i].bot, sizeof(game->seat[i].bot), "%s",
			 bots[(first + i) % NELEM(bots)]);
		game->seat[i].points = (long)kit_random(&state, 4) - 1;
	}
	if (number % 4 == 1)
		game->seat[number / 4 % game->seats]
			.faults[FAULT_TIMEOUT + number / 8 % 4] =
			1 + number % 3;
	for (i = 0; i < game->seats; i++) {
		game->seat[i].place = 1;
		for (j = 0; j < game->seats; j++)
			game->seat[i].place +=
				game->seat[j].points > game->seat[i].points;
	}
}

static void add(char *text, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void
add(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, size - used, fmt, ap);
	va_end(ap);
}

void
kit_record_text(const struct ladder_game *game, const char *ladder, char *text,
		size_t size)
{
	enum fault fault;
	unsigned i, n;

	text[0] = '\0';
	add(text, size, "record 1\nid %s\ngame %s\nseats %u\n", game->id,
	    game->game, game->seats);
	add(text, size, "option points 10\noption joker no\n");
	for (i = 0; i < game->seats; i++)
		add(text, size, "bot %u %s\n", i, game->seat[i].bot);
	add(text, size, "open %s\n", game->arrival ? "arrival" : "priority");
	if (ladder)
		add(text, size, "ladder %s\nserial %" PRId64 "\n", ladder,
		    game->serial);
	add(text, size, "broken 0 crash\nended %s\n\n", game->ended);
	add(text, size, "move 0 knock ; 12 ms\n");
	for (i = 0; i < game->seats; i++)
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			for (n = 0; n < game->seat[i].faults[fault]; n++)
				add(text, size, "fault %u %s ; why\n", i,
				    fault_name(fault));
	for (i = 0; i < game->seats; i++)
		add(text, size, "result %u %d %ld\n", i, game->seat[i].place,
		    game->seat[i].points);
}

void
kit_hash(struct ladder_game *game, const char *ladder)
{
	char text[2048];

	kit_record_text(game, ladder, text, sizeof(text));
	record_hash_text(text, strlen(text), game->hash);
}

bool
kit_write_record(const struct ladder_game *game, const char *ladder, int stop)
{
	char name[LADDER_FILE_BYTES], text[2048], path[1024], half[1032];
	size_t n;
	FILE *file;
	bool done;

	ladder_file_name(ENTRY_GAME, game->serial, game->id, name);
	snprintf(path, sizeof(path), "%s/records/%s", kit_dir, name);
	snprintf(half, sizeof(half), "%s.tmp", path);
	kit_record_text(game, ladder, text, sizeof(text));
	n = strlen(text) / (stop == 1 ? 2 : 1);
	file = fopen(half, "we");
	if (file == NULL)
		return false;
	done = fwrite(text, 1, n, file) == n;
	done = fclose(file) == 0 && done;
	return done && (stop > 0 || rename(half, path) == 0);
}

void
kit_write_records(const struct ladder *ladder, uint32_t from, uint32_t to)
{
	struct ladder_game game;

	for (; from <= to; from++) {
		kit_game(from, from, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
}

const char *
kit_record_path(uint32_t number, int64_t serial)
{
	char name[LADDER_FILE_BYTES];
	struct ladder_game game;

	kit_game(number, serial, &game);
	ladder_file_name(ENTRY_GAME, serial, game.id, name);
	return kit_pathf("records/%s", name);
}

unsigned
kit_count_records(void)
{
	DIR *dir = opendir(kit_path("records"));
	struct dirent *entry;
	unsigned count = 0;

	cr_assert_not_null(dir);
	while ((entry = readdir(dir)))
		count += strstr(entry->d_name, ".rec") != NULL &&
			 strstr(entry->d_name, ".tmp") == NULL;
	closedir(dir);
	return count;
}

void
kit_void(int64_t serial, uint32_t number, const char *ladder,
	 char name[LADDER_FILE_BYTES], struct text *text)
{
	char id[ID_BYTES + 1];

	snprintf(id, sizeof(id), "f%031" PRIx64, (uint64_t)serial);
	ladder_file_name(ENTRY_VOID, serial, id, name);
	text_fmt(text,
		 "void 1\nid %s\nladder %s\nserial %" PRId64
		 "\ndate 2026-11-21T09:00:00Z\nwhy a reason\n"
		 "game %" PRIu32 " %032" PRIx32 "\nend\n",
		 id, ladder, serial, number, number);
}

/* ---- files ------------------------------------------------------------ */

bool
kit_file_equals(const char *path, const char *bytes, size_t n)
{
	char *found = malloc(n + 1);
	FILE *file = fopen(path, "re");
	bool equal;

	cr_assert(found && file, "%s", path);
	equal = fread(found, 1, n + 1, file) == n &&
		memcmp(found, bytes, n) == 0;
	fclose(file);
	free(found);
	return equal;
}

void
kit_write_file(const char *path, const char *bytes, size_t n)
{
	FILE *file = fopen(path, "we");

	cr_assert_not_null(file);
	cr_assert_eq(fwrite(bytes, 1, n, file), n);
	cr_assert_eq(fclose(file), 0);
}

/* ---- ladders ---------------------------------------------------------- */

struct ladder *
kit_open(int64_t *folder)
{
	struct error why = { 0 };
	struct ladder *ladder;

	OK(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why));
	OK(ladder_folder(ladder, kit_path("records"), folder, &why));
	return ladder;
}

int
kit_try_rate(struct ladder *ladder, struct ladder_game *game, unsigned n,
	     struct error *why)
{
	struct log_entry *entry = zeroed(n, sizeof(*entry));
	struct ladder_log *log = ladder_log_memory(ladder);
	unsigned i, count = 0;
	int result;

	for (i = 0; i < n; i++) {
		entry[i] = (struct log_entry){ .serial = log->last + 1 + i,
					       .id = game[i].id,
					       .folder = game[i].folder,
					       .game = &game[i] };
		if (i > 0)
			entry[i - 1].next = &entry[i];
	}
	result = log->ops->append(log, entry, why);
	if (result == 0)
		result = ladder_follow(ladder, log, entry, &count, why);
	ladder_log_free(log);
	free(entry);
	return result;
}

void
kit_rate(struct ladder *ladder, struct ladder_game *game, unsigned n)
{
	struct error why = { 0 };

	cr_assert_eq(kit_try_rate(ladder, game, n, &why), 0, "%s", why.text);
}

struct ladder_log *
kit_log(struct ladder *ladder)
{
	struct error why = { 0 };
	struct ladder_log *log;

	cr_assert_eq(ladder_log_files(ladder, kit_path("records"), &log, &why),
		     0, "%s", why.text);
	return log;
}

void
kit_set(struct ladder *ladder, int64_t k_milli, int64_t start_milli)
{
	struct ladder_log *log = kit_log(ladder);
	struct error why = { 0 };

	cr_assert_eq(ladder_set(ladder, log, k_milli, start_milli, &why), 0,
		     "%s", why.text);
	ladder_log_free(log);
}

void
kit_founding(const char *dir, const char *id)
{
	struct text text = { .max = 1024 };
	struct error why = { 0 };

	text_fmt(&text,
		 "ladder 1\nid %s\nladder %s\nserial 0\n"
		 "date 2026-11-21T09:00:00Z\nrating-k 16\nrating-start 1500\n"
		 "end\n",
		 id, id);
	cr_assert_eq(ladder_founding_keep(&text, dir, &why), 0, "%s", why.text);
	text_release(&text);
}

int
kit_try_follow(struct ladder *ladder, unsigned *count, struct error *why)
{
	struct ladder_log *log;
	int result = ladder_log_files(ladder, kit_path("records"), &log, why);

	*count = 0;
	if (result == 0)
		result = ladder_follow(ladder, log, NULL, count, why);
	ladder_log_free(log);
	return result;
}

unsigned
kit_follow(struct ladder *ladder)
{
	struct error why = { 0 };
	unsigned count;

	cr_assert_eq(kit_try_follow(ladder, &count, &why), 0, "%s", why.text);
	return count;
}

void
kit_execute(const char *path, const char *sql)
{
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
		     sqlite3_errmsg(db));
	cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

struct describe {
	struct ladder *ladder;
	FILE *to;
};

static void
describe_standing(void *arg, const struct ladder_standing *standing)
{
	struct describe *describe = arg;

	fprintf(describe->to,
		"%u %s %" PRId64 " games %" PRId64 " wins %" PRId64
		" places %" PRId64 " halves %" PRId64 " entered %" PRId64
		" faults %d %d %d %d\n",
		standing->rank, standing->bot, standing->rating_milli,
		standing->games, standing->wins, standing->places,
		standing->halves, standing->entered,
		(int)standing->faults[FAULT_TIMEOUT],
		(int)standing->faults[FAULT_ILLEGAL],
		(int)standing->faults[FAULT_PROTOCOL],
		(int)standing->faults[FAULT_CRASH]);
}

static void
describe_pool(void *arg, const struct ladder_pool *pool)
{
	struct describe *describe = arg;
	struct error why = { 0 };

	fprintf(describe->to, "pool %s %s %u %d\n", pool->game, pool->options,
		pool->seats, pool->arrival);
	cr_assert_eq(ladder_standings(describe->ladder, pool->number,
				      describe_standing, describe, &why),
		     0, "%s", why.text);
}

static void
describe_game(void *arg, const struct ladder_game *game)
{
	struct describe *describe = arg;
	unsigned i;

	fprintf(describe->to, "game %" PRId64 " %s %s %d:", game->serial,
		game->id, game->ended, game->arrival);
	if (game->void_number > 0)
		fprintf(describe->to, " void %" PRId64 " (%s)",
			game->void_number, game->void_why);
	for (i = 0; i < game->seats; i++)
		fprintf(describe->to, " %s %d %ld %" PRId64 " %+" PRId64,
			game->seat[i].bot, game->seat[i].place,
			game->seat[i].points, game->seat[i].before_milli,
			game->seat[i].delta_milli);
	fputc('\n', describe->to);
}

const char *
kit_describe(struct ladder *ladder)
{
	struct described *made = zeroed(1, sizeof(*made));
	struct error why = { 0 };
	struct describe describe = { .ladder = ladder };
	size_t n;

	made->next = described;
	described = made;
	describe.to = open_memstream(&made->text, &n);
	cr_assert_not_null(describe.to);
	cr_assert_eq(ladder_pools(ladder, describe_pool, &describe, &why), 0,
		     "%s", why.text);
	cr_assert_eq(
		ladder_games(ladder, NULL, 0, describe_game, &describe, &why),
		0, "%s", why.text);
	fclose(describe.to);
	return made->text;
}

void
kit_expect(struct ladder *ladder, const char *wanted)
{
	cr_assert_str_eq(kit_describe(ladder), wanted);
}
