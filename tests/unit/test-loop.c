/* tests/unit/test-loop.c - the order of a pass. */
#include <criterion/criterion.h>
#include <event2/event.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/base/loop.h"

static char trace[4096];

struct job {
	struct loop_task task;
	struct loop *loop;
	char name;
	struct job *post; /* posts this one when it runs ... */
	enum loop_stage stage;
	struct job *cancel; /* ... and cancels that one */
	unsigned times;	    /* posts itself so often */
};

static void
run(struct loop_task *task)
{
	struct job *job = (struct job *)task;
	size_t n = strlen(trace);

	trace[n] = job->name;
	trace[n + 1] = '\0';
	if (job->post != NULL)
		loop_post(job->loop, job->stage, &job->post->task);
	if (job->cancel != NULL)
		loop_cancel(job->loop, &job->cancel->task);
	if (job->times > 0) {
		job->times--;
		loop_post(job->loop, job->stage, &job->task);
	}
}

#define JOB(letter, ...)                                                       \
	{                                                                      \
		.task = { .run = run }, .loop = &loop, .name = (letter),       \
		__VA_ARGS__                                                    \
	}

static void
begin(struct loop *loop)
{
	trace[0] = '\0';
	cr_assert_eq(loop_init(loop), 0);
}

static void
end(struct loop *loop)
{
	loop_release(loop);
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	char byte;

	(void)what;
	cr_assert_eq(read(fd, &byte, 1), 1);
	run(arg);
}

Test(loop, a_pass_reads_then_settles_then_flushes)
{
	struct loop loop;
	struct job flush = JOB('f');
	struct job settle = JOB('s', .post = &flush, .stage = LOOP_TELL);
	struct job reader = JOB('r', .post = &settle, .stage = LOOP_SETTLE);
	struct event *event[2];
	int ends[2];
	unsigned i;

	begin(&loop);
	cr_assert_eq(pipe(ends), 0);
	for (i = 0; i < 2; i++) {
		event[i] = event_new(loop.base, ends[0], EV_READ, on_readable,
				     &reader);
		event_add(event[i], NULL);
	}
	cr_assert_eq(write(ends[1], "xy", 2), 2);
	loop_pass(&loop);
	/* Both were read before anything was settled, and once each. */
	cr_expect_str_eq(trace, "rrsf");
	for (i = 0; i < 2; i++) {
		event_free(event[i]);
		close(ends[i]);
	}
	end(&loop);
}

Test(loop, a_task_runs_once_in_the_order_of_posting)
{
	struct loop loop;
	struct job a = JOB('a'), b = JOB('b'), c = JOB('c');

	begin(&loop);
	loop_post(&loop, LOOP_TELL, &c.task);
	loop_post(&loop, LOOP_SETTLE, &b.task);
	loop_post(&loop, LOOP_SETTLE, &a.task);
	loop_post(&loop, LOOP_SETTLE, &b.task);
	loop_pass(&loop);
	cr_expect_str_eq(trace, "bac");
	loop_post(&loop, LOOP_SETTLE, &b.task);
	loop_pass(&loop);
	cr_expect_str_eq(trace, "bacb");
	end(&loop);
}

Test(loop, what_is_posted_in_its_own_stage_waits_for_the_next_pass)
{
	struct loop loop;
	struct job b = JOB('b');
	struct job a = JOB('a', .post = &b, .stage = LOOP_SETTLE, .times = 2);

	begin(&loop);
	loop_post(&loop, LOOP_SETTLE, &a.task);
	loop_pass(&loop);
	cr_expect_str_eq(trace, "a");
	loop_pass(&loop);
	cr_expect_str_eq(trace, "aba");
	loop_pass(&loop);
	cr_expect_str_eq(trace, "ababa");
	end(&loop);
}

Test(loop, a_cancelled_task_does_not_run)
{
	struct loop loop;
	struct job c = JOB('c');
	struct job d = JOB('d');
	struct job b = JOB('b', .cancel = &c);
	struct job a = JOB('a', .post = &d, .stage = LOOP_TELL, .cancel = &d);

	begin(&loop);
	loop_post(&loop, LOOP_SETTLE, &d.task);
	loop_cancel(&loop, &d.task);
	loop_cancel(&loop, &d.task);
	loop_post(&loop, LOOP_SETTLE, &b.task); /* cancels c while it waits */
	loop_post(&loop, LOOP_SETTLE, &c.task);
	loop_post(&loop, LOOP_SETTLE, &a.task); /* a task that it has just
						 * posted */
	loop_pass(&loop);
	cr_expect_str_eq(trace, "ba");
	loop_post(&loop, LOOP_SETTLE, &c.task); /* and may be posted again */
	loop_pass(&loop);
	cr_expect_str_eq(trace, "bac");
	end(&loop);
}

