/* referee/serve/rehearsal.h - the checks of `serve --check`. */
#ifndef REFEREE_REHEARSAL_H
#define REFEREE_REHEARSAL_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"

/* Looks for all that would keep a daemon with this configuration from starting
 * here: the sandbox, the limit of open files, the files that it names, its data
 * folder, its ladders and, without a queue, their logs.  It changes nothing and
 * may run beside that daemon, so it cannot check everything.  Returns 0, or -1
 * and an error.  It prints a note() for each season whose options are not those
 * of the ladder before it, and for each ladder that is lost or behind, which a
 * daemon mends. */
int rehearse(const struct config *config, struct error *why) MUST_CHECK;

#endif
