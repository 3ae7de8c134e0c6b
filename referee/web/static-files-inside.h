/* referee/web/static-files-inside.h - what make-static.sh writes. */
#ifndef REFEREE_STATIC_FILES_INSIDE_H
#define REFEREE_STATIC_FILES_INSIDE_H

#include "referee/web/static-files.h"

struct static_file {
	const char *name; /* NULL ends */
	const unsigned char *bytes, *gzipped;
	size_t n, gzipped_n;
};

extern const struct static_file static_files[];

#endif
