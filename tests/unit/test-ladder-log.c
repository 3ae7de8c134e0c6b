/* tests/unit/test-ladder-log.c - each kind of log keeps the promises of
 * ladder/log.h. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/asks.h"
#include "referee/records/log-packs.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"

#define LADDER "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"
#define MADE_MAX 600

TestSuite(ladder_log, .init = kit_begin, .fini = kit_end);

static struct error why;

/* ---- logs -------------------------------------------------------------- */

enum kind { FILES, PACKS, MEMORY, KINDS };

static const char *const kind_name[] = { "files", "packs", "memory" };

/* Holds a log and the ladder that follows it. */
struct world {
	enum kind kind;
	struct ladder *ladder;
	struct ladder_log *log;
	int64_t folder;
	bool in_many; /* its entries may lie in other folders, too */
};

static void
open_log(struct world *world, const char *dir)
{
	int result = 0;

	if (world->kind == FILES)
		result = ladder_log_files(world->ladder, kit_path(dir),
					  &world->log, &why);
	else if (world->kind == PACKS)
		result = log_packs_open(world->ladder, kit_path(dir), 0,
					&world->log, &why);
	else
		world->log = ladder_log_memory(world->ladder);
	cr_assert_eq(result, 0, "%s", why.text);
	world->folder = 0;
	if (world->kind != MEMORY)
		cr_assert_eq(ladder_folder(world->ladder, kit_path(dir),
					   &world->folder, &why),
			     0);
}

/* Begins a new ladder, always LADDER, and its log in this folder, which may
 * exist. */
static struct world
begin(enum kind kind, const char *name, const char *dir)
{
	struct world world = { .kind = kind };
	char file[64];

	(void)mkdir(kit_path(dir), 0755);
	snprintf(file, sizeof(file), "%s.db", name);
	(void)mkdir(kit_pathf("%s.records", file), 0755);
	kit_founding(kit_pathf("%s.records", file), LADDER);
	OK(ladder_open(kit_path(file), LADDER_WRITE, &world.ladder, &why));
	open_log(&world, dir);
	return world;
}

/* Does that in a folder that is called like the kind. */
static struct world
begin_own(enum kind kind)
{
	return begin(kind, kind_name[kind], kind_name[kind]);
}

static void
end(struct world *world)
{
	ladder_log_free(world->log);
	ladder_close(world->ladder);
}

static void
open_again(struct world *world, const char *dir)
{
	ladder_log_free(world->log);
	open_log(world, dir);
}

static unsigned
follow(struct world *world, struct log_entry *known)
{
	unsigned count = 0;

	cr_assert_eq(
		ladder_follow(world->ladder, world->log, known, &count, &why),
		0, "%s: %s", kind_name[world->kind], why.text);
	return count;
}

/* ---- entries ----------------------------------------------------------- */

static struct made {
	struct log_entry entry;
	struct ladder_game game;
	char id[ID_BYTES + 1];
	char name[LADDER_FILE_BYTES];
	struct text text, asks;
} made[MADE_MAX + 1]; /* by serial */

static void
forget_made(int64_t serial)
{
	text_release(&made[serial].text);
	text_release(&made[serial].asks);
	made[serial] = (struct made){ .text = { .max = RECORD_BYTES },
				      .asks = { .max = ASKS_BYTES } };
}

/* Makes this game with this many more bytes, and with asks if its serial is
 * even. */
static void
make_long(int64_t serial, uint32_t number, size_t bytes)
{
	struct made *one = &made[serial];
	char text[8192], *body;

	forget_made(serial);
	kit_game(number, serial, &one->game);
	kit_record_text(&one->game, LADDER, text, sizeof(text));
	body = strstr(text, "\n\n") + 2;
	text_add(&one->text, text, (size_t)(body - text));
	while (one->text.used < bytes)
		text_str(&one->text, "note ; this is a long comment\n");
	text_str(&one->text, body);
	record_hash_text(one->text.bytes, one->text.used, one->game.hash);
	if (serial % 2 == 0)
		text_fmt(&one->asks, "asks of %" PRIu32 "\n", number);
	memcpy(one->id, one->game.id, sizeof(one->id));
	ladder_file_name(ENTRY_GAME, serial, one->id, one->name);
	one->entry =
		(struct log_entry){ .serial = serial,
				    .id = one->id,
				    .text = &one->text,
				    .asks = serial % 2 == 0 ? &one->asks : NULL,
				    .path = one->id,
				    .game = &one->game };
}

