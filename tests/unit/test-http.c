/* tests/unit/test-http.c - who may ask over HTTP, and what comes back. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/net/address.h"
#include "referee/serve/http.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/leaks.h"
#include "tests/unit/net-kit.h"

#define ASKED_MAX 64
#define TIMERS_MAX 64

/* A host that answers each path with itself, or keeps the request. */
struct inn {
	struct loop loop;
	struct addresses *addresses;
	struct http *http;
	struct http_limits limits;
	struct evhttp_bound_socket *bound;
	bool keeps;
	unsigned count;
	struct evhttp_request *asked[ASKED_MAX];
	char path[256]; /* of the last */
	unsigned descriptors;
};

static struct inn inn;
static char why[HTTP_WHY_BYTES];

static void
on_asked(void *arg, struct evhttp_request *request, const char *path)
{
	cr_assert_eq(arg, &inn);
	cr_assert_lt(inn.count, ASKED_MAX);
	snprintf(inn.path, sizeof(inn.path), "%s", path);
	if (inn.keeps)
		inn.asked[inn.count++] = request;
	else
		http_answer(inn.http, request, "text/plain", path,
			    strlen(path));
}

static void
begin(void)
{
	memset(&inn, 0, sizeof(inn));
	inn.descriptors = net_descriptors();
	fake_clock_begin();
	inn.limits = http_limits;
	cr_assert_eq(loop_init(&inn.loop), 0);
	inn.addresses = addresses_new();
}

static void
open_inn(void)
{
	inn.http = http_new(inn.loop.base, &inn.limits, inn.addresses, on_asked,
			    &inn);
	inn.bound = http_listen(inn.http, "127.0.0.1", 0, why);
	cr_assert_not_null(inn.bound, "%s", why);
	cr_assert_gt(http_port(inn.bound), 0);
}

static void
end(void)
{
	http_free(inn.http);
	addresses_free(inn.addresses);
	loop_release(&inn.loop);
	cr_assert_eq(net_descriptors(), inn.descriptors);
	NO_LEAKS();
}

static void
pass(unsigned n)
{
	while (n-- > 0)
		fake_pass(&inn.loop, false);
}

static int
note_timer(const struct event_base *base, const struct event *event, void *arg)
{
	struct event **armed = arg;

	(void)base;
	while (*armed != NULL)
		armed++;
	if (event_get_fd(event) < 0 && event_pending(event, EV_TIMEOUT, NULL))
		*armed = (struct event *)(uintptr_t)event;
	return 0;
}

/* All that wait for a time alone are due now. */
static void
let_time_pass(void)
{
	struct event *armed[TIMERS_MAX] = { NULL }, **at;

	event_base_foreach_event(inn.loop.base, note_timer, armed);
	for (at = armed; *at != NULL; at++) {
		event_del(*at);
		event_active(*at, EV_TIMEOUT, 1);
	}
	pass(2);
}

/* ---- clients ---------------------------------------------------------- */

static int
come(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = from;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	cr_assert_eq(bind(fd, (struct sockaddr *)&from, sizeof(from)), 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)http_port(inn.bound));
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0, "%s",
		     strerror(errno));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* Comes, says this and is listened to. */
static int
say(unsigned last, const char *text)
{
	int fd = come(last);

	net_write(fd, text);
	pass(3);
	return fd;
}

static int
ask(unsigned last, const char *path)
{
	char text[512];

	snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: here\r\n\r\n",
		 path);
	return say(last, text);
}

/* Whether it still waits: neither an answer nor the end. */
static bool
waits(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	pass(3);
	return poll(&one, 1, 0) == 0;
}

/* All of the answer; borrowed. */
static const char *
answer(int fd)
{
	static struct text text;
	static char copy[65536];
	struct pollfd one = { .fd = fd, .events = POLLIN };
	unsigned i;

	text_init(&text, sizeof(copy) - 1);
	for (i = 0; i < 1000; i++) {
		pass(1);
		if (poll(&one, 1, 1) > 0 && !net_read(fd, &text))
			break;
	}
	cr_assert_lt(i, 1000, "it never ends: %s", text_string(&text));
	snprintf(copy, sizeof(copy), "%s", text_string(&text));
	text_release(&text);
	close(fd);
	pass(2);
	return copy;
}

