/* referee/web/trials.c - see trials.h. */
#include "referee/web/trials.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "protocol/record.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/base/subprocess.h"
#include "referee/games/game.h"
#include "referee/import/incoming.h"
#include "referee/import/tree.h"
#include "referee/scheduler/scheduler.h"
#include "referee/scheduler/who.h"
#include "referee/table/bot.h"
#include "referee/web/record-view.h"

#define OUTPUT_BYTES 262144 /* of the process */
#define LOOK_US 500000	    /* between two looks if it may begin */
#define ARGUMENTS (40 + 2 * (OPTIONS_MAX + SEATS_MAX))

enum state { TRIAL_COMES, TRIAL_WAITS, TRIAL_PLAYS, TRIAL_OVER };

static const char *const states[] = { "comes", "waits", "plays", "over" };

struct trial {
	struct trial *next, **prev;
	struct trial_wish wish;
	int64_t bot;
	uint64_t upload; /* number of its archive */
	char who[TRIALS_WHO_BYTES], name[NAME_BYTES + 1];
	char hash[ROSTER_CONTENT_BYTES + 1];
	enum state state;
	int64_t day;		   /* on which its games were counted */
	uint64_t since_us;	   /* since when it has been in this state */
	const char *failed;	   /* a sentence, or NULL */
	json_t *table;		   /* owned; NULL: none yet */
	char folder[ID_BYTES + 1]; /* of DATA/trials; "": none yet */
	json_t *played;		   /* owned; its games; NULL: none yet */
	struct sorting *sorting;   /* its records are looked at; NULL: no */
	bool gone;		   /* it made room, and is only told */
};

struct trials {
	struct loop *loop;
	struct pages *pages;
	struct trial *first;		   /* the latest one */
	struct trial *now;		   /* the one that is played, or NULL */
	uint64_t since_us;		   /* when it began */
	int64_t day;			   /* on which it began */
	struct subprocess *(*start)(void); /* of a test, or NULL */
	struct subprocess *process;
	struct timer look;
};

static void
set_state(struct trial *trial, enum state state)
{
	trial->state = state;
	trial->since_us = clock_us();
}

/* ---- its folder ------------------------------------------------------- */

/* Writes the path of `below` ("": none) in DATA/trials; "" if it is too long. */
static void
path_of(const struct trials *trials, const char *folder, const char *below,
	char path[LADDER_PATH_BYTES])
{
	if (snprintf(path, LADDER_PATH_BYTES, "%s/trials%s%s%s%s",
		     trials->pages->config->data, folder[0] ? "/" : "", folder,
		     below[0] ? "/" : "", below) >= LADDER_PATH_BYTES)
		path[0] = '\0';
}

#define FILE_BYTES (LADDER_PATH_BYTES + 2 * LADDER_FILE_BYTES)

/* Work of the thread on a folder. */
struct sorting {
	struct thread_task task; /* first */
	char path[LADDER_PATH_BYTES];
	struct trial *trial; /* NULL: it was forgotten meanwhile */
	json_t *played;	     /* owned */
};

static void
remove_folder(struct thread_task *task)
{
	/* The next start removes what cannot be removed now. */
	(void)!tree_remove(AT_FDCWD, ((struct sorting *)task)->path);
}

static void
on_removed(struct thread_task *task, bool read UNUSED)
{
	free(task);
}

static struct sorting *
sorting_new(const struct trials *trials, const struct trial *trial)
{
	struct sorting *sorting = zeroed(1, sizeof(*sorting));

	path_of(trials, trial->folder, "", sorting->path);
	return sorting;
}

/* Lets the thread's work on the folder end without the trial. */
static void
leave_sorting(struct trial *trial)
{
	if (trial->sorting != NULL)
		trial->sorting->trial = NULL;
	trial->sorting = NULL;
}

static void
drop_folder(const struct trials *trials, struct trial *trial)
{
	struct sorting *sorting;

	leave_sorting(trial);
	if (trial->folder[0] == '\0')
		return;
	sorting = sorting_new(trials, trial);
	trial->folder[0] = '\0';
	sorting->task.read = remove_folder;
	sorting->task.done = on_removed;
	thread_ask(trials->pages->thread, &sorting->task);
}

