/* tests/unit/inn.c - see inn.h. */
#include "tests/unit/inn.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/record.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/parley.h"

/* ---- the owner ------------------------------------------------------ */

static enum remote_bot_answer
on_authenticate(void *arg, char name[NAME_BYTES + 1], const char *token,
		size_t n, struct error *why)
{
	(void)arg;
	if (strcmp(name, "tap") == 0)
		snprintf(name, NAME_BYTES + 1, "knock");
	if (strcmp(name, "banned") == 0) {
		error_set(why, ERROR_INPUT, "banned may not come");
		return REMOTE_BOT_REFUSED;
	}
	return n == 6 && memcmp(token, "secret", 6) == 0 ? REMOTE_BOT_WELCOME
							 : REMOTE_BOT_WRONG;
}

static void
on_came(void *arg, struct remote_bot *remote)
{
	struct inn *inn = arg;

	inn->came++;
	inn->remote = remote;
	cr_assert_null(remote->owner);
	remote->owner = inn;
}

static void
on_sat(void *arg, struct remote_bot *remote, const char *ladders, size_t n)
{
	struct inn *inn = arg;

	cr_assert_eq(remote->owner, inn);
	inn->sat++;
	snprintf(inn->sat_for, sizeof(inn->sat_for), "%.*s", (int)n, ladders);
	if (strcmp(inn->sat_for, "nowhere") == 0)
		remote_bot_dismiss(remote, "there is no ladder nowhere");
}

static void
on_resting(void *arg, struct remote_bot *remote)
{
	(void)remote;
	((struct inn *)arg)->resting++;
}

static void
on_quit(void *arg, struct remote_bot *remote)
{
	(void)remote;
	((struct inn *)arg)->quit++;
}

static void
on_lost(void *arg, struct remote_bot *remote)
{
	cr_assert_not(remote->here);
	((struct inn *)arg)->lost++;
}

static void
on_back(void *arg, struct remote_bot *remote)
{
	cr_assert(remote->here);
	((struct inn *)arg)->back++;
}

static void
on_left(void *arg, struct remote_bot *remote)
{
	struct inn *inn = arg;

	inn->left++;
	if (inn->remote == remote)
		inn->remote = NULL;
}

static void
on_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	   const char *why)
{
	struct inn *inn = arg;

	inn->refused++;
	snprintf(inn->refusal, sizeof(inn->refusal), "%d %.*s %s: %s",
		 (int)kind, (int)strcspn(from, ":"), from, bot, why);
}

static const struct remote_bot_calls calls = {
	.authenticate = on_authenticate,
	.came = on_came,
	.sat = on_sat,
	.resting = on_resting,
	.quit = on_quit,
	.lost = on_lost,
	.back = on_back,
	.left = on_left,
	.refused = on_refused,
};

void
inn_init(struct inn *inn)
{
	unsigned t;

	memset(inn, 0, sizeof(*inn));
	inn->descriptors = net_descriptors();
	fake_clock_begin();
	cr_assert_eq(loop_init(&inn->loop), 0);
	remote_bots_init(&inn->remotes, &inn->loop, &link_limits,
			 &remote_bot_limits, &calls, inn);
	parley_setup(&inn->setup.game, 2, PARLEY_SINGLE, 6, 0);
	inn->setup.clock.time_us = 1000000;
	inn->setup.faults = 3;
	for (t = 0; t < INN_TABLES; t++)
		text_init(&inn->record[t], RECORD_BYTES);
}

void
inn_release(struct inn *inn)
{
	unsigned t;

	for (t = 0; t < INN_TABLES; t++)
		if (inn->table[t] != NULL)
			table_abort(inn->table[t], ABORT_INTERRUPTED);
	for (t = 0; t < 5; t++)
		inn_pass(inn);
	for (t = 0; t < INN_TABLES; t++) {
		cr_assert_null(inn->table[t]);
		text_release(&inn->record[t]);
	}
	remote_bots_release(&inn->remotes);
	cr_assert_eq(inn->left, inn->came);
	loop_release(&inn->loop);
	cr_assert_eq(net_descriptors(), inn->descriptors);
}

static void
on_over(struct table *table, void *arg)
{
	static const unsigned char hash[RECORD_HASH_BYTES];
	struct inn *inn = arg;
	const struct text *body;
	struct text header;
	unsigned t = 0;

	while (inn->table[t] != table)
		t++;
	text_init(&header, RECORD_BYTES);
	table_record(table, &header, &body);
	text_clear(&inn->record[t]);
	if (body->used > 0)
		text_add(&inn->record[t], body->bytes, body->used);
	text_release(&header);
	inn->table[t] = NULL;
	inn->over++;
	table_receipt(table, hash, NULL);
}

