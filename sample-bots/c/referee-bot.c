/* referee-bot.c - the C kit's inside: see referee-bot.h.
 *
 * Made to be quick: one read() takes whatever has arrived, lines are cut into
 * words where they stand, and an answer leaves in one write().  Nothing is
 * allocated while a game is on. */
#include "referee-bot.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef REFEREE_BOT_TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#endif

#define IN_BYTES 65536
#define ID_BYTES 32 /* of a game */
#define OUT_BYTES 65536
#define ANSWER_BYTES (2 * BOT_LINE_BYTES + 32) /* `@ID do K TOKEN` */
#define NAME_BYTES 32
#define TOKEN_BYTES 128
#define LADDERS 32
#define PIN_BYTES 32

/* These hold for a connection to a referee elsewhere. */
#define CONNECT_MS 10000
#define SILENT_MS 75000 /* one that lives is never silent for so long */
#define WAIT_MS 100	/* after a loss, twice as long after each further one */
#define WAIT_MS_MAX 15000

/* A referee elsewhere, and the connection with it if there is one. */
struct remote {
	const char *connect, *name, *token_file, *ca, *fingerprint;
	const char *ladder[LADDERS];
	unsigned ladders;
	bool tls;
	char host[256], port[8];
	char token[TOKEN_BYTES + 1];
	int fd;	       /* or -1 */
	bool quitting; /* it knows, or will be told, that we quit */
	bool hopeless; /* it is no use to try again */
	unsigned wait_ms;
#ifdef REFEREE_BOT_TLS
	SSL_CTX *ctx;
	SSL *ssl;
	unsigned char pin[PIN_BYTES];
#endif
};

struct bot_session {
	const struct bot *bot;
	void *own;
	int in, out;
	bool playing;	       /* `game` holds a game that is on */
	bool ended;	       /* the referee has said `bye` */
	bool failed;	       /* an answer could not be written */
	bool skipping;	       /* inside a line that is too long */
	struct remote *remote; /* or NULL */
	bool welcome;	       /* it has said who it is */
	bool moved;	       /* a line of a game has come since it was lost */
	bool error;	       /* it has said why the connection ends, */
	bool unwanted;	       /* and does not want us to come again */
	char awaited[ID_BYTES + 1]; /* a game, */
	uint32_t awaits;	    /* and the ask of it that counts */
	size_t lines;		    /* of the game that were read */
	size_t answer_bytes;	    /* of the last answer in it, or 0 */
	size_t used;		    /* bytes in `input` */
	size_t saying;		    /* bytes in `output` */
	struct bot_game game;
	char *word[BOT_WORDS];
	struct bot_move move[BOT_WORDS];
	char input[IN_BYTES];
	char output[OUT_BYTES];
	char answer[ANSWER_BYTES];
};

static ssize_t remote_write(struct bot_session *s, const char *bytes, size_t n);

