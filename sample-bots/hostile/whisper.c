/* whisper.c speak|listen - two bots of one author at one table tell each other
 * their cards where the referee does not hear it.
 *
 * The ways: a lock and a watch on a file that both can read, and a load of the
 * processor that the other one feels.  A listener who hears nothing at all gets
 * about half of the bits right.
 *
 * Bound: 24 bits a way, 4 seconds in all; it writes nothing. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>

#include "hostile.h"

#define BITS 24
#define WORD 0xa5c36bu /* what is to be told */
#define SLOT_MS 12     /* for each bit */
#define START_MS 1000  /* both begin at a multiple of it */

/* The bots use the first of these files that exists; nothing else uses it. */
static const char *const files[] = {
	"/usr/share/common-licenses/Artistic",
	"/usr/share/common-licenses/GPL-3",
	"/etc/protocols",
	"/bin/true",
};

static bool speaks;
static const char *file; /* of files[] */
static int shared = -1;	 /* it, open */
static int watch = -1;	 /* a watch on it */

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
nap_until(double ms)
{
	double left = ms - now_ms();

	if (left > 0)
		hostile_nap((long)left + 1);
}

/* ---- a lock ------------------------------------------------------------- */

static void
lock_speak(bool bit)
{
	if (bit)
		flock(shared, LOCK_EX | LOCK_NB);
}

static void
lock_silence(void)
{
	flock(shared, LOCK_UN);
}

static bool
lock_listen(void)
{
	bool held =
		flock(shared, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;

	if (!held)
		flock(shared, LOCK_UN);
	return held;
}

/* ---- a watch ------------------------------------------------------------ */

static void
watch_speak(bool bit)
{
	int fd = bit ? open(file, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		close(fd);
}

static void
watch_silence(void)
{
}

static bool
watch_listen(void)
{
	char bytes[4096];

	return read(watch, bytes, sizeof(bytes)) > 0;
}

/* ---- the processor ------------------------------------------------------ */

static void
load_speak(bool bit)
{
	double until = now_ms() + SLOT_MS - 3;

	while (bit && now_ms() < until)
		;
}

/* Returns how much of half a slot it gets when it wants all of it. */
static bool
load_listen(void)
{
	struct timespec used;
	double began = now_ms(), ran;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	ran = (double)used.tv_nsec / 1e6 + (double)used.tv_sec * 1e3;
	while (now_ms() - began < 4)
		;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	ran = (double)used.tv_nsec / 1e6 + (double)used.tv_sec * 1e3 - ran;
	return ran < 0.8 * (now_ms() - began);
}

/* ---- one way after the other ------------------------------------------ */

static const struct way {
	const char *name;
	void (*speak)(bool bit);
	void (*silence)(void);
	bool (*listen)(void);
} ways[] = {
	{ "bits by a lock", lock_speak, lock_silence, lock_listen },
	{ "bits by a watch", watch_speak, watch_silence, watch_listen },
	{ "bits by the processor", load_speak, watch_silence, load_listen },
};

#define WAYS (sizeof(ways) / sizeof(*ways))

/* One bit, in the slot that begins at `at_ms`: what was heard. */
static bool
use_slot(const struct way *way, bool bit, double at_ms)
{
	bool heard = false;

	nap_until(at_ms);
	if (speaks)
		way->speak(bit);
	nap_until(at_ms + SLOT_MS / 2.0 - 2);
	if (!speaks)
		heard = way->listen();
	nap_until(at_ms + SLOT_MS - 2);
	if (speaks)
		way->silence();
	return heard;
}

static void
use(const struct way *way, double began_ms)
{
	long right = 0;

	if (!speaks)
		way->listen(); /* forgets what was before */
	for (unsigned i = 0; i < BITS; i++) {
		bool bit = WORD >> i & 1;

		right += use_slot(way, bit, began_ms + i * SLOT_MS) == bit;
	}
	if (!speaks)
		hostile_counted(way->name, right, BITS, 0);
}

static void
find_file(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && shared < 0;
	     i++) {
		file = files[i];
		shared = open(file, O_RDONLY | O_CLOEXEC);
	}
	watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch >= 0)
		inotify_add_watch(watch, file, IN_OPEN);
}

/* Both are told of the game in the same moment, and have time until their first
 * answer. */
static void
whisper(void)
{
	double began_ms = now_ms();

	began_ms += 2 * START_MS - (long long)began_ms % START_MS;
	find_file();
	for (size_t i = 0; i < WAYS; i++)
		use(&ways[i], began_ms + (double)(i * (BITS + 4) * SLOT_MS));
}

int
main(int argc, char **argv)
{
	static char line[8192];
	static struct hostile_ask ask;

	hostile_end(HOSTILE_SECONDS);
	speaks = argc > 1 && strcmp(argv[1], "speak") == 0;
	while (hostile_line(line) && strncmp(line, "game ", 5) != 0)
		;
	whisper();
	while (hostile_next(&ask))
		hostile_answer(&ask);
	return 0;
}
