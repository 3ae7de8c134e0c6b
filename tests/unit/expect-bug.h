/* tests/unit/expect-bug.h - expects that a programming error ends in bug() with
 * a given sentence.
 *
 * EXPECT_BUG(SENTENCE, STATEMENTS…) runs the statements in a process of their
 * own, which must abort and have said SENTENCE on standard error as bug()
 * does. */
#ifndef TESTS_UNIT_EXPECT_BUG_H
#define TESTS_UNIT_EXPECT_BUG_H

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads what a process wrote to `fd`, waits for its end, and returns its wait
 * status. */
static inline int
expect_bug_end(int fd, pid_t pid, char *said, size_t size)
{
	size_t used = 0;
	int status = 0;
	ssize_t n;

	while (used + 1 < size &&
	       (n = read(fd, said + used, size - 1 - used)) > 0)
		used += (size_t)n;
	said[used] = '\0';
	close(fd);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return status;
}

#define EXPECT_BUG(sentence, ...)                                              \
	do {                                                                   \
		char said_[4096];                                              \
		int pipe_[2], status_;                                         \
		pid_t pid_;                                                    \
                                                                               \
		fflush(NULL);                                                  \
		cr_assert_eq(pipe(pipe_), 0);                                  \
		pid_ = fork();                                                 \
		cr_assert_geq(pid_, 0);                                        \
		if (pid_ == 0) {                                               \
			signal(SIGABRT, SIG_DFL);                              \
			dup2(pipe_[1], STDERR_FILENO);                         \
			__VA_ARGS__;                                           \
			_exit(0);                                              \
		}                                                              \
		close(pipe_[1]);                                               \
		status_ =                                                      \
			expect_bug_end(pipe_[0], pid_, said_, sizeof(said_));  \
		cr_expect(WIFSIGNALED(status_) &&                              \
				  WTERMSIG(status_) == SIGABRT,                \
			  "it does not abort: %d: %s", status_, said_);        \
		cr_expect(strstr(said_, "bug at ") != NULL &&                  \
				  strstr(said_, sentence "\n") != NULL,        \
			  "expected `%s`, found: %s", sentence, said_);        \
	} while (0)

#endif
