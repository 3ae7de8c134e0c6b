/* referee/cli/fit-results.c - reads game,block,bot,place.
 *
 * The file may come from a stranger: every line is checked, and an error names
 * the line.  The games and blocks that were seen are kept as the names of two
 * fits, which are never solved. */
#include "referee/cli/fit-results.h"

#include <stdio.h>
#include <string.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "protocol/limits.h"
#include "protocol/utf8.h"

static const char columns[] = "game,block,bot,place";

struct results {
	struct fit *fit, *games, *blocks;
	const char *file;
	unsigned long line;
	unsigned game, seats; /* the game that is being read */
	unsigned bot[SEATS_MAX];
	int place[SEATS_MAX];
	uint32_t block;
	struct error *why;
};

static int
wrong(const struct results *results, const char *fact, const char *cure)
{
	return error_set(results->why, ERROR_INPUT, "%s, line %lu: %s; %s",
			 results->file, results->line, fact, cure);
}

static int
finish_game(struct results *results)
{
	if (results->seats == 1)
		return wrong(results, "the game before has one seat",
			     "a game has 2 to 8 lines, one after another");
	if (results->seats > 1)
		fit_game(results->fit, results->seats, results->bot,
			 results->place, results->block);
	results->seats = 0;
	return 0;
}

/* Cuts off LF or CR LF. A CR elsewhere is a control character like others. */
static void
cut_end(char *line)
{
	size_t n = strlen(line);

	if (n > 0 && line[n - 1] == '\n')
		line[--n] = '\0';
	if (n > 0 && line[n - 1] == '\r')
		line[--n] = '\0';
}

/* Cuts `line` into its four fields. */
static bool
cut(char *line, char *field[4])
{
	for (unsigned i = 0; i < 4; i++) {
		field[i] = line;
		line += strcspn(line, ",");
		if ((*line == ',') != (i < 3))
			return false;
		*line++ = '\0';
	}
	return true;
}

static bool
is_name(const char *text)
{
	const char *c;

	for (c = text; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == '"' || *c == 0x7f)
			return false;
	return c > text && c - text <= RESULTS_NAME_BYTES && utf8_ok(text);
}

static int
begin_game(struct results *results, const char *game, const char *block)
{
	unsigned seen = fit_bots(results->games);

	if (finish_game(results) < 0)
		return -1;
	results->game = fit_bot(results->games, game);
	if (results->game < seen)
		return wrong(results, "this game ended some lines ago",
			     "the lines of a game follow each other");
	results->block = FIT_ALONE;
	if (*block != '\0')
		results->block = fit_bot(results->blocks, block);
	return 0;
}

static int
read_line(struct results *results, char *line)
{
	char *field[4];
	unsigned game;

	if (!cut(line, field))
		return wrong(results, "there are not four fields",
			     "write game,block,bot,place");
	if (!is_name(field[0]) || (*field[1] != '\0' && !is_name(field[1])) ||
	    !is_name(field[2]))
		return wrong(results, "a name is missing or wrong",
			     "names have 1 to 64 bytes in UTF-8, no quotes and "
			     "no control characters");
	if (field[3][0] < '1' || field[3][0] > '0' + SEATS_MAX ||
	    field[3][1] != '\0')
		return wrong(results, "the place is not a number from 1 to 8",
			     "1 is best, tied bots have the same place");
	if (results->seats == 0 || !fit_find(results->games, field[0], &game) ||
	    game != results->game) {
		if (begin_game(results, field[0], field[1]) < 0)
			return -1;
	} else if (results->seats == SEATS_MAX) {
		return wrong(results, "this is the ninth seat of a game",
			     "a game has 2 to 8 lines");
	} else if (results->block == FIT_ALONE
			   ? *field[1] != '\0'
			   : !fit_find(results->blocks, field[1], &game) ||
				     game != results->block) {
		return wrong(results, "this game has two blocks",
			     "give all its lines the same block");
	}
	results->bot[results->seats] = fit_bot(results->fit, field[2]);
	results->place[results->seats++] = field[3][0] - '0';
	return 0;
}

/* Returns true if the line has the titles, which spreadsheets write after the
 * byte order mark of UTF-8. */
static bool
names_columns(const char *line)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (strncmp(line, mark, sizeof(mark) - 1) == 0)
		line += sizeof(mark) - 1;
	return strcmp(line, columns) == 0;
}

static int
read_lines(struct results *results, FILE *from)
{
	char line[RESULTS_LINE_BYTES];

	for (results->line = 1; fgets(line, sizeof(line), from);
	     results->line++) {
		if (strchr(line, '\n') == NULL && !feof(from))
			return wrong(results,
				     "the line is too long, or has a NUL",
				     "a line has less than 1024 bytes of text");
		cut_end(line);
		if (results->line == 1) {
			if (!names_columns(line))
				return wrong(results,
					     "the first line does not name the "
					     "columns",
					     "begin with game,block,bot,place");
		} else if (read_line(results, line) < 0) {
			return -1;
		}
	}
	if (ferror(from))
		return error_set(results->why,
				 errno == EISDIR ? ERROR_INPUT : ERROR_MACHINE,
				 "cannot read %s: %m", results->file);
	if (results->line == 1)
		return wrong(results,
			     "the first line does not name the columns",
			     "begin with game,block,bot,place");
	return finish_game(results);
}

int
fit_add_results(struct fit *fit, const char *file, struct error *why)
{
	const int fd = file_open(file);
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
	struct results results = {
		.fit = fit,
		.file = file,
		.why = why,
	};
	int result;

	if (from == NULL)
		return error_set(why, path_kind(errno), "cannot open %s: %s",
				 file, file_trouble());
	results.games = fit_new();
	results.blocks = fit_new();
	result = read_lines(&results, from);
	fit_free(results.games);
	fit_free(results.blocks);
	fclose(from);
	return result;
}
