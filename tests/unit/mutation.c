/* tests/unit/mutation.c - see mutation.h.
 *
 * The changes that may go unnoticed are computed from the text alone, without
 * the code under test: - comments; - in the header what nothing binds: names,
 * the limit of faults if no seat was retired, and by the rules the seal; - a
 * bot's fault and its kind: it could have answered with its house move, or made
 * it one decision later; - a played card, for another one that its seat held
 * and never showed; and a card of a trick that was not finished; - by the
 * rules, a dealt card that was never seen, for another such card; - a bid that
 * was outbid, for another one between its neighbours; - in Daupun a stake or
 * raise that was not accepted, for another one with the same answers; a
 * discarded card, for another one, if neither is seen again; and by the rules a
 * number of rounds that was not reached; - by the rules, the magic pawns, if
 * the counts stay the same; - in Durnius what its model (durnius-model.h) could
 * have played; - where an aborted record ends, and by the rules how long its
 * game would have been. */
#include "tests/unit/mutation.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"

#define LINE 8192

void
sheet_init(struct sheet *sheet, const char *bytes, size_t n)
{
	char *rest, *line;

	memset(sheet, 0, sizeof(*sheet));
	sheet->bytes = memory(NULL, n + 1);
	sheet->line = memory(NULL, n * sizeof(*sheet->line));
	memcpy(sheet->bytes, bytes, n);
	sheet->bytes[n] = '\0';
	rest = sheet->bytes;
	while ((line = strsep(&rest, "\n")) != NULL && rest) {
		if (!*line && !sheet->body)
			sheet->body = sheet->lines + 1;
		if (strncmp(line, "aborted ", 8) == 0)
			sheet->aborted = true;
		if (strcmp(line, "game durnius") == 0)
			sheet->durnius = true;
		if (strcmp(line, "game daupun") == 0)
			sheet->daupun = true;
		sheet->line[sheet->lines++] = line;
	}
}

void
sheet_release(struct sheet *sheet)
{
	free(sheet->line);
	free(sheet->bytes);
}

static void
put_line(struct text *to, const char *line)
{
	text_str(to, line);
	text_str(to, "\n");
}

void
sheet_mutate(const struct sheet *sheet, const struct mutation *mutation,
	     struct text *to)
{
	unsigned i;

	text_clear(to);
	for (i = 0; i < sheet->lines; i++) {
		if (i != mutation->at) {
			put_line(to, sheet->line[i]);
			continue;
		}
		if (mutation->change == CHANGE_DELETE)
			continue;
		if (mutation->change == CHANGE_REPLACE) {
			put_line(to, mutation->line);
			continue;
		}
		if (mutation->change == CHANGE_SWAP)
			put_line(to, sheet->line[++i]);
		else
			put_line(to, sheet->line[i]);
		put_line(to, sheet->line[mutation->at]);
	}
}

/* ---- what may change ---------------------------------------------------- */

static bool
is_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 && line[n] == ' ';
}

static size_t
meaning(const char *line)
{
	const char *comment = strstr(line, " ;");

	return comment ? (size_t)(comment - line) : strlen(line);
}

static bool
same_meaning(const char *one, const char *other)
{
	return meaning(one) == meaning(other) &&
	       memcmp(one, other, meaning(one)) == 0;
}

static bool
binds(const char *line, bool sealed)
{
	static const char *const free_words[] = { "bot", "open", "faults",
						  "aborted", "secret" };
	static const char *const seal[] = { "id", "commit", "block",
					    "entropy" };
	size_t i;

	for (i = 0; i < NELEM(free_words); i++)
		if (is_word(line, free_words[i]))
			return sealed && is_word(line, "secret");
	for (i = 0; i < NELEM(seal); i++)
		if (is_word(line, seal[i]))
			return sealed;
	return true;
}

/* Returns the points of the pawns behind the first `words` words of a line. */
static unsigned
pawns_count(const char *line, unsigned words, const char *magic)
{
	unsigned points = 0;

	while ((line = strchr(line, ' '))) {
		line++;
		if (words > 1)
			words--;
		else
			points += strchr(magic, line[1]) ? 5 : 1;
	}
	return points;
}

