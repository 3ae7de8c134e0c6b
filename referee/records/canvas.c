/* referee/records/canvas.c - see canvas.h. */
#include "referee/records/canvas.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define CANVAS_BYTES (1 << 20)
#define WORD_BYTES 512 /* bytes of a word; a longer one is cut in two */

void
canvas_init(struct canvas *canvas, unsigned rows, unsigned columns)
{
	const char *no_color = getenv("NO_COLOR");

	*canvas = (struct canvas){
		.rows = rows,
		.columns = columns,
		.end = rows,
		.colour = no_color == NULL || no_color[0] == '\0',
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
	text_init(&canvas->text, CANVAS_BYTES);
}

void
canvas_release(struct canvas *canvas)
{
	text_release(&canvas->text);
}

/* ---- characters ----------------------------------------------------------- */

struct character {
	char bytes[8]; /* the bytes to write, with NUL */
	size_t taken;  /* bytes that it takes in the text */
	unsigned width;
};

static struct character
escaped(unsigned char byte)
{
	struct character at = { .taken = 1, .width = 4 };

	snprintf(at.bytes, sizeof(at.bytes), "\\x%02x", byte);
	return at;
}

/* Returns the character at `text`, which is not empty. */
static struct character
character_at(const struct canvas *canvas, const char *text)
{
	struct character at = { .taken = 1, .width = 1 };
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t n;
	int width;

	at.bytes[0] = text[0];
	if (text[0] >= ' ' && text[0] <= '~')
		return at;
	if (!canvas->utf8)
		return escaped((unsigned char)text[0]);
	n = mbrtowc(&wide, text, strlen(text), &state);
	width = n == 0 || n > 4 ? -1 : wcwidth(wide);
	if (width < 1)
		return escaped((unsigned char)text[0]);
	memcpy(at.bytes, text, n);
	at.bytes[n] = '\0';
	at.taken = n;
	at.width = (unsigned)width;
	return at;
}

/* ---- styles --------------------------------------------------------------- */

static void
set_style(struct canvas *canvas, unsigned style)
{
	static const struct {
		unsigned style;
		const char *code;
	} codes[] = {
		{ STYLE_BOLD, "1" },	{ STYLE_DIM, "2" },
		{ STYLE_REVERSE, "7" }, { STYLE_RED, "31" },
		{ STYLE_GREEN, "32" },	{ STYLE_YELLOW, "33" },
		{ STYLE_BLUE, "94" },
	};

	if (!canvas->colour)
		style &= ~(unsigned)STYLE_COLOURS;
	for (size_t i = 0; i < NELEM(codes); i++)
		if ((style & codes[i].style) != 0)
			text_fmt(&canvas->text, "\033[%sm", codes[i].code);
}

static void
end_style(struct canvas *canvas, unsigned style)
{
	if (!canvas->colour)
		style &= ~(unsigned)STYLE_COLOURS;
	if (style != 0)
		text_str(&canvas->text, "\033[0m");
}

/* ---- rows ----------------------------------------------------------------- */

void
canvas_go(struct canvas *canvas, unsigned row)
{
	canvas->row = row;
	canvas->column = 0;
	canvas->fresh = false;
	if (row < canvas->end)
		text_fmt(&canvas->text, "\033[%u;1H", row + 1);
}

void
canvas_next(struct canvas *canvas)
{
	if (canvas->row < canvas->end)
		canvas_go(canvas, canvas->row + 1);
}

static void
go_on(struct canvas *canvas)
{
	canvas_next(canvas);
	if (canvas->row >= canvas->end)
		return;
	text_fmt(&canvas->text, "%*s", (int)canvas->indent, "");
	canvas->column = canvas->indent;
	canvas->fresh = true;
}

/* ---- text ----------------------------------------------------------------- */

static unsigned
width_of(const struct canvas *canvas, const char *text, size_t n)
{
	struct character at;
	unsigned width = 0;

	for (size_t i = 0; i < n; i += at.taken) {
		at = character_at(canvas, text + i);
		width += at.width;
	}
	return width;
}

/* Puts single characters.  One that does not fit begins a row, or ends the
 * text. */
static void
put_characters(struct canvas *canvas, const char *text, size_t n, bool cut)
{
	struct character at;

	for (size_t i = 0; i < n; i += at.taken) {
		at = character_at(canvas, text + i);
		if (canvas->column + at.width > canvas->columns) {
			if (cut || canvas->indent + at.width > canvas->columns)
				return;
			go_on(canvas);
		}
		if (canvas->row >= canvas->end) {
			canvas->full = true;
			return;
		}
		text_str(&canvas->text, at.bytes);
		canvas->column += at.width;
		canvas->fresh = false;
	}
}

/* Puts a word, or words that stay together if a row has room for them. */
static void
put_word(struct canvas *canvas, const char *text, size_t n)
{
	const unsigned width = width_of(canvas, text, n);

	if (canvas->column + width > canvas->columns &&
	    canvas->indent + width <= canvas->columns)
		go_on(canvas);
	put_characters(canvas, text, n, false);
}

void
canvas_put(struct canvas *canvas, unsigned style, const char *text)
{
	size_t n;

	set_style(canvas, style);
	while (*text != '\0') {
		n = strcspn(text, " ");
		if (n > WORD_BYTES)
			n = WORD_BYTES;
		put_word(canvas, text, n);
		for (text += n; *text == ' '; text++)
			if (!canvas->fresh)
				put_characters(canvas, " ", 1, true);
	}
	end_style(canvas, style);
}

void
canvas_fmt(struct canvas *canvas, unsigned style, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = vformatted(fmt, ap);
	va_end(ap);
	canvas_put(canvas, style, text);
	free(text);
}

void
canvas_piece(struct canvas *canvas, unsigned style, const char *text)
{
	set_style(canvas, style);
	put_word(canvas, text, strlen(text));
	end_style(canvas, style);
}

void
canvas_cut(struct canvas *canvas, unsigned style, const char *text)
{
	set_style(canvas, style);
	put_characters(canvas, text, strlen(text), true);
	end_style(canvas, style);
}
