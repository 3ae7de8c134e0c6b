/* referee/serve/seals.h - whether the folders of bots are still what came, with
 * each folder read once.
 *
 * A bot may have a gigabyte, which takes seconds to read: a thread of its own
 * does it, and neither the loop nor pages wait.  A folder that was sound stays so:
 * only this daemon writes there. */
#ifndef REFEREE_SEALS_H
#define REFEREE_SEALS_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/thread.h"

struct seals;

/* `data` is copied.  Has no thread yet: seals_look() reads at once. */
struct seals *seals_new(const char *data) MUST_CHECK;
/* Makes the thread; if there is none to be had, it stays as it was. checked() is
 * called when a folder has been read: call seals_look() for it then. */
void seals_begin(struct seals *seals, struct loop *loop,
		 void (*checked)(void *arg), void *arg);
/* Waits for the folder that is being read; checked() is not called any more. */
void seals_free(struct seals *seals); /* NULL is allowed */
/* Returns the thread, for other tasks with many files, or NULL: there is none.
 * Borrowed. */
struct thread *seals_thread(const struct seals *seals);

/* Returns 1 if DATA/bots/HASH is sound, 0 if it is being read; or -1 and a
 * sentence.  A folder that is not sound is read again for the next call, as the
 * organiser may have mended it. */
int seals_look(struct seals *seals, const char *hash,
	       struct error *why) MUST_CHECK;
/* Takes a folder that was just imported for sound: it was read then. */
void seals_take(struct seals *seals, const char *hash);
/* Forgets the folders that are gone. */
void seals_forget(struct seals *seals);

#endif
