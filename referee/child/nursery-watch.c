/* referee/child/nursery-watch.c - one pass over /proc for all bots. */
#include "referee/child/nursery-watch.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "referee/child/nursery-box.h"
#include "referee/child/process-memory.h"

bool
nursery_look(nursery_finder *find, void *arg, bool fair)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	struct boxed *boxed;
	bool can = proc != NULL;
	pid_t session;

	while (can && (entry = readdir(proc)) != NULL) {
		session = getsid((pid_t)strtol(entry->d_name, NULL, 10));
		/* What is no number is 0: ourselves, and no bot. */
		boxed = session <= 0 ? NULL : find(arg, session);
		if (boxed != NULL)
			can = process_memory(entry->d_name, fair,
					     &boxed->seen_kib);
	}
	if (proc != NULL)
		closedir(proc);
	return can;
}
