/* tests/unit/test-bot.c - pending output, built-in bots, and programs as bots. */
#include <criterion/criterion.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "referee/spawner/bot-child.h"
#include "referee/spawner/spawner.h"
#include "referee/table/deal.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

/* Takes the place of a bot's seat and writes down what it hears. */
static struct {
	struct loop loop;
	struct text said;
	unsigned lines, handed, stuck, gone, flooded, ended, bad;
	bool part_at_line; /* lets the bot go when it says something */
	struct bot *bot;
	struct bot_end end;
	char complaint[STDERR_BYTES + 1];
} ear;

static void
on_line(void *arg, enum line_result result, char *line, size_t n,
	uint64_t now_us)
{
	(void)arg;
	(void)now_us;
	ear.lines++;
	ear.bad += result != LINE_OK;
	if (result == LINE_OK)
		text_fmt(&ear.said, "%.*s\n", (int)n, line);
	if (ear.part_at_line)
		bot_part(ear.bot, 0);
}

static void
on_handed(void *arg, uint64_t now_us)
{
	(void)arg;
	(void)now_us;
	ear.handed++;
}

static void
on_stuck(void *arg, uint64_t now_us)
{
	(void)arg;
	(void)now_us;
	ear.stuck++;
}

static void
on_gone(void *arg, bool flooded)
{
	(void)arg;
	ear.gone++;
	ear.flooded += flooded;
}

static const struct bot_listener listener = {
	.line = on_line, .handed = on_handed, .stuck = on_stuck, .gone = on_gone
};

static void
on_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	const char *complaint = bot_complaint(bot);

	(void)arg;
	ear.ended++;
	ear.end = *end;
	if (complaint != NULL)
		snprintf(ear.complaint, sizeof(ear.complaint), "%s", complaint);
}

static void
begin(void)
{
	memset(&ear, 0, sizeof(ear));
	text_init(&ear.said, RECORD_BYTES);
	cr_assert_eq(loop_init(&ear.loop), 0);
}

static void
listen_to(struct bot *bot)
{
	cr_assert_not_null(bot);
	ear.bot = bot;
	bot->ended = on_ended;
	bot_listen(bot, &listener, NULL);
}

static void
end(void)
{
	loop_release(&ear.loop);
	text_release(&ear.said);
}

static void
tell(struct bot *bot, const char *line)
{
	bot_line(bot, line, strlen(line));
}

TestSuite(bot, .init = begin, .fini = end);

/* ---- what waits -------------------------------------------------------- */

Test(bot, lines_wait_and_leave_in_one_write)
{
	struct fake_bot fake;

	fake_init(&fake, &ear.loop);
	listen_to(&fake.bot);
	tell(&fake.bot, "one");
	tell(&fake.bot, "");
	bot_flush(&fake.bot);
	tell(&fake.bot, "three");
	cr_expect_eq(fake.writes, 0);
	bot_flush(&fake.bot);
	fake_pass(&ear.loop);
	cr_expect_eq(fake.writes, 1);
	cr_expect_str_eq(fake_read(&fake), "one\n\nthree\n");
	cr_expect_eq(ear.handed, 0, "nobody asked");
	tell(&fake.bot, "four");
	bot_stamp(&fake.bot);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.handed, 1);
	fake_release(&fake);
}

Test(bot, exactly_so_much_waits)
{
	static char line[OUT_BYTES];
	struct fake_bot fake;

	memset(line, 'x', sizeof(line));
	fake_init(&fake, &ear.loop);
	listen_to(&fake.bot);
	fake.stuck = true;
	bot_line(&fake.bot, line, OUT_BYTES - 1);
	cr_expect_eq(fake.bot.used, OUT_BYTES);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.gone, 0);
	tell(&fake.bot, "");
	cr_expect_eq(ear.gone, 0, "never out of bot_line()");
	tell(&fake.bot, "more");
	fake_pass(&ear.loop);
	cr_expect_eq(ear.gone, 1);
	cr_expect_eq(ear.flooded, 1);
	tell(&fake.bot, "more");
	bot_flush(&fake.bot);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.gone, 1);
	fake_release(&fake);
}

