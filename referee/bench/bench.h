/* referee/bench/bench.h - what `referee bench` measures, a file each.
 *
 * Each prints its rows, as a table or as JSON lines, and returns an exit
 * code.  `seconds` is how long each row is measured. */
#ifndef REFEREE_BENCH_H
#define REFEREE_BENCH_H

#include <stdbool.h>

#include "protocol/util.h"

struct bench {
	double seconds;
	bool json;
	unsigned tables; /* turns: only that many tables; 0: 1, 8, 64, 512 */
};

/* bench-turns.c: turns of the whole referee, beside bare ping-pong. */
int bench_turns(const struct bench *bench);
/* bench-engine.c: decisions of the games alone. */
int bench_engine(const struct bench *bench);
/* bench-start.c: programs started, bare and in a sandbox. */
int bench_start(const struct bench *bench);
/* bench-ladder.c: results rated. */
int bench_ladder(const struct bench *bench);

/* bench-bot.c: the instant bot; plays on standard input and output until the
 * end of file. */
int bench_bot(void);

/* bench-pingpong.c: one process writes `ask_bytes` and waits for
 * `answer_bytes`, another answers; with `children` > 1 one epoll loop does so
 * with that many.  `programs`: the children are programs of their own, instant
 * bots, as a match has them, and not mere forks of one.  Round trips a second,
 * or -1 and errno. */
double bench_pingpong(unsigned children, bool programs, unsigned ask_bytes,
		      unsigned answer_bytes, double seconds);

#endif
