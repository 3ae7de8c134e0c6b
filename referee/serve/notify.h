/* referee/serve/notify.h - reports to the service manager by datagrams to
 * NOTIFY_SOCKET, which sd_notify(3) describes. */
#ifndef REFEREE_NOTIFY_H
#define REFEREE_NOTIFY_H

#include "protocol/util.h"
#include "referee/base/loop.h"

struct notify;

/* Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and clears them.
 * Without NOTIFY_SOCKET nothing is ever sent.  With a watchdog the loop reports
 * that it lives, twice as often as it must. */
struct notify *notify_new(struct loop *loop) MUST_CHECK;
void notify_free(struct notify *notify); /* NULL is allowed */

void notify_ready(struct notify *notify);
void notify_reloading(struct notify *notify); /* then call notify_ready() */
void notify_stopping(struct notify *notify);

#endif
