/* tests/unit/test-record.c */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/record.h"

#define HEAD                                                                   \
	"record 1\n"                                                           \
	"id 00112233445566778899aabbccddeeff\n"                                \
	"game toepen\n"                                                        \
	"seats 3\n"                                                            \
	"option points 15\n"                                                   \
	"bot 0 alice\n"                                                        \
	"bot 1 bob-2\n"                                                        \
	"bot 2 carol.x\n"
#define RESULTS "result 0 2 5\nresult 1 1 9\nresult 2 3 -4\n"

static const char sample[] = HEAD "open priority ; comment\n"
				  "faults 3\n"
				  "seeded\n"
				  "entropy 0 00ff\n"
				  "\n"
				  "round 1 2 ; 0.123ms ; say 1 hello%20there\n"
				  "deal 0 {7H TC}0\n"
				  "move 0 play:7H;x ;\n" RESULTS;

static struct record *
parse(const char *text)
{
	struct record *record;
	struct error why = { 0 };
	int result = record_parse(text, strlen(text), &record, &why);

	cr_assert_eq(result, 0, "%s", why.text);
	return record;
}

Test(record, parts)
{
	struct record *r = parse(sample);

	cr_assert_str_eq(r->id, "00112233445566778899aabbccddeeff");
	cr_assert_str_eq(r->game, "toepen");
	cr_assert_eq(r->seats, 3);
	cr_assert_eq(r->options, 1);
	cr_assert_str_eq(r->option[0].name, "points");
	cr_assert_str_eq(r->option[0].value, "15");
	cr_assert_str_eq(r->name[0], "alice");
	cr_assert_str_eq(r->name[1], "bob-2");
	cr_assert_str_eq(r->name[2], "carol.x");
	cr_assert_null(r->aborted);
	cr_assert_eq(r->forfeits, 0);
	cr_assert_eq(r->headers, 12);
	cr_assert_eq(r->bodies, 6);
	record_free(r);
}

Test(record, lines_and_comments)
{
	struct record *r = parse(sample);

	cr_assert_str_eq(r->header[4].text, "option points 15");
	cr_assert_eq(r->header[4].number, 5);
	cr_assert_str_eq(r->header[8].text, "open priority");
	cr_assert_str_eq(r->header[8].comment, " comment");
	cr_assert_str_eq(r->body[0].text, "round 1 2");
	cr_assert_eq(r->body[0].n, 9);
	cr_assert_eq(r->body[0].number, 14);
	cr_assert_str_eq(r->body[0].comment, " 0.123ms ; say 1 hello%20there");
	cr_assert_str_eq(r->body[1].text, "deal 0 {7H TC}0");
	cr_assert_null(r->body[1].comment);
	cr_assert_str_eq(r->body[2].text, "move 0 play:7H;x");
	cr_assert_str_eq(r->body[2].comment, "");
	record_free(r);
}

Test(record, header_lines)
{
	struct record *r = parse(sample);

	cr_assert_str_eq(record_header(r, "open"), "priority");
	cr_assert_str_eq(record_header(r, "seeded"), "");
	cr_assert_str_eq(record_header(r, "entropy"), "0 00ff");
	cr_assert_str_eq(record_header(r, "bot"), "0 alice");
	cr_assert_null(record_header(r, "see"));
	cr_assert_null(record_header(r, "seeded2"));
	cr_assert_null(record_header(r, "round"));
	cr_assert_eq(record_header_line(r, "faults")->number, 10);
	cr_assert_null(record_header_line(r, "secret"));
	record_free(r);
}

Test(record, the_smallest_ones)
{
	struct record *r = parse("record 1\nid x\ngame g\nseats 1\n"
				 "bot 0 a\naborted\n\n");

	cr_assert_eq(r->seats, 1);
	cr_assert_eq(r->options, 0);
	cr_assert_eq(r->bodies, 0);
	cr_assert_str_eq(r->aborted, "");
	record_free(r);
	record_free(NULL);
}

/* ---- what is no record ------------------------------------------------ */

