/* tests/fuzz/fuzz-head.c - the head of an HTTP request is read exactly as RFC
 * 9112 says.
 *
 * Input: what a client sends.  The model cuts it into pieces that stay where they
 * are, and looks at one after the other. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "referee/http/http-head.h"
#include "tests/fuzz/fuzz.h"

struct piece {
	const char *at;
	size_t n;
};

/* ---- where it ends ---------------------------------------------------- */

static bool
is_control(char c)
{
	return ((unsigned char)c < 32 && c != 9 && c != 10 && c != 13) ||
	       c == 127;
}

static ptrdiff_t
find(const char *bytes, size_t n)
{
	const char *end = n == 0 ? NULL : memmem(bytes, n, "\r\n\r\n", 4);
	const size_t most = end == NULL ? n : (size_t)(end - bytes) + 4;
	size_t i;

	if (n > 0 && (bytes[0] < 'A' || bytes[0] > 'Z'))
		return -1;
	for (i = 0; i < most; i++) {
		const bool lf = bytes[i] == '\n',
			   behind_cr = i > 0 && bytes[i - 1] == '\r';

		if (is_control(bytes[i]) || lf != behind_cr)
			return -1;
	}
	return end == NULL ? 0 : (ptrdiff_t)most;
}

/* Gives the bytes in parts: the head must be found with its last byte, not sooner and
 * not later. */
static void
feed(const char *bytes, size_t n, ptrdiff_t expected)
{
	const char *wrong = NULL;
	size_t scanned = 0, i = 0, part = n > 0 ? (unsigned char)bytes[0] : 1;
	ptrdiff_t found = 0;

	while (i < n && found == 0) {
		i = n - i < part ? n : i + part;
		part = 1 + part / 2;
		found = http_head_find(bytes, i, &scanned, &wrong);
		HOLDS(found != 0 || scanned == i);
	}
	HOLDS(found == expected);
	HOLDS(found >= 0 || (wrong != NULL && wrong[0] != '\0'));
}

/* ---- pieces ----------------------------------------------------------- */

/* Cuts off the part before `end`, and `end` itself; returns false if it is
 * missing. */
static bool
cut(struct piece *from, const char *end, struct piece *piece)
{
	const size_t n = strlen(end);
	const char *at = from->n < n ? NULL : memmem(from->at, from->n, end, n);

	if (at == NULL)
		return false;
	*piece = (struct piece){ from->at, (size_t)(at - from->at) };
	from->n -= piece->n + n;
	from->at = at + n;
	return true;
}

static bool
is(struct piece piece, const char *text)
{
	return piece.n == strlen(text) &&
	       strncasecmp(piece.at, text, piece.n) == 0;
}

static bool
is_of(struct piece piece, const char *allowed)
{
	size_t i;

	for (i = 0; i < piece.n; i++)
		if (piece.at[i] == '\0' || strchr(allowed, piece.at[i]) == NULL)
			return false;
	return true;
}

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define TOKEN DIGITS LETTERS "!#$%&'*+-.^_`|~"

static struct piece
trim(struct piece piece)
{
	while (piece.n > 0 && (*piece.at == ' ' || *piece.at == '\t')) {
		piece.at++;
		piece.n--;
	}
	while (piece.n > 0 &&
	       (piece.at[piece.n - 1] == ' ' || piece.at[piece.n - 1] == '\t'))
		piece.n--;
	return piece;
}

