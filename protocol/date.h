/* protocol/date.h - dates as records have them. */
#ifndef PROTOCOL_DATE_H
#define PROTOCOL_DATE_H

#include <stdint.h>

/* `YYYY-MM-DDTHH:MM:SSZ` in seconds since 1970; -1: it is none, or NULL. */
int64_t date_read(const char *text);

#endif