/* The number of it; 0 if it ends without. */
static int
code(int fd)
{
	const char *text = answer(fd);
	int number = 0;

	if (strncmp(text, "HTTP/1.", 7) == 0)
		number = (int)strtol(text + 8, NULL, 10);
	return number;
}

static void
expect_part(const char *text, const char *part)
{
	cr_expect_not_null(strstr(text, part), "%s\nlacks: %s", text, part);
}

/* ---- answers ---------------------------------------------------------- */

Test(http, answers)
{
	const char *text;

	begin();
	open_inn();
	text = answer(ask(1, "/a%2fb?c=d"));
	cr_expect_eq(strncmp(text, "HTTP/1.1 200 OK\r\n", 17), 0, "%s", text);
	expect_part(text, "\r\n\r\n/a/b");
	expect_part(text, "Content-Length: 4\r\n");
	expect_part(text, "Content-Type: text/plain\r\n");
	expect_part(text, "Connection: close\r\n");
	expect_part(text, "Cache-Control: no-store\r\n");
	expect_part(text, "X-Content-Type-Options: nosniff\r\n");
	text = answer(say(1, "HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n"));
	expect_part(text, "Content-Length: 4\r\n");
	cr_expect_str_eq(text + strlen(text) - 4, "\r\n\r\n", "%s", text);
	cr_expect_eq(http_answered(inn.http), 2);
	cr_expect_eq(http_refused(inn.http), 0);
	let_time_pass();
	cr_expect_eq(http_count(inn.http), 0, "none is left");
	end();
}