/* Returns the text that a piece encodes, owned; NULL if it is invalid. */
static char *
decode(struct piece piece, bool plus)
{
	char *text = memory(NULL, piece.n + 1), digits[3] = "", *to = text;
	size_t i;

	for (i = 0; i < piece.n; i++, to++) {
		*to = piece.at[i];
		if (*to == '+' && plus)
			*to = ' ';
		if (*to == '%' && piece.n - i >= 3 &&
		    is_of((struct piece){ piece.at + i + 1, 2 },
			  DIGITS "abcdefABCDEF")) {
			memcpy(digits, piece.at + i + 1, 2);
			*to = (char)strtol(digits, NULL, 16);
			i += 2;
		} else if (*to == '%') {
			break;
		}
		if (*to < 32 || *to > 126)
			break;
	}
	*to = '\0';
	if (i < piece.n) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- a model of a head ------------------------------------------------ */

struct model {
	struct piece method, query, name[HTTP_FIELDS], value[HTTP_FIELDS];
	char *path; /* owned; NULL: there is none */
	bool has_query;
	unsigned minor, fields;
	uint64_t length;
	bool has_length;
};

static int
read_target(struct model *model, struct piece target)
{
	struct piece path = target;
	size_t i;

	if (target.n == 0 || target.at[0] != '/' ||
	    (target.n > 1 && target.at[1] == '/'))
		return 400;
	for (i = 0; i < target.n; i++)
		if (target.at[i] < 33 || target.at[i] > 126 ||
		    target.at[i] == '#')
			return 400;
	model->query = target;
	model->has_query = cut(&model->query, "?", &path);
	model->path = decode(path, false);
	return model->path == NULL ? 400 : 0;
}

static int
read_first(struct model *model, struct piece line)
{
	struct piece target;

	if (!cut(&line, " ", &model->method) || !cut(&line, " ", &target) ||
	    model->method.n > HTTP_METHOD_BYTES ||
	    !is_of(model->method, TOKEN) ||
	    (model->method.n == 7 &&
	     memcmp(model->method.at, "CONNECT", 7) == 0))
		return 400;
	if (line.n != 8 || memcmp(line.at, "HTTP/", 5) != 0 ||
	    line.at[6] != '.' ||
	    !is_of((struct piece){ line.at + 5, 1 }, DIGITS) ||
	    !is_of((struct piece){ line.at + 7, 1 }, DIGITS))
		return 400;
	if (line.at[5] != '1' || (line.at[7] != '0' && line.at[7] != '1'))
		return 505;
	model->minor = line.at[7] == '1';
	return read_target(model, target);
}

static int
read_field(struct model *model, struct piece line)
{
	struct piece name;

	if (!cut(&line, ":", &name) || name.n == 0 || !is_of(name, TOKEN))
		return 400;
	if (model->fields == HTTP_FIELDS)
		return 431;
	model->name[model->fields] = name;
	model->value[model->fields++] = trim(line);
	return 0;
}

static unsigned
count(const struct model *model, const char *name, struct piece *value)
{
	unsigned i, found = 0;

	for (i = 0; i < model->fields; i++)
		if (is(model->name[i], name)) {
			*value = model->value[i];
			found++;
		}
	return found;
}

static bool
has_word(const struct model *model, const char *name, const char *word)
{
	struct piece rest, one;
	unsigned i;
	bool more;

	for (i = 0; i < model->fields; i++) {
		rest = model->value[i];
		more = is(model->name[i], name);
		while (more) {
			more = cut(&rest, ",", &one);
			if (is(trim(more ? one : rest), word))
				return true;
		}
	}
	return false;
}

static int
read_meaning(struct model *model)
{
	struct piece value = { "", 0 };
	unsigned hosts = count(model, "Host", &value), i;

	if (hosts > 1 || (hosts == 0 && model->minor == 1) ||
	    !is_of(value, DIGITS LETTERS ".:[]-_"))
		return 400;
	if (count(model, "Transfer-Encoding", &value) > 0)
		return 400;
	model->has_length = count(model, "Content-Length", &value) > 0;
	if (model->has_length) {
		if (count(model, "Content-Length", &value) > 1 ||
		    value.n == 0 || value.n > HTTP_LENGTH_DIGITS ||
		    !is_of(value, DIGITS))
			return 400;
		for (i = 0; i < value.n; i++)
			model->length = model->length * 10 +
					(uint64_t)(value.at[i] - '0');
	}
	i = count(model, "Expect", &value);
	return i > 1 || (i == 1 && !is(value, "100-continue")) ? 417 : 0;
}

static int
read_all(struct model *model, struct piece head)
{
	struct piece line;
	int code;

	HOLDS(cut(&head, "\r\n", &line));
	code = read_first(model, line);
	while (code == 0 && cut(&head, "\r\n", &line) && line.n > 0)
		code = read_field(model, line);
	return code == 0 ? read_meaning(model) : code;
}

/* ---- both ------------------------------------------------------------- */

static bool
same(const char *text, struct piece piece)
{
	return strlen(text) == piece.n && memcmp(text, piece.at, piece.n) == 0;
}

static void
compare_words(const struct http_head *head, const struct model *model)
{
	static const struct {
		const char *name, *word;
	} words[] = { { "Accept-Encoding", "gzip" },
		      { "Accept", "text/html" },
		      { "Connection", "close" },
		      { "Connection", "keep-alive" } };
	const char *value;
	struct piece piece;
	unsigned i;

	for (i = 0; i < NELEM(words); i++)
		HOLDS(http_head_word(head, words[i].name, words[i].word) ==
		      has_word(model, words[i].name, words[i].word));
	i = count(model, "If-None-Match", &piece);
	HOLDS(http_head_field(head, "If-None-Match", &value) == i);
	HOLDS(i == 0 || same(value, piece));
}

static void
compare(const struct http_head *head, const struct model *model)
{
	struct piece none = { "", 0 };
	const bool expects =
		model->minor == 1 && count(model, "Expect", &none) > 0;
	const bool keeps = !has_word(model, "Connection", "close") &&
			   (model->minor == 1 ||
			    has_word(model, "Connection", "keep-alive"));
	char *query, *decoded;
	unsigned i;

	HOLDS(same(head->method, model->method));
	HOLDS(strcmp(head->path, model->path) == 0);
	HOLDS((head->query != NULL) == model->has_query);
	HOLDS(head->minor == model->minor);
	HOLDS(head->fields == model->fields);
	for (i = 0; i < head->fields; i++)
		HOLDS(same(head->field[i].name, model->name[i]) &&
		      same(head->field[i].value, model->value[i]));
	HOLDS(head->has_length == model->has_length);
	HOLDS(head->length == model->length);
	HOLDS(head->expects == expects);
	HOLDS(head->keeps == keeps);
	compare_words(head, model);
	if (!model->has_query)
		return;
	HOLDS(same(head->query, model->query));
	decoded = decode(model->query, true);
	query = copied(head->query);
	HOLDS(http_decode(query, true) == (decoded != NULL));
	HOLDS(decoded == NULL || strcmp(query, decoded) == 0);
	free(query);
	free(decoded);
}

static void
read_head(const char *bytes, size_t n)
{
	struct model model = { .path = NULL };
	const char *wrong = NULL;
	char *mine = fuzz_copy(bytes, n);
	struct http_head head;
	int expected = read_all(&model, (struct piece){ bytes, n });

	HOLDS(http_head_read(mine, n, &head, &wrong) == expected);
	if (expected == 0)
		compare(&head, &model);
	else
		HOLDS(wrong != NULL && wrong[0] != '\0');
	free(model.path);
	free(mine);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *bytes = fuzz_copy(data, n);
	ptrdiff_t end = find(bytes, n);

	feed(bytes, n, end);
	if (end > 0)
		read_head(bytes, (size_t)end);
	free(bytes);
	return 0;
}