/* Makes the folder of a trial that begins.  Returns 0, or -1 and errno. */
static int
make_folder(const struct trials *trials, struct trial *trial)
{
	char path[LADDER_PATH_BYTES];

	path_of(trials, "", "", path);
	if (folder_make(path, 0700) < 0)
		return -1;
	id_draw(trial->folder);
	path_of(trials, trial->folder, "", path);
	return mkdir(path, 0700);
}

/* ---- its records ------------------------------------------------------ */

static int
is_record(const struct dirent *entry)
{
	enum entry_kind kind;

	return ladder_file_serial(entry->d_name, strlen(entry->d_name), &kind) >
		       0 &&
	       kind == ENTRY_GAME;
}

/* Returns the number of the game that a file is of; 0 for half-written files. */
static unsigned
game_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	const unsigned long number = strtoul(name, NULL, 10);

	return dot == NULL || strcmp(dot, ".tmp") == 0 ||
			       number > SERVE_TRIAL_GAMES
		       ? 0
		       : (unsigned)number;
}

/* Returns true for standard error, NUMBER-SEAT-BOT.txt, of another author's program. */
static bool
is_foreign(const char *name)
{
	const char *dot = strrchr(name, '.'), *bot = strchr(name, '-');

	bot = bot == NULL ? NULL : strchr(bot + 1, '-');
	return dot != NULL && strcmp(dot, ".txt") == 0 &&
	       (bot == NULL || strcmp(bot, "-" TRIALS_SELF ".txt") != 0);
}

/* Adds up the bytes of each game in one of its folders, and removes the files of games
 * from `cut` on, and those of others. */
static void
prune_files(const char *path, const char *folder, unsigned cut,
	    int64_t bytes[SERVE_TRIAL_GAMES + 1])
{
	char below[FILE_BYTES];
	struct dirent *entry;
	struct stat st;
	unsigned number;
	DIR *dir;

	snprintf(below, sizeof(below), "%s/%s", path, folder);
	dir = opendir(below);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		number = game_of(entry->d_name);
		if (number == 0)
			continue;
		if (number >= cut || is_foreign(entry->d_name))
			(void)!unlinkat(dirfd(dir), entry->d_name, 0);
		else if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0)
			bytes[number] += st.st_size;
	}
	if (dir != NULL)
		closedir(dir);
}

/* Removes the games after those that have SERVE_TRIAL_BYTES, also while others are
 * played: `referee match` looks at no file again. */
static void
prune(const char *path)
{
	int64_t bytes[SERVE_TRIAL_GAMES + 1] = { 0 }, sum = 0;
	unsigned cut;

	prune_files(path, "records", SERVE_TRIAL_GAMES + 1, bytes);
	prune_files(path, "stderr", SERVE_TRIAL_GAMES + 1, bytes);
	for (cut = 1; cut <= SERVE_TRIAL_GAMES && sum < SERVE_TRIAL_BYTES;
	     cut++)
		sum += bytes[cut];
	if (cut > SERVE_TRIAL_GAMES)
		return;
	prune_files(path, "records", cut, bytes);
	prune_files(path, "stderr", cut, bytes);
}

static void
prune_folder(struct thread_task *task)
{
	prune(((struct sorting *)task)->path);
}

static void
on_pruned(struct thread_task *task, bool read UNUSED)
{
	struct sorting *sorting = (struct sorting *)task;

	if (sorting->trial != NULL)
		sorting->trial->sorting = NULL;
	free(sorting);
}

/* Moves what the version wrote in a game to the folder `wrote`. */
static void
keep_wrote(const char *path, int number, unsigned seat)
{
	char from[FILE_BYTES], to[FILE_BYTES];

	snprintf(from, sizeof(from), "%s/stderr/%08d-%u-" TRIALS_SELF ".txt",
		 path, number, seat);
	snprintf(to, sizeof(to), "%s/wrote/%08d-%u-" TRIALS_SELF ".txt", path,
		 number, seat);
	(void)!rename(from, to);
}

/* Adds a game to the list, unless its record ends before the game does. */
static void
add_played(struct sorting *sorting, const char *record, int number)
{
	struct record *game;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error ignored;
	unsigned seat = 0;

	if (record_read(record, &game, &ignored) < 0)
		return;
	while (seat + 1 < game->seats &&
	       strcmp(game->name[seat], TRIALS_SELF) != 0)
		seat++;
	if (record_places(game, place, points, &ignored) == 0) {
		keep_wrote(sorting->path, number, seat);
		JSON_PUSH(sorting->played, TEXT("id", game->id),
			  INT("number", number), INT("seat", seat),
			  INT("place", place[seat]));
	}
	record_free(game);
}

