/* tests/unit/test-http-gzip.c - answers that are gzipped. */
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>

#include "referee/base/serve-limits.h"
#include "referee/base/thread.h"
#include "tests/unit/http-inn.h"

#define MOST 262144

static struct thread *thread;

static void
begin(void)
{
	inn_begin();
	inn_open();
	thread = thread_new(&inn.loop);
	cr_assert_not_null(thread);
	http_set_thread(inn.http, thread);
	inn.keeps = true;
	inn.cache = HTTP_CHECK;
}

static void
end(void)
{
	thread_free(thread);
	inn_end();
}

TestSuite(http_gzip, .init = begin, .fini = end);

/* Returns all that comes until the end. */
static struct text
read_all(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	struct text text;

	text_init(&text, SIZE_MAX);
	shutdown(fd, SHUT_WR);
	do
		inn_pass(1);
	/* luck: between two looks */
	while (poll(&one, 1, 1) == 0 || net_read(fd, &text));
	close(fd);
	inn_pass(2);
	return text;
}

/* Asks with these headers, and answers with `n` bytes of `bytes`: returns the whole
 * answer, and where its body begins. */
static struct text
ask(const char *method, const char *headers, const char *bytes, size_t n,
    const char **body)
{
	char said[512];
	struct text all;
	int fd;

	snprintf(said, sizeof(said), "%s /x HTTP/1.1\r\nHost: a\r\n%s\r\n",
		 method, headers);
	inn.count = 0;
	fd = inn_say(1, said);
	cr_assert_eq(inn.count, 1);
	http_set_cache(inn.asked[0], inn.cache);
	http_answer(inn.asked[0], &(struct http_answer){ .code = 200,
							 .type = "text/plain",
							 .bytes = bytes,
							 .n = n });
	all = read_all(fd);
	*body = strstr(text_string(&all), "\r\n\r\n");
	cr_assert_not_null(*body);
	*body += 4;
	return all;
}

static const char takes[] = "Accept-Encoding: br, gzip, deflate\r\n";

static char *
lines(size_t n)
{
	char *text = malloc(n + 1);
	size_t i;

	for (i = 0; i < n; i++)
		text[i] = "a line like the others\n"[i % 23];
	text[n] = '\0';
	return text;
}

static bool
is_gzipped(struct text *all)
{
	return strstr(text_string(all), "\r\nContent-Encoding: gzip\r\n") !=
	       NULL;
}

/* Returns true if `packed` unpacks to these bytes. */
static bool
unpacks(const char *packed, size_t n, const char *bytes, size_t length)
{
	static unsigned char out[MOST];
	z_stream stream = { .next_in = (const unsigned char *)packed,
			    .avail_in = (uInt)n,
			    .next_out = out,
			    .avail_out = sizeof(out) };
	bool good;

	cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	good = inflate(&stream, Z_FINISH) == Z_STREAM_END &&
	       stream.avail_in == 0 && stream.total_out == length &&
	       memcmp(out, bytes, length) == 0;
	inflateEnd(&stream);
	return good;
}

static size_t
length_of(struct text *all, const char *body)
{
	return all->used - (size_t)(body - all->bytes);
}

Test(http_gzip, from_so_many_bytes_on_it_is_gzipped)
{
	static const struct {
		size_t n;
		bool gzipped;
	} cases[] = { { SERVE_GZIP_BYTES - 1, false },
		      { SERVE_GZIP_BYTES, true },
		      { SERVE_GZIP_NOW_BYTES, true },
		      { SERVE_GZIP_NOW_BYTES + 1, true },
		      { MOST, true } };
	const char *body;
	struct text all;
	char *text;
	unsigned i;

	for (i = 0; i < NELEM(cases); i++) {
		text = lines(cases[i].n);
		all = ask("GET", takes, text, cases[i].n, &body);
		cr_expect_eq(is_gzipped(&all), cases[i].gzipped, "%zu bytes",
			     cases[i].n);
		if (cases[i].gzipped)
			cr_expect(unpacks(body, length_of(&all, body), text,
					  cases[i].n),
				  "%zu bytes", cases[i].n);
		else
			cr_expect_str_eq(body, text);
		inn_expect_part(text_string(&all),
				"Vary: Accept-Encoding, Authorization, "
				"X-Bot, X-Owner\r\n");
		text_release(&all);
		all = ask("GET", "", text, cases[i].n, &body);
		cr_expect(!is_gzipped(&all));
		cr_expect_str_eq(body, text);
		text_release(&all);
		free(text);
	}
}

