/* referee/pages/layout.c - see layout.h. */
#include "referee/pages/layout.h"

#include <stdio.h>

#include "config.h"

static void
write_refresh(struct html *html, unsigned seconds, bool scripted)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", seconds);
	if (scripted)
		HTML_OPEN(html, "noscript");
	HTML_OPEN(html, "meta", "http-equiv", "refresh", "content", text);
	if (scripted)
		html_close(html, "noscript");
}

/* To a file of `folder`, which may be "". */
static void
write_style(struct html *html, const char *folder, const char *name)
{
	char path[HTML_NUMBER_BYTES];

	snprintf(path, sizeof(path), "%s%s%s", html->root, folder, name);
	HTML_OPEN(html, "link", "rel", "stylesheet", "href", path);
}

static void
write_head(struct html *html, const struct layout *layout)
{
	char path[HTML_NUMBER_BYTES];

	HTML_OPEN(html, "head");
	HTML_OPEN(html, "meta", "charset", "utf-8");
	HTML_OPEN(html, "meta", "name", "viewport", "content",
		  "width=device-width, initial-scale=1");
	HTML_OPEN(html, "meta", "name", "color-scheme", "content",
		  "light dark");
	HTML_OPEN(html, "title");
	html_text(html, layout->title);
	html_text(html, " \xc2\xb7 referee");
	html_close(html, "title");
	write_style(html, "", html->site->style);
	if (layout->table)
		write_style(html, html->site->folder, "table.css");
	snprintf(path, sizeof(path), "%s%s", html->root, html->site->icon);
	HTML_OPEN(html, "link", "rel", "icon", "type", "image/svg+xml", "href",
		  path);
	if (layout->script != NULL) {
		snprintf(path, sizeof(path), "%s%s%s", html->root,
			 html->site->folder, layout->script);
		HTML_LEAF(html, "", "script", "type", "module", "src", path);
	}
	if (layout->refresh_s > 0)
		write_refresh(html, layout->refresh_s, layout->script != NULL);
	html_close(html, "head");
}

static void
write_header(struct html *html)
{
	static const struct layout_crumb places[] = {
		{ "Ladders", "" }, { "Live", "live" },	 { "Rules", "rules" },
		{ "API", "api" },  { "About", "about" },
	};
	unsigned i;

	HTML_OPEN(html, "header", "class", "top");
	HTML_OPEN(html, "a", "class", "brand", "href", html->root);
	html_text(html, "referee");
	html_close(html, "a");
	HTML_OPEN(html, "nav", "aria-label", "Main");
	HTML_OPEN(html, "ul");
	for (i = 0; i < NELEM(places); i++) {
		HTML_OPEN(html, "li");
		html_link(html, places[i].text, "%s", places[i].path);
		html_close(html, "li");
	}
	html_close(html, "ul");
	html_close(html, "nav");
	html_close(html, "header");
}

static void
write_crumbs(struct html *html, const struct layout *layout)
{
	unsigned i;

	if (layout->crumb[0].text == NULL)
		return;
	HTML_OPEN(html, "nav", "class", "crumbs", "aria-label", "Breadcrumb");
	HTML_OPEN(html, "ol");
	for (i = 0; i < LAYOUT_CRUMBS && layout->crumb[i].text != NULL; i++) {
		HTML_OPEN(html, "li");
		html_link(html, layout->crumb[i].text, "%s",
			  layout->crumb[i].path);
		html_close(html, "li");
	}
	HTML_LEAF(html, layout->title, "li", "aria-current", "page");
	html_close(html, "ol");
	html_close(html, "nav");
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

/* The ID of a part is not one of its own. */
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
	HTML_OPEN(html, "footer");
	HTML_OPEN(html, "p");
	html_text(html, "referee " PACKAGE_VERSION
			": every card, move and rating can be checked. ");
	html_link(html, "How, and where the data is", "about");
	html_close(html, "p");
	html_close(html, "footer");
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
		html_close(html, "body");
		html_close(html, "html");
		text_str(html->to, "\n");
	}
	html_end(html);
}
