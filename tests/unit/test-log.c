/* tests/unit/test-log.c - log lines, read back by a parser that shares nothing
 * with their writer.
 *
 * Lines go through a pipe, for which write(2) and read(2) keep count; the clock
 * stands still unless a test moves it. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/base/log.h"

#define FIELDS 64
/* 2026-11-21T12:00:00.123Z */
#define NOON INT64_C(1795262400123)
#define DATE "2026-11-21T12:00:00.123Z "

struct field {
	char key[64];
	unsigned char value[LOG_LINE_BYTES];
	size_t bytes;
	bool cut;
};

struct parsed {
	unsigned fields;
	struct field field[FIELDS];
};

static struct {
	int64_t wall, ticks;
	int fd[2];
	struct logger *logger;
	char text[LOG_LINE_BYTES + 2]; /* what was read last */
} world;

static int64_t
wall_ms(void)
{
	return world.wall;
}

static uint64_t
ticks_us(void)
{
	return (uint64_t)world.ticks * 1000;
}

static void
begin(void)
{
	clock_calendar_ms = wall_ms;
	clock_us = ticks_us;
	world.wall = NOON;
	world.ticks = 1000;
	cr_assert_eq(pipe2(world.fd, O_CLOEXEC | O_NONBLOCK), 0);
	world.logger = log_new(world.fd[1], LOG_LEVEL_INFO);
}

static void
end(void)
{
	log_free(world.logger);
	close(world.fd[0]);
	close(world.fd[1]);
}

TestSuite(log, .init = begin, .fini = end);

/* Returns what is in the pipe, or "".  At most one line was written since the last
 * call, so this is that line. */
static const char *
taken(void)
{
	ssize_t n = read(world.fd[0], world.text, sizeof(world.text) - 1);

	world.text[n < 0 ? 0 : n] = '\0';
	return world.text;
}

/* Empties the pipe; returns how many LF there were. */
static unsigned
drain(void)
{
	unsigned lines = 0;
	char byte;

	while (read(world.fd[0], &byte, 1) == 1)
		lines += byte == '\n';
	return lines;
}

static void
event(const char *name)
{
	log_event(world.logger, LOG_LEVEL_INFO, name, NULL);
}

static void
one(const char *value)
{
	log_event(world.logger, LOG_LEVEL_WARN, "test", "value=%s", value);
	world.ticks += 60000;
}

/* ---- the other reading ------------------------------------------------ */

static unsigned
hex(char digit)
{
	const char *digits = "0123456789abcdef", *at = strchr(digits, digit);

	cr_assert(digit != '\0' && at != NULL, "hex digit %d", digit);
	return (unsigned)(at - digits);
}

static void
add(struct field *field, unsigned byte)
{
	field->value[field->bytes++] = (unsigned char)byte;
}

static const char *
parse_quoted(const char *at, struct field *field)
{
	for (; *at != '"'; at++) {
		/* A byte above is of text in UTF-8; control characters there
		 * begin with a byte that is escaped. */
		cr_assert((unsigned char)*at >= 0x20 && *at != 0x7f);
		if (*at != '\\') {
			add(field, (unsigned char)*at);
			continue;
		}
		cr_assert(!field->cut, "something follows \\~");
		switch (*++at) {
		case '"':
		case '\\':
			add(field, (unsigned char)*at);
			break;
		case 'n':
			add(field, '\n');
			break;
		case 'r':
			add(field, '\r');
			break;
		case 't':
			add(field, '\t');
			break;
		case 'x':
			add(field, hex(at[1]) * 16 + hex(at[2]));
			at += 2;
			break;
		case '~':
			field->cut = true;
			cr_assert_eq(at[1], '"');
			break;
		default:
			cr_assert_fail("escape %d", *at);
		}
	}
	return at + 1;
}

