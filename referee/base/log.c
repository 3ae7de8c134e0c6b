/* referee/base/log.c - escapes, counts and writes log lines.
 *
 * The lines of a kind of event have a rate.  A table of fixed size has a row
 * for each kind by name; its last row is for all kinds that come when the table
 * is full.  The program's text bounds how many kinds there are. */
#include "referee/base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "referee/base/rate-limit.h"

/* Kept free for ` suppressed=N lost=N cut=N` and the LF. */
#define TAIL_BYTES 96
#define LINE_US (60000000 / LOG_PER_MINUTE)

const char *const log_levels[LOG_LEVELS + 1] = { "debug", "info", "warn",
						 "error", NULL };

struct log_kind {
	char event[LOG_KEY_BYTES + 1]; /* "": the row for all others */
	enum log_level level; /* the level of the line suppressed last */
	struct rate rate;     /* the rate of its lines */
	uint64_t suppressed;
};

/* Counts the lines about a bot and an event, for log_may(). */
struct log_bot {
	char event[LOG_KEY_BYTES + 1]; /* "": free */
	char bot[NAME_BYTES + 1];
	enum log_level level;
	uint64_t since_us; /* its first line of this hour */
	unsigned lines;
	int64_t more;
};

struct logger {
	int fd;
	enum log_level least;
	struct log_kind kind[LOG_KINDS];
	unsigned kinds; /* rows in use, from the first on */
	uint64_t lost;	/* lines that could not be written */
	uint64_t all_suppressed, all_lost;
	bool torn; /* the last write ended without an LF */
	struct log_bot bot[LOG_BOTS];
};

/* ---- time ------------------------------------------------------------- */

static size_t
write_date(char *to, size_t size)
{
	int64_t ms = clock_calendar_ms();
	time_t seconds = (time_t)(ms / 1000);
	char date[32];
	struct tm tm;
	int n;

	if (ms < 0 || gmtime_r(&seconds, &tm) == NULL || tm.tm_year > 8099 ||
	    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return 0;
	n = snprintf(to, size, "%s.%03dZ", date, (int)(ms % 1000));
	return (size_t)n;
}

/* ---- how much --------------------------------------------------------- */

static struct log_kind *
kind_of(struct logger *logger, const char *event)
{
	struct log_kind *kind;

	for (unsigned i = 0; i < logger->kinds; i++)
		if (strcmp(logger->kind[i].event, event) == 0)
			return &logger->kind[i];
	if (logger->kinds == LOG_KINDS)
		return &logger->kind[LOG_KINDS - 1];
	kind = &logger->kind[logger->kinds++];
	if (logger->kinds < LOG_KINDS)
		snprintf(kind->event, sizeof(kind->event), "%s", event);
	rate_init(&kind->rate, LINE_US, LOG_BURST, clock_us());
	return kind;
}

/* Returns true if a line of this kind may be written now, and takes it from the
 * rate. */
static bool
admit(struct logger *logger, struct log_kind *kind, enum log_level level)
{
	if (rate_take(&kind->rate, clock_us()))
		return true;
	kind->suppressed++;
	logger->all_suppressed++;
	kind->level = level;
	return false;
}

/* ---- writing ---------------------------------------------------------- */

/* Returns true if a line can be written at once.  Without this check a reader
 * that has stopped would stop us.  A pipe that is ready takes a whole line,
 * because a line is shorter than PIPE_BUF. */
static bool
is_ready(const struct logger *logger)
{
	struct pollfd pollfd = { .fd = logger->fd, .events = POLLOUT };
	const int wait_ms = logger->lost == 0 ? LOG_WAIT_MS : 0;

	return RETRIED(clock_poll(&pollfd, 1, wait_ms)) == 1 &&
	       (pollfd.revents & POLLOUT) != 0;
}

/* Returns true if all was written.  A full disk may take half a line, and the
 * next line must not continue it. */
static bool
write_line(struct logger *logger, const char *bytes, size_t n)
{
	char torn[LOG_LINE_BYTES + 1];
	int saved = errno;
	ssize_t written = -1;

	if (logger->torn) {
		torn[0] = '\n';
		memcpy(torn + 1, bytes, n);
		bytes = torn;
		n++;
	}
	if (is_ready(logger))
		written = RETRIED(write(logger->fd, bytes, n));
	if (written > 0)
		logger->torn = bytes[written - 1] != '\n';
	logger->all_lost += written != (ssize_t)n;
	if (written == (ssize_t)n)
		logger->lost = 0;
	else
		logger->lost++;
	errno = saved;
	return written == (ssize_t)n;
}

/* ---- a line ----------------------------------------------------------- */

static bool
is_bare(const char *value, size_t n)
{
	static const char bare[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz"
				   "0123456789._:/@+,%-";

	for (size_t i = 0; i < n; i++)
		if (strchr(bare, value[i]) == NULL)
			return false;
	return n > 0;
}

static void
check_key(const char *key)
{
	size_t i, n = strlen(key);
	bool ok = n > 0 && n <= LOG_KEY_BYTES && key[0] >= 'a' && key[0] <= 'z';

	for (i = 0; ok && i < n; i++)
		ok = (key[i] >= 'a' && key[i] <= 'z') ||
		     (key[i] >= '0' && key[i] <= '9') || key[i] == '-';
	if (!ok)
		bug("a log line with the key %.40s", key);
}

/* Writes the character at `value` for use in quotes; returns its number of
 * bytes there. */
static size_t
escape(const char *value, size_t n, char to[TEXT_SHOWN_BYTES])
{
	static const char from[] = "\"\\\n\r\t", as[] = "\"\\nrt";
	const char *special = memchr(from, *value, sizeof(from) - 1);

	if (special == NULL)
		return text_shown(value, n, to);
	to[0] = '\\';
	to[1] = as[special - from];
	to[2] = '\0';
	return 1;
}

/* Writes the value in quotes, in at most 4 * LOG_VALUE_BYTES + 4 bytes. */
static size_t
quote(const char *value, size_t n, bool cut, char *to)
{
	char one[TEXT_SHOWN_BYTES];
	size_t i = 0, used = 0;

	to[used++] = '"';
	while (i < n) {
		i += escape(value + i, n - i, one);
		memcpy(to + used, one, strlen(one));
		used += strlen(one);
	}
	if (cut) {
		memcpy(to + used, "\\~", 2);
		used += 2;
	}
	to[used++] = '"';
	return used;
}

/* Adds ` KEY=VALUE` whole or not at all. */
static void
put(struct log_line *line, const char *key, const char *value, size_t n,
    size_t limit)
{
	size_t key_bytes = strlen(key);

	if (line->used + 1 + key_bytes + 1 + n > limit) {
		line->cut++;
		return;
	}
	line->bytes[line->used++] = ' ';
	memcpy(line->bytes + line->used, key, key_bytes);
	line->used += key_bytes;
	line->bytes[line->used++] = '=';
	memcpy(line->bytes + line->used, value, n);
	line->used += n;
}

static void
put_count(struct log_line *line, const char *key, uint64_t count)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, count);

	if (count > 0)
		put(line, key, digits, (size_t)n, LOG_LINE_BYTES - 1);
}

