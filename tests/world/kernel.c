/* tests/world/kernel.c - see world.h and kernel.h.
 *
 * Here are also the functions of libc that tell the time or wait.  The dynamic linker
 * prefers a program's own functions, so libevent and SQLite call these, too. */
#include "tests/world/kernel.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/clock.h"

#define EVENTS_MOST 4096 /* of one call of epoll_wait(2) */
/* So many turns without time going on are a loop. */
#define TURNS_MOST 2000000

struct fiber {
	struct fiber *next;
	pthread_t thread;
	sem_t turn;
	void *(*run)(void *arg);
	void *arg;
	const char *name;
	/* While it waits: for what, and until when. */
	bool (*ready)(void *arg);
	void *ready_arg;
	uint64_t until_us;
	bool ended, killed;
	/* It is a process. */
	pid_t pid; /* 0: it is none */
	int (*main)(void *arg);
	void *main_arg;
	int status; /* the status of waitpid(2), once it has ended */
};

struct watch {
	struct watch *next;
	int fd; /* -1: forgotten */
	void (*call)(void *arg);
	void *arg;
};

struct timers world_timers;

static struct {
	bool runs;
	uint64_t seed, now_us, turns;
	uint64_t stood_us; /* that the machine's clock has more than `now_us` */
	int64_t calendar_us; /* what the calendar has more than the clock */
	FILE *trace;
	struct fiber *first, *current; /* in the order of their start */
	struct watch *watches, **last_watch;
	struct dice dice;
	pid_t last_pid;
	sigset_t pending; /* signals for the daemon, raised when it waits */
	bool has_pending;
	bool calls; /* a timer or a watch of the world is called */
	bool alone; /* a fork: time stands still, and who waits does so really */
} kernel = { .last_watch = &kernel.watches };

/* ---- chance ----------------------------------------------------------- */

/* Draws 64 bits: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014). */
static uint64_t
dice_word(struct dice *dice)
{
	uint64_t x = dice->state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

struct dice
dice_of(const char *name, uint64_t number)
{
	struct dice dice = { .state = kernel.seed };

	for (; *name != '\0'; name++)
		dice.state = dice_word(&dice) ^ (unsigned char)*name;
	dice.state = dice_word(&dice) ^ number;
	dice.state = dice_word(&dice);
	return dice;
}

uint64_t
dice_draw(struct dice *dice, uint64_t n)
{
	return dice_word(dice) % n;
}

bool
dice_often(struct dice *dice, unsigned many)
{
	return dice_draw(dice, 1000) < many;
}

uint64_t
dice_delay_us(struct dice *dice, uint64_t usual_us)
{
	const uint64_t us = usual_us / 2 + dice_draw(dice, usual_us + 1);

	return dice_draw(dice, 16) == 0 ? 10 * us : us;
}

/* ---- trace ------------------------------------------------------------ */

void
world_trace(const char *format, ...)
{
	va_list args;

	fprintf(kernel.trace, "%" PRIu64 ".%06" PRIu64 " ",
		kernel.now_us / 1000000, kernel.now_us % 1000000);
	va_start(args, format);
	vfprintf(kernel.trace, format, args);
	va_end(args);
	putc('\n', kernel.trace);
	fflush(kernel.trace);
}

void
world_broken(const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	world_trace("BROKEN %s", line);
	fprintf(stderr, "world: %s\n", line);
	_exit(WORLD_BROKEN);
}

/* ---- who runs --------------------------------------------------------- */

static bool
is_never(void *arg UNUSED)
{
	return false;
}

/* Calls the watches whose descriptors can be read.  Returns false if there are none. */
static bool
call_watches(void)
{
	struct pollfd fds[EVENTS_MOST];
	struct watch *watch, **at, *called[EVENTS_MOST];
	unsigned n = 0, i;
	long ready;

	for (at = &kernel.watches; (watch = *at) != NULL;) {
		if (watch->fd >= 0) {
			at = &watch->next;
			continue;
		}
		*at = watch->next;
		free(watch);
	}
	kernel.last_watch = at;
	for (watch = kernel.watches; watch != NULL; watch = watch->next) {
		if (n == EVENTS_MOST)
			world_broken("more than %u descriptors are watched", n);
		called[n] = watch;
		fds[n++] = (struct pollfd){ .fd = watch->fd, .events = POLLIN };
	}
	ready = syscall(SYS_poll, fds, n, 0);
	if (ready <= 0)
		return false;
	kernel.calls = true;
	for (i = 0; i < n; i++)
		if (fds[i].revents != 0 && called[i]->fd >= 0)
			called[i]->call(called[i]->arg);
	kernel.calls = false;
	return true;
}

/* Returns a fiber that can go on, drawn from all that can; NULL: none can. */
static struct fiber *
draw_fiber(void)
{
	struct fiber *fiber, *drawn = NULL;
	uint64_t n = 0;

	for (fiber = kernel.first; fiber != NULL; fiber = fiber->next)
		if (!fiber->ended &&
		    (kernel.now_us >= fiber->until_us ||
		     (kernel.has_pending && fiber == kernel.first) ||
		     fiber->ready(fiber->ready_arg)) &&
		    dice_draw(&kernel.dice, ++n) == 0)
			drawn = fiber;
	return drawn;
}

/* Lets time go on to the next timer or wait that ends.  Returns false if there is
 * none. */
static bool
pass_time(void)
{
	uint64_t next_us = timers_next_us(&world_timers);
	struct fiber *fiber;

	for (fiber = kernel.first; fiber != NULL; fiber = fiber->next)
		if (!fiber->ended && fiber->until_us < next_us)
			next_us = fiber->until_us;
	if (next_us == UINT64_MAX)
		return false;
	if (next_us > kernel.now_us) {
		kernel.now_us = next_us;
		kernel.turns = 0;
	} else if (++kernel.turns > TURNS_MOST) {
		world_broken("time does not go on");
	}
	kernel.calls = true;
	timers_fire(&world_timers);
	kernel.calls = false;
	return true;
}

/* Called by the daemon's own thread, so that the handlers have run at its end. */
static void
raise_pending(void)
{
	kernel.has_pending = false;
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&kernel.pending, number) == 1) {
			sigdelset(&kernel.pending, number);
			raise(number);
		}
}

