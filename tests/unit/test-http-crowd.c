/* tests/unit/test-http-crowd.c - how many may ask over HTTP, and how long. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/http-inn.h"

/* ---- how many, how long ----------------------------------------------- */

Test(http, so_many_from_an_address)
{
	int fd[3], i;

	inn_begin();
	inn.limits.each_address = 3;
	inn_open();
	for (i = 0; i < 3; i++)
		fd[i] = inn_come(1);
	inn_pass(3);
	/* The fourth is told although it has said nothing. */
	cr_expect_eq(inn_code(inn_come(1)), 429);
	cr_expect_str_eq(inn.refusal,
			 "0 127.0.0.1 : there are too many connections from "
			 "your address");
	for (i = 0; i < 3; i++)
		cr_expect(inn_waits(fd[i]), "those that are there stay");
	cr_expect_eq(inn_code(inn_ask(2, "/x")), 200,
		     "another address may come");
	close(fd[0]);
	inn_pass(3);
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200, "one has gone");
	fd[0] = inn_come(1);
	inn_pass(3);
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 429);
	http_set_each_address(inn.http, 4);
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200, "four may be there now");
	/* One after another they never are too many. */
	for (i = 0; i < 40; i++)
		cr_expect_eq(inn_code(inn_ask(3, "/x")), 200);
	for (i = 0; i < 3; i++)
		close(fd[i]);
	inn_end();
}

/* All of them in one go of the loop: it is not only told when it is late. */
Test(http, a_crowd_from_an_address)
{
	int fd[12], i, in = 0;

	inn_begin();
	inn.limits.each_address = 5;
	inn_open();
	for (i = 0; i < 12; i++)
		fd[i] = inn_come(1);
	inn_pass(4);
	for (i = 0; i < 12; i++) {
		if (inn_waits(fd[i])) {
			cr_expect_eq(i, in, "the first of them");
			in++;
			close(fd[i]);
		} else {
			cr_expect_eq(inn_code(fd[i]), 429);
		}
	}
	cr_expect_eq(in, 5);
	inn_end();
}

Test(http, so_many_in_all)
{
	int fd[6], i;

	inn_begin();
	inn.limits.connections = 5;
	inn_open();
	for (i = 0; i < 5; i++) {
		fd[i] = inn_come(1 + (unsigned)i);
		inn_pass(2);
	}
	cr_expect_eq(http_count(inn.http), 5);
	fd[5] = inn_ask(9, "/x");
	cr_expect(inn_waits(fd[5]), "nobody listens to the sixth");
	cr_expect_eq(http_count(inn.http), 5);
	close(fd[0]);
	inn_pass(2);
	inn_let_time_pass();
	cr_expect_eq(inn_code(fd[5]), 200, "until one goes");
	for (i = 1; i < 5; i++)
		close(fd[i]);
	inn_end();
}

Test(http, so_long)
{
	int fd;

	inn_begin();
	inn.limits.ms = 1000;
	inn_open();
	fd = inn_come(1);
	inn_pass(2);
	fake_now_us += 500000;
	net_write(fd, "GET /x HT");
	inn_let_time_pass();
	fake_now_us += 499999;
	inn_let_time_pass();
	cr_expect(inn_waits(fd), "a microsecond is left");
	fake_now_us += 1;
	inn_let_time_pass();
	cr_expect_eq(inn_code(fd), 0, "it ends, whatever was said");
	inn_let_time_pass();
	cr_expect_eq(inn.refused, 1u);
	cr_expect_str_eq(inn.refusal, "1 127.0.0.1 : no request came in time");
	inn_end();
}

/* Who leaves makes no room while there is work to do for him. */
Test(http, a_request_counts_until_it_is_answered)
{
	int i;

	inn_begin();
	inn.keeps = true;
	inn.limits.each_address = 2;
	inn_open();
	for (i = 0; i < 2; i++)
		close(inn_ask(1, "/x"));
	inn_pass(5);
	inn_let_time_pass();
	cr_assert_eq(inn.count, 2);
	cr_expect_eq(http_count(inn.http), 2);
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 429);
	http_answer(inn.http, inn.asked[0], "text/plain", "x", 1);
	http_refuse(inn.http, inn.asked[1], 404, "no");
	inn.keeps = false;
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200);
	inn_end();
}

