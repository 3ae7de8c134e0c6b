/* referee/serve/server-local-bots.c - the bots of this machine: finds in the
 * roster which live here, and seats them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/config/bot-folder.h"
#include "referee/import/files.h"
#include "referee/import/import.h"
#include "referee/import/incoming.h"
#include "referee/runner/complaints.h"
#include "referee/scheduler/who.h"
#include "referee/serve/server-inside.h"
#include "referee/web/live.h"
#include "referee/web/trials.h"

/* ---- where they sit --------------------------------------------------- */

static bool
plays_at(const struct server *server, const struct bot_folder *folder,
	 const char *ladders, unsigned place)
{
	const struct scheduler *scheduler = server->ladders.scheduler[place];

	if (scheduler == NULL || server->ladders.closing >> place & 1 ||
	    !bot_folder_plays(folder, scheduler_setup(scheduler)->setup.rules))
		return false;
	return ladders[0] == '\0' ||
	       who_is_among(ladders, scheduler_name(scheduler));
}

/* Seats the bot on these ladders, and on no others. */
static void
seat(struct server *server, struct local_bot *local, const char *ladders)
{
	uint64_t sits = 0;

	for (unsigned i = 0; i < LADDER_PLACES; i++)
		if (plays_at(server, local->folder, ladders, i))
			sits |= UINT64_C(1) << i;
	if (sits != local->share.sits)
		seating_sit(server->seating, &local->participant, sits);
}

/* ---- who lives here --------------------------------------------------- */

struct before {
	struct participant *participant;
	unsigned count;
	bool passed; /* the first entry, which is the participant, has passed */
};

static void
on_before(void *arg, const struct roster_entry *entry)
{
	struct before *before = arg;

	if (!before->passed)
		before->passed = true;
	else if (before->count < PARTICIPANT_BEFORE)
		memcpy(before->participant->before[before->count++],
		       entry->stands_as, sizeof(entry->stands_as));
}

/* Logs the reason, and keeps it for the pages if it has no path in it: paths
 * are for the log alone. */
static void
refuse(struct server *server, const char *bot, const char *why)
{
	log_event(server->logger, LOG_LEVEL_WARN, "local-bot-refused",
		  "bot=%s why=%s", bot, why);
	local_bots_refuse(
		server->pages.locals, bot,
		strchr(why, '/') == NULL ? why : "the daemon's log says why");
}

/* Returns NULL if the bot may not live here, or its files are being checked. */
static struct local_bot *
move_in(struct server *server, const struct roster_entry *entry)
{
	char path[IMPORT_PATH_BYTES];
	struct error why;
	struct before before = { NULL, 0, false };
	struct local_bot *local = NULL;
	const int sound = seals_look(server->seals, entry->hash, &why);

	if (sound == 0) {
		local_bots_refuse(server->pages.locals, entry->name,
				  "its files are being checked");
		return NULL;
	}
	import_path(server->pages.config->data, entry->hash, "bot", path);
	if (sound > 0)
		local = local_bot_new(server->pages.locals, entry->name, path,
				      &why);
	if (local == NULL) {
		refuse(server, entry->name, why.text);
		return NULL;
	}
	local->entry = entry->number;
	memcpy(local->hash, entry->hash, sizeof(local->hash));
	memcpy(local->participant.stands_as, entry->stands_as,
	       sizeof(entry->stands_as));
	memcpy(local->participant.owner, entry->owner,
	       sizeof(local->participant.owner));
	who_first_name(server->pages.roster, entry->name,
		       local->participant.bot);
	before.participant = &local->participant;
	(void)!roster_entries_of(server->pages.roster, entry->bot, on_before,
				 &before, &why);
	server->pages.changes++;
	log_event(server->logger, LOG_LEVEL_INFO, "local-bot-came",
		  "bot=%s stands-as=%s", entry->name, entry->stands_as);
	return local;
}

static void
move_out(struct server *server, struct local_bot *local)
{
	log_event(server->logger, LOG_LEVEL_INFO, "local-bot-leaves",
		  "bot=%s stands-as=%s", local->name,
		  local->participant.stands_as);
	seating_rise(server->seating, &local->participant);
	local_bot_dismiss(local);
}

/* All enabled entries of the roster. */
struct census {
	struct roster_entry *entry;
	size_t count;
};

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct census *census = arg;

	if (entry->state != ROSTER_ENABLED)
		return;
	*ADDED(census->entry, census->count) = *entry;
}

/* Compares names for bsearch(), as the roster lists entries by name. */
static int
compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct roster_entry *)entry)->name);
}

/* Takes a new owner, and tells the ladders where the bot sits. */
static void
take_owner(struct server *server, struct local_bot *local,
	   const struct roster_entry *entry)
{
	if (strcmp(local->participant.owner, entry->owner) == 0)
		return;
	memcpy(local->participant.owner, entry->owner,
	       sizeof(local->participant.owner));
	seating_offer_again(server->seating, &local->participant);
}

