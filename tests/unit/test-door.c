/* tests/unit/test-door.c - which connections are accepted, and how many. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "referee/remote/door.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

#define LOBBY_MAX 200

/* Keeps each connection that comes with its visitor. */
struct lobby {
	struct loop loop;
	struct door *door;
	struct listener *listener; /* its last */
	struct door_limits limits;
	unsigned count;
	int fd[LOBBY_MAX];
	struct visitor *visitor[LOBBY_MAX];
	const struct tls *tls; /* of the last */
	char refused[200];     /* the last, `FROM WHY` without its port */
	unsigned descriptors;
};

static struct lobby lobby;

static void
on_in(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	cr_assert_eq(arg, &lobby);
	cr_assert_lt(lobby.count, LOBBY_MAX);
	cr_assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
	cr_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	lobby.tls = tls;
	lobby.fd[lobby.count] = fd;
	lobby.visitor[lobby.count++] = visitor;
}

static void
on_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	   const char *why)
{
	cr_assert_eq(arg, &lobby);
	cr_assert_eq(kind, REFUSAL_LIMIT);
	cr_assert_str_empty(bot);
	snprintf(lobby.refused, sizeof(lobby.refused), "%.*s %s",
		 (int)strcspn(from, ":"), from, why);
}

static void
begin(void)
{
	memset(&lobby, 0, sizeof(lobby));
	lobby.descriptors = net_descriptors();
	fake_clock_begin();
	lobby.limits = door_limits;
	cr_assert_eq(loop_init(&lobby.loop), 0);
}

static int
listen_at(const char *host, const struct tls *tls, struct error *why)
{
	lobby.listener = listener_open(host, "0", true, why);
	return lobby.listener == NULL
		       ? -1
		       : door_listen(lobby.door, lobby.listener, tls, why);
}

static void
make_door(void)
{
	lobby.door =
		door_new(&lobby.loop, &lobby.limits, on_in, on_refused, &lobby);
}

static void
open_door(void)
{
	struct error why;

	make_door();
	cr_assert_eq(listen_at("127.0.0.1", NULL, &why), 0, "%s", why.text);
	cr_assert_gt(listener_port(lobby.listener), 0);
}

static void
send_away(unsigned i)
{
	if (lobby.visitor[i] != NULL) { /* else it has made room */
		close(lobby.fd[i]);
		visitor_free(lobby.visitor[i]);
	}
	lobby.count--;
	lobby.fd[i] = lobby.fd[lobby.count];
	lobby.visitor[i] = lobby.visitor[lobby.count];
}

static void
end(void)
{
	while (lobby.count > 0)
		send_away(0);
	door_free(lobby.door);
	loop_release(&lobby.loop);
	cr_assert_eq(net_descriptors(), lobby.descriptors);
}

TestSuite(door, .init = begin, .fini = end);

static void
pass(unsigned n)
{
	while (n-- > 0)
		fake_pass(&lobby.loop);
}

/* Returns a connection from 127.0.0.`last`; it may be refused, but it connects. */
static int
come(unsigned last)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = from;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	cr_assert_geq(fd, 0, "%s", strerror(errno));
	from.sin_addr.s_addr = htonl(0x7f000000 | last);
	cr_assert_eq(bind(fd, (struct sockaddr *)&from, sizeof(from)), 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)listener_port(lobby.listener));
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0, "%s",
		     strerror(errno));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* Connects and expects a refusal with this sentence. */
static void
refused(unsigned last, const char *sentence)
{
	unsigned count = lobby.count;
	struct text text = { .max = 1000 };
	char wanted[200];
	int fd = come(last);

	pass(2);
	cr_assert_eq(lobby.count, count);
	cr_assert_not(net_read(fd, &text), "it is closed");
	snprintf(wanted, sizeof(wanted), "error %s\nbye\n", sentence);
	cr_assert_str_eq(text_string(&text), wanted);
	snprintf(wanted, sizeof(wanted), "127.0.0.%u %s", last, sentence);
	cr_assert_str_eq(lobby.refused, wanted);
	text_release(&text);
	close(fd);
}

static int
let_in(unsigned last)
{
	unsigned count = lobby.count;
	int fd = come(last);

	pass(2);
	cr_assert_eq(lobby.count, count + 1);
	return fd;
}

#define ADDRESS_FULL "there are too many connections from your address"
#define FULL "there are too many connections"
#define STRANGERS_FULL "too many have not yet said who they are"

