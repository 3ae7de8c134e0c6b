/* tests/unit/test-http-crowd.c - limits of connections over HTTP: how many and
 * how long. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/serve-limits.h"
#include "tests/unit/http-inn.h"

TestSuite(http_crowd, .init = inn_begin, .fini = inn_end);

/* ---- how many, how long ----------------------------------------------- */

Test(http_crowd, a_newcomer_replaces_the_oldest_of_its_address)
{
	int fd[4], i;

	inn.limits.each_address = 3;
	inn_open();
	for (i = 0; i < 3; i++) {
		fd[i] = inn_come(1);
		inn_pass(3);
	}
	/* Half a request does not make it younger. */
	net_write(fd[0], "GET /x HT");
	cr_expect(inn_waits(fd[0]) && inn_waits(fd[1]) && inn_waits(fd[2]),
		  "three may be there");
	fd[3] = inn_come(1);
	inn_pass(3);
	cr_expect_eq(http_counts(inn.http)->connections, 3);
	inn_expect_part(inn_answer(fd[0]),
			"\r\n\r\n429: there are too many connections from "
			"your address\n");
	cr_expect_str_eq(inn.refusal,
			 "0 127.0.0.1 : there are too many connections from "
			 "your address");
	for (i = 1; i < 4; i++)
		cr_expect(inn_waits(fd[i]), "the others stay");
	cr_expect_eq(inn_code(inn_ask(2, "/x")), 200,
		     "another address may come");
	cr_expect(inn_waits(fd[1]), "which replaces none of these");
	inn.limits.each_address = 4;
	http_set_limits(inn.http, &inn.limits);
	fd[0] = inn_come(1);
	inn_pass(3);
	cr_expect(inn_waits(fd[1]), "four may be there now");
	/* One after another they never are too many. */
	for (i = 0; i < 40; i++)
		cr_expect_eq(inn_code(inn_ask(3, "/x")), 200);
	for (i = 0; i < 4; i++)
		close(fd[i]);
}

/* A connection that has had its answers gets no sentence, which it would take
 * for the next answer. */
Test(http_crowd, a_silent_connection_makes_room_without_a_word)
{
	int fd[3];

	inn.limits.each_address = 2;
	inn_open();
	fd[0] = inn_ask(1, "/x");
	fd[1] = inn_come(1);
	inn_pass(3);
	inn_skip(fd[0], "/x");
	net_write(fd[1], "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
	inn_pass(3);
	inn_skip(fd[1], "/x");
	fd[2] = inn_come(1);
	inn_pass(3);
	cr_expect_str_eq(inn_answer(fd[0]), "");
	cr_expect_eq(inn.refused, 0);
	cr_expect(inn_waits(fd[1]) && inn_waits(fd[2]));
	close(fd[1]);
	close(fd[2]);
}

/* All of them come in one pass of the loop. */
Test(http_crowd, a_crowd_from_an_address)
{
	int fd[12], i;

	inn.limits.each_address = 5;
	inn_open();
	for (i = 0; i < 12; i++)
		fd[i] = inn_come(1);
	inn_pass(4);
	for (i = 0; i < 12; i++) {
		cr_expect_eq(inn_waits(fd[i]), i >= 7, "the last five stay");
		if (i < 7)
			cr_expect_eq(inn_code(fd[i]), 429);
		else
			close(fd[i]);
	}
}

Test(http_crowd, at_the_limit_the_address_with_most_makes_room)
{
	int fd[8], i;

	inn.limits.connections = 5;
	inn_open();
	fd[0] = inn_come(1);
	inn_pass(2);
	for (i = 1; i < 4; i++) {
		fd[i] = inn_come(2);
		inn_pass(2);
	}
	fd[4] = inn_come(3);
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 5);
	fd[5] = inn_ask(4, "/x");
	cr_expect_eq(inn_code(fd[5]), 200, "a newcomer is heard");
	cr_expect_eq(inn_code(fd[1]), 503, "instead of the oldest of three");
	for (i = 0; i < 5; i++)
		if (i != 1)
			cr_expect(inn_waits(fd[i]), "number %d stays", i);
	/* Now too many connections are being answered. */
	inn.keeps = true;
	for (i = 0; i < 5; i++)
		if (i != 1)
			net_write(fd[i], "GET /x HTTP/1.0\r\n\r\n");
	inn_pass(5);
	fd[1] = inn_ask(5, "/x");
	cr_assert_eq(inn.count, 5);
	cr_expect_eq(inn_code(inn_ask(6, "/x")), 503, "none of them can go");
	for (i = 0; i < 5; i++)
		inn_reply(inn.asked[i], "x");
	for (i = 0; i < 5; i++)
		cr_expect_eq(inn_code(fd[i]), 200);
}

/* A client that does not read its answer does not keep others out, either. */
Test(http_crowd, who_does_not_read_makes_room)
{
	static char much[4000000];
	int fd[2];

	memset(much, 'x', sizeof(much) - 1);
	inn.keeps = true;
	inn.limits.connections = 1;
	inn_open();
	fd[0] = inn_ask(1, "/x");
	cr_assert_eq(inn.count, 1);
	fd[1] = inn_ask(2, "/x");
	cr_expect_eq(inn_code(fd[1]), 503, "while the first is worked for");
	inn_reply(inn.asked[0], much);
	inn_pass(3);
	fd[1] = inn_ask(2, "/x");
	cr_assert_eq(inn.count, 2);
	inn_reply(inn.asked[1], "x");
	cr_expect_eq(inn_code(fd[1]), 200);
	close(fd[0]);
}

