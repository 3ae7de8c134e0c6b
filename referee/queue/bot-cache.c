/* referee/queue/bot-cache.c - see bot-cache.h. */
#include "referee/queue/bot-cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "referee/base/thread.h"
#include "referee/import/files.h"
#include "referee/queue/bot-keep.h"

#define NO_ROOM "this machine's disk has no room for it"

struct bot_cache {
	/* Removes discarded bots in a thread, as a large bot takes seconds. */
	struct thread_task sweep; /* first */
	struct thread *sweeper;	  /* NULL: none was needed */
	bool sweeping, again;
	struct loop *loop;
	struct bot_cache_setup setup;
	const struct bot_cache_calls *calls;
	void *arg;
	struct cached *bots;
	uint64_t clock; /* counts up when a last user leaves */
	/* The bot that is being fetched or built; NULL: none. */
	struct cached *coming;
	bool fetching; /* an answer of fetch() is due */
	int pack;      /* a file in memory with its bytes so far */
	uint64_t got;
	struct subprocess *process; /* builds it; NULL: none */
};

static void begin_next(struct bot_cache *cache);

/* ---- what is here ----------------------------------------------------- */

static struct cached *
find(const struct bot_cache *cache, const char *hash)
{
	struct cached *bot = cache->bots;

	while (bot != NULL && strcmp(bot->hash, hash) != 0)
		bot = bot->next;
	return bot;
}

static struct cached *
add(struct bot_cache *cache, const char *hash)
{
	struct cached *bot = zeroed(1, sizeof(*bot));

	snprintf(bot->hash, sizeof(bot->hash), "%s", hash);
	LIST_PUT(cache->bots, bot);
	return bot;
}

static void
forget_folder(struct cached *bot)
{
	bot_folder_free((struct bot_folder *)(uintptr_t)bot->folder);
	free((char *)(uintptr_t)bot->home);
	bot->folder = NULL;
	bot->home = NULL;
}

static void
cached_free(struct cached *bot)
{
	LIST_CUT(bot);
	forget_folder(bot);
	free(bot);
}

/* Reads the size of a bot from its note.  Returns false if it has none, so the
 * folder is not ours. */
static bool
read_bytes(const struct bot_cache *cache, const char *hash, uint64_t *bytes)
{
	char path[IMPORT_PATH_BYTES], digits[32];

	import_path(cache->setup.data, hash, BOT_KEEP_BYTES_FILE, path);
	if (file_peek(digits, sizeof(digits), "%s", path) <= 0)
		return false;
	*bytes = strtoull(digits, NULL, 10);
	return true;
}

/* Reads the bot's folder, which is there.  Returns 0, or -1 and an error. */
static int
open_folder(const struct bot_cache *cache, struct cached *bot,
	    struct error *why)
{
	char path[IMPORT_PATH_BYTES];

	import_path(cache->setup.data, bot->hash, "bot", path);
	bot->folder = bot_folder_read(path, why);
	if (bot->folder == NULL)
		return -1;
	bot->home = realpath(path, NULL);
	if (bot->home == NULL)
		path_error(why, ERROR_MACHINE, "find", path);
	if (bot->home != NULL &&
	    bot_folder_ready(bot->folder, cache->setup.tier, why))
		return 0;
	forget_folder(bot);
	return -1;
}

static void
discard(struct bot_cache *cache, struct cached *bot)
{
	import_drop(cache->setup.data, bot->hash);
	cached_free(bot);
}

/* Returns the unused bot that has not played for longest, or NULL. */
static struct cached *
oldest(const struct bot_cache *cache)
{
	struct cached *bot, *best = NULL;

	for (bot = cache->bots; bot != NULL; bot = bot->next)
		if (bot->state == CACHED_READY && bot->users == 0 &&
		    (best == NULL || bot->used < best->used))
			best = bot;
	return best;
}

static uint64_t
sum(const struct bot_cache *cache)
{
	const struct cached *bot;
	uint64_t bytes = 0;

	for (bot = cache->bots; bot != NULL; bot = bot->next)
		if (bot->state == CACHED_READY)
			bytes += bot->bytes;
	return bytes;
}

/* ---- room ------------------------------------------------------------- */

static void begin_coming(struct bot_cache *cache);

static void
do_sweep(struct thread_task *job)
{
	incoming_sweep(((struct bot_cache *)job)->setup.data);
}

/* Sweeps once more if a bot was discarded meanwhile. */
static void
on_swept(struct thread_task *job, bool read)
{
	struct bot_cache *cache = (struct bot_cache *)job;

	cache->sweeping = read && cache->again;
	cache->again = false;
	if (cache->sweeping)
		thread_ask(cache->sweeper, &cache->sweep);
	else if (read && cache->coming != NULL && cache->pack < 0 &&
		 cache->process == NULL)
		begin_coming(cache);
}

