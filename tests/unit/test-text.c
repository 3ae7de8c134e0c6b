/* tests/unit/test-text.c */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/field.h"
#include "protocol/text.h"

Test(text, zeroed_is_empty_and_ready)
{
	struct text text = { .max = 100 };

	cr_assert_str_eq(text_string(&text), "");
	text_str(&text, "ready");
	cr_assert_str_eq(text_string(&text), "ready");
	text_release(&text);
	cr_assert_null(text.bytes);
}

Test(text, adds_bytes_strings_and_formats)
{
	struct text text;

	text_init(&text, 1000);
	text_add(&text, "deal 1\0x", 8);
	text_add(&text, NULL, 0);
	text_str(&text, " and ");
	text_fmt(&text, "%d of %s", 3, "four");
	cr_assert_eq(text.used, 8 + 5 + 9);
	cr_assert_eq(memcmp(text.bytes, "deal 1\0x and 3 of four", 22), 0);
	cr_assert_not(text.full);
	text_release(&text);
}

/* Tries every limit up to 300, filled in pieces of every size up to 17: all
 * pieces that fit are there, and the first that does not is dropped whole. */
Test(text, holds_exactly_its_limit)
{
	const char piece[] = "0123456789abcdefg";
	struct text text;
	size_t max, n, i, whole;

	for (max = 0; max <= 300; max++)
		for (n = 1; n < sizeof(piece); n++) {
			text_init(&text, max);
			whole = max / n;
			for (i = 0; i < whole; i++)
				text_add(&text, piece, n);
			cr_assert_not(text.full);
			cr_assert_eq(text.used, whole * n);
			text_add(&text, piece, n);
			cr_assert(text.full);
			cr_assert_eq(text.used, whole * n);
			cr_assert_eq(strlen(text_string(&text)), whole * n);
			cr_assert_leq(text.size, max + 1);
			text_release(&text);
		}
}

/* A text without a limit asks for memory as rarely as one with a limit. */
Test(text, doubles_its_memory_without_a_limit)
{
	struct text text;
	size_t i, size = 0, moves = 0;

	text_init(&text, SIZE_MAX);
	for (i = 0; i < 1000; i++) {
		text_add(&text, "x", 1);
		moves += text.size != size;
		size = text.size;
	}
	cr_assert_eq(size, 1024);
	cr_assert_eq(moves, 4);
	text_release(&text);
}

Test(text, full_is_for_good_until_cleared)
{
	struct text text;

	text_init(&text, 4);
	text_str(&text, "abc");
	text_str(&text, "de");
	cr_assert(text.full);
	text_str(&text, "f");
	text_fmt(&text, "%c", 'g');
	cr_assert_str_eq(text_string(&text), "abc");
	text_clear(&text);
	cr_assert_not(text.full);
	text_fmt(&text, "%s", "wxyz");
	cr_assert_str_eq(text_string(&text), "wxyz");
	cr_assert_not(text.full);
	text_fmt(&text, "%s", "!");
	cr_assert(text.full);
	cr_assert_str_eq(text_string(&text), "wxyz");
	text_release(&text);
}

Test(text, clear_keeps_the_memory)
{
	struct text text;
	char *bytes;

	text_init(&text, 10000);
	text_fmt(&text, "%05000d", 7);
	cr_assert_eq(text.used, 5000);
	bytes = text.bytes;
	text_clear(&text);
	text_fmt(&text, "%05000d", 8);
	cr_assert_eq(text.bytes, bytes);
	cr_assert_eq(text.bytes[4999], '8');
	text_release(&text);
}

Test(text, a_huge_piece_does_not_overflow)
{
	struct text text;

	text_init(&text, 8);
	text_str(&text, "abc");
	text_add(&text, "x", SIZE_MAX);
	cr_assert(text.full);
	cr_assert_str_eq(text_string(&text), "abc");
	text_release(&text);
}

Test(text, memory_is_never_null)
{
	void *bytes = memory(NULL, 0);

	cr_assert_not_null(bytes);
	bytes = memory(bytes, 100);
	memset(bytes, 1, 100);
	free(bytes);
}

/* A file of exactly `max` bytes is whole; with one more it is full, even if
 * that byte comes in a separate read(2). */
Test(file, is_written_and_read_up_to_a_limit)
{
	const char *path = "test-text.tmp";
	char bytes[2 * 65536], head[8];
	struct text text = { .max = sizeof(bytes) };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	memset(bytes, 'x', sizeof(bytes));
	cr_assert_eq(file_write(fd, bytes, sizeof(bytes)), 0);
	cr_assert_eq(file_load(path, &text), 0);
	cr_assert_eq(text.used, sizeof(bytes));
	cr_assert_not(text.full);
	text_clear(&text);
	cr_assert_eq(file_write(fd, "y", 1), 0);
	cr_assert_eq(file_load(path, &text), 0);
	cr_assert(text.full);
	cr_assert_eq(file_peek(head, sizeof(head), "%s", path), 7);
	cr_assert_str_eq(head, "xxxxxxx");
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	unlink(path);
	cr_assert_eq(file_write(fd, "y", 1), -1);
	cr_assert_eq(errno, EBADF);
	close(fd);
	cr_assert_eq(file_load(path, &text), -1);
	cr_assert_eq(errno, ENOENT);
	cr_assert_eq(file_peek(head, sizeof(head), "%s", path), -1);
	cr_assert_eq(errno, ENOENT);
	cr_assert_str_eq(head, "");
	text_release(&text);
}

