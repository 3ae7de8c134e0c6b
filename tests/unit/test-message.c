/* tests/unit/test-message.c */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/text.h"
#include "tests/unit/vectors.h"

static const char *const verb_names[] = {
	[MESSAGE_BOT] = "bot",	       [MESSAGE_DO] = "do",
	[MESSAGE_SAY] = "say",	       [MESSAGE_ENTROPY] = "entropy",
	[MESSAGE_PONG] = "pong",       [MESSAGE_SIT] = "sit",
	[MESSAGE_REST] = "rest",       [MESSAGE_QUIT] = "quit",
	[MESSAGE_CRASHED] = "crashed",
};

/* Writes a message as the vectors write it. */
static void
describe(const struct message *message, struct text *out)
{
	struct message_resume resume;
	size_t i, at = 0;

	text_clear(out);
	if (message->verb == MESSAGE_BAD) {
		text_str(out, "bad");
		return;
	}
	text_str(out, verb_names[message->verb]);
	if (message->verb == MESSAGE_DO)
		text_fmt(out, " %lu", (unsigned long)message->ask);
	if (message->text != NULL)
		text_fmt(out, " %.*s", (int)message->n, message->text);
	if (message->verb == MESSAGE_ENTROPY)
		text_str(out, " ");
	for (i = 0; i < message->hex_bytes; i++)
		text_fmt(out, "%02x", message->hex[i]);
	if (message->entropy)
		text_str(out, " entropy");
	if (message->multi)
		text_str(out, " multi");
	if (message->token != NULL)
		text_fmt(out, " token %.*s", (int)message->token_bytes,
			 message->token);
	if (message->games > 0)
		text_fmt(out, " games %u", message->games);
	if (message->resume != NULL)
		text_str(out, " resume");
	while (message_resume(message, &at, &resume))
		text_fmt(out, " %s:%lu", resume.id,
			 (unsigned long)resume.lines);
}

/* Reads a copy of the line that is not terminated and of its exact size, so
 * that a byte too far is seen. */
static void
read_exactly(const char *line, size_t n, struct message *message,
	     struct text *out)
{
	char *copy = memory(NULL, n);

	memcpy(copy, line, n);
	message_read(copy, n, message);
	describe(message, out);
	free(copy);
}

Test(message, vectors)
{
	struct vectors v = vectors_open("bot-lines.txt");
	struct text in = { .max = 2000 }, out = { .max = 2000 };
	struct message message;
	unsigned good = 0, bad = 0;

	while (vectors_next(&v)) {
		if (vectors_is(&v, "in")) {
			text_clear(&in);
			text_add(&in, v.value, v.n);
			read_exactly(in.bytes, in.used, &message, &out);
			continue;
		}
		cr_assert_eq(message.why != NULL, vectors_is(&v, "bad"),
			     "bot-lines.txt:%u", v.number);
		cr_assert_eq(message.verb == MESSAGE_BAD, message.why != NULL);
		cr_assert_str_eq(text_string(&out),
				 vectors_is(&v, "bad") ? "bad" : v.value,
				 "bot-lines.txt:%u", v.number);
		good += !vectors_is(&v, "bad");
		bad += vectors_is(&v, "bad");
	}
	cr_assert_geq(good, 20);
	cr_assert_geq(bad, 50);
	text_release(&in);
	text_release(&out);
	vectors_release(&v);
}

Test(message, what_is_wrong_with_an_answer)
{
	static const char space[] =
		"words need one space between them, and none at the end";
	static const char number[] =
		"the ask's number is from 1 to 4294967295, without a 0 in "
		"front: do K TOKEN";
	static const char both[] =
		"do needs the ask's number and a token: do K TOKEN";
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "do", both },
		{ "do pass", both },
		{ "do -1 pass", both },
		{ "do 0 pass", number },
		{ "do 01 pass", number },
		{ "do 4294967296 pass", number },
		{ "do  1 pass", space },
		{ "do 1  pass", space },
		{ "do 1 pass ", space },
		{ "do 1", "do needs a token after the number: do K TOKEN" },
		{ "do 1 pass knock", "do takes one token: do K TOKEN" },
	};
	struct message message;
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		message_read(cases[i].line, strlen(cases[i].line), &message);
		cr_expect_eq(message.verb, MESSAGE_BAD);
		cr_expect_str_eq(message.why, cases[i].why, "%s: %s",
				 cases[i].line, message.why);
	}
}

Test(message, an_empty_line_is_bad)
{
	struct message message;

	message_read("", 0, &message);
	cr_assert_eq(message.verb, MESSAGE_BAD);
	cr_assert_not_null(message.why);
}

/* A line that was cut anywhere, or has one byte changed to anything, never
 * crashes and never reads past its end (the sanitizers look). */
