/* instant-engine.c - a chess engine that answers at once, for beside-xboard.py.
 *
 *	instant-engine MOVES FILE
 *
 * It speaks the Chess Engine Communication Protocol, version 2.  It does not
 * think: both sides move a knight out and back.  After MOVES moves of the game,
 * its own and its opponent's, it appends a line to FILE and resigns: the number
 * of moves, the seconds that they took, and the seconds of processor time that
 * its parent and it have used meanwhile, its own counted twice for the two
 * engines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const dance[] = { "b1c3", "b8c6", "c3b1", "c6b8" };

struct moment {
	double clock;	  /* s */
	double processor; /* s, of parent and engines */
};

static double
seconds(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns the processor time of the parent in seconds, or 0. */
static double
of_parent(void)
{
	char path[64];
	double ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)getppid());
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%lf", &ns) != 1)
		ns = 0;
	fclose(file);
	return ns / 1e9;
}

static struct moment
now(void)
{
	return (struct moment){
		.clock = seconds(CLOCK_MONOTONIC),
		.processor =
			of_parent() + 2 * seconds(CLOCK_PROCESS_CPUTIME_ID),
	};
}

static void
report(const char *path, unsigned moves, struct moment begun)
{
	struct moment ended = now();
	FILE *file = fopen(path, "a");

	if (!file)
		return;
	fprintf(file, "%u %.6f %.6f\n", moves, ended.clock - begun.clock,
		ended.processor - begun.processor);
	fclose(file);
}

static int
begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

int
main(int argc, char **argv)
{
	struct moment begun = { 0, 0 };
	unsigned long last;
	unsigned moves = 0;
	int waits = 0, asked;
	char line[1024];

	if (argc != 3)
		return 2;
	last = strtoul(argv[1], NULL, 10);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		asked = 0;
		if (begins(line, "protover")) {
			puts("feature myname=\"instant\" ping=1 usermove=1 "
			     "sigint=0 "
			     "sigterm=0 reuse=1 analyze=0 colors=0 done=1");
		} else if (begins(line, "ping ")) {
			printf("pong %s", line + 5);
		} else if (begins(line, "new")) {
			moves = 0;
			waits = 0;
		} else if (begins(line, "force")) {
			waits = 1;
		} else if (begins(line, "quit")) {
			return 0;
		} else if (begins(line, "go")) {
			waits = 0;
			asked = 1;
		} else if (begins(line, "usermove")) {
			moves++;
			asked = !waits;
		}
		if (!asked)
			continue;
		if (moves < 2)
			begun = now();
		if (moves < last) {
			printf("move %s\n", dance[moves++ % 4]);
		} else {
			report(argv[2], moves, begun);
			puts("resign");
		}
	}
	return 0;
}
