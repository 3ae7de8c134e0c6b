/* referee/http/http-head.h - the head of a request: its first line and its
 * headers, as RFC 9112 has them and no other way.
 *
 * Whatever another reader of the same bytes might take for something else is
 * refused: a line that ends without CR, a space before a colon, a header that
 * goes on in the next line, two lengths, a length that is not digits alone, a
 * transfer coding. */
#ifndef REFEREE_HTTP_HEAD_H
#define REFEREE_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"

#define HTTP_FIELDS 64	      /* headers of a request */
#define HTTP_METHOD_BYTES 16  /* of the name of a method */
#define HTTP_LENGTH_DIGITS 18 /* of a Content-Length */

struct http_field {
	const char *name, *value;
};

/* All strings lie in the bytes that it was read from. */
struct http_head {
	const char *method;
	const char *path;  /* decoded, from its slash on; printable ASCII */
	const char *query; /* behind the `?`, as it was sent; or NULL */
	unsigned minor;	   /* 0 or 1: of HTTP/1.x */
	unsigned fields;
	struct http_field field[HTTP_FIELDS];
	uint64_t length; /* of the body */
	bool has_length;
	bool expects; /* 100-continue */
	bool keeps;   /* the connection is to stay */
};

/* Looks for the end of a head at the beginning of `n` bytes, of which
 * `*scanned` were looked at before: its length with the empty line; 0 if it has
 * not come yet; -1 and a sentence if this is no head, or will be none. */
ptrdiff_t http_head_find(const char *bytes, size_t n, size_t *scanned,
			 const char **wrong) MUST_CHECK;
/* Reads the head of `n` bytes that http_head_find() has found, and changes them
 * into strings: 0; or the number of a refusal, and a sentence. */
int http_head_read(char *bytes, size_t n, struct http_head *head,
		   const char **wrong) MUST_CHECK;

/* How often the head has this header; `*value` is its last value. */
unsigned http_head_field(const struct http_head *head, const char *name,
			 const char **value);

/* Whether a list with commas in any header of this name has this word, with
 * nothing else beside it (`gzip;q=0` is another word). */
bool http_head_word(const struct http_head *head, const char *name,
		    const char *word) MUST_CHECK;

/* Decodes %XX, and `+` as a space if `plus`, in place: false if what follows a
 * `%` is no two hex digits, or something comes out that is not printable
 * ASCII. */
bool http_decode(char *text, bool plus) MUST_CHECK;

#endif
