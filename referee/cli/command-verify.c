/* referee/cli/command-verify.c - `referee verify`: checks records. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ladder/pack.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "referee/base/json-line.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/records/verify.h"

struct arguments {
	char **path; /* borrowed from argv */
	int paths;
	bool rules, json;
	const char *receipt; /* NULL: none; else hex digits, small ones */
	int code;	     /* the exit code so far: the worst counts */
	struct pack_cache cache;
};

#define HASH_HEX (2 * RECORD_HASH_BYTES)

enum { KEY_RECEIPT = 256 };

static const struct argp_option options[] = {
	{ "rules", 'r', NULL, 0,
	  "Check by the rules alone (default: also by the secret where a "
	  "record has one)",
	  0 },
	{ "receipt", KEY_RECEIPT, "HASH", 0,
	  "Check that RECORD is the one whose receipt a bot got in `over ID "
	  "HASH`; for one RECORD",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON, one object for each record", 0 },
	{ 0 },
};

static void
parse_receipt(struct arguments *arguments, const char *arg)
{
	if (strlen(arg) != HASH_HEX ||
	    strspn(arg, "0123456789abcdef") != HASH_HEX)
		refuse_argument("--receipt must be %d hex digits in lower "
				"case, not %s",
				HASH_HEX, quoted(arg).text);
	arguments->receipt = arg;
}

/* By its name; of a folder that is called so, too. */
static bool
is_pack(const char *path, struct pack_range *range)
{
	const char *slash = strrchr(path, '/');

	return pack_is_name(slash == NULL ? path : slash + 1, range);
}

/* One receipt is that of one record. */
static void
refuse_many(const struct arguments *arguments)
{
	struct pack_range range;
	struct stat about;

	if (arguments->receipt == NULL)
		return;
	if (arguments->paths != 1 || is_pack(arguments->path[0], &range) ||
	    (stat(arguments->path[0], &about) == 0 && S_ISDIR(about.st_mode)))
		refuse_argument("--receipt needs exactly one RECORD, and no "
				"folder or pack");
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_RECEIPT:
		parse_receipt(arguments, arg);
		return 0;
	case 'r':
		arguments->rules = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARGS:
		arguments->path = state->argv + state->next;
		arguments->paths = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		refuse_argument("name at least one RECORD");
		return 0;
	case ARGP_KEY_SUCCESS:
		refuse_many(arguments);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "RECORD...",
	.doc = "Prove records: play the moves again, and compare every line "
	       "byte for byte and the deal with the one that the secret gives. "
	       "For a folder, all its *.rec files and packs are checked. "
	       "RECORD may be a pack, or a record in one: PACK/MEMBER.\v"
	       "Prints `ok "
	       "FILE HASH` or `FILE:LINE: expected ..., found ...`. HASH is "
	       "the record's hash, which its bots got as their receipt. The "
	       "names, the dates, the clock, the ratings and the comments are "
	       "not proved; the receipt covers all of them except the "
	       "comments.\n\n"
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

/* What was looked at. */
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

	if (verdict->ok)
		print_json_line(
			JSON_OBJECT(JSON("file", json_any_string(judged->path)),
				    BOOL("ok", 1),
				    TEXT("by",
					 verdict->sealed ? "secret" : "rules"),
				    BOOL("aborted", judged->aborted),
				    TEXT("hash", judged->hash)),
			0);
	else
		print_json_line(
			JSON_OBJECT(JSON("file", json_any_string(judged->path)),
				    BOOL("ok", 0), INT("line", verdict->line),
				    TEXT("expected", verdict->expected),
				    TEXT("found", verdict->found),
				    TEXT("hash", judged->hash)),
			0);
}

/* What there is to know beside `ok`: in parentheses. */
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

/* Whether the bots were told another hash: that is said instead of what the
 * record itself shows, for it is not their record. */
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

/* ---- one record --------------------------------------------------------- */

/* Its records do not hold then. */
static int
complain_damage(const char *path)
{
	(void)complain_usage("%s: the pack is damaged", path);
	return EXIT_NEGATIVE;
}

/* The whole file: 0, or an exit code after a complaint. */
static int
read_file(struct arguments *arguments, const char *path, struct text *text)
{
	int result = packed_load(&arguments->cache, path, text);

	if (result < 0 && (errno == ENOENT || errno == ENOTDIR))
		return complain_usage("%s: no such file", path);
	if (result < 0 && errno == EBADMSG)
		return complain_damage(path);
	if (result < 0)
		return complain_machine("%s: cannot read it: %m", path);
	if (text->full)
		return complain_usage("%s: a record has at most %d bytes", path,
				      RECORD_BYTES);
	return 0;
}

/* A text that is no record does not verify; the parser's sentence begins with
 * the line. */
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

static void
verify_text(struct arguments *arguments, const char *path,
	    const struct text *text)
{
	struct judged judged = { .path = path };
	unsigned char hash[RECORD_HASH_BYTES];
	struct record *record;
	struct error why;

	if (record_parse(text->bytes ? text->bytes : "", text->used, &record,
			 &why)) {
		print_broken(arguments, path, why.text);
		count_code(arguments, EXIT_NEGATIVE);
		return;
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
}

static void
verify_file(struct arguments *arguments, const char *path)
{
	struct text text;
	int code;

	text_init(&text, RECORD_BYTES);
	code = read_file(arguments, path, &text);
	if (code)
		count_code(arguments, code);
	else
		verify_text(arguments, path, &text);
	text_release(&text);
}

/* ---- a pack ------------------------------------------------------------- */

/* `next`: the serial that is to come in a closed one. */
static void
verify_member(struct arguments *arguments, const char *path,
	      const struct pack_member *member, int64_t *next)
{
	const struct text text = { .bytes = (char *)(uintptr_t)member->bytes,
				   .used = member->used };
	char *name = formatted("%s/%s", path, member->name);

	verify_text(arguments, name, &text);
	if (member->serial == *next)
		++*next;
	free(name);
}

/* `result` of reading it: what can be read of it was looked at. */
static int
judge_pack(const char *path, const struct pack_range *range, int result,
	   int64_t next)
{
	if (result < 0 && range->last > 0)
		return complain_damage(path);
	if (result < 0) /* or just being written */
		note("%s: its last record is not whole", path);
	if (range->last == 0 || next > range->last)
		return EXIT_DONE;
	(void)complain_usage("%s: it has no record of serial %lld", path,
			     (long long)next);
	return EXIT_NEGATIVE;
}

static void
verify_pack(struct arguments *arguments, const char *path,
	    const struct pack_range *range)
{
	struct pack_member member;
	int64_t next = range->first;
	struct text tar = { 0 };
	int result = pack_load(path, &tar), code = EXIT_DONE;
	const int error = result < 0 ? errno : 0;
	size_t at = 0;

	if (error == ENOENT || error == ENOTDIR)
		code = complain_usage("%s: no such file", path);
	else if (error == EINVAL)
		code = complain_usage("%s: not a file", path);
	else if (error != 0 && error != EBADMSG)
		code = complain_machine("%s: cannot read it: %s", path,
					strerror(error));
	if (code == EXIT_DONE) {
		while ((result = pack_next(&tar, &at, &member)) > 0)
			if (member.record)
				verify_member(arguments, path, &member, &next);
		code = judge_pack(path, range, error != 0 ? -1 : result, next);
	}
	count_code(arguments, code);
	text_release(&tar);
}

/* ---- a folder ----------------------------------------------------------- */

static int
is_record(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);
	struct pack_range range;

	return (n > 4 && strcmp(entry->d_name + n - 4, ".rec") == 0 &&
		entry->d_name[0] != '.') ||
	       pack_is_name(entry->d_name, &range);
}

/* What the name of an entry promises.  A pipe would be waited for, for ever. */
static void
verify_entry(struct arguments *arguments, const char *path)
{
	struct stat about;

	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
		count_code(arguments, complain_usage("%s: not a file", path));
	else
		verify_file(arguments, path);
}

static void
verify_folder(struct arguments *arguments, const char *path)
{
	size_t n = strlen(path);
	struct dirent **entry;
	int entries = scandir(path, &entry, is_record, alphasort), i;
	struct pack_range range;
	char *name;

	if (entries < 0) {
		count_code(arguments,
			   complain_machine("%s: cannot read it: %m", path));
		return;
	}
	if (entries == 0)
		count_code(arguments,
			   complain_usage(
				   "%s: there is no *.rec file and no pack in "
				   "this folder",
				   path));
	for (i = 0; i < entries; i++) {
		name = formatted("%s%s%s", path, path[n - 1] == '/' ? "" : "/",
				 entry[i]->d_name);
		if (!pack_is_name(entry[i]->d_name, &range))
			verify_entry(arguments, name);
		else if (i + 1 == entries ||
			 !pack_is_twin(entry[i]->d_name, entry[i + 1]->d_name))
			verify_pack(arguments, name, &range);
		free(name);
	}
	for (i = 0; i < entries; i++)
		free(entry[i]);
	free(entry);
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .code = EXIT_DONE };
	struct pack_range range;
	struct stat about;
	int i;

	parse_arguments(&argp, argc, argv, &arguments);
	for (i = 0; i < arguments.paths; i++)
		if (stat(arguments.path[i], &about) == 0 &&
		    S_ISDIR(about.st_mode))
			verify_folder(&arguments, arguments.path[i]);
		else if (is_pack(arguments.path[i], &range))
			verify_pack(&arguments, arguments.path[i], &range);
		else
			verify_file(&arguments, arguments.path[i]);
	pack_cache_release(&arguments.cache);
	count_code(&arguments, finish_output());
	return arguments.code;
}

const struct command command_verify = {
	.name = "verify",
	.brief = "prove records, by their secrets or by the rules alone",
	.run = run,
};
