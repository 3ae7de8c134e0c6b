/* referee/records/tournament-file.c - see tournament-file.h. */
#include "referee/records/tournament-file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ladder/durable.h"
#include "protocol/ascii.h"
#include "protocol/file.h"
#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/records/bracket.h"

#define BEFORE "tournament-"
#define BEHIND ".json"
#define SEEN 10000 /* the most names of a folder that are looked at */

void
tournament_told_release(struct tournament_told *told)
{
	free(told->bot);
	free(told->table);
	free(told->bye);
	*told = (struct tournament_told){ 0 };
}

bool
tournament_file_path(const char *folder, const char *id,
		     char path[LADDER_PATH_BYTES])
{
	return snprintf(path, LADDER_PATH_BYTES, "%s/" BEFORE "%s" BEHIND,
			folder, id) < LADDER_PATH_BYTES;
}

/* ---- writing ----------------------------------------------------------- */

static json_t *
bots_json(const struct tournament_told *told)
{
	json_t *bots = json_array();
	const struct told_bot *bot = told->bot;

	for (; bot < told->bot + told->bots; bot++)
		JSON_PUSH(bots, TEXT("bot", bot->name), INT("draw", bot->draw),
			  INT("byes", bot->byes), INT("phase", bot->phase),
			  INT("games", (json_int_t)bot->games),
			  REAL("score", bot->score), REAL("sum", bot->points),
			  REAL("buchholz", bot->buchholz));
	return bots;
}

static json_t *
table_json(const struct tournament_told *told, const struct told_table *table)
{
	json_t *bots = json_array(), *shares = json_array();

	for (unsigned s = 0; s < told->seats; s++) {
		json_array_append_new(bots, json_integer(table->bot[s] + 1));
		json_array_append_new(shares, json_real(table->share[s]));
	}
	return JSON_OBJECT(INT("phase", table->phase), JSON("bots", bots),
			   JSON("shares", shares),
			   INT("games", (json_int_t)table->games),
			   TEXT("first", table->first));
}

static json_t *
place_json(int bot)
{
	return bot < 0 ? json_null() : json_integer(bot + 1);
}

/* Returns the rounds of the bracket, each a list of matches; empty if there is no
 * bracket. */
static json_t *
bracket_json(const struct tournament_told *told)
{
	json_t *rounds = json_array(), *matches;
	const struct bracket_match *match;
	struct bracket bracket;

	if (!bracket_fill(&bracket, told))
		return rounds;
	for (unsigned r = 0; r < bracket.rounds; r++) {
		matches = json_array();
		for (unsigned i = 0; i < bracket_matches(&bracket, r); i++) {
			match = &bracket.match[r][i];
			JSON_PUSH(matches,
				  JSON("bots",
				       JSON_ARRAY(place_json(match->bot[0]),
						  place_json(match->bot[1]))),
				  JSON("winner", place_json(match->winner)),
				  BOOL("bye", match->bye));
		}
		json_array_append_new(rounds, matches);
	}
	return rounds;
}

json_t *
tournament_head_json(const struct tournament_told *told)
{
	return JSON_OBJECT(
		INT("tournament", 1), TEXT("id", told->id),
		TEXT("format", told->format), TEXT("game", told->game),
		TEXT("options", told->options), INT("seats", told->seats),
		INT("games", (json_int_t)told->games),
		INT("rounds", told->rounds), INT("best", told->best),
		TEXT("hero", told->hero), TEXT("final", told->final),
		JSON_IF("frozen", told->frozen ? json_true() : NULL),
		INT("phase", told->phase), BOOL("over", told->over),
		INT("told", told->told));
}

json_t *
tournament_json(const struct tournament_told *told)
{
	json_t *head = tournament_head_json(told);
	json_t *tables = json_array(), *byes = json_array();

	for (unsigned i = 0; i < told->tables; i++)
		json_array_append_new(tables,
				      table_json(told, &told->table[i]));
	for (unsigned i = 0; i < told->byes; i++)
		JSON_PUSH(byes, INT("phase", told->bye[i].phase),
			  INT("bot", told->bye[i].bot + 1));
	JSON_ADD(head, JSON("bots", bots_json(told)),
		 INT("left_out", told->left_out), JSON("tables", tables),
		 JSON("byes", byes), JSON("bracket", bracket_json(told)));
	return head;
}

