/* tests/world/author.c - see author.h. */
#include "tests/world/author.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/gzip.h"
#include "protocol/text.h"
#include "tests/world/bots.h"
#include "tests/world/talk.h"
#include "tests/world/world-disk.h"

/* So many of 1000 uploads. */
#define BUILDS 100 /* without a box they are refused */
#define GARBAGE 100
#define WRONG_TOKENS 50
#define CUTS 100
#define TRIALS 150
#define ENTERS 80
#define BACKS 120
#define TRIAL_GAMES 20
#define VERSIONS 5

#define TAR_BLOCK 512
#define ANSWER_BYTES 16384
#define ANSWER_US 120000000
#define DAY_S 86400

struct author {
	struct author_setup setup; /* strings owned */
	uint64_t number, uploads;
	struct dice dice;
	struct talk talk;
	bool connected;
	int64_t day;	/* on which it was sent */
	bool counts;	/* as an upload */
	unsigned games; /* of the trial that it asks for */
	struct text answer;
	struct timer next, late;
};

static uint64_t begun;
static bool stopping;
struct authors_counts authors_counts;

/* ---- archives --------------------------------------------------------- */

/* Adds a file to an archive in the format of POSIX (ustar). */
static void
add_file(struct text *tar, const char *name, const char *bytes)
{
	unsigned char head[TAR_BLOCK] = { 0 };
	const size_t n = strlen(bytes);
	static const char nothing[TAR_BLOCK];
	unsigned sum = 0;

	snprintf((char *)head, 100, "%s", name);
	snprintf((char *)head + 100, 8, "%07o", 0644U);
	snprintf((char *)head + 108, 8, "%07o", 0U);
	snprintf((char *)head + 116, 8, "%07o", 0U);
	snprintf((char *)head + 124, 12, "%011o", (unsigned)n);
	snprintf((char *)head + 136, 12, "%011o", 0U);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257,
	       "ustar\0"
	       "00",
	       8);
	for (size_t i = 0; i < sizeof(head); i++)
		sum += head[i];
	snprintf((char *)head + 148, 8, "%06o", sum);
	text_add(tar, head, sizeof(head));
	text_add(tar, bytes, n);
	text_add(tar, nothing, (TAR_BLOCK - n % TAR_BLOCK) % TAR_BLOCK);
}

static void
write_manifest(struct author *author, struct text *to)
{
	static const char *const outcomes[] = { "ok", "ok", "fail", "full",
						"lie" };
	const uint64_t nature = dice_draw(&author->dice, 2 * NATURE_COUNT);

	text_fmt(to,
		 "name = \"%s\"\nversion = \"%" PRIu64 "\"\n"
		 "run = { \"sh\", \"world-bot\", \"%s\" }\n",
		 author->setup.name, author->uploads,
		 nature_names[nature < NATURE_COUNT ? nature : NATURE_HONEST]);
	if (dice_often(&author->dice, BUILDS))
		text_fmt(to, "build = { \"sh\", \"world-build\", \"%s\" }\n",
			 outcomes[dice_draw(&author->dice, NELEM(outcomes))]);
}

static void
make_archive(struct author *author, struct text *to)
{
	static const char nothing[2 * TAR_BLOCK];
	struct text manifest = { .max = SIZE_MAX }, tar = { .max = SIZE_MAX };

	write_manifest(author, &manifest);
	add_file(&tar, "bot.conf", text_string(&manifest));
	add_file(&tar, "bot.py", "print('no rhyme')\n");
	text_add(&tar, nothing, sizeof(nothing));
	if (!gzip_all(to, tar.bytes, tar.used))
		world_broken("an archive cannot be packed");
	/* A byte in its middle is another one. */
	if (dice_often(&author->dice, GARBAGE))
		to->bytes[to->used / 2] ^= 0x55;
	text_release(&manifest);
	text_release(&tar);
}

/* ---- the conversation ------------------------------------------------- */

static void
disconnect(struct author *author)
{
	timer_stop(&author->late);
	if (author->connected)
		talk_release(&author->talk);
	author->connected = false;
	text_clear(&author->answer);
	timer_after(&author->next,
		    dice_delay_us(&author->dice, author->setup.each_us));
}

static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct author *author = arg;

	text_add(&author->answer, bytes, n);
}

