/* referee/config/config-parse.c - parses text into tokens, options and
 * sections. */
#include "referee/config/config-parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/file.h"
#include "referee/base/suggest.h"

#define WORD_BYTES                                                             \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/"   \
	"@%-"

struct parser {
	char *at; /* place in the text, which has only one NUL, at its end */
	int line; /* line of the token, too */
	/* The current token: 'w' is a word or string, '+' is +=, 0 is the end,
	 * any other is itself. */
	char token;
	char *word; /* its text, inside the file's */
	bool failed;
	const struct config_section_kind *kinds;
	struct config_section *top, *last;
};

static int PRINTF_LIKE(3, 0) tell(const struct config_section *section,
				  int line, const char *fmt, va_list ap)
{
	error_vset(section->why, ERROR_INPUT, fmt, ap);
	return error_prefix(section->why, "%s:%d: ", section->file, line);
}

int
config_wrong(const struct config_section *section, int line, const char *fmt,
	     ...)
{
	va_list ap;
	int result;

	va_start(ap, fmt);
	result = tell(section, line, fmt, ap);
	va_end(ap);
	return result;
}

/* Sets the error of the first mistake.  For the parser the file ends there. */
static void PRINTF_LIKE(3, 4)
	wrong(struct parser *p, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!p->failed)
		tell(p->top, line, fmt, ap);
	va_end(ap);
	p->failed = true;
	p->at += strlen(p->at);
	p->token = '\0';
}

/* ---- tokens ----------------------------------------------------------- */

static void
skip_comment(struct parser *p)
{
	const char *end = strstr(p->at + 2, "*/");

	if (end == NULL)
		wrong(p, p->line,
		      "expected */ for the comment that begins here");
	for (; end != NULL && p->at < end + 2; p->at++)
		p->line += *p->at == '\n';
}

static void
skip_blanks(struct parser *p)
{
	for (;;) {
		p->at += strspn(p->at, " \t");
		if (*p->at == '#' || strncmp(p->at, "//", 2) == 0) {
			p->at += strcspn(p->at, "\n");
		} else if (strncmp(p->at, "/*", 2) == 0) {
			skip_comment(p);
		} else if (*p->at == '\n') {
			p->line++;
			p->at++;
		} else {
			return;
		}
	}
}

/* Escapes are undone in place. */
static void
take_string(struct parser *p)
{
	const char quote = *p->at++;
	char *to = p->word = p->at;

	while (*p->at != quote && !p->failed) {
		if (*p->at == '\0' || *p->at == '\n')
			wrong(p, p->line, "expected %c before the line ends",
			      quote);
		else if (*p->at == '\t')
			wrong(p, p->line, "unexpected tab in a string");
		else if (strncmp(p->at, "${", 2) == 0)
			wrong(p, p->line,
			      "unexpected ${ in a string: variables are not "
			      "replaced");
		else if (*p->at == '\\' && *++p->at != '\\' && *p->at != quote)
			wrong(p, p->line,
			      "expected \\\\ or \\%c: there are no other "
			      "escapes",
			      quote);
		else
			*to++ = *p->at++;
	}
	if (!p->failed)
		p->at++;
	*to = '\0';
}

/* Takes a word.  It moves back by one byte, which was looked at before, to make
 * room for its NUL. */
static void
take_word(struct parser *p)
{
	size_t i, n = strspn(p->at, WORD_BYTES);

	for (i = 0; i < n; i++)
		if (strncmp(p->at + i, "//", 2) == 0 ||
		    strncmp(p->at + i, "/*", 2) == 0) {
			wrong(p, p->line,
			      "expected a blank before a comment, or quotes "
			      "around a value with %.2s in it",
			      p->at + i);
			return;
		}
	p->word = memmove(p->at - 1, p->at, n);
	p->word[n] = '\0';
	p->at += n;
}

static void
next(struct parser *p)
{
	skip_blanks(p);
	p->token = *p->at;
	if (p->token == '\0')
		return;
	if (strchr(WORD_BYTES "\"'", p->token) != NULL) {
		if (p->token == '"' || p->token == '\'')
			take_string(p);
		else
			take_word(p);
		p->token = p->failed ? '\0' : 'w';
		if (*p->at != '\0' && strchr(WORD_BYTES "\"'#", *p->at) != NULL)
			wrong(p, p->line,
			      "expected a blank before %c, or quotes around "
			      "the whole value",
			      *p->at);
	} else if (strchr("={},", p->token) != NULL) {
		p->at++;
	} else if (strncmp(p->at, "+=", 2) == 0) {
		p->at += 2;
	} else if ((unsigned char)p->token >= 0x80) {
		wrong(p, p->line,
		      "expected ASCII, or quotes around what is not");
	} else {
		wrong(p, p->line, "expected quotes around a value with %c",
		      p->token);
	}
}