/* Starts the thread with the first sweep.  All that forks has done so by then. */
static void
sweep(struct bot_cache *cache)
{
	if (cache->sweeper == NULL)
		cache->sweeper = thread_new(cache->loop);
	if (cache->sweeper == NULL) {
		incoming_sweep(cache->setup.data);
		return;
	}
	cache->again = cache->sweeping;
	if (cache->sweeping)
		return;
	cache->sweeping = true;
	cache->sweep.read = do_sweep;
	cache->sweep.done = on_swept;
	thread_ask(cache->sweeper, &cache->sweep);
}

enum room {
	ROOM_IS,
	ROOM_COMES, /* on_swept() continues */
	ROOM_NONE,
};

/* Discards bots until there is room for one more. */
static enum room
make_room(struct bot_cache *cache)
{
	struct cached *bot;
	bool full;

	for (;;) {
		full = sum(cache) > cache->setup.bytes;
		if (!full && import_has_room(cache->setup.data))
			return ROOM_IS;
		if (!full && cache->sweeping)
			return ROOM_COMES;
		bot = oldest(cache);
		if (bot == NULL)
			return ROOM_NONE;
		discard(cache, bot);
		sweep(cache);
	}
}

/* ---- one comes -------------------------------------------------------- */

static void
close_pack(struct bot_cache *cache)
{
	close_quietly(cache->pack);
	cache->pack = -1;
	cache->got = 0;
}

/* Ends the taking in of a bot.  It is ready if `why` is NULL; else it has
 * failed, by the machine's fault if `machine` is true. */
static void
end_coming(struct bot_cache *cache, const char *why, bool machine)
{
	struct cached *bot = cache->coming;
	struct error error;

	close_pack(cache);
	cache->coming = NULL;
	if (why == NULL && open_folder(cache, bot, &error) < 0)
		why = error.text;
	if (why == NULL) {
		bot->state = CACHED_READY;
		(void)read_bytes(cache, bot->hash, &bot->bytes);
	} else {
		bot->state = CACHED_FAILED;
		bot->machine = machine;
		bot->until_us = clock_us() + BOT_AGAIN_MS * UINT64_C(1000);
		snprintf(bot->why, sizeof(bot->why), "%s", why);
	}
	cache->calls->changed(cache->arg, bot);
	begin_next(cache);
}

/* The exit code of the process is the kind of its error. */
static bool
is_machine(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == ERROR_MACHINE;
}

static void
on_end(void *arg, struct subprocess_end *end)
{
	struct bot_cache *cache = arg;

	cache->process = NULL;
	if (end->how == SUBPROCESS_LATE)
		end_coming(cache, "it took too long to build", false);
	else if (end->output.used > 0)
		end_coming(cache, text_string(&end->output),
			   is_machine(end->status));
	else if (WIFSIGNALED(end->status))
		end_coming(cache, "what takes it in was killed", false);
	else
		end_coming(cache, NULL, true); /* `why` NULL: open_folder()
					        * finds out */
}

static void
begin_process(struct bot_cache *cache)
{
	const struct bot_cache_setup *setup = &cache->setup;
	struct error why;

	(void)!lseek(cache->pack, 0, SEEK_SET);
	cache->process =
		bot_keep_start(setup->data, cache->coming->hash, setup->want,
			       setup->minimum, cache->pack);
	if (cache->process == NULL) {
		error_set(&why, ERROR_MACHINE,
			  "cannot start the process that builds it: %m");
		end_coming(cache, why.text, true);
		return;
	}
	subprocess_watch(cache->process, cache->loop, on_end, cache);
}

static void
fetch(struct bot_cache *cache)
{
	cache->fetching = true;
	cache->calls->fetch(cache->arg, cache->coming->hash, cache->got);
}

void
bot_cache_piece(struct bot_cache *cache, uint64_t size, const char *bytes,
		size_t n)
{
	cache->fetching = false;
	if (size > BOT_PACK_BYTES || n > size - cache->got ||
	    (n == 0 && cache->got < size)) {
		end_coming(cache,
			   "its archive is not one that a referee has "
			   "made",
			   false);
		return;
	}
	if (file_write(cache->pack, bytes, n) < 0) {
		end_coming(cache, "this machine has no memory for it", true);
		return;
	}
	cache->got += n;
	if (cache->got < size)
		fetch(cache);
	else
		begin_process(cache);
}

void
bot_cache_unfetched(struct bot_cache *cache, const char *why)
{
	cache->fetching = false;
	if (why != NULL)
		end_coming(cache, why, false);
}