/* The daemon closes the connection behind its answer. */
static void
on_ended(void *arg)
{
	struct author *author = arg;
	unsigned status = 0;

	if (sscanf(text_string(&author->answer), "HTTP/1.1 %u ", &status) != 1)
		authors_counts.broken_off++;
	else if (status / 100 == 2)
		authors_counts.taken++;
	else
		authors_counts.refused++;
	world_trace("the author of %s is answered %u", author->setup.name,
		    status);
	if (status == 0 && !stopping && author->talk.until_cut > 0)
		world_broken("an upload of %s is not answered",
			     author->setup.name);
	/* check-rules.c reads it.  One that the roster cannot count is taken, too. */
	if (status / 100 == 2 && author->counts &&
	    author->setup.owner[0] != '\0' &&
	    author->day == clock_seconds() / DAY_S && !world_disk_failed()) {
		world_trace("taken upload of %s on day %" PRId64,
			    author->setup.owner, author->day);
		if (author->games > 0)
			world_trace("taken trial of %s on day %" PRId64
				    ": %u games",
				    author->setup.owner, author->day,
				    author->games);
	}
	if (status >= 500 && status != 503 && status != 507)
		world_broken("an upload of %s is answered %u",
			     author->setup.name, status);
	disconnect(author);
}

static void
on_late(void *arg)
{
	const struct author *author = arg;

	if (!stopping && author->talk.until_cut > 0)
		world_broken("an upload of %s has no answer",
			     author->setup.name);
}

void
authors_stop(void)
{
	stopping = true;
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

/* Draws what the author asks for: writes what stands behind the path of the bot, and
 * returns true if an archive comes with it. */
static bool
draw_wish(struct author *author, struct text *to)
{
	const uint64_t drawn = dice_draw(&author->dice, 1000);
	const char *does = "uploads";

	author->counts = true;
	author->games = 0;
	text_string(to);
	if (drawn < TRIALS) {
		does = "has a trial";
		author->games =
			1 + (unsigned)dice_draw(&author->dice, TRIAL_GAMES);
		text_fmt(to, "/trial?ladder=%s&games=%u%s",
			 author->setup.ladder, author->games,
			 dice_often(&author->dice, 500) ? "&against=random"
							: "");
	} else if (drawn < TRIALS + ENTERS) {
		does = "enters its trial";
		author->counts = false;
		text_str(to, "/trial/entered");
	} else if (drawn < TRIALS + ENTERS + BACKS) {
		does = "goes back";
		text_fmt(to, "/version?number=%u",
			 1 + (unsigned)dice_draw(&author->dice, VERSIONS));
	}
	/* check.c and check-allowed.c read it. */
	world_trace("the author of %s %s", author->setup.name, does);
	return to->used == 0 || author->games > 0;
}

static void
say_request(struct author *author)
{
	struct text archive = { .max = SIZE_MAX }, text = { .max = SIZE_MAX };
	struct text wish = { .max = SIZE_MAX };
	const bool wrong = dice_often(&author->dice, WRONG_TOKENS);

	author->day = clock_seconds() / DAY_S;
	timer_after(&author->late, ANSWER_US);
	author->uploads++;
	authors_counts.uploads++;
	if (draw_wish(author, &wish))
		make_archive(author, &archive);
	text_fmt(&text,
		 "PUT /bots/%s%s HTTP/1.1\r\nHost: localhost\r\nX-Bot: %s\r\n"
		 "Authorization: Bearer %s%s\r\nContent-Length: %zu\r\n"
		 "Connection: close\r\n\r\n",
		 author->setup.name, text_string(&wish), author->setup.name,
		 author->setup.token, wrong ? "x" : "", archive.used);
	if (archive.used > 0)
		text_add(&text, archive.bytes, archive.used);
	if (dice_often(&author->dice, CUTS))
		talk_cut_after(&author->talk,
			       (size_t)dice_draw(&author->dice, text.used));
	talk_say(&author->talk, text.bytes, text.used);
	text_release(&text);
	text_release(&wish);
	text_release(&archive);
}

static void
on_next(void *arg)
{
	struct author *author = arg;
	const int fd = world_connect(author->setup.port, author->setup.address);

	if (fd < 0) {
		timer_after(
			&author->next,
			dice_delay_us(&author->dice, author->setup.each_us));
		return;
	}
	author->connected = true;
	talk_init(
		&author->talk, fd, fd,
		dice_of("author-talk", author->number << 32 | author->uploads),
		&talk_calls, author);
	say_request(author);
}

void
author_begin(const struct author_setup *setup)
{
	struct author *author = zeroed(1, sizeof(*author));

	author->setup = *setup;
	author->setup.name = copied(setup->name);
	author->setup.token = copied(setup->token);
	author->setup.owner = copied(setup->owner);
	author->setup.ladder = copied(setup->ladder);
	author->number = ++begun;
	author->dice = dice_of("author", author->number);
	author->answer.max = ANSWER_BYTES;
	timer_init(&author->next, &world_timers, on_next, author);
	timer_init(&author->late, &world_timers, on_late, author);
	timer_after(&author->next,
		    dice_delay_us(&author->dice, setup->each_us));
}
