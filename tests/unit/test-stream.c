/* tests/unit/test-stream.c - bytes over sockets, plain and TLS; certificates;
 * connecting. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/remote/connect.h"
#include "referee/remote/stream.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

#define PASSES_MAX 20000
#define SERVER 0
#define CLIENT 1

/* Is one end, which reads all that comes and writes what `out` holds. */
struct end {
	struct stream *stream;
	struct text in, out;
	size_t written;
	bool ended, broken, hold; /* hold: does not read */
	struct error why;
	size_t piece; /* bytes of a read; 0: many */
};

struct scene {
	struct loop loop;
	struct net_kit kit;
	struct end end[2];
	struct tls *server, *client;
	unsigned descriptors;
};

static struct scene scene;
static struct end *const server = &scene.end[SERVER];
static struct end *const client = &scene.end[CLIENT];

static void
read_some(struct end *end)
{
	char bytes[4096];
	ssize_t n = stream_read(end->stream, bytes,
				end->piece > 0 ? end->piece : sizeof(bytes));

	if (n > 0)
		text_add(&end->in, bytes, (size_t)n);
	cr_assert(!(end->ended || end->broken) || n <= 0);
	end->ended |= n == STREAM_END;
	if (n != STREAM_BROKEN)
		return;
	end->broken = true;
	error_set(&end->why, ERROR_INPUT, "%s", stream_why(end->stream));
}

static void
send_more(struct end *end)
{
	ssize_t n;

	if (end->stream == NULL || end->written == end->out.used)
		return;
	n = stream_write(end->stream, end->out.bytes + end->written,
			 end->out.used - end->written);
	if (n > 0)
		end->written += (size_t)n;
}

static void
on_ready(void *arg, bool writable)
{
	if (writable)
		send_more(arg);
	else
		read_some(arg);
}

static void
begin(void)
{
	struct error why;
	struct tls_trust trust = { 0 };
	int i;

	memset(&scene, 0, sizeof(scene));
	scene.descriptors = net_descriptors();
	net_kit_init(&scene.kit);
	cr_assert_eq(loop_init(&scene.loop), 0);
	for (i = 0; i < 2; i++) {
		text_init(&scene.end[i].in, 64 << 20);
		text_init(&scene.end[i].out, 64 << 20);
	}
	scene.server =
		tls_server_new(scene.kit.chain[0], scene.kit.key[0], &why);
	cr_assert_not_null(scene.server, "%s", why.text);
	trust.pin = scene.kit.pin[0];
	scene.client = tls_client_new(&trust, &why);
	cr_assert_not_null(scene.client, "%s", why.text);
}

static void
close_end(struct end *end)
{
	stream_free(end->stream);
	end->stream = NULL;
	end->ended = end->broken = false;
	end->written = 0;
	text_clear(&end->in);
	text_clear(&end->out);
}

static void
end(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		close_end(&scene.end[i]);
		text_release(&scene.end[i].in);
		text_release(&scene.end[i].out);
	}
	tls_free(scene.server);
	tls_free(scene.client);
	loop_release(&scene.loop);
	net_kit_release(&scene.kit);
	cr_assert_eq(net_descriptors(), scene.descriptors);
}

TestSuite(stream_scene, .init = begin, .fini = end);

static void
join(bool tls, bool tcp)
{
	int fd[2];

	net_pair(tcp, fd);
	scene.end[SERVER].stream =
		stream_new(&scene.loop, fd[0], tls ? scene.server : NULL, NULL,
			   on_ready, &scene.end[SERVER]);
	scene.end[CLIENT].stream =
		stream_new(&scene.loop, fd[1], tls ? scene.client : NULL,
			   "localhost", on_ready, &scene.end[CLIENT]);
	cr_assert(scene.end[0].stream != NULL && scene.end[1].stream != NULL);
}

static void
pass(void)
{
	fake_pass(&scene.loop);
}

static void
pass_until(const bool *flag)
{
	unsigned i;

	for (i = 0; i < PASSES_MAX && !*flag; i++)
		pass();
	cr_assert(*flag, "it never came to be");
}

