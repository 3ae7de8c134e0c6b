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

#endif
