/* referee/bench/bench-pingpong.c - two processes that only pass lines to and
 * fro.  This is the machine's limit, to compare the referee with. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/loop.h"
#include "referee/bench/bench.h"

#define MESSAGE_BYTES 8192
/* Round trips between two looks at the clock. */
#define CLOCK_EVERY 64
#define TRIPS_WARM 4

struct peer {
	int to, from;
	pid_t pid;
};

struct pingpong {
	struct peer *peer; /* owned */
	unsigned peers;
	bool programs;
	unsigned ask_bytes, answer_bytes;
	char message[MESSAGE_BYTES]; /* the message to write */
	char heard[MESSAGE_BYTES];
};

/* Writes "ask 1 0…0 x…x\n" of this length.  An instant bot answers it with "do
 * 1 x…x\n", `answer_bytes` long. */
static void
write_ask(struct pingpong *game)
{
	const unsigned token = game->answer_bytes - 6;

	memset(game->message, '0', game->ask_bytes);
	memcpy(game->message, "ask 1 ", 6);
	memset(game->message + game->ask_bytes - 1 - token, 'x', token);
	game->message[game->ask_bytes - 2 - token] = ' ';
	game->message[game->ask_bytes - 1] = '\n';
}

/* Runs in the child and never returns. */
static void
become_bot(int from, int to)
{
	static char self[] = "/proc/self/exe", bench[] = "bench",
		    as_bot[] = "--as-bot";
	char *const argv[] = { self, bench, as_bot, NULL };

	if (dup2(from, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0 &&
	    close_range(3, ~0u, 0) == 0)
		execv(self, argv);
	_exit(127);
}

/* Reads exactly `n` bytes. */
static int
read_message(int fd, char *to, size_t n)
{
	ssize_t got;

	for (; n > 0; n -= (size_t)got)
		if ((got = read(fd, to, n)) <= 0)
			return -1;
	return 0;
}

static void
answer_for_ever(int from, int to, unsigned ask_bytes, unsigned answer_bytes)
{
	char message[MESSAGE_BYTES] = "";

	while (read_message(from, message, ask_bytes) == 0)
		if (write(to, message, answer_bytes) != (ssize_t)answer_bytes)
			break;
	_exit(0);
}

static int
start_peer(struct pingpong *game, struct peer *peer)
{
	int there[2], back[2];

	if (pipe2(there, 0) < 0)
		return -1;
	if (pipe2(back, 0) < 0) {
		close(there[0]);
		close(there[1]);
		return -1;
	}
	peer->to = there[1];
	peer->from = back[0];
	peer->pid = fork();
	if (peer->pid == 0) {
		for (unsigned i = 0; i <= game->peers; i++) {
			close(game->peer[i].to);
			close(game->peer[i].from);
		}
		if (game->programs)
			become_bot(there[0], back[1]);
		answer_for_ever(there[0], back[1], game->ask_bytes,
				game->answer_bytes);
	}
	close(there[0]);
	close(back[1]);
	if (peer->pid < 0)
		return -1;
	game->peers++;
	return 0;
}

static void
stop_peers(struct pingpong *game)
{
	for (unsigned i = 0; i < game->peers; i++) {
		close(game->peer[i].to);
		close(game->peer[i].from);
	}
	for (unsigned i = 0; i < game->peers; i++)
		waitpid(game->peer[i].pid, NULL, 0);
	free(game->peer);
}

static int
ask(struct pingpong *game, const struct peer *peer)
{
	ssize_t n = write(peer->to, game->message, game->ask_bytes);

	return n == (ssize_t)game->ask_bytes ? 0 : -1;
}

/* Measures two processes with nothing between them. */
static double
play_one(struct pingpong *game, double seconds)
{
	uint64_t start = clock_us(), end = start, trips = 0;
	const struct peer *peer = &game->peer[0];

	while ((double)(end - start) < seconds * 1e6) {
		for (unsigned i = 0; i < CLOCK_EVERY; i++)
			if (ask(game, peer) < 0 ||
			    read_message(peer->from, game->heard,
					 game->answer_bytes) < 0)
				return -1;
		trips += CLOCK_EVERY;
		end = clock_us();
	}
	return (double)trips * 1e6 / (double)(end - start);
}

static int
watch_all(struct pingpong *game, int epoll)
{
	struct epoll_event event = { .events = EPOLLIN };

	for (unsigned i = 0; i < game->peers; i++) {
		event.data.u32 = i;
		if (epoll_ctl(epoll, EPOLL_CTL_ADD, game->peer[i].from,
			      &event) < 0 ||
		    ask(game, &game->peer[i]) < 0)
			return -1;
	}
	return 0;
}

/* Lets every child answer a few times, so that all of them run. */
static int
warm_up(struct pingpong *game, int epoll)
{
	const struct peer *peer;
	unsigned *trips = zeroed(game->peers, sizeof(*trips)), warm = 0;
	struct epoll_event event;
	int result = 0;

	while (warm < game->peers && result == 0) {
		if (epoll_wait(epoll, &event, 1, -1) != 1)
			continue;
		peer = &game->peer[event.data.u32];
		if (read_message(peer->from, game->heard, game->answer_bytes) <
			    0 ||
		    ask(game, peer) < 0)
			result = -1;
		warm += ++trips[event.data.u32] == TRIPS_WARM;
	}
	free(trips);
	return result;
}

/* Measures one loop with many children. */
static double
play_many(struct pingpong *game, int epoll, double seconds)
{
	struct epoll_event event[64];
	uint64_t start, end, trips = 0;
	const struct peer *peer;
	int n;

	if (watch_all(game, epoll) < 0)
		return -1;
	if (warm_up(game, epoll) < 0)
		return -1;
	for (start = end = clock_us(); (double)(end - start) < seconds * 1e6;
	     end = clock_us()) {
		n = epoll_wait(epoll, event, NELEM(event), -1);
		for (int i = 0; i < n; i++) {
			peer = &game->peer[event[i].data.u32];
			if (read_message(peer->from, game->heard,
					 game->answer_bytes) < 0 ||
			    ask(game, peer) < 0)
				return -1;
		}
		trips += n > 0 ? (uint64_t)n : 0;
	}
	return (double)trips * 1e6 / (double)(end - start);
}

double
bench_pingpong(unsigned children, bool programs, unsigned ask_bytes,
	       unsigned answer_bytes, double seconds)
{
	struct pingpong game = { .programs = programs,
				 .ask_bytes = ask_bytes,
				 .answer_bytes = answer_bytes };
	double rate = -1;
	int epoll, error;

	if (ask_bytes > MESSAGE_BYTES || answer_bytes > MESSAGE_BYTES)
		bug("ping-pong of more than %d bytes", MESSAGE_BYTES);
	write_ask(&game);
	game.peer = zeroed(children, sizeof(*game.peer));
	while (game.peers < children)
		if (start_peer(&game, &game.peer[game.peers]) < 0)
			break;
	if (game.peers == children && children == 1) {
		rate = play_one(&game, seconds);
	} else if (game.peers == children) {
		epoll = epoll_create1(EPOLL_CLOEXEC);
		if (epoll >= 0) {
			rate = play_many(&game, epoll, seconds);
			close(epoll);
		}
	}
	error = errno;
	stop_peers(&game);
	errno = error;
	return rate;
}