Test(http, what_nobody_means)
{
	static const struct {
		const char *text;
		int code;
	} cases[] = {
		{ "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 200 },
		{ "GET /x HTTP/1.0\r\n\r\n", 200 },
		{ "GET /x HTTP/1.1\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400 },
		{ "GET http://a/x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET //a/x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%7f HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%7e HTTP/1.1\r\nHost: a\r\n\r\n", 200 },
		{ "GET /%1f HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
		  200 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
		  "Content-Length: 0\r\n\r\n",
		  400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\ny",
		  400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\n"
		  "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		  400 },
		{ "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
		  405 },
		{ "DELETE /x HTTP/1.1\r\nHost: a\r\n\r\n", 405 },
		{ "OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n", 405 },
	};
	unsigned i, refused = 0;

	begin();
	open_inn();
	for (i = 0; i < NELEM(cases); i++) {
		cr_expect_eq(code(say(1, cases[i].text)), cases[i].code, "%s",
			     cases[i].text);
		refused += cases[i].code != 200;
	}
	cr_expect_eq(http_refused(inn.http), refused);
	expect_part(answer(say(1, "PUT /x HTTP/1.1\r\nHost: a\r\n"
				  "Content-Length: 0\r\n\r\n")),
		    "Allow: GET, HEAD\r\n");
	end();
}

Test(http, refusals)
{
	static const struct {
		int code;
		const char *part;
	} cases[] = {
		{ 400, "400 Bad Request\r\n" },
		{ 401, "401 Unauthorized\r\n" },
		{ 401, "WWW-Authenticate: Bearer\r\n" },
		{ 403, "403 Forbidden\r\n" },
		{ 404, "404 Not Found\r\n" },
		{ 410, "410 Gone\r\n" },
		{ 429, "429 Too Many Requests\r\n" },
		{ 429, "Retry-After: 1\r\n" },
		{ 503, "503 Service Unavailable\r\n" },
	};
	char body[64];
	const char *text;
	unsigned i;
	int fd;

	begin();
	inn.keeps = true;
	open_inn();
	for (i = 0; i < NELEM(cases); i++) {
		fd = ask(1, "/x");
		cr_assert_eq(inn.count, i + 1);
		http_add_header(inn.asked[i], "X-More", "yes");
		http_refuse(inn.http, inn.asked[i], cases[i].code, "no");
		text = answer(fd);
		snprintf(body, sizeof(body), "\r\n\r\n%d: no\n", cases[i].code);
		expect_part(text, cases[i].part);
		expect_part(text, body);
		expect_part(text, "X-More: yes\r\n");
	}
	end();
}

/* ---- headers, queries ------------------------------------------------- */

/* What http_header() says of this head, or http_query() of this path. */
static int
header_of(const char *lines, char value[9])
{
	char text[512];
	int result, fd;

	snprintf(text, sizeof(text), "GET /x HTTP/1.1\r\nHost: a\r\n%s\r\n",
		 lines);
	inn.count = 0;
	fd = say(1, text);
	cr_assert_eq(inn.count, 1, "%s", lines);
	result = http_header(inn.asked[0], "X-Bot", value, 9);
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_assert_eq(code(fd), 404);
	return result;
}

static int
query_of(const char *path, char value[9])
{
	int result, fd;

	inn.count = 0;
	fd = ask(1, path);
	cr_assert_eq(inn.count, 1, "%s", path);
	result = http_query(inn.asked[0], "view", value, 9);
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_assert_eq(code(fd), 404);
	return result;
}

Test(http, headers)
{
	char value[9] = "";

	begin();
	inn.keeps = true;
	open_inn();
	cr_expect_eq(header_of("", value), 0);
	cr_expect_eq(header_of("X-Bots: a\r\n", value), 0);
	cr_expect_eq(header_of("x-bOT: alice\r\n", value), 1);
	cr_expect_str_eq(value, "alice");
	cr_expect_eq(header_of("X-Bot: a\r\nx-bot: a\r\n", value), -1);
	cr_expect_eq(header_of("X-Bot: 12345678\r\n", value), 1);
	cr_expect_str_eq(value, "12345678");
	cr_expect_eq(header_of("X-Bot: 123456789\r\n", value), -1);
	cr_expect_eq(header_of("X-Bot: a\tb\r\n", value), -1);
	cr_expect_eq(header_of("X-Bot: \xc3\xa4\r\n", value), -1);
	end();
}

Test(http, queries)
{
	char value[9] = "";

	begin();
	inn.keeps = true;
	open_inn();
	cr_expect_eq(query_of("/x", value), 0);
	cr_expect_eq(query_of("/x?", value), 0);
	cr_expect_eq(query_of("/x?views=1&View=2", value), 0);
	cr_expect_eq(query_of("/x?a=1&view=public", value), 1);
	cr_expect_str_eq(value, "public");
	cr_expect_eq(query_of("/x?view=%70ub", value), 1);
	cr_expect_str_eq(value, "pub");
	cr_expect_eq(query_of("/x?view=1&view=1", value), -1);
	cr_expect_eq(query_of("/x?view=12345678", value), 1);
	cr_expect_eq(query_of("/x?view=123456789", value), -1);
	cr_expect_eq(query_of("/x?view=%0a", value), -1);
	end();
}

/* ---- how many, how long ----------------------------------------------- */

Test(http, so_many_from_an_address)
{
	int fd[3], i;

	begin();
	inn.limits.each_address = 3;
	open_inn();
	for (i = 0; i < 3; i++)
		fd[i] = come(1);
	pass(3);
	/* The fourth is told although it has said nothing. */
	cr_expect_eq(code(come(1)), 429);
	for (i = 0; i < 3; i++)
		cr_expect(waits(fd[i]), "those that are there stay");
	cr_expect_eq(code(ask(2, "/x")), 200, "another address may come");
	close(fd[0]);
	pass(3);
	cr_expect_eq(code(ask(1, "/x")), 200, "one has gone");
	fd[0] = come(1);
	pass(3);
	cr_expect_eq(code(ask(1, "/x")), 429);
	http_set_each_address(inn.http, 4);
	cr_expect_eq(code(ask(1, "/x")), 200, "four may be there now");
	/* One after another they never are too many. */
	for (i = 0; i < 40; i++)
		cr_expect_eq(code(ask(3, "/x")), 200);
	for (i = 0; i < 3; i++)
		close(fd[i]);
	end();
}

/* All of them in one go of the loop: it is not only told when it is late. */
Test(http, a_crowd_from_an_address)
{
	int fd[12], i, in = 0;

	begin();
	inn.limits.each_address = 5;
	open_inn();
	for (i = 0; i < 12; i++)
		fd[i] = come(1);
	pass(4);
	for (i = 0; i < 12; i++) {
		if (waits(fd[i])) {
			cr_expect_eq(i, in, "the first of them");
			in++;
			close(fd[i]);
		} else {
			cr_expect_eq(code(fd[i]), 429);
		}
	}
	cr_expect_eq(in, 5);
	end();
}

Test(http, so_many_in_all)
{
	int fd[6], i;

	begin();
	inn.limits.connections = 5;
	open_inn();
	for (i = 0; i < 5; i++) {
		fd[i] = come(1 + (unsigned)i);
		pass(2);
	}
	cr_expect_eq(http_count(inn.http), 5);
	fd[5] = ask(9, "/x");
	cr_expect(waits(fd[5]), "nobody listens to the sixth");
	cr_expect_eq(http_count(inn.http), 5);
	close(fd[0]);
	pass(2);
	let_time_pass();
	cr_expect_eq(code(fd[5]), 200, "until one goes");
	for (i = 1; i < 5; i++)
		close(fd[i]);
	end();
}

Test(http, so_long)
{
	int fd;

	begin();
	inn.limits.ms = 1000;
	open_inn();
	fd = come(1);
	pass(2);
	fake_now_us += 500000;
	net_write(fd, "GET /x HT");
	let_time_pass();
	fake_now_us += 499999;
	let_time_pass();
	cr_expect(waits(fd), "a microsecond is left");
	fake_now_us += 1;
	let_time_pass();
	cr_expect_eq(code(fd), 0, "it ends, whatever was said");
	end();
}

/* Who leaves makes no room while there is work to do for him. */
Test(http, a_request_counts_until_it_is_answered)
{
	int i;

	begin();
	inn.keeps = true;
	inn.limits.each_address = 2;
	open_inn();
	for (i = 0; i < 2; i++)
		close(ask(1, "/x"));
	pass(5);
	let_time_pass();
	cr_assert_eq(inn.count, 2);
	cr_expect_eq(http_count(inn.http), 2);
	cr_expect_eq(code(ask(1, "/x")), 429);
	http_answer(inn.http, inn.asked[0], "text/plain", "x", 1);
	http_refuse(inn.http, inn.asked[1], 404, "no");
	inn.keeps = false;
	cr_expect_eq(code(ask(1, "/x")), 200);
	end();
}

Test(http, large_answers)
{
	unsigned i;
	int fd[5];

	begin();
	inn.keeps = true;
	inn.limits.large = 3;
	inn.limits.large_each = 2;
	open_inn();
	for (i = 0; i < 3; i++)
		fd[i] = ask(1, "/x");
	cr_expect(http_expect_large(inn.http, inn.asked[0]));
	cr_expect(http_expect_large(inn.http, inn.asked[1]));
	cr_expect_not(http_expect_large(inn.http, inn.asked[2]),
		      "two an address");
	fd[3] = ask(2, "/x");
	cr_expect(http_expect_large(inn.http, inn.asked[3]));
	fd[4] = ask(3, "/x");
	cr_expect_not(http_expect_large(inn.http, inn.asked[4]),
		      "three in all");
	/* What is refused is not large any more, what is sent has gone. */
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_expect(http_expect_large(inn.http, inn.asked[2]));
	http_answer(inn.http, inn.asked[3], "text/plain", "x", 1);
	cr_expect_eq(code(fd[3]), 200);
	cr_expect(http_expect_large(inn.http, inn.asked[4]));
	http_refuse(inn.http, inn.asked[1], 404, "no");
	http_refuse(inn.http, inn.asked[2], 404, "no");
	http_refuse(inn.http, inn.asked[4], 404, "no");
	for (i = 0; i < 5; i++)
		if (i != 3)
			cr_expect_eq(code(fd[i]), 404);
	end();
}

/* ---- wrong tokens ----------------------------------------------------- */

static struct address *
address_of(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET };

	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	return address_take(inn.addresses, (struct sockaddr *)&from);
}

Test(http, wrong_tokens_count_as_at_the_door)
{
	struct address *address;
	int fd, gone;

	begin();
	inn.keeps = true;
	open_inn();
	fd = ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[0], 401, "wrong");
	cr_expect(waits(fd), "the answer is late");
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 2 * WRONG_MS,
		     "it was the first");
	address_drop(inn.addresses, address, fake_now_us);
	/* One that leaves meanwhile. */
	gone = ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[1], 401, "wrong");
	close(gone);
	pass(4);
	address = address_of(1);
	cr_expect_eq(address_wrong(address, fake_now_us), 8 * WRONG_MS,
		     "and that the third");
	address_drop(inn.addresses, address, fake_now_us);
	fake_now_us += WRONG_MS * 1000 - 1;
	let_time_pass();
	cr_expect(waits(fd), "a microsecond early");
	fake_now_us++;
	let_time_pass();
	expect_part(answer(fd), "\r\n\r\n401: wrong\n");
	/* One that waits at the end. */
	fd = ask(2, "/x");
	http_refuse_wrong(inn.http, inn.asked[2], 401, "wrong");
	http_free(inn.http);
	inn.http = NULL;
	close(fd);
	end();
}

