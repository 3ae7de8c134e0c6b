/* referee/serve/listeners.h - the sockets where a daemon listens, and their
 * change from one configuration to the next.
 *
 * A listener at the same place keeps its socket, whatever else changes.
 * listeners_prepare() opens new sockets and reads certificates before anything
 * changes.  Then the change is either made or dropped. */
#ifndef REFEREE_LISTENERS_H
#define REFEREE_LISTENERS_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"
#include "referee/http/http.h"
#include "referee/remote/door.h"
#include "referee/serve/health.h"

struct listeners;

/* Stores the limits of connections of this configuration. */
void listeners_door_limits(const struct config *config,
			   struct door_limits *limits);

/* Makes it without an open listener, and takes the sockets that our starter has
 * passed on.  All three arguments are borrowed. */
struct listeners *listeners_new(struct door *door, struct http *http,
				struct logger *logger) MUST_CHECK;
/* Call it before door and http, which close the sockets, are freed.  NULL is
 * allowed. */
void listeners_free(struct listeners *listeners);

/* Opens the listeners of this configuration that are not open yet, and sets the
 * limits of the door.  Afterwards call listeners_commit() or listeners_drop().
 * Returns -1 and an error if that fails; then nothing has changed. */
int listeners_prepare(struct listeners *listeners, const struct config *config,
		      struct error *why) MUST_CHECK;
/* Checks that the certificates and keys of this configuration can be read, fit
 * together and have not expired.  It opens no socket.  Returns 0, or -1 and an
 * error. */
int listeners_check_certificates(const struct config *config,
				 struct error *why) MUST_CHECK;
/* Makes the prepared configuration the current one.  Listeners that it does not
 * have are closed. */
void listeners_commit(struct listeners *listeners);
/* Drops the prepared configuration.  Sockets that were opened for it are
 * closed. */
void listeners_drop(struct listeners *listeners);

/* Checks that each socket that our starter has passed on is used.  Returns 0,
 * or -1 and an error. */
int listeners_check_given(const struct listeners *listeners,
			  struct error *why) MUST_CHECK;
/* Stores the certificates of the open listeners and returns their number.  The
 * names are borrowed. */
unsigned
listeners_certificates(const struct listeners *listeners,
		       struct health_certificate certificate[CONFIG_LISTENERS]);

#endif
