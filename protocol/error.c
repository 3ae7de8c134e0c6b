/* protocol/error.c - see error.h. */
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `front` and `back`, each of which may point into the text. */
static int
fill(struct error *error, const char *front, const char *back)
{
	static const char more[] = "...";
	char *text = formatted("%s%s", front, back);

	if (strlen(text) >= ERROR_BYTES)
		memcpy(text + ERROR_BYTES - sizeof(more), more, sizeof(more));
	memcpy(error->text, text, strlen(text) + 1);
	free(text);
	return -1;
}

int
error_vset(struct error *error, enum error_kind kind, const char *fmt,
	   va_list ap)
{
	char *sentence = vformatted(fmt, ap);

	error->kind = kind;
	fill(error, sentence, "");
	free(sentence);
	return -1;
}

int
error_set(struct error *error, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vset(error, kind, fmt, ap);
	va_end(ap);
	return -1;
}

int
error_prefix(struct error *error, const char *fmt, ...)
{
	char *words;
	va_list ap;

	va_start(ap, fmt);
	words = vformatted(fmt, ap);
	va_end(ap);
	fill(error, words, error->text);
	free(words);
	return -1;
}

struct quoted
quoted(const char *value)
{
	struct quoted to;

	snprintf(to.text, sizeof(to.text), "'%.*s%s'", QUOTED_BYTES, value,
		 strlen(value) > QUOTED_BYTES ? "..." : "");
	return to;
}

struct counted
counted(uint64_t n, const char *noun)
{
	struct counted to;
	const char *plural = noun[strlen(noun) - 1] == 's' ? "es" : "s";

	snprintf(to.text, sizeof(to.text), "%" PRIu64 " %s%s", n, noun,
		 n == 1 ? "" : plural);
	return to;
}
