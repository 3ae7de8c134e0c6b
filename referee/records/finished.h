/* referee/records/finished.h - a finished game on its way from its table to the
 * writer. */
#ifndef REFEREE_FINISHED_H
#define REFEREE_FINISHED_H

#include <stdint.h>

#include "referee/table/table.h"
#include "referee/records/writer.h"

/* Fills in the job of a table whose game is over: its record and what a ladder
 * rates.  `number` names the file where there is no ladder.  The header is the
 * job's owner's: text_release() when the job is done. */
void finished_job(const struct table *table,
		  const struct table_outcome *outcome, uint64_t number,
		  struct writer_job *job);

#endif
