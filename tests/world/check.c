/* tests/world/check.c - see check.h. */
#include "tests/world/check.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/world/check-inside.h"
#include "tests/world/folder-copy.h"

void
check_wrong(struct check *check, const char *format, ...)
{
	va_list args;

	check->wrong++;
	va_start(args, format);
	vfprintf(check->what->out, format, args);
	va_end(args);
	putc('\n', check->what->out);
}

/* ---- games without a result ----------------------------------------------- */

static bool
ends_in(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

static void
check_aborted(struct check *check, const char *path)
{
	char hash[2 * RECORD_HASH_BYTES + 1];
	struct text text = { .max = RECORD_BYTES };
	FILE *file = fopen(path, "re");
	char bytes[4096];
	size_t n;

	if (file == NULL) {
		check_wrong(check, "%s cannot be read", path);
		return;
	}
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		text_add(&text, bytes, n);
	fclose(file);
	check->checked->aborted++;
	check_record(check, path, &text, hash, NULL);
	text_release(&text);
}

static void
check_all_aborted(struct check *check, const char *ladder)
{
	char *records = formatted("%s/records", ladder), *path;
	struct dirent **entry = NULL;
	enum entry_kind kind;
	int n = scandir(records, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;

		path = formatted("%s/%s", records, name);
		if (ends_in(name, ".rec") &&
		    ladder_file_serial(name, strlen(name), &kind) == 0)
			check_aborted(check, path);
		free(path);
		free(entry[i]);
	}
	free(entry);
	free(records);
}

/* ---- promises --------------------------------------------------------------- */

static int
by_id(const void *a, const void *b)
{
	const struct check_game *x = a, *y = b;
	const int order = strcmp(x->id, y->id);

	return order != 0 ? order
			  : (x->serial > y->serial) - (x->serial < y->serial);
}

static int
by_id_alone(const void *a, const void *b)
{
	return strcmp(((const struct check_game *)a)->id,
		      ((const struct check_game *)b)->id);
}

static void
check_twins(struct check *check)
{
	if (check->games > 0) /* there is no array otherwise */
		qsort(check->game, check->games, sizeof(*check->game), by_id);
	for (size_t i = 1; i < check->games; i++)
		if (strcmp(check->game[i - 1].id, check->game[i].id) == 0)
			check_wrong(
				check,
				"game %s is in the logs twice: entry "
				"%" PRId64 " of ladder %s and entry "
				"%" PRId64 " of ladder %s",
				check->game[i].id, check->game[i - 1].serial,
				check->game[i - 1].ladder,
				check->game[i].serial, check->game[i].ladder);
}

static void
check_promises(struct check *check)
{
	const struct promises *promises = check->what->promises;
	const struct check_game *game;
	struct check_game key;
	size_t i;

	for (i = 0; i < promises->overs; i++) {
		const struct promised_over *over = &promises->over[i];

		check->checked->promises++;
		snprintf(key.id, sizeof(key.id), "%s", over->id);
		game = check->games == 0
			       ? NULL
			       : bsearch(&key, check->game, check->games,
					 sizeof(*check->game), by_id_alone);
		if (game == NULL)
			check_wrong(check,
				    "game %s: a bot was told that it is over, "
				    "but no log has it",
				    over->id);
		else if (strcmp(game->hash, over->hash) != 0)
			check_wrong(check,
				    "game %s: expected the record of the "
				    "receipt %s, found %s as entry %" PRId64
				    " of ladder %s",
				    over->id, over->hash, game->hash,
				    game->serial, game->ladder);
		else if (!game->rated)
			check_wrong(check,
				    "game %s: a bot was told that it is over, "
				    "but ladder %s does not have it",
				    over->id, game->ladder);
	}
}

/* ---- suspensions ------------------------------------------------------------ */

/* Returns true if a line of the log has this field. */
static bool
has_field(const char *line, const char *key, const char *value)
{
	char *field = formatted(" %s=%s", key, value);
	const size_t n = strlen(field);
	const char *at = line;
	bool has = false;

	while (!has && (at = strstr(at, field)) != NULL) {
		at += n;
		has = *at == ' ' || *at == '\n' || *at == '\0';
	}
	free(field);
	return has;
}

/* A bot whose token was taken away, as the organiser was told. */
struct revoked {
	struct revoked *next;
	char name[NAME_BYTES + 1];
	bool uploads; /* its author has asked for something since */
};

/* Checks what its author does since. */
static void
check_upload(struct check *check, struct revoked *one, const char *line)
{
	char *does = formatted(" the author of %s ", one->name);
	const char *at = strstr(line, does);

	at = at == NULL ? "" : at + strlen(does);
	one->uploads |= *at != '\0' && strncmp(at, "is ", 3) != 0;
	if (one->uploads && strncmp(at, "is answered 2", 13) == 0)
		check_wrong(check,
			    "expected that %s has no token any more, found an "
			    "upload that was taken: %.*s",
			    one->name, (int)strcspn(line, "\n"), line);
	free(does);
}

static void
check_revoked(struct check *check, struct revoked **revoked, const char *line)
{
	static const char done[] = " revoked for good: ";
	const char *at = strstr(line, done);
	struct revoked *one;

	if (at != NULL) {
		one = zeroed(1, sizeof(*one));
		at += sizeof(done) - 1;
		snprintf(one->name, sizeof(one->name), "%.*s",
			 (int)strcspn(at, "\n"), at);
		one->next = *revoked;
		*revoked = one;
	}
	for (one = *revoked; one != NULL; one = one->next) {
		check_upload(check, one, line);
		if ((has_field(line, "event", "bot-came") ||
		     has_field(line, "event", "bot-back")) &&
		    has_field(line, "bot", one->name))
			check_wrong(check,
				    "expected that %s has no token any more, "
				    "found: %.*s",
				    one->name, (int)strcspn(line, "\n"), line);
	}
}

/* Checks what the log of the daemon, and of the world around it, says. */
static void
check_trace(struct check *check)
{
	struct revoked *revoked = NULL, *next;
	const char *const *name;
	char *line = NULL;
	size_t room = 0;
	FILE *log;

	if (check->what->log == NULL || check->what->honest == NULL)
		return;
	log = fopen(check->what->log, "re");
	if (log == NULL) {
		check_wrong(check, "%s cannot be read", check->what->log);
		return;
	}
	while (getline(&line, &room, log) > 0) {
		check_revoked(check, &revoked, line);
		if (!has_field(line, "event", "suspended"))
			continue;
		for (name = check->what->honest; *name != NULL; name++)
			if (has_field(line, "bot", *name))
				check_wrong(check,
					    "expected no suspension of %s, "
					    "which is honest, found: %.*s",
					    *name, (int)strcspn(line, "\n"),
					    line);
	}
	for (; revoked != NULL; revoked = next) {
		next = revoked->next;
		free(revoked);
	}
	free(line);
	fclose(log);
}

/* ---- the whole -------------------------------------------------------------- */

static void
check_ladders(struct check *check)
{
	char *ladders = formatted("%s/ladders", check->what->data), *dir;
	struct dirent **entry = NULL;
	const int n = scandir(ladders, &entry, NULL, alphasort);
	struct stat st;

	for (int i = 0; i < n; i++) {
		dir = formatted("%s/%s", ladders, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(dir, &st) == 0 &&
		    S_ISDIR(st.st_mode)) {
			check_ladder(check, entry[i]->d_name, dir);
			check_all_aborted(check, dir);
		}
		free(dir);
	}
	check_twins(check);
	check_promises(check);
	for (int i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	free(ladders);
}

/* Looks at the roster in a copy, because SQLite may have to mend it. */
static void
check_roster(struct check *check)
{
	static const char *const ends[] = { "", "-wal", "-journal" };
	char *from = formatted("%s/roster.db", check->what->data);
	char *to = formatted("%s/roster.db", check->what->copy);
	struct error why;

	for (size_t i = 0; i < NELEM(ends) && access(from, F_OK) == 0; i++) {
		char *one = formatted("%s%s", from, ends[i]);
		char *other = formatted("%s%s", to, ends[i]);

		if (access(one, F_OK) == 0)
			file_copy(one, other);
		free(one);
		free(other);
	}
	if (access(from, F_OK) == 0 && dump_sound(to, &why) < 0)
		check_wrong(check, "the roster: %s", why.text);
	free(from);
	free(to);
}

static void
check_forget(struct check *check)
{
	for (size_t i = 0; i < check->games; i++)
		free(check->game[i].placing);
	free(check->game);
}

unsigned
world_check(const struct world_check *what, struct world_checked *checked)
{
	struct check check = { .what = what, .checked = checked };

	*checked = (struct world_checked){ .ladders = 0 };
	if (mkdir(what->copy, 0700) < 0)
		bug("cannot make the folder %s: %m", what->copy);
	check_ladders(&check);
	check_roster(&check);
	check_trace(&check);
	check_rules(&check);
	check_seats(&check);
	check_terms(&check);
	check_allowed(&check);
	check_standings(&check);
	folder_remove(what->copy);
	check_forget(&check);
	fflush(what->out);
	return check.wrong;
}