/* Returns the fiber that runs next.  The caller's own wait is noted. */
static struct fiber *
next_fiber(void)
{
	struct fiber *fiber;

	for (;;) {
		if (call_watches())
			continue;
		fiber = draw_fiber();
		if (fiber != NULL)
			return fiber;
		if (pass_time())
			continue;
		for (fiber = kernel.first; fiber != NULL; fiber = fiber->next)
			if (!fiber->ended)
				world_trace("%s waits", fiber->name);
		world_broken("all wait for ever");
	}
}

/* Hands the turn to the fiber that runs next, and waits for the next turn. */
static void
yield(struct fiber *self)
{
	struct fiber *next = next_fiber();

	if (next == self)
		return;
	kernel.current = next;
	sem_post(&next->turn);
	while (sem_wait(&self->turn) != 0)
		;
}

bool
fiber_wait(bool (*ready)(void *arg), void *arg, uint64_t until_us)
{
	struct fiber *self = kernel.current;

	if (kernel.calls)
		world_broken("a timer or a watch of the world waits");
	self->ready = ready;
	self->ready_arg = arg;
	self->until_us = until_us;
	yield(self);
	self->until_us = UINT64_MAX;
	if (kernel.has_pending && self == kernel.first)
		raise_pending();
	return ready(arg);
}

static void *
begin(void *arg)
{
	struct fiber *self = arg;

	while (sem_wait(&self->turn) != 0)
		;
	self->until_us = UINT64_MAX;
	self->run(self->arg);
	self->ended = true;
	kernel.current = next_fiber();
	sem_post(&kernel.current->turn);
	return NULL;
}

struct fiber *
fiber_new(void *(*run)(void *arg), void *arg, const char *name)
{
	struct fiber *fiber = zeroed(1, sizeof(*fiber)), **at = &kernel.first;
	sigset_t all, before;

	fiber->run = run;
	fiber->arg = arg;
	fiber->name = name;
	fiber->ready = is_never;
	fiber->until_us = kernel.now_us; /* it runs as soon as others wait */
	sem_init(&fiber->turn, 0, 0);
	while (*at != NULL)
		at = &(*at)->next;
	*at = fiber;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (run != NULL &&
	    pthread_create(&fiber->thread, NULL, begin, fiber) != 0)
		world_broken("cannot make a thread");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fiber;
}

static bool
has_ended(void *arg)
{
	return ((struct fiber *)arg)->ended;
}

