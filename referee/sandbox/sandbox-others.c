/* referee/sandbox/sandbox-others.c - two filters for the same calls. */
#include "referee/sandbox/sandbox-others.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 1			/* the number of a box's first process */
#define WORD 0xffffffffU	/* the bits of an int that the kernel reads */
#define X32_BIT 0x40000000U	/* marks x32 calls on x86-64 */
#define NOT_A_WHICH 0xffffffffU /* the first argument is the process */
#define PROGRAM_MAX 256		/* instructions */
#define LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)

static const struct reach {
	const char *name;
	/* The first argument that makes the second a process; others make it a
	 * group or a user.  Or NOT_A_WHICH. */
	uint32_t process;
} calls[] = {
	{ "prlimit64", NOT_A_WHICH },
	{ "sched_setaffinity", NOT_A_WHICH },
	{ "sched_setscheduler", NOT_A_WHICH },
	{ "sched_setparam", NOT_A_WHICH },
	{ "sched_setattr", NOT_A_WHICH },
	{ "setpriority", PRIO_PROCESS },
	{ "ioprio_set", IOPRIO_WHO_PROCESS },
};

/* ---- in a box ------------------------------------------------------------ */

static int
refuse_one(scmp_filter_ctx filter, const struct reach *call, uint32_t action)
{
	int number = seccomp_syscall_resolve_name(call->name);

	if (number == __NR_SCMP_ERROR)
		return 0;
	if (call->process == NOT_A_WHICH)
		return seccomp_rule_add(
			filter, action, number, 1,
			SCMP_A0(SCMP_CMP_MASKED_EQ, WORD, FIRST));
	return seccomp_rule_add(
		filter, action, number, 2,
		SCMP_A0(SCMP_CMP_MASKED_EQ, WORD, call->process),
		SCMP_A1(SCMP_CMP_MASKED_EQ, WORD, FIRST));
}

int
sandbox_refuse_first(void *filter, uint32_t action)
{
	int result = 0;

	for (size_t i = 0; i < NELEM(calls) && result == 0; i++)
		result = refuse_one(filter, &calls[i], action);
	return result;
}

/* ---- in view of others --------------------------------------------------- */

/* The library cannot express "neither this nor that" for an argument.  It only
 * translates names to numbers here. */
struct program {
	struct sock_filter at[PROGRAM_MAX];
	unsigned short used;
};

static void
put(struct program *program, unsigned code, uint32_t k, unsigned yes,
    unsigned no)
{
	if (program->used == PROGRAM_MAX)
		bug("a filter is too long");
	program->at[program->used++] =
		(struct sock_filter){ (uint16_t)code, (uint8_t)yes, (uint8_t)no,
				      k };
}

static void
load(struct program *program, size_t offset)
{
	put(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void
jump_equal(struct program *program, uint32_t k, unsigned yes, unsigned no)
{
	put(program, BPF_JMP | BPF_JEQ | BPF_K, k, yes, no);
}

static void
finish(struct program *program, uint32_t action)
{
	put(program, BPF_RET | BPF_K, action, 0, 0);
}

static void
load_argument(struct program *program, unsigned i)
{
	load(program, offsetof(struct seccomp_data, args) + 8 * i + LOW);
}

/* Adds the rules of one call.  Its number has been loaded. */
static void
judge_call(struct program *program, uint32_t number, uint32_t process,
	   uint32_t own)
{
	bool has_which = process != NOT_A_WHICH;

	jump_equal(program, number, 0, has_which ? 7 : 5);
	if (has_which) {
		load_argument(program, 0);
		jump_equal(program, process, 0, 3);
	}
	load_argument(program, has_which ? 1 : 0);
	jump_equal(program, 0, 2, 0);
	jump_equal(program, own, 1, 0);
	finish(program, SECCOMP_RET_ERRNO | EPERM);
	finish(program, SECCOMP_RET_ALLOW);
}

/* Adds the calls of one architecture. libseccomp's token is the kernel's value. */
static void
judge_kind(struct program *program, uint32_t token, uint32_t own)
{
	unsigned from;
	int number;

	load(program, offsetof(struct seccomp_data, arch));
	from = program->used;
	jump_equal(program, token, 0, 0);
	load(program, offsetof(struct seccomp_data, nr));
	if (token == AUDIT_ARCH_X86_64)
		put(program, BPF_ALU | BPF_AND | BPF_K, ~X32_BIT, 0, 0);
	for (size_t i = 0; i < NELEM(calls); i++) {
		number =
			seccomp_syscall_resolve_name_arch(token, calls[i].name);
		if (number >= 0)
			judge_call(program, (uint32_t)number, calls[i].process,
				   own);
	}
	finish(program, SECCOMP_RET_ALLOW);
	program->at[from].jf = (uint8_t)(program->used - from - 1);
}

int
sandbox_leave_others(void)
{
	static const struct {
		uint32_t of, beside;
	} companions[] = { { SCMP_ARCH_X86_64, SCMP_ARCH_X86 },
			   { SCMP_ARCH_AARCH64, SCMP_ARCH_ARM } };
	struct program program = { .used = 0 };
	struct sock_fprog all = { .filter = program.at };
	uint32_t native = seccomp_arch_native(), own = (uint32_t)getpid();

	judge_kind(&program, native, own);
	for (size_t i = 0; i < NELEM(companions); i++)
		if (companions[i].of == native)
			judge_kind(&program, companions[i].beside, own);
	finish(&program, SECCOMP_RET_ALLOW);
	all.len = program.used;
	/* Without this flag older kernels turn off speculative execution for a
	 * process with a filter. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_SPEC_ALLOW, &all) == 0 ||
	    errno == ENOSYS || errno == EINVAL)
		return 0;
	return -1;
}
