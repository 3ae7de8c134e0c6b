/* referee/net/participant-guest.c - a guest as one that a scheduler seats. */
#include "referee/table/bot.h"
#include "referee/net/guest.h"

/* These are called for guests alone. */
static struct guest *
own(const struct participant *participant)
{
	return (struct guest *)((char *)(uintptr_t)participant -
				offsetof(struct guest, participant));
}

static unsigned
room(const struct participant *participant)
{
	const struct guest *guest = own(participant);

	if (!guest->here || guest->quitting || guest->games >= guest->games_max)
		return 0;
	return guest->games_max - guest->games;
}

/* Its connection is what can fail, and that is the guest's own. */
static struct bot *
begin(struct participant *participant, const char *id)
{
	return bot_remote_new(own(participant), id);
}

static bool
entropy(const struct participant *participant)
{
	return own(participant)->entropy;
}

const struct participant_ops guest_participant_ops = {
	.room = room,
	.begin = begin,
	.entropy = entropy,
};

struct guest *
participant_guest(const struct participant *participant)
{
	if (participant->ops != &guest_participant_ops)
		return NULL;
	return own(participant);
}
