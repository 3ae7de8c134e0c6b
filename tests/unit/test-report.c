/* tests/unit/test-report.c - how large a report may be, and its file. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/config/serve-config.h"
#include "referee/web/report-file.h"
#include "referee/web/report-records.h"
#include "referee/web/report.h"

/* Returns true if a report of these records fits into this many bytes. */
static bool
fits(struct report_wish *wish, size_t bytes, size_t *used)
{
	struct report_told told;
	struct error why;
	struct text text;
	bool full;

	text_init(&text, bytes);
	cr_assert_eq(report_write(wish, &text, &told, &why), 0, "%s", why.text);
	cr_assert_eq(told.games, 1);
	*used = text.used;
	full = text.full;
	text_release(&text);
	return !full;
}

/* Makes a record of the vectors that has just ended, in a new file; returns its
 * path. */
static char *
ended_record(void)
{
	char *to = copied("/tmp/referee-test-report-XXXXXX");
	int fd = mkstemp(to);
	struct text text;
	const char *body;

	text_init(&text, SIZE_MAX);
	cr_assert(fd >= 0 &&
		  file_load(SOURCE_DIR "/tests/vectors/toepen-sealed.rec",
			    &text) == 0);
	body = strstr(text_string(&text), "\n\n");
	cr_assert_not_null(body);
	dprintf(fd, "%.*s\nended 2026-11-23T10:00:00Z%s",
		(int)(body - text.bytes), text.bytes, body);
	close(fd);
	text_release(&text);
	return to;
}

Test(report, has_a_largest_size)
{
	static struct report_wish wish;
	char *path = ended_record();
	const struct ladder_founding how = { .k_milli = -1, .start_milli = -1 };
	struct report_records *records;
	struct error why;
	unsigned passed;
	size_t used, cut;

	records = report_records_new(&path, 1, &how, false, &passed, -1, &why);
	cr_assert_not_null(records, "%s", why.text);
	wish = (struct report_wish){
		.title = "t", .games = 1, .now = 1, .stop = -1
	};
	cr_assert_eq(
		report_add(&wish, report_records_ladder(records), NULL, &why),
		0);
	cr_assert_eq(wish.ladders, 1);
	wish.ladder[0].shelf.readers = CONFIG_EVERYBODY;
	cr_assert(fits(&wish, REPORT_BYTES, &used));
	cr_assert(fits(&wish, used, &cut));
	cr_assert_not(fits(&wish, used - 1, &cut));
	report_records_free(records);
	unlink(path);
	free(path);
}

/* ---- its file --------------------------------------------------------- */

/* A new folder. */
static char *
new_folder(void)
{
	char *dir = copied("/tmp/referee-test-report-XXXXXX");

	cr_assert_not_null(mkdtemp(dir));
	return dir;
}

/* Removes a folder; returns how many files it had. */
static unsigned
remove_folder(char *dir)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, NULL, alphasort), i;
	char *path;

	cr_assert_geq(n, 2);
	for (i = 0; i < n; i++) {
		path = formatted("%s/%s", dir, entry[i]->d_name);
		if (strcmp(entry[i]->d_name, ".") != 0 &&
		    strcmp(entry[i]->d_name, "..") != 0)
			cr_assert_eq(unlink(path), 0);
		free(path);
		free(entry[i]);
	}
	free(entry);
	cr_assert_eq(rmdir(dir), 0);
	free(dir);
	return (unsigned)n - 2;
}

static void
fill(struct text *text, size_t n)
{
	text_init(text, n);
	while (text->used < n)
		text_add(text, "0123456789abcdef", 16);
}

Test(report, file_is_there_as_a_whole)
{
	char *dir = new_folder(), *path = formatted("%s/r.html", dir);
	const mode_t mask = umask(027);
	struct text text, read;
	struct error why;
	struct stat st;

	fill(&text, 1048576);
	cr_assert_eq(report_file_check(path, &why), 0);
	cr_assert_eq(report_file_write(path, &text, -1, &why), 0, "%s",
		     why.text);
	umask(mask);
	cr_assert(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640);
	text_init(&read, SIZE_MAX);
	cr_assert_eq(file_load(path, &read), 0);
	cr_assert_eq(read.used, text.used);
	cr_assert_eq(memcmp(read.bytes, text.bytes, text.used), 0);
	/* A file that was made in the meantime is kept. */
	text_clear(&text);
	cr_assert_eq(report_file_check(path, &why), -1);
	cr_assert_eq(report_file_write(path, &text, -1, &why), -1);
	cr_assert_eq(why.kind, ERROR_INPUT);
	cr_assert(stat(path, &st) == 0 && st.st_size == 1048576);
	text_release(&read);
	text_release(&text);
	free(path);
	cr_assert_eq(remove_folder(dir), 1);
}

/* The limit of a file's size kills the process in the middle of its work.  Its
 * leftover has another name. */
Test(report, no_half_of_one_that_is_killed_is_there)
{
	char *dir = new_folder(), *path = formatted("%s/r.html", dir);
	const struct rlimit half = { 524288, 524288 };
	struct text text;
	struct error why;
	pid_t child;
	int status;

	fill(&text, 1048576);
	child = fork();
	if (child == 0) {
		signal(SIGXFSZ, SIG_DFL);
		setrlimit(RLIMIT_FSIZE, &half);
		_exit(report_file_write(path, &text, -1, &why) == 0 ? 0 : 1);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
	cr_expect(access(path, F_OK) < 0);
	cr_expect_eq(report_file_write(path, &text, -1, &why), 0);
	text_release(&text);
	free(path);
	cr_assert_eq(remove_folder(dir), 2);
}

/* Files beside it with any name are not ours: FILE.tmp may be a link. */
Test(report, files_beside_it_stay_as_they_are)
{
	char *dir = new_folder(), *path = formatted("%s/r.html", dir);
	char *beside = formatted("%s.tmp", path), *longest, target[8] = "";
	struct text text;
	struct error why;

	fill(&text, 1048576);
	longest = formatted("%s/%0255d", dir, 0);
	cr_assert_eq(symlink("away", beside), 0);
	cr_expect_eq(report_file_write(path, &text, -1, &why), 0);
	cr_expect_eq(report_file_write(longest, &text, -1, &why), 0);
	cr_expect_eq(readlink(beside, target, sizeof(target)), 4);
	cr_expect_eq(memcmp(target, "away", 4), 0);
	text_release(&text);
	free(longest);
	free(beside);
	free(path);
	cr_assert_eq(remove_folder(dir), 3);
}

/* The signal has come before the report is written. */
Test(report, no_file_is_made_after_a_signal)
{
	char *dir = new_folder(), *path = formatted("%s/r.html", dir);
	const int stop = eventfd(1, EFD_CLOEXEC);
	struct text text;
	struct error why;

	fill(&text, 1048576);
	cr_assert_eq(report_file_write(path, &text, stop, &why), -1);
	cr_assert_eq(why.kind, ERROR_MACHINE);
	cr_assert_not_null(strstr(why.text, "signal"), "%s", why.text);
	close(stop);
	text_release(&text);
	free(path);
	cr_assert_eq(remove_folder(dir), 0);
}
