/* referee/spawner/bot-usage.h - the processor time and memory that a running
 * process has used so far. */
#ifndef REFEREE_BOT_USAGE_H
#define REFEREE_BOT_USAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/table/bot.h"

/* Of a process of this machine and all its descendants, with the children that
 * they waited for: adds up the processor time, and keeps the largest peak.  Of
 * a bot in a box (`boxed`) without bubblewrap and the first process, which are
 * ours.  False: it is gone. */
bool bot_usage_of(pid_t pid, bool boxed, struct bot_usage *usage) MUST_CHECK;

#endif