Test(http_gzip, who_does_not_take_it_gets_it_as_it_is)
{
	static const char *const headers[] = {
		"Accept-Encoding: gzip;q=0\r\n",
		"Accept-Encoding: gzip ;q=0\r\n",
		"Accept-Encoding: br, gzip ; q=0, zip\r\n",
		"Accept-Encoding: br\r\n",
		"Accept-Encoding: gzipped\r\n",
		"Accept-Encoding:\r\n"
	};
	char *text = lines(5000);
	const char *body;
	struct text all;
	unsigned i;

	for (i = 0; i < NELEM(headers); i++) {
		all = ask("GET", headers[i], text, 5000, &body);
		cr_expect(!is_gzipped(&all), "%s", headers[i]);
		cr_expect_str_eq(body, text);
		text_release(&all);
	}
	free(text);
}

Test(http_gzip, what_would_not_be_smaller_stays)
{
	static const size_t sizes[] = { 5000, 50000 };
	static char noise[50000];
	const char *body;
	struct text all;
	unsigned i;

	randombytes_buf(noise, sizeof(noise));
	for (i = 0; i < NELEM(sizes); i++) {
		all = ask("GET", takes, noise, sizes[i], &body);
		cr_expect(!is_gzipped(&all));
		cr_expect_eq(length_of(&all, body), sizes[i]);
		cr_expect_eq(memcmp(body, noise, sizes[i]), 0);
		text_release(&all);
	}
}

static void
find_etag(struct text *all, char etag[64])
{
	const char *at = strstr(text_string(all), "\r\nETag: ");

	cr_assert_not_null(at);
	snprintf(etag, 64, "%.*s", (int)strcspn(at + 8, "\r"), at + 8);
}

Test(http_gzip, each_encoding_has_its_tag)
{
	char plain[64], packed[64], again[64], headers[256];
	char *text = lines(40000);
	const char *body;
	struct text all;

	all = ask("GET", "", text, 40000, &body);
	find_etag(&all, plain);
	text_release(&all);
	all = ask("GET", takes, text, 40000, &body);
	find_etag(&all, packed);
	text_release(&all);
	cr_expect_str_neq(plain, packed);
	snprintf(headers, sizeof(headers), "%sIf-None-Match: %s\r\n", takes,
		 packed);
	all = ask("GET", headers, text, 40000, &body);
	cr_expect_eq(strncmp(all.bytes, "HTTP/1.1 304 ", 13), 0);
	find_etag(&all, again);
	cr_expect_str_eq(again, packed);
	cr_expect_eq(length_of(&all, body), 0);
	text_release(&all);
	snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", packed);
	all = ask("GET", headers, text, 40000, &body);
	cr_expect_eq(strncmp(all.bytes, "HTTP/1.1 200 ", 13), 0,
		     "the other one is not known");
	text_release(&all);
	free(text);
}

Test(http_gzip, a_head_is_that_of_the_answer)
{
	char *text = lines(40000), length[64];
	const char *body;
	struct text all;

	all = ask("GET", takes, text, 40000, &body);
	snprintf(length, sizeof(length), "\r\nContent-Length: %zu\r\n",
		 length_of(&all, body));
	text_release(&all);
	all = ask("HEAD", takes, text, 40000, &body);
	inn_expect_part(text_string(&all), length);
	cr_expect(is_gzipped(&all));
	cr_expect_eq(length_of(&all, body), 0);
	text_release(&all);
	free(text);
}

Test(http_gzip_alone, what_waits_for_it_counts_as_not_read)
{
	char *text = lines(40000), said[128];
	struct text all;
	int fd[2], i;

	inn_begin();
	inn.limits.unread_bytes = 60000;
	inn_open();
	thread = thread_new(&inn.loop);
	http_set_thread(inn.http, thread);
	inn.keeps = true;
	snprintf(said, sizeof(said), "GET /x HTTP/1.1\r\nHost: a\r\n%s\r\n",
		 takes);
	for (i = 0; i < 2; i++)
		fd[i] = inn_say((unsigned)i + 1, said);
	for (i = 0; i < 2; i++) /* the thread's answer is not looked for */
		http_answer(inn.asked[i],
			    &(struct http_answer){ .code = 200,
						   .type = "text/plain",
						   .bytes = text,
						   .n = 40000 });
	cr_expect_eq(inn_code(fd[1]), 503);
	all = read_all(fd[0]);
	cr_expect_eq(strncmp(all.bytes, "HTTP/1.1 200 ", 13), 0);
	text_release(&all);
	free(text);
	end();
}

Test(http_gzip_alone, an_end_meanwhile_loses_no_answer)
{
	char *text = lines(40000), said[128];
	struct text all;
	int fd;

	begin();
	snprintf(said, sizeof(said), "GET /x HTTP/1.1\r\nHost: a\r\n%s\r\n",
		 takes);
	fd = inn_say(1, said);
	http_answer(inn.asked[0], &(struct http_answer){ .code = 200,
							 .type = "text/plain",
							 .bytes = text,
							 .n = 40000 });
	http_stop(inn.http);
	thread_free(thread);
	all = read_all(fd);
	cr_expect_eq(strncmp(all.bytes, "HTTP/1.1 200 ", 13), 0);
	text_release(&all);
	free(text);
	inn_end();
}
