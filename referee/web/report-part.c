/* referee/web/report-part.c - see report-part.h. */
#include "referee/web/report-part.h"

#include <stdint.h>
#include <string.h>

#define ATTRIBUTES 24 /* of one element */

/* A piece of the page; borrowed. */
struct piece {
	const char *at;
	size_t n;
};

struct tag {
	struct piece name;
	bool closes;
	struct piece key[ATTRIBUTES], value[ATTRIBUTES];
	unsigned attributes;
};

struct rewrite {
	const struct report_part *part;
	struct text *to;
	bool loose; /* the link that is open leads nowhere */
};

static bool
is(struct piece piece, const char *text)
{
	return piece.n == strlen(text) && memcmp(piece.at, text, piece.n) == 0;
}

static void
put(struct text *to, struct piece piece)
{
	text_add(to, piece.at, piece.n);
}

/* ---- reading ---------------------------------------------------------- */

static struct piece
take(const char **at, const char *until)
{
	struct piece piece = { *at, strcspn(*at, until) };

	*at += piece.n;
	return piece;
}

/* From behind the `<` to behind the `>`. */
static void
read_tag(const char **at, struct tag *tag)
{
	tag->attributes = 0;
	tag->closes = **at == '/';
	*at += tag->closes;
	tag->name = take(at, " \n>");
	while (*(*at += strspn(*at, " \n")) != '>' && **at != '\0') {
		if (tag->attributes == ATTRIBUTES)
			bug("an element with too many attributes");
		tag->key[tag->attributes] = take(at, "= \n>");
		tag->value[tag->attributes] = (struct piece){ NULL, 0 };
		if (**at == '=') {
			*at += strlen("=\"");
			tag->value[tag->attributes] = take(at, "\"");
			*at += **at == '"';
		}
		tag->attributes++;
	}
	*at += **at == '>';
}

/* Behind the `>` of its `main`, and where that ends. */
static const char *
find_main(const char *page, const char **end)
{
	const char *at = strstr(page, "<main");

	if (at == NULL || (at = strchr(at, '>')) == NULL ||
	    (*end = strstr(at, "</main>")) == NULL)
		bug("a page without its main");
	return at + 1;
}

/* ---- attributes ------------------------------------------------------- */

/* IDs with spaces between them. */
static void
put_ids(const struct rewrite *rewrite, struct piece ids)
{
	const char *at = ids.at, *end = ids.at + ids.n;
	size_t n;

	while (at < end) {
		n = strcspn(at, " \"");
		if (at > ids.at)
			text_add(rewrite->to, " ", 1);
		text_fmt(rewrite->to, "%s-%.*s", rewrite->part->id, (int)n, at);
		at += n;
		at += at < end;
	}
}

/* A path as it is written in a link: without the way to the root, the fragment,
 * and what HTML makes of `&`. */
static void
plain_path(struct piece href, struct text *path)
{
	const char *at = href.at, *end = href.at + href.n;
	size_t n;

	while (strncmp(at, "./", 2) == 0 || strncmp(at, "../", 3) == 0)
		at += strcspn(at, "/") + 1;
	while (at < end && *at != '#' && *at != '"') {
		n = strcspn(at, "&#\"");
		text_add(path, at, n);
		at += n;
		if (at < end && strncmp(at, "&amp;", 5) == 0) {
			text_add(path, "&", 1);
			at += 5;
		} else if (at < end && *at == '&') {
			text_add(path, at++, 1);
		}
	}
}

/* Whether the link leads somewhere; then appends where. */
static bool
lead(const struct rewrite *rewrite, struct piece href, struct text *to)
{
	struct text path;
	bool found;

	if (href.n > 0 && href.at[0] == '#') {
		text_fmt(to, "#%s-%.*s", rewrite->part->id, (int)href.n - 1,
			 href.at + 1);
		return true;
	}
	if (memmem(href.at, href.n, "://", 3) != NULL) {
		put(to, href);
		return true;
	}
	text_init(&path, href.n + 1);
	plain_path(href, &path);
	found = rewrite->part->lead(rewrite->part->arg, text_string(&path), to);
	text_release(&path);
	return found;
}

