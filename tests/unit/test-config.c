/* tests/unit/test-config.c - configurations, good and bad, and the example. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/store.h"
#include "referee/config/config-parse.h"
#include "referee/config/serve-config.h"

static char path[64];
static struct error why;

static void
begin(void)
{
	int fd;

	snprintf(path, sizeof(path), "%s/test-config.XXXXXX", getenv("TMPDIR"));
	fd = mkstemp(path);
	cr_assert_neq(fd, -1);
	close(fd);
}

static void
end(void)
{
	unlink(path);
}

TestSuite(config, .init = begin, .fini = end);

static void
write_bytes(const char *text, size_t n)
{
	FILE *out = fopen(path, "we");

	cr_assert_not_null(out);
	cr_assert_eq(fwrite(text, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
}

static struct config *
good(const char *text)
{
	struct config *config;

	write_bytes(text, strlen(text));
	cr_assert_eq(config_read(path, &config, &why), 0, "%s\n%s", text,
		     why.text);
	return config;
}

/* Expects the file to be refused in this line, with a sentence that has `part` in
 * it. */
static void
bad_bytes(const char *text, size_t n, int line, const char *part)
{
	struct config *config;
	char place[128];

	write_bytes(text, n);
	why.text[0] = '\0';
	cr_expect_eq(config_read(path, &config, &why), -1, "%s", text);
	cr_expect_null(config);
	snprintf(place, sizeof(place), "%s:%d: ", path, line);
	cr_expect_eq(strncmp(why.text, place, strlen(place)), 0, "%s: %s", text,
		     why.text);
	cr_expect_not_null(strstr(why.text, part), "%s\n%s", text, why.text);
	cr_expect_null(strchr(why.text, '\n'), "%s", why.text);
}

static void
bad(const char *text, int line, const char *part)
{
	bad_bytes(text, strlen(text), line, part);
}

static char *
printed(const struct config *config)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	cr_assert_not_null(out);
	config_print(config, out);
	cr_assert_eq(fclose(out), 0);
	return text;
}

static struct config *
defaults(void)
{
	struct config *config;

	cr_assert_eq(config_read(NULL, &config, &why), 0, "%s", why.text);
	return config;
}

static char *
load(const char *file)
{
	FILE *in = fopen(file, "re");
	char *text = NULL;
	size_t size = 0;

	cr_assert_not_null(in, "%s cannot be opened", file);
	if (getdelim(&text, &size, '\0', in) < 0)
		text[0] = '\0';
	fclose(in);
	return text;
}

/* ---- defaults --------------------------------------------------------- */

/* The default time of a seat for a whole game. */
Test(config, the_total_is_a_part_of_the_longest_game)
{
	static const struct {
		const char *text;
		uint64_t total_ms;
	} cases[] = {
		{ "", 897500 },
		{ "seats = 2", 1795000 },
		{ "seats = 7", 512857 },
		{ "game-minutes = 1 seats = 8", 6250 },
		{ "game-minutes = 10080 seats = 2", 302395000 },
		{ "total = 0", 897500 },
		{ "total = 1", 1 },
	};
	struct config *config;
	char text[100];
	unsigned i;

	for (i = 0; i < NELEM(cases); i++) {
		snprintf(text, sizeof(text), "ladder a { game = toepen %s }",
			 cases[i].text);
		config = good(text);
		cr_expect_eq(config_total_ms(&config->ladder[0]),
			     cases[i].total_ms, "%s", text);
		config_free(config);
	}
}

Test(config, the_totals_of_all_seats_fit_into_the_longest_game)
{
	struct config *config;

	config = good("ladder a { game = toepen total = 897500 }");
	cr_expect_eq(config_total_ms(&config->ladder[0]), 897500);
	config_free(config);
	bad("ladder a { game = toepen\ntotal = 897501 }", 2,
	    "total: 4 seats x 897501 ms + 10000 ms = 3600004 ms do not fit "
	    "into the 3600000 ms of game-minutes = 60: expected a smaller "
	    "total or more minutes");
	config_free(good("ladder a { game = toepen seats = 2\n"
			 "game-minutes = 1 total = 25000 }"));
	bad("ladder a { game = toepen seats = 2\n"
	    "game-minutes = 1 total = 25001 }",
	    2, "total: 2 seats x 25001 ms + 10000 ms = 60002 ms do not fit");
}

Test(config, the_example_is_the_defaults)
{
	struct config *config = defaults();
	char *example = load(SOURCE_DIR "/doc/referee.conf.example");
	char *text = printed(config), *again;

	cr_expect_str_eq(example, text,
			 "doc/referee.conf.example is not what config_print() "
			 "writes");
	config_free(config);
	config = good(example);
	again = printed(config);
	cr_expect_str_eq(again, text);
	config_free(config);
	config = good("");
	free(again);
	again = printed(config);
	cr_expect_str_eq(again, text);
	config_free(config);
	config_free(NULL);
	free(again);
	free(text);
	free(example);
}

