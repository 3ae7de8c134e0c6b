/* tests/unit/test-record-view.c - readers of records and their views. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/hidden.h"
#include "referee/config/serve-config.h"
#include "referee/web/record-view.h"
#include "tests/unit/ladder-kit.h"

#define VECTORS SOURCE_DIR "/tests/vectors"
#define ENDED 1000000

static struct record *
parse(const char *text)
{
	struct error sentence;
	struct record *record;

	cr_assert_eq(record_parse(text, strlen(text), &record, &sentence), 0,
		     "%s", sentence.text);
	return record;
}

/* ---- who, and when ---------------------------------------------------- */

Test(record_view, every_policy_to_everybody)
{
	/* The readers are the public, the bot of seat 0, that of seat 1 and
	 * another; the views are the whole, the public view, and those of seats
	 * 0 and 1. */
	static const struct {
		unsigned readers;
		uint64_t after;
		int code[4][4];
	} cases[] = {
		{ CONFIG_NOBODY,
		  0,
		  { { 403, 403, 403, 403 },
		    { 403, 403, 403, 403 },
		    { 403, 403, 403, 403 },
		    { 403, 403, 403, 403 } } },
		{ CONFIG_PLAYERS,
		  0,
		  { { 401, 200, 401, 401 },
		    { 200, 200, 200, 200 },
		    { 200, 200, 200, 200 },
		    { 403, 200, 403, 403 } } },
		{ CONFIG_PLAYERS,
		  2,
		  { { 401, 200, 401, 401 },
		    { 403, 200, 200, 403 },
		    { 403, 200, 403, 200 },
		    { 403, 200, 403, 403 } } },
		{ CONFIG_EVERYBODY,
		  0,
		  { { 200, 200, 200, 200 },
		    { 200, 200, 200, 200 },
		    { 200, 200, 200, 200 },
		    { 200, 200, 200, 200 } } },
		{ CONFIG_EVERYBODY,
		  2,
		  { { 403, 200, 403, 403 },
		    { 403, 200, 200, 403 },
		    { 403, 200, 403, 200 },
		    { 403, 200, 403, 403 } } },
	};
	static const int views[] = { VIEW_ALL, VIEW_PUBLIC, 0, 1 };
	static const char *const bots[] = { NULL, "ada ", "bobby bob.2 bob ",
					    "cyd ad adam a bo " };
	struct record *record =
		parse("record 1\nid a\ngame toepen\nseats 2\nbot 0 ada\n"
		      "bot 1 bob\n\nresult 0 1 0\nresult 1 2 0\n");
	struct record_shelf shelf = { .path = "" };
	struct record_wish wish = { .now = ENDED + 119 };
	char sentence[256];
	unsigned i, bot, v;

	for (i = 0; i < NELEM(cases); i++) {
		shelf.readers = cases[i].readers;
		shelf.read_after_minutes = cases[i].after;
		for (bot = 0; bot < NELEM(bots); bot++) {
			wish.bots = bots[bot];
			for (v = 0; v < NELEM(views); v++) {
				wish.view = views[v];
				sentence[0] = '\0';
				cr_expect_eq(
					record_view_may(&shelf, &wish, record,
							ENDED, sentence),
					cases[i].code[bot][v],
					"%u: bot %s, view %d", i,
					bots[bot] ? bots[bot] : "", views[v]);
				cr_expect_eq(sentence[0] == '\0',
					     cases[i].code[bot][v] == 200);
			}
		}
	}
	record_free(record);
}

Test(record_view, to_the_second)
{
	struct record *record =
		parse("record 1\nid a\ngame toepen\nseats 2\nbot 0 ada\n"
		      "bot 1 bob\n\nresult 0 1 0\nresult 1 2 0\n");
	struct record_shelf shelf = { .readers = CONFIG_EVERYBODY,
				      .read_after_minutes = 2 };
	struct record_wish wish = { .view = VIEW_ALL, .now = ENDED + 119 };
	char sentence[256];

	cr_expect_eq(record_view_may(&shelf, &wish, record, ENDED, sentence),
		     403);
	cr_expect_str_eq(
		sentence,
		"this record is readable from 1970-01-12T13:48:40Z on");
	wish.now++;
	cr_expect_eq(record_view_may(&shelf, &wish, record, ENDED, sentence),
		     200);
	record_free(record);
}

