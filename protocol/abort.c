/* protocol/abort.c - see abort.h. */
#include "protocol/abort.h"

#include "protocol/util.h"

const char *
abort_name(enum abort_word word)
{
	static const char *const name[ABORT_WORDS] = {
#define ABORT_NAME(name, word) [ABORT_##name] = (word),
		ABORT_LIST(ABORT_NAME)
#undef ABORT_NAME
	};

	if (word == ABORT_NONE)
		bug("a game that was not aborted has no word for it");
	return name[word];
}
