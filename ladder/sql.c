/* ladder/sql.c - see sql.h. */
#include "ladder/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>

#include "protocol/record.h"

/* ---- what SQLite answers ---------------------------------------------- */

/* Returns true if a limit of file sizes (`ulimit -f`) can be the reason. */
static bool
may_not_grow(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

int
sql_sentence(const char *what, const char *path, sqlite3 *db, int answer,
	     struct error *why)
{
	const char *says = db ? sqlite3_errmsg(db) : sqlite3_errstr(answer);
	int error;

	switch (answer & 0xff) {
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
		/* Even a reader needs two files beside it. */
		return error_set(why, ERROR_MACHINE,
				 "%s %s: only a user who may write in its "
				 "folder can open it (%s)",
				 what, path, says);
	case SQLITE_FULL:
		return error_set(why, ERROR_MACHINE, "%s %s: the disk is full",
				 what, path);
	case SQLITE_IOERR:
		/* SQLite asks for the system's reason late, so it may be lost. */
		error = db ? sqlite3_system_errno(db) : 0;
		return error_set(why, ERROR_MACHINE,
				 "%s %s: disk I/O error (%s)", what, path,
				 error		  ? strerror(error)
				 : may_not_grow() ? strerror(EFBIG)
						  : says);
	case SQLITE_NOTADB:
		return error_set(why, ERROR_INPUT,
				 "%s is not a %s, and not a database", path,
				 what);
	case SQLITE_CORRUPT:
		return error_set(why, ERROR_INPUT, "%s %s is damaged (%s)",
				 what, path, says);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(why, ERROR_MACHINE,
				 "%s %s is in use by another program", what,
				 path);
	default:
		return error_set(why, ERROR_MACHINE, "%s %s: %s", what, path,
				 says);
	}
}

int
sql_trouble(const struct sql *sql, int answer, struct error *why)
{
	return sql_sentence(sql->what, sql->path, sql->db, answer, why);
}

int
sql_damaged(const struct sql *sql, struct error *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vset(why, ERROR_INPUT, fmt, ap);
	va_end(ap);
	return error_set(why, ERROR_INPUT, "%s %s is damaged (%s)", sql->what,
			 sql->path, why->text);
}

/* ---- statements ------------------------------------------------------- */

void
sql_close(struct sql *sql)
{
	for (unsigned i = 0; i < sql->count; i++)
		sqlite3_finalize(sql->kept[i].stmt);
	sql->count = 0;
	if (sqlite3_close(sql->db) != SQLITE_OK)
		bug("a statement of %s %s is left open", sql->what, sql->path);
	sql->db = NULL;
}

static int
bind_one(sqlite3_stmt *stmt, int i, char type, va_list *ap)
{
	const char *text;

	switch (type) {
	case 'i':
		return sqlite3_bind_int64(stmt, i, va_arg(*ap, int64_t));
	case 'h':
		return sqlite3_bind_blob(stmt, i, va_arg(*ap, const void *),
					 RECORD_HASH_BYTES, SQLITE_STATIC);
	case 's':
	case 't':
		text = va_arg(*ap, const char *);
		return sqlite3_bind_text(stmt, i, text,
					 type == 't' ? va_arg(*ap, int) : -1,
					 SQLITE_STATIC);
	default:
		bug("a parameter of type %c", type);
	}
}

/* Returns the prepared statement; NULL if SQLite cannot prepare it. */
static sqlite3_stmt *
statement(struct sql *sql, const char *text)
{
	struct sql_kept *kept = sql->kept, *end = kept + sql->count;

	while (kept < end && kept->text != text)
		kept++;
	if (kept < end)
		return kept->stmt;
	if (sql->count == SQL_STATEMENTS)
		bug("there is no room for %s", text);
	kept->text = text;
	if (sqlite3_prepare_v3(sql->db, text, -1, SQLITE_PREPARE_PERSISTENT,
			       &kept->stmt, NULL) == SQLITE_OK)
		sql->count++;
	return kept->stmt;
}

static sqlite3_stmt *
bind_all(struct sql *sql, const char *text, const char *types, va_list *ap)
{
	sqlite3_stmt *stmt = statement(sql, text);
	int i, answer = SQLITE_OK;

	if (stmt == NULL)
		return NULL;
	if (sqlite3_stmt_busy(stmt))
		bug("%s is used while it is in use", text);
	sqlite3_clear_bindings(stmt);
	for (i = 1; types[i - 1] != '\0' && answer == SQLITE_OK; i++)
		answer = bind_one(stmt, i, types[i - 1], ap);
	if (answer != SQLITE_OK || i - 1 != sqlite3_bind_parameter_count(stmt))
		bug("%s: %s", text, sqlite3_errmsg(sql->db));
	return stmt;
}

sqlite3_stmt *
sql_bind(struct sql *sql, const char *text, const char *types, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;

	va_start(ap, types);
	stmt = bind_all(sql, text, types, &ap);
	va_end(ap);
	return stmt;
}

int
sql_step(struct sql *sql, sqlite3_stmt *stmt, struct error *why)
{
	int answer =
		stmt == NULL ? sqlite3_errcode(sql->db) : sqlite3_step(stmt);
	int result = 0;

	if (answer == SQLITE_ROW)
		return 1;
	if (answer != SQLITE_DONE)
		result = sql_trouble(sql, answer, why);
	sqlite3_reset(stmt);
	return result;
}

int
sql_run(struct sql *sql, struct error *why, sqlite3_stmt *stmt)
{
	int result = sql_step(sql, stmt, why);

	if (result > 0)
		bug("%s gives a row", sqlite3_sql(stmt));
	return result;
}

int
sql_first(struct sql *sql, struct error *why, int64_t *number,
	  sqlite3_stmt *stmt)
{
	int result = sql_step(sql, stmt, why);

	*number = result > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_reset(stmt);
	return result < 0 ? result : 0;
}

static void
read_row(sqlite3_stmt *stmt, const char *columns, va_list *ap)
{
	char *text;

	for (int i = 0; columns[i] != '\0'; i++) {
		if (columns[i] == 'i') {
			*va_arg(*ap, int64_t *) = sqlite3_column_int64(stmt, i);
			continue;
		}
		text = va_arg(*ap, char *);
		if (columns[i] == 'p')
			sql_path(stmt, i, text, va_arg(*ap, size_t));
		else
			sql_text(stmt, i, text, va_arg(*ap, size_t));
	}
}

int
sql_row(struct sql *sql, struct error *why, const char *text, const char *types,
	...)
{
	sqlite3_stmt *stmt;
	va_list ap;
	int result;

	va_start(ap, types);
	stmt = bind_all(sql, text, types, &ap);
	result = sql_step(sql, stmt, why);
	if (result > 0) {
		read_row(stmt, va_arg(ap, const char *), &ap);
		sqlite3_reset(stmt);
	}
	va_end(ap);
	return result;
}

int
sql_execute(struct sql *sql, const char *text, struct error *why)
{
	int answer = sqlite3_exec(sql->db, text, NULL, NULL, NULL);

	return answer == SQLITE_OK ? 0 : sql_trouble(sql, answer, why);
}

void
sql_path(sqlite3_stmt *stmt, int column, char *text, size_t size)
{
	const unsigned char *value = sqlite3_column_text(stmt, column);

	snprintf(text, size, "%s", value == NULL ? "" : (const char *)value);
}

void
sql_text(sqlite3_stmt *stmt, int column, char *text, size_t size)
{
	sql_path(stmt, column, text, size);
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* ---- what the file is ------------------------------------------------- */

/* Gets the first column of the first row as text. */
static int
ask(struct sql *sql, const char *question, char text[64], struct error *why)
{
	sqlite3_stmt *stmt = NULL;
	int answer = sqlite3_prepare_v2(sql->db, question, -1, &stmt, NULL);
	int ended;

	text[0] = '\0';
	if (answer == SQLITE_OK)
		answer = sqlite3_step(stmt);
	if (answer == SQLITE_ROW)
		sql_text(stmt, 0, text, 64);
	/* SQLite writes a change, such as that of the journal's mode, only now. */
	ended = sqlite3_finalize(stmt);
	if (answer == SQLITE_ROW && ended == SQLITE_OK)
		return 0;
	return sql_trouble(sql, ended != SQLITE_OK ? ended : answer, why);
}

static int
ask_number(struct sql *sql, const char *question, long *number,
	   struct error *why)
{
	char text[64];
	int result = ask(sql, question, text, why);

	*number = strtol(text, NULL, 10);
	return result;
}

/* Returns true if a journal lies beside that names another file, as a journal
 * of several databases does.  We never make one, and SQLite would remove that
 * file. */
static bool
has_alien_journal(const char *file)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9,
					       0x20, 0xa1, 0x63, 0xd7 };
	char *path = formatted("%s-journal", file);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	unsigned char end[sizeof(magic)];
	bool found;

	found = fd >= 0 && lseek(fd, -(off_t)sizeof(end), SEEK_END) >= 0 &&
		read(fd, end, sizeof(end)) == (ssize_t)sizeof(end) &&
		memcmp(end, magic, sizeof(magic)) == 0;
	if (fd >= 0)
		close(fd);
	free(path);
	return found;
}

