/* tests/fuzz/fuzz-message.c - lines from bots.
 *
 * Input: lines.  A line is accepted if and only if it has one of the forms
 * below, and it can be written again from its meaning. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "protocol/ascii.h"
#include "protocol/message.h"
#include "tests/fuzz/fuzz.h"

#define NAME "[A-Za-z0-9][A-Za-z0-9._-]{0,31}"
#define GAME "[0-9a-f]{32}:(0|[1-9][0-9]{0,9})"

static struct form {
	enum message_verb verb;
	const char *pattern;
	regex_t regex;
} forms[] = {
	{ .verb = MESSAGE_BOT, .pattern = "^bot 1 " NAME "( [^ =]+=[^ ]*)*$" },
	{ .verb = MESSAGE_DO, .pattern = "^do [1-9][0-9]{0,9} [^ ]+$" },
	{ .verb = MESSAGE_SAY, .pattern = "^say .+$" },
	{ .verb = MESSAGE_ENTROPY,
	  .pattern = "^entropy ([0-9A-Fa-f]{2}){1,32}$" },
	{ .verb = MESSAGE_PONG, .pattern = "^pong .+$" },
	{ .verb = MESSAGE_SIT, .pattern = "^sit " NAME "( " NAME ")*$" },
	{ .verb = MESSAGE_REST, .pattern = "^rest$" },
	{ .verb = MESSAGE_QUIT, .pattern = "^quit$" },
	{ .verb = MESSAGE_CRASHED, .pattern = "^crashed$" },
};

static void
compile_forms(void)
{
	static bool done;
	size_t i;

	if (done)
		return;
	for (i = 0; i < NELEM(forms); i++)
		HOLDS(regcomp(&forms[i].regex, forms[i].pattern,
			      REG_EXTENDED | REG_NOSUB) == 0);
	done = true;
}

/* Returns true if the value of a pair that we know has its form. */
static bool
value_ok(const char *key, const char *value)
{
	static const struct {
		const char *key, *pattern;
	} forms_of[] = {
		{ "token=", "^.{1,128}$" },
		{ "games=", "^([1-9]|1[0-6])$" },
		{ "resume=", "^" GAME "(," GAME "){0,15}$" },
	};
	regex_t regex;
	bool ok = true;
	size_t i;

	for (i = 0; i < NELEM(forms_of); i++) {
		if (strcmp(forms_of[i].key, key) != 0)
			continue;
		HOLDS(regcomp(&regex, forms_of[i].pattern,
			      REG_EXTENDED | REG_NOSUB) == 0);
		ok = regexec(&regex, value, 0, NULL, 0) == 0;
		regfree(&regex);
	}
	return ok;
}

/* Checks what a pattern cannot say: no number is too large, no game comes twice. */
static bool
resume_ok(const char *value)
{
	const char *at, *other;

	for (at = value; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strtoull(at + ID_BYTES + 1, NULL, 10) > UINT32_MAX)
			return false;
		other = strchr(at, ',');
		if (other != NULL &&
		    memmem(other, strlen(other), at, ID_BYTES + 1) != NULL)
			return false;
	}
	return true;
}

/* Returns true if the pairs of a `bot` line are valid; the rest of it is. */
static bool
pairs_ok(const char *line)
{
	static const char *const keys[] = { "token=", "games=", "resume=" };
	unsigned seen[NELEM(keys)] = { 0 };
	char *copy = strdup(line), *pair, *rest = copy;
	bool ok = true;
	size_t i, n;

	while ((pair = strsep(&rest, " ")) != NULL)
		for (i = 0; i < NELEM(keys); i++) {
			n = strlen(keys[i]);
			if (strncmp(pair, keys[i], n) != 0)
				continue;
			ok &= ++seen[i] == 1 && value_ok(keys[i], pair + n) &&
			      (i != 2 || resume_ok(pair + n));
		}
	free(copy);
	return ok;
}