static void
start(struct log_line *line, struct logger *logger, struct log_kind *kind,
      enum log_level level, const char *event)
{
	line->logger = logger;
	line->kind = kind;
	line->wanted = true;
	line->cut = 0;
	line->used = write_date(line->bytes, sizeof(line->bytes));
	if (line->used ==
	    0) /* write the line even if the clock makes no sense */
		line->bytes[line->used++] = '-';
	log_str(line, "level", log_levels[level]);
	log_str(line, "event", event);
}

void
log_begin(struct log_line *line, struct logger *logger, enum log_level level,
	  const char *event)
{
	struct log_kind *kind;

	check_key(event);
	line->wanted = false;
	if (level < logger->least)
		return;
	kind = kind_of(logger, event);
	if (admit(logger, kind, level))
		start(line, logger, kind, level, event);
}

void
log_str(struct log_line *line, const char *key, const char *value)
{
	size_t n = strnlen(value, LOG_VALUE_BYTES + 1);
	const bool cut = n > LOG_VALUE_BYTES;
	char quoted[4 * LOG_VALUE_BYTES + 8];

	check_key(key);
	if (!line->wanted)
		return;
	if (cut)
		n = LOG_VALUE_BYTES;
	if (!cut && is_bare(value, n)) {
		put(line, key, value, n, LOG_LINE_BYTES - TAIL_BYTES);
		return;
	}
	n = quote(value, n, cut, quoted);
	put(line, key, quoted, n, LOG_LINE_BYTES - TAIL_BYTES);
}

void
log_num(struct log_line *line, const char *key, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	log_str(line, key, digits);
}

void
log_end(struct log_line *line)
{
	if (!line->wanted)
		return;
	put_count(line, "suppressed", line->kind->suppressed);
	put_count(line, "lost", line->logger->lost);
	put_count(line, "cut", line->cut);
	line->bytes[line->used++] = '\n';
	if (write_line(line->logger, line->bytes, line->used))
		line->kind->suppressed = 0;
	line->wanted = false;
}