static void
pass_until_open(struct end *end)
{
	unsigned i;

	for (i = 0; i < PASSES_MAX && !stream_is_open(end->stream); i++)
		pass();
	cr_assert(stream_is_open(end->stream));
}

static void
say(struct end *end, const char *text)
{
	text_str(&end->out, text);
	send_more(end);
}

static void
pass_until_read(struct end *end, size_t n)
{
	unsigned i;

	for (i = 0; i < PASSES_MAX && end->in.used < n; i++)
		pass();
	cr_assert_eq(end->in.used, n);
}

/* ---- both kinds ----------------------------------------------------- */

static void
talk(bool tls, bool tcp)
{
	begin();
	join(tls, tcp);
	cr_assert_eq(stream_is_open(server->stream), !tls);
	say(client, "hello\n");
	pass_until_read(server, 6);
	cr_assert_str_eq(text_string(&server->in), "hello\n");
	say(server, "good day\n");
	pass_until_read(client, 9);
	cr_assert(stream_is_open(server->stream));
	/* Half of it ends; the other still speaks. */
	stream_shut(client->stream);
	pass_until(&server->ended);
	say(server, "bye\n");
	cr_assert_eq(server->written, 13);
	end();
}

Test(stream, talks)
{
	talk(false, false);
	talk(false, true);
	talk(true, false);
	talk(true, true);
}

/* Sends far more than a socket holds, both ways at once, in pieces of any size. */
static void
flood(bool tls, size_t piece)
{
	size_t n = piece == 0 ? 3000000 : 100000, i;
	char *bytes = memory(NULL, n);
	int e;

	for (i = 0; i < n; i++)
		bytes[i] = (char)(i * 7 + i / 251);
	begin();
	join(tls, false);
	for (e = 0; e < 2; e++) {
		scene.end[e].piece = piece;
		text_add(&scene.end[e].out, bytes, n);
		send_more(&scene.end[e]);
	}
	pass_until_read(&scene.end[0], n);
	pass_until_read(&scene.end[1], n);
	for (e = 0; e < 2; e++)
		cr_assert_arr_eq(scene.end[e].in.bytes, bytes, n);
	free(bytes);
	end();
}

Test(stream, carries_more_than_a_socket_holds)
{
	flood(false, 0);
	flood(true, 0);
	flood(true, 100);
}

/* Paused, it reads nothing, the other side has to wait; then all comes. */
static void
hold_back(bool tls)
{
	size_t n = 4000000, had;
	char *bytes = memory(NULL, n);
	unsigned i;
	int events;

	memset(bytes, 'x', n);
	begin();
	join(tls, false);
	server->piece = 1000;
	text_add(&client->out, bytes, n);
	send_more(client);
	for (i = 0; i < 100; i++)
		pass();
	had = server->in.used;
	cr_assert_gt(had, 0);
	events = event_base_get_num_events(scene.loop.base,
					   EVENT_BASE_COUNT_ADDED);
	stream_pause(server->stream, true);
	cr_assert_eq(event_base_get_num_events(scene.loop.base,
					       EVENT_BASE_COUNT_ADDED),
		     events - 1, "it would call for ever");
	for (i = 0; i < 100; i++)
		pass();
	cr_assert_eq(server->in.used, had);
	cr_assert_lt(client->written, n);
	stream_pause(server->stream, false);
	server->piece = 0;
	pass_until_read(server, n);
	free(bytes);
	end();
}

Test(stream, can_be_paused)
{
	hold_back(false);
	hold_back(true);
}

Test(stream_scene, a_reset_is_told_with_its_reason)
{
	const struct linger at_once = { .l_onoff = 1 };

	join(false, true);
	say(client, "x");
	pass_until_read(server, 1);
	setsockopt(stream_fd(client->stream), SOL_SOCKET, SO_LINGER, &at_once,
		   sizeof(at_once));
	stream_free(client->stream);
	client->stream = NULL;
	pass_until(&server->broken);
	cr_assert_str_eq(server->why.text, strerror(ECONNRESET));
}

