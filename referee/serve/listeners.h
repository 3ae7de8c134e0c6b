/* referee/serve/listeners.h - the sockets where a daemon listens, and how they
 * go from one configuration to the next.
 *
 * A listener at the same place keeps its socket, whatever else changes.  New
 * ones and certificates are opened and read first, when nothing has changed yet
 * (listeners_prepare()); then the change is either made or dropped. */
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

/* The limits of connections that this configuration wants. */
void listeners_door_limits(const struct config *config,
			   struct door_limits *limits);

/* All three are borrowed; takes the sockets that our starter left for us.
 * None is open yet. */
struct listeners *listeners_new(struct door *door, struct http *http,
				struct logger *logger) MUST_CHECK;
/* Before door and http, which close the sockets.  NULL is fine. */
void listeners_free(struct listeners *listeners);

/* Opens what this configuration has and what is not open, and sets the limits
 * of the door.  Then either of the next two is due.  -1 and an error: all is as
 * before. */
int listeners_prepare(struct listeners *listeners, const struct config *config,
		      struct error *why) MUST_CHECK;
/* Whether the certificates and keys of this configuration can be read and fit
 * together; opens nothing.  -1 and an error: they do not. */
int listeners_check_certificates(const struct config *config,
				 struct error *why) MUST_CHECK;
/* The configuration holds: listeners that it does not have are closed. */
void listeners_commit(struct listeners *listeners);
/* It does not: what was opened for it is closed. */
void listeners_drop(struct listeners *listeners);

/* Whether each socket that our starter left is used: 0, or -1 and an error. */
int listeners_check_given(const struct listeners *listeners,
			  struct error *why) MUST_CHECK;
/* Of the open ones that have one; their number.  The names are borrowed. */
unsigned
listeners_certificates(const struct listeners *listeners,
		       struct health_certificate certificate[CONFIG_LISTENERS]);

#endif
