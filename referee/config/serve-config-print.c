/* referee/config/serve-config-print.c - writes a configuration as a file that
 * reads the same. */
#include <string.h>

#include "ladder/milli.h"
#include "referee/config/config-keys.h"
#include "referee/config/serve-config-inside.h"

struct print {
	FILE *out;
	const char *indent;
	bool comments;
};

static void
print_brief(const struct print *print, const char *brief)
{
	size_t n;

	for (; print->comments; brief += n + 1) {
		n = strcspn(brief, "\n");
		fprintf(print->out, "%s# %.*s\n", print->indent, (int)n, brief);
		if (brief[n] == '\0')
			break;
	}
}

static void
print_options(FILE *out, const struct game_setup *setup)
{
	const struct game_option *option;
	char value[16];
	unsigned i;

	fputs("{", out);
	for (i = 0; (option = &setup->rules->options[i])->name != NULL; i++) {
		game_setup_value(setup, i, value);
		fprintf(out, "%s\n\t\t\"%s=%s\"", i > 0 ? "," : "",
			option->name, value);
	}
	fputs("\n\t}", out);
}

static void
print_proxies(FILE *out, const struct networks *proxies)
{
	char text[NETWORK_TEXT_BYTES];

	fputs("{", out);
	for (unsigned i = 0; i < proxies->count; i++) {
		networks_text(&proxies->network[i], text);
		fprintf(out, "%s \"%s\"", i > 0 ? "," : "", text);
	}
	fputs(" }", out);
}

static void
print_anchors(FILE *out, const struct ladder_anchors *anchors)
{
	const struct ladder_anchor *at = anchors->at;
	char milli[MILLI_TEXT_BYTES];

	fputs("{", out);
	for (; at < anchors->at + anchors->count; at++) {
		milli_text(at->milli, milli);
		fprintf(out, "%s \"%s=%s\"", at > anchors->at ? "," : "",
			at->bot, milli);
	}
	fputs(" }", out);
}

/* Prints an option; one that is not given becomes a comment.  `section` is the
 * top, or `setup` is a ladder's. */
static void
print_key(const struct print *print, const struct config_key *key,
	  const void *section, const struct game_setup *setup)
{
	const bool unset = config_is_unset(key, section);

	if (unset && !print->comments)
		return;
	print_brief(print, key->brief);
	fprintf(print->out, "%s%s%s = ", print->indent, unset ? "# " : "",
		key->name);
	if (key->type == KEY_LIST && setup == NULL)
		print_proxies(print->out,
			      &((const struct config *)section)->proxies);
	else if (strcmp(key->name, "anchor") == 0)
		print_anchors(
			print->out,
			&((const struct config_ladder *)section)->anchors);
	else if (key->type == KEY_LIST)
		print_options(print->out, setup);
	else if (key->type != KEY_OTHER)
		config_print_value(key, section, print->out);
	else if (strcmp(key->name, "game") == 0)
		fputs(setup->rules->name, print->out);
	else
		fprintf(print->out, "%u", setup->seats);
	putc('\n', print->out);
}

static void
print_section(const struct print *print, const char *head,
	      const struct config_key *keys, const void *section,
	      const struct game_setup *setup)
{
	fprintf(print->out, "\n%s {\n", head);
	for (; keys->name != NULL; keys++)
		print_key(print, keys, section, setup);
	fputs("}\n", print->out);
}

/* Prints a listener.  Options that its kind does not have become comments. */
static void
print_listener(const struct print *print,
	       const struct config_listener *listener)
{
	const struct config_key *key;

	fprintf(print->out, "\nlistener \"%s\" {\n", listener->name);
	for (key = config_listener_keys; key->name != NULL; key++) {
		if (config_listener_has(listener, key)) {
			print_key(print, key, listener, NULL);
		} else if (print->comments) {
			print_brief(print, key->brief);
			fprintf(print->out, "%s# %s = \"\"\n", print->indent,
				key->name);
		}
	}
	fputs("}\n", print->out);
}

static void
print_ladder(const struct print *print, const struct config_ladder *ladder)
{
	char head[sizeof("ladder \"\"") + NAME_BYTES];

	snprintf(head, sizeof(head), "ladder \"%s\"", ladder->name);
	print_section(print, head, config_ladder_keys, ladder, &ladder->setup);
}

void
config_print(const struct config *config, FILE *out)
{
	struct print print = { .out = out, .indent = "", .comments = true };
	const struct config_key *key;

	fputs("# The complete configuration of `referee serve`. Settings that "
	      "a file leaves out\n# have the values of "
	      "doc/referee.conf.example.\n",
	      out);
	for (key = config_top_keys; key->name != NULL; key++) {
		putc('\n', out);
		print_key(&print, key, config, NULL);
	}
	print.indent = "\t";
	fputs("\n# Where the daemon listens. The listeners of a file replace "
	      "these.",
	      out);
	for (unsigned i = 0; i < config->listeners; i++) {
		print_listener(&print, &config->listener[i]);
		print.comments = false;
	}
	print.comments = true;
	print_section(&print, "limits", config_limit_keys, &config->limits,
		      NULL);
	fputs("\n# Bots that run on this machine: `referee bots add`.", out);
	print_section(&print, "local-bots", config_local_bot_keys,
		      &config->locals, NULL);
	fputs("\n# The ladders of a file replace these.", out);
	for (unsigned i = 0; i < config->ladders; i++) {
		print_ladder(&print, &config->ladder[i]);
		print.comments = false;
	}
}
