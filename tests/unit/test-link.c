/* tests/unit/test-link.c - a connection as lines: rates, times, ends. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/remote/link.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

/* Holds a link with its listener, and the other end as a bare socket. */
static struct {
	struct loop loop;
	struct links links;
	struct link *link;
	int peer;
	struct text said, read;
	unsigned lines, bad, moved, stuck, gone, flooded;
	unsigned close_at; /* closes the link at this line */
	bool useless;	   /* all its lines are useless */
	char why[256];
	unsigned descriptors;
} ear;

static void
on_line(struct link *link, void *arg, enum line_result result, char *line,
	size_t n, uint64_t now_us)
{
	(void)arg;
	cr_assert_eq(link, ear.link);
	cr_assert_eq(now_us, fake_now_us);
	ear.lines++;
	ear.bad += result != LINE_OK;
	if (result == LINE_OK && ear.said.used < 100000)
		text_fmt(&ear.said, "%.*s\n", (int)n, line);
	if (ear.useless)
		link_useless(ear.link);
	if (ear.close_at == ear.lines)
		link_close(ear.link, "that is enough");
}

static void
on_moved(void *arg, uint64_t now_us)
{
	(void)now_us;
	(void)arg;
	ear.moved++;
}

static void
on_stuck(void *arg, uint64_t now_us)
{
	(void)now_us;
	(void)arg;
	ear.stuck++;
}

static void
on_gone(struct link *link UNUSED, void *arg, bool flooded, const char *why)
{
	(void)arg;
	ear.gone++;
	ear.flooded += flooded;
	snprintf(ear.why, sizeof(ear.why), "%s", why);
}

static const struct link_calls calls = {
	.line = on_line, .moved = on_moved, .stuck = on_stuck, .gone = on_gone
};

static void
begin_over(bool tcp)
{
	int fd[2];

	memset(&ear, 0, sizeof(ear));
	ear.descriptors = net_descriptors();
	fake_clock_begin();
	cr_assert_eq(loop_init(&ear.loop), 0);
	links_init(&ear.links, &ear.loop, &link_limits);
	text_init(&ear.said, 1 << 20);
	text_init(&ear.read, 64 << 20);
	net_pair(tcp, fd);
	ear.peer = fd[1];
	ear.link = link_new(&ear.links, fd[0], NULL, NULL, NULL);
	cr_assert_not_null(ear.link);
	link_listen(ear.link, &calls, NULL);
}

static void
begin(void)
{
	begin_over(false);
}

static void
end(void)
{
	links_release(&ear.links);
	cr_assert_eq(ear.links.count, 0);
	loop_release(&ear.loop);
	text_release(&ear.said);
	text_release(&ear.read);
	close(ear.peer);
	cr_assert_eq(net_descriptors(), ear.descriptors);
}

TestSuite(link, .init = begin, .fini = end);

static void
pass(void)
{
	unsigned i;

	for (i = 0; i < 6; i++)
		fake_pass(&ear.loop);
}

static void
wait_ms(uint64_t ms)
{
	fake_now_us += ms * 1000;
	fake_pass(&ear.loop);
	pass();
}

/* Sends a line by the link; it leaves in a pass. */
static void
tell(const char *line)
{
	link_line(ear.link, NULL, line, strlen(line));
	link_flush(ear.link);
}

/* Returns what the other end has read by now; borrowed. */
static const char *
peer_read(void)
{
	net_read(ear.peer, &ear.read);
	return text_string(&ear.read);
}

Test(link, lines_come_and_go)
{
	link_welcome(ear.link);
	net_write(ear.peer, "one\ntwo\r\nthr");
	pass();
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\n");
	net_write(ear.peer, "ee\n\x01\n");
	pass();
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\nthree\n");
	cr_assert_eq(ear.bad, 1);
	tell("four");
	tell("five");
	cr_assert_str_eq(peer_read(), "", "all leaves in the loop");
	cr_assert_eq(link_collected(ear.link), 10);
	cr_assert_eq(link_written(ear.link), 0);
	pass();
	cr_assert_str_eq(peer_read(), "four\nfive\n");
	cr_assert_eq(ear.moved, 1, "in one write");
	cr_assert_eq(link_written(ear.link), 10);
	cr_assert_eq(ear.stuck, 0);
	close(ear.peer);
	pass();
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "the connection was lost: the other side "
				  "closed it");
	ear.peer = dup(0);
}

