/* referee/base/command.c - prints what every command prints in the same way. */
#include "referee/base/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "protocol/text.h"

/* Names of files and bots come from elsewhere.  They could draw on the reader's
 * terminal or look like a line of ours. */
void
print_escaped(FILE *to, const char *text)
{
	const char *const end = text + strlen(text);
	char shown[TEXT_SHOWN_BYTES];

	while (text < end) {
		text += text_shown(text, (size_t)(end - text), shown);
		fputs(shown, to);
	}
}

void
print_shell_word(FILE *to, const char *text)
{
	putc('\'', to);
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\'", to);
		putc(*text, to);
	}
	putc('\'', to);
}

void
note(const char *fmt, ...)
{
	char *sentence;
	va_list ap;

	va_start(ap, fmt);
	sentence = vformatted(fmt, ap);
	va_end(ap);
	fputs("referee: ", stderr);
	print_escaped(stderr, sentence);
	putc('\n', stderr);
	free(sentence);
}

int
complain_error(const struct error *error)
{
	note("%s", error->text);
	return (int)error->kind;
}

int
print_words(const char *text, int indent, int column)
{
	bool begun = column > indent; /* a line may begin with a short word */
	int n;

	for (; *text; text += n + (text[n] == ' '), begun = true) {
		n = (int)strcspn(text, " ");
		if (begun && column + 1 + n > TERMINAL_COLUMNS) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (begun) {
			putchar(' ');
			column++;
		}
		printf("%.*s", n, text);
		column += n;
	}
	return column;
}

int
finish_output(void)
{
	static bool told;
	int failed_before = ferror(stdout);

	errno = 0;
	if ((fflush(stdout) == 0 && !failed_before) || told)
		return told ? EXIT_MACHINE : EXIT_DONE;
	told = true;
	return complain_machine("cannot write the output: %s",
				errno ? strerror(errno)
				      : "an earlier write "
					"failed");
}
