/* tests/unit/test-trials.c - which trial makes room for another one, whose turn
 * comes next, and what the games of one leave. */
#include <criterion/criterion.h>

#include <event2/event.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/base/subprocess.h"
#include "referee/base/thread.h"
#include "referee/runner/job.h"
#include "referee/scheduler/ladders.h"
#include "referee/web/trials.h"
#include "tests/unit/ladder-kit.h"

#define LOOK_US 500000 /* between two looks if a trial may begin */

static struct loop loop;
static struct config config = { .data = "/nowhere" };
static struct ladders ladders; /* there is none */
static struct pages pages = { .config = &config };
static struct trials *trials;
static struct local_bot *local; /* NULL: no game of a ladder is played */
static struct job job;		/* the game that it plays; from 1 on */

static uint64_t now_us;
static struct trial_wish what; /* the next wishes */

static uint64_t
tell_time(void)
{
	return now_us;
}

#define DAY_MS INT64_C(86400000)

static int64_t date_ms;

/* No day ends by itself. */
static int64_t
tell_date(void)
{
	return date_ms;
}

/* Starts a process that never ends by itself. */
static struct subprocess *
start(void)
{
	static const char *const argv[] = { "tail", "-f", "/dev/null", NULL };

	return subprocess_start(&(struct subprocess_order){
		.program = "/usr/bin/tail", .argv = argv, .in = -1 });
}

/* Starts one that fails at once. */
static struct subprocess *
start_failing(void)
{
	static const char *const argv[] = { "false", NULL };

	return subprocess_start(&(struct subprocess_order){
		.program = "/bin/false", .argv = argv, .in = -1 });
}

/* Moves the clock, and lets the trials look. */
static void
pass(uint64_t us)
{
	now_us += us;
	timers_fire(&loop.timers);
}

static void
on_room(void *arg, struct local_bot *of)
{
	(void)arg;
	(void)of;
}

/* Begins the ladder's next game. */
static void
on_open(void *arg)
{
	(void)arg;
	job.number++;
	local->participant.ops->seat(&local->participant, &job, 0);
}

static void
begin(void)
{
	static const struct local_bot_calls calls = { .room = on_room,
						      .open = on_open };
	const struct local_bot_setup setup = { .games = 1, .memory_mib = 256 };
	struct error why;

	kit_begin();
	what = (struct trial_wish){ .games = 1, .ladder = "quick" };
	clock_us = tell_time;
	clock_calendar_ms = tell_date;
	now_us = 1000000;
	date_ms = INT64_C(1700000000000);
	cr_assert_eq(loop_init(&loop), 0);
	trials = trials_new(&loop, &pages);
	cr_assert_eq(roster_open(kit_path("."), &pages.roster, &why), 0, "%s",
		     why.text);
	pages.ladders = &ladders;
	snprintf(config.data, sizeof(config.data), "%s", kit_path("."));
	pages.thread = thread_new(&loop);
	pages.logger = log_new(open("/dev/null", O_WRONLY), LOG_LEVEL_INFO);
	pages.locals = local_bots_new(&loop, &calls, NULL);
	local_bots_set(pages.locals, &setup);
	pages.uploads = uploads_new(&loop, pages.thread, pages.logger,
				    pages.roster, kit_path("."));
	trials_play_by(trials, start);
}

static void
end(void)
{
	trials_free(trials);
	trials = NULL;
	uploads_free(pages.uploads);
	thread_free(pages.thread);
	local_bots_free(pages.locals);
	log_free(pages.logger);
	roster_close(pages.roster);
	loop_release(&loop);
	kit_end();
}

TestSuite(trials, .init = begin, .fini = end);

static struct roster_bot
bot_of(unsigned number, const char *owner)
{
	struct roster_bot bot = { .number = number };

	snprintf(bot.name, sizeof(bot.name), "bot-%u", number);
	snprintf(bot.owner, sizeof(bot.owner), "%s", owner);
	return bot;
}

