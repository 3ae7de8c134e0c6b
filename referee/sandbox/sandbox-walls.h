/* referee/sandbox/sandbox-walls.h - tier C: the protection that works without
 * namespaces.
 *
 * Landlock lets a program read the system's files and its own, and nothing
 * else; the filter of system calls leaves it no socket; limits hold each
 * process.  It sees the names of the machine's files and processes, but it
 * cannot read them, nor (since Linux 6.12) signal them. */
#ifndef REFEREE_SANDBOX_WALLS_H
#define REFEREE_SANDBOX_WALLS_H

#include "protocol/util.h"
#include "referee/sandbox/sandbox-start.h"

/* Restricts the calling process, a fork that is about to exec a bot, and enters
 * its working directory.  Root becomes the user of the slot.  Returns 0, or -1
 * and errno. */
int sandbox_wall_in(const struct sandbox_order *order) MUST_CHECK;

#endif