/* Strangers' programs need a box, unless the file explicitly says otherwise. */
Test(config, uploads_need_a_box)
{
	static const struct {
		const char *text;
		const char *wrong; /* NULL: nothing */
	} cases[] = {
		{ "sandbox = off", NULL },
		{ "sandbox = off uploads = no", NULL },
		{ "sandbox = off uploads = without-box", NULL },
		{ "sandbox = off uploads = yes",
		  "uploads = yes needs a sandbox of tier A or B, but the "
		  "sandbox is off; uploads = without-box takes them all the "
		  "same" },
	};
	struct config *config;
	enum sandbox_tier tier;
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		config = good(cases[i].text);
		why.text[0] = '\0';
		cr_expect_eq(config_tier(config, &tier, &why),
			     cases[i].wrong == NULL ? 0 : -1);
		if (cases[i].wrong != NULL)
			cr_expect_str_eq(why.text, cases[i].wrong);
		cr_expect_eq(config_upload_tier(config),
			     i == 3 ? SANDBOX_BOX : SANDBOX_NONE);
		config_free(config);
	}
}

/* ---- all of it -------------------------------------------------------- */

static const char full[] =
	"# a comment with { and \" and ' in it\n"
	"data = '/var/lib/a \"b\" \\\\ \\'c\\'' /* { */ // \"\n"
	"log-level = debug sandbox = on sandbox-minimum = B\n"
	"trusted-proxies = { 10.0.0.0/8, ::1 } opinions = /a/program\n"
	"queue = 'host=/run dbname=x' queue-key = /a/key standby = yes\n"
	"listener bots { kind = tls address = \"::\" port = 0\n"
	"  certificate = cert.pem key = /etc/key:1@%_-.pem }\n"
	"listener local {\n\tkind = unix\n\tpath = \"run/r.sock\" }\n"
	"listener open { port = 65535 address = 0.0.0.0\n"
	"  plain-beyond-loopback = yes }\n"
	"listener web { kind = http address = ::1 port = 1 }\n"
	"limits { connections = 1 connections-per-address = 100000\n"
	" pages-per-address = 256 unauthenticated = 7 hello-time = 8 "
	"lines-per-second = 9\n"
	" queue-bytes = 16384 return-time = 0 keep-alive = 100 stop-time = 0 "
	"bots-per-owner = 1 uploads-per-day = 100000 }\n"
	"ladder quick {\n"
	" seats = 3\n"
	" options = { \"scoring=order\", 'decks=2' }\n"
	" options += { \"games=3\" }\n"
	" game = durnius\n"
	" open = arrival move-time = 1 bank = 86400000 increment = 0\n"
	" faults = 1000 pairing = rounds at-once = 1000 same-bot-twice = yes\n"
	" class = fast.1"
	" same-owner = yes\n"
	" game-minutes = 10080 total = 201596666 ponder = no\n"
	" keep-days = 7 ranked-days = 9 readers = everybody read-after-minutes "
	"= 10079\n"
	" begins = 2026-12-01T18:00:00Z freezes = 2027-02-22 ends = 2027-03-01"
	" games-a-day = 1000000\n"
	" k = 12.5 start-rating = 0\n"
	" anchor = { \"random=1000\" } anchor += { 'a.2=12.5' }\n"
	"}\n"
	"ladder two { game = daupun }";

static void
check_ladder(const struct config_ladder *ladder)
{
	struct game_setup setup;

	game_setup_init(&setup, &game_durnius, 3);
	cr_assert_eq(game_setup_option(&setup, "scoring", "order", why.text),
		     0);
	cr_assert_eq(game_setup_option(&setup, "decks", "2", why.text), 0);
	cr_assert_eq(game_setup_option(&setup, "games", "3", why.text), 0);
	cr_expect_str_eq(ladder->name, "quick");
	cr_expect_eq(memcmp(&ladder->setup, &setup, sizeof(setup)), 0);
	cr_expect_eq(ladder->arrival, 1);
	cr_expect_eq(ladder->move_time_ms, 1);
	cr_expect_eq(ladder->bank_ms, TIME_MS_MAX);
	cr_expect_eq(ladder->increment_ms, 0);
	cr_expect_eq(ladder->faults, FAULTS_MAX);
	cr_expect_eq(ladder->pairing, CONFIG_ROUNDS);
	cr_expect_eq(ladder->at_once, JOBS_MAX);
	cr_expect(ladder->same_bot_twice);
	cr_expect(ladder->same_owner);
	cr_expect_not(ladder->ponder);
	cr_expect_eq(ladder->game_minutes, 10080);
	cr_expect_eq(ladder->total_ms, 201596666);
	cr_expect_eq(ladder->keep_days, 7);
	cr_expect_eq(ladder->ranked_days, 9);
	cr_expect_eq(ladder->readers, CONFIG_EVERYBODY);
	cr_expect_eq(ladder->read_after_minutes, 10079);
	cr_expect_eq(ladder->begins, 1796148000);
	cr_expect_eq(ladder->freezes, 1803254400);
	cr_expect_eq(ladder->ends, 1803859200);
	cr_expect_eq(ladder->games_a_day, 1000000);
	cr_expect_eq(ladder->k_milli, 12500);
	cr_expect_eq(ladder->start_milli, 0);
	cr_assert_eq(ladder->anchors.count, 2);
	cr_expect_str_eq(ladder->anchors.at[0].bot, "a.2");
	cr_expect_eq(ladder->anchors.at[0].milli, 12500);
	cr_expect_str_eq(ladder->anchors.at[1].bot, "random");
	cr_expect_eq(ladder->anchors.at[1].milli, 1000000);
}