Test(door, counts)
{
	int fd[8];
	unsigned i;

	lobby.limits.connections = 7;
	lobby.limits.each_address = 3;
	lobby.limits.strangers = 5;
	open_door();
	for (i = 0; i < 3; i++)
		fd[i] = let_in(1);
	cr_assert_eq(strncmp(lobby.visitor[0]->from, "127.0.0.1:", 10), 0);
	refused(1, ADDRESS_FULL);
	fd[3] = let_in(2);
	fd[4] = let_in(2);
	refused(2, STRANGERS_FULL);
	visitor_known(lobby.visitor[0]);
	visitor_known(lobby.visitor[0]); /* once is enough */
	visitor_known(lobby.visitor[1]);
	fd[5] = let_in(2);
	refused(2, ADDRESS_FULL);
	fd[6] = let_in(3);
	refused(3, FULL);
	cr_assert_eq(door_count(lobby.door), 7);
	send_away(0);
	visitor_known(lobby.visitor[0]);
	fd[7] = let_in(1);
	refused(1, FULL);
	for (i = 0; i < 8; i++)
		close(fd[i]);
}

/* The door limits how often an address connects, however few connections are
 * open. */
Test(door, who_comes_too_often)
{
	const char *often = "too many connections come from your address";
	unsigned i;

	lobby.limits.each_second = 4;
	open_door();
	for (i = 0; i < 4; i++) {
		close(let_in(1));
		send_away(0);
	}
	refused(1, often);
	refused(1, often);
	close(let_in(2));
	fake_now_us += 249999;
	refused(1, often);
	fake_now_us += 1;
	close(let_in(1));
	refused(1, often);
	fake_now_us += 1000000;
	for (i = 0; i < 4; i++)
		close(let_in(1));
	refused(1, often);
}

/* Does what the owner of a connection does. */
static void
make_room(void *arg, const char *sentence)
{
	unsigned i = 0;

	cr_assert_str_eq(sentence, STRANGERS_FULL);
	while (&lobby.fd[i] != (int *)arg)
		i++;
	close(lobby.fd[i]);
	visitor_free(lobby.visitor[i]);
	lobby.visitor[i] = NULL;
}

static bool
is_there(unsigned i)
{
	return lobby.visitor[i] != NULL;
}

/* Connects from that address; the door may close the connection to make room. */
static void
stranger(unsigned last)
{
	unsigned i = lobby.count;

	close(let_in(last));
	lobby.visitor[i]->send_away = make_room;
	lobby.visitor[i]->arg = &lobby.fd[i];
}

Test(door, strangers_make_room_for_each_other)
{
	static const unsigned from[] = { 1, 2, 2, 3, 3 };
	unsigned i;

	lobby.limits.strangers = NELEM(from);
	open_door();
	for (i = 0; i < NELEM(from); i++)
		stranger(from[i]);
	/* Two addresses have two each: the oldest of them. */
	stranger(4);
	cr_assert(is_there(0) && !is_there(1) && is_there(2));
	stranger(5);
	cr_assert(is_there(0) && is_there(2) && !is_there(3) && is_there(4));
	/* All addresses have equally many. */
	stranger(6);
	cr_assert_not(is_there(0));
	/* A visitor that has said its name stays at any age. */
	visitor_known(lobby.visitor[2]);
	for (i = 0; i < 3 * NELEM(from); i++)
		stranger(7);
	cr_assert(is_there(2));
	cr_assert_eq(door_count(lobby.door), NELEM(from) + 1);
	/* There is room again, so no visitor has to go. */
	visitor_known(lobby.visitor[lobby.count - 1]);
	i = door_count(lobby.door);
	stranger(8);
	cr_assert_eq(door_count(lobby.door), i + 1);
}

/* A crowd with an address for each keeps new visitors out, but not those that
 * have given their names before. */
Test(door, who_was_here_is_not_pushed_out)
{
	unsigned i, came;

	lobby.limits.strangers = 5;
	open_door();
	stranger(100);
	visitor_known(lobby.visitor[0]);
	send_away(0);
	for (i = 1; i <= 5; i++)
		stranger(i);
	stranger(100);
	came = lobby.count - 1;
	stranger(101);
	for (i = 6; i < 60; i++)
		stranger(i);
	cr_assert(is_there(came), "one who was here stays");
	cr_assert_not(is_there(came + 1), "one who is new does not");
	/* Known visitors make room for each other, and for all others if there
	 * are no strangers. */
	for (i = 0; i < 5; i++)
		stranger(100);
	cr_assert_not(is_there(came));
	stranger(102);
	cr_assert(is_there(lobby.count - 1));
	cr_assert_eq(door_count(lobby.door), 5);
}

