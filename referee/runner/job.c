/* referee/runner/job.c - jobs and results as bytes. */
#include "referee/runner/job.h"

#include <stdlib.h>
#include <string.h>

#include "referee/runner/wire.h"

/* A job that was read, with all that it points to. */
struct read_job {
	struct job job; /* first: job_free() gets its address */
	struct sandbox_box box[SEATS_MAX];
	char **list[SEATS_MAX * 4];
	unsigned lists;
	char *bytes;
};

/* ---- its seats -------------------------------------------------------- */

bool
job_seat_is_program(const struct job_seat *seat)
{
	return seat->builtin == NULL && !seat->own;
}

unsigned
job_programs(const struct job *job)
{
	unsigned s, count = 0;

	for (s = 0; s < job->setup.game.seats; s++)
		count += job_seat_is_program(&job->seat[s]);
	return count;
}

bool
job_reuses(const struct job *job)
{
	unsigned s;

	for (s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].reuse)
			return true;
	return false;
}

bool
job_asks_entropy(const struct job *job)
{
	unsigned s;

	for (s = 0; s < job->setup.game.seats; s++)
		if (job->setup.entropy[s])
			return !job->setup.given;
	return false;
}

/* ---- writing ---------------------------------------------------------- */

static void
put_list(struct text *to, char *const *list)
{
	uint64_t n = 0;

	while (list != NULL && list[n] != NULL)
		n++;
	wire_put(to, n);
	for (uint64_t i = 0; i < n; i++)
		wire_put_string(to, list[i]);
}

/* NULL and "" are told apart. */
static void
put_path(struct text *to, const char *path)
{
	wire_put(to, path != NULL);
	wire_put_string(to, path);
}

static void
put_box(struct text *to, const struct sandbox_box *box)
{
	wire_put(to, box->tier);
	wire_put(to, box->limits.memory_mib);
	wire_put(to, box->limits.processes);
	wire_put(to, box->limits.tmp_mib);
	wire_put(to, box->limits.file_mib);
	wire_put(to, box->limits.descriptors);
	wire_put(to, box->limits.cpu_s);
	put_path(to, box->folder);
	wire_put(to, box->writable);
	wire_put(to, box->strict);
	wire_put(to, box->watch);
	put_list(to, box->see);
	put_list(to, box->hide);
}

static void
put_seat(struct text *to, const struct job *job, unsigned s)
{
	const struct job_seat *seat = &job->seat[s];
	const struct spawner_job *program = &seat->program;

	wire_put_string(to, job->setup.name[s]);
	wire_put_string(to, job->setup.heir_of[s]);
	wire_put(to, job->setup.entropy[s]);
	wire_put(to, seat->bot);
	wire_put(to, seat->reuse);
	wire_put_string(to, seat->builtin);
	if (seat->builtin != NULL)
		return;
	put_list(to, program->argv);
	put_list(to, program->extra);
	put_path(to, program->folder);
	wire_put(to, program->box != NULL);
	if (program->box != NULL)
		put_box(to, program->box);
}

static void
put_game(struct text *to, const struct game_setup *game)
{
	wire_put_string(to, game->rules->name);
	wire_put(to, game->seats);
	for (unsigned i = 0; i < OPTIONS_MAX; i++)
		wire_put(to, (uint16_t)game->option[i]);
}

static void
put_entropy(struct text *to, const struct entropy *entropy, unsigned seats)
{
	for (unsigned s = 0; s < seats; s++)
		wire_put_bytes(to, entropy->byte[s], entropy->bytes[s]);
}

void
job_write(const struct job *job, struct text *to)
{
	const struct table_setup *setup = &job->setup;

	wire_put(to, job->number);
	put_game(to, &setup->game);
	wire_put_string(to, setup->deal.id);
	wire_put_bytes(to, setup->deal.secret, sizeof(setup->deal.secret));
	wire_put(to, setup->deal.seeded);
	wire_put_string(to, setup->deal.block);
	wire_put(to, setup->deal.in_block);
	wire_put(to, setup->arrival);
	wire_put(to, setup->clock.time_us);
	wire_put(to, setup->clock.bank_us);
	wire_put(to, setup->clock.increment_us);
	wire_put(to, setup->clock.total_us);
	wire_put(to, setup->faults);
	wire_put(to, setup->record_asks);
	wire_put(to, setup->show_names);
	wire_put(to, setup->date);
	wire_put(to, job->rests);
	wire_put(to, job->charges_start);
	wire_put(to, job->all_ends);
	wire_put(to, job->limit_us);
	wire_put(to, setup->given);
	if (setup->given)
		put_entropy(to, &setup->given_entropy, setup->game.seats);
	for (unsigned s = 0; s < setup->game.seats; s++)
		put_seat(to, job, s);
}