/* ---- built in ---------------------------------------------------------- */

static struct bot *
built_in(const char *name, const char *seed)
{
	struct chance chance;
	struct deal deal;

	deal_from_seed(&deal, seed, 1);
	deal_side_chance(&deal, "test", 0, &chance);
	cr_assert(bot_builtin_is(name));
	return bot_builtin_new(&ear.loop, name, &chance);
}

Test(bot, house_answers_the_first_token)
{
	struct bot *bot;

	cr_expect_not(bot_builtin_is("bash"));
	bot = built_in("house", "x");
	listen_to(bot);
	tell(bot, "game stake:4..30");
	tell(bot, "ask 7 100 fold stake:4..30");
	bot_stamp(bot);
	cr_expect_eq(ear.lines, 0);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.handed, 1);
	cr_expect_str_eq(text_string(&ear.said), "do 7 fold\n");
	/* The bot does not answer an ask that is void at once. */
	tell(bot, "ask 8 100 fold");
	tell(bot, "void 8");
	bot_stamp(bot);
	fake_pass(&ear.loop);
	tell(bot, "ask 9 100 one");
	bot_stamp(bot);
	fake_pass(&ear.loop);
	cr_expect_str_eq(text_string(&ear.said), "do 7 fold\ndo 9 one\n");
	bot_part(bot, 100);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.ended, 1);
	cr_expect(ear.end.started);
	cr_expect_eq(ear.end.status, 0);
}

Test(bot, random_answers_any_token_and_any_number_of_a_range)
{
	static const char *const answers[] = { "fold", "stake:9", "stake:10",
					       "stake:11", "x:2" };
	unsigned counts[NELEM(answers)] = { 0 }, i, a;
	struct bot *bot;

	bot = built_in("random", "x");
	listen_to(bot);
	for (i = 0; i < 900; i++) {
		text_clear(&ear.said);
		tell(bot, "ask 1 100 fold stake:9..11 x:2");
		bot_stamp(bot);
		fake_pass(&ear.loop);
		for (a = 0; a < NELEM(answers); a++)
			if (strncmp(text_string(&ear.said) + 5, answers[a],
				    strlen(answers[a])) == 0 &&
			    ear.said.bytes[5 + strlen(answers[a])] == '\n')
				break;
		cr_assert_lt(a, NELEM(answers), "%s", ear.said.bytes);
		counts[a]++;
	}
	/* A range counts as one token: 300, 100 each, 300. */
	for (a = 0; a < NELEM(answers); a++) {
		cr_expect_gt(counts[a], a % 4 == 0 ? 230 : 60);
		cr_expect_lt(counts[a], a % 4 == 0 ? 370 : 140);
	}
	bot_part(bot, 0);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.ended, 1);
}

Test(bot, a_built_in_bot_may_be_let_go_while_it_speaks)
{
	struct bot *bot;

	ear.part_at_line = true;
	bot = built_in("house", "x");
	listen_to(bot);
	tell(bot, "ask 1 100 one");
	bot_stamp(bot);
	fake_pass(&ear.loop);
	fake_pass(&ear.loop);
	cr_expect_eq(ear.ended, 1);
}

/* ---- programs ---------------------------------------------------------- */

static struct spawner *spawner;
static struct event *event;

static void
on_spawner(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	cr_assert_eq(spawner_dispatch(spawner), 0);
}

static struct bot *
start(const char *script)
{
	char shell[] = "sh", option[] = "-c", copy[1024];
	char *argv[] = { shell, option, copy, NULL };
	struct bot *bot;

	spawner = spawner_new();
	cr_assert_not_null(spawner);
	begin();
	event = event_new(ear.loop.base, spawner_fd(spawner),
			  EV_READ | EV_PERSIST, on_spawner, NULL);
	event_add(event, NULL);
	snprintf(copy, sizeof(copy), "%s", script);
	bot = bot_child_start(&ear.loop, spawner,
			      &(struct spawner_task){ .argv = argv });
	listen_to(bot);
	return bot;
}

