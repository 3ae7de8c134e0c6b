/* referee/serve/server-residents.c - the bots of this machine: who lives here,
 * by the roster, and where they sit. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/config/bot-folder.h"
#include "referee/command.h"
#include "referee/serve/import.h"
#include "referee/serve/server-inside.h"

static void
log_resident(struct server *server, enum log_level level, const char *event,
	     const char *name, const char *key, const char *value)
{
	struct log_line line;

	log_begin(&line, server->logger, level, event);
	log_str(&line, "bot", name);
	log_str(&line, key, value);
	log_end(&line);
}

/* ---- where they sit --------------------------------------------------- */

/* Whether `name` is one of these words, which single spaces part. */
static bool
has_word(const char *words, const char *name)
{
	size_t n = strlen(name);
	const char *at;

	for (at = words; (at = strstr(at, name)) != NULL; at++)
		if ((at == words || at[-1] == ' ') &&
		    (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

static bool
plays_at(const struct server *server, const struct resident *resident,
	 const char *ladders, unsigned place)
{
	const struct scheduler *scheduler = server->scheduler[place];

	if (scheduler == NULL || server->closing >> place & 1 ||
	    !bot_folder_plays(resident->folder,
			      scheduler_setup(scheduler)->setup.rules))
		return false;
	return ladders[0] == '\0' ||
	       has_word(ladders, scheduler_name(scheduler));
}

/* Its room, to those ladders that do not know it: all, if it has changed, else
 * those of `fresh`. */
static void
offer(struct server *server, struct resident *resident, uint64_t fresh)
{
	unsigned room = resident->participant.ops->room(&resident->participant),
		 i;
	uint64_t to = room == resident->offered ? fresh : resident->sits;

	resident->offered = room;
	for (i = 0; i < SERVER_SCHEDULERS; i++)
		if (to >> i & 1)
			(void)!scheduler_sit(server->scheduler[i],
					     &resident->participant);
}

/* On these ladders, and no others. */
static void
seat(struct server *server, struct resident *resident, const char *ladders)
{
	uint64_t sits = 0, before = resident->sits;
	unsigned i;

	for (i = 0; i < SERVER_SCHEDULERS; i++) {
		if (plays_at(server, resident, ladders, i))
			sits |= UINT64_C(1) << i;
		else if (before >> i & 1)
			scheduler_rise(server->scheduler[i],
				       &resident->participant);
	}
	resident->sits = sits;
	if (!server->stopping)
		offer(server, resident, sits & ~before);
}

static void
rise(struct server *server, struct resident *resident)
{
	unsigned i;

	for (i = 0; i < SERVER_SCHEDULERS; i++)
		if (resident->sits >> i & 1)
			scheduler_rise(server->scheduler[i],
				       &resident->participant);
	resident->sits = 0;
}

/* ---- who lives here --------------------------------------------------- */

struct before {
	struct participant *participant;
	unsigned count;
	bool passed; /* the entry that the participant is */
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

static struct resident *
move_in(struct server *server, const struct roster_entry *entry)
{
	char path[IMPORT_PATH_BYTES], why[RESIDENT_WHY_BYTES];
	struct before before = { NULL, 0, false };
	struct resident *resident;

	import_path(server->config->data, entry->hash, "bot", path);
	resident = resident_new(server->residents, entry->name, path, why);
	if (resident == NULL) {
		log_resident(server, LOG_LEVEL_WARN, "resident-refused",
			     entry->name, "why", why);
		return NULL;
	}
	resident->entry = entry->number;
	memcpy(resident->hash, entry->hash, sizeof(resident->hash));
	memcpy(resident->participant.stands_as, entry->stands_as,
	       sizeof(entry->stands_as));
	memcpy(resident->participant.owner, entry->owner,
	       sizeof(resident->participant.owner));
	before.participant = &resident->participant;
	(void)!roster_entries_of(server->roster, entry->bot, on_before, &before,
				 why);
	log_resident(server, LOG_LEVEL_INFO, "resident-came", entry->name,
		     "stands-as", entry->stands_as);
	return resident;
}

static void
move_out(struct server *server, struct resident *resident)
{
	log_resident(server, LOG_LEVEL_INFO, "resident-leaves", resident->name,
		     "stands-as", resident->participant.stands_as);
	rise(server, resident);
	resident_dismiss(resident);
}

/* All that the roster has. */
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
	census->entry = memory(census->entry,
			       (census->count + 1) * sizeof(*census->entry));
	census->entry[census->count++] = *entry;
}

/* The roster tells them by name. */
static int
compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct roster_entry *)entry)->name);
}

/* The ladders where it sits are told of another owner, too. */
static void
take_owner(struct resident *resident, const struct roster_entry *entry)
{
	if (strcmp(resident->participant.owner, entry->owner) == 0)
		return;
	memcpy(resident->participant.owner, entry->owner,
	       sizeof(resident->participant.owner));
	resident->offered = UINT_MAX;
}

