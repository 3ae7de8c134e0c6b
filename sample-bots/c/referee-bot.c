/* referee-bot.c - the C kit's inside: see referee-bot.h.
 *
 * Made to be quick: one read() takes whatever has arrived, lines are cut into
 * words where they stand, and an answer leaves in one write().  Nothing is
 * allocated while a game is on. */
#include "referee-bot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define IN_BYTES 65536
#define OUT_BYTES 65536

struct bot_session {
	const struct bot *bot;
	void *own;
	int in, out;
	bool playing;  /* `game` holds a game that is on */
	bool ended;    /* the referee has said `bye` */
	bool failed;   /* an answer could not be written */
	bool skipping; /* inside a line that is too long */
	size_t used;   /* bytes in `input` */
	size_t saying; /* bytes in `output` */
	struct bot_game game;
	char *word[BOT_WORDS];
	struct bot_move move[BOT_WORDS];
	char input[IN_BYTES];
	char output[OUT_BYTES];
};

static void
flush(struct bot_session *s)
{
	size_t done = 0;

	while (done < s->saying && !s->failed) {
		ssize_t n = write(s->out, s->output + done, s->saying - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			s->failed = true;
	}
	s->saying = 0;
}

static void
put(struct bot_session *s, const char *bytes, size_t n)
{
	if (n > OUT_BYTES - s->saying)
		flush(s);
	if (n <= OUT_BYTES) {
		memcpy(s->output + s->saying, bytes, n);
		s->saying += n;
	}
}

static void
put_string(struct bot_session *s, const char *string)
{
	put(s, string, strlen(string));
}

static void
put_number(struct bot_session *s, uint32_t number)
{
	char digits[10];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	put(s, digits + at, sizeof(digits) - at);
}

/* The decimal at `text`, and where it ends. */
static uint32_t
read_number(const char *text, const char **end)
{
	uint32_t number = 0;

	while (*text >= '0' && *text <= '9')
		number = number * 10 + (uint32_t)(*text++ - '0');
	if (end)
		*end = text;
	return number;
}

/* Cuts a line into words, where it stands. */
static unsigned
split(char *line, char *word[BOT_WORDS])
{
	unsigned n = 0;

	while (n < BOT_WORDS) {
		while (*line == ' ' || *line == '\r')
			*line++ = '\0';
		if (!*line)
			break;
		word[n++] = line;
		while (*line && *line != ' ' && *line != '\r')
			line++;
	}
	return n;
}

uint32_t
bot_random(struct bot_game *game, uint32_t n)
{
	uint32_t x = game->random;

	/* Marsaglia 2003, Xorshift RNGs: the triple 13, 17, 5 */
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	game->random = x;
	return (uint32_t)((uint64_t)x * n >> 32);
}

/* FNV-1a, 32 bits, of `SEAT ID`. */
static uint32_t
seed(const struct bot_game *game)
{
	uint32_t hash = 2166136261u;
	const char *byte;

	hash = (hash ^ ('0' + game->seat)) * 16777619u;
	hash = (hash ^ ' ') * 16777619u;
	for (byte = game->id; *byte; byte++)
		hash = (hash ^ (unsigned char)*byte) * 16777619u;
	return hash ? hash : 1;
}

const char *
bot_option(const struct bot_game *game, const char *key)
{
	unsigned i;

	for (i = 0; i < game->pairs; i++)
		if (strcmp(game->pair[i].key, key) == 0)
			return game->pair[i].value;
	return NULL;
}

long
bot_option_number(const struct bot_game *game, const char *key, long otherwise)
{
	const char *value = bot_option(game, key), *end;
	uint32_t number;

	if (!value || !*value || strlen(value) > 9)
		return otherwise;
	number = read_number(value, &end);
	return *end ? otherwise : (long)number;
}

void
bot_say(struct bot_game *game, const char *text)
{
	struct bot_session *s = game->session;
	char line[BOT_SAY_BYTES];
	size_t n = 0;

	for (; *text && n < sizeof(line); text++)
		line[n++] = (char)(*text < ' ' || *text > '~' ? ' ' : *text);
	if (n == 0 || game->remarks == BOT_SAY_COUNT)
		return;
	game->remarks++;
	put_string(s, "say ");
	put(s, line, n);
	put_string(s, "\n");
}

/* ---- the hand ---------------------------------------------------------- */

static void
hand_add(struct bot_game *game, const char *card)
{
	size_t n = strlen(card);

	if (game->cards < BOT_HAND && n < BOT_CARD_BYTES)
		memcpy(game->hand[game->cards++], card, n + 1);
}

static void
hand_remove(struct bot_game *game, const char *card)
{
	unsigned i;

	for (i = 0; i < game->cards; i++)
		if (strcmp(game->hand[i], card) == 0) {
			game->cards--;
			memmove(game->hand[i], game->hand[i + 1],
				(game->cards - i) * BOT_CARD_BYTES);
			return;
		}
}

/* deal, draw and take bring or take cards; so do my own play and open. */
static void
hand_follow(struct bot_game *game, unsigned words, char *const word[])
{
	bool mine;
	unsigned i;

	if (words < 2)
		return;
	mine = read_number(word[1], NULL) == game->seat;
	if (strcmp(word[0], "take") == 0) {
		for (i = 2; i < words; i++)
			hand_remove(game, word[i]);
	} else if (!mine) {
		return;
	} else if (strcmp(word[0], "deal") == 0) {
		for (game->cards = 0, i = 2; i < words; i++)
			hand_add(game, word[i]);
	} else if (strcmp(word[0], "draw") == 0) {
		for (i = 2; i < words; i++)
			hand_add(game, word[i]);
	} else if (words == 3 && strcmp(word[0], "open") == 0) {
		hand_remove(game, word[2]);
	} else if (words == 3 && strcmp(word[0], "move") == 0 &&
		   strncmp(word[2], "play:", 5) == 0) {
		hand_remove(game, word[2] + 5);
	}
}

/* ---- lines of the referee ---------------------------------------------- */

static void
take_pairs(struct bot_game *game, unsigned words, char *const word[])
{
	unsigned i;

	for (i = 7; i < words && game->pairs < BOT_PAIRS; i++) {
		char *equals = strchr(word[i], '=');

		if (!equals)
			continue;
		*equals = '\0';
		game->pair[game->pairs].key = word[i];
		game->pair[game->pairs].value = equals + 1;
		game->pairs++;
	}
}

/* game ID GAME seat S of N KEY=VALUE... */
static void
take_game(struct bot_session *s, char *line, size_t n)
{
	struct bot_game *game = &s->game;
	unsigned words;

	s->playing = false;
	memset(game, 0, offsetof(struct bot_game, text));
	memcpy(game->text, line, n);
	game->text[n] = '\0';
	words = split(game->text, s->word);
	if (words < 7)
		return;
	game->id = s->word[1];
	game->name = s->word[2];
	game->seat = read_number(s->word[4], NULL);
	game->seats = read_number(s->word[6], NULL);
	if (game->seats > BOT_SEATS || game->seat >= game->seats)
		return;
	take_pairs(game, words, s->word);
	game->session = s;
	game->random = seed(game);
	s->playing = true;
	if (s->bot->start)
		s->bot->start(s->own, game);
}

/* Finds `n..top` in a token. */
static void
read_move(struct bot_move *move, const char *token)
{
	const char *dots = strstr(token, "..");
	const char *start, *end;

	move->token = token;
	move->range = false;
	if (!dots)
		return;
	for (start = dots; start > token; start--)
		if (start[-1] < '0' || start[-1] > '9')
			break;
	move->low = read_number(start, NULL);
	move->high = read_number(dots + 2, &end);
	move->range = start < dots && end > dots + 2;
	move->at = (uint16_t)(start - token);
	move->at_bytes = (uint16_t)(end - start);
}

/* Writes the token; what the author must not answer becomes the house move.
 */
static void
put_answer(struct bot_session *s, const struct bot_ask *ask,
	   struct bot_answer answer)
{
	const struct bot_move *move = ask->move;

	if (answer.move < ask->moves)
		move += answer.move;
	if (move->range &&
	    (answer.number < move->low || answer.number > move->high))
		move = ask->move;
	if (!move->range) {
		put_string(s, move->token);
		return;
	}
	put(s, move->token, move->at);
	put_number(s, answer.number);
	put_string(s, move->token + move->at + move->at_bytes);
}

/* Whether `void NUMBER` is among the lines that have already arrived. */
static bool
is_void(const char *lines, const char *end, const char *number)
{
	size_t n = strlen(number);

	while (lines < end) {
		const char *lf = memchr(lines, '\n', (size_t)(end - lines));

		if (!lf || strncmp(lines, "ask ", 4) == 0)
			return false;
		if ((size_t)(lf - lines) == 5 + n &&
		    memcmp(lines, "void ", 5) == 0 &&
		    memcmp(lines + 5, number, n) == 0)
			return true;
		lines = lf + 1;
	}
	return false;
}

/* ask K MS TOKEN...; a slow bot finds asks that are void by now in its pipe */
static void
take_ask(struct bot_session *s, unsigned words, const char *later,
	 const char *end)
{
	struct bot_answer answer = { 0, 0 };
	struct bot_ask ask;
	unsigned i;

	if (words < 4 || is_void(later, end, s->word[1]))
		return;
	ask.number = read_number(s->word[1], NULL);
	ask.ms = read_number(s->word[2], NULL);
	ask.moves = words - 3;
	ask.move = s->move;
	for (i = 0; i < ask.moves; i++)
		read_move(&s->move[i], s->word[3 + i]);
	if (s->bot->choose)
		answer = s->bot->choose(s->own, &s->game, &ask);
	put_string(s, "do ");
	put_string(s, s->word[1]);
	put_string(s, " ");
	put_answer(s, &ask, answer);
	put_string(s, "\n");
	flush(s);
}

static void
take_over(struct bot_session *s, const char *why)
{
	s->playing = false;
	if (s->bot->over)
		s->bot->over(s->own, &s->game, why);
}

static void
send_entropy(struct bot_session *s)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char bytes[32];
	unsigned i;

	put_string(s, "entropy ");
	if (getrandom(bytes, sizeof(bytes), 0) == sizeof(bytes))
		for (i = 0; i < sizeof(bytes); i++) {
			put(s, &hex[bytes[i] >> 4], 1);
			put(s, &hex[bytes[i] & 15], 1);
		}
	put_string(s, "\n");
	flush(s);
}

