/* referee/import/intake.h - the inside of files.h: copies one entry
 * after another, from any source, into a folder of ours.
 *
 * Everything that is not allowed is refused here.  Each function that returns
 * an int returns -1 when it has put a sentence into `why`. */
#ifndef REFEREE_IMPORT_INTAKE_H
#define REFEREE_IMPORT_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* What may come in. */
struct intake_most {
	unsigned files; /* and folders, and links */
	uint64_t file_bytes, bytes;
	unsigned path_bytes, part_bytes, depth;
};

struct intake {
	const char *source; /* for sentences */
	const struct intake_most *most;
	int64_t archive_bytes; /* of an archive, at most */
	int to;		       /* the folder */
	/* Of a build: gets a line for each file that is left out of it; none of
	 * them would be refused otherwise.  NULL: links and all that is no file
	 * or folder are refused. */
	struct text *left_out;
	const struct stat *aside; /* a folder that is not copied; or NULL */
	bool without;		  /* it was there */
	unsigned count;
	uint64_t bytes;
	void *told; /* paths of entries so far, a tree; owned */
	struct error *why;
};

int intake_refuse(struct intake *intake, const char *fmt, ...)
	PRINTF_LIKE(2, 3) COLD;
/* It cannot be copied, says errno. */
int intake_fail(struct intake *intake, const char *path);
/* Refuses it, or leaves it out: "is a link", say. */
int intake_odd(struct intake *intake, const char *path, const char *what);

int intake_add_folder(struct intake *intake, const char *path) MUST_CHECK;
/* A file to write, of this size: a descriptor. */
int intake_add_file(struct intake *intake, const char *path, int64_t size,
		    bool executable) MUST_CHECK;
/* Of a build: it is kept if it stays in the folder or in /usr. */
int intake_add_link(struct intake *intake, const char *path,
		    const char *target) MUST_CHECK;

/* Out of the archive `fd`. */
int intake_archive(struct intake *intake, int fd) MUST_CHECK;

#endif
