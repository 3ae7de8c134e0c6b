/* tests/world/check-record.c - each record verifies, and charges no honest bot. */
#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "protocol/abort.h"
#include "protocol/fault.h"
#include "protocol/prune.h"
#include "referee/records/verify.h"
#include "tests/world/check-inside.h"
#include "tests/world/moves.h"

static bool
is_honest(const struct check *check, const char *name)
{
	const char *const *at = check->what->honest;

	for (; at != NULL && *at != NULL; at++)
		if (strcmp(*at, name) == 0)
			return true;
	return false;
}

/* Reads the seat of a line `WORD S …`; SEATS_MAX: it has none. */
static unsigned
seat_of(const struct record_line *line)
{
	const char *space = strchr(line->text, ' ');

	return space != NULL && space[1] >= '0' && space[1] < '0' + SEATS_MAX
		       ? (unsigned)(space[1] - '0')
		       : SEATS_MAX;
}

/* Returns true if the line says that a bot was lost by the machine's fault, or because
 * the organiser sent it away, which ends the game without a result. */
static bool
is_innocent(const struct record *record, const struct record_line *line)
{
	return strncmp(line->text, "broken ", 7) == 0 &&
	       record->aborted != NULL &&
	       (strcmp(record->aborted, abort_name(ABORT_MACHINE)) == 0 ||
		strcmp(record->aborted, abort_name(ABORT_ORGANISER)) == 0);
}

static void
check_charges(struct check *check, const struct record *record)
{
	static const char *const words[] = { "fault ", "forfeit ", "owed ",
					     "broken " };
	const struct record_line *line = record->header;
	unsigned seat;
	size_t i;

	for (; line < record->body + record->bodies; line++)
		for (i = 0; i < NELEM(words); i++) {
			if (strncmp(line->text, words[i], strlen(words[i])) !=
				    0 ||
			    is_innocent(record, line))
				continue;
			seat = seat_of(line);
			if (seat < record->seats &&
			    is_honest(check, record->name[seat]))
				check_wrong(check,
					    "game %s: expected no fault of %s, "
					    "which is honest, found `%s`",
					    record->id, record->name[seat],
					    line->text);
		}
}

/* Returns true if the record holds. */
static bool
check_holds(struct check *check, const char *where, const struct record *record)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct verdict verdict;

	if (record_pruned(record, hash)) {
		check->checked->pruned++;
		verify_pruned(record, &verdict);
	} else {
		verify_record(record, false, NULL, &verdict);
	}
	if (!verdict.ok)
		check_wrong(check, "%s:%u: game %s: expected %s, found %s",
			    where, verdict.line, record->id, verdict.expected,
			    verdict.found);
	return verdict.ok;
}

void
check_record(struct check *check, const char *where, const struct text *text,
	     char hash[2 * RECORD_HASH_BYTES + 1], char **placing)
{
	unsigned char bytes[RECORD_HASH_BYTES];
	struct record *record;
	struct error why;
	bool pruned;

	hash[0] = '\0';
	if (record_parse(text->bytes, text->used, &record, &why) < 0) {
		check_wrong(check, "%s: %s", where, why.text);
		return;
	}
	pruned = record_pruned(record, bytes);
	if (!pruned)
		record_hash(record, bytes);
	sodium_bin2hex(hash, 2 * RECORD_HASH_BYTES + 1, bytes, sizeof(bytes));
	check_charges(check, record);
	if (!pruned && moves_keep(text, hash) < 0)
		check_wrong(check, "%s: cannot be kept: %s", where,
			    strerror(errno));
	if (placing != NULL)
		*placing = check_placing(record);
	if (check_holds(check, where, record) && !pruned)
		check_read(check, record);
	record_free(record);
}
