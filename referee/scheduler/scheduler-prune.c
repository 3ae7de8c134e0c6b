/* referee/scheduler/scheduler-prune.c - see scheduler-prune.h. */
#include "referee/scheduler/scheduler-prune.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/folder.h"
#include "ladder/pack.h"
#include "ladder/store.h"
#include "protocol/asks.h"
#include "protocol/clock.h"
#include "protocol/date.h"
#include "protocol/prune.h"
#include "protocol/record.h"
#include "referee/base/thread.h"

#define AGAIN_US UINT64_C(21600000000) /* six hours */
#define DAY_S 86400
#define PAGE 1000 /* games read at a time */

/* ---- which games are old ---------------------------------------------- */

struct age {
	int64_t serial; /* this game and all before it are old; 0: none is */
	int64_t before; /* the earliest end of the games that are not old: a
			 * game that was not rated is old if it ended before
			 * that */
	uint64_t games; /* number of games that are not old */
	int64_t span_s; /* age of the oldest game that was read */
};

struct walk {
	struct age *age;
	int64_t old_s;
	int64_t later; /* end of the game read before, a later one; -1: unknown */
	int64_t serial; /* of the game read last */
};

/* Takes one game; the latest come first. */
static void
see_game(void *arg, const struct ladder_game *game)
{
	struct walk *walk = arg;
	struct age *age = walk->age;
	int64_t ended = date_read(game->ended), gap = 0;

	walk->serial = game->serial;
	if (age->serial != 0)
		return;
	if (ended >= 0 && walk->later > ended)
		gap = walk->later - ended;
	age->span_s +=
		gap < SCHEDULER_PRUNE_GAP_S ? gap : SCHEDULER_PRUNE_GAP_S;
	if (age->span_s >= walk->old_s) {
		age->serial = game->serial;
		return;
	}
	age->games++;
	if (ended < 0)
		return;
	walk->later = ended;
	if (ended < age->before)
		age->before = ended;
}

static int
walk_back(struct ladder *ladder, struct walk *walk, struct error *why)
{
	int64_t before;
	int result;

	do {
		before = walk->serial;
		result = ladder_latest(ladder, before, PAGE, see_game, walk,
				       why);
	} while (result == 0 && walk->age->serial == 0 &&
		 walk->serial < before);
	return result;
}

/* Reads the file of a ladder, which may be in use.  `old_s` is the age in
 * seconds from which games are old.  Returns 0, or -1 and an error. */
static int
read_age(const char *path, int64_t old_s, struct age *age, struct error *why)
{
	struct walk walk = { age, old_s, -1, INT64_MAX };
	struct ladder *ladder;
	int result = ladder_open(path, LADDER_READ, &ladder, why);

	memset(age, 0, sizeof(*age));
	age->before = INT64_MAX;
	if (result == 0)
		result = walk_back(ladder, &walk, why);
	if (age->serial == 0)
		age->before = INT64_MIN;
	ladder_close(ladder);
	return result;
}

/* ---- one record ------------------------------------------------------- */

static bool
has_ended(const struct record *record, int64_t before)
{
	int64_t ended = date_read(record_header(record, "ended"));

	return ended >= 0 && ended < before;
}

/* Removes the asks of a record.  It is called before the record is removed,
 * because a file of asks without a record would stay for ever.  Returns 0, or
 * -1 and errno. */
static int
remove_asks(const char *path)
{
	char asks[LADDER_PATH_BYTES + 1];

	if (!asks_path(path, asks, sizeof(asks)) || unlink(asks) == 0 ||
	    errno == ENOENT)
		return 0;
	return -1;
}

/* Returns 1 if the record was pruned or removed, 0 if there was nothing to do,
 * or -1 and errno. */
static int
prune_file(const char *path, int64_t before)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct error why;
	struct record *record;
	struct text text = { .max = RECORD_BYTES };
	int result = 0;

	if (record_read(path, &record, &why) < 0)
		return 0; /* leave a file that is no record */
	if (!has_ended(record, before))
		result = 0;
	else if (record->aborted != NULL)
		result = remove_asks(path) == 0 && unlink(path) == 0 ? 1 : -1;
	else if (!record_pruned(record, hash) &&
		 record_prune(record, &text, &why) == 0)
		/* The ending is not that of half-written records, which a
		 * rebuild would remove. */
		result =
			remove_asks(path) == 0 &&
					file_replace(path, SCHEDULER_PRUNE_HALF,
						     0644, text.bytes,
						     text.used) == 0
				? 1
				: -1;
	text_release(&text);
	record_free(record);
	return result;
}

/* ---- a pack ----------------------------------------------------------- */

