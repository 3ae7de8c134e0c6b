/* tests/unit/test-bot-cache.c - which bots a worker fetches and keeps.
 * tests/end-to-end/test-queue-worker.py tests how they are built. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/import/tree.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/bot-keep.h"

static char data[64];
static struct loop loop;
static struct bot_cache_setup setup;
static struct bot_cache *cache;
static unsigned fetched, changed;
static uint64_t fetched_at;
static char last[ROSTER_CONTENT_BYTES + 1], why[ERROR_BYTES];

static void
on_fetch(void *arg UNUSED, const char *hash, uint64_t at)
{
	fetched++;
	fetched_at = at;
	snprintf(last, sizeof(last), "%s", hash);
}

static void
on_changed(void *arg UNUSED, const struct cached *bot)
{
	changed++;
	snprintf(why, sizeof(why), "%s", bot->why);
}

static const struct bot_cache_calls calls = { on_fetch, on_changed };

static void
begin(void)
{
	snprintf(data, sizeof(data), "%s/cache.XXXXXX", getenv("TMPDIR"));
	cr_assert(mkdtemp(data) != NULL);
	cr_assert(loop_init(&loop) == 0);
	setup = (struct bot_cache_setup){ .data = data,
					  .tier = SANDBOX_NONE,
					  .bytes = 100 };
	fetched = changed = 0;
}

static void
end(void)
{
	bot_cache_free(cache);
	cache = NULL;
	loop_release(&loop);
	cr_assert(tree_remove(AT_FDCWD, data) == 0);
}

TestSuite(bot_cache, .init = begin, .fini = end);

static void
open_cache(void)
{
	struct error error;

	cache = bot_cache_new(&loop, &setup, &calls, NULL, &error);
	cr_assert_not_null(cache, "%s", error.text);
}

static const char *
hash_of(char letter)
{
	static char hash[ROSTER_CONTENT_BYTES + 1];

	memset(hash, letter, ROSTER_CONTENT_BYTES);
	return hash;
}

static void
put(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	cr_assert(fd >= 0 && file_write(fd, text, strlen(text)) == 0);
	close(fd);
}

/* Makes a bot that a worker has built earlier. */
static void
lay(char letter, const char *bytes)
{
	char path[IMPORT_PATH_BYTES];

	import_path(data, "", "", path);
	mkdir(path, 0700);
	import_path(data, hash_of(letter), "", path);
	cr_assert(mkdir(path, 0700) == 0);
	import_path(data, hash_of(letter), "bot", path);
	cr_assert(mkdir(path, 0700) == 0);
	import_path(data, hash_of(letter), "bot/bot.conf", path);
	put(path, "name = \"a\"\nversion = \"1\"\nrun = { \"sh\" }\n");
	if (bytes == NULL)
		return;
	import_path(data, hash_of(letter), BOT_KEEP_BYTES_FILE, path);
	put(path, bytes);
}

static bool
lies(char letter)
{
	char path[IMPORT_PATH_BYTES];

	import_path(data, hash_of(letter), "", path);
	return access(path, F_OK) == 0;
}

/* Returns true if something is still in DATA/incoming. */
static bool
waits_for_removal(void)
{
	char path[IMPORT_PATH_BYTES];
	struct dirent **entries;
	int n;

	snprintf(path, sizeof(path), "%s/incoming", data);
	n = scandir(path, &entries, NULL, NULL);
	cr_assert(n >= 2);
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free((void *)entries);
	return n > 2;
}

Test(bot_cache, what_was_built_earlier_is_there)
{
	struct cached *bot;

	lay('a', "60\n");
	open_cache();
	bot = bot_cache_want(cache, hash_of('a'));
	cr_expect_eq(bot->state, CACHED_READY);
	cr_expect_str_eq(bot->folder->name, "a");
	cr_expect_eq(fetched, 0);
	bot_cache_leave(cache, bot);
}

Test(bot_cache, a_daemons_folder_is_refused)
{
	struct error error;

	lay('a', NULL);
	cr_expect_null(bot_cache_new(&loop, &setup, &calls, NULL, &error));
	cr_expect_not_null(strstr(error.text, "not put there by a worker"),
			   "%s", error.text);
	cr_expect(lies('a'));
}

/* A bot that plays stays; of the others the least recently played goes first,
 * and no more than necessary. */
Test(bot_cache, the_oldest_makes_room)
{
	struct cached *a, *b, *d;

	lay('a', "60\n");
	lay('b', "30\n");
	lay('c', "30\n");
	open_cache();
	a = bot_cache_want(cache, hash_of('a'));
	b = bot_cache_want(cache, hash_of('b'));
	bot_cache_leave(cache, b);
	d = bot_cache_want(cache, hash_of('d'));
	cr_expect(lies('a'));
	cr_expect(lies('b'));
	cr_expect_not(lies('c'), "it has never played, and 120 are too many");
	cr_expect_eq(d->state, CACHED_WANTED);
	cr_expect_eq(fetched, 1);
	cr_expect_str_eq(last, hash_of('d'));
	while (waits_for_removal())
		loop_pass(&loop);
	bot_cache_leave(cache, a);
	bot_cache_leave(cache, d);
}