Test(http_crowd, so_long)
{
	int fd;

	inn.limits.ms = 1000;
	inn_open();
	fd = inn_come(1);
	inn_pass(2);
	fake_now_us += 500000;
	net_write(fd, "GET /x HT");
	inn_pass(2);
	fake_now_us += 499999;
	inn_pass(2);
	cr_expect(inn_waits(fd), "a microsecond is left");
	fake_now_us += 1;
	inn_pass(2);
	cr_expect_eq(inn_code(fd), 408, "it ends, whatever was said");
	cr_expect_eq(inn.refused, 1);
	cr_expect_str_eq(inn.refusal, "1 127.0.0.1 : no request came in time");
	fd = inn_come(1);
	inn_pass(2);
	fake_now_us += 1000000;
	inn_pass(2);
	cr_expect_str_eq(inn_answer(fd), "", "one that was silent hears none");
}

/* Tests the time between two requests, and for the second. */
Test(http_crowd, so_long_between_two)
{
	int fd, i;

	inn.limits.ms = 5000;
	inn.limits.idle_ms = 1000;
	inn_open();
	for (i = 0; i < 2; i++) {
		fd = inn_ask(1, "/x");
		inn_skip(fd, "/x");
		fake_now_us += 999999;
		inn_pass(2);
		cr_expect(inn_waits(fd), "a microsecond is left");
		if (i == 1)
			net_write(fd, "G");
		inn_pass(2);
		fake_now_us += 4999999;
		inn_pass(2);
		cr_expect_eq(i == 1, inn_waits(fd));
		fake_now_us++;
		inn_pass(2);
		cr_expect_eq(inn_code(fd), i == 1 ? 408 : 0);
	}
}

/* Tests clients that do not read their answer, or its end. */
Test(http_crowd, so_long_for_an_answer)
{
	static char much[4000000];
	int fd;

	memset(much, 'x', sizeof(much) - 1);
	inn.limits.ms = 1000;
	inn.limits.linger_ms = 100;
	inn.keeps = true;
	inn_open();
	fd = inn_ask(1, "/x");
	inn_reply(inn.asked[0], much);
	fake_now_us += 999999;
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 1);
	fake_now_us++;
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 0,
		     "an answer that is not read");
	close(fd);
	fd = inn_say(1, "GET /x HTTP/1.0\r\n\r\n");
	inn_reply(inn.asked[1], "x");
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 1,
		     "it is given time to go");
	fake_now_us += 100000;
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 0, "and no more");
	close(fd);
}

Test(http_crowd, what_is_not_read_is_bounded)
{
	static char much[3000001];
	int fd[4], i;

	memset(much, 'x', sizeof(much) - 1);
	inn.keeps = true;
	inn.limits.unread_bytes = 8000000;
	inn.limits.unread_bytes_each = 5000000;
	inn_open();
	for (i = 0; i < 4; i++)
		fd[i] = inn_ask(i < 2 ? 1 : (unsigned)i, "/x");
	for (i = 0; i < 4; i++)
		inn_reply(inn.asked[i], much);
	/* 3 MB, less what the kernel took. */
	cr_expect_eq(inn_code(fd[1]), 503, "too much for one address");
	cr_expect_eq(inn_code(fd[3]), 503, "too much in all");
	cr_expect_eq(inn_code(fd[0]), 200);
	fd[1] = inn_ask(1, "/x");
	inn_reply(inn.asked[4], much);
	cr_expect_eq(inn_code(fd[1]), 200, "when it is read there is room");
	close(fd[2]);
}

/* Clients that do not read their answers do not keep others out. */
Test(http_crowd, slow_readers_make_room)
{
	static char much[3000001];
	int fd[7], i;

	memset(much, 'x', sizeof(much) - 1);
	inn.keeps = true;
	inn.limits.large = 2;
	inn.limits.unread_bytes = 8000000;
	inn.limits.fair_ms = 1000;
	inn.limits.fair_rate = UINT_MAX;
	inn_open();
	for (i = 0; i < 7; i++)
		fd[i] = inn_ask(1 + (unsigned)i, "/x");
	cr_expect(http_expect_large(inn.asked[0]));
	inn_reply(inn.asked[0], much);
	cr_expect(http_expect_large(inn.asked[1]));
	fake_now_us += 1000000;
	cr_expect(http_expect_large(inn.asked[2]), "the first one has gone");
	cr_expect_eq(http_counts(inn.http)->connections, 6);
	fake_now_us += 1000000;
	cr_expect_not(http_expect_large(inn.asked[3]),
		      "those that are still made are not slow");
	inn_reply(inn.asked[1], much);
	inn_reply(inn.asked[2], much);
	inn_reply(inn.asked[3], much);
	cr_expect_eq(inn_code(fd[3]), 503, "too much is not read");
	fake_now_us += 1000000;
	inn_reply(inn.asked[4], much);
	cr_expect_eq(inn_code(fd[4]), 200, "until a slow one has gone");
	cr_expect_eq(http_counts(inn.http)->connections, 3);
	for (i = 0; i < 7; i++)
		if (i != 3 && i != 4)
			close(fd[i]);
	http_refuse(inn.asked[5], 404, "no");
	http_refuse(inn.asked[6], 404, "no");
	inn_pass(2);
}

