/* referee/games/durnius-words.c - deck, options, verbs and lines of Durnius. */
#include "referee/games/durnius.h"

const struct deck durnius_deck = {
	.count = DECK,
	.name = {
		"6C", "6D", "6H", "6S",
		"7C", "7D", "7H", "7S",
		"8C", "8D", "8H", "8S",
		"9C", "9D", "9H", "9S",
		"TC", "TD", "TH", "TS",
		"JC", "JD", "JH", "JS",
		"QC", "QD", "QH", "QS",
		"KC", "KD", "KH", "KS",
		"AC", "AD", "AH", "AS",
	},
};

static const char *const decks_values[] = { "1", "2", NULL };
static const char *const no_yes[] = { "no", "yes", NULL };
static const char *const adding_values[] = { "any", "defended", NULL };
static const char *const teams_values[] = { "none", "pairs", "threes", NULL };
static const char *const start_values[] = { "trump", "right", "winners", NULL };
static const char *const dealer_values[] = { "turn", "fool", NULL };
static const char *const scoring_values[] = { "fool", "first", "order", NULL };
static const char *const epaulettes_values[] = { "none", "mark", "score",
						 NULL };

const struct game_option durnius_options[] = {
	[OPTION_DECKS] = {
		.name = "decks",
		.values = decks_values,
		.must = "option decks must be one of: 1 2",
		.brief = "decks of 36 cards",
	},
	[OPTION_PASSING] = {
		.name = "passing",
		.values = no_yes,
		.must = "option passing must be one of: no yes",
		.brief = "an attack may be passed on with a card of its rank",
	},
	[OPTION_TRAVEL] = {
		.name = "travel",
		.values = no_yes,
		.must = "option travel must be one of: no yes",
		.brief = "showing the trump of that rank passes it on, too",
	},
	[OPTION_ADDING] = {
		.name = "adding",
		.values = adding_values,
		.must = "option adding must be one of: any defended",
		.brief = "cards are added from the start, or once one is beaten",
	},
	[OPTION_TEAMS] = {
		.name = "teams",
		.values = teams_values,
		.must = "option teams must be one of: none pairs threes",
		.brief = "teams of two or two teams of three",
	},
	[OPTION_START] = {
		.name = "start",
		.values = start_values,
		.must = "option start must be one of: trump right winners",
		.brief = "who attacks first in later games",
	},
	[OPTION_DEALER] = {
		.name = "dealer",
		.values = dealer_values,
		.must = "option dealer must be one of: turn fool",
		.brief = "who deals later games: in turn, or the fool",
	},
	[OPTION_GAMES] = {
		.name = "games",
		.min = 1,
		.max = 1000,
		.preset = 1,
		.must = "option games must be an integer from 1 to 1000",
		.brief = "games played; the points decide",
	},
	[OPTION_SCORING] = {
		.name = "scoring",
		.values = scoring_values,
		.must = "option scoring must be one of: fool first order",
		.brief = "the fool loses a point; also who is out first, or all",
	},
	[OPTION_EPAULETTES] = {
		.name = "epaulettes",
		.values = epaulettes_values,
		.must = "option epaulettes must be one of: none mark score",
		.brief = "sixes on the fool's shoulders; a race up to the ace",
	},
	{ .name = NULL },
};

/* Section 2, in its order. */
const char *
durnius_invalid(const struct game_setup *setup)
{
	const int16_t *option = setup->option;
	int teams = option[OPTION_TEAMS];

	if (option[OPTION_TRAVEL] && !option[OPTION_PASSING])
		return "travel yes needs passing yes";
	if (teams == TEAMS_PAIRS && setup->seats != 4 && setup->seats != 6)
		return "teams pairs needs 4 or 6 seats";
	if (teams == TEAMS_THREES && setup->seats != 6)
		return "teams threes needs 6 seats";
	if (option[OPTION_START] == START_WINNERS && teams == TEAMS_NONE)
		return "start winners needs teams pairs or threes";
	if (option[OPTION_EPAULETTES] == EPAULETTES_SCORE &&
	    option[OPTION_SCORING] != SCORING_FOOL)
		return "epaulettes score needs scoring fool";
	if (option[OPTION_START] == START_RIGHT && option[OPTION_GAMES] < 2)
		return "start right needs games 2 or more";
	if (option[OPTION_START] == START_WINNERS && option[OPTION_GAMES] < 2)
		return "start winners needs games 2 or more";
	if (option[OPTION_DEALER] == DEALER_FOOL && option[OPTION_GAMES] < 2)
		return "dealer fool needs games 2 or more";
	if (option[OPTION_EPAULETTES] == EPAULETTES_SCORE &&
	    option[OPTION_GAMES] < RANKS) /* one a game, up to the ace */
		return "epaulettes score needs games 9 or more";
	return NULL;
}

/* The classes are those of R7: a seat that adds goes before the defender (Q2). */
const struct verb durnius_verbs[] = {
	[VERB_PASS] = { .name = "pass", .brief = "add nothing now" },
	[VERB_ATTACK] = {
		.name = "attack",
		.deck = { &durnius_deck },
		.lays = 1,
		.brief = "open the attack with this card",
	},
	[VERB_BEAT] = {
		.name = "beat",
		.deck = { &durnius_deck, &durnius_deck },
		.priority = 2,
		.lays = 2,
		.brief = "beat the first card with the second",
	},
	[VERB_TAKE] = {
		.name = "take",
		.priority = 2,
		.brief = "pick up all cards of the table",
	},
	[VERB_TRANSFER] = {
		.name = "transfer",
		.deck = { &durnius_deck },
		.priority = 2,
		.lays = 1,
		.brief = "pass the attack on with this card of its rank",
	},
	[VERB_SHOW] = {
		.name = "show",
		.deck = { &durnius_deck },
		.priority = 2,
		.brief = "pass the attack on by showing this trump",
	},
	[VERB_ADD] = {
		.name = "add",
		.deck = { &durnius_deck },
		.priority = 1,
		.lays = 1,
		.brief = "add this card to the attack",
	},
	{ .name = NULL },
};

const char *const durnius_lines[] = {
	"round N S",
	"deal S {c c c c c c}S",
	"deal S {c c c c c}S c",
	"trump c",
	"talon {c ...}",
	"lowest S c",
	"lowest none",
	"turn T A D",
	"turn T A D CA CD",
	"move S attack:c",
	"move S add:c",
	"move S beat:a:d",
	"move S transfer:c",
	"move S show:c",
	"move S take",
	"shift A D",
	"shift A D CA CD",
	"quiet",
	"pickup S n",
	"discard n",
	"draw S {c ...}S",
	"draw S {c ...}S t",
	"draw S t",
	"out S",
	"stall",
	"fool S",
	"fool none",
	"epaulette S c",
	"epaulette S c c",
	"score S n",
	"fault S why",
	"result S place points",
	NULL,
};
