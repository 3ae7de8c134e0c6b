/* tests/unit/test-thread.c - a thread that reads one thing after
 * another. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/thread.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

#define JOBS 100

struct job {
	struct thread_task job;
	unsigned number;
	pthread_t reader;
	sem_t *begun, *gate; /* posted, then waited for; or NULL */
	unsigned reads, dones;
	bool was_read;
	struct job *then; /* asked for when this is done */
};

static struct loop loop;
static struct thread *thread;
static unsigned descriptors, order[2 * JOBS], done;

static void
read_job(struct thread_task *job)
{
	struct job *mine = (struct job *)job;

	if (mine->begun != NULL)
		sem_post(mine->begun);
	if (mine->gate != NULL)
		while (sem_wait(mine->gate) != 0)
			;
	mine->reader = pthread_self();
	mine->reads++;
}

static void
on_done(struct thread_task *job, bool read)
{
	struct job *mine = (struct job *)job;

	mine->dones++;
	mine->was_read = read;
	order[done++] = mine->number;
	if (mine->then != NULL)
		thread_ask(thread, &mine->then->job);
}

static void
begin(struct job job[JOBS])
{
	unsigned i;

	descriptors = net_descriptors();
	cr_assert_eq(loop_init(&loop), 0);
	thread = thread_new(&loop);
	cr_assert_not_null(thread);
	memset(job, 0, JOBS * sizeof(*job));
	for (i = 0; i < JOBS; i++) {
		job[i].job.read = read_job;
		job[i].job.done = on_done;
		job[i].number = i;
	}
	done = 0;
}

static void
end(void)
{
	thread_free(thread);
	loop_release(&loop);
	cr_assert_eq(net_descriptors(), descriptors);
}

static void
pass_until(unsigned count)
{
	while (done < count)
		loop_pass(&loop); /* its own timer wakes it */
}

Test(thread, one_after_another)
{
	struct job job[JOBS];
	unsigned i;

	begin(job);
	for (i = 0; i < JOBS; i++)
		thread_ask(thread, &job[i].job);
	cr_expect_eq(done, 0, "the loop has not run");
	pass_until(JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_expect_eq(order[i], i);
		cr_expect_eq(job[i].reads, 1);
		cr_expect_eq(job[i].dones, 1);
		cr_expect(job[i].was_read);
		cr_expect_not(pthread_equal(job[i].reader, pthread_self()));
		cr_expect(pthread_equal(job[i].reader, job[0].reader));
	}
	end();
}

Test(thread, done_may_ask_on)
{
	struct job job[JOBS];

	begin(job);
	job[0].then = &job[1];
	job[1].then = &job[2];
	thread_ask(thread, &job[0].job);
	pass_until(3);
	cr_expect_eq(order[2], 2);
	cr_expect(job[2].was_read);
	end();
}

/* The loop goes on while something is read. */
Test(thread, the_loop_does_not_wait)
{
	struct job job[JOBS];
	sem_t gate;
	unsigned i;

	begin(job);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	job[0].gate = &gate;
	thread_ask(thread, &job[0].job);
	thread_ask(thread, &job[1].job);
	for (i = 0; i < 100; i++)
		fake_pass(&loop, false);
	cr_expect_eq(done, 0);
	sem_post(&gate);
	pass_until(2);
	sem_destroy(&gate);
	end();
}

/* What was read, is being read and never will be: each is told once. */
Test(thread, it_ends)
{
	struct job job[JOBS];
	sem_t begun, gate;
	unsigned i;

	begin(job);
	cr_assert_eq(sem_init(&begun, 0, 0), 0);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	job[1].begun = &begun;
	job[1].gate = &gate;
	for (i = 0; i < JOBS; i++)
		thread_ask(thread, &job[i].job);
	while (sem_wait(&begun) != 0)
		;
	sem_post(&gate);
	thread_free(thread);
	thread = NULL;
	cr_expect_eq(done, JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_expect_eq(order[i], i);
		cr_expect_eq(job[i].dones, 1);
		cr_expect_eq(job[i].reads, job[i].was_read);
	}
	cr_expect(job[0].was_read);
	cr_expect(job[1].was_read);
	sem_destroy(&begun);
	sem_destroy(&gate);
	end();
}

/* What was left is dropped by the thread, and nobody waits for it. */
static sem_t dropped;

