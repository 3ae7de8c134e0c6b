/* ladder/sql.h - uses SQLite for the store and the roster: prepares statements
 * when they are used first, and turns its answers into sentences.
 *
 * A statement is a string literal.  It is kept prepared, by the literal's
 * address, until sql_close().
 *
 * Functions that return an int return 0, or -1 and an error, unless they say
 * more.  A file of the wrong kind, or a damaged one, is ERROR_INPUT; a full
 * disk and a file that is in use are ERROR_MACHINE. */
#ifndef LADDER_SQL_H
#define LADDER_SQL_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

#define SQL_STATEMENTS 128 /* statements of one file; there are fewer */

struct sql_kept {
	const char *text;
	sqlite3_stmt *stmt;
};

struct sql {
	const char *what; /* "ladder": begins its sentences; borrowed */
	const char *path; /* path of the file; borrowed */
	sqlite3 *db;
	struct sql_kept kept[SQL_STATEMENTS];
	unsigned count;
};

/* Closes statements and database. */
void sql_close(struct sql *sql);

/* Binds the arguments to the statement's parameters in order: `i` an int64_t,
 * `s` a string, `t` bytes and their number as text, `h` a hash of
 * RECORD_HASH_BYTES.  What is bound must live until the
 * statement is reset.  Returns the statement; NULL if it cannot be prepared, which
 * sql_step() then tells if it is called next. */
sqlite3_stmt *sql_bind(struct sql *sql, const char *text, const char *types,
		       ...);
/* Steps to the next row.  Returns 1 for a row; then call it again until it
 * returns something else, or call sqlite3_reset().  Returns 0 if there is no
 * further row, and a negative value on an error; both reset the statement. */
int sql_step(struct sql *sql, sqlite3_stmt *stmt, struct error *why) MUST_CHECK;
/* These take the arguments of sql_bind() behind the others. sql_do() runs a
 * statement that gives no rows. */
#define sql_do(sql, why, ...) sql_run(sql, why, sql_bind(sql, __VA_ARGS__))
int sql_run(struct sql *sql, struct error *why, sqlite3_stmt *stmt) MUST_CHECK;
/* Gets the first column of the first row; 0 if there is none. */
#define sql_number(sql, why, number, ...)                                      \
	sql_first(sql, why, number, sql_bind(sql, __VA_ARGS__))
int sql_first(struct sql *sql, struct error *why, int64_t *number,
	      sqlite3_stmt *stmt) MUST_CHECK;
/* Reads the first row.  Behind the arguments of sql_bind() come a letter for
 * each column, and where the columns go: `i` an int64_t *; `s` a char * and a
 * size_t, its room; `p` the same for a path; "" reads nothing.  Returns 1 if
 * there is a row; 0 if there is none, and then writes nothing. */
int sql_row(struct sql *sql, struct error *why, const char *text,
	    const char *types, ...) MUST_CHECK;
/* Runs statements that are not kept. */
int sql_execute(struct sql *sql, const char *text,
		struct error *why) MUST_CHECK;
/* Copies a text column, cut to the room that there is.  All text that we write
 * is printable ASCII. sql_text() turns any other byte into `?`, so that a
 * forged file does nothing to a terminal; sql_path() copies a path as it is. */
void sql_text(sqlite3_stmt *stmt, int column, char *text, size_t size);
void sql_path(sqlite3_stmt *stmt, int column, char *text, size_t size);

/* Opens a database; all are opened through this function.  Triggers and views
 * of the file do nothing, and its schema cannot call functions that could do
 * harm.  Returns SQLite's answer; close `*db` in either case.  The answer is
 * SQLITE_PERM if a journal lies beside the file that would have another file
 * removed. */
int sql_open(const char *file, int flags, sqlite3 **db) MUST_CHECK;
/* Returns 0 if the file has the tables and indices that the statements `schema`
 * make, however they are spaced, and nothing else.  If `schema` is NULL, any
 * tables and indices will do. */
int sql_check_schema(struct sql *sql, const char *schema,
		     struct error *why) MUST_CHECK;
/* Returns 1 if the file is of `version`, belongs to no other program, and has
 * this schema; 0 if it is empty.  If it is of another version, the sentence
 * ends with `cure`. */
int sql_identify(struct sql *sql, int application, int version,
		 const char *schema, const char *cure,
		 struct error *why) MUST_CHECK;
int sql_check_sound(struct sql *sql, struct error *why) MUST_CHECK;
/* Uses a write-ahead log: each commit is on disk, and others can read
 * meanwhile. */
int sql_use_wal(struct sql *sql, struct error *why) MUST_CHECK;

/* Sets ERROR_INPUT with a sentence that says that the file is damaged, and how;
 * returns -1. */
int sql_damaged(const struct sql *sql, struct error *why, const char *fmt, ...)
	PRINTF_LIKE(3, 4) COLD;
/* Says what SQLite's answer means; returns -1. */
int sql_trouble(const struct sql *sql, int answer, struct error *why) COLD;
/* Does the same for a file that is a `what`. */
int sql_sentence(const char *what, const char *path, sqlite3 *db, int answer,
		 struct error *why) COLD;

#endif
