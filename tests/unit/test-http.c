/* tests/unit/test-http.c - who may ask over HTTP, and what comes back. */
#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/http-inn.h"

static struct error why;

/* ---- answers ---------------------------------------------------------- */

Test(http, answers)
{
	const char *text;

	inn_begin();
	inn_open();
	text = inn_answer(inn_ask(1, "/a%2fb?c=d"));
	cr_expect_eq(strncmp(text, "HTTP/1.1 200 OK\r\n", 17), 0, "%s", text);
	inn_expect_part(text, "\r\n\r\n/a/b");
	inn_expect_part(text, "Content-Length: 4\r\n");
	inn_expect_part(text, "Content-Type: text/plain\r\n");
	inn_expect_part(text, "Connection: close\r\n");
	inn_expect_part(text, "Cache-Control: no-store\r\n");
	inn_expect_part(text, "X-Content-Type-Options: nosniff\r\n");
	text = inn_answer(inn_say(1, "HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n"));
	inn_expect_part(text, "Content-Length: 4\r\n");
	cr_expect_str_eq(text + strlen(text) - 4, "\r\n\r\n", "%s", text);
	cr_expect_eq(http_answered(inn.http), 2);
	cr_expect_eq(http_refused(inn.http), 0);
	inn_let_time_pass();
	cr_expect_eq(http_count(inn.http), 0, "none is left");
	inn_end();
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

	inn_begin();
	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		cr_expect_eq(inn_code(inn_say(1, cases[i].text)), cases[i].code,
			     "%s", cases[i].text);
		refused += cases[i].code != 200;
	}
	cr_expect_eq(http_refused(inn.http), refused);
	inn_expect_part(inn_answer(inn_say(1, "PUT /x HTTP/1.1\r\nHost: a\r\n"
					      "Content-Length: 0\r\n\r\n")),
			"Allow: GET, HEAD\r\n");
	inn_end();
}

/* evhttp would keep it open, although it says that it closes it. */
Test(http, connect_ends_its_connection)
{
	inn_begin();
	inn_open();
	cr_expect_eq(inn_code(inn_say(1, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n"
					 "\r\n")),
		     400);
	inn_end();
}

Test(http, allow_says_what_works_at_each_path)
{
	static const struct {
		const char *line;
		size_t put;
		int code;
		const char *part;
	} cases[] = {
		{ "OPTIONS /put", 9, 405, "Allow: GET, HEAD, PUT\r\n" },
		{ "POST /put", 9, 405, "Allow: GET, HEAD, PUT\r\n" },
		{ "PUT /put", 9, 200, "/put" },
		{ "OPTIONS /x", 9, 405, "Allow: GET, HEAD\r\n" },
		{ "PUT /x", 9, 405, "Allow: GET, HEAD\r\n" },
		{ "OPTIONS /put", 0, 405, "Allow: GET, HEAD\r\n" },
		{ "PUT /put", 0, 405, "Allow: GET, HEAD\r\n" },
		{ "OPTIONS /none", 9, 200, "/none" },
		{ "PUT /none", 9, 200, "/none" },
	};
	char text[128];
	const char *answer;
	unsigned i;

	inn_begin();
	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		http_set_put(inn.http, cases[i].put);
		snprintf(text, sizeof(text),
			 "%s HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
			 cases[i].line);
		answer = inn_answer(inn_say(1, text));
		cr_expect_eq(strtol(answer + strlen("HTTP/1.1 "), NULL, 10),
			     cases[i].code, "%s %zu", cases[i].line,
			     cases[i].put);
		inn_expect_part(answer, cases[i].part);
	}
	inn_end();
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

	inn_begin();
	inn.keeps = true;
	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		fd = inn_ask(1, "/x");
		cr_assert_eq(inn.count, i + 1);
		http_add_header(inn.asked[i], "X-More", "yes");
		http_refuse(inn.http, inn.asked[i], cases[i].code, "no");
		text = inn_answer(fd);
		snprintf(body, sizeof(body), "\r\n\r\n%d: no\n", cases[i].code);
		inn_expect_part(text, cases[i].part);
		inn_expect_part(text, body);
		inn_expect_part(text, "X-More: yes\r\n");
	}
	inn_end();
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
	fd = inn_say(1, text);
	cr_assert_eq(inn.count, 1, "%s", lines);
	result = http_header(inn.asked[0], "X-Bot", value, 9);
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_assert_eq(inn_code(fd), 404);
	return result;
}

static int
query_of(const char *path, char value[9])
{
	int result, fd;

	inn.count = 0;
	fd = inn_ask(1, path);
	cr_assert_eq(inn.count, 1, "%s", path);
	result = http_query(inn.asked[0], "view", value, 9);
	http_refuse(inn.http, inn.asked[0], 404, "no");
	cr_assert_eq(inn_code(fd), 404);
	return result;
}

Test(http, headers)
{
	char value[9] = "";

	inn_begin();
	inn.keeps = true;
	inn_open();
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
	inn_end();
}

Test(http, queries)
{
	char value[9] = "";

	inn_begin();
	inn.keeps = true;
	inn_open();
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
	inn_end();
}

/* ---- listening -------------------------------------------------------- */

Test(http, listening)
{
	struct evhttp_bound_socket *other;
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd;

	inn_begin();
	inn_open();
	cr_expect_null(
		http_listen(inn.http, "127.0.0.1", http_port(inn.bound), &why));
	inn_expect_part(why.text, "cannot listen at 127.0.0.1 port ");
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cr_expect_null(http_adopt(inn.http, fd, &why));
	inn_expect_part(why.text, "is not a listening socket");
	cr_expect_eq(fcntl(fd, F_GETFD), -1, "it is closed");
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_expect_null(http_adopt(inn.http, fd, &why));
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 5), 0);
	other = http_adopt(inn.http, fd, &why);
	cr_assert_not_null(other, "%s", why.text);
	http_unlisten(inn.http, inn.bound);
	inn.bound = other;
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200,
		     "a descriptor that was given");
	inn_end();
}

Test(http, a_long_head)
{
	static char text[20000];

	inn_begin();
	inn.limits.head_bytes = 4096;
	inn_open();
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "GET /x HTTP/1.1\r\nHost: a\r\nX: ", 29);
	memcpy(text + 4000, "\r\n\r\n", 5);
	cr_expect_eq(inn_code(inn_say(1, text)), 200);
	text[4000] = text[4001] = text[4002] = text[4003] = text[4004] = 'x';
	memcpy(text + 5000, "\r\n\r\n", 5);
	cr_expect_eq(inn_code(inn_say(1, text)), 400);
	inn_end();
}

/* Without descriptors nothing is accepted for a while; nothing spins. */
Test(http, without_descriptors)
{
	struct rlimit limit, old;
	int fd, filler[64], n = 0, next;

	inn_begin();
	inn_open();
	fd = inn_ask(1, "/x");
	cr_assert_eq(inn_code(fd), 200);
	inn_let_time_pass();
	fd = inn_come(1);
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
	inn_pass(5);
	cr_expect_eq(http_count(inn.http), 0);
	while (n > 0)
		close(filler[--n]);
	setrlimit(RLIMIT_NOFILE, &old);
	cr_expect(inn_waits(fd), "nothing is accepted in the pause");
	inn_let_time_pass();
	cr_expect_eq(inn_code(fd), 200);
	inn_end();
}
