/* referee/scheduler/scheduler-heirs.c - see scheduler-heirs.h. */
#include "referee/scheduler/scheduler-heirs.h"

/* Returns true if the bot has a rating here.  A bot whose first game still runs
 * has none: if that game ended after the heir's, the heir would enter with the
 * rating of an unknown bot. */
static bool
is_rated(const struct pairing *pairing, const char *name,
	 struct pairing_bot_view *view)
{
	const int bot = pairing_find(pairing, name);

	if (bot < 0)
		return false;
	pairing_view(pairing, bot, view);
	return view->games > view->playing;
}

const char *
scheduler_heir_of(const struct pairing *pairing,
		  const struct scheduler_ladder *ladder,
		  const struct participant *participant)
{
	struct pairing_bot_view view;
	const char *name;
	int64_t milli;

	for (unsigned i = 0; i < PARTICIPANT_BEFORE; i++) {
		name = participant->before[i];
		if (*name == '\0')
			break;
		if (is_rated(pairing, name, &view) ||
		    scheduler_ladder_enters(ladder, name, &milli))
			return name;
	}
	return NULL;
}

int64_t
scheduler_heir_milli(const struct pairing *pairing,
		     const struct scheduler_ladder *ladder,
		     const struct participant *participant, int64_t start_milli)
{
	const char *heir_of = scheduler_heir_of(pairing, ladder, participant);
	struct pairing_bot_view view;
	int64_t milli = start_milli;

	/* ladder_follow() computes the same rating. */
	if (scheduler_ladder_enters(ladder, participant->stands_as, &milli) ||
	    heir_of == NULL)
		return milli;
	if (is_rated(pairing, heir_of, &view))
		return view.rating_milli;
	(void)scheduler_ladder_enters(ladder, heir_of, &milli);
	return milli;
}

void
scheduler_heir_fit(struct pairing *pairing,
		   const struct scheduler_ladder *ladder,
		   const struct participant *participant, int bot)
{
	struct pairing_bot_view view;
	const char *heir_of;
	int heir;

	pairing_view(pairing, bot, &view);
	if (view.fitted)
		return;
	heir_of = scheduler_heir_of(pairing, ladder, participant);
	heir = heir_of == NULL ? -1 : pairing_find(pairing, heir_of);
	if (heir < 0)
		return;
	pairing_view(pairing, heir, &view);
	if (view.fitted)
		pairing_fit(pairing, bot, view.fit_milli);
}
