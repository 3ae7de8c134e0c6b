/* referee/web/owner-games.c - see owner-games.h. */
#include "referee/web/owner-games.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-games.h"

const char *const owner_orders[OWNER_ORDERS] = { "lost", "latest", "worst" };

void
owner_wish_release(struct owner_wish *wish)
{
	while (wish->bots > 0)
		text_release(&wish->bot[--wish->bots].names);
	free(wish->bot);
	free(wish->shelf);
	free(wish->worst);
}

/* ---- finding them ----------------------------------------------------- */

/* A seat that a bot of the owner had. */
struct seat_row {
	struct games_page_row game;
	const struct record_shelf *shelf;
	const struct owner_bot *bot;
	unsigned seat;
	const struct opinion_worst *worst; /* NULL: not known */
};

struct finding {
	const struct owner_wish *wish;
	struct ladder_wanted wanted; /* all but the bot */
	struct seat_row *row;	     /* owned */
	unsigned rows;
	unsigned share; /* games of a bot on a ladder that are looked at */
	bool more;	/* there are older games, which were not */
};

/* Reads the filters.  A place and a fault are those of the owner's bot. */
static const char *
read_filters(const struct owner_wish *wish, struct games_form *form,
	     struct ladder_wanted *wanted)
{
	enum games_order order;
	const char *wrong;

	*form = wish->form;
	form->order[0] = form->before[0] = '\0';
	snprintf(form->bot, sizeof(form->bot), "%s", wish->owner);
	wrong = games_form_read(form, wanted, &order);
	wanted->other = wish->other[0] != '\0' ? wish->other : NULL;
	return wrong;
}

const char *
owner_games_wrong(const struct owner_wish *wish)
{
	struct ladder_wanted wanted;
	struct games_form form;

	return read_filters(wish, &form, &wanted);
}

static const struct opinion_worst *
find_worst(const struct owner_wish *wish, const char *id, unsigned seat)
{
	for (unsigned i = 0; i < wish->worsts; i++)
		if (wish->worst[i].seat == seat &&
		    strcmp(wish->worst[i].id, id) == 0)
			return &wish->worst[i];
	return NULL;
}

/* Returns true if the filters fit this seat, too: the search only knows that
 * they fit a seat of the bot. */
static bool
fits(const struct ladder_wanted *wanted, const struct games_page_row *game,
     unsigned seat)
{
	const bool *fault = game->course.fault[seat];
	bool any = false;

	for (unsigned i = 0; i < FAULT_KINDS; i++)
		any |= fault[i];
	if (wanted->place != 0 && wanted->place != game->game.seat[seat].place)
		return false;
	if (wanted->fault == FAULT_NONE)
		return true;
	return wanted->fault == FAULT_KINDS ? any : fault[wanted->fault];
}

static void
add_seats(struct finding *finding, const struct record_shelf *shelf,
	  const struct owner_bot *bot, const struct games_page_row *game)
{
	struct seat_row *row;

	for (unsigned s = 0; s < game->game.seats; s++) {
		if (strcmp(game->game.seat[s].bot, finding->wanted.bot) != 0 ||
		    !fits(&finding->wanted, game, s))
			continue;
		row = ADDED(finding->row, finding->rows);
		*row = (struct seat_row){ *game, shelf, bot, s, NULL };
		row->worst = find_worst(finding->wish, game->game.id, s);
	}
}

/* Adds the games of a name on a ladder, which need not know it. */
static int
find_name(struct finding *finding, struct ladder *ladder,
	  const struct record_shelf *shelf, const struct owner_bot *bot,
	  struct error *why)
{
	struct games_found found;

	if (games_find_all(ladder, &finding->wanted, finding->share + 1, &found,
			   why) < 0)
		return why->kind == ERROR_INPUT ? 0 : -1;
	if (found.count > finding->share) {
		finding->more = true;
		found.count = finding->share;
	}
	for (unsigned i = 0; i < found.count; i++)
		add_seats(finding, shelf, bot, &found.row[i]);
	free(found.row);
	return 0;
}

/* Reads the next of the bot's names and moves `*names` behind it.  Returns false
 * at the end. */
static bool
next_name(const char **names, char name[NAME_BYTES + 1])
{
	const size_t n = strcspn(*names, " ");

	snprintf(name, NAME_BYTES + 1, "%.*s", (int)n, *names);
	*names += n + ((*names)[n] == ' ');
	return n > 0;
}

static int
find_bot(struct finding *finding, struct ladder *ladder,
	 const struct record_shelf *shelf, const struct owner_bot *bot,
	 struct error *why)
{
	const char *names = bot->names.bytes;
	char name[NAME_BYTES + 1];
	int result = 0;