Test(config, every_option)
{
	struct config *config = good(full);

	cr_expect_str_eq(config->data, "/var/lib/a \"b\" \\ 'c'");
	cr_expect_eq(config->log_level, LOG_LEVEL_DEBUG);
	cr_expect_eq(config->proxies.count, 2);
	cr_expect_eq(config->sandbox, SANDBOX_ON);
	cr_expect_eq(config->sandbox_minimum, SANDBOX_BOX);
	cr_assert_eq(config->listeners, 4);
	cr_expect_eq(config->listener[0].kind, CONFIG_TLS);
	cr_expect_str_eq(config->listener[0].address, "::");
	cr_expect_eq(config->listener[0].port, 0);
	cr_expect_str_eq(config->listener[0].certificate, "cert.pem");
	cr_expect_str_eq(config->listener[0].key, "/etc/key:1@%_-.pem");
	cr_expect_eq(config->listener[1].kind, CONFIG_UNIX);
	cr_expect_str_eq(config->listener[1].path, "run/r.sock");
	cr_expect_str_eq(config->listener[1].address, "");
	cr_expect(config->listener[2].plain_beyond_loopback);
	cr_expect_eq(config->listener[2].port, 65535);
	cr_expect_str_eq(config->listener[3].name, "web");
	cr_expect_eq(config->limits.connections, 1);
	cr_expect_eq(config->limits.per_address, 100000);
	cr_expect_eq(config->limits.pages_per_address, 256);
	cr_expect_eq(config->limits.unknown, 7);
	cr_expect_eq(config->limits.hello_ms, 8);
	cr_expect_eq(config->limits.lines_second, 9);
	cr_expect_eq(config->limits.queue_bytes, 16384);
	cr_expect_eq(config->limits.return_ms, 0);
	cr_expect_eq(config->limits.keep_alive_ms, 100);
	cr_expect_eq(config->limits.stop_ms, 0);
	cr_expect_eq(config->limits.owner_bots, 1);
	cr_expect_eq(config->limits.owner_uploads, 100000);
	cr_expect_str_eq(config->opinions, "/a/program");
	cr_expect_str_eq(config->queue, "host=/run dbname=x");
	cr_expect_str_eq(config->queue_key, "/a/key");
	cr_expect(config->standby);
	cr_assert_eq(config->ladders, 2);
	check_ladder(&config->ladder[0]);
	cr_expect_str_eq(config->ladder[1].setup.rules->name, "daupun");
	cr_expect_eq(config->ladder[1].setup.seats, 2);
	config_free(config);
}

Test(config, printed_and_read_again)
{
	struct config *config = good(full), *second;
	char *text = printed(config), *again;

	second = good(text);
	again = printed(second);
	cr_expect_str_eq(again, text);
	cr_expect_str_eq(second->data, config->data);
	check_ladder(&second->ladder[0]);
	config_free(config);
	config_free(second);
	free(again);
	free(text);
}

/* ---- how it is written ------------------------------------------------ */

/* A queue needs its key, a key and a standby their queue. */
Test(config, queue)
{
	char file[SERVE_QUEUE_BYTES + 64];

	bad("data = a\nqueue = x", 2, "queue: expected queue-key = FILE");
	config_free(good("queue-key = k queue = x "
			 "ladder a { game = toepen class = f }"));
	bad("data = a\nladder a { game = toepen class = f }", 2,
	    "class: expected queue = CONNINFO");
	bad("queue-key = k queue = x ladder a { game = toepen class = 'a b' }",
	    1, "class: expected a class of up to 32 letters");
	bad("queue-key = k", 1, "queue-key: expected queue = CONNINFO");
	bad("\nstandby = yes", 2, "standby: expected queue = CONNINFO");
	snprintf(file, sizeof(file), "queue-key = k queue = %0*d",
		 SERVE_QUEUE_BYTES, 0);
	config_free(good(file));
	snprintf(file, sizeof(file), "queue-key = k queue = %0*d",
		 SERVE_QUEUE_BYTES + 1, 0);
	bad(file, 1, "queue: expected");
}