/* Lists the games in their order, as long as there is room for their records, and
 * removes what else is there: above all, what other authors' programs wrote. */
static void
sort_folder(struct thread_task *task)
{
	struct sorting *sorting = (struct sorting *)task;
	char below[FILE_BYTES], record[FILE_BYTES];
	struct dirent **entry = NULL;
	enum entry_kind kind;
	int i, count, number;

	prune(sorting->path);
	snprintf(below, sizeof(below), "%s/wrote", sorting->path);
	(void)!mkdir(below, 0700);
	snprintf(below, sizeof(below), "%s/records", sorting->path);
	count = scandir(below, &entry, is_record, alphasort);
	for (i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;

		number = (int)ladder_file_serial(name, strlen(name), &kind);
		snprintf(record, sizeof(record), "%s/records/%.*s",
			 sorting->path, LADDER_FILE_BYTES, name);
		add_played(sorting, record, number);
		free(entry[i]);
	}
	free(entry);
	snprintf(below, sizeof(below), "%s/stderr", sorting->path);
	(void)!tree_remove(AT_FDCWD, below);
}

static void
on_sorted(struct thread_task *task, bool read UNUSED)
{
	struct sorting *sorting = (struct sorting *)task;
	struct trial *trial = sorting->trial;

	if (trial != NULL) {
		trial->played = sorting->played;
		trial->sorting = NULL;
		set_state(trial, TRIAL_OVER);
	} else {
		json_decref(sorting->played);
	}
	free(sorting);
}

/* ---- what is there ---------------------------------------------------- */

static struct trial *
find(const struct trials *trials, int64_t bot)
{
	struct trial *trial = trials->first;

	while (trial != NULL && trial->bot != bot)
		trial = trial->next;
	return trial;
}

void
trials_who(const struct roster_bot *bot, char who[TRIALS_WHO_BYTES])
{
	snprintf(who, TRIALS_WHO_BYTES, "%s%s", bot->owner[0] ? "" : "bot ",
		 bot->owner[0] ? bot->owner : bot->name);
}

/* Returns the seconds for which the present trial has played, counted up. */
static int64_t
seconds_played(const struct trials *trials)
{
	return (int64_t)((clock_us() - trials->since_us) / 1000000) + 1;
}

/* Charges the time of the present trial to the day on which it began, and ends it.  A
 * failure to count is passed over. */
static void
end_now(struct trials *trials)
{
	struct error ignored;

	(void)!roster_add_count(trials->pages->roster, ROSTER_TRIAL_TIME,
				trials->now->who, trials->day,
				seconds_played(trials), &ignored);
	subprocess_free(trials->process);
	trials->process = NULL;
	trials->now = NULL;
}

/* Gives back the games of a trial that has begun none.  A failure to count is passed
 * over. */
static void
give_back(const struct trials *trials, const struct trial *trial)
{
	struct error ignored;

	(void)!roster_add_count(trials->pages->roster, ROSTER_TRIALS,
				trial->who, trial->day,
				-(int64_t)trial->wish.games, &ignored);
	log_event(trials->pages->logger, LOG_LEVEL_INFO, "trial-back",
		  "bot=%s games=%u owner=%s", trial->name, trial->wish.games,
		  strchr(trial->who, ' ') == NULL ? trial->who : NULL);
}

/* Ends a trial in whatever state it is. */
static void
leave(struct trials *trials, struct trial *trial)
{
	if (trial == trials->now)
		end_now(trials);
	if (trial->state == TRIAL_COMES || trial->state == TRIAL_WAITS)
		give_back(trials, trial);
	drop_folder(trials, trial);
	json_decref(trial->table);
	json_decref(trial->played);
	trial->table = trial->played = NULL;
}

static void
forget(struct trials *trials, struct trial *trial)
{
	leave(trials, trial);
	LIST_CUT(trial);
	free(trial);
}

void
trials_drop(struct trials *trials, int64_t bot)
{
	struct trial *trial = find(trials, bot);

	if (trial != NULL)
		forget(trials, trial);
}