	finding->wanted.bot = name;
	/* The bot's first name is that of its first version, too. */
	while (result == 0 && next_name(&names, name))
		if (!who_is_among(names, name))
			result = find_name(finding, ladder, shelf, bot, why);
	finding->wanted.bot = NULL;
	return result;
}

/* A ladder has no file before its first game. */
static int
find_on(struct finding *finding, const struct record_shelf *shelf,
	struct error *why)
{
	struct ladder *ladder = NULL;
	int result;

	if (access(shelf->path, F_OK) < 0 && errno == ENOENT)
		return 0;
	result = ladder_open(shelf->path, LADDER_READ, &ladder, why);
	for (unsigned i = 0; result == 0 && i < finding->wish->bots; i++)
		result = find_bot(finding, ladder, shelf,
				  &finding->wish->bot[i], why);
	ladder_close(ladder);
	return result;
}

static double
loss_of(const struct seat_row *row)
{
	return row->worst == NULL ? -1 : row->worst->loss;
}

static int
by_order(const void *left, const void *right, void *arg)
{
	const struct seat_row *a = left, *b = right;
	const enum owner_order order = *(const enum owner_order *)arg;
	const int x = a->game.game.seat[a->seat].place,
		  y = b->game.game.seat[b->seat].place;
	int result = 0;

	if (order == OWNER_LOST)
		result = (x < y) - (x > y);
	else if (order == OWNER_WORST)
		result = (loss_of(a) < loss_of(b)) - (loss_of(a) > loss_of(b));
	if (result == 0)
		result = strcmp(b->game.game.ended, a->game.game.ended);
	if (result == 0)
		result = strcmp(a->game.game.id, b->game.game.id);
	return result != 0 ? result : (int)a->seat - (int)b->seat;
}

/* Finds the seats in order; the caller frees `finding->row`, whatever the
 * result is. */
static int
find_all(const struct owner_wish *wish, struct games_form *form,
	 struct finding *finding, struct error *why)
{
	enum owner_order order = wish->order;
	unsigned searches = 1, i;
	char name[NAME_BYTES + 1];
	const char *names;
	int result = 0;

	*finding = (struct finding){ .wish = wish };
	if (read_filters(wish, form, &finding->wanted) != NULL)
		bug("filters that were not checked");
	for (i = 0; i < wish->bots; i++)
		for (names = wish->bot[i].names.bytes; next_name(&names, name);)
			searches += wish->shelves;
	finding->share = 1 + SERVE_OWNER_GAMES / searches;
	for (i = 0; result == 0 && i < wish->shelves; i++)
		result = find_on(finding, &wish->shelf[i], why);
	if (finding->rows > 0)
		qsort_r(finding->row, finding->rows, sizeof(*finding->row),
			by_order, &order);
	return result;
}

/* ---- as JSON ---------------------------------------------------------- */

static json_t *
list_faults(const struct seat_row *row)
{
	json_t *all = json_array();
	enum fault fault;

	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
		if (row->game.course.fault[row->seat][fault])
			json_array_append_new(all,
					      json_string(fault_name(fault)));
	return all;
}

static json_t *
worst_object(const struct opinion_worst *worst)
{
	return worst == NULL ? NULL
			     : JSON_OBJECT(REAL("loss", worst->loss),
					   INT("at", worst->at));
}

static json_t *
row_object(const struct seat_row *row)
{
	const struct ladder_game *game = &row->game.game;
	const int64_t ended = date_read(game->ended);
	json_t *one =
		api_games_object(game, !record_view_frozen(row->shelf, ended));
	char replay[ID_BYTES + 32];

	snprintf(replay, sizeof(replay), "games/%s?view=%u", game->id,
		 row->seat);
	JSON_ADD(one, TEXT("ladder", row->shelf->name),
		 TEXT("bot", row->bot->name), INT("seat", row->seat),
		 INT("place", game->seat[row->seat].place),
		 JSON("faults", list_faults(row)),
		 TEXT_IF("replay", game->folder != 0 ? replay : NULL),
		 JSON_IF("worst", worst_object(row->worst)));
	return one;
}

/* Returns the index behind the last row of the page that begins at `*first`. */
static unsigned
page_of(const struct owner_wish *wish, const struct finding *finding,
	unsigned *first)
{
	const unsigned rows = finding->rows;

	*first = wish->from - 1 < rows ? wish->from - 1 : rows;
	return rows - *first < wish->count ? rows : *first + wish->count;
}

