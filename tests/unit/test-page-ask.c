/* tests/unit/test-page-ask.c - requests that wait for the page thread. */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/base/thread.h"
#include "referee/games/game.h"
#include "referee/scheduler/ladders.h"
#include "referee/web/page-ask.h"
#include "referee/web/page-cache.h"
#include "tests/unit/http-inn.h"
#include "tests/unit/ladder-kit.h"

/* Each page that is made says which one it is, from 1 on. */
struct own {
	struct page_ask ask; /* first */
	char *more;	     /* owned */
};

static struct ladders ladders;
static struct pages pages;
static unsigned made, released;
static int code;
static unsigned parts; /* the next pages have more */
static int hold = -1;  /* the thread waits until this can be read */

static void
make(struct page_ask *ask)
{
	uint64_t one;

	if (hold >= 0 && read(hold, &one, sizeof(one)) < 0)
		abort();
	if (parts > 0) {
		parts--;
		ask->more = true;
	}
	text_fmt(&ask->text, "page %u", ++made);
	ask->code = code;
	if (code == 503)
		error_set(&ask->why, ERROR_INPUT, "a path");
}

static void
release(struct page_ask *ask)
{
	free(((struct own *)ask)->more);
	released++;
}

static const struct page_maker maker = {
	.type = "text/plain",
	.most = 1000,
	.make = make,
	.release = release,
	.unread = "it cannot be read",
	.event = "unread",
};

static void
begin(void)
{
	inn_begin();
	inn_open();
	pages = (struct pages){ .ladders = &ladders,
				.thread = thread_new(&inn.loop),
				.logger = log_new(-1, LOG_LEVEL_ERROR),
				.cache = page_cache_new(10000) };
	cr_assert_not_null(pages.thread);
	inn.keeps = true;
	made = released = 0;
	code = 200;
}

static void
end(void)
{
	thread_free(pages.thread);
	page_cache_free(pages.cache);
	log_free(pages.logger);
	inn_end();
}

TestSuite(page_ask, .init = begin, .fini = end);

/* Lets a visitor from 127.0.0.LAST ask for this page in this version. */
static int
ask_from(unsigned last, const char *key, uint64_t version)
{
	struct own *own;
	int fd;

	inn.count = 0;
	fd = inn_ask(last, "/x");
	cr_assert_eq(inn.count, 1);
	own = page_ask_new(&pages, inn.asked[0], sizeof(*own), &maker);
	own->more = copied("more");
	page_ask_keep(&own->ask, key, version);
	return fd;
}

/* Lets one more visitor ask for the page of this version. */
static int
ask(uint64_t version)
{
	return ask_from(1, "x", version);
}

static void
wait_for(unsigned count)
{
	while (released < count)
		loop_pass(&inn.loop);
}

Test(page_ask, who_asks_meanwhile_waits_for_the_same)
{
	const uint64_t one = 1;
	int fd[3];
	unsigned i;

	hold = eventfd(0, EFD_CLOEXEC);
	for (i = 0; i < 3; i++)
		fd[i] = ask(1);
	for (i = 0; i < 3; i++)
		cr_expect(inn_waits(fd[i]));
	cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(3);
	for (i = 0; i < 3; i++)
		inn_expect_part(inn_answer(fd[i]), "page 1");
	cr_expect_eq(made, 1);
	close(hold);
	hold = -1;
}

/* The one that is being made is the first; of the others each address has one
 * before any has two.  A page for which a newcomer waits, too, is his. */
Test(page_ask, addresses_take_turns)
{
	static const struct {
		unsigned last;
		const char *key, *page;
	} asks[] = {
		{ 1, "a", "page 1" }, { 1, "b", "page 2" },
		{ 1, "c", "page 5" }, { 1, "d", "page 4" },
		{ 2, "e", "page 3" }, { 3, "d", "page 4" },
	};
	const uint64_t one = 1;
	int fd[NELEM(asks)];
	unsigned i;

	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	for (i = 0; i < NELEM(asks); i++)
		fd[i] = ask_from(asks[i].last, asks[i].key, 1);
	for (i = 0; i < NELEM(asks) - 1; i++)
		cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(NELEM(asks));
	for (i = 0; i < NELEM(asks); i++)
		inn_expect_part(inn_answer(fd[i]), asks[i].page);
	close(hold);
	hold = -1;
}

