/* referee/records/step.c - draws the game so far, reads a key, and goes on.
 *
 * The terminal is in a state of its own between enter() and leave().  The
 * handler of signals that end or stop the program leaves it, too, and calls
 * only async-signal-safe functions. */
#include "referee/records/step.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/hidden.h"
#include "referee/records/step-draw.h"

#define ENTER_SCREEN "\033[?1049h\033[?25l"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"

static struct termios before, during; /* for the handler of signals */

struct step {
	const struct replay *replay;
	struct replay_frames frames; /* frames of the view */
	unsigned at;		     /* the line shown last */
	int viewer;
	bool help; /* the help is shown until the next key */
};

/* ---- the terminal ------------------------------------------------------- */

/* Reading finds out if the terminal is gone. */
static void
put(const char *bytes, size_t n)
{
	(void)!file_write(STDOUT_FILENO, bytes, n);
}

static void
enter(void)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &during);
	put(ENTER_SCREEN, strlen(ENTER_SCREEN));
}

static void
leave(void)
{
	put(LEAVE_SCREEN, strlen(LEAVE_SCREEN));
	tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static void
on_end(int signal_number)
{
	leave();
	raise(signal_number); /* SA_RESETHAND: as if never caught */
}

static void
on_stop(int signal_number UNUSED)
{
	int saved = errno;

	leave();
	raise(SIGSTOP);
	enter();
	errno = saved;
}

static void
on_resize(int signal_number)
{
	(void)signal_number; /* ppoll() returns EINTR: redraw */
}

static const struct {
	int number;
	void (*handler)(int);
	int flags;
} handled[] = {
	{ SIGINT, on_end, (int)(SA_RESETHAND | SA_NODEFER) },
	{ SIGTERM, on_end, (int)(SA_RESETHAND | SA_NODEFER) },
	{ SIGHUP, on_end, (int)(SA_RESETHAND | SA_NODEFER) },
	{ SIGQUIT, on_end, (int)(SA_RESETHAND | SA_NODEFER) },
	{ SIGABRT, on_end, (int)(SA_RESETHAND | SA_NODEFER) },
	{ SIGTSTP, on_stop, 0 },
	{ SIGWINCH, on_resize, 0 },
};

/* Blocks the signals after which we redraw, so that they come only while we
 * wait for a key. */
static void
hold_drawing_signals(sigset_t *old_mask)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, old_mask);
}

static void
handle_signals(struct sigaction old[NELEM(handled)], sigset_t *old_mask)
{
	struct sigaction action;

	hold_drawing_signals(old_mask);
	for (size_t i = 0; i < NELEM(handled); i++) {
		memset(&action, 0, sizeof(action));
		sigemptyset(&action.sa_mask);
		action.sa_handler = handled[i].handler;
		action.sa_flags = handled[i].flags;
		sigaction(handled[i].number, &action, &old[i]);
	}
}

static void
handle_as_before(const struct sigaction old[NELEM(handled)],
		 const sigset_t *old_mask)
{
	sigprocmask(SIG_SETMASK, old_mask, NULL);
	for (size_t i = 0; i < NELEM(handled); i++)
		sigaction(handled[i].number, &old[i], NULL);
}

/* ---- moving ------------------------------------------------------------- */

/* Goes forward or back; both directions stop at the same lines. */
static void
go(struct step *step, int direction, unsigned marks)
{
	const int at = replay_frames_find(&step->frames, (int)step->at,
					  direction, marks);

	if (at >= 0)
		step->at = (unsigned)at;
}

/* Goes to the next line, or the one before, with standard error. */
static void
go_wrote(struct step *step, int direction, unsigned marks UNUSED)
{
	int at = (int)step->at;

	do
		at = replay_frames_find(&step->frames, at, direction, 0);
	while (at >= 0 && !step_wrote(&step->frames, (unsigned)at));
	if (at >= 0)
		step->at = (unsigned)at;
}

static void
go_far(struct step *step, int direction, unsigned marks UNUSED)
{
	step->at = direction < 0 ? 0 : step->replay->lines - 1;
	if (!replay_visible(&step->replay->line[step->at], step->viewer))
		go(step, -direction, 0);
}

/* Changes the view.  If it does not see the line, the one before it is shown. */
static void
view(struct step *step, int viewer)
{
	replay_frames_release(&step->frames);
	replay_frames_init(&step->frames, step->replay, viewer);
	step->viewer = viewer;
	if (!replay_visible(&step->replay->line[step->at], viewer))
		go(step, -1, 0);
}

/* Turns the view: all, the public, seat 0, 1, …, and all again. */
static void
turn_view(struct step *step, int direction, unsigned marks UNUSED)
{
	const int seats = (int)step->replay->record->seats;
	const int viewer = step->viewer + direction;

	view(step, viewer < VIEW_ALL ? seats - 1
		   : viewer < seats  ? viewer
				     : VIEW_ALL);
}

static void
show_help(struct step *step, int direction UNUSED, unsigned marks UNUSED)
{
	step->help = true;
}

/* ---- drawing ------------------------------------------------------------ */

/* Returns the size of the terminal.  On a serial line it may be 0 by 0; a page
 * needs a few rows. */
static struct winsize
window_size(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 4 ||
	    size.ws_col < 4)
		return (struct winsize){ .ws_row = 24, .ws_col = 80 };
	return size;
}