/* A section or list that is open at the end of the file is an error. */
Test(config, a_section_left_open)
{
	bad("limits {\n connections = 5\n", 1, "expected } for the section");
	bad("\n\nladder a {\n game = toepen\n # }\n", 3, "expected }");
	bad("ladder a {\n game = toepen\n open = '}'\n", 1, "expected }");
	bad("ladder a { game = durnius\n options = {\n", 2,
	    "expected } for the list");
	bad("ladder a { game = durnius /* } */", 1, "expected }");
	bad("limits { connections = 5\n}\n}", 3, "unexpected }");
	bad("/* limits\n", 1, "expected */");
	bad("\n/*/ limits\n", 2, "expected */");
	bad("data = \"x\n\"", 1, "expected \" before the line ends");
	bad("\ndata = 'x", 2, "expected ' before the line ends");
	bad("{{{{{{{{{", 1, "unexpected {");
}

/* Comments count, too. */
Test(config, lines_are_counted_right)
{
	bad("/* 1\n 2\n 3 */ # 3\n// 4\n\n# 6\ndata = \"7\"\nport = 8\n", 8,
	    "expected one of data, log-level, sandbox, sandbox-minimum, "
	    "uploads, sign-up, opinions, queue, queue-key, "
	    "standby, trusted-proxies, "
	    "listener, ladder, limits, local-bots, not 'port'");
	bad("ladder a {\n# 2\n/*3\n4*/ game = toepen\n\nseats =\n7\nfaults = "
	    "0}",
	    8, "faults: expected an integer from 1 to 1000, not '0'");
	bad("ladder a {\ngame = durnius\noptions = {\n'decks=1',\n\n'x=1'}\n}",
	    6,
	    "durnius has no option x; it has decks, passing, travel, adding, "
	    "teams, start, dealer, games, scoring, epaulettes");
}

Test(config, letters)
{
	bad("data = a#b\n", 1, "expected a blank before #");
	bad("data = a//b\n", 1, "expected a blank before a comment");
	bad("data = a/*b*/\n", 1, "expected a blank before a comment");
	bad("data = a;\n", 1, "expected quotes around a value with ;");
	bad("data = a\"b\"\n", 1, "expected a blank before \"");
	bad("data = \"a\"'b'\n", 1, "expected a blank before '");
	bad("data = \"a\"b\n", 1, "expected a blank before b");
	bad("data = ${HOME}\n", 1, "expected quotes around a value with $");
	bad("data = \"${HOME}\"\n", 1, "unexpected ${ in a string");
	bad("data = \"\\x41\"\n", 1, "expected \\\\ or \\\"");
	bad("data = 'a\\n'\n", 1, "expected \\\\ or \\'");
	bad("data = 'a\\", 1, "expected \\\\ or \\'");
	bad("data = \"\\'\"\n", 1, "expected \\\\ or \\\"");
	bad("data = a\\b\n", 1, "expected quotes around a value with \\");
	bad("data = \"a\tb\"\n", 1, "unexpected tab");
	bad("data = a\r\n", 1,
	    "unexpected byte 0x0d: lines end in LF alone, not in CR LF as "
	    "on Windows");
	bad("\ndata = \"\x1b\"\n", 2, "unexpected byte 0x1b");
	bad("data = \xc3\xa4\n", 1, "expected ASCII");
	bad("\xef\xbb\xbf"
	    "data = a\n",
	    1,
	    "unexpected byte order mark at the beginning of the file: save it "
	    "as "
	    "UTF-8 without one (BOM)");
	bad_bytes("data = a\0b\n", 11, 1, "unexpected byte 0x00");
	bad("include(\"x\")\n", 1, "not 'include'");
	bad("data = (x)\n", 1, "quotes around a value with (");
	bad("data + = x\n", 1, "with +");
	config_free(good("# \xc3\xa4\ndata = \"\xc3\xa4\"\n"));
	config_free(good("data=a\nlog-level=\"info\"\n"));
}

Test(config, grammar)
{
	bad("data x\n", 1, "expected = after data, not 'x'");
	bad("data =", 1, "not the end of the file");
	bad("data =\n", 2, "not the end of the file");
	bad("data = {a, b}\n", 1, "expected a value for data, not {");
	bad("data = a = b\n", 1, "unexpected =");
	bad("limits { } += b\n", 1, "unexpected +=");
	bad("data += a\n", 1, "expected = after data, not +=");
	bad("ladder {}\n", 1, "expected a name after ladder, not {");
	bad("limits x {}\n", 1, "expected { after limits, not 'x'");
	bad("limits = 3\n", 1, "expected { after limits, not =");
	bad("ladder a { game = toepen }\nladder a { game = daupun }\n", 2,
	    "expected another name, 'a' is taken");
	bad("ladder a { game = durnius options = { 'decks=2' 'games=1' } }", 1,
	    "expected a comma or } in the list options, not 'games=1'");
	bad("ladder a { game = durnius options = { , } }", 1,
	    "expected a value for options, not ,");
	config_free(good("ladder a { game = durnius options = 'decks=2'\n"
			 "options += { 'games=2', } options += { } }"));
	bad("limits {\n connection = 1\n}", 2, "not 'connection'");
	bad("limits { ladder a { } }", 1, "expected one of connections, ");
	bad("limits { sign-up-per-address = 1 }", 1,
	    "not 'sign-up-per-address'; did you mean sign-ups-per-address?");
	bad("ladders = 1", 1, "not 'ladders'; did you mean ladder?");
}

