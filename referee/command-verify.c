/* referee/command-verify.c - `referee verify`: do records hold? */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "referee/command.h"
#include "referee/records/verify.h"

struct arguments {
	char **path; /* borrowed from argv */
	int paths;
	bool rules, json;
	int code; /* the exit code so far: the worst counts */
};

static const struct argp_option options[] = {
	{ "rules", 'r', NULL, 0,
	  "Check by the rules alone, seeds aside (default: by the secret where "
	  "a record has one)",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON, one object a record", 0 },
	{ 0 },
};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	(void)arg;
	switch (key) {
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
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "RECORD...",
	.doc = "Prove records: their moves, played again, give their lines "
	       "byte for byte, and the secret gives the deal that was "
	       "committed to. Of a folder, all its *.rec are taken.\v"
	       "Prints `ok FILE` or `FILE:LINE: expected ..., found ...`.\n\n"
	       "Exit codes: 0 all hold, 1 one does not, 2 wrong usage or a "
	       "file that is not there, 3 the machine failed.\n\n"
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

static void
print_object(json_t *json)
{
	if (!json)
		return;
	json_dumpf(json, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(json);
}

/* A file name need not be UTF-8, which JSON must be. */
static json_t *
name_json(const char *path)
{
	json_t *name = json_string(path);

	return name ? name : json_string("(a name that is not UTF-8)");
}

static void
print_verdict(const struct arguments *arguments, const char *path,
	      const struct verdict *verdict)
{
	if (arguments->json && verdict->ok)
		print_object(json_pack("{s:o, s:b, s:s}", "file",
				       name_json(path), "ok", 1, "by",
				       verdict->sealed ? "secret" : "rules"));
	else if (arguments->json)
		print_object(json_pack(
			"{s:o, s:b, s:i, s:s, s:s}", "file", name_json(path),
			"ok", 0, "line", (int)verdict->line, "expected",
			verdict->expected, "found", verdict->found));
	else if (!verdict->ok)
		printf("%s:%u: expected %s, found %s\n", path, verdict->line,
		       verdict->expected, verdict->found);
	else if (verdict->sealed)
		printf("ok %s\n", path);
	else
		printf("ok %s (by the rules%s)\n", path,
		       arguments->rules ? "" : "; it has no secret");
}

/* ---- one record --------------------------------------------------------- */

/* The whole file: 0, or an exit code after a complaint. */
static int
read_file(const char *path, struct text *text)
{
	FILE *file = fopen(path, "rbe");
	char part[65536];
	size_t n;
	int failed;

	if (!file && (errno == ENOENT || errno == ENOTDIR))
		return complain_usage("%s: there is no such file", path);
	if (!file)
		return complain_machine("%s: cannot be opened: %s", path,
					strerror(errno));
	while (!text->full && (n = fread(part, 1, sizeof(part), file)) > 0)
		text_add(text, part, n);
	failed = ferror(file) ? errno : 0;
	fclose(file);
	if (failed)
		return complain_machine("%s: cannot be read: %s", path,
					strerror(failed));
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

	if (arguments->json)
		print_object(json_pack("{s:o, s:b, s:i, s:s}", "file",
				       name_json(path), "ok", 0, "line",
				       (int)line, "why",
				       *rest == ':' ? rest + 2 : why));
	else
		printf("%s:%s\n", path, why);
}

static void
verify_text(struct arguments *arguments, const char *path,
	    const struct text *text)
{
	struct record *record;
	struct verdict verdict;
	char why[RECORD_WHY_BYTES];

	if (record_parse(text->bytes ? text->bytes : "", text->used, &record,
			 why)) {
		print_broken(arguments, path, why);
		count_code(arguments, EXIT_NEGATIVE);
		return;
	}
	verify_record(record, arguments->rules, NULL, &verdict);
	print_verdict(arguments, path, &verdict);
	if (!verdict.ok)
		count_code(arguments, EXIT_NEGATIVE);
	record_free(record);
}

static void
verify_file(struct arguments *arguments, const char *path)
{
	struct text text;
	int code;

	text_init(&text, RECORD_BYTES);
	code = read_file(path, &text);
	if (code)
		count_code(arguments, code);
	else
		verify_text(arguments, path, &text);
	text_release(&text);
}

/* ---- a folder ----------------------------------------------------------- */

static int
is_record(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 4 && strcmp(entry->d_name + n - 4, ".rec") == 0 &&
	       entry->d_name[0] != '.';
}

static void
verify_folder(struct arguments *arguments, const char *path)
{
	size_t n = strlen(path);
	struct dirent **entry;
	int entries = scandir(path, &entry, is_record, alphasort), i;
	char *name;

	if (entries < 0) {
		count_code(arguments, complain_machine("%s: cannot be read: %s",
						       path, strerror(errno)));
		return;
	}
	if (entries == 0)
		count_code(arguments,
			   complain_usage("%s: there is no *.rec in this "
					  "folder",
					  path));
	for (i = 0; i < entries; i++) {
		if (asprintf(&name, "%s%s%s", path,
			     path[n - 1] == '/' ? "" : "/",
			     entry[i]->d_name) < 0)
			bug("out of memory");
		verify_file(arguments, name);
		free(name);
		free(entry[i]);
	}
	free(entry);
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .code = EXIT_DONE };
	struct stat about;
	int i;

	parse_arguments(&argp, argc, argv, &arguments);
	for (i = 0; i < arguments.paths; i++)
		if (stat(arguments.path[i], &about) == 0 &&
		    S_ISDIR(about.st_mode))
			verify_folder(&arguments, arguments.path[i]);
		else
			verify_file(&arguments, arguments.path[i]);
	count_code(&arguments, finish_output());
	return arguments.code;
}

const struct command command_verify = {
	.name = "verify",
	.brief = "prove records, by their secrets or by the rules alone",
	.run = run,
};