/* Wishes a trial, whose archive no import has. */
static bool
wish_refused(unsigned number, const char *owner)
{
	const struct roster_bot bot = bot_of(number, owner);

	if (!trials_may_wish(trials, &bot))
		return false;
	trials_wish(trials, &bot, &what);
	return true;
}

/* Takes the archive of a trial. */
static void
take(unsigned number, const char *owner)
{
	const struct roster_bot bot = bot_of(number, owner);
	const struct upload_sender sender = { .by = "owner ann" };

	cr_assert_null(
		uploads_take(pages.uploads, &bot, &sender, true, "x", 1));
}

/* Wishes a trial, whose version gets the bot's name as its hash.  Its archive waits
 * for no other one. */
static bool
wish(unsigned number, const char *owner)
{
	const struct roster_bot bot = bot_of(number, owner);
	struct uploads *others = pages.uploads;
	bool may = trials_may_wish(trials, &bot);

	pages.uploads = uploads_new(&loop, pages.thread, pages.logger,
				    pages.roster, kit_path("."));
	if (may) {
		take(number, owner);
		cr_assert(wish_refused(number, owner));
		cr_assert(trials_came(trials, bot.name, bot.name));
	}
	uploads_free(pages.uploads);
	pages.uploads = others;
	return may;
}

static bool
is_there(unsigned number)
{
	return trials_need(trials, bot_of(number, "").name);
}

Test(trials, one_of_each_owner_and_no_more)
{
	char owner[16];
	unsigned i;

	for (i = 0; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i);
		cr_expect(wish(i, owner), "%u", i);
	}
	cr_expect_not(wish(1000, "late"), "all places are an owner's only one");
	cr_expect(wish(3, "owner-3"), "a bot's trial replaces its own");
	for (i = 0; i < SERVE_TRIALS; i++)
		cr_expect(is_there(i), "%u", i);
	trials_drop(trials, 5);
	cr_expect(wish(1000, "late"));
}

/* ---- what is told ----------------------------------------------------- */

static const char *
text_of(unsigned number, const char *key)
{
	static char text[128];
	json_t *told = trials_tell(trials, number);
	const char *value = json_string_value(json_object_get(told, key));

	snprintf(text, sizeof(text), "%s", value != NULL ? value : "");
	json_decref(told);
	return text;
}

static void
expect_state(unsigned number, const char *state)
{
	cr_expect_str_eq(text_of(number, "state"), state, "%u", number);
}

/* Returns the first opponent of a trial; "" if there is none. */
static const char *
opponent_of(unsigned number)
{
	static char name[NAME_BYTES + 1];
	json_t *told = trials_tell(trials, number);
	const json_t *against = json_object_get(told, "against");
	const char *first = json_string_value(json_array_get(against, 0));

	snprintf(name, sizeof(name), "%s", first != NULL ? first : "");
	json_decref(told);
	return name;
}

static void
expect_failed(unsigned number, const char *why)
{
	cr_expect_str_eq(text_of(number, "failed"), why, "%u", number);
}

#define MADE_ROOM                                                              \
	"it made room for another trial, and its version and games are lost: " \
	"send it again"

#define REFUSED "its import was refused: the log says why"

Test(trials, who_made_room_is_told_so)
{
	unsigned i;

	for (i = 0; i < SERVE_TRIALS + SERVE_TRIALS_GONE; i++)
		cr_expect(wish(i, "crowd"));
	for (i = 0; i < SERVE_TRIALS_GONE; i++) {
		expect_state(i, "over");
		expect_failed(i, MADE_ROOM);
		cr_expect_null(trials_hash(trials, i), "nothing to enter");
	}
	expect_state(i, "waits");
	cr_expect(wish(1000, "crowd"));
	expect_state(0, "");
	expect_failed(1, MADE_ROOM);
	expect_failed(SERVE_TRIALS_GONE, MADE_ROOM);
	/* The next trial of a bot takes the place of what is told. */
	cr_expect(wish(1, "crowd"));
	expect_state(1, "waits");
	expect_failed(1, "");
}