Test(config, nothing_is_given_twice)
{
	bad("data = a\ndata = b\n", 2,
	    "expected data once, it is in line 1 already");
	bad("limits { connections = 1\n connections = 1 }", 2,
	    "expected connections once");
	bad("limits { connections = 1 }\n\nlimits { hello-time = 1 }", 3,
	    "expected limits once, they begin in line 1");
	bad("limits { }\nlimits { }", 2, "expected limits once");
	bad("trusted-proxies = {\n ::1, proxy }", 2, "not 'proxy'");
	bad("uploads = no\nopinions = yes", 2,
	    "opinions: expected off, strong-bot or the path of a program with "
	    "a '/', not 'yes'");
	bad("ladder a { game = durnius\n options = { 'decks=2' }\n"
	    "options = { 'games=2' } }",
	    3, "expected options once, it is in line 2");
	bad("ladder a { game = durnius\n options = { 'decks=2' }\n"
	    "options = { } }",
	    3, "expected options once, it is in line 2");
	bad("ladder a { game = durnius\n options = { }\n"
	    "options = { 'decks=2' } }",
	    3, "expected options once, it is in line 2");
	bad("ladder a { game = durnius\n options = { 'decks=2',\n'decks=2' } }",
	    3, "option decks is given twice");
	/* One option in each of two sections is not given twice. */
	config_free(
		good("ladder a { game = toepen } ladder b { game = toepen }"));
}

/* ---- values ----------------------------------------------------------- */

/* Writes a section with this option, in line 3; expects it to be fine, or a sentence
 * with this part. */
static void
try_option(const char *section, const char *option, const char *value,
	   const char *part)
{
	const bool limits = strcmp(section, "limits") == 0;
	const bool ladder = strcmp(section, "ladder") == 0;
	char text[256];

	snprintf(text, sizeof(text), "%s %s {\n%s\n%s = %s\n}\n", section,
		 limits ? "" : "a", ladder ? "game = toepen" : "", option,
		 value);
	if (part == NULL)
		config_free(good(text));
	else
		bad(text, 3, part);
}

Test(config, numbers_at_their_limits)
{
	static const struct {
		const char *section, *option;
		long least, most;
	} cases[] = {
		{ "limits", "bots-per-owner", 1, 100000 },
		{ "limits", "uploads-per-day", 1, 100000 },
		{ "limits", "sign-ups-per-address", 1, 100000 },
		{ "limits", "trial-games-per-day", 0, 100000 },
		{ "limits", "connections", 1, 100000 },
		{ "limits", "hello-time", 1, 3600000 },
		{ "limits", "queue-bytes", 16384, 67108864 },
		{ "limits", "keep-alive", 100, 3600000 },
		{ "limits", "lines-per-second", 1, 1000000 },
		{ "limits", "watchers", 1, 100000 },
		{ "limits", "watchers-per-address", 1, 100000 },
		{ "limits", "pages-per-address", 1, 256 },
		{ "ladder", "move-time", 1, 86400000 },
		{ "ladder", "bank", 0, 86400000 },
		{ "ladder", "increment", 0, 86400000 },
		{ "ladder", "faults", 1, 1000 },
		{ "ladder", "at-once", 1, 1000 },
		{ "ladder", "game-minutes", 1, 10080 },
		{ "ladder", "keep-days", 0, 36500 },
		{ "ladder", "ranked-days", 0, 36500 },
		{ "ladder", "read-after-minutes", 0, 525600 },
		{ "ladder", "spectators-delay", 0, 300 },
		{ "ladder", "spectators-delay-local", 0, 300 },
		{ "ladder", "games-a-day", 0, 1000000 },
	};
	char value[32], part[64];

	for (unsigned i = 0; i < 4 * NELEM(cases); i++) {
		const long least = cases[i / 4].least, most = cases[i / 4].most;
		const long tries[] = { least - 1, least, most, most + 1 };

		snprintf(value, sizeof(value), "%ld", tries[i % 4]);
		snprintf(part, sizeof(part), "from %ld to %ld", least, most);
		try_option(cases[i / 4].section, cases[i / 4].option, value,
			   i % 4 == 0 || i % 4 == 3 ? part : NULL);
	}
}

