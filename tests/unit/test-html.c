/* tests/unit/test-html.c - the parts of pages: elements, text, Markdown. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "referee/pages/layout.h"
#include "referee/pages/markdown.h"

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

Test(html, writes_elements_and_attributes)
{
	begin();
	HTML_OPEN(&html, "p", "class", "lead", "id", NULL, "title", "a \"b\"");
	html_text(&html, "one & two");
	HTML_OPEN(&html, "br");
	html_fmt(&html, "%d < %d", 1, 2);
	HTML_LEAF(&html, "x", "b");
	html_close(&html, "p");
	expect("<p class=\"lead\" title=\"a &quot;b&quot;\">one &amp; two<br>"
	       "1 &lt; 2<b>x</b></p>");
}

/* A format has elements and links; what its conversions make is only text. */
Test(html, writes_elements_within_formats)
{
	begin();
	html_fmt(&html,
		 "<p class='a %s' data-%s='%u'>%s: %.1f %% < %ld<br>"
		 "<a href='x/%s'>%.2s</a></p>",
		 "\"'>", "n", 7u, "<b>", -1.25, -3L, "y", "abc");
	html_fmt(&html, "<ul><li>%" PRIu64 "</li></ul>", UINT64_MAX);
	expect("<p class=\"a &quot;&#39;&gt;\" data-n=\"7\">&lt;b&gt;: "
	       "\xe2\x88\x92"
	       "1.2 % &lt; \xe2\x88\x92"
	       "3<br><a href=\"../x/y\">ab</a></p>"
	       "<ul><li>18446744073709551615</li></ul>");
}

Test(html, numbers_below_zero_have_a_minus_sign)
{
	begin();
	html_words(&html, "-1 & a-2 -b (-3) 2026-11-23 -");
	html_fmt(&html, "%d", -4);
	expect("\xe2\x88\x92"
	       "1 &amp; a-2 -b (\xe2\x88\x92"
	       "3) 2026-11-23 -"
	       "\xe2\x88\x92"
	       "4");
}

/* Tries a byte of each kind, at the beginning, in the middle and at the end. */
Test(html, escapes_whatever_is_not_text)
{
	static const struct {
		const char *bytes, *as;
	} tries[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "<script>alert('x')</script>",
		  "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" },
		{ "a\tb\nc", "a\tb\nc" },
		{ "a\001b\177", "a\xef\xbf\xbd"
				"b\xef\xbf\xbd" },
		{ "\xc3\xa4", "\xc3\xa4" },
		{ "\xc3", "\xef\xbf\xbd" },
		{ "\xff<", "\xef\xbf\xbd&lt;" },
		/* Incomplete and overlong sequences, and a control character. */
		{ "\xe2\x99", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xd7\xa9\xd7\x9c", "\xd7\xa9\xd7\x9c" },
	};
	unsigned i;

	for (i = 0; i < NELEM(tries); i++) {
		begin();
		html_text(&html, tries[i].bytes);
		expect(tries[i].as);
	}
	begin();
	html_escape(&text, "a\0b", 3);
	expect("a\xef\xbf\xbd"
	       "b");
}

Test(html, links_only_to_names_that_have_a_page)
{
	char longer[201];

	begin();
	html_name_link(&html, "bots", "alice-2.b");
	html_name_link(&html, "bots", "<b>");
	expect("<a href=\"../bots/alice-2.b\"><bdi>alice-2.b</bdi></a>"
	       "<bdi>&lt;b&gt;</bdi>");
	memset(longer, 'n', 200);
	longer[200] = '\0';
	begin();
	html_name_link(&html, "bots", longer);
	html_end(&html);
	cr_assert_null(strstr(text_string(&text), "href"));
	cr_assert_not_null(strstr(text_string(&text), longer));
	text_release(&text);
	begin();
	html_query(&text, "a b&c=\xc3\xa4");
	expect("a%20b%26c%3D%C3%A4");
}

Test(html, writes_tables_and_facts)
{
	begin();
	HTML_OPEN_TABLE(&html, "games", "<a>", NULL, "b", "n");
	HTML_OPEN(&html, "tr");
	html_fmt(&html, "<td>%s</td>", "<c>");
	html_fmt(&html, "<td class='n'>%d</td>", -1);
	html_close(&html, "tr");
	html_close_table(&html);
	html_fact(&html, "d", "%.1f %%", 0.5);
	expect("<table class=\"games\"><thead><tr>"
	       "<th scope=\"col\">&lt;a&gt;</th>"
	       "<th scope=\"col\" class=\"n\">b</th></tr></thead>"
	       "<tbody><tr><td>&lt;c&gt;</td>"
	       "<td class=\"n\">\xe2\x88\x92"
	       "1</td></tr></tbody></table>"
	       "<div><dt>d</dt><dd>0.5 %</dd></div>");
}

/* ---- Markdown --------------------------------------------------------- */

static void
expect_marked(const char *markdown, const char *as)
{
	begin();
	markdown_write(&html, markdown, strlen(markdown));
	expect(as);
}

Test(html, markdown_has_paragraphs_lists_and_headings)
{
	expect_marked("# Title\n\nOne\ntwo.\n\nThree\n",
		      "<p>One\ntwo.</p><p>Three</p>");
	expect_marked("# T\n## Points, places\n",
		      "<h2 id=\"points-places\">Points, places</h2>");
	expect_marked("- a\n  b\n- c\n\n1. d\n2. e\n",
		      "<ul><li>a\n  b</li><li>c</li></ul>"
		      "<ol><li>d</li><li>e</li></ol>");
	expect_marked("```\na < b\n```\n",
		      "<pre tabindex=\"0\">a &lt; b\n</pre>");
	expect_marked("<!-- not told -->\ntext", "<p>text</p>");
}

