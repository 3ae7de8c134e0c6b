/* ladder/roster-key.c - reads the key beside a roster, or makes it.
 *
 * The key is whole or not there, because it is written under another name and
 * then renamed.  An organiser who has lost a roster's key has lost all tokens,
 * and must be told so.  So nothing here makes a second key for a roster that is
 * there. */
#include "ladder/roster-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"

static int
complain(const struct roster *roster, const char *what, struct error *why)
{
	return error_set(why, path_kind(errno), "cannot %s %s: %m", what,
			 roster->key_path);
}

static int
make_key(struct roster *roster, struct error *why)
{
	randombytes_buf(roster->key, ROSTER_KEY_BYTES);
	if (file_replace(roster->key_path, ".new", 0600, roster->key,
			 ROSTER_KEY_BYTES) == 0)
		return 0;
	return complain(roster, "make", why);
}

static int
check_kind(const struct roster *roster, int fd, struct error *why)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return complain(roster, "look at", why);
	if (!S_ISREG(st.st_mode) || st.st_size != ROSTER_KEY_BYTES)
		return error_set(why, ERROR_INPUT,
				 "%s is not a key: expected a file of %d bytes",
				 roster->key_path, ROSTER_KEY_BYTES);
	if ((st.st_mode & 077) != 0)
		return error_set(why, ERROR_INPUT,
				 "other users may open %s: expected mode 0600, "
				 "found %04o",
				 roster->key_path, st.st_mode & 07777);
	return 0;
}

int
roster_key_read(struct roster *roster, bool may_make, struct error *why)
{
	int result, fd = open(roster->key_path,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd == -1 && errno == ENOENT && may_make)
		return make_key(roster, why);
	if (fd == -1 && errno == ENOENT)
		return error_set(why, ERROR_INPUT,
				 "%s is missing: it is the key of %s, and "
				 "without it no token works",
				 roster->key_path, roster->path);
	if (fd == -1)
		return complain(roster, "open", why);
	result = check_kind(roster, fd, why);
	errno = EIO; /* the file is too short, unless read() sets another errno */
	if (result == 0 &&
	    read(fd, roster->key, ROSTER_KEY_BYTES) != ROSTER_KEY_BYTES)
		result = complain(roster, "read", why);
	close(fd);
	return result;
}
