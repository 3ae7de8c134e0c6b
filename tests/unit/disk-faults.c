/* tests/unit/disk-faults.c - see disk-faults.h.  The linker's --wrap brings the
 * calls here. */
#include "tests/unit/disk-faults.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

atomic_bool disk_does_not_sync;
_Atomic(const char *) disk_keeps;

int __wrap_fsync(int fd);
int __real_fsync(int fd);
int __wrap_unlinkat(int dir, const char *name, int flags);
int __real_unlinkat(int dir, const char *name, int flags);

int
__wrap_fsync(int fd)
{
	if (!disk_does_not_sync)
		return __real_fsync(fd);
	errno = EIO;
	return -1;
}

int
__wrap_unlinkat(int dir, const char *name, int flags)
{
	const char *keeps = disk_keeps;

	if (keeps == NULL || strncmp(name, keeps, strlen(keeps)) != 0)
		return __real_unlinkat(dir, name, flags);
	errno = EIO;
	return -1;
}
