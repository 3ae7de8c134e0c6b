/* protocol/message.c - read what a bot says, by a table of verbs. */
#include "protocol/message.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "protocol/put.h"

/* The rest of the line being read. */
struct rest {
	const char *at;
	size_t n;
};

/* Cuts the first word off, up to a space, which goes too. */
static struct rest
take_word(struct rest *rest)
{
	const char *space = memchr(rest->at, ' ', rest->n);
	struct rest word = { rest->at, rest->n };

	if (space != NULL)
		word.n = (size_t)(space - rest->at);
	rest->at += word.n + (space != NULL);
	rest->n -= word.n + (space != NULL);
	return word;
}

static bool
is_word(struct rest word, const char *string)
{
	size_t n = strlen(string);

	return word.n == n && memcmp(word.at, string, n) == 0;
}

static bool
alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

bool
message_name_ok(const char *name, size_t n)
{
	if (n == 0 || n > NAME_BYTES || !alphanumeric(name[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!alphanumeric(name[i]) && name[i] != '.' &&
		    name[i] != '_' && name[i] != '-')
			return false;
	return true;
}

const char *
message_builtin(const char *name)
{
	static const char *const builtins[] = { "random", "house" };

	for (size_t i = 0; i < NELEM(builtins); i++)
		if (strcasecmp(builtins[i], name) == 0)
			return builtins[i];
	return NULL;
}

int
message_number(const char *text, size_t n, uint64_t max, uint64_t *number)
{
	uint64_t sum = 0;
	unsigned digit;

	if (n == 0 || (n > 1 && text[0] == '0'))
		return -1;
	for (size_t i = 0; i < n; i++) {
		digit = (unsigned)(unsigned char)text[i] - '0';
		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return -1;
		sum = 10 * sum + digit;
	}
	if (sum > max)
		return -1;
	*number = sum;
	return 0;
}

/* There is one reader for each verb, of what stands behind it.  It returns NULL, or why
 * that breaks the grammar. */

static const char wrong_space[] =
	"words need one space between them, and none at the end";

static const char *
read_do(struct rest rest, struct message *message)
{
	struct rest number = take_word(&rest);
	uint64_t ask;

	if (number.n == 0 && rest.n > 0)
		return wrong_space;
	if (number.n == 0 || number.at[0] < '0' || number.at[0] > '9')
		return "do needs the ask's number and a token: do K TOKEN";
	if (message_number(number.at, number.n, UINT32_MAX, &ask) != 0 ||
	    ask == 0)
		return "the ask's number is from 1 to 4294967295, without a 0 "
		       "in front: do K TOKEN";
	if (rest.n == 0)
		return "do needs a token after the number: do K TOKEN";
	if (rest.at[0] == ' ' || rest.at[rest.n - 1] == ' ')
		return wrong_space;
	if (memchr(rest.at, ' ', rest.n) != NULL)
		return "do takes one token: do K TOKEN";
	message->ask = (uint32_t)ask;
	message->text = rest.at;
	message->n = rest.n;
	return NULL;
}

bool
message_id_ok(const char *id, size_t n)
{
	if (n != ID_BYTES)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(id[i] >= '0' && id[i] <= '9') &&
		    !(id[i] >= 'a' && id[i] <= 'f'))
			return false;
	return true;
}

/* Cuts `ID:N` off the front, and the comma after it. */
static bool
take_resume(struct rest *rest, struct message_resume *resume)
{
	const char *comma = memchr(rest->at, ',', rest->n);
	size_t n = comma == NULL ? rest->n : (size_t)(comma - rest->at);

	if (n < ID_BYTES + 2 || rest->at[ID_BYTES] != ':' ||
	    !message_id_ok(rest->at, ID_BYTES) ||
	    message_number(rest->at + ID_BYTES + 1, n - ID_BYTES - 1,
			   UINT32_MAX, &resume->lines) != 0)
		return false;
	memcpy(resume->id, rest->at, ID_BYTES);
	resume->id[ID_BYTES] = '\0';
	rest->at += n + (comma != NULL);
	rest->n -= n + (comma != NULL);
	return comma == NULL || rest->n > 0;
}

bool
message_resume(const struct message *message, size_t *at,
	       struct message_resume *resume)
{
	struct rest rest;

	if (*at >= message->resume_bytes)
		return false;
	rest = (struct rest){ message->resume + *at,
			      message->resume_bytes - *at };
	if (!take_resume(&rest, resume))
		return false;
	*at = message->resume_bytes - rest.n;
	return true;
}

static const char *
read_resume(struct rest value, struct message *message)
{
	static const char why[] =
		"resume lists games and lines read, each game once, at most "
		"16: resume=ID:N,ID:N";
	struct message_resume resume[GAMES_AT_ONCE];
	struct rest rest = value;

	if (message->resume != NULL)
		return why;
	for (unsigned count = 0; count == 0 || rest.n > 0; count++) {
		if (count == GAMES_AT_ONCE ||
		    !take_resume(&rest, &resume[count]))
			return why;
		for (unsigned i = 0; i < count; i++)
			if (strcmp(resume[i].id, resume[count].id) == 0)
				return why;
	}
	message->resume = value.at;
	message->resume_bytes = value.n;
	return NULL;
}

static const char *
read_token(struct rest value, struct message *message)
{
	if (message->token != NULL || value.n == 0 || value.n > BOT_TOKEN_BYTES)
		return "token comes once and has 1 to 128 bytes: token=SECRET";
	message->token = value.at;
	message->token_bytes = value.n;
	return NULL;
}

static const char *
read_games(struct rest value, struct message *message)
{
	uint64_t games;

	if (message->games != 0 ||
	    message_number(value.at, value.n, GAMES_AT_ONCE, &games) != 0 ||
	    games == 0)
		return "games comes once and is a number from 1 to 16: "
		       "games=N";
	message->games = (unsigned)games;
	return NULL;
}

/* These are the pairs whose values have a grammar. */
static const struct {
	const char *key;
	const char *(*read)(struct rest value, struct message *message);
} keys[] = {
	{ "token", read_token },
	{ "games", read_games },
	{ "resume", read_resume },
};

static const char *
read_pair(struct rest key, struct rest value, struct message *message)
{
	for (size_t i = 0; i < NELEM(keys); i++)
		if (is_word(key, keys[i].key))
			return keys[i].read(value, message);
	return NULL;
}

/* Reads the pairs.  Each has a key of at least one byte; the value may be empty. */
static const char *
read_pairs(struct rest rest, struct message *message)
{
	const char *equals, *why;
	struct rest pair, key, value;

	if (rest.n == 0 || rest.at[rest.n - 1] == ' ')
		return wrong_space;
	message->pairs = rest.at;
	message->pairs_bytes = rest.n;
	while (rest.n > 0) {
		pair = take_word(&rest);
		equals = memchr(pair.at, '=', pair.n);
		if (equals == NULL || equals == pair.at)
			return "after bot " PROTOCOL_NUMBER
			       " NAME come words KEY=VALUE";
		message->entropy |= is_word(pair, "entropy=yes");
		message->multi |= is_word(pair, "multi=yes");
		key = (struct rest){ pair.at, (size_t)(equals - pair.at) };
		value = (struct rest){ equals + 1, pair.n - key.n - 1 };
		why = read_pair(key, value, message);
		if (why != NULL)
			return why;
	}
	return NULL;
}

static const char *
read_bot(struct rest rest, struct message *message)
{
	struct rest version = take_word(&rest);
	struct rest name;

	if (!is_word(version, PROTOCOL_NUMBER))
		return "bot needs the protocol's number, " PROTOCOL_NUMBER
		       ": bot " PROTOCOL_NUMBER " NAME";
	name = take_word(&rest);
	if (!message_name_ok(name.at, name.n))
		return "bot needs a name of up to 32 letters, digits, `.`, "
		       "`_`, `-`, a letter or digit first: bot " PROTOCOL_NUMBER
		       " NAME";
	message->text = name.at;
	message->n = name.n;
	if (rest.at == name.at + name.n) /* no space came after the name */
		return NULL;
	return read_pairs(rest, message);
}

static const char *
read_say(struct rest rest, struct message *message)
{
	if (rest.n == 0)
		return "say needs a text: say TEXT";
	if (rest.n > SAY_BYTES)
		return "say takes at most 200 bytes";
	message->text = rest.at;
	message->n = rest.n;
	return NULL;
}

enum slip
message_slip(const struct message *say, const char **what, size_t *n)
{
	static const char *const words[SLIPS] = {
		[SLIP_FALLBACK] = "fallback ",
		[SLIP_FAILED] = "failed ",
	};
	enum slip slip;
	size_t word;

	for (slip = 0; slip < SLIPS; slip++) {
		word = strlen(words[slip]);
		if (say->n > word &&
		    memcmp(say->text, words[slip], word) == 0) {
			*what = say->text + word;
			*n = say->n - word;
			break;
		}
	}
	return slip;
}

_Static_assert(SAY_BYTES == 200 && NAME_BYTES == 32 && ENTROPY_BYTES == 32 &&
		       BOT_TOKEN_BYTES == 128 && GAMES_AT_ONCE == 16,
	       "the sentences here name these limits");

static const char *
read_entropy(struct rest rest, struct message *message)
{
	if (rest.n == 0 || rest.n % 2 != 0)
		return "entropy needs an even number of hex digits";
	if (rest.n > 2 * (size_t)ENTROPY_BYTES)
		return "entropy takes at most 32 bytes, 64 hex digits";
	return sodium_hex2bin(message->hex, sizeof(message->hex), rest.at,
			      rest.n, NULL, &message->hex_bytes, NULL) == 0
		       ? NULL
		       : "entropy needs hex digits: entropy HEX";
}

static const char *
read_pong(struct rest rest, struct message *message)
{
	if (rest.n == 0)
		return "pong needs the text of the ping: pong TEXT";
	message->text = rest.at;
	message->n = rest.n;
	return NULL;
}

static const char *
read_sit(struct rest rest, struct message *message)
{
	struct rest ladder;

	message->text = rest.at;
	message->n = rest.n;
	if (rest.n == 0 || rest.at[rest.n - 1] == ' ')
		return "sit needs the names of ladders: sit LADDER...";
	while (rest.n > 0) {
		ladder = take_word(&rest);
		if (!message_name_ok(ladder.at, ladder.n))
			return "sit needs the names of ladders: sit LADDER...";
	}
	return NULL;
}

static const struct {
	const char *name;
	enum message_verb verb;
	/* NULL: the verb is the whole line. */
	const char *(*read)(struct rest rest, struct message *message);
} verbs[] = {
	{ "do", MESSAGE_DO, read_do },
	{ "say", MESSAGE_SAY, read_say },
	{ "entropy", MESSAGE_ENTROPY, read_entropy },
	{ "bot", MESSAGE_BOT, read_bot },
	{ "pong", MESSAGE_PONG, read_pong },
	{ "sit", MESSAGE_SIT, read_sit },
	{ "rest", MESSAGE_REST, NULL },
	{ "quit", MESSAGE_QUIT, NULL },
	{ "crashed", MESSAGE_CRASHED, NULL },
};

static const char *
read_verb(struct rest rest, struct message *message)
{
	struct rest word = take_word(&rest);

	for (size_t i = 0; i < NELEM(verbs); i++) {
		if (!is_word(word, verbs[i].name))
			continue;
		message->verb = verbs[i].verb;
		if (verbs[i].read != NULL)
			return verbs[i].read(rest, message);
		if (rest.at != word.at + word.n)
			return "rest, quit and crashed must be alone in their "
			       "line";
		return NULL;
	}
	return "a line begins with bot, do, say, entropy, pong, sit, rest, "
	       "quit or crashed";
}

void
message_read(const char *line, size_t n, struct message *message)
{
	struct rest rest = { line, n };
	const char *why;

	*message = (struct message){ .verb = MESSAGE_BAD };
	why = read_verb(rest, message);
	if (why != NULL)
		*message = (struct message){ .verb = MESSAGE_BAD, .why = why };
}

size_t
message_ask(char to[MESSAGE_ASK_BYTES], uint32_t ask, uint64_t ms)
{
	char *end = put_number(put_word(to, "ask "), ask);

	end = put_number(put_word(end, " "), ms);
	return (size_t)(put_word(end, " ") - to);
}
