/* tests/unit/test-upload.c - the order of uploads, and which of them count.
 *
 * This test program takes the place of the importer: it ignores its arguments
 * and ends at once; tests/end-to-end/test-builds.py and test-local-bots.py
 * test imports. */
#include <criterion/criterion.h>

#include <event2/event.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/base/serve-limits.h"
#include "ladder/roster-owner.h"
#include "referee/import/upload.h"
#include "referee/web/api-bots.h"
#include "referee/web/trials.h"
#include "tests/unit/http-inn.h"
#include "tests/unit/ladder-kit.h"

static struct {
	struct loop loop;
	struct thread *thread;
	struct logger *logger;
	struct roster *roster;
	struct uploads *uploads;
	char log[16384];
	int log_fd;
} world;
static struct error why;
static uint64_t now_us;

static uint64_t
tell_time(void)
{
	return now_us;
}

/* Uploads are counted by the day, which must not end meanwhile. */
static int64_t
tell_date(void)
{
	return 0;
}

static void
begin(void)
{
	kit_begin();
	cr_assert_eq(loop_init(&world.loop), 0);
	clock_us = tell_time;
	clock_calendar_ms = tell_date;
	world.log_fd =
		open(kit_path("log"), O_WRONLY | O_CREAT | O_APPEND, 0600);
	cr_assert_geq(world.log_fd, 0);
	world.logger = log_new(world.log_fd, LOG_LEVEL_INFO);
	world.thread = thread_new(&world.loop);
	cr_assert_eq(roster_open(kit_path("."), &world.roster, &why), 0, "%s",
		     why.text);
	world.uploads = uploads_new(&world.loop, world.thread, world.logger,
				    world.roster, kit_path("."));
}

static void
end(void)
{
	uploads_free(world.uploads);
	thread_free(world.thread);
	log_free(world.logger);
	close(world.log_fd);
	roster_close(world.roster);
	loop_release(&world.loop);
	kit_end();
}

TestSuite(upload, .init = begin, .fini = end);

/* Returns the bot `name`, of the owner that its letters are; "-1" has none. */
static struct roster_bot
bot_of(const char *name)
{
	char token[ROSTER_TOKEN_BYTES + 1], owner[NAME_BYTES + 1];
	struct roster_bot bot;

	if (roster_find(world.roster, name, &bot, &why) < 0) {
		snprintf(owner, sizeof(owner), "%.*s",
			 (int)strcspn(name, "0123456789"), name);
		cr_assert_eq(roster_add(world.roster, name, "", token, &why),
			     0);
		if (strcmp(owner, "free") != 0)
			cr_assert_eq(roster_set_owner(world.roster, name, owner,
						      &why),
				     0, "%s", why.text);
		cr_assert_eq(roster_find(world.roster, name, &bot, &why), 0);
	}
	return bot;
}

/* Sends one in from an address; returns the refusal, or "". */
static const char *
take_from(const char *name, const char *from)
{
	const struct roster_bot bot = bot_of(name);
	struct upload_sender sender = { .by = "bot it" };
	const char *wrong;

	snprintf(sender.from, sizeof(sender.from), "%s", from);
	wrong = uploads_take(world.uploads, &bot, &sender, false, name,
			     strlen(name));
	return wrong == NULL ? "" : wrong;
}

static const char *
take(const char *name)
{
	return take_from(name, "");
}

static void
expect_place(const char *name, int place)
{
	cr_expect_eq(uploads_place(world.uploads, bot_of(name).number), place,
		     "%s", name);
}

static void
read_log(void)
{
	int fd = open(kit_path("log"), O_RDONLY);
	ssize_t n = read(fd, world.log, sizeof(world.log) - 1);

	world.log[n < 0 ? 0 : n] = '\0';
	close(fd);
}

/* Waits until none is left; returns the imported bots in order. */
static const char *
imported(const char *last)
{
	static char bots[256];
	const char *at;
	char name[64], end_of[96];

	snprintf(end_of, sizeof(end_of), "event=upload-over bot=%s ", last);
	do {
		event_base_loop(world.loop.base, EVLOOP_ONCE);
		read_log();
	} while (strstr(world.log, end_of) == NULL);
	bots[0] = '\0';
	for (at = world.log;
	     (at = strstr(at, "event=upload-over bot=")) != NULL; at++) {
		sscanf(at, "event=upload-over bot=%63s", name);
		snprintf(bots + strlen(bots), sizeof(bots) - strlen(bots),
			 " %s", name);
	}
	return bots;
}