Test(record_view, after_a_freeze_only_who_sat_there)
{
	struct record *record =
		parse("record 1\nid a\ngame toepen\nseats 2\nbot 0 ada\n"
		      "bot 1 bob\n\nresult 0 1 0\nresult 1 2 0\n");
	struct record_shelf shelf = { .readers = CONFIG_EVERYBODY,
				      .frozen = ENDED };
	struct record_wish wish = { .now = ENDED };
	const int views[] = { VIEW_ALL, VIEW_PUBLIC, 0, 1 };
	char sentence[256];
	unsigned v;

	for (v = 0; v < NELEM(views); v++) {
		wish.view = views[v];
		wish.bots = NULL;
		cr_expect_eq(
			record_view_may(&shelf, &wish, record, ENDED, sentence),
			403);
		cr_expect_eq(record_view_may(&shelf, &wish, record, ENDED - 1,
					     sentence),
			     200);
		wish.bots = "cyd ";
		cr_expect_eq(
			record_view_may(&shelf, &wish, record, ENDED, sentence),
			403);
		wish.bots = "ada ";
		cr_expect_eq(
			record_view_may(&shelf, &wish, record, ENDED, sentence),
			200);
	}
	shelf.readers = CONFIG_NOBODY;
	cr_expect_eq(record_view_may(&shelf, &wish, record, ENDED, sentence),
		     403);
	record_free(record);
}

/* ---- what ------------------------------------------------------------- */

/* Checks that a viewer reads the redacted lines of the record in order; only
 * hidden lines and the secret are missing. */
static unsigned
check_view(const char *path, const struct record *record, int viewer)
{
	char line[LINE_REFEREE_BYTES + 2];
	struct text text;
	const char *at;
	unsigned i, secrets = 0;
	ssize_t n;

	text_init(&text, RECORD_BYTES);
	cr_assert_eq(record_view_write(record, RECORD_TEXT, viewer, &text), 0,
		     "%s", path);
	at = text_string(&text);
	for (i = 0; i < record->headers; i++) {
		if (strncmp(record->header[i].text, "secret ", 7) == 0) {
			secrets++;
			continue;
		}
		n = record->header[i].n;
		cr_assert_eq(strncmp(at, record->header[i].text, (size_t)n), 0,
			     "%s: %s", path, at);
		at += n + 1;
	}
	cr_assert_eq(*at++, '\n');
	for (i = 0; i < record->bodies; i++) {
		if (strncmp(record->body[i].text, "ask ", 4) == 0 ||
		    strncmp(record->body[i].text, "forfeit ", 8) == 0)
			continue;
		n = hidden_redact(record->body[i].text, record->body[i].n,
				  viewer, line);
		cr_assert_geq(n, 0);
		line[n] = '\n';
		cr_assert_eq(strncmp(at, line, (size_t)n + 1), 0, "%s: %s",
			     path, at);
		at += n + 1;
	}
	cr_assert_eq(*at, '\0', "%s: %s", path, at);
	cr_assert_null(strchr(text_string(&text), '{'));
	cr_assert_null(strchr(text_string(&text), ';'));
	text_release(&text);
	return secrets;
}