/* Writes the pruned form of a record that is due; `text` stays empty if the
 * record is kept. */
static void
prune_member(const struct pack_member *member, int64_t before,
	     struct text *text)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct error ignored;
	struct record *record;

	if (record_parse(member->bytes, member->used, &record, &ignored) < 0)
		return;
	if (has_ended(record, before) && !record_pruned(record, hash))
		(void)!record_prune(record, text, &ignored);
	record_free(record);
}

/* Copies the pack `from` to `to` and prunes up to `most` of its records up to
 * `serial`.  Returns how many.  Sets `*more` to true if others are due.
 * Returns 0 for a damaged pack, which loses nothing. */
static unsigned
prune_members(const struct text *from, int64_t before, int64_t serial,
	      unsigned most, struct text *to, bool *more)
{
	struct text pruned = { .max = RECORD_BYTES };
	struct pack_member member;
	int64_t last = 0; /* the game pruned last, whose asks go too */
	size_t at = 0;
	unsigned count = 0;
	int left;

	while ((left = pack_next(from, &at, &member)) > 0) {
		text_clear(&pruned);
		if (member.kind == ENTRY_GAME && member.serial <= serial)
			prune_member(&member, before, &pruned);
		if (pruned.used > 0 && count == most) {
			*more = true;
			text_clear(&pruned);
		}
		if (pruned.used > 0) {
			pack_add(to, member.name, pruned.bytes, pruned.used);
			last = member.serial;
			count++;
		} else if (member.kind != ENTRY_ASKS || member.serial != last) {
			pack_add(to, member.name, member.bytes, member.used);
		}
	}
	text_release(&pruned);
	return left < 0 ? 0 : count;
}

/* Prunes a pack on disk in one step.  Returns how many records, or -1 and
 * errno. */
static int
prune_pack(const char *path, int64_t before, int64_t serial, unsigned most,
	   bool *more)
{
	struct text tar = { 0 }, left = { .max = PACK_BYTES_MAX };
	int result = 0;

	if (pack_load(path, &tar) == 0)
		result = (int)prune_members(&tar, before, serial, most, &left,
					    more);
	else if (errno != EBADMSG && errno != ENOENT)
		result = -1;
	if (result > 0 && pack_write(path, &left, NULL) < 0)
		result = -1;
	text_release(&left);
	text_release(&tar);
	return result;
}

/* ---- a folder --------------------------------------------------------- */

struct run {
	const struct scheduler_prune_order *order;
	struct scheduler_prune_done *done;
	struct age age;
	int64_t before; /* games that ended before this are old by the clock */
	char path[LADDER_PATH_BYTES];
};

unsigned
scheduler_prune_limit(unsigned least, uint64_t games, int64_t age_s)
{
	uint64_t daily = age_s > 0 ? games * DAY_S / (uint64_t)age_s : 0;

	if (daily > UINT32_MAX / 2)
		return UINT32_MAX;
	return 2 * daily > least ? (unsigned)(2 * daily) : least;
}

/* Returns the serial in a file's name (ladder_file_name()); 0 if it has none. */
static int64_t
serial_of(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits > 0 && name[digits] == '-' ? strtoll(name, NULL, 10) : 0;
}

/* Returns true if the file may be due; if not, it is not even read.  The
 * records in an open pack must wait until it is closed. */
static bool
may_be_due(const struct run *run, const char *name)
{
	return (folder_ends_in(name, ".rec") || pack_is_closed(name)) &&
	       serial_of(name) <= run->age.serial;
}

/* Returns true if the open pack that became this closed one is still there.
 * They may be compared, so the closed one must stay unchanged. */
static bool
has_twin(int dir, const char *name)
{
	char open_name[PACK_NAME_BYTES];
	struct pack_range range;

	(void)pack_is_name(name, &range);
	range.last = 0;
	pack_name(range, open_name);
	return faccessat(dir, open_name, F_OK, 0) == 0;
}

/* Prunes one file.  Returns how many records, or -1 and errno. */
static int
prune_entry(struct run *run, int dir, const char *name)
{
	int64_t before = run->before;
	struct stat st;

	/* A run of ours was killed, as no other program makes these files. */
	if (folder_ends_in(name, ".rec" SCHEDULER_PRUNE_HALF))
		(void)!unlinkat(dir, name, 0);
	if (!may_be_due(run, name) ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode) ||
	    (size_t)snprintf(run->path, sizeof(run->path), "%s/%s",
			     run->order->dir, name) >= sizeof(run->path))
		return 0;
	if (pack_is_closed(name))
		return has_twin(dir, name)
			       ? 0
			       : prune_pack(run->path, before, run->age.serial,
					    run->done->limit -
						    run->done->pruned,
					    &run->done->more);
	/* The age of a game that was not rated is that of rated games that
	 * ended then. */
	if (serial_of(name) == 0 && run->age.before < before)
		before = run->age.before;
	return prune_file(run->path, before);
}

