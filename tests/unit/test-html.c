/* tests/unit/test-html.c - what others have written stays text in a page. */
#include <criterion/criterion.h>
#include <string.h>

#include "referee/serve/html.h"
#include "protocol/utf8.h"
#include "tests/unit/leaks.h"

TestSuite(html, .timeout = 60);

static void
expect(const char *from, const char *wanted)
{
	struct text text;

	text_init(&text, 10000);
	html_text(&text, from);
	cr_expect_str_eq(text_string(&text), wanted);
	text_release(&text);
}

Test(html, text)
{
	expect("", "");
	expect("<b a='1' c=\"2\">&amp;</b>",
	       "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
	expect("J\xc3\xb6rg \xe2\x99\xa5\n", "J\xc3\xb6rg \xe2\x99\xa5\n");
	expect("a\x01\t\x7f", "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	/* No character, one that is cut, one that is too long. */
	expect("\xff<", "\xef\xbf\xbd&lt;");
	expect("\xe2\x99", "\xef\xbf\xbd\xef\xbf\xbd");
	expect("\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd");
	expect("\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd");
	NO_LEAKS();
}

/* Whatever comes, nothing of it can open a tag or end an attribute. */
Test(html, any_bytes)
{
	static const char signs[] = "<>&\"'a;#\xc3\xa4\xe2\x99\xf0\x9f\x01";
	unsigned long dice = 1;
	char from[40], out[400];
	struct text text;
	unsigned i, n;

	for (i = 0; i < 20000; i++) {
		for (n = 0; n < sizeof(from) - 1; n++) {
			dice = dice * 6364136223846793005u +
			       1442695040888963407u;
			from[n] = signs[(dice >> 33) % (sizeof(signs) - 1)];
		}
		from[n] = '\0';
		text_init(&text, sizeof(out));
		html_text(&text, from);
		cr_assert(utf8_ok(text_string(&text)));
		cr_assert_null(strpbrk(text_string(&text), "<>\"'"));
		text_release(&text);
	}
	NO_LEAKS();
}
