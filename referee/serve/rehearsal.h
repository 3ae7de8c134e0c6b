/* referee/serve/rehearsal.h - what `serve --check` looks at. */
#ifndef REFEREE_REHEARSAL_H
#define REFEREE_REHEARSAL_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"

/* Looks at all that would keep a daemon with this configuration from starting
 * here, as far as a process can tell that changes nothing and may run beside that
 * daemon: the sandbox, the limit of open files, the files that it names, its data
 * folder, its ladders and, without a queue, their logs.  0, and a note() for each
 * season with other options than the ladder before it, and for each ladder that is
 * lost or behind, which a daemon mends; or -1 and a sentence. */
int rehearse(const struct config *config, struct error *why) MUST_CHECK;

#endif