int
sql_open(const char *file, int flags, sqlite3 **db)
{
	static const struct {
		int option, on;
	} guards[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
	};
	int answer;

	*db = NULL;
	if (has_alien_journal(file))
		return SQLITE_PERM;
	answer = sqlite3_open_v2(file, db, flags, NULL);
	for (size_t i = 0; i < NELEM(guards) && answer == SQLITE_OK; i++)
		answer = sqlite3_db_config(*db, guards[i].option, guards[i].on,
					   NULL);
	return answer;
}

/* Appends statements without comments, and with one space where there is any. */
static void
squeeze(struct text *to, const char *sql)
{
	size_t n;

	for (; *sql != '\0'; sql += n) {
		if (strncmp(sql, "--", 2) == 0) {
			n = strcspn(sql, "\n");
		} else if ((n = strspn(sql, " \t\r\n")) == 0) {
			n = 1 + strcspn(sql + 1, "- \t\r\n");
			text_add(to, sql, n);
		} else if (to->used > 0 && to->bytes[to->used - 1] != ' ') {
			text_str(to, " ");
		}
	}
}

/* Returns true if these statements have this one, in any place. */
static bool
has_statement(struct text *all, const char *sql)
{
	const char *at = text_string(all), *start = at;
	struct text one = { .max = SIZE_MAX };

	squeeze(&one, sql == NULL ? "" : sql);
	text_str(&one, ";");
	while ((at = strstr(at, text_string(&one))) != NULL && at != start &&
	       strncmp(at - 2, "; ", 2) != 0)
		at++;
	text_release(&one);
	return at != NULL;
}