static void
drop(struct thread_task *job)
{
	(void)job;
	sem_post(&dropped);
}

Test(thread, it_is_left)
{
	struct job job[JOBS];
	sem_t begun, gate;
	unsigned open, i;

	begin(job);
	cr_assert_eq(sem_init(&begun, 0, 0), 0);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	cr_assert_eq(sem_init(&dropped, 0, 0), 0);
	job[0].begun = &begun;
	job[0].gate = &gate;
	for (i = 0; i < 3; i++)
		thread_ask(thread, &job[i].job);
	while (sem_wait(&begun) != 0)
		;
	open = net_descriptors() - 1;
	thread_leave(thread, drop);
	thread = NULL;
	sem_post(&gate);
	for (i = 0; i < 3; i++)
		while (sem_wait(&dropped) != 0)
			;
	cr_expect_eq(done, 0);
	cr_expect_eq(job[0].reads, 1);
	cr_expect_eq(job[1].reads, 0);
	while (net_descriptors() != open)
		fake_pass(&loop, false);
	end();
}

/* ---- several ------------------------------------------------------------ */

static void
begin_pool(struct job job[JOBS], unsigned threads, sem_t *begun, sem_t *gate)
{
	begin(job);
	thread_free(thread);
	thread = thread_pool(&loop, threads);
	cr_assert_not_null(thread);
	cr_assert_eq(sem_init(begun, 0, 0), 0);
	cr_assert_eq(sem_init(gate, 0, 0), 0);
	for (unsigned i = 0; i < JOBS; i++) {
		job[i].begun = begun;
		job[i].gate = gate;
		thread_ask(thread, &job[i].job);
	}
}

Test(thread, as_many_are_read_at_a_time_as_there_are_threads)
{
	struct job job[JOBS];
	sem_t begun, gate;
	unsigned i;

	begin_pool(job, 3, &begun, &gate);
	for (i = 0; i < 3; i++)
		while (sem_wait(&begun) != 0)
			;
	cr_expect_neq(sem_trywait(&begun), 0, "a fourth has begun");
	for (i = 0; i < JOBS; i++)
		sem_post(&gate);
	pass_until(JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_expect_eq(job[i].reads, 1);
		cr_expect_eq(job[i].dones, 1);
		cr_expect(job[i].was_read);
	}
	end();
}

Test(thread, several_are_left)
{
	struct job job[JOBS];
	sem_t begun, gate;
	unsigned open, i;

	cr_assert_eq(sem_init(&dropped, 0, 0), 0);
	begin_pool(job, 2, &begun, &gate);
	for (i = 0; i < 2; i++)
		while (sem_wait(&begun) != 0)
			;
	open = net_descriptors() - 1;
	thread_leave(thread, drop);
	thread = NULL;
	sem_post(&gate);
	cr_expect_neq(sem_trywait(&dropped), 0, "one still reads");
	sem_post(&gate);
	for (i = 0; i < JOBS; i++)
		while (sem_wait(&dropped) != 0)
			;
	cr_expect_eq(done, 0);
	while (net_descriptors() != open)
		fake_pass(&loop, false);
	end();
}

/* ---- without a loop --------------------------------------------------- */

static atomic_uint worked;

static void
work(void *arg, struct thread_task *jobs)
{
	(void)arg;
	for (const struct thread_task *one = jobs; one != NULL; one = one->next)
		atomic_fetch_add(&worked, 1);
	thread_back(thread, jobs);
}

Test(thread, without_a_loop_it_finishes_what_came)
{
	const struct thread_plan plan = { .work = work, .finish = true };
	struct thread_task job[JOBS] = { 0 };
	unsigned i;

	thread = thread_start(&plan);
	cr_assert_not_null(thread);
	for (i = 0; i < 2; i++)
		thread_ask(thread, &job[i]);
	while (atomic_load(&worked) < 2)
		poll(NULL, 0, 1);
	for (i = 0; i < 2; i++) {
		struct pollfd look = { .fd = thread_fd(thread),
				       .events = POLLIN };

		cr_assert_eq(poll(&look, 1, -1), 1);
		cr_expect_eq(thread_take(thread), &job[i]);
	}
	cr_expect_null(thread_take(thread));
	for (i = 2; i < JOBS; i++)
		thread_ask(thread, &job[i]);
	thread_free(thread);
	cr_expect_eq(atomic_load(&worked), JOBS);
}