/* Returns true if with these magic forces the `count` lines would be the same. */
static bool
same_counts(const struct sheet *sheet, const char *magic)
{
	unsigned points[10] = { 0 }, i;
	const char *line;

	for (i = sheet->body; i < sheet->lines; i++) {
		line = sheet->line[i];
		if (is_word(line, "round"))
			memset(points, 0, sizeof(points));
		else if (is_word(line, "trick"))
			points[strchr(line + 6, ' ')[1] - '0'] +=
				pawns_count(line, 3, magic);
		else if (is_word(line, "back"))
			points[line[5] - '0'] += pawns_count(line, 2, magic);
		else if (is_word(line, "count") &&
			 strtoul(line + 8, NULL, 10) != points[line[6] - '0'])
			return false;
	}
	return true;
}

static unsigned
rounds_played(const struct sheet *sheet)
{
	unsigned rounds = 0, i;

	for (i = sheet->body; i < sheet->lines; i++)
		rounds += is_word(sheet->line[i], "round");
	return rounds;
}

/* Returns true if Daupun would have ended here and not before, had it needed this many
 * crowns: at the last of its rounds, or when a seat got them. */
static bool
ends_with_crowns(const struct sheet *sheet, unsigned long crowns)
{
	unsigned round = 0, rounds = 0, i;
	bool got = false;

	if (crowns < 1 || crowns > 3)
		return false;
	for (i = 0; i < sheet->lines; i++) {
		const char *line = sheet->line[i];

		if (is_word(line, "option rounds"))
			rounds = (unsigned)strtoul(line + 14, NULL, 10);
		if (is_word(line, "round")) {
			if (got)
				return false;
			round++;
		}
		if (is_word(line, "crown"))
			got |= strtoul(line + 8, NULL, 10) >= crowns;
	}
	return got || round == rounds;
}

static bool
harmless_option(const struct sheet *sheet, const struct mutation *mutation)
{
	const char *line = sheet->line[mutation->at];

	if (!is_word(line, "option"))
		return false;
	if (sheet->daupun && is_word(line, "option crowns") &&
	    is_word(mutation->line, "option crowns"))
		return sheet->aborted ||
		       ends_with_crowns(sheet,
					strtoul(mutation->line + 14, NULL, 10));
	if (sheet->daupun && is_word(line, "option rounds") &&
	    is_word(mutation->line, "option rounds"))
		return strtoul(mutation->line + 14, NULL, 10) >=
		       rounds_played(sheet);
	return sheet->aborted || (is_word(line, "option magic") &&
				  same_counts(sheet, mutation->line + 13));
}

static bool
harmless_header(const struct sheet *sheet, const struct mutation *mutation,
		bool sealed)
{
	const char *line = sheet->line[mutation->at];

	switch (mutation->change) {
	case CHANGE_SWAP: /* the referee's lines may have any order */
		return mutation->at + 2 < sheet->body && !is_word(line, "bot");
	case CHANGE_DOUBLE: /* the rules do not know the seal */
		return !sealed && is_word(line, "entropy");
	case CHANGE_DELETE:
		return !is_word(line, "id") && !is_word(line, "bot") &&
		       !binds(line, sealed);
	default:
		return !binds(line, sealed) ||
		       (!sealed && harmless_option(sheet, mutation));
	}
}

/* Writes the line without comment and marks. */
static void
plain(const char *line, char to[LINE])
{
	size_t n = meaning(line), i;

	for (i = 0; i < n; i++) {
		if (line[i] == '{')
			continue;
		if (line[i] == '}') {
			while (i + 1 < n && line[i + 1] >= '0' &&
			       line[i + 1] <= '9')
				i++;
			continue;
		}
		*to++ = line[i];
	}
	*to = '\0';
}

/* Finds the lines [*from, *to) of the round in which line `at` stands. */
static void
round_of(const struct sheet *sheet, unsigned at, unsigned *from, unsigned *to)
{
	for (*from = at; *from > sheet->body; --*from)
		if (is_word(sheet->line[*from], "round"))
			break;
	for (*to = at + 1; *to < sheet->lines; ++*to)
		if (is_word(sheet->line[*to], "round"))
			break;
}

/* Returns true if `what` stands in another line of the round that begins with `verb`
 * (NULL: with anything).  Asks do not count: they only repeat what a seat holds. */
static bool
elsewhere(const struct sheet *sheet, unsigned at, const char *verb,
	  const char *what)
{
	unsigned i, end;
	char line[LINE];

	for (round_of(sheet, at, &i, &end); i < end; i++) {
		if (i == at || (verb && !is_word(sheet->line[i], verb)) ||
		    is_word(sheet->line[i], "ask"))
			continue;
		plain(sheet->line[i], line);
		if (strstr(line, what))
			return true;
	}
	return false;
}