static void
flush(struct bot_session *s)
{
	size_t done = 0;

	while (done < s->saying && !s->failed) {
		const char *bytes = s->output + done;
		size_t left = s->saying - done;
		ssize_t n = s->remote ? remote_write(s, bytes, left)
				      : write(s->out, bytes, left);

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

/* A line of the game follows.  Elsewhere it may come late, and must not count
 * in the next game. */
static void
put_game(struct bot_session *s)
{
	if (!s->remote || !s->playing)
		return;
	put_string(s, "@");
	put_string(s, s->game.id);
	put_string(s, " ");
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
	uint32_t x = game->draws;

	/* Marsaglia 2003, Xorshift RNGs: the triple 13, 17, 5 */
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	game->draws = x;
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

static void
say(struct bot_session *s, const char *text)
{
	char line[BOT_SAY_BYTES];
	size_t n = 0;

	for (; *text && n < sizeof(line); text++)
		line[n++] = (char)(*text < ' ' || *text > '~' ? ' ' : *text);
	put_game(s);
	put_string(s, "say ");
	put(s, line, n);
	put_string(s, "\n");
}

void
bot_say(struct bot_game *game, const char *text)
{
	if (*text == '\0' || game->remarks == BOT_SAY_COUNT)
		return;
	game->remarks++;
	say(game->session, text);
}

/* ---- the table --------------------------------------------------------- */

static bool
is_game(const struct bot_game *game, const char *name)
{
	return strcmp(game->name, name) == 0;
}

static void
copy_card(bot_card to, const char *from)
{
	size_t n = strnlen(from, BOT_CARD_BYTES - 1);

	memcpy(to, from, n);
	to[n] = '\0';
}

static void
see(struct bot_game *game, const char *card)
{
	unsigned i;

	if (strchr(card, '?') || game->sees == BOT_CARDS)
		return;
	for (i = 0; i < game->sees; i++)
		if (strcmp(game->seen[i], card) == 0)
			return;
	copy_card(game->seen[game->sees++], card);
}

/* Into a hand. */
static void
give(struct bot_game *game, unsigned seat, const char *card)
{
	game->held[seat]++;
	see(game, card);
	if (seat == game->seat && game->cards < BOT_CARDS)
		copy_card(game->hand[game->cards++], card);
}

/* Out of a hand. */
static void
leave(struct bot_game *game, unsigned seat, const char *card)
{
	unsigned i;

	game->held[seat]--;
	see(game, card);
	for (i = 0; seat == game->seat && i < game->cards; i++)
		if (strcmp(game->hand[i], card) == 0) {
			game->cards--;
			memmove(game->hand[i], game->hand[i + 1],
				(game->cards - i) * BOT_CARD_BYTES);
			return;
		}
}

static void
put_down(struct bot_game *game, unsigned seat, const char *card)
{
	if (game->lies == BOT_CARDS)
		return;
	game->lying[game->lies].seat = seat;
	copy_card(game->lying[game->lies++].card, card);
}

static void
lay(struct bot_game *game, unsigned seat, const char *card)
{
	leave(game, seat, card);
	put_down(game, seat, card);
}

/* Off the table. */
static void
lift(struct bot_game *game, const char *card)
{
	unsigned i;

	for (i = 0; i < game->lies; i++)
		if (strcmp(game->lying[i].card, card) == 0) {
			game->lies--;
			memmove(&game->lying[i], &game->lying[i + 1],
				(game->lies - i) * sizeof(game->lying[0]));
			return;
		}
}

/* Describes one game: how many cards a round has (so many, and so many for
 * each seat, times the number of an option), and which card of a move goes from the
 * hand onto the table. */
#define BOT_LAYS 8
struct known {
	const char *game;
	unsigned fixed, each_seat;
	const char *times;
	struct {
		const char *verb;
		unsigned card;
	} lays[BOT_LAYS];
};

/* clang-format off */
static const struct known known_games[] = {
	/* made by make-tables.py: */
	{ "daumen-drauf", 12, 6, "", { { NULL, 0 } } },
	{ "daupun", 40, 0, "", { { "discard", 1 }, { "swap", 1 } } },
	{ "doubles-dread", 32, 0, "", { { "play", 1 } } },
	{ "durnius", 36, 0, "decks", { { "attack", 1 }, { "beat", 2 }, { "transfer", 1 }, { "add", 1 } } },
	{ "toepen", 32, 0, "", { { "play", 1 } } },
	/* end of what make-tables.py makes */
	{ NULL, 0, 0, "", { { NULL, 0 } } },
};
/* clang-format on */

/* The last one if this file does not know the game. */
static const struct known *
known(const struct bot_game *game)
{
	const struct known *known = known_games;

	while (known->game && !is_game(game, known->game))
		known++;
	return known;
}

static unsigned
deck(const struct bot_game *game)
{
	const struct known *of = known(game);

	return (of->fixed + of->each_seat * game->seats) *
	       (unsigned)bot_option_number(game, of->times, 1);
}

/* Which card of the move leaves the hand; 0: none. */
static unsigned
laid(const struct bot_game *game, const char *verb)
{
	const struct known *of = known(game);
	unsigned i;

	for (i = 0; i < BOT_LAYS && of->lays[i].verb; i++)
		if (strcmp(of->lays[i].verb, verb) == 0)
			return of->lays[i].card;
	return 0;
}

/* A game begins: all seats are in it. */
static void
table_start(struct bot_game *game)
{
	unsigned seat;

	for (seat = 0; seat < game->seats; seat++)
		game->inside[seat] = game->alive[seat] = true;
}

static void
on_round(struct bot_game *game, unsigned words, char *const word[])
{
	game->round = read_number(word[1], NULL);
	game->cards = game->lies = game->sees = 0;
	memset(game->held, 0, sizeof(game->held));
	memcpy(game->inside, game->alive, sizeof(game->inside));
	game->stock = deck(game);
	game->stake = is_game(game, "toepen");
	game->trump[0] = '\0';
	if (is_game(game, "daupun") && words > 9)
		game->stake = read_number(word[9], NULL);
}

static void
on_draw(struct bot_game *game, unsigned seat, unsigned words,
	char *const word[])
{
	unsigned i;

	for (i = 2; i < words; i++)
		give(game, seat, word[i]);
	game->stock -= words - 2;
}

/* move S VERB:CARD:CARD */
static void
on_move(struct bot_game *game, unsigned seat, const char *token)
{
	char text[64], *rest = text;
	const char *verb, *card, *other;

	if (strlen(token) >= sizeof(text))
		return;
	snprintf(text, sizeof(text), "%s", token);
	verb = strsep(&rest, ":");
	card = rest ? strsep(&rest, ":") : "";
	other = rest ? strsep(&rest, ":") : "";
	if (laid(game, verb) != 0)
		lay(game, seat, laid(game, verb) == 1 ? card : other);
	if (strcmp(verb, "fold") == 0) {
		game->inside[seat] = false;
	} else if (strcmp(verb, "swap") == 0) {
		lift(game, other);
		give(game, seat, other);
	} else if (is_game(game, "daumen-drauf") &&
		   (strcmp(verb, "show") == 0 || strcmp(verb, "twin") == 0)) {
		put_down(game, seat, card);
	} else if (strcmp(verb, "show") == 0) {
		see(game, card);
	}
}

/* The card that a seat has shown last, or `before` it; NULL: none. */
static char *
shown(struct bot_game *game, unsigned seat, bool before)
{
	unsigned i;

	for (i = game->lies; i-- > 0;) {
		if (game->lying[i].seat != seat)
			continue;
		if (!before)
			return game->lying[i].card;
		before = false;
	}
	return NULL;
}

/* open S c: the card that S has shown before its last one. */
static void
on_open(struct bot_game *game, unsigned seat, const char *card)
{
	char *former = shown(game, seat, true);

	if (former)
		copy_card(former, card);
	leave(game, seat, card);
}

/* take S c ...: the last card that each seat has shown leaves its hand. */
static void
on_take(struct bot_game *game, unsigned words, char *const word[])
{
	unsigned seat, i;

	for (seat = 0; seat < game->seats; seat++) {
		const char *card = shown(game, seat, false);

		if (card)
			leave(game, seat, card);
	}
	for (i = 2; i < words; i++)
		see(game, word[i]);
	game->lies = 0;
}

static void
on_pickup(struct bot_game *game, unsigned seat, unsigned cards)
{
	unsigned i;

	for (i = 0; i < game->lies; i++)
		if (seat == game->seat)
			give(game, seat, game->lying[i].card);
	if (seat != game->seat)
		game->held[seat] += cards;
	game->lies = 0;
}

/* bark x p ... */
static void
on_bark(struct bot_game *game, unsigned words, char *const word[])
{
	unsigned bark = (unsigned)(word[1][0] - 'a'), i;

	for (i = 2; i < words && bark < BOT_BARKS && i < BOT_PAWNS + 2; i++) {
		copy_card(game->bark[bark][i - 2], word[i]);
		see(game, word[i]);
		game->stock--;
	}
	if (bark < BOT_BARKS && i < BOT_PAWNS + 2)
		game->bark[bark][i - 2][0] = '\0';
}

/* at P x S */
static void
on_at(struct bot_game *game, unsigned seat, const char *name)
{
	unsigned bark = (unsigned)(name[0] - 'a'), i;

	if (seat >= game->seats || bark >= BOT_BARKS)
		return;
	for (i = 0; i < BOT_PAWNS && game->bark[bark][i][0]; i++)
		give(game, seat, game->bark[bark][i]);
}

/* Lines VERB S ... of a seat.  False: not one of them. */
static bool
follow_seat(struct bot_game *game, unsigned words, char *const word[])
{
	const char *verb = word[0];
	unsigned seat = read_number(word[1], NULL);

	if (seat >= game->seats)
		return false;
	if (strcmp(verb, "deal") == 0) {
		game->held[seat] = 0;
		if (seat == game->seat)
			game->cards = 0;
		on_draw(game, seat, words, word);
	} else if (strcmp(verb, "draw") == 0) {
		on_draw(game, seat, words, word);
	} else if (strcmp(verb, "take") == 0) {
		on_take(game, words, word);
	} else if (strcmp(verb, "out") == 0) {
		game->inside[seat] = false;
		if (is_game(game, "toepen"))
			game->alive[seat] = false;
	} else if (words < 3) {
		return false;
	} else if (strcmp(verb, "move") == 0) {
		on_move(game, seat, word[2]);
	} else if (strcmp(verb, "open") == 0) {
		on_open(game, seat, word[2]);
	} else if (strcmp(verb, "pickup") == 0) {
		on_pickup(game, seat, read_number(word[2], NULL));
	} else if (strcmp(verb, "score") == 0) {
		game->points[seat] = strtol(word[2], NULL, 10);
	} else if (strcmp(verb, "south") == 0) {
		game->stake = read_number(word[2], NULL);
	} else {
		return false;
	}
	return true;
}

/* An event line. */
static void
table_follow(struct bot_game *game, unsigned words, char *const word[])
{
	const char *verb = word[0];
	unsigned i;

	if (words < 2 || follow_seat(game, words, word))
		return;
	if (strcmp(verb, "round") == 0) {
		on_round(game, words, word);
	} else if (strcmp(verb, "bark") == 0) {
		on_bark(game, words, word);
	} else if (strcmp(verb, "at") == 0 && words > 3) {
		on_at(game, read_number(word[3], NULL), word[2]);
	} else if (strcmp(verb, "stake") == 0 || strcmp(verb, "pot") == 0) {
		game->stake = read_number(word[1], NULL);
	} else if (strcmp(verb, "trump") == 0) {
		copy_card(game->trump, word[1]);
		see(game, word[1]);
	} else if (strcmp(verb, "reveal") == 0 || strcmp(verb, "show") == 0) {
		for (i = strcmp(verb, "show") == 0 ? 3 : 2; i < words; i++)
			see(game, word[i]);
	} else if (strcmp(verb, "swallow") == 0) {
		for (i = 1; i < words; i++)
			lift(game, word[i]);
	} else if (strcmp(verb, "turn") == 0 || strcmp(verb, "discard") == 0 ||
		   (strcmp(verb, "trick") == 0 && !is_game(game, "daupun"))) {
		game->lies = 0;
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
	game->draws = seed(game);
	table_start(game);
	s->playing = true;
	s->moved = true;
	s->lines = 1;
	s->answer_bytes = 0;
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

/* Makes the house move of an answer that the author must not give, and tells the
 * referee and standard error. */
static void
check_answer(struct bot_session *s, const struct bot_ask *ask,
	     struct bot_answer *answer)
{
	static const char fallback[] = "fallback ";
	const struct bot_move *move;
	char why[BOT_SAY_BYTES];

	if (answer->move >= ask->moves) {
		snprintf(why, sizeof(why), "%sillegal: move %u of only %u",
			 fallback, answer->move, ask->moves);
	} else {
		move = &ask->move[answer->move];
		if (!move->range || (answer->number >= move->low &&
				     answer->number <= move->high))
			return;
		snprintf(why, sizeof(why), "%sillegal: %u is not in %.100s",
			 fallback, (unsigned)answer->number, move->token);
	}
	fprintf(stderr, "%s; making the first move instead\n",
		why + sizeof(fallback) - 1);
	say(s, why);
	answer->move = 0;
}

static void
put_answer(struct bot_session *s, const struct bot_ask *ask,
	   struct bot_answer answer)
{
	const struct bot_move *move = ask->move + answer.move;

	if (!move->range) {
		put_string(s, move->token);
		return;
	}
	put(s, move->token, move->at);
	put_number(s, answer.number);
	put_string(s, move->token + move->at + move->at_bytes);
}

/* do K TOKEN; elsewhere it is kept, for it might be lost on the way. */
static void
say_answer(struct bot_session *s, const struct bot_ask *ask,
	   struct bot_answer answer)
{
	size_t start;

	check_answer(s, ask, &answer);
	if (s->saying > OUT_BYTES - ANSWER_BYTES)
		flush(s);
	start = s->saying;
	put_game(s);
	put_string(s, "do ");
	put_number(s, ask->number);
	put_string(s, " ");
	put_answer(s, ask, answer);
	put_string(s, "\n");
	if (s->remote) {
		s->answer_bytes = s->saying - start;
		memcpy(s->answer, s->output + start, s->answer_bytes);
	}
	flush(s);
}

/* Returns true if `void NUMBER` is among the lines that have already arrived. */
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
	if (strcmp(s->awaited, s->game.id) == 0 && ask.number < s->awaits)
		return;
	ask.ms = read_number(s->word[2], NULL);
	ask.moves = words - 3;
	ask.move = s->move;
	for (i = 0; i < ask.moves; i++)
		read_move(&s->move[i], s->word[3 + i]);
	if (s->bot->choose)
		answer = s->bot->choose(s->own, &s->game, &ask);
	say_answer(s, &ask, answer);
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
	char dice[2 * sizeof(bytes) + 1] = "";
	unsigned i;

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return;
	for (i = 0; i < sizeof(bytes); i++) {
		dice[2 * i] = hex[bytes[i] >> 4];
		dice[2 * i + 1] = hex[bytes[i] & 15];
	}
	put_game(s);
	put_string(s, "entropy ");
	put_string(s, dice);
	put_string(s, "\n");
	flush(s);
	if (s->remote && s->playing)
		fprintf(stderr, "entropy %s %s\n", s->game.id, dice);
}

/* Returns true if the line has this verb; *rest is what follows it then. */
static bool
has_verb(const char *line, const char *verb, const char **rest)
{
	size_t n = strlen(verb);

	if (strncmp(line, verb, n) != 0 || !strchr(" ", line[n]))
		return false;
	*rest = line + n + (line[n] == ' ');
	return true;
}

/* The referee has said who it is. */
static void
take_welcome(struct bot_session *s)
{
	unsigned i;

	s->welcome = true;
	if (!s->remote)
		return;
	put_string(s, s->remote->quitting ? "quit" : "sit");
	for (i = 0; i < s->remote->ladders && !s->remote->quitting; i++) {
		put_string(s, " ");
		put_string(s, s->remote->ladder[i]);
	}
	put_string(s, "\n");
	if (s->playing) /* it may not have arrived */
		put(s, s->answer, s->answer_bytes);
	flush(s);
}

/* Pairs, of which we know one, then a sentence. */
static void
take_error(struct bot_session *s, const char *rest)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	size_t word, key;

	s->error = true;
	for (;;) {
		word = strcspn(rest, " ");
		key = strspn(rest, letters);
		if (key == 0 || rest[key] != '=' || word < key + 2)
			break;
		if (word == 8 && memcmp(rest, "again=no", word) == 0)
			s->unwanted = true;
		rest += word + (rest[word] == ' ');
	}
	fprintf(stderr, "the referee says: %s\n", rest);
}

/* ID K MS: asks of that game before K are over. */
static void
take_awaits(struct bot_session *s, const char *rest)
{
	size_t n = strcspn(rest, " ");

	if (n > ID_BYTES || rest[n] == '\0')
		return;
	memcpy(s->awaited, rest, n);
	s->awaited[n] = '\0';
	s->awaits = read_number(rest + n + 1, NULL);
}

/* Lines that belong to no game.  False: not one of them. */
static bool
take_outside(struct bot_session *s, const char *line, size_t n)
{
	const char *rest;

	if (has_verb(line, "referee", &rest)) {
		take_welcome(s);
	} else if (has_verb(line, "bye", &rest)) {
		s->ended = true;
	} else if (has_verb(line, "ping", &rest)) {
		put_string(s, "pong");
		put(s, line + 4, n - 4);
		put_string(s, "\n");
		flush(s);
	} else if (has_verb(line, "error", &rest)) {
		take_error(s, rest);
	} else if (has_verb(line, "awaits", &rest)) {
		take_awaits(s, rest);
	} else if (has_verb(line, "gone", &rest)) {
		if (s->playing && strcmp(rest, s->game.id) == 0)
			take_over(s, "nothing is known of it any more");
	} else {
		return false;
	}
	return true;
}

/* Lines that matter while no game is on, too.  False: not one of them. */
static bool
take_control(struct bot_session *s, char *line, size_t n)
{
	const char *rest;

	if (take_outside(s, line, n))
		return true;
	if (s->playing) {
		s->lines++;
		s->moved = true;
	}
	if (n > 5 && memcmp(line, "game ", 5) == 0)
		take_game(s, line, n);
	else if (strcmp(line, "entropy?") == 0)
		send_entropy(s);
	else
		return has_verb(line, "commit", &rest);
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
		table_follow(&s->game, words, s->word);
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

static void
put_hello(struct bot_session *s, const char *name)
{
	put_string(s, "bot 1 ");
	put_string(s, name);
	if (s->remote) {
		put_string(s, " token=");
		put_string(s, s->remote->token);
		put_string(s, " entropy=yes");
	}
	if (s->remote && s->playing) {
		put_string(s, " resume=");
		put_string(s, s->game.id);
		put_string(s, ":");
		put_number(s, (uint32_t)s->lines);
	}
	put_string(s, "\n");
	flush(s);
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
	if (bot->name)
		put_hello(s, bot->name);
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

/* ---- signals and time --------------------------------------------------- */

static volatile sig_atomic_t told_to_quit;
static int wake[2]; /* a pipe: a signal must end poll() */

static void
on_signal(int number)
{
	int error = errno;

	(void)number;
	told_to_quit = 1;
	(void)!write(wake[1], "", 1);
	errno = error;
}

static int
heed_signals(void)
{
	/* the second one ends the program */
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESETHAND };

	if (pipe(wake) < 0)
		return -1;
	fcntl(wake[0], F_SETFL, O_NONBLOCK);
	fcntl(wake[1], F_SETFL, O_NONBLOCK);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

static int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until `fd` (or none: -1) is ready, a signal has come, or it is `end_ms`.
 * False: that late. */
static bool
wait_for(int fd, short events, int64_t end_ms)
{
	struct pollfd polled[] = { { .fd = fd, .events = events },
				   { .fd = wake[0], .events = POLLIN } };
	int64_t left = end_ms - now_ms();
	char bytes[16];

	if (left <= 0)
		return false;
	poll(polled, 2, (int)left);
	if (polled[1].revents)
		(void)!read(wake[0], bytes, sizeof(bytes));
	return true;
}

/* ---- TLS ---------------------------------------------------------------- */

#ifdef REFEREE_BOT_TLS

static int
hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)((found - digits) % 16) : -1;
}

/* 64 hex digits, colons between them or not. */
static bool
read_pin(struct remote *r)
{
	const char *text = r->fingerprint;
	unsigned n;

	for (n = 0; n < PIN_BYTES; n++) {
		int high, low;

		if (*text == ':')
			text++;
		high = hex_digit(*text);
		low = high < 0 ? -1 : hex_digit(text[1]);
		if (low < 0)
			return false;
		r->pin[n] = (unsigned char)(high << 4 | low);
		text += 2;
	}
	return *text == '\0';
}

static const char *
tls_prepare(struct remote *r)
{
	int all_well = 1;

	if (r->fingerprint && !read_pin(r))
		return "--fingerprint wants 64 hex digits";
	r->ctx = SSL_CTX_new(TLS_client_method());
	if (!r->ctx)
		return "there is no TLS";
	SSL_CTX_set_min_proto_version(r->ctx, TLS1_2_VERSION);
	if (!r->fingerprint) {
		SSL_CTX_set_verify(r->ctx, SSL_VERIFY_PEER, NULL);
		all_well = r->ca ? SSL_CTX_load_verify_locations(r->ctx, r->ca,
								 NULL)
				 : SSL_CTX_set_default_verify_paths(r->ctx);
	}
	return all_well == 1 ? NULL : "--ca: no certificates can be read there";
}

/* Waits until the socket is ready for what SSL has not done.  Returns false if SSL has
 * failed or `end_ms` came first. */
static bool
tls_wait(struct remote *r, int result, int64_t end_ms)
{
	switch (SSL_get_error(r->ssl, result)) {
	case SSL_ERROR_WANT_READ:
		return wait_for(r->fd, POLLIN, end_ms);
	case SSL_ERROR_WANT_WRITE:
		return wait_for(r->fd, POLLOUT, end_ms);
	default:
		return false;
	}
}

static bool
has_pin(struct remote *r)
{
	X509 *certificate = SSL_get_peer_certificate(r->ssl);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	if (certificate)
		X509_digest(certificate, EVP_sha256(), digest, &n);
	X509_free(certificate);
	return n == PIN_BYTES && memcmp(digest, r->pin, n) == 0;
}

static const char *
tls_shake_hands(struct remote *r)
{
	int64_t end_ms = now_ms() + CONNECT_MS;
	int result;

	r->ssl = SSL_new(r->ctx);
	if (!r->ssl || !SSL_set_fd(r->ssl, r->fd))
		return "no memory for TLS";
	if (!X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(r->ssl), r->host)) {
		SSL_set_tlsext_host_name(r->ssl, r->host);
		SSL_set1_host(r->ssl, r->host);
	}
	do {
		ERR_clear_error();
		result = SSL_connect(r->ssl);
	} while (result != 1 && tls_wait(r, result, end_ms));
	if (result == 1 && r->fingerprint && !has_pin(r)) {
		r->hopeless = true;
		return "the certificate has another fingerprint";
	}
	if (result == 1)
		return NULL;
	if (SSL_get_verify_result(r->ssl) == X509_V_OK)
		return "TLS does not begin";
	r->hopeless = true;
	return X509_verify_cert_error_string(SSL_get_verify_result(r->ssl));
}

/* Returns the result in the form of read() and write() of a socket that does
 * not block. */
static ssize_t
tls_result(struct remote *r, int result)
{
	int error;

	if (result > 0)
		return result;
	error = SSL_get_error(r->ssl, result);
	if (error == SSL_ERROR_ZERO_RETURN)
		return 0;
	errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
			? EAGAIN
			: ECONNRESET;
	return -1;
}

static ssize_t
some_in(struct remote *r, char *bytes, size_t n)
{
	if (!r->ssl)
		return read(r->fd, bytes, n);
	ERR_clear_error();
	return tls_result(r, SSL_read(r->ssl, bytes, (int)n));
}

static ssize_t
some_out(struct remote *r, const char *bytes, size_t n)
{
	if (!r->ssl)
		return write(r->fd, bytes, n);
	ERR_clear_error();
	return tls_result(r, SSL_write(r->ssl, bytes, (int)n));
}

static void
tls_end(struct remote *r)
{
	SSL_free(r->ssl);
	r->ssl = NULL;
}

#else

static const char *
tls_prepare(struct remote *r)
{
	(void)r;
	return "--tls: compile referee-bot.c with -DREFEREE_BOT_TLS and link "
	       "with -lssl -lcrypto";
}

static const char *
tls_shake_hands(struct remote *r)
{
	(void)r;
	return NULL;
}

static ssize_t
some_in(struct remote *r, char *bytes, size_t n)
{
	return read(r->fd, bytes, n);
}

static ssize_t
some_out(struct remote *r, const char *bytes, size_t n)
{
	return write(r->fd, bytes, n);
}

static void
tls_end(struct remote *r)
{
	(void)r;
}

#endif

/* ---- one connection ----------------------------------------------------- */

/* NULL, or why there is no token. */
static const char *
read_token(struct remote *r)
{
	FILE *file = fopen(r->token_file, "r");
	char text[TOKEN_BYTES + 8];
	size_t n, i;

	if (!file)
		return strerror(errno);
	n = fread(text, 1, sizeof(text), file);
	fclose(file);
	while (n > 0 && strchr(" \r\n\t", text[n - 1]))
		n--;
	for (i = 0; i < n; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return "not a token";
	if (n < 1 || n > TOKEN_BYTES)
		return "not a token";
	memcpy(r->token, text, n);
	r->token[n] = '\0';
	return NULL;
}

/* A socket that does not block, connected with this address; or -1. */
static int
connect_address(const struct addrinfo *at)
{
	int64_t end_ms = now_ms() + CONNECT_MS;
	int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
	int one = 1, error = 0;
	socklen_t size = sizeof(error);
	struct pollfd polled = { .fd = fd, .events = POLLOUT };

	if (fd < 0)
		return -1;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, at->ai_addr, at->ai_addrlen) == 0)
		return fd;
	error = errno;
	if (error == EINPROGRESS) {
		error = ETIMEDOUT;
		while (wait_for(fd, POLLOUT, end_ms))
			if (poll(&polled, 1, 0) > 0) {
				getsockopt(fd, SOL_SOCKET, SO_ERROR, &error,
					   &size);
				break;
			}
	}
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

static bool
is_this_machine(int fd)
{
	struct sockaddr_storage at = { 0 };
	socklen_t size = sizeof(at);
	struct in6_addr *six = &((struct sockaddr_in6 *)&at)->sin6_addr;

	if (getpeername(fd, (struct sockaddr *)&at, &size) < 0)
		return false;
	if (at.ss_family == AF_INET)
		return ntohl(((struct sockaddr_in *)&at)->sin_addr.s_addr) >>
			       24 ==
		       127;
	return at.ss_family == AF_INET6 &&
	       (IN6_IS_ADDR_LOOPBACK(six) ||
		(IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127));
}

/* NULL, or why there is no connection. */
static const char *
reach(struct remote *r)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found, *at;
	int error = getaddrinfo(r->host, r->port, &hints, &found);

	if (error != 0)
		return gai_strerror(error);
	for (at = found; at && r->fd < 0; at = at->ai_next)
		r->fd = connect_address(at);
	error = errno;
	freeaddrinfo(found);
	if (r->fd < 0)
		return strerror(error);
	if (r->tls)
		return tls_shake_hands(r);
	if (is_this_machine(r->fd))
		return NULL;
	r->hopeless = true;
	return "beyond this machine a token needs --tls";
}

static void
hang_up(struct remote *r)
{
	tls_end(r);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* For flush(): waits as long as need be.  What cannot be said now is said when
 * we are back. */
static ssize_t
remote_write(struct bot_session *s, const char *bytes, size_t n)
{
	int64_t end_ms = now_ms() + SILENT_MS;
	ssize_t done;

	do
		done = some_out(s->remote, bytes, n);
	while (done < 0 && errno == EAGAIN &&
	       wait_for(s->remote->fd, POLLOUT, end_ms));
	if (done < 0 && errno == EINTR)
		errno = ECONNRESET;
	return done;
}

/* A signal has come: no game after this one. */
static void
say_quit(struct bot_session *s)
{
	s->remote->quitting = true;
	if (s->welcome)
		put_string(s, "quit\n");
	flush(s);
}

/* Reads what has arrived, and waits for it if need be.  Returns the bytes read, 0 at
 * the end, -1 if the connection is lost. */
static ssize_t
hear(struct bot_session *s)
{
	int64_t end_ms = now_ms() + SILENT_MS;
	ssize_t n;

	do {
		if (told_to_quit && !s->remote->quitting)
			say_quit(s);
		n = some_in(s->remote, s->input + s->used, IN_BYTES - s->used);
	} while (n < 0 && (errno == EAGAIN || errno == EINTR) && !s->failed &&
		 wait_for(s->remote->fd, POLLIN, end_ms));
	return n;
}

/* One connection, from its beginning to its end, and why that came. */
static const char *
talk(struct bot_session *s)
{
	struct remote *r = s->remote;
	const char *why = read_token(r);
	ssize_t n;

	r->hopeless = why;
	if (!why)
		why = reach(r);
	if (why)
		return why;
	put_hello(s, r->name);
	while (!s->ended) {
		n = hear(s);
		if (n <= 0)
			return n == 0 ? "it closed the connection"
				      : "no word of it any more";
		s->used += (size_t)n;
		keep_rest(s, take_lines(s));
		flush(s);
	}
	return "";
}

/* ---- a referee elsewhere ------------------------------------------------ */

/* Nothing has been heard on a connection yet. */
static void
clear(struct bot_session *s)
{
	s->welcome = s->moved = s->ended = s->failed = false;
	s->error = s->unwanted = false;
	s->awaited[0] = '\0';
	s->skipping = false;
	s->used = s->saying = 0;
}

/* Returns true if the referee wants no more of us.  A referee that is full for a
 * moment, or stops, says `error`, too: then this is false. */
static bool
is_over(const struct bot_session *s)
{
	return s->unwanted || (s->ended && !s->error);
}

static void
wait_a_little(struct bot_session *s, const char *why)
{
	struct remote *r = s->remote;
	unsigned dice = 0, ms;

	if (s->moved)
		r->wait_ms = WAIT_MS;
	(void)!getrandom(&dice, sizeof(dice), 0);
	ms = r->wait_ms / 2 + dice % (r->wait_ms / 2);
	r->wait_ms *= 2;
	if (r->wait_ms > WAIT_MS_MAX)
		r->wait_ms = WAIT_MS_MAX;
	fprintf(stderr, "no connection to %s: %s; again in %u ms\n", r->connect,
		why, ms);
	wait_for(-1, 0, now_ms() + ms);
}

static int
play_elsewhere(struct bot_session *s)
{
	const char *why;

	/* One that we have just lost may have begun another game. */
	while (!told_to_quit || s->playing || s->welcome) {
		clear(s);
		why = talk(s);
		if (s->remote->hopeless)
			fprintf(stderr, "refused: %s\n", why);
		hang_up(s->remote);
		if (s->remote->hopeless)
			return 1;
		if (is_over(s))
			return s->unwanted;
		wait_a_little(s, why);
	}
	return 0;
}

/* ---- arguments ---------------------------------------------------------- */

static bool
is_name(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	size_t n = strlen(text);

	return n > 0 && n <= NAME_BYTES && strspn(text, letters) == n &&
	       text[0] != '.' && text[0] != '_' && text[0] != '-';
}

/* Takes the option and its value; false: there is no such option. */
static bool
take_option(struct remote *r, const char *option, const char *value)
{
	if (strcmp(option, "--connect") == 0)
		r->connect = value;
	else if (strcmp(option, "--name") == 0)
		r->name = value;
	else if (strcmp(option, "--token-file") == 0)
		r->token_file = value;
	else if (strcmp(option, "--ca") == 0)
		r->ca = value;
	else if (strcmp(option, "--fingerprint") == 0)
		r->fingerprint = value;
	else if (strcmp(option, "--ladder") == 0 && r->ladders < LADDERS)
		r->ladder[r->ladders++] = value;
	else
		return false;
	return true;
}

/* HOST:PORT, [::1]:7450 */
static bool
split_address(struct remote *r)
{
	const char *colon = strrchr(r->connect, ':'), *host = r->connect;
	size_t n = colon ? (size_t)(colon - host) : 0;

	if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
		host++;
		n -= 2;
	}
	if (n == 0 || n >= sizeof(r->host) || !colon[1] ||
	    strlen(colon + 1) >= sizeof(r->port) ||
	    strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return false;
	memcpy(r->host, host, n);
	memcpy(r->port, colon + 1, strlen(colon + 1) + 1);
	return true;
}

/* Returns a sentence about a wrong or missing option, or NULL if there is none. */
static const char *
check_options(struct remote *r)
{
	unsigned i;

	if (!r->name || !is_name(r->name))
		return "--name is missing, or no name";
	if (!r->token_file)
		return "--token-file is missing";
	if (r->ladders == 0)
		return "--ladder is missing";
	for (i = 0; i < r->ladders; i++)
		if (!is_name(r->ladder[i]))
			return "--ladder is no name";
	if (!split_address(r))
		return "--connect wants HOST:PORT";
	r->tls = r->tls || r->ca || r->fingerprint;
	return r->tls ? tls_prepare(r) : NULL;
}

/* 0; or 2, and has said what is wrong. */
static int
read_options(struct remote *r, int argc, char **argv)
{
	const char *why;
	int i;

	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--tls") == 0) {
			r->tls = true;
		} else if (take_option(r, argv[i], argv[i + 1])) {
			if (++i < argc)
				continue;
			fprintf(stderr, "%s wants a value\n", argv[i - 1]);
			return 2;
		} else {
			fprintf(stderr, "there is no %s\n", argv[i]);
			return 2;
		}
	}
	why = check_options(r);
	if (why) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	why = read_token(r);
	if (why)
		fprintf(stderr, "%s: %s\n", r->token_file, why);
	return why ? 2 : 0;
}

static int
run_elsewhere(const struct bot *bot, void *own, struct remote *remote)
{
	struct bot_session *s = calloc(1, sizeof(*s));
	int status = 1;

	if (s && heed_signals() == 0) {
		s->bot = bot;
		s->own = own;
		s->remote = remote;
		status = play_elsewhere(s);
	}
	free(s);
	return status;
}

int
bot_main(int argc, char **argv, const struct bot *bot, void *own)
{
	struct remote remote = { .name = bot->name,
				 .fd = -1,
				 .wait_ms = WAIT_MS };
	int first = 1, status;

	while (first < argc && strcmp(argv[first], "--connect") != 0)
		first++;
	if (first >= argc)
		return bot_run(bot, own);
	status = read_options(&remote, argc - first, argv + first);
	if (status == 0)
		status = run_elsewhere(bot, own, &remote);
#ifdef REFEREE_BOT_TLS
	SSL_CTX_free(remote.ctx);
#endif
	return status;
}
