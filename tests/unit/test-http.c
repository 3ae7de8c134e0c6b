/* tests/unit/test-http.c - requests over HTTP and their answers. */
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

#include "referee/base/listener.h"
#include "referee/web/page.h"
#include "tests/unit/http-inn.h"

TestSuite(http, .init = inn_begin, .fini = inn_end);

static struct error why;

/* ---- answers ---------------------------------------------------------- */

Test(http, answers)
{
	const char *text;

	inn_open();
	text = inn_answer(inn_ask(1, "/a%2fb?c=d"));
	cr_expect_eq(strncmp(text, "HTTP/1.1 200 OK\r\n", 17), 0, "%s", text);
	inn_expect_part(text, "\r\n\r\n/a/b");
	inn_expect_part(text, "Content-Length: 4\r\n");
	inn_expect_part(text, "Content-Type: text/plain\r\n");
	inn_expect_part(text, "Connection: keep-alive\r\n");
	inn_expect_part(text, "Cache-Control: private, no-store\r\n");
	inn_expect_part(text, "X-Content-Type-Options: nosniff\r\n");
	text = inn_answer(inn_say(1, "HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n"));
	inn_expect_part(text, "Content-Length: 4\r\n");
	cr_expect_str_eq(text + strlen(text) - 4, "\r\n\r\n", "%s", text);
	cr_expect_eq(http_counts(inn.http)->answered, 2);
	cr_expect_eq(http_counts(inn.http)->refused, 0);
	inn_pass(2);
	cr_expect_eq(http_counts(inn.http)->connections, 0, "none is left");
}

/* Returns the code of a page with this room whose query is read for these
 * words. */
static int
page_code(size_t room, const char *wants)
{
	struct text body;
	int fd;

	text_init(&body, room);
	text_add(&body, wants, strlen(wants));
	inn.count = 0;
	fd = inn_ask(1, "/page");
	cr_assert_eq(inn.count, 1);
	page_send(inn.asked[0], 200, PAGE_PLAIN, &body);
	return inn_code(fd);
}