/* A client that leaves makes no room while there is work to do for it. */
Test(http_crowd, a_request_counts_until_it_is_answered)
{
	int i;

	inn.keeps = true;
	inn.limits.each_address = 2;
	inn_open();
	for (i = 0; i < 2; i++)
		close(inn_ask(1, "/x"));
	inn_pass(5);
	inn_pass(2);
	cr_assert_eq(inn.count, 2);
	cr_expect_eq(http_counts(inn.http)->connections, 2);
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 429);
	inn_reply(inn.asked[0], "x");
	http_refuse(inn.asked[1], 404, "no");
	inn.keeps = false;
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200);
}

/* A large answer is made even then, because others may wait for its place. */
Test(http_crowd, a_client_that_has_ended_its_side_may_have_gone)
{
	int fd;

	inn.keeps = true;
	inn_open();
	fd = inn_ask(1, "/x");
	cr_assert_eq(inn.count, 1);
	cr_expect_not(http_may_have_gone(inn.asked[0]));
	shutdown(fd, SHUT_WR);
	cr_expect(http_may_have_gone(inn.asked[0]));
	cr_assert(http_expect_large(inn.asked[0]));
	cr_expect_not(http_may_have_gone(inn.asked[0]));
	inn_reply(inn.asked[0], "done");
	cr_expect_eq(inn_code(fd), 200);
}

Test(http_crowd, large_answers)
{
	unsigned i;
	int fd[5];

	inn.keeps = true;
	inn.limits.large = 3;
	inn.limits.large_each = 2;
	inn_open();
	for (i = 0; i < 3; i++)
		fd[i] = inn_ask(1, "/x");
	cr_expect(http_expect_large(inn.asked[0]));
	cr_expect(http_expect_large(inn.asked[1]));
	cr_expect_not(http_expect_large(inn.asked[2]), "two an address");
	fd[3] = inn_ask(2, "/x");
	cr_expect(http_expect_large(inn.asked[3]));
	fd[4] = inn_ask(3, "/x");
	cr_expect_not(http_expect_large(inn.asked[4]), "three in all");
	/* A refused request has no large body any more, and a sent answer is
	 * gone. */
	http_refuse(inn.asked[0], 404, "no");
	cr_expect(http_expect_large(inn.asked[2]));
	inn_reply(inn.asked[3], "x");
	cr_expect_eq(inn_code(fd[3]), 200);
	cr_expect(http_expect_large(inn.asked[4]));
	http_refuse(inn.asked[1], 404, "no");
	http_refuse(inn.asked[2], 404, "no");
	http_refuse(inn.asked[4], 404, "no");
	for (i = 0; i < 5; i++)
		if (i != 3)
			cr_expect_eq(inn_code(fd[i]), 404);
}

static unsigned aways;

static void
on_away(void *arg, struct http_request *request)
{
	cr_expect_eq(arg, request);
	aways++;
}

/* Lets request `i` wait for its turn. */
static void
let_wait(unsigned i)
{
	http_let_wait(inn.asked[i], on_away, inn.asked[i]);
}

Test(http_crowd, who_waits_for_his_turn_makes_room)
{
	unsigned i;
	int fd[6];

	inn.keeps = true;
	inn.limits.connections = 4;
	inn.limits.each_address = 2;
	inn_open();
	for (i = 0; i < 4; i++) {
		fd[i] = inn_ask(i == 0 ? 2 : i == 3 ? 3 : 1, "/x");
		let_wait(i);
	}
	fd[4] = inn_ask(4, "/x");
	cr_assert_eq(aways, 1);
	inn_expect_part(inn_answer(fd[1]),
			"\r\n\r\n503: there are too many connections\n");
	inn_reply(inn.asked[4], "x");
	cr_expect_eq(inn_code(fd[4]), 200, "instead of the oldest of two");
	fd[1] = inn_ask(1, "/x");
	let_wait(5);
	fd[4] = inn_ask(1, "/x");
	cr_assert_eq(aways, 2);
	cr_expect_eq(inn_code(fd[2]), 429, "the oldest of its address");
	/* One whose turn has come stays. */
	http_go_on(inn.asked[0]);
	http_go_on(inn.asked[3]);
	http_go_on(inn.asked[5]);
	cr_expect_eq(inn_code(inn_ask(5, "/x")), 503);
	cr_expect_eq(aways, 2);
	for (i = 0; i < 7; i++)
		if (i != 1 && i != 2 && i != 4)
			inn_reply(inn.asked[i], "x");
	for (i = 0; i < 5; i++)
		if (i != 2)
			cr_expect_eq(inn_code(fd[i]), 200);
}

Test(http_crowd, a_silent_connection_goes_before_a_request_that_waits)
{
	int fd[3];

	inn.keeps = true;
	inn.limits.each_address = 2;
	inn_open();
	fd[0] = inn_ask(1, "/x");
	let_wait(0);
	fd[1] = inn_ask(1, "/x");
	inn_reply(inn.asked[1], "x");
	inn_skip(fd[1], "\r\n\r\nx");
	fd[2] = inn_ask(1, "/x");
	cr_assert_eq(aways, 0);
	http_go_on(inn.asked[0]);
	inn_reply(inn.asked[0], "x");
	inn_reply(inn.asked[2], "x");
	cr_expect_eq(inn_code(fd[0]), 200);
	cr_expect_eq(inn_code(fd[2]), 200);
	close(fd[1]);
}