static void
on_bot_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	(void)bot;
	cr_assert(end->started);
	((struct inn *)arg)->ended++;
}

void
inn_play(struct inn *inn, unsigned t, struct remote_bot *remote)
{
	struct bot *bot[SEATS_MAX] = { NULL };
	struct chance chance;
	unsigned s;

	deal_from_seed(&inn->setup.deal, "inn", t + 1);
	deal_side_chance(&inn->setup.deal, "referee bot 1", 1, &chance);
	bot[0] = remote_game_new(remote, inn->setup.deal.id);
	bot[0]->ended = on_bot_ended;
	bot[0]->ended_arg = inn;
	for (s = 1; s < inn->setup.game.seats; s++)
		bot[s] = bot_builtin_new(&inn->loop, "house", &chance);
	inn->table[t] = table_new(&inn->loop, &inn->setup, bot, on_over, inn);
}

void
inn_pass(struct inn *inn)
{
	fake_pass(&inn->loop);
}

void
inn_wait(struct inn *inn, unsigned ms)
{
	unsigned i;

	fake_now_us += ms * (uint64_t)1000;
	fake_pass(&inn->loop);
	for (i = 0; i < 4; i++)
		inn_pass(inn);
}

/* ---- the other end -------------------------------------------------- */

static struct told *
game_of(struct client *client, const char *id)
{
	struct told *game = client->game;

	while (game < client->game + client->games &&
	       strncmp(game->id, id, ID_BYTES) != 0)
		game++;
	if (game < client->game + client->games)
		return game;
	cr_assert_lt(client->games, INN_GAMES);
	client->games++;
	memset(game, 0, sizeof(*game));
	memcpy(game->id, id, ID_BYTES);
	text_init(&game->lines, RECORD_BYTES);
	return game;
}

/* Returns true if it is the current ask with its remaining time. */
static bool
is_retold(const struct told *game, unsigned ask, unsigned ms)
{
	if (ask != game->awaits || game->left_ms == 0)
		return false;
	cr_assert_eq(ms, game->left_ms);
	return true;
}

static void
game_line(const struct inn *inn, struct told *game, const char *line)
{
	unsigned ask, ms;
	int at;

	game->count++;
	if (sscanf(line, "ask %u %u%n %63s", &ask, &ms, &at, game->token) ==
	    3) {
		game->ask = ask;
		if (is_retold(game, ask, ms)) {
			game->retold++;
			text_fmt(&game->lines, "ask %u %u%s\n", ask,
				 (unsigned)(inn->setup.clock.time_us / 1000),
				 line + at);
			return;
		}
	}
	text_fmt(&game->lines, "%s\n", line);
	if (strncmp(line, "void ", 5) == 0)
		game->ask = 0;
	game->over |= strncmp(line, "over ", 5) == 0 ||
		      strncmp(line, "abort ", 6) == 0;
}

static void
take_line(struct client *client, const char *line)
{
	static const char *const other[] = { "referee ", "ping ", "error ",
					     "bye", "gone " };
	size_t i;

	if (line[0] == '@') {
		cr_assert_eq(line[1 + ID_BYTES], ' ');
		game_line(client->inn, game_of(client, line + 1),
			  line + ID_BYTES + 2);
		return;
	}
	for (i = 0; i < NELEM(other); i++)
		if (strncmp(line, other[i], strlen(other[i])) == 0) {
			text_fmt(&client->other, "%s\n", line);
			return;
		}
	if (strncmp(line, "awaits ", 7) == 0) {
		struct told *game = game_of(client, line + 7);

		cr_assert_eq(sscanf(line + 8 + ID_BYTES, "%u %u", &game->awaits,
				    &game->left_ms),
			     2);
		return;
	}
	if (strncmp(line, "game ", 5) == 0)
		client->current = game_of(client, line + 5);
	cr_assert_not_null(client->current, "whose line is it? %s", line);
	game_line(client->inn, client->current, line);
}

