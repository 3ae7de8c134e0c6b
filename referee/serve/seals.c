/* referee/serve/seals.c - see seals.h. */
#include "referee/serve/seals.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/import/files.h"

struct seal {
	struct thread_task task; /* first: the thread gives it back */
	struct seal *next, **prev;
	struct seals *seals;
	char hash[ROSTER_CONTENT_BYTES + 1];
	bool asked; /* the thread has it */
	bool sound;
	int result; /* the thread's */
	struct error why;
};

struct seals {
	struct thread *thread; /* NULL: none yet, or none to be had */
	struct seal *first;
	void (*checked)(void *arg);
	void *arg;
	bool closing;
	char *data; /* owned */
};

static void
drop(struct seal *seal)
{
	LIST_CUT(seal);
	free(seal);
}

static void
do_check(struct thread_task *task)
{
	struct seal *seal = (struct seal *)task;

	seal->result =
		import_check_seal(seal->seals->data, seal->hash, &seal->why);
}

static void
on_checked(struct thread_task *task, bool read)
{
	struct seal *seal = (struct seal *)task;
	const struct seals *seals = seal->seals;

	bool keep;

	seal->asked = false;
	/* It may have been imported again since it was asked for. */
	keep = seal->sound |= read && seal->result == 0;
	/* A sound one may be forgotten meanwhile. */
	if (!seals->closing)
		seals->checked(seals->arg);
	if (!keep)
		drop(seal);
}

/* Returns what is known of the folder, or NULL. */
static struct seal *
find(const struct seals *seals, const char *hash)
{
	struct seal *seal = seals->first;

	while (seal != NULL && strcmp(seal->hash, hash) != 0)
		seal = seal->next;
	return seal;
}

static struct seal *
add(struct seals *seals, const char *hash, bool sound)
{
	struct seal *seal = zeroed(1, sizeof(*seal));

	seal->task.read = do_check;
	seal->task.done = on_checked;
	seal->seals = seals;
	seal->sound = sound;
	snprintf(seal->hash, sizeof(seal->hash), "%s", hash);
	LIST_PUT(seals->first, seal);
	return seal;
}

int
seals_look(struct seals *seals, const char *hash, struct error *why)
{
	struct seal *seal = find(seals, hash);

	if (seal == NULL && seals->thread == NULL) {
		if (import_check_seal(seals->data, hash, why) < 0)
			return -1;
		seal = add(seals, hash, true);
	} else if (seal == NULL) {
		seal = add(seals, hash, false);
		seal->asked = true;
		thread_ask(seals->thread, &seal->task);
	}
	if (seal->sound || seal->asked)
		return seal->sound;
	*why = seal->why;
	return -1;
}

void
seals_take(struct seals *seals, const char *hash)
{
	struct seal *seal = find(seals, hash);

	if (seal == NULL)
		add(seals, hash, true);
	else
		seal->sound = true;
}

void
seals_forget(struct seals *seals)
{
	char path[IMPORT_PATH_BYTES];
	struct seal *seal, *next;

	for (seal = seals->first; seal != NULL; seal = next) {
		next = seal->next;
		import_path(seals->data, seal->hash, "", path);
		if (seal->sound && !seal->asked && access(path, F_OK) < 0)
			drop(seal);
	}
}

struct seals *
seals_new(const char *data)
{
	struct seals *seals = zeroed(1, sizeof(*seals));

	seals->data = copied(data);
	return seals;
}

void
seals_begin(struct seals *seals, struct loop *loop, void (*checked)(void *arg),
	    void *arg)
{
	seals->checked = checked;
	seals->arg = arg;
	seals->thread = thread_new(loop);
}

struct thread *
seals_thread(const struct seals *seals)
{
	return seals->thread;
}

void
seals_free(struct seals *seals)
{
	if (seals == NULL)
		return;
	seals->closing = true;
	thread_free(seals->thread);
	while (seals->first != NULL)
		drop(seals->first);
	free(seals->data);
	free(seals);
}