/* Returns true if a card is dealt for another one, and no seat may see either
 * of them. */
static bool
harmless_deal(const struct sheet *sheet, const struct mutation *mutation)
{
	char old[LINE], new[LINE], *olds = old, *news = new, *o, *n;

	plain(sheet->line[mutation->at], old);
	plain(mutation->line, new);
	while ((o = strsep(&olds, " ")) && (n = strsep(&news, " "))) {
		if (strcmp(o, n) == 0)
			continue;
		if (elsewhere(sheet, mutation->at, NULL, o) ||
		    elsewhere(sheet, mutation->at, NULL, n))
			return false;
	}
	return !olds && !news;
}

/* Returns the line of the newest hand that was dealt to the seat that moves, or "". */
static const char *
last_deal(const struct sheet *sheet, unsigned at)
{
	char deal[] = "deal 0";

	deal[5] = sheet->line[at][5];
	while (at-- > sheet->body)
		if (is_word(sheet->line[at], deal))
			return sheet->line[at];
	return "";
}

static bool
harmless_play(const struct sheet *sheet, const struct mutation *mutation)
{
	const char *old = strstr(sheet->line[mutation->at], "play:");
	char new[LINE], *card;

	plain(mutation->line, new);
	card = strstr(new, "play:");
	if (!old || !card || strncmp(new, sheet->line[mutation->at], 7) != 0)
		return false;
	return strstr(last_deal(sheet, mutation->at), card + 5) &&
	       !elsewhere(sheet, mutation->at, "move", card) &&
	       !elsewhere(sheet, mutation->at, "move", old);
}

/* Returns true if another seat challenges and the seat whose hand is shown
 * pays. */
static bool
harmless_challenge(const struct sheet *sheet, const struct mutation *mutation)
{
	char new[LINE];
	const char *shown, *pays;

	if (mutation->at + 2 >= sheet->lines)
		return false;
	shown = sheet->line[mutation->at + 1];
	pays = sheet->line[mutation->at + 2];
	plain(mutation->line, new);
	return strncmp(new, "move ", 5) == 0 &&
	       strcmp(new + 6, " challenge") == 0 && is_word(shown, "reveal") &&
	       is_word(pays, "score") && pays[6] == shown[7] &&
	       new[5] != shown[7];
}

/* Returns the bid of a line, or 0. */
static long
bid_of(const char *line)
{
	const char *bid = strstr(line, " bid:");

	return bid && is_word(line, "move") ? strtol(bid + 5, NULL, 10) : 0;
}

/* Returns true if another bid follows, higher than the new one, which is higher than
 * the one before. */
static bool
harmless_bid(const struct sheet *sheet, const struct mutation *mutation)
{
	unsigned from, to, i;
	long bid = bid_of(mutation->line), next = 0;

	if (bid == 0 || bid_of(sheet->line[mutation->at]) == 0 ||
	    strncmp(mutation->line, sheet->line[mutation->at], 7) != 0)
		return false;
	round_of(sheet, mutation->at, &from, &to);
	for (i = from; i < mutation->at; i++)
		if (bid_of(sheet->line[i]) >= bid)
			return false;
	while (i + 1 < to && next == 0)
		next = bid_of(sheet->line[++i]);
	return next > bid;
}

/* Returns the number behind `move S stake:` or `move S raise:`, or 0. */
static long
offer_of(const char *line)
{
	if (strncmp(line, "move ", 5) != 0 ||
	    (strncmp(line + 7, "stake:", 6) != 0 &&
	     strncmp(line + 7, "raise:", 6) != 0))
		return 0;
	return strtol(line + 13, NULL, 10);
}

/* Returns true if the offer was not accepted: the answer is `out`, or a raise
 * above the new offer as well. */
static bool
harmless_offer(const struct sheet *sheet, const struct mutation *mutation)
{
	long offer = offer_of(mutation->line);
	const char *reply;
	unsigned i = mutation->at;

	if (offer == 0 || offer_of(sheet->line[i]) == 0 ||
	    strncmp(mutation->line, sheet->line[i], 13) != 0)
		return false;
	do
		if (++i == sheet->lines)
			return sheet->aborted;
	while (!is_word(sheet->line[i], "move"));
	reply = sheet->line[i];
	return strncmp(reply + 7, "out", 3) == 0 || offer_of(reply) > offer;
}

/* Returns true if a card is discarded for another one, neither of which is seen
 * again. */
