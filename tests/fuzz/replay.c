/* tests/fuzz/replay.c - runs a fuzz target on the files of folders.
 *
 *	replay-NAME FOLDER...
 *
 * Prints the name of each file before it is run, so that the last one is to
 * blame, and at the end the number of files.  It skips names that begin with a
 * dot, and folders. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "protocol/text.h"
#include "tests/fuzz/fuzz.h"

#define FILE_BYTES (1 << 24)

static void
fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	exit(1);
}

static void
replay_file(const char *path)
{
	struct text text = { .max = FILE_BYTES };
	FILE *file = fopen(path, "rbe");
	char part[4096];
	uint8_t *data;
	size_t n;

	if (file == NULL)
		fail(path);
	while ((n = fread(part, 1, sizeof(part), file)) > 0)
		text_add(&text, part, n);
	if (ferror(file))
		fail(path);
	fclose(file);
	if (text.full) {
		errno = EFBIG;
		fail(path);
	}
	data = fuzz_copy(text.bytes, text.used);
	LLVMFuzzerTestOneInput(data, text.used);
	free(data);
	text_release(&text);
}

/* Returns the number of files that were run. */
static unsigned
replay_folder(const char *folder)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, NULL, alphasort), i;
	struct stat status;
	unsigned files = 0;
	char *path;

	if (count < 0)
		fail(folder);
	for (i = 0; i < count; i++) {
		if (asprintf(&path, "%s/%s", folder, entry[i]->d_name) < 0)
			fail(folder);
		if (entry[i]->d_name[0] != '.' && stat(path, &status) == 0 &&
		    S_ISREG(status.st_mode)) {
			printf("%s\n", path);
			fflush(stdout);
			replay_file(path);
			files++;
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
	return files;
}

int
main(int argc, char **argv)
{
	unsigned files = 0;
	int i;

	for (i = 1; i < argc; i++)
		files += replay_folder(argv[i]);
	if (files == 0) {
		fprintf(stderr, "replay: no files\n");
		return 1;
	}
	printf("%u files\n", files);
	return 0;
}