/* Lines of an end that has left are heard before its loss is reported. */
Test(link, last_words_are_heard)
{
	link_welcome(ear.link);
	net_write(ear.peer, "one\ntwo\n");
	shutdown(ear.peer, SHUT_WR);
	pass();
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\n");
	cr_assert_eq(ear.gone, 1);
	/* It is also told why the connection ends. */
	cr_assert_str_eq(peer_read(),
			 "error the connection was lost: the other side "
			 "closed it\nbye\n");
}

/* ---- the end -------------------------------------------------------- */

Test(link, it_says_why_it_ends)
{
	link_welcome(ear.link);
	ear.close_at = 2;
	tell("before");
	net_write(ear.peer, "one\ntwo\nthree\nfour\n");
	pass();
	cr_assert_eq(ear.lines, 2, "nothing is told after it was closed");
	cr_assert_str_eq(peer_read(), "before\nerror that is enough\nbye\n");
	cr_assert_not(net_read(ear.peer, &ear.read), "the sending half ends");
	cr_assert_eq(1 - ear.links.count, 0, "it waits for the other side");
	/* Lines that still come are dropped, and cause no reset. */
	net_write(ear.peer, "five\n");
	pass();
	shutdown(ear.peer, SHUT_WR);
	pass();
	cr_assert_eq(1 - ear.links.count, 1);
	cr_assert_eq(ear.gone, 0);
}

/* The last lines arrive although the other side's lines had not been read. */
Test(link, no_reset_takes_the_last_lines_away)
{
	int fd[2];

	links_release(&ear.links);
	close(ear.peer);
	net_pair(true, fd);
	ear.peer = fd[1];
	ear.link = link_new(&ear.links, fd[0], NULL, NULL, NULL);
	link_listen(ear.link, &calls, &ear);
	net_write(ear.peer, "unread\n");
	link_close_later(ear.link, 1000, "a word");
	link_close(ear.link, "a sentence");
	pass();
	net_write(ear.peer, "late\n");
	pass();
	cr_assert_str_eq(peer_read(), "error a sentence\nbye\n");
	wait_ms(BYE_MS - 1);
	cr_assert_eq(1 - ear.links.count, 0);
	wait_ms(1);
	cr_assert_eq(1 - ear.links.count, 1, "it does not wait for ever");
}

/* ---- times ---------------------------------------------------------- */

Test(link, a_slow_hello)
{
	unsigned i;

	/* A byte now and then does not extend the time. */
	for (i = 0; i < 10; i++) {
		cr_assert_eq(ear.gone, 0);
		net_write(ear.peer, "b");
		wait_ms(HELLO_MS / 10);
	}
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 0);
	cr_assert_str_eq(peer_read(), "error no bot line came in time\nbye\n");
}

/* A handshake that never ends does not keep the link, either. */
Test(link, a_slow_handshake)
{
	struct error why;
	struct net_kit kit;
	struct tls *tls;
	int fd[2];

	links_release(&ear.links);
	close(ear.peer);
	net_kit_init(&kit);
	tls = tls_server_new(kit.chain[0], kit.key[0], &why);
	cr_assert_not_null(tls);
	net_pair(false, fd);
	ear.peer = fd[1];
	ear.link = link_new(&ear.links, fd[0], tls, NULL, NULL);
	link_listen(ear.link, &calls, &ear);
	cr_assert_eq(write(ear.peer, "\x16\x03\x01\x02", 4), 4);
	pass();
	wait_ms(HELLO_MS - 1);
	cr_assert_eq(ear.gone, 0);
	wait_ms(1);
	cr_assert_eq(ear.gone, 1);
	cr_assert_not(net_read(ear.peer, &ear.read), "it ends, without a word");
	cr_assert_eq(ear.read.used, 0);
	wait_ms(BYE_MS);
	cr_assert_eq(1 - ear.links.count, 1);
	tls_free(tls);
	net_kit_release(&kit);
}

