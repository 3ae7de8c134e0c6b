/* referee/http/http-forwarded.c - see http-forwarded.h. */
#include "referee/http/http-forwarded.h"

#include <string.h>
#include <strings.h>

#define HOP_BYTES 64 /* the longest that can be an address with a port */

/* A part of a list, without the spaces around it. */
struct hop {
	const char *text;
	size_t n;
};

static struct hop
trimmed(const char *text, size_t n)
{
	while (n > 0 && (text[0] == ' ' || text[0] == '\t')) {
		text++;
		n--;
	}
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	return (struct hop){ text, n };
}

/* Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`. */
static bool
read_hop(struct hop hop, struct sockaddr_storage *at)
{
	char text[HOP_BYTES + 1], *end;

	if (hop.n > HOP_BYTES)
		return false;
	memcpy(text, hop.text, hop.n);
	text[hop.n] = '\0';
	if (text[0] == '[') {
		end = strchr(text, ']');
		if (end == NULL || (end[1] != '\0' && end[1] != ':'))
			return false;
		*end = '\0';
		return networks_read(text + 1, at);
	}
	end = strchr(text, ':');
	if (end != NULL && strchr(end + 1, ':') == NULL)
		*end = '\0';
	return networks_read(text, at);
}

/* Reads the value of `for=` among the parameters of one element. */
static bool
read_element(struct hop element, struct sockaddr_storage *at)
{
	const char *begin = element.text, *const end = begin + element.n, *next;
	struct hop hop;

	for (; begin < end; begin = next + 1) {
		next = memchr(begin, ';', (size_t)(end - begin));
		if (next == NULL)
			next = end;
		hop = trimmed(begin, (size_t)(next - begin));
		if (hop.n < 4 || strncasecmp(hop.text, "for=", 4) != 0)
			continue;
		hop = (struct hop){ hop.text + 4, hop.n - 4 };
		if (hop.n >= 2 && hop.text[0] == '"' &&
		    hop.text[hop.n - 1] == '"')
			hop = (struct hop){ hop.text + 1, hop.n - 2 };
		return read_hop(hop, at);
	}
	return false;
}

typedef bool read_one(struct hop hop, struct sockaddr_storage *at);

/* Walks one header from its end.  Returns true if the client was found, or if
 * an entry cannot be read, so that those before it mean nothing. */
static bool
walk(const struct networks *proxies, const char *list, read_one *read,
     struct sockaddr_storage *from)
{
	size_t begin, end = strlen(list);
	struct sockaddr_storage at;

	for (;; end = begin - 1) {
		begin = end;
		while (begin > 0 && list[begin - 1] != ',')
			begin--;
		if (!read(trimmed(list + begin, end - begin), &at))
			return true;
		*from = at;
		if (!networks_have(proxies, (struct sockaddr *)&at))
			return true;
		if (begin == 0)
			return false;
	}
}

/* Walks all headers of one name as one list. */
static bool
walk_all(const struct networks *proxies, const struct http_head *head,
	 const char *name, read_one *read, struct sockaddr_storage *from)
{
	bool there = false;

	for (unsigned i = head->fields; i-- > 0;) {
		if (strcasecmp(head->field[i].name, name) != 0)
			continue;
		there = true;
		if (walk(proxies, head->field[i].value, read, from))
			break;
	}
	return there;
}

bool
http_forwarded(const struct networks *proxies, const struct http_head *head,
	       struct sockaddr_storage *from)
{
	struct sockaddr_storage first = *from, second = *from;
	bool one = walk_all(proxies, head, "X-Forwarded-For", read_hop, &first),
	     two = walk_all(proxies, head, "Forwarded", read_element, &second);

	*from = one ? first : second;
	return !one || !two ||
	       networks_same((struct sockaddr *)&first,
			     (struct sockaddr *)&second);
}
