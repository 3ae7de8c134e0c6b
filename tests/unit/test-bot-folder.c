/* tests/unit/test-bot-folder.c - manifests, good and bad. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/config/bot-folder.h"
#include "referee/match/match-bots.h"

static char path[64], file[96];
static struct error why;

static void
begin(void)
{
	snprintf(path, sizeof(path), "%s/test-folder.XXXXXX", getenv("TMPDIR"));
	cr_assert_not_null(mkdtemp(path));
	snprintf(file, sizeof(file), "%s/bot.conf", path);
}

static void
end(void)
{
	unlink(file);
	rmdir(path);
}

TestSuite(bot_folder, .init = begin, .fini = end);

static void
write_bytes(const char *text, size_t n)
{
	FILE *out = fopen(file, "we");

	cr_assert_not_null(out);
	cr_assert_eq(fwrite(text, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
}

static struct bot_folder *
good(const char *text)
{
	struct bot_folder *folder;

	write_bytes(text, strlen(text));
	why.text[0] = '\0';
	folder = bot_folder_read(path, &why);
	cr_assert_not_null(folder, "%s\n%s", text, why.text);
	return folder;
}

/* Expects a refusal in this line, with a sentence that has `part` in it. */
static void
bad(const char *text, int line, const char *part)
{
	char place[128];

	write_bytes(text, strlen(text));
	why.text[0] = '\0';
	cr_expect_null(bot_folder_read(path, &why), "%s", text);
	snprintf(place, sizeof(place), "%s:%d: ", file, line);
	cr_expect_eq(strncmp(why.text, place, strlen(place)), 0, "%s: %s", text,
		     why.text);
	cr_expect_not_null(strstr(why.text, "expected"), "%s", why.text);
	cr_expect_not_null(strstr(why.text, part), "%s\n%s", text, why.text);
	cr_expect_null(strchr(why.text, '\n'), "%s", why.text);
}

#define LEAST "name = a\nrun = { x }\n"

Test(bot_folder, everything_that_it_may_say)
{
	struct bot_folder *folder =
		good("# mine\n"
		     "name = \"alice-2.x\"\n"
		     "version = \"1.0+git~3\"\n"
		     "author = \"J\xc3\xbcrgen \xe2\x99\xa0\"\n"
		     "games = { \"toepen\", durnius }\n"
		     "run = { \"python3\", \"-B\", \"my bot.py\", \"\" }\n"
		     "build = { \"make\", \"all\" }\n"
		     "needs = { \"python3\", \"sh\" }\n"
		     "memory = 512\n"
		     "entropy = yes\n"
		     "reuse = yes\n");

	cr_expect_str_eq(folder->path, path);
	cr_expect_str_eq(folder->name, "alice-2.x");
	cr_expect_str_eq(folder->version, "1.0+git~3");
	cr_expect_str_eq(folder->author, "J\xc3\xbcrgen \xe2\x99\xa0");
	cr_expect_eq(folder->games, 2);
	cr_expect(bot_folder_plays(folder, &game_toepen));
	cr_expect(bot_folder_plays(folder, &game_durnius));
	cr_expect_not(bot_folder_plays(folder, &game_daupun));
	cr_expect_str_eq(folder->run[0], "python3");
	cr_expect_str_eq(folder->run[2], "my bot.py");
	cr_expect_str_eq(folder->run[3], "");
	cr_expect_null(folder->run[4]);
	cr_expect_str_eq(folder->build[1], "all");
	cr_expect_null(folder->build[2]);
	cr_expect_str_eq(folder->needs[1], "sh");
	cr_expect_null(folder->needs[2]);
	cr_expect_eq(folder->memory_mib, 512);
	cr_expect(folder->entropy);
	cr_expect(folder->reuse);
	bot_folder_free(folder);
	bot_folder_free(NULL);
}

Test(bot_folder, what_it_need_not_say)
{
	struct bot_folder *folder = good(LEAST);

	cr_expect_str_eq(folder->version, "");
	cr_expect_str_eq(folder->author, "");
	cr_expect_eq(folder->games, 0);
	cr_expect(bot_folder_plays(folder, &game_daupun));
	cr_expect_null(folder->build);
	cr_expect_null(folder->needs);
	cr_expect_eq(folder->memory_mib, MEMORY_MIB);
	cr_expect_not(folder->entropy);
	cr_expect_not(folder->reuse);
	bot_folder_free(folder);
}