Test(config, values)
{
	static const struct {
		const char *section, *option, *value;
		const char *part; /* NULL: it is fine */
	} cases[] = {
		{ "limits", "connections", "010", "not '010'" },
		{ "limits", "connections", "0x10", "not '0x10'" },
		{ "limits", "connections", "''", "not ''" },
		{ "limits", "connections", "' 1'", "not ' 1'" },
		{ "limits", "connections", "4294967297", "from 1 to 100000" },
		{ "limits", "connections", "18446744073709551617",
		  "from 1 to 100000" },
		{ "ladder", "total", "604800001", "from 0 to 604800000" },
		{ "ladder", "total", "604800000", "do not fit" },
		{ "ladder", "readers", "players", NULL },
		{ "ladder", "readers", "authors",
		  "expected nobody, players or everybody" },
		{ "ladder", "begins", "2026-02-28", NULL },
		{ "ladder", "begins", "2026-02-29", "not '2026-02-29'" },
		{ "ladder", "ends", "1970-01-01", "expected a date in UTC" },
		{ "ladder", "ends", "9999-12-31T23:59:59Z", NULL },
		{ "ladder", "ends", "10000-01-01", "expected a date in UTC" },
		{ "ladder", "ends", "'2026-12-01T18:00:00+01:00'",
		  "in UTC like 2026-12-01T18:00:00Z or 2026-12-01, not '2026" },
		{ "ladder", "freezes", "tomorrow", "not 'tomorrow'" },
		{ "ladder", "k", "1000", NULL },
		{ "ladder", "k", "1000.001", "from 0 to 1000 with at most" },
		{ "ladder", "k", "1.0001", "three decimals" },
		{ "ladder", "k", "-1", "not '-1'" },
		{ "ladder", "start-rating", "9999", NULL },
		{ "ladder", "start-rating", "9999.001", "from 0 to 9999" },
		{ "ladder", "anchor", "{ }", NULL },
		{ "ladder", "anchor", "{ 'a=0', 'b=9999' }", NULL },
		{ "ladder", "anchor", "{ 'a' }", "rating, 0 to 9999" },
		{ "ladder", "anchor", "{ '=1' }", "expected \"NAME=RATING\"" },
		{ "ladder", "anchor", "{ 'a b=1' }", "not 'a b=1'" },
		{ "ladder", "anchor", "{ 'a=9999.001' }", "0 to 9999" },
		{ "ladder", "anchor", "{ 'a=-1' }", "not 'a=-1'" },
		{ "ladder", "anchor", "{ 'a=1', 'a=2' }",
		  "given twice for 'a'" },
		{ "ladder", "seats", "0", "from 1 to 99" },
		{ "ladder", "seats", "9", "toepen needs 2 to 8 seats" },
		{ "ladder", "seats", "8", NULL },
		{ "ladder", "same-bot-twice", "true", "expected yes or no" },
		{ "ladder", "pairing", "swiss",
		  "expected random, rating or rounds" },
		{ "ladder", "open", "both", "expected priority or arrival" },
		{ "listener", "port", "65536", "from 0 to 65535" },
		{ "listener", "kind", "udp",
		  "expected tcp, tls, unix or http" },
	};

	for (unsigned i = 0; i < NELEM(cases); i++)
		try_option(cases[i].section, cases[i].option, cases[i].value,
			   cases[i].part);
	bad("log-level = loud\n", 1, "expected debug, info, warn or error");
	bad("sandbox = yes\n", 1, "expected auto, on or off");
	bad("sandbox-minimum = E\n", 1, "expected D, C, B or A");
}

Test(config, so_many_anchors_and_no_more)
{
	static const char *const ends[] = { "", ", 'b=2'" };
	char list[1024] = "'a=1'", text[2048];
	size_t i, n;

	for (i = 1; i < LADDER_ANCHORS_MAX; i++) {
		n = strlen(list);
		snprintf(list + n, sizeof(list) - n, ", 'a%zu=%zu'", i, i);
	}
	for (i = 0; i < NELEM(ends); i++) {
		snprintf(text, sizeof(text),
			 "ladder a { game = toepen\nanchor = { %s%s }\n}\n",
			 list, ends[i]);
		if (i == 0)
			config_free(good(text));
		else
			bad(text, 2, "anchor may be given 64 times at most");
	}
}

/* Minutes of reading and days of keeping have to go together. */
Test(config, nothing_is_pruned_unread)
{
	config_free(good("ladder a { game = toepen keep-days = 2\n"
			 "read-after-minutes = 2879 }\n"));
	bad("ladder a { game = toepen keep-days = 2\n"
	    "read-after-minutes = 2880 }\n",
	    2, "expected less than the 2880 of keep-days = 2");
	config_free(good("ladder a { game = toepen keep-days = 2\n"
			 "readers = nobody read-after-minutes = 2880 }\n"));
	config_free(good("ladder a { game = toepen\n"
			 "read-after-minutes = 525600 }\n"));
}

Test(config, dates_of_a_term_are_in_order)
{
	config_free(
		good("ladder a { game = toepen begins = 2026-12-01\n"
		     "freezes = 2026-12-01T00:00:01Z ends = 2026-12-02 }\n"));
	bad("ladder a { game = toepen begins = 2026-12-01\n"
	    "freezes = 2026-12-01 }\n",
	    2, "freezes: expected a date after begins = 2026-12-01T00:00:00Z");
	bad("ladder a { game = toepen begins = 2026-12-02\n"
	    "ends = 2026-12-01 }\n",
	    2, "ends: expected a date after begins = 2026-12-02T00:00:00Z");
	bad("ladder a { game = toepen freezes = 2026-12-02\n"
	    "ends = 2026-12-01 }\n",
	    2, "ends: expected a date after freezes = 2026-12-02T00:00:00Z");
}