/* An end that only writes learns of the other's end, too, and by reading. */
static void
leave_while_it_writes(bool tls)
{
	unsigned i;

	begin();
	join(tls, true);
	say(client, "x");
	pass_until_read(server, 1);
	say(server, "unread");
	for (i = 0; i < 5; i++)
		pass();
	stream_pause(server->stream, true);
	stream_pause(client->stream, true);
	stream_free(client->stream);
	client->stream = NULL;
	for (i = 0; i < 1000; i++)
		if (stream_write(server->stream, "y", 1) == STREAM_BROKEN)
			break;
	cr_assert_lt(i, 1000);
	pass();
	cr_assert_not(server->broken || server->ended, "it is paused");
	stream_pause(server->stream, false);
	for (i = 0; i < 10 && !server->broken && !server->ended; i++)
		pass();
	cr_assert(server->broken || server->ended);
	end();
}

Test(stream, who_writes_learns_of_the_end)
{
	leave_while_it_writes(false);
	leave_while_it_writes(true);
}

/* ---- TLS ------------------------------------------------------------ */

/* A TLS client that goes away, or falls silent, after each byte of its
 * handshake: the server must neither hang nor spin nor leak. */
Test(stream_scene, a_handshake_that_is_cut_at_each_byte)
{
	struct text hands;
	SSL *ssl;
	BIO *in, *out;
	char bytes[8192];
	size_t at, whole = 4096;
	int fd[2], n;
	unsigned i;

	text_init(&hands, 65536);
	for (at = 0; at < whole; at += at < 40 ? 1 : 7) {
		net_pair(false, fd);
		server->stream = stream_new(&scene.loop, fd[0], scene.server,
					    NULL, on_ready, server);
		ssl = tls_connection(scene.client, -1, "localhost");
		in = BIO_new(BIO_s_mem());
		out = BIO_new(BIO_s_mem());
		SSL_set_bio(ssl, in, out);
		text_clear(&hands);
		for (i = 0; i < 50 && hands.used < at; i++) {
			SSL_do_handshake(ssl);
			while ((n = BIO_read(out, bytes, sizeof(bytes))) > 0) {
				if (hands.used + (size_t)n > at)
					n = (int)(at - hands.used);
				if (n > 0)
					text_add(&hands, bytes, (size_t)n);
				cr_assert_eq(write(fd[1], bytes, (size_t)n), n);
			}
			pass();
			n = (int)read(fd[1], bytes, sizeof(bytes));
			if (n > 0)
				BIO_write(in, bytes, n);
			if (stream_is_open(server->stream))
				whole = at;
		}
		cr_assert_eq(stream_is_open(server->stream), at == whole);
		shutdown(fd[1], SHUT_WR);
		for (i = 0; i < 20 && !server->ended && !server->broken; i++)
			pass();
		cr_assert(server->ended || server->broken, "cut at %zu", at);
		close(fd[1]);
		SSL_free(ssl);
		close_end(server);
	}
	cr_assert_lt(whole, 4096, "the handshake never came to its end");
	cr_assert_gt(whole, 200);
	text_release(&hands);
}

#define NEW_KEYS 200

/* Each new key costs as much as a hundred lines, without being a line: one read
 * must not take all input, because others wait. */
