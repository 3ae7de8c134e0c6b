/* referee/scheduler/scheduler-running.c - see scheduler-running.h. */
#include "referee/scheduler/scheduler-running.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/message.h"

/* `ID BOT...`, blanks, LF. */
#define RUNNING_BYTES (ID_BYTES + SEATS_MAX * (1 + NAME_BYTES) + 1)

struct running {
	int fd;
	unsigned games;
	char (*id)[ID_BYTES + 1]; /* of each line; "": blanks */
};

static void
tell_line(char *line, running_each *each, void *arg)
{
	const char *bot[SEATS_MAX];
	char *rest, *id = strtok_r(line, " \n", &rest), *word;
	unsigned seats = 0;

	if (id == NULL || strlen(id) != ID_BYTES ||
	    !message_id_ok(id, ID_BYTES))
		return;
	while (seats < SEATS_MAX &&
	       (word = strtok_r(NULL, " \n", &rest)) != NULL &&
	       message_name_ok(word, strlen(word)))
		bot[seats++] = word;
	each(arg, id, bot, seats);
}

static void
tell(int fd, running_each *each, void *arg)
{
	char line[RUNNING_BYTES + 1];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, line, RUNNING_BYTES, at)) == RUNNING_BYTES) {
		line[n] = '\0';
		tell_line(line, each, arg);
		at += n;
	}
}

static int
write_line(const struct running *running, unsigned i, const char *text)
{
	char line[RUNNING_BYTES + 1];
	ssize_t n;

	snprintf(line, sizeof(line), "%-*s\n", RUNNING_BYTES - 1, text);
	n = pwrite(running->fd, line, RUNNING_BYTES, (off_t)i * RUNNING_BYTES);
	if (n >= 0 && n < RUNNING_BYTES)
		errno = ENOSPC;
	return n == RUNNING_BYTES ? 0 : -1;
}

/* All lines, so that later ones need no more room. */
static int
begin_again(const struct running *running)
{
	unsigned i;

	if (ftruncate(running->fd, 0) < 0)
		return -1;
	for (i = 0; i < running->games; i++)
		if (write_line(running, i, "") < 0)
			return -1;
	return 0;
}

struct running *
running_open(const char *path, unsigned games, running_each *each, void *arg)
{
	struct running *running = memory(NULL, sizeof(*running));
	int error;

	running->games = games;
	running->id = memory(NULL, games * sizeof(*running->id));
	memset(running->id, 0, games * sizeof(*running->id));
	running->fd =
		open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (running->fd >= 0) {
		tell(running->fd, each, arg);
		if (begin_again(running) == 0)
			return running;
	}
	error = errno;
	if (running->fd >= 0)
		unlink(path);
	running_close(running);
	errno = error;
	return NULL;
}

void
running_close(struct running *running)
{
	if (running == NULL)
		return;
	if (running->fd >= 0)
		close(running->fd);
	free(running->id);
	free(running);
}

/* The line of this game, or of none with "". */
static unsigned
find(const struct running *running, const char *id)
{
	unsigned i = 0;

	while (i < running->games && strcmp(running->id[i], id) != 0)
		i++;
	return i;
}

/* More games may run since a reload than had room at the start. */
static void
add_line(struct running *running)
{
	const unsigned i = running->games++;

	running->id =
		memory(running->id, running->games * sizeof(*running->id));
	running->id[i][0] = '\0';
}

void
running_begin(struct running *running, const char *id, const char *const bot[],
	      unsigned seats)
{
	char text[RUNNING_BYTES];
	size_t used;
	unsigned i, s;

	if (running == NULL)
		return;
	i = find(running, "");
	if (i == running->games)
		add_line(running);
	snprintf(running->id[i], sizeof(running->id[i]), "%s", id);
	used = (size_t)snprintf(text, sizeof(text), "%s", id);
	for (s = 0; s < seats; s++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %s", bot[s]);
	/* One that cannot be written will not be told. */
	(void)!write_line(running, i, text);
}

void
running_end(struct running *running, const char *id)
{
	unsigned i;

	if (running == NULL || (i = find(running, id)) == running->games)
		return;
	running->id[i][0] = '\0';
	(void)!write_line(running, i, "");
}
