/* ladder/copy.c - copies databases.
 *
 * All pages are copied in one step, so that no writer comes between. */
#include "ladder/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/sql.h"

#define BUSY_MS 5000

static int
copy_pages(sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	int answer;

	if (backup == NULL)
		return sqlite3_errcode(to);
	answer = sqlite3_backup_step(backup, -1);
	sqlite3_backup_finish(backup);
	return answer == SQLITE_DONE ? SQLITE_OK : answer;
}

static int
copy_open(sqlite3 *from, sqlite3 *to, const char *path, const char *copy,
	  struct error *why)
{
	struct sql sql = { .what = "database", .path = path, .db = to };
	int answer = copy_pages(from, to);

	/* This makes one file that can be read without a log beside it. */
	if (answer == SQLITE_OK)
		answer = sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL,
				      NULL, NULL);
	if (answer != SQLITE_OK)
		return sql_sentence("database",
				    (answer & 0xff) == SQLITE_FULL ? copy
								   : path,
				    to, answer, why);
	/* Any version will do: opening the copy checks it. */
	return sql_check_sound(&sql, why) < 0
		       ? -1
		       : sql_check_schema(&sql, NULL, why);
}

static int
open_both(const char *from, const char *to, sqlite3 *db[2], struct error *why)
{
	const char *const path[2] = { from, to };
	int answer;
	char *file;

	for (int i = 0; i < 2; i++) {
		file = realpath(path[i], NULL); /* see place.c */
		if (file == NULL)
			return path_error(why, path_kind(errno), "open",
					  path[i]);
		answer = sql_open(file,
				  SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				  &db[i]);
		free(file);
		if (answer != SQLITE_OK)
			return sql_sentence("database", path[i], db[i], answer,
					    why);
		sqlite3_busy_timeout(db[i], BUSY_MS);
	}
	return 0;
}

int
database_copy(const char *from, const char *to, struct error *why)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	sqlite3 *db[2] = { NULL, NULL };
	int result;

	if (fd < 0)
		return path_error(why, path_kind(errno), "make", to);
	close(fd);
	result = open_both(from, to, db, why);
	if (result == 0)
		result = copy_open(db[0], db[1], from, to, why);
	sqlite3_close(db[0]);
	sqlite3_close(db[1]);
	if (result != 0)
		unlink(to);
	return result;
}
