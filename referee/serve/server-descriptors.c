/* referee/serve/server-descriptors.c - raises the limit of open files to the
 * number that may be needed. */
#include <sys/resource.h>

#include "referee/serve/server.h"

/* Descriptors apart from connections: ladders, records, listeners, … */
#define DESCRIPTORS_OWN 1024
/* Descriptors of a bot that plays here. */
#define DESCRIPTORS_BOT 3

int
server_raise_descriptors(const struct config *config, struct error *why)
{
	const rlim_t need = config->limits.connections + SERVE_PAGES +
			    config->limits.watchers + DESCRIPTORS_OWN +
			    config->locals.games * SEATS_MAX * DESCRIPTORS_BOT;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot read the limit of open files: %m");
	if (limit.rlim_cur >= need)
		return 0;
	if (limit.rlim_max < need)
		return error_set(
			why, ERROR_INPUT,
			"%s, %s and %s of local bots need %llu open files, but "
			"this process may open %llu; allow fewer connections, "
			"watchers or games, or more files",
			counted(config->limits.connections, "connection").text,
			counted(config->limits.watchers, "watcher").text,
			counted(config->locals.games, "game").text,
			(unsigned long long)need,
			(unsigned long long)limit.rlim_max);
	limit.rlim_cur = need;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "cannot raise the limit of open files: %m");
}
