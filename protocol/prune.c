/* protocol/prune.c - see prune.h. */
#include "protocol/prune.h"

#include <sodium.h>
#include <string.h>

#include "protocol/fault.h"

int
record_prune(const struct record *record, struct text *to, struct error *why)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char hex[2 * RECORD_HASH_BYTES + 1];
	long points[SEATS_MAX];
	int place[SEATS_MAX];
	enum fault fault;
	unsigned seat;

	if (record_pruned(record, hash)) {
		error_set(why, ERROR_INPUT, "it was pruned before");
		return -1;
	}
	if (record_places(record, place, points, why) < 0)
		return -1;
	record_hash(record, hash);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	for (unsigned i = 0; i < record->headers; i++)
		text_fmt(to, "%s\n", record->header[i].text);
	text_fmt(to, "pruned %s\n\n", hex);
	for (unsigned i = 0; i < record->bodies; i++)
		if (fault_line(record->body[i].text, record->body[i].n, &seat,
			       &fault))
			text_fmt(to, "%s\n", record->body[i].text);
	for (unsigned i = 0; i < record->seats; i++)
		text_fmt(to, "result %u %d %ld\n", i, place[i], points[i]);
	return 0;
}

bool
record_pruned(const struct record *record,
	      unsigned char hash[RECORD_HASH_BYTES])
{
	const char *hex = record_header(record, "pruned");
	size_t n;

	return hex != NULL && strlen(hex) == 2 * (size_t)RECORD_HASH_BYTES &&
	       sodium_hex2bin(hash, RECORD_HASH_BYTES, hex, strlen(hex), NULL,
			      &n, NULL) == 0 &&
	       n == RECORD_HASH_BYTES;
}