static int
prune_folder(struct run *run, DIR *folder)
{
	const atomic_bool *stop = run->order->stop;
	struct dirent *entry;
	int result = 0;

	while (result >= 0 && (stop == NULL || !atomic_load(stop)) &&
	       (entry = readdir(folder)) != NULL) {
		if (run->done->pruned == run->done->limit) {
			run->done->more |= may_be_due(run, entry->d_name);
			continue;
		}
		result = prune_entry(run, dirfd(folder), entry->d_name);
		run->done->pruned += result > 0 ? (unsigned)result : 0;
	}
	return result < 0 ? -1 : 0;
}

void
scheduler_prune_now(const struct scheduler_prune_order *order,
		    struct scheduler_prune_done *done)
{
	const int64_t old_s = (int64_t)order->days * DAY_S;
	struct run run = { .order = order,
			   .done = done,
			   .before = order->now - old_s };
	DIR *folder;

	memset(done, 0, sizeof(*done));
	done->failed = read_age(order->ladder, old_s, &run.age, &done->why) < 0;
	if (done->failed)
		return;
	done->limit = scheduler_prune_limit(order->least, run.age.games,
					    run.age.span_s);
	snprintf(run.path, sizeof(run.path), "%s", order->dir);
	folder = opendir(order->dir);
	done->failed = folder == NULL || prune_folder(&run, folder) < 0;
	if (done->failed)
		path_error(&done->why, ERROR_MACHINE, "prune", run.path);
	if (folder != NULL)
		closedir(folder);
}

/* ---- again and again -------------------------------------------------- */

struct scheduler_prune {
	struct thread_task run; /* first */
	struct thread *thread;
	struct event *over;
	struct timer again;
	scheduler_prune_told *told;
	void *arg;
	unsigned days;	  /* as last set */
	bool running;	  /* the thread uses the next three */
	atomic_bool stop; /* the days have changed, or it is being freed */
	struct scheduler_prune_order order; /* its paths are owned */
	struct scheduler_prune_done done;
};

static void
do_run(struct thread_task *task)
{
	struct scheduler_prune *prune = (struct scheduler_prune *)task;

	scheduler_prune_now(&prune->order, &prune->done);
}

static void
begin(void *arg)
{
	struct scheduler_prune *prune = arg;

	if (prune->running || prune->days == 0)
		return;
	prune->running = true;
	atomic_store(&prune->stop, false);
	prune->order.days = prune->days;
	prune->order.now = clock_seconds();
	thread_ask(prune->thread, &prune->run);
}

static void
on_over(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct scheduler_prune *prune = arg;

	if (thread_take(prune->thread) == NULL)
		return;
	prune->running = false;
	prune->told(prune->arg, &prune->done);
	if (atomic_load(&prune->stop))
		begin(prune);
}

struct scheduler_prune *
scheduler_prune_new(struct loop *loop, const char *ladder, const char *dir,
		    scheduler_prune_told *told, void *arg)
{
	const struct thread_plan plan = { .threads = 1 };
	struct thread *thread = thread_start(&plan);
	struct scheduler_prune *prune;

	if (thread == NULL)
		return NULL;
	prune = zeroed(1, sizeof(*prune));
	prune->run.read = do_run;
	prune->thread = thread;
	prune->told = told;
	prune->arg = arg;
	prune->order.ladder = copied(ladder);
	prune->order.dir = copied(dir);
	prune->order.least = SCHEDULER_PRUNE_LEAST;
	prune->order.stop = &prune->stop;
	prune->over = loop_reads(loop->base, thread_fd(thread), on_over, prune);
	timer_init(&prune->again, &loop->timers, begin, prune);
	timer_every(&prune->again, AGAIN_US);
	return prune;
}

void
scheduler_prune_close_events(struct scheduler_prune *prune)
{
	if (prune == NULL)
		return;
	loop_drop(&prune->over);
	timer_stop(&prune->again);
}

void
scheduler_prune_free(struct scheduler_prune *prune)
{
	if (prune == NULL)
		return;
	atomic_store(&prune->stop, true);
	thread_free(prune->thread);
	free((char *)(uintptr_t)prune->order.ladder);
	free((char *)(uintptr_t)prune->order.dir);
	free(prune);
}

void
scheduler_prune_set(struct scheduler_prune *prune, unsigned days)
{
	if (prune == NULL || days == prune->days)
		return;
	prune->days = days;
	atomic_store(&prune->stop, true);
	begin(prune);
}