static const struct {
	const char *text, *why;
} broken[] = {
	{ "", "1: expected the record of a game, which begins with `record 1`; "
	      "this is not one" },
	{ "record 1\n",
	  "2: expected an empty line after the header, found the end of "
	  "the text" },
	{ "\n",
	  "1: expected the record of a game, which begins with `record 1`; "
	  "this is not one" },
	{ "records 1\n\n", "1: expected the record of a game, which begins "
			   "with `record 1`; this is not one" },
	{ "record 2\n\n", "1: expected `record 1`, found `record 2`" },
	{ "record 1\n\n", "2: expected `id` and the game's ID, found the end "
			  "of the header" },
	{ "record 1\ngame x\n\n",
	  "2: expected `id` and the game's ID, found `game x`" },
	{ "record 1\nid a/b\n\n",
	  "2: expected `id` and the game's ID, found `id a/b`" },
	{ "record 1\nid a b\n\n",
	  "2: expected `id` and the game's ID, found `id a b`" },
	{ "record 1\nid a\nseats 2\n\n",
	  "3: expected `game` and the game's name, found `seats 2`" },
	{ "record 1\nid a\ngame g\nseats 0\n\n",
	  "4: expected `seats` and a number from 1 to 8, found `seats 0`" },
	{ "record 1\nid a\ngame g\nseats 9\n\n",
	  "4: expected `seats` and a number from 1 to 8, found `seats 9`" },
	{ "record 1\nid a\ngame g\nseats 02\n\n",
	  "4: expected `seats` and a number from 1 to 8, found `seats 02`" },
	{ "record 1\nid a\ngame g\nseats 2\noption a\n\n",
	  "5: expected `option NAME VALUE`, found `option a`" },
	{ "record 1\nid a\ngame g\nseats 2\noption\n\n",
	  "5: expected `option NAME VALUE`, found `option`" },
	{ "record 1\nid a\ngame g\nseats 2\noption a 1 2\n\n",
	  "5: expected `option NAME VALUE`, found `option a 1 2`" },
	{ "record 1\nid a\ngame g\nseats 2\noption a 1\noption a 2\n\n",
	  "6: expected each option once, found `option a 2`" },
	{ "record 1\nid a\ngame g\nseats 2\nopen priority\n\n",
	  "5: expected an option, or `bot 0 NAME`, found `open priority`" },
	{ "record 1\nid a\ngame g\nseats 2\nbot 1 x\n\n",
	  "5: expected an option, or `bot 0 NAME`, found `bot 1 x`" },
	{ "record 1\nid a\ngame g\nseats 2\nbot 0 x\n\n",
	  "6: expected `bot 1 NAME`, found the end of the header" },
	{ "record 1\nid a\ngame g\nseats 2\nbot 0 x\nbot 1 -x\n\n",
	  "6: expected `bot 1 NAME`, found `bot 1 -x`" },
	{ "record 1\nid a\ngame g\nseats 2\nbot 0 x\nbot 1\n\n",
	  "6: expected `bot 1 NAME`, found `bot 1`" },
	{ "record 1\nid a\ngame g\nseats 1\nbot 0 x\nbot 1 y\n\n",
	  "6: expected no more of the lines above, found `bot 1 y`" },
	{ "record 1\nid a\ngame g\nseats 1\nbot 0 x\nfaults 3\noption a 1\n\n",
	  "7: expected no more of the lines above, found `option a 1`" },
	{ HEAD, "9: expected an empty line after the header, found the end of "
		"the text" },
	{ HEAD "\nquiet", "10: expected LF at the end of the line, found the "
			  "end of the text" },
	{ HEAD "\nquiet\n\nquiet\n",
	  "11: expected a line of the game, found an empty one" },
	{ HEAD "\nquiet\n ; only a comment\n",
	  "11: expected a line of the game, found an empty one" },
	{ HEAD "\nqu\tiet\n", "10: expected printable ASCII, found byte 0x09 "
			      "as number 3 of the line" },
	{ HEAD "\r\n", "9: expected printable ASCII, found byte 0x0d as number "
		       "1 of the line" },
	{ HEAD "\nquiet ; \xc3\xa9\n",
	  "10: expected printable ASCII, found byte 0xc3 as number 9 of the "
	  "line" },
	{ HEAD "\n quiet\n", "10: expected one space between two words and "
			     "none at the ends of the line" },
	{ HEAD "\nquiet \n", "10: expected one space between two words and "
			     "none at the ends of the line" },
	{ HEAD "\nquiet  ; x\n", "10: expected one space between two words and "
				 "none at the ends of the line" },
	{ HEAD "\nround  1\n", "10: expected one space between two words and "
			       "none at the ends of the line" },
	{ HEAD "\n" RESULTS "forfeit 1 crash\nquiet\n",
	  "14: expected nothing but `forfeit` lines after the first of them, "
	  "found `quiet`" },
	{ HEAD "\n" RESULTS "forfeit 1 crash\nforfeit 0 crash\nquiet\n",
	  "15: expected nothing but `forfeit` lines after the first of them, "
	  "found `quiet`" },
};

