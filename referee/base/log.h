/* referee/base/log.h - writes a line for each event.
 *
 *	2026-11-21T12:00:00.123Z level=info event=bot-seated bot=alice seat=2
 *
 * A line is the date (UTC), a space, then KEY=VALUE fields with a space
 * between.  A key is [a-z][a-z0-9-]*. A value is bare if it has only
 * [A-Za-z0-9._:/@+,%-], at least one of them; else it stands in "…", where \"
 * \\ \n \r \t mean the same as in C, \xHH is any other byte that is not
 * printable ASCII, and \~ at the end says that the value was cut.  So nothing
 * that a stranger sends can make a line, a field or a control byte.
 *
 *	log_event(logger, LOG_LEVEL_INFO, "bot-seated", "bot=%s seat=%u", name,
 *		  seat);
 *
 * Each line is one write(2) of at most LOG_LINE_BYTES, so that a pipe never
 * mixes two.  Fields that do not fit are left out and counted in `cut=N`.
 *
 * Each kind of event may write LOG_BURST lines at once and LOG_PER_MINUTE a
 * minute from then on; the next line of it that is let through says
 * `suppressed=N`.  For events that one bot can cause again and again, log_may()
 * lets LOG_BOT_LINES through in an hour and writes the count of the others in
 * one line when the hour is over.  If the log is not read (a full pipe), a line
 * waits for LOG_WAIT_MS and is then dropped; further lines do not wait at all
 * until one gets through, which says `lost=N`.  Nothing here fails, because the
 * caller has no other way to complain.
 *
 * Call it from one thread only.  The caller ignores SIGPIPE. */
#ifndef REFEREE_LOG_H
#define REFEREE_LOG_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"

#define LOG_LINE_BYTES 1024 /* a whole line with its LF */
#define LOG_VALUE_BYTES 256 /* bytes of a value before it is quoted */
#define LOG_KEY_BYTES 32    /* bytes of a key and of an event's name */
#define LOG_KINDS 64	    /* kinds of events that are counted separately */
#define LOG_BURST 30
#define LOG_PER_MINUTE 60
#define LOG_WAIT_MS 10
/* Lines of one event about one bot that log_may() lets through in an hour. */
#define LOG_BOT_LINES 10
#define LOG_BOT_HOUR_MS (60 * 60 * 1000)
#define LOG_BOTS 512 /* pairs of event and bot that are counted at a time */

enum log_level {
	LOG_LEVEL_DEBUG, /* every step, for the search for a mistake */
	LOG_LEVEL_INFO,	 /* normal events */
	LOG_LEVEL_WARN,	 /* the fault of a bot or a stranger */
	LOG_LEVEL_ERROR, /* the machine's fault, or ours: look at it */
	LOG_LEVELS,
};

/* "debug", "info", …; ends with NULL. */
extern const char *const log_levels[LOG_LEVELS + 1];

struct logger;
struct log_kind;

/* Lines below `least` are not written.  `fd` is borrowed and stays blocking or
 * not, as the caller has set it. */
struct logger *log_new(int fd, enum log_level least);
void log_free(struct logger *logger); /* call log_flush() before; NULL is
				       * allowed */
void log_set_level(struct logger *logger, enum log_level least);

/* Writes a line for each kind of event whose `suppressed=N` is still to be
 * written, and one for lost lines.  Call it now and then, and at the end. */
void log_flush(struct logger *logger);

/* Gives the number of lines that were held back and the number that could not
 * be written, since the start. */
void log_counts(const struct logger *logger, uint64_t *suppressed,
		uint64_t *lost);

/* Writes a line.  `fields` has KEY=%s, KEY=%d, KEY=%u or KEY=%" PRId64 " for
 * each field, with a space between; a string that is NULL leaves its field out.
 * `fields` is NULL if there are none.  `event` and all keys are ours:
 * [a-z][a-z0-9-]* of at most LOG_KEY_BYTES; others are a bug(). */
void log_event(struct logger *logger, enum log_level level, const char *event,
	       const char *fields, ...) PRINTF_LIKE(4, 5);

/* Returns true if a line of this event about this bot may be written now.  Else
 * it counts the line, unless the level is below the least.  A line `bot-more`
 * with the bot, the event and the count follows at the first log_flush() after
 * the hour, or at log_end_hour(). */
bool log_may(struct logger *logger, enum log_level level, const char *event,
	     const char *bot);
/* Writes the counts of log_may() now, because no more lines follow. */
void log_end_hour(struct logger *logger);

/* A line whose keys are not known beforehand.  It lives on the caller's stack
 * between log_begin() and log_end(). */
struct log_line {
	struct logger *logger;
	struct log_kind *kind;
	bool wanted; /* false: what is added is ignored */
	unsigned cut;
	size_t used;
	char bytes[LOG_LINE_BYTES];
};

void log_begin(struct log_line *line, struct logger *logger,
	       enum log_level level, const char *event);
void log_str(struct log_line *line, const char *key, const char *value);
void log_num(struct log_line *line, const char *key, int64_t value);
void log_end(struct log_line *line);

#endif
