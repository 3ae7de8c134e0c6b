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

/* The first of another ladder's records if none is of `own`; else NULL. */
static int
are_of_another(const struct folder_list *list, const char *own,
	       const struct folder_file **lost, struct error *why)
{
	struct pack_cache cache = { 0 };
	char id[ID_BYTES + 2];
	int result = 0;
	size_t i;

	*lost = NULL;
	for (i = 0; i < list->count && result == 0; i++) {
		if (folder_is_gone(&list->file[i]))
			continue;
		result = folder_ladder(&cache, &list->file[i], id, why);
		if (result < 0)
			break;
		if (id[0] == '\0' || strlen(id) > ID_BYTES)
			continue;
		if (strcmp(id, own) == 0) {
			*lost = NULL;
			break;
		}
		if (*lost == NULL)
			*lost = &list->file[i];
	}
	pack_cache_release(&cache);
	return result;
}

int
lost_check_list(const struct ladder *ladder, const struct folder_list *list,
		struct error *why)
{
	const struct folder_file *lost;
	int result = are_of_another(list, ladder_id(ladder), &lost, why);

	if (result < 0 || lost == NULL)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %.100s has no games, but %.160s belongs to "
			 "another ladder: give a new ladder another folder; if "
			 "the other ladder's file is lost, `referee ladder "
			 "rebuild --ladder FILE --records FOLDER` restores it",
			 ladder->place.path, lost->path);
}

int
lost_check(const struct place *place, const char *id, const char *state,
	   struct error *why)
{
	char dir[LADDER_PATH_BYTES];
	struct folder_list list = { 0 };
	const struct folder_file *lost = NULL;
	bool is_lost;
	int result;

	if (!ladder_records_beside(place->file, dir))
		return 0;
	result = folder_read(&list, dir, 0, 0, NULL, why);
	if (result == 0)
		result = are_of_another(&list, id, &lost, why);
	is_lost = lost != NULL;
	folder_release(&list);
	if (result < 0 || !is_lost)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %.100s %s, but its records are in %.100s: "
			 "`referee ladder rebuild --ladder %.100s` restores it",
			 place->path, state, dir, place->path);
}
