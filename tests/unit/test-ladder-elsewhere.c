/* tests/unit/test-ladder-elsewhere.c - a ladder whose log is elsewhere, and its
 * entries that are copied. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/log.h"
#include "tests/unit/ladder-kit.h"

#define ENTRIES 20
#define HUGE_BYTES (LADDER_LOG_BYTES / 2)

TestSuite(ladder_elsewhere, .init = kit_begin, .fini = kit_end);

static struct error why;

/* ---- a log elsewhere ------------------------------------------------------ */

/* Entries 1, 2 ... as texts; bring() has `part` of them come here. */
static struct elsewhere {
	struct ladder_log log; /* first */
	char *text[ENTRIES];
	int64_t count, part;
	unsigned brought, most; /* groups that came; entries of the largest */
} elsewhere;

static int
give(struct ladder_log *log, int64_t after, struct log_entry **group,
     struct error *error)
{
	struct elsewhere *from = (struct elsewhere *)log;
	struct log_entry **end = group;
	const char *text;

	*group = NULL;
	for (; after < log->here; after++) {
		text = from->text[after];
		if (text == NULL)
			continue;
		*end = ladder_log_entry("there", text, strlen(text), NULL, 0,
					error);
		cr_assert_not_null(*end, "%s", error->text);
		end = &(*end)->next;
	}
	return 0;
}

static int
bring(struct ladder_log *log, struct error *error)
{
	struct elsewhere *from = (struct elsewhere *)log;

	(void)error;
	log->last = from->count;
	log->here = log->here + from->part < log->last ? log->here + from->part
						       : log->last;
	log->unsure = false;
	from->brought++;
	return 0;
}

static const struct ladder_log_ops ops = { .read = give, .bring = bring };

static void
put(const char *text)
{
	elsewhere.text[elsewhere.count++] = strdup(text);
}

static void
put_game(struct ladder *ladder, uint32_t number)
{
	struct ladder_game game;
	char text[2048];

	kit_game(number, elsewhere.count + 1, &game);
	kit_record_text(&game, ladder_id(ladder), text, sizeof(text));
	put(text);
}

/* Begins a ladder whose log has games 1 to `games`, none of which is here. */
static struct ladder *
begin(uint32_t games)
{
	struct ladder *ladder;

	OK(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why));
	elsewhere = (struct elsewhere){
		.log = { .ops = &ops, .ladder = ladder, .unsure = true }
	};
	for (uint32_t i = 1; i <= games; i++)
		put_game(ladder, i);
	return ladder;
}

static void
end(struct ladder *ladder)
{
	for (int64_t i = 0; i < elsewhere.count; i++)
		free(elsewhere.text[i]);
	ladder_close(ladder);
}

/* ---- following it --------------------------------------------------------- */

Test(ladder_elsewhere, comes_in_parts)
{
	struct ladder *ladder = begin(ENTRIES);
	unsigned count = 0;

	elsewhere.part = 3;
	OK(ladder_follow(ladder, &elsewhere.log, NULL, &count, &why));
	cr_assert_eq(count, ENTRIES);
	cr_assert_eq(ladder_last(ladder), ENTRIES);
	cr_assert_eq(elsewhere.brought, (ENTRIES + 2) / 3);
	end(ladder);
}

/* The log whose folder bring_files() fills from the texts, `part` at a time. */
static struct ladder_log *files;

static int
bring_files(struct ladder_log *log, struct error *error)
{
	const int64_t end = files->last + elsewhere.part;
	struct log_entry *entry;
	const char *text;
	int result = 0;

	while (result == 0 && files->last < end &&
	       files->last < elsewhere.count) {
		text = elsewhere.text[files->last];
		entry = ladder_log_entry("there", text, strlen(text), NULL, 0,
					 error);
		cr_assert_not_null(entry, "%s", error->text);
		result = files->ops->append(files, entry, error);
		ladder_log_forget(entry);
	}
	log->last = elsewhere.count;
	log->here = files->last;
	log->unsure = false;
	return result;
}

static void
keep(struct ladder_log *log)
{
	(void)log;
}

static const struct ladder_log_ops files_ops = { .read = ladder_log_read,
						 .bring = bring_files,
						 .free = keep };

static void
put_void(struct ladder *ladder, uint32_t number)
{
	struct ladder_game game;
	char text[512];

	kit_game(number, number, &game);
	snprintf(text, sizeof(text),
		 "void 1\nid %032" PRId64 "\nladder %s\nserial %" PRId64
		 "\ndate 2026-11-28T20:00:00Z\nwhy cheated\n"
		 "game %" PRIu32 " %s\nend\n",
		 elsewhere.count + 1, ladder_id(ladder), elsewhere.count + 1,
		 number, game.id);
	put(text);
}