/* Passes until `*count` is `wanted`; a pass waits for something to happen. */
static void
pump(const unsigned *count, unsigned wanted)
{
	while (*count < wanted)
		loop_pass(&ear.loop);
}

static void
stop(void)
{
	pump(&ear.ended, 1);
	event_free(event);
	spawner_free(spawner);
	end();
}

Test(bot_child, reads_and_says_lines)
{
	struct bot *bot = start("while read -r l; do echo \"<$l>\"; "
				"done; exit 7");

	tell(bot, "one");
	tell(bot, "two");
	bot_stamp(bot);
	pump(&ear.lines, 2);
	cr_expect_str_eq(text_string(&ear.said), "<one>\n<two>\n");
	cr_expect_eq(ear.handed, 1);
	tell(bot, "bye");
	bot_part(bot, 60000); /* it leaves at the end of its input */
	pump(&ear.ended, 1);
	cr_expect_eq(ear.gone, 0, "nobody listens any more");
	cr_expect(WIFEXITED(ear.end.status));
	cr_expect_eq(WEXITSTATUS(ear.end.status), 7);
	stop();
}

/* The last words of the process come before its end, and its complaint is kept. */
Test(bot_child, what_it_said_before_its_end_is_heard)
{
	struct bot *bot = start("echo last; echo half | tr -d '\\n'; "
				"echo sorry >&2; kill -9 $$");

	pump(&ear.gone, 1);
	cr_expect_eq(ear.flooded, 0);
	cr_expect_str_eq(text_string(&ear.said), "last\n");
	cr_expect_eq(ear.ended, 0, "it waits to be let go");
	bot_part(bot, 0);
	pump(&ear.ended, 1);
	cr_expect_str_eq(ear.complaint, "sorry\n");
	cr_expect(WIFSIGNALED(ear.end.status));
	stop();
}

/* The end of a long complaint matters. */
Test(bot_child, the_last_of_a_long_complaint_is_kept)
{
	struct bot *bot = start("i=0; while [ $i -lt 4000 ]; do echo "
				"0123456789012345678901234567890123456789; "
				"i=$((i+1)); done >&2; echo why >&2");
	size_t n;

	pump(&ear.gone, 1);
	bot_part(bot, 60000);
	pump(&ear.ended, 1);
	n = strlen(ear.complaint);
	cr_expect_eq(n, STDERR_BYTES);
	cr_expect_str_eq(ear.complaint + n - 5, "\nwhy\n");
	stop();
}

Test(bot_child, a_line_without_end_is_a_flood)
{
	struct bot *bot = start("tr '\\0' x < /dev/zero");

	pump(&ear.gone, 1);
	cr_expect_eq(ear.flooded, 1);
	cr_expect_eq(ear.bad, 1, "once too long, and that was all");
	bot_part(bot, 0);
	stop();
}

Test(bot_child, whoever_does_not_read_is_stuck_then_lost)
{
	static char line[8000];
	struct bot *bot = start("echo ready; exec sleep 600");
	unsigned i;

	pump(&ear.lines, 1);
	memset(line, 'x', sizeof(line));
	for (i = 0; i < 100 && ear.gone == 0; i++) {
		bot_line(bot, line, sizeof(line));
		bot_stamp(bot);
		fake_pass(&ear.loop);
	}
	cr_expect_gt(ear.stuck, 0);
	cr_expect_eq(ear.flooded, 1);
	bot_part(bot, 0);
	stop();
}

Test(bot_child, whoever_does_not_leave_is_killed)
{
	struct bot *bot = start("trap '' TERM HUP; echo ready; "
				"while :; do sleep 600; done");

	pump(&ear.lines, 1);
	bot_part(bot, 1);
	pump(&ear.ended, 1);
	cr_expect(WIFSIGNALED(ear.end.status));
	cr_expect_eq(WTERMSIG(ear.end.status), SIGKILL);
	stop();
}

