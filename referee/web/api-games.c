/* referee/web/api-games.c - see api-games.h. */
#include "referee/web/api-games.h"

#include <inttypes.h>
#include <jansson.h>

#include "referee/base/json-line.h"

struct listing {
	json_t *games;	    /* NULL: plain */
	struct text *to;    /* plain text */
	unsigned count;	    /* games still to be listed */
	int64_t last, next; /* serials; `next` 0: there are no more */
};

static json_t *
seats_of(const struct ladder_game *game, bool ratings)
{
	json_t *seats = json_array(), *one;
	const struct ladder_seat *seat;

	for (unsigned s = 0; s < game->seats; s++) {
		seat = &game->seat[s];
		one = JSON_OBJECT(TEXT("bot", seat->bot),
				  INT("place", seat->place),
				  INT("points", seat->points));
		if (ratings)
			JSON_ADD(one,
				 INT("live_elo_milli",
				     seat->before_milli + seat->delta_milli),
				 INT("change_milli", seat->delta_milli));
		json_array_append_new(seats, one);
	}
	return seats;
}

json_t *
api_games_object(const struct ladder_game *game, bool ratings)
{
	return JSON_OBJECT(
		TEXT("id", game->id), INT("serial", game->serial),
		TEXT("ended", game->ended), TEXT("game", game->game),
		JSON("seats", seats_of(game, ratings)),
		TEXT_IF("void", game->void_number > 0 ? game->void_why : NULL));
}

static void
add_plain(struct text *to, const struct ladder_game *game)
{
	text_fmt(to, "%" PRId64 " %s %s", game->serial, game->id,
		 game->ended[0] == '\0' ? "-" : game->ended);
	for (unsigned s = 0; s < game->seats; s++)
		text_fmt(to, " %s %d %ld", game->seat[s].bot,
			 game->seat[s].place, game->seat[s].points);
	text_str(to, game->void_number > 0 ? " void\n" : "\n");
}

static void
on_game(void *arg, const struct ladder_game *game)
{
	struct listing *listing = arg;

	if (listing->count == 0) { /* one more than the client asked for */
		listing->next = listing->last;
		return;
	}
	listing->count--;
	listing->last = game->serial;
	if (listing->games != NULL)
		json_array_append_new(listing->games,
				      api_games_object(game, true));
	else
		add_plain(listing->to, game);
}

int
api_games_read(const struct games_wish *wish, struct text *to,
	       struct error *why)
{
	struct listing listing = { .games = wish->plain ? NULL : json_array(),
				   .to = to,
				   .count = wish->count };
	struct ladder *ladder = NULL;
	int result = ladder_open(wish->path, LADDER_READ, &ladder, why);

	if (result == 0)
		result = ladder_latest(ladder, wish->before, wish->count + 1,
				       on_game, &listing, why);
	ladder_close(ladder);
	if (result != 0)
		json_decref(listing.games);
	else if (!wish->plain)
		json_text(JSON_OBJECT(TEXT("ladder", wish->ladder),
				      JSON("games", listing.games),
				      INT_IF("next", listing.next != 0,
					     listing.next)),
			  7, to);
	else if (listing.next != 0)
		text_fmt(to, "next %" PRId64 "\n", listing.next);
	return result;
}
