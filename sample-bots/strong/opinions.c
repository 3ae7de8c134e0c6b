/* opinions.c - what the strong bot thinks of the decisions of a seat.
 *
 *	strong-opinions [--playouts N] [--asks N]
 *
 * Standard input is what one seat was sent in a game: its `game` line, then its
 * event lines and asks in the form of `referee replay --view S --asks --raw`.
 * So nothing else can be in an opinion.  Each ask that leaves a choice becomes
 * a line, and the last line is `over`:
 *
 *	opinion K LINE of N made MOVE VALUE ERROR best MOVE VALUE ERROR ...
 *	over JUDGED of CHOICES
 *
 * K counts the seat's asks from 1, LINE the event lines that it had read, N its
 * legal moves.  VALUE is the share of the others that the seat is expected to be
 * placed before, from 0 to 1, and ERROR its standard error.  `best` has up to
 * SEARCH_TOP moves, the best one first.  After `made` stands the move that was
 * made, by the seat or by the referee in its place; `-` alone: another seat's
 * move took effect, and the lines do not tell this one.  Asks of a seat that was
 * retired are left out: its bot was not asked.
 *
 * The same input gives the same output: the numbers are drawn by the game's ID,
 * the seat and the ask, and nothing depends on time.  CHOICES are the asks that
 * left a choice.  In a long game JUDGED is less: then only asks whose move is
 * known are judged, --asks of them at most, evenly spread.
 */
#include <errno.h>
#include <grp.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/message.h"
#include "follow.h"
#include "search.h"

#define PLAYOUTS 1000 /* for an ask */
#define PLAYOUTS_MAX 1000000
#define ASKS 200 /* that are judged */
#define ASKS_MAX 100000
#define INPUT_BYTES 8388608
#define CPU_S 600 /* of processor time; then it is ended */
#define NO_USER 65534

/* Holds a line of the input, NUL-terminated. */
struct line {
	char *text;
	unsigned n;
};

struct opinions {
	unsigned playouts, asks_max;
	struct text input;
	struct line *line;
	unsigned lines;
	char id[ID_BYTES + 1];
	unsigned seat;
	struct game_setup setup;
	unsigned faults_max;
	struct follow follow;
	struct search search;
	unsigned told;			/* event lines so far */
	unsigned asks, choices, judged; /* so far */
};

static int
complain(const char *what, const char *line)
{
	fprintf(stderr, "strong-opinions: %s%s\n", what, line);
	return 1;
}

/* ---- the input -------------------------------------------------------- */

static bool
begins_with(const struct line *line, const char *verb)
{
	size_t n = strlen(verb);

	return strncmp(line->text, verb, n) == 0 &&
	       (line->text[n] == ' ' || line->text[n] == '\0');
}

/* Adds a line without what the referee appends for people: ` ;` and all behind it. */
static void
add_line(struct opinions *all, char *text)
{
	char *comment = strstr(text, " ;");

	if (comment != NULL)
		*comment = '\0';
	all->line[all->lines].text = text;
	all->line[all->lines++].n = (unsigned)strlen(text);
}

static int
read_lines(struct opinions *all)
{
	unsigned count = 1;
	char *text, *next;

	text_init(&all->input, INPUT_BYTES);
	if (file_read(STDIN_FILENO, &all->input) < 0)
		return complain("cannot read the game: ", strerror(errno));
	if (all->input.full)
		return complain("the game is too long", "");
	text_string(&all->input);
	for (text = all->input.bytes; *text != '\0'; text++)
		count += *text == '\n';
	all->line = memory(NULL, count * sizeof(*all->line));
	for (text = all->input.bytes; *text != '\0'; text = next) {
		next = text + strcspn(text, "\n");
		if (*next == '\n')
			*next++ = '\0';
		add_line(all, text);
	}
	return 0;
}

/* `ID NAME seat S of N`, and the rest of the line at `pairs`. */
static bool
read_game(struct opinions *all, char *text, char **pairs)
{
	char *word[6] = { NULL }, *rest = NULL;
	const struct game_rules *rules;
	char why[SENTENCE_BYTES];
	uint64_t seat, seats;
	unsigned i;

	for (i = 0; i < NELEM(word); i++) {
		word[i] = strtok_r(i == 0 ? text : NULL, " ", &rest);
		if (word[i] == NULL)
			return false;
	}
	*pairs = rest;
	rules = game_find(word[1]);
	if (rules == NULL || strlen(word[0]) >= sizeof(all->id) ||
	    message_number(word[3], strlen(word[3]), SEATS_MAX - 1, &seat) <
		    0 ||
	    message_number(word[5], strlen(word[5]), SEATS_MAX, &seats) < 0 ||
	    seat >= seats)
		return false;
	snprintf(all->id, sizeof(all->id), "%s", word[0]);
	all->seat = (unsigned)seat;
	game_setup_init(&all->setup, rules, (unsigned)seats);
	return game_setup_seats(&all->setup, why) == 0;
}