/* Lines that matter while no game is on, too.  False: not one of them. */
static bool
take_control(struct bot_session *s, char *line, size_t n)
{
	if (n > 5 && memcmp(line, "game ", 5) == 0) {
		take_game(s, line, n);
	} else if (strcmp(line, "bye") == 0) {
		s->ended = true;
	} else if (strcmp(line, "entropy?") == 0) {
		send_entropy(s);
	} else if (strncmp(line, "ping", 4) == 0 && strchr(" ", line[4])) {
		put_string(s, "pong");
		put(s, line + 4, n - 4);
		put_string(s, "\n");
		flush(s);
	} else if (strncmp(line, "error ", 6) == 0) {
		fprintf(stderr, "the referee says: %s\n", line + 6);
	} else {
		return strncmp(line, "referee ", 8) == 0 ||
		       strncmp(line, "commit ", 7) == 0;
	}
	return true;
}

/* One line, its LF (and a CR before it) replaced by a NUL; what follows it
 * lies between `later` and `end`. */
static void
take_line(struct bot_session *s, char *line, size_t n, const char *later,
	  const char *end)
{
	unsigned words;

	if (take_control(s, line, n) || !s->playing)
		return;
	if (strncmp(line, "abort ", 6) == 0) {
		const char *why = strchr(line + 6, ' ');

		take_over(s, why ? why + 1 : "");
		return;
	}
	words = split(line, s->word);
	if (words == 0)
		return;
	if (strcmp(s->word[0], "ask") == 0) {
		take_ask(s, words, later, end);
	} else if (strcmp(s->word[0], "void") == 0) {
		if (s->bot->voided && words > 1)
			s->bot->voided(s->own, &s->game,
				       read_number(s->word[1], NULL));
	} else if (strcmp(s->word[0], "retired") == 0) {
		if (s->bot->retired)
			s->bot->retired(s->own, &s->game);
	} else if (strcmp(s->word[0], "over") == 0) {
		take_over(s, NULL);
	} else {
		hand_follow(&s->game, words, s->word);
		if (s->bot->event)
			s->bot->event(s->own, &s->game, words, s->word);
	}
}

