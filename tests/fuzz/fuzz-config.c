/* tests/fuzz/fuzz-config.c - a configuration can be printed and read again, or
 * one sentence says what is wrong.
 *
 * Input: the text of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "referee/config/serve-config.h"
#include "tests/fuzz/fuzz.h"

/* Returns what config_read() answers to this text; `file` becomes the name that it
 * reads. */
static int
read_text(const void *text, size_t n, char file[32], struct config **config,
	  struct error *why)
{
	int fd = memfd_create("fuzz-config", MFD_CLOEXEC), result;

	HOLDS(fd >= 0);
	HOLDS(n == 0 || write(fd, text, n) == (ssize_t)n);
	snprintf(file, 32, "/proc/self/fd/%d", fd);
	result = config_read(file, config, why);
	close(fd);
	return result;
}

static char *
print(const struct config *config, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	HOLDS(out != NULL);
	config_print(config, out);
	HOLDS(fclose(out) == 0);
	return text;
}

static void
expect_sentence(const char *why, const char *file)
{
	size_t n = strlen(file);

	HOLDS(strncmp(why, file, n) == 0 && why[n] == ':');
	HOLDS(strlen(why) > n + 2);
	for (; *why != '\0'; why++)
		HOLDS((unsigned char)*why >= ' ' && *why != 0x7f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char file[32], *text, *again;
	struct error why;
	struct config *config, *other;
	size_t bytes, bytes_again;

	if (read_text(data, n, file, &config, &why) < 0) {
		expect_sentence(why.text, file);
		return 0;
	}
	text = print(config, &bytes);
	HOLDS(read_text(text, bytes, file, &other, &why) == 0);
	again = print(other, &bytes_again);
	HOLDS(bytes == bytes_again && memcmp(text, again, bytes) == 0);
	free(text);
	free(again);
	config_free(config);
	config_free(other);
	return 0;
}
