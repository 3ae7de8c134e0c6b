/* tests/unit/scene.c - see scene.h. */
#include "tests/unit/scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/record.h"

void
scene_init(struct scene *scene, unsigned seats, enum parley_kind kind,
	   unsigned turns)
{
	unsigned s;

	memset(scene, 0, sizeof(*scene));
	fake_clock_begin();
	cr_assert_eq(loop_init(&scene->loop), 0);
	parley_setup(&scene->setup.game, seats, kind, turns, 0);
	deal_from_seed(&scene->setup.deal, "scene", 1);
	scene->setup.clock.time_us = 1000000;
	scene->setup.faults = 3;
	for (s = 0; s < SEATS_MAX; s++) {
		snprintf(scene->setup.name[s], NAME_BYTES + 1, "bot%u", s);
		fake_init(&scene->bot[s], &scene->loop);
		scene->bot[s].bot.started = true;
	}
	text_init(&scene->record, RECORD_BYTES);
}

static void
on_over(struct table *table, void *arg)
{
	struct scene *scene = arg;

	cr_assert_eq(table, scene->table);
	scene->over++;
}

void
scene_begin(struct scene *scene)
{
	struct bot *bot[SEATS_MAX];
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		bot[s] = &scene->bot[s].bot;
	scene->table =
		table_new(&scene->loop, &scene->setup, bot, on_over, scene);
	cr_assert_eq(scene->bot[0].writes, 0, "all leaves in the loop");
	scene_pass(scene);
}

void
scene_pass(struct scene *scene)
{
	fake_pass(&scene->loop);
}

void
scene_wait(struct scene *scene, unsigned ms)
{
	fake_now_us += ms * (uint64_t)1000;
	fake_pass(&scene->loop);
}

const char *
scene_ask(struct scene *scene, unsigned seat)
{
	return fake_read(&scene->bot[seat]) + scene->bot[seat].last_ask;
}

unsigned
scene_asks(struct scene *scene, unsigned seat)
{
	if (scene->bot[seat].asks == 0)
		return 0;
	return (unsigned)strtoul(scene_ask(scene, seat) + 4, NULL, 10);
}

void
scene_do(struct scene *scene, unsigned seat, const char *token)
{
	fake_say(&scene->bot[seat], "do %u %s", scene_asks(scene, seat), token);
}

const char *
scene_record(struct scene *scene)
{
	const struct text *body;

	text_clear(&scene->record);
	table_record(scene->table, &scene->record, &body);
	text_str(&scene->record, "\n");
	if (body->used > 0)
		text_add(&scene->record, body->bytes, body->used);
	return text_string(&scene->record);
}

const char *
scene_body(struct scene *scene)
{
	return strstr(scene_record(scene), "\n\n") + 2;
}

void
scene_receipt(struct scene *scene)
{
	unsigned char hash[RECORD_HASH_BYTES];
	const char *record = scene_record(scene);

	record_hash_text(record, strlen(record), hash);
	table_receipt(scene->table, hash, NULL);
	scene->table = NULL;
}

void
scene_end(struct scene *scene)
{
	unsigned s;

	if (scene->table != NULL) {
		table_abort(scene->table, ABORT_INTERRUPTED);
		scene_pass(scene);
		cr_assert_eq(scene->over, 1);
		table_receipt(scene->table, NULL, NULL);
	}
	for (s = 0; s < SEATS_MAX; s++)
		fake_release(&scene->bot[s]);
	text_release(&scene->record);
	loop_release(&scene->loop);
}
