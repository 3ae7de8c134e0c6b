/* referee/serve/checker.h - check-record.py, which proves records without us, with
 * the rules that it needs.  Each backup has a copy.  The C file is made by
 * make-checker.sh. */
#ifndef REFEREE_CHECKER_H
#define REFEREE_CHECKER_H

#include <stddef.h>

struct checker_file {
	const char *name;
	const unsigned char *bytes;
	size_t n;
};

/* Ends with a file without a name. */
extern const struct checker_file checker_files[];

#endif