/* Dismisses the bots that may not stay.  The others are noted in `lives`, by
 * the index of their entry. */
static void
part(struct server *server, const struct census *census,
     struct local_bot *lives[])
{
	const uint64_t most = server->pages.config->locals.memory_mib;
	const struct roster_entry *entry;
	struct local_bot *local;
	struct error ignored;

	for (local = local_bots_first(server->pages.locals); local != NULL;
	     local = local->next) {
		if (local->leaving)
			continue;
		entry = census->count == 0
				? NULL
				: bsearch(local->name, census->entry,
					  census->count, sizeof(*entry),
					  compare_name);
		if (entry == NULL || entry->number != local->entry ||
		    !bot_folder_fits(local->folder, most, &ignored))
			move_out(server, local);
		else
			lives[entry - census->entry] = local;
	}
}

/* Lets a remote bot that is to live here play its games to their end elsewhere.
 * We are called again then. */
static void
wait_for(struct server *server, struct remote_bot *remote)
{
	if (remote->ending[0] != '\0')
		return;
	seating_rise(server->seating, &remote->participant);
	remote_bot_end(remote, SERVER_NOW_LOCAL);
}

static void
compare(struct server *server, const struct census *census)
{
	struct local_bot **lives =
		memory(NULL, (census->count + 1) * sizeof(struct local_bot *));
	const struct roster_entry *entry;
	struct remote_bot *remote;

	memset(lives, 0, census->count * sizeof(struct local_bot *));
	part(server, census, lives);
	local_bots_refuse(server->pages.locals, NULL, NULL);
	for (size_t i = 0; i < census->count; i++) {
		entry = &census->entry[i];
		if (lives[i] == NULL) {
			remote =
				remote_bots_find(&server->remotes, entry->name);
			if (remote != NULL)
				wait_for(server, remote);
			else
				lives[i] = move_in(server, entry);
		}
		if (lives[i] != NULL)
			take_owner(server, lives[i], entry);
		if (lives[i] != NULL)
			seat(server, lives[i], entry->ladders);
	}
	free(lives);
}

void
server_look_local_bots(struct server *server)
{
	struct census census = { NULL, 0 };
	struct error why;

	if (roster_entries(server->pages.roster, on_entry, &census, &why) == 0)
		compare(server, &census);
	else
		log_event(server->logger, LOG_LEVEL_ERROR, "roster-fails",
			  "bot=%s why=%s", "", why.text);
	free(census.entry);
}

/* ---- they play -------------------------------------------------------- */

static void
on_room(void *arg, struct local_bot *local)
{
	struct server *server = arg;

	seating_offer(server->seating, &local->participant);
}

static void
on_open(void *arg)
{
	struct server *server = arg;

	ladders_wake(&server->ladders);
}

bool
server_full(void *arg)
{
	const struct server *server = arg;

	return local_bots_full(server->pages.locals);
}

/* ---- folders --------------------------------------------------------- */

/* Has a task with many files done, for which no page must wait. */
static void
ask_files(struct server *server, struct thread_task *task)
{
	struct thread *own = seals_thread(server->seals);

	thread_ask(own != NULL ? own : server->pages.thread, task);
}

struct sweep {
	struct thread_task task; /* first: the thread gives it back */
	char data[CONFIG_PATH_BYTES + 1];
};

static void
do_sweep(struct thread_task *task)
{
	incoming_sweep(((struct sweep *)task)->data);
}

static void
on_swept(struct thread_task *task, bool read UNUSED)
{
	free(task);
}

/* A bot whose folder is moved in by the thread, and which is entered after that. */
struct entering {
	struct thread_task task; /* first: the thread gives it back */
	struct entering *next, **prev;
	struct server *server;
	uint64_t number; /* of the request */
	unsigned words;
	char *word[IMPORT_ENTER_WORDS + CONFIG_LADDERS]; /* owned */
	char data[CONFIG_PATH_BYTES + 1];
	bool moved, kept;
	struct error why;
};

/* Returns true if a bot uses this folder.  One that is leaving may use a folder
 * that no entry names any more, and one that is entered has no entry yet. */
static bool
is_home(const void *arg, const char *hash)
{
	const struct server *server = arg;
	const struct local_bot *local = local_bots_first(server->pages.locals);
	const struct entering *entering = server->entering;

	while (local != NULL && strcmp(local->hash, hash) != 0)
		local = local->next;
	while (entering != NULL && strcmp(entering->word[2], hash) != 0)
		entering = entering->next;
	return local != NULL || entering != NULL ||
	       trials_need(server->pages.trials, hash);
}