static void
make_game(int64_t serial, uint32_t number)
{
	make_long(serial, number, 0);
}

static void
make_void(int64_t serial, uint32_t number)
{
	struct made *one = &made[serial];

	forget_made(serial);
	kit_void(serial, number, LADDER, one->name, &one->text);
	snprintf(one->id, sizeof(one->id), "%s", strchr(one->name, '-') + 1);
	one->entry = (struct log_entry){ .serial = serial,
					 .id = one->id,
					 .text = &one->text,
					 .path = one->id,
					 .kind = ENTRY_VOID };
}

/* All of them but the third are games; that is a void of one that does not come. */
static void
make(int64_t last)
{
	int64_t serial;

	for (serial = 1; serial <= last; serial++)
		make_game(serial, (uint32_t)serial);
	if (last >= 3)
		make_void(3, MADE_MAX + 1);
}

static struct log_entry *
group_of(int64_t first, int64_t last)
{
	int64_t serial;

	for (serial = first; serial <= last; serial++) {
		made[serial].entry.next =
			serial < last ? &made[serial + 1].entry : NULL;
		made[serial].entry.durable = false;
		made[serial].entry.folder = 0;
	}
	return &made[first].entry;
}

static struct log_entry *
append(struct world *world, int64_t first, int64_t last)
{
	struct log_entry *group = group_of(first, last), *entry;

	cr_assert_eq(world->log->ops->append(world->log, group, &why), 0,
		     "%s: %s", kind_name[world->kind], why.text);
	for (entry = group; entry != NULL; entry = entry->next) {
		cr_expect(entry->durable);
		cr_expect_eq(entry->folder, world->folder);
	}
	cr_expect_eq(world->log->last, last);
	cr_expect_eq(world->log->here, last);
	return group;
}

/* Expects the append to fail, or to succeed only up to `last`. */
static void
append_fails(struct world *world, int64_t first, int64_t to, int64_t last)
{
	struct log_entry *entry = group_of(first, to);

	FAILS(world->log->ops->append(world->log, entry, &why), ERROR_MACHINE,
	      "");
	for (; entry != NULL; entry = entry->next)
		cr_expect_eq(entry->durable, entry->serial <= last,
			     "%s: %" PRId64, kind_name[world->kind],
			     entry->serial);
	cr_expect_eq(world->log->last, last);
	cr_expect_eq(world->log->here, last);
}

static bool
is_text(const struct text *one, const struct text *other)
{
	if (one == NULL || other == NULL)
		return one == other;
	return one->used == other->used &&
	       memcmp(one->bytes, other->bytes, one->used) == 0;
}

/* Expects the entry as it was made. */
static void
expect_entry(struct world *world, struct log_entry *entry)
{
	const struct made *one = &made[entry->serial];

	cr_assert(entry->serial > 0 && entry->serial <= MADE_MAX);
	cr_expect_str_eq(entry->id, one->id);
	cr_expect_eq(entry->kind, one->entry.kind);
	cr_expect_eq(entry->game == NULL, entry->kind == ENTRY_VOID);
	if (entry->game != NULL) {
		cr_expect_eq(entry->game->serial, entry->serial);
		cr_expect_eq(entry->game->seats, one->game.seats);
		cr_expect_eq(memcmp(entry->game->hash, one->game.hash,
				    RECORD_HASH_BYTES),
			     0);
	}
	if (!world->in_many)
		cr_expect_eq(entry->folder, world->folder);
	OK(ladder_log_load(world->log, entry, &why));
	cr_expect(is_text(entry->text, &one->text), "%" PRId64, entry->serial);
	cr_expect(is_text(entry->asks, one->entry.asks), "%" PRId64,
		  entry->serial);
}

/* Expects the log to give all entries above `after` up to `last`, once each, in
 * groups. */
static void
expect_read(struct world *world, int64_t after, int64_t last)
{
	struct log_entry *group, *entry;
	unsigned count;

	do {
		OK(world->log->ops->read(world->log, after, &group, &why));
		count = 0;
		for (entry = group; entry != NULL; entry = entry->next) {
			cr_assert_eq(entry->serial, ++after, "%s",
				     kind_name[world->kind]);
			expect_entry(world, entry);
			count++;
		}
		cr_expect_leq(count, LADDER_LOG_ENTRIES);
		ladder_log_forget(group);
	} while (count > 0);
	cr_expect_eq(after, last, "%s", kind_name[world->kind]);
}

