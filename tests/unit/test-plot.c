/* tests/unit/test-plot.c - pictures of Elo. */
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

/* Expects this to be written. */
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
		"c", "Elo of <a>", "It rose.", x, y, 3, { 1550, 1525, 1575, "" }
	};

	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	cr_assert_str_eq(between("aria-labelledby=\"", "\""), "c-title c-text");
	cr_assert_str_eq(between("<title id=\"c-title\">", "</title>"),
			 "Elo of &lt;a&gt;");
	cr_assert_str_eq(between("<desc id=\"c-text\">", "</desc>"),
			 "It rose.");
	/* From left to right; 1600 is above 1500. */
	cr_assert_str_eq(between("<path class=\"curve\" d=\"", "\""),
			 "M52.0 232.0L380.0 32.0L708.0 132.0");
	cr_assert_not_null(strstr(text_string(&text), "class=\"band\""));
	/* The picture itself says which is which. */
	cr_assert_not_null(strstr(text_string(&text), ">live Elo<"));
	cr_assert_not_null(
		strstr(text_string(&text), ">Elo with its 95 % interval<"));
	cr_assert_null(strstr(text_string(&text), "style="));
	text_release(&text);
	curve.elo.from = curve.elo.to = NAN;
	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	cr_assert_null(strstr(text_string(&text), "class=\"band\""));
	cr_assert_null(strstr(text_string(&text), "live Elo"));
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
		value[i] = (struct plot_value){ "name",
						{ 1500 + i, 1490, 1600, "" } };
	begin();
	plot_forest(&html, "f", "Versions", value, NELEM(value));
	html_end(&html);
	at = text_string(&text);
	for (n = 0; (at = strstr(at, "<circle")) != NULL; at++)
		n++;
	cr_assert_eq(n, PLOT_ROWS);
	cr_assert_not_null(strstr(text_string(&text), ">1510<"));
	text_release(&text);
}

static const char *
bar_of(double from, double to)
{
	static const struct plot_scale scale = { 1000, 2000 };
	static char path[64];

	begin();
	plot_bar(&html, &scale, &(struct standings_elo){ 1500, from, to, "" });
	snprintf(path, sizeof(path), "%s",
		 between("<path class=\"bar\" d=\"", "\""));
	text_release(&text);
	return path;
}

/* The bar goes from 4 to 156 in the cell. */
Test(plot, an_end_that_is_open_has_an_arrowhead_at_the_edge)
{
	cr_expect_str_eq(bar_of(1250, 1750), "M42.0 7.0H118.0");
	cr_expect_str_eq(bar_of(1250, INFINITY),
			 "M42.0 7.0H156.0m-4-4l4 4-4 4");
	cr_expect_str_eq(bar_of(-INFINITY, 1750),
			 "M4.0 7.0m4-4l-4 4 4 4m-4-4H118.0");
	cr_expect_str_eq(bar_of(NAN, NAN), "");
}

Test(plot, an_end_that_is_open_has_room)
{
	static const struct plot_value won = { "a",
					       { 1800, 1700, INFINITY, "" } },
				       lost = { "b",
						{ 1200, -INFINITY, 1350, "" } };
	struct plot_scale scale = plot_scale_of(&won, 1);

	cr_expect_float_eq(scale.low, 1700, 1e-9);
	cr_expect_float_eq(scale.high, 1900, 1e-9);
	scale = plot_scale_of(&lost, 1);
	cr_expect_float_eq(scale.low, 1050, 1e-9);
	cr_expect_float_eq(scale.high, 1350, 1e-9);
}

Test(plot, band_shows_which_end_is_open)
{
	static const double x[] = { 1, 2 }, y[] = { 1500, 1510 };
	struct plot_curve curve = {
		"c", "t", "d", x, y, 2, { 1600, 1500, INFINITY, "" }
	};

	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	/* The frame goes from 32 to 232. */
	cr_expect_str_eq(between("<rect class=\"band\"", "/>"),
			 " x=\"52\" y=\"32\" width=\"656\" height=\"200\"");
	cr_expect_str_eq(between("<path class=\"bar\" d=\"", "\""),
			 "M690 40.0l8-8 8 8");
	text_release(&text);
	curve.elo = (struct standings_elo){ 1400, -INFINITY, 1500, "" };
	begin();
	plot_curve(&html, &curve);
	html_end(&html);
	cr_expect_str_eq(between("<path class=\"bar\" d=\"", "\""),
			 "M690 224.0l8 8 8-8");
	text_release(&text);
}

/* No picture has a NaN: not for no value, one value, equal values or infinite
 * ones. */
Test(plot, has_no_nan)
{
	static const struct plot_value odd[] = {
		{ "a", { NAN, NAN, NAN, "" } },
		{ "b", { INFINITY, NAN, NAN, "" } },
		{ "c", { 1500, -INFINITY, INFINITY, "" } },
		{ "d", { 1500, NAN, NAN, "" } },
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
	plot_bar(&html, &scale, &odd[3].elo);
	plot_forest(&html, "f", "t", odd, NELEM(odd));
	html_end(&html);
	cr_assert_null(strstr(text_string(&text), "nan"));
	cr_assert_null(strstr(text_string(&text), "inf\""));
	text_release(&text);
}