static bool
harmless_discard(const struct sheet *sheet, const struct mutation *mutation)
{
	const char *old = sheet->line[mutation->at], *new = mutation->line;
	char one[3] = "", other[3] = "";

	if (strncmp(old, new, 15) != 0 || meaning(old) != meaning(new) ||
	    strncmp(old + 7, "discard:", 8) != 0)
		return false;
	memcpy(one, old + 15, 2);
	memcpy(other, new + 15, 2);
	return strcmp(old + 17, new + 17) == 0 &&
	       !elsewhere(sheet, mutation->at, "move", one) &&
	       !elsewhere(sheet, mutation->at, "move", other) &&
	       !elsewhere(sheet, mutation->at, "show", one) &&
	       !elsewhere(sheet, mutation->at, "show", other);
}

/* Returns true if a card was played, but the round ends or its seat folds
 * before the trick is over. */
static bool
unfinished_trick(const struct sheet *sheet, unsigned at)
{
	unsigned from, end;
	char fold[] = "move 0 fold";

	if (!is_word(sheet->line[at], "move") ||
	    !strstr(sheet->line[at], " play:"))
		return false;
	fold[5] = sheet->line[at][5];
	round_of(sheet, at, &from, &end);
	while (++at < end) {
		if (strcmp(sheet->line[at], fold) == 0)
			return true;
		if (is_word(sheet->line[at], "trick"))
			return false;
	}
	return true;
}

static bool
harmless_swap(const struct sheet *sheet, unsigned at)
{
	const char *line = sheet->line[at], *next = sheet->line[at + 1];

	if (is_word(line, "fault"))
		return is_word(next, "move");
	/* This also holds for another seat that was asked together with the one
	 * that played. */
	if (is_word(next, "fault") && strstr(line, " play:"))
		return is_word(line, "move") && line[5] != next[6];
	return (is_word(next, "move") || is_word(next, "fault")) &&
	       unfinished_trick(sheet, at);
}

/* Returns true if the changed event gives another possible game; the seal
 * protects the cards. */
static bool
harmless_durnius(const struct sheet *sheet, const struct mutation *mutation,
		 bool sealed)
{
	static const char *const dealt[] = { "round", "deal", "trump",
					     "talon" };
	const char *line = sheet->line[mutation->at];
	struct text text = { .max = RECORD_BYTES };
	bool harmless;
	size_t i;

	if (is_word(line, "ask"))
		return false;
	for (i = 0; sealed && i < NELEM(dealt); i++)
		if (is_word(line, dealt[i]))
			return false;
	sheet_mutate(sheet, mutation, &text);
	harmless = durnius_could_have_been(&text, sheet->aborted);
	text_release(&text);
	return harmless;
}

static bool
harmless_body(const struct sheet *sheet, const struct mutation *mutation,
	      bool sealed)
{
	const char *line = sheet->line[mutation->at];

	if (mutation->change == CHANGE_DELETE)
		return is_word(line, "fault") ||
		       unfinished_trick(sheet, mutation->at) ||
		       (sheet->aborted && mutation->at + 1 == sheet->lines);
	if (mutation->change == CHANGE_SWAP)
		return harmless_swap(sheet, mutation->at);
	if (mutation->change != CHANGE_REPLACE)
		return false;
	if (is_word(line, "fault"))
		return is_word(mutation->line, "fault");
	if (is_word(line, "deal") || is_word(line, "draw"))
		return !sealed && harmless_deal(sheet, mutation);
	return is_word(line, "move") &&
	       (sheet->aborted || harmless_play(sheet, mutation) ||
		harmless_challenge(sheet, mutation) ||
		harmless_bid(sheet, mutation) ||
		(sheet->daupun && (harmless_offer(sheet, mutation) ||
				   harmless_discard(sheet, mutation))));
}

bool
sheet_harmless(const struct sheet *sheet, const struct mutation *mutation,
	       bool sealed)
{
	const char *line = sheet->line[mutation->at];

	if (mutation->change == CHANGE_REPLACE &&
	    same_meaning(line, mutation->line))
		return true;
	if (mutation->change == CHANGE_SWAP &&
	    same_meaning(line, sheet->line[mutation->at + 1]))
		return true;
	if (mutation->at < sheet->body)
		return harmless_header(sheet, mutation, sealed);
	if (sheet->durnius)
		return harmless_durnius(sheet, mutation, sealed);
	return harmless_body(sheet, mutation, sealed);
}
