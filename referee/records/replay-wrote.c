/* referee/records/replay-wrote.c - see replay-wrote.h. */
#include "referee/records/replay-wrote.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/file.h"

/* ---- parts ---------------------------------------------------------------- */

/* Returns the last ask of the seat before `end`, or NULL. */
static const struct asks_ask *
ask_before(const struct asks *asks, const struct asks_ask *end, unsigned seat)
{
	while (end > asks->ask)
		if ((--end)->seat == seat)
			return end;
	return NULL;
}

/* Returns the bytes from place `from` to place `until`. */
static struct replay_wrote_part
part_of(const struct replay_wrote *wrote, uint64_t from, uint64_t until,
	size_t most)
{
	struct replay_wrote_part part = { .all = 0 };
	uint64_t first = from;

	if (from >= until)
		return part;
	if (wrote->bytes == NULL) {
		part.all = wrote->gone ? until - from : 0;
		return part;
	}
	if (until > wrote->from + wrote->n)
		return part;
	part.all = until - from;
	if (until <= wrote->from)
		return part;
	if (until - first > most)
		first = until - most;
	if (first < wrote->from)
		first = wrote->from;
	part.bytes = wrote->bytes + (first - wrote->from);
	part.n = (size_t)(until - first);
	return part;
}

struct replay_wrote_part
replay_wrote_at(const struct asks *asks, const struct asks_ask *ask,
		const struct replay_wrote *wrote, size_t most)
{
	const struct asks_ask *before = ask_before(asks, ask, ask->seat);
	struct replay_wrote_part part = part_of(
		wrote, before == NULL ? 0 : before->wrote, ask->wrote, most);

	part.seat = ask->seat;
	return part;
}

struct replay_wrote_part
replay_wrote_after(const struct asks *asks, unsigned seat,
		   const struct replay_wrote *wrote, size_t most)
{
	struct replay_wrote_part part = { .all = 0 };
	const struct asks_ask *last =
		asks->count == 0
			? NULL
			: ask_before(asks, asks->ask + asks->count, seat);

	if (wrote->bytes == NULL)
		return part;
	part = part_of(wrote, last == NULL ? 0 : last->wrote,
		       wrote->from + wrote->n, most);
	part.seat = seat;
	part.after = last != NULL;
	return part;
}

void
replay_wrote_sentence(const struct replay_wrote_part *part,
		      char sentence[REPLAY_WROTE_BYTES])
{
	const char *who = part->after ? "After its last answer it" : "It";

	if (part->n == 0)
		snprintf(sentence, REPLAY_WROTE_BYTES,
			 "What it wrote to standard error is no longer kept.");
	else if (part->n == part->all)
		snprintf(sentence, REPLAY_WROTE_BYTES,
			 "%s wrote to standard error:", who);
	else
		snprintf(sentence, REPLAY_WROTE_BYTES,
			 "%s wrote %" PRIu64 " bytes to standard error; the "
			 "last %zu are:",
			 who, part->all, part->n);
}

/* ---- files ---------------------------------------------------------------- */

/* A file that is longer than STDERR_BYTES begins with this line; no other file
 * does, whatever a bot writes. */
#define CUT "[%" PRIu64 " bytes before these are not kept]\n"
#define CUT_BYTES 64 /* at most */

static bool
write_path(const char *dir, uint64_t number, unsigned seat, const char *name,
	   char path[PATH_MAX])
{
	const int n = snprintf(path, PATH_MAX, "%s/%08" PRIu64 "-%u-%s.txt",
			       dir, number, seat, name);

	return n < PATH_MAX;
}

int
replay_wrote_keep(const char *dir, uint64_t number, unsigned seat,
		  const char *name, const struct text *text, uint64_t from)
{
	char path[PATH_MAX], cut[CUT_BYTES];
	int fd, result = 0;

	if (!write_path(dir, number, seat, name, path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	snprintf(cut, sizeof(cut), CUT, from);
	if (from > 0)
		result = file_write(fd, cut, strlen(cut));
	if (result == 0)
		result = file_write(fd, text->bytes, text->used);
	return close(fd) < 0 ? -1 : result;
}

/* Reads the number of a match's game from the name of its record. */
static bool
read_game(const char *path, uint64_t *number)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	char *end;

	*number = strtoull(name, &end, 10);
	return end - name >= 8 && *end == '-';
}

/* Takes the bytes of a file and drops the line about what is not kept. */
static int
take(struct text *text, struct replay_wrote *wrote)
{
	char cut[CUT_BYTES];
	size_t n = 0;

	if (text->used > STDERR_BYTES) {
		n = text->used - STDERR_BYTES;
		wrote->from = strtoull(text->bytes + 1, NULL, 10);
		snprintf(cut, sizeof(cut), CUT, wrote->from);
		if (n != strlen(cut) || memcmp(text->bytes, cut, n) != 0)
			return -1;
	}
	wrote->n = text->used - n;
	wrote->bytes = memory(NULL, wrote->n + 1);
	memcpy(wrote->bytes, text_string(text) + n, wrote->n);
	return 0;
}

static int
read_seat(const char *path, struct replay_wrote *wrote, struct error *why)
{
	struct text text = { .max = STDERR_BYTES + CUT_BYTES };
	int result = file_load_regular(path, &text);

	if (result < 0 && errno == ENOENT)
		result = 0;
	else if (result < 0)
		(void)error_set(why, ERROR_MACHINE, "cannot read %s: %s",
				quoted(path).text, file_trouble());
	else if (text.full || take(&text, wrote) < 0)
		result = error_set(why, ERROR_INPUT,
				   "%s is longer than `referee match --stderr` "
				   "makes it",
				   quoted(path).text);
	text_release(&text);
	return result;
}

int
replay_wrote_read(const char *dir, const char *path,
		  const struct record *record,
		  struct replay_wrote wrote[SEATS_MAX], struct error *why)
{
	char file[PATH_MAX];
	uint64_t number;
	bool any = false;

	memset(wrote, 0, SEATS_MAX * sizeof(*wrote));
	if (!read_game(path, &number))
		return error_set(why, ERROR_INPUT,
				 "the name of the record must begin with the "
				 "number of its game, as those of a match do");
	for (unsigned s = 0; s < record->seats; s++) {
		if (!write_path(dir, number, s, record->name[s], file))
			return error_set(why, ERROR_INPUT,
					 "the path %s is too long",
					 quoted(dir).text);
		if (read_seat(file, &wrote[s], why) < 0)
			return -1;
		any |= wrote[s].bytes != NULL;
	}
	if (!any)
		return error_set(why, ERROR_INPUT,
				 "%s has no standard error of this game",
				 quoted(dir).text);
	return 0;
}

void
replay_wrote_forget(struct replay_wrote wrote[SEATS_MAX])
{
	for (unsigned s = 0; s < SEATS_MAX; s++)
		free(wrote[s].bytes);
}
