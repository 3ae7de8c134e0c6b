/* referee/data/control.c - see control.h.
 *
 * A client has a buffer for its line, later one for the answer, and a deadline.
 * While its answer is being made, it is only watched. */
#include "referee/data/control.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "referee/base/listener.h"

struct client {
	struct control *control;
	struct client *next, **prev;
	struct event event;
	struct timer late;
	int fd;
	uint64_t number;
	char line[CONTROL_LINE_BYTES];
	size_t used;
	struct text answer;
	size_t written;
};

struct control {
	struct loop *loop;
	control_run *run;
	void *arg;
	struct listener *listener;
	struct client *clients;
	unsigned count;
	uint64_t number; /* number of the last request */
};

static int
socket_path(const char *data, char path[CONTROL_PATH_BYTES], struct error *why)
{
	int n = snprintf(path, CONTROL_PATH_BYTES, "%s/control", data);

	if (n < CONTROL_PATH_BYTES)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the path %s/control is longer than %d bytes, the "
			 "limit for a socket",
			 data, CONTROL_PATH_BYTES - 1);
}

/* ---- the daemon's side ------------------------------------------------ */

static void
client_free(struct client *client)
{
	LIST_CUT(client);
	client->control->count--;
	event_del(&client->event);
	timer_stop(&client->late);
	close(client->fd);
	text_release(&client->answer);
	free(client);
}

static void
on_late(void *arg)
{
	client_free(arg);
}

/* Waits until the client reads or writes on, for `ms` at most; 0: without a limit. */
static void
wait_for(struct client *client, short what, event_callback_fn call, unsigned ms)
{
	if (event_assign(&client->event, client->control->loop->base,
			 client->fd, what, call, client) < 0)
		bug("an event cannot be assigned");
	event_add(&client->event, NULL);
	if (ms > 0)
		timer_after(&client->late, ms * UINT64_C(1000));
	else
		timer_stop(&client->late);
}

static void
on_writable(evutil_socket_t fd, short what UNUSED, void *arg)
{
	struct client *client = arg;
	const ssize_t n =
		send(fd, client->answer.bytes + client->written,
		     client->answer.used - client->written, MSG_NOSIGNAL);

	if (n >= 0)
		client->written += (size_t)n;
	if ((n < 0 && errno != EAGAIN) ||
	    client->written == client->answer.used)
		client_free(client);
	else
		wait_for(client, EV_WRITE, on_writable, CONTROL_MS);
}

/* Frees a client: it has nothing more to say, so it has gone. */
static void
on_impatient(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	client_free(arg);
}

/* Sends an answer, at once if it fits, because the daemon may be about to end. */
static void
answer(struct client *client, const struct text *out, const struct error *why)
{
	if (why != NULL)
		text_fmt(&client->answer, "%d %s\n", (int)why->kind, why->text);
	else
		text_str(&client->answer, "0\n");
	if (out->used > 0)
		text_add(&client->answer, out->bytes, out->used);
	on_writable(client->fd, EV_WRITE, client);
}

void
control_answer(struct control *control, uint64_t number, const struct text *out,
	       const struct error *why)
{
	struct client *client = control->clients;

	while (client != NULL && client->number != number)
		client = client->next;
	if (client == NULL)
		return;
	event_del(&client->event);
	answer(client, out, why);
}

/* Runs a whole line of `n` bytes, and cuts its words in place. */
static void
do_request(struct client *client, size_t n)
{
	struct control *control = client->control;
	char *word[CONTROL_WORDS + 1], *rest;
	struct error why = { 0 };
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	unsigned words = 0;
	int result;

	client->line[n] = '\0';
	client->number = ++control->number;
	rest = client->line;
	while (rest != NULL && words <= CONTROL_WORDS)
		word[words++] = strsep(&rest, "\t");
	text_init(&client->answer, CONTROL_ANSWER_BYTES + ERROR_BYTES + 16);
	if (words > CONTROL_WORDS)
		result = error_set(&why, ERROR_INPUT, "too many arguments");
	else
		result = control->run(control->arg, client->number, words, word,
				      &out, &why);
	if (result == CONTROL_LATER)
		wait_for(client, EV_READ, on_impatient, 0);
	else
		answer(client, &out, result < 0 ? &why : NULL);
	text_release(&out);
}