/* ---- reading ---------------------------------------------------------- */

static char **
take_list(struct wire *from, struct read_job *read)
{
	uint64_t n = wire_take_max(from, JOB_STRINGS_MAX);
	char **list = memory(NULL, (size_t)(n + 1) * sizeof(*list));

	for (uint64_t i = 0; i < n; i++)
		list[i] = wire_take_string(from);
	list[n] = NULL;
	read->list[read->lists++] = list;
	return list;
}

static bool
take_bool(struct wire *from)
{
	return wire_take_max(from, 1) == 1;
}

static const char *
take_path(struct wire *from)
{
	bool given = take_bool(from);
	const char *path = wire_take_string(from);

	from->bad |= !given && *path != '\0';
	return given ? path : NULL;
}

static unsigned
take_unsigned(struct wire *from)
{
	return (unsigned)wire_take_max(from, UINT32_MAX);
}

static void
take_box(struct wire *from, struct read_job *read, struct sandbox_box *box)
{
	box->tier = (enum sandbox_tier)wire_take_max(from, SANDBOX_FULL);
	box->limits.memory_mib = take_unsigned(from);
	box->limits.processes = take_unsigned(from);
	box->limits.tmp_mib = take_unsigned(from);
	box->limits.file_mib = take_unsigned(from);
	box->limits.descriptors = take_unsigned(from);
	box->limits.cpu_s = take_unsigned(from);
	box->folder = take_path(from);
	box->writable = take_bool(from);
	box->strict = take_bool(from);
	box->watch = take_bool(from);
	box->see = take_list(from, read);
	box->hide = take_list(from, read);
}

static void
take_program(struct wire *from, struct read_job *read, unsigned s)
{
	struct spawner_job *program = &read->job.seat[s].program;

	program->argv = take_list(from, read);
	program->extra = take_list(from, read);
	program->folder = take_path(from);
	if (take_bool(from)) {
		take_box(from, read, &read->box[s]);
		program->box = &read->box[s];
	}
	from->bad |= program->argv[0] == NULL;
}

static void
take_seat(struct wire *from, struct read_job *read, unsigned s)
{
	struct table_setup *setup = &read->job.setup;
	struct job_seat *seat = &read->job.seat[s];
	const char *builtin;

	wire_take_into(from, setup->name[s], sizeof(setup->name[s]));
	wire_take_into(from, setup->heir_of[s], sizeof(setup->heir_of[s]));
	setup->entropy[s] = take_bool(from);
	seat->bot = take_unsigned(from);
	seat->reuse = take_bool(from);
	builtin = wire_take_string(from);
	if (*builtin == '\0') {
		take_program(from, read, s);
		return;
	}
	seat->builtin = builtin;
	from->bad |= !bot_builtin_is(builtin);
}

static void
take_game(struct wire *from, struct game_setup *game)
{
	char why[SENTENCE_BYTES];

	game->rules = game_find(wire_take_string(from));
	game->seats = (uint8_t)wire_take_max(from, SEATS_MAX);
	for (unsigned i = 0; i < OPTIONS_MAX; i++)
		game->option[i] = (int16_t)wire_take_max(from, UINT16_MAX);
	from->bad |= game->rules == NULL || game_setup_seats(game, why) < 0 ||
		     game_setup_check(game, why) < 0;
	if (from->bad)
		game->seats = 0;
}

static void
take_entropy(struct wire *from, struct entropy *entropy, unsigned seats)
{
	char *bytes;
	size_t n;

	for (unsigned s = 0; s < seats; s++) {
		n = wire_take_bytes(from, &bytes);
		from->bad |= n > ENTROPY_BYTES;
		if (from->bad)
			return;
		memcpy(entropy->byte[s], bytes, n);
		entropy->bytes[s] = (uint8_t)n;
	}
}