/* Checks the contents of a database besides a table's own indices.  If `schema`
 * is NULL, any tables will do. */
static int
check_rows(struct sql *sql, sqlite3_stmt *stmt, const char *schema,
	   struct error *why)
{
	struct text all = { .max = SIZE_MAX };
	unsigned wanted = 0;
	const char *at, *text;
	int answer;

	squeeze(&all, schema == NULL ? "" : schema);
	for (at = text_string(&all); (at = strchr(at, ';')) != NULL; at++)
		wanted++;
	while ((answer = sqlite3_step(stmt)) == SQLITE_ROW) {
		text = (const char *)sqlite3_column_text(stmt, 0);
		if (schema != NULL && !has_statement(&all, text))
			break;
		if (sqlite3_column_int(stmt, 1) != 0)
			break;
		wanted--;
	}
	text_release(&all);
	if (answer != SQLITE_DONE && answer != SQLITE_ROW)
		return sql_trouble(sql, answer, why);
	if (answer == SQLITE_ROW || (schema != NULL && wanted != 0))
		return error_set(why, ERROR_INPUT,
				 "%s %s has other tables, triggers or views "
				 "than this referee makes: it may be another "
				 "program's, or somebody has changed it",
				 sql->what, sql->path);
	return 0;
}

int
sql_check_schema(struct sql *sql, const char *schema, struct error *why)
{
	static const char rows[] =
		"SELECT sql, type NOT IN ('table', 'index') FROM sqlite_master "
		"WHERE NOT (type = 'index' AND sql IS NULL AND"
		" name LIKE 'sqlite_autoindex_%')";
	sqlite3_stmt *stmt = NULL;
	int answer = sqlite3_prepare_v2(sql->db, rows, -1, &stmt, NULL);
	int result = answer == SQLITE_OK ? check_rows(sql, stmt, schema, why)
					 : sql_trouble(sql, answer, why);

	sqlite3_finalize(stmt);
	return result;
}

int
sql_identify(struct sql *sql, int application, int version, const char *schema,
	     const char *cure, struct error *why)
{
	long id, user, tables;
	int result;

	if ((result = ask_number(sql, "PRAGMA application_id", &id, why)) < 0 ||
	    (result = ask_number(sql, "PRAGMA user_version", &user, why)) < 0 ||
	    (result = ask_number(sql, "SELECT count(*) FROM sqlite_master",
				 &tables, why)) < 0)
		return result;
	if (id == 0 && user == 0 && tables == 0)
		return 0;
	if (id != application || user < 1)
		return error_set(why, ERROR_INPUT,
				 "%s is not a %s but another SQLite database",
				 sql->path, sql->what);
	if (user != version)
		return error_set(why, ERROR_INPUT,
				 "%s %s is of version %ld, but this referee "
				 "knows version %d: %s",
				 sql->what, sql->path, user, version,
				 user > version ? "use a newer referee" : cure);
	return sql_check_schema(sql, schema, why) < 0 ? -1 : 1;
}

int
sql_check_sound(struct sql *sql, struct error *why)
{
	char found[64];
	int result = ask(sql, "PRAGMA quick_check(1)", found, why);

	if (result == 0 && strcmp(found, "ok") != 0)
		return sql_damaged(sql, why, "%s", found);
	return result;
}

int
sql_use_wal(struct sql *sql, struct error *why)
{
	char mode[64];
	int result = ask(sql, "PRAGMA journal_mode = WAL", mode, why);

	if (result < 0)
		return result;
	if (strcmp(mode, "wal") != 0)
		return error_set(why, ERROR_MACHINE,
				 "%s %s: its file system cannot share "
				 "memory, which SQLite's WAL needs",
				 sql->what, sql->path);
	return sql_execute(
		sql, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
		why);
}