static const char *
parse_field(const char *at, struct field *field)
{
	size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");

	memset(field, 0, sizeof(*field));
	cr_assert(n > 0 && n < sizeof(field->key) && at[n] == '=', "%s", at);
	memcpy(field->key, at, n);
	at += n + 1;
	if (*at == '"')
		return parse_quoted(at + 1, field);
	cr_assert(*at != ' ' && *at != '\n');
	for (; *at != ' ' && *at != '\n'; at++) {
		cr_assert(*at > 0x20 && *at <= 0x7e && *at != '"' &&
			  *at != '\\' && *at != '=');
		add(field, (unsigned char)*at);
	}
	return at;
}

/* Parses one whole line and nothing after it. */
static void
parse(const char *text, struct parsed *parsed)
{
	const char *at = text + strlen(DATE) - 1;

	parsed->fields = 0;
	cr_assert_leq(strlen(text), LOG_LINE_BYTES);
	cr_assert_eq(strncmp(text, DATE, strlen(DATE)), 0, "%s", text);
	while (*at == ' ') {
		cr_assert_lt(parsed->fields, FIELDS);
		at = parse_field(at + 1, &parsed->field[parsed->fields++]);
	}
	cr_assert_str_eq(at, "\n", "%s", text);
}

/* ---- what a line looks like ------------------------------------------- */

Test(log, a_line)
{
	struct log_line line;

	log_begin(&line, world.logger, LOG_LEVEL_INFO, "bot-seated");
	log_str(&line, "bot", "alice");
	log_num(&line, "least", INT64_MIN);
	log_num(&line, "most", INT64_MAX);
	cr_assert_str_eq(taken(), "", "written before its end");
	log_end(&line);
	cr_expect_str_eq(taken(), DATE "level=info event=bot-seated bot=alice "
				       "least=-9223372036854775808 "
				       "most=9223372036854775807\n");
	log_end(&line);
	cr_expect_str_eq(taken(), "", "a line written twice");
}

Test(log, a_line_at_once)
{
	const char *volatile none = NULL; /* no compiler sees it */

	log_event(world.logger, LOG_LEVEL_INFO, "bot-seated",
		  "bot=%s seat=%u code=%d none=%s most=%" PRId64 " why=%s",
		  "a b", UINT32_MAX, INT32_MIN, none, INT64_MAX, "full");
	cr_expect_str_eq(taken(), DATE "level=info event=bot-seated "
				       "bot=\"a b\" seat=4294967295 "
				       "code=-2147483648 "
				       "most=9223372036854775807 why=full\n");
}

Test(log, values_that_need_quotes)
{
	static const struct {
		const char *value, *written;
	} cases[] = {
		{ "", "\"\"" },
		{ "a", "a" },
		{ "AZaz09._:/@+,%-", "AZaz09._:/@+,%-" },
		{ "a b", "\"a b\"" },
		{ "a=b", "\"a=b\"" },
		{ "a\"b", "\"a\\\"b\"" },
		{ "a\\", "\"a\\\\\"" },
		{ "\\~", "\"\\\\~\"" },
		{ "x\nlevel=error", "\"x\\nlevel=error\"" },
		{ "\r\t\x1b[2J\x7f", "\"\\r\\t\\x1b[2J\\x7f\"" },
		{ "\xc3\xa4 \xc3", "\"\xc3\xa4 \\xc3\"" },
		{ "~", "\"~\"" },
	};
	char expected[128];
	unsigned i;

	for (i = 0; i < NELEM(cases); i++) {
		one(cases[i].value);
		snprintf(expected, sizeof(expected),
			 DATE "level=warn event=test value=%s\n",
			 cases[i].written);
		cr_expect_str_eq(taken(), expected);
	}
}