Test(bot_folder, what_is_refused)
{
	static const struct {
		const char *text;
		int line;
		const char *part;
	} cases[] = {
		{ "", 1, "expected a name" },
		{ "run = { x }\n", 1, "expected a name" },
		{ "name = a\n", 1, "expected how to start the bot" },
		{ "name = a\nrun = { }\n", 1, "expected how to start" },
		{ "name = a\nrun = { \"\" }\n", 2, "expected a program" },
		{ "name = \"\"\nrun = x\n", 1, "name: expected 1 to 32 bytes" },
		{ "name = \"-a\"\nrun = x\n", 1, "not '-a'" },
		{ "name = \"a b\"\nrun = x\n", 1, "not 'a b'" },
		{ LEAST "name = b\n", 3, "expected name once" },
		{ LEAST "run = { y }\n", 3, "expected run once" },
		{ LEAST "colour = red\n", 3, "expected one of name, version" },
		{ LEAST "version = \"1 2\"\n", 3, "without blanks" },
		{ LEAST "version = \"\xc3\xbc\"\n", 3, "without blanks" },
		{ LEAST "author = \"\xff\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xc3\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xc0\x80\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xe0\x9f\xbf\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xed\xa0\x80\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xf4\x90\x80\x80\"\n", 3, "UTF-8" },
		{ LEAST "author = \"\xc2\x9b"
			"31m\"\n",
		  3, "UTF-8" },
		{ LEAST "author = \"\x1b[31m\"\n", 3, "0x1b" },
		{ LEAST "games = { toepen,\n skat }\n", 4, "not 'skat'" },
		{ LEAST "games = { toepen, toepen }\n", 3, "toepen once" },
		{ LEAST "games = { toepen\n", 3, "} for the list" },
		{ LEAST "limits {\n", 3, "expected one of name, version" },
		{ LEAST "}\n", 3, "unexpected }" },
		{ LEAST "needs = { \"/bin/sh\" }\n", 3, "not '/bin/sh'" },
		{ LEAST "needs = { sh, \"\" }\n", 3, "not ''" },
		{ LEAST "memory = 15\n", 3, "from 16 to 65536, not '15'" },
		{ LEAST "memory = 65537\n", 3, "not '65537'" },
		{ LEAST "memory = 1e3\n", 3, "not '1e3'" },
		{ LEAST "memory = 0x40\n", 3, "not '0x40'" },
		{ LEAST "entropy = maybe\n", 3, "yes or no, not 'maybe'" },
		{ LEAST "reuse = 1\n", 3, "yes or no" },
		{ LEAST "author = \"a\n\"\n", 3, "before the line ends" },
		{ LEAST "author = \"${HOME}\"\n", 3, "unexpected ${" },
	};
	size_t i;

	for (i = 0; i < NELEM(cases); i++)
		bad(cases[i].text, cases[i].line, cases[i].part);
}

/* Returns the form with `n` letters in the place of its @. */
static char *
filled(const char *form, size_t n)
{
	size_t before = strcspn(form, "@"), after = strlen(form) - before;
	char *text = malloc(before + n + after);

	cr_assert_not_null(text);
	memcpy(text, form, before);
	memset(text + before, 'a', n);
	memcpy(text + before + n, form + before + 1, after);
	return text;
}

static void
at_the_limit(const char *form, size_t limit, int line, const char *part)
{
	char *text = filled(form, limit);

	bot_folder_free(good(text));
	free(text);
	text = filled(form, limit + 1);
	bad(text, line, part);
	free(text);
}

Test(bot_folder, limits_of_bytes)
{
	at_the_limit("name = \"@\"\nrun = x\n", NAME_BYTES, 1,
		     "1 to 32 bytes, not 33");
	at_the_limit(LEAST "version = \"@\"\n", VERSION_BYTES, 3,
		     "1 to 32 bytes, not 33");
	at_the_limit(LEAST "author = \"@\"\n", AUTHOR_BYTES, 3,
		     "1 to 100 bytes, not 101");
	/* `x` and a blank come before it. */
	at_the_limit("name = a\nrun = { x,\n \"@\" }\n", COMMAND_BYTES - 2, 3,
		     "at most 4096 bytes");
	at_the_limit(LEAST "build = { x,\n \"@\" }\n", COMMAND_BYTES - 2, 4,
		     "at most 4096 bytes");
}

Test(bot_folder, limits_of_memory)
{
	struct bot_folder *folder = good(LEAST "memory = 16\n");

	cr_expect_eq(folder->memory_mib, MEMORY_MIB_MIN);
	bot_folder_free(folder);
	folder = good(LEAST "memory = 65536\n");
	cr_expect_eq(folder->memory_mib, MEMORY_MIB_MAX);
	bot_folder_free(folder);
}

