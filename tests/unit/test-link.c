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
struct ear {
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
};

static void
on_line(struct link *link, void *arg, enum line_result result, char *line,
	size_t n, uint64_t now_us)
{
	struct ear *ear = arg;

	cr_assert_eq(link, ear->link);
	cr_assert_eq(now_us, fake_now_us);
	ear->lines++;
	ear->bad += result != LINE_OK;
	if (result == LINE_OK && ear->said.used < 100000)
		text_fmt(&ear->said, "%.*s\n", (int)n, line);
	if (ear->useless)
		link_useless(ear->link);
	if (ear->close_at == ear->lines)
		link_close(ear->link, "that is enough");
}

static void
on_moved(void *arg, uint64_t now_us)
{
	(void)now_us;
	((struct ear *)arg)->moved++;
}

static void
on_stuck(void *arg, uint64_t now_us)
{
	(void)now_us;
	((struct ear *)arg)->stuck++;
}

static void
on_gone(struct link *link UNUSED, void *arg, bool flooded, const char *why)
{
	struct ear *ear = arg;

	ear->gone++;
	ear->flooded += flooded;
	snprintf(ear->why, sizeof(ear->why), "%s", why);
}

static const struct link_calls calls = {
	.line = on_line, .moved = on_moved, .stuck = on_stuck, .gone = on_gone
};

static void
begin_over(struct ear *ear, bool tcp)
{
	int fd[2];

	memset(ear, 0, sizeof(*ear));
	ear->descriptors = net_descriptors();
	fake_clock_begin();
	cr_assert_eq(loop_init(&ear->loop), 0);
	links_init(&ear->links, &ear->loop, &link_limits);
	text_init(&ear->said, 1 << 20);
	text_init(&ear->read, 64 << 20);
	net_pair(tcp, fd);
	ear->peer = fd[1];
	ear->link = link_new(&ear->links, fd[0], NULL, NULL, NULL);
	cr_assert_not_null(ear->link);
	link_listen(ear->link, &calls, ear);
}

static void
begin(struct ear *ear)
{
	begin_over(ear, false);
}

static void
end(struct ear *ear)
{
	links_release(&ear->links);
	cr_assert_eq(ear->links.count, 0);
	loop_release(&ear->loop);
	text_release(&ear->said);
	text_release(&ear->read);
	close(ear->peer);
	cr_assert_eq(net_descriptors(), ear->descriptors);
}

static void
pass(struct ear *ear)
{
	unsigned i;

	for (i = 0; i < 6; i++)
		fake_pass(&ear->loop);
}

static void
wait_ms(struct ear *ear, uint64_t ms)
{
	fake_now_us += ms * 1000;
	fake_pass(&ear->loop);
	pass(ear);
}

/* Sends a line by the link; it leaves in a pass. */
static void
tell(struct ear *ear, const char *line)
{
	link_line(ear->link, NULL, line, strlen(line));
	link_flush(ear->link);
}

/* Returns what the other end has read by now; borrowed. */
static const char *
peer_read(struct ear *ear)
{
	net_read(ear->peer, &ear->read);
	return text_string(&ear->read);
}

Test(link, lines_come_and_go)
{
	struct ear ear;

	begin(&ear);
	link_welcome(ear.link);
	net_write(ear.peer, "one\ntwo\r\nthr");
	pass(&ear);
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\n");
	net_write(ear.peer, "ee\n\x01\n");
	pass(&ear);
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\nthree\n");
	cr_assert_eq(ear.bad, 1);
	tell(&ear, "four");
	tell(&ear, "five");
	cr_assert_str_eq(peer_read(&ear), "", "all leaves in the loop");
	cr_assert_eq(link_collected(ear.link), 10);
	cr_assert_eq(link_written(ear.link), 0);
	pass(&ear);
	cr_assert_str_eq(peer_read(&ear), "four\nfive\n");
	cr_assert_eq(ear.moved, 1, "in one write");
	cr_assert_eq(link_written(ear.link), 10);
	cr_assert_eq(ear.stuck, 0);
	close(ear.peer);
	pass(&ear);
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "the connection was lost: the other side "
				  "closed it");
	ear.peer = dup(0);
	end(&ear);
}