/* Reads the options of the game; other pairs are not for us. */
static bool
read_pairs(struct opinions *all, char *pairs)
{
	char *pair, *value, *rest = NULL;
	char why[SENTENCE_BYTES];
	uint64_t faults;

	all->faults_max = FAULTS_DEFAULT;
	for (pair = strtok_r(pairs, " ", &rest); pair != NULL;
	     pair = strtok_r(NULL, " ", &rest)) {
		value = strchr(pair, '=');
		if (value == NULL)
			return false;
		*value++ = '\0';
		if (strcmp(pair, "faults") == 0) {
			if (message_number(value, strlen(value), FAULTS_MAX,
					   &faults) < 0)
				return false;
			all->faults_max = (unsigned)faults;
		} else if (game_setup_find(&all->setup, pair, why) >= 0 &&
			   game_setup_option(&all->setup, pair, value, why) !=
				   0) {
			return false;
		}
	}
	return game_setup_check(&all->setup, why) == 0;
}

static int
read_setup(struct opinions *all)
{
	char *pairs;

	if (all->lines == 0 || !begins_with(&all->line[0], "game") ||
	    all->line[0].n < 6 ||
	    !read_game(all, all->line[0].text + 5, &pairs) ||
	    !read_pairs(all, pairs))
		return complain("expected a `game` line of a known game first",
				"");
	return 0;
}

/* ---- which asks ------------------------------------------------------- */

static bool
leaves_choice(const struct line *ask)
{
	const char *token = strchr(ask->text + 4, ' ');

	return token != NULL &&
	       (strchr(token + 1, ' ') != NULL || strstr(token, "..") != NULL);
}

/* Returns the line that ended an ask, which is its move or `quiet`; NULL if the game
 * was aborted. */
static const struct line *
outcome(const struct opinions *all, unsigned at)
{
	while (++at < all->lines)
		if (begins_with(&all->line[at], "move") ||
		    begins_with(&all->line[at], "quiet"))
			return &all->line[at];
	return NULL;
}

/* Finds the seat's move; returns false if it is not known. */
static bool
find_made(const struct opinions *all, unsigned at, struct move *made)
{
	const struct line *line = outcome(all, at);

	*made = (struct move){ .verb = VERB_PASS };
	if (line == NULL)
		return false;
	if (begins_with(line, "quiet"))
		return true;
	return line->n > 7 && line->text[5] == '0' + (int)all->seat &&
	       game_move_read(all->setup.rules, line->text + 7, line->n - 7,
			      made) == 0;
}

static unsigned
count_asks(const struct opinions *all, bool known)
{
	unsigned i, count = 0;
	struct move made;

	for (i = 1; i < all->lines; i++)
		if (begins_with(&all->line[i], "ask") &&
		    leaves_choice(&all->line[i]) &&
		    (!known || find_made(all, i, &made)))
			count++;
	return count;
}

/* Says of one ask after the other whether it is judged. */
struct choice {
	bool known; /* only those whose move is known */
	unsigned of, most, seen;
};

static bool
is_chosen(struct choice *choice, bool known)
{
	uint64_t at;

	if (choice->known && !known)
		return false;
	at = choice->seen++;
	if (choice->of <= choice->most)
		return true;
	return at * choice->most / choice->of !=
	       (at + 1) * choice->most / choice->of;
}

/* ---- an opinion ------------------------------------------------------- */

static void
make_seed(const struct opinions *all, unsigned ask,
	  unsigned char seed[DRAWS_SEED_BYTES])
{
	char text[ID_BYTES + 32];
	int n = snprintf(text, sizeof(text), "opinion %s %u %u", all->id,
			 all->seat, ask);

	crypto_generichash(seed, DRAWS_SEED_BYTES, (unsigned char *)text,
			   (size_t)n, NULL, 0);
}

static void
print_value(const struct opinions *all, const struct search_value *value)
{
	char token[MOVE_BYTES];

	game_move_token(all->setup.rules, value->move, token);
	printf(" %s %.3f %.3f", token, value->value, value->error);
}