static void
take_job(struct wire *from, struct read_job *read)
{
	struct job *job = &read->job;
	struct table_setup *setup = &job->setup;

	job->number = wire_take(from);
	take_game(from, &setup->game);
	wire_take_into(from, setup->deal.id, sizeof(setup->deal.id));
	wire_take_exactly(from, setup->deal.secret, sizeof(setup->deal.secret));
	setup->deal.seeded = take_bool(from);
	wire_take_into(from, setup->deal.block, sizeof(setup->deal.block));
	setup->deal.in_block = (unsigned)wire_take_max(from, SEATS_MAX);
	setup->arrival = take_bool(from);
	setup->clock.time_us = wire_take(from);
	setup->clock.bank_us = wire_take(from);
	setup->clock.increment_us = wire_take(from);
	setup->clock.total_us = wire_take(from);
	setup->faults = take_unsigned(from);
	setup->record_asks = take_bool(from);
	setup->show_names = take_bool(from);
	setup->date = wire_take(from);
	job->rests = take_bool(from);
	job->charges_start = take_bool(from);
	job->all_ends = take_bool(from);
	job->limit_us = wire_take(from);
	setup->given = take_bool(from);
	if (setup->given)
		take_entropy(from, &setup->given_entropy, setup->game.seats);
	for (unsigned s = 0; s < setup->game.seats; s++)
		take_seat(from, read, s);
	from->bad |= (setup->deal.in_block > 0) != (*setup->deal.block != '\0');
	if (!from->bad)
		deal_commit(&setup->deal);
}

struct job *
job_read(const char *bytes, size_t n)
{
	struct read_job *read = zeroed(1, sizeof(*read));
	struct wire from;

	read->bytes = memory(NULL, n + 1);
	memcpy(read->bytes, bytes, n);
	from = (struct wire){ .at = read->bytes, .left = n };
	take_job(&from, read);
	if (!from.bad && from.left == 0)
		return &read->job;
	job_free(&read->job);
	return NULL;
}

struct job *
job_copy(const struct job *job)
{
	struct job plain = *job, *copy;
	char empty[] = "";
	char *const nothing[] = { empty, NULL };
	struct text bytes;
	unsigned s;

	for (s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].own)
			plain.seat[s].program =
				(struct spawner_job){ .argv = nothing };
	text_init(&bytes, JOB_BYTES);
	job_write(&plain, &bytes);
	copy = bytes.full ? NULL : job_read(bytes.bytes, bytes.used);
	text_release(&bytes);
	if (copy == NULL)
		bug("cannot copy a job");
	for (s = 0; s < job->setup.game.seats; s++)
		copy->seat[s].own = job->seat[s].own;
	return copy;
}

void
job_free(struct job *job)
{
	struct read_job *read = (struct read_job *)job;

	for (unsigned i = 0; i < read->lists; i++)
		free(read->list[i]);
	free(read->bytes);
	free(read);
}

/* ---- results ---------------------------------------------------------- */

void
job_result_init(struct job_result *result)
{
	memset(result, 0, sizeof(*result));
	result->not_started = -1;
	text_init(&result->header, RECORD_BYTES);
	text_init(&result->body, RECORD_BYTES);
	text_init(&result->asks, ASKS_BYTES);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		text_init(&result->end[s].complaint, STDERR_BYTES);
}

void
job_result_release(struct job_result *result)
{
	text_release(&result->header);
	text_release(&result->body);
	text_release(&result->asks);
	fault_notes_release(&result->faults);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		text_release(&result->end[s].complaint);
}

void
job_result_move(struct job_result *to, struct job_result *from)
{
	*to = *from;
	job_result_init(from);
}

void
job_end_write(const struct job_end *end, struct text *to)
{
	wire_put(to, end->known);
	wire_put(to, end->lives);
	wire_put(to, end->started);
	wire_put(to, end->machine);
	wire_put(to, end->early);
	wire_put(to, end->over);
	wire_put(to, end->silent);
	wire_put(to, (uint32_t)end->error);
	wire_put(to, (uint32_t)end->status);
	wire_put_bytes(to, end->complaint.bytes, end->complaint.used);
	wire_put(to, end->wrote_from);
}

static void
take_text(struct wire *from, struct text *text)
{
	char *bytes;
	size_t n = wire_take_bytes(from, &bytes);

	text_clear(text);
	if (n > 0)
		text_add(text, bytes, n);
	from->bad |= text->full;
}

void
job_end_take(struct wire *from, struct job_end *end)
{
	end->known = take_bool(from);
	end->lives = take_bool(from);
	end->started = take_bool(from);
	end->machine = take_bool(from);
	end->early = take_bool(from);
	end->over = take_bool(from);
	end->silent = take_bool(from);
	end->error = (int)take_unsigned(from);
	end->status = (int)take_unsigned(from);
	take_text(from, &end->complaint);
	end->wrote_from = wire_take(from);
}

