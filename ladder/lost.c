/* ladder/lost.c - a ladder's file that is gone, or empty, while its records are
 * there.
 *
 * A second ladder beside them would begin with serial 1 again, and from then on
 * neither could be made from its records. */
#include "ladder/store-inside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/folder.h"

bool
ladder_records_beside(const char *file, char dir[LADDER_PATH_BYTES])
{
	static const char daemons[] = "ladder.db";
	const char *slash = strrchr(file, '/');
	const char *name = slash == NULL ? file : slash + 1;

	if (snprintf(dir, LADDER_PATH_BYTES, "%s.records", file) <
		    LADDER_PATH_BYTES &&
	    access(dir, F_OK) == 0)
		return true;
	if (strcmp(name, daemons) == 0 &&
	    snprintf(dir, LADDER_PATH_BYTES, "%.*srecords", (int)(name - file),
		     file) < LADDER_PATH_BYTES &&
	    access(dir, F_OK) == 0)
		return true;
	dir[0] = '\0';
	return false;
}

/* Whether these records are another ladder's: some are, and none is of `own`.
 */
static int
are_of_another(const struct folder_list *list, const char *own, bool *lost,
	       char why[LADDER_WHY_BYTES])
{
	char id[ID_BYTES + 2];
	size_t i;

	*lost = false;
	for (i = 0; i < list->count; i++) {
		if (access(list->file[i].path, F_OK) < 0)
			continue;
		if (folder_ladder(&list->file[i], id, why) < 0)
			return LADDER_TROUBLE;
		if (id[0] == '\0' || strlen(id) > ID_BYTES)
			continue;
		*lost = strcmp(id, own) != 0;
		if (!*lost)
			break;
	}
	return LADDER_OK;
}

int
lost_check_list(const struct ladder *ladder, const struct folder_list *list,
		char why[LADDER_WHY_BYTES])
{
	bool lost;
	int result = are_of_another(list, ladder->id, &lost, why);

	if (result < 0 || !lost)
		return result;
	return ladder_say(LADDER_BAD, why,
			  "ladder %.100s has no games, but %.200s is of "
			  "another: `referee ladder rebuild` makes that one "
			  "again, a new one needs another folder",
			  ladder->path, list->file[0].path);
}

int
lost_check(const struct ladder *ladder, const char *state,
	   char why[LADDER_WHY_BYTES])
{
	char dir[LADDER_PATH_BYTES];
	struct folder_list list = { 0 };
	bool lost = false;
	int result;

	if (ladder->again || !ladder_records_beside(ladder->file, dir))
		return LADDER_OK;
	result = folder_read(&list, dir, 0, 0, NULL, why);
	if (result == LADDER_OK)
		result = are_of_another(&list, ladder->id, &lost, why);
	folder_release(&list);
	if (result < 0 || !lost)
		return result;
	return ladder_say(LADDER_BAD, why,
			  "ladder %.100s %s, but its records are in %.100s: "
			  "`referee ladder rebuild --ladder %.100s` makes it "
			  "again",
			  ladder->path, state, dir, ladder->path);
}
