/* referee/runner/participant.h - a bot as a scheduler sees it, wherever its
 * program runs: a remote bot (remote-bot.h) or a local bot (local-bot.h).
 *
 * A scheduler knows nothing else about a bot. */
#ifndef REFEREE_PARTICIPANT_H
#define REFEREE_PARTICIPANT_H

#include <stdbool.h>

#include "protocol/limits.h"

/* The number of a bot's earlier versions that may give it a rating. */
#define PARTICIPANT_BEFORE 8

struct bot;
struct job;
struct participant;

struct participant_ops {
	/* Returns how many more games it could begin now. */
	unsigned (*room)(const struct participant *participant);
	/* Fills in job->seat[seat] for its program.  The strings live as long
	 * as the participant.  NULL: its bots live in this process; use
	 * begin(). */
	void (*seat)(struct participant *participant, struct job *job,
		     unsigned seat);
	/* Returns its bot for game `id`, which frees itself as every bot does
	 * (bot.h). */
	struct bot *(*begin)(struct participant *participant, const char *id);
	/* Returns true if it answers `entropy?`. */
	bool (*entropy)(const struct participant *participant);
};

struct participant {
	const struct participant_ops *ops;
	/* The bot's first name, the same for all its versions. */
	char bot[NAME_BYTES + 1];
	/* The bot's name in records and ladders. */
	char stands_as[NAME_BYTES + 1];
	/* The names of the bot's earlier versions, the latest first; ends with
	 * "". */
	char before[PARTICIPANT_BEFORE][NAME_BYTES + 1];
	/* The bot's owner, or "".  A scheduler may keep bots of one owner
	 * apart. */
	char owner[NAME_BYTES + 1];
};

#endif