/* They come from ten addresses at once. */
Test(door, so_many_are_let_in_in_a_pass)
{
	int fd[100];
	unsigned i;

	open_door();
	cr_assert_lt(lobby.limits.accepts, NELEM(fd));
	for (i = 0; i < NELEM(fd); i++)
		fd[i] = come(1 + i % 10);
	pass(1);
	cr_assert_eq(lobby.count, lobby.limits.accepts);
	pass(1);
	cr_assert_eq(lobby.count, NELEM(fd));
	for (i = 0; i < NELEM(fd); i++)
		close(fd[i]);
}

/* Without descriptors the door tells the visitors that it can, pauses, and does
 * not spin. */
Test(door, without_descriptors)
{
	struct rlimit limit, old;
	struct text text = { .max = 1000 };
	int fd[3], filler[64], n = 0, next;
	unsigned passes;

	open_door();
	fd[0] = let_in(1);
	fd[1] = come(1);
	fd[2] = come(1);
	getrlimit(RLIMIT_NOFILE, &old);
	next = dup(0);
	close(next);
	limit = old;
	limit.rlim_cur = (rlim_t)next + 4;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (n < 64 && (filler[n] = dup(0)) >= 0)
		n++;
	cr_assert_lt(n, 64);
	for (passes = 0; passes < 10; passes++)
		pass(1);
	cr_assert_eq(lobby.count, 1);
	cr_assert_not(net_read(fd[1], &text));
	cr_assert_str_eq(text_string(&text), "error " FULL "\nbye\n");
	cr_assert_str_eq(lobby.refused, "127.0.0.1 " FULL);
	text_clear(&text);
	cr_assert(net_read(fd[2], &text), "it waits");
	cr_assert_eq(text.used, 0);
	/* When there are some again, it comes in after the pause. */
	while (n > 0)
		close(filler[--n]);
	setrlimit(RLIMIT_NOFILE, &old);
	pass(5);
	cr_assert_eq(lobby.count, 1, "nothing is accepted in the pause");
	fake_now_us += lobby.limits.pause_ms * UINT64_C(1000);
	pass(2);
	cr_assert_eq(lobby.count, 2);
	text_release(&text);
	for (n = 0; n < 3; n++)
		close(fd[n]);
}

Test(door, tokens_travel_in_clear_on_this_machine_only)
{
	struct error why = { 0 };
	struct tls *tls = (struct tls *)(uintptr_t)1; /* never dereferenced */

	make_door();
	cr_assert_eq(listen_at("0.0.0.0", NULL, &why), -1);
	cr_assert_str_eq(why.text,
			 "cannot listen at 0.0.0.0: beyond this machine "
			 "tokens need TLS");
	cr_assert_eq(listen_at("0.0.0.0", tls, &why), 0);
	close(come(1));
	pass(2);
	cr_assert_eq(lobby.tls, tls);
	cr_assert_null(listener_open("no.such.name.invalid", "0", true, &why));
	cr_assert_null(listener_open("192.0.2.1", "0", true, &why));
	cr_assert_not_null(strstr(why.text, "192.0.2.1"));
	while (lobby.count > 0)
		send_away(0);
	door_free(lobby.door);
	lobby.limits.plain_anywhere = true;
	make_door();
	cr_assert_eq(listen_at("0.0.0.0", NULL, &why), 0);
}

Test(door, ipv6)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6,
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct error why;
	int fd;

	make_door();
	if (listen_at("::1", NULL, &why) == 0) {
		to.sin6_port = htons((uint16_t)listener_port(lobby.listener));
		fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
		cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)),
			     0);
		pass(2);
		cr_assert_eq(lobby.count, 1);
		cr_assert_eq(strncmp(lobby.visitor[0]->from, "[::1]:", 6), 0);
		close(fd);
	} else {
		cr_log_warn("no IPv6 here: %s", why.text);
	}
}

static int
come_local(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	close(fd);
	return -1;
}

