/* referee/check/check-watch.c - follows a conversation from outside. */
#include "referee/check/check-watch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/table/fault-note.h"

#define SHOWN_BYTES 120 /* bytes of a line in a sentence */
#define LIST_BYTES 240	/* bytes of a legal list */

static bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static enum watch_ask *
state_of(struct watch *watch, uint32_t ask)
{
	return &watch->state[ask % WATCH_ASKS];
}

void
watch_begin(struct watch *watch, unsigned seat, struct watch_seen *seen)
{
	enum watch_ask before[WATCH_ASKS];
	bool greeted = watch->greeted;

	memcpy(before, watch->state, sizeof(before));
	memset(watch, 0, sizeof(*watch));
	memcpy(watch->before, before, sizeof(before));
	watch->greeted = greeted;
	watch->seat = seat;
	watch->seen = seen;
}

/* ---- what is sent ----------------------------------------------------- */

/* Handles `ask K MS TOKEN…`. */
static void
sent_ask(struct watch *watch, const char *line)
{
	struct watch_seen *seen = watch->seen;
	unsigned tokens = 1;
	const char *at;
	char *end;

	watch->ask = (uint32_t)strtoul(line + 4, &end, 10);
	watch->ms = strtoull(end, &end, 10);
	*state_of(watch, watch->ask) = WATCH_ASKED;
	snprintf(watch->tokens, sizeof(watch->tokens), "%s",
		 *end == ' ' ? end + 1 : end);
	for (at = watch->tokens; *at != '\0'; at++)
		tokens += *at == ' ';
	seen->asks++;
	seen->ranges += strstr(watch->tokens, "..") != NULL;
	if (tokens > seen->longest_list)
		seen->longest_list = tokens;
}

static void
sent_void(struct watch *watch, const char *line)
{
	uint32_t ask = (uint32_t)strtoul(line + 5, NULL, 10);

	watch->seen->voids++;
	if (*state_of(watch, ask) == WATCH_ASKED)
		*state_of(watch, ask) = WATCH_VOID;
}

/* Handles `fault S WHY`. */
static enum fault
sent_fault(struct watch *watch, const char *line)
{
	enum fault fault;

	if ((unsigned)(line[6] - '0') != watch->seat || line[7] != ' ' ||
	    !fault_read(line + 8, strlen(line + 8), &fault))
		return FAULT_NONE;
	watch->owed = false;
	return fault;
}

enum fault
watch_sent(struct watch *watch, const char *line, size_t n)
{
	struct watch_seen *seen = watch->seen;

	if (n > seen->longest_line)
		seen->longest_line = (unsigned)n;
	if (begins(line, "ask "))
		sent_ask(watch, line);
	else if (begins(line, "void "))
		sent_void(watch, line);
	else if (strcmp(line, "entropy?") == 0) {
		watch->entropy_wanted = true;
		seen->entropy++;
	} else if (begins(line, "over "))
		seen->over++;
	else if (begins(line, "abort "))
		seen->aborted++;
	else if (begins(line, "fault ") && n > 8)
		return sent_fault(watch, line);
	return FAULT_NONE;
}

/* ---- what the bot says ------------------------------------------------ */

static enum watch_verdict PRINTF_LIKE(2, 3)
	suspect(struct watch *watch, const char *fmt, ...)
{
	va_list ap;

	/* Only the first of several mistakes is charged. */
	va_start(ap, fmt);
	if (!watch->owed)
		vsnprintf(watch->why, sizeof(watch->why), fmt, ap);
	va_end(ap);
	watch->owed = true;
	return WATCH_SUSPECT;
}

static enum watch_verdict PRINTF_LIKE(2, 3)
	useless(struct watch *watch, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (watch->useless++ == 0)
		vsnprintf(watch->useless_why, sizeof(watch->useless_why), fmt,
			  ap);
	va_end(ap);
	return WATCH_USELESS;
}

/* Writes the tokens as "`a`, `b` or any other of 17". */
static void
list_tokens(const char *tokens, char to[LIST_BYTES])
{
	size_t used = 0, n;
	unsigned left = 1;
	const char *at;

	for (at = tokens; *at != '\0'; at++)
		left += *at == ' ';
	for (at = tokens; *at != '\0'; at += n + (at[n] == ' ')) {
		n = strcspn(at, " ");
		if (used + n + 40 > LIST_BYTES) {
			snprintf(to + used, LIST_BYTES - used, " and %u more",
				 left);
			return;
		}
		used += (size_t)snprintf(to + used, LIST_BYTES - used,
					 "%s`%.*s`", used > 0 ? ", " : "",
					 (int)n, at);
		left--;
	}
}

static enum watch_verdict
said_do(struct watch *watch, const struct message *message)
{
	char token[SHOWN_BYTES], list[LIST_BYTES] = "";
	uint32_t k = message->ask;

	watch->bad += k > watch->ask;
	if (k > watch->ask && watch->ask == 0)
		return suspect(watch, "answered ask %" PRIu32 " before any ask",
			       k);
	if (k > watch->ask)
		return suspect(watch,
			       "answered ask %" PRIu32
			       " before it was made; the last was %" PRIu32,
			       k, watch->ask);
	if (watch->ask - k >= WATCH_ASKS)
		return useless(watch,
			       "answered ask %" PRIu32 ", which is long over",
			       k);
	switch (*state_of(watch, k)) {
	case WATCH_VOID:
		watch->late = k;
		return WATCH_LATE;
	case WATCH_ASKED:
		break;
	default:
		return useless(watch, "answered ask %" PRIu32 " twice", k);
	}
	*state_of(watch, k) = WATCH_ANSWERED;
	memset(watch->before, 0, sizeof(watch->before));
	text_escape(token, sizeof(token), message->text, message->n);
	list_tokens(watch->tokens, list);
	snprintf(watch->answer, sizeof(watch->answer),
		 "answered ask %" PRIu32 " with `%s`, which was not among %s%s",
		 k, token, list,
		 fault_token_hint(watch->tokens, message->text, message->n));
	return WATCH_FINE;
}

