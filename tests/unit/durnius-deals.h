/* tests/unit/durnius-deals.h - lines that many tests of Durnius begin with. */
#ifndef TESTS_DURNIUS_DEALS_H
#define TESTS_DURNIUS_DEALS_H

/* Deals three seats; clubs are trumps, seat 0 attacks first. */
#define DEAL3                                                                  \
	"round 1 2\n"                                                          \
	"deal 0 {6C 7D 8S TH JC AC}0\n"                                        \
	"deal 1 {6D 7C 9S TD QH AD}1\n"                                        \
	"deal 2 {6S 7S 8C JD QC KS}2\n"                                        \
	"trump TC\n"                                                           \
	"talon {6H 7H 8D 8H 9C 9D 9H TS JH JS QD QS KC KD KH AH AS}\n"         \
	"lowest 0 6C\n"

/* Deals six seats without a talon; spades are trumps, seat 0 attacks first. */
#define DEAL6                                                                  \
	"round 1 5\n"                                                          \
	"deal 0 {6C 6D 6H 6S 7C 7D}0\n"                                        \
	"deal 1 {7H 7S 8C 8D 9C 9D}1\n"                                        \
	"deal 2 {TC TD TH TS JC JD}2\n"                                        \
	"deal 3 {JH JS QC QD KC KD}3\n"                                        \
	"deal 4 {AC AD AH AS 8H 8S}4\n"                                        \
	"deal 5 {QH QS KH KS 9H}5 9S\n"                                        \
	"trump 9S\n"                                                           \
	"lowest 0 6S\n"

/* Deals six seats, of which seat 4 holds 6C 6D. */
#define DEAL6_SIXES                                                            \
	"round 1 5\n"                                                          \
	"deal 0 {6H 6S 7C 7D 7S 8C}0\n"                                        \
	"deal 1 {7H 8D 8S 9C 9S TC}1\n"                                        \
	"deal 2 {JC JD JH JS QC QD}2\n"                                        \
	"deal 3 {QH QS KC KD AC AD}3\n"                                        \
	"deal 4 {6C 6D 9D 9H AH TH}4\n"                                        \
	"deal 5 {8H TD TS KH KS}5 AS\n"                                        \
	"trump AS\n"                                                           \
	"lowest 0 6S\n"

/* Deals six seats, of which 4 and 5 can run out in one turn. */
#define DEAL6_DRAW                                                             \
	"round 1 5\n"                                                          \
	"deal 0 {6C 6D 6H 6S 7C 7D}0\n"                                        \
	"deal 1 {7H 7S 8C 8D 9C 9D}1\n"                                        \
	"deal 2 {TC TD TH TS JC JD}2\n"                                        \
	"deal 3 {JH JS QC QD KC KD}3\n"                                        \
	"deal 4 {8H 8S QH KS 9H AC}4\n"                                        \
	"deal 5 {KH AH AS AD QS}5 9S\n"                                        \
	"trump 9S\n"                                                           \
	"lowest 0 6S\n"

/* Seat 0 deals six seats of which seat 5 has the lowest trump. */
#define DEALT_BY_0                                                             \
	"deal 1 {6C 6D 6S 7C 7D 7S}1\n"                                        \
	"deal 2 {8C 8D 8S 9C 9D 9S}2\n"                                        \
	"deal 3 {TC TD TS JC JD JS}3\n"                                        \
	"deal 4 {QC QD QS KC KD KS}4\n"                                        \
	"deal 5 {AC AD AS 6H 7H 8H}5\n"                                        \
	"deal 0 {9H TH JH QH KH}0 AH\n"                                        \
	"trump AH\n"

/* After `turn 1` these lines play all cards of seats 0 and 1. */
#define ZERO_AND_ONE_OUT                                                       \
	"move 0 attack:6C\n"                                                   \
	"move 0 add:6D\n"                                                      \
	"move 0 add:6H\n"                                                      \
	"move 0 add:6S\n"                                                      \
	"move 1 beat:6H:7H\n"                                                  \
	"move 0 add:7C\n"                                                      \
	"move 0 add:7D\n"                                                      \
	"move 1 beat:6S:7S\n"                                                  \
	"move 1 beat:6C:8C\n"                                                  \
	"move 1 beat:6D:8D\n"                                                  \
	"move 1 beat:7C:9C\n"                                                  \
	"move 1 beat:7D:9D\n"                                                  \
	"discard 12\n"                                                         \
	"out 0\n"                                                              \
	"out 1\n"