void
bot_cache_again(struct bot_cache *cache)
{
	if (cache->coming != NULL && cache->pack >= 0 && !cache->fetching &&
	    cache->process == NULL)
		fetch(cache);
}

/* Begins with the next bot that is wanted. */
static void
begin_next(struct bot_cache *cache)
{
	struct cached *bot = cache->bots;

	if (cache->coming != NULL)
		return;
	while (bot != NULL && bot->state != CACHED_WANTED)
		bot = bot->next;
	if (bot == NULL)
		return;
	cache->coming = bot;
	begin_coming(cache);
}

static void
begin_coming(struct bot_cache *cache)
{
	switch (make_room(cache)) {
	case ROOM_IS:
		break;
	case ROOM_COMES:
		return;
	case ROOM_NONE:
		end_coming(cache, NO_ROOM, true);
		return;
	}
	cache->pack = memfd_create("bot", MFD_CLOEXEC);
	if (cache->pack < 0)
		end_coming(cache, "this machine has no memory for it", true);
	else
		fetch(cache);
}

/* ---- use -------------------------------------------------------------- */

struct cached *
bot_cache_want(struct bot_cache *cache, const char *hash)
{
	struct cached *bot = find(cache, hash);

	if (bot == NULL)
		bot = add(cache, hash);
	bot->users++;
	if (bot->state == CACHED_FAILED && bot->folder == NULL &&
	    clock_us() >= bot->until_us)
		bot->state = CACHED_WANTED;
	if (bot->state == CACHED_WANTED)
		begin_next(cache);
	return bot;
}

void
bot_cache_leave(struct bot_cache *cache, struct cached *bot)
{
	if (--bot->users > 0 || bot == cache->coming)
		return;
	bot->used = ++cache->clock;
	if (bot->state == CACHED_FAILED && bot->folder != NULL)
		discard(cache, bot);
	else if (bot->state != CACHED_READY &&
		 !(bot->state == CACHED_FAILED && clock_us() < bot->until_us))
		cached_free(bot);
}

/* Leaves the folder open for its other users. */
bool
bot_cache_holds(struct bot_cache *cache, struct cached *bot)
{
	char path[IMPORT_PATH_BYTES];
	struct error error;
	uint64_t bytes;

	if (bot->state != CACHED_READY)
		return false;
	import_path(cache->setup.data, bot->hash, "", path);
	if (bot_keep_sum(path, &bytes, &error) == 0 && bytes >= bot->bytes)
		return true;
	bot->state = CACHED_FAILED;
	bot->machine = true;
	snprintf(bot->why, sizeof(bot->why), "files of it are gone from %s",
		 quoted(path).text);
	cache->calls->changed(cache->arg, bot);
	return false;
}

/* ---- life ------------------------------------------------------------- */

/* Adds the bots that an earlier process has left.  A folder without a note of
 * its size may be a daemon's. */
static int
look_around(struct bot_cache *cache, struct error *why)
{
	char below[IMPORT_PATH_BYTES];
	const struct dirent *entry;
	struct cached *bot;
	uint64_t bytes;
	DIR *dir;
	int result = 0;

	import_path(cache->setup.data, "", "", below);
	dir = opendir(below);
	while (dir != NULL && result == 0 && (entry = readdir(dir)) != NULL) {
		if (strlen(entry->d_name) != ROSTER_CONTENT_BYTES)
			continue;
		if (!read_bytes(cache, entry->d_name, &bytes)) {
			result =
				error_set(why, ERROR_INPUT,
					  "%s%s was not put there by a worker; "
					  "give a folder of its own with "
					  "--data",
					  below, entry->d_name);
			break;
		}
		bot = add(cache, entry->d_name);
		bot->bytes = bytes;
		if (open_folder(cache, bot, why) < 0)
			discard(cache, bot);
		else
			bot->state = CACHED_READY;
	}
	if (dir != NULL)
		closedir(dir);
	return result;
}

struct bot_cache *
bot_cache_new(struct loop *loop, const struct bot_cache_setup *setup,
	      const struct bot_cache_calls *calls, void *arg, struct error *why)
{
	struct bot_cache *cache = zeroed(1, sizeof(*cache));

	cache->loop = loop;
	cache->setup = *setup;
	cache->calls = calls;
	cache->arg = arg;
	cache->pack = -1;
	if (look_around(cache, why) == 0)
		return cache;
	bot_cache_free(cache);
	return NULL;
}

void
bot_cache_free(struct bot_cache *cache)
{
	if (cache == NULL)
		return;
	subprocess_free(cache->process);
	cache->coming = NULL; /* so that no other bot begins */
	thread_free(cache->sweeper);
	close_pack(cache);
	while (cache->bots != NULL)
		cached_free(cache->bots);
	free(cache);
}