static unsigned
count_of(const struct trials *trials, const char *who)
{
	const struct trial *trial;
	unsigned count = 0;

	for (trial = trials->first; trial != NULL; trial = trial->next)
		count += !trial->gone && strcmp(trial->who, who) == 0;
	return count;
}

/* Lets a trial make room.  Of the latest SERVE_TRIALS_GONE such trials their authors
 * are still told why they are gone. */
static void
make_room(struct trials *trials, struct trial *trial)
{
	struct trial *next;
	unsigned count = 0;

	leave(trials, trial);
	trial->hash[0] = '\0';
	set_state(trial, TRIAL_OVER);
	trial->failed = "it made room for another trial, and its version and "
			"games are lost: send it again";
	trial->gone = true;
	LIST_CUT(trial);
	LIST_PUT(trials->first, trial);
	for (trial = trials->first; trial != NULL; trial = next) {
		next = trial->next;
		if (trial->gone && ++count > SERVE_TRIALS_GONE)
			forget(trials, trial);
	}
}

/* Returns a trial of the owner who has most, which is `who` if others have as many:
 * the oldest that is over, else the oldest.  If no owner has two, one that is not over
 * stays.  NULL: there is none. */
static struct trial *
of_most(const struct trials *trials, const char *who)
{
	struct trial *trial, *found = NULL;
	unsigned most = 1, best = 0, rank, count;

	for (trial = trials->first; trial != NULL; trial = trial->next) {
		count = count_of(trials, trial->who);
		most = count > most ? count : most;
	}
	for (trial = trials->first; trial != NULL; trial = trial->next) {
		const bool over = trial->state == TRIAL_OVER;

		if (trial->gone || count_of(trials, trial->who) < most ||
		    (most == 1 && !over))
			continue;
		rank = (strcmp(trial->who, who) == 0 ? 2 : 0) + over;
		if (rank >= best)
			found = trial;
		best = rank > best ? rank : best;
	}
	return found;
}

/* Returns the oldest trial whose author had SERVE_TRIAL_KEPT_MS to read it, or NULL. */
static struct trial *
find_read(const struct trials *trials)
{
	struct trial *trial, *found = NULL;

	for (trial = trials->first; trial != NULL; trial = trial->next)
		if (!trial->gone && trial->state == TRIAL_OVER &&
		    clock_us() - trial->since_us >=
			    SERVE_TRIAL_KEPT_MS * UINT64_C(1000))
			found = trial;
	return found;
}

/* Returns the trial that makes room for one of this owner: one of the owner who has
 * most.  But if that is another one, who has no more than two, it is one that has been
 * over for long.  NULL: there is none. */
static struct trial *
replaceable(const struct trials *trials, const char *who)
{
	struct trial *most = of_most(trials, who), *read = find_read(trials);

	return read == NULL || (most != NULL &&
				(strcmp(most->who, who) == 0 ||
				 count_of(trials, most->who) > 2))
		       ? most
		       : read;
}

static bool
is_full(const struct trials *trials)
{
	const struct trial *trial;
	unsigned count = 0;

	for (trial = trials->first; trial != NULL; trial = trial->next)
		count += !trial->gone;
	return count >= SERVE_TRIALS;
}

static void
log_over(const struct trials *trials, const struct trial *trial)
{
	log_event(trials->pages->logger, LOG_LEVEL_INFO, "trial-over",
		  "bot=%s games=%u why=%s", trial->name, trial->wish.games,
		  trial->failed);
}

/* Ends the trials whose archives were refused, or gave way to another upload. */
static void
look_at_imports(struct trials *trials)
{
	struct trial *trial;

	for (trial = trials->first; trial != NULL; trial = trial->next) {
		if (trial->state != TRIAL_COMES ||
		    uploads_find(trials->pages->uploads, trial->upload) !=
			    UPLOAD_GONE)
			continue;
		give_back(trials, trial);
		set_state(trial, TRIAL_OVER);
		trial->failed = "its import was refused: the log says why";
		log_over(trials, trial);
	}
}

bool
trials_may_wish(struct trials *trials, const struct roster_bot *bot)
{
	const struct trial *own = find(trials, bot->number);
	char who[TRIALS_WHO_BYTES];

	trials_who(bot, who);
	look_at_imports(trials);
	return !is_full(trials) || (own != NULL && !own->gone) ||
	       replaceable(trials, who) != NULL;
}

