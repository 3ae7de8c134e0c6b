/* referee/http/http-head.h - reads the head of a request: its first line and
 * its headers, strictly as in RFC 9112.
 *
 * It refuses all that another reader could understand differently: a line that
 * ends without CR, a space before a colon, a header that goes on in the next
 * line, two lengths, a length that is not only digits, a transfer coding. */
#ifndef REFEREE_HTTP_HEAD_H
#define REFEREE_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"

#define HTTP_FIELDS 64	      /* headers of a request */
#define HTTP_METHOD_BYTES 16  /* bytes of the name of a method */
#define HTTP_LENGTH_DIGITS 18 /* digits of a Content-Length */

struct http_field {
	const char *name, *value;
};

/* A head.  Its strings lie in the bytes that it was read from. */
struct http_head {
	const char *method;
	const char *path;  /* decoded; begins with a slash; printable ASCII */
	const char *query; /* the part behind `?` as it was sent; or NULL */
	unsigned minor;	   /* 0 or 1: the x of HTTP/1.x */
	unsigned fields;
	struct http_field field[HTTP_FIELDS];
	uint64_t length; /* bytes of the body */
	bool has_length;
	bool expects; /* waits for 100 Continue */
	bool keeps;   /* wants to keep the connection */
};

/* Looks for the end of the head at the beginning of `n` bytes; `*scanned` of
 * them were looked at before.  Returns its length with the empty line; 0 if it
 * has not come yet; -1 and a sentence if this cannot be a head. */
ptrdiff_t http_head_find(const char *bytes, size_t n, size_t *scanned,
			 const char **wrong) MUST_CHECK;
/* Reads the head of `n` bytes that http_head_find() has found, and cuts them
 * into strings.  Returns 0; or the status of a refusal and a sentence. */
int http_head_read(char *bytes, size_t n, struct http_head *head,
		   const char **wrong) MUST_CHECK;

/* Returns how often the head has this header.  `*value` is its last value. */
unsigned http_head_field(const struct http_head *head, const char *name,
			 const char **value);

/* Returns true if the comma-separated list in a header of this name has this
 * word with nothing else beside it (`gzip;q=0` is another word). */
bool http_head_word(const struct http_head *head, const char *name,
		    const char *word) MUST_CHECK;

/* Decodes %XX in place, and `+` as a space if `plus`.  Returns false if two hex
 * digits do not follow a `%`, or if the result is not printable ASCII. */
bool http_decode(char *text, bool plus) MUST_CHECK;

#endif
