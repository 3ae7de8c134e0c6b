/* referee/queue/seal.h - seals the secrets of games that lie in a database.
 *
 * The secret of a game that is still to be played lies in the database, its
 * log, its standbys and its backups.  So it is sealed (XChaCha20-Poly1305) with
 * a key that only the daemon and the machines have, and bound to the game's ID
 * and commitment: a seal that was moved to another game does not open. */
#ifndef REFEREE_SEAL_H
#define REFEREE_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/table/deal.h"

#define SEAL_KEY_BYTES 32
#define SEAL_BYTES (24 + DEAL_SECRET_BYTES + 16) /* a nonce, and a tag */
#define SEAL_PRINT 16				 /* hex digits */

struct seal_key {
	unsigned char byte[SEAL_KEY_BYTES];
	/* Distinguishes keys and reveals nothing else. */
	char print[SEAL_PRINT + 1];
};

/* Makes a new key in a file that must not exist yet.  Only its owner may read
 * the file. */
int seal_key_make(const char *path, struct seal_key *key,
		  struct error *why) MUST_CHECK;
/* Loads a key.  A file that others may read is refused. */
int seal_key_load(const char *path, struct seal_key *key,
		  struct error *why) MUST_CHECK;
void seal_key_forget(struct seal_key *key);

/* Seals the deal's secret. */
void seal_close(const struct seal_key *key, const struct deal *deal,
		unsigned char sealed[SEAL_BYTES]);
/* Opens a seal and stores the secret in the deal, which has its ID and
 * commitment.  Returns false if this key did not seal these bytes for this
 * game. */
bool seal_open(const struct seal_key *key, struct deal *deal,
	       const void *sealed, size_t n) MUST_CHECK;

/* ---- the key of a roster ------------------------------------------------ */

#define SEAL_ROSTER_KEY_BYTES (24 + ROSTER_KEY_BYTES + 16)

/* The database has it so; no game's seal opens in its place. */
void seal_roster_key(const struct seal_key *key,
		     const unsigned char bytes[ROSTER_KEY_BYTES],
		     unsigned char sealed[SEAL_ROSTER_KEY_BYTES]);
/* False: this key did not seal these bytes. */
bool unseal_roster_key(const struct seal_key *key, const void *sealed, size_t n,
		       unsigned char bytes[ROSTER_KEY_BYTES]) MUST_CHECK;

#endif