/* Lines come in order: after an answer of this game none of the last game can
 * come. */
void
watch_returned(struct watch *watch)
{
	uint32_t ask = watch->ask, left = WATCH_ASKS;

	while (ask > 0 && left > 0 && *state_of(watch, ask) != WATCH_ANSWERED) {
		ask--;
		left--;
	}
	if (ask > 0 && left > 0)
		*state_of(watch, ask) = WATCH_VOID;
}

bool
watch_is_stale(struct watch *watch, const char *line, size_t n)
{
	struct message message;
	unsigned i;

	message_read(line, n, &message);
	if (message.verb != MESSAGE_DO)
		return false;
	i = message.ask % WATCH_ASKS;
	if (message.ask <= watch->ask || watch->before[i] != WATCH_VOID)
		return false;
	watch->before[i] = WATCH_NONE;
	return true;
}

static enum watch_verdict
said_remark(struct watch *watch, const struct message *message)
{
	static const char *const did[SLIPS] = {
		[SLIP_FALLBACK] = "made the first legal move instead of its "
				  "own",
		[SLIP_FAILED] = "failed while it was told something",
	};
	const char *what;
	enum slip slip;
	size_t n;

	slip = message_slip(message, &what, &n);
	if (slip != SLIPS && watch->slip[slip] <= watch->ask) {
		watch->slip[slip]++;
		watch->slipped = slip;
		snprintf(watch->slip_why, sizeof(watch->slip_why), "%s: %.*s",
			 did[slip], (int)n, what);
		return WATCH_SLIP;
	}
	if (++watch->says <= SAY_COUNT)
		return WATCH_FINE;
	return useless(watch, "said more than %d remarks in a game", SAY_COUNT);
}

static enum watch_verdict
said_other(struct watch *watch, const struct message *message,
	   const char *shown)
{
	switch (message->verb) {
	case MESSAGE_SAY:
		return said_remark(watch, message);
	case MESSAGE_ENTROPY:
		if (!watch->entropy_wanted)
			return useless(watch,
				       "sent entropy that was not asked for");
		watch->entropy_wanted = false;
		return WATCH_FINE;
	case MESSAGE_BOT:
		if (watch->greeted)
			return useless(watch, "said twice who it is: `%s`",
				       shown);
		watch->greeted = true;
		return WATCH_FINE;
	default:
		return useless(watch,
			       "said `%s`, which means something over TCP only",
			       shown);
	}
}

/* Judges a line that breaks the grammar or a limit. */
static enum watch_verdict
said_bad(struct watch *watch, enum line_result result, const char *line,
	 size_t n, const char *shown, const char *why)
{
	char words[128];

	watch->bad++;
	if (result == LINE_TOO_LONG)
		return suspect(watch, "said a line of more than %d bytes",
			       LINE_BOT_BYTES);
	if (result == LINE_BAD_BYTE) {
		fault_byte_words(line, n, words, sizeof(words));
		return suspect(watch, "%s`%s`", words, shown);
	}
	return suspect(watch, "said `%s`: %s%s", shown, why,
		       fault_line_hint(watch->tokens, line, n));
}

static enum watch_verdict
said(struct watch *watch, enum line_result result, const char *line, size_t n)
{
	struct message message = { .verb = MESSAGE_BAD };
	char shown[SHOWN_BYTES] = "";

	if (result != LINE_TOO_LONG)
		text_escape(shown, sizeof(shown), line, n);
	if (result == LINE_OK)
		message_read(line, n, &message);
	if (message.verb == MESSAGE_BAD)
		return said_bad(watch, result, line, n, shown, message.why);
	if (message.verb == MESSAGE_DO)
		return said_do(watch, &message);
	return said_other(watch, &message, shown);
}

bool
watch_flooded(const struct watch *watch)
{
	return watch->useless + watch->bad > CHATTER_MAX;
}

enum watch_verdict
watch_said(struct watch *watch, enum line_result result, const char *line,
	   size_t n)
{
	enum watch_verdict verdict = said(watch, result, line, n);

	if ((verdict != WATCH_USELESS && verdict != WATCH_SUSPECT) ||
	    !watch_flooded(watch))
		return verdict;
	watch->owed = false;
	return suspect(watch, "said more than %d useless lines in a game%s%s",
		       CHATTER_MAX, watch->useless > 0 ? "; the first: " : "",
		       watch->useless_why);
}

bool
watch_waits(const struct watch *watch)
{
	return watch->ask > 0 &&
	       watch->state[watch->ask % WATCH_ASKS] == WATCH_ASKED;
}

void
watch_why(const struct watch *watch, enum fault fault,
	  char why[WATCH_WHY_BYTES])
{
	if (fault == FAULT_TIMEOUT)
		snprintf(why, WATCH_WHY_BYTES,
			 "did not answer ask %" PRIu32 " within %" PRIu64 " ms",
			 watch->ask, watch->ms);
	else if (fault == FAULT_CRASH)
		snprintf(why, WATCH_WHY_BYTES,
			 "ended, or closed its output, before ask %" PRIu32
			 " was answered",
			 watch_waits(watch) ? watch->ask : watch->ask + 1);
	else if (fault == FAULT_ILLEGAL)
		snprintf(why, WATCH_WHY_BYTES, "%s", watch->answer);
	else
		snprintf(why, WATCH_WHY_BYTES, "%s",
			 watch->why[0] != '\0' ? watch->why
					       : "broke the protocol");
}