Test(link, keeps_alive)
{
	link_welcome(ear.link);
	wait_ms(PING_MS - 1);
	cr_assert_str_eq(peer_read(), "");
	wait_ms(1);
	cr_assert_str_eq(peer_read(), "ping 1\n");
	wait_ms(PONG_MS - 1);
	net_write(ear.peer, "pong 1\n");
	pass();
	cr_assert_eq(ear.lines, 0, "the link's own business");
	net_write(ear.peer, "pong 1\n");
	pass();
	cr_assert_eq(ear.lines, 1, "it was answered already");
	wait_ms(PING_MS - 1);
	cr_assert_str_eq(peer_read(), "ping 1\n");
	wait_ms(1);
	cr_assert_str_eq(peer_read(), "ping 1\nping 2\n");
	/* Any line shows that it lives. */
	net_write(ear.peer, "do 1 pass\n");
	pass();
	wait_ms(PONG_MS);
	cr_assert_eq(ear.gone, 0);
	wait_ms(PING_MS - PONG_MS);
	cr_assert_str_eq(peer_read(), "ping 1\nping 2\nping 3\n");
	/* An incomplete line does not. */
	net_write(ear.peer, "do 2");
	wait_ms(PONG_MS);
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "no answer to a ping");
}

Test(link, a_pong_that_nobody_asked_for_is_told_like_any_line)
{
	unsigned i;

	link_welcome(ear.link);
	ear.useless = true;
	for (i = 0; i <= CHATTER_MAX; i++) {
		cr_assert_eq(ear.gone, 0);
		net_write(ear.peer, "pong 1\n");
		if (i % 100 == 0)
			pass();
	}
	pass();
	pass();
	cr_assert_eq(ear.gone, 1);
}

/* ---- too much ------------------------------------------------------- */

Test(link, useless_lines_are_forgiven_in_time)
{
	unsigned i;

	link_welcome(ear.link);
	ear.useless = true;
	for (i = 0; i < CHATTER_MAX; i++) {
		net_write(ear.peer, "x\n");
		if (i % 200 == 0)
			pass();
	}
	pass();
	cr_assert_eq(ear.lines, CHATTER_MAX);
	cr_assert_eq(ear.gone, 0);
	for (i = 0; i < 20; i++) {
		wait_ms(USELESS_MS);
		net_write(ear.peer, "x\n");
		pass();
		cr_assert_eq(ear.gone, 0);
	}
	net_write(ear.peer, "x\n");
	pass();
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 0);
	cr_assert_str_eq(peer_read(), "error too many useless lines\nbye\n");
}

/* Lines that come too fast are not lost: they wait, and so does the sender. */
Test(link, what_comes_too_fast_is_read_later)
{
	static const char block[] = "do 1 a\ndo 1 b\ndo 1 c\ndo 1 d\n";
	unsigned sent = 0, i, before, seconds;
	ssize_t n;

	link_welcome(ear.link);
	wait_ms(PING_MS - 1); /* long silence earns no more */
	for (i = 0; i < 20000; i++) {
		while ((n = write(ear.peer, block, sizeof(block) - 1)) ==
		       sizeof(block) - 1)
			sent += 4;
		/* A part of a block would spoil the count. */
		while (n > 0 && n < (ssize_t)sizeof(block) - 1) {
			fake_pass(&ear.loop);
			before = (unsigned)n;
			n = write(ear.peer, block + n,
				  sizeof(block) - 1 - (size_t)n);
			n = n < 0 ? (ssize_t)before : n + (ssize_t)before;
			if (n == sizeof(block) - 1)
				sent += 4;
			else if (n == (ssize_t)before && ear.lines > 9990)
				cr_assert_fail("a torn block");
		}
		before = ear.lines;
		fake_pass(&ear.loop);
		if (i > 300 && before == ear.lines)
			break;
	}
	cr_assert_eq(ear.lines, LINES_AT_ONCE, "no time has passed");
	cr_assert_gt(sent, LINES_AT_ONCE);
	cr_assert_eq(ear.gone, 0);
	for (seconds = 1; seconds <= 4 && ear.lines < sent; seconds++) {
		before = ear.lines;
		for (i = 0; i < 50; i++)
			wait_ms(20);
		cr_assert_leq(ear.lines - before, LINES_A_SECOND + 1);
		if (ear.lines < sent)
			cr_assert_geq(ear.lines - before,
				      LINES_A_SECOND * 9 / 10);
	}
	cr_assert_eq(ear.lines, sent);
}

Test(link, a_gigabyte_without_an_end)
{
	static char block[65536];
	size_t sent = 0;
	ssize_t n;
	unsigned i;

	memset(block, 'x', sizeof(block));
	link_welcome(ear.link);
	for (i = 0; i < 10000 && ear.gone == 0; i++) {
		n = write(ear.peer, block, sizeof(block));
		sent += n > 0 ? (size_t)n : 0;
		fake_pass(&ear.loop);
	}
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 1);
	cr_assert_eq(ear.lines, 1, "LINE_TOO_LONG, once");
	cr_assert_lt(sent, (size_t)3 * SKIP_BYTES);
	cr_assert_str_eq(ear.why, "a line without end");
}