Test(html, markdown_has_spans)
{
	expect_marked("`a*b*` *c* **d `e`**",
		      "<p><code>a*b*</code> <em>c</em> "
		      "<strong>d <code>e</code></strong></p>");
	expect_marked("[a](#b) [c](https://x.y/) [d](../d.md)",
		      "<p><a href=\"#b\">a</a> "
		      "<a href=\"https://x.y/\">c</a> d</p>");
	expect_marked("2 * 3 [x] `y", "<p>2 * 3 [x] `y</p>");
	expect_marked("[x](javascript:alert)", "<p>x</p>");
	expect_marked("([of two\nlines](#two))",
		      "<p>(<a href=\"#two\">of two\nlines</a>)</p>");
	expect_marked("a hand of\n25. It", "<p>a hand of\n25. It</p>");
	expect_marked("a \\| b", "<p>a | b</p>");
}

Test(html, markdown_has_tables)
{
	expect_marked("| a | b |\n| --- | --- |\n| `1` | 2 \\| 3 |\n",
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Table\"><table><thead><tr>"
		      "<th scope=\"col\">a</th><th scope=\"col\">b</th></tr>"
		      "</thead><tbody><tr><th scope=\"row\"><code>1</code></th>"
		      "<td>2 | 3</td></tr></tbody></table></div>");
}

/* Elements of any text nest: otherwise html_close() would abort. */
Test(html, markdown_of_anything_nests)
{
	static const char alphabet[] = "`*[]()#-|\\ \na1.<!>\xc3";
	uint64_t state = 1;
	char bytes[64];
	unsigned i, n;

	for (i = 0; i < 20000; i++) {
		for (n = 0; n < sizeof(bytes); n++) {
			state = state * 6364136223846793005u + 1;
			bytes[n] = alphabet[(state >> 40) %
					    (sizeof(alphabet) - 1)];
		}
		begin();
		markdown_write(&html, bytes, i % sizeof(bytes));
		html_end(&html);
		text_release(&text);
	}
}

/* ---- a part of a larger document -------------------------------------- */

/* Knows `here?a=1&b=2` and nothing else. */
static const char *
lead(void *arg, const char *path)
{
	return strcmp(path, "here?a=1&b=2") == 0 ? arg : NULL;
}

static const struct html_part part = { "q", "of-x", lead,
				       (char[]){ "?x=1&y=2#there" } };
static const struct site parts = { .part = &part };

static void
begin_part(void)
{
	text_init(&text, 1 << 20);
	html_begin(&html, &parts, &text, "../");
}

Test(html, a_part_has_ids_of_its_own_and_lower_headings)
{
	begin_part();
	HTML_OPEN(&html, "p", "id", "a", "class", "a", "aria-labelledby",
		  "b c");
	html_close(&html, "p");
	HTML_LEAF(&html, "x", "h1", "id", "b");
	HTML_LEAF(&html, "y", "h5");
	HTML_OPEN(&html, "hr");
	expect("<p id=\"q-a\" class=\"a\" aria-labelledby=\"q-b q-c\"></p>"
	       "<h2 id=\"q-b\">x</h2><h6>y</h6><hr>");
}

/* IDs have names from a ladder's file, which may be forged. */
Test(html, ids_of_a_part_are_escaped)
{
	const struct html_part odd = { .id = "\"><b>" };
	const struct site there = { .part = &odd };

	text_init(&text, 1 << 20);
	html_begin(&html, &there, &text, "../");
	HTML_LEAF(&html, "x", "p", "id", "\"<i>");
	expect("<p id=\"&quot;&gt;&lt;b&gt;-&quot;&lt;i&gt;\">x</p>");
}

Test(html, formats_of_a_part_have_its_ids_headings_and_links)
{
	begin_part();
	html_fmt(&html, "<h2 id='%s'>x</h2><p><a href='gone'>y</a>", "a");
	html_fmt(&html, "<a href='here?a=1&b=%d'>z</a></p>", 2);
	expect("<h3 id=\"q-a\">x</h3><p><span>y</span>"
	       "<a href=\"?x=1&amp;y=2#there\">z</a></p>");
}

/* A link that leads somewhere else becomes text, and the next link is one again. */
Test(html, a_part_has_no_links_that_lead_out_of_the_document)
{
	begin_part();
	HTML_OPEN_LINK(&html, "gone", "class", "l");
	html_text(&html, "x");
	html_close_link(&html);
	html_fmt(&html, "<a href='here?a=1&b=2'>%s</a>", "<y>");
	html_name_link(&html, "bots", "anna");
	HTML_OPEN_LINK(&html, "here?a=1&b=2", "class", "l");
	html_close_link(&html);
	expect("<span class=\"l\">x</span>"
	       "<a href=\"?x=1&amp;y=2#there\">&lt;y&gt;</a>"
	       "<span><bdi>anna</bdi></span>"
	       "<a href=\"?x=1&amp;y=2#there\" class=\"l\"></a>");
}

Test(html, a_part_is_a_section_without_a_head)
{
	begin_part();
	layout_begin(&html, &(struct layout){ .title = "a < b",
					      .script = "s.js",
					      .refresh_s = 9,
					      .crumb = { { "c", "c" } } });
	layout_end(&html);
	expect("<section id=\"q\" class=\"part of-x\" tabindex=\"-1\">"
	       "<h2>a &lt; b</h2></section>\n");
}
