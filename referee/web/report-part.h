/* referee/web/report-part.h - a page (referee/pages/) as a part of a file that has
 * many of them.
 *
 * Only pages of ours are read: what html.h writes, with every attribute between
 * double quotes. */
#ifndef REFEREE_REPORT_PART_H
#define REFEREE_REPORT_PART_H

#include "protocol/text.h"
#include "protocol/util.h"

struct report_part {
	const char *id; /* its own IDs begin with it and a `-` */
	const char *class;
	/* Where a link to `path` leads, which begins behind the root and has no
	 * fragment: appends it to `to`.  False: that is not in the file. */
	bool (*lead)(void *arg, const char *path, struct text *to);
	void *arg;
};

/* Appends what stands in the `main` of the page as a section: headings one level
 * deeper, IDs its own, links as `lead` says (those that lead nowhere are only
 * text), pictures from this file, no forms. */
void report_part_write(const struct report_part *part, const char *page,
		       struct text *to);

#endif