Test(stream_scene, new_keys_without_end_leave_time_for_others)
{
	struct text keys;
	char *bytes;
	BIO *out;
	SSL *ssl;
	unsigned i, passes;
	long n;
	int fd[2];

	net_pair(true, fd);
	server->stream = stream_new(&scene.loop, fd[0], scene.server, NULL,
				    on_ready, server);
	ssl = tls_connection(scene.client, fd[1], "localhost");
	for (i = 0; i < PASSES_MAX && SSL_do_handshake(ssl) != 1; i++)
		pass();
	pass_until_open(server);
	out = BIO_new(BIO_s_mem());
	SSL_set0_wbio(ssl, out);
	for (i = 0; i < NEW_KEYS; i++)
		cr_assert(SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) &&
			  SSL_do_handshake(ssl) == 1);
	cr_assert_eq(SSL_write(ssl, "hello\n", 6), 6);
	n = BIO_get_mem_data(out, &bytes);
	text_init(&keys, (size_t)n);
	text_add(&keys, bytes, (size_t)n);
	cr_assert_eq(write(fd[1], keys.bytes, keys.used), n);
	for (passes = 0; passes < PASSES_MAX && server->in.used == 0; passes++)
		pass();
	cr_assert_eq(server->in.used, 6);
	cr_assert_geq(passes, NEW_KEYS, "%u passes", passes);
	text_release(&keys);
	SSL_free(ssl);
	close(fd[1]);
}

static unsigned
count_broken(const struct end end[], unsigned n)
{
	unsigned broken = 0;

	for (unsigned i = 0; i < n; i++)
		broken += end[i].broken;
	return broken;
}

/* Strangers who begin handshakes together leave time for others in each pass. */
Test(stream_scene, few_handshakes_go_on_in_one_pass)
{
	enum { STRANGERS = 2 * LOOP_SLOW_STEPS + 1 };
	struct end stranger[STRANGERS] = { 0 };
	int fd[STRANGERS][2];

	for (unsigned i = 0; i < STRANGERS; i++) {
		net_pair(false, fd[i]);
		stranger[i].stream =
			stream_new(&scene.loop, fd[i][0], scene.server, NULL,
				   on_ready, &stranger[i]);
		cr_assert_not_null(stranger[i].stream);
		cr_assert_eq(write(fd[i][1], "no handshake", 12), 12);
	}
	for (unsigned i = 1; i <= 3; i++) {
		pass();
		cr_expect_eq(count_broken(stranger, STRANGERS),
			     i < 3 ? i * LOOP_SLOW_STEPS : STRANGERS);
	}
	for (unsigned i = 0; i < STRANGERS; i++) {
		stream_free(stranger[i].stream);
		close(fd[i][1]);
	}
}

/* Those that send a byte before each pass have no more than their turn. */
Test(stream_scene, a_slow_handshake_keeps_no_other_out)
{
	/* The head of a record of TLS, whose body never ends. */
	static const char record[] = "\x16\x03\x01\x40\x00\x01\x00\x3f";
	struct end slow[LOOP_SLOW_STEPS] = { 0 };
	int fd[LOOP_SLOW_STEPS][2], last[2];

	for (unsigned i = 0; i < LOOP_SLOW_STEPS; i++) {
		net_pair(false, fd[i]);
		slow[i].stream = stream_new(&scene.loop, fd[i][0], scene.server,
					    NULL, on_ready, &slow[i]);
		cr_assert_not_null(slow[i].stream);
	}
	net_pair(false, last);
	server->stream = stream_new(&scene.loop, last[0], scene.server, NULL,
				    on_ready, server);
	for (unsigned byte = 0; byte < 4; byte++) {
		for (unsigned i = 0; i < LOOP_SLOW_STEPS; i++)
			cr_assert_eq(write(fd[i][1], record + byte, 1), 1);
		if (byte == 0)
			net_write(last[1], "no handshake");
		pass();
	}
	cr_expect(server->broken);
	cr_expect_eq(count_broken(slow, LOOP_SLOW_STEPS), 0u);
	for (unsigned i = 0; i < LOOP_SLOW_STEPS; i++) {
		stream_free(slow[i].stream);
		close(fd[i][1]);
	}
	close(last[1]);
}

Test(stream_scene, no_tls_at_all_is_told_from_tls)
{
	char said[128];
	int fd[2];

	net_pair(false, fd);
	server->stream = stream_new(&scene.loop, fd[0], scene.server, NULL,
				    on_ready, server);
	net_write(fd[1], "bot 1 knock token=abc\n");
	pass_until(&server->broken);
	cr_assert_not_null(strstr(server->why.text, "without TLS"), "%s",
			   server->why.text);
	memset(said, 0, sizeof(said));
	cr_assert_gt(recv(fd[1], said, sizeof(said) - 1, MSG_DONTWAIT), 0);
	cr_assert_str_eq(said, "error again=no this port takes TLS alone: "
			       "connect with --tls\nbye\n");
	close(fd[1]);
}