/* Counts the files beside the founding. */
static unsigned
count_files(const char *dir)
{
	DIR *open = opendir(kit_path(dir));
	struct dirent *entry;
	unsigned count = 0;

	cr_assert_not_null(open);
	while ((entry = readdir(open)) != NULL)
		count += entry->d_name[0] != '.' &&
			 strstr(entry->d_name, ".ladder") == NULL;
	closedir(open);
	return count;
}

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* ---- appending and reading --------------------------------------------- */

Test(ladder_log, what_was_appended_is_read_from_any_serial)
{
	make(9);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		struct world world = begin_own(kind);

		expect_read(&world, 0, 0);
		append(&world, 1, 7);
		for (int64_t after = 0; after <= 7; after++)
			expect_read(&world, after, 7);
		append(&world, 8, 8);
		expect_read(&world, 7, 8);
		append(&world, 9, 9);
		expect_read(&world, 4, 9);
		end(&world);
	}
}

Test(ladder_log, a_machine_that_cannot_read_is_no_fault_of_an_entry)
{
	struct world world = begin(FILES, "poor", "poor");
	struct rlimit before, none;
	struct log_entry *group;

	make(1);
	append(&world, 1, 1);
	cr_assert_eq(world.log->ops->read(world.log, 0, &group, &why), 0);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	FAILS(ladder_log_load(world.log, group, &why), ERROR_MACHINE, "");
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	cr_assert_eq(unlink(group->path), 0);
	FAILS(ladder_log_load(world.log, group, &why), ERROR_INPUT, "");
	ladder_log_forget(group);
	end(&world);
}

/* A log in memory gives nothing later: an entry that is not followed at once is
 * gone. */
Test(ladder_log, memory_gives_nothing)
{
	struct world world = begin(MEMORY, "memory", "records");

	make(3);
	append(&world, 1, 3);
	expect_read(&world, 3, 3);
	for (int64_t after = 0; after < 3; after++) {
		struct log_entry *group = &made[1].entry;

		cr_assert_eq(
			world.log->ops->read(world.log, after, &group, &why),
			0);
		cr_expect_null(group);
	}
	end(&world);
}

/* There are more entries than are given at once, and than one pack has. */
Test(ladder_log, many_are_read_in_groups)
{
	struct log_entry *group;
	int64_t last = LADDER_LOG_ENTRIES + 9;

	make(MADE_MAX);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		struct world world = begin_own(kind);

		append(&world, 1, last);
		expect_read(&world, 0, last);
		expect_read(&world, 260, last);
		/* Reading goes on after the last entry that was read. */
		cr_assert_eq(world.log->ops->read(world.log, 0, &group, &why),
			     0);
		ladder_log_forget(group);
		expect_read(&world, 100, last);
		end(&world);
		last = MADE_MAX;
	}
}

/* One log has files, and then one has packs. */
Test(ladder_log, of_two_kinds)
{
	struct world world = begin(FILES, "files", "records");

	make(9);
	append(&world, 1, 3);
	world.kind = PACKS;
	open_again(&world, "records");
	append(&world, 4, 7);
	world.kind = FILES;
	open_again(&world, "records");
	append(&world, 8, 9);
	expect_read(&world, 0, 9);
	expect_read(&world, 5, 9);
	end(&world);
}

/* ---- what does not belong to it ----------------------------------------- */

static void
write_others(void)
{
	char name[LADDER_FILE_BYTES];
	struct text text = { .max = 1024 };
	struct ladder_game game;

	for (uint32_t i = 1; i <= 20; i++) {
		kit_game(1000 + i, i, &game);
		cr_assert(kit_write_record(&game, OTHER, 0));
	}
	for (int64_t serial = 2; serial < 30; serial += 9) {
		text_clear(&text);
		kit_void(serial, 1001, OTHER, name, &text);
		kit_write_file(kit_pathf("records/%s", name), text.bytes,
			       text.used);
	}
	text_release(&text);
}

