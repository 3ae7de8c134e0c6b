/* tests/world/talk.c - see talk.h. */
#include "tests/world/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes that one look takes. */
#define READ_BYTES 4096
/* So many of 1000 times what is said is cut, and a look takes a few bytes alone. */
#define CUTS 60
#define SMALL_LOOKS 30
/* Until it is tried again when the other side does not read. */
#define FULL_US 2000

/* Counts bytes until the line is cut. */
static void
count(struct talk *talk, size_t bytes)
{
	if (talk->until_cut == SIZE_MAX)
		return;
	talk->until_cut -= bytes;
	if (talk->until_cut > 0)
		return;
	talk_deafen(talk);
	timer_after(&talk->cut, 0);
}

static struct talk *talks;

static void
on_readable(void *arg)
{
	struct talk *talk = arg;
	char bytes[READ_BYTES];
	size_t most = dice_often(&talk->dice, SMALL_LOOKS)
			      ? 1 + (size_t)dice_draw(&talk->dice, 16)
			      : sizeof(bytes);
	ssize_t n;

	if (most > talk->until_cut)
		most = talk->until_cut;
	n = read(talk->in, bytes, most);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		talk_close_in(talk);
		talk->calls->ended(talk->arg);
		return;
	}
	count(talk, (size_t)n);
	talk->calls->heard(talk->arg, bytes, (size_t)n);
}

/* Returns how many of the bytes that wait leave now. */
static size_t
draw_piece(struct talk *talk)
{
	size_t n = talk->waiting.used - talk->left;

	if (n > 1 && dice_often(&talk->dice, CUTS) && !talk->whole)
		n = 1 + (size_t)dice_draw(&talk->dice, n - 1);
	return n < talk->until_cut ? n : talk->until_cut;
}

/* Writes a piece.  Returns how many bytes have left; -1: the line is dead. */
static ssize_t
write_piece(struct talk *talk, size_t n)
{
	const char *from = talk->waiting.bytes + talk->left;
	ssize_t gone = talk->in == talk->out
			       ? send(talk->out, from, n, MSG_NOSIGNAL)
			       : write(talk->out, from, n);

	if (gone < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return gone;
}

static void
on_piece(void *arg)
{
	struct talk *talk = arg;
	const size_t n = draw_piece(talk);
	ssize_t gone;

	if (talk->out < 0 || n == 0 || talk->held)
		return;
	gone = write_piece(talk, n);
	if (gone < 0) {
		/* The other side may have said something before. */
		talk_close_out(talk);
		return;
	}
	talk->left += (size_t)gone;
	count(talk, (size_t)gone);
	if (talk->left == talk->waiting.used) {
		text_clear(&talk->waiting);
		talk->left = 0;
	} else {
		timer_after(&talk->piece,
			    dice_delay_us(&talk->dice,
					  (size_t)gone < n ? FULL_US
							   : TALK_PIECE_US));
	}
}

static void
on_cut(void *arg)
{
	struct talk *talk = arg;

	talk_close_out(talk);
	talk_close_in(talk);
	talk->calls->ended(talk->arg);
}

void
talk_init(struct talk *talk, int in, int out, struct dice dice,
	  const struct talk_calls *calls, void *arg)
{
	*talk = (struct talk){ .in = in,
			       .out = out,
			       .dice = dice,
			       .waiting = { .max = TALK_BYTES },
			       .until_cut = SIZE_MAX,
			       .calls = calls,
			       .arg = arg };
	LIST_PUT(talks, talk);
	timer_init(&talk->piece, &world_timers, on_piece, talk);
	timer_init(&talk->cut, &world_timers, on_cut, talk);
	if (in >= 0)
		fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	if (out >= 0)
		fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
	talk_listen(talk);
}

void
talk_release(struct talk *talk)
{
	talk_close_out(talk);
	talk_close_in(talk);
	timer_stop(&talk->cut);
	text_release(&talk->waiting);
	if (talk->prev != NULL)
		LIST_CUT(talk);
	talk->prev = NULL;
}

void
talks_close(void)
{
	struct talk *talk;

	for (talk = talks; talk != NULL; talk = talk->next) {
		talk_close_out(talk);
		talk_close_in(talk);
		timer_stop(&talk->cut);
	}
}

void
talk_say(struct talk *talk, const char *bytes, size_t n)
{
	if (talk->out < 0)
		return;
	text_add(&talk->waiting, bytes, n);
	if (!timer_runs(&talk->piece))
		on_piece(talk);
}

void
talk_cut_after(struct talk *talk, size_t bytes)
{
	talk->until_cut = bytes;
	count(talk, 0);
}

void
talk_deafen(struct talk *talk)
{
	world_forget(talk->watch);
	talk->watch = NULL;
}

void
talk_listen(struct talk *talk)
{
	if (talk->in >= 0 && talk->watch == NULL && talk->until_cut > 0)
		talk->watch = world_watch(talk->in, on_readable, talk);
}

void
talk_hold(struct talk *talk, bool held)
{
	talk->held = held;
	if (held) {
		talk_deafen(talk);
		return;
	}
	talk_listen(talk);
	if (talk->waiting.used > 0 && !timer_runs(&talk->piece))
		on_piece(talk);
}

void
talk_close_in(struct talk *talk)
{
	talk_deafen(talk);
	if (talk->in >= 0 && talk->in == talk->out)
		shutdown(talk->in, SHUT_RD);
	else if (talk->in >= 0)
		close(talk->in);
	talk->in = -1;
}

void
talk_close_out(struct talk *talk)
{
	timer_stop(&talk->piece);
	text_clear(&talk->waiting);
	talk->left = 0;
	if (talk->out >= 0 && talk->in == talk->out)
		shutdown(talk->out, SHUT_WR);
	else if (talk->out >= 0)
		close(talk->out);
	talk->out = -1;
}