void
fiber_join(struct fiber *fiber)
{
	struct fiber **at = &kernel.first;

	if (!fiber->ended)
		fiber_wait(has_ended, fiber, UINT64_MAX);
	if (fiber->killed)
		pthread_detach(fiber->thread);
	else
		pthread_join(fiber->thread, NULL);
	while (*at != fiber)
		at = &(*at)->next;
	*at = fiber->next;
	sem_destroy(&fiber->turn);
	free(fiber);
}

static void
be_alone(void)
{
	kernel.alone = true;
}

/* ---- life ------------------------------------------------------------- */

void
kernel_begin(uint64_t seed, uint64_t now_us, int64_t calendar_ms, FILE *trace)
{
	kernel.seed = seed;
	kernel.now_us = now_us;
	kernel.calendar_us = calendar_ms * 1000 - (int64_t)now_us;
	kernel.trace = trace;
	kernel.last_pid = 100000;
	kernel.dice = dice_of("kernel", 0);
	sigemptyset(&kernel.pending);
	kernel.current = fiber_new(NULL, NULL, "daemon");
	kernel.runs = true;
	pthread_atfork(NULL, NULL, be_alone);
}

bool
kernel_runs(void)
{
	return kernel.runs && !kernel.alone;
}

void
world_calendar_jump(int64_t seconds)
{
	kernel.calendar_us += seconds * 1000000;
}

void
kernel_stand_still(uint64_t us)
{
	kernel.stood_us += us;
}

void
kernel_signal(int number)
{
	sigaddset(&kernel.pending, number);
	kernel.has_pending = true;
}

struct watch *
world_watch(int fd, void (*call)(void *arg), void *arg)
{
	struct watch *watch = zeroed(1, sizeof(*watch));

	*watch = (struct watch){ .fd = fd, .call = call, .arg = arg };
	*kernel.last_watch = watch;
	kernel.last_watch = &watch->next;
	return watch;
}

void
world_forget(struct watch *watch)
{
	if (watch != NULL)
		watch->fd = -1;
}

bool
kernel_in_daemon(void)
{
	return kernel.current == kernel.first;
}

void
kernel_close_watched(void)
{
	for (struct watch *watch = kernel.watches; watch != NULL;
	     watch = watch->next)
		if (watch->fd >= 0)
			close(watch->fd);
}

/* ---- the time --------------------------------------------------------- */

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	int64_t us;

	if (!kernel.runs)
		return (int)syscall(SYS_clock_gettime, clock, now);
	/* Time goes on where somebody looks at it again and again. */
	us = (int64_t)(++kernel.now_us + kernel.stood_us);
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
		us += kernel.calendar_us;
	now->tv_sec = (time_t)(us / 1000000);
	now->tv_nsec = us % 1000000 * 1000;
	return 0;
}

int
gettimeofday(struct timeval *restrict now, void *restrict zone UNUSED)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at); /* luck: ours */
	now->tv_sec = at.tv_sec;
	now->tv_usec = at.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *now)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at); /* luck: ours */
	if (now != NULL)
		*now = at.tv_sec;
	return at.tv_sec;
}

/* ---- waiting ---------------------------------------------------------- */

static void
rest(uint64_t us)
{
	fiber_wait(is_never, NULL, kernel.now_us + us);
}

int
nanosleep(const struct timespec *wait, struct timespec *left)
{
	if (!kernel_runs())
		return (int)syscall(SYS_nanosleep, wait, left);
	rest((uint64_t)wait->tv_sec * 1000000 + (uint64_t)wait->tv_nsec / 1000);
	return 0;
}

int
usleep(useconds_t us)
{
	if (!kernel_runs())
		clock_pause(us / 1000 + 1);
	else
		rest(us);
	return 0;
}

static uint64_t
until_us(int ms)
{
	return ms < 0 ? UINT64_MAX : kernel.now_us + (uint64_t)ms * 1000;
}

struct polled {
	struct pollfd *fds;
	nfds_t n;
	long ready;
};

static bool
is_polled(void *arg)
{
	struct polled *polled = arg;

	polled->ready = syscall(SYS_poll, polled->fds, polled->n, 0);
	return polled->ready != 0;
}

int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct polled polled = { .fds = fds, .n = n };

	if (!kernel_runs())
		return (int)syscall(SYS_poll, fds, n, ms);
	if (!is_polled(&polled) && ms != 0)
		fiber_wait(is_polled, &polled, until_us(ms));
	return (int)polled.ready;
}

struct waited {
	int epoll;
	struct epoll_event *events;
	int most, ready;
};