Test(http, large_answers)
{
	unsigned i;
	int fd[5];

	inn_begin();
	inn.keeps = true;
	inn.limits.large = 3;
	inn.limits.large_each = 2;
	inn_open();
	for (i = 0; i < 3; i++)
		fd[i] = inn_ask(1, "/x");
	cr_expect(http_expect_large(inn.http, inn.asked[0]));
	cr_expect(http_expect_large(inn.http, inn.asked[1]));
	cr_expect_not(http_expect_large(inn.http, inn.asked[2]),
		      "two an address");
	fd[3] = inn_ask(2, "/x");
	cr_expect(http_expect_large(inn.http, inn.asked[3]));
	fd[4] = inn_ask(3, "/x");
	cr_expect_not(http_expect_large(inn.http, inn.asked[4]),
		      "three in all");
	/* What is refused is not large any more, what is sent has gone. */
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_expect(http_expect_large(inn.http, inn.asked[2]));
	http_answer(inn.http, inn.asked[3], "text/plain", "x", 1);
	cr_expect_eq(inn_code(fd[3]), 200);
	cr_expect(http_expect_large(inn.http, inn.asked[4]));
	http_refuse(inn.http, inn.asked[1], 404, "no");
	http_refuse(inn.http, inn.asked[2], 404, "no");
	http_refuse(inn.http, inn.asked[4], 404, "no");
	for (i = 0; i < 5; i++)
		if (i != 3)
			cr_expect_eq(inn_code(fd[i]), 404);
	inn_end();
}

/* ---- wrong tokens ----------------------------------------------------- */

static struct address *
address_of(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET };

	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	return address_take(inn.addresses, (struct sockaddr *)&from);
}

/* Most of a large request, from 127.0.0.LAST, who has shown no token. */
static int
send_in(unsigned last)
{
	char part[1001];
	int fd, i;

	memset(part, 'x', sizeof(part) - 1);
	part[sizeof(part) - 1] = '\0';
	fd = inn_say(last, "PUT /x HTTP/1.1\r\nHost: x\r\n"
			   "Content-Length: 90000\r\n\r\n");
	for (i = 0; i < 40; i++)
		net_write(fd, part);
	inn_pass(8);
	return fd;
}

Test(http, what_is_sent_in_is_bounded_before_it_is_here)
{
	int fd[3];

	inn_begin();
	inn.limits.large = 3;
	inn.limits.large_each = 2;
	inn_open();
	http_set_put(inn.http, 100000);
	fd[0] = send_in(1);
	fd[1] = send_in(1);
	cr_expect_eq(inn_code(send_in(1)), 429, "a third from an address");
	fd[2] = send_in(2);
	cr_expect_eq(inn_code(send_in(3)), 429, "a fourth in all");
	cr_expect(inn_waits(fd[0]) && inn_waits(fd[1]) && inn_waits(fd[2]));
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200, "who sends little may");
	close(fd[0]);
	inn_pass(3);
	inn_let_time_pass();
	fd[0] = send_in(1);
	cr_expect(inn_waits(fd[0]), "one has gone");
	close(fd[0]);
	close(fd[1]);
	close(fd[2]);
	inn_end();
}

Test(http, wrong_tokens_count_as_at_the_door)
{
	struct address *address;
	int fd, gone;

	inn_begin();
	inn.keeps = true;
	inn_open();
	fd = inn_ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[0], "alice", "wrong");
	cr_expect(inn_waits(fd), "the answer is late");
	cr_expect_str_eq(inn.refusal, "2 127.0.0.1 alice: wrong");
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 2 * WRONG_MS,
		     "it was the first");
	address_drop(inn.addresses, address, fake_now_us);
	/* One that leaves meanwhile. */
	gone = inn_ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[1], "alice", "wrong");
	close(gone);
	inn_pass(4);
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 8 * WRONG_MS,
		     "and that the third");
	address_drop(inn.addresses, address, fake_now_us);
	fake_now_us += WRONG_MS * 1000 - 1;
	inn_let_time_pass();
	cr_expect(inn_waits(fd), "a microsecond early");
	fake_now_us++;
	inn_let_time_pass();
	inn_expect_part(inn_answer(fd), "\r\n\r\n401: wrong\n");
	/* One that waits at the end. */
	fd = inn_ask(2, "/x");
	http_refuse_wrong(inn.http, inn.asked[2], "alice", "wrong");
	http_free(inn.http);
	inn.http = NULL;
	close(fd);
	inn_end();
}

/* The time to wait comes on top of that of the connection. */
Test(http, a_late_answer_comes)
{
	int fd;

	inn_begin();
	inn.keeps = true;
	inn.limits.ms = 500;
	inn_open();
	fd = inn_ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[0], "alice", "wrong");
	fake_now_us += 1200000;
	inn_let_time_pass();
	cr_expect_eq(inn_code(fd), 401);
	inn_end();
}