/* `expected WHAT NAME, not TOKEN`. */
static void
unexpected(struct parser *p, const char *what, const char *name)
{
	const char *found = p->token == '+' ? "+=" : (char[]){ p->token, '\0' };

	if (p->token == 'w')
		wrong(p, p->line, "expected %s %s, not %s", what, name,
		      quoted(p->word).text);
	else
		wrong(p, p->line, "expected %s %s, not %s", what, name,
		      p->token == '\0' ? "the end of the file" : found);
}

/* ---- options ---------------------------------------------------------- */

/* Appends a word to the values of an option. */
static void
parse_value(struct parser *p, const char *name, struct config_option *option)
{
	struct config_value *value;

	if (p->token != 'w') {
		unexpected(p, "a value for", name);
		return;
	}
	value = memory(NULL, sizeof(*value));
	*value = (struct config_value){ .line = p->line, .text = p->word };
	*option->end = value;
	option->end = &value->next;
	next(p);
}

/* { VALUE, VALUE }; a comma may follow the last one, too. */
static void
parse_list(struct parser *p, const char *name, struct config_option *option)
{
	const int line = p->line;

	next(p);
	while (p->token != '}' && p->token != '\0') {
		parse_value(p, name, option);
		if (p->token == ',')
			next(p);
		else if (p->token != '}' && p->token != '\0')
			unexpected(p, "a comma or } in the list", name);
	}
	if (p->token == '\0')
		wrong(p, line, "expected } for the list that begins here");
	next(p);
}

static void
add_name(char names[512], const char *name)
{
	size_t used = strlen(names);

	snprintf(names + used, 512 - used, "%s%s", used > 0 ? ", " : "", name);
}

static void
unknown(struct parser *p, const struct config_section *section)
{
	const struct config_key *key;
	const struct config_section_kind *kind;
	struct suggestion meant = suggest(p->word != NULL ? p->word : "");
	char names[512] = "";

	if (p->token != 'w') {
		wrong(p, p->line, "unexpected %s",
		      p->token == '+' ? "+=" : (char[]){ p->token, '\0' });
		return;
	}
	for (key = section->keys; key->name != NULL; key++) {
		add_name(names, key->name);
		suggest_offer(&meant, key->name);
	}
	for (kind = p->kinds; section == p->top && kind->name != NULL; kind++) {
		add_name(names, kind->name);
		suggest_offer(&meant, kind->name);
	}
	wrong(p, p->line, "expected one of %s, not %s%s", names,
	      quoted(p->word).text, meant.text);
}

/* NAME = VALUE, NAME = { … } or NAME += { … } */
static void
parse_option(struct parser *p, struct config_section *section)
{
	const struct config_key *key = section->keys;
	struct config_option *option = section->option;
	const int line = p->line;

	for (; key->name != NULL; key++, option++)
		if (p->token == 'w' && strcmp(key->name, p->word) == 0)
			break;
	if (key->name == NULL) {
		unknown(p, section);
		return;
	}
	next(p);
	if (p->token != '=' && (p->token != '+' || key->type != KEY_LIST)) {
		unexpected(p, "= after", key->name);
		return;
	}
	if (option->line == 0) {
		option->line = line;
		option->end = &option->first;
	} else if (p->token == '=') {
		wrong(p, line, "expected %s once, it is in line %d already",
		      key->name, option->line);
		return;
	}
	next(p);
	if (p->token == '{' && key->type == KEY_LIST)
		parse_list(p, key->name, option);
	else
		parse_value(p, key->name, option);
}

/* ---- sections --------------------------------------------------------- */

/* Checks that the file may have this section after those before it. */
static void
check_section(struct parser *p, const struct config_section *section)
{
	const struct config_section_kind *kind = section->kind;
	const struct config_section *other;
	unsigned count = 0;

	for (other = p->top->next; other != section; other = other->next) {
		if (other->kind != kind)
			continue;
		if (kind->max == 1)
			wrong(p, section->line,
			      "expected %s once, they begin in line %d already",
			      kind->name, other->line);
		else if (++count == kind->max)
			wrong(p, section->line,
			      "expected at most %u sections %s", kind->max,
			      kind->name);
		else if (strcmp(other->name, section->name) == 0)
			wrong(p, p->line, "expected another name, %s is taken",
			      quoted(section->name).text);
	}
}