Test(ladder_log, entries_of_another_ladder_are_passed_over)
{
	make(9);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		struct world world = begin(kind, kind_name[kind], "records");

		append(&world, 1, 4);
		cr_expect_eq(follow(&world, NULL), 3);
		write_others();
		append(&world, 5, 6);
		open_again(&world, "records");
		cr_expect_eq(world.log->last, 6);
		append(&world, 7, 9);
		expect_read(&world, 0, 9);
		expect_read(&world, 4, 9);
		cr_expect_eq(follow(&world, NULL), 5);
		cr_expect_eq(ladder_last(world.ladder), 9);
		end(&world);
		kit_end();
		kit_begin();
	}
}

/* Links what lies in the folder into another one. */
static void
link_all(const char *from, const char *to)
{
	DIR *dir = opendir(kit_path(from));
	struct dirent *entry;
	char path[512];

	cr_assert(dir != NULL && mkdir(kit_path(to), 0755) == 0);
	while ((entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", to, entry->d_name);
		if (entry->d_name[0] != '.')
			cr_assert_eq(linkat(dirfd(dir), entry->d_name, -1,
					    kit_path(path), 0),
				     0);
	}
	closedir(dir);
}

/* A user has copied the files. */
Test(ladder_log, what_lies_in_two_folders_is_given_once)
{
	/* One is the last of those that are given at once. */
	const int64_t last = LADDER_LOG_ENTRIES + 1;

	make(last);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		struct world world = begin_own(kind);
		char copy[16];
		int64_t other;

		append(&world, 1, last);
		world.in_many = true;
		snprintf(copy, sizeof(copy), "%s-too", kind_name[kind]);
		link_all(kind_name[kind], copy);
		cr_assert_eq(ladder_folder(world.ladder, kit_path(copy), &other,
					   &why),
			     0);
		expect_read(&world, 0, last);
		expect_read(&world, last - 1, last);
		cr_expect_eq(follow(&world, NULL), (unsigned)last - 1);
		end(&world);
	}
}

Test(ladder_log, what_does_not_hold_is_no_entry)
{
	static const char *const bad[] = {
		"",
		"void 1",
		"void 2\n",
		"void 1\n",
		"void 1\nid a\nladder b\nserial 0\ndate c\nwhy d\n",
		"void 1\nid a b\nladder b\nserial 1\ndate c\nwhy d\n",
		"void 1\nid a\nladder b\nserial 1\ndate c\nwhy \n",
		"void 1\nid a\nladder b\nserial 1\n"
		"date 2026-11-21T09:00:00Z\nwhy d\ngame 1 a\n",
		"record 1\nid a\ngame toepen\nseats 2\nbot 0 a\nbot 1 b\n\n"
		"result 0 1 0\nresult 1 2 0\n",
		"record 1\nserial 1\n\n",
	};
	struct log_entry *entry;
	size_t i;

	for (i = 0; i < NELEM(bad); i++) {
		why.kind = ERROR_NONE;
		cr_expect_null(ladder_log_entry("here", bad[i], strlen(bad[i]),
						NULL, 0, &why),
			       "%s", bad[i]);
		cr_expect_eq(why.kind, ERROR_INPUT, "%s", bad[i]);
		cr_expect_eq(strncmp(why.text, "here: ", 6), 0, "%s", why.text);
	}
	make(3);
	for (i = 2; i <= 3; i++) {
		entry = ladder_log_entry("here", made[i].text.bytes,
					 made[i].text.used, made[i].asks.bytes,
					 made[i].asks.used, &why);
		cr_assert_not_null(entry, "%s", why.text);
		cr_expect_eq(entry->serial, (int64_t)i);
		cr_expect_str_eq(entry->id, made[i].id);
		cr_expect_str_eq(entry->path, "here");
		cr_expect_eq(entry->kind == ENTRY_VOID, i == 3);
		cr_expect(is_text(entry->text, &made[i].text));
		cr_expect(is_text(entry->asks, made[i].entry.asks));
		ladder_log_forget(entry);
	}
}

/* ---- following ----------------------------------------------------------- */

/* Expects the ladder to be what the first call found. */
static void
expect_alike(struct world *world, const char **text)
{
	if (*text == NULL)
		*text = kit_describe(world->ladder);
	kit_expect(world->ladder, *text);
}

