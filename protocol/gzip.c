/* protocol/gzip.c - see gzip.h. */
#include "protocol/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#define ZLIB_CONST /* it does not write what it reads */
#include <zlib.h>

/* This level packs a ladder's page of 87 KB in 0.5 ms to 14 % of its bytes; 6 takes
 * twice the time, to 12.5 %, 1 takes 0.3 ms, to 15.5 %. */
#define PAGE_LEVEL 4
#define GZIP_BITS (15 + 16) /* the largest window, and a gzip header */
#define MEMORY 8	    /* zlib's default */

struct gzip {
	z_stream stream;
	struct text *to;
};

struct gzip *
gzip_new(struct text *to, int level)
{
	struct gzip *gzip = zeroed(1, sizeof(*gzip));

	gzip->to = to;
	if (deflateInit2(&gzip->stream, level, Z_DEFLATED, GZIP_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		bug("out of memory");
	return gzip;
}

static void
put(struct gzip *gzip, const void *bytes, size_t n, int flush)
{
	z_stream *stream = &gzip->stream;
	unsigned char part[65536];

	stream->next_in = bytes;
	stream->avail_in = (uInt)n;
	do {
		stream->next_out = part;
		stream->avail_out = sizeof(part);
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			bug("bytes cannot be packed");
		text_add(gzip->to, part, sizeof(part) - stream->avail_out);
	} while (stream->avail_out == 0);
}

void
gzip_put(struct gzip *gzip, const void *bytes, size_t n)
{
	put(gzip, bytes, n, Z_NO_FLUSH);
}

void
gzip_end(struct gzip *gzip)
{
	put(gzip, NULL, 0, Z_FINISH);
	(void)deflateEnd(&gzip->stream);
	free(gzip);
}

bool
gzip_all(struct text *to, const void *bytes, size_t n)
{
	struct gzip *gzip;

	text_init(to, n > 0 ? n - 1 : 0);
	if (n == 0 || n > UINT32_MAX)
		return false;
	gzip = gzip_new(to, PAGE_LEVEL);
	gzip_put(gzip, bytes, n);
	gzip_end(gzip);
	return !to->full;
}