static struct config_section *
new_section(const char *file, struct error *why, const struct config_key *keys,
	    int line)
{
	struct config_section *section = memory(NULL, sizeof(*section));

	*section = (struct config_section){
		.file = file, .why = why, .keys = keys, .line = line
	};
	return section;
}

/* KIND { … } or KIND NAME { … } */
static void
parse_section(struct parser *p, const struct config_section_kind *kind)
{
	struct config_section *section =
		new_section(p->top->file, p->top->why, kind->keys, p->line);
	int line;

	p->last = p->last->next = section;
	section->kind = kind;
	next(p);
	if (kind->named) {
		if (p->token != 'w') {
			unexpected(p, "a name after", kind->name);
			return;
		}
		section->name = p->word;
		next(p);
	}
	if (p->token != '{') {
		unexpected(p, "{ after", kind->name);
		return;
	}
	line = p->line;
	check_section(p, section);
	next(p);
	while (p->token != '}' && p->token != '\0')
		parse_option(p, section);
	if (p->token == '\0')
		wrong(p, line, "expected } for the section that begins here");
	next(p);
}

static void
parse_top(struct parser *p)
{
	const struct config_section_kind *kind;

	next(p);
	while (p->token != '\0') {
		for (kind = p->kinds; kind->name != NULL; kind++)
			if (p->token == 'w' && strcmp(kind->name, p->word) == 0)
				break;
		if (kind->name != NULL)
			parse_section(p, kind);
		else
			parse_option(p, p->top);
	}
}

/* ---- the file --------------------------------------------------------- */

/* Tabs and line feeds are the only control bytes. */
static void
check_bytes(struct parser *p, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf";
	int line = 1;

	if (strncmp(p->at, mark, sizeof(mark) - 1) == 0)
		wrong(p, line,
		      "unexpected byte order mark at the beginning of the "
		      "file: "
		      "save it as UTF-8 without one (BOM)");
	for (size_t i = 0; i < n && !p->failed; i++) {
		const unsigned char byte = (unsigned char)p->at[i];

		if (byte == '\n')
			line++;
		else if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
			wrong(p, line, "unexpected byte 0x%02x%s", byte,
			      byte == '\r' ? ": lines end in LF alone, not in "
					     "CR LF as on Windows"
					   : "");
	}
}

/* Loads the whole file, `n` bytes, with one byte before it and a NUL behind.
 * Returns 0, or -1 and the error. */
static int
load(const char *file, size_t max, char **text, size_t *n, struct error *why)
{
	struct text all = { .max = max + 1 };
	int fd, result;

	text_str(&all, "\n");
	fd = file_open(file);
	result = fd == -1 ? -1 : file_read(fd, &all);
	if (result < 0)
		error_set(why, ERROR_MACHINE, "%s: cannot read it: %s", file,
			  file_trouble());
	else if (all.full)
		error_set(why, ERROR_INPUT, "%s: expected at most %zu bytes",
			  file, max);
	close_quietly(fd);
	text_string(&all);
	*text = all.bytes;
	*n = all.used - 1;
	return result < 0 || all.full ? -1 : 0;
}

struct config_section *
config_parse(const char *file, size_t max, const struct config_key *keys,
	     const struct config_section_kind *kinds, struct error *why)
{
	struct config_section *top = new_section(file, why, keys, 1);
	struct parser p = {
		.line = 1, .kinds = kinds, .top = top, .last = top
	};
	size_t n;

	p.failed = load(file, max, &top->text, &n, why) < 0;
	p.at = top->text + 1;
	if (!p.failed)
		check_bytes(&p, n);
	if (!p.failed)
		parse_top(&p);
	if (!p.failed)
		return top;
	config_parse_free(top);
	return NULL;
}

static void
free_values(struct config_value *value)
{
	struct config_value *rest;

	for (; value != NULL; value = rest) {
		rest = value->next;
		free(value);
	}
}

void
config_parse_free(struct config_section *top)
{
	struct config_section *rest;

	for (; top != NULL; top = rest) {
		rest = top->next;
		for (unsigned k = 0; k < CONFIG_KEYS_MAX; k++)
			free_values(top->option[k].first);
		free(top->text);
		free(top);
	}
}

/* ---- what it says ----------------------------------------------------- */

const struct config_option *
config_option(const struct config_section *section, const char *name)
{
	for (unsigned k = 0; section->keys[k].name != NULL; k++)
		if (strcmp(section->keys[k].name, name) == 0)
			return &section->option[k];
	bug("no option %s", name);
}

int
config_line(const struct config_section *section, const char *name)
{
	int line = config_option(section, name)->line;

	return line != 0 ? line : section->line;
}