void
trials_wish(struct trials *trials, const struct roster_bot *bot,
	    const struct trial_wish *wish)
{
	char who[TRIALS_WHO_BYTES];
	struct trial *trial;
	struct error ignored;

	trials_who(bot, who);
	trials_drop(trials, bot->number);
	if (is_full(trials)) {
		trial = replaceable(trials, who);
		if (trial == NULL)
			bug("a trial without a place");
		make_room(trials, trial);
	}
	trial = zeroed(1, sizeof(*trial));
	trial->wish = *wish;
	trial->bot = bot->number;
	trial->upload = uploads_last(trials->pages->uploads);
	memcpy(trial->name, bot->name, sizeof(trial->name));
	memcpy(trial->who, who, sizeof(trial->who));
	trial->day = roster_today();
	LIST_PUT(trials->first, trial);
	(void)!roster_add_count(trials->pages->roster, ROSTER_TRIALS,
				trial->who, trial->day, wish->games, &ignored);
}

bool
trials_came(struct trials *trials, const char *name, const char *hash)
{
	struct trial *trial = trials->first;

	while (trial != NULL && strcmp(trial->name, name) != 0)
		trial = trial->next;
	/* An earlier archive of the bot may still be imported. */
	if (trial == NULL || trial->state != TRIAL_COMES ||
	    uploads_find(trials->pages->uploads, trial->upload) != UPLOAD_NOW)
		return false;
	snprintf(trial->hash, sizeof(trial->hash), "%s", hash);
	set_state(trial, TRIAL_WAITS);
	return true;
}

bool
trials_need(const struct trials *trials, const char *hash)
{
	const struct trial *trial = trials == NULL ? NULL : trials->first;

	while (trial != NULL && strcmp(trial->hash, hash) != 0)
		trial = trial->next;
	return trial != NULL;
}

const char *
trials_hash(const struct trials *trials, int64_t bot)
{
	const struct trial *trial = find(trials, bot);

	return trial == NULL || trial->hash[0] == '\0' ? NULL : trial->hash;
}

json_t *
trials_tell(struct trials *trials, int64_t bot)
{
	const struct trial *trial;
	json_t *against;

	look_at_imports(trials);
	trial = find(trials, bot);
	if (trial == NULL)
		return NULL;
	against = json_array();
	for (unsigned i = 0; i < trial->wish.opponents; i++)
		json_array_append_new(against,
				      json_string(trial->wish.opponent[i]));
	return JSON_OBJECT(TEXT("state", states[trial->state]),
			   TEXT("ladder", trial->wish.ladder),
			   INT("games", trial->wish.games),
			   JSON("against", against),
			   TEXT_IF("failed", trial->failed),
			   JSON_IF("table", json_incref(trial->table)),
			   JSON_IF("played", json_incref(trial->played)));
}

/* Returns the number of a trial's game, or 0 if it has not played that. */
static size_t
number_of(const struct trial *trial, const char *id)
{
	const json_t *game;
	size_t i;

	json_array_foreach(trial->played, i, game)
	{
		if (strcmp(json_string_value(json_object_get(game, "id")),
			   id) == 0)
			return (size_t)json_integer_value(
				json_object_get(game, "number"));
	}
	return 0;
}

bool
trials_find_game(const struct trials *trials, const char *id,
		 const struct roster_bot *who, struct record_shelf *shelf,
		 bool *own)
{
	const struct trial *trial = trials->first;
	char name[LADDER_FILE_BYTES], below[LADDER_FILE_BYTES + 8];
	int place;

	while (trial != NULL && number_of(trial, id) == 0)
		trial = trial->next;
	place = trial == NULL ? -1
			      : ladders_find(trials->pages->ladders,
					     trial->wish.ladder);
	if (place < 0)
		return false;
	page_shelf(trials->pages->ladders->scheduler[place], shelf);
	ladder_file_name(ENTRY_GAME, (int64_t)number_of(trial, id), id, name);
	snprintf(below, sizeof(below), "records/%s", name);
	path_of(trials, trial->folder, below, shelf->path);
	path_of(trials, trial->folder, "wrote", shelf->wrote);
	*own = who->number != 0 &&
	       (who->number == trial->bot ||
		(who->owner[0] != '\0' && strcmp(who->owner, trial->who) == 0));
	return true;
}

