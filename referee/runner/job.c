/* referee/runner/job.c - jobs and results as bytes. */
#include "referee/runner/job.h"

#include <stdlib.h>
#include <string.h>

#include "referee/runner/wire.h"

/* A job that was read, and the memory that it points to. */
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
	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].reuse)
			return true;
	return false;
}

bool
job_asks_entropy(const struct job *job)
{
	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->setup.entropy[s])
			return !job->setup.given;
	return false;
}

/* ---- both ways -------------------------------------------------------- */

/* Each code_ function writes a value on a wire for writing, and reads one from
 * a wire for reading. */

static void
code_bool(struct wire *wire, bool *value)
{
	*value = wire_code(wire, *value, 1) == 1;
}

static void
code_unsigned(struct wire *wire, unsigned *value)
{
	*value = (unsigned)wire_code(wire, *value, UINT32_MAX);
}

static void
code_int(struct wire *wire, int *value)
{
	*value = (int)wire_code(wire, (uint32_t)*value, UINT32_MAX);
}

static void
code_number(struct wire *wire, uint64_t *value)
{
	*value = wire_code(wire, *value, UINT64_MAX);
}

/* Writes `n` bytes, or reads at most `max`.  Returns how many. */
static size_t
code_bytes(struct wire *wire, void *at, size_t n, size_t max)
{
	char *bytes;

	if (wire->to != NULL) {
		wire_put_bytes(wire->to, at, n);
		return n;
	}
	n = wire_take_bytes(wire, &bytes);
	wire->bad |= n > max;
	if (wire->bad)
		return 0;
	memcpy(at, bytes, n);
	return n;
}

static void
code_array(struct wire *wire, char *string, size_t bytes)
{
	if (wire->to != NULL)
		wire_put_string(wire->to, string);
	else
		wire_take_into(wire, string, bytes);
}

/* A NULL string is read as "". */
static void
code_string(struct wire *wire, const char **string)
{
	if (wire->to != NULL)
		wire_put_string(wire->to, *string);
	else
		*string = wire_take_string(wire);
}

/* A NULL path is read as NULL. */
static void
code_path(struct wire *wire, const char **path)
{
	bool given = *path != NULL;

	code_bool(wire, &given);
	code_string(wire, path);
	if (given || wire->to != NULL)
		return;
	wire->bad |= **path != '\0';
	*path = NULL;
}

static void
code_text(struct wire *wire, struct text *text)
{
	char *bytes;
	size_t n;

	if (wire->to != NULL) {
		wire_put_bytes(wire->to, text->bytes, text->used);
		return;
	}
	n = wire_take_bytes(wire, &bytes);
	text_clear(text);
	if (n > 0)
		text_add(text, bytes, n);
	wire->bad |= text->full;
}

/* ---- a job ------------------------------------------------------------ */

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

static void
code_list(struct wire *wire, struct read_job *read, char *const **list)
{
	if (wire->to != NULL)
		put_list(wire->to, *list);
	else
		*list = take_list(wire, read);
}

static void
code_box(struct wire *wire, struct read_job *read, struct sandbox_box *box)
{
	box->tier = (enum sandbox_tier)wire_code(wire, box->tier, SANDBOX_FULL);
	code_unsigned(wire, &box->limits.memory_mib);
	code_unsigned(wire, &box->limits.processes);
	code_unsigned(wire, &box->limits.tmp_mib);
	code_unsigned(wire, &box->limits.file_mib);
	code_unsigned(wire, &box->limits.descriptors);
	code_unsigned(wire, &box->limits.cpu_s);
	code_path(wire, &box->folder);
	code_bool(wire, &box->writable);
	code_bool(wire, &box->strict);
	code_bool(wire, &box->watch);
	code_list(wire, read, &box->see);
	code_list(wire, read, &box->hide);
}

/* `read` is the job that is being read, or a copy of the one that is written. */
static void
code_program(struct wire *wire, struct read_job *read, unsigned s)
{
	struct spawner_task *program = &read->job.seat[s].program;
	bool boxed = program->box != NULL;

	code_list(wire, read, &program->argv);
	code_list(wire, read, &program->extra);
	code_path(wire, &program->folder);
	code_bool(wire, &boxed);
	if (boxed && program->box != NULL)
		read->box[s] = *program->box;
	if (boxed) {
		code_box(wire, read, &read->box[s]);
		program->box = &read->box[s];
	}
	wire->bad |= wire->to == NULL && program->argv[0] == NULL;
}

