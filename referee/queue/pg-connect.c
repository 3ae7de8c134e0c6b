/* referee/queue/pg-connect.c - connects to the first of several hosts that
 * accepts us.
 *
 * libpq goes on to the next host when one cannot be reached, is starting or
 * shutting down, or can only be read.  But a host that refuses for another
 * reason ends its search, although the reason may be that host's alone: a
 * standby has no free session, or lags so far behind that it does not know our
 * role or database.  So we go on with the hosts after it. */
#include "referee/queue/pg-inside.h"

#include <stdlib.h>
#include <string.h>

/* The lists of a conninfo, owned; NULL: not given.  `port` may hold one port
 * for all hosts. */
struct hosts {
	char *host, *hostaddr, *port;
};

bool
pg_conninfo_holds(const char *conninfo, struct error *why)
{
	struct text sentence = { .max = ERROR_BYTES };
	char *message = NULL;
	PQconninfoOption *options = PQconninfoParse(conninfo, &message);

	if (options != NULL) {
		PQconninfoFree(options);
		return true;
	}
	pg_sentence(&sentence, message == NULL ? "no memory" : message);
	error_set(why, ERROR_INPUT, "invalid connection string: %s",
		  text_string(&sentence));
	text_release(&sentence);
	PQfreemem(message);
	return false;
}

static void
hosts_release(struct hosts *hosts)
{
	free(hosts->host);
	free(hosts->hostaddr);
	free(hosts->port);
	*hosts = (struct hosts){ NULL };
}

/* Returns element `i` of a list; "" if there is none. */
static const char *
element(const char *list, unsigned i, int *length)
{
	while (list != NULL && i > 0) {
		list = strchr(list, ',');
		list = list == NULL ? NULL : list + 1;
		i--;
	}
	*length = list == NULL ? 0 : (int)strcspn(list, ",");
	return list == NULL ? "" : list;
}

static bool
is_element(const char *list, unsigned i, const char *value)
{
	int length;
	const char *at = element(list, i, &length);

	return strlen(value) == (size_t)length &&
	       strncmp(at, value, (size_t)length) == 0;
}

/* Returns a list without its first `n` elements; NULL if none is left. */
static char *
without(const char *list, unsigned n)
{
	int length;
	const char *at = element(list, n, &length);

	return *at == '\0' ? NULL : copied(at);
}

static char *
option_of(const PQconninfoOption *option, const char *keyword)
{
	for (; option->keyword != NULL; option++)
		if (strcmp(option->keyword, keyword) == 0)
			return option->val == NULL ? NULL : copied(option->val);
	return NULL;
}

/* Stores the hosts after the one at which a connection has failed.  Returns
 * false if there are none. */
static bool
hosts_after(PGconn *conn, struct hosts *rest)
{
	PQconninfoOption *options = PQconninfo(conn);
	struct hosts all;
	const char *list;
	unsigned i, n = 1;

	if (options == NULL)
		return false;
	all = (struct hosts){ option_of(options, "host"),
			      option_of(options, "hostaddr"),
			      option_of(options, "port") };
	PQconninfoFree(options);
	list = all.host != NULL ? all.host : all.hostaddr;
	for (const char *at = list; at != NULL && *at != '\0'; at++)
		n += *at == ',';
	for (i = 0; i < n; i++)
		if ((is_element(all.host, i, PQhost(conn)) ||
		     is_element(all.hostaddr, i, PQhost(conn))) &&
		    (all.port == NULL || strchr(all.port, ',') == NULL ||
		     is_element(all.port, i, PQport(conn))))
			break;
	if (i + 1 < n) {
		rest->host = without(all.host, i + 1);
		rest->hostaddr = without(all.hostaddr, i + 1);
		rest->port = all.port != NULL && strchr(all.port, ',') != NULL
				     ? without(all.port, i + 1)
				     : NULL;
	}
	hosts_release(&all);
	return rest->host != NULL || rest->hostaddr != NULL;
}

static void
ignore_notice(void *arg UNUSED, const PGresult *result UNUSED)
{
}

/* Tries these hosts.  Where a list of `hosts` is NULL, that of `conninfo`
 * holds. */
static PGconn *
try_hosts(const char *conninfo, const char *name, const struct hosts *hosts)
{
	/* A later value replaces an earlier one.  Kerberos is used only on
	 * demand, because its library is not safe while the program ends. */
	const char *const keys[] = {
		"connect_timeout",
		"keepalives_idle",
		"tcp_user_timeout",
		"target_session_attrs",
		"gssencmode",
		"fallback_application_name",
		"dbname",
		"client_encoding",
		"host",
		"hostaddr",
		"port",
		NULL,
	};
	const char *const values[] = {
		PG_STRING(PG_CONNECT_S),
		"30",
		PG_STRING(PG_ANSWER_MS),
		"read-write",
		"disable",
		name,
		conninfo,
		"UTF8",
		hosts->host,
		hosts->hostaddr,
		hosts->port,
		NULL,
	};
	PGconn *conn = PQconnectdbParams(keys, values, 1);

	if (conn == NULL)
		bug("out of memory");
	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	return conn;
}

PGconn *
pg_connect(const char *conninfo, const char *name, struct text *why)
{
	struct hosts rest = { NULL };
	PGconn *conn;
	bool more;

	do {
		conn = try_hosts(conninfo, name, &rest);
		hosts_release(&rest);
		if (PQstatus(conn) == CONNECTION_OK &&
		    PQsetnonblocking(conn, 1) == 0)
			return conn;
		text_str(why, PQerrorMessage(conn));
		more = hosts_after(conn, &rest);
		PQfinish(conn);
	} while (more);
	return NULL;
}