static enum message_verb
expected_verb(const char *line, size_t n)
{
	size_t i;

	for (i = 0; i < NELEM(forms); i++)
		if (regexec(&forms[i].regex, line, 0, NULL, 0) == 0)
			break;
	if (i == NELEM(forms))
		return MESSAGE_BAD;
	/* Patterns are unsuitable for these. */
	if (forms[i].verb == MESSAGE_SAY && n > strlen("say ") + SAY_BYTES)
		return MESSAGE_BAD;
	if (forms[i].verb == MESSAGE_DO &&
	    strtoull(line + strlen("do "), NULL, 10) > UINT32_MAX)
		return MESSAGE_BAD;
	if (forms[i].verb == MESSAGE_BOT && !pairs_ok(line))
		return MESSAGE_BAD;
	return forms[i].verb;
}

static bool
has_word(const struct message *message, const char *word)
{
	struct fuzz_text rest = { message->pairs, message->pairs_bytes }, pair;

	if (message->pairs == NULL)
		return false;
	while (fuzz_take(&rest, ' ', &pair))
		if (pair.n == strlen(word) &&
		    memcmp(pair.at, word, pair.n) == 0)
			return true;
	return false;
}

/* Writes the line of this message; `to` has room for more than any such line. */
static size_t
write_again(const struct message *message, char *to, size_t size)
{
	const char *text = message->text;
	int n = (int)message->n;
	size_t i, used;

	switch (message->verb) {
	case MESSAGE_BAD:
		break;
	case MESSAGE_BOT:
		if (message->pairs == NULL)
			return (size_t)snprintf(to, size, "bot 1 %.*s", n,
						text);
		return (size_t)snprintf(to, size, "bot 1 %.*s %.*s", n, text,
					(int)message->pairs_bytes,
					message->pairs);
	case MESSAGE_DO:
		return (size_t)snprintf(to, size, "do %u %.*s", message->ask, n,
					text);
	case MESSAGE_SAY:
		return (size_t)snprintf(to, size, "say %.*s", n, text);
	case MESSAGE_ENTROPY:
		used = (size_t)snprintf(to, size, "entropy ");
		for (i = 0; i < message->hex_bytes; i++)
			used += (size_t)snprintf(to + used, size - used, "%02x",
						 message->hex[i]);
		return used;
	case MESSAGE_PONG:
		return (size_t)snprintf(to, size, "pong %.*s", n, text);
	case MESSAGE_SIT:
		return (size_t)snprintf(to, size, "sit %.*s", n, text);
	case MESSAGE_REST:
		return (size_t)snprintf(to, size, "rest");
	case MESSAGE_QUIT:
		return (size_t)snprintf(to, size, "quit");
	case MESSAGE_CRASHED:
		return (size_t)snprintf(to, size, "crashed");
	}
	bug("verb %d cannot be written", message->verb);
}

static void
check_line(const char *bytes, size_t n)
{
	char *line = memory(NULL, n + 1), *exact, *again;
	struct message message;
	size_t size = n + 256;

	memcpy(line, bytes, n);
	line[n] = '\0';
	exact = fuzz_copy(bytes, n);
	message_read(exact, n, &message);
	HOLDS(message.verb == expected_verb(line, n));
	if (message.verb == MESSAGE_BAD) {
		HOLDS(message.why != NULL && message.why[0] != '\0');
	} else {
		HOLDS(message.why == NULL);
		again = memory(NULL, size);
		HOLDS(write_again(&message, again, size) == n);
		/* Hex digits may be capitals. */
		if (message.verb == MESSAGE_ENTROPY)
			HOLDS(strcasecmp(again, line) == 0);
		else
			HOLDS(strcmp(again, line) == 0);
		HOLDS(message.entropy == has_word(&message, "entropy=yes"));
		HOLDS(message.multi == has_word(&message, "multi=yes"));
		free(again);
	}
	free(exact);
	free(line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_text rest = { (const char *)data, n }, line;

	compile_forms();
	while (fuzz_take(&rest, '\n', &line))
		if (line.n <= LINE_BOT_BYTES &&
		    ascii_printable(line.at, line.n))
			check_line(line.at, line.n);
	return 0;
}