static void
code_seat(struct wire *wire, struct read_job *read, unsigned s)
{
	struct table_setup *setup = &read->job.setup;
	struct job_seat *seat = &read->job.seat[s];

	code_array(wire, setup->name[s], sizeof(setup->name[s]));
	code_array(wire, setup->heir_of[s], sizeof(setup->heir_of[s]));
	code_bool(wire, &setup->entropy[s]);
	code_unsigned(wire, &seat->bot);
	code_bool(wire, &seat->reuse);
	code_bool(wire, &seat->untried);
	code_string(wire, &seat->builtin);
	if (seat->builtin != NULL && *seat->builtin == '\0')
		seat->builtin = NULL;
	if (seat->builtin == NULL)
		code_program(wire, read, s);
	else
		wire->bad |= !bot_builtin_is(seat->builtin);
}

static void
code_game(struct wire *wire, struct game_setup *game)
{
	const char *name = wire->to == NULL ? NULL : game->rules->name;
	char why[SENTENCE_BYTES];

	code_string(wire, &name);
	game->seats = (uint8_t)wire_code(wire, game->seats, SEATS_MAX);
	for (unsigned i = 0; i < OPTIONS_MAX; i++)
		game->option[i] = (int16_t)wire_code(
			wire, (uint16_t)game->option[i], UINT16_MAX);
	if (wire->to != NULL)
		return;
	game->rules = game_find(name);
	wire->bad |= game->rules == NULL || game_setup_seats(game, why) < 0 ||
		     game_setup_check(game, why) < 0;
	if (wire->bad)
		game->seats = 0;
}

static void
code_entropy(struct wire *wire, struct entropy *entropy, unsigned seats)
{
	for (unsigned s = 0; s < seats && !wire->bad; s++)
		entropy->bytes[s] =
			(uint8_t)code_bytes(wire, entropy->byte[s],
					    entropy->bytes[s], ENTROPY_BYTES);
}

static void
code_job(struct wire *wire, struct read_job *read)
{
	struct job *job = &read->job;
	struct table_setup *setup = &job->setup;
	struct deal *deal = &setup->deal;

	code_number(wire, &job->number);
	code_game(wire, &setup->game);
	code_array(wire, deal->id, sizeof(deal->id));
	wire->bad |= code_bytes(wire, deal->secret, sizeof(deal->secret),
				sizeof(deal->secret)) != sizeof(deal->secret);
	code_bool(wire, &deal->seeded);
	code_array(wire, deal->block, sizeof(deal->block));
	deal->in_block = (unsigned)wire_code(wire, deal->in_block, SEATS_MAX);
	code_bool(wire, &setup->arrival);
	code_number(wire, &setup->clock.time_us);
	code_number(wire, &setup->clock.bank_us);
	code_number(wire, &setup->clock.increment_us);
	code_number(wire, &setup->clock.total_us);
	code_unsigned(wire, &setup->faults);
	code_bool(wire, &setup->record_asks);
	code_bool(wire, &setup->show_names);
	code_number(wire, &setup->date);
	code_bool(wire, &job->rests);
	code_bool(wire, &job->charges_start);
	code_bool(wire, &job->all_ends);
	code_number(wire, &job->limit_us);
	code_bool(wire, &setup->given);
	if (setup->given)
		code_entropy(wire, &setup->given_entropy, setup->game.seats);
	for (unsigned s = 0; s < setup->game.seats; s++)
		code_seat(wire, read, s);
	wire->bad |= (deal->in_block > 0) != (*deal->block != '\0');
	if (wire->to == NULL && !wire->bad)
		deal_commit(deal);
}

void
job_write(const struct job *job, struct text *to)
{
	struct read_job same = { .job = *job };
	struct wire wire = { .to = to };

	code_job(&wire, &same);
}

struct job *
job_read(const char *bytes, size_t n)
{
	struct read_job *read = zeroed(1, sizeof(*read));
	struct wire from;

	read->bytes = memory(NULL, n + 1);
	memcpy(read->bytes, bytes, n);
	from = (struct wire){ .at = read->bytes, .left = n };
	code_job(&from, read);
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
	struct text bytes = { .max = JOB_BYTES };

	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].own)
			plain.seat[s].program =
				(struct spawner_task){ .argv = nothing };
	job_write(&plain, &bytes);
	copy = bytes.full ? NULL : job_read(bytes.bytes, bytes.used);
	text_release(&bytes);
	if (copy == NULL)
		bug("cannot copy a job");
	for (unsigned s = 0; s < job->setup.game.seats; s++)
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
job_end_code(struct wire *wire, struct job_end *end)
{
	code_bool(wire, &end->known);
	code_bool(wire, &end->lives);
	code_bool(wire, &end->started);
	code_bool(wire, &end->machine);
	code_bool(wire, &end->early);
	code_bool(wire, &end->over);
	code_bool(wire, &end->silent);
	code_int(wire, &end->error);
	code_int(wire, &end->status);
	code_text(wire, &end->complaint);
	code_number(wire, &end->wrote_from);
}