void
job_result_hash(const struct job_result *result,
		unsigned char hash[RECORD_HASH_BYTES])
{
	struct text record;

	text_init(&record, 2 * RECORD_BYTES);
	text_add(&record, result->header.bytes, result->header.used);
	text_add(&record, "\n", 1);
	if (result->body.used > 0)
		text_add(&record, result->body.bytes, result->body.used);
	record_hash_text(record.bytes, record.used, hash);
	text_release(&record);
}

static void
write_faults(const struct fault_notes *faults, struct text *to)
{
	const struct fault_note *note;

	wire_put(to, faults->count);
	for (unsigned i = 0; i < faults->count; i++) {
		note = &faults->note[i];
		wire_put(to, note->seat);
		wire_put(to, note->fault);
		wire_put(to, note->doing);
		wire_put(to, note->ask);
		wire_put(to, note->used_us);
		wire_put(to, note->said.bytes);
		wire_put_bytes(to, note->said.text, note->said.kept);
		wire_put_string(to, note->legal);
	}
}

static void
take_fault(struct wire *from, struct fault_notes *faults)
{
	unsigned seat = (unsigned)wire_take_max(from, SEATS_MAX - 1);
	struct fault_note *note = fault_notes_add(faults, seat);
	struct fault_note spare;
	char *said;
	size_t n;

	if (note == NULL) {
		from->bad = true;
		note = &spare;
	}
	note->fault = (enum fault)wire_take_max(from, FAULT_KINDS - 1);
	note->doing = (enum bot_doing)wire_take_max(from, BOT_STOPPED);
	note->ask = take_unsigned(from);
	note->used_us = wire_take(from);
	note->said.bytes = take_unsigned(from);
	n = wire_take_bytes(from, &said);
	from->bad |= n > SAID_BYTES;
	if (!from->bad) {
		memcpy(note->said.text, said, n);
		note->said.kept = (uint32_t)n;
	}
	wire_take_into(from, note->legal, sizeof(note->legal));
}

static void
take_faults(struct wire *from, struct fault_notes *faults)
{
	unsigned count =
		(unsigned)wire_take_max(from, SEATS_MAX * FAULT_NOTES_A_SEAT);

	while (count-- > 0 && !from->bad)
		take_fault(from, faults);
}

void
job_result_write(const struct job_result *result, struct text *to)
{
	const struct table_outcome *outcome = &result->outcome;

	wire_put(to, result->number);
	wire_put(to, outcome->aborted);
	wire_put_string(to, result->ended);
	wire_put(to, outcome->turns);
	wire_put(to, (uint32_t)result->not_started);
	wire_put(to, result->machine);
	wire_put_string(to, result->why);
	wire_put_bytes(to, result->header.bytes, result->header.used);
	wire_put_bytes(to, result->body.bytes, result->body.used);
	wire_put_bytes(to, result->asks.bytes, result->asks.used);
	write_faults(&result->faults, to);
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		wire_put(to, (uint32_t)outcome->place[s]);
		wire_put(to, (uint64_t)outcome->points[s]);
		wire_put(to, outcome->faults[s]);
		wire_put(to, outcome->retired[s]);
		for (unsigned i = 0; i < SLIPS; i++) {
			wire_put(to, outcome->slip[s][i].count);
			wire_put_string(to, outcome->slip[s][i].first);
		}
		job_end_write(&result->end[s], to);
	}
}

bool
job_result_read(struct job_result *result, char *bytes, size_t n)
{
	struct table_outcome *outcome = &result->outcome;
	struct wire from = { .at = bytes, .left = n };

	result->number = wire_take(&from);
	outcome->aborted =
		(enum abort_word)wire_take_max(&from, ABORT_WORDS - 1);
	wire_take_into(&from, result->ended, sizeof(result->ended));
	outcome->turns = take_unsigned(&from);
	result->not_started = (int)take_unsigned(&from);
	from.bad |=
		result->not_started < -1 || result->not_started >= SEATS_MAX;
	result->machine = take_bool(&from);
	wire_take_into(&from, result->why, sizeof(result->why));
	take_text(&from, &result->header);
	take_text(&from, &result->body);
	take_text(&from, &result->asks);
	take_faults(&from, &result->faults);
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		outcome->place[s] = (int)take_unsigned(&from);
		outcome->points[s] = (long)wire_take(&from);
		outcome->faults[s] = take_unsigned(&from);
		outcome->retired[s] = take_bool(&from);
		for (unsigned i = 0; i < SLIPS; i++) {
			outcome->slip[s][i].count = take_unsigned(&from);
			wire_take_into(&from, outcome->slip[s][i].first,
				       sizeof(outcome->slip[s][i].first));
		}
		job_end_take(&from, &result->end[s]);
	}
	return !from.bad && from.left == 0;
}