/* A bot may have put something else there. */
Test(file, is_read_if_it_is_one)
{
	static const char path[] = "test-text-file.tmp";
	static const char other[] = "test-text-other.tmp";
	struct text text = { .max = 9 };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	cr_assert_eq(file_write(fd, "text", 4), 0);
	close(fd);
	unlink(other);
	cr_assert_eq(symlink(path, other), 0);
	cr_expect_eq(file_load_regular(path, &text), 0);
	cr_expect_eq(text.used, 4);
	cr_expect_eq(file_load_regular(other, &text), -1);
	cr_expect_eq(errno, ELOOP);
	unlink(other);
	cr_assert_eq(mkfifo(other, 0600), 0);
	cr_expect_eq(file_load_regular(other, &text), -1);
	cr_expect_eq(errno, FILE_IS_NONE);
	cr_expect_eq(file_load(other, &text), -1);
	cr_expect_eq(errno, FILE_IS_NONE);
	cr_expect_str_eq(file_trouble(), "not a file");
	cr_expect_eq(file_load("/dev/zero", &text), -1);
	cr_expect_eq(errno, FILE_IS_NONE);
	cr_expect_eq(file_load("/", &text), -1);
	cr_expect_eq(errno, EISDIR);
	cr_expect_eq(file_load_regular("/", &text), -1);
	cr_expect_eq(errno, EISDIR);
	unlink(other);
	cr_expect_eq(file_load_regular(other, &text), -1);
	cr_expect_eq(errno, ENOENT);
	unlink(path);
	text_release(&text);
}

/* sscanf() would take some of these; here none may pass. */
Test(text, fields)
{
	static const char *const none[] = { "",
					    " \n",
					    "x",
					    "-1",
					    "+1",
					    "1x",
					    "0x1",
					    "1.5",
					    "1,2",
					    "--1",
					    "18446744073709551616" };
	const char *at = "  7 word\t18446744073709551615\n30";
	uint64_t number;
	unsigned i;

	at = field_skip(field_number(at, &number), 0);
	cr_assert_eq(number, 7u);
	cr_assert_null(field_number(at, &number), "a word");
	at = field_number(field_skip(at, 1), &number);
	cr_assert_eq(number, UINT64_MAX);
	at = field_number(at, &number);
	cr_assert_eq(number, 30u);
	cr_assert_not_null(at);
	cr_assert_null(field_number(at, &number), "there is no more");
	cr_assert_null(field_skip(at, 1));
	cr_assert_null(field_number(NULL, &number));
	for (i = 0; i < NELEM(none); i++)
		cr_expect_null(field_number(none[i], &number), "%s", none[i]);
}

Test(text, what_strangers_wrote_is_shown)
{
	static const struct {
		const char *bytes, *shown;
	} tries[] = {
		{ "\xe2\x80\x98"
		  "Q\xe2\x80\x99 \xf0\x9f\x82\xa1\tx",
		  "\xe2\x80\x98"
		  "Q\xe2\x80\x99 \xf0\x9f\x82\xa1\tx" },
		{ "a\x1b[2Jb\r\n\x7f", "a\\x1b[2Jb\\x0d\\x0a\\x7f" },
		{ "\xc2\x9b"
		  "2J",
		  "\\xc2\\x9b"
		  "2J" },
		{ "a\xe2\x80\xae"
		  "b",
		  "a\\xe2\\x80\\xae"
		  "b" },
		{ "\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f",
		  "\\xe2\\x81\\xa6\\xd8\\x9c\\xe2\\x80\\x8f" },
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
		{ "\xff \xc3", "\\xff \\xc3" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
	};
	struct text all;
	char to[256];

	for (size_t i = 0; i < NELEM(tries); i++) {
		text_escape(to, sizeof(to), tries[i].bytes,
			    strlen(tries[i].bytes));
		cr_expect_str_eq(to, tries[i].shown);
	}
	/* An incomplete character at the end is escaped. */
	text_escape(to, sizeof(to), "x\xe2\x80\x98", 3);
	cr_expect_str_eq(to, "x\\xe2\\x80");
	text_init(&all, 256);
	text_add_escaped(&all, "\xc3\xa4\n\0\r", 5, true);
	cr_expect_str_eq(text_string(&all), "\xc3\xa4\n\\x00\\x0d");
	text_release(&all);
}
