/* referee/spawner/bot-usage.h - the processor time and memory that a running
 * process has used so far. */
#ifndef REFEREE_BOT_USAGE_H
#define REFEREE_BOT_USAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/table/bot.h"

/* The processes of a box that are ours: bubblewrap, and the first process. */
#define BOT_BOX_PROCESSES 2

/* Adds up the processor time of a process, its descendants, and the children
 * that they waited for, and keeps the largest peak.  For a bot in a box
 * (`boxed`) it leaves out BOT_BOX_PROCESSES.  Returns false if the process is gone. */
bool bot_usage_of(pid_t pid, bool boxed, struct bot_usage *usage) MUST_CHECK;

#endif
