/* referee/http/http-head.c - see http-head.h. */
#include "referee/http/http-head.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "protocol/ascii.h"

/* ---- characters ------------------------------------------------------- */

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* RFC 9110, 5.6.2: the characters of names of methods and headers. */
static bool
is_token(char c)
{
	return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') ||
	       (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

bool
http_decode(char *text, bool plus)
{
	char *to = text, c;

	for (; *text != '\0'; text++) {
		c = *text;
		if (c == '+' && plus)
			c = ' ';
		if (c == '%') {
			if (sodium_hex2bin((unsigned char *)&c, 1, text + 1, 2,
					   NULL, NULL, NULL) != 0)
				return false;
			text += 2;
		}
		if (!ascii_printable(&c, 1))
			return false;
		*to++ = c;
	}
	*to = '\0';
	return true;
}

/* ---- where it ends ---------------------------------------------------- */

/* Returns what is wrong with byte `i`, or NULL. All bytes before it are right. */
static const char *
wrong_byte(const char *bytes, size_t i)
{
	const char c = bytes[i];

	if (i == 0 && !is_upper(c))
		return "expected a request in plain HTTP/1.1";
	if (c == '\n')
		return i == 0 || bytes[i - 1] != '\r'
			       ? "expected CR before every LF"
			       : NULL;
	if (i > 0 && bytes[i - 1] == '\r')
		return "expected LF after every CR";
	if (((unsigned char)c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
		return "expected no control characters";
	return NULL;
}

ptrdiff_t
http_head_find(const char *bytes, size_t n, size_t *scanned, const char **wrong)
{
	for (size_t i = *scanned; i < n; i++) {
		*wrong = wrong_byte(bytes, i);
		if (*wrong != NULL)
			return -1;
		if (i >= 3 && memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0)
			return (ptrdiff_t)i + 1;
	}
	*scanned = n;
	return 0;
}

/* ---- lines ------------------------------------------------------------ */

/* Cuts off the next line, which must exist, without its CR and LF. */
static char *
next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\r');

	*end = '\0';
	*at = end + 2;
	return line;
}

static int
read_target(char *target, struct http_head *head, const char **wrong)
{
	char *query = strchr(target, '?');

	*wrong = "expected a path, from the first slash on";
	if (target[0] != '/' || target[1] == '/')
		return 400;
	*wrong = "expected a path of printable ASCII";
	if (!ascii_printable(target, strlen(target)) ||
	    strchr(target, '#') != NULL)
		return 400;
	if (query != NULL)
		*query++ = '\0';
	if (!http_decode(target, false))
		return 400;
	head->path = target;
	head->query = query;
	return 0;
}

static int
read_version(const char *version, struct http_head *head, const char **wrong)
{
	*wrong = "expected METHOD PATH HTTP/1.1";
	if (strlen(version) != 8 || strncmp(version, "HTTP/", 5) != 0 ||
	    !is_digit(version[5]) || version[6] != '.' || !is_digit(version[7]))
		return 400;
	*wrong = "expected HTTP/1.0 or HTTP/1.1";
	if (version[5] != '1' || version[7] > '1')
		return 505;
	head->minor = (unsigned)(version[7] - '0');
	return 0;
}

static int
read_first(char *line, struct http_head *head, const char **wrong)
{
	char *target = strchr(line, ' '),
	     *version = target == NULL ? NULL : strchr(target + 1, ' ');
	int code;

	*wrong = "expected METHOD PATH HTTP/1.1";
	if (version == NULL || target - line > HTTP_METHOD_BYTES)
		return 400;
	*target++ = '\0';
	*version++ = '\0';
	for (size_t i = 0; line[i] != '\0'; i++)
		if (!is_token(line[i]))
			return 400;
	/* A client that asks for a tunnel would take what follows for its
	 * bytes. */
	*wrong = "expected no CONNECT";
	if (strcmp(line, "CONNECT") == 0)
		return 400;
	head->method = line;
	code = read_version(version, head, wrong);
	return code == 0 ? read_target(target, head, wrong) : code;
}

static int
read_field(char *line, struct http_head *head, const char **wrong)
{
	char *value, *end, *name = line;

	if (line[0] == ' ' || line[0] == '\t') {
		*wrong = "expected each header in one line";
		return 400;
	}
	while (is_token(*line))
		line++;
	if (line == name || *line != ':') {
		*wrong = "expected headers as NAME: VALUE";
		return 400;
	}
	if (head->fields == HTTP_FIELDS) {
		*wrong = "expected fewer headers";
		return 431;
	}
	*line = '\0';
	value = line + 1 + strspn(line + 1, " \t");
	end = value + strlen(value);
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	head->field[head->fields++] = (struct http_field){ name, value };
	return 0;
}

/* ---- what they say ---------------------------------------------------- */

unsigned
http_head_field(const struct http_head *head, const char *name,
		const char **value)
{
	unsigned i, count = 0;

	for (i = 0; i < head->fields; i++)
		if (strcasecmp(head->field[i].name, name) == 0) {
			*value = head->field[i].value;
			count++;
		}
	return count;
}

/* Returns true if the list has the word with only blanks beside it. */
static bool
has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (;;) {
		list += strspn(list, " \t,");
		if (*list == '\0')
			return false;
		if (strncasecmp(list, word, n) == 0 &&
		    strchr(",", list[n + strspn(list + n, " \t")]) != NULL)
			return true;
		list += strcspn(list, ",");
	}
}

bool
http_head_word(const struct http_head *head, const char *name, const char *word)
{
	for (unsigned i = 0; i < head->fields; i++)
		if (strcasecmp(head->field[i].name, name) == 0 &&
		    has_word(head->field[i].value, word))
			return true;
	return false;
}

static const char *
wrong_with_host(const struct http_head *head)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789.:[]-_";
	const char *host = "";
	unsigned hosts = http_head_field(head, "Host", &host);

	if (hosts > 1 || (hosts == 0 && head->minor >= 1))
		return "expected one Host";
	if (host[strspn(host, allowed)] != '\0')
		return "expected a name and a port as Host";
	return NULL;
}

static const char *
read_length(struct http_head *head)
{
	const char *value = "";
	unsigned count = http_head_field(head, "Content-Length", &value);
	size_t i;

	if (http_head_field(head, "Transfer-Encoding", &value) > 0)
		return "expected a Content-Length, no Transfer-Encoding";
	if (count == 0)
		return NULL;
	if (count > 1)
		return "expected one Content-Length at most";
	for (i = 0; is_digit(value[i]) && i < HTTP_LENGTH_DIGITS; i++)
		head->length = head->length * 10 + (uint64_t)(value[i] - '0');
	if (i == 0 || value[i] != '\0')
		return "expected digits as Content-Length";
	head->has_length = true;
	return NULL;
}

static int
read_meaning(struct http_head *head, const char **wrong)
{
	const char *value = "";
	unsigned expects = http_head_field(head, "Expect", &value);

	*wrong = wrong_with_host(head);
	if (*wrong == NULL)
		*wrong = read_length(head);
	if (*wrong != NULL)
		return 400;
	if (expects > 0 &&
	    (expects > 1 || strcasecmp(value, "100-continue") != 0)) {
		*wrong = "expected nothing but 100-continue as Expect";
		return 417;
	}
	head->expects = expects > 0 && head->minor >= 1;
	head->keeps = !http_head_word(head, "Connection", "close") &&
		      (head->minor >= 1 ||
		       http_head_word(head, "Connection", "keep-alive"));
	return 0;
}

int
http_head_read(char *bytes, size_t n, struct http_head *head,
	       const char **wrong)
{
	char *at = bytes, *const end = bytes + n - 2; /* the begin of the empty
						       * line */
	int code;

	memset(head, 0, sizeof(*head));
	code = read_first(next_line(&at), head, wrong);
	while (code == 0 && at < end)
		code = read_field(next_line(&at), head, wrong);
	return code == 0 ? read_meaning(head, wrong) : code;
}
