/* tests/bench/fit-many.c - how long a fit of many bots takes, and how much
 * memory.
 *
 *	fit-many [BOTS [GAMES [SEATS]]]		(10000 1000000 2)
 *
 * Strengths are normal with 200 points, places by Plackett and Luce, tables at
 * random.  Prints seconds of the processor, the process's peak of memory, and
 * how far the ratings are from the truth; best in a build without sanitizers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "ladder/fit.h"

static double
uniform(void)
{
	return drand48() + 0x1p-49;
}

static void
play(struct fit *fit, const double x[], unsigned bots, unsigned seats)
{
	unsigned bot[8], s, t;
	double time[8];
	int place[8];

	for (s = 0; s < seats; s++) {
		do {
			bot[s] = (unsigned)(drand48() * bots);
			for (t = 0; bot[t] != bot[s]; t++)
				;
		} while (t < s);
		time[s] = -log(uniform()) / exp(x[bot[s]]);
	}
	for (s = 0; s < seats; s++)
		for (t = 0, place[s] = 1; t < seats; t++)
			place[s] += time[t] < time[s];
	fit_game(fit, seats, bot, place, FIT_ALONE);
}

static double
error_of(const struct fit *fit, const double x[], double mean)
{
	const struct fit_row *row = fit_rows(fit);
	double sum = 0, one = 400 / log(10);
	unsigned b;

	for (b = 0; b < fit_bots(fit); b++)
		sum += pow(row[b].rating - 1500 - (x[row[b].bot] - mean) * one,
			   2);
	return sqrt(sum / fit_bots(fit));
}

int
main(int argc, char **argv)
{
	unsigned bots = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10000;
	unsigned games =
		argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000000;
	unsigned seats = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 2, i;
	double *x = memory(NULL, bots * sizeof(*x)), mean = 0;
	struct fit *fit = fit_new();
	struct rusage usage;
	struct error why;
	char name[16];
	clock_t begin;

	if (seats < 2 || seats > 8 || bots < seats) {
		fputs("fit-many [BOTS [GAMES [SEATS]]], 2 to 8 seats\n",
		      stderr);
		return 2;
	}
	for (i = 0; i < bots; i++) {
		snprintf(name, sizeof(name), "bot%u", i);
		fit_bot(fit, name);
		x[i] = sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform()) *
		       200 * log(10) / 400;
		mean += x[i] / bots;
	}
	for (i = 0; i < games; i++)
		play(fit, x, bots, seats);
	begin = clock();
	if (fit_solve(fit, true, &why) < 0) {
		fprintf(stderr, "fit-many: %s\n", why.text);
		return 1;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%u bots, %u games of %u: %.2f s, %ld MB, off by %.1f points\n",
	       bots, games, seats, (double)(clock() - begin) / CLOCKS_PER_SEC,
	       usage.ru_maxrss / 1024, error_of(fit, x, mean));
	fit_free(fit);
	free(x);
	return 0;
}
