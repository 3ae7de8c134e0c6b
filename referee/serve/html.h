/* referee/serve/html.h - text in pages of HTML. */
#ifndef REFEREE_HTML_H
#define REFEREE_HTML_H

#include "protocol/text.h"

/* Appends a string as HTML shows it, also between the quotes of an attribute:
 * the only way into a page for what others have written.  What is no UTF-8, and
 * control characters but LF, become U+FFFD. */
void html_text(struct text *to, const char *string);

#endif
