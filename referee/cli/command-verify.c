/* referee/cli/command-verify.c - `referee verify`: checks records. */
#include <argp.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/record.h"
#include "protocol/text.h"
#include "referee/base/json-line.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/records/record-walk.h"
#include "referee/records/verify.h"

struct arguments {
	bool rules, json;
	const char *receipt; /* lower-case hex digits; NULL: none */
	int code;	     /* the worst exit code so far */
};

#define HASH_HEX (2 * RECORD_HASH_BYTES)

static void
take_receipt(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *arguments = to;

	if (strlen(arg) != HASH_HEX ||
	    strspn(arg, "0123456789abcdef") != HASH_HEX)
		refuse_argument("--receipt must be %d hex digits in lower "
				"case, not %s",
				HASH_HEX, quoted(arg).text);
	arguments->receipt = arg;
}

static const struct argument options[] = {
	{ "rules", 'r', NULL,
	  "Check by the rules alone (default: also by the secret where a "
	  "record has one)",
	  STORE_FLAG(struct arguments, rules) },
	{ "receipt", 0, "HASH",
	  "Check that RECORD is the one whose receipt a bot got in `over ID "
	  "HASH`; for one RECORD",
	  TAKE(take_receipt) },
	{ "json", 'j', NULL, "Print JSON, one object for each record",
	  STORE_FLAG(struct arguments, json) },
	{ 0 },
};

/* Refuses a receipt for other than exactly one record. */
static void
check_records(const struct arguments *arguments, const struct words *records)
{
	if (records->count == 0)
		refuse_argument("name at least one RECORD");
	if (arguments->receipt == NULL)
		return;
	if (records->count != 1 || record_walk_is_many(records->word[0]))
		refuse_argument("--receipt needs exactly one RECORD, and no "
				"folder or pack");
}

static const struct argp argp = {
	.args_doc = "RECORD...",
	.doc = "Prove records: play the moves again, and compare every line "
	       "byte for byte and the deal with the one that the secret gives. "
	       "For a folder, all its *.rec files and packs are checked. "
	       "RECORD may be a pack, or a record in one: PACK/MEMBER.\v"
	       "Prints `ok FILE HASH` or `FILE:LINE: expected ..., found ...`. "
	       "HASH is the record's hash, which its bots got as their "
	       "receipt. The names, the dates, the clock, the ratings and the "
	       "comments are not proved; the receipt covers all of them except "
	       "the comments.\n\n"
	       "Exit codes: 0 all records hold, 1 a record does not, 2 wrong "
	       "usage or a missing file, 3 the machine failed.\n\n"
	       "Example: all records of a match\n"
	       "  referee verify records/",
};

/* ---- results ------------------------------------------------------------ */

static void
count_code(struct arguments *arguments, int code)
{
	if (code > arguments->code)
		arguments->code = code;
}

/* The verdict on a record. */
struct judged {
	const char *path;
	struct verdict verdict;
	bool aborted;
	char hash[HASH_HEX + 1];
};

static void
print_json(const struct judged *judged)
{
	const struct verdict *verdict = &judged->verdict;
	json_t *json = JSON_OBJECT(TEXT("file", judged->path),
				   BOOL("ok", verdict->ok));

	if (verdict->ok)
		JSON_ADD(json, TEXT("by", verdict->sealed ? "secret" : "rules"),
			 BOOL("aborted", judged->aborted));
	else
		JSON_ADD(json, INT("line", verdict->line),
			 TEXT("expected", verdict->expected),
			 TEXT("found", verdict->found));
	JSON_ADD(json, TEXT("hash", judged->hash));
	print_json_line(json, 0);
}

/* Prints in parentheses what there is to know beside `ok`, and ends the line. */
static void
print_remarks(const struct arguments *arguments, const struct judged *judged)
{
	const char *before = " (";

	if (judged->aborted) {
		printf("%saborted, not rated", before);
		before = "; ";
	}
	if (!judged->verdict.sealed) {
		printf("%sby the rules%s", before,
		       arguments->rules ? "" : "; it has no secret");
		before = "; ";
	}
	puts(before[0] == ';' ? ")" : "");
}