Test(trials, who_made_room_has_no_place)
{
	char owner[16];
	unsigned i;

	for (i = 0; i < SERVE_TRIALS; i++)
		cr_expect(wish(i, "crowd"));
	for (i = 1; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i);
		cr_expect(wish(100 + i, owner));
	}
	expect_failed(0, MADE_ROOM);
	expect_state(SERVE_TRIALS - 1, "waits");
	cr_expect_not(wish(0, "crowd"));
	expect_failed(0, MADE_ROOM);
}

Test(trials, who_has_most_makes_room)
{
	unsigned i;

	cr_expect(wish(0, "ann"));
	for (i = 1; i < SERVE_TRIALS; i++)
		cr_expect(wish(i, "crowd"));
	cr_expect(wish(500, "ben"));
	cr_expect(is_there(0), "ann keeps the only one that she has");
	cr_expect_not(is_there(1), "the crowd's oldest is gone");
	cr_expect(wish(600, "crowd"));
	cr_expect(is_there(0));
	cr_expect(is_there(500));
	cr_expect_not(is_there(2));
}

Test(trials, who_has_fewer_keeps_what_is_over)
{
	unsigned i;

	cr_expect(wish_refused(0, "ann"));
	cr_expect(wish_refused(1, "ben"));
	cr_expect(wish_refused(2, "ben"));
	pass(LOOK_US);
	for (i = 3; i < SERVE_TRIALS; i++)
		cr_expect(wish(i, "crowd"));
	for (i = 100; i < 150; i++)
		cr_expect(wish(i, "crowd"));
	expect_failed(0, REFUSED);
	expect_failed(1, REFUSED);
	expect_failed(2, REFUSED);
}

/* Lets `ann` have `n` trials, and others one each that has been over for so long. */
static void
fill_with_over(unsigned n, uint64_t us)
{
	char owner[16];
	unsigned i;

	for (i = n; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i);
		cr_expect(wish_refused(i, owner));
	}
	pass(us);
	for (i = 0; i < n; i++)
		cr_expect(wish(i, "ann"));
}

Test(trials, what_was_over_for_long_makes_room_first)
{
	fill_with_over(2, SERVE_TRIAL_KEPT_MS * UINT64_C(1000));
	cr_expect(wish(100, "late"));
	expect_failed(2, MADE_ROOM);
	expect_failed(3, REFUSED);
	expect_state(0, "waits");
	expect_state(1, "waits");
	cr_expect(wish(101, "ann"));
	expect_failed(0, MADE_ROOM);
	expect_failed(3, REFUSED);
}

Test(trials, who_has_three_makes_room_before_what_was_over_for_long)
{
	fill_with_over(3, SERVE_TRIAL_KEPT_MS * UINT64_C(1000));
	cr_expect(wish(100, "late"));
	expect_failed(0, MADE_ROOM);
	expect_failed(3, REFUSED);
}

Test(trials, what_was_over_for_less_keeps_its_place)
{
	fill_with_over(2, SERVE_TRIAL_KEPT_MS * UINT64_C(1000) - 1);
	cr_expect(wish(100, "late"));
	expect_failed(0, MADE_ROOM);
	expect_failed(2, REFUSED);
}

Test(trials, among_those_who_have_most_is_who_asks)
{
	char owner[16];
	unsigned i;

	for (i = 0; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i / 2);
		cr_expect(wish_refused(i, owner));
	}
	cr_expect(wish(100, "owner-3"));
	for (i = 0; i < SERVE_TRIALS; i++)
		expect_failed(i, i == 6 ? MADE_ROOM : REFUSED);
}

/* ---- what is refused -------------------------------------------------- */

static void
expect_games(const char *who, int64_t expected)
{
	struct error why;
	int64_t count;

	cr_assert_eq(roster_count(pages.roster, ROSTER_TRIALS, who,
				  roster_today(), &count, &why),
		     0, "%s", why.text);
	cr_expect_eq(count, expected, "%s: %d", who, (int)count);
}

