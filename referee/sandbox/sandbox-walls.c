/* referee/sandbox/sandbox-walls.c - sets limits, Landlock and the filter, in
 * this order: each takes away what setting the one before needs. */
#include "referee/sandbox/sandbox-walls.h"

#include <glob.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox-filter.h"
#include "referee/sandbox/sandbox-others.h"
#include "referee/sandbox/spawner-domain.h"

static int
set_limits(const struct sandbox_limits *limits, bool own_user)
{
	/* For an ordinary user these would count his other processes, too. */
	if (own_user && (box_limit(RLIMIT_NPROC, limits->processes) < 0 ||
			 box_limit(RLIMIT_SIGPENDING, BOX_SIGNALS) < 0))
		return -1;
	if (limits->cpu_s > 0 && box_limit(RLIMIT_CPU, limits->cpu_s) < 0)
		return -1;
	box_come_after();
	return box_limit(RLIMIT_CORE, 1) < 0 ||
			       box_limit(RLIMIT_DATA, (rlim_t)limits->memory_mib
							      << 20) < 0 ||
			       box_limit(RLIMIT_FSIZE,
					 (rlim_t)limits->file_mib << 20) < 0 ||
			       box_limit(RLIMIT_NOFILE, limits->descriptors) < 0
		       ? -1
		       : 0;
}

static int
keep_only(unsigned right)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	const uint32_t bit = 1U << right;
	struct __user_cap_data_struct data[2] = { { bit, bit, bit } };

	if (syscall(SYS_capset, &head, data) < 0)
		return -1;
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, right, 0, 0);
}

/* Keeps one of root's capabilities if files are closed to others: the one to
 * read them, in the folders that Landlock allows.  In a container root may have
 * only the one that allows writing, too; Landlock then refuses the writing. */
static int
keep_reading(void)
{
	return keep_only(CAP_DAC_READ_SEARCH) < 0 ? keep_only(CAP_DAC_OVERRIDE)
						  : 0;
}

static int
become(uid_t uid, bool closed)
{
	pid_t parent = getppid();

	if (prctl(PR_SET_KEEPCAPS, closed, 0, 0, 0) < 0 ||
	    setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 ||
	    setresuid(uid, uid, uid) < 0 || (closed && keep_reading() < 0) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -1;
	if (getppid() != parent)
		_exit(127);
	return 0;
}

static int
allow_files(int domain, const struct sandbox_box *box)
{
	/* Programs cope with a missing folder better than with one that they
	 * cannot open. */
	static const char *const folders[] = {
		"/usr",
		"/bin",
		"/sbin",
		"/lib",
		"/lib32",
		"/lib64",
		"/libx32",
		"/proc",
		"/dev/urandom",
		"/dev/random",
		"/etc/ld.so.cache",
		"/etc/alternatives",
		"/etc/localtime",
		"/etc/ssl/openssl.cnf",
		"/etc/java*",
		"/etc/python*",
		"/etc/perl",
	};
	glob_t found;
	char *const *p;

	/* This is a fork: nothing need be freed. */
	for (size_t i = 0; i < NELEM(folders); i++)
		if (glob(folders[i], i == 0 ? 0 : GLOB_APPEND, NULL, &found) ==
		    GLOB_NOSPACE)
			return -1;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (domain_allow(domain, found.gl_pathv[i], false) < 0)
			return -1;
	if (domain_allow(domain, "/dev/null", true) < 0)
		return -1;
	for (p = box->see; p != NULL && *p != NULL; p++)
		if (domain_allow(domain, *p, false) < 0)
			return -1;
	return box->folder == NULL
		       ? 0
		       : domain_allow(domain, box->folder, box->writable);
}

static int
filter_in(bool strict)
{
	struct sock_fprog program;
	const void *filter;
	size_t bytes;

	filter = sandbox_filter(false, strict, &bytes);
	if (filter == NULL)
		return -1;
	program.len = (unsigned short)(bytes / sizeof(struct sock_filter));
	/* The kernel only reads the filter. */
	program.filter = (struct sock_filter *)(uintptr_t)filter;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int
sandbox_wall_in(const struct sandbox_order *order)
{
	const char *folder =
		order->box->folder != NULL ? order->box->folder : order->folder;
	uid_t uid = sandbox_slot_uid(order->slot);
	int domain = domain_open_files(domain_abi());
	size_t bytes;

	/* Make it now: it needs memory, which is limited from here on. */
	if (sandbox_filter(false, order->box->strict, &bytes) == NULL)
		return -1;
	if (domain < 0 || allow_files(domain, order->box) < 0 ||
	    set_limits(&order->box->limits, uid != 0) < 0)
		return -1;
	/* Enter it now: the folder may be closed to the bot's user, who then
	 * stands in it and finds nothing. */
	if (folder != NULL && chdir(folder) < 0)
		return -1;
	if (uid != 0) {
		sandbox_give_pipes(uid, order->fds);
		if (become(uid, !sandbox_is_open_to(uid, order)) < 0)
			return -1;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    domain_enter(domain) < 0 || domain_close() < 0 ||
	    sandbox_leave_others() < 0)
		return -1;
	return filter_in(order->box->strict);
}