Test(record, what_is_none_is_told_in_a_sentence)
{
	struct record *record;
	struct error why;
	size_t i;

	for (i = 0; i < NELEM(broken); i++) {
		record = (struct record *)why.text; /* must become NULL */
		cr_assert_eq(record_parse(broken[i].text,
					  strlen(broken[i].text), &record,
					  &why),
			     -1, "case %zu: `%s`", i, broken[i].text);
		cr_assert_null(record);
		cr_expect_str_eq(why.text, broken[i].why);
	}
}

/* A text that is cut anywhere, or has one byte changed, gives a record or a
 * sentence. */
Test(record, mutations_are_read_to_an_end)
{
	static const char bytes[] = { '\0', '\n', ' ', ';', '9', '{', '\x80' };
	char text[sizeof(sample)];
	struct error why;
	const size_t n = sizeof(sample) - 1;
	struct record *record;
	unsigned good = 0, bad = 0;
	size_t at, i;
	char *end;

	for (at = 0; at < n; at++)
		for (i = 0; i <= NELEM(bytes); i++) {
			memcpy(text, sample, n);
			text[at] = bytes[i % NELEM(bytes)];
			if (record_parse(text, i < NELEM(bytes) ? n : at,
					 &record, &why) == 0) {
				good++;
				record_free(record);
				continue;
			}
			bad++;
			cr_assert_gt(strtoul(why.text, &end, 10), 0);
			cr_assert_eq(strncmp(end, ": expected ", 11), 0, "%s",
				     why.text);
		}
	cr_assert_gt(good, 100);
	cr_assert_gt(bad, 1000);
}

/* ---- limits ----------------------------------------------------------- */

static int
parse_text(struct text *text, struct error *why)
{
	struct record *record;
	int result = record_parse(text->bytes, text->used, &record, why);

	record_free(record);
	return result;
}

Test(record, line_length)
{
	struct text text = { .max = 100000 };
	struct error why;
	int beyond;

	for (beyond = 0; beyond < 2; beyond++) {
		text_clear(&text);
		text_fmt(&text, "%s\n%0*d ; %020000d\n", HEAD,
			 LINE_REFEREE_BYTES + beyond, 1, 2);
		cr_assert_eq(parse_text(&text, &why), -beyond);
	}
	cr_assert_str_eq(why.text, "10: expected at most 8191 bytes before a "
				   "comment, found 8192");
	text_release(&text);
}

Test(record, option_count)
{
	struct text text = { .max = 100000 };
	struct error why;
	int beyond, i;

	for (beyond = 0; beyond < 2; beyond++) {
		text_clear(&text);
		text_str(&text, "record 1\nid a\ngame g\nseats 1\n");
		for (i = 0; i < RECORD_OPTIONS + beyond; i++)
			text_fmt(&text, "option o%d %d\n", i, i);
		text_str(&text, "bot 0 a\n\n");
		cr_assert_eq(parse_text(&text, &why), -beyond);
	}
	cr_assert_str_eq(why.text,
			 "69: expected at most 64 options, found `option "
			 "o64 64`");
	text_release(&text);
}

Test(record, whole_length)
{
	char *text = calloc(1, (size_t)RECORD_BYTES + 1);
	struct error why;
	struct record *record;

	cr_assert_not_null(text);
	cr_assert_eq(
		record_parse(text, (size_t)RECORD_BYTES + 1, &record, &why),
		-1);
	cr_assert_str_eq(why.text,
			 "1: expected at most 67108864 bytes, found more");
	memcpy(text, "record ", 7);
	cr_assert_eq(record_parse(text, RECORD_BYTES, &record, &why), -1);
	cr_assert_str_eq(why.text,
			 "1: expected LF at the end of the line, found "
			 "the end of the text");
	free(text);
}

/* ---- files ------------------------------------------------------------ */