/* Two addresses cannot hold all places. */
Test(http_crowd, large_answers_of_the_address_with_most_make_room)
{
	static char much[4000000];
	unsigned i;
	int fd[8];

	memset(much, 'x', sizeof(much) - 1);
	inn.keeps = true;
	inn.limits.large = 4;
	inn.limits.large_each = 3;
	inn_open();
	for (i = 0; i < 8; i++)
		fd[i] = inn_ask(i < 3 ? 1 : i - 1, "/x");
	for (i = 0; i < 4; i++) {
		cr_expect(http_expect_large(inn.asked[i]));
		let_wait(i);
	}
	http_go_on(inn.asked[1]);
	inn_reply(inn.asked[1], much);
	cr_assert(http_expect_large(inn.asked[4]));
	cr_expect_eq(inn_code(fd[0]), 429, "the oldest of three that waits");
	cr_assert(http_expect_large(inn.asked[5]));
	cr_expect_eq(inn_code(fd[2]), 429, "one of two that waits");
	cr_expect_eq(aways, 2);
	cr_expect_not(http_expect_large(inn.asked[6]), "each has one");
	http_refuse(inn.asked[3], 404, "no");
	fd[0] = inn_ask(1, "/x");
	cr_expect(http_expect_large(inn.asked[8]));
	cr_expect(http_expect_large(inn.asked[6]));
	cr_expect_eq(http_counts(inn.http)->connections, 6,
		     "one of two that is read has gone");
	cr_expect_not(http_expect_large(inn.asked[7]));
	for (i = 4; i < 9; i++)
		http_refuse(inn.asked[i], 404, "no");
	for (i = 0; i < 8; i++)
		if (i == 1)
			close(fd[i]);
		else if (i != 2)
			cr_expect_eq(inn_code(fd[i]), 404);
}

/* ---- wrong tokens ----------------------------------------------------- */

static struct address *
address_of(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET };

	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	return address_take(inn.addresses, (struct sockaddr *)&from);
}

/* Bodies that have left their places: `SENDER:MS `. */
static char had[256];

static void
on_left(void *arg, const char *sender, uint64_t us)
{
	cr_assert_eq(arg, &inn);
	snprintf(had + strlen(had), sizeof(had) - strlen(had), "%s:%u ", sender,
		 (unsigned)(us / 1000));
}

static void
on_body(void *arg, struct http_request *request, const char *bytes, size_t n)
{
	cr_assert_eq(arg, &inn);
	cr_expect_eq(strspn(bytes, "x"), n, "what was sent, all of it");
	inn_reply(request, "body");
}

/* Opens, to bodies of 90000 bytes, with the limits that are set. */
static void
open_for_bodies(void)
{
	had[0] = '\0';
	inn.keeps = true;
	inn_open();
	inn.limits.put_bytes = 90000;
	http_set_limits(inn.http, &inn.limits);
}

/* Sends a request with a large body, of which nothing is sent yet. */
static int
send_in(unsigned last)
{
	return inn_say(last, "PUT /put HTTP/1.1\r\nHost: x\r\n"
			     "Content-Length: 90000\r\n\r\n");
}

/* Reads the body of this request if it may come, of one whose bodies had so long. */
static bool
reads_after(unsigned i, const char *sender, uint64_t had_us)
{
	if (!http_expect_body(inn.asked[i], sender, had_us))
		return false;
	http_read_body(inn.asked[i], on_body, on_left, &inn);
	return true;
}

static bool
reads(unsigned i, const char *sender)
{
	return reads_after(i, sender, 0);
}

Test(http_crowd, a_body_is_read_when_the_owner_says_so)
{
	static char part[90001];
	int fd[5], i;

	memset(part, 'x', sizeof(part) - 1);
	inn.limits.bodies = 2;
	inn.limits.bodies_each = 1;
	open_for_bodies();
	for (i = 0; i < 4; i++)
		fd[i] = send_in(i < 2 ? 1 : (unsigned)i);
	cr_assert_eq(inn.count, 4, "it is asked before the body is here");
	cr_expect(reads(0, "a"));
	cr_expect_not(reads(1, "b"));
	cr_expect_eq(inn_code(fd[1]), 429, "a second from an address");
	cr_expect(reads(2, "c"));
	cr_expect_not(reads(3, "d"));
	cr_expect_eq(inn_code(fd[3]), 429, "a third in all");
	net_write(fd[0], part);
	cr_expect_eq(inn_code(fd[0]), 200);
	/* One has gone: another may. */
	fd[0] = send_in(3);
	cr_expect(reads(4, "d"));
	cr_expect_eq(inn_code(fd[0]), 0, "one that breaks off");
	close(fd[2]);
	inn_pass(3);
	/* A refused client is told so after sending its body. */
	fd[0] = send_in(4);
	net_write(fd[0], part);
	http_refuse(inn.asked[5], 403, "no");
	inn_expect_part(inn_answer(fd[0]), "Connection: close\r\n");
	/* And one that sends a byte too many. */
	fd[0] = inn_say(4, "PUT /put HTTP/1.1\r\nHost: x\r\n"
			   "Content-Length: 90001\r\n\r\n");
	cr_expect_eq(inn_code(fd[0]), 413);
}