/* Those that may stay are noted in `lives`, by the place of their entry. */
static void
part(struct server *server, const struct census *census,
     struct resident *lives[])
{
	const struct roster_entry *entry;
	struct resident *resident;

	for (resident = residents_first(server->residents); resident != NULL;
	     resident = resident_next(resident)) {
		if (resident->leaving)
			continue;
		entry = bsearch(resident->name, census->entry, census->count,
				sizeof(*entry), compare_name);
		if (entry == NULL || entry->number != resident->entry)
			move_out(server, resident);
		else
			lives[entry - census->entry] = resident;
	}
}

static void
compare(struct server *server, const struct census *census)
{
	struct resident **lives =
		memory(NULL, (census->count + 1) * sizeof(struct resident *));
	const struct roster_entry *entry;
	struct remote_bot *remote;
	size_t i;

	memset(lives, 0, census->count * sizeof(struct resident *));
	part(server, census, lives);
	for (i = 0; i < census->count; i++) {
		entry = &census->entry[i];
		if (lives[i] == NULL) {
			remote =
				remote_bots_find(&server->remotes, entry->name);
			if (remote != NULL)
				remote_bot_dismiss(remote, REMOTE_BOT_NOT_AGAIN
						   "you live on the referee's "
						   "machine now");
			lives[i] = move_in(server, entry);
		}
		if (lives[i] != NULL)
			take_owner(lives[i], entry);
		if (lives[i] != NULL)
			seat(server, lives[i], entry->ladders);
	}
	free(lives);
}

void
server_look_residents(struct server *server)
{
	struct census census = { NULL, 0 };
	char why[LADDER_WHY_BYTES];

	if (roster_entries(server->roster, on_entry, &census, why) == LADDER_OK)
		compare(server, &census);
	else
		log_resident(server, LOG_LEVEL_ERROR, "roster-fails", "", "why",
			     why);
	free(census.entry);
}

bool
server_is_resident(struct server *server, const char *name,
		   struct roster_entry *entry)
{
	char why[LADDER_WHY_BYTES];
	struct roster_bot bot;

	return roster_find(server->roster, name, &bot, why) == LADDER_OK &&
	       roster_entry_of(server->roster, bot.number, entry, why) ==
		       LADDER_COUNTED;
}

/* ---- they play -------------------------------------------------------- */

void
server_resident_changed(struct server *server, struct participant *participant)
{
	struct resident *resident = participant_resident(participant);

	if (resident != NULL && !resident->leaving && !server->stopping)
		offer(server, resident, 0);
}

static void
on_room(void *arg, struct resident *resident)
{
	server_resident_changed(arg, &resident->participant);
}

/* Another ladder is the first each time, or one would take all the room. */
static void
on_open(void *arg)
{
	struct server *server = arg;
	unsigned i, at;

	server->woken = (server->woken + 1) % SERVER_SCHEDULERS;
	for (i = 0; i < SERVER_SCHEDULERS; i++) {
		at = (server->woken + i) % SERVER_SCHEDULERS;
		if (server->scheduler[at] != NULL)
			scheduler_wake(server->scheduler[at]);
	}
}

bool
server_full(void *arg)
{
	const struct server *server = arg;

	return residents_full(server->residents);
}

/* One that leaves has a folder that no entry tells of any more. */
static bool
is_home(const void *arg, const char *hash)
{
	const struct server *server = arg;
	const struct resident *resident = residents_first(server->residents);

	while (resident != NULL && strcmp(resident->hash, hash) != 0)
		resident = resident_next(resident);
	return resident != NULL;
}

static void
discard(struct server *server)
{
	import_discard(server->config->data, server->roster, is_home, server);
	server_sweep(server);
}

/* Its last process has ended; its last game may still be with the writer. */
static void
on_idle(void *arg, struct resident *resident)
{
	struct server *server = arg;
	unsigned i;

	for (i = 0; i < SERVER_SCHEDULERS; i++)
		if (server->scheduler[i] != NULL)
			scheduler_let_go(server->scheduler[i],
					 &resident->participant);
	resident_free(resident);
	discard(server);
}

static void
log_why(struct server *server, enum log_level level, const char *event,
	const char *why)
{
	struct log_line line;

	log_begin(&line, server->logger, level, event);
	log_str(&line, "why", why);
	log_end(&line);
}

static void
on_ended(void *arg, uint64_t number, unsigned seat, const struct job_end *end)
{
	struct server *server = arg;

	residents_ended(server->residents, number, seat, end);
}

static void
on_lost(void *arg, const char *sentence)
{
	struct server *server = arg;

	server->workers_lost++;
	log_why(server, LOG_LEVEL_WARN, "worker-lost", sentence);
}

