/* tests/unit/test-health.c - the warnings in the log, at their limits and one
 * beyond. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/serve/health.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

#define NOW 1800000000
#define BLOCK 4096

static int64_t now;	/* by the calendar */
static uint64_t blocks; /* that are free */
static int64_t expires;
static struct loop loop;
static struct logger *logger;
static struct health *health;
static FILE *file;

static int64_t
calendar_ms(void)
{
	return now * 1000;
}

int
statvfs(const char *path, struct statvfs *fs)
{
	(void)path;
	memset(fs, 0, sizeof(*fs));
	fs->f_bavail = blocks;
	fs->f_frsize = BLOCK;
	return 0;
}

static void
fill(void *arg, struct health_view *view)
{
	(void)arg;
	view->data = "data";
	view->certificates = 1;
	view->certificate[0] = (struct health_certificate){ "safe", expires };
}

/* Returns how many lines of this kind there are by now. */
static unsigned
told(const char *event)
{
	char line[LOG_LINE_BYTES + 1], what[64];
	unsigned count = 0;

	snprintf(what, sizeof(what), " level=%s event=%s ",
		 strcmp(event, "certificate-expired") == 0 ? "error" : "warn",
		 event);
	rewind(file);
	while (fgets(line, sizeof(line), file) != NULL)
		count += strstr(line, what) != NULL;
	return count;
}

/* Begins with all well. */
static void
begin(void)
{
	now = NOW;
	clock_calendar_ms = calendar_ms;
	fake_clock_begin();
	blocks = HEALTH_DISK_BYTES / BLOCK;
	expires = NOW + HEALTH_CERTIFICATE_S + 1;
	cr_assert_eq(loop_init(&loop), 0);
	file = tmpfile();
	cr_assert_not_null(file);
	logger = log_new(fileno(file), LOG_LEVEL_DEBUG);
	health = health_new(&loop, logger, fill, NULL);
}

static void
end(void)
{
	health_free(health);
	log_free(logger);
	loop_release(&loop);
	fclose(file);
}

static void
pass(int64_t seconds)
{
	now += seconds;
	fake_now_us += (uint64_t)seconds * 1000000;
}

/* Expects a line when it begins, each day while it lasts, and again when it
 * comes back. */
static void
expect_told(const char *event, void (*set)(bool wrong))
{
	cr_expect_eq(told(event), 0u, "%s: at the limit all is well", event);
	set(true);
	health_look(health);
	cr_expect_eq(told(event), 1u, "%s: one beyond is told", event);
	pass(HEALTH_AGAIN_S - 1);
	health_look(health);
	cr_expect_eq(told(event), 1u, "%s: once a day", event);
	pass(1);
	health_look(health);
	cr_expect_eq(told(event), 2u, "%s: each day", event);
	set(false);
	health_look(health);
	set(true);
	health_look(health);
	cr_expect_eq(told(event), 3u, "%s: when it is back", event);
}

static void
set_disk(bool wrong)
{
	blocks = HEALTH_DISK_BYTES / BLOCK - wrong;
}

static void
set_certificate(bool wrong)
{
	expires = now + HEALTH_CERTIFICATE_S + !wrong;
}

static void
set_expired(bool wrong)
{
	expires = now + !wrong;
}

static void
set_lag(bool wrong)
{
	loop.worst_us[0] = loop.worst_us[1] = HEALTH_LAG_US + wrong;
}

static void
set_descriptors(bool wrong)
{
	struct rlimit limit;

	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	/* The count includes `.`, `..` and its own descriptor. */
	limit.rlim_cur =
		net_descriptors() - 3 + HEALTH_DESCRIPTORS_LEFT - wrong;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

Test(health, each_trouble_has_its_limit)
{
	static const struct {
		const char *event;
		void (*set)(bool wrong);
	} troubles[] = {
		{ "disk-low", set_disk },
		{ "certificate-expires", set_certificate },
		{ "certificate-expired", set_expired },
		{ "loop-late", set_lag },
		{ "descriptors-low", set_descriptors },
	};
	unsigned i;

	for (i = 0; i < NELEM(troubles); i++) {
		begin();
		troubles[i].set(false);
		health_look(health);
		expect_told(troubles[i].event, troubles[i].set);
		troubles[i].set(false);
		end();
	}
}

/* Also if the calendar was years ahead, and has been corrected. */
Test(health, a_trouble_is_told_each_day_of_any_calendar)
{
	begin();
	set_disk(true);
	health_look(health);
	now -= 1000 * HEALTH_AGAIN_S;
	pass(HEALTH_AGAIN_S - 1);
	health_look(health);
	cr_expect_eq(told("disk-low"), 1u);
	pass(1);
	health_look(health);
	cr_expect_eq(told("disk-low"), 2u);
	end();
}

/* /healthz tells of faults that stop games or bots, and of none that only may. */
Test(health, what_stops_games_is_told)
{
	struct text out;

	begin();
	text_init(&out, 1000);
	set_certificate(true);
	health_tell(health, &out);
	cr_expect_eq(out.used, 0u);
	set_expired(true);
	set_disk(true);
	health_tell(health, &out);
	cr_expect_str_eq(
		text_string(&out),
		"the disk of the data folder has 536866816 bytes "
		"left\nthe certificate of listener safe has expired\n");
	text_release(&out);
	end();
}