/* ---- its result ------------------------------------------------------- */

/* Removes what the programs of other authors have said, and the path of a record. */
static void
take_row(struct trial *trial, json_t *row)
{
	static const char *const own[] = { "trouble", "fallback", "failure" };
	const char *bot = json_string_value(json_object_get(row, "bot"));

	if (bot == NULL) { /* about the match: it has the seed */
		json_decref(row);
		return;
	}
	for (size_t i = 0; i < NELEM(own) && strcmp(bot, TRIALS_SELF) != 0; i++)
		json_object_del(row, own[i]);
	json_object_del(json_object_get(row, "trouble"), "record");
	json_array_append_new(trial->table, row);
}

static void
take_table(struct trial *trial, struct text *output)
{
	char *rest = (char *)(uintptr_t)text_string(output), *line;
	json_t *row;

	trial->table = json_array();
	while ((line = strsep(&rest, "\n")) != NULL) {
		row = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		if (row != NULL)
			take_row(trial, row);
	}
}

/* Returns true if the process has got so far that it begins games: before that it
 * makes the folder of their records. */
static bool
began_games(const struct trials *trials, const struct trial *trial)
{
	char path[LADDER_PATH_BYTES];

	path_of(trials, trial->folder, "records", path);
	return access(path, F_OK) == 0;
}

static void
on_end(void *arg, struct subprocess_end *end)
{
	struct trials *trials = arg;
	struct trial *trial = trials->now;

	trials->process = NULL; /* it is freed */
	end_now(trials);
	if (end->how == SUBPROCESS_LATE)
		trial->failed = "it took too long: ask for fewer games";
	else if (end->how != SUBPROCESS_ENDED || !WIFEXITED(end->status) ||
		 WEXITSTATUS(end->status) != 0)
		trial->failed = "the games could not be played: one of the "
				"bots has left or cannot be started";
	else
		take_table(trial, &end->output);
	if (trial->failed != NULL && !began_games(trials, trial))
		give_back(trials, trial);
	log_over(trials, trial);
	/* It is over when its records are sorted. */
	leave_sorting(trial);
	trial->sorting = sorting_new(trials, trial);
	trial->sorting->trial = trial;
	trial->sorting->played = json_array();
	trial->sorting->task.read = sort_folder;
	trial->sorting->task.done = on_sorted;
	thread_ask(trials->pages->thread, &trial->sorting->task);
}

/* ---- its opponents ---------------------------------------------------- */

static bool
may_oppose(const struct local_bot *local)
{
	return !local->leaving && strcmp(local->name, TRIALS_SELF) != 0;
}

bool
trials_have_opponent(const struct pages *pages, const char *name)
{
	const struct local_bot *local = local_bots_first(pages->locals);

	while (local != NULL &&
	       (!may_oppose(local) || strcmp(local->name, name) != 0))
		local = local->next;
	return local != NULL || bot_builtin_is(name);
}

static bool
is_wished(const struct trial_wish *wish, const char *name)
{
	unsigned i = 0;

	while (i < wish->opponents && strcmp(wish->opponent[i], name) != 0)
		i++;
	return i < wish->opponents;
}

void
trials_draw(const struct pages *pages, const char *own, unsigned i,
	    struct trial_wish *wish)
{
	const int place = ladders_find(pages->ladders, wish->ladder);
	const struct local_bot *local = local_bots_first(pages->locals);
	const char *drawn = "random";
	unsigned count = 0;

	for (; local != NULL; local = local->next)
		if (may_oppose(local) && place >= 0 &&
		    local->share.sits >> place & 1 &&
		    strcmp(local->name, own) != 0 &&
		    !is_wished(wish, local->name) &&
		    randombytes_uniform(++count) == 0)
			drawn = local->name;
	snprintf(wish->opponent[i], NAME_BYTES + 1, "%s", drawn);
}

/* Draws others for opponents who have left since the wish. */
static void
replace_opponents(const struct trials *trials, struct trial *trial)
{
	const struct pages *pages = trials->pages;
	struct roster_bot own;

	who_look_up(pages->roster, trial->name, &own);
	for (unsigned i = 0; i < trial->wish.opponents; i++)
		if (!trials_have_opponent(pages, trial->wish.opponent[i]))
			trials_draw(pages, own.name, i, &trial->wish);
}