Test(record_view, views_hide_what_they_have_to)
{
	struct error sentence;
	unsigned secrets = 0, views = 0;
	struct record *record;
	glob_t found;
	size_t i;
	int viewer;

	cr_assert_eq(glob(VECTORS "/*.rec", 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++) {
		cr_assert_eq(record_read(found.gl_pathv[i], &record, &sentence),
			     0);
		for (viewer = VIEW_PUBLIC; viewer < (int)record->seats;
		     viewer++) {
			secrets +=
				check_view(found.gl_pathv[i], record, viewer);
			views++;
		}
		record_free(record);
	}
	globfree(&found);
	cr_assert_gt(views, 50);
	cr_assert_gt(secrets, 5);
}

Test(record_view, a_line_out_of_order_is_shown_to_nobody)
{
	struct record *record =
		parse("record 1\nid a\ngame toepen\nseats 2\nbot 0 ada\n"
		      "bot 1 bob\n\ndeal 0 {8H{9H}}0\nresult 0 1 0\n"
		      "result 1 2 0\n");
	struct text text;

	text_init(&text, 10000);
	cr_expect_eq(record_view_write(record, RECORD_TEXT, 0, &text), -1);
	text_release(&text);
	record_free(record);
}

/* ---- where ------------------------------------------------------------ */

static struct record_shelf shelf[2];
static struct record_found found;

/* Begins with a ladder with games 1 to 5, of which 5 is half on disk and 4 has
 * lost its record, and a folder before it that has no ladder. */
static void
begin(void)
{
	struct ladder_game game;
	struct ladder *ladder;
	char name[LADDER_FILE_BYTES + 16];
	unsigned i;

	kit_begin();
	ladder = kit_open(&game.folder);
	for (i = 1; i <= 4; i++) {
		int64_t folder = game.folder;

		kit_game(i, i, &game);
		game.folder = folder;
		kit_hash(&game, ladder_id(ladder));
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
		kit_rate(ladder, &game, 1);
	}
	snprintf(name, sizeof(name), "records/");
	ladder_file_name(ENTRY_GAME, game.serial, game.id, name + 8);
	cr_assert_eq(unlink(kit_path(name)), 0);
	kit_game(5, 5, &game);
	cr_assert(kit_write_record(&game, ladder_id(ladder), 2));
	ladder_close(ladder);
	memset(shelf, 0, sizeof(shelf));
	snprintf(shelf[0].path, sizeof(shelf[0].path), "%s",
		 kit_path("ladder.db"));
	shelf[0].readers = CONFIG_EVERYBODY;
	snprintf(shelf[1].path, sizeof(shelf[1].path), "%s",
		 kit_path("no/ladder.db"));
}

static int
look_for(const char *id, unsigned first, unsigned shelves)
{
	struct record_wish wish = { .view = VIEW_ALL, .now = INT32_MAX };

	text_release(&found.text);
	snprintf(wish.id, sizeof(wish.id), "%s", id);
	record_view_read(&shelf[first], shelves, &wish, &found);
	return found.code;
}

static const char *
id_of(unsigned number)
{
	static struct ladder_game game;

	kit_game(number, 1, &game);
	return game.id;
}

static void
end(void)
{
	text_release(&found.text);
	kit_end();
}

Test(record_view, found_when_it_is_over)
{
	char text[2048];

	begin();
	cr_assert_eq(look_for(id_of(2), 0, 1), 200, "%s", found.why.text);
	cr_expect_str_eq(found.state, "whole");
	snprintf(text, sizeof(text), "\nid %s\n", id_of(2));
	cr_expect_not_null(strstr(text_string(&found.text), text));
	cr_expect_not_null(strstr(text_string(&found.text), " ; 12 ms\n"),
			   "as it lies there, with its comments");
	cr_expect_eq(look_for(id_of(4), 0, 1), 410);
	cr_expect_eq(found.why.text[0], '\0');
	cr_expect_eq(look_for(id_of(5), 0, 1), 404, "it is not renamed yet");
	cr_expect_eq(look_for(id_of(6), 0, 1), 404);
	cr_expect_eq(found.text.bytes, NULL);
	/* A ladder that cannot be read hides only its own games. */
	cr_expect_eq(look_for(id_of(6), 0, 2), 503);
	cr_expect_not_null(strstr(found.why.text, "no/ladder.db"), "%s",
			   found.why.text);
	cr_expect_null(strstr(found.sentence, "/"));
	cr_expect_eq(look_for(id_of(2), 0, 2), 200);
	cr_expect_eq(look_for(id_of(2), 0, 0), 404);
	end();
}

Test(record_view, an_aborted_game)
{
	static const char head[] = "record 1\nid %s\ngame toepen\nseats 2\n"
				   "bot 0 ada\nbot 1 bob\n%s"
				   "aborted shutdown\n\n";
	char text[512], name[128];

	begin();
	snprintf(name, sizeof(name), "records/%s.rec", id_of(7));
	snprintf(text, sizeof(text), head, id_of(7),
		 "ended 2026-11-21T09:30:01Z\n");
	kit_write_file(kit_path(name), text, strlen(text));
	cr_assert_eq(look_for(id_of(7), 0, 1), 200, "%s", found.why.text);
	cr_expect_str_eq(found.state, "aborted");
	/* A viewer cannot wait for a game that does not say when it ended. */
	snprintf(text, sizeof(text), head, id_of(7), "");
	kit_write_file(kit_path(name), text, strlen(text));
	cr_assert_eq(look_for(id_of(7), 0, 1), 503);
	snprintf(text, sizeof(text), head, id_of(7),
		 "ended 2026-11-21T09:30:01Z+1\n");
	kit_write_file(kit_path(name), text, strlen(text));
	cr_assert_eq(look_for(id_of(7), 0, 1), 503);
	end();
}

Test(record_view, no_link_and_no_giant)
{
	char name[128], text[512];
	int fd;

	begin();
	snprintf(text, sizeof(text),
		 "record 1\nid %s\ngame toepen\nseats 2\nbot 0 ada\n"
		 "bot 1 bob\nended 2026-11-21T09:30:01Z\n"
		 "aborted shutdown\n\n",
		 id_of(8));
	kit_write_file(kit_path("secret"), text, strlen(text));
	snprintf(name, sizeof(name), "records/%s.rec", id_of(8));
	cr_assert_eq(symlink(kit_path("secret"), kit_path(name)), 0);
	cr_expect_eq(look_for(id_of(8), 0, 1), 503);
	unlink(kit_path(name));
	cr_assert_eq(mkdir(kit_path(name), 0755), 0);
	cr_expect_eq(look_for(id_of(8), 0, 1), 503);
	rmdir(kit_path(name));
	fd = open(kit_path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	cr_assert_eq(ftruncate(fd, SERVE_RECORD_BYTES + 1), 0);
	close(fd);
	cr_expect_eq(look_for(id_of(8), 0, 1), 503);
	cr_expect_str_eq(found.sentence, "the record is too large to send");
	cr_assert_eq(truncate(kit_path(name), SERVE_RECORD_BYTES), 0);
	cr_expect_eq(look_for(id_of(8), 0, 1), 503);
	cr_expect_str_eq(found.sentence,
			 "cannot read the record now; try again later");
	end();
}
