/* referee/records/verify-header.c - reads the game of a record, and its seal. */
#include "referee/records/verify-header.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/table/record-keys.h"

static int differs(const struct record *record, unsigned at,
		   struct verdict *verdict, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Sets the verdict: line `at` of the header breaks the format. */
static int
differs(const struct record *record, unsigned at, struct verdict *verdict,
	const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verdict_say(verdict->expected, fmt, ap);
	va_end(ap);
	verdict->line = at + 1;
	if (at < record->headers) {
		verdict_quote(verdict->found, record->header[at].text);
	} else {
		snprintf(verdict->found, VERDICT_BYTES,
			 "the end of the header");
	}
	return -1;
}

/* Returns the first line with this key, or record->headers. */
static unsigned
find_key(const struct record *record, const char *key)
{
	unsigned at;

	for (at = 0; at < record->headers; at++)
		if (record_after(&record->header[at], key) != NULL)
			break;
	return at;
}

/* Checks the forms of the referee's own lines. */
static int
check_keys(const struct record *record, struct verdict *verdict)
{
	char expected[RECORD_FORM_BYTES];
	unsigned at;

	if (record_keys_check(record, &at, expected) == 0)
		return 0;
	return differs(record, at, verdict, "%s", expected);
}

/* Refuses a pruned record, which cannot be proven. */
static int
check_whole(const struct record *record, struct verdict *verdict)
{
	unsigned at = find_key(record, "pruned");

	if (at == record->headers)
		return 0;
	return differs(record, at, verdict, "a record that was not pruned");
}

/* ---- the game ---------------------------------------------------------- */

static int
read_game(struct verify_header *header, const struct record *record,
	  struct verdict *verdict)
{
	const struct game_rules *rules = game_find(record->game);
	char why[SENTENCE_BYTES];

	if (!rules)
		return differs(record, find_key(record, "game"), verdict,
			       "a game that this program has");
	game_setup_init(&header->setup, rules, record->seats);
	if (game_setup_seats(&header->setup, why))
		return differs(record, find_key(record, "seats"), verdict,
			       "seats for it (%s)", why);
	return 0;
}

/* Reads the options.  Each has its line, in the rules' order. */
static int
read_options(struct verify_header *header, const struct record *record,
	     struct verdict *verdict)
{
	const struct game_option *option = header->setup.rules->options;
	unsigned first = find_key(record, "seats") + 1, i;
	char why[SENTENCE_BYTES];

	for (i = 0; i < record->options; i++) {
		if (!option[i].name)
			return differs(record, first + i, verdict,
				       "no more options of %s", record->game);
		if (strcmp(record->option[i].name, option[i].name) != 0)
			break;
		if (game_setup_option(&header->setup, record->option[i].name,
				      record->option[i].value, why))
			return differs(record, first + i, verdict,
				       "a valid option (%s)", why);
	}
	if (option[i].name)
		return differs(record, first + i, verdict, "`option %s VALUE`",
			       option[i].name);
	if (game_setup_check(&header->setup, why))
		return differs(record, first + i - 1, verdict,
			       "options that go together (%s)", why);
	return 0;
}

/* Returns true if the record was played by other rules.  A record without the
 * line is judged by ours. */
static bool
has_other_rules(const struct verify_header *header, const struct record *record)
{
	const char *version = record_header(record, "rules");
	char ours[16];

	snprintf(ours, sizeof(ours), "%u", header->setup.rules->version);
	return version && strcmp(version, ours) != 0;
}

static int
check_rules(const struct verify_header *header, const struct record *record,
	    struct verdict *verdict)
{
	const struct game_rules *rules = header->setup.rules;

	if (!has_other_rules(header, record))
		return 0;
	return differs(record, find_key(record, "rules"), verdict,
		       "`rules %u`, the only ones of %s that this program can "
		       "prove",
		       rules->version, rules->name);
}

/* ---- how it was refereed ----------------------------------------------- */

static void
read_conduct(struct verify_header *header, const struct record *record)
{
	const char *open = record_header(record, "open");
	const char *faults = record_header(record, "faults");
	uint64_t number = 0;

	header->arrival = open && strcmp(open, "arrival") == 0;
	if (faults &&
	    message_number(faults, strlen(faults), FAULTS_MAX, &number) != 0)
		bug("faults %s has passed as a number", faults);
	header->faults = (unsigned)number;
}

/* ---- the seal ---------------------------------------------------------- */

/* Reads checked hex digits.  Returns the number of bytes. */
static size_t
read_hex(const char *hex, unsigned char *bytes, size_t size)
{
	size_t n;

	if (sodium_hex2bin(bytes, size, hex, strlen(hex), NULL, &n, NULL) != 0)
		bug("%s has passed as hex digits", hex);
	return n;
}

/* Reads `entropy S HEX`.  A seat that gave none has no line. */
static void
read_entropies(struct verify_header *header, const struct record *record)
{
	const char *value;
	unsigned seat;

	for (unsigned at = 0; at < record->headers; at++) {
		value = record_after(&record->header[at], "entropy");
		if (value == NULL)
			continue;
		seat = (unsigned)(value[0] - '0');
		header->entropy.bytes[seat] = (uint8_t)read_hex(
			value + 2, header->entropy.byte[seat], ENTROPY_BYTES);
	}
}

/* Reads `block ID N`, which has been checked. */
static void
read_block(struct deal *deal, const struct record *record)
{
	const char *block = record_header(record, "block");

	if (block == NULL)
		return;
	snprintf(deal->block, sizeof(deal->block), "%s", block);
	deal->in_block = (unsigned)(block[ID_BYTES + 1] - '0');
}

/* Checks that the commitment binds this secret to this record's ID. */
static int
check_commit(struct verify_header *header, const struct record *record,
	     struct verdict *verdict)
{
	const char *commit = record_header(record, "commit");
	char hex[2 * DEAL_COMMIT_BYTES + 1];

	snprintf(header->deal.id, sizeof(header->deal.id), "%s", record->id);
	read_block(&header->deal, record);
	deal_commit(&header->deal);
	sodium_bin2hex(hex, sizeof(hex), header->deal.commit,
		       DEAL_COMMIT_BYTES);
	if (strcmp(commit, hex) == 0)
		return 0;
	return differs(record, find_key(record, "commit"), verdict,
		       "`commit %s` for this ID%s and secret", hex,
		       header->deal.in_block > 0 ? ", block" : "");
}

/* Reads the seal.  A record without its secret could show any cards. */
static int
read_seal(struct verify_header *header, const struct record *record,
	  struct verdict *verdict)
{
	const char *secret = record_header(record, "secret");

	if (!secret && record_header(record, "commit"))
		return differs(record, record->headers, verdict,
			       "a line `secret`, too, where there is a "
			       "`commit`");
	if (!secret)
		return 0;
	read_hex(secret, header->deal.secret, DEAL_SECRET_BYTES);
	if (check_commit(header, record, verdict) != 0)
		return -1;
	read_entropies(header, record);
	header->sealed = true;
	return 0;
}

int
verify_header_forms(struct verify_header *header, const struct record *record,
		    struct verdict *verdict)
{
	memset(header, 0, sizeof(*header));
	if (check_keys(record, verdict) != 0 ||
	    read_game(header, record, verdict) != 0)
		return -1;
	return has_other_rules(header, record)
		       ? 0
		       : read_options(header, record, verdict);
}

int
verify_header_read(struct verify_header *header, const struct record *record,
		   bool by_rules, struct verdict *verdict)
{
	if (verify_header_forms(header, record, verdict) != 0 ||
	    check_whole(record, verdict) != 0 ||
	    check_rules(header, record, verdict) != 0)
		return -1;
	read_conduct(header, record);
	return by_rules ? 0 : read_seal(header, record, verdict);
}