Test(upload, one_of_each_owner_waits)
{
	cr_expect_str_eq(take("ann1"), "", "it is imported at once");
	cr_expect_str_eq(take("ann1"), "", "and one more waits");
	cr_expect_str_eq(take("free1"), "");
	cr_expect_str_eq(take("bob1"), "");
	/* This holds for any number of bots of one owner. */
	cr_expect_str_eq(take("ann2"), "");
	cr_expect_str_eq(take("ann3"), "");
	expect_place("ann1", 0);
	expect_place("ann2", -1);
	expect_place("ann3", 1);
	expect_place("free1", 2);
	expect_place("bob1", 3);
	cr_expect_str_eq(uploads_replaced(world.uploads, bot_of("ann3").number),
			 "ann2");
	cr_expect_null(uploads_replaced(world.uploads, bot_of("ann1").number));
	cr_expect_null(uploads_replaced(world.uploads, bot_of("bob1").number));
	/* Those without an owner do not replace one another. */
	cr_expect_str_eq(take("free2"),
			 "an upload of another bot without an owner is "
			 "waiting; try again later");
	cr_expect_str_eq(take("free1"), "");
	cr_expect_str_eq(imported("bob1"), " ann1 ann3 free1 bob1");
	cr_expect_not_null(
		strstr(world.log, "event=upload-replaced bot=ann2 by=ann3"),
		"%s", world.log);
}

Test(upload, one_owner_does_not_keep_others_out)
{
	char name[16];
	unsigned i;

	cr_expect_str_eq(take("ann0"), "");
	for (i = 1; i < 12; i++) {
		snprintf(name, sizeof(name), "ann%u", i);
		cr_expect_str_eq(take(name), "");
	}
	for (i = 1; i < UPLOADS_WAITING; i++) {
		snprintf(name, sizeof(name), "%c0", 'b' + (char)i);
		cr_expect_str_eq(take(name), "");
	}
	cr_expect_str_eq(take("zoe1"),
			 "too many uploads are waiting; try again later");
	cr_expect_str_eq(take("ann1"), "", "who waits may replace his");
}

/* Reads what the thread has written about a bot. */
static const char *
told(const char *name)
{
	static char text[512];
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "bots/%d.upload",
		 (int)bot_of(name).number);
	fd = open(kit_path(path), O_RDONLY);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	return text;
}

/* Waits until the thread has written this about a bot.  The loop does not run,
 * because it would hear of imports that have ended. */
static void
wait_for(const char *name, const char *part)
{
	while (strstr(told(name), part) == NULL)
		sched_yield();
}

static void
count(const char *owner, int64_t more)
{
	cr_assert_eq(roster_add_count(world.roster, ROSTER_UPLOADS, owner,
				      roster_today(), more, &why),
		     0);
}

_Static_assert(UPLOADS_WAITING_PER_ADDRESS == 2 && UPLOADS_WAITING == 8,
	       "the strings below are as long");

/* Fills all places, one for each owner, from the addresses `from`, a letter each; those
 * beyond are not counted.  Another upload is imported. */
static void
fill_from(const char *from)
{
	const size_t addresses = strlen(from);
	char name[16], address[2] = "";

	cr_assert_str_eq(take("ann0"), "");
	for (unsigned i = 0; i < UPLOADS_WAITING; i++) {
		snprintf(name, sizeof(name), "%c0", 'b' + (char)i);
		address[0] = i < addresses ? from[i] : '\0';
		cr_assert_str_eq(take_from(name, address), "");
	}
}

/* Those who have had little get a place. */
Test(upload, who_has_sent_in_most_makes_room)
{
	fill_from("");
	for (unsigned i = 0; i < UPLOADS_WAITING; i++)
		count((char[]){ 'b' + (char)i, '\0' }, 2);
	count("d", 3);
	count("zoe", 4);
	cr_expect_str_eq(take("free1"),
			 "too many uploads are waiting; try again later");
	cr_expect_str_eq(take("zoe1"), "");
	expect_place("d0", -1);
	expect_place("zoe1", UPLOADS_WAITING);
	count("yan", 4);
	cr_expect_str_eq(take("yan1"),
			 "too many uploads are waiting; try again later");
	count("xan", 2);
	cr_assert_str_eq(take("xan1"), "");
	expect_place("zoe1", -1);
	expect_place("b0", 1);
	(void)imported("xan1");
	wait_for("d0", "sent in less today");
}

Test(upload, an_address_keeps_so_many_places)
{
	fill_from("aa");
	cr_expect_str_eq(take_from("zoe1", "z"),
			 "too many uploads are waiting; try again later");
}

Test(upload, an_address_with_one_more_makes_room)
{
	fill_from("aaa");
	cr_expect_str_eq(take_from("xan1", "a"),
			 "too many uploads are waiting; try again later");
	cr_assert_str_eq(take_from("zoe1", "z"), "");
	expect_place("d0", -1);
	expect_place("c0", 2);
	expect_place("zoe1", UPLOADS_WAITING);
	cr_expect_str_eq(take_from("yan1", "y"),
			 "too many uploads are waiting; try again later");
	cr_expect_str_eq(take_from("d0", "a"),
			 "too many uploads are waiting; try again later");
	(void)imported("zoe1");
	wait_for("d0", "came from elsewhere");
}