static bool
names_ids(struct piece key)
{
	return is(key, "id") || is(key, "for") || is(key, "aria-labelledby") ||
	       is(key, "aria-describedby") || is(key, "aria-controls");
}

static void
put_attribute(struct rewrite *rewrite, const struct tag *tag, unsigned i)
{
	struct text *to = rewrite->to;
	const char *hash;

	text_add(to, " ", 1);
	put(to, tag->key[i]);
	if (tag->value[i].at == NULL)
		return;
	text_str(to, "=\"");
	if (names_ids(tag->key[i])) {
		put_ids(rewrite, tag->value[i]);
	} else if (is(tag->key[i], "href") && is(tag->name, "use")) {
		hash = memchr(tag->value[i].at, '#', tag->value[i].n);
		if (hash != NULL)
			text_add(to, hash,
				 tag->value[i].n -
					 (size_t)(hash - tag->value[i].at));
	} else if (is(tag->key[i], "href")) {
		(void)lead(rewrite, tag->value[i], to);
	} else {
		put(to, tag->value[i]);
	}
	text_add(to, "\"", 1);
}

/* ---- elements --------------------------------------------------------- */

/* A link that leads nowhere in this file. */
static bool
is_loose(const struct rewrite *rewrite, const struct tag *tag)
{
	struct text to;
	unsigned i;
	bool found = false;

	text_init(&to, SIZE_MAX);
	for (i = 0; i < tag->attributes; i++)
		found |= is(tag->key[i], "href") &&
			 lead(rewrite, tag->value[i], &to);
	text_release(&to);
	return !found;
}

/* What only a link has. */
static bool
is_of_link(struct piece key)
{
	return is(key, "href") || is(key, "download") || is(key, "rel") ||
	       is(key, "aria-disabled") || is(key, "aria-keyshortcuts");
}

static void
put_name(struct rewrite *rewrite, const struct tag *tag)
{
	struct text *to = rewrite->to;

	if (tag->name.n == 2 && tag->name.at[0] == 'h' &&
	    tag->name.at[1] >= '1' && tag->name.at[1] <= '5')
		text_fmt(to, "h%c", tag->name.at[1] + 1);
	else if (is(tag->name, "a") && rewrite->loose)
		text_str(to, "span");
	else
		put(to, tag->name);
}

static void
put_tag(struct rewrite *rewrite, const struct tag *tag)
{
	unsigned i;

	if (is(tag->name, "a") && !tag->closes)
		rewrite->loose = is_loose(rewrite, tag);
	text_str(rewrite->to, tag->closes ? "</" : "<");
	put_name(rewrite, tag);
	for (i = 0; i < tag->attributes; i++)
		if (!is(tag->name, "a") || !rewrite->loose ||
		    !is_of_link(tag->key[i]))
			put_attribute(rewrite, tag, i);
	text_add(rewrite->to, ">", 1);
}

/* Behind the end of this element, which has none of its name in it. */
static const char *
pass(const char *at, const char *close, const char *end)
{
	const char *found = strstr(at, close);

	return found == NULL || found > end ? end : found + strlen(close);
}

void
report_part_write(const struct report_part *part, const char *page,
		  struct text *to)
{
	struct rewrite rewrite = { .part = part, .to = to };
	const char *end, *at = find_main(page, &end);
	struct tag tag;
	size_t n;

	text_fmt(to, "<section id=\"%s\" class=\"part %s\" tabindex=\"-1\">",
		 part->id, part->class);
	while (at < end) {
		n = strcspn(at, "<");
		text_add(to, at, n);
		at += n;
		if (at >= end)
			break;
		at++;
		read_tag(&at, &tag);
		if (is(tag.name, "form"))
			at = pass(at, "</form>", end);
		else if (is(tag.name, "script"))
			at = pass(at, "</script>", end);
		else
			put_tag(&rewrite, &tag);
	}
	text_str(to, "</section>\n");
}