int
owner_games_json(const struct owner_wish *wish, struct text *to,
		 struct error *why)
{
	json_t *games = json_array();
	struct games_form form;
	struct finding finding;
	unsigned i, end;
	int result = find_all(wish, &form, &finding, why);

	end = page_of(wish, &finding, &i);
	for (; i < end; i++)
		json_array_append_new(games, row_object(&finding.row[i]));
	if (result == 0)
		json_text(
			JSON_OBJECT(TEXT("owner", wish->owner),
				    INT("found", finding.rows),
				    BOOL("more", finding.more),
				    BOOL("opinions", wish->opinions),
				    INT_IF("next", end < finding.rows, end + 1),
				    JSON("games", json_incref(games))),
			7, to);
	json_decref(games);
	free(finding.row);
	return result;
}

/* ---- as a tar file ---------------------------------------------------- */

/* Adds the record of a row.  Returns NULL, or why it is left out. */
static const char *
add_record(const struct owner_wish *wish, const struct seat_row *row,
	   struct record_found *found, struct text *to)
{
	struct record_wish one = { .view = wish->own_view ? (int)row->seat
							  : VIEW_ALL,
				   .named = true,
				   .form = RECORD_TEXT,
				   .bots = row->bot->names.bytes,
				   .now = wish->now };
	char name[ID_BYTES + 16];

	memcpy(one.id, row->game.game.id, sizeof(one.id));
	record_view_read(row->shelf, 1, &one, found);
	if (found->code != 200)
		return found->sentence;
	if (to->used + PACK_BLOCK + found->text.used > SERVE_TAR_BYTES)
		return "there is no room for it in this answer";
	if (wish->own_view)
		snprintf(name, sizeof(name), "%s-%u.rec", one.id, row->seat);
	else
		snprintf(name, sizeof(name), "%s.rec", one.id);
	pack_add(to, name, found->text.bytes, found->text.used);
	return NULL;
}

/* Returns true if a row from `first` on and before `i` has the same whole
 * record. */
static bool
is_there(const struct owner_wish *wish, const struct seat_row *row,
	 unsigned first, unsigned i)
{
	for (unsigned j = first; j < i && !wish->own_view; j++)
		if (strcmp(row[j].game.game.id, row[i].game.game.id) == 0)
			return true;
	return false;
}

struct owner_tar {
	const struct owner_wish *wish;
	struct games_form form;
	struct finding finding;
	struct text left; /* names what is left out */
	bool found;	  /* the games have been found */
	unsigned first, next, end;
};

struct owner_tar *
owner_tar_new(const struct owner_wish *wish)
{
	struct owner_tar *tar = zeroed(1, sizeof(*tar));

	tar->wish = wish;
	text_init(&tar->left, SIZE_MAX);
	return tar;
}

void
owner_tar_free(struct owner_tar *tar)
{
	if (tar == NULL)
		return;
	text_release(&tar->left);
	free(tar->finding.row);
	free(tar);
}

static void
add_row(struct owner_tar *tar, const struct seat_row *row, struct text *to)
{
	struct record_found found;
	const char *out = add_record(tar->wish, row, &found, to);

	if (out != NULL)
		text_fmt(&tar->left, "%s: %s\n", row->game.game.id, out);
	text_release(&found.text);
	text_release(&found.input);
}

static void
end_tar(struct owner_tar *tar, struct text *to)
{
	static const char end_of_tar[2 * PACK_BLOCK];
	const unsigned rows = tar->finding.rows;

	if (tar->end < rows)
		text_fmt(&tar->left,
			 "%u more games do not fit into this file. On the page "
			 "press More games until their records are offered. A "
			 "program asks for them with from=%u.\n",
			 rows - tar->end, tar->end + 1);
	if (tar->left.used > 0)
		pack_add(to, "left-out.txt", tar->left.bytes, tar->left.used);
	text_add(to, end_of_tar, sizeof(end_of_tar));
}

int
owner_tar_add(struct owner_tar *tar, struct text *to, struct error *why)
{
	const unsigned i = tar->next;

	if (!tar->found) {
		if (find_all(tar->wish, &tar->form, &tar->finding, why) < 0)
			return -1;
		tar->found = true;
		tar->end = page_of(tar->wish, &tar->finding, &tar->first);
		tar->next = tar->first;
		return 1;
	}
	if (i == tar->end) {
		end_tar(tar, to);
		return 0;
	}
	tar->next++;
	if (!is_there(tar->wish, tar->finding.row, tar->first, i))
		add_row(tar, &tar->finding.row[i], to);
	return 1;
}
