/* referee/pages/markdown.h - writes the documents of the games as HTML.
 *
 * They use a small part of Markdown: headings, paragraphs, lists that are not
 * nested, tables, fenced blocks, `code`, *emphasis*, **strong** and
 * [links](#to).  A library for all of Markdown would be one more dependency,
 * and its tables have no scopes. */
#ifndef REFEREE_PAGES_MARKDOWN_H
#define REFEREE_PAGES_MARKDOWN_H

#include "referee/pages/html.h"

/* Writes the text.  Headings get the IDs that links on the web use: small
 * letters, `-` for spaces, no punctuation.  The first heading, a page's title,
 * is left out.  Links lead to places on the page or to https; other links
 * become plain words. */
void markdown_write(struct html *html, const char *text, size_t n);

#endif
