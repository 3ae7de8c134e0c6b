/* referee/sandbox/spawner-domain.c - Landlock by its system calls.
 *
 * Neither the C library nor the headers of older machines know them, so the
 * few numbers that we need stand here.  They are part of the kernel's interface
 * and the same on every architecture but alpha. */
#include "referee/sandbox/spawner-domain.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define CREATE_VERSION 1u
#define RULE_BENEATH 1
#define ABI_REFER 2 /* the first version with FS_REFER */
#define FS_MAKE_BLOCK ((uint64_t)1 << 11)
#define FS_REFER ((uint64_t)1 << 13)
#define ALL_FS(n) (((uint64_t)1 << (n)) - 1)
/* Execute, read files, read folders. */
#define FS_READ ((uint64_t)1 << 0 | (uint64_t)1 << 2 | (uint64_t)1 << 3)
/* Execute, write, read, truncate, ioctl of devices. */
#define FS_OF_FILES                                                            \
	((uint64_t)1 << 0 | (uint64_t)1 << 1 | (uint64_t)1 << 2 |              \
	 (uint64_t)1 << 14 | (uint64_t)1 << 15)
#define SCOPE_ABSTRACT_SOCKETS ((uint64_t)1 << 0)
#define SCOPE_SIGNALS ((uint64_t)1 << 1)

struct ruleset {
	uint64_t fs;	 /* rights that only a rule can give back */
	uint64_t net;	 /* since version 4 */
	uint64_t scopes; /* since version 6 */
};

struct beneath {
	uint64_t rights;
	int32_t folder;
} __attribute__((packed));

int
domain_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0,
			   CREATE_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

static int
create(const struct ruleset *rules, size_t bytes)
{
	return (int)syscall(SYS_landlock_create_ruleset, rules, bytes, 0u);
}

/* Adds a rule and closes its folder. */
static int
add_rule(int fd, const struct beneath *rule)
{
	long done = syscall(SYS_landlock_add_rule, fd, RULE_BENEATH, rule, 0u);
	int error = errno;

	close(rule->folder);
	errno = error;
	return done < 0 ? -1 : 0;
}

/* Allows everywhere what the ruleset handles. */
static int
allow_everywhere(int fd, uint64_t rights)
{
	const struct beneath rule = { .rights = rights,
				      .folder = open("/", O_PATH | O_CLOEXEC) };

	return rule.folder < 0 ? -1 : add_rule(fd, &rule);
}

int
domain_open(int abi)
{
	struct ruleset rules = { .fs = 0 };
	int fd, error;

	if (abi >= DOMAIN_ABI_SCOPES) {
		rules.scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
		return create(&rules, sizeof(rules));
	}
	/* A ruleset must handle some right.  FS_REFER is handled by each
	 * ruleset for files, asked for or not. */
	rules.fs = abi >= ABI_REFER ? FS_REFER : FS_MAKE_BLOCK;
	fd = create(&rules, offsetof(struct ruleset, net));
	if (fd < 0 || allow_everywhere(fd, rules.fs) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Returns all file rights of version `abi`. */
static uint64_t
all_rights(int abi)
{
	static const uint64_t upto[] = {
		0, ALL_FS(13), ALL_FS(14), ALL_FS(15), ALL_FS(15), ALL_FS(16),
	};

	return upto[abi < (int)NELEM(upto) ? abi : (int)NELEM(upto) - 1];
}

int
domain_open_files(int abi)
{
	struct ruleset rules = { .fs = all_rights(abi) };

	if (abi >= DOMAIN_ABI_SCOPES) {
		rules.scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
		return create(&rules, sizeof(rules));
	}
	return create(&rules, offsetof(struct ruleset, net));
}

int
domain_allow(int fd, const char *path, bool change)
{
	struct beneath rule = { .rights = FS_READ };
	struct stat st;

	rule.folder = open(path, O_PATH | O_CLOEXEC);
	if (rule.folder < 0)
		return -1;
	if (change)
		rule.rights = all_rights(domain_abi());
	/* Files take fewer rights than folders. */
	if (fstat(rule.folder, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.rights &= FS_OF_FILES;
	return add_rule(fd, &rule);
}

int
domain_enter(int fd)
{
	return syscall(SYS_landlock_restrict_self, fd, 0u) < 0 ? -1 : 0;
}

int
domain_close(void)
{
	/* Covers the call numbers of all architectures that the box's filter
	 * allows. */
	static struct sock_filter at[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_landlock_create_ruleset,
			 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_landlock_restrict_self,
			 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = { .filter = at, .len = NELEM(at) };

	/* Without this flag older kernels turn off speculative execution for a
	 * process with a filter. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_SPEC_ALLOW, &all) == 0 ||
	    errno == ENOSYS || errno == EINVAL)
		return 0;
	return -1;
}