Test(http, a_page_is_never_cut_short)
{
	inn.keeps = true;
	inn_open();
	cr_expect_eq(page_code(4, "abcd"), 200, "at the limit");
	cr_expect_eq(page_code(4, "abcde"), 503, "and one beyond");
	inn_pass(2);
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
		/* A proxy and we might see different requests here. */
		{ "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n"
		  "\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length: -0\r\n"
		  "\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n"
		  "\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n"
		  "\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\n"
		  "Content-Length: 0000000000000000000\r\n\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\n"
		  "Content-Length: 000000000000000000\r\n\r\n",
		  200 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\n\r\n", 411 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
		  "Transfer-Encoding: identity\r\n\r\n",
		  400 },
		{ "PUT /put HTTP/1.1\r\nHost: a\r\n"
		  "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		  400 },
		{ "GET /x HTTP/1.1\nHost: a\n\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: a\rY: b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX(: b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: \t\xc3\xa4\t\r\n\r\n",
		  200 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nX: \x7f\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: u@a\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200 },
		{ "GET /x HTTP/1.1\r\nHost:a\r\nEXPECT: 100-Continue\r\n\r\n",
		  200 },
		{ "GET /x HTTP/1.1\r\nHost:a\r\nExpect: 200-ok\r\n\r\n", 417 },
		/* First lines. */
		{ "\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET  /x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x  HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x HTTP/1.1 \r\nHost: a\r\n\r\n", 400 },
		{ "GET\t/x\tHTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x http/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x HTTP/1.2\r\nHost: a\r\n\r\n", 505 },
		{ "GET /x HTTP/2.0\r\nHost: a\r\n\r\n", 505 },
		{ "GET /x HTTP/1.11\r\nHost: a\r\n\r\n", 400 },
		{ "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505 },
		{ "get /x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "G\xc3\xa4 /x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "ABCDEFGHIJKLMNOP /x HTTP/1.1\r\nHost: a\r\n\r\n", 405 },
		{ "ABCDEFGHIJKLMNOPQ /x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /x#y HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /\xc3\xa4 HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /% HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%4g HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "GET /%-1 HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
		{ "\x16\x03\x01\x02", 400 }, /* TLS */
		{ "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
		  405 },
		{ "DELETE /x HTTP/1.1\r\nHost: a\r\n\r\n", 405 },
		{ "OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n", 405 },
	};
	static const char nul[] = "GET /x HTTP/1.0\r\nX: \0\r\n\r\n";
	unsigned i, refused = 1;
	int fd;

	inn_open();
	inn.limits.put_bytes = 9;
	http_set_limits(inn.http, &inn.limits);
	fd = inn_come(1);
	cr_assert_eq(write(fd, nul, sizeof(nul) - 1), sizeof(nul) - 1);
	cr_expect_eq(inn_code(fd), 400, "a NUL");
	for (i = 0; i < NELEM(cases); i++) {
		cr_expect_eq(inn_code(inn_say(1, cases[i].text)), cases[i].code,
			     "%s", cases[i].text);
		refused += cases[i].code != 200;
	}
	cr_expect_eq(http_counts(inn.http)->refused, refused);
	inn_expect_part(inn_answer(inn_say(1, "PUT /x HTTP/1.1\r\nHost: a\r\n"
					      "Content-Length: 0\r\n\r\n")),
			"Allow: GET, HEAD\r\n");
}

/* The bytes after a refused request are not read as a request. */
Test(http, what_is_wrong_ends_the_connection)
{
	static const char *const wrong[] = {
		"GET /x HTTP/1.1\r\n\r\n",
		"GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n",
		("PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
		 "\r\n"),
		"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
	};
	const char *answer;
	char text[256];
	unsigned i;

	inn_open();
	for (i = 0; i < NELEM(wrong); i++) {
		snprintf(text, sizeof(text),
			 "%sGET /y HTTP/1.1\r\nHost: a\r\n\r\n", wrong[i]);
		answer = inn_answer(inn_say(1, text));
		inn_expect_part(answer, "Connection: close\r\n");
		cr_expect_null(strstr(answer + 1, "HTTP/1.1 "), "%s", answer);
	}
	cr_expect_str_eq(inn.path, "", "none was asked for");
}

/* Requests are answered one after the other, in order, even if they arrive
 * together. */
Test(http, a_connection_asks_again_and_again)
{
	static const char all[] = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
				  "HEAD /22 HTTP/1.1\r\nHost: a\r\n\r\n"
				  "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n"
				  "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n";
	char part[2] = "";
	const char *answer;
	int fd;
	size_t i;

	inn.limits.requests = 4;
	inn_open();
	fd = inn_say(1, all);
	inn_skip(fd, "\r\n\r\n/4");
	close(fd);
	fd = inn_come(1);
	for (i = 0; i < sizeof(all) - 1; i++) {
		part[0] = all[i];
		net_write(fd, part);
		inn_pass(1);
	}
	inn_pass(10);
	answer = inn_answer(fd);
	inn_expect_part(answer, "\r\n\r\n/1HTTP/1.1 200 OK\r\n");
	inn_expect_part(answer, "Content-Length: 3\r\n\r\nHTTP/1.1 200 OK\r\n");
	inn_expect_part(answer, "\r\n\r\n/3HTTP/1.1 200 OK\r\n");
	inn_expect_part(answer, "Connection: close\r\n");
	cr_expect_str_eq(answer + strlen(answer) - 6, "\r\n\r\n/4",
			 "the fourth is the last: %s", answer);
}

Test(http, who_wants_it_closed)
{
	static const struct {
		const char *text;
		bool stays;
	} cases[] = {
		{ "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", true },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		  false },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nConnection: a, Close\r\n"
		  "\r\n",
		  false },
		{ "GET /x HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n"
		  "\r\n",
		  true },
		{ "GET /x HTTP/1.0\r\n\r\n", false },
		{ "GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true },
		{ "GET /none HTTP/1.1\r\nHost: a\r\n\r\n", true },
		{ "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
		  true },
	};
	unsigned i;
	int fd;

	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		fd = inn_say(1, cases[i].text);
		inn_expect_part(inn_answer(fd),
				cases[i].stays ? "Connection: keep-alive\r\n"
					       : "Connection: close\r\n");
	}
}

