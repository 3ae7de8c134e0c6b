/* referee/runner/participant.h - what a scheduler seats, wherever its program runs: a
 * remote bot (remote-bot.h), or a bot that lives on this machine (local-bot.h).
 *
 * A scheduler knows no more of it than this. */
#ifndef REFEREE_PARTICIPANT_H
#define REFEREE_PARTICIPANT_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/util.h"

/* Earlier entries of one bot that are looked at for its rating. */
#define PARTICIPANT_BEFORE 8

struct bot;
struct job;
struct participant;

struct participant_ops {
	/* How many more games it could begin now. */
	unsigned (*room)(const struct participant *participant);
	/* Its program takes this seat of a job, which is played next: fills in
	 * job->seat[], from what lives as long as the participant.  NULL: its
	 * bots are of this process, by begin(). */
	void (*seat)(struct participant *participant, struct job *job,
		     unsigned seat);
	/* Its bot in game `id`, which is freed as every bot is (bot.h). */
	struct bot *(*begin)(struct participant *participant, const char *id);
	/* Whether it answers `entropy?`. */
	bool (*entropy)(const struct participant *participant);
};

struct participant {
	const struct participant_ops *ops;
	/* What the bot was called first, in all versions. */
	char bot[NAME_BYTES + 1];
	/* What records and ladders call it. */
	char stands_as[NAME_BYTES + 1];
	/* What they call the same bot's versions before this one, the latest
	 * first; "" ends. */
	char before[PARTICIPANT_BEFORE][NAME_BYTES + 1];
	/* Who answers for the bot, or "": bots of one owner may be kept apart.
	 */
	char owner[NAME_BYTES + 1];
};

#endif