static void
on_readable(evutil_socket_t fd, short what UNUSED, void *arg)
{
	struct client *client = arg;
	char *lf = NULL;
	ssize_t n;

	n = recv(fd, client->line + client->used,
		 sizeof(client->line) - client->used, 0);
	if (n < 0 && errno == EAGAIN) {
		wait_for(client, EV_READ, on_readable, CONTROL_MS);
		return;
	}
	if (n > 0) {
		client->used += (size_t)n;
		lf = memchr(client->line, '\n', client->used);
	}
	if (lf != NULL)
		do_request(client, (size_t)(lf - client->line));
	else if (n <= 0 || client->used == sizeof(client->line))
		client_free(client);
	else
		wait_for(client, EV_READ, on_readable, CONTROL_MS);
}

static void
let_in(void *arg, struct listener *listener UNUSED, int fd,
       const struct sockaddr *from UNUSED)
{
	struct control *control = arg;
	struct client *client;

	if (control->count == CONTROL_CLIENTS) {
		close(fd);
		return;
	}
	client = zeroed(1, sizeof(*client));
	client->control = control;
	client->fd = fd;
	timer_init(&client->late, &control->loop->timers, on_late, client);
	LIST_PUT(control->clients, client);
	control->count++;
	wait_for(client, EV_READ, on_readable, CONTROL_MS);
}

struct control *
control_new(struct loop *loop, const char *data, control_run *run, void *arg,
	    struct error *why)
{
	const struct listener_plan plan = { .accepts = 1,
					    .pause_ms = CONTROL_PAUSE_MS,
					    .in = let_in };
	struct control *control;
	struct listener *listener;
	char path[CONTROL_PATH_BYTES];

	if (socket_path(data, path, why) < 0)
		return NULL;
	/* We hold the folder's lock, so an old socket belongs to a dead daemon. */
	unlink(path);
	listener = listener_open_unix(path, why);
	if (listener == NULL)
		return NULL;
	control = zeroed(1, sizeof(*control));
	control->loop = loop;
	control->run = run;
	control->arg = arg;
	control->listener = listener;
	listener_begin(listener, loop, &plan, control);
	return control;
}

void
control_free(struct control *control)
{
	if (control == NULL)
		return;
	while (control->clients != NULL)
		client_free(control->clients);
	listener_free(control->listener);
	free(control);
}

/* ---- the client's side ------------------------------------------------ */

static int
ask(int fd, const struct text *request, struct text *whole)
{
	char bytes[4096];
	ssize_t n = send(fd, request->bytes, request->used, MSG_NOSIGNAL);

	if (n < 0)
		return -1;
	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		text_add(whole, bytes, (size_t)n);
	return n < 0 ? -1 : 0;
}

/* Reads `CODE[ SENTENCE]`, then the answer. */
static int
read_answer(struct text *whole, struct text *out, struct error *why)
{
	const char *text = text_string(whole), *lf = strchr(text, '\n');
	char *end;
	long code;

	if (lf == NULL)
		return error_set(why, ERROR_MACHINE,
				 "the daemon ended without an answer");
	code = strtol(text, &end, 10);
	text_str(out, lf + 1);
	if (code == 0)
		return 0;
	return error_set(why, (enum error_kind)code, "%.*s",
			 (int)(lf - end - (*end == ' ')), end + (*end == ' '));
}

int
control_ask(const char *data, unsigned words, char *const word[],
	    struct text *out, struct error *why)
{
	char path[CONTROL_PATH_BYTES];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct text request = { .max = CONTROL_LINE_BYTES };
	struct text whole = { .max = CONTROL_ANSWER_BYTES + ERROR_BYTES + 16 };
	int fd, result = CONTROL_SILENT;

	if (socket_path(data, path, why) < 0)
		return -1;
	for (unsigned i = 0; i < words; i++)
		text_fmt(&request, "%s%s", i > 0 ? "\t" : "", word[i]);
	text_str(&request, "\n");
	if (request.full) {
		text_release(&request);
		return error_set(
			why, ERROR_INPUT,
			"a request to a running daemon has at most %d bytes",
			CONTROL_LINE_BYTES);
	}
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    ask(fd, &request, &whole) == 0)
		result = read_answer(&whole, out, why);
	else
		error_set(why, ERROR_MACHINE, "no daemon answers at %s: %m",
			  path);
	text_release(&request);
	text_release(&whole);
	if (fd >= 0)
		close(fd);
	return result;
}
