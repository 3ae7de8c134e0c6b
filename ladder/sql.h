/* ladder/sql.h - SQLite as the store and the roster use it: statements that are
 * prepared when they are used first, and answers in sentences.
 *
 * A statement is a string literal: it is kept, prepared, by its address until
 * sql_close().
 *
 * Functions that return an int return 0, or -1 and an error, unless they say
 * more.  A file that is not what it should be, or is damaged, is ERROR_INPUT; a
 * full disk and a file that is in use are ERROR_MACHINE. */
#ifndef LADDER_SQL_H
#define LADDER_SQL_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "ladder/result.h"
#include "protocol/util.h"

#define SQL_STATEMENTS 128 /* kept by one file; the code has fewer */

struct sql_kept {
	const char *text;
	sqlite3_stmt *stmt;
};

struct sql {
	const char *what; /* "ladder": begins its sentences; borrowed */
	const char *path; /* likewise */
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
/* 1: a row is there; go on until it is not, or sqlite3_reset().  0: none, and
 * the statement is reset.  Negative: trouble, reset. */
int sql_step(struct sql *sql, sqlite3_stmt *stmt, struct error *why) MUST_CHECK;
/* Each with the arguments of sql_bind() behind the others.  Runs what gives no rows. */
#define sql_do(sql, why, ...) sql_run(sql, why, sql_bind(sql, __VA_ARGS__))
int sql_run(struct sql *sql, struct error *why, sqlite3_stmt *stmt) MUST_CHECK;
/* The first column of the first row; 0 if there is none. */
#define sql_number(sql, why, number, ...)                                      \
	sql_first(sql, why, number, sql_bind(sql, __VA_ARGS__))
int sql_first(struct sql *sql, struct error *why, int64_t *number,
	      sqlite3_stmt *stmt) MUST_CHECK;
/* The first row: after the arguments of sql_bind() come the letters of what its
 * columns are, and where they go: `i` an int64_t *, `s` a char * and the size_t
 * that it has room for, `p` the same of a path; "" if nothing is read.  1: there
 * is a row; 0: none, and nothing is written. */
int sql_row(struct sql *sql, struct error *why, const char *text,
	    const char *types, ...) MUST_CHECK;
/* Runs statements that are not kept. */
int sql_execute(struct sql *sql, const char *text,
		struct error *why) MUST_CHECK;
/* Copies a text column, cut to what there is room for.  All that we write is
 * printable ASCII; any other byte becomes `?`, so that a file that somebody has
 * made up does nothing to a terminal.  A path is copied as it is. */
void sql_text(sqlite3_stmt *stmt, int column, char *text, size_t size);
void sql_path(sqlite3_stmt *stmt, int column, char *text, size_t size);

/* Opens a database, as all are opened: what it brings along besides tables does
 * nothing, and no function that could do harm is called by its schema.  Returns
 * SQLite's answer; `*db` is to be closed in either case.  SQLITE_PERM: a journal lies
 * beside that would have another file removed. */
int sql_open(const char *file, int flags, sqlite3 **db) MUST_CHECK;
/* Whether the file has the tables and indices that the statements `schema` make,
 * however they are spaced, and nothing else: 0.  NULL: any tables and indices. */
int sql_check_schema(struct sql *sql, const char *schema,
		     struct error *why) MUST_CHECK;
/* 1: the file is of `version` and no other program's, and has this schema; 0:
 * nothing is in it.  If it is of another version, the sentence ends with
 * `cure`. */
int sql_identify(struct sql *sql, int application, int version,
		 const char *schema, const char *cure,
		 struct error *why) MUST_CHECK;
int sql_check_sound(struct sql *sql, struct error *why) MUST_CHECK;
/* What is committed is on disk, and read beside. */
int sql_use_wal(struct sql *sql, struct error *why) MUST_CHECK;

/* Sets ERROR_INPUT: the file is damaged, and what is wrong with it; returns -1. */
int sql_damaged(const struct sql *sql, struct error *why, const char *fmt, ...)
	PRINTF_LIKE(3, 4) COLD;
/* Says what SQLite's answer means; returns -1. */
int sql_trouble(const struct sql *sql, int answer, struct error *why) COLD;
/* Likewise of a file that is a `what`. */
int sql_sentence(const char *what, const char *path, sqlite3 *db, int answer,
		 struct error *why) COLD;

#endif