Test(link, a_gigabyte_after_the_end)
{
	static char block[65536];
	size_t sent = 0;
	ssize_t n = 0;
	unsigned i;

	link_welcome(ear.link);
	link_close(ear.link, NULL);
	for (i = 0; i < 10000 && (n >= 0 || errno == EAGAIN); i++) {
		n = send(ear.peer, block, sizeof(block), MSG_NOSIGNAL);
		sent += n > 0 ? (size_t)n : 0;
		fake_pass(&ear.loop);
	}
	cr_assert_lt(n, 0, "it is closed although no time has passed");
	cr_assert_gt(sent, (size_t)SKIP_BYTES);
	cr_assert_lt(sent, (size_t)3 * SKIP_BYTES);
}

Test(link, who_does_not_read_is_let_go)
{
	char line[1001];
	unsigned i;

	memset(line, 'y', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	link_welcome(ear.link);
	for (i = 0; i < 10000 && ear.stuck == 0; i++) {
		tell(line);
		pass();
	}
	cr_assert_eq(ear.stuck, 1);
	cr_assert_lt(link_written(ear.link), link_collected(ear.link));
	/* Up to the limit nothing happens, and it can still be read. */
	while (link_collected(ear.link) - link_written(ear.link) + 1001 <=
	       OUT_BYTES)
		tell(line);
	pass();
	cr_assert_eq(ear.gone, 0);
	for (i = 0;
	     i < 1000 && link_written(ear.link) < link_collected(ear.link);
	     i++) {
		peer_read();
		pass();
	}
	cr_assert_eq(link_written(ear.link), link_collected(ear.link));
	cr_assert_eq(link_written(ear.link) % 1001, 0);
	for (i = 0; i < 10000 && ear.gone == 0; i++) {
		tell(line);
		pass();
	}
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 1);
	cr_assert_str_eq(ear.why, "what was sent is not read");
}

/* An answer that was asked for may be longer than that. */
Test(link, more_is_allowed)
{
	char line[1001];
	unsigned i;

	memset(line, 'y', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	link_welcome(ear.link);
	link_allow(ear.link, 3 * OUT_BYTES);
	for (i = 0; i < 4 * OUT_BYTES / 1001; i++)
		tell(line);
	for (i = 0; i < 1000; i++) {
		pass();
		peer_read();
	}
	cr_assert_eq(ear.gone, 0);
	cr_assert_eq(ear.read.used, 4 * OUT_BYTES / 1001 * 1001);
	for (i = 0; i < 4 * OUT_BYTES / 1001; i++)
		tell(line);
	pass();
	cr_assert_eq(ear.gone, 1, "only once");
}

Test(link, closed_later_nothing_is_told)
{
	net_write(ear.peer, "one\n");
	pass();
	link_close_later(ear.link, 3 * HELLO_MS, "not you");
	net_write(ear.peer, "two\n");
	pass();
	wait_ms(3 * HELLO_MS - 1);
	cr_assert_eq(ear.lines, 1);
	cr_assert_eq(ear.gone, 0);
	cr_assert_str_eq(peer_read(), "");
	wait_ms(1);
	cr_assert_eq(ear.lines, 1);
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "not you");
	cr_assert_str_eq(peer_read(), "error not you\nbye\n");
}

/* The sender's lines are still there, and would be read one by one. */
Test(link_alone, a_reset_ends_it_however_much_is_unread)
{
	const struct linger at_once = { .l_onoff = 1 };
	unsigned i, lines;

	begin_over(true);
	link_welcome(ear.link);
	for (i = 0; i < 2 * LINES_AT_ONCE; i++)
		net_write(ear.peer, "rest\n");
	while (ear.lines < LINES_AT_ONCE)
		pass();
	pass();
	lines = ear.lines;
	cr_assert_lt(lines, 2 * LINES_AT_ONCE);
	setsockopt(ear.peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(ear.peer);
	ear.peer = dup(0);
	wait_ms(1000);
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.lines, lines);
	cr_assert_str_eq(ear.why, "the connection was lost: it was reset");
	end();
}