/* Lines of an end that has left are heard before its loss is reported. */
Test(link, last_words_are_heard)
{
	struct ear ear;

	begin(&ear);
	link_welcome(ear.link);
	net_write(ear.peer, "one\ntwo\n");
	shutdown(ear.peer, SHUT_WR);
	pass(&ear);
	cr_assert_str_eq(text_string(&ear.said), "one\ntwo\n");
	cr_assert_eq(ear.gone, 1);
	/* It is also told why the connection ends. */
	cr_assert_str_eq(peer_read(&ear),
			 "error the connection was lost: the other side "
			 "closed it\nbye\n");
	end(&ear);
}

/* ---- the end -------------------------------------------------------- */

Test(link, it_says_why_it_ends)
{
	struct ear ear;

	begin(&ear);
	link_welcome(ear.link);
	ear.close_at = 2;
	tell(&ear, "before");
	net_write(ear.peer, "one\ntwo\nthree\nfour\n");
	pass(&ear);
	cr_assert_eq(ear.lines, 2, "nothing is told after it was closed");
	cr_assert_str_eq(peer_read(&ear),
			 "before\nerror that is enough\nbye\n");
	cr_assert_not(net_read(ear.peer, &ear.read), "the sending half ends");
	cr_assert_eq(1 - ear.links.count, 0, "it waits for the other side");
	/* Lines that still come are dropped, and cause no reset. */
	net_write(ear.peer, "five\n");
	pass(&ear);
	shutdown(ear.peer, SHUT_WR);
	pass(&ear);
	cr_assert_eq(1 - ear.links.count, 1);
	cr_assert_eq(ear.gone, 0);
	end(&ear);
}

/* The last lines arrive although the other side's lines had not been read. */
Test(link, no_reset_takes_the_last_lines_away)
{
	struct ear ear;
	int fd[2];

	begin(&ear);
	links_release(&ear.links);
	close(ear.peer);
	net_pair(true, fd);
	ear.peer = fd[1];
	ear.link = link_new(&ear.links, fd[0], NULL, NULL, NULL);
	link_listen(ear.link, &calls, &ear);
	net_write(ear.peer, "unread\n");
	link_close_later(ear.link, 1000, "a word");
	link_close(ear.link, "a sentence");
	pass(&ear);
	net_write(ear.peer, "late\n");
	pass(&ear);
	cr_assert_str_eq(peer_read(&ear), "error a sentence\nbye\n");
	wait_ms(&ear, BYE_MS - 1);
	cr_assert_eq(1 - ear.links.count, 0);
	wait_ms(&ear, 1);
	cr_assert_eq(1 - ear.links.count, 1, "it does not wait for ever");
	end(&ear);
}

/* ---- times ---------------------------------------------------------- */

Test(link, a_slow_hello)
{
	struct ear ear;
	unsigned i;

	begin(&ear);
	/* A byte now and then does not extend the time. */
	for (i = 0; i < 10; i++) {
		cr_assert_eq(ear.gone, 0);
		net_write(ear.peer, "b");
		wait_ms(&ear, HELLO_MS / 10);
	}
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 0);
	cr_assert_str_eq(peer_read(&ear),
			 "error no bot line came in time\nbye\n");
	end(&ear);
}

/* A handshake that never ends does not keep the link, either. */
Test(link, a_slow_handshake)
{
	struct error why;
	struct net_kit kit;
	struct tls *tls;
	struct ear ear;
	int fd[2];

	begin(&ear);
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
	pass(&ear);
	wait_ms(&ear, HELLO_MS - 1);
	cr_assert_eq(ear.gone, 0);
	wait_ms(&ear, 1);
	cr_assert_eq(ear.gone, 1);
	cr_assert_not(net_read(ear.peer, &ear.read), "it ends, without a word");
	cr_assert_eq(ear.read.used, 0);
	wait_ms(&ear, BYE_MS);
	cr_assert_eq(1 - ear.links.count, 1);
	tls_free(tls);
	net_kit_release(&kit);
	end(&ear);
}

