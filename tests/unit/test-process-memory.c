/* tests/unit/test-process-memory.c - how much memory a process has. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/sandbox/process-memory.h"

#define TAKEN_MIB 24u

Test(process_memory, all_of_a_process_counts)
{
	struct rlimit old;
	struct memory_sum all = { 0 }, fair = { 0 }, gone = { 0 };
	char name[16], byte;
	int ready[2];
	void *taken;
	pid_t pid;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		taken = mmap(NULL, TAKEN_MIB << 20, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (taken == MAP_FAILED)
			_exit(1);
		memset(taken, 1, TAKEN_MIB << 20);
		/* Read-only pages do not count as data, but still use memory. */
		if (mprotect(taken, TAKEN_MIB << 20, PROT_READ) < 0 ||
		    write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	cr_assert_gt(pid, 0);
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	snprintf(name, sizeof(name), "%d", (int)pid);
	cr_expect(process_memory(name, false, &all));
	cr_expect_geq(all.kib, TAKEN_MIB << 10);
	cr_expect(process_memory(name, true, &fair));
	cr_expect_geq(fair.kib, TAKEN_MIB << 10);
	cr_expect_leq(fair.kib, all.kib, "what is shared counts by its part");
	/* A process that cannot look says so. */
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
	cr_assert_eq(prlimit(0, RLIMIT_NOFILE,
			     &(struct rlimit){ 0, old.rlim_max }, NULL),
		     0);
	cr_expect_not(process_memory(name, false, &gone));
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &old), 0);
	kill(pid, SIGKILL);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	cr_expect(process_memory(name, false, &gone));
	cr_expect_eq(gone.kib, 0u);
}

Test(process_memory, what_a_walk_did_not_meet_counts_in_full)
{
	/* Half of what it met is shared by two. */
	static const char rollup[] =
		"0 [rollup]\nPss_Anon:    150 kB\nAnonymous:    200 kB\n"
		"Swap:    40 kB\nSwapPss:    30 kB\n";
	static const struct {
		unsigned anonymous, swap, fair;
	} cases[] = {
		{ 200, 40, 180 },
		{ 199, 40, 180 },
		{ 1200, 40, 1180 },
		{ 200, 140, 280 },
		/* Swap of files counts elsewhere, and hides none of its own. */
		{ 1200, 30, 1180 },
	};
	char status[128];

	for (size_t i = 0; i < NELEM(cases); i++) {
		snprintf(status, sizeof(status),
			 "Name:\tx\nRssAnon:\t%u kB\nVmSwap:\t%u kB\n",
			 cases[i].anonymous, cases[i].swap);
		cr_expect_eq(memory_fair_kib(status, rollup), cases[i].fair,
			     "case %zu", i);
	}
}

/* Runs in a fork: shares its memory with a child. */
static _Noreturn void
share(int ready)
{
	const size_t bytes = TAKEN_MIB << 20;
	char *taken = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (taken == MAP_FAILED)
		_exit(1);
	memset(taken, 1, bytes);
	pid = fork();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pid < 0 ||
	    (pid > 0 && write(ready, &pid, sizeof(pid)) != sizeof(pid)))
		_exit(1);
	for (;;)
		pause();
}

/* Memory that processes share counts by parts, unless so many files are mapped that to
 * look for it would take long. */
Test(process_memory, what_is_shared_beside_large_files_counts_in_full)
{
	struct memory_sum fair = { 0 },
			  full = { .mapped_kib = MEMORY_WALK_KIB };
	char name[16];
	int ready[2];
	pid_t pid, child;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		share(ready[1]);
	cr_assert_gt(pid, 0);
	close(ready[1]);
	cr_assert_eq(read(ready[0], &child, sizeof(child)), sizeof(child));
	close(ready[0]);
	snprintf(name, sizeof(name), "%d", (int)pid);
	cr_expect(process_memory(name, true, &fair));
	cr_expect_gt(fair.mapped_kib, 0u);
	cr_expect(process_memory(name, true, &full));
	cr_expect_geq(full.kib, fair.kib + (TAKEN_MIB << 9));
	kill(child, SIGKILL);
	kill(pid, SIGKILL);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
}

/* Runs in a fork: tells of a process that does not come to its exec, and waits
 * for it. */
static _Noreturn void
stay_before_exec(int ready)
{
	void *taken = mmap(NULL, TAKEN_MIB << 20, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (taken == MAP_FAILED)
		_exit(1);
	memset(taken, 1, TAKEN_MIB << 20);
	pid = vfork();
	if (pid == 0) {
		pid = (pid_t)syscall(SYS_getpid);
		if (write(ready, &pid, sizeof(pid)) == sizeof(pid))
			pause();
	}
	_exit(1);
}

/* A processor for the exec may be long in coming. */
Test(process_memory, a_process_before_its_exec_counts_once)
{
	struct memory_sum all = { 0 }, before = { 0 };
	char name[16];
	int ready[2];
	pid_t pid, young;

	if (syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0) != 0)
		cr_skip_test("this kernel does not compare processes");
	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		stay_before_exec(ready[1]);
	cr_assert_gt(pid, 0);
	close(ready[1]);
	cr_assert_eq(read(ready[0], &young, sizeof(young)), sizeof(young));
	close(ready[0]);
	snprintf(name, sizeof(name), "%d", (int)pid);
	cr_expect(process_memory(name, true, &all));
	cr_expect_geq(all.kib, TAKEN_MIB << 10);
	snprintf(name, sizeof(name), "%d", (int)young);
	cr_expect(process_memory(name, false, &before));
	cr_expect_geq(before.kib, TAKEN_MIB << 10);
	before = (struct memory_sum){ 0 };
	cr_expect(process_memory(name, true, &before));
	cr_expect_eq(before.kib, 0u);
	kill(young, SIGKILL);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
}
