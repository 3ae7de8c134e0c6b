/* referee-bot.h - the C kit: write a bot and never see a protocol line.
 *
 * Copy referee-bot.h and referee-bot.c beside your bot; they need nothing but
 * POSIX.  Fill in a struct bot and call bot_run():
 *
 *	static struct bot_answer
 *	choose(void *own, struct bot_game *game, const struct bot_ask *ask)
 *	{
 *		return (struct bot_answer){ .move = 0 };
 *	}
 *
 *	int
 *	main(int argc, char **argv)
 *	{
 *		return bot_main(argc, argv, &(struct bot){ .choose = choose },
 *				NULL);
 *	}
 *
 * A referee starts this program for each game.  With these arguments, which are
 * the kit's, bot_main() goes to a referee that runs elsewhere instead and plays
 * game after game there; what stands before --connect is yours:
 *
 *	--connect HOST:PORT   where the referee listens
 *	--name NAME           who this bot is there (else: struct bot's name)
 *	--token-file FILE     the secret that it was given
 *	--ladder LADDER       where to play; may be repeated
 *	--tls                 the connection is TLS; beyond this machine it must
 *	                      be
 *	--ca FILE             TLS; authorities to believe, not the system's
 *	--fingerprint HEX     TLS; believe the certificate with this SHA-256
 *	                      only
 *
 * A lost connection is made again, and the game goes on where it was.  SIGTERM
 * or SIGINT: the last game is played to its end; the second one ends all at
 * once.  TLS needs OpenSSL: compile referee-bot.c with -DREFEREE_BOT_TLS, and
 * link with -lssl -lcrypto.
 *
 * Of a program that a referee has started, standard output belongs to the
 * protocol: from bot_main() on, printf() goes to standard error.  If choose()
 * returns what is not allowed, the kit shows why on standard error, tells the
 * referee (`say fallback TYPE: TEXT`) and makes the first move.  Strings that
 * a callback is given are borrowed until it returns, except those in struct
 * bot_game, which last as long as the game. */
#ifndef REFEREE_BOT_H
#define REFEREE_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOT_LINE_BYTES 8191 /* the longest line a referee sends */
#define BOT_WORDS 4096	    /* the most words in it */
#define BOT_PAIRS 32	    /* KEY=VALUE pairs of a `game` line that are kept */
#define BOT_SEATS 8
#define BOT_SAY_BYTES 200 /* of one remark */
#define BOT_SAY_COUNT 100 /* remarks in one game */
#define BOT_CARDS 80	  /* in a hand, on the table, seen: never more */
#define BOT_CARD_BYTES 8  /* of a card's token, with its NUL */
#define BOT_BARKS 5
#define BOT_PAWNS 8

typedef char bot_card[BOT_CARD_BYTES];

/* Holds a game, from its `game` line. */
struct bot_game {
	const char *id, *name;
	unsigned seat, seats;
	unsigned pairs; /* options of the game and whatever else is told */
	struct bot_pair {
		const char *key, *value;
	} pair[BOT_PAIRS];
	uint32_t draws; /* state of bot_random() */

	/* The fields below are the table as this seat knows it, by the event lines so
	 * far: the same in all games and in all the kits.  A card that is shown with
	 * its fang covered ends in `?`: `Y3?`. */
	unsigned round;		  /* number of the round that is on */
	unsigned cards;		  /* in my hand; of doubles-dread the pawns */
	bot_card hand[BOT_CARDS]; /* of my barks */
	unsigned held[BOT_SEATS]; /* how many cards each seat has */
	long points[BOT_SEATS];	  /* as the last `score` said */
	bool inside[BOT_SEATS];	  /* whether it is still in the round */
	unsigned stake;		  /* toepen's stake, daupun's pot, the bid of
				   * doubles-dread; else 0 */
	unsigned stock;		  /* how many cards no seat has yet */
	unsigned lies;	  /* cards on the table in this turn or trick; */
	struct bot_play { /* of daupun the two reserves */
		unsigned seat;
		bot_card card;
	} lying[BOT_CARDS];
	unsigned sees; /* cards that I have seen in this round */
	bot_card seen[BOT_CARDS];
	bot_card trump;	       /* of durnius the trump card; else empty */
	bool alive[BOT_SEATS]; /* in the game of toepen */
	bot_card bark[BOT_BARKS][BOT_PAWNS]; /* of doubles-dread, as dealt */

	struct bot_session *session;   /* the kit's own */
	unsigned remarks;	       /* said so far */
	char text[BOT_LINE_BYTES + 1]; /* the strings above */
};

/* Holds one entry of a legal list.  A range holds `n..top` at `at`. */
struct bot_move {
	const char *token;
	bool range;
	uint32_t low, high;    /* of a range */
	uint16_t at, at_bytes; /* where in the token it stands */
};

struct bot_ask {
	uint32_t number; /* counts the asks of a game from 1 */
	uint32_t ms;	 /* the time for the answer */
	unsigned moves;	 /* at least 1; the first is the house move */
	const struct bot_move *move;
};

struct bot_answer {
	unsigned move;	 /* which of the ask's moves */
	uint32_t number; /* if that is a range: the number */
};

/* Describes your bot.  Each function may be NULL; `own` is what bot_run() was given. */
struct bot {
	const char *name; /* shown in place of the file's name, or NULL */
	void (*start)(void *own, struct bot_game *game);
	/* word[0] is the verb; what this seat may not see is `?`. */
	void (*event)(void *own, struct bot_game *game, unsigned words,
		      char *const word[]);
	struct bot_answer (*choose)(void *own, struct bot_game *game,
				    const struct bot_ask *ask);
	void (*voided)(void *own, struct bot_game *game, uint32_t number);
	void (*retired)(void *own, struct bot_game *game);
	/* `why` is NULL, or says why the game was aborted. */
	void (*over)(void *own, struct bot_game *game, const char *why);
};

/* Plays over standard input and output until the referee says `bye` or goes
 * away.  Returns main()'s exit status: 0, or 1 when reading or writing failed
 * for another reason. */
int bot_run(const struct bot *bot, void *own);
/* Does what bot_run() does, or plays at a referee elsewhere until it says `bye`, if the
 * arguments say so.  Returns 2 if the arguments are wrong, 1 after an `error`. */
int bot_main(int argc, char **argv, const struct bot *bot, void *own);
/* Does what bot_run() does over two descriptors of your own. */
int bot_run_on(const struct bot *bot, void *own, int in, int out);

/* These return the value of a pair of the `game` line, or NULL; and that value as a
 * number, or `otherwise` if it is none. */
const char *bot_option(const struct bot_game *game, const char *key);
long bot_option_number(const struct bot_game *game, const char *key,
		       long otherwise);

/* Returns a number from 0 to n-1 (n from 1): the same ones whenever ID and seat of the
 * game are the same, and the same in all the kits. */
uint32_t bot_random(struct bot_game *game, uint32_t n);

/* Makes a remark, kept in the record.  Bytes that no line may have become spaces; what
 * is beyond the limits is dropped. */
void bot_say(struct bot_game *game, const char *text);

#endif
