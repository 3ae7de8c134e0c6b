/* tests/unit/scene.h - a table with fake bots, to be played by a test. */
#ifndef TESTS_UNIT_SCENE_H
#define TESTS_UNIT_SCENE_H

#include <stdbool.h>

#include "protocol/text.h"
#include "referee/table/table.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/parley.h"

struct scene {
	struct loop loop;
	struct table_setup setup; /* may be changed before scene_begin() */
	struct fake_bot bot[SEATS_MAX];
	struct table *table; /* NULL: its receipt was given */
	unsigned over;	     /* calls of `over` */
	struct text record;  /* after scene_record() */
};

/* Makes a table for parley, not yet begun: 1000 ms a move, retired at the third fault,
 * ID and secret from the seed "scene". */
void scene_init(struct scene *scene, unsigned seats, enum parley_kind kind,
		unsigned turns);
/* Seats the bots and runs a pass. */
void scene_begin(struct scene *scene);
/* Runs a pass, in which no timer is due. */
void scene_pass(struct scene *scene);
/* Runs a pass this many milliseconds later; timers are due. */
void scene_wait(struct scene *scene, unsigned ms);
/* Makes the bot of a seat answer its last ask, with any number. */
void scene_do(struct scene *scene, unsigned seat, const char *token);
/* These return the last ask of a seat, and its number, or 0 if there is none. */
const char *scene_ask(struct scene *scene, unsigned seat);
unsigned scene_asks(struct scene *scene, unsigned seat);
/* These return the whole record, NUL-terminated, and its body; borrowed. */
const char *scene_record(struct scene *scene);
const char *scene_body(struct scene *scene);
/* Gives the last receipt for all, with the hash of the record. */
void scene_receipt(struct scene *scene);
/* Aborts the game if it runs, and frees everything. */
void scene_end(struct scene *scene);

#endif