/* Writes a new file and its name. */
static void
write_file(char name[32], const char *bytes, size_t n)
{
	int fd;

	snprintf(name, 32, "/tmp/record-XXXXXX");
	fd = mkstemp(name);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

Test(record, is_read_from_a_file)
{
	char name[32];
	struct error why = { 0 };
	struct record *record;

	write_file(name, sample, sizeof(sample) - 1);
	cr_assert_eq(record_read(name, &record, &why), 0, "%s", why.text);
	cr_assert_str_eq(record->game, "toepen");
	record_free(record);
	unlink(name);
}

Test(record, files_that_are_none_are_named)
{
	char name[32];
	struct error why, expected;
	struct record *record;

	write_file(name, "record 1\nid !\n\n", 15);
	cr_assert_eq(record_read(name, &record, &why), -1);
	error_set(&expected, ERROR_INPUT,
		  "%s:2: expected `id` and the game's ID, found `id !`", name);
	cr_assert_str_eq(why.text, expected.text);
	cr_assert_null(record);
	unlink(name);

	cr_assert_eq(record_read(name, &record, &why), -1);
	error_set(&expected, ERROR_MACHINE,
		  "%s: cannot read it: No such file or directory", name);
	cr_assert_str_eq(why.text, expected.text);

	cr_assert_eq(record_read("/", &record, &why), -1);
	cr_assert_str_eq(why.text, "/: cannot read it: Is a directory");
	cr_assert_eq(record_read("/dev/null", &record, &why), -1);
	cr_assert_str_eq(why.text, "/dev/null: cannot read it: not a file");
	cr_assert_eq(record_read("/dev/zero", &record, &why), -1);
	cr_assert_str_eq(why.text, "/dev/zero: cannot read it: not a file");
}

Test(record, a_huge_file_is_no_record)
{
	char name[32];
	struct error why, expected;
	struct record *record;

	write_file(name, "", 0);
	cr_assert_eq(truncate(name, RECORD_BYTES + 1), 0);
	cr_assert_eq(record_read(name, &record, &why), -1);
	error_set(&expected, ERROR_INPUT,
		  "%s:1: expected at most 67108864 bytes, found more", name);
	cr_assert_str_eq(why.text, expected.text);
	unlink(name);
}

/* ---- hash ------------------------------------------------------------- */

Test(record, hash_is_that_of_the_lines_without_comments)
{
	static const char plain[] =
		HEAD "open priority\nfaults 3\nseeded\nentropy 0 00ff\n\n"
		     "round 1 2\ndeal 0 {7H TC}0\nmove 0 play:7H;x\n" RESULTS;
	unsigned char expected[RECORD_HASH_BYTES], hash[RECORD_HASH_BYTES];
	struct record *r = parse(sample);

	crypto_generichash(expected, sizeof(expected),
			   (const unsigned char *)plain, sizeof(plain) - 1,
			   NULL, 0);
	record_hash(r, hash);
	cr_assert_arr_eq(hash, expected, sizeof(hash));
	record_hash_text(sample, sizeof(sample) - 1, hash);
	cr_assert_arr_eq(hash, expected, sizeof(hash));
	/* Without the last LF, too, since the hash adds it to each line. */
	record_hash_text(plain, sizeof(plain) - 2, hash);
	cr_assert_arr_eq(hash, expected, sizeof(hash));
	record_hash_text(plain, sizeof(plain) - 3, hash);
	cr_assert_arr_neq(hash, expected, sizeof(hash));
	record_free(r);
}

Test(record, hash_of_nothing)
{
	unsigned char expected[RECORD_HASH_BYTES], hash[RECORD_HASH_BYTES];

	crypto_generichash(expected, sizeof(expected), NULL, 0, NULL, 0);
	record_hash_text("", 0, hash);
	cr_assert_arr_eq(hash, expected, sizeof(hash));
}

/* ---- places ----------------------------------------------------------- */

#define HEAD4                                                                  \
	"record 1\nid a\ngame g\nseats 4\nbot 0 a\nbot 1 b\nbot 2 c\n"         \
	"bot 3 d\n\n"
#define RESULTS4 "result 0 1 9\nresult 1 2 5\nresult 2 2 5\nresult 3 4 -1\n"

static const struct {
	const char *title, *body;
	int place[4];
} ranked[] = {
	{ "as the results say", RESULTS4, { 1, 2, 2, 4 } },
	{ "faults alone retire nobody",
	  "fault 0 timeout\nmove 0 pass\nfault 0 timeout\nmove 0 "
	  "pass\n" RESULTS4,
	  { 1, 2, 2, 4 } },
	{ "a retired seat comes last",
	  "fault 0 timeout\nmove 0 pass\n" RESULTS4 "forfeit 0 timeout\n",
	  { 4, 1, 1, 3 } },
	{ "the earlier retired the lower",
	  "fault 0 crash\nmove 0 pass\nfault 1 crash\nmove 1 pass\n" RESULTS4
	  "forfeit 0 crash\nforfeit 1 crash\n",
	  { 4, 3, 1, 2 } },
	{ "the last fault of a seat counts",
	  "fault 0 crash\nmove 0 pass\nfault 1 crash\nmove 1 pass\n"
	  "fault 0 crash\nmove 0 pass\n" RESULTS4
	  "forfeit 1 crash\nforfeit 0 crash\n",
	  { 3, 4, 1, 2 } },
	{ "those of one decision alike",
	  "fault 0 crash\nfault 3 timeout\nquiet\n" RESULTS4
	  "forfeit 0 crash\nforfeit 3 timeout\n",
	  { 3, 1, 1, 3 } },
	{ "asks stand between, too",
	  "ask 0 pass\nask 3 pass\nfault 0 crash\nask 3 pass\n"
	  "fault 3 timeout\nmove 1 play\n" RESULTS4
	  "forfeit 0 crash\nforfeit 3 timeout\n",
	  { 3, 1, 1, 3 } },
	{ "a quiet parts two decisions",
	  "fault 0 crash\nquiet\nfault 3 timeout\nquiet\n" RESULTS4
	  "forfeit 0 crash\nforfeit 3 timeout\n",
	  { 4, 1, 1, 3 } },
	{ "two alike behind one later",
	  "fault 0 crash\nfault 3 timeout\nquiet\nfault 2 "
	  "crash\nquiet\n" RESULTS4
	  "forfeit 0 crash\nforfeit 3 timeout\nforfeit 2 crash\n",
	  { 3, 1, 2, 3 } },
	{ "all retired",
	  "fault 0 crash\nfault 1 crash\nfault 2 crash\nfault 3 "
	  "crash\nquiet\n" RESULTS4
	  "forfeit 0 crash\nforfeit 1 crash\nforfeit 2 crash\n"
	  "forfeit 3 crash\n",
	  { 1, 1, 1, 1 } },
	{ "a fault after another seat was retired",
	  "fault 0 crash\nquiet\nfault 1 timeout\nquiet\n" RESULTS4
	  "forfeit 0 crash\n",
	  { 4, 1, 1, 3 } },
};

Test(record, places)
{
	static const long expected[] = { 9, 5, 5, -1 };
	struct text text = { .max = 10000 };
	struct error why = { 0 };
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct record *r;
	size_t i, seat;

	for (i = 0; i < NELEM(ranked); i++) {
		text_clear(&text);
		text_fmt(&text, "%s%s", HEAD4, ranked[i].body);
		r = parse(text_string(&text));
		cr_assert_eq(record_places(r, place, points, &why), 0, "%s: %s",
			     ranked[i].title, why.text);
		for (seat = 0; seat < 4; seat++) {
			cr_expect_eq(place[seat], ranked[i].place[seat],
				     "%s: seat %zu has place %d",
				     ranked[i].title, seat, place[seat]);
			cr_expect_eq(points[seat], expected[seat]);
		}
		record_free(r);
	}
	text_release(&text);
}

static const struct {
	const char *body, *why;
} unplaced[] = {
	{ "quiet\n", "11: expected one `result` line for each seat, found the "
		     "end of the text" },
	{ "", "10: expected one `result` line for each seat, found the end of "
	      "the text" },
	{ "result 1 2 5\nresult 2 2 5\nresult 3 4 -1\nresult 0 1 9\n",
	  "10: expected `result 0 PLACE POINTS`, found `result 1 2 5`" },
	{ RESULTS4 "quiet\n",
	  "11: expected `result 0 PLACE POINTS`, found `result 1 2 5`" },
	{ "result 0 1 9\nresult 1 0 5\nresult 2 2 5\nresult 3 4 -1\n",
	  "11: expected `result 1 PLACE POINTS`, found `result 1 0 5`" },
	{ "result 0 1 9\nresult 1 5 5\nresult 2 2 5\nresult 3 4 -1\n",
	  "11: expected `result 1 PLACE POINTS`, found `result 1 5 5`" },
	{ "result 0 1\nresult 1 2 5\nresult 2 2 5\nresult 3 4 -1\n",
	  "10: expected `result 0 PLACE POINTS`, found `result 0 1`" },
	{ "result 0 1 9 9\nresult 1 2 5\nresult 2 2 5\nresult 3 4 -1\n",
	  "10: expected `result 0 PLACE POINTS`, found `result 0 1 9 9`" },
	{ "result 0 1 -0\nresult 1 2 5\nresult 2 2 5\nresult 3 4 -1\n",
	  "10: expected `result 0 PLACE POINTS`, found `result 0 1 -0`" },
	{ "result 0 1 9\nresult 1 2 5\nresult 2 2 5\nresult 3 3 -1\n",
	  "13: expected place 4 after the places of the other seats, found 3" },
	{ "result 0 2 9\nresult 1 2 5\nresult 2 2 5\nresult 3 2 -1\n",
	  "10: expected place 1 after the places of the other seats, found 2" },
	{ RESULTS4 "forfeit 0 crash\n",
	  "14: expected `forfeit` lines in the order of the seats' last "
	  "`fault` lines, found `forfeit 0 crash`" },
	{ "fault 0 crash\nquiet\nfault 1 crash\nquiet\n" RESULTS4
	  "forfeit 1 crash\nforfeit 0 crash\n",
	  "19: expected `forfeit` lines in the order of the seats' last "
	  "`fault` lines, found `forfeit 0 crash`" },
	{ "fault 0 crash\nquiet\n" RESULTS4 "forfeit 0 crash\nforfeit 0 x\n",
	  "17: expected one `forfeit` line a seat, found a second of seat 0" },
	{ "fault 0 crash\nquiet\n" RESULTS4 "forfeit 0\n",
	  "16: expected `forfeit SEAT WHY`, found `forfeit 0`" },
	{ "fault 0 crash\nquiet\n" RESULTS4 "forfeit 4 crash\n",
	  "16: expected `forfeit SEAT WHY`, found `forfeit 4 crash`" },
	{ "fault 0 crash\nquiet\n" RESULTS4 "forfeit\n",
	  "16: expected `forfeit SEAT WHY`, found `forfeit`" },
};

Test(record, no_places_without_whole_results)
{
	struct text text = { .max = 10000 };
	struct error why;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct record *r;
	size_t i;

	for (i = 0; i < NELEM(unplaced); i++) {
		text_clear(&text);
		text_fmt(&text, "%s%s", HEAD4, unplaced[i].body);
		r = parse(text_string(&text));
		cr_expect_eq(record_places(r, place, points, &why), -1);
		cr_expect_str_eq(why.text, unplaced[i].why);
		record_free(r);
	}
	text_release(&text);
}

Test(record, aborted_games_have_no_places)
{
	struct error why;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct record *r = parse(HEAD "aborted the referee was stopped\n"
				      "\n" RESULTS);

	cr_assert_str_eq(r->aborted, "the referee was stopped");
	cr_assert_eq(record_places(r, place, points, &why), -1);
	cr_assert_str_eq(why.text,
			 "9: expected a game with a result, found one "
			 "that was aborted");
	record_free(r);
}

/* ---- the page --------------------------------------------------------- */

/* All of a file, NUL-terminated; the caller frees it. */
static char *
read_whole(const char *name)
{
	struct text text = { .max = 1000000 };
	char path[1024], line[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", SOURCE_DIR, name);
	file = fopen(path, "re");
	cr_assert_not_null(file, "%s cannot be opened", path);
	while (fgets(line, sizeof(line), file) != NULL)
		text_str(&text, line);
	fclose(file);
	text_string(&text);
	return text.bytes;
}

/* The example on the page is a record, and its hash is the one told there. */
Test(record, the_page_shows_one)
{
	char *page = read_whole("protocol/RECORD.md"), *end;
	char *example = strstr(page, "\n```\n") + 5;
	char hex[2 * RECORD_HASH_BYTES + 1];
	struct error why = { 0 };
	unsigned char hash[RECORD_HASH_BYTES];
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct record *r;

	end = strstr(example, "```\n");
	end[0] = '\0';
	r = parse(example);
	cr_assert_eq(record_places(r, place, points, &why), 0, "%s", why.text);
	cr_assert_eq(place[0], 2);
	cr_assert_eq(place[1], 1);
	cr_assert_eq(r->forfeits, 1);
	record_hash(r, hash);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	cr_assert_not_null(strstr(end + 1, hex), "the hash is %s", hex);
	record_free(r);
	free(page);
}