static void
take_lines(struct client *client)
{
	char *at = client->in.bytes, *end = at + client->in.used, *lf;
	size_t left;

	while ((lf = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		*lf = '\0';
		take_line(client, at);
		at = lf + 1;
	}
	left = (size_t)(end - at);
	memmove(client->in.bytes, at, left);
	client->in.used = left;
}

void
client_answer(struct client *client)
{
	char line[256];
	unsigned g;

	for (g = 0; g < client->games; g++) {
		if (client->game[g].ask == 0 || client->game[g].over)
			continue;
		snprintf(line, sizeof(line), "@%s do %u %s\n",
			 client->game[g].id, client->game[g].ask,
			 client->game[g].token);
		client->game[g].ask = 0;
		client_say(client, line);
	}
}

static void
on_ready(void *arg, bool writable)
{
	struct client *client = arg;
	char bytes[4096];
	size_t room = client->most - client->bytes;
	ssize_t n;

	if (writable)
		return;
	if (room == 0 || client->deaf) {
		stream_pause(client->stream, true);
		return;
	}
	n = stream_read(client->stream, bytes,
			room < sizeof(bytes) ? room : sizeof(bytes));
	if (n <= 0) {
		client->ended |= n < 0;
		return;
	}
	client->bytes += (size_t)n;
	text_add(&client->in, bytes, (size_t)n);
	take_lines(client);
	if (!client->mute)
		client_answer(client);
}

void
client_init(struct client *client, struct inn *inn)
{
	memset(client, 0, sizeof(*client));
	client->inn = inn;
	client->most = SIZE_MAX;
	text_init(&client->in, 1 << 20);
	text_init(&client->other, 1 << 20);
}

void
client_release(struct client *client)
{
	unsigned g;

	stream_free(client->stream);
	for (g = 0; g < client->games; g++)
		text_release(&client->game[g].lines);
	text_release(&client->in);
	text_release(&client->other);
}

void
client_connect(struct client *client, const char *hello)
{
	struct inn *inn = client->inn;
	unsigned i;
	int fd[2];

	net_pair(false, fd);
	text_clear(&client->in);
	client->ended = false;
	remote_bots_arrive(&inn->remotes, fd[0], inn->server, NULL);
	client->stream = stream_new(&inn->loop, fd[1], inn->client_tls,
				    "localhost", on_ready, client);
	cr_assert_not_null(client->stream);
	for (i = 0; i < 10 && !stream_is_open(client->stream); i++)
		inn_pass(inn);
	cr_assert(stream_is_open(client->stream));
	if (hello != NULL)
		client_say(client, hello);
}

void
client_return(struct client *client, const char *pairs)
{
	const char *between = " resume=";
	struct text hello;
	unsigned g;

	text_init(&hello, LINE_BOT_BYTES + 1);
	text_fmt(&hello, "bot 1 knock token=secret%s", pairs);
	for (g = 0; g < client->games; g++) {
		text_fmt(&hello, "%s%s:%u", between, client->game[g].id,
			 client->game[g].count);
		between = ",";
	}
	text_str(&hello, "\n");
	client_connect(client, text_string(&hello));
	text_release(&hello);
}

void
client_cut(struct client *client)
{
	stream_free(client->stream);
	client->stream = NULL;
}

void
client_say(struct client *client, const char *text)
{
	size_t n = strlen(text);

	/* This fails if the referee has closed the connection. */
	if (stream_write(client->stream, text, n) != (ssize_t)n)
		client->ended = true;
}

const char *
client_other(struct client *client)
{
	return text_string(&client->other);
}

void
client_come(struct client *client, struct inn *inn)
{
	client_init(client, inn);
	client_connect(client, INN_HELLO);
	inn_passes(inn, 3);
}

void
client_come_and_sit_mute(struct client *client, struct inn *inn)
{
	client_come(client, inn);
	client->mute = true;
	inn_play(inn, 0, inn->remote);
}

/* ---- for tests ------------------------------------------------------ */

void
inn_passes(struct inn *inn, unsigned n)
{
	while (n-- > 0)
		inn_pass(inn);
}

void
inn_until(struct inn *inn, const unsigned *count)
{
	unsigned i;

	for (i = 0; i < 200 && *count == 0; i++)
		inn_pass(inn);
	cr_assert_neq(*count, 0);
}

void
inn_until_over(struct inn *inn, unsigned over)
{
	unsigned i;

	for (i = 0; i < 2000 && inn->over < over; i++)
		inn_pass(inn);
	cr_assert_eq(inn->over, over);
	inn_passes(inn, 5);
}

void
inn_finish(struct inn *inn, struct client *client)
{
	client_release(client);
	inn_release(inn);
}

/* Returns the lines of game `t` if it is played without trouble; borrowed. */
const char *
inn_undisturbed(unsigned t)
{
	static struct text lines[INN_TABLES];
	struct client client;
	struct inn inn;

	if (lines[t].used > 0)
		return text_string(&lines[t]);
	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	inn_play(&inn, t, inn.remote);
	inn_until_over(&inn, 1);
	cr_assert_eq(client.games, 1);
	cr_assert(client.game[0].over);
	cr_assert_eq(inn.ended, 1);
	text_init(&lines[t], RECORD_BYTES);
	text_add(&lines[t], client.game[0].lines.bytes,
		 client.game[0].lines.used);
	cr_assert_null(strstr(text_string(&lines[t]), "\nfault "));
	client_release(&client);
	inn_release(&inn);
	return text_string(&lines[t]);
}
