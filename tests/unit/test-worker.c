/* tests/unit/test-worker.c - how a worker process ends. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/command.h"
#include "referee/runner/channel.h"
#include "referee/runner/wire.h"
#include "referee/runner/worker.h"

static pid_t
start_worker(int *fd)
{
	int pair[2];
	pid_t pid;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	pid = fork();
	if (pid == 0) {
		if (dup2(pair[1], WORKER_FD) != WORKER_FD)
			_exit(127);
		closefrom(WORKER_FD + 1);
		_exit(worker_play(WORKER_FD, 1, -1));
	}
	close(pair[1]);
	*fd = pair[0];
	return pid;
}

static void
add_message(struct text *to, enum channel_kind kind, const struct text *what)
{
	wire_put(to, what->used);
	wire_put(to, CHANNEL_VERSION);
	wire_put(to, kind);
	text_add(to, what->bytes, what->used);
}

/* Sends everything at once, so that a worker reads it in one pass. */
static void
say(int fd, struct text *text)
{
	cr_assert_not(text->full);
	cr_assert_eq(write(fd, text->bytes, text->used), (ssize_t)text->used);
	text_release(text);
}

/* Sends a game of built-in bots. */
static void
say_job(int fd)
{
	struct text what, text;
	struct job job;

	memset(&job, 0, sizeof(job));
	job.number = 1;
	game_setup_init(&job.setup.game, game_find("toepen"), 2);
	deal_random(&job.setup.deal);
	job.setup.clock.time_us = 10000000;
	for (unsigned s = 0; s < 2; s++) {
		snprintf(job.setup.name[s], sizeof(job.setup.name[s]), "bot%u",
			 s);
		job.seat[s].builtin = "house";
	}
	text_init(&what, JOB_BYTES);
	text_init(&text, CHANNEL_BYTES);
	job_write(&job, &what);
	add_message(&text, CHANNEL_JOB, &what);
	text_release(&what);
	say(fd, &text);
}

static void
hear(int fd, void *to, size_t n)
{
	cr_assert_eq(recv(fd, to, n, MSG_WAITALL), (ssize_t)n);
}

static void
hear_result(int fd)
{
	char head[24], body[4096];
	struct wire from = { .at = head, .left = sizeof(head) };
	uint64_t left, part;

	hear(fd, head, sizeof(head));
	left = wire_take(&from);
	cr_assert_eq(wire_take(&from), CHANNEL_VERSION);
	cr_assert_eq(wire_take(&from), CHANNEL_RESULT);
	for (; left > 0; left -= part) {
		part = left < sizeof(body) ? left : sizeof(body);
		hear(fd, body, part);
	}
}

/* Sends a receipt without a record, and then nonsense. */
static void
say_receipt_and_nonsense(int fd)
{
	struct text what, text;

	text_init(&what, CHANNEL_BYTES);
	text_init(&text, CHANNEL_BYTES);
	wire_put(&what, 1);
	wire_put_bytes(&what, NULL, 0);
	add_message(&text, CHANNEL_RECEIPT, &what);
	add_message(&text, CHANNEL_RESULT, &what);
	text_release(&what);
	say(fd, &text);
}

/* A cause to end the worker must not be forgotten because its last game is over in the
 * same pass of its loop. */
Test(worker, ends_if_its_channel_fails_in_the_pass_in_which_its_last_game_ends)
{
	int fd, status = 0;
	pid_t pid = start_worker(&fd);

	say_job(fd);
	hear_result(fd);
	say_receipt_and_nonsense(fd);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_MACHINE);
	close(fd);
}