Test(door_alone, a_unix_socket)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char folder[] = "/tmp/referee-door-XXXXXX", path[64];
	char far[200];
	struct error why;
	struct stat st;
	int fd, i;

	begin();
	lobby.limits.each_address = 1;
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	/* A dead one lies there. */
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	close(fd);
	make_door();
	lobby.listener = listener_open_unix(path, &why);
	cr_assert_not_null(lobby.listener, "%s", why.text);
	cr_assert_eq(door_listen(lobby.door, lobby.listener, NULL, &why), 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0600);
	for (i = 0; i < 3; i++) {
		fd = come_local(path);
		cr_assert_geq(fd, 0);
		pass(2);
		close(fd);
	}
	cr_assert_eq(lobby.count, 3, "local ones are not counted");
	cr_assert_str_eq(lobby.visitor[0]->from, "local");
	/* A living one is not taken away. */
	cr_assert_null(listener_open_unix(path, &why));
	cr_assert_not_null(strstr(why.text, strerror(EADDRINUSE)));
	memset(far, 'x', sizeof(far) - 1);
	far[sizeof(far) - 1] = '\0';
	cr_assert_null(listener_open_unix(far, &why));
	fd = come_local(path);
	cr_assert_geq(fd, 0);
	close(fd);
	pass(2);
	end();
	cr_assert_eq(rmdir(folder), 0, "the socket has gone with the door");
}

Test(door_alone, the_unix_socket_of_another_stays)
{
	char folder[] = "/tmp/referee-door-XXXXXX", path[64];
	struct listener *other;
	struct error why;
	int fd;

	begin();
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	make_door();
	other = listener_open_unix(path, &why);
	cr_assert_not_null(other, "%s", why.text);
	cr_assert(listener_is_there(other));
	cr_assert_eq(unlink(path), 0);
	cr_assert_not(listener_is_there(other));
	lobby.listener = listener_open_unix(path, &why);
	cr_assert_not_null(lobby.listener, "%s", why.text);
	cr_assert_eq(door_listen(lobby.door, lobby.listener, NULL, &why), 0);
	cr_assert_not(listener_is_there(other));
	cr_assert(listener_is_there(lobby.listener));
	listener_free(other);
	fd = come_local(path);
	cr_assert_geq(fd, 0, "it is not removed with the first");
	close(fd);
	pass(2);
	end();
	cr_assert_eq(rmdir(folder), 0, "the socket has gone with the door");
}

/* ---- given by a starter --------------------------------------------- */

static unsigned
given(const char *pid, const char *fds)
{
	int first = 0;
	unsigned count;

	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", fds, 1);
	count = listener_given(&first);
	cr_assert_eq(first, 3);
	cr_assert_null(getenv("LISTEN_PID"));
	cr_assert_null(getenv("LISTEN_FDS"));
	cr_assert_eq(listener_given(&first), 0);
	return count;
}

Test(door, descriptors_that_were_given)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	char pid[16];
	struct error why;
	int fd, other[2];

	snprintf(pid, sizeof(pid), "%d", getpid());
	cr_assert_eq(given("1", "1"), 0);
	cr_assert_eq(given(pid, "0"), 0);
	cr_assert_eq(given(pid, "x"), 0);
	cr_assert_eq(given(pid, "-1"), 0);
	cr_assert_eq(given(pid, "2"), 2);
	make_door();
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 5), 0);
	lobby.listener = listener_adopt(fd, &why);
	cr_assert_not_null(lobby.listener, "%s", why.text);
	cr_assert_eq(door_listen(lobby.door, lobby.listener, NULL, &why), 0);
	cr_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(let_in(1));
	/* No listener; not even a descriptor; open to others. */
	net_pair(false, other);
	cr_assert_null(listener_adopt(other[0], &why));
	cr_assert_not_null(strstr(why.text, "is no socket that listens"));
	close(other[1]);
	cr_assert_null(listener_adopt(987654, &why));
	fd = socket(AF_INET, SOCK_STREAM, 0);
	at.sin_addr.s_addr = htonl(INADDR_ANY);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 5), 0);
	lobby.listener = listener_adopt(fd, &why);
	cr_assert_not_null(lobby.listener, "%s", why.text);
	cr_assert_eq(door_listen(lobby.door, lobby.listener, NULL, &why), -1);
	cr_assert_not_null(strstr(why.text, "tokens need TLS"));
}

/* ---- addresses ------------------------------------------------------ */

static struct address *
take(struct addresses *all, const char *text)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		return address_take(all, (struct sockaddr *)&v4);
	cr_assert_eq(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
	return address_take(all, (struct sockaddr *)&v6);
}