Test(stream_scene, no_old_tls)
{
	SSL_CTX_set_min_proto_version(scene.client->ctx, TLS1_VERSION);
	SSL_CTX_set_max_proto_version(scene.client->ctx, TLS1_1_VERSION);
	SSL_CTX_set_security_level(scene.client->ctx, 0);
	join(true, false);
	pass_until(&server->broken);
	cr_assert_not(stream_is_open(server->stream) ||
		      stream_is_open(client->stream));
	close_end(server);
	close_end(client);
	SSL_CTX_set_max_proto_version(scene.client->ctx, TLS1_2_VERSION);
	join(true, false);
	pass_until_open(server);
	pass_until_open(client);
}

/* Returns NULL if a client with this trust accepts the server, otherwise the
 * reason. */
static const char *
meet(const struct tls_trust *trust, const char *host)
{
	static struct error why;
	const char *result = NULL;
	unsigned i;
	int fd[2];

	tls_free(scene.client);
	scene.client = tls_client_new(trust, &why);
	cr_assert_not_null(scene.client, "%s", why.text);
	net_pair(false, fd);
	server->stream = stream_new(&scene.loop, fd[0], scene.server, NULL,
				    on_ready, server);
	client->stream = stream_new(&scene.loop, fd[1], scene.client, host,
				    on_ready, client);
	say(client, "secret");
	for (i = 0; i < 100 && !client->broken && !server->in.used; i++)
		pass();
	if (client->broken) {
		error_set(&why, ERROR_INPUT, "%s", client->why.text);
		result = why.text;
		cr_assert_eq(server->in.used, 0, "told to a stranger");
	}
	close_end(server);
	close_end(client);
	return result;
}

Test(stream_scene, whom_a_client_believes)
{
	struct tls_trust pin = { 0 }, file = { 0 }, everybody = { 0 };
	char plain[3 * TLS_PIN_BYTES], *to = plain;
	const char *at;

	pin.pin = scene.kit.pin[0];
	cr_assert_null(meet(&pin, "whoever"));
	for (at = pin.pin; *at != '\0'; at++)
		if (*at != ':')
			*to++ = *at >= 'A' ? (char)(*at + 'a' - 'A') : *at;
	*to = '\0';
	pin.pin = plain;
	cr_assert_null(meet(&pin, "whoever"));
	pin.pin = scene.kit.pin[1];
	cr_assert_str_eq(meet(&pin, "localhost"),
			 "certificate: certificate rejected");
	file.ca_file = scene.kit.chain[0];
	cr_assert_null(meet(&file, "localhost"));
	cr_assert_null(meet(&file, "127.0.0.1"));
	cr_assert_null(meet(&file, "::1"));
	cr_assert_str_eq(meet(&file, "example.org"),
			 "certificate: hostname mismatch");
	cr_assert_str_eq(meet(&file, "127.0.0.2"),
			 "certificate: IP address mismatch");
	file.ca_file = scene.kit.chain[1];
	cr_assert_not_null(meet(&file, "localhost"));
	cr_assert_str_eq(meet(&everybody, "localhost"),
			 "certificate: self-signed certificate");
}

