/* referee/web/static-files.h - the files that pages load: scripts, styles,
 * pictures.  They are compiled in from referee/web/static/, both unchanged and
 * gzipped.  Their path has a hash of all of them, so clients may keep them for
 * ever, and a file may load another by its name alone. */
#ifndef REFEREE_STATIC_FILES_H
#define REFEREE_STATIC_FILES_H

#include "referee/web/page.h"

/* 16 hex digits; the path of a file from the root is `static/HASH/NAME`. */
extern const char static_files_hash[];

page_handler static_files_answer;

struct static_file {
	const char *name;
	const unsigned char *bytes, *gzipped;
	size_t n, gzipped_n;
};

/* Written by make-static.sh; ends with a NULL name. */
extern const struct static_file static_files[];
/* Returns the file of this name, or NULL. */
const struct static_file *static_files_find(const char *name) MUST_CHECK;

#endif
