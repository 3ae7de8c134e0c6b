/* referee/http/gzip.c - see gzip.h. */
#include "referee/http/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#define ZLIB_CONST /* it does not write what it reads */
#include <zlib.h>

/* A ladder's page of 87 KB: 0.5 ms, to 14 % of its bytes; 6 takes twice the time,
 * to 12.5 %, 1 takes 0.3 ms, to 15.5 %. */
#define LEVEL 4
#define GZIP_BITS (15 + 16) /* the largest window, and a gzip header */
#define MEMORY 8	    /* zlib's default */

bool
gzip_add(struct text *to, const void *bytes, size_t n)
{
	z_stream stream = { .next_in = bytes, .avail_in = (uInt)n };
	unsigned char *packed;
	int result;

	if (n == 0 || n > UINT32_MAX)
		return false;
	packed = memory(NULL, n);
	stream.next_out = packed;
	stream.avail_out = (uInt)(n - 1);
	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		bug("out of memory");
	result = deflate(&stream, Z_FINISH);
	if (result == Z_STREAM_END)
		text_add(to, packed, stream.total_out);
	(void)deflateEnd(&stream);
	free(packed);
	return result == Z_STREAM_END;
}
