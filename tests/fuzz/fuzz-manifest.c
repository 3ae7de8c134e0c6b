/* tests/fuzz/fuzz-manifest.c - a bot's manifest is valid, or one sentence says
 * what is wrong.
 *
 * Input: the text of bot.conf. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/config/bot-folder.h"
#include "tests/fuzz/fuzz.h"

static char folder[] = "/tmp/fuzz-manifest-XXXXXX";
static char manifest[sizeof(folder) + sizeof(BOT_FOLDER_MANIFEST)];

static void
remove_folder(void)
{
	unlink(manifest);
	rmdir(folder);
}

static void
write_manifest(const void *text, size_t n)
{
	int fd;

	if (manifest[0] == '\0') {
		HOLDS(mkdtemp(folder) != NULL);
		snprintf(manifest, sizeof(manifest), "%s/%s", folder,
			 BOT_FOLDER_MANIFEST);
		atexit(remove_folder);
	}
	fd = open(manifest, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	HOLDS(fd >= 0);
	HOLDS(n == 0 || write(fd, text, n) == (ssize_t)n);
	close(fd);
}

static void
expect_sentence(const char *why)
{
	size_t n = strlen(manifest);

	HOLDS(strncmp(why, manifest, n) == 0 && why[n] == ':');
	for (why += n; *why != '\0'; why++)
		HOLDS((unsigned char)*why >= ' ' && *why != 0x7f);
}

static void
expect_words(char *const *words)
{
	size_t bytes = 0;
	unsigned i;

	if (words == NULL)
		return;
	HOLDS(words[0] != NULL && words[0][0] != '\0');
	for (i = 0; words[i] != NULL; i++)
		bytes += strlen(words[i]) + 1;
	HOLDS(i <= WORDS_MAX);
	HOLDS(bytes <= COMMAND_BYTES + 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct error why = { 0 };
	struct bot_folder *bot;
	unsigned i, plays = 0;

	write_manifest(data, n);
	bot = bot_folder_read(folder, &why);
	if (bot == NULL) {
		expect_sentence(why.text);
		return 0;
	}
	HOLDS(message_name_ok(bot->name, strlen(bot->name)));
	HOLDS(strlen(bot->version) <= VERSION_BYTES);
	HOLDS(strlen(bot->author) <= AUTHOR_BYTES);
	HOLDS(strpbrk(bot->version, " \t\n") == NULL);
	HOLDS(bot->run != NULL);
	expect_words(bot->run);
	expect_words(bot->build);
	expect_words(bot->needs);
	HOLDS(bot->memory_mib >= MEMORY_MIB_MIN &&
	      bot->memory_mib <= MEMORY_MIB_MAX);
	for (i = 0; games[i] != NULL; i++)
		plays += bot_folder_plays(bot, games[i]);
	HOLDS(plays == (bot->games > 0 ? bot->games : i));
	bot_folder_free(bot);
	return 0;
}
