/* referee/data/owner.c - see owner.h. */
#include "referee/data/owner.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/place.h"
#include "referee/base/command.h"
#include "referee/base/loop.h"
#include "referee/base/suggest.h"

/* ---- a request -------------------------------------------------------- */

/* Tries once.  Returns CONTROL_SILENT if another process has the folder but
 * does not answer. */
static int
try_it(const struct owner_request *request, struct text *out, struct error *why)
{
	int lock = data_folder_take(request->data, why), result;

	if (lock == DATA_FOLDER_IN_USE) {
		struct error silence;

		result = control_ask(request->data, request->words,
				     request->word, out, &silence);
		if (result == -1)
			*why = silence;
		return result;
	}
	if (lock < 0)
		return -1;
	if (request->changes && data_folder_is_copy(request->data))
		result = error_set(
			why, ERROR_MACHINE,
			"%.1000s is a copy of what its queue's database has: "
			"do this while a daemon runs, on the machine of the "
			"one "
			"that has the queue",
			request->data);
	else
		result = request->on_files(request, out, why);
	close(lock);
	return result;
}

int
owner_do(const struct owner_request *request, struct text *out,
	 struct error *why)
{
	const uint64_t until_us =
		clock_us() + DATA_FOLDER_WAIT_MS * UINT64_C(1000);
	int result;

	while ((result = try_it(request, out, why)) == CONTROL_SILENT &&
	       clock_us() < until_us)
		clock_pause(DATA_FOLDER_TRY_MS);
	return result < 0 ? -1 : 0;
}

/* ---- whose a ladder is ------------------------------------------------ */

/* Cuts off and returns the last part of a path, or returns NULL. */
static const char *
cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL)
		return NULL;
	*slash = '\0';
	return slash + 1;
}

/* `real` is a path from the root on, which is cut. */
static bool
is_of_data(char *real, char data[LADDER_PATH_BYTES], char name[NAME_BYTES + 1])
{
	char lock[LADDER_PATH_BYTES + 8];
	const char *part;

	if ((part = cut(real)) == NULL || strcmp(part, "ladder.db") != 0 ||
	    (part = cut(real)) == NULL ||
	    snprintf(name, NAME_BYTES + 1, "%s", part) > NAME_BYTES ||
	    (part = cut(real)) == NULL || strcmp(part, "ladders") != 0)
		return false;
	if (snprintf(data, LADDER_PATH_BYTES, "%s", *real ? real : "/") >=
	    LADDER_PATH_BYTES)
		return false;
	snprintf(lock, sizeof(lock), "%s/lock", data);
	return access(lock, F_OK) == 0;
}

bool
owner_of_ladder(const char *file, char data[LADDER_PATH_BYTES],
		char name[NAME_BYTES + 1])
{
	bool made, is;
	char *real = place_real(file, &made);

	is = real != NULL && is_of_data(real, data, name);
	free(real);
	return is;
}

int
owner_open_ladder(const char *file, struct ladder **ladder,
		  struct roster_marks **marks, struct error *why)
{
	char data[LADDER_PATH_BYTES], name[NAME_BYTES + 1];
	int result = ladder_open(file, LADDER_READ, ladder, why);

	*marks = NULL;
	if (result != 0 || !owner_of_ladder(file, data, name))
		return result;
	result = roster_marks_read(data, marks, why);
	if (result == 0)
		ladder_mark_by(*ladder, roster_mark_of, *marks);
	return result;
}

bool
owner_ladder_is_frozen(const char *file)
{
	char folder[LADDER_PATH_BYTES];
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s", file);
	if (cut(folder) == NULL)
		return false;
	dir = opendir(folder);
	while (dir != NULL && !found && (entry = readdir(dir)) != NULL)
		found = strncmp(entry->d_name, "frozen-", 7) == 0;
	if (dir != NULL)
		closedir(dir);
	return found;
}

void
owner_tell_behind(struct ladder *ladder, const char *file)
{
	struct error why;
	int64_t end;
	const int result = ladder_log_end(ladder, &end, &why);

	if (result < 0 && why.kind == ERROR_INPUT)
		note("%s", why.text);
	if (result == 0 && end > ladder_last(ladder))
		note("ladder %.300s is behind: it ends with entry %" PRId64
		     " and its log with entry %" PRId64
		     "; who plays on it next takes the rest, or `referee "
		     "ladder rebuild`",
		     file, ladder_last(ladder), end);
}

int
owner_check_ladder(const char *file, struct error *why)
{
	char data[LADDER_PATH_BYTES], name[NAME_BYTES + 1];

	return owner_of_ladder(file, data, name)
		       ? data_folder_check(data, name, why)
		       : 0;
}

bool
owner_ladder_file(const char *data, const char *name,
		  char file[LADDER_PATH_BYTES])
{
	return *name != '\0' && *name != '.' && strchr(name, '/') == NULL &&
	       snprintf(file, LADDER_PATH_BYTES, "%s/ladders/%s/ladder.db",
			data, name) < LADDER_PATH_BYTES;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
refuse_ladder(const char *data, const char *name, struct error *why)
{
	struct suggestion meant = suggest(name == NULL ? "" : name);
	char path[LADDER_PATH_BYTES];
	struct dirent **entry;
	int count;

	snprintf(path, sizeof(path), "%s/ladders", data);
	count = scandir(path, &entry, is_visible, alphasort);
	for (int i = 0; i < count; i++) {
		suggest_offer(&meant, entry[i]->d_name);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	return suggest_none(&meant, why, "%s%s",
			    name == NULL ? "with --data goes --ladder NAME"
					 : "there is no ladder ",
			    name == NULL ? "" : name);
}

int
owner_find_ladder(const char *data, const char *name,
		  char file[LADDER_PATH_BYTES], struct error *why)
{
	char folder[LADDER_PATH_BYTES];

	if (data_folder_find(data, why) < 0)
		return -1;
	if (name == NULL || !owner_ladder_file(data, name, file))
		return refuse_ladder(data, name, why);
	snprintf(folder, sizeof(folder), "%s", file);
	(void)cut(folder);
	return access(folder, F_OK) == 0 ? 0 : refuse_ladder(data, name, why);
}