int
tournament_file_write(const struct tournament_told *told, const char *folder,
		      struct error *why)
{
	char path[LADDER_PATH_BYTES];
	struct text text = { .max = TOURNAMENT_FILE_BYTES };
	int result = 0;

	if (!tournament_file_path(folder, told->id, path))
		return error_set(why, ERROR_INPUT, "the path is too long");
	json_text_line(tournament_json(told), TOURNAMENT_DIGITS, &text);
	if (text.full)
		result = error_set(why, ERROR_INPUT,
				   "the tournament is larger than %d MiB",
				   TOURNAMENT_FILE_BYTES / 1048576);
	else if (file_replace(path, ".tmp", 0, text.bytes, text.used) < 0)
		result = error_set(why, ERROR_MACHINE, "cannot write %s: %m",
				   quoted(path).text);
	text_release(&text);
	return result;
}

/* ---- reading ----------------------------------------------------------- */

/* Takes a whole number from `least` to `most`. */
static bool
take(const json_t *from, const char *key, uint64_t least, uint64_t most,
     uint64_t *to)
{
	const json_t *value = json_object_get(from, key);
	const json_int_t number = json_integer_value(value);

	*to = (uint64_t)number;
	return json_is_integer(value) && number >= 0 &&
	       (uint64_t)number >= least && (uint64_t)number <= most;
}

static bool
take_small(const json_t *from, const char *key, unsigned least, unsigned most,
	   unsigned *to)
{
	uint64_t number = 0;
	const bool good = take(from, key, least, most, &number);

	*to = (unsigned)number;
	return good;
}

static bool
is_share(const json_t *value, double *to)
{
	*to = json_number_value(value);
	return json_is_number(value) && *to >= 0 && *to <= (double)GAMES_MAX;
}

static bool
take_share(const json_t *from, const char *key, double *to)
{
	return is_share(json_object_get(from, key), to);
}

/* Takes a string that is `ok` and shorter than `size` bytes. */
static bool
take_text(const json_t *from, const char *key, bool (*ok)(const char *, size_t),
	  char *to, size_t size)
{
	const json_t *value = json_object_get(from, key);
	const size_t n = json_string_length(value);

	if (!json_is_string(value) || n >= size ||
	    !ok(json_string_value(value), n))
		return false;
	memcpy(to, json_string_value(value), n + 1);
	return true;
}

static bool
is_name_or_empty(const char *text, size_t n)
{
	return n == 0 || message_name_ok(text, n);
}

static bool
take_head(const json_t *from, struct tournament_told *told)
{
	uint64_t at = 0;
	const bool good =
		take_text(from, "id", message_id_ok, told->id,
			  sizeof(told->id)) &&
		take_text(from, "format", message_name_ok, told->format,
			  sizeof(told->format)) &&
		take_text(from, "game", message_name_ok, told->game,
			  sizeof(told->game)) &&
		take_text(from, "options", ascii_printable, told->options,
			  sizeof(told->options)) &&
		take_small(from, "seats", 2, SEATS_MAX, &told->seats) &&
		take(from, "games", 1, GAMES_MAX, &told->games) &&
		take_small(from, "rounds", 0, GAMES_MAX, &told->rounds) &&
		take_small(from, "best", 0, SEATS_MAX, &told->best) &&
		take_text(from, "hero", is_name_or_empty, told->hero,
			  sizeof(told->hero)) &&
		(json_object_get(from, "final") == NULL ||
		 take_text(from, "final", is_name_or_empty, told->final,
			   sizeof(told->final))) &&
		take_small(from, "phase", 1, GAMES_MAX, &told->phase) &&
		json_is_boolean(json_object_get(from, "over")) &&
		take_small(from, "left_out", 0, GAMES_MAX, &told->left_out) &&
		take(from, "told", 0, UINT32_MAX, &at);

	told->over = json_is_true(json_object_get(from, "over"));
	told->frozen = json_is_true(json_object_get(from, "frozen"));
	told->told = (int64_t)at;
	return good;
}