/* The whole ladder is folded again once, not for each part that has a void. */
Test(ladder_elsewhere, voids_wait_for_the_last_part)
{
	struct ladder *ladder = begin(3);
	struct ladder_game game, found;
	unsigned count = 0;

	put_void(ladder, 1);
	for (uint32_t i = 5; i <= 6; i++)
		put_game(ladder, i);
	put_void(ladder, 2);
	for (uint32_t i = 8; i <= 9; i++)
		put_game(ladder, i);
	OK(ladder_log_files(ladder, kit_path("records"), &files, &why));
	elsewhere.part = 3;
	elsewhere.log.ops = &files_ops;
	cr_assert_eq(
		ladder_follow_some(ladder, &elsewhere.log, NULL, &count, &why),
		LADDER_MORE);
	cr_assert_eq(ladder_last(ladder), 3);
	cr_assert_eq(
		ladder_follow_some(ladder, &elsewhere.log, NULL, &count, &why),
		LADDER_MORE);
	cr_assert_eq(ladder_last(ladder), 3);
	OK(ladder_follow_some(ladder, &elsewhere.log, NULL, &count, &why));
	cr_assert_eq(ladder_last(ladder), 9);
	kit_game(2, 2, &game);
	cr_assert_eq(ladder_game_find(ladder, game.id, &found, &why),
		     LADDER_FOUND);
	cr_assert_eq(found.void_number, 7);
	ladder_log_free(&elsewhere.log);
	ladder_log_free(files);
	end(ladder);
}

/* The end of the last group was unknown, and another entry has its serial now. */
Test(ladder_elsewhere, folds_what_the_log_has)
{
	struct ladder *ladder = begin(2);
	struct ladder_game game, found;
	struct log_entry known = { .serial = 1, .game = &game };
	unsigned count = 0;

	elsewhere.part = 2;
	kit_game(3, 1, &game);
	kit_hash(&game, ladder_id(ladder));
	known.id = game.id;
	OK(ladder_follow(ladder, &elsewhere.log, &known, &count, &why));
	cr_assert_eq(count, 2);
	cr_assert_eq(ladder_game_find(ladder, game.id, &found, &why), 0);
	kit_game(1, 1, &game);
	cr_assert_eq(ladder_game_find(ladder, game.id, &found, &why),
		     LADDER_FOUND);
	cr_assert_eq(found.serial, 1);
	end(ladder);
}

/* ---- copying it ----------------------------------------------------------- */

static struct ladder_log copy;

static int
take(struct ladder_log *log, struct log_entry *group, struct error *error)
{
	unsigned n = 0;

	(void)error;
	for (; group != NULL; group = group->next) {
		cr_assert_eq(group->serial, log->last + 1);
		log->last = group->serial;
		n++;
	}
	if (n > elsewhere.most)
		elsewhere.most = n;
	return 0;
}

static const struct ladder_log_ops copy_ops = { .append = take };

static int
copy_all(void)
{
	copy = (struct ladder_log){ .ops = &copy_ops };
	elsewhere.log.here = elsewhere.log.last = elsewhere.count;
	return ladder_log_copy(&elsewhere.log, &copy, &why);
}

Test(ladder_elsewhere, copies_all)
{
	struct ladder *ladder = begin(5);

	OK(copy_all());
	cr_assert_eq(copy.last, 5);
	cr_assert_eq(elsewhere.most, 5);
	end(ladder);
}

/* Nothing after a hole is copied, and the error says where it is. */
Test(ladder_elsewhere, copies_no_hole)
{
	struct ladder *ladder = begin(5);

	free(elsewhere.text[2]);
	elsewhere.text[2] = NULL;
	cr_assert_eq(KIND(copy_all()), ERROR_INPUT);
	cr_assert_str_eq(why.text, "entry 3 is missing before there");
	cr_assert_eq(copy.last, 0);
	free(elsewhere.text[4]);
	elsewhere.text[4] = NULL;
	free(elsewhere.text[3]);
	elsewhere.text[3] = NULL;
	cr_assert_eq(KIND(copy_all()), ERROR_INPUT);
	cr_assert_str_eq(why.text, "entry 3 is missing");
	cr_assert_eq(copy.last, 2);
	end(ladder);
}

/* Large entries are not all read at once. */
Test(ladder_elsewhere, copies_few_bytes)
{
	struct ladder *ladder = begin(0);
	char *text = malloc(HUGE_BYTES + 256);

	for (int i = 1; i <= 5; i++) {
		const int n =
			snprintf(text, 256,
				 "void 1\nid %032d\nladder %s\nserial %d\n"
				 "date 2026-11-28T20:00:00Z\nwhy big\n",
				 i, ladder_id(ladder), i);

		memset(text + n, 'x', HUGE_BYTES);
		memcpy(text + n + HUGE_BYTES, "\nend\n", sizeof("\nend\n"));
		put(text);
	}
	free(text);
	OK(copy_all());
	cr_assert_eq(copy.last, 5);
	cr_assert_eq(elsewhere.most, 2);
	end(ladder);
}
