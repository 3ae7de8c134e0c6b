/* referee/web/static-files.h - the files that pages load: scripts, styles,
 * pictures.  They are compiled in from referee/web/static/, as they are and
 * gzipped; their path has a hash of them all in it, so it may be kept for
 * ever, and one of them may load another by its name alone. */
#ifndef REFEREE_STATIC_FILES_H
#define REFEREE_STATIC_FILES_H

#include "referee/web/page.h"

/* 16 hex digits: `static/HASH/NAME` is where they are, from the root. */
extern const char static_files_hash[];

page_handler static_files_answer;

struct static_file {
	const char *name;
	const unsigned char *bytes, *gzipped;
	size_t n, gzipped_n;
};

/* make-static.sh writes them; a NULL name ends the list. */
extern const struct static_file static_files[];
/* Returns the file of this name, or NULL. */
const struct static_file *static_files_find(const char *name) MUST_CHECK;

#endif
