/* tests/unit/test-pack.c - an imported bot is packed as an archive, and is the
 * same when it is unpacked. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "protocol/file.h"
#include "referee/import/files.h"
#include "referee/import/incoming.h"
#include "referee/import/pack.h"
#include "referee/import/tree.h"

static char data[64];
static char hash[ROSTER_CONTENT_BYTES + 1];

static void
make_folder(const char *path)
{
	cr_assert(mkdir(path, 0755) == 0, "%s", path);
}

static void
write_to(const char *path, const void *bytes, size_t n, mode_t mode)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	cr_assert(fd >= 0 && file_write(fd, bytes, n) == 0, "%s", path);
	close(fd);
}

/* Begins in a folder of imported bots, before it has a hash. */
static void
begin(char bot[IMPORT_PATH_BYTES])
{
	char path[IMPORT_PATH_BYTES];

	snprintf(data, sizeof(data), "%s/pack.XXXXXX", getenv("TMPDIR"));
	cr_assert(mkdtemp(data) != NULL);
	import_path(data, "", "", path);
	make_folder(path);
	import_path(data, "new", "", path);
	make_folder(path);
	import_path(data, "new", "bot", bot);
	make_folder(bot);
}

static void
put(const char *bot, const char *name, const char *bytes, mode_t mode)
{
	char path[2 * IMPORT_PATH_BYTES + 256];

	snprintf(path, sizeof(path), "%s/%s", bot, name);
	write_to(path, bytes, strlen(bytes), mode);
}

static void
name_it(const char *bot)
{
	char from[IMPORT_PATH_BYTES], to[IMPORT_PATH_BYTES];
	struct error why;

	cr_assert(import_hash(bot, hash, &why) == 0, "%s", why.text);
	import_path(data, "new", "", from);
	import_path(data, hash, "", to);
	cr_assert(rename(from, to) == 0);
}

static void
end(void)
{
	cr_assert(tree_remove(AT_FDCWD, data) == 0);
}

/* Unpacks the archive and writes its hash to `found`. */
static void
unpack(const struct text *packed, char found[ROSTER_CONTENT_BYTES + 1])
{
	char archive[128], to[128];
	struct error why;

	snprintf(archive, sizeof(archive), "%s/packed", data);
	snprintf(to, sizeof(to), "%s/unpacked", data);
	write_to(archive, packed->bytes, packed->used, 0600);
	make_folder(to);
	cr_assert(import_unpack(archive, to, &why) == 0, "%s", why.text);
	cr_assert(import_hash(to, found, &why) == 0, "%s", why.text);
}

Test(pack, a_bot_is_the_same_when_it_has_travelled)
{
	char bot[IMPORT_PATH_BYTES], found[ROSTER_CONTENT_BYTES + 1];
	char path[IMPORT_PATH_BYTES + 256], part[BOT_PART_BYTES + 1];
	char *large = zeroed(1, 700001);
	struct text packed;
	struct error why;

	begin(bot);
	memset(large, 'x', 700000);
	put(bot, "bot.conf", "name = \"a\"\n", 0644);
	put(bot, "run", "#!/bin/sh\n", 0755);
	put(bot, "empty", "", 0644);
	put(bot, "large", large, 0644);
	free(large);
	put(bot, "h\xc3\xb6rt", "x", 0644);
	/* The longest path that may come in: of two long names and one that
	 * fills it up. */
	memset(part, 'p', sizeof(part));
	part[BOT_PART_BYTES] = '\0';
	snprintf(path, sizeof(path), "%s/%s", bot, part);
	make_folder(path);
	snprintf(path, sizeof(path), "%s/%s/%s", bot, part, part);
	make_folder(path);
	snprintf(path, sizeof(path), "%s/%s/%.*s", part, part,
		 BOT_PATH_BYTES - 2 * (BOT_PART_BYTES + 1), part);
	cr_assert_eq(strlen(path), BOT_PATH_BYTES);
	put(bot, path, "deep", 0644);
	name_it(bot);

	text_init(&packed, BOT_PACK_BYTES);
	cr_assert(import_pack(data, hash, &packed, &why) == 0, "%s", why.text);
	unpack(&packed, found);
	cr_expect_str_eq(found, hash);
	text_release(&packed);
	end();
}

Test(pack, a_build_does_not_change_what_travels)
{
	char bot[IMPORT_PATH_BYTES], found[ROSTER_CONTENT_BYTES + 1];
	struct incoming incoming = { .name = "" };
	struct text packed;
	struct error why;

	begin(bot);
	put(bot, "bot.conf", "name = \"a\"\n", 0644);
	import_path(data, "new", "", incoming.path);
	import_path(data, "new", "bot", incoming.bot);
	incoming.fd = open(incoming.path, O_RDONLY | O_DIRECTORY);
	cr_assert(import_keep_source(&incoming, &why) == 0, "%s", why.text);
	close(incoming.fd);
	name_it(bot);
	import_path(data, hash, "bot", bot);
	put(bot, "made", "by its build", 0755);
	text_init(&packed, BOT_PACK_BYTES);
	cr_assert(import_pack(data, hash, &packed, &why) == 0, "%s", why.text);
	unpack(&packed, found);
	cr_expect_str_eq(found, hash);
	text_release(&packed);
	end();
}

Test(pack, one_that_was_built_without_keeping_its_source_is_refused)
{
	char bot[IMPORT_PATH_BYTES];
	struct text packed;
	struct error why;

	begin(bot);
	put(bot, "bot.conf", "name = \"a\"\n", 0644);
	name_it(bot);
	import_path(data, hash, "bot", bot);
	put(bot, "made", "by its build", 0755);
	text_init(&packed, BOT_PACK_BYTES);
	cr_expect_eq(import_pack(data, hash, &packed, &why), -1);
	cr_expect_eq(why.kind, ERROR_INPUT);
	cr_expect(strstr(why.text, "was built by an earlier referee") != NULL,
		  "%s", why.text);
	text_release(&packed);
	end();
}

/* There are as many files as may come in, with a name each that needs a head of its
 * own: what stands beside the files has its limit, too. */
Test(pack, the_most_files_with_long_names)
{
	char bot[IMPORT_PATH_BYTES], found[ROSTER_CONTENT_BYTES + 1];
	char path[IMPORT_PATH_BYTES + 256], part[BOT_PART_BYTES + 1];
	struct text packed;
	struct error why;

	begin(bot);
	memset(part, 'p', sizeof(part));
	part[BOT_PART_BYTES] = '\0';
	snprintf(path, sizeof(path), "%s/%s", bot, part);
	make_folder(path);
	for (unsigned i = 1; i < BOT_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%.60s%08u", part, part, i);
		put(bot, path, "x", 0644);
	}
	name_it(bot);
	text_init(&packed, BOT_PACK_BYTES);
	cr_assert(import_pack(data, hash, &packed, &why) == 0, "%s", why.text);
	unpack(&packed, found);
	cr_expect_str_eq(found, hash);
	text_release(&packed);
	end();
}