static bool
take_bots(const json_t *from, struct tournament_told *told)
{
	const json_t *bots = json_object_get(from, "bots"), *bot;
	struct told_bot *to;
	size_t i;

	if (json_array_size(bots) < told->seats ||
	    json_array_size(bots) > BOTS_MAX)
		return false;
	told->bots = (unsigned)json_array_size(bots);
	told->bot = zeroed(told->bots, sizeof(*told->bot));
	json_array_foreach(bots, i, bot)
	{
		to = &told->bot[i];
		if (!take_text(bot, "bot", message_name_ok, to->name,
			       sizeof(to->name)) ||
		    !take_small(bot, "draw", 1, told->bots, &to->draw) ||
		    !take_small(bot, "byes", 0, GAMES_MAX, &to->byes) ||
		    !take_small(bot, "phase", 0, told->phase, &to->phase) ||
		    !take(bot, "games", 0, GAMES_MAX, &to->games) ||
		    !take_share(bot, "score", &to->score) ||
		    !take_share(bot, "sum", &to->points) ||
		    !take_share(bot, "buchholz", &to->buchholz))
			return false;
	}
	return true;
}

/* Takes a bot by its place, from 1. */
static bool
is_bot(const struct tournament_told *told, const json_t *value, unsigned *to)
{
	const json_int_t place = json_integer_value(value);

	*to = (unsigned)(place - 1);
	return json_is_integer(value) && place >= 1 && place <= told->bots;
}

static bool
take_table(const struct tournament_told *told, const json_t *from,
	   struct told_table *to)
{
	const json_t *bots = json_object_get(from, "bots");
	const json_t *shares = json_object_get(from, "shares");

	if (json_array_size(bots) != told->seats ||
	    json_array_size(shares) != told->seats)
		return false;
	for (unsigned s = 0; s < told->seats; s++)
		if (!is_bot(told, json_array_get(bots, s), &to->bot[s]) ||
		    !is_share(json_array_get(shares, s), &to->share[s]))
			return false;
	return take_small(from, "phase", 1, told->phase, &to->phase) &&
	       take(from, "games", 0, GAMES_MAX, &to->games) &&
	       take_text(from, "first", message_id_ok, to->first,
			 sizeof(to->first));
}

static bool
take_tables(const json_t *from, struct tournament_told *told)
{
	const json_t *tables = json_object_get(from, "tables"), *table;
	size_t i;

	if (!json_is_array(tables) ||
	    json_array_size(tables) > TOURNAMENT_FILE_TABLES)
		return false;
	told->tables = (unsigned)json_array_size(tables);
	told->table = zeroed(told->tables + 1, sizeof(*told->table));
	json_array_foreach(
		tables, i,
		table) if (!take_table(told, table,
				       &told->table[i])) return false;
	return true;
}

static bool
take_byes(const json_t *from, struct tournament_told *told)
{
	const json_t *byes = json_object_get(from, "byes"), *bye;
	size_t i;

	if (!json_is_array(byes) ||
	    json_array_size(byes) > TOURNAMENT_FILE_TABLES)
		return false;
	told->byes = (unsigned)json_array_size(byes);
	told->bye = zeroed(told->byes + 1, sizeof(*told->bye));
	json_array_foreach(byes, i,
			   bye) if (!take_small(bye, "phase", 1, told->phase,
						&told->bye[i].phase) ||
				    !is_bot(told, json_object_get(bye, "bot"),
					    &told->bye[i].bot)) return false;
	return true;
}

int
tournament_file_read(const char *path, struct tournament_told *told,
		     struct error *why)
{
	struct text text = { .max = TOURNAMENT_FILE_BYTES };
	json_t *json = NULL;
	uint64_t version;
	int result = 0;

	memset(told, 0, sizeof(*told));
	if (file_load_regular(path, &text) < 0)
		result = error_set(why, path_kind(errno), "cannot read %s: %s",
				   quoted(path).text, file_trouble());
	else if (!text.full && text.used > 0)
		json = json_loadb(text.bytes, text.used, 0, NULL);
	if (result == 0 && (!take(json, "tournament", 1, 1, &version) ||
			    !take_head(json, told) || !take_bots(json, told) ||
			    !take_tables(json, told) || !take_byes(json, told)))
		result = error_set(why, ERROR_INPUT,
				   "%s does not tell a tournament",
				   quoted(path).text);
	json_decref(json);
	text_release(&text);
	return result;
}