/* An answer that the client has, and that still holds, is not sent again. */
Test(http, what_is_known_is_not_sent)
{
	char etag[32], text[256];
	const char *answer, *at;

	inn.cache = HTTP_CHECK;
	inn_open();
	answer = inn_answer(inn_ask(1, "/x"));
	inn_expect_part(answer, "Cache-Control: no-cache\r\n");
	inn_expect_part(answer, "Vary: Accept-Encoding, "
				"Authorization, X-Bot, X-Owner\r\n");
	at = strstr(answer, "ETag: ");
	cr_assert_not_null(at);
	cr_assert_eq(sscanf(at, "ETag: %31s", etag), 1);
	snprintf(text, sizeof(text),
		 "GET /x HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"a\", "
		 "%s\r\n\r\n",
		 etag);
	answer = inn_answer(inn_say(1, text));
	inn_expect_part(answer, "HTTP/1.1 304 Not Modified\r\n");
	inn_expect_part(answer, etag);
	cr_expect_null(strstr(answer, "Content-Length"), "%s", answer);
	cr_expect_str_eq(answer + strlen(answer) - 4, "\r\n\r\n");
	memcpy(text, "GET /y", 6);
	cr_expect_eq(inn_code(inn_say(1, text)), 200, "another page");
	/* Answers for a bot are not cached. */
	snprintf(text, sizeof(text),
		 "GET /x HTTP/1.1\r\nHost: a\r\nX-Bot: a\r\nIf-None-Match: "
		 "%s\r\n\r\n",
		 etag);
	answer = inn_answer(inn_say(1, text));
	inn_expect_part(answer, "HTTP/1.1 200 OK\r\n");
	inn_expect_part(answer, "Cache-Control: private, no-store\r\n");
	cr_expect_null(strstr(answer, "ETag"), "%s", answer);
}

/* Waiting requests are answered, other connections are closed. */
static void
find_policy(const char *answer, char policy[512])
{
	static const char name[] = "Content-Security-Policy: ";
	const char *at = strstr(answer, name);

	cr_assert_not_null(at, "%s", answer);
	at += strlen(name);
	snprintf(policy, 512, "%.*s", (int)strcspn(at, "\r"), at);
}

/* A browser takes the headers of a 304 for those of the page that it has. */
Test(http, what_is_known_keeps_its_policy)
{
	static const char *const types[] = { "text/html; charset=utf-8",
					     "application/json" };
	char etag[32], text[256], before[512], after[512];
	const char *answer;
	unsigned i;

	inn.cache = HTTP_CHECK;
	inn_open();
	for (i = 0; i < NELEM(types); i++) {
		inn.type = types[i];
		answer = inn_answer(inn_ask(1, "/x"));
		find_policy(answer, before);
		cr_assert_eq(
			sscanf(strstr(answer, "ETag: "), "ETag: %31s", etag),
			1);
		snprintf(text, sizeof(text),
			 "GET /x HTTP/1.1\r\nHost: a\r\nIf-None-Match: "
			 "%s\r\n\r\n",
			 etag);
		answer = inn_answer(inn_say(1, text));
		inn_expect_part(answer, "HTTP/1.1 304 ");
		find_policy(answer, after);
		cr_expect_str_eq(after, before);
	}
}

Test(http, an_end_in_order)
{
	int idle, half, asked;

	inn.keeps = true;
	inn_open();
	idle = inn_come(1);
	half = inn_say(1, "GET /x HT");
	asked = inn_ask(1, "/x");
	http_stop(inn.http);
	cr_expect_eq(http_counts(inn.http)->connections, 1);
	cr_expect_eq(inn_code(idle), 0);
	cr_expect_eq(inn_code(half), 0);
	inn_reply(inn.asked[0], "last");
	cr_expect_eq(http_counts(inn.http)->connections, 0);
	inn_expect_part(inn_answer(asked), "\r\n\r\nlast");
}

