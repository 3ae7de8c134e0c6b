/* referee/bench/bench-bot.c - a bot that answers at once.
 *
 * It costs as little as a bot can: one read, a look at the last line, one
 * write.  It answers with any token. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/bench/bench.h"

#define READ_BYTES (4 * (LINE_REFEREE_BYTES + 1))

/* Writes "do K TOKEN\n" for "ask K MS TOKEN…", with any of its tokens. */
static size_t
answer(const char *ask, size_t n, uint32_t *state, char *to)
{
	const char *end = ask + n, *k = ask + 4, *space, *token, *p;
	unsigned count = 1, pick;

	space = memchr(k, ' ', (size_t)(end - k));
	token = (const char *)memchr(space + 1, ' ',
				     (size_t)(end - space - 1)) +
		1;
	for (p = token; p < end; p++)
		count += *p == ' ';
	*state = *state * 1664525 + 1013904223;
	pick = (unsigned)((uint64_t)*state * count >> 32);
	for (; pick > 0; pick--)
		token = (const char *)memchr(token, ' ',
					     (size_t)(end - token)) +
			1;
	p = memchr(token, ' ', (size_t)(end - token));
	if (p == NULL)
		p = end;
	memcpy(to, "do ", 3);
	memcpy(to + 3, k, (size_t)(space + 1 - k));
	to += 3 + (space + 1 - k);
	memcpy(to, token, (size_t)(p - token));
	to[p - token] = '\n';
	return 3 + (size_t)(space + 1 - k) + (size_t)(p - token) + 1;
}

/* Answers the last line of the input, if it is whole. */
static size_t
take(char *bytes, size_t used, uint32_t *state)
{
	char *line, text[LINE_BOT_BYTES];
	size_t n;

	if (bytes[used - 1] != '\n')
		return used;
	line = memrchr(bytes, '\n', used - 1);
	line = line == NULL ? bytes : line + 1;
	n = (size_t)(bytes + used - 1 - line);
	if (n > 4 && memcmp(line, "ask ", 4) == 0) {
		n = answer(line, n, state, text);
		if (write(STDOUT_FILENO, text, n) != (ssize_t)n)
			_exit(1);
	}
	return 0;
}

int
bench_bot(void)
{
	static char bytes[READ_BYTES];
	uint32_t state = (uint32_t)getpid();
	size_t used = 0;
	ssize_t n;

	while ((n = read(STDIN_FILENO, bytes + used, sizeof(bytes) - used)) > 0)
		used = take(bytes, used + (size_t)n, &state);
	return 0;
}