Test(log, a_value_at_its_limit_and_one_byte_beyond)
{
	char value[LOG_VALUE_BYTES + 2];
	struct parsed parsed;

	memset(value, 'v', sizeof(value));
	value[LOG_VALUE_BYTES] = '\0';
	one(value);
	parse(taken(), &parsed);
	cr_expect_eq(parsed.field[2].bytes, LOG_VALUE_BYTES);
	cr_expect_not(parsed.field[2].cut);
	value[LOG_VALUE_BYTES] = 'v';
	value[LOG_VALUE_BYTES + 1] = '\0';
	one(value);
	parse(taken(), &parsed);
	cr_expect_eq(parsed.field[2].bytes, LOG_VALUE_BYTES);
	cr_expect(parsed.field[2].cut);
}

Test(log, fields_without_room_are_counted)
{
	char noise[LOG_VALUE_BYTES + 1];
	struct log_line line;
	struct parsed parsed;
	unsigned i;

	memset(noise, 0xff, LOG_VALUE_BYTES); /* four bytes each */
	noise[LOG_VALUE_BYTES] = '\0';
	log_begin(&line, world.logger, LOG_LEVEL_INFO, "test");
	log_str(&line, "large", noise);
	for (i = 0; i < 40; i++)
		log_str(&line, "filler", "twenty-four-bytes-or-so");
	log_str(&line, "x", "1");
	log_end(&line);
	parse(taken(), &parsed);
	cr_expect_str_eq(parsed.field[2].key, "filler");
	i = parsed.fields - 1;
	cr_expect_str_eq(parsed.field[i].key, "cut");
	/* Fields that still fit are written. */
	cr_expect_str_eq(parsed.field[i - 1].key, "x");
	cr_expect_eq(strtoul((char *)parsed.field[i].value, NULL, 10),
		     42 - (i - 2));
}

Test(log, levels)
{
	struct log_line line;
	unsigned i;

	for (i = 0; i < LOG_LEVELS; i++) {
		log_set_level(world.logger, (enum log_level)i);
		log_event(world.logger, (enum log_level)i, "test", NULL);
		cr_expect_not_null(strstr(taken(), log_levels[i]));
		if (i == 0)
			continue;
		log_begin(&line, world.logger, (enum log_level)(i - 1), "test");
		log_str(&line, "key", "value");
		log_end(&line);
		cr_expect_str_eq(taken(), "");
	}
	cr_expect_null(log_levels[LOG_LEVELS]);
}

Test(log, a_date_far_off)
{
	world.wall = 0;
	one("x");
	cr_expect_eq(strncmp(taken(), "1970-01-01T00:00:00.000Z level", 30), 0);
	world.wall = -1;
	one("x");
	cr_expect_eq(strncmp(taken(), "- level", 7), 0);
	world.wall = INT64_MAX;
	one("x");
	cr_expect_eq(strncmp(taken(), "- level", 7), 0);
}

/* Any strings of strangers can be read back unchanged. */
Test(log, random_bytes_come_back)
{
	static const char *const keys[] = { "a", "b", "c" };
	uint32_t state = 1;
	unsigned round, i, f;

	for (round = 0; round < 20000; round++) {
		char bytes[3][LOG_VALUE_BYTES + 9];
		size_t n[3];
		struct parsed parsed;
		struct log_line line;

		log_begin(&line, world.logger, LOG_LEVEL_INFO, "fuzz");
		for (f = 0; f < 3; f++) {
			state = state * 1664525 + 1013904223;
			n[f] = (state >> 8) %
			       (f == 0 ? sizeof(bytes[0]) - 1 : 60);
			for (i = 0; i < n[f]; i++) {
				state = state * 1664525 + 1013904223;
				/* Half of them from what matters. */
				bytes[f][i] =
					state >> 31
						? (char)((state >> 16) % 255 +
							 1)
						: "\"\\\n =\r\x7f~"[state >>
									    16 &
								    7];
			}
			bytes[f][n[f]] = '\0';
			log_str(&line, keys[f], bytes[f]);
		}
		log_end(&line);
		parse(taken(), &parsed);
		for (i = 2, f = 0; f < 3; f++) {
			size_t kept =
				n[f] > LOG_VALUE_BYTES ? LOG_VALUE_BYTES : n[f];

			if (i >= parsed.fields ||
			    strcmp(parsed.field[i].key, keys[f]) != 0)
				continue; /* no room; counted elsewhere */
			cr_assert_eq(parsed.field[i].bytes, kept);
			cr_assert_eq(
				memcmp(parsed.field[i].value, bytes[f], kept),
				0);
			cr_assert_eq(parsed.field[i].cut, n[f] != kept);
			i++;
		}
		cr_assert_geq(i, 3, "no field had room");
		if (i < parsed.fields)
			cr_assert_str_eq(parsed.field[i++].key, "cut");
		cr_assert_eq(i, parsed.fields, "a field that nobody wrote");
		world.ticks += 60000;
	}
}

