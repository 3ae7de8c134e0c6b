/* referee/pages/markdown.h - the pages of the games as HTML.
 *
 * They are written in a small part of Markdown: headings, paragraphs, lists
 * without lists in them, tables, fenced blocks, `code`, *stress*, **more of
 * it** and [links](#to). A library for all of Markdown would be one more to
 * need, and its tables have no scopes. */
#ifndef REFEREE_PAGES_MARKDOWN_H
#define REFEREE_PAGES_MARKDOWN_H

#include "referee/pages/html.h"

/* Headings get the IDs that their links have on the web: small letters, `-` for
 * spaces, no punctuation.  The first heading, a page's title, is left out.
 * Links lead to places on the page or to https; of others only the words are
 * left. */
void markdown_write(struct html *html, const char *text, size_t n);

#endif