static void
print_verdict(const struct arguments *arguments, const struct judged *judged)
{
	const struct verdict *verdict = &judged->verdict;

	if (arguments->json) {
		print_json(judged);
	} else if (!verdict->ok) {
		print_escaped(stdout, judged->path);
		printf(":%u: expected %s, found %s\n", verdict->line,
		       verdict->expected, verdict->found);
	} else {
		fputs("ok ", stdout);
		print_escaped(stdout, judged->path);
		printf(" %s", judged->hash);
		print_remarks(arguments, judged);
	}
}

/* Returns true if the bots got another hash, and makes that the verdict.  What
 * the record itself shows does not matter then, because it is not their record. */
static bool
wrong_receipt(const struct arguments *arguments, struct judged *judged)
{
	struct verdict *verdict = &judged->verdict;

	if (arguments->receipt == NULL ||
	    strcmp(arguments->receipt, judged->hash) == 0)
		return false;
	*verdict = (struct verdict){ .line = 1 };
	snprintf(verdict->expected, VERDICT_BYTES,
		 "the record of the receipt %s", arguments->receipt);
	snprintf(verdict->found, VERDICT_BYTES, "one whose hash is %s",
		 judged->hash);
	return true;
}

/* ---- the records -------------------------------------------------------- */

/* Prints that a text is no record, so it does not verify.  The parser's
 * sentence begins with the line. */
static void
print_broken(const struct arguments *arguments, const char *path,
	     const char *why)
{
	char *rest;
	long line = strtol(why, &rest, 10);

	if (arguments->json) {
		print_json_line(
			JSON_OBJECT(JSON("file", json_any_string(path)),
				    BOOL("ok", 0), INT("line", line),
				    TEXT("why", *rest == ':' ? rest + 2 : why)),
			0);
	} else {
		print_escaped(stdout, path);
		printf(":%s\n", why);
	}
}

static int
verify_text(void *arg, const char *path, const struct text *text)
{
	struct arguments *arguments = arg;
	struct judged judged = { .path = path };
	unsigned char hash[RECORD_HASH_BYTES];
	struct record *record;
	struct error why;

	if (record_parse(text->bytes ? text->bytes : "", text->used, &record,
			 &why)) {
		print_broken(arguments, path, why.text);
		count_code(arguments, EXIT_NEGATIVE);
		return 0;
	}
	record_hash(record, hash);
	sodium_bin2hex(judged.hash, sizeof(judged.hash), hash, sizeof(hash));
	judged.aborted = record->aborted != NULL;
	if (!wrong_receipt(arguments, &judged))
		verify_record(record, arguments->rules, NULL, &judged.verdict);
	print_verdict(arguments, &judged);
	if (!judged.verdict.ok)
		count_code(arguments, EXIT_NEGATIVE);
	record_free(record);
	return 0;
}

/* Counts trouble with a file, and lets the walk go on with the other records. */
static int
count_trouble(void *arg, enum walk_trouble trouble, const struct error *why)
{
	if (trouble == WALK_TORN) /* maybe it is being written now */
		note("%s", why->text);
	else
		count_code(arg, complain_error(why));
	return 0;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .code = EXIT_DONE };
	struct pack_cache cache = { 0 };
	const struct record_walk walk = { verify_text, count_trouble,
					  &arguments, true, &cache };
	const struct words records =
		parse_arguments(&argp, options, argc, argv, &arguments);

	check_records(&arguments, &records);
	for (unsigned i = 0; i < records.count; i++)
		(void)!record_walk(&walk, records.word[i]);
	pack_cache_release(&cache);
	count_code(&arguments, finish_output());
	return arguments.code;
}

const struct command command_verify = {
	.name = "verify",
	.brief = "prove records, by their secrets or by the rules alone",
	.run = run,
};