Test(config, texts_at_their_limits)
{
	char text[CONFIG_PATH_BYTES + 64], *value;
	int n = snprintf(text, sizeof(text), "data = \"");

	bad("data = ''\n", 1, "data: expected 1 to 4095 bytes, not 0");
	value = text + n;
	memset(value, 'd', CONFIG_PATH_BYTES + 1);
	memcpy(value + CONFIG_PATH_BYTES + 1, "\"\n", 3);
	bad(text, 1, "expected 1 to 4095 bytes, not 4096");
	memcpy(value + CONFIG_PATH_BYTES, "\"\n", 3);
	config_free(good(text));

	n = snprintf(text, sizeof(text), "listener a { kind = unix path = ");
	value = text + n;
	memset(value, 'p', SERVE_SOCKET_BYTES + 1);
	memcpy(value + SERVE_SOCKET_BYTES + 1, " }", 3);
	bad(text, 1, "path: expected 1 to 107 bytes, not 108");
	memcpy(value + SERVE_SOCKET_BYTES, " }", 3);
	config_free(good(text));
}

/* Tries this many sections of a kind. */
static void
many(const char *form, unsigned count, bool fine, const char *part)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	unsigned i;

	cr_assert_not_null(out);
	for (i = 0; i < count; i++)
		fprintf(out, "%s a%u { %s }\n", form, i,
			strcmp(form, "ladder") == 0 ? "game = toepen"
						    : "port = 0");
	fclose(out);
	if (fine)
		config_free(good(text));
	else
		bad(text, (int)count, part);
	free(text);
}

Test(config, so_many_and_no_more)
{
	char *text = malloc(CONFIG_BYTES + 2);
	struct config *config;

	many("listener", CONFIG_LISTENERS, true, NULL);
	many("listener", CONFIG_LISTENERS + 1, false,
	     "at most 16 sections listener");
	many("ladder", CONFIG_LADDERS, true, NULL);
	many("ladder", CONFIG_LADDERS + 1, false, "at most 64 sections ladder");

	cr_assert_not_null(text);
	memset(text, ' ', CONFIG_BYTES + 1);
	text[CONFIG_BYTES] = '\0';
	config_free(good(text));
	write_bytes(text, CONFIG_BYTES + 1);
	cr_expect_eq(config_read(path, &config, &why), -1);
	cr_expect_not_null(strstr(why.text, "at most 1048576 bytes"), "%s",
			   why.text);
	free(text);
}

Test(config, no_file)
{
	struct config *config;

	cr_expect_eq(config_read("/nowhere/x", &config, &why), -1);
	cr_expect_str_eq(why.text, "/nowhere/x: cannot read it: No such "
				   "file or directory");
	cr_expect_eq(config_read("/tmp", &config, &why), -1);
	cr_expect_not_null(strstr(why.text, "Is a directory"));
}

/* ---- values together -------------------------------------------------- */

Test(config, plain_only_on_loopback)
{
	static const char *const beyond[] = {
		"0.0.0.0",   "::",  "192.0.2.1",       "128.0.0.1",
		"126.0.0.1", "::2", "::ffff:127.0.0.1"
	};
	static const char *const within[] = { "127.0.0.1", "127.255.255.254",
					      "::1" };
	static const char *const kinds[] = { "tcp", "http" };
	static const char form[] = "listener a { kind = %s port = 1\n"
				   "address = %s %s }";
	char text[256];
	unsigned i, k;

	for (k = 0; k < NELEM(kinds); k++) {
		for (i = 0; i < NELEM(beyond); i++) {
			snprintf(text, sizeof(text), form, kinds[k], beyond[i],
				 "");
			bad(text, 2, "plain-beyond-loopback = yes");
			snprintf(text, sizeof(text), form, kinds[k], beyond[i],
				 "plain-beyond-loopback = no");
			bad(text, 2, "plain-beyond-loopback = yes");
			snprintf(text, sizeof(text), form, kinds[k], beyond[i],
				 "plain-beyond-loopback = yes");
			config_free(good(text));
		}
		for (i = 0; i < NELEM(within); i++) {
			snprintf(text, sizeof(text), form, kinds[k], within[i],
				 "");
			config_free(good(text));
		}
	}
	bad("listener a { port = 1\naddress = localhost }", 2, "in digits");
	bad("listener a { port = 1\naddress = 127.1 }", 2, "in digits");
}

