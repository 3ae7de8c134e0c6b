/* referee/import/intake.h - the inside of files.h: copies one entry
 * after another, from any source, into a folder of ours.
 *
 * All refusals happen here.  A function that returns an int returns -1 after it
 * has put a sentence into `why`. */
#ifndef REFEREE_IMPORT_INTAKE_H
#define REFEREE_IMPORT_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* Limits of what may come in. */
struct intake_most {
	unsigned files; /* files, folders and links */
	uint64_t file_bytes, bytes;
	unsigned path_bytes, part_bytes, depth;
};

struct intake {
	const char *source; /* for sentences */
	const struct intake_most *most;
	int64_t archive_bytes; /* most bytes of an archive */
	int to;		       /* the folder to write to */
	/* For a build: gets a line for each entry that is left out instead of
	 * refused.  NULL: links and everything but files and folders are
	 * refused. */
	struct text *left_out;
	const struct stat *aside; /* a folder that is not copied, or NULL */
	bool without;		  /* `aside` was there */
	unsigned count;
	uint64_t bytes;
	void *told; /* paths of entries so far, a tree; owned */
	struct error *why;
};

int intake_refuse(struct intake *intake, const char *fmt, ...)
	PRINTF_LIKE(2, 3) COLD;
/* Sets the error that the path cannot be copied, by errno. */
int intake_fail(struct intake *intake, const char *path);
/* Refuses an entry or leaves it out; `what` is the reason, such as "is a link". */
int intake_odd(struct intake *intake, const char *path, const char *what);

int intake_add_folder(struct intake *intake, const char *path) MUST_CHECK;
/* Opens a new file of this size for writing.  Returns a descriptor. */
int intake_add_file(struct intake *intake, const char *path, int64_t size,
		    bool executable) MUST_CHECK;
/* Adds a link of a build.  It is kept if it stays in the folder or in /usr. */
int intake_add_link(struct intake *intake, const char *path,
		    const char *target) MUST_CHECK;

/* Copies the entries of the archive `fd`. */
int intake_archive(struct intake *intake, int fd) MUST_CHECK;

#endif