/* The time to wait comes on top of that of the connection. */
Test(http, a_late_answer_comes)
{
	int fd;

	begin();
	inn.keeps = true;
	inn.limits.ms = 500;
	open_inn();
	fd = ask(1, "/x");
	http_refuse_wrong(inn.http, inn.asked[0], 401, "wrong");
	fake_now_us += 1200000;
	let_time_pass();
	cr_expect_eq(code(fd), 401);
	end();
}

/* ---- listening -------------------------------------------------------- */

Test(http, listening)
{
	struct evhttp_bound_socket *other;
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd;

	begin();
	open_inn();
	cr_expect_null(
		http_listen(inn.http, "127.0.0.1", http_port(inn.bound), why));
	expect_part(why, "cannot listen at 127.0.0.1 port ");
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cr_expect_null(http_adopt(inn.http, fd, why));
	expect_part(why, "is no socket that listens");
	cr_expect_eq(fcntl(fd, F_GETFD), -1, "it is closed");
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_expect_null(http_adopt(inn.http, fd, why));
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 5), 0);
	other = http_adopt(inn.http, fd, why);
	cr_assert_not_null(other, "%s", why);
	http_unlisten(inn.http, inn.bound);
	inn.bound = other;
	cr_expect_eq(code(ask(1, "/x")), 200, "a descriptor that was given");
	end();
}

