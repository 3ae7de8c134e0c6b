/* referee/serve/hall-prune.c - see hall-prune.h. */
#include "referee/serve/hall-prune.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/store.h"
#include "protocol/prune.h"
#include "protocol/record.h"

#define AGAIN_S 21600 /* six hours */
#define DAY_S 86400

/* ---- one record ------------------------------------------------------- */

static int
write_over(const char *path, const struct text *text)
{
	char temporary[LADDER_PATH_BYTES + 8];
	int fd, error;

	/* Not a half-written record's name: a rebuild would remove it. */
	snprintf(temporary, sizeof(temporary), "%s" HALL_PRUNE_HALF, path);
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return -1;
	if (write_whole(fd, text->bytes, text->used) == 0 &&
	    fdatasync(fd) == 0 && rename(temporary, path) == 0) {
		close(fd);
		return 0;
	}
	error = errno;
	close(fd);
	unlink(temporary);
	errno = error;
	return -1;
}

/* 1: pruned or removed; 0: there was nothing to do; -1 and errno. */
static int
prune_file(const char *path)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char why[RECORD_WHY_BYTES];
	struct record *record;
	struct text text;
	int result = 0;

	if (record_read(path, &record, why) < 0)
		return 0; /* not ours to judge */
	text_init(&text, RECORD_BYTES);
	if (record->aborted != NULL)
		result = unlink(path) == 0 ? 1 : -1;
	else if (!record_pruned(record, hash) &&
		 record_prune(record, &text, why) == 0)
		result = write_over(path, &text) == 0 ? 1 : -1;
	text_release(&text);
	record_free(record);
	return result;
}

/* ---- a folder --------------------------------------------------------- */

static bool
ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), length = strlen(end);

	return n > length && strcmp(name + n - length, end) == 0;
}

static bool
is_due(int dir, const char *name, int64_t until)
{
	struct stat st;

	return ends_in(name, ".rec") &&
	       fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && st.st_mtime < until;
}

int
hall_prune_now(const char *dir, int64_t until, char why[HALL_PRUNE_WHY_BYTES])
{
	char path[LADDER_PATH_BYTES];
	struct dirent *entry;
	DIR *folder = opendir(dir);
	int count = 0, result = 0;

	while (folder != NULL && result >= 0 &&
	       (entry = readdir(folder)) != NULL) {
		/* We were killed, for nobody else makes them. */
		if (ends_in(entry->d_name, ".rec" HALL_PRUNE_HALF))
			(void)!unlinkat(dirfd(folder), entry->d_name, 0);
		if (!is_due(dirfd(folder), entry->d_name, until) ||
		    (size_t)snprintf(path, sizeof(path), "%s/%s", dir,
				     entry->d_name) >= sizeof(path))
			continue;
		result = prune_file(path);
		count += result > 0;
	}
	if (folder == NULL || result < 0) {
		snprintf(why, HALL_PRUNE_WHY_BYTES, "cannot prune %s: %s",
			 folder == NULL ? dir : path, strerror(errno));
		count = -1;
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

/* ---- again and again -------------------------------------------------- */

struct hall_prune {
	char *dir;
	unsigned days;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
};

static void *
work(void *arg)
{
	struct hall_prune *prune = arg;
	char why[HALL_PRUNE_WHY_BYTES];
	struct timespec until;

	pthread_mutex_lock(&prune->lock);
	while (!prune->stop) {
		pthread_mutex_unlock(&prune->lock);
		/* What fails now may do the next time. */
		(void)!hall_prune_now(prune->dir,
				      (int64_t)time(NULL) -
					      (int64_t)prune->days * DAY_S,
				      why);
		pthread_mutex_lock(&prune->lock);
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += AGAIN_S;
		if (!prune->stop)
			pthread_cond_timedwait(&prune->wake, &prune->lock,
					       &until);
	}
	pthread_mutex_unlock(&prune->lock);
	return NULL;
}

struct hall_prune *
hall_prune_new(const char *dir, unsigned days)
{
	struct hall_prune *prune = memory(NULL, sizeof(*prune));
	pthread_condattr_t monotonic;
	sigset_t all, before;
	int error;

	memset(prune, 0, sizeof(*prune));
	prune->dir = strdup(dir);
	prune->days = days;
	pthread_mutex_init(&prune->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&prune->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = prune->dir == NULL
			? ENOMEM
			: pthread_create(&prune->thread, NULL, work, prune);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		return prune;
	pthread_cond_destroy(&prune->wake);
	pthread_mutex_destroy(&prune->lock);
	free(prune->dir);
	free(prune);
	errno = error;
	return NULL;
}

void
hall_prune_free(struct hall_prune *prune)
{
	if (prune == NULL)
		return;
	pthread_mutex_lock(&prune->lock);
	prune->stop = true;
	pthread_cond_signal(&prune->wake);
	pthread_mutex_unlock(&prune->lock);
	pthread_join(prune->thread, NULL);
	pthread_cond_destroy(&prune->wake);
	pthread_mutex_destroy(&prune->lock);
	free(prune->dir);
	free(prune);
}
