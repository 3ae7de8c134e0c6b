/* tests/unit/test-sandbox.c - the paths that a box shows for a command line,
 * and the arguments of a box. tests/end-to-end/test-sandbox.py tests the
 * protections of a box. */
#include <criterion/criterion.h>

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/sandbox/sandbox-argv.h"
#include "referee/sandbox/sandbox-filter.h"
#include "referee/sandbox/sandbox.h"

static struct error why;

/* ---- what is seen -------------------------------------------------------- */

/* A folder to work in, with files and folders by their names; a name that ends
 * in / is a folder. */
static void
enter(char root[PATH_MAX], const char *const names[])
{
	char template[] = "/tmp/referee-test-XXXXXX", path[PATH_MAX * 2];
	size_t n;
	FILE *file;

	cr_assert_not_null(mkdtemp(template));
	cr_assert_not_null(realpath(template, root));
	cr_assert_eq(chdir(root), 0);
	for (; *names != NULL; names++) {
		snprintf(path, sizeof(path), "%s/%s", root, *names);
		n = strlen(path);
		if (path[n - 1] == '/') {
			cr_assert_eq(mkdir(path, 0755), 0, "%s", path);
			continue;
		}
		file = fopen(path, "we");
		cr_assert_not_null(file, "%s", path);
		fclose(file);
		cr_assert_eq(chmod(path, 0755), 0);
	}
}