Test(trials, who_was_refused_keeps_no_place)
{
	char owner[16];
	unsigned i;

	for (i = 0; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i);
		cr_expect(wish_refused(i, owner));
	}
	cr_expect(wish(1000, "late"));
	expect_failed(0, MADE_ROOM);
	expect_state(1, "over");
	expect_failed(1, REFUSED);
	expect_state(1000, "waits");
}

Test(trials, who_begins_no_game_is_not_charged)
{
	cr_expect(wish_refused(1, "ann"));
	expect_games("ann", 1);
	pass(LOOK_US);
	expect_games("ann", 0);
	cr_expect(wish_refused(1, "ann"));
	cr_expect(wish(2, "ann"));
	expect_games("ann", 1); /* that of 2 */
	trials_drop(trials, 1);
	expect_games("ann", 1);
	trials_drop(trials, 2);
	expect_games("ann", 0);
	cr_expect(wish(3, "ann"));
	pass(LOOK_US);
	expect_state(3, "plays");
	trials_drop(trials, 3);
	expect_games("ann", 1);
	cr_expect(wish_refused(4, ""));
	expect_games("bot bot-4", 1);
	expect_state(4, "over");
	expect_games("bot bot-4", 0);
}

/* ---- what is imported ------------------------------------------------- */

/* Sends in a trial.  Its import is this program, which ends at once. */
static void
send_in(unsigned number, const char *owner)
{
	take(number, owner);
	cr_assert(wish_refused(number, owner));
}

/* Waits until the next import has begun. */
static void
end_import(unsigned next)
{
	while (uploads_place(pages.uploads, next) != 0)
		event_base_loop(loop.base, EVLOOP_ONCE);
}

static void
expect_hash(unsigned number, const char *hash)
{
	const char *found = trials_hash(trials, number);

	cr_expect_str_eq(found == NULL ? "" : found, hash, "%u", number);
}

Test(trials, a_version_belongs_to_the_trial_that_sent_it)
{
	send_in(1, "ann");
	send_in(1, "ann");
	cr_expect_not(trials_came(trials, "bot-1", "first"));
	expect_state(1, "comes");
	expect_hash(1, "");
	cr_expect_not(trials_need(trials, "first"));
	send_in(2, "ben");
	send_in(1, "ann"); /* in place of the one that waits */
	end_import(1);
	cr_expect(trials_came(trials, "bot-1", "third"));
	expect_state(1, "waits");
	expect_hash(1, "third");
	end_import(2);
	cr_expect(trials_came(trials, "bot-2", "of ben"));
	expect_hash(2, "of ben");
	expect_hash(1, "third");
}

Test(trials, no_version_belongs_to_a_trial_whose_archive_has_gone)
{
	send_in(1, "ann");
	send_in(1, "ann");
	send_in(2, "ann"); /* its archive replaces that of 1 */
	cr_expect_not(trials_came(trials, "bot-1", "first"));
	expect_hash(1, "");
	expect_state(1, "over");
	expect_failed(1, REFUSED);
	expect_state(2, "comes");
}

/* ---- turns --------------------------------------------------------- */

TestSuite(trial_turns, .init = begin, .fini = end);

Test(trial_turns, a_long_one_makes_room_for_another_owner)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	expect_state(1, "plays");
	cr_expect(wish(2, "ann"));
	cr_expect(wish(3, "ben"));
	pass(SERVE_TRIAL_TURN_MS * UINT64_C(1000) - 1);
	expect_state(1, "plays");
	pass(LOOK_US);
	expect_state(1, "over");
	expect_failed(1, "it made room for another owner's trial after 5 "
			 "minutes, and its games are lost: ask for fewer "
			 "games");
	expect_state(3, "plays");
	expect_state(2, "waits");
	trials_drop(trials, 3);
	pass(LOOK_US);
	expect_state(2, "plays");
}