Test(message, broken_lines_are_read_to_an_end)
{
	static const char *const lines[] = {
		"do 12 play:7H",
		"say a remark",
		"entropy 0011223344556677",
		"bot 1 knock entropy=yes multi=yes",
		"bot 1 a token=b games=12",
		"bot 1 a resume=0123456789abcdef0123456789abcdef:12",
		"sit main night",
		"pong 1",
		"rest",
		"quit",
	};
	struct text out = { .max = 2000 };
	struct message message;
	char line[64];
	unsigned bad = 0;
	size_t i, n, at;
	int byte;

	for (i = 0; i < NELEM(lines); i++) {
		n = strlen(lines[i]);
		for (at = 0; at < n; at++) {
			read_exactly(lines[i], at, &message, &out);
			for (byte = 0x20; byte < 0x7f; byte++) {
				memcpy(line, lines[i], n);
				line[at] = (char)byte;
				read_exactly(line, n, &message, &out);
				bad += message.verb == MESSAGE_BAD;
			}
		}
	}
	cr_assert_gt(bad, 1000);
	text_release(&out);
}

Test(message, pairs_are_handed_on)
{
	static const char line[] = "bot 1 knock token=s3cret= entropy=yes";
	struct message message;

	message_read(line, strlen(line), &message);
	cr_assert_eq(message.verb, MESSAGE_BOT);
	cr_assert_eq(message.pairs, line + 12);
	cr_assert_eq(message.pairs_bytes, strlen(line) - 12);
	message_read(line, 11, &message);
	cr_assert_eq(message.verb, MESSAGE_BOT);
	cr_assert_null(message.pairs);
	cr_assert_eq(message.pairs_bytes, 0);
}

Test(message, names)
{
	static const struct {
		const char *name;
		bool ok;
	} names[] = {
		{ "a", true },
		{ "0", true },
		{ "Z9._-z", true },
		{ "", false },
		{ ".a", false },
		{ "_a", false },
		{ "-a", false },
		{ "a b", false },
		{ "a=b", false },
		{ "a:b", false },
		{ "a;b", false },
		{ "a\x80", false },
		{ "12345678901234567890123456789012", true },
		{ "123456789012345678901234567890123", false },
	};
	size_t i;

	for (i = 0; i < NELEM(names); i++)
		cr_expect_eq(
			message_name_ok(names[i].name, strlen(names[i].name)),
			names[i].ok, "`%s`", names[i].name);
}

Test(message, built_in_names)
{
	cr_expect_str_eq(message_builtin("random"), "random");
	cr_expect_str_eq(message_builtin("hOUSE"), "house");
	cr_expect_null(message_builtin("random2"));
	cr_expect_null(message_builtin("rando"));
	cr_expect_null(message_builtin(""));
}

Test(message, numbers)
{
	static const struct {
		const char *text;
		uint64_t max, number;
		int result;
	} numbers[] = {
		{ "0", 0, 0, 0 },
		{ "1", 0, 0, -1 },
		{ "9", 9, 9, 0 },
		{ "10", 9, 0, -1 },
		{ "18446744073709551615", UINT64_MAX, UINT64_MAX, 0 },
		{ "18446744073709551614", UINT64_MAX, UINT64_MAX - 1, 0 },
		{ "18446744073709551616", UINT64_MAX, 0, -1 },
		{ "18446744073709551625", UINT64_MAX, 0, -1 },
		{ "28446744073709551615", UINT64_MAX, 0, -1 },
		{ "184467440737095516150", UINT64_MAX, 0, -1 },
		{ "", 9, 0, -1 },
		{ "00", 9, 0, -1 },
		{ "01", 9, 0, -1 },
		{ "+1", 9, 0, -1 },
		{ "-0", 9, 0, -1 },
		{ " 1", 9, 0, -1 },
		{ "1 ", 9, 0, -1 },
		{ "1a", 99, 0, -1 },
		{ "/", 99, 0, -1 },
		{ ":", 99, 0, -1 },
	};
	uint64_t number;
	size_t i;

	for (i = 0; i < NELEM(numbers); i++) {
		number = 77;
		cr_expect_eq(message_number(numbers[i].text,
					    strlen(numbers[i].text),
					    numbers[i].max, &number),
			     numbers[i].result, "`%s`", numbers[i].text);
		cr_expect_eq(number,
			     numbers[i].result == 0 ? numbers[i].number : 77,
			     "`%s`", numbers[i].text);
	}
}

Test(message, ask)
{
	char out[MESSAGE_ASK_BYTES];
	size_t n;

	n = message_ask(out, 1, 0);
	cr_assert_eq(n, 8);
	cr_assert_arr_eq(out, "ask 1 0 ", n);
	n = message_ask(out, 90, 10000);
	cr_assert_eq(n, 13);
	cr_assert_arr_eq(out, "ask 90 10000 ", n);
	n = message_ask(out, UINT32_MAX, UINT64_MAX);
	cr_assert_eq(n, 36);
	cr_assert_arr_eq(out, "ask 4294967295 18446744073709551615 ", n);
}