/* Adds the first field of the list; returns what follows it. */
static const char *
add_field(struct log_line *line, const char *fields, va_list *ap)
{
	const size_t n = strcspn(fields, "=");
	const char *type = fields + n, *value;
	char key[LOG_KEY_BYTES + 2]; /* a key that is too long stays too long */

	snprintf(key, sizeof(key), "%.*s", (int)n, fields);
	if (strncmp(type, "=%s", 3) == 0) {
		value = va_arg(*ap, const char *);
		if (value != NULL)
			log_str(line, key, value);
	} else if (strncmp(type, "=%d", 3) == 0) {
		log_num(line, key, va_arg(*ap, int));
	} else if (strncmp(type, "=%u", 3) == 0) {
		log_num(line, key, va_arg(*ap, unsigned));
	} else if (strncmp(type, "=%" PRId64, sizeof(PRId64) + 1) == 0) {
		log_num(line, key, va_arg(*ap, int64_t));
	} else {
		bug("a log line with the field %.40s", fields);
	}
	type += strcspn(type, " ");
	return type + (*type == ' ');
}

void
log_event(struct logger *logger, enum log_level level, const char *event,
	  const char *fields, ...)
{
	struct log_line line;
	va_list ap;

	log_begin(&line, logger, level, event);
	va_start(ap, fields);
	while (fields != NULL && *fields != '\0')
		fields = add_field(&line, fields, &ap);
	va_end(ap);
	log_end(&line);
}

/* ---- what one bot may cause ------------------------------------------- */

/* Ends the hour of a bot, because it is over or because another bot needs the
 * place. */
static void
end_hour(struct logger *logger, struct log_bot *bot)
{
	if (bot->more > 0)
		log_event(logger, bot->level, "bot-more",
			  "bot=%s of=%s count=%" PRId64, bot->bot, bot->event,
			  bot->more);
	bot->event[0] = '\0';
	bot->more = 0;
}

static bool
is_over(const struct log_bot *bot, uint64_t now_us)
{
	return bot->event[0] != '\0' &&
	       now_us - bot->since_us >= LOG_BOT_HOUR_MS * UINT64_C(1000);
}

/* Returns the place of this event and bot, or else a free place, or else the
 * one whose hour began first. */
static struct log_bot *
bot_of(struct logger *logger, const char *event, const char *name)
{
	struct log_bot *free = NULL, *first = logger->bot, *bot;

	for (bot = logger->bot; bot < logger->bot + LOG_BOTS; bot++) {
		if (strcmp(bot->event, event) == 0 &&
		    strcmp(bot->bot, name) == 0)
			return bot;
		if (bot->event[0] == '\0' && free == NULL)
			free = bot;
		if (bot->since_us < first->since_us)
			first = bot;
	}
	return free == NULL ? first : free;
}

bool
log_may(struct logger *logger, enum log_level level, const char *event,
	const char *name)
{
	const uint64_t now_us = clock_us();
	struct log_bot *bot;

	check_key(event);
	if (level < logger->least)
		return false;
	bot = bot_of(logger, event, name);
	if (is_over(bot, now_us) || strcmp(bot->event, event) != 0 ||
	    strcmp(bot->bot, name) != 0)
		end_hour(logger, bot);
	if (bot->event[0] == '\0') {
		snprintf(bot->event, sizeof(bot->event), "%s", event);
		snprintf(bot->bot, sizeof(bot->bot), "%s", name);
		bot->since_us = now_us;
		bot->lines = 0;
	}
	bot->level = level;
	if (bot->lines < LOG_BOT_LINES) {
		bot->lines++;
		return true;
	}
	bot->more++;
	return false;
}

void
log_end_hour(struct logger *logger)
{
	struct log_bot *bot;

	for (bot = logger->bot; bot < logger->bot + LOG_BOTS; bot++)
		end_hour(logger, bot);
}

/* ---- the log as a whole ----------------------------------------------- */

struct logger *
log_new(int fd, enum log_level least)
{
	struct logger *logger = zeroed(1, sizeof(*logger));

	logger->fd = fd;
	logger->least = least;
	return logger;
}

void
log_free(struct logger *logger)
{
	free(logger);
}

void
log_set_level(struct logger *logger, enum log_level least)
{
	logger->least = least;
}

void
log_counts(const struct logger *logger, uint64_t *suppressed, uint64_t *lost)
{
	*suppressed = logger->all_suppressed;
	*lost = logger->all_lost;
}

void
log_flush(struct logger *logger)
{
	const uint64_t now_us = clock_us();
	struct log_line line;
	struct log_kind *kind;

	for (unsigned i = 0; i < LOG_BOTS; i++)
		if (is_over(&logger->bot[i], now_us))
			end_hour(logger, &logger->bot[i]);
	for (unsigned i = 0; i < logger->kinds; i++) {
		kind = &logger->kind[i];
		if (kind->suppressed == 0)
			continue;
		start(&line, logger, kind, kind->level,
		      kind->event[0] == '\0' ? "others" : kind->event);
		log_end(&line);
	}
	if (logger->lost == 0)
		return;
	start(&line, logger, kind_of(logger, "log"), LOG_LEVEL_WARN, "log");
	log_end(&line);
}
