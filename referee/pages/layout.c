/* referee/pages/layout.c - see layout.h. */
#include "referee/pages/layout.h"

#include "config.h"

static void
write_refresh(struct html *html, unsigned seconds, bool scripted)
{
	html_fmt(html,
		 scripted ? "<noscript><meta http-equiv='refresh' "
			    "content='%u'></noscript>"
			  : "<meta http-equiv='refresh' content='%u'>",
		 seconds);
}

/* Writes a link to a style sheet in `folder`, which may be "". */
static void
write_style(struct html *html, const char *folder, const char *name)
{
	html_fmt(html, "<link rel='stylesheet' href='%s%s%s'>", html->root,
		 folder, name);
}

static void
write_script(struct html *html, const char *name)
{
	html_fmt(html, "<script type='module' src='%s%s%s'></script>",
		 html->root, html->site->folder, name);
}

static void
write_head(struct html *html, const struct layout *layout)
{
	html_fmt(html, "<head><meta charset='utf-8'>"
		       "<meta name='viewport' "
		       "content='width=device-width, initial-scale=1'>"
		       "<meta name='color-scheme' content='light dark'>"
		       "<title>");
	html_text(html, layout->title);
	html_fmt(html, " \xc2\xb7 referee</title>");
	write_style(html, "", html->site->style);
	if (layout->table)
		write_style(html, html->site->folder, "table.css");
	html_fmt(html, "<link rel='icon' type='image/svg+xml' href='%s%s'>",
		 html->root, html->site->icon);
	if (layout->bare == NULL)
		write_script(html, "head.js");
	if (layout->script != NULL)
		write_script(html, layout->script);
	if (layout->refresh_s > 0)
		write_refresh(html, layout->refresh_s, layout->script != NULL);
	html_close(html, "head");
}

static void
write_place(struct html *html, const struct layout_crumb *place)
{
	html_fmt(html, "<li><a href='%s'>%s</a></li>", place->path,
		 place->text);
}

static void
write_header(struct html *html)
{
	static const struct layout_crumb places[] = {
		{ "Ladders", "" }, { "Live", "live" },	 { "Rules", "rules" },
		{ "API", "api" },  { "About", "about" },
	};

	HTML_OPEN(html, "header", "class", "top");
	HTML_LEAF(html, "referee", "a", "class", "brand", "href", html->root);
	html_fmt(html, "<nav aria-label='Main'><ul>");
	for (unsigned i = 0; i < NELEM(places); i++)
		write_place(html, &places[i]);
	html_fmt(html, "</ul></nav></header>");
}

static void
write_crumbs(struct html *html, const struct layout *layout)
{
	unsigned i;

	if (layout->crumb[0].text == NULL)
		return;
	html_fmt(html, "<nav class='crumbs' aria-label='Breadcrumb'><ol>");
	for (i = 0; i < LAYOUT_CRUMBS && layout->crumb[i].text != NULL; i++)
		write_place(html, &layout->crumb[i]);
	HTML_LEAF(html, layout->title, "li", "aria-current", "page");
	html_fmt(html, "</ol></nav>");
}

static void
begin_page(struct html *html, const struct layout *layout)
{
	text_str(html->to, "<!DOCTYPE html>\n");
	HTML_OPEN(html, "html", "lang", "en", "class", layout->bare);
	html->bare = layout->bare != NULL;
	write_head(html, layout);
	HTML_OPEN(html, "body");
	if (layout->bare == NULL) {
		HTML_LEAF(html, "Skip to content", "a", "class", "skip", "href",
			  "#main");
		write_header(html);
		write_crumbs(html, layout);
	}
	HTML_OPEN(html, "main", "id", "main", "tabindex", "-1");
}

/* Writes the ID of a part directly, because a part's own IDs get a prefix. */
void
layout_begin(struct html *html, const struct layout *layout)
{
	const struct html_part *part = html->site->part;

	if (part == NULL) {
		begin_page(html, layout);
	} else {
		text_str(html->to, "<section id=\"");
		html_text(html, part->id);
		text_fmt(html->to, "\" class=\"part %s\" tabindex=\"-1\">",
			 part->class);
	}
	HTML_LEAF(html, layout->title, "h1");
}

static void
write_footer(struct html *html)
{
	html_fmt(html,
		 "<footer><p>referee " PACKAGE_VERSION
		 ": every card, move and rating can be checked. "
		 "<a href='about'>How, and where the data is</a></p></footer>");
}

void
layout_end(struct html *html)
{
	if (html->site->part != NULL) {
		text_str(html->to, "</section>\n");
	} else {
		html_close(html, "main");
		if (!html->bare)
			write_footer(html);
		html_fmt(html, "</body></html>\n");
	}
	html_end(html);
}
