/* referee/net/sitter-guest.c - a guest as one that a scheduler seats. */
#include "referee/table/bot.h"
#include "referee/net/guest.h"

/* These are called for guests alone. */
static struct guest *
own(const struct sitter *sitter)
{
	return (struct guest *)((char *)(uintptr_t)sitter -
				offsetof(struct guest, sitter));
}

static unsigned
room(const struct sitter *sitter)
{
	const struct guest *guest = own(sitter);

	if (!guest->here || guest->quitting || guest->games >= guest->games_max)
		return 0;
	return guest->games_max - guest->games;
}

/* Its connection is what can fail, and that is the guest's own. */
static struct bot *
begin(struct sitter *sitter, const char *id)
{
	return bot_remote_new(own(sitter), id);
}

static bool
entropy(const struct sitter *sitter)
{
	return own(sitter)->entropy;
}

const struct sitter_ops guest_sitter_ops = {
	.room = room,
	.begin = begin,
	.entropy = entropy,
};

struct guest *
sitter_guest(const struct sitter *sitter)
{
	if (sitter->ops != &guest_sitter_ops)
		return NULL;
	return own(sitter);
}