/* This holds for each log, and however the ladder follows it. */
Test(ladder_log, all_lead_to_the_same_ladder)
{
	struct world world, later;
	const char *text = NULL;

	make(20);
	for (enum kind kind = 0; kind < KINDS; kind++) {
		world = begin_own(kind);
		cr_expect_eq(follow(&world, append(&world, 1, 1)), 1);
		cr_expect_eq(follow(&world, append(&world, 2, 10)), 8);
		cr_expect_eq(follow(&world, append(&world, 11, 20)), 10);
		cr_expect_eq(follow(&world, NULL), 0);
		cr_expect_eq(ladder_last(world.ladder), 20);
		cr_expect_neq(made[20].game.seat[0].before_milli, 0,
			      "a known game gets its ratings");
		expect_alike(&world, &text);
		end(&world);
		if (kind == MEMORY)
			break;
		/* A ladder that was lost. */
		later = begin(kind, "later", kind_name[kind]);
		cr_expect_eq(later.log->last, 20);
		cr_expect_eq(follow(&later, NULL), 19);
		expect_alike(&later, &text);
		end(&later);
		cr_assert_eq(unlink(kit_path("later.db")), 0);
	}
}

/* A group that is appended while the ladder is behind still gets its ratings. */
Test(ladder_log, what_is_known_is_told_of)
{
	struct ladder_game twin;
	struct log_entry *entry;
	struct world world;

	for (enum kind kind = 0; kind < MEMORY; kind++) {
		make(12);
		make_game(11, 2); /* once more */
		world = begin_own(kind);
		append(&world, 1, 6);
		entry = append(&world, 7, 12);
		cr_expect_eq(follow(&world, entry), 10);
		for (; entry != NULL; entry = entry->next) {
			cr_expect_eq(entry->twin, entry->serial == 11);
			cr_expect_gt(entry->game->seat[0].before_milli, 0);
		}
		cr_assert_eq(
			ladder_game_find(world.ladder, made[2].id, &twin, &why),
			LADDER_FOUND);
		cr_expect_eq(twin.serial, 2);
		cr_expect_eq(made[11].game.seat[0].delta_milli,
			     twin.seat[0].delta_milli);
		end(&world);
	}
}

/* A voided game does not count, however the ladder reads the void. */
Test(ladder_log, a_void_in_the_middle)
{
	struct world world;
	const char *text = NULL;
	char name[16];
	unsigned way;

	make(6);
	make_void(3, 1);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		for (way = 0; way < 4; way++) {
			snprintf(name, sizeof(name), "%s-%u", kind_name[kind],
				 way);
			world = begin(kind, name, name);
			if (way == 0) {
				follow(&world, append(&world, 1, 6));
				cr_expect_gt(made[6].game.seat[0].before_milli,
					     0);
			} else if (way == 1) {
				follow(&world, append(&world, 1, 2));
				follow(&world, append(&world, 3, 3));
				follow(&world, append(&world, 4, 6));
			} else if (way == 2) {
				append(&world, 1, 6);
				follow(&world, NULL);
			} else {
				follow(&world, append(&world, 1, 2));
				append(&world, 3, 6);
				open_again(&world, name);
				follow(&world, NULL);
			}
			cr_expect_eq(ladder_last(world.ladder), 6);
			expect_alike(&world, &text);
			cr_expect_not_null(strstr(text, " void 3 (a reason)"));
			end(&world);
		}
	}
}

/* ---- copying ------------------------------------------------------------- */

Test(ladder_log, a_copy_has_the_same_entries)
{
	const int64_t last = LADDER_LOG_ENTRIES + 9;
	struct world packs, files, back;
	const char *text = NULL;

	make(last);
	packs = begin(PACKS, "packs", "packs");
	files = begin(FILES, "files", "files");
	back = begin(PACKS, "back", "back");
	cr_assert_eq(ladder_log_copy(packs.log, files.log, &why), 0);
	append(&packs, 1, 9);
	OK(ladder_log_copy(packs.log, files.log, &why));
	cr_expect_eq(files.log->last, 9);
	append(&packs, 10, last);
	OK(ladder_log_copy(packs.log, files.log, &why));
	OK(ladder_log_copy(files.log, back.log, &why));
	cr_expect(files.log->here == last && back.log->here == last);
	expect_read(&files, 0, last);
	expect_read(&back, 0, last);
	follow(&packs, NULL);
	follow(&files, NULL);
	follow(&back, NULL);
	expect_alike(&packs, &text);
	expect_alike(&files, &text);
	expect_alike(&back, &text);
	end(&packs);
	end(&files);
	end(&back);
}