/* After those, these lines play all cards of seats 2 and 3. */
#define TWO_AND_THREE_OUT                                                      \
	"turn 2 2 3\n"                                                         \
	"move 2 attack:TC\n"                                                   \
	"move 2 add:TD\n"                                                      \
	"move 2 add:TH\n"                                                      \
	"move 2 add:TS\n"                                                      \
	"move 3 beat:TH:JH\n"                                                  \
	"move 2 add:JC\n"                                                      \
	"move 2 add:JD\n"                                                      \
	"move 3 beat:TS:JS\n"                                                  \
	"move 3 beat:TC:QC\n"                                                  \
	"move 3 beat:TD:QD\n"                                                  \
	"move 3 beat:JC:KC\n"                                                  \
	"move 3 beat:JD:KD\n"                                                  \
	"discard 12\n"                                                         \
	"out 2\n"                                                              \
	"out 3\n"

/* Then seat 5 takes all, as the last one with cards. */
#define FOUR_OUT                                                               \
	"turn 3 4 5\n"                                                         \
	"move 4 attack:AC\n"                                                   \
	"move 4 add:AD\n"                                                      \
	"move 4 add:AH\n"                                                      \
	"move 4 add:AS\n"                                                      \
	"move 5 take\n"                                                        \
	"pickup 5 4\n"                                                         \
	"turn 4 4 5\n"                                                         \
	"move 4 attack:8H\n"                                                   \
	"move 4 add:8S\n"                                                      \
	"move 5 take\n"                                                        \
	"pickup 5 2\n"                                                         \
	"out 4\n"

/* After DEAL6_SIXES these lines leave only seats 4 and 5. */
#define UP_TO_FOUR_AND_FIVE                                                    \
	"turn 1 0 1\n"                                                         \
	"move 0 attack:6H\n"                                                   \
	"move 0 add:6S\n"                                                      \
	"move 1 beat:6H:7H\n"                                                  \
	"move 0 add:7C\n"                                                      \
	"move 0 add:7D\n"                                                      \
	"move 0 add:7S\n"                                                      \
	"move 1 beat:7D:8D\n"                                                  \
	"move 0 add:8C\n"                                                      \
	"move 1 beat:6S:8S\n"                                                  \
	"move 1 beat:7C:9C\n"                                                  \
	"move 1 beat:7S:9S\n"                                                  \
	"move 1 beat:8C:TC\n"                                                  \
	"discard 12\n"                                                         \
	"out 0\n"                                                              \
	"out 1\n"                                                              \
	"turn 2 2 3\n"                                                         \
	"move 2 attack:JC\n"                                                   \
	"move 2 add:JD\n"                                                      \
	"move 2 add:JH\n"                                                      \
	"move 2 add:JS\n"                                                      \
	"move 3 beat:JH:QH\n"                                                  \
	"move 2 add:QC\n"                                                      \
	"move 2 add:QD\n"                                                      \
	"move 3 beat:JS:QS\n"                                                  \
	"move 3 beat:JC:KC\n"                                                  \
	"move 3 beat:JD:KD\n"                                                  \
	"move 3 beat:QC:AC\n"                                                  \
	"move 3 beat:QD:AD\n"                                                  \
	"discard 12\n"                                                         \
	"out 2\n"                                                              \
	"out 3\n"

