/* referee/queue/coordinator-bots.c - bots on their way into the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/import/pack.h"
#include "referee/queue/coordinator-inside.h"

static struct bot_there *
find_bot(const struct coordinator *coordinator, const char *hash)
{
	struct bot_there *bot = coordinator->bots;

	while (bot != NULL && strcmp(bot->hash, hash) != 0)
		bot = bot->next;
	return bot;
}

/* A connection that is lost is up() again some time, which asks again. */
static void
on_bot_added(void *arg, const struct pg_answer *answer)
{
	struct bot_there *bot = arg;

	bot->busy = false;
	text_release(&bot->pack);
	if (answer->outcome == PG_REFUSED)
		orders_park(bot->coordinator, bot, answer->why, false);
	if (answer->outcome != PG_DONE)
		return;
	bot->there = true;
	coordinator_send(bot->coordinator);
}

static void
pack_bot(struct worker_thread_job *job)
{
	struct bot_there *bot = (struct bot_there *)job;

	bot->packed = import_pack(bot->coordinator->data, bot->hash, &bot->pack,
				  &bot->why) == 0;
}

static void
on_packed(struct worker_thread_job *job, bool read)
{
	struct bot_there *bot = (struct bot_there *)job;

	bot->busy = false;
	if (!read || !bot->coordinator->begun)
		return;
	if (!bot->packed) {
		orders_park(bot->coordinator, bot, bot->why.text, true);
		return;
	}
	bot->busy = true;
	pg_ask(bot->coordinator->pg, on_bot_added, bot,
	       "INSERT INTO referee.bot (hash, name, archive) "
	       "VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
	       "ssb", bot->hash, bot->name, bot->pack.bytes, bot->pack.used);
}

static void
on_bot_looked(void *arg, const struct pg_answer *answer)
{
	struct bot_there *bot = arg;

	bot->busy = false;
	if (answer->outcome == PG_REFUSED)
		orders_park(bot->coordinator, bot, answer->why, false);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_rows(answer) > 0) {
		bot->there = true;
		coordinator_send(bot->coordinator);
		return;
	}
	bot->busy = true;
	text_release(&bot->pack);
	text_init(&bot->pack, BOT_PACK_BYTES);
	bot->waits.read = pack_bot;
	bot->waits.done = on_packed;
	worker_thread_ask(bot->coordinator->threads, &bot->waits);
}

bool
bot_is_there(struct coordinator *coordinator, const char *hash,
	     const char *name)
{
	struct bot_there *bot = find_bot(coordinator, hash);

	if (bot == NULL) {
		bot = zeroed(1, sizeof(*bot));
		bot->coordinator = coordinator;
		snprintf(bot->hash, sizeof(bot->hash), "%s", hash);
		snprintf(bot->name, sizeof(bot->name), "%s", name);
		bot->next = coordinator->bots;
		coordinator->bots = bot;
	}
	if (bot->there || bot->busy)
		return bot->there;
	bot->busy = true;
	pg_ask(coordinator->pg, on_bot_looked, bot,
	       "SELECT 1 FROM referee.bot WHERE hash = $1", "s", hash);
	return false;
}

void
bots_free(struct coordinator *coordinator)
{
	struct bot_there *bot;

	while ((bot = coordinator->bots) != NULL) {
		coordinator->bots = bot->next;
		text_release(&bot->pack);
		free(bot);
	}
}