static void
draw(const struct step *step)
{
	const struct winsize size = window_size();
	struct canvas canvas;

	canvas_init(&canvas, size.ws_row, size.ws_col);
	text_str(&canvas.text, "\033[H\033[2J");
	if (step->help)
		step_draw_help(&canvas);
	else
		step_draw(&step->frames, step->at, &canvas);
	canvas.end = canvas.rows;
	canvas_go(&canvas, canvas.rows - 1);
	canvas_cut(&canvas, STYLE_REVERSE,
		   "n/b: line  j/k: move  r/R: round  g/G: ends  f: fault  "
		   "v: view  ?: help  q: quit");
	put(canvas.text.bytes, canvas.text.used);
	canvas_release(&canvas);
}

/* ---- keys --------------------------------------------------------------- */

static const struct {
	const char *bytes; /* what the terminal sends */
	void (*act)(struct step *step, int direction, unsigned marks);
	int direction;
	unsigned marks;
} keys[] = {
	{ "n", go, 1, 0 },
	{ " ", go, 1, 0 },
	{ "\r", go, 1, 0 },
	{ "\n", go, 1, 0 },
	{ "\033[C", go, 1, 0 },
	{ "\033OC", go, 1, 0 },
	{ "b", go, -1, 0 },
	{ "\177", go, -1, 0 },
	{ "\b", go, -1, 0 },
	{ "\033[D", go, -1, 0 },
	{ "\033OD", go, -1, 0 },
	{ "j", go, 1, MARK_MOVE },
	{ "\033[B", go, 1, MARK_MOVE },
	{ "\033OB", go, 1, MARK_MOVE },
	{ "k", go, -1, MARK_MOVE },
	{ "\033[A", go, -1, MARK_MOVE },
	{ "\033OA", go, -1, MARK_MOVE },
	{ "r", go, 1, MARK_ROUND },
	{ "\033[6~", go, 1, MARK_ROUND },
	{ "R", go, -1, MARK_ROUND },
	{ "\033[5~", go, -1, MARK_ROUND },
	{ "f", go, 1, MARK_FAULT },
	{ "e", go_wrote, 1, 0 },
	{ "E", go_wrote, -1, 0 },
	{ "g", go_far, -1, 0 },
	{ "\033[H", go_far, -1, 0 },
	{ "\033OH", go_far, -1, 0 },
	{ "\033[1~", go_far, -1, 0 },
	{ "G", go_far, 1, 0 },
	{ "\033[F", go_far, 1, 0 },
	{ "\033OF", go_far, 1, 0 },
	{ "\033[4~", go_far, 1, 0 },
	{ "v", turn_view, 1, 0 },
	{ "\t", turn_view, 1, 0 },
	{ "V", turn_view, -1, 0 },
	{ "?", show_help, 0, 0 },
	{ "h", show_help, 0, 0 },
};

/* Carries out the key at the front of `n` bytes.  Returns its bytes. */
static size_t
press(struct step *step, const char *bytes, size_t n)
{
	size_t length;

	step->help = false;
	for (size_t i = 0; i < NELEM(keys); i++) {
		length = strlen(keys[i].bytes);
		if (length > n || memcmp(bytes, keys[i].bytes, length) != 0)
			continue;
		keys[i].act(step, keys[i].direction, keys[i].marks);
		return length;
	}
	return 1;
}

/* Waits for keys and reads them like read().  Returns -1 with EINTR if the
 * screen needs a redraw. */
static ssize_t
wait_keys(char *bytes, size_t n)
{
	struct pollfd terminal = { .fd = STDIN_FILENO, .events = POLLIN };
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGTSTP);
	sigdelset(&mask, SIGWINCH);
	if (ppoll(&terminal, 1, NULL, &mask) < 0)
		return -1;
	return read(STDIN_FILENO, bytes, n);
}

static int
read_keys(struct step *step)
{
	char bytes[32];
	ssize_t n;

	for (;;) {
		draw(step);
		n = wait_keys(bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno != EIO ? -1 : 0;
		for (size_t at = 0; at < (size_t)n;) {
			if (bytes[at] == 'q' || bytes[at] == 4 /* Ctrl-D */)
				return 0;
			at += press(step, bytes + at, (size_t)n - at);
		}
	}
}

/* Steps through the replay.  The terminal's character set is that of the
 * locale. */
static int
step_through(struct step *step)
{
	struct sigaction old[NELEM(handled)];
	sigset_t old_mask;
	int result, saved;

	(void)!setlocale(LC_CTYPE, "");
	handle_signals(old, &old_mask);
	enter();
	result = read_keys(step);
	saved = errno;
	leave();
	handle_as_before(old, &old_mask);
	(void)!setlocale(LC_CTYPE, "C");
	errno = saved;
	return result;
}

int
step_run(const struct replay *replay, unsigned first, int viewer)
{
	struct step step = { .replay = replay, .at = first, .viewer = viewer };
	int result;

	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return -1;
	during = before;
	during.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
	during.c_cc[VMIN] = 1;
	during.c_cc[VTIME] = 0;
	replay_frames_init(&step.frames, replay, viewer);
	if (!replay_visible(&replay->line[first], viewer))
		go(&step, -1, 0);
	result = step_through(&step);
	replay_frames_release(&step.frames);
	return result;
}