/* A client that has ended its side may read on, so it is answered, but after all
 * others. */
Test(page_ask, who_may_have_gone_comes_last)
{
	static const char *const page[] = { "page 1", "page 4", "page 2",
					    "page 3", "page 4" };
	const uint64_t one = 1;
	int fd[NELEM(page)];
	unsigned i;

	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	fd[0] = ask_from(1, "a", 1);
	fd[1] = ask_from(2, "b", 1);
	shutdown(fd[1], SHUT_WR);
	fd[2] = ask_from(3, "c", 1);
	fd[3] = ask_from(4, "d", 1);
	cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(1);
	fd[4] = ask_from(2, "b", 1);
	shutdown(fd[4], SHUT_WR);
	for (i = 0; i < 3; i++)
		cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(NELEM(page));
	for (i = 0; i < NELEM(page); i++)
		inn_expect_part(inn_answer(fd[i]), page[i]);
	close(hold);
	hold = -1;
}

/* A page that is made in parts gives the others their turn after each. */
Test(page_ask, parts_take_turns)
{
	static const char *const page[] = { "page 1page 3", "page 2" };
	const uint64_t one = 1;
	int fd[NELEM(page)];
	unsigned i;

	parts = 1;
	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	for (i = 0; i < NELEM(page); i++)
		fd[i] = ask_from(1 + i, i == 0 ? "a" : "b", 1);
	for (i = 0; i < 3; i++)
		cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(NELEM(page));
	for (i = 0; i < NELEM(page); i++)
		inn_expect_part(inn_answer(fd[i]), page[i]);
	close(hold);
	hold = -1;
}

/* Somebody who is there waits for a page, too, that had to come last. */
Test(page_ask, who_joins_who_may_have_gone_has_his_turn)
{
	static const struct {
		unsigned last;
		const char *key, *page;
	} asks[] = {
		{ 1, "a", "page 1" }, { 2, "b", "page 5" },
		{ 3, "c", "page 2" }, { 3, "d", "page 4" },
		{ 4, "e", "page 3" }, { 3, "f", "page 6" },
		{ 3, "g", "page 7" }, { 4, "b", "page 5" },
	};
	const unsigned last = NELEM(asks) - 1;
	const uint64_t one = 1;
	int fd[NELEM(asks)];
	unsigned i;

	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	for (i = 0; i < last; i++)
		fd[i] = ask_from(asks[i].last, asks[i].key, 1);
	shutdown(fd[1], SHUT_WR);
	cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(1);
	fd[last] = ask_from(asks[last].last, asks[last].key, 1);
	for (i = 0; i < last - 1; i++)
		cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(NELEM(asks));
	for (i = 0; i < NELEM(asks); i++)
		inn_expect_part(inn_answer(fd[i]), asks[i].page);
	close(hold);
	hold = -1;
}

/* All come from one address, and the oldest that waits goes.  Who waits for the same
 * page has it nevertheless. */
Test(page_ask, who_waits_makes_room)
{
	static const struct {
		const char *key;
		unsigned released;
		int code;
	} asks[] = {
		{ "a", 0, 200 }, { "a", 1, 429 }, { "b", 1, 429 },
		{ "c", 1, 429 }, { "b", 2, 200 }, { "d", 2, 200 },
		{ "e", 2, 200 }, { "f", 3, 200 },
	};
	const uint64_t all = 6;
	int fd[NELEM(asks)];
	unsigned i;

	inn.limits.each_address = 5;
	http_set_limits(inn.http, &inn.limits);
	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	for (i = 0; i < NELEM(asks); i++) {
		fd[i] = ask_from(1, asks[i].key, 1);
		cr_expect_eq(released, asks[i].released);
	}
	cr_assert_eq(write(hold, &all, sizeof(all)), sizeof(all));
	wait_for(8);
	for (i = 0; i < NELEM(asks); i++)
		cr_expect_eq(inn_code(fd[i]), asks[i].code, "%u", i);
	inn_expect_part(inn_answer(ask_from(1, "c", 1)), "page 6");
	close(hold);
	hold = -1;
}