Test(link, keeps_alive)
{
	struct ear ear;

	begin(&ear);
	link_welcome(ear.link);
	wait_ms(&ear, PING_MS - 1);
	cr_assert_str_eq(peer_read(&ear), "");
	wait_ms(&ear, 1);
	cr_assert_str_eq(peer_read(&ear), "ping 1\n");
	wait_ms(&ear, PONG_MS - 1);
	net_write(ear.peer, "pong 1\n");
	pass(&ear);
	cr_assert_eq(ear.lines, 0, "the link's own business");
	net_write(ear.peer, "pong 1\n");
	pass(&ear);
	cr_assert_eq(ear.lines, 1, "it was answered already");
	wait_ms(&ear, PING_MS - 1);
	cr_assert_str_eq(peer_read(&ear), "ping 1\n");
	wait_ms(&ear, 1);
	cr_assert_str_eq(peer_read(&ear), "ping 1\nping 2\n");
	/* Any line shows that it lives. */
	net_write(ear.peer, "do 1 pass\n");
	pass(&ear);
	wait_ms(&ear, PONG_MS);
	cr_assert_eq(ear.gone, 0);
	wait_ms(&ear, PING_MS - PONG_MS);
	cr_assert_str_eq(peer_read(&ear), "ping 1\nping 2\nping 3\n");
	/* An incomplete line does not. */
	net_write(ear.peer, "do 2");
	wait_ms(&ear, PONG_MS);
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "no answer to a ping");
	end(&ear);
}

Test(link, a_pong_that_nobody_asked_for_is_told_like_any_line)
{
	struct ear ear;
	unsigned i;

	begin(&ear);
	link_welcome(ear.link);
	ear.useless = true;
	for (i = 0; i <= CHATTER_MAX; i++) {
		cr_assert_eq(ear.gone, 0);
		net_write(ear.peer, "pong 1\n");
		if (i % 100 == 0)
			pass(&ear);
	}
	pass(&ear);
	pass(&ear);
	cr_assert_eq(ear.gone, 1);
	end(&ear);
}

/* ---- too much ------------------------------------------------------- */

Test(link, useless_lines_are_forgiven_in_time)
{
	struct ear ear;
	unsigned i;

	begin(&ear);
	link_welcome(ear.link);
	ear.useless = true;
	for (i = 0; i < CHATTER_MAX; i++) {
		net_write(ear.peer, "x\n");
		if (i % 200 == 0)
			pass(&ear);
	}
	pass(&ear);
	cr_assert_eq(ear.lines, CHATTER_MAX);
	cr_assert_eq(ear.gone, 0);
	for (i = 0; i < 20; i++) {
		wait_ms(&ear, USELESS_MS);
		net_write(ear.peer, "x\n");
		pass(&ear);
		cr_assert_eq(ear.gone, 0);
	}
	net_write(ear.peer, "x\n");
	pass(&ear);
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 0);
	cr_assert_str_eq(peer_read(&ear),
			 "error too many useless lines\nbye\n");
	end(&ear);
}

/* Lines that come too fast are not lost: they wait, and so does the sender. */
Test(link, what_comes_too_fast_is_read_later)
{
	static const char block[] = "do 1 a\ndo 1 b\ndo 1 c\ndo 1 d\n";
	struct ear ear;
	unsigned sent = 0, i, before, seconds;
	ssize_t n;

	begin(&ear);
	link_welcome(ear.link);
	wait_ms(&ear, PING_MS - 1); /* long silence earns no more */
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
			wait_ms(&ear, 20);
		cr_assert_leq(ear.lines - before, LINES_A_SECOND + 1);
		if (ear.lines < sent)
			cr_assert_geq(ear.lines - before,
				      LINES_A_SECOND * 9 / 10);
	}
	cr_assert_eq(ear.lines, sent);
	end(&ear);
}

Test(link, a_gigabyte_without_an_end)
{
	static char block[65536];
	struct ear ear;
	size_t sent = 0;
	ssize_t n;
	unsigned i;

	memset(block, 'x', sizeof(block));
	begin(&ear);
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
	end(&ear);
}

