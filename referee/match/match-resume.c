/* referee/match/match-resume.c - see match-resume.h. */
#include "referee/match/match-resume.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/folder.h"
#include "referee/match/match-keeping.h"
#include "referee/records/verify.h"

static int
find_bot(const struct match_setup *setup, const char *name, unsigned *bot)
{
	for (*bot = 0; *bot < setup->bots; ++*bot)
		if (strcmp(setup->bot[*bot].name, name) == 0)
			return 0;
	return -1;
}

/* Takes from the record the bots that played and the result. */
static int
take_result(const struct match_setup *setup, const struct record *record,
	    struct match_done *done, struct error *why)
{
	struct match_result *result = &done->result;
	enum fault fault;
	unsigned seat;

	if (record->seats != setup->game.seats)
		return error_set(why, ERROR_INPUT, "it has other seats");
	for (unsigned i = 0; i < record->seats; i++)
		if (find_bot(setup, record->name[i], &result->bot[i]) < 0)
			return error_set(why, ERROR_INPUT,
					 "no bot is called %s",
					 quoted(record->name[i]).text);
	if (record_places(record, result->place, result->points, why) < 0)
		return -1;
	for (unsigned i = 0; i < record->bodies; i++) {
		const struct record_line *line = &record->body[i];
		const char *at = record_after(line, "forfeit");

		if (fault_line(line->text, line->n, &seat, &fault)) {
			text_fmt(&done->faults, "%s%s%s\n", line->text,
				 line->comment == NULL ? "" : " ;",
				 line->comment == NULL ? "" : line->comment);
			result->faults[seat]++;
		} else if (at != NULL) {
			result->retired[record_take_seat(&at, record->seats)] =
				true;
		}
	}
	result->counts = true;
	return 0;
}

static int
take_record(const struct match_setup *setup, const char *path,
	    struct match_done *done, struct error *why)
{
	struct verdict verdict;
	struct record *record;
	int result = record_read(path, &record, why);

	if (result < 0)
		return -1;
	verify_record(record, false, NULL, &verdict);
	if (!verdict.ok)
		result = error_set(
			why, ERROR_INPUT, "%s:%u: expected %s, found %s", path,
			verdict.line, verdict.expected, verdict.found);
	else if ((result = take_result(setup, record, done, why)) < 0)
		(void)error_prefix(why, "%s: ", path);
	record_free(record);
	return result;
}

static int
take_game(struct match_resume *resume, const struct match_setup *setup,
	  const char *dir, const char *name, uint64_t number, struct error *why)
{
	struct match_done *done = &resume->done[resume->count];
	char path[PATH_MAX];

	memset(done, 0, sizeof(*done));
	text_init(&done->faults, RECORD_BYTES);
	done->result.number = number;
	resume->count++;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (take_record(setup, path, done, why) == 0)
		return 0;
	return error_set(why, why->kind,
			 "%s; remove this record to have the game played "
			 "again%s",
			 why->text,
			 setup->ladder == NULL
				 ? ""
				 : "; the ladder then needs `referee ladder "
				   "rebuild --accept --gaps`");
}

/* Removes half-written records.  What a kill has left of a record tells the
 * cards of a game that is played again, and maybe of its whole block. */
static int
remove_halves(const char *dir, struct error *why)
{
	const struct dirent *entry;
	DIR *folder = opendir(dir);
	int result = folder == NULL ? -1 : 0;

	while (result == 0 && (entry = readdir(folder)) != NULL)
		if (folder_ends_in(entry->d_name, ".rec.tmp"))
			result = unlinkat(dirfd(folder), entry->d_name, 0);
	if (result < 0)
		error_set(why, ERROR_MACHINE, "cannot clean the folder %s: %m",
			  quoted(dir).text);
	if (folder != NULL)
		closedir(folder);
	return result;
}

int
match_resume_read(struct match_resume *resume, const char *dir,
		  const struct match_setup *setup, struct error *why)
{
	struct match_files files;
	const char *name;
	struct deal deal;
	uint64_t number;
	int result;

	memset(resume, 0, sizeof(*resume));
	if (remove_halves(dir, why) < 0)
		return -1;
	result = match_files_read(&files, dir, why);
	resume->done = zeroed(files.count + 1, sizeof(*resume->done));
	for (number = 1; result == 0 && number <= setup->games; number++) {
		deal_from_seed(&deal, setup->seed, number);
		name = match_files_find(&files, deal.id);
		if (name != NULL)
			result = take_game(resume, setup, dir, name, number,
					   why);
	}
	match_files_release(&files);
	return result;
}
