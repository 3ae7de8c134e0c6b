/* tests/unit/pg-talk.c - a connection to PostgreSQL in a loop, for scripts.
 *
 *	pg-talk CONNINFO CHANNEL
 *
 * Reads lines from standard input and prints what happens, a line each:
 *
 *	N SQL		ask SQL, number N
 *	line N SQL	the same by a connection that waits
 *	times N K SQL	K times in one go
 *	wide N K	ask for a text of K letters, which stands in the request
 *	jump S		let the clock be S seconds later
 *
 *	up, down WHY, notice CHANNEL PAYLOAD
 *	N done ROWS VALUE, N refused STATE WHY, N unknown WHY, N unsent WHY
 *
 * It ends at the end of input.  VALUE is the first value of the first row,
 * after a word for its type. */
#include <event2/event.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/queue/pg.h"

static struct loop loop;
static struct pg *pg;
static struct pg_line *line;
static uint64_t (*real_us)(void);
static uint64_t jumped_us;

static uint64_t
jumping_us(void)
{
	return real_us() + jumped_us;
}

static void
print_value(const struct pg_answer *answer)
{
	struct pg_piece piece[8];
	const char *bytes;
	unsigned count;
	size_t n;

	if (pg_rows(answer) == 0)
		return;
	if (pg_null(answer, 0, 0)) {
		printf(" null");
		return;
	}
	switch (PQftype(answer->result, 0)) {
	case 25:
		printf(" text %s", pg_string(answer, 0, 0));
		break;
	case 17:
		bytes = pg_bytes(answer, 0, 0, &n);
		printf(" bytea");
		for (size_t i = 0; i < n && i < 16; i++)
			printf(" %02x", (unsigned char)bytes[i]);
		printf(" of %zu", n);
		break;
	case 701:
		printf(" real %g", pg_real(answer, 0, 0));
		break;
	case 1009:
	case 1001:
		count = pg_list(answer, 0, 0, piece, NELEM(piece));
		printf(" list of %u", count);
		for (unsigned i = 0; i < count && i < NELEM(piece); i++)
			printf(" %.*s", (int)piece[i].n,
			       piece[i].bytes == NULL ? "" : piece[i].bytes);
		break;
	case 2278: /* void */
		break;
	default:
		printf(" number %" PRId64, pg_number(answer, 0, 0));
	}
}

static void
print_answer(const char *name, const struct pg_answer *answer)
{
	static const char *const outcomes[] = { "done", "refused", "unknown",
						"unsent" };

	printf("%s %s", name, outcomes[answer->outcome]);
	if (answer->outcome == PG_DONE) {
		printf(" %u", pg_rows(answer));
		print_value(answer);
	} else {
		printf("%s%s %s", answer->state[0] == '\0' ? "" : " ",
		       answer->state, answer->why);
	}
	putchar('\n');
	fflush(stdout);
}

static void
answered(void *arg, const struct pg_answer *answer)
{
	print_answer(arg, answer);
	free(arg);
}

static void
up(void *arg)
{
	(void)arg;
	puts("up");
	fflush(stdout);
}

static void
down(void *arg, const char *why)
{
	(void)arg;
	printf("down %s\n", why);
	fflush(stdout);
}

static void
notice(void *arg, const char *channel, const char *payload)
{
	(void)arg;
	printf("notice %s %s\n", channel, payload);
	fflush(stdout);
}

static void
ask(const char *name, const char *sql)
{
	static const int64_t numbers[] = { -1, INT64_MAX };
	static const char *const words[] = { "one", NULL,
					     "thr\xff"
					     "ee" };
	static const struct pg_piece pieces[] = { { "\0x", 2 }, { NULL, 0 } };

	/* One parameter of each kind is passed if the statement takes
	 * parameters. */
	if (strstr(sql, "$8") != NULL)
		pg_ask(pg, answered, copied(name), sql, "ifsbsISB", (int64_t)-5,
		       0.25, "w\xc3\xb6rter\xc3", "\0\1\xff", (size_t)3, NULL,
		       numbers, (size_t)2, words, (size_t)3, pieces, (size_t)2);
	else
		pg_ask(pg, answered, copied(name), sql, "");
}

static void
ask_wide(const char *name, unsigned letters)
{
	char *letter = zeroed(letters + 1, 1), *sql;

	memset(letter, 'x', letters);
	sql = formatted("SELECT '%s'", letter);
	ask(name, sql);
	free(sql);
	free(letter);
}

static void
order(char *text)
{
	char name[64], again[80];
	unsigned times;
	int at = 0;

	text[strcspn(text, "\n")] = '\0';
	if (sscanf(text, "line %60s %n", name, &at) == 1 && at > 0)
		print_answer(name, pg_line_ask(line, text + at, ""));
	else if (sscanf(text, "jump %u", &times) == 1)
		jumped_us += (uint64_t)times * 1000000;
	else if (sscanf(text, "times %60s %u %n", name, &times, &at) == 2 &&
		 at > 0)
		for (unsigned i = 0; i < times; i++) {
			snprintf(again, sizeof(again), "%s.%u", name, i);
			ask(again, text + at);
		}
	else if (sscanf(text, "wide %60s %u", name, &times) == 2)
		ask_wide(name, times);
	else if (sscanf(text, "%60s %n", name, &at) == 1 && at > 0)
		ask(name, text + at);
}

static void
on_input(evutil_socket_t fd, short what, void *arg)
{
	static char bytes[65536];
	static size_t used;
	const ssize_t n = read(fd, bytes + used, sizeof(bytes) - 1 - used);
	char *end;

	(void)what;
	(void)arg;
	if (n <= 0) {
		loop.stop = true;
		return;
	}
	used += (size_t)n;
	bytes[used] = '\0';
	while ((end = strchr(bytes, '\n')) != NULL) {
		*end = '\0';
		order(bytes);
		used -= (size_t)(end + 1 - bytes);
		memmove(bytes, end + 1, used + 1);
	}
}

int
main(int argc, char **argv)
{
	const struct pg_calls calls = { up, down, notice };
	const char *const listen[] = { argc == 3 ? argv[2] : NULL, NULL };
	struct event *input;
	struct error why;

	if (argc != 3 || sodium_init() < 0 || loop_init(&loop) < 0)
		return 2;
	real_us = clock_us;
	clock_us = jumping_us;
	pg = pg_new(&loop, argv[1], "pg-talk", listen, &calls, NULL, &why);
	if (pg == NULL) {
		printf("%s\n", why.text);
		loop_release(&loop);
		return 1;
	}
	line = pg_line_new(argv[1], "pg-talk", &why);
	input = loop_reads(loop.base, STDIN_FILENO, on_input, NULL);
	loop_run(&loop);
	event_free(input);
	pg_line_free(line);
	pg_free(pg);
	loop_release(&loop);
	return 0;
}