Test(http, connect_ends_its_connection)
{
	inn_open();
	cr_expect_eq(inn_code(inn_say(1, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n"
					 "\r\n")),
		     400);
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

	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		inn.limits.put_bytes = cases[i].put;
		http_set_limits(inn.http, &inn.limits);
		snprintf(text, sizeof(text),
			 "%s HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
			 cases[i].line);
		answer = inn_answer(inn_say(1, text));
		cr_expect_eq(strtol(answer + strlen("HTTP/1.1 "), NULL, 10),
			     cases[i].code, "%s %zu", cases[i].line,
			     cases[i].put);
		inn_expect_part(answer, cases[i].part);
	}
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
		{ 429, "Retry-After: 10\r\n" },
		{ 503, "503 Service Unavailable\r\n" },
		{ 503, "Retry-After: 10\r\n" },
	};
	char body[64];
	const char *text;
	unsigned i;
	int fd;

	inn.keeps = true;
	inn_open();
	for (i = 0; i < NELEM(cases); i++) {
		fd = inn_ask(1, "/x");
		cr_assert_eq(inn.count, i + 1);
		http_add_header(inn.asked[i], "X-More", "yes");
		http_refuse(inn.asked[i], cases[i].code, "no");
		text = inn_answer(fd);
		snprintf(body, sizeof(body), "\r\n\r\n%d: no\n", cases[i].code);
		inn_expect_part(text, cases[i].part);
		inn_expect_part(text, body);
		inn_expect_part(text, "X-More: yes\r\n");
	}
}

Test(http, a_wait_of_its_own_takes_the_place_of_the_usual_one)
{
	const char *text;
	int fd;

	inn.keeps = true;
	inn_open();
	fd = inn_ask(1, "/x");
	http_retry_after(inn.asked[0], 43200);
	http_refuse(inn.asked[0], 429, "no");
	text = inn_answer(fd);
	inn_expect_part(text, "Retry-After: 43200\r\n");
	cr_expect_null(strstr(text, "Retry-After: 10\r\n"));
}

/* ---- headers, queries ------------------------------------------------- */

/* Returns what http_header() says of this head. */
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
	http_refuse(inn.asked[0], 404, "no");
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
	http_refuse(inn.asked[0], 404, "no");
	cr_assert_eq(inn_code(fd), 404);
	return result;
}

Test(http, headers)
{
	char value[9] = "";

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
}

Test(http, queries)
{
	char value[9] = "";

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
}

/* ---- listening -------------------------------------------------------- */

Test(http, listening)
{
	struct listener *other;
	struct sockaddr_in at = { .sin_family = AF_INET };
	char port[8];
	int fd;

	inn_open();
	snprintf(port, sizeof(port), "%u", listener_port(inn.bound));
	cr_expect_null(listener_open("127.0.0.1", port, false, &why));
	inn_expect_part(why.text, "cannot listen at 127.0.0.1 port ");
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cr_expect_null(listener_adopt(fd, &why));
	inn_expect_part(why.text, "is no socket that listens");
	cr_expect_eq(fcntl(fd, F_GETFD), -1, "it is closed");
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_expect_null(listener_adopt(fd, &why));
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 5), 0);
	other = listener_adopt(fd, &why);
	cr_assert_not_null(other, "%s", why.text);
	http_listen(inn.http, other);
	http_unlisten(inn.http, inn.bound);
	inn.bound = other;
	cr_expect_eq(inn_code(inn_ask(1, "/x")), 200,
		     "a descriptor that was given");
}

Test(http, a_long_head)
{
	static char text[20000];

	inn.limits.head_bytes = 4096;
	inn_open();
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "GET /x HTTP/1.1\r\nHost: a\r\nX: ", 29);
	memcpy(text + 4000, "\r\n\r\n", 5);
	cr_expect_eq(inn_code(inn_say(1, text)), 200);
	text[4000] = text[4001] = text[4002] = text[4003] = text[4004] = 'x';
	memcpy(text + 5000, "\r\n\r\n", 5);
	cr_expect_eq(inn_code(inn_say(1, text)), 431);
}

/* Without descriptors nothing is accepted for a while; nothing spins. */
Test(http, without_descriptors)
{
	struct rlimit limit, old;
	int fd, filler[64], n = 0, next;

	inn_open();
	fd = inn_ask(1, "/x");
	cr_assert_eq(inn_code(fd), 200);
	inn_pass(2);
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
	cr_expect_eq(http_counts(inn.http)->connections, 0);
	while (n > 0)
		close(filler[--n]);
	setrlimit(RLIMIT_NOFILE, &old);
	cr_expect(inn_waits(fd), "nothing is accepted in the pause");
	fake_now_us += inn.limits.pause_ms * UINT64_C(1000);
	inn_pass(2);
	cr_expect_eq(inn_code(fd), 200);
}