/* A bot that rests is stopped and woken by a descriptor, which must not stay open: a
 * referee plays thousands of games. */
Test(bot_child, a_bot_that_rests_leaves_no_descriptor)
{
	const unsigned before = net_descriptors();
	struct bot *bot = start("while read -r l; do echo \"<$l>\"; "
				"done");
	struct bot_look look;

	bot->rests = true;
	for (bot_child_look(bot, &look); look.pid == 0;
	     bot_child_look(bot, &look))
		loop_pass(&ear.loop);
	bot_rest(bot);
	while (bot_doing(bot).doing != BOT_STOPPED)
		;
	tell(bot, "one");
	bot_stamp(bot);
	pump(&ear.lines, 1);
	cr_expect_str_eq(text_string(&ear.said), "<one>\n");
	bot_part(bot, 60000);
	stop();
	cr_expect_eq(net_descriptors(), before);
}

/* Has a bot answer while its start is not known: the spawner is not heard. */
static struct bot *
answer_early(void)
{
	struct bot *bot = start("while read -r l; do echo \"<$l>\"; done");
	struct bot_look look;

	event_del(event);
	bot->rests = true;
	tell(bot, "one");
	bot_stamp(bot);
	pump(&ear.lines, 1);
	bot_child_look(bot, &look);
	cr_assert_eq(look.pid, 0);
	bot_rest(bot);
	return bot;
}

static void
hear_of_start(const struct bot *bot)
{
	struct bot_look look;

	event_add(event, NULL);
	for (bot_child_look(bot, &look); look.pid == 0;
	     bot_child_look(bot, &look))
		loop_pass(&ear.loop);
}

Test(bot_child, a_bot_that_answers_before_its_start_is_known_rests_then)
{
	struct bot *bot = answer_early();

	hear_of_start(bot);
	tell(bot, "two");
	bot_flush(bot); /* this does not wake it */
	while (bot_doing(bot).doing != BOT_STOPPED) {
		fake_pass(&ear.loop);
		cr_assert_eq(ear.lines, 1, "it goes on");
	}
	tell(bot, "three");
	bot_stamp(bot);
	pump(&ear.lines, 3);
	bot_part(bot, 60000);
	stop();
}

Test(bot_child, a_bot_that_is_asked_before_its_start_is_known_does_not_rest)
{
	struct bot *bot = answer_early();

	tell(bot, "two");
	bot_stamp(bot);
	pump(&ear.lines, 2);
	hear_of_start(bot);
	tell(bot, "three");
	bot_flush(bot);
	pump(&ear.lines, 3);
	bot_part(bot, 60000);
	stop();
}

/* Between two games no seat listens, so its output is lost. */
Test(bot_child, chatter_between_games_does_no_harm)
{
	struct bot *bot = start("i=0; while [ $i -lt 3000 ]; do echo "
				"chatter; i=$((i+1)); done; read -r l; "
				"echo \"<$l>\"; read -r l");

	bot_listen(bot, NULL, NULL);
	while (bot->bytes_in < 8 * 3000)
		loop_pass(&ear.loop);
	bot_listen(bot, &listener, NULL);
	tell(bot, "game");
	bot_flush(bot);
	pump(&ear.lines, 1);
	cr_expect_str_eq(text_string(&ear.said), "<game>\n");
	bot_part(bot, 60000);
	stop();
}

Test(bot_child, a_program_that_is_not_there_is_gone)
{
	char name[] = "/nowhere/bot";
	char *argv[] = { name, NULL };
	struct bot *first = start("exit 0"), *bot;

	bot_part(first, 0);
	pump(&ear.ended, 1);
	bot = bot_child_start(&ear.loop, spawner,
			      &(struct spawner_task){ .argv = argv });
	listen_to(bot);
	ear.ended = 0;
	pump(&ear.gone, 1);
	cr_expect_eq(ear.flooded, 0);
	bot_part(bot, 0);
	pump(&ear.ended, 1);
	cr_expect_not(ear.end.started);
	cr_expect_neq(ear.end.error, 0);
	stop();
}
