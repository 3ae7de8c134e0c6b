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

#define TASKS 100

struct task {
	struct thread_task task;
	unsigned number;
	pthread_t reader;
	sem_t *begun, *gate; /* posted, then waited for; or NULL */
	unsigned reads, dones;
	bool was_read;
	struct task *then; /* asked for when this is done */
};

static struct loop loop;
static struct thread *thread;
static unsigned descriptors, order[2 * TASKS], done;

static void
read_task(struct thread_task *task)
{
	struct task *mine = (struct task *)task;

	if (mine->begun != NULL)
		sem_post(mine->begun);
	if (mine->gate != NULL)
		while (sem_wait(mine->gate) != 0)
			;
	mine->reader = pthread_self();
	mine->reads++;
}

static void
on_done(struct thread_task *task, bool read)
{
	struct task *mine = (struct task *)task;

	mine->dones++;
	mine->was_read = read;
	order[done++] = mine->number;
	if (mine->then != NULL)
		thread_ask(thread, &mine->then->task);
}

static void
begin(struct task task[TASKS])
{
	unsigned i;

	descriptors = net_descriptors();
	cr_assert_eq(loop_init(&loop), 0);
	thread = thread_new(&loop);
	cr_assert_not_null(thread);
	memset(task, 0, TASKS * sizeof(*task));
	for (i = 0; i < TASKS; i++) {
		task[i].task.read = read_task;
		task[i].task.done = on_done;
		task[i].number = i;
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
	struct task task[TASKS];
	unsigned i;

	begin(task);
	for (i = 0; i < TASKS; i++)
		thread_ask(thread, &task[i].task);
	cr_expect_eq(done, 0, "the loop has not run");
	pass_until(TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_eq(order[i], i);
		cr_expect_eq(task[i].reads, 1);
		cr_expect_eq(task[i].dones, 1);
		cr_expect(task[i].was_read);
		cr_expect_not(pthread_equal(task[i].reader, pthread_self()));
		cr_expect(pthread_equal(task[i].reader, task[0].reader));
	}
	end();
}

Test(thread, done_may_ask_on)
{
	struct task task[TASKS];

	begin(task);
	task[0].then = &task[1];
	task[1].then = &task[2];
	thread_ask(thread, &task[0].task);
	pass_until(3);
	cr_expect_eq(order[2], 2);
	cr_expect(task[2].was_read);
	end();
}

/* The loop goes on while something is read. */
Test(thread, the_loop_does_not_wait)
{
	struct task task[TASKS];
	sem_t gate;
	unsigned i;

	begin(task);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	task[0].gate = &gate;
	thread_ask(thread, &task[0].task);
	thread_ask(thread, &task[1].task);
	for (i = 0; i < 100; i++)
		fake_pass(&loop);
	cr_expect_eq(done, 0);
	sem_post(&gate);
	pass_until(2);
	sem_destroy(&gate);
	end();
}

/* Each task is reported once: a finished one, the running one, and those that
 * never start. */
Test(thread, it_ends)
{
	struct task task[TASKS];
	sem_t begun, gate;
	unsigned i;

	begin(task);
	cr_assert_eq(sem_init(&begun, 0, 0), 0);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	task[1].begun = &begun;
	task[1].gate = &gate;
	for (i = 0; i < TASKS; i++)
		thread_ask(thread, &task[i].task);
	while (sem_wait(&begun) != 0)
		;
	sem_post(&gate);
	thread_free(thread);
	thread = NULL;
	cr_expect_eq(done, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_eq(order[i], i);
		cr_expect_eq(task[i].dones, 1);
		cr_expect_eq(task[i].reads, task[i].was_read);
	}
	cr_expect(task[0].was_read);
	cr_expect(task[1].was_read);
	sem_destroy(&begun);
	sem_destroy(&gate);
	end();
}

/* The thread drops what was left, and nothing waits for it. */
static sem_t dropped;

static void
drop(struct thread_task *task)
{
	(void)task;
	sem_post(&dropped);
}

Test(thread, it_is_left)
{
	struct task task[TASKS];
	sem_t begun, gate;
	unsigned open, i;

	begin(task);
	cr_assert_eq(sem_init(&begun, 0, 0), 0);
	cr_assert_eq(sem_init(&gate, 0, 0), 0);
	cr_assert_eq(sem_init(&dropped, 0, 0), 0);
	task[0].begun = &begun;
	task[0].gate = &gate;
	for (i = 0; i < 3; i++)
		thread_ask(thread, &task[i].task);
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
	cr_expect_eq(task[0].reads, 1);
	cr_expect_eq(task[1].reads, 0);
	while (net_descriptors() != open)
		fake_pass(&loop);
	end();
}

/* ---- several ------------------------------------------------------------ */

static void
begin_pool(struct task task[TASKS], unsigned threads, sem_t *begun, sem_t *gate)
{
	begin(task);
	thread_free(thread);
	thread = thread_pool(&loop, threads);
	cr_assert_not_null(thread);
	cr_assert_eq(sem_init(begun, 0, 0), 0);
	cr_assert_eq(sem_init(gate, 0, 0), 0);
	for (unsigned i = 0; i < TASKS; i++) {
		task[i].begun = begun;
		task[i].gate = gate;
		thread_ask(thread, &task[i].task);
	}
}

Test(thread, as_many_are_read_at_a_time_as_there_are_threads)
{
	struct task task[TASKS];
	sem_t begun, gate;
	unsigned i;

	begin_pool(task, 3, &begun, &gate);
	for (i = 0; i < 3; i++)
		while (sem_wait(&begun) != 0)
			;
	cr_expect_neq(sem_trywait(&begun), 0, "a fourth has begun");
	for (i = 0; i < TASKS; i++)
		sem_post(&gate);
	pass_until(TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_eq(task[i].reads, 1);
		cr_expect_eq(task[i].dones, 1);
		cr_expect(task[i].was_read);
	}
	end();
}

Test(thread, several_are_left)
{
	struct task task[TASKS];
	sem_t begun, gate;
	unsigned open, i;

	cr_assert_eq(sem_init(&dropped, 0, 0), 0);
	begin_pool(task, 2, &begun, &gate);
	for (i = 0; i < 2; i++)
		while (sem_wait(&begun) != 0)
			;
	open = net_descriptors() - 1;
	thread_leave(thread, drop);
	thread = NULL;
	sem_post(&gate);
	cr_expect_neq(sem_trywait(&dropped), 0, "one still reads");
	sem_post(&gate);
	for (i = 0; i < TASKS; i++)
		while (sem_wait(&dropped) != 0)
			;
	cr_expect_eq(done, 0);
	while (net_descriptors() != open)
		fake_pass(&loop);
	end();
}

/* ---- without a loop --------------------------------------------------- */

static atomic_uint worked;

static void
work(void *arg, struct thread_task *tasks)
{
	(void)arg;
	for (const struct thread_task *one = tasks; one != NULL;
	     one = one->next)
		atomic_fetch_add(&worked, 1);
	thread_back(thread, tasks);
}

Test(thread, without_a_loop_it_finishes_what_came)
{
	const struct thread_plan plan = { .work = work, .finish = true };
	struct thread_task task[TASKS] = { 0 };
	unsigned i;

	thread = thread_start(&plan);
	cr_assert_not_null(thread);
	for (i = 0; i < 2; i++)
		thread_ask(thread, &task[i]);
	while (atomic_load(&worked) < 2)
		poll(NULL, 0, 1); /* luck: between two looks */
	for (i = 0; i < 2; i++) {
		struct pollfd look = { .fd = thread_fd(thread),
				       .events = POLLIN };

		cr_assert_eq(poll(&look, 1, -1), 1);
		cr_expect_eq(thread_take(thread), &task[i]);
	}
	cr_expect_null(thread_take(thread));
	for (i = 2; i < TASKS; i++)
		thread_ask(thread, &task[i]);
	thread_free(thread);
	cr_expect_eq(atomic_load(&worked), TASKS);
}