Test(loop, many_tasks_posted_while_others_run)
{
	static struct job jobs[500], others[500];
	struct loop loop;
	unsigned i;

	begin(&loop);
	for (i = 0; i < NELEM(jobs); i++) {
		others[i] = (struct job)JOB('o');
		jobs[i] = (struct job)JOB('j', .post = &others[i],
					  .stage = LOOP_SETTLE);
		loop_post(&loop, LOOP_SETTLE, &jobs[i].task);
	}
	loop_pass(&loop);
	cr_expect_eq(strlen(trace), NELEM(jobs));
	cr_expect_null(strchr(trace, 'o'));
	loop_pass(&loop);
	cr_expect_eq(strlen(trace), 2 * NELEM(jobs));
	end(&loop);
}

static uint64_t fake_now_us, fake_step_us;

static uint64_t
fake_us(void)
{
	return fake_now_us += fake_step_us;
}

/* Many tables take turn after turn in a pass: a seat that has long waited for a
 * line is no reason to wake all others. */
Test(loop, only_what_has_waited_for_long_is_told_while_answers_come)
{
	struct loop loop;
	struct job late = JOB('l'), early = JOB('e');
	struct job poster = JOB('p', .post = &early, .stage = LOOP_TELL);
	struct job answers =
		JOB('.', .post = &poster, .stage = LOOP_SETTLE, .times = 3);

	begin(&loop);
	clock_us = fake_us;
	loop_post(&loop, LOOP_TELL, &late.task);
	loop_post(&loop, LOOP_SETTLE, &answers.task);
	fake_now_us = TELL_MS * 1000;
	fake_step_us = 2000;
	loop_pass(&loop);
	cr_expect_str_eq(trace, ".p.lp.");
	fake_step_us = 0;
	loop_pass(&loop); /* no more answers come */
	cr_expect_str_eq(trace, ".p.lp.p.pe");
	end(&loop);
}

struct look {
	struct loop *loop;
	struct job *answer; /* NULL: there is none yet */
	unsigned looks, asks;
	struct loop_task task;
};

static void
look(void *arg)
{
	struct look *at = arg;

	at->looks++;
	if (at->answer != NULL)
		loop_post(at->loop, LOOP_SETTLE, &at->answer->task);
}

static void
ask(struct loop_task *task)
{
	struct look *at =
		(struct look *)((char *)task - offsetof(struct look, task));

	for (unsigned i = 0; i < at->asks; i++)
		loop_asked(at->loop, look, at);
}

/* Runs a pass in which this many seats are asked, while another waits for a
 * line. */
static void
pass_with_asks(struct look *at, struct job *news, unsigned asks)
{
	at->asks = asks;
	at->task.run = ask;
	loop_post(at->loop, LOOP_ASK, &at->task);
	loop_post(at->loop, LOOP_TELL, &news->task);
	loop_pass(at->loop);
}

Test(loop, looks_at_the_only_one_that_was_asked)
{
	struct loop loop;
	struct job news = JOB('n'), answer = JOB('a');
	struct look at = { .loop = &loop, .answer = &answer };

	begin(&loop);
	pass_with_asks(&at, &news, 1);
	cr_expect_eq(at.looks, 1);
	cr_expect_str_eq(trace, "an", "an answer comes before news: %s", trace);
	pass_with_asks(&at, &news, 2);
	cr_expect_eq(at.looks, 1, "the first of two would always win");
	loop_asked(&loop, look, &at);
	loop_forget(&loop, &at);
	pass_with_asks(&at, &news, 0);
	cr_expect_eq(at.looks, 1, "it was forgotten");
	end(&loop);
}