Test(bot_folder, limits_of_words)
{
	static const char *const lists[] = { "run", "build", "needs" };
	char text[1024];
	size_t i, n;
	int words;

	for (i = 0; i < NELEM(lists); i++) {
		for (words = WORDS_MAX; words <= WORDS_MAX + 1; words++) {
			n = (size_t)snprintf(
				text, sizeof(text), "name = a\n%s%s = {\n",
				i == 0 ? "" : "run = x\n", lists[i]);
			for (int w = 0; w < words; w++)
				n += (size_t)snprintf(text + n,
						      sizeof(text) - n, "%sx",
						      w == 0 ? "" : ",");
			snprintf(text + n, sizeof(text) - n, "}\n");
			if (words == WORDS_MAX)
				bot_folder_free(good(text));
			else
				bad(text, i == 0 ? 3 : 4, "at most 64 words");
		}
	}
}

Test(bot_folder, limit_of_the_file)
{
	char *text = malloc(MANIFEST_BYTES + 2);

	cr_assert_not_null(text);
	memset(text, '\n', MANIFEST_BYTES + 1);
	memcpy(text, LEAST, strlen(LEAST));
	text[MANIFEST_BYTES] = '\0';
	bot_folder_free(good(text));
	write_bytes(text, MANIFEST_BYTES);
	text[MANIFEST_BYTES] = '\n';
	write_bytes(text, MANIFEST_BYTES + 1);
	cr_expect_null(bot_folder_read(path, &why));
	cr_expect_not_null(strstr(why.text, "expected at most 65536 bytes"),
			   "%s", why.text);
	free(text);
}

Test(bot_folder, a_folder_without_one)
{
	cr_expect_null(bot_folder_read(path, &why));
	cr_expect_eq(strncmp(why.text, file, strlen(file)), 0, "%s", why.text);
	cr_expect_not_null(strstr(why.text, "cannot read it"), "%s", why.text);
	cr_expect_null(bot_folder_read("", &why));
	cr_expect_eq(strncmp(why.text, "/bot.conf:", 10), 0, "%s", why.text);
}

Test(bot_folder, the_example)
{
	struct bot_folder *folder;
	char text[8192];
	FILE *in = fopen(SOURCE_DIR "/doc/bot.conf.example", "re");
	size_t n;

	cr_assert_not_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	fclose(in);
	text[n] = '\0';
	folder = good(text);
	cr_expect_str_eq(folder->name, "alice");
	cr_expect_eq(folder->games, 2);
	cr_expect_eq(folder->memory_mib, MEMORY_MIB);
	cr_expect_not_null(strstr(text, "16 to 65536"));
	cr_expect_not_null(strstr(text, "At most 32 and 100 bytes"));
	bot_folder_free(folder);
}

static void
put_script(const char *name, const char *line)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0755);

	cr_assert_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
	close(fd);
}

Test(bot_folder, what_it_needs_to_start)
{
	struct bot_folder *folder = good("name = a\nrun = { sh }\n"
					 "needs = { sh, cat }\n");

	cr_expect(bot_folder_ready(folder, SANDBOX_NONE, &why), "%s", why.text);
	bot_folder_free(folder);
	folder = good("name = a\nrun = { sh }\nneeds = { no-such-thing }\n");
	cr_expect_not(bot_folder_ready(folder, SANDBOX_NONE, &why));
	cr_expect_eq(strncmp(why.text, "a needs 'no-such-thing': ", 25), 0,
		     "%s", why.text);
	bot_folder_free(folder);
	folder = good("name = a\nrun = { ./mine }\nbuild = { make }\n");
	cr_expect_not(bot_folder_ready(folder, SANDBOX_NONE, &why));
	cr_expect_not_null(strstr(why.text, "a cannot be started"), "%s",
			   why.text);
	cr_expect_not_null(strstr(why.text, "its `build` may have"), "%s",
			   why.text);
	bot_folder_free(folder);
	/* A relative path is looked up in the folder and nowhere else. */
	folder = good("name = a\nrun = { ./bot.conf }\n");
	cr_assert_eq(chmod(file, 0755), 0);
	cr_expect(bot_folder_ready(folder, SANDBOX_NONE, &why), "%s", why.text);
	bot_folder_free(folder);
}

/* Only files that the box shows count: others are not found, or are left to the
 * box if the check must not look there. */