/* After DEAL6_DRAW these lines leave no seat. */
#define ALL_OUT                                                                \
	"turn 3 4 5\n"                                                         \
	"move 4 attack:8S\n"                                                   \
	"move 4 add:8H\n"                                                      \
	"move 5 beat:8H:QS\n"                                                  \
	"move 5 beat:8S:AS\n"                                                  \
	"move 4 add:QH\n"                                                      \
	"move 4 add:AC\n"                                                      \
	"move 5 beat:AC:9S\n"                                                  \
	"move 4 add:9H\n"                                                      \
	"move 5 beat:QH:KH\n"                                                  \
	"move 5 beat:9H:AH\n"                                                  \
	"quiet\n"                                                              \
	"discard 10\n"                                                         \
	"turn 4 5 4\n"                                                         \
	"move 5 attack:AD\n"                                                   \
	"move 4 beat:AD:KS\n"                                                  \
	"discard 2\n"                                                          \
	"out 5\n"                                                              \
	"out 4\n"

/* After DEAL6 with `teams pairs` 4 leaves, then 3; 2 and 5 are left. */
#define THREE_OUT_IN_PAIRS                                                     \
	"turn 2 4 2 1 2\n"                                                     \
	"move 4 attack:8S\n"                                                   \
	"move 4 add:8H\n"                                                      \
	"move 2 take\n"                                                        \
	"pickup 2 2\n"                                                         \
	"turn 3 3 4 3 4\n"                                                     \
	"move 3 attack:JS\n"                                                   \
	"move 3 add:JH\n"                                                      \
	"move 4 beat:JS:AS\n"                                                  \
	"move 4 beat:JH:AH\n"                                                  \
	"quiet\n"                                                              \
	"discard 4\n"                                                          \
	"turn 4 4 5 4 5\n"                                                     \
	"move 4 attack:AD\n"                                                   \
	"move 4 add:AC\n"                                                      \
	"move 5 beat:AC:KS\n"                                                  \
	"move 3 add:KD\n"                                                      \
	"move 3 add:KC\n"                                                      \
	"move 5 take\n"                                                        \
	"pickup 5 5\n"                                                         \
	"out 4\n"                                                              \
	"turn 5 3 2 0 2\n"                                                     \
	"move 3 attack:QD\n"                                                   \
	"move 3 add:QC\n"                                                      \
	"move 2 take\n"                                                        \
	"pickup 2 2\n"                                                         \
	"out 3\n"

/* Then seat 5 takes seat 4's nines. */
#define FIVE_TAKES_NINES                                                       \
	"turn 3 4 5\n"                                                         \
	"move 4 attack:9H\n"                                                   \
	"move 4 add:9D\n"                                                      \
	"move 5 take\n"                                                        \
	"pickup 5 2\n"                                                         \
	"turn 4 4 5\n"

/* Then seat 5 takes seat 4's ten and ace. */
#define FIVE_TAKES_TH_AH                                                       \
	"move 4 attack:TH\n"                                                   \
	"move 5 take\n"                                                        \
	"pickup 5 1\n"                                                         \
	"turn 5 4 5\n"                                                         \
	"move 4 attack:AH\n"                                                   \
	"move 5 take\n"                                                        \
	"pickup 5 1\n"                                                         \
	"turn 6 4 5\n"

/* This is a whole game of six in which seat 5 stays behind. */
#define FIVE_IS_THE_FOOL                                                       \
	DEAL6 "turn 1 0 1\n" ZERO_AND_ONE_OUT TWO_AND_THREE_OUT FOUR_OUT       \
	      "fool 5\n"

/* These are its scores if only the fool counts. */
#define FIVE_PAYS                                                              \
	"score 0 0\n"                                                          \
	"score 1 0\n"                                                          \
	"score 2 0\n"                                                          \
	"score 3 0\n"                                                          \
	"score 4 0\n"                                                          \
	"score 5 -1\n"

/* If that was the last game, these are the places. */
#define FIVE_IS_LAST                                                           \
	"result 0 1 0\n"                                                       \
	"result 1 1 0\n"                                                       \
	"result 2 1 0\n"                                                       \
	"result 3 1 0\n"                                                       \
	"result 4 1 0\n"                                                       \
	"result 5 6 -1\n"

/* No seat pays. */
#define ALL_HAVE_0                                                             \
	"score 0 0\n"                                                          \
	"score 1 0\n"                                                          \
	"score 2 0\n"                                                          \
	"score 3 0\n"                                                          \
	"score 4 0\n"                                                          \
	"score 5 0\n"

#endif