/* Removes folders that belong to no bot; the thread removes what is left in
 * incoming. */
static void
discard(struct server *server)
{
	struct sweep *sweep = zeroed(1, sizeof(*sweep));

	import_discard(server->pages.config->data, server->pages.roster,
		       is_home, server);
	seals_forget(server->seals);
	sweep->task.read = do_sweep;
	sweep->task.done = on_swept;
	memcpy(sweep->data, server->pages.config->data, sizeof(sweep->data));
	ask_files(server, &sweep->task);
}

/* Frees a bot whose last process has ended.  Its last game may still be with
 * the writer. */
static void
on_idle(void *arg, struct local_bot *local)
{
	struct server *server = arg;

	server_part(server, &local->participant, SCHEDULER_LET_GO);
	local_bot_free(local);
	server->pages.changes++;
	discard(server);
}

static void
on_ended(void *arg, uint64_t number, unsigned seat, const struct job_end *end)
{
	struct server *server = arg;

	local_bots_ended(server->pages.locals, number, seat, end);
}

static void
on_again(void *arg, uint64_t number)
{
	const struct server *server = arg;

	live_again(server->pages.live, number);
}

static void
on_lost(void *arg, const char *sentence)
{
	struct server *server = arg;

	server->metrics.workers_lost++;
	log_event(server->logger, LOG_LEVEL_WARN, "worker-lost", "why=%s",
		  sentence);
}

/* Stops because the process that starts programs is gone.  It must be forked
 * before the first thread, so only another daemon can have one again.  Running
 * games may end, as after a signal. */
static void
on_failed(void *arg, const char *why)
{
	struct server *server = arg;

	server->metrics.spawner = false;
	log_event(server->logger, LOG_LEVEL_ERROR, "nursery-lost", "why=%s",
		  why);
	local_bots_stop(server->pages.locals);
	if (server->stopping)
		return;
	error_set(&server->end, ERROR_MACHINE,
		  "%s; without it no local bot plays: start the referee again",
		  why);
	raise(SIGTERM);
}

static void
on_looked(void *arg, uint64_t number, size_t until, const char *lines, size_t n)
{
	const struct server *server = arg;

	live_looked(server->pages.live, number, until, lines, n);
}

static const struct dispatch_calls dispatch_calls = {
	.ended = on_ended,
	.looked = on_looked,
	.again = on_again,
	.lost = on_lost,
	.failed = on_failed,
};

static void
on_wrote(void *arg, struct local_bot *local, const char *id, unsigned s,
	 const struct job_end *end)
{
	const struct text *text = &end->complaint;
	const char *hint = complaints_hint(text->bytes, text->used);
	const struct server *server = arg;

	game_notes_wrote(server->pages.notes, local->participant.bot, id, s,
			 end->wrote_from, text->bytes, text->used);
	if (hint != NULL)
		game_notes_say(server->pages.notes, local->participant.bot, id,
			       s, hint);
}

static void
on_how(void *arg, struct local_bot *local, const char *id, unsigned s,
       const char *sentence)
{
	const struct server *server = arg;
	char whole[COMPLAINT_BYTES + 16];

	snprintf(whole, sizeof(whole), "its process %s", sentence);
	game_notes_say(server->pages.notes, local->participant.bot, id, s,
		       whole);
}

static const struct local_bot_calls calls = {
	.room = on_room,
	.ended = on_how,
	.wrote = on_wrote,
	.open = on_open,
	.idle = on_idle,
};

void
server_set_local_bots(struct server *server, const struct config *config)
{
	struct local_bot_setup setup = {
		.games = (unsigned)config->locals.games,
		.at_once = (unsigned)config->locals.at_once,
		.memory_mib = (unsigned)config->locals.memory_mib,
		.processes = (unsigned)config->locals.processes,
		.tier = SANDBOX_NONE,
	};
	struct error why;

	/* The start and each reload have checked this before. */
	if (config_tier(config, &setup.tier, &why) < 0)
		bug("local bots without a sandbox: %s", why.text);
	local_bots_set(server->pages.locals, &setup);
	server->pages.tier = setup.tier;
	uploads_set(server->pages.uploads, config->sandbox,
		    config_upload_tier(config));
}

void
server_open_dispatch(struct server *server, struct spawner *spawner)
{
	server->dispatch =
		dispatch_new(&server->loop, spawner, &dispatch_calls, server);
	server->pages.locals = local_bots_new(&server->loop, &calls, server);
	server->seals = seals_new(server->pages.config->data);
	server->metrics.spawner = spawner != NULL;
	if (spawner == NULL)
		local_bots_stop(server->pages.locals);
}

static void
on_checked(void *arg)
{
	struct server *server = arg;

	if (!server->stopping)
		server_look_local_bots(server);
}