Test(bot_folder, what_it_needs_to_start_in_a_box)
{
	static const struct {
		const char *run, *wrong; /* NULL: nothing is */
	} cases[] = {
		{ "sh", NULL },
		{ "/usr/bin/env", NULL },
		{ "./bot.conf", NULL },
		{ "/bot/bot.conf", NULL },
		{ "./../bot.conf", NULL },
		{ "out", "'out': no such program in the PATH of sandboxes" },
		{ "./out", NULL },
		{ "/etc/passwd", "'/etc/passwd': no such file in its sandbox" },
		{ "/no/such", "'/no/such': no such file in its sandbox" },
		{ "/usr/../etc/passwd", NULL },
		{ "/bot/../etc/passwd", NULL },
		{ "./none", "'./none': no such file in its sandbox" },
		{ "/usr", "'/usr': no such file in its sandbox" },
		{ "/usr/bin", "'/usr/bin': a folder, not a program" },
		{ "./script",
		  "'./script': its interpreter '/etc/passwd' is missing in "
		  "its sandbox" },
	};
	char text[256], sentence[512], out[256], script[256];
	struct bot_folder *folder = good("name = a\nrun = { sh }\n");

	cr_assert_eq(chmod(file, 0755), 0);
	snprintf(out, sizeof(out), "%s/out", folder->path);
	snprintf(script, sizeof(script), "%s/script", folder->path);
	cr_assert_eq(symlink("/etc/shadow", out), 0);
	bot_folder_free(folder);
	put_script(script, "#!/etc/passwd\n");
	for (size_t i = 0; i < NELEM(cases); i++) {
		snprintf(text, sizeof(text), "name = a\nrun = { \"%s\" }\n",
			 cases[i].run);
		folder = good(text);
		cr_assert_eq(chmod(file, 0755), 0);
		cr_expect_eq(bot_folder_ready(folder, SANDBOX_BOX, &why),
			     cases[i].wrong == NULL, "%s", cases[i].run);
		snprintf(sentence, sizeof(sentence), "a cannot be started: %s",
			 cases[i].wrong == NULL ? "" : cases[i].wrong);
		if (cases[i].wrong != NULL)
			cr_expect_str_eq(why.text, sentence);
		bot_folder_free(folder);
	}
	unlink(out);
	unlink(script);
}

Test(bot_folder, in_a_match)
{
	struct match_bots bots = { 0 };
	struct error says;

	write_bytes(LEAST "games = toepen\nentropy = yes\n",
		    strlen(LEAST "games = toepen\nentropy = yes\n"));
	cr_assert_eq(match_bots_add(&bots, path, &says), 0, "%s", says.text);
	cr_assert_eq(match_bots_add(&bots, path, &says), 0, "%s", says.text);
	cr_assert_eq(match_bots_add(&bots, "random", &says), 0);
	cr_expect_str_eq(bots.bot[0].argv[0], "x");
	cr_expect_str_eq(bots.bot[0].folder, path);
	cr_expect(bots.bot[0].entropy);
	cr_expect_null(bots.bot[2].folder);
	cr_expect_eq(match_bots_play(&bots, &game_toepen, &says), 0);
	cr_expect_eq(match_bots_play(&bots, &game_daupun, &says), -1);
	cr_expect_not_null(strstr(says.text, "does not play daupun"), "%s",
			   says.text);
	cr_expect_eq(match_bots_ready(&bots, false, &says), 0, "%s", says.text);
	cr_expect_eq(
		match_bots_box(&bots, SANDBOX_NONE, NULL, NULL, NULL, &says),
		-1);
	cr_expect_not_null(strstr(says.text, "a cannot be started"), "%s",
			   says.text);
	match_bots_release(&bots);

	write_bytes("name = a\nrun = sh\n", 18);
	cr_assert_eq(match_bots_add(&bots, path, &says), 0, "%s", says.text);
	cr_assert_eq(match_bots_add(&bots, path, &says), 0, "%s", says.text);
	cr_expect_eq(match_bots_ready(&bots, false, &says), 0, "%s", says.text);
	cr_expect_str_eq(bots.bot[0].name, "a");
	cr_expect_str_eq(bots.bot[1].name, "a-2");
	match_bots_release(&bots);

	write_bytes("name = a\n", 9);
	cr_expect_eq(match_bots_add(&bots, path, &says), -1);
	cr_expect_eq(strncmp(says.text, file, strlen(file)), 0, "%s",
		     says.text);
	match_bots_release(&bots);
}
