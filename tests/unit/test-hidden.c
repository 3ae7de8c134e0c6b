/* tests/unit/test-hidden.c */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "tests/unit/vectors.h"

#define CASE_BYTES 256

/* ---- vectors ---------------------------------------------------------- */

/* Redacts a copy of the exact size into room of the exact size, so that the
 * sanitizers see accesses beyond. */
static ssize_t
redact(const char *line, size_t n, int viewer, char out[CASE_BYTES])
{
	char *from = memory(NULL, n), *to = memory(NULL, n);
	ssize_t got;
	size_t i;

	memcpy(from, line, n);
	memset(to, 'U', n);
	got = hidden_redact(from, n, viewer, to);
	cr_assert_leq(got, (ssize_t)n);
	cr_assert_geq(got, -1);
	for (i = 0; got < 0 && i < n; i++)
		cr_assert_eq(to[i], '\0', "something useful in `out`");
	memcpy(out, to, got < 0 ? 0 : (size_t)got);
	out[got < 0 ? 0 : got] = '\0';
	free(from);
	free(to);
	return got;
}

static void
check(const struct vectors *v, const char *full, int viewer,
      const char *expected)
{
	char out[CASE_BYTES];

	cr_assert_geq(redact(full, strlen(full), viewer, out), 0,
		      "redact.txt:%u: refused for %d", v->number, viewer);
	cr_assert_str_eq(out, expected, "redact.txt:%u: viewer %d", v->number,
			 viewer);
}

static void
check_broken(const struct vectors *v, const char *full)
{
	char out[CASE_BYTES];
	int viewer;

	for (viewer = VIEW_ALL; viewer < SEATS_MAX; viewer++)
		cr_assert_eq(redact(full, strlen(full), viewer, out), -1,
			     "redact.txt:%u: `%s` for %d gives `%s`", v->number,
			     full, viewer, out);
}

Test(hidden, vectors)
{
	struct vectors v = vectors_open("redact.txt");
	unsigned named = 0, cases = 0, broken = 0;
	char full[CASE_BYTES] = "";
	int viewer;

	while (vectors_next(&v)) {
		if (vectors_is(&v, "full")) {
			snprintf(full, sizeof(full), "%s", v.value);
			named = 0;
		} else if (vectors_is(&v, "seat")) {
			viewer = v.value[0] - '0';
			named |= 1u << viewer;
			check(&v, full, viewer, v.value + 2);
		} else if (vectors_is(&v, "else")) {
			cases++;
			check(&v, full, VIEW_PUBLIC, v.value);
			for (viewer = 0; viewer < SEATS_MAX; viewer++)
				if ((named >> viewer & 1) == 0)
					check(&v, full, viewer, v.value);
		} else if (vectors_is(&v, "all")) {
			check(&v, full, VIEW_ALL, v.value);
		} else {
			cr_assert(vectors_is(&v, "broken"));
			broken++;
			check_broken(&v, full);
		}
	}
	cr_assert_geq(cases, 12);
	cr_assert_geq(broken, 25);
	vectors_release(&v);
}

/* ---- single rules ----------------------------------------------------- */

Test(hidden, viewers_that_do_not_exist_read_nothing)
{
	static const int viewers[] = { -3, -100, SEATS_MAX, 9, 1000 };
	char out[CASE_BYTES];
	size_t i;

	for (i = 0; i < NELEM(viewers); i++) {
		cr_assert_eq(redact("round 1 0", 9, viewers[i], out), -1);
		cr_assert_eq(redact("a {b}1", 6, viewers[i], out), -1);
	}
}

/* Tries every byte at every place of lines with and without a mark. */
Test(hidden, bytes_that_are_not_printable_spoil_the_line)
{
	static const char *const lines[] = {
		"x",
		"quiet",
		"trick 1",
		"round 1 0",
		"deal 2 {7H TC JD QS}2",
		"move 1 show:Y3{n}1",
		"reveal 3 JC JD QS 7C and more of it",
	};
	char line[CASE_BYTES], out[CASE_BYTES];
	size_t i, at, n;
	int byte;

	for (i = 0; i < NELEM(lines); i++) {
		n = strlen(lines[i]);
		for (at = 0; at < n; at++)
			for (byte = 0; byte < 256; byte++) {
				memcpy(line, lines[i], n);
				line[at] = (char)byte;
				if (byte < 0x20 || byte > 0x7e)
					cr_assert_eq(redact(line, n, 2, out),
						     -1);
				else if (byte < '{' &&
					 strchr(lines[i], '{') == NULL)
					cr_assert_eq(redact(line, n, 2, out),
						     (ssize_t)n);
			}
	}
}