Test(trial_turns, a_long_one_goes_on_if_only_its_owner_waits)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	cr_expect(wish(2, "ann"));
	pass(2 * SERVE_TRIAL_TURN_MS * UINT64_C(1000));
	expect_state(1, "plays");
	expect_state(2, "waits");
}

Test(trial_turns, who_has_used_less_comes_first)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	pass(UINT64_C(10000000));
	trials_drop(trials, 1); /* its time counts, too */
	cr_expect(wish(2, "ann"));
	cr_expect(wish(3, ""));
	cr_expect(wish(4, ""));
	pass(LOOK_US);
	expect_state(3, "plays");
	pass(UINT64_C(5000000));
	trials_drop(trials, 3);
	pass(LOOK_US);
	expect_state(4, "plays");
	pass(UINT64_C(20000000));
	trials_drop(trials, 4);
	cr_expect(wish(3, ""));
	pass(LOOK_US);
	expect_state(3, "plays");
	expect_state(2, "waits");
}

Test(trial_turns, a_day_begins_with_no_time_of_the_day_before)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	expect_state(1, "plays");
	cr_expect(wish(2, "ben"));
	pass(UINT64_C(10000000));
	date_ms += DAY_MS;
	trials_drop(trials, 1);
	pass(LOOK_US);
	expect_state(2, "plays");
	pass(UINT64_C(5000000));
	trials_drop(trials, 2);
	cr_expect(wish(3, "ben"));
	cr_expect(wish(4, "ann"));
	pass(LOOK_US);
	expect_state(4, "plays");
}

/* ---- beside the ladders ----------------------------------------------- */

/* Begins the first game of a bot that always plays. */
static void
begin_game(void)
{
	static const char manifest[] = "name = \"busy\"\nrun = { \"sh\" }\n";
	struct error why;
	int fd;

	cr_assert_eq(mkdir(kit_path("busy"), 0700), 0);
	fd = open(kit_path("busy/bot.conf"), O_WRONLY | O_CREAT, 0600);
	cr_assert_eq(write(fd, manifest, sizeof(manifest) - 1),
		     sizeof(manifest) - 1);
	close(fd);
	local = local_bot_new(pages.locals, "busy", kit_path("busy"), &why);
	cr_assert_not_null(local, "%s", why.text);
	job.number = 0;
	on_open(NULL);
}

/* Ends its game.  Returns true if the next one has begun. */
static bool
end_game(void)
{
	const uint64_t number = job.number;

	local_bots_ended(pages.locals, number, 0, NULL);
	loop_pass(&loop);
	return job.number > number;
}

Test(trial_turns, a_busy_ladder_leaves_a_place_to_one_after_a_minute)
{
	const unsigned looks = SERVE_TRIAL_PATIENCE_MS * 1000 / LOOK_US;
	unsigned i;

	begin_game();
	cr_expect(wish(1, "ann"));
	for (i = 0; i < looks; i++) {
		cr_expect(end_game(), "its games come first");
		pass(LOOK_US);
	}
	expect_state(1, "waits");
	cr_expect_not(end_game());
	pass(LOOK_US);
	expect_state(1, "plays");
	loop_pass(&loop);
	cr_expect(end_game(), "it plays on beside the trial");
	cr_expect(wish(2, "ann"));
	for (i = 0; i < looks; i++)
		pass(LOOK_US);
	cr_expect(end_game(), "no place is left while a trial plays");
	expect_state(2, "waits");
	trials_drop(trials, 2);
	local_bots_ended(pages.locals, job.number, 0, NULL);
}

/* ---- opponents -------------------------------------------------------- */

/* Waits until the process of the trial has ended. */
static void
wait_for_end(unsigned number)
{
	while (*text_of(number, "failed") == '\0')
		event_base_loop(loop.base, EVLOOP_ONCE);
}

