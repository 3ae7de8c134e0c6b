/* referee/config/serve-config-parse.c - libConfuse parses; we keep what it
 * found.
 *
 * Every value is kept as text with its line, so that whatever is wrong with it,
 * by itself or together with others, is told with a line.  libConfuse's own
 * conversions are not used: they take `010` for eight and what is too large for
 * something else. */
#include "referee/config/serve-config-inside.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct config_reading *config_reading;

int
config_wrong(int line, const char *fmt, ...)
{
	char sentence[1024];
	va_list ap;

	if (config_reading->failed)
		return -1;
	config_reading->failed = true;
	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	error_set(config_reading->why, ERROR_INPUT, "%s:%d: %s",
		  config_reading->file, line, sentence);
	return -1;
}

/* ---- callbacks ------------------------------------------------------- */

/* An option is given twice if its value is: but in a list only if that is
 * begun anew. */
static bool
is_first(cfg_t *section, cfg_opt_t *opt, int *line)
{
	struct config_given *given;
	unsigned i;

	for (i = 0; i < config_reading->count; i++) {
		given = &config_reading->given[i];
		*line = given->line;
		if (given->section == section &&
		    strcmp(given->option, opt->name) == 0)
			return (opt->flags & CFGF_LIST) != 0 &&
			       cfg_opt_size(opt) > 1;
	}
	config_reading->given =
		memory(config_reading->given,
		       (config_reading->count + 1) * sizeof(*given));
	given = &config_reading->given[config_reading->count++];
	given->section = section;
	given->option = opt->name;
	given->line = section->line;
	return true;
}

static int
take_value(cfg_t *section, cfg_opt_t *opt, const char *text, void *result)
{
	struct config_value *value;
	int line;

	if (!is_first(section, opt, &line))
		return config_wrong(
			section->line,
			"expected %s once, it is in line %d already", opt->name,
			line);
	value = memory(NULL, sizeof(*value) + strlen(text) + 1);
	value->line = section->line;
	memcpy(value->text, text, strlen(text) + 1);
	*(void **)result = value;
	return 0;
}

/* The names of all that may stand in a section: `a, b, c`. */
static void
list_options(const cfg_t *section, char *to, size_t size)
{
	const cfg_opt_t *opt;
	size_t used = 0;

	to[0] = '\0';
	for (opt = section->opts; opt->name != NULL && used < size; opt++)
		used += (size_t)snprintf(to + used, size - used, "%s%s",
					 used > 0 ? ", " : "", opt->name);
}

/* What libConfuse found, as what was expected. */
static void take_error(cfg_t *section, const char *fmt, va_list ap)
	PRINTF_LIKE(2, 0);

static void
take_error(cfg_t *section, const char *fmt, va_list ap)
{
	char says[512], names[512];
	const char *quote;

	vsnprintf(says, sizeof(says), fmt, ap);
	quote = strchr(says, '\'');
	if (quote == NULL)
		quote = "''";
	if (strncmp(says, "no such option", 14) == 0) {
		list_options(section, names, sizeof(names));
		config_wrong(section->line, "expected one of %s, not %.110s",
			     names, quote);
	} else if (strncmp(says, "found duplicate title", 21) == 0)
		config_wrong(section->line,
			     "expected another name, %.110s is taken", quote);
	else if (strncmp(says, "missing title", 13) == 0)
		config_wrong(section->line, "expected a name after %.110s",
			     quote);
	else if (strncmp(says, "missing equal sign", 18) == 0)
		config_wrong(section->line, "expected = after %.110s", quote);
	else if (strncmp(says, "missing opening brace", 21) == 0)
		config_wrong(section->line, "expected { after %.110s", quote);
	else if (strncmp(says, "attempt to append", 17) == 0)
		config_wrong(section->line,
			     "expected = after %.110s, it has but one "
			     "value",
			     quote);
	else if (strncmp(says, "premature end", 13) == 0)
		config_wrong(section->line,
			     "expected more, not the end of the file");
	else if (strncmp(says, "unexpected token", 16) == 0)
		config_wrong(section->line,
			     "expected NAME = VALUE, NAME = { VALUE, ... } or "
			     "NAME { ... "
			     "}; %.110s does not belong here",
			     quote);
	else
		config_wrong(section->line, "expected something else: %s",
			     says);
}

static void
make_options(const struct config_key *keys, cfg_opt_t *to)
{
	const cfg_opt_t one[] = {
		CFG_PTR_CB("", NULL, CFGF_NODEFAULT, take_value, free),
		CFG_PTR_LIST_CB("", NULL, CFGF_NODEFAULT, take_value, free),
		CFG_END(),
	};

	for (; keys->name != NULL; keys++, to++) {
		*to = one[keys->kind == KEY_OPTIONS ? 1 : 0];
		to->name = keys->name;
	}
	*to = one[2];
}

/* Parses with these options, whose names and sections the caller keeps until
 * then: libConfuse copies them. */
static cfg_t *
parse(cfg_opt_t *opts, const char *text)
{
	cfg_t *cfg = cfg_init(opts, CFGF_NONE);

	if (cfg == NULL)
		bug("out of memory");
	cfg_set_error_function(cfg, take_error);
	if (cfg_parse_buf(cfg, text) != CFG_SUCCESS)
		config_wrong(1, "expected a configuration");
	return cfg;
}

cfg_t *
config_parse_keys(const char *text, const struct config_key *keys)
{
	cfg_opt_t opts[CONFIG_KEYS_MAX];

	make_options(keys, opts);
	return parse(opts, text);
}

cfg_t *
config_parse(const char *text)
{
	const int named = CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES;
	cfg_opt_t listener[CONFIG_KEYS_MAX], ladder[CONFIG_KEYS_MAX];
	cfg_opt_t limits[CONFIG_KEYS_MAX], locals[CONFIG_KEYS_MAX];
	cfg_opt_t top[CONFIG_KEYS_MAX];
	/* Several of those below are refused by us: libConfuse would forget
	 * one. */
	const cfg_opt_t sections[] = {
		CFG_SEC("listener", listener, named),
		CFG_SEC("ladder", ladder, named),
		CFG_SEC("limits", limits, CFGF_MULTI),
		CFG_SEC("residents", locals, CFGF_MULTI),
		CFG_END(),
	};
	unsigned n = 0;

	make_options(config_listener_keys, listener);
	make_options(config_ladder_keys, ladder);
	make_options(config_limit_keys, limits);
	make_options(config_local_bot_keys, locals);
	make_options(config_top_keys, top);
	while (top[n].name != NULL)
		n++;
	memcpy(&top[n], sections, sizeof(sections));
	return parse(top, text);
}

/* ---- what is there
 * ----------------------------------------------------------- */

const struct config_value *
config_value_of(cfg_t *section, const char *name, unsigned i)
{
	cfg_opt_t *opt = cfg_getopt(section, name);

	if (opt == NULL || i >= cfg_opt_size(opt))
		return NULL;
	return cfg_opt_getnptr(opt, i);
}

int
config_line_of(cfg_t *section, const char *name, int otherwise)
{
	const struct config_value *value = config_value_of(section, name, 0);

	return value == NULL ? otherwise : value->line;
}

int
config_line_of_section(const char *name, unsigned i)
{
	const struct config_marks *marks = &config_reading->marks;
	unsigned m;

	for (m = 0; m < marks->count; m++)
		if (strcmp(marks->mark[m].name, name) == 0 && i-- == 0)
			return marks->mark[m].line;
	return 1;
}