/* ---- a folder ---------------------------------------------------------- */

struct listed {
	char id[ID_BYTES + 1];
	struct timespec written;
};

static int
by_time(const void *left, const void *right)
{
	const struct listed *a = left, *b = right;

	if (a->written.tv_sec != b->written.tv_sec)
		return a->written.tv_sec > b->written.tv_sec ? -1 : 1;
	if (a->written.tv_nsec != b->written.tv_nsec)
		return a->written.tv_nsec > b->written.tv_nsec ? -1 : 1;
	return strcmp(a->id, b->id);
}

/* Takes the ID from a file's name. */
static bool
take_listed(const char *folder, const char *name, struct listed *to)
{
	const size_t before = strlen(BEFORE);
	char path[LADDER_PATH_BYTES];
	struct stat st;

	if (strncmp(name, BEFORE, before) != 0 ||
	    strlen(name) != before + ID_BYTES + strlen(BEHIND) ||
	    strcmp(name + before + ID_BYTES, BEHIND) != 0 ||
	    !message_id_ok(name + before, ID_BYTES))
		return false;
	memcpy(to->id, name + before, ID_BYTES);
	to->id[ID_BYTES] = '\0';
	if (!tournament_file_path(folder, to->id, path) ||
	    lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	to->written = st.st_mtim;
	return true;
}

unsigned
tournament_files(const char *folder, char id[TOURNAMENTS_LISTED][ID_BYTES + 1])
{
	struct listed *all = NULL, one;
	const struct dirent *entry;
	unsigned count = 0, i;
	DIR *dir = opendir(folder);

	while (dir != NULL && count < SEEN && (entry = readdir(dir)) != NULL) {
		if (!take_listed(folder, entry->d_name, &one))
			continue;
		*ADDED(all, count) = one;
	}
	if (dir != NULL)
		closedir(dir);
	if (count > 0)
		qsort(all, count, sizeof(*all), by_time);
	if (count > TOURNAMENTS_LISTED)
		count = TOURNAMENTS_LISTED;
	for (i = 0; i < count; i++)
		memcpy(id[i], all[i].id, sizeof(id[i]));
	free(all);
	return count;
}

/* ---- in words ---------------------------------------------------------- */

void
tournament_words(const struct tournament_told *told,
		 char words[TOURNAMENT_WORDS])
{
	char more[NAME_BYTES + 40] = "";

	if (told->hero[0] != '\0')
		snprintf(more, sizeof(more), ", %s meets all others",
			 told->hero);
	else if (told->best == 1)
		snprintf(more, sizeof(more), ", the best of each goes on");
	else if (told->best > 1)
		snprintf(more, sizeof(more), ", the best %u of each go on",
			 told->best);
	snprintf(words, TOURNAMENT_WORDS, "%s%s%s%s%s, %s a table%s",
		 told->format, told->final[0] != '\0' ? ", the final of " : "",
		 told->final, told->rounds > 0 ? ", " : "",
		 told->rounds > 0 ? counted(told->rounds, "round").text : "",
		 counted(told->games, "game").text, more);
}

const char *
tournament_phase(const struct tournament_told *told)
{
	return strcmp(told->format, "swiss") == 0 ? "round" : "phase";
}

void
tournament_state(const struct tournament_told *told,
		 char words[TOURNAMENT_WORDS])
{
	const bool swiss = told->rounds > 0 &&
			   strcmp(tournament_phase(told), "round") == 0;

	if (told->over)
		snprintf(words, TOURNAMENT_WORDS, "%s has won",
			 told->bot[0].name);
	else if (swiss)
		snprintf(words, TOURNAMENT_WORDS,
			 "round %u of %u is being played", told->phase,
			 told->rounds);
	else if (told->best > 0)
		snprintf(words, TOURNAMENT_WORDS, "phase %u is being played",
			 told->phase);
	else
		snprintf(words, TOURNAMENT_WORDS, "it is being played");
}