static void
judge(struct opinions *all, const struct legal *legal, const struct move *made)
{
	struct search_value best[SEARCH_TOP], of_made;
	unsigned char seed[DRAWS_SEED_BYTES];
	unsigned n, i;

	make_seed(all, all->asks, seed);
	draws_seed(&all->follow.draws, seed);
	n = search_values(&all->search, &all->follow, all->playouts, made, best,
			  &of_made);
	printf("opinion %u %u of %u made", all->asks, all->told, legal->count);
	if (made == NULL)
		printf(" -");
	else
		print_value(all, &of_made);
	printf(" best");
	for (i = 0; i < n; i++)
		print_value(all, &best[i]);
	printf("\n");
	fflush(stdout);
	all->judged++;
}

static int
take_ask(struct opinions *all, unsigned at, struct choice *choice)
{
	struct follow *follow = &all->follow;
	static struct legal legal;
	struct move made;
	bool known;

	if (follow_settle(follow) != 0 ||
	    !(follow->sample.game.decision.asked >> all->seat & 1))
		return complain("an ask that cannot be: ", all->line[at].text);
	all->asks++;
	if (!leaves_choice(&all->line[at]) || follow->retired >> all->seat & 1)
		return 0;
	all->choices++;
	known = find_made(all, at, &made);
	if (!is_chosen(choice, known))
		return 0;
	game_legal(&follow->sample.game, all->seat, &legal);
	if (known && !game_is_legal(&legal, made))
		return complain("a move that cannot be, after ",
				all->line[at].text);
	judge(all, &legal, known ? &made : NULL);
	return 0;
}

static int
take_lines(struct opinions *all)
{
	struct choice choice = { .of = count_asks(all, false),
				 .most = all->asks_max };
	unsigned i;

	if (choice.of > choice.most) {
		choice.known = true;
		choice.of = count_asks(all, true);
	}
	for (i = 1; i < all->lines; i++) {
		if (begins_with(&all->line[i], "ask")) {
			if (take_ask(all, i, &choice) != 0)
				return 1;
			continue;
		}
		all->told++;
		if (follow_line(&all->follow, all->line[i].text,
				all->line[i].n) != 0)
			return complain("a line that cannot be: ",
					all->line[i].text);
	}
	printf("over %u of %u\n", all->judged, all->choices);
	return fflush(stdout) == 0 ? 0 : complain("cannot write", "");
}

/* ---- the program ------------------------------------------------------ */

/* Gives up all rights: the program needs its input, its output and a processor, and
 * nothing else. */
static int
give_up_rights(void)
{
	const struct rlimit cpu = { CPU_S, CPU_S };

	if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NO_USER) < 0 ||
			       setuid(NO_USER) < 0))
		return complain("cannot give up root: ", strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    setrlimit(RLIMIT_CPU, &cpu) < 0)
		return complain("cannot set its limits: ", strerror(errno));
	return 0;
}

static int
usage(void)
{
	fprintf(stderr, "usage: strong-opinions [--playouts N] [--asks N]\n");
	return 2;
}

static bool
read_count(const char *text, uint64_t max, unsigned *number)
{
	uint64_t value;

	if (text == NULL ||
	    message_number(text, strlen(text), max, &value) < 0 || value == 0)
		return false;
	*number = (unsigned)value;
	return true;
}

static int
read_options(struct opinions *all, char **argv)
{
	for (argv++; *argv != NULL; argv += 2)
		if (!(strcmp(*argv, "--playouts") == 0 &&
		      read_count(argv[1], PLAYOUTS_MAX, &all->playouts)) &&
		    !(strcmp(*argv, "--asks") == 0 &&
		      read_count(argv[1], ASKS_MAX, &all->asks_max)))
			return usage();
	return 0;
}

static int
run(struct opinions *all)
{
	unsigned char seed[DRAWS_SEED_BYTES];
	int code;

	if (read_lines(all) != 0 || read_setup(all) != 0)
		return 1;
	make_seed(all, 0, seed);
	follow_begin(&all->follow, &all->setup, all->faults_max, (int)all->seat,
		     seed);
	search_init(&all->search);
	code = take_lines(all);
	search_release(&all->search);
	follow_release(&all->follow);
	return code;
}

int
main(int argc UNUSED, char **argv)
{
	static struct opinions all = { .playouts = PLAYOUTS, .asks_max = ASKS };
	int code = read_options(&all, argv);

	if (code == 0 && sodium_init() < 0)
		code = complain("cannot start libsodium", "");
	if (code == 0)
		code = give_up_rights();
	if (code == 0)
		code = run(&all);
	free(all.line);
	text_release(&all.input);
	return code;
}