Test(door_alone, what_an_address_is)
{
	static const struct {
		const char *one, *other;
		bool same;
	} pairs[] = {
		{ "192.0.2.1", "192.0.2.1", true },
		{ "192.0.2.1", "192.0.2.2", false },
		{ "192.0.2.1", "::ffff:192.0.2.1", true },
		{ "2001:db8:1:2::1", "2001:db8:1:2:ffff::7", true },
		{ "2001:db8:1:2::1", "2001:db8:1:3::1", false },
		{ "0.0.0.0", "::", false },
	};
	struct addresses *all = addresses_new();
	struct address *one, *other;
	size_t i;

	for (i = 0; i < NELEM(pairs); i++) {
		one = take(all, pairs[i].one);
		other = take(all, pairs[i].other);
		cr_expect_eq(one == other, pairs[i].same, "%s %s", pairs[i].one,
			     pairs[i].other);
		address_drop(all, one, 0);
		address_drop(all, other, 0);
	}
	cr_assert_eq(addresses_count(all), 0);
	addresses_free(all);
}

Test(door_alone, so_much_may_be_asked_in_an_hour)
{
	struct addresses *all = addresses_new();
	struct address *address = take(all, "192.0.2.1");
	uint64_t now_us = 1;

	for (unsigned i = 0; i < 30; i++)
		cr_expect(address_may_ask(address, 30, now_us));
	now_us += UINT64_C(120000000) - 1;
	cr_expect_not(address_may_ask(address, 30, now_us));
	cr_expect(address_may_ask(address, 30, now_us + 1));
	cr_expect_not(address_may_ask(address, 30, now_us + 1));
	address_drop(all, address, now_us);
	addresses_free(all);
}

Test(door_alone, wrong_tokens_take_longer_each_time)
{
	struct addresses *all = addresses_new();
	struct address *address = take(all, "192.0.2.1"), *other;
	const uint64_t hour_us = 3600000000u;
	uint64_t now_us = hour_us;
	unsigned ms = WRONG_MS, i;
	char text[32];

	for (i = 0; i < 20; i++) {
		cr_assert_eq(address_wrong(address, now_us), ms);
		ms = 2 * ms < WRONG_MS_MAX ? 2 * ms : WRONG_MS_MAX;
		/* A new connection changes nothing. */
		address_drop(all, address, now_us);
		address = take(all, "192.0.2.1");
	}
	other = take(all, "192.0.2.2");
	cr_assert_eq(address_wrong(other, now_us), WRONG_MS);
	now_us += WRONG_MS_MAX * (uint64_t)1000;
	cr_assert_eq(address_wrong(address, now_us), 32 * WRONG_MS);
	now_us += hour_us;
	cr_assert_eq(address_wrong(address, now_us), WRONG_MS);
	address_drop(all, address, now_us);
	address_drop(all, other, now_us);
	/* This many are kept, however many there are. */
	for (i = 0; i < ADDRESSES_KEPT + 100; i++) {
		snprintf(text, sizeof(text), "10.%u.%u.1", i / 256, i % 256);
		address = take(all, text);
		address_wrong(address, now_us);
		address_drop(all, address, now_us);
		cr_assert_leq(addresses_count(all), ADDRESSES_KEPT + 2);
	}
	addresses_free(all);
}

Test(door_alone, who_was_here_is_remembered)
{
	struct addresses *all = addresses_new();
	struct address *address = take(all, "192.0.2.1");
	char text[32];

	address->known = true;
	address_drop(all, address, 0);
	/* It is kept, however many others are forgotten. */
	for (unsigned i = 0; i < 2 * ADDRESSES_KEPT; i++) {
		snprintf(text, sizeof(text), "10.%u.%u.1", i / 256, i % 256);
		address = take(all, text);
		address_wrong(address, 0);
		address_drop(all, address, 0);
	}
	address = take(all, "192.0.2.1");
	cr_assert(address->known);
	address_drop(all, address, 0);
	/* The table does not grow without end. */
	for (unsigned i = 0; i < 3 * ADDRESSES_KNOWN; i++) {
		snprintf(text, sizeof(text), "11.%u.%u.1", i / 256, i % 256);
		address = take(all, text);
		address->known = true;
		address_drop(all, address, 0);
		cr_assert_leq(addresses_count(all),
			      ADDRESSES_KNOWN + ADDRESSES_KEPT + 1);
	}
	addresses_free(all);
}
