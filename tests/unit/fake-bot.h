/* tests/unit/fake-bot.h - a bot without a program, and a clock without time.
 *
 * A fake bot keeps all lines that it is sent and says what the test tells it to
 * say.  The test owns it, also after the table has let it go. */
#ifndef TESTS_UNIT_FAKE_BOT_H
#define TESTS_UNIT_FAKE_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/line.h"
#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/table/bot.h"

struct fake_bot {
	struct bot bot;
	struct text read;     /* all lines that were handed to it */
	size_t last_write;    /* where in `read` the last write begins */
	unsigned writes;      /* so far */
	size_t last_ask;      /* where in `read` its last ask begins */
	unsigned asks;	      /* so far */
	bool stuck;	      /* it does not read */
	bool parted;	      /* the table has let it go */
	unsigned grace_ms;    /* once parted */
	struct bot_seen seen; /* what it is doing now */
	const char *unended;  /* the incomplete line that it has written; NULL:
			       * none */
	unsigned watched;     /* how often it was watched so far */
	uint64_t
		handed_late; /* us: its asks count as handed over this long ago */
};

void fake_init(struct fake_bot *fake, struct loop *loop);
void fake_release(struct fake_bot *fake);

/* Returns what the bot has read, NUL-terminated; borrowed until it reads again. */
const char *fake_read(struct fake_bot *fake);
/* Returns what the last write gave the bot to read. */
const char *fake_last_write(struct fake_bot *fake);
/* Returns true if a whole line is among what the bot has read. */
bool fake_has_read(struct fake_bot *fake, const char *line);
/* Returns how often the line is among what the bot has read. */
unsigned fake_count(struct fake_bot *fake, const char *line);

/* Says a line now, by the fake clock; does nothing once the table has let it
 * go. */
void fake_say(struct fake_bot *fake, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Ends the bot's input with a result of line_take() in place of a line. */
void fake_break(struct fake_bot *fake, enum line_result result);
/* Ends the bot's process, or gives the bot more than it reads. */
void fake_die(struct fake_bot *fake);
/* Lets the bot read again: what had to wait is handed over. */
void fake_unstick(struct fake_bot *fake);

/* The whole referee reads this clock after fake_clock_begin(). */
extern uint64_t fake_now_us;
void fake_clock_begin(void);

/* Runs a pass that waits for nothing. */
void fake_pass(struct loop *loop);

#endif