void
server_open_local_bots(struct server *server)
{
	server_set_local_bots(server, server->pages.config);
	server_look_local_bots(server);
	seals_begin(server->seals, &server->loop, on_checked, server);
	discard(server);
}

/* ---- requests --------------------------------------------------------- */

/* Returns true if one of the ladders that the request names, or any ladder if it
 * names none, has a game that the bot plays. */
static bool
has_ladder(const struct server *server, const struct bot_folder *folder,
	   unsigned words, char *const word[])
{
	for (unsigned place = 0; place < LADDER_PLACES; place++) {
		if (words == IMPORT_ENTER_WORDS &&
		    plays_at(server, folder, "", place))
			return true;
		for (unsigned i = IMPORT_ENTER_WORDS; i < words; i++)
			if (plays_at(server, folder, word[i], place))
				return true;
	}
	return false;
}

/* Adds a sentence if the bot that has been entered will get no game. */
static void
tell_idle(const struct server *server, unsigned words, char *const word[],
	  struct text *out)
{
	char path[IMPORT_PATH_BYTES];
	struct bot_folder *folder;
	struct error why;

	import_path(server->pages.config->data, word[2], "bot", path);
	folder = bot_folder_read(path, &why);
	if (folder != NULL && !has_ladder(server, folder, words, word))
		text_fmt(out,
			 "It gets no game: %s has a game of its `games` "
			 "in " BOT_FOLDER_MANIFEST "\n",
			 words == IMPORT_ENTER_WORDS
				 ? "no ladder of this daemon"
				 : "no ladder that --ladder names");
	bot_folder_free(folder);
}

static void
do_keep(struct thread_task *task)
{
	struct entering *entering = (struct entering *)task;

	entering->kept =
		import_enter_keep(entering->data, entering->word,
				  &entering->moved, &entering->why) == 0;
}

static int
keep_trial(struct server *server, struct entering *entering, struct text *out)
{
	if (import_trial_kept(entering->data, server->pages.roster,
			      server->pages.config->locals.memory_mib,
			      entering->words, entering->word, entering->moved,
			      &entering->why) < 0)
		return -1;
	if (trials_came(server->pages.trials, entering->word[3],
			entering->word[2])) {
		text_fmt(out, "A version of %s was imported for a trial\n",
			 entering->word[3]);
		seals_take(server->seals, entering->word[2]);
	} else {
		text_fmt(out,
			 "A version of %s was not kept: no trial waits for "
			 "it\n",
			 entering->word[3]);
	}
	discard(server); /* the trial before it, or this version */
	return 0;
}

/* Enters the bot whose folder is kept now, and answers its sender. */
static int
enter(struct server *server, struct entering *entering, struct text *out)
{
	if (entering->kept && strcmp(entering->word[4], "trial") == 0)
		return keep_trial(server, entering, out);
	if (!entering->kept ||
	    import_enter_kept(
		    entering->data, server->pages.roster,
		    server->pages.config->locals.memory_mib, entering->words,
		    entering->word,
		    uploads_by(server->pages.uploads, entering->word[3]),
		    entering->moved, out, &entering->why) < 0)
		return -1;
	seals_take(server->seals, entering->word[2]);
	tell_idle(server, entering->words, entering->word, out);
	return 0;
}

/* If the daemon ends meanwhile, its next start removes the folder. */
static void
on_kept(struct thread_task *task, bool read)
{
	struct entering *entering = (struct entering *)task;
	struct server *server = entering->server;
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	int result;

	LIST_CUT(entering);
	if (read && server->control != NULL) {
		result = enter(server, entering, &out);
		server_entered(server, entering->number, entering->words,
			       entering->word, result, &out, &entering->why);
	}
	text_release(&out);
	for (unsigned i = 0; i < entering->words; i++)
		free(entering->word[i]);
	free(entering);
}

int
server_enter(struct server *server, uint64_t number, unsigned words,
	     char *const word[], struct error *why)
{
	const struct config *config = server->pages.config;
	struct entering *entering;

	for (unsigned i = IMPORT_ENTER_WORDS; i < words; i++)
		if (ladders_find(&server->ladders, word[i]) < 0)
			return ladders_none(&server->ladders, word[i], why);
	if (import_enter_check(config->data, server->pages.roster,
			       config->locals.memory_mib, words, word, why) < 0)
		return -1;
	entering = zeroed(1, sizeof(*entering));
	entering->task.read = do_keep;
	entering->task.done = on_kept;
	entering->server = server;
	entering->number = number;
	entering->words = words;
	for (unsigned i = 0; i < words; i++)
		entering->word[i] = copied(word[i]);
	memcpy(entering->data, config->data, sizeof(entering->data));
	LIST_PUT(server->entering, entering);
	ask_files(server, &entering->task);
	return CONTROL_LATER;
}
