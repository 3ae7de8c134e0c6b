/* tests/unit/test-plot.c - pictures of ratings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/pages/plot.h"

static struct text text;
static struct html html;
static const struct site site;

static void
begin(void)
{
	text_init(&text, 1 << 20);
	html_begin(&html, &site, &text, "../");
}

/* What was written is this. */
static void
expect(const char *what)
{
	html_end(&html);
	cr_assert_str_eq(text_string(&text), what);
	text_release(&text);
}

static const char *
between(const char *from, const char *to)
{
	static char found[256];
	const char *at = strstr(text_string(&text), from);
	const char *end = at == NULL ? NULL : strstr(at + strlen(from), to);

	if (end == NULL)
		return "";
	at += strlen(from);
	snprintf(found, sizeof(found), "%.*s", (int)(end - at), at);
	return found;
}

Test(plot, curve_is_named_and_has_its_band)
{
	static const double x[] = { 1, 2, 3 }, y[] = { 1500, 1600, 1550 };
	struct plot_curve curve = {
		"c", "Rating of <a>", "It rose.", x, y, 3, 1550, 25
	};

	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	cr_assert_str_eq(between("aria-labelledby=\"", "\""), "c-title c-text");
	cr_assert_str_eq(between("<title id=\"c-title\">", "</title>"),
			 "Rating of &lt;a&gt;");
	cr_assert_str_eq(between("<desc id=\"c-text\">", "</desc>"),
			 "It rose.");
	/* From left to right; 1600 is above 1500. */
	cr_assert_str_eq(between("<path class=\"curve\" d=\"", "\""),
			 "M52.0 232.0L380.0 32.0L708.0 132.0");
	cr_assert_not_null(strstr(text_string(&text), "class=\"band\""));
	/* The picture itself says which is which. */
	cr_assert_not_null(strstr(text_string(&text), ">after each game<"));
	cr_assert_not_null(strstr(text_string(&text),
				  ">by all games, with its 95 % interval<"));
	cr_assert_null(strstr(text_string(&text), "style="));
	text_release(&text);
	curve.bar = -1;
	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	cr_assert_null(strstr(text_string(&text), "class=\"band\""));
	cr_assert_null(strstr(text_string(&text), "after each game"));
	text_release(&text);
	curve.points = 1;
	begin();
	plot_curve(&html, &curve);
	expect("");
}

Test(plot, forest_has_a_row_for_each)
{
	struct plot_value value[PLOT_ROWS + 1];
	const char *at;
	unsigned i, n;

	for (i = 0; i < NELEM(value); i++)
		value[i] = (struct plot_value){ "name", 1500 + i, i - 1.0 };
	begin();
	plot_forest(&html, "f", "Versions", value, NELEM(value));
	html_end(&html);
	at = text_string(&text);
	for (n = 0; (at = strstr(at, "<circle")) != NULL; at++)
		n++;
	cr_assert_eq(n, PLOT_ROWS);
	cr_assert_not_null(strstr(text_string(&text), "1510 \xc2\xb1 9"));
	text_release(&text);
}

/* Nothing, one value, the same again, what is not finite: no picture has a
 * number that is none. */
Test(plot, has_no_nan)
{
	static const struct plot_value odd[] = {
		{ "a", NAN, 3 },
		{ "b", INFINITY, -1 },
		{ "c", 1500, INFINITY },
	};
	struct plot_scale scale;
	const double same[] = { 1500, 1500 };
	unsigned i;

	for (i = 0; i <= NELEM(odd); i++) {
		scale = plot_scale_of(odd, i);
		cr_assert(isfinite(scale.low) && isfinite(scale.high));
		cr_assert_lt(scale.low, scale.high);
	}
	begin();
	plot_trend(&html, same, 1);
	expect("");
	begin();
	plot_trend(&html, same, 2);
	plot_bar(&html, &scale, 1500, -1);
	plot_forest(&html, "f", "t", odd, 3);
	html_end(&html);
	cr_assert_null(strstr(text_string(&text), "nan"));
	cr_assert_null(strstr(text_string(&text), "inf\""));
	text_release(&text);
}
