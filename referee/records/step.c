/* referee/records/step.c - draw what was played so far, read a key, go on.
 *
 * The terminal is in a state of its own between enter() and leave(); the
 * handler of whatever signal ends or stops the program leaves it, too, and
 * calls nothing but async-signal-safe functions. */
#include "referee/records/step.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/hidden.h"

#define ENTER_SCREEN "\033[?1049h\033[?25l"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"

static struct termios before, during; /* for the handler of signals */

struct step {
	const struct replay *replay;
	unsigned at; /* the line shown last */
	int viewer;
};

/* ---- the terminal ------------------------------------------------------- */

/* A terminal that is gone is found by reading. */
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

/* After these we redraw, so they may come only while we wait for a key. */
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
	size_t i;

	hold_drawing_signals(old_mask);
	for (i = 0; i < NELEM(handled); i++) {
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
	size_t i;

	sigprocmask(SIG_SETMASK, old_mask, NULL);
	for (i = 0; i < NELEM(handled); i++)
		sigaction(handled[i].number, &old[i], NULL);
}

/* ---- moving ------------------------------------------------------------- */

static bool
visible(const struct step *step, unsigned at)
{
	return replay_visible(&step->replay->line[at], step->viewer);
}

static void
forward(struct step *step)
{
	unsigned at = step->at + 1;

	while (at < step->replay->lines && !visible(step, at))
		at++;
	if (at < step->replay->lines)
		step->at = at;
}

static void
back(struct step *step)
{
	unsigned at = step->at;

	while (at > 0 && !visible(step, at - 1))
		at--;
	if (at > 0)
		step->at = at - 1;
}

static void
next_round(struct step *step)
{
	unsigned at = step->at + 1;

	while (at < step->replay->lines &&
	       strncmp(step->replay->line[at].text, "round ", 6) != 0)
		at++;
	if (at < step->replay->lines)
		step->at = at;
}

/* All, the public, seat 0, 1, …, and all again. */
static void
other_view(struct step *step)
{
	if (++step->viewer == (int)step->replay->record->seats)
		step->viewer = VIEW_ALL;
}

/* ---- drawing ------------------------------------------------------------ */

static void
view_name(int viewer, char name[16])
{
	if (viewer == VIEW_ALL || viewer == VIEW_PUBLIC)
		snprintf(name, 16, "%s", viewer == VIEW_ALL ? "all" : "public");
	else
		snprintf(name, 16, "seat %d", viewer);
}

/* The first line that still fits if `rows` visible ones end with `at`. */
static unsigned
top_line(const struct step *step, unsigned rows)
{
	unsigned at = step->at + 1, top = step->at;

	while (at > 0 && rows > 0) {
		if (!visible(step, --at))
			continue;
		top = at;
		rows--;
	}
	return top;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void
draw_lines(const struct step *step, unsigned rows, unsigned columns,
	   struct text *screen)
{
	char text[LINE_REFEREE_BYTES + 1];
	const char *said;
	unsigned at;
	ssize_t n;

	for (at = top_line(step, rows); at <= step->at; at++) {
		if (!visible(step, at))
			continue;
		n = replay_text(&step->replay->line[at], step->viewer, text);
		if (n < 0)
			n = snprintf(text, sizeof(text),
				     "(line %u has broken marks)",
				     step->replay->line[at].number);
		if (n > (ssize_t)columns)
			n = (ssize_t)columns;
		text_add(screen, text, (size_t)n);
		said = replay_said(&step->replay->line[at], step->viewer);
		if (said != NULL && n + 8 < (ssize_t)columns)
			text_fmt(screen, " ; said %.*s",
				 (int)least(strcspn(said, " "),
					    columns - (size_t)n - 8),
				 said);
		text_str(screen, "\r\n");
	}
}

static void
draw(const struct step *step)
{
	struct winsize size = { 0 };
	struct text screen = { .max = 1 << 20 };
	unsigned rows = 24, columns = 80;
	char name[16], status[128];
	int n;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2 &&
	    size.ws_col > 0) {
		rows = size.ws_row;
		columns = size.ws_col;
	}
	text_str(&screen, "\033[H\033[2J");
	draw_lines(step, rows - 2, columns, &screen);
	view_name(step->viewer, name);
	n = snprintf(status, sizeof(status),
		     "view %s, %u of %u  n: next  b: back  r: next round  "
		     "v: other view  q: quit",
		     name, step->at + 1, step->replay->lines);
	text_fmt(&screen, "\033[%u;1H\033[7m%.*s\033[0m", rows,
		 n < (int)columns ? n : (int)columns, status);
	put(screen.bytes, screen.used);
	text_release(&screen);
}

/* ---- keys --------------------------------------------------------------- */

static const struct {
	const char *bytes; /* what the terminal sends */
	void (*act)(struct step *step);
} keys[] = {
	{ "n", forward },      { " ", forward },
	{ "\r", forward },     { "\n", forward },
	{ "j", forward },      { "\033[B", forward },
	{ "\033[C", forward }, { "b", back },
	{ "k", back },	       { "\177", back },
	{ "\033[A", back },    { "\033[D", back },
	{ "r", next_round },   { "\033[6~", next_round },
	{ "v", other_view },   { "\t", other_view },
};

/* The key at the front of `n` bytes is done; the bytes that it has. */
static size_t
press(struct step *step, const char *bytes, size_t n)
{
	size_t i, length;

	for (i = 0; i < NELEM(keys); i++) {
		length = strlen(keys[i].bytes);
		if (length > n || memcmp(bytes, keys[i].bytes, length) != 0)
			continue;
		keys[i].act(step);
		return length;
	}
	return 1;
}

/* Waits for keys and reads them: like read(), and -1 with EINTR if the screen
 * needs a redraw. */
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
	size_t at;

	for (;;) {
		draw(step);
		n = wait_keys(bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno != EIO ? -1 : 0;
		for (at = 0; at < (size_t)n;) {
			if (bytes[at] == 'q' || bytes[at] == 4 /* Ctrl-D */)
				return 0;
			at += press(step, bytes + at, (size_t)n - at);
		}
	}
}

int
step_run(const struct replay *replay, unsigned first, int viewer)
{
	struct step step = { replay, first, viewer };
	struct sigaction old[NELEM(handled)];
	sigset_t old_mask;
	int result, saved;

	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return -1;
	during = before;
	during.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
	during.c_cc[VMIN] = 1;
	during.c_cc[VTIME] = 0;
	handle_signals(old, &old_mask);
	enter();
	result = read_keys(&step);
	saved = errno;
	leave();
	handle_as_before(old, &old_mask);
	errno = saved;
	return result;
}
