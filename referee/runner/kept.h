/* referee/runner/kept.h - makes the writer's task from a job's result. */
#ifndef REFEREE_KEPT_H
#define REFEREE_KEPT_H

#include <stdint.h>

#include "referee/records/writer.h"
#include "referee/runner/job.h"

/* Fills in the writer's task: the record, and what a ladder rates.  `number`
 * names the file if there is no ladder.  Moves the header out of the result.
 * The setup, the body and the asks are borrowed until the task is done. */
void kept_task(const struct table_setup *setup, struct job_result *result,
	       uint64_t number, struct writer_task *task);

#endif