/* ---- how many lines --------------------------------------------------- */

Test(log, a_flood_is_held_back_and_counted)
{
	struct parsed parsed;
	unsigned i;

	for (i = 0; i < LOG_BURST + 1000; i++)
		event("flood");
	cr_expect_eq(drain(), LOG_BURST);
	event("other");
	cr_expect_str_eq(taken(), DATE "level=info event=other\n");

	world.ticks += 60000 / LOG_PER_MINUTE - 1;
	event("flood");
	cr_expect_str_eq(taken(), "", "a millisecond too early");
	world.ticks += 1;
	event("flood");
	parse(taken(), &parsed);
	cr_expect_str_eq(parsed.field[2].key, "suppressed");
	cr_expect_str_eq((char *)parsed.field[2].value, "1001");
	event("flood");
	cr_expect_str_eq(taken(), "");

	/* A long quiet time fills no more than a burst. */
	world.ticks += (LOG_BURST + 3) * (60000 / LOG_PER_MINUTE);
	for (i = 0; i < LOG_BURST + 5; i++)
		event("flood");
	cr_expect_eq(drain(), LOG_BURST);
	world.ticks += INT64_C(1000) * 86400000;
	for (i = 0; i < LOG_BURST + 5; i++)
		event("flood");
	cr_expect_eq(drain(), LOG_BURST);
}

static bool
may(const char *event, const char *bot)
{
	return log_may(world.logger, LOG_LEVEL_INFO, event, bot);
}

Test(log, a_bot_has_some_lines_an_hour)
{
	unsigned i, lines = 0;

	for (i = 0; i < LOG_BOT_LINES + 5; i++)
		lines += may("fault", "ann");
	cr_expect_eq(lines, LOG_BOT_LINES);
	cr_expect(may("fault", "ben"), "another bot has its own");
	cr_expect(may("retired", "ann"), "and so has another event");
	cr_expect_not(log_may(world.logger, LOG_LEVEL_DEBUG, "x", "ann"));
	world.ticks += LOG_BOT_HOUR_MS - 1;
	log_flush(world.logger);
	cr_expect_str_eq(taken(), "", "the hour is not over");
	cr_expect_not(may("fault", "ann"));
	world.ticks += 1;
	log_flush(world.logger);
	cr_expect_str_eq(taken(), DATE "level=info event=bot-more bot=ann "
				       "of=fault count=6\n");
	cr_expect(may("fault", "ann"), "the next hour has begun");
	log_flush(world.logger);
	cr_expect_str_eq(taken(), "", "what is told is told");
}

/* If more bots fail than are counted, each of them is still logged. */
Test(log, those_that_find_no_place_take_the_oldest)
{
	char name[16];
	unsigned i;

	for (i = 0; i <= LOG_BOT_LINES; i++)
		may("fault", "ann");
	for (i = 0; i < LOG_BOTS; i++) {
		world.ticks++;
		snprintf(name, sizeof(name), "bot%u", i);
		cr_expect(may("fault", name));
	}
	cr_expect_str_eq(taken(), DATE "level=info event=bot-more bot=ann "
				       "of=fault count=1\n");
	for (i = 0; i < LOG_BOT_LINES; i++)
		may("fault", name);
	log_end_hour(world.logger);
	cr_expect_str_eq(taken(), DATE "level=info event=bot-more bot=bot511 "
				       "of=fault count=1\n");
}