Test(page_ask, who_waits_when_pages_close_is_told)
{
	const uint64_t all = 3;
	int fd[3];

	hold = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	fd[0] = ask_from(1, "a", 1);
	fd[1] = ask_from(2, "b", 1);
	page_ask_close(&pages);
	inn_expect_part(inn_answer(fd[1]), PAGE_STOPPING);
	fd[2] = ask_from(2, "b", 1);
	cr_assert_eq(write(hold, &all, sizeof(all)), sizeof(all));
	wait_for(3);
	inn_expect_part(inn_answer(fd[0]), "page 1");
	inn_expect_part(inn_answer(fd[2]), PAGE_STOPPING);
	cr_expect_eq(made, 1);
	close(hold);
	hold = -1;
}

Test(page_ask, a_page_is_kept_until_its_version_is_another)
{
	inn_expect_part(inn_answer(ask(1)), "page 1");
	fake_now_us += PAGE_KEPT_MS * UINT64_C(1000) - 1;
	inn_expect_part(inn_answer(ask(1)), "page 1");
	inn_expect_part(inn_answer(ask(2)), "page 2");
	inn_expect_part(inn_answer(ask(1)), "page 2");
	fake_now_us += PAGE_REST_MS * UINT64_C(1000);
	inn_expect_part(inn_answer(ask(1)), "page 3");
}

Test(page_ask, what_cannot_be_read_is_not_kept)
{
	code = 503;
	inn_expect_part(inn_answer(ask(1)), "HTTP/1.1 503");
	inn_expect_part(inn_answer(ask(1)), "it cannot be read");
	code = 200;
	inn_expect_part(inn_answer(ask(1)), "page 3");
}

#define FREEZES_S INT64_C(1700000000)

static int64_t date_ms = FREEZES_S * 1000 - 1;

static int64_t
tell_date(void)
{
	return date_ms;
}

static struct scheduler *
read_ladder(void)
{
	struct config_ladder setup = { .name = "main",
				       .freezes = FREEZES_S,
				       .start_milli = 1000000,
				       .k_milli = 20000 };
	struct scheduler *scheduler;
	struct error why;

	game_setup_init(&setup.setup, game_find("toepen"), 2);
	clock_calendar_ms = tell_date;
	cr_assert_eq(mkdir(kit_path("ladders"), 0700), 0);
	scheduler = scheduler_read(&setup, kit_path("."), NULL, NULL, &why);
	cr_assert_not_null(scheduler, "%s", why.text);
	return scheduler;
}

Test(page_ask, what_is_read_after_a_freeze_is_not_sent)
{
	const uint64_t one = 1;
	int fd[2];
	unsigned i;

	kit_begin();
	ladders.scheduler[3] = read_ladder();
	hold = eventfd(0, EFD_CLOEXEC);
	for (i = 0; i < 2; i++)
		fd[i] = ask(1);
	inn.count = 0;
	date_ms++;
	cr_assert_eq(write(hold, &one, sizeof(one)), sizeof(one));
	wait_for(2);
	cr_assert_eq(inn.count, 2, "both are asked again");
	close(hold);
	hold = -1;
	for (i = 0; i < 2; i++) {
		cr_expect_str_eq(inn.path, "/x");
		cr_expect(inn_waits(fd[i]));
		inn_reply(inn.asked[i], "frozen");
		inn_expect_part(inn_answer(fd[i]), "frozen");
	}
	inn_expect_part(inn_answer(ask(1)), "page 2");
	scheduler_close_files(ladders.scheduler[3]);
	ladders.scheduler[3] = NULL;
	kit_end();
}

/* The thread may have begun, or not. */
Test(page_ask, who_waits_at_the_end_is_told)
{
	int fd[2];
	unsigned i;

	for (i = 0; i < 2; i++)
		fd[i] = ask(1);
	thread_free(pages.thread);
	pages.thread = NULL;
	cr_expect_eq(released, 2);
	for (i = 0; i < 2; i++)
		inn_expect_part(inn_answer(fd[i]),
				made > 0 ? "page 1" : PAGE_STOPPING);
}
