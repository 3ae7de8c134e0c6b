/* referee/bench/bench.h - the measurements of `referee bench`, one file each.
 *
 * Each prints its rows, as a table or as JSON lines, and returns an exit
 * code.  `seconds` is how long each row is measured. */
#ifndef REFEREE_BENCH_H
#define REFEREE_BENCH_H

#include <stdbool.h>

struct bench {
	double seconds;
	bool json;
	unsigned
		tables; /* for turns: the number of tables; 0: 1, 8, 64 and 512 */
};

/* Measures turns of the whole referee beside bare ping-pong (bench-turns.c). */
int bench_turns(const struct bench *bench);
/* Measures decisions of the games alone (bench-engine.c). */
int bench_engine(const struct bench *bench);
/* Measures starts of programs, bare and in a sandbox (bench-start.c). */
int bench_start(const struct bench *bench);
/* Measures results rated (bench-ladder.c). */
int bench_ladder(const struct bench *bench);

/* Plays the instant bot on standard input and output until the end of file
 * (bench-bot.c). */
int bench_bot(void);

/* Measures bare ping-pong (bench-pingpong.c): a process writes `ask_bytes` and
 * waits for `answer_bytes`, which another sends.  With `children` > 1 one epoll
 * loop serves that many.  With `programs` the children are instant bots in
 * programs of their own, as in a match, not forks.  Returns round trips a
 * second, or -1 and errno. */
double bench_pingpong(unsigned children, bool programs, unsigned ask_bytes,
		      unsigned answer_bytes, double seconds);

#endif