Test(config, listeners)
{
	bad("\nlistener a { }", 2, "expected a port in the listener a");
	bad("listener a {\n kind = unix }", 1, "expected a path");
	bad("listener a { kind = unix path = x\nport = 1 }", 2,
	    "expected no port in a listener of kind unix");
	bad("listener a { kind = unix path = x\naddress = ::1 }", 2,
	    "expected no address");
	bad("listener a { port = 1\npath = x }", 2,
	    "expected no path in a listener of kind tcp");
	bad("listener a { port = 1\nkey = x }", 2, "expected no key");
	bad("listener a { kind = tls port = 1 certificate = x }", 1,
	    "expected certificate and key");
	bad("listener a { kind = tls port = 1 key = x }", 1,
	    "expected certificate and key");
	bad("listener a { kind = tls port = 1 key = x certificate = x\n"
	    "plain-beyond-loopback = yes }",
	    2, "expected no plain-beyond-loopback");
	bad("listener a { port = 1 }\nlistener b { kind = http port = 1 }", 2,
	    "expected another place than that of the listener a");
	bad("listener a { kind = unix path = x }\n"
	    "listener b { kind = unix path = x }",
	    2, "expected another place");
	bad("listener \"a b\" { port = 1 }", 1, "not 'a b'");
	bad("listener '' { port = 1 }", 1, "not ''");
	config_free(good("listener a { port = 0 } listener b { port = 0 }"));
	config_free(good("listener a { port = 1 } "
			 "listener b { port = 1 address = ::1 }"));
}

Test(config, ladders)
{
	bad("\nladder a {\n seats = 2 }", 2, "expected a game in the ladder");
	bad("ladder a {\n game = chess }", 2, "not 'chess'");
	bad("ladder a {\ngame = durnius\noptions = { 'scoring=none' } }", 3,
	    "option scoring must be");
	bad("ladder a { game = durnius\noptions = { 'decks' } }", 2,
	    "expected \"NAME=VALUE\", not 'decks'");
	bad("ladder a { game = durnius\noptions = { '=1' } }", 2,
	    "expected \"NAME=VALUE\", not '=1'");
	/* The rules' own sentence for options that do not go together. */
	bad("ladder a {\n game = durnius\n options = { 'teams=threes' } }", 3,
	    "threes");
	bad("ladder a { game = daupun\nseats = 3 }", 2,
	    "daupun is for exactly 2 seats, not 3");
	bad("ladder .a { game = daupun }", 1, "not '.a'");
	config_free(good("ladder a { game = durnius options = { } }"));
}

/* Reads a file with this text again and again; returns not NULL if each read
 * was right. */
static void *
read_often(void *text)
{
	static const unsigned times = 100;
	char file[] = "/tmp/test-config-thread.XXXXXX";
	struct config *config;
	struct error *mine = malloc(sizeof(*mine));
	unsigned done = 0;
	int fd = mkstemp(file);
	unsigned i;

	if (mine == NULL || fd == -1 ||
	    write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return NULL;
	close(fd);
	for (i = 0; i < times; i++) {
		if (config_read(file, &config, mine) == 0)
			done += config->ladders == 2;
		else
			done += strstr(mine->text, ":2: faults: expected") !=
				NULL;
		config_free(config);
	}
	unlink(file);
	free(mine);
	return done == times ? text : NULL;
}

Test(config, threads_read_at_once)
{
	static char wrong[] = "ladder a { game = toepen\nfaults = x }";
	char *texts[] = { strdup(full), wrong };
	pthread_t thread[2];
	void *result;
	unsigned i;

	for (i = 0; i < 2; i++)
		cr_assert_eq(
			pthread_create(&thread[i], NULL, read_often, texts[i]),
			0);
	for (i = 0; i < 2; i++) {
		cr_assert_eq(pthread_join(thread[i], &result), 0);
		cr_expect_not_null(result, "%s", texts[i]);
	}
	free(texts[0]);
}

static void
read_or_refuse(const char *text, size_t n)
{
	struct config *config;
	const size_t prefix = strlen(path);

	write_bytes(text, n);
	why.text[0] = '\0';
	if (config_read(path, &config, &why) == 0)
		cr_assert_str_eq(why.text, "");
	else
		cr_assert(strncmp(why.text, path, prefix) == 0 &&
				  why.text[prefix] == ':' &&
				  strchr(why.text, '\n') == NULL,
			  "%s", why.text);
	config_free(config);
}

/* A file that is cut or changed anywhere is read, or refused in one sentence. */
Test(config, cut_anywhere_and_with_any_byte)
{
	char text[sizeof(full)];
	uint32_t state = 7;
	unsigned i, change;

	for (i = 0; i < sizeof(full); i++)
		read_or_refuse(full, i);
	for (i = 0; i < 2000; i++) {
		memcpy(text, full, sizeof(full));
		for (change = 0; change < 3; change++) {
			state = state * 1664525 + 1013904223;
			text[(state >> 8) % (sizeof(full) - 1)] =
				"{}=\"'\\#/*+, \n\tax0\x80"[state >> 28];
		}
		read_or_refuse(text, sizeof(full) - 1);
	}
}