Test(loop, looks_less_often_where_no_answer_is_there)
{
	struct loop loop;
	struct job news = JOB('n'), answer = JOB('a');
	struct look at = { .loop = &loop };
	unsigned before;

	begin(&loop);
	for (unsigned i = 0; i < 1000; i++)
		pass_with_asks(&at, &news, 1);
	cr_expect_lt(at.looks, 40, "%u looks", at.looks);
	at.answer = &answer;
	for (unsigned i = 0; i < 300; i++)
		pass_with_asks(&at, &news, 1);
	before = at.looks;
	for (unsigned i = 0; i < 10; i++)
		pass_with_asks(&at, &news, 1);
	cr_expect_eq(at.looks, before + 10, "%u looks", at.looks - before);
	end(&loop);
}

struct stopper {
	struct loop_task task;
	struct loop *loop;
	unsigned passes;
};

static void
count_passes(struct loop_task *task)
{
	struct stopper *stopper = (struct stopper *)task;

	if (++stopper->passes == 5)
		stopper->loop->stop = true;
	else
		loop_post(stopper->loop, LOOP_SETTLE, task);
}

Test(loop, runs_until_it_is_stopped)
{
	struct loop loop;
	struct stopper stopper = { .task = { .run = count_passes },
				   .loop = &loop };

	begin(&loop);
	loop_post(&loop, LOOP_SETTLE, &stopper.task);
	loop_run(&loop);
	cr_expect_eq(stopper.passes, 5);
	end(&loop);
}

/* Even if the loop's thread asks all the time, it stands still.  It does not go back
 * when it finds that the loop has not run: until then it went on. */
Test(loop, the_clock_stands_still_while_it_is_asked)
{
	uint64_t began, before, now, until_us;

	clock_beat();
	began = before = clock_us();
	until_us = clock_machine_us() + 20 * CLOCK_BEAT_US;
	while (clock_machine_us() < until_us) {
		now = clock_us();
		cr_assert_geq(now, before, "%" PRIu64 " us", before - now);
		before = now;
	}
	cr_expect_leq(before - began, 6 * CLOCK_BEAT_US);
	clock_rest();
}

static void *
ask_alone(void *arg)
{
	const uint64_t *until_us = arg;

	clock_alone();
	while (clock_us() < *until_us)
		;
	return NULL;
}

/* Also while threads without a loop ask for the time. */
Test(loop, the_clock_stands_still_while_the_loop_does_not_run)
{
	uint64_t before, until_us;
	pthread_t thread;

	clock_beat();
	before = clock_us();
	until_us = clock_machine_us() + 10 * CLOCK_BEAT_US;
	cr_assert_eq(pthread_create(&thread, NULL, ask_alone, &until_us), 0);
	pthread_join(thread, NULL);
	cr_expect_leq(clock_us() - before, CLOCK_BEAT_US);
	clock_rest();
}

/* Blocks the loop for this long, and asks for the time. */
static void
be_silent(struct loop_task *task)
{
	const uint64_t until_us = clock_machine_us() + 400000;

	(void)task;
	while (clock_machine_us() < until_us)
		clock_us();
}

static void
stop_loop(void *arg)
{
	((struct loop *)arg)->stop = true;
}

/* A timer that the silence has not reached still comes. */
Test(loop, the_clock_goes_on_after_a_silence)
{
	struct loop_task silent = { .run = be_silent };
	struct loop loop;
	struct timer timer;

	begin(&loop);
	loop_post(&loop, LOOP_SETTLE, &silent);
	timer_init(&timer, &loop.timers, stop_loop, &loop);
	timer_after(&timer, 500000);
	loop_run(&loop);
	end(&loop);
}

Test(loop, silence_is_noticed)
{
	struct loop_task silent = { .run = be_silent };
	uint64_t last_us, worst_us = 0, seen_us = 0;
	struct loop loop;

	begin(&loop);
	loop_post(&loop, LOOP_SETTLE, &silent);
	/* The beat comes within 50 ms of each other. */
	while (worst_us < 90000) {
		loop_pass(&loop);
		loop_lag(&loop, &last_us, &worst_us);
		if (worst_us >= 90000)
			seen_us = last_us;
	}
	cr_expect_eq(seen_us, worst_us, "the last was the worst");
	while (last_us == seen_us) {
		loop_pass(&loop);
		loop_lag(&loop, &last_us, &worst_us);
	}
	cr_expect_geq(worst_us, seen_us, "the worst stays");
	end(&loop);
}