static void
on_failed(void *arg, const char *why)
{
	struct server *server = arg;
	char sentence[512];

	snprintf(sentence, sizeof(sentence),
		 "%s; no bot of this machine plays until the referee is "
		 "started again",
		 why);
	log_why(server, LOG_LEVEL_ERROR, "nursery-lost", sentence);
	residents_stop(server->residents);
}

static const struct dispatch_calls dispatch_calls = {
	.ended = on_ended,
	.lost = on_lost,
	.failed = on_failed,
};

void
server_open_dispatch(struct server *server, struct spawner *spawner)
{
	server->dispatch =
		dispatch_new(&server->loop, spawner, &dispatch_calls, server);
}

static const struct resident_calls calls = {
	.room = on_room,
	.open = on_open,
	.idle = on_idle,
};

void
server_set_residents(struct server *server, const struct config *config)
{
	struct resident_setup setup = {
		.games = (unsigned)config->residents.games,
		.at_once = (unsigned)config->residents.at_once,
		.memory_mib = (unsigned)config->residents.memory_mib,
		.processes = (unsigned)config->residents.processes,
		.tier = SANDBOX_NONE,
	};
	char why[SANDBOX_WHY_BYTES];

	if (sandbox_choose(config->sandbox, config->sandbox_minimum,
			   &setup.tier, why) < 0) {
		log_resident(server, LOG_LEVEL_ERROR, "residents-stopped", "",
			     "why", why);
		setup.games = 0;
	}
	residents_set(server->residents, &setup);
	uploads_set(server->uploads, config->sandbox, config->sandbox_minimum);
}

void
server_open_residents(struct server *server, const struct spawner *spawner)
{
	server->residents = residents_new(&server->loop, &calls, server);
	if (spawner == NULL)
		residents_stop(server->residents);
	discard(server);
	server_set_residents(server, server->config);
	server_look_residents(server);
}

/* ---- what is to be removed -------------------------------------------- */

struct sweep {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	char data[CONFIG_PATH_BYTES + 1];
};

static void
do_sweep(struct worker_thread_job *job)
{
	incoming_sweep(((struct sweep *)job)->data);
}

static void
on_swept(struct worker_thread_job *job, bool read)
{
	(void)read;
	free(job);
}

void
server_sweep(struct server *server)
{
	struct sweep *sweep = memory(NULL, sizeof(*sweep));

	memset(sweep, 0, sizeof(*sweep));
	sweep->job.read = do_sweep;
	sweep->job.done = on_swept;
	memcpy(sweep->data, server->config->data, sizeof(sweep->data));
	worker_thread_ask(server->thread, &sweep->job);
}

/* ---- requests --------------------------------------------------------- */

/* `enter INCOMING HASH NAME add|upload LADDER…` */
int
server_enter(struct server *server, unsigned words, char *const word[],
	     struct text *out, char why[LADDER_WHY_BYTES])
{
	char ladders[ROSTER_LADDERS_BYTES + 1] = "";
	struct import_request request = { .ladders = ladders };
	size_t used = 0;
	unsigned i;

	if (words < IMPORT_ENTER_WORDS ||
	    words - IMPORT_ENTER_WORDS > CONFIG_LADDERS) {
		snprintf(why, LADDER_WHY_BYTES, "no such request");
		return EXIT_USAGE;
	}
	for (i = IMPORT_ENTER_WORDS; i < words; i++) {
		if (server_find_scheduler(server, word[i], strlen(word[i])) <
		    0) {
			snprintf(why, LADDER_WHY_BYTES,
				 "the daemon has no ladder %.32s", word[i]);
			return EXIT_USAGE;
		}
		used += (size_t)snprintf(ladders + used, sizeof(ladders) - used,
					 "%s%s", used > 0 ? " " : "", word[i]);
	}
	request.incoming = word[1];
	request.hash = word[2];
	request.name = word[3];
	request.upload = strcmp(word[4], "add") != 0;
	request.memory_mib = server->config->residents.memory_mib;
	return import_enter(server->config->data, server->roster, &request, out,
			    why);
}

/* `stderr NAME`: the end of what its games have written there. */
int
server_tell_stderr(struct server *server, unsigned words, char *const word[],
		   struct text *out)
{
	const struct resident *resident =
		words > 1 ? residents_find(server->residents, word[1]) : NULL;
	struct scheduler_bot bot;
	unsigned i;

	for (i = 0; resident != NULL && i < SERVER_SCHEDULERS; i++)
		if (server->scheduler[i] != NULL &&
		    scheduler_bot(server->scheduler[i],
				  resident->participant.stands_as, &bot) &&
		    bot.benched)
			text_fmt(out, "On the ladder %s: %s\n",
				 scheduler_name(server->scheduler[i]),
				 bot.bench);
	if (resident != NULL && resident->complaint_bytes > 0) {
		text_str(out, "Standard error of its games:\n");
		text_add(out, resident->complaint, resident->complaint_bytes);
	}
	return EXIT_DONE;
}