Test(bot_cache, without_room_a_bot_fails)
{
	struct cached *a, *b;

	lay('a', "101\n"); /* one more than there may be */
	open_cache();
	a = bot_cache_want(cache, hash_of('a'));
	b = bot_cache_want(cache, hash_of('b'));
	cr_expect_eq(b->state, CACHED_FAILED);
	cr_expect_eq(changed, 1);
	cr_expect_not_null(strstr(why, "no room"), "%s", why);
	cr_expect(b->machine);
	cr_expect_eq(fetched, 0);
	bot_cache_leave(cache, b);
	bot_cache_leave(cache, a);
}

/* This is not the bot's fault; other jobs that play it keep its files. */
Test(bot_cache, files_that_have_gone_are_missed)
{
	char path[IMPORT_PATH_BYTES];
	struct cached *a, *b;

	setup.bytes = 100000000;
	lay('a', "40\n");
	lay('b', "40000000\n"); /* a larger limit than now */
	open_cache();
	a = bot_cache_want(cache, hash_of('a'));
	b = bot_cache_want(cache, hash_of('b'));
	cr_expect(bot_cache_holds(cache, a));
	cr_expect_not(bot_cache_holds(cache, b));
	import_path(data, hash_of('a'), "", path);
	cr_assert(tree_remove(AT_FDCWD, path) == 0);
	cr_expect_not(bot_cache_holds(cache, a));
	cr_expect_not_null(strstr(why, "gone"), "%s", why);
	cr_expect_not(bot_cache_holds(cache, a));
	cr_expect_eq(changed, 2, "told once");
	cr_expect_eq(bot_cache_want(cache, hash_of('b')), b);
	cr_expect_eq(b->state, CACHED_FAILED);
	cr_expect(b->machine);
	cr_expect_str_eq(b->folder->name, "a");
	bot_cache_leave(cache, b);
	cr_expect(lies('b'));
	bot_cache_leave(cache, b);
	bot_cache_leave(cache, a);
	cr_expect_not(lies('b'));
	cr_expect_eq(fetched, 0);
	b = bot_cache_want(cache, hash_of('b'));
	cr_expect_eq(b->state, CACHED_WANTED);
	cr_expect_eq(fetched, 1, "it is fetched again");
	bot_cache_leave(cache, b);
}

Test(bot_cache, pieces_are_fetched_on)
{
	struct cached *bot;

	open_cache();
	bot = bot_cache_want(cache, hash_of('a'));
	bot_cache_piece(cache, 10, "12345", 5);
	cr_expect_eq(fetched, 2);
	cr_expect_eq(fetched_at, 5);
	bot_cache_unfetched(cache, NULL);
	bot_cache_again(cache);
	cr_expect_eq(fetched, 3);
	cr_expect_eq(fetched_at, 5, "what is here is not fetched again");
	bot_cache_again(cache);
	cr_expect_eq(fetched, 3, "nor twice at a time");
	bot_cache_piece(cache, 10, "123456", 6);
	cr_expect_eq(bot->state, CACHED_FAILED, "more than there is");
	cr_expect_not(bot->machine);
	bot_cache_leave(cache, bot);
}

Test(bot_cache, what_is_too_large_or_empty_fails)
{
	static const struct {
		uint64_t size;
		size_t n;
	} wrong[] = { { BOT_PACK_BYTES + 1, 1 }, { 10, 0 } };
	struct cached *bot;

	open_cache();
	for (size_t i = 0; i < NELEM(wrong); i++) {
		bot = bot_cache_want(cache, hash_of((char)('a' + i)));
		bot_cache_piece(cache, wrong[i].size, "1", wrong[i].n);
		cr_expect_eq(bot->state, CACHED_FAILED);
		bot_cache_leave(cache, bot);
	}
	bot = bot_cache_want(cache, hash_of('c'));
	bot_cache_piece(cache, BOT_PACK_BYTES, "1", 1);
	cr_expect_eq(bot->state, CACHED_WANTED, "the largest is fetched");
	bot_cache_leave(cache, bot);
}

/* A job that is given again at once must not repeat the failed build. */
Test(bot_cache, what_failed_is_not_tried_at_once)
{
	struct cached *bot;

	open_cache();
	bot = bot_cache_want(cache, hash_of('a'));
	bot_cache_unfetched(cache, "there is none");
	cr_expect_eq(bot->state, CACHED_FAILED);
	cr_expect_str_eq(why, "there is none");
	bot_cache_leave(cache, bot);
	bot = bot_cache_want(cache, hash_of('a'));
	cr_expect_eq(bot->state, CACHED_FAILED);
	cr_expect_eq(fetched, 1);
	bot_cache_leave(cache, bot);
}
