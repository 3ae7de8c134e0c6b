/* tests/unit/test-error-line.c - finds the line that names the error in real
 * output of many languages. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/util.h"
#include "referee/base/error-line.h"

#define FRAME "    at deep (/bot/bot.js:1:71)\n"
#define FRAMES FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME

static const struct {
	const char *text, *line;
} tries[] = {
	{ "", "" },
	{ " \n\n", "" },
	{ "one\ntwo", "two" },
	/* Python */
	{ "Traceback (most recent call last):\n"
	  "  File \"bot.py\", line 3, in <module>\n"
	  "    raise ValueError('no card')\n"
	  "ValueError: no card\n",
	  "ValueError: no card" },
	{ "ValueError: at first, and survived\ngiving up: no cards left\n",
	  "giving up: no cards left" },
	/* Node 20 */
	{ "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\n"
	  "Error: Cannot find module './nope'\n"
	  "Require stack:\n- /bot/bot.js\n" FRAMES
	  "    at node:internal/main/run_main_module:28:49 {\n"
	  "  code: 'MODULE_NOT_FOUND',\n"
	  "  requireStack: [ '/bot/bot.js' ]\n}\n\nNode.js v20.20.2\n",
	  "Error: Cannot find module './nope'" },
	{ "/bot/bot.js:1\n"
	  "function deep(n) { const o = undefined; o.x = 1; }\n"
	  "                                            ^\n\n"
	  "TypeError: Cannot set properties of undefined (setting 'x')\n" FRAMES
	  "\nNode.js v20.20.2\n",
	  "TypeError: Cannot set properties of undefined (setting 'x')" },
	{ "/bot/bot.js:1\nthrow \"boom\";\n^\nboom\n"
	  "(Use `node --trace-uncaught ...` to show where the exception was "
	  "thrown)\n\nNode.js v20.20.2\n",
	  "boom" },
	{ "node:assert:90\n  throw new AssertionError(obj);\n  ^\n\n"
	  "AssertionError [ERR_ASSERTION]: Expected values to be strictly "
	  "equal:\n\n1 !== 2\n\n" FRAMES
	  "    at node:internal/main/run_main_module:28:49 {\n"
	  "  generatedMessage: true,\n  actual: 1,\n}\n\nNode.js v20.20.2\n",
	  "AssertionError [ERR_ASSERTION]: Expected values to be strictly "
	  "equal: 1 !== 2" },
	/* Java 17 */
	{ "thinking\n"
	  "Exception in thread \"main\" java.lang.NullPointerException: Cannot "
	  "invoke \"String.length()\" because \"s\" is null\n"
	  "\tat Bot.choose(Bot.java:12)\n\tat Bot.main(Bot.java:3)\n",
	  "Exception in thread \"main\" java.lang.NullPointerException: Cannot "
	  "invoke \"String.length()\" because \"s\" is null" },
	{ "Exception in thread \"main\" java.lang.IllegalStateException: "
	  "outer\n\tat B.f(B.java:1)\n"
	  "Caused by: java.lang.RuntimeException: inner\n"
	  "\tat B.f(B.java:1)\n\t... 3 more\n",
	  "Caused by: java.lang.RuntimeException: inner" },
	/* Go 1.2x */
	{ "panic: runtime error: index out of range [5] with length 3\n\n"
	  "goroutine 1 [running]:\n"
	  "main.f(0x193777c108?, {0xc00003a758?, 0x101c?, 0x7f19?})\n"
	  "\t/bot/main.go:2 +0x4c\nmain.main()\n\t/bot/main.go:3 +0x37\n"
	  "exit status 2\n",
	  "panic: runtime error: index out of range [5] with length 3" },
	{ "fatal error: all goroutines are asleep - deadlock!\n\n"
	  "goroutine 1 [chan receive]:\nmain.main()\n\t/bot/main.go:3 +0x37\n",
	  "fatal error: all goroutines are asleep - deadlock!" },
	/* Ruby 3 */
	{ "bot.rb:3:in `choose': undefined method `size' for nil:NilClass "
	  "(NoMethodError)\n\n  cards.size\n       ^^^^^\n"
	  "\tfrom bot.rb:7:in `<main>'\n",
	  "bot.rb:3:in `choose': undefined method `size' for nil:NilClass "
	  "(NoMethodError)" },
	/* Rust */
	{ "\nthread 'main' (17932) panicked at src/main.rs:1:89:\n"
	  "index out of bounds: the len is 3 but the index is 99\n"
	  "note: run with `RUST_BACKTRACE=1` environment variable to display "
	  "a backtrace\n",
	  "thread 'main' (17932) panicked at src/main.rs:1:89: index out of "
	  "bounds: the len is 3 but the index is 99" },
	/* Lua, Perl, C#, a sanitizer */
	{ "lua: bot.lua:1: attempt to index a nil value (global 'x')\n"
	  "stack traceback:\n\tbot.lua:1: in main chunk\n\t[C]: in ?\n",
	  "lua: bot.lua:1: attempt to index a nil value (global 'x')" },
	{ "no such card at bot.pl line 1.\n",
	  "no such card at bot.pl line 1." },
	{ "Unhandled exception. System.NullReferenceException: Object "
	  "reference not set\n   at Bot.Main() in /bot/Bot.cs:line 4\n",
	  "Unhandled exception. System.NullReferenceException: Object "
	  "reference not set" },
	{ "bot: bot.c:4: main: Assertion `n > 0' failed.\n",
	  "bot: bot.c:4: main: Assertion `n > 0' failed." },
	{ "==7==ERROR: AddressSanitizer: heap-use-after-free on 0x602\n"
	  "READ of size 4 at 0x602 thread T0\n    #0 0x55 in main bot.c:4\n"
	  "SUMMARY: AddressSanitizer: heap-use-after-free bot.c:4 in main\n"
	  "  0x0c047fff7fb0: 00 00\n==7==ABORTING\n",
	  "==7==ERROR: AddressSanitizer: heap-use-after-free on 0x602" },
};

