/* protocol/date.h - dates as records have them. */
#ifndef PROTOCOL_DATE_H
#define PROTOCOL_DATE_H

#include <stdint.h>

#define DATE_BYTES sizeof("YYYY-MM-DDTHH:MM:SSZ")

/* Returns a date in seconds since 1970, or -1 if it is none (30 February, before 1970,
 * NULL). */
int64_t date_read(const char *text);
/* Writes the date, whose year is at most 9999. */
void date_write(int64_t seconds, char text[DATE_BYTES]);

#endif
