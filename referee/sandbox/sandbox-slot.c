/* referee/sandbox/sandbox-slot.c - see sandbox-slot.h; locks of open file
 * descriptions, fcntl(2). */
#include "referee/sandbox/sandbox-slot.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Returns the file of locks; -1 if there is none and we need none. */
static int
file(void)
{
	static int fd = -2;

	if (fd == -2)
		fd = geteuid() != 0
			     ? -1
			     : open(SANDBOX_SLOT_FILE,
				    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
				    0600);
	return fd;
}

static bool
set_lock(unsigned slot, short type)
{
	struct flock lock = { .l_type = type,
			      .l_whence = SEEK_SET,
			      .l_start = (off_t)slot,
			      .l_len = 1 };

	/* Only a lock of another process refuses; all other errors are passed
	 * over. */
	return file() < 0 || fcntl(file(), F_OFD_SETLK, &lock) == 0 ||
	       (errno != EAGAIN && errno != EACCES);
}

bool
sandbox_slot_lock(unsigned slot)
{
	return set_lock(slot, F_WRLCK);
}

void
sandbox_slot_unlock(unsigned slot)
{
	(void)set_lock(slot, F_UNLCK);
}
