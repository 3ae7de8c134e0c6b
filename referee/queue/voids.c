/* referee/queue/voids.c - see voids.h. */
#include "referee/queue/voids.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"

#define VOIDS 100	    /* of one answer */
#define VOID_BYTES 67108864 /* of one: a line for each game */

static void
void_path(const char *dir, int64_t number, char path[LADDER_PATH_BYTES + 64])
{
	char name[LADDER_FILE_BYTES];

	ladder_void_name(number, name);
	snprintf(path, LADDER_PATH_BYTES + 64, "%s/%s", dir, name);
}

/* ---- there ------------------------------------------------------------- */

/* Asking twice is fine, so an answer that is lost is asked for once more. */
int
void_put(struct pg_line *line, int64_t epoch, const char *ladder,
	 int64_t number, const char *bytes, size_t n, struct error *why)
{
	const struct pg_answer *answer = NULL;

	for (int tries = 0; tries < 2; tries++) {
		answer = pg_line_ask(line,
				     "SELECT referee.put_void($1, $2, $3, $4)",
				     "isib", epoch, ladder, number, bytes, n);
		if (answer->outcome == PG_DONE || answer->outcome == PG_REFUSED)
			break;
	}
	if (answer->outcome == PG_UNKNOWN)
		return error_set(why, ERROR_MACHINE,
				 "the queue's database: %s; whether it has the "
				 "void is not known: start the daemon again, "
				 "then look whether the games count",
				 answer->why);
	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_number(answer, 0, 0) != 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the queue's database has another void %lld of this "
			 "ladder: start the daemon again, which brings it here",
			 (long long)number);
}

static int
last_void(struct pg_line *line, const char *ladder, int64_t *number,
	  struct error *why)
{
	const struct pg_answer *answer =
		pg_line_ask(line,
			    "SELECT coalesce(max(number), 0) "
			    "FROM referee.ladder_void WHERE ladder = $1",
			    "s", ladder);

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	*number = pg_number(answer, 0, 0);
	return 0;
}

int
void_bring(struct pg_line *line, int64_t epoch, const char *ladder,
	   const char *dir, struct error *why)
{
	char path[LADDER_PATH_BYTES + 64];
	struct text bytes;
	int64_t number = 0;
	int result = last_void(line, ladder, &number, why);

	text_init(&bytes, VOID_BYTES);
	while (result == 0) {
		void_path(dir, ++number, path);
		if (access(path, F_OK) < 0)
			break;
		text_clear(&bytes);
		if (file_load(path, &bytes) < 0)
			result = error_set(why, ERROR_MACHINE,
					   "cannot read %.300s: %m", path);
		else
			result = void_put(line, epoch, ladder, number,
					  bytes.bytes, bytes.used, why);
	}
	text_release(&bytes);
	return result;
}

/* ---- and back ---------------------------------------------------------- */

void
void_list_release(struct void_list *voids)
{
	for (size_t i = 0; i < voids->count; i++)
		text_release(&voids->list[i].bytes);
	free(voids->list);
	*voids = (struct void_list){ NULL, 0 };
}

static void
add(struct void_list *voids, const struct pg_answer *answer, unsigned row)
{
	struct void_body *body;
	const char *bytes;
	size_t n;

	voids->list = grown(voids->list, voids->count, sizeof(*voids->list));
	body = &voids->list[voids->count++];
	body->number = pg_number(answer, row, 0);
	text_init(&body->bytes, VOID_BYTES);
	bytes = pg_bytes(answer, row, 1, &n);
	text_add(&body->bytes, bytes, n);
}

int
void_list_read(struct pg_line *line, const char *ladder, const char *dir,
	       struct void_list *voids, struct error *why)
{
	char path[LADDER_PATH_BYTES + 64];
	const struct pg_answer *answer;
	int64_t number = 0;
	unsigned i, rows;

	*voids = (struct void_list){ NULL, 0 };
	do /* which are there */
		void_path(dir, ++number, path);
	while (access(path, F_OK) == 0);
	number--;
	do {
		answer = pg_line_ask(line,
				     "SELECT number, body "
				     "FROM referee.ladder_void WHERE "
				     "ladder = $1 AND number > $2 "
				     "ORDER BY number LIMIT $3",
				     "sii", ladder, number, (int64_t)VOIDS);
		if (answer->outcome != PG_DONE) {
			void_list_release(voids);
			return pg_failed(answer, why);
		}
		rows = pg_rows(answer);
		for (i = 0; i < rows; i++) {
			add(voids, answer, i);
			number = pg_number(answer, i, 0);
		}
	} while (rows == VOIDS);
	return 0;
}

int
void_list_write(const struct void_list *voids, const char *dir,
		struct error *why)
{
	char path[LADDER_PATH_BYTES + 64];
	const struct void_body *body;

	for (size_t i = 0; i < voids->count; i++) {
		body = &voids->list[i];
		void_path(dir, body->number, path);
		if (file_make(path, 0, body->bytes.bytes, body->bytes.used) <
			    0 &&
		    errno != EEXIST)
			return error_set(why, ERROR_MACHINE,
					 "cannot write %.300s: %m", path);
	}
	return 0;
}

/* ---- what a ladder began with ------------------------------------------- */

int
founding_put(struct pg_line *line, int64_t epoch, struct ladder *ladder,
	     struct error *why)
{
	const struct pg_answer *answer;
	struct text text;
	int result;

	text_init(&text, VOID_BYTES);
	result = ladder_founding_tell(ladder, &text, why);
	if (result == 0) {
		answer = pg_line_ask(
			line,
			"INSERT INTO referee.house_file (name, bytes) "
			"SELECT 'founding/' || $2, $3 "
			"FROM referee.check_epoch($1) "
			"ON CONFLICT (name) DO NOTHING",
			"isb", epoch, ladder_id(ladder), text.bytes, text.used);
		if (answer->outcome != PG_DONE)
			result = pg_failed(answer, why);
	}
	text_release(&text);
	return result;
}

int
house_file_get(struct pg_line *line, const char *folder, const char *name,
	       struct text *to, struct error *why)
{
	const struct pg_answer *answer =
		pg_line_ask(line,
			    "SELECT bytes FROM referee.house_file "
			    "WHERE name = $1 || '/' || $2",
			    "ss", folder, name);
	const char *bytes;
	size_t n;

	if (answer->outcome != PG_DONE)
		return pg_failed(answer, why);
	if (pg_rows(answer) == 0)
		return 0;
	bytes = pg_bytes(answer, 0, 0, &n);
	text_add(to, bytes, n);
	return 0;
}
