/* protocol/utf8.h - is it text in UTF-8? */
#ifndef PROTOCOL_UTF8_H
#define PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of the UTF-8 character at `at`, a string that a NUL ends.  Returns
 * 0 if it is none, or a control character of those above ASCII, or one that ends a line
 * or changes the direction of text.  A byte of ASCII is one character, control
 * characters and the NUL, too. */
size_t utf8_character(const char *at);

/* Returns true if utf8_character() takes every character of the string. */
bool utf8_ok(const char *text);

#endif