/* ---- its process ------------------------------------------------------ */

struct order {
	char *argument[ARGUMENTS + 1]; /* owned */
	unsigned count;
};

#define ADD(order, ...) add(order, formatted(__VA_ARGS__))

static void
add(struct order *order, char *argument)
{
	if (order->count >= ARGUMENTS)
		bug("too many arguments of a trial");
	order->argument[order->count++] = argument;
}

static void
add_options(struct order *order, const struct config_ladder *ladder)
{
	char text[LADDER_OPTIONS_BYTES], *rest = text, *option;

	game_setup_text(&ladder->setup, false, text, sizeof(text));
	while ((option = strsep(&rest, " ")) != NULL)
		if (*option != '\0')
			ADD(order, "-o%s", option);
}

static void
make_order(struct order *order, const struct trials *trials,
	   const struct trial *trial, const struct config_ladder *ladder)
{
	const struct config *config = trials->pages->config;
	const unsigned want = config->uploads == CONFIG_UPLOADS_YES
				      ? SANDBOX_ON
				      : config->sandbox;
	char path[IMPORT_PATH_BYTES], folder[LADDER_PATH_BYTES];
	unsigned i;

	import_path(config->data, trial->hash, "bot", path);
	path_of(trials, trial->folder, "", folder);
	ADD(order, "referee");
	ADD(order, "match");
	ADD(order, "--json");
	ADD(order, "--as-ladder");
	ADD(order, "--jobs=1");
	ADD(order, "--pin=off");
	ADD(order, "--sandbox=%s", sandbox_wants[want]);
	if (want != SANDBOX_OFF)
		ADD(order, "--processes=%u",
		    (unsigned)config->locals.processes);
	ADD(order, "--games=%u", trial->wish.games);
	ADD(order, "--seats=%u", (unsigned)ladder->setup.seats);
	ADD(order, "--open=%s", ladder->arrival ? "arrival" : "priority");
	ADD(order, "--move-time=%llu",
	    (unsigned long long)ladder->move_time_ms);
	ADD(order, "--bank=%llu", (unsigned long long)ladder->bank_ms);
	ADD(order, "--increment=%llu",
	    (unsigned long long)ladder->increment_ms);
	ADD(order, "--total=%llu", (unsigned long long)config_total_ms(ladder));
	ADD(order, "--faults=%llu", (unsigned long long)ladder->faults);
	ADD(order, "--ponder=%s", ladder->ponder ? "on" : "off");
	add_options(order, ladder);
	ADD(order, "--records=%s/records", folder);
	ADD(order, "--stderr=%s/stderr", folder);
	ADD(order, "--data=%s", config->data);
	ADD(order, "--bot=%s", path);
	ADD(order, "--name=" TRIALS_SELF);
	for (i = 0; i < trial->wish.opponents; i++)
		ADD(order, "--bot=%s", trial->wish.opponent[i]);
	ADD(order, "%s", ladder->setup.rules->name);
}

static struct subprocess *
start(const struct trials *trials, const struct trial *trial)
{
	const int place =
		ladders_find(trials->pages->ladders, trial->wish.ladder);
	struct order order = { .count = 0 };
	struct subprocess *process;
	int error;

	if (place < 0) {
		errno = ENOENT;
		return NULL;
	}
	make_order(&order, trials, trial,
		   scheduler_setup(trials->pages->ladders->scheduler[place]));
	process = subprocess_start(&(struct subprocess_order){
		.argv = (const char *const *)order.argument,
		.in = -1,
		.most = OUTPUT_BYTES,
		.bounded = true,
		.ms = SERVE_TRIAL_MS,
		.nice = SERVE_TRIAL_NICE });
	error = errno;
	while (order.count > 0)
		free(order.argument[--order.count]);
	errno = error;
	return process;
}

/* ---- turns ------------------------------------------------------------ */

/* Returns the seconds for which this owner's trials have played today. */
static int64_t
seconds_used(const struct trials *trials, const char *who)
{
	struct error ignored;
	int64_t seconds = 0;

	(void)!roster_count(trials->pages->roster, ROSTER_TRIAL_TIME, who,
			    roster_today(), &seconds, &ignored);
	return seconds;
}

/* Returns the trial that waits, is not of owner `but`, and whose owner has used
 * less than `*seconds`: the least, which is written there, and the oldest trial of
 * those.  Returns NULL if there is none. */
