/* tests/unit/http-inn.c - see http-inn.h. */
#include "tests/unit/http-inn.h"
#include "referee/base/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct inn inn;
static struct error why;

static enum http_methods
on_allowed(void *arg, const char *path)
{
	cr_assert_eq(arg, &inn);
	if (strcmp(path, "/none") == 0)
		return HTTP_NOTHING;
	return strcmp(path, "/put") == 0 ? HTTP_READ_PUT : HTTP_READ;
}

void
inn_reply(struct http_request *request, const char *text)
{
	http_set_cache(request, inn.cache);
	http_answer(request,
		    &(struct http_answer){
			    .code = 200,
			    .type = inn.type == NULL ? "text/plain" : inn.type,
			    .bytes = text,
			    .n = strlen(text) });
}

static void
on_asked(void *arg, struct http_request *request, const char *path)
{
	cr_assert_eq(arg, &inn);
	cr_assert_lt(inn.count, ASKED_MAX);
	snprintf(inn.path, sizeof(inn.path), "%s", path);
	if (inn.keeps)
		inn.asked[inn.count++] = request;
	else
		inn_reply(request, path);
}

static void
on_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	   const char *sentence)
{
	cr_assert_eq(arg, &inn);
	inn.refused++;
	snprintf(inn.refusal, sizeof(inn.refusal), "%d %.*s %s: %s", (int)kind,
		 (int)strcspn(from, ":"), from, bot, sentence);
}

void
inn_begin(void)
{
	memset(&inn, 0, sizeof(inn));
	inn.descriptors = net_descriptors();
	fake_clock_begin();
	inn.limits = http_limits;
	cr_assert_eq(loop_init(&inn.loop), 0);
	inn.addresses = addresses_new();
}

void
inn_open(void)
{
	inn.http = http_new(&inn.loop, &inn.limits, inn.addresses, on_allowed,
			    on_asked, on_refused, &inn);
	inn.bound = listener_open("127.0.0.1", "0", false, &why);
	cr_assert_not_null(inn.bound, "%s", why.text);
	cr_assert_gt(listener_port(inn.bound), 0);
	http_listen(inn.http, inn.bound);
}

void
inn_end(void)
{
	http_free(inn.http);
	addresses_free(inn.addresses);
	loop_release(&inn.loop);
	cr_assert_eq(net_descriptors(), inn.descriptors);
}

void
inn_pass(unsigned n)
{
	while (n-- > 0)
		fake_pass(&inn.loop);
}

/* ---- clients ---------------------------------------------------------- */

int
inn_come(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = from;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	cr_assert_eq(bind(fd, (struct sockaddr *)&from, sizeof(from)), 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)listener_port(inn.bound));
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0, "%s",
		     strerror(errno));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* Connects, sends this and lets it be read; returns the socket. */
int
inn_say(unsigned last, const char *text)
{
	int fd = inn_come(last);

	net_write(fd, text);
	inn_pass(3);
	return fd;
}

int
inn_ask(unsigned last, const char *path)
{
	char text[512];

	snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: here\r\n\r\n",
		 path);
	return inn_say(last, text);
}

/* Returns true if the connection still waits: neither an answer nor the end has
 * come. */
bool
inn_waits(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	inn_pass(3);
	return poll(&one, 1, 0) == 0;
}

/* Returns all of the answer; borrowed. */
const char *
inn_answer(int fd)
{
	static struct text text;
	static char copy[65536];
	struct pollfd one = { .fd = fd, .events = POLLIN };

	text_init(&text, sizeof(copy) - 1);
	shutdown(fd, SHUT_WR); /* otherwise the connection would stay open */
	do
		inn_pass(1);
	/* luck: between two looks */
	while (poll(&one, 1, 1) == 0 || net_read(fd, &text));
	snprintf(copy, sizeof(copy), "%s", text_string(&text));
	text_release(&text);
	close(fd);
	inn_pass(2);
	return copy;
}

/* Reads up to these bytes, while the connection stays. */
void
inn_skip(int fd, const char *end)
{
	const size_t n = strlen(end);
	char text[65536] = "";
	size_t used = 0;
	unsigned i;
	ssize_t got;

	for (i = 0; i < 1000; i++) {
		inn_pass(1);
		got = read(fd, text + used, sizeof(text) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
		if (used >= n && memcmp(text + used - n, end, n) == 0)
			return;
	}
	cr_assert_fail("%s\nlacks: %s", text, end);
}

/* Returns the code of the answer; 0 if it ends without. */
int
inn_code(int fd)
{
	const char *text = inn_answer(fd);
	int number = 0;

	if (strncmp(text, "HTTP/1.", 7) == 0)
		number = (int)strtol(text + 8, NULL, 10);
	return number;
}

void
inn_expect_part(const char *text, const char *part)
{
	cr_expect_not_null(strstr(text, part), "%s\nlacks: %s", text, part);
}