Test(hidden, the_longest_line)
{
	static char line[LINE_REFEREE_BYTES], out[LINE_REFEREE_BYTES];
	size_t i, n;

	memset(line, 'x', sizeof(line));
	cr_assert_eq(hidden_redact(line, sizeof(line), 0, out),
		     LINE_REFEREE_BYTES);
	cr_assert_eq(memcmp(line, out, sizeof(line)), 0);
	memcpy(line, "hand {", 6);
	for (i = 6; i < sizeof(line) - 3; i++)
		line[i] = i % 2 == 0 ? 'x' : ' ';
	n = i % 2 == 1 ? i : i - 1;
	memcpy(line + n, "}7", 2);
	cr_assert_eq(hidden_redact(line, n + 2, 7, out), (ssize_t)n - 1);
	cr_assert_eq(memchr(out, '?', n - 1), NULL);
	cr_assert_eq(hidden_redact(line, n + 2, 6, out), (ssize_t)n - 1);
	cr_assert_eq(memchr(out, 'x', n - 1), NULL);
}

Test(hidden, an_empty_line_stays_empty)
{
	char out[CASE_BYTES];

	cr_assert_eq(redact("", 0, VIEW_PUBLIC, out), 0);
}

/* ---- against a second reading of the grammar --------------------------- */

enum place { OUTSIDE, INSIDE, SEATS, REFUSED };

/* A second reader of the grammar, one byte at a time: it copies bytes outside
 * of marks to `out`, and inside either the bytes or one `?` a token. */
struct reader {
	enum place place;
	bool in_token; /* the mark opened inside a token */
	char last;     /* the byte before this one */
	int last_seat;
	bool seen;
	char masked[CASE_BYTES], plain[CASE_BYTES]; /* of the mark */
	char out[2 * CASE_BYTES];
};

static void
append(char *to, char byte)
{
	size_t n = strlen(to);

	to[n] = byte;
	to[n + 1] = '\0';
}

static void
read_inside(struct reader *r, char byte)
{
	if (byte == '{' ||
	    ((byte == ' ' || byte == '}') &&
	     (r->last == '{' || r->last == ' ')) ||
	    (byte == ' ' && r->in_token)) {
		r->place = REFUSED;
	} else if (byte == '}') {
		r->place = SEATS;
		r->last_seat = -1;
		r->seen = false;
	} else {
		append(r->plain, byte);
		if (byte == ' ')
			append(r->masked, ' ');
		else if (r->last == '{' || r->last == ' ')
			append(r->masked, '?');
	}
}

static void
read_byte(struct reader *r, char byte, int viewer)
{
	const char *string;

	if (r->place == OUTSIDE && byte == '{') {
		r->place = INSIDE;
		r->in_token = r->last != ' ';
		r->plain[0] = r->masked[0] = '\0';
	} else if (r->place == OUTSIDE && byte == '}') {
		r->place = REFUSED;
	} else if (r->place == OUTSIDE) {
		append(r->out, byte);
	} else if (r->place == INSIDE) {
		read_inside(r, byte);
	} else if (r->place == SEATS && (byte == ' ' || byte == '\0')) {
		string = r->seen || viewer == VIEW_ALL ? r->plain : r->masked;
		while (*string != '\0')
			append(r->out, *string++);
		append(r->out, byte);
		r->place = OUTSIDE;
	} else if (r->place == SEATS && byte >= '0' && byte <= '7' &&
		   byte - '0' > r->last_seat) {
		r->last_seat = byte - '0';
		r->seen |= r->last_seat == viewer;
	} else {
		r->place = REFUSED;
	}
	r->last = byte;
}

/* Returns what the viewer reads, or NULL if the line is refused. */
static const char *
read_slowly(struct reader *r, const char *line, int viewer)
{
	*r = (struct reader){ .place = OUTSIDE, .last = ' ' };
	for (; *line != '\0'; line++)
		read_byte(r, *line, viewer);
	if (r->place == SEATS)
		read_byte(r, '\0', viewer);
	return r->place == OUTSIDE ? r->out : NULL;
}

