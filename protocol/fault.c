/* protocol/fault.c - see fault.h. */
#include "protocol/fault.h"

#include <string.h>

const char *
fault_name(enum fault fault)
{
	static const char *const name[FAULT_KINDS] = {
		[FAULT_NONE] = "none",	     [FAULT_TIMEOUT] = "timeout",
		[FAULT_ILLEGAL] = "illegal", [FAULT_PROTOCOL] = "protocol",
		[FAULT_CRASH] = "crash",
	};

	return name[fault];
}

bool
fault_read(const char *name, size_t n, enum fault *fault)
{
	for (*fault = FAULT_TIMEOUT; *fault < FAULT_KINDS; ++*fault)
		if (strlen(fault_name(*fault)) == n &&
		    memcmp(fault_name(*fault), name, n) == 0)
			return true;
	return false;
}

bool
fault_line(const char *line, size_t n, unsigned *seat, enum fault *fault)
{
	static const char verb[] = "fault ";
	const size_t head = sizeof(verb) - 1;
	size_t length = 0;

	if (n < head + 3 || memcmp(line, verb, head) != 0)
		return false;
	*seat = (unsigned)(unsigned char)line[head] - '0';
	if (*seat >= SEATS_MAX || line[head + 1] != ' ')
		return false;
	line += head + 2;
	n -= head + 2;
	while (length < n && strchr(" \n", line[length]) == NULL)
		length++;
	return fault_read(line, length, fault);
}

void
fault_count_starved(const char *body, size_t n, unsigned count[SEATS_MAX])
{
	static const char line[] = "fault 0 timeout", comment[] = FAULT_STARVED;
	const size_t before = sizeof(line) - 1;
	const char *at = body, *end;
	enum fault fault;
	unsigned seat;

	if (n == 0)
		return; /* `body` may be NULL */
	end = body + n;
	for (; (at = memmem(at, (size_t)(end - at), comment,
			    sizeof(comment) - 1)) != NULL;
	     at++)
		if ((size_t)(at - body) >= before &&
		    fault_line(at - before, before, &seat, &fault) &&
		    fault == FAULT_TIMEOUT)
			count[seat]++;
}

void
fault_count(const char *body, size_t n, unsigned count[SEATS_MAX][FAULT_KINDS])
{
	const char *lf, *end = body + n;
	enum fault fault;
	unsigned seat;

	for (; n > 0; body = lf + 1, n = (size_t)(end - body)) {
		if (fault_line(body, n, &seat, &fault))
			count[seat][fault]++;
		lf = memchr(body, '\n', n);
		if (lf == NULL)
			return;
	}
}