static struct trial *
find_waiting(const struct trials *trials, const char *but, int64_t *seconds)
{
	struct trial *trial, *found = NULL;
	int64_t used;

	for (trial = trials->first; trial != NULL; trial = trial->next) {
		if (trial->state != TRIAL_WAITS || strcmp(trial->who, but) == 0)
			continue;
		used = seconds_used(trials, trial->who);
		if (used < *seconds || (found != NULL && used == *seconds)) {
			found = trial;
			*seconds = used;
		}
	}
	return found;
}

static void
begin_next(struct trials *trials)
{
	int64_t most = INT64_MAX;

	trials->now = find_waiting(trials, "", &most);
	if (trials->now == NULL)
		return;
	trials->since_us = clock_us();
	trials->day = roster_today();
	replace_opponents(trials, trials->now);
	if (make_folder(trials, trials->now) == 0)
		trials->process = trials->start != NULL
					  ? trials->start()
					  : start(trials, trials->now);
	if (trials->process != NULL) {
		set_state(trials->now, TRIAL_PLAYS);
		subprocess_watch(trials->process, trials->loop, on_end, trials);
		return;
	}
	give_back(trials, trials->now);
	trials->now->failed = "its games could not be begun";
	set_state(trials->now, TRIAL_OVER);
	trials->now = NULL;
}

/* Ends the present trial if it has had its turn and another owner waits. */
static void
look_at_turn(struct trials *trials)
{
	struct trial *trial = trials->now;
	int64_t seconds;

	if (trial == NULL || clock_us() - trials->since_us <
				     SERVE_TRIAL_TURN_MS * UINT64_C(1000))
		return;
	seconds = seconds_used(trials, trial->who) + seconds_played(trials);
	if (find_waiting(trials, trial->who, &seconds) == NULL)
		return;
	end_now(trials);
	drop_folder(trials, trial);
	set_state(trial, TRIAL_OVER);
	trial->failed = "it made room for another owner's trial after 5 "
			"minutes, and its games are lost: ask for fewer games";
	log_over(trials, trial);
}

/* Bounds what the games of the present trial leave on the disk. */
static void
look_at_folder(const struct trials *trials)
{
	struct trial *trial = trials->now;

	if (trial == NULL || trial->sorting != NULL)
		return;
	trial->sorting = sorting_new(trials, trial);
	trial->sorting->trial = trial;
	trial->sorting->task.read = prune_folder;
	trial->sorting->task.done = on_pruned;
	thread_ask(trials->pages->thread, &trial->sorting->task);
}

/* Returns true if a trial has waited as long as the ladders' games come first. */
static bool
has_waited(const struct trials *trials)
{
	const struct trial *trial = trials->first;

	while (trial != NULL &&
	       (trial->state != TRIAL_WAITS ||
		clock_us() - trial->since_us <
			SERVE_TRIAL_PATIENCE_MS * UINT64_C(1000)))
		trial = trial->next;
	return trial != NULL;
}

static void
on_look(void *arg)
{
	struct trials *trials = arg;

	look_at_imports(trials);
	look_at_turn(trials);
	look_at_folder(trials);
	if (trials->now == NULL && local_bots_have_place(trials->pages->locals))
		begin_next(trials);
	local_bots_keep_place(trials->pages->locals,
			      trials->now == NULL && has_waited(trials));
}

/* ---- life ------------------------------------------------------------- */

struct trials *
trials_new(struct loop *loop, struct pages *pages)
{
	struct trials *trials = zeroed(1, sizeof(*trials));
	char path[LADDER_PATH_BYTES];

	trials->loop = loop;
	trials->pages = pages;
	path_of(trials, "", "", path);
	(void)!tree_remove(AT_FDCWD, path); /* of the daemon before */
	timer_init(&trials->look, &loop->timers, on_look, trials);
	timer_every(&trials->look, LOOK_US);
	return trials;
}

void
trials_play_by(struct trials *trials, struct subprocess *(*by)(void))
{
	trials->start = by;
}

void
trials_free(struct trials *trials)
{
	if (trials == NULL)
		return;
	timer_stop(&trials->look);
	subprocess_free(trials->process);
	trials->now = NULL;
	while (trials->first != NULL)
		forget(trials, trials->first);
	free(trials);
}