Test(trial_turns, who_has_left_opposes_nobody)
{
	begin_game();
	cr_expect(trials_have_opponent(&pages, "busy"));
	what.opponents = 1;
	snprintf(what.opponent[0], NAME_BYTES + 1, "busy");
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	expect_state(1, "waits");
	cr_expect_str_eq(opponent_of(1), "busy");
	local_bot_dismiss(local);
	cr_expect_not(trials_have_opponent(&pages, "busy"));
	local_bots_ended(pages.locals, job.number, 0, NULL);
	pass(LOOK_US);
	expect_state(1, "plays");
	cr_expect_str_eq(opponent_of(1), "random");
}

Test(trial_turns, opponents_have_their_exact_names)
{
	cr_expect(trials_have_opponent(&pages, "random"));
	cr_expect_not(trials_have_opponent(&pages, "RANDOM"));
	cr_expect_not(trials_have_opponent(&pages, ROSTER_TRIAL));
}

Test(trial_turns, a_process_that_begins_no_game_gives_them_back)
{
	trials_play_by(trials, start_failing);
	cr_expect(wish(1, "ann"));
	expect_games("ann", 1);
	pass(LOOK_US);
	wait_for_end(1);
	expect_games("ann", 0);
	trials_drop(trials, 1);
	expect_games("ann", 0);
}

/* ---- what games leave ------------------------------------------------- */

/* Finds the folder of the only trial. */
static void
find_folder(char path[512])
{
	DIR *dir = opendir(kit_path("trials"));
	struct dirent *entry;

	cr_assert_not_null(dir);
	path[0] = '\0';
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			snprintf(path, 512, "%s/%s", kit_path("trials"),
				 entry->d_name);
	closedir(dir);
	cr_assert_str_neq(path, "");
}

static void
on_marked(struct thread_task *task, bool read)
{
	cr_expect(read);
	task->read = NULL;
}

static void
read_nothing(struct thread_task *task UNUSED)
{
}

/* Waits until the thread has done what it was asked for. */
static void
wait_for_thread(void)
{
	struct thread_task mark = { .read = read_nothing, .done = on_marked };

	thread_ask(pages.thread, &mark);
	while (mark.read != NULL)
		loop_pass(&loop);
}

/* The games before it may have as many bytes as a trial keeps, or one less. */
static void
expect_kept(bool full)
{
	const struct {
		const char *name;
		off_t bytes;
		bool kept;
	} file[] = {
		{ "records/00000001-a.rec", SERVE_TRIAL_BYTES - 10, true },
		{ "records/00000001-a.asks", 4, true },
		{ "stderr/00000001-1-trial.txt", full ? 6 : 5, true },
		{ "stderr/00000001-0-ben.txt", 1000, false },
		{ "stderr/00000001-2-x-trial.txt", 1000, false },
		{ "records/00000002-b.rec", 1, !full },
		{ "records/00000003-c.rec", 1, false },
		{ "records/00000003-c.asks", 1, false },
		{ "stderr/00000003-0-trial.txt", 1, false },
		{ "records/00000004-d.rec.tmp", 1, true },
	};
	char folder[512], path[600];
	unsigned i;
	int fd;

	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	expect_state(1, "plays");
	wait_for_thread();
	find_folder(folder);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 i == 0 ? "records" : "stderr");
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	for (i = 0; i < NELEM(file); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, file[i].name);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		cr_assert_geq(fd, 0);
		cr_assert_eq(ftruncate(fd, file[i].bytes), 0);
		close(fd);
	}
	pass(LOOK_US);
	wait_for_thread();
	expect_state(1, "plays");
	for (i = 0; i < NELEM(file); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, file[i].name);
		cr_expect_eq(access(path, F_OK) == 0, file[i].kept, "%s",
			     file[i].name);
	}
}

Test(trial_turns, a_game_is_kept_while_those_before_it_have_less)
{
	expect_kept(false);
}

Test(trial_turns, no_game_is_kept_after_those_that_have_all)
{
	expect_kept(true);
}