/* Two addresses do not drop each other's uploads in turns. */
Test(upload, an_address_makes_room_for_one_that_has_fewer)
{
	fill_from("aaaazzz");
	cr_expect_str_eq(take_from("yan1", "z"),
			 "too many uploads are waiting; try again later");
	cr_assert_str_eq(take_from("xan1", "x"), "");
	expect_place("e0", -1);
	cr_expect_str_eq(take_from("e0", "a"),
			 "too many uploads are waiting; try again later");
}

/* Such uploads never make room for others either. */
Test(upload, nobody_makes_room_for_an_address_that_is_not_counted)
{
	fill_from("aaa");
	cr_expect_str_eq(take_from("zoe1", ""),
			 "too many uploads are waiting; try again later");
	expect_place("d0", 3);
}

/* Many authors behind one address keep their places. */
Test(upload, a_fresh_address_does_not_help_who_has_sent_in_more)
{
	fill_from("aaaaaaaa");
	count("c", 1);
	count("zoe", 23);
	cr_expect_str_eq(take_from("zoe1", "z"),
			 "too many uploads are waiting; try again later");
	expect_place("i0", UPLOADS_WAITING);
	count("xan", 1);
	cr_expect_str_eq(take_from("xan1", "x"), "");
	expect_place("c0", -1);
	expect_place("i0", UPLOADS_WAITING - 1);
}

Test(upload, nobody_makes_room_for_an_owner_whose_count_is_unread)
{
	fill_from("aaaaaaaa");
	(void)bot_of("zoe1");
	kit_execute(kit_path(ROSTER_DB), "ALTER TABLE tally RENAME TO away");
	cr_expect_str_eq(take_from("zoe1", "z"),
			 "too many uploads are waiting; try again later");
	expect_place("i0", UPLOADS_WAITING);
}

Test(upload, a_long_import_counts_more)
{
	int64_t count = 0;

	cr_expect_str_eq(take("ann1"), "");
	cr_expect_str_eq(take("free1"), "");
	now_us += UPLOAD_COUNTS_MS * UINT64_C(2000) + 999999;
	(void)imported("ann1");
	cr_expect_eq(roster_count(world.roster, ROSTER_UPLOADS, "ann",
				  roster_today(), &count, &why),
		     0);
	cr_expect_eq(count, 2);
	(void)imported("free1");
}

static void
restart(void)
{
	uploads_free(world.uploads);
	cr_assert_eq(truncate(kit_path("log"), 0), 0);
	world.uploads = uploads_new(&world.loop, world.thread, world.logger,
				    world.roster, kit_path("."));
	read_log();
}

/* The next daemon reports once what this one did not import before its end. */
Test(upload, what_is_lost_is_told)
{
	cr_expect_str_eq(take("ann1"), "");
	cr_expect_str_eq(imported("ann1"), " ann1");
	cr_expect_str_eq(take("bob1"), "");
	cr_expect_str_eq(take("cid1"), "");
	wait_for("cid1", "was accepted");
	restart();
	cr_expect_null(strstr(world.log, "bot=ann1"));
	cr_expect_not_null(strstr(world.log, "event=upload-lost bot=bob1"));
	cr_expect_not_null(strstr(world.log, "event=upload-lost bot=cid1"),
			   "%s", world.log);
	wait_for("bob1", "upload it again");
	wait_for("cid1", "upload it again");
	restart();
	cr_expect_str_eq(world.log, "", "once is enough");
}

/* Another import of the bot may end after its upload has made room. */
Test(upload, the_end_of_an_import_hides_nothing_of_a_later_upload)
{
	char name[16];
	unsigned i;

	cr_assert_str_eq(take("ann1"), "");
	cr_assert_str_eq(take("ann1"), "");
	for (i = 1; i < UPLOADS_WAITING; i++) {
		snprintf(name, sizeof(name), "%c0", 'a' + (char)i);
		cr_assert_str_eq(take(name), "");
	}
	count("ann", 1);
	cr_assert_str_eq(take("zoe1"), "");
	expect_place("ann1", 0);
	(void)imported("zoe1");
	cr_assert_str_eq(take("bob1"), "");
	wait_for("bob1", "was accepted"); /* it is written after the others */
	cr_expect_not_null(strstr(told("ann1"), "it made room for one"), "%s",
			   told("ann1"));
	(void)imported("bob1");
}

