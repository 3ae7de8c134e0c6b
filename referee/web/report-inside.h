/* referee/web/report-inside.h - what make-report-script.sh writes. */
#ifndef REFEREE_REPORT_INSIDE_H
#define REFEREE_REPORT_INSIDE_H

#include <stddef.h>

extern const unsigned char report_script[];
extern const size_t report_script_bytes;

#endif