Test(http_crowd, who_expects_to_be_told_is_told)
{
	int fd;

	inn.keeps = true;
	inn_open();
	inn.limits.put_bytes = 5;
	http_set_limits(inn.http, &inn.limits);
	fd = inn_say(1, "PUT /put HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
			"Expect: 100-continue\r\n\r\n");
	cr_expect(inn_waits(fd), "not before he may");
	cr_expect(reads(0, "a"));
	inn_skip(fd, "HTTP/1.1 100 Continue\r\n\r\n");
	net_write(fd, "xxxxx");
	inn_skip(fd, "\r\n\r\nbody");
	/* The connection goes on with the next request. */
	net_write(fd, "PUT /put HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"
		      "\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
	inn_pass(3);
	cr_expect(reads(1, "a"));
	inn_pass(3);
	cr_assert_eq(inn.count, 3);
	cr_expect_str_eq(inn.path, "/next");
	inn_reply(inn.asked[2], "next");
	inn_expect_part(inn_answer(fd), "\r\n\r\nnext");
}

/* Such a body takes no place. */
Test(http_crowd, a_body_that_came_with_its_head_needs_no_place)
{
	char text[SERVE_HEAD_BYTES + 128];
	int fd[3], n;

	inn.limits.bodies = 1;
	open_for_bodies();
	fd[0] = send_in(1);
	cr_expect(reads(0, "a"));
	n = snprintf(text, sizeof(text),
		     "PUT /put HTTP/1.1\r\nHost: x\r\n"
		     "Content-Length: %d\r\n\r\n",
		     SERVE_HEAD_BYTES);
	memset(text + n, 'x', SERVE_HEAD_BYTES);
	text[n + SERVE_HEAD_BYTES] = '\0';
	fd[1] = inn_say(1, text);
	cr_expect(reads(1, "a"), "of the same sender, at the same address");
	cr_expect_eq(inn_code(fd[1]), 200);
	cr_expect_str_eq(had, "", "it had none");
	text[n + SERVE_HEAD_BYTES - 1] = '\0';
	fd[2] = inn_say(2, text);
	cr_expect_not(reads(2, "b"), "a byte is missing");
	cr_expect_eq(inn_code(fd[2]), 429);
	close(fd[0]);
	inn_pass(3);
}

/* A body has 1 s, and a second more for each 1000 bytes of it that are here. */
Test(http_crowd, so_long_for_a_body)
{
	static char part[2001];
	int fd[2];

	memset(part, 'x', sizeof(part) - 1);
	inn.limits.body_ms = 1000;
	inn.limits.body_rate = 1000;
	open_for_bodies();
	fd[0] = send_in(1);
	cr_expect(reads(0, "a"));
	fd[1] = send_in(2);
	cr_expect(reads(1, "b"));
	fake_now_us += 999999;
	net_write(fd[1], part);
	inn_pass(2);
	cr_expect(inn_waits(fd[0]), "a microsecond is left");
	fake_now_us++;
	inn_pass(2);
	cr_expect_eq(inn_code(fd[0]), 408);
	fake_now_us += 1999999;
	inn_pass(2);
	cr_expect(inn_waits(fd[1]), "what came has put it off");
	fake_now_us++;
	inn_pass(2);
	cr_expect_eq(inn_code(fd[1]), 408);
}

/* There is one token at four addresses, and the bodies never end. */
Test(http_crowd, one_sender_does_not_hold_all_bodies)
{
	int fd[5], i;

	open_for_bodies();
	for (i = 0; i < 5; i++)
		fd[i] = send_in(1 + (unsigned)i);
	cr_expect(reads(0, "slow"));
	for (i = 1; i < 4; i++) {
		cr_expect_not(reads((unsigned)i, "slow"));
		cr_expect_eq(inn_code(fd[i]), 429);
	}
	cr_expect(reads(4, "other"), "another sender has room");
	/* A sender's next request does not wait for one that hangs. */
	fake_now_us += 1999999;
	fd[1] = send_in(2);
	cr_expect_not(reads(5, "slow"), "a microsecond early");
	cr_expect_eq(inn_code(fd[1]), 429);
	fake_now_us++;
	fd[1] = send_in(2);
	cr_expect(reads(6, "slow"));
	cr_expect_eq(inn_code(fd[0]), 429, "it has made room");
	close(fd[1]);
	close(fd[4]);
	inn_pass(3);
}

Test(http_crowd, the_slowest_body_makes_room)
{
	static char part[80001];
	int fd[4], i;

	inn.limits.bodies = 3;
	inn.limits.fair_ms = 1000;
	inn.limits.fair_rate = 50000;
	open_for_bodies();
	for (i = 0; i < 3; i++) {
		fd[i] = send_in(1 + (unsigned)i);
		cr_expect(reads((unsigned)i,
				(const char *[]){ "a", "b", "c" }[i]));
	}
	memset(part, 'x', 60000);
	net_write(fd[2], part);
	net_write(fd[0], "xxx");
	net_write(fd[1], "xx");
	inn_pass(9);
	fake_now_us += 1000000;
	fd[3] = send_in(4);
	cr_expect(reads(3, "d"));
	cr_expect_eq(inn_code(fd[1]), 429, "the slowest of all");
	fd[1] = send_in(5);
	cr_expect(reads(4, "e"));
	cr_expect_eq(inn_code(fd[0]), 429, "the next one");
	fd[0] = send_in(6);
	cr_expect_not(reads(5, "f"), "what is fast, or new, stays");
	cr_expect_eq(inn_code(fd[0]), 429);
	for (i = 1; i < 4; i++)
		close(fd[i]);
	inn_pass(5);
}

/* There is no room for an answer, and the body is slower than the one that is read. */
Test(http_crowd, a_slow_body_makes_no_room_for_answers)
{
	static char much[3000001];
	int fd[3];

	memset(much, 'x', sizeof(much) - 1);
	inn.limits.unread_bytes = 5000000;
	open_for_bodies();
	fd[0] = send_in(1);
	cr_expect(reads(0, "slow"));
	fake_now_us += 2000000;
	fd[1] = inn_ask(2, "/x");
	inn_reply(inn.asked[1], much);
	fd[2] = inn_ask(3, "/x");
	inn_reply(inn.asked[2], much);
	cr_expect_eq(inn_code(fd[2]), 503);
	cr_expect(inn_waits(fd[0]), "it would free no bytes");
	close(fd[0]);
	close(fd[1]);
	inn_pass(3);
}

/* 90000 bytes take 15 seconds at twice the rate. */
#define TURN_US ((SERVE_BODY_TURN_MS + 15000) * UINT64_C(1000))

/* All bodies are fast enough. */
Test(http_crowd, the_body_of_who_had_most_time_makes_room)
{
	static const uint64_t second = 1000000;
	static char part[80001];
	int fd[4], i;

	inn.limits.bodies = 3;
	inn.limits.fair_rate = 3000;
	inn.limits.body_ms = 60000;
	open_for_bodies();
	memset(part, 'x', sizeof(part) - 1);
	for (i = 0; i < 3; i++) {
		fd[i] = send_in(1 + (unsigned)i);
		cr_expect(reads_after((unsigned)i,
				      (const char *[]){ "", "a", "b" }[i],
				      (unsigned)i * second));
		net_write(fd[i], part);
	}
	inn_pass(9);
	fake_now_us += TURN_US - 1;
	fd[3] = send_in(4);
	cr_expect_not(reads_after(3, "d", 2 * second), "a microsecond early");
	cr_expect_eq(inn_code(fd[3]), 429);
	fake_now_us++;
	fd[3] = send_in(4);
	cr_expect_not(reads_after(4, "d", 2 * second + 1), "who had more");
	cr_expect_eq(inn_code(fd[3]), 429);
	fd[3] = send_in(4);
	cr_expect_not(reads_after(5, "", 0), "of whom nobody knows");
	cr_expect_eq(inn_code(fd[3]), 429);
	fd[3] = send_in(4);
	cr_expect(reads_after(6, "d", 2 * second), "who had a turn less");
	cr_expect_eq(inn_code(fd[2]), 429, "it has made room");
	cr_expect_str_eq(had, "b:25000 ");
	fd[2] = send_in(5);
	cr_expect_not(reads_after(7, "e", 2 * second), "the others stay");
	cr_expect_eq(inn_code(fd[2]), 429);
	for (i = 0; i < 4; i++)
		if (i != 2)
			close(fd[i]);
	inn_pass(5);
}

/* A sender cannot keep his place by breaking off before his turn ends. */
Test(http_crowd, a_body_that_begins_anew_goes_on_with_its_turn)
{
	int fd, other;

	inn.limits.bodies = 1;
	inn.limits.fair_rate = 3000;
	inn.limits.fair_ms = 60000;
	inn.limits.body_ms = 60000;
	open_for_bodies();
	fd = send_in(1);
	cr_expect(reads(0, "again"));
	fake_now_us += TURN_US - 1000000;
	close(fd);
	inn_pass(3);
	cr_expect_str_eq(had, "again:24000 ");
	fd = send_in(1);
	cr_expect(reads_after(1, "again", TURN_US - 1000000));
	fake_now_us += 999999;
	other = send_in(2);
	cr_expect_not(reads(2, "new"), "a microsecond early");
	cr_expect_eq(inn_code(other), 429);
	fake_now_us++;
	other = send_in(2);
	cr_expect(reads(3, "new"));
	cr_expect_eq(inn_code(fd), 429);
	cr_expect_str_eq(had, "again:24000 again:1000 ");
	close(other);
	inn_pass(3);
	cr_expect_str_eq(had, "again:24000 again:1000 new:0 ");
}

/* ---- watchers ----------------------------------------------------------- */

static unsigned drained, left;

static void
on_drained(void *arg)
{
	cr_assert_eq(arg, &inn);
	drained++;
}

static void
on_gone(void *arg)
{
	cr_assert_eq(arg, &inn);
	left++;
}

static const struct http_watch watch = { on_drained, on_gone };

/* A watcher that never reads has little buffered, and is then closed. */
Test(http_crowd, who_watches)
{
	static const char line[] = "data: 0123456789\n\n";
	static char much[60000];
	struct http_connection *one = NULL, *deaf = NULL;
	struct http_piece *piece, *large;
	unsigned i, put;
	int fd[3];

	drained = left = 0;
	memset(much, 'x', sizeof(much));
	inn.keeps = true;
	inn.limits.watchers = 2;
	inn.limits.connections = 1;
	inn.limits.watch_ms = 1000;
	inn_open();
	for (i = 0; i < 2; i++) {
		fd[i] = inn_ask(1 + i, "/x");
		cr_assert_eq(inn.count, i + 1);
		one = http_watch(inn.asked[i], &watch, &inn);
		cr_assert_not_null(one);
		deaf = i == 0 ? one : deaf;
	}
	cr_expect_eq(http_counts(inn.http)->watchers, 2);
	cr_expect_eq(http_counts(inn.http)->connections, 0,
		     "they take no other's place");
	fd[2] = inn_ask(3, "/x");
	cr_expect_null(http_watch(inn.asked[2], &watch, &inn));
	cr_expect_eq(inn_code(fd[2]), 429, "one too many");
	/* Pieces are shared. */
	piece = http_piece_new(line, sizeof(line) - 1);
	cr_expect(http_watch_put(one, piece));
	http_watch_flush(one);
	cr_expect_eq(drained, 1);
	inn_skip(fd[1], line);
	/* The buffer of a watcher that does not read is bounded. */
	large = http_piece_new(much, sizeof(much));
	for (put = i = 0; i < 100; i++) {
		put += http_watch_put(deaf, large);
		http_watch_flush(deaf);
	}
	cr_expect_lt(put, 100);
	cr_expect_lt(http_watch_room(deaf), sizeof(much) + 1000);
	cr_expect(http_watch_put(one, large), "others go on");
	http_watch_flush(one);
	cr_expect_eq(left, 0);
	fake_now_us += 1000000;
	inn_pass(2);
	cr_expect_eq(left, 1, "it has read nothing for so long");
	inn_skip(fd[1], ":\n\n");
	close(fd[1]);
	inn_pass(3);
	cr_expect_eq(left, 2, "who leaves is gone");
	cr_expect_eq(http_counts(inn.http)->watchers, 0);
	http_piece_drop(piece);
	http_piece_drop(large);
	close(fd[0]);
}

/* Makes request `i`, of address 127.0.0.LAST, a watcher: returns its socket, or -1. */
static int
watches(unsigned i, unsigned last)
{
	int fd = inn_ask(last, "/x");
	struct http_connection *connection;

	connection = http_watch(inn.asked[i], &watch, &inn);
	if (connection == NULL) {
		cr_expect_eq(inn_code(fd), 429);
		return -1;
	}
	http_watch_flush(connection);
	inn_skip(fd, "\r\n\r\n");
	return fd;
}

/* A few addresses cannot take all places. */
Test(http_crowd, an_address_with_many_watchers_makes_room)
{
	int fd[6];
	unsigned i;

	left = 0;
	inn.keeps = true;
	inn.limits.watchers = 4;
	inn.limits.watchers_each = 3;
	inn_open();
	for (i = 0; i < 4; i++)
		fd[i] = watches(i, i == 0 ? 2 : 1);
	cr_expect_eq(left, 0);
	fd[4] = watches(4, 3);
	cr_expect_neq(fd[4], -1);
	cr_expect_eq(left, 1);
	cr_expect_str_eq(inn_answer(fd[1]), "", "the oldest of three");
	cr_expect_eq(watches(5, 3), -1, "none has two more than that");
	fd[5] = watches(6, 4);
	cr_expect_neq(fd[5], -1);
	cr_expect_str_eq(inn_answer(fd[2]), "", "one of two");
	cr_expect_eq(watches(7, 5), -1, "but none that is the only one");
	cr_expect_eq(left, 2);
	close(fd[0]);
	for (i = 3; i < 6; i++)
		close(fd[i]);
	inn_pass(5);
}

/* ---- proxies ---------------------------------------------------------- */

/* A request by the proxy 127.0.0.9, with these headers. */
static int
ask_by_proxy(const char *headers)
{
	char text[512];

	snprintf(text, sizeof(text), "GET /x HTTP/1.1\r\nHost: a\r\n%s\r\n",
		 headers);
	return inn_say(9, text);
}

Test(http_crowd, behind_a_proxy_the_client_counts)
{
	static const struct {
		const char *headers;
		int code; /* while 192.0.2.1 has all that it may */
	} cases[] = {
		{ "X-Forwarded-For: 192.0.2.1\r\n", 429 },
		{ "X-Forwarded-For: 192.0.2.1:4000\r\n", 429 },
		{ "X-Forwarded-For: ::ffff:192.0.2.1\r\n", 429 },
		{ "X-Forwarded-For: [::ffff:192.0.2.1]:80\r\n", 429 },
		{ "X-Forwarded-For: 192.0.2.2\r\n", 200 },
		{ "", 200 },
		/* The rightmost address that is not a trusted proxy counts. */
		{ "X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n", 200 },
		{ "X-Forwarded-For: 192.0.2.2,\t192.0.2.1 \r\n", 429 },
		{ "X-Forwarded-For: 192.0.2.2, 192.0.2.1, 10.1.2.3\r\n", 429 },
		{ "X-Forwarded-For: 192.0.2.1, 11.1.2.3\r\n", 200 },
		{ "X-Forwarded-For: 192.0.2.1\r\n"
		  "X-Forwarded-For: 10.1.2.3, 10.4.5.6\r\n",
		  429 },
		{ "X-Forwarded-For: 192.0.2.2\r\n"
		  "x-forwarded-for: 192.0.2.1\r\n",
		  429 },
		/* A part that cannot be read hides what stands before it. */
		{ "X-Forwarded-For: 192.0.2.1, unknown\r\n", 200 },
		{ "X-Forwarded-For: 192.0.2.1,\r\n", 200 },
		{ "X-Forwarded-For: 192.0.2.1, 10.1.2.3.4\r\n", 200 },
		{ "Forwarded: for=192.0.2.1\r\n", 429 },
		{ "Forwarded: by=a;FOR=\"192.0.2.1:80\";proto=http\r\n", 429 },
		{ "Forwarded: for=192.0.2.1, for=\"[::2]:4\"\r\n", 200 },
		{ "Forwarded: for=192.0.2.2, for = 192.0.2.1\r\n", 200 },
		{ "Forwarded: for=_secret\r\n", 200 },
		/* Only one of them can be the proxy's. */
		{ "Forwarded: for=192.0.2.2\r\n"
		  "X-Forwarded-For: 192.0.2.1\r\n",
		  400 },
		{ "Forwarded: for=192.0.2.1\r\n"
		  "X-Forwarded-For: 192.0.2.1\r\n",
		  429 },
	};
	struct networks proxies = { 0 };
	struct error why;
	int fd[3];
	unsigned i;

	inn.limits.each_address = 2;
	inn_open();
	cr_assert_eq(networks_add(&proxies, "127.0.0.9", &why), 0);
	cr_assert_eq(networks_add(&proxies, "10.0.0.0/8", &why), 0);
	http_set_proxies(inn.http, &proxies);
	inn.keeps = true;
	fd[0] = ask_by_proxy("X-Forwarded-For: 192.0.2.1\r\n");
	fd[1] = ask_by_proxy("X-Forwarded-For: 192.0.2.1\r\n");
	cr_assert_eq(inn.count, 2);
	inn.keeps = false;
	for (i = 0; i < NELEM(cases); i++)
		cr_expect_eq(inn_code(ask_by_proxy(cases[i].headers)),
			     cases[i].code, "%s", cases[i].headers);
	cr_expect_str_eq(inn.refusal,
			 "0 192.0.2.1 : there are too many connections from "
			 "your address");
	/* Headers of other clients are ignored. */
	fd[2] = inn_say(8, "GET /x HTTP/1.0\r\nX-Forwarded-For: 192.0.2.1\r\n"
			   "\r\n");
	cr_expect_eq(inn_code(fd[2]), 200);
	/* It counts as long as it is answered. */
	inn_reply(inn.asked[0], "x");
	cr_expect_eq(inn_code(ask_by_proxy(cases[0].headers)), 200);
	inn_reply(inn.asked[1], "x");
	close(fd[0]);
	close(fd[1]);
}

Test(http_crowd, networks)
{
	static const struct {
		const char *text, *as; /* NULL: it is none */
		const char *in, *out;
	} cases[] = {
		{ "127.0.0.1", "127.0.0.1/32", "::ffff:127.0.0.1",
		  "127.0.0.2" },
		{ "10.0.0.0/9", "10.0.0.0/9", "10.127.0.0", "10.128.0.0" },
		{ "0.0.0.0/0", "0.0.0.0/0", "255.255.255.255", "::1" },
		{ "::/0", "::/0", "1.2.3.4", NULL },
		{ "2001:db8::/33", "2001:db8::/33", "2001:db8:7fff::1",
		  "2001:db8:8000::1" },
		{ "::1", "::1/128", "::1", "::2" },
		{ "", NULL, NULL, NULL },
		{ "localhost", NULL, NULL, NULL },
		{ "1.2.3.4/33", NULL, NULL, NULL },
		{ "::/129", NULL, NULL, NULL },
		{ "::/", NULL, NULL, NULL },
		{ "1.2.3.4/-1", NULL, NULL, NULL },
		{ "1.2.3/8", NULL, NULL, NULL },
	};
	struct sockaddr_storage at;
	struct networks networks;
	char text[NETWORK_TEXT_BYTES];
	struct error why;
	unsigned i;

	for (i = 0; i < NELEM(cases); i++) {
		networks.count = 0;
		cr_expect_eq(networks_add(&networks, cases[i].text, &why) == 0,
			     cases[i].as != NULL, "%s", cases[i].text);
		if (cases[i].as == NULL)
			continue;
		networks_text(&networks.network[0], text);
		cr_expect_str_eq(text, cases[i].as);
		cr_assert(networks_read(cases[i].in, &at));
		cr_expect(networks_have(&networks, (struct sockaddr *)&at),
			  "%s in %s", cases[i].in, text);
		if (cases[i].out == NULL)
			continue;
		cr_assert(networks_read(cases[i].out, &at));
		cr_expect_not(networks_have(&networks, (struct sockaddr *)&at),
			      "%s in %s", cases[i].out, text);
	}
	for (i = networks.count = 0; i < NETWORKS_MAX; i++)
		cr_assert_eq(networks_add(&networks, "::1", &why), 0);
	cr_expect_lt(networks_add(&networks, "::1", &why), 0, "too many");
}

/* ---- wrong tokens, again ---------------------------------------------- */

Test(http_crowd, wrong_tokens_count_as_at_the_door)
{
	struct address *address;
	int fd, gone;

	inn.keeps = true;
	inn_open();
	fd = inn_ask(1, "/x");
	http_refuse_wrong(inn.asked[0], "alice", "wrong");
	cr_expect(inn_waits(fd), "the answer is late");
	cr_expect_str_eq(inn.refusal, "2 127.0.0.1 alice: wrong");
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 2 * WRONG_MS,
		     "it was the first");
	address_drop(inn.addresses, address, fake_now_us);
	/* One client leaves while it waits. */
	gone = inn_ask(1, "/x");
	http_refuse_wrong(inn.asked[1], "alice", "wrong");
	close(gone);
	inn_pass(4);
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 8 * WRONG_MS,
		     "and that the third");
	address_drop(inn.addresses, address, fake_now_us);
	fake_now_us += WRONG_MS * 1000 - 1;
	inn_pass(2);
	cr_expect(inn_waits(fd), "a microsecond early");
	fake_now_us++;
	inn_pass(2);
	inn_expect_part(inn_answer(fd), "\r\n\r\n401: wrong\n");
	/* One that waits at the end. */
	fd = inn_ask(2, "/x");
	http_refuse_wrong(inn.asked[2], "alice", "wrong");
	http_free(inn.http);
	inn.http = NULL;
	close(fd);
}

/* The time to wait comes on top of that of the connection. */
Test(http_crowd, a_late_answer_comes)
{
	int fd;

	inn.keeps = true;
	inn.limits.ms = 500;
	inn_open();
	fd = inn_ask(1, "/x");
	http_refuse_wrong(inn.asked[0], "alice", "wrong");
	fake_now_us += 1200000;
	inn_pass(2);
	cr_expect_eq(inn_code(fd), 401);
}