/* It goes on where it was left. */
Test(ladder_log, a_copy_that_does_not_fit)
{
	struct world files, packs;

	make(12);
	make_long(7, 7, 200000);
	files = begin(FILES, "files", "files");
	packs = begin(PACKS, "packs", "packs");
	append(&packs, 1, 6);
	append(&packs, 7, 12);
	limit_files(150000);
	cr_expect_eq(ladder_log_copy(packs.log, files.log, &why), -1);
	cr_expect_eq(files.log->last, 6);
	limit_files(RLIM_INFINITY);
	OK(ladder_log_copy(packs.log, files.log, &why));
	cr_expect_eq(files.log->last, 12);
	cr_expect_eq(count_files("files"), 12 + 6);
	end(&files);
	end(&packs);
}

/* ---- what fails ----------------------------------------------------------- */

/* If each entry has a file, those before it are durable; in a pack none of the
 * group is. */
Test(ladder_log, an_entry_that_does_not_fit)
{
	struct world world;

	make(9);
	make_long(7, 7, 200000);
	for (enum kind kind = 0; kind < MEMORY; kind++) {
		world = begin_own(kind);
		append(&world, 1, 4);
		limit_files(150000);
		append_fails(&world, 5, 9, kind == FILES ? 6 : 4);
		TELLS(strerror(EFBIG));
		append_fails(&world, world.log->last + 1, 9,
			     kind == FILES ? 6 : 4);
		limit_files(RLIM_INFINITY);
		append(&world, world.log->last + 1, 9);
		end(&world);
	}
}

/* Nothing is durable or counts later, and another entry gets the serial, but
 * only when the failed ones are certainly gone. */
Test(ladder_log, a_folder_that_does_not_sync)
{
	char path[LADDER_FILE_BYTES + 16];
	struct world world;

	for (enum kind kind = 0; kind < MEMORY; kind++) {
		make(3);
		world = begin_own(kind);
		disk_fail_folders(kit_path("."), NULL);
		append_fails(&world, 1, 3, 0);
		TELLS(strerror(EIO));
		cr_expect_eq(count_files(kind_name[kind]), 0);
		/* Not even a name that is taken is met. */
		snprintf(path, sizeof(path), "files/%s", made[1].name);
		if (kind == FILES)
			kit_write_file(kit_path(path), "mine", 4);
		append_fails(&world, 1, 3, 0);
		TELLS(strerror(EIO));
		(void)unlink(kit_path(path));
		cr_expect_eq(count_files(kind_name[kind]), 0);
		cr_expect_eq(follow(&world, group_of(1, 3)), 0);
		disk_leave();
		make_game(1, 11);
		make_game(2, 12);
		append(&world, 1, 3);
		expect_read(&world, 0, 3);
		end(&world);
	}
}

/* It counts, and so do those before it: there are no holes. */
Test(ladder_log, a_name_that_does_not_go_keeps_its_serial)
{
	struct world world = begin(FILES, "files", "files");
	struct log_entry *group, *entry;

	make(9);
	follow(&world, append(&world, 1, 1));
	disk_fail_folders(kit_path("."), "00000004-");
	group = group_of(2, 6);
	cr_expect_eq(world.log->ops->append(world.log, group, &why), -1);
	for (entry = group; entry != NULL; entry = entry->next)
		cr_expect_not(entry->durable);
	cr_expect(world.log->last == 4 && world.log->here == 4);
	cr_expect_eq(count_files("files"), 4);
	cr_expect_eq(follow(&world, group), 2, "with one void");
	cr_expect_eq(ladder_last(world.ladder), 4);
	made[2].entry.asks = made[4].entry.asks = NULL; /* they are less */
	disk_leave();
	follow(&world, append(&world, 5, 9));
	expect_read(&world, 0, 9);
	end(&world);
}

/* Only the last of them is not known to be safe. */
Test(ladder_log, a_name_at_the_end_that_does_not_go)
{
	struct world world = begin(FILES, "files", "files");
	struct ladder_game game;

	make(9);
	disk_fail_folders(kit_path("."), "00000001-");
	cr_expect_eq(world.log->ops->append(world.log, group_of(1, 2), &why),
		     -1);
	cr_expect(world.log->last == 1 && world.log->here == 1);
	cr_expect_eq(follow(&world, &made[1].entry), 1);
	cr_expect_eq(ladder_game_find(world.ladder, made[2].id, &game, &why),
		     0);
	disk_leave();
	follow(&world, append(&world, 2, 9));
	expect_read(&world, 0, 9);
	end(&world);
}