Test(link, a_gigabyte_after_the_end)
{
	static char block[65536];
	struct ear ear;
	size_t sent = 0;
	ssize_t n = 0;
	unsigned i;

	begin(&ear);
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
	end(&ear);
}

Test(link, who_does_not_read_is_let_go)
{
	char line[1001];
	struct ear ear;
	unsigned i;

	memset(line, 'y', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	begin(&ear);
	link_welcome(ear.link);
	for (i = 0; i < 10000 && ear.stuck == 0; i++) {
		tell(&ear, line);
		pass(&ear);
	}
	cr_assert_eq(ear.stuck, 1);
	cr_assert_lt(link_written(ear.link), link_collected(ear.link));
	/* Up to the limit nothing happens, and it can still be read. */
	while (link_collected(ear.link) - link_written(ear.link) + 1001 <=
	       OUT_BYTES)
		tell(&ear, line);
	pass(&ear);
	cr_assert_eq(ear.gone, 0);
	for (i = 0;
	     i < 1000 && link_written(ear.link) < link_collected(ear.link);
	     i++) {
		peer_read(&ear);
		pass(&ear);
	}
	cr_assert_eq(link_written(ear.link), link_collected(ear.link));
	cr_assert_eq(link_written(ear.link) % 1001, 0);
	for (i = 0; i < 10000 && ear.gone == 0; i++) {
		tell(&ear, line);
		pass(&ear);
	}
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.flooded, 1);
	cr_assert_str_eq(ear.why, "what was sent is not read");
	end(&ear);
}

/* An answer that was asked for may be longer than that. */
Test(link, more_is_allowed)
{
	char line[1001];
	struct ear ear;
	unsigned i;

	memset(line, 'y', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	begin(&ear);
	link_welcome(ear.link);
	link_allow(ear.link, 3 * OUT_BYTES);
	for (i = 0; i < 4 * OUT_BYTES / 1001; i++)
		tell(&ear, line);
	for (i = 0; i < 1000; i++) {
		pass(&ear);
		peer_read(&ear);
	}
	cr_assert_eq(ear.gone, 0);
	cr_assert_eq(ear.read.used, 4 * OUT_BYTES / 1001 * 1001);
	for (i = 0; i < 4 * OUT_BYTES / 1001; i++)
		tell(&ear, line);
	pass(&ear);
	cr_assert_eq(ear.gone, 1, "only once");
	end(&ear);
}

Test(link, closed_later_nothing_is_told)
{
	struct ear ear;

	begin(&ear);
	net_write(ear.peer, "one\n");
	pass(&ear);
	link_close_later(ear.link, 3 * HELLO_MS, "not you");
	net_write(ear.peer, "two\n");
	pass(&ear);
	wait_ms(&ear, 3 * HELLO_MS - 1);
	cr_assert_eq(ear.lines, 1);
	cr_assert_eq(ear.gone, 0);
	cr_assert_str_eq(peer_read(&ear), "");
	wait_ms(&ear, 1);
	cr_assert_eq(ear.lines, 1);
	cr_assert_eq(ear.gone, 1);
	cr_assert_str_eq(ear.why, "not you");
	cr_assert_str_eq(peer_read(&ear), "error not you\nbye\n");
	end(&ear);
}

/* The sender's lines are still there, and would be read one by one. */
Test(link, a_reset_ends_it_however_much_is_unread)
{
	const struct linger at_once = { .l_onoff = 1 };
	struct ear ear;
	unsigned i, lines;

	begin_over(&ear, true);
	link_welcome(ear.link);
	for (i = 0; i < 2 * LINES_AT_ONCE; i++)
		net_write(ear.peer, "rest\n");
	while (ear.lines < LINES_AT_ONCE)
		pass(&ear);
	pass(&ear);
	lines = ear.lines;
	cr_assert_lt(lines, 2 * LINES_AT_ONCE);
	setsockopt(ear.peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(ear.peer);
	ear.peer = dup(0);
	wait_ms(&ear, 1000);
	cr_assert_eq(ear.gone, 1);
	cr_assert_eq(ear.lines, lines);
	cr_assert_str_eq(ear.why, "the connection was lost: it was reset");
	end(&ear);
}
