/* referee/queue/figures.c - see figures.h. */
#include "referee/queue/figures.h"

#include <string.h>

/* Copies a string.  If it is too long, it is cut between two characters. */
static void
copy(char *to, size_t size, const char *from, size_t n)
{
	if (n >= size) {
		n = size - 1;
		while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(to, from, n);
	to[n] = '\0';
}

#define COPY(to, row, column) copy_text(answer, row, column, to, sizeof(to))

static void
copy_text(const struct pg_answer *answer, unsigned row, unsigned column,
	  char *to, size_t size)
{
	const char *text = pg_string(answer, row, column);

	copy(to, size, text, strlen(text));
}

void
figures_read(const struct pg_answer *answer, struct queue_figures *to)
{
	*to = (struct queue_figures){
		.up = true,
		.version = pg_number(answer, 0, 0),
		.epoch = pg_number(answer, 0, 1),
		.taken = pg_number(answer, 0, 4),
		.at = pg_number(answer, 0, 5),
		.waiting = pg_number(answer, 0, 6),
		.claimed = pg_number(answer, 0, 7),
		.reported = pg_number(answer, 0, 8),
		.parked = pg_number(answer, 0, 9),
		.verdicts = pg_number(answer, 0, 10),
		.oldest_s = pg_number(answer, 0, 11),
		.workers = pg_number(answer, 0, 12),
		.suspended = pg_number(answer, 0, 13),
		.recent = pg_number(answer, 0, 14),
		.recent_s = pg_real(answer, 0, 15),
		.lag_median_s = pg_real(answer, 0, 16),
		.lag_worst_s = pg_real(answer, 0, 17),
	};
	COPY(to->holder, 0, 2);
	COPY(to->key, 0, 3);
}

void
parked_read(const struct pg_answer *answer, unsigned row, struct queue_job *to)
{
	struct pg_piece name[SEATS_MAX];
	unsigned n = pg_list(answer, row, 5, name, SEATS_MAX);

	*to = (struct queue_job){ .job = pg_number(answer, row, 0),
				  .losses = pg_number(answer, row, 3),
				  .made = pg_number(answer, row, 6),
				  .seats = n < SEATS_MAX ? n : SEATS_MAX };
	COPY(to->ladder, row, 1);
	COPY(to->game, row, 2);
	COPY(to->why, row, 4);
	COPY(to->unbuilt, row, 7);
	for (unsigned s = 0; s < to->seats; s++)
		if (name[s].bytes != NULL)
			copy(to->name[s], sizeof(to->name[s]), name[s].bytes,
			     name[s].n);
}

void
worker_read(const struct pg_answer *answer, unsigned row,
	    struct queue_worker *to)
{
	*to = (struct queue_worker){
		.cores = pg_number(answer, row, 4),
		.speed = pg_real(answer, row, 5),
		.seen_s = pg_number(answer, row, 6),
		.jobs = pg_number(answer, row, 7),
		.hour = pg_number(answer, row, 8),
		.suspended = pg_number(answer, row, 9) != 0,
	};
	COPY(to->name, row, 0);
	COPY(to->class, row, 1);
	COPY(to->version, row, 2);
	COPY(to->processor, row, 3);
	COPY(to->why, row, 10);
}