/* Tries all lines of up to 7 of these bytes: 335,922 of them. */
Test(hidden, every_short_line_as_the_grammar_has_it)
{
	static const char alphabet[] = "{} 01a";
	const size_t letters = sizeof(alphabet) - 1;
	char line[8] = "", out[8], *at;
	unsigned allowed = 0, lines = 0;
	const char *expected;
	struct reader reader;
	ssize_t n;
	int viewer;

	for (;;) {
		for (viewer = VIEW_ALL; viewer <= 1; viewer++) {
			expected = read_slowly(&reader, line, viewer);
			n = hidden_redact(line, strlen(line), viewer, out);
			if (n < 0 && expected == NULL)
				continue;
			allowed++;
			if (expected == NULL ||
			    n != (ssize_t)strlen(expected) ||
			    memcmp(out, expected, (size_t)n) != 0)
				cr_assert_fail("`%s` for %d", line, viewer);
		}
		lines++;
		/* The next line, as one counts. */
		for (at = line; *at == alphabet[letters - 1]; at++)
			*at = alphabet[0];
		if (at == line + sizeof(line) - 1)
			break;
		*at = *at == '\0' ? alphabet[0] : *(strchr(alphabet, *at) + 1);
	}
	cr_assert_eq(lines, 335923);
	cr_assert_gt(allowed, 50000);
}

/* ---- nothing leaks ---------------------------------------------------- */

/* Secret bytes are `#` and `@`, which occur only inside marks. */
static const char *const samples[] = {
	"deal 2 {## @@ #@ @#}2",
	"move 1 show:Y3{#}1",
	"take 2 Y3n Y4t G5{#}02 B2{@}12 B5{#}2",
	"pool {#3 @7}",
	"swap {#}0 for {@@ #}1 and {@}",
	"{#}3",
	"long line of open tokens before the mark {#@#@#@#@#@#@ @}0123456",
};

/* A mutation of one byte breaks a mark, or the mark still hides: neither the
 * public nor seat 7, whom no sample names, reads a secret. */
static void
check_no_secret(const char *line, size_t n)
{
	static const int viewers[] = { VIEW_PUBLIC, 7 };
	char out[CASE_BYTES];
	size_t i;

	for (i = 0; i < NELEM(viewers); i++)
		if (redact(line, n, viewers[i], out) >= 0)
			cr_assert_null(strpbrk(out, "#@{}"),
				       "`%.*s` for %d gives `%s`", (int)n, line,
				       viewers[i], out);
}

Test(hidden, no_mutation_of_a_line_leaks)
{
	char line[CASE_BYTES];
	size_t i, at, n;
	int byte;

	for (i = 0; i < NELEM(samples); i++) {
		n = strlen(samples[i]);
		check_no_secret(samples[i], n);
		for (at = 0; at <= n; at++) {
			check_no_secret(samples[i], at);	  /* cut */
			check_no_secret(samples[i] + at, n - at); /* begun */
			memcpy(line, samples[i], at);		  /* deleted */
			memcpy(line + at, samples[i] + at + (at < n),
			       n - at - (at < n));
			check_no_secret(line, n - (at < n));
			for (byte = 0; byte < 256; byte++) {
				if (strchr("#@7", byte) && byte != '\0')
					continue;
				memcpy(line, samples[i], n); /* replaced */
				line[at] = (char)byte;
				check_no_secret(line, at < n ? n : n + 1);
				memcpy(line + at + 1, samples[i] + at, n - at);
				check_no_secret(line, n + 1); /* inserted */
			}
		}
	}
}

/* Tries a line that breaks off anywhere and goes on from anywhere. */
Test(hidden, no_splice_of_a_line_leaks)
{
	char line[CASE_BYTES];
	size_t i, from, to, n;

	for (i = 0; i < NELEM(samples); i++) {
		n = strlen(samples[i]);
		for (to = 0; to <= n; to++)
			for (from = 0; from <= n; from++) {
				memcpy(line, samples[i], to);
				memcpy(line + to, samples[i] + from, n - from);
				check_no_secret(line, to + n - from);
			}
	}
}

/* In each mark a seat reads either the full line or the masked one: every token of it
 * stands in the one or the other at the same place. */
Test(hidden, seats_read_their_own_marks_and_no_others)
{
	static const char line[] = "take 2 a{#}02 b{@}12 c{#@}2 {# @}1";
	static const struct {
		int viewer;
		const char *reads;
	} views[] = {
		{ 0, "take 2 a# b? c? ? ?" },
		{ 1, "take 2 a? b@ c? # @" },
		{ 2, "take 2 a# b@ c#@ ? ?" },
		{ 3, "take 2 a? b? c? ? ?" },
		{ VIEW_PUBLIC, "take 2 a? b? c? ? ?" },
		{ VIEW_ALL, "take 2 a# b@ c#@ # @" },
	};
	char out[CASE_BYTES];
	size_t i;

	for (i = 0; i < NELEM(views); i++) {
		redact(line, sizeof(line) - 1, views[i].viewer, out);
		cr_expect_str_eq(out, views[i].reads);
	}
}
