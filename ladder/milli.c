/* ladder/milli.c - see milli.h. */
#include "ladder/milli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
milli_text(int64_t milli, char text[MILLI_TEXT_BYTES])
{
	size_t n = (size_t)snprintf(text, MILLI_TEXT_BYTES,
				    "%" PRId64 ".%03" PRId64, milli / 1000,
				    milli % 1000);

	while (text[n - 1] == '0')
		text[--n] = '\0';
	if (text[n - 1] == '.')
		text[n - 1] = '\0';
}

int
milli_read(const char *text, int64_t max, int64_t *milli)
{
	size_t whole = strspn(text, "0123456789"), decimals = 0, i;
	int64_t value = 0;

	if (text[whole] == '.')
		decimals = strspn(text + whole + 1, "0123456789");
	if (whole == 0 || decimals > 3 || (text[whole] == '.' && decimals == 0))
		return -1;
	for (i = 0; i < whole && value <= max; i++)
		value = 10 * value + (text[i] - '0');
	if (text[whole] == '.')
		whole++;
	for (i = 0; i < 3 && value <= max; i++)
		value = 10 * value + (i < decimals ? text[whole + i] - '0' : 0);
	if (text[whole + decimals] != '\0' || value > max)
		return -1;
	*milli = value;
	return 0;
}