Test(http, a_long_head)
{
	static char text[20000];

	begin();
	inn.limits.head_bytes = 4096;
	open_inn();
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "GET /x HTTP/1.1\r\nHost: a\r\nX: ", 29);
	memcpy(text + 4000, "\r\n\r\n", 5);
	cr_expect_eq(code(say(1, text)), 200);
	text[4000] = text[4001] = text[4002] = text[4003] = text[4004] = 'x';
	memcpy(text + 5000, "\r\n\r\n", 5);
	cr_expect_eq(code(say(1, text)), 400);
	end();
}

/* Without descriptors nothing is accepted for a while; nothing spins. */
Test(http, without_descriptors)
{
	struct rlimit limit, old;
	int fd, filler[64], n = 0, next;

	begin();
	open_inn();
	fd = ask(1, "/x");
	cr_assert_eq(code(fd), 200);
	let_time_pass();
	fd = come(1);
	net_write(fd, "GET /x HTTP/1.0\r\n\r\n");
	getrlimit(RLIMIT_NOFILE, &old);
	next = dup(0);
	close(next);
	limit = old;
	limit.rlim_cur = (rlim_t)next + 4;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (n < 64 && (filler[n] = dup(0)) >= 0)
		n++;
	cr_assert_lt(n, 64);
	pass(5);
	cr_expect_eq(http_count(inn.http), 0);
	while (n > 0)
		close(filler[--n]);
	setrlimit(RLIMIT_NOFILE, &old);
	cr_expect(waits(fd), "nothing is accepted in the pause");
	let_time_pass();
	cr_expect_eq(code(fd), 200);
	end();
}