Test(error_line, is_found_in_what_real_tools_wrote)
{
	char line[512];

	for (size_t i = 0; i < NELEM(tries); i++) {
		error_line_quote(tries[i].text, strlen(tries[i].text), line,
				 sizeof(line));
		cr_expect_str_eq(line, tries[i].line);
	}
}

Test(error_line, a_trace_alone_tells_its_last_line)
{
	char line[64];

	error_line_quote("\tat a\n\tat b\n", 12, line, sizeof(line));
	cr_expect_str_eq(line, "\tat b");
	error_line_quote("\n", 1, line, sizeof(line));
	cr_expect_str_eq(line, "");
	error_line_quote(NULL, 0, line, sizeof(line));
	cr_expect_str_eq(line, "");
}

static const char *
excerpt(const char *text, struct text *to)
{
	text_init(to, EXCERPT_BYTES);
	error_excerpt(text, strlen(text), to);
	return text_string(to);
}

Test(error_line, an_excerpt_has_both_ends_and_the_error)
{
	struct text to;

	cr_expect_str_eq(excerpt("1\n2\n3\n4\n\n", &to), "1\n2\n3\n4");
	text_release(&to);
	cr_expect_str_eq(
		excerpt("1\n2\n3\n4\n5\nTypeError: x\n" FRAMES FRAME
			"\nNode.js v20.20.2\n",
			&to),
		"1\n2\n3\n[2 lines]\nTypeError: x\n[3 lines]\n" FRAME FRAME
			FRAME FRAME FRAME FRAME FRAME FRAME
		"\nNode.js v20.20.2");
	text_release(&to);
	cr_expect_str_eq(excerpt("", &to), "");
	text_release(&to);
}

Test(error_line, an_excerpt_of_anything_is_bounded)
{
	static char all[3 * EXCERPT_BYTES];
	struct text to;

	memset(all, 'x', sizeof(all) - 1);
	(void)excerpt(all, &to);
	cr_expect_not(to.full);
	cr_expect_lt(to.used, 2 * EXCERPT_PART_BYTES + 32);
	text_release(&to);
	for (size_t i = 0; i < sizeof(all) - 1; i += 700)
		memcpy(all + i, "\nKeyError: y\n", 13);
	(void)excerpt(all, &to);
	cr_expect_not(to.full);
	text_release(&to);
}