static bool
is_waited(void *arg)
{
	struct waited *waited = arg;

	waited->ready = (int)syscall(SYS_epoll_wait, waited->epoll,
				     waited->events, waited->most, 0);
	return waited->ready != 0;
}

static int
by_fd(const void *a, const void *b)
{
	const struct epoll_event *x = a, *y = b;

	return (x->data.fd > y->data.fd) - (x->data.fd < y->data.fd);
}

int
epoll_wait(int epoll, struct epoll_event *events, int most, int ms)
{
	struct waited waited = { .epoll = epoll,
				 .events = events,
				 .most = most };

	if (!kernel_runs())
		return (int)syscall(SYS_epoll_wait, epoll, events, most, ms);
	if (!is_waited(&waited) && ms != 0)
		fiber_wait(is_waited, &waited, until_us(ms));
	if (waited.ready > 1)
		qsort(events, (size_t)waited.ready, sizeof(*events), by_fd);
	return waited.ready;
}

int
sched_yield(void)
{
	return 0;
}

/* Fibers do not wait while they hold a lock, but for a disk that is slow. */
int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*real)(pthread_mutex_t * mutex);

	if (kernel_runs() && pthread_mutex_trylock(mutex) == 0)
		return 0;
	if (kernel_runs())
		world_broken("a lock is held by a fiber that waits");
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	return real(mutex);
}

/* ---- processes -------------------------------------------------------- */

static void *
run_process(void *arg)
{
	struct fiber *self = arg;

	self->status = (self->main(self->main_arg) & 0xff) << 8;
	return NULL;
}

pid_t
world_process(int (*run)(void *arg), void *arg, const char *name)
{
	struct fiber *fiber = fiber_new(run_process, NULL, name);

	fiber->arg = fiber;
	fiber->main = run;
	fiber->main_arg = arg;
	fiber->pid = ++kernel.last_pid;
	return fiber->pid;
}

static struct fiber *
process_of(pid_t pid)
{
	struct fiber *fiber = kernel.first;

	while (fiber != NULL && (fiber->pid == 0 || fiber->pid != pid))
		fiber = fiber->next;
	return fiber;
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	struct fiber *fiber = kernel_runs() ? process_of(pid) : NULL;

	if (fiber == NULL)
		return (pid_t)syscall(SYS_wait4, pid, status, options, NULL);
	if (!fiber->ended && options & WNOHANG)
		return 0;
	if (!fiber->ended)
		fiber_wait(has_ended, fiber, UINT64_MAX);
	if (status != NULL)
		*status = fiber->status;
	fiber_join(fiber);
	return pid;
}

/* A process that is killed gets no turn any more.  Its descriptors stay open. */
int
kill(pid_t pid, int number)
{
	struct fiber *fiber = kernel_runs() ? process_of(pid) : NULL;

	if (fiber == NULL)
		return (int)syscall(SYS_kill, pid, number);
	if (number == SIGKILL && !fiber->ended) {
		fiber->ended = fiber->killed = true;
		fiber->status = SIGKILL;
	}
	return 0;
}

/* A process that ends itself is a fiber that gets no turn any more. */
void
_Exit(int status)
{
	struct fiber *self = kernel.current;

	if (!kernel_runs() || self->pid == 0)
		_exit(status);
	self->status = (status & 0xff) << 8;
	self->ended = self->killed = true;
	kernel.current = next_fiber();
	sem_post(&kernel.current->turn);
	for (;;)
		pause();
}

/* Signals are the daemon's.  A worker may not take them from it. */
__sighandler_t
signal(int number, __sighandler_t handler)
{
	struct sigaction new = { .sa_handler = handler,
				 .sa_flags = SA_RESTART },
			 old;

	if (kernel_runs() && kernel.current->pid != 0)
		return SIG_DFL;
	sigemptyset(&new.sa_mask);
	return sigaction(number, &new, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* ---- the beat --------------------------------------------------------- */

/* It asks if the machine has swamped the daemon.  Here nothing does, and without it a
 * daemon that waits costs nothing. */
void __real_timer_every(struct timer *timer, uint64_t us);
void __wrap_timer_every(struct timer *timer, uint64_t us);
void __wrap_clock_beat(void);

void
__wrap_timer_every(struct timer *timer, uint64_t us)
{
	if (us != CLOCK_BEAT_US)
		__real_timer_every(timer, us);
}

void
__wrap_clock_beat(void)
{
}