Test(upload, a_later_upload_of_the_same_bot_is_lost)
{
	cr_assert_str_eq(take("ann1"), "");
	cr_assert_str_eq(take("ann1"), "");
	cr_assert_str_eq(imported("ann1"), " ann1");
	cr_assert_str_eq(take("bob1"), "");
	wait_for("bob1", "was accepted");
	restart();
	cr_expect_not_null(strstr(world.log, "event=upload-lost bot=ann1"),
			   "%s", world.log);
}

/* ---- over HTTP ---------------------------------------------------------- */

static struct pages pages;

static void
begin_http(void)
{
	static struct config config;
	static const bool stopping = false;

	inn_begin();
	begin();
	fake_clock_begin();
	snprintf(config.data, sizeof(config.data), "%s", kit_path("."));
	config.limits.owner_uploads = 24;
	pages = (struct pages){ .config = &config,
				.logger = world.logger,
				.roster = world.roster,
				.uploads = world.uploads,
				.stopping = &stopping };
	pages.trials = trials_new(&world.loop, &pages);
	inn.keeps = true;
	inn.limits.put_bytes = UPLOAD_BYTES;
	inn_open();
}

static void
end_http(void)
{
	trials_free(pages.trials);
	end();
	inn_end();
}

TestSuite(upload_http, .init = begin_http, .fini = end_http);

/* Begins to send in an archive of 9 bytes, from 127.0.0.LAST; returns the socket. */
static int
put(const char *name, unsigned last)
{
	struct page_path path = { .what = API_BOTS_UPLOAD };
	char text[128];
	int fd;

	(void)bot_of(name);
	snprintf(path.name[0], sizeof(path.name[0]), "%s", name);
	snprintf(text, sizeof(text),
		 "PUT /put HTTP/1.1\r\nHost: x\r\nX-Bot: %s\r\n"
		 "Content-Length: 9\r\n\r\n",
		 name);
	fd = inn_say(last, text);
	api_bots_put(&pages, inn.asked[inn.count - 1], &path);
	return fd;
}

/* Expects that an owner has sent in so many, and that they came for so long. */
static void
expect_counts(const char *owner, int64_t uploads, int64_t ms)
{
	int64_t found[2] = { -1, -1 };

	OK(roster_count(world.roster, ROSTER_UPLOADS, owner, roster_today(),
			&found[0], &why));
	OK(roster_count(world.roster, ROSTER_BODY_TIME, owner, roster_today(),
			&found[1], &why));
	cr_expect_eq(found[0], uploads, "%d uploads", (int)found[0]);
	cr_expect_eq(found[1], ms, "%d ms", (int)found[1]);
}

/* An owner who does as Retry-After says is not locked out. */
Test(upload_http, one_that_would_find_no_place_does_not_begin)
{
	int fd;

	fill_from("");
	count("d", 1);
	cr_expect_eq(inn_code(put("zoe1", 1)), 429);
	expect_counts("zoe", 0, 0);
	count("d", 1);
	fd = put("zoe1", 1);
	fake_now_us += 1000000;
	net_write(fd, "123456789");
	cr_expect_eq(inn_code(fd), 202);
	expect_counts("zoe", 1, 1000);
	expect_place("d0", -1);
}

Test(upload_http, one_that_finds_no_place_any_more_does_not_count)
{
	int fd;

	fill_from("");
	count("d", 2);
	fd = put("zoe1", 1);
	expect_counts("zoe", 1, 0);
	cr_assert_str_eq(take("xan1"), "");
	fake_now_us += 1000000;
	net_write(fd, "123456789");
	cr_expect_eq(inn_code(fd), 429);
	expect_counts("zoe", 0, 1000);
}

Test(upload_http, one_that_breaks_off_counts)
{
	int fd = put("zoe1", 1);

	fake_now_us += 1000000;
	close(fd);
	inn_pass(3);
	expect_counts("zoe", 1, 1000);
	close(put("free1", 1));
	inn_pass(3);
	expect_counts("", 0, 0);
}

/* Breaking off before a turn ends begins no other one. */
Test(upload_http, who_has_had_a_turn_today_makes_room_at_once)
{
	int fd[2];

	inn.limits.bodies = 1;
	http_set_limits(inn.http, &inn.limits);
	OK(roster_add_count(world.roster, ROSTER_BODY_TIME, "zoe",
			    roster_today(), SERVE_BODY_TURN_MS, &why));
	fd[0] = put("zoe1", 1);
	cr_expect_eq(inn_code(put("yan1", 2)), 429);
	fake_now_us += 1000; /* more than 9 bytes take */
	fd[1] = put("yan1", 2);
	cr_expect_eq(inn_code(fd[0]), 429, "the turn is over");
	net_write(fd[1], "123456789");
	cr_expect_eq(inn_code(fd[1]), 202);
	expect_counts("zoe", 1, SERVE_BODY_TURN_MS + 1);
	expect_counts("yan", 1, 0);
}
