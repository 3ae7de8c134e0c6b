/* referee/remote/participant-remote-bot.c - shows a remote bot to schedulers as
 * a participant. */
#include "referee/remote/remote-bot.h"
#include "referee/table/bot.h"

/* These functions are called for remote bots only. */
static struct remote_bot *
own(const struct participant *participant)
{
	return (struct remote_bot *)((char *)(uintptr_t)participant -
				     offsetof(struct remote_bot, participant));
}

static unsigned
room(const struct participant *participant)
{
	const struct remote_bot *remote = own(participant);

	if (!remote->here || remote->quitting || remote->ending[0] != '\0' ||
	    remote->games >= remote->games_max)
		return 0;
	return remote->games_max - remote->games;
}

/* Only its connection can fail, and the remote bot handles that. */
static struct bot *
begin(struct participant *participant, const char *id)
{
	return remote_game_new(own(participant), id);
}

static bool
entropy(const struct participant *participant)
{
	return own(participant)->entropy;
}

const struct participant_ops remote_bot_participant_ops = {
	.room = room,
	.begin = begin,
	.entropy = entropy,
};

struct remote_bot *
participant_remote_bot(const struct participant *participant)
{
	if (participant->ops != &remote_bot_participant_ops)
		return NULL;
	return own(participant);
}