void
job_result_hash(const struct job_result *result,
		unsigned char hash[RECORD_HASH_BYTES])
{
	struct text record = { .max = 2 * RECORD_BYTES };

	text_add(&record, result->header.bytes, result->header.used);
	text_add(&record, "\n", 1);
	if (result->body.used > 0)
		text_add(&record, result->body.bytes, result->body.used);
	record_hash_text(record.bytes, record.used, hash);
	text_release(&record);
}

static void
code_fault(struct wire *wire, struct fault_notes *faults, unsigned i)
{
	struct fault_note *note = wire->to == NULL ? NULL : &faults->note[i];
	unsigned seat = (unsigned)wire_code(wire, note == NULL ? 0 : note->seat,
					    SEATS_MAX - 1);

	if (note == NULL && (note = fault_notes_add(faults, seat)) == NULL) {
		wire->bad = true;
		return;
	}
	note->fault = (enum fault)wire_code(wire, note->fault, FAULT_KINDS - 1);
	note->seen.doing =
		(enum bot_doing)wire_code(wire, note->seen.doing, BOT_STARVED);
	code_unsigned(wire, &note->seen.had_ms);
	code_unsigned(wire, &note->seen.of_ms);
	code_unsigned(wire, &note->ask);
	code_number(wire, &note->used_us);
	code_unsigned(wire, &note->again);
	code_number(wire, &note->late_us);
	note->said.why =
		(uint8_t)wire_code(wire, note->said.why, SAID_WHYS - 1);
	code_unsigned(wire, &note->said.bytes);
	note->said.kept = (uint32_t)code_bytes(wire, note->said.text,
					       note->said.kept, SAID_BYTES);
	code_array(wire, note->legal, sizeof(note->legal));
}

static void
code_faults(struct wire *wire, struct fault_notes *faults)
{
	unsigned count = (unsigned)wire_code(wire, faults->count,
					     SEATS_MAX * FAULT_NOTES_A_SEAT);

	for (unsigned i = 0; i < count && !wire->bad; i++)
		code_fault(wire, faults, i);
}

static void
code_result(struct wire *wire, struct job_result *result)
{
	struct table_outcome *outcome = &result->outcome;

	code_number(wire, &result->number);
	outcome->aborted = (enum abort_word)wire_code(wire, outcome->aborted,
						      ABORT_WORDS - 1);
	code_array(wire, result->ended, sizeof(result->ended));
	code_unsigned(wire, &outcome->turns);
	code_int(wire, &result->not_started);
	wire->bad |=
		result->not_started < -1 || result->not_started >= SEATS_MAX;
	code_bool(wire, &result->machine);
	code_array(wire, result->why, sizeof(result->why));
	code_text(wire, &result->header);
	code_text(wire, &result->body);
	code_text(wire, &result->asks);
	code_faults(wire, &result->faults);
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		code_int(wire, &outcome->place[s]);
		outcome->points[s] = (long)wire_code(
			wire, (uint64_t)outcome->points[s], UINT64_MAX);
		code_unsigned(wire, &outcome->faults[s]);
		code_bool(wire, &outcome->retired[s]);
		for (unsigned i = 0; i < SLIPS; i++) {
			code_unsigned(wire, &outcome->slip[s][i].count);
			code_array(wire, outcome->slip[s][i].first,
				   sizeof(outcome->slip[s][i].first));
		}
		job_end_code(wire, &result->end[s]);
	}
}

void
job_result_write(const struct job_result *result, struct text *to)
{
	struct job_result same =
		*result; /* the copy's pointers are only read */
	struct wire wire = { .to = to };

	code_result(&wire, &same);
}

bool
job_result_read(struct job_result *result, char *bytes, size_t n)
{
	struct wire from = { .at = bytes, .left = n };

	code_result(&from, result);
	return !from.bad && from.left == 0;
}