/* Takes the whole lines out of the input; returns where the rest begins. */
static size_t
take_lines(struct bot_session *s)
{
	char *line = s->input, *end = s->input + s->used, *lf;

	while (!s->ended && (lf = memchr(line, '\n', (size_t)(end - line)))) {
		size_t n = (size_t)(lf - line);
		bool whole = !s->skipping && n <= BOT_LINE_BYTES;

		s->skipping = false;
		if (n > 0 && line[n - 1] == '\r')
			n--;
		line[n] = '\0';
		/* A NUL would make the words end before the line does. */
		if (whole && strlen(line) == n)
			take_line(s, line, n, lf + 1, end);
		line = lf + 1;
	}
	return (size_t)(line - s->input);
}

/* Drops `taken` bytes, and the beginning of a line that is too long. */
static void
keep_rest(struct bot_session *s, size_t taken)
{
	s->used -= taken;
	if (s->used > BOT_LINE_BYTES || s->skipping) {
		s->used = 0;
		s->skipping = true;
	}
	if (s->used > 0 && taken > 0)
		memmove(s->input, s->input + taken, s->used);
}

static int
play(struct bot_session *s)
{
	while (!s->ended && !s->failed) {
		ssize_t n = read(s->in, s->input + s->used, IN_BYTES - s->used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0;
		s->used += (size_t)n;
		keep_rest(s, take_lines(s));
		flush(s);
	}
	return s->failed;
}

int
bot_run_on(const struct bot *bot, void *own, int in, int out)
{
	struct bot_session *s = calloc(1, sizeof(*s));
	int status;

	if (!s)
		return 1;
	s->bot = bot;
	s->own = own;
	s->in = in;
	s->out = out;
	if (bot->name) {
		put_string(s, "bot 1 ");
		put_string(s, bot->name);
		put_string(s, bot->entropy ? " entropy=yes\n" : "\n");
		flush(s);
	}
	status = play(s);
	free(s);
	return status;
}

int
bot_run(const struct bot *bot, void *own)
{
	int out = dup(1);

	/* printf() may not reach the referee. */
	if (out < 0 || dup2(2, 1) < 0)
		return 1;
	return bot_run_on(bot, own, 0, out);
}