static int
remove_entry(const char *path, const struct stat *stat, int kind,
	     struct FTW *walk)
{
	(void)stat;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void
leave(const char *root)
{
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* Returns what a command (words between spaces) shows, in one string: paths below the
 * root without it, each behind a space; borrowed until the next call. */
static const char *
shows(const char *root, const char *command)
{
	static char text[PATH_MAX];
	char copy[1024], *argv[32], *rest = copy;
	struct sandbox_seen seen;
	unsigned count = 0;
	size_t n = strlen(root), used = 0;

	snprintf(copy, sizeof(copy), "%s", command);
	while ((argv[count] = strsep(&rest, " ")) != NULL)
		count++;
	text[0] = '\0';
	cr_assert_eq(sandbox_see_command(&seen, argv, &why), 0, "%s", why.text);
	for (unsigned i = 0; i < seen.count; i++) {
		used += (size_t)snprintf(
			text + used, sizeof(text) - used, " %s",
			strncmp(seen.path[i], root, n) == 0 ? seen.path[i] + n
							    : seen.path[i]);
	}
	sandbox_seen_release(&seen);
	return text;
}

static const char *const tree[] = {
	"bots/",     "bots/knock.py", "bots/data/", "data/",
	"data/book", "py/",	      "py/bin/",    "py/bin/python",
	"home/",     "home/mine",     "home/bots/", "home/bots/one",
	"home/bin/", "home/bin/tool", "top",	    NULL,
};

Test(sandbox, folders_of_files_are_seen)
{
	char root[PATH_MAX];

	enter(root, tree);
	setenv("HOME", "home", 1);
	cr_expect_str_eq(shows(root, "sh bots/knock.py"), " /bots");
	cr_expect_str_eq(shows(root, "sh ./bots/../bots//knock.py"), " /bots");
	cr_expect_str_eq(shows(root, "sh bots/knock.py --book=data/book -x"),
			 " /bots /data");
	cr_expect_str_eq(shows(root, "sh bots/knock.py bots/data"), " /bots");
	cr_expect_str_eq(shows(root, "sh data"), " /data");
	cr_expect_str_eq(shows(root, "sh nothing --x=nothing"), "");
	cr_expect_str_eq(shows(root, "sh top"), " /top");
	cr_expect_str_eq(shows(root, "py/bin/python bots/knock.py"),
			 " /py /bots");
	cr_expect_str_eq(shows(root, "/usr/bin/env /bin/sh /usr/bin"), "");
	leave(root);
}

Test(sandbox, wide_folders_are_not)
{
	char root[PATH_MAX], command[PATH_MAX + 32];

	enter(root, tree);
	setenv("HOME", "home", 1);
	cr_expect_str_eq(shows(root, "sh home/mine"), " /home/mine");
	cr_expect_str_eq(shows(root, "sh home"), "");
	cr_expect_str_eq(shows(root, "sh home/bots/one"), " /home/bots");
	cr_expect_str_eq(shows(root, "home/bin/tool"), " /home/bin");
	/* A folder that contains the home folder is wider still, and is not shown. */
	cr_expect_str_eq(shows(root, "sh ."), "");
	cr_expect_str_eq(shows(root, "sh top"), " /top");
	cr_expect_str_eq(shows(root, "sh / /etc /proc/self/status /dev/null "
				     "/sys /tmp"),
			 "");
	snprintf(command, sizeof(command), "sh %s/bots/../bots/knock.py", root);
	cr_expect_str_eq(shows(root, command), " /bots");
	leave(root);
}

Test(sandbox, links_are_followed_and_kept)
{
	char root[PATH_MAX];

	enter(root, tree);
	setenv("HOME", "/nowhere", 1);
	cr_assert_eq(symlink("../data/book", "bots/book"), 0);
	cr_assert_eq(symlink("bots", "other"), 0);
	cr_expect_str_eq(shows(root, "sh bots/book"), " /data /bots");
	cr_expect_str_eq(shows(root, "sh other/knock.py"), " /bots /other");
	leave(root);
}

Test(sandbox, a_program_must_be_seen)
{
	struct sandbox_seen seen;
	char program[] = "no-such-program-at-all";
	char *argv[] = { program, NULL };

	cr_expect_eq(sandbox_see_command(&seen, argv, &why), -1);
	cr_expect_not_null(strstr(why.text, "not visible in the sandbox"), "%s",
			   why.text);
	cr_expect_not_null(strstr(why.text, "--sandbox off"), "%s", why.text);
}

Test(sandbox, so_many_folders_and_no_more)
{
	char root[PATH_MAX], names[SANDBOX_SEE_MAX + 2][16], program[] = "sh";
	char *argv[SANDBOX_SEE_MAX + 3] = { program };
	const char *const none[] = { NULL };
	struct sandbox_seen seen;

	enter(root, none);
	for (int i = 0; i <= SANDBOX_SEE_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i);
		cr_assert_eq(mkdir(names[i], 0755), 0);
		argv[i + 1] = i < SANDBOX_SEE_MAX ? names[i] : NULL;
	}
	cr_expect_eq(sandbox_see_command(&seen, argv, &why), 0, "%s", why.text);
	cr_expect_eq(seen.count, SANDBOX_SEE_MAX);
	sandbox_seen_release(&seen);
	argv[SANDBOX_SEE_MAX + 1] = names[SANDBOX_SEE_MAX];
	cr_expect_eq(sandbox_see_command(&seen, argv, &why), -1);
	cr_expect_not_null(strstr(why.text, "more than 32"), "%s", why.text);
	sandbox_seen_release(&seen);
	leave(root);
}

/* ---- arguments --------------------------------------------------------- */

/* Returns where these words follow each other, or -1. */
static int
find(char **argv, const char *const words[])
{
	for (int i = 0; argv[i] != NULL; i++) {
		int n = 0;

		while (words[n] != NULL && argv[i + n] != NULL &&
		       strcmp(argv[i + n], words[n]) == 0)
			n++;
		if (words[n] == NULL)
			return i;
	}
	return -1;
}

static void
free_argv(char **argv)
{
	for (size_t i = 0; argv[i] != NULL; i++)
		free(argv[i]);
	free(argv);
}

#define FIND(argv, ...) find(argv, (const char *const[]){ __VA_ARGS__, NULL })

static char *see[] = { (char[]){ "/srv/bots" }, NULL };
static char *hide[] = { (char[]){ "/usr" }, NULL };
static char *command[] = { (char[]){ "./bot" }, (char[]){ "--deep" }, NULL };

Test(sandbox, a_box_as_arguments)
{
	const struct sandbox_box box = { .tier = SANDBOX_BOX,
					 .limits = { 100, 7, 3, 2, 50, 9 },
					 .see = see,
					 .hide = hide };
	struct sandbox_start start = {
		.box = &box,
		.bwrap = "/usr/bin/bwrap",
		.shim = "/x/shim",
		.folder = "/srv",
		.argv = command,
		.fds = { 5, 6, 7, -1, 8, { 9, 10, 11 } }
	};
	char **argv;
	int last;

	sandbox_sources_set(&start.sources, &box);
	argv = sandbox_argv(&start);
	cr_expect_str_eq(argv[0], "/usr/bin/bwrap");
	cr_expect_geq(FIND(argv, "--unshare-user", "--unshare-pid",
			   "--unshare-net", "--unshare-ipc"),
		      0);
	cr_expect_geq(FIND(argv, "--die-with-parent"), 0);
	cr_expect_geq(FIND(argv, "--cap-drop", "ALL"), 0);
	cr_expect_geq(FIND(argv, "--size", "3145728", "--tmpfs", "/tmp"), 0);
	cr_expect_geq(FIND(argv, "--ro-bind", "/srv/bots", "/srv/bots"), 0);
	cr_expect_geq(FIND(argv, "--proc", "/proc", "--ro-bind", "/proc/sys",
			   "/proc/sys"),
		      0);
	cr_expect_geq(FIND(argv, "--dir", "/srv"), 0);
	cr_expect_geq(FIND(argv, "--ro-bind", "/x/shim", SANDBOX_SHIM), 0);
	cr_expect_geq(FIND(argv, "--seccomp", "5"), 0);
	/* Only visible folders are hidden. */
	cr_expect_eq(FIND(argv, "--tmpfs", "/usr"), -1);
	cr_expect_eq(FIND(argv, "/root"), -1);
	cr_expect_eq(FIND(argv, "/home"), -1);
	last = FIND(argv, "--remount-ro", "/", "--chdir", "/srv");
	cr_expect_gt(last, FIND(argv, "--ro-bind", "/x/shim"));
	cr_expect_gt(FIND(argv, SANDBOX_SHIM, "8", "9", "10", "11", "8",
			  "104857600", "2097152", "50", "9", "104857600", "-1",
			  "0", "./bot", "--deep"),
		     last);
	free_argv(argv);
}

Test(sandbox, a_folder_is_the_working_directory)
{
	struct sandbox_box box = { .tier = SANDBOX_BOX,
				   .folder = "/srv/bots/mine" };
	struct sandbox_start start = { .box = &box,
				       .bwrap = "bwrap",
				       .shim = "/x/shim",
				       .folder = "/elsewhere",
				       .argv = command,
				       .fds.shim = 12 };
	char **argv;

	sandbox_sources_set(&start.sources, &box);
	argv = sandbox_argv(&start);
	cr_expect_geq(FIND(argv, "--ro-bind", "/srv/bots/mine", "/bot"), 0);
	cr_expect_geq(FIND(argv, "--chdir", "/bot"), 0);
	cr_expect_eq(FIND(argv, "/elsewhere"), -1);
	cr_expect_geq(FIND(argv, "--perms", "0555", "--file", "12", "/box"), 0);
	free_argv(argv);
	/* The folder may have another path inside. */
	start.sources.folder = "/tmp/0";
	argv = sandbox_argv(&start);
	cr_expect_geq(FIND(argv, "--ro-bind", "/tmp/0", "/bot"), 0);
	free_argv(argv);
}

Test(sandbox, a_build_has_a_copy_in_memory)
{
	struct sandbox_box box = { .tier = SANDBOX_BOX,
				   .limits.folder_mib = 3,
				   .folder = "/srv/bots/mine",
				   .writable = true };
	struct sandbox_start start = { .box = &box,
				       .bwrap = "bwrap",
				       .shim = "/x/shim",
				       .argv = command,
				       .fds.shim = 12 };
	char **argv;

	sandbox_sources_set(&start.sources, &box);
	argv = sandbox_argv(&start);
	cr_expect_geq(FIND(argv, "--ro-bind", "/srv/bots/mine", "/sent"), 0);
	cr_expect_geq(FIND(argv, "--size", "3145728", "--tmpfs", "/bot"), 0);
	cr_expect_geq(FIND(argv, "--chdir", "/bot"), 0);
	cr_expect_eq(FIND(argv, "--bind"), -1);
	cr_expect_geq(FIND(argv, "1", "./bot", "--deep"), 0);
	free_argv(argv);
}

/* If there are two filters, the one that refuses wins. */
Test(sandbox, a_watched_box_has_its_filter_set_inside)
{
	struct sandbox_box box = { .tier = SANDBOX_BOX, .watch = true };
	struct sandbox_start start = { .box = &box,
				       .bwrap = "bwrap",
				       .shim = "/x/shim",
				       .argv = command,
				       .fds = { .filter = 5 } };
	char **argv = sandbox_argv(&start);

	cr_expect_eq(FIND(argv, "--seccomp"), -1);
	cr_expect_geq(FIND(argv, "5", "0", "./bot", "--deep"), 0);
	free_argv(argv);
}

/* ---- the rest ----------------------------------------------------------- */

Test(sandbox, the_filter_is_made_once)
{
	size_t bytes = 0, again = 0;
	const void *filter = sandbox_filter(true, false, &bytes);

	cr_assert_not_null(filter, "%s", strerror(errno));
	cr_expect_gt(bytes, 100u * 8);
	cr_expect_eq(bytes % 8, 0u);
	cr_expect_eq(sandbox_filter(true, false, &again), filter);
	cr_expect_eq(again, bytes);
	cr_expect_neq(sandbox_filter(true, true, &again), filter);
	cr_expect_not_null(sandbox_filter(true, true, &again));
	cr_expect_neq(sandbox_filter(false, false, &again), filter);
}

Test(sandbox, choosing)
{
	enum sandbox_tier tier;
	int code;

	cr_expect_eq(sandbox_choose(SANDBOX_OFF, SANDBOX_NONE, &tier, &why), 0);
	cr_expect_eq(tier, SANDBOX_NONE);
	cr_expect_eq(sandbox_choose(SANDBOX_OFF, SANDBOX_BOX, &tier, &why), -1);
	cr_expect_eq(sandbox_choose(SANDBOX_AUTO, SANDBOX_NONE, &tier, &why),
		     0);
	cr_expect_eq(tier, sandbox_probe()->tier);
	code = sandbox_choose(SANDBOX_ON, SANDBOX_NONE, &tier, &why);
	cr_expect_eq(code, sandbox_probe()->tier >= SANDBOX_BOX ? 0 : -1);
	for (unsigned i = 0; i <= SANDBOX_FULL; i++)
		cr_expect_not_null(sandbox_tiers[i]);
	cr_expect_null(sandbox_tiers[SANDBOX_FULL + 1]);
	cr_expect_null(sandbox_wants[SANDBOX_OFF + 1]);
}