Test(stream_scene, a_certificate_can_be_replaced)
{
	struct tls_trust first = { 0 }, second = { 0 };
	struct error why;

	join(true, false);
	say(client, "one");
	pass_until_read(server, 3);
	cr_assert_null(
		tls_server_new("/nowhere/chain.pem", scene.kit.key[1], &why));
	cr_assert_str_eq(why.text,
			 "cannot read the certificate /nowhere/chain.pem: "
			 "No such file or directory");
	cr_assert_null(
		tls_server_new(scene.kit.chain[1], scene.kit.key[0], &why));
	cr_assert_not_null(strstr(why.text, "cannot use the private key"));
	cr_assert_not_null(strstr(why.text, "mismatch"), "%s", why.text);
	say(client, "two");
	pass_until_read(server, 6);
	tls_free(scene.server);
	scene.server =
		tls_server_new(scene.kit.chain[1], scene.kit.key[1], &why);
	/* The old connection goes on. */
	say(client, "three");
	pass_until_read(server, 11);
	say(server, "four");
	pass_until_read(client, 4);
	close_end(server);
	close_end(client);
	first.pin = scene.kit.pin[0];
	second.pin = scene.kit.pin[1];
	cr_assert_not_null(meet(&first, "localhost"));
	cr_assert_null(meet(&second, "localhost"));
}

Test(stream, what_cannot_be_used_is_told_in_a_sentence)
{
	struct tls_trust trust = { .pin = "abc" };
	struct error why;

	cr_assert_null(tls_client_new(&trust, &why));
	cr_assert_str_eq(why.text, "a fingerprint is 64 hex digits");
	trust = (struct tls_trust){ .ca_file = "/nowhere" };
	cr_assert_null(tls_client_new(&trust, &why));
	cr_assert_not_null(strstr(why.text, "cannot read the authorities in "
					    "/nowhere: "));
	cr_assert_null(tls_server_new("/dev/null", "/dev/null", &why));
	cr_assert_not_null(strstr(why.text, "cannot read the certificate "
					    "/dev/null: "));
}

/* ---- connecting ----------------------------------------------------- */

struct outcome {
	bool over;
	int fd;
	struct error why;
};

static void
on_done(void *arg, int fd, const char *why)
{
	struct outcome *outcome = arg;

	outcome->over = true;
	outcome->fd = fd;
	if (fd < 0)
		error_set(&outcome->why, ERROR_INPUT, "%s", why);
}

static struct outcome
try_connect(struct loop *loop, const char *host, const char *port)
{
	struct outcome outcome = { 0 };
	struct connecting *connecting =
		connect_start(loop, host, port, on_done, &outcome);

	cr_assert_not_null(connecting);
	cr_assert_not(outcome.over, "told by the loop only");
	while (!outcome.over)
		loop_pass(loop);
	return outcome;
}

Test(stream, connects)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t n = sizeof(at);
	unsigned descriptors = net_descriptors();
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct outcome outcome;
	struct connecting *connecting;
	struct loop loop;
	char port[8];

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(listener, (struct sockaddr *)&at, n), 0);
	cr_assert_eq(listen(listener, 8), 0);
	getsockname(listener, (struct sockaddr *)&at, &n);
	snprintf(port, sizeof(port), "%u", ntohs(at.sin_port));
	cr_assert_eq(loop_init(&loop), 0);
	outcome = try_connect(&loop, "127.0.0.1", port);
	cr_assert_geq(outcome.fd, 0, "%s", outcome.why.text);
	cr_assert(fcntl(outcome.fd, F_GETFL) & O_NONBLOCK);
	close(outcome.fd);
	/* The name may first be tried at ::1, without success. */
	outcome = try_connect(&loop, "localhost", port);
	cr_assert_geq(outcome.fd, 0, "%s", outcome.why.text);
	close(outcome.fd);
	outcome = try_connect(&loop, "no.such.host.invalid", port);
	cr_assert_eq(outcome.fd, -1);
	cr_assert_not_null(
		strstr(outcome.why.text, "no.such.host.invalid port "));
	connecting = connect_start(&loop, "127.0.0.1", port, on_done, &outcome);
	connect_cancel(connecting);
	close(listener);
	outcome = try_connect(&loop, "127.0.0.1", port);
	cr_assert_eq(outcome.fd, -1);
	cr_assert_not_null(strstr(outcome.why.text, strerror(ECONNREFUSED)));
	loop_release(&loop);
	cr_assert_eq(net_descriptors(), descriptors);
}
