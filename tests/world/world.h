/* tests/world/world.h - a simulated machine, on which the daemon runs as it is.
 *
 * The program `world` links the daemon and gives it a machine of its own: the
 * functions of libc by which a process learns the time, waits, connects and
 * starts others are defined here, and threads, spawner and subprocesses have
 * other implementations of the product's headers.  A seed decides what
 * happens: how long everything takes, what bots say, when the power fails.
 *
 * Time stands still while anything runs.  When all wait, it jumps to the next
 * timer, so a day passes in seconds.
 *
 * One process is one life of the daemon; world-main.c begins the next one with
 * what the disk still has.  All that is here belongs to one life.  Only one
 * fiber runs at any time, so nothing needs a lock. */
#ifndef TESTS_WORLD_WORLD_H
#define TESTS_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/base/timers.h"

/* The ways in which a life ends, as the exit status of its process.  0: the daemon was
 * told to. */
enum world_end {
	WORLD_BROKEN = 70, /* something did not hold that must */
	WORLD_CUT,	   /* the power was cut */
	WORLD_KILLED, /* the daemon was killed; the disk has all that it wrote */
	WORLD_REFUSED, /* the daemon did not start */
	WORLD_FAILED,  /* it was told to stop, but the disk had failed */
};

/* ---- chance -------------------------------------------------------------- */

/* A stream of draws.  Streams with different names or numbers do not depend on
 * each other, so that a bot which draws once more changes no other's draws. */
struct dice {
	uint64_t state;
};
/* Makes a stream of the seed of this life. */
struct dice dice_of(const char *name, uint64_t number);
/* Draws from 0 to n - 1; n is at least 1. */
uint64_t dice_draw(struct dice *dice, uint64_t n);
/* Returns true in `many` of 1000 draws. */
bool dice_often(struct dice *dice, unsigned many);
/* Draws a time: mostly near `usual_us`, at times ten times as long. */
uint64_t dice_delay_us(struct dice *dice, uint64_t usual_us);

/* ---- time ---------------------------------------------------------------- */

/* Timers of what is outside of the daemon: bots, threads' ends, faults.  Use
 * timer_init(&timer, &world_timers, call, arg).  clock_us() tells the time to all. */
extern struct timers world_timers;
/* Moves the calendar by so many seconds, as an organiser or NTP may. */
void world_calendar_jump(int64_t seconds);

/* ---- descriptors --------------------------------------------------------- */

struct watch;
/* Calls `call` whenever `fd`, of something outside of the daemon, can be read or
 * has been closed by the other side, when the daemon waits.  Descriptors are those
 * of sockets and pipes that do not block. */
struct watch *world_watch(int fd, void (*call)(void *arg),
			  void *arg) MUST_CHECK;
/* Forgets a descriptor; the caller closes it.  It may be called out of `call`. */
void world_forget(struct watch *watch); /* NULL is allowed */

/* Connects to the daemon's listener on this port as a stranger whose IPv4 address is
 * 127.x.y.z, given in the order of the host.  Returns a descriptor that does not
 * block, or -1 and errno: ECONNREFUSED if there is no listener. */
int world_connect(uint16_t port, uint32_t address) MUST_CHECK;

/* ---- processes ----------------------------------------------------------- */

/* Runs `run` as a process of its own, with its own loop, that shares our memory.
 * `run` returns the exit status.  waitpid(2) reports its end.  Returns its number. */
pid_t world_process(int (*run)(void *arg), void *arg, const char *name);

/* ---- trace --------------------------------------------------------------- */

/* Adds a line to the trace, which tells what happened in this life and when.  Two lives
 * of the same seed have the same trace, so it has no descriptor, address, process ID or
 * wall clock in it. */
__attribute__((format(printf, 1, 2))) void world_trace(const char *format, ...);
/* Ends this life at once with a sentence: something does not hold that must. */
__attribute__((format(printf, 1, 2), noreturn)) void
world_broken(const char *format, ...);

#endif
