/* referee/spawner/spawner-process.h - the spawner itself. */
#ifndef REFEREE_SPAWNER_PROCESS_H
#define REFEREE_SPAWNER_PROCESS_H

/* Is the spawner, talking over `fd` (spawner-message.h), in the process that was
 * forked for it. */
_Noreturn void spawner_process(int fd);

#endif