Test(log, what_is_held_back_at_the_end_is_told)
{
	unsigned i;

	for (i = 0; i < LOG_BURST + 7; i++)
		event("flood");
	drain();
	log_flush(world.logger);
	cr_expect_str_eq(taken(), DATE "level=info event=flood suppressed=7\n");
	log_flush(world.logger);
	cr_expect_str_eq(taken(), "");
}

/* Many names do not circumvent the limit. */
Test(log, kinds_beyond_the_table_share_a_row)
{
	unsigned i;
	char name[16];

	for (i = 0; i < LOG_KINDS - 1; i++) {
		snprintf(name, sizeof(name), "kind-%u", i);
		event(name);
	}
	cr_expect_eq(drain(), LOG_KINDS - 1);
	for (i = 0; i < 10 * LOG_BURST; i++) {
		snprintf(name, sizeof(name), "late-%u", i);
		event(name);
	}
	cr_expect_eq(drain(), LOG_BURST);
	event("kind-0");
	cr_expect_eq(drain(), 1);
	log_flush(world.logger);
	cr_expect_str_eq(taken(),
			 DATE "level=info event=others suppressed=270\n");
}

/* ---- where lines cannot go -------------------------------------------- */

/* Blocking, as standard error mostly is. */
Test(log, a_pipe_that_nobody_reads_stops_nobody)
{
	unsigned char junk[4096] = { 0 };
	struct parsed parsed;
	unsigned i;

	while (write(world.fd[1], junk, sizeof(junk)) > 0)
		;
	cr_assert_eq(fcntl(world.fd[1], F_SETFL, 0), 0);
	errno = ENOENT;
	for (i = 0; i < 10; i++)
		event("lost");
	cr_expect_eq(errno, ENOENT);
	log_flush(world.logger);
	drain();
	event("heard");
	parse(taken(), &parsed);
	cr_expect_str_eq(parsed.field[2].key, "lost");
	cr_expect_str_eq((char *)parsed.field[2].value, "11");
	event("heard");
	cr_expect_str_eq(taken(), DATE "level=info event=heard\n");
}

Test(log, a_reader_that_is_gone_stops_nobody)
{
	signal(SIGPIPE, SIG_IGN);
	close(world.fd[0]);
	event("lost");
	event("lost");
	world.fd[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* A line that is lost after the count of omitted lines keeps the count. */
Test(log, a_lost_line_keeps_its_count)
{
	unsigned char junk[4096] = { 0 };
	unsigned i;

	for (i = 0; i < LOG_BURST + 3; i++)
		event("flood");
	drain();
	while (write(world.fd[1], junk, sizeof(junk)) > 0)
		;
	world.ticks += 60000;
	event("flood");
	drain();
	event("flood");
	cr_expect_str_eq(taken(),
			 DATE "level=info event=flood suppressed=3 lost=1\n");
}

/* A file at its size limit takes a part of a line. */
Test(log, half_a_line_is_not_continued)
{
	char path[] = "/tmp/test-log.XXXXXX", text[512] = "";
	struct rlimit limit, small = { .rlim_cur = 20 };
	int fd = mkstemp(path);
	struct logger *logger;
	unsigned i;

	cr_assert_neq(fd, -1);
	unlink(path);
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small.rlim_max = limit.rlim_max;
	logger = log_new(fd, LOG_LEVEL_INFO);
	for (i = 0; i < 3; i++) {
		cr_assert_eq(setrlimit(RLIMIT_FSIZE, i < 2 ? &small : &limit),
			     0);
		log_event(logger, LOG_LEVEL_INFO, "test", NULL);
	}
	cr_assert_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
	cr_expect_str_eq(text, "2026-11-21T12:00:00.\n" DATE
			       "level=info event=test lost=2\n");
	log_free(logger);
	close(fd);
}
