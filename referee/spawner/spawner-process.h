/* referee/spawner/spawner-process.h - the spawner itself. */
#ifndef REFEREE_SPAWNER_PROCESS_H
#define REFEREE_SPAWNER_PROCESS_H

#include <sys/types.h>

/* Runs the spawner in the process that was forked for it.  It talks over `fd`
 * (spawner-message.h).  `above` is that of spawner_new_below(). */
_Noreturn void spawner_process(int fd, pid_t above);

#endif
