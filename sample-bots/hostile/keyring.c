/* keyring.c - leaves a key in the kernel for the next bot of the same user, and
 * looks for those of others.
 *
 * Bound: one key of four bytes, which the kernel drops after a minute. */
#include <linux/keyctl.h>
#include <sys/syscall.h>

#include "hostile.h"

static long
add(long ring)
{
	return syscall(SYS_add_key, "user", "hostile-keyring", "key!",
		       (size_t)4, ring);
}

static void
attack(char **args)
{
	long key = add(KEY_SPEC_USER_KEYRING);

	(void)args;
	hostile_call("a key in the user's ring", key);
	if (key >= 0)
		syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, 60);
	key = add(KEY_SPEC_SESSION_KEYRING);
	hostile_call("a key in the session's ring", key);
	if (key >= 0)
		syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, 60);
	hostile_call("look into the session's ring",
		     syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING,
			     NULL, 0));
	hostile_call("the rings that outlive a login",
		     syscall(SYS_keyctl, KEYCTL_GET_PERSISTENT, -1,
			     KEY_SPEC_PROCESS_KEYRING));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
