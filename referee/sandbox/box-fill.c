/* referee/sandbox/box-fill.c - see box-fill.h.  No allocation: this is part of
 * the first process of a box. */
#include "referee/sandbox/box-fill.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/sandbox/sandbox.h"

#define ENTRIES_BYTES 4096

static bool filled;

static int
copy_file(int from, int to, const char *name)
{
	int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int copy = -1, result = -1;
	struct stat st;
	ssize_t n;

	if (source >= 0 && fstat(source, &st) == 0)
		copy = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			      (st.st_mode & 0777) | S_IRUSR | S_IWUSR);
	if (copy >= 0) {
		while ((n = sendfile(copy, source, NULL, 1 << 20)) > 0)
			;
		result = n < 0 ? -1 : 0;
		close(copy);
	}
	if (source >= 0)
		close(source);
	return result;
}

static int copy_all(int from, int to);

/* Both descriptors stay the caller's. */
static int
copy_folder(int from, int to, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int source = openat(from, name, flags), copy = -1, result = -1;

	if (source >= 0 && mkdirat(to, name, 0755) == 0)
		copy = openat(to, name, flags);
	if (copy >= 0) {
		result = copy_all(source, copy);
		close(copy);
	}
	if (source >= 0)
		close(source);
	return result;
}

/* Recursion is safe: a folder that is sent has few levels (BOT_DEPTH). */
static int
copy_all(int from, int to)
{
	char entries[ENTRIES_BYTES] __attribute__((aligned(8)));
	int result = 0;
	long n = 0;

	while (result == 0 && (n = syscall(SYS_getdents64, from, entries,
					   sizeof(entries))) > 0)
		for (long at = 0; at < n && result == 0;) {
			const struct dirent64 *entry = (void *)(entries + at);
			const char *name = entry->d_name;
			struct stat st;

			at += entry->d_reclen;
			if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
				continue;
			if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
				return -1;
			result = S_ISDIR(st.st_mode)
					 ? copy_folder(from, to, name)
					 : copy_file(from, to, name);
		}
	return n < 0 ? -1 : result;
}

static int
send_folder(int socket, int folder)
{
	_Alignas(8) char control[CMSG_SPACE(sizeof(folder))] = { 0 };
	char byte = 0;
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(folder));
	memcpy(CMSG_DATA(rights), &folder, sizeof(folder));
	return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int
box_fill(int in)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int from = open(SANDBOX_SENT, flags), to = open(SANDBOX_FOLDER, flags);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (from < 0 || to < 0 || null < 0 || copy_all(from, to) < 0 ||
	    send_folder(in, to) < 0 || dup3(null, in, O_CLOEXEC) < 0)
		return -1;
	close(null);
	close(from);
	close(to);
	filled = true;
	return 0;
}

uint64_t
box_filled(void)
{
	struct statvfs fs;

	if (!filled || statvfs(SANDBOX_FOLDER, &fs) < 0)
		return 0;
	return (uint64_t)(fs.f_blocks - fs.f_bfree) * fs.f_frsize;
}
