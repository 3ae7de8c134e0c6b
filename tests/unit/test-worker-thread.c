/* tests/unit/test-worker-thread.c - a thread that reads one thing after
 * another. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#include "referee/serve/worker-thread.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/leaks.h"
#include "tests/unit/net-kit.h"

#define JOBS 100

struct job {
	struct worker_thread_job job;
	unsigned number;
	pthread_t reader;
	sem_t *begun, *gate; /* posted, then waited for; or NULL */
	unsigned reads, dones;
	bool was_read;
	struct job *then; /* asked for when this is done */
};

TestSuite(thread, .timeout = 20);

static struct loop loop;
static struct worker_thread *thread;
static unsigned descriptors, order[2 * JOBS], done;

static void
read_job(struct worker_thread_job *job)
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
on_done(struct worker_thread_job *job, bool read)
{
	struct job *mine = (struct job *)job;

	mine->dones++;
	mine->was_read = read;
	order[done++] = mine->number;
	if (mine->then != NULL)
		worker_thread_ask(thread, &mine->then->job);
}

static void
begin(struct job job[JOBS])
{
	unsigned i;

	descriptors = net_descriptors();
	cr_assert_eq(loop_init(&loop), 0);
	thread = worker_thread_new(&loop);
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
	worker_thread_free(thread);
	loop_release(&loop);
	cr_assert_eq(net_descriptors(), descriptors);
	NO_LEAKS();
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
		worker_thread_ask(thread, &job[i].job);
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
	worker_thread_ask(thread, &job[0].job);
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
	worker_thread_ask(thread, &job[0].job);
	worker_thread_ask(thread, &job[1].job);
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
		worker_thread_ask(thread, &job[i].job);
	while (sem_wait(&begun) != 0)
		;
	sem_post(&gate);
	worker_thread_free(thread);
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
