/* referee/queue/pg-value.c - encodes parameters for the database and decodes
 * its results. */
#include "referee/queue/pg-inside.h"

#include <endian.h>
#include <limits.h>
#include <string.h>

#include "protocol/utf8.h"

/* PostgreSQL's numbers of its types, which are the same in all databases. */
enum {
	TYPE_BOOL = 16,
	TYPE_BYTEA = 17,
	TYPE_INT8 = 20,
	TYPE_INT2 = 21,
	TYPE_INT4 = 23,
	TYPE_TEXT = 25,
	TYPE_FLOAT8 = 701,
	TYPE_BYTEAS = 1001,
	TYPE_TEXTS = 1009,
	TYPE_INT8S = 1016,
};

/* ---- to the database -------------------------------------------------- */

static void
add_big(struct text *to, uint64_t number, unsigned bytes)
{
	const uint64_t big = htobe64(number);

	text_add(to, (const char *)(&big + 1) - bytes, bytes);
}

static void
begin_list(struct text *to, Oid type, size_t n)
{
	add_big(to, n > 0, 4); /* dimensions */
	add_big(to, 1, 4);     /* there may be NULL */
	add_big(to, type, 4);
	if (n == 0)
		return;
	add_big(to, n, 4);
	add_big(to, 1, 4); /* the index of the first element */
}

static void
add_piece(struct text *to, const char *bytes, size_t n)
{
	if (bytes == NULL) {
		add_big(to, UINT32_MAX, 4);
		return;
	}
	add_big(to, n, 4);
	text_add(to, bytes, n);
}

/* Adds a value that the caller keeps. */
static void
borrow(struct pg_params *params, Oid type, const char *value, size_t n)
{
	params->type[params->count] = type;
	params->value[params->count] = value;
	params->length[params->count] = (int)n;
	params->at[params->count++] = SIZE_MAX;
}

/* Adds a string as valid UTF-8 with the same number of bytes.  The database
 * takes no other text and would refuse the whole statement each time.  A reason
 * may contain the name of a file that a stranger chose. */
static void
add_legible(struct text *to, const char *string)
{
	size_t n;

	for (; *string != '\0'; string += n > 0 ? n : 1) {
		n = utf8_character(string);
		text_add(to, n > 0 ? string : "?", n > 0 ? n : 1);
	}
}

/* Adds a value that begins at `from` in `made`. */
static void
made(struct pg_params *params, Oid type, size_t from)
{
	params->type[params->count] = type;
	params->length[params->count] = (int)(params->made.used - from);
	params->at[params->count++] = from;
}

static void
add_string(struct pg_params *params, const char *string)
{
	const size_t from = params->made.used;

	if (string == NULL || utf8_ok(string)) {
		borrow(params, TYPE_TEXT, string,
		       string == NULL ? 0 : strlen(string));
		return;
	}
	add_legible(&params->made, string);
	made(params, TYPE_TEXT, from);
}

static void
add_strings(struct pg_params *params, const char *const *string, size_t n)
{
	const size_t from = params->made.used;

	begin_list(&params->made, TYPE_TEXT, n);
	for (size_t i = 0; i < n; i++) {
		if (string[i] == NULL) {
			add_piece(&params->made, NULL, 0);
			continue;
		}
		add_big(&params->made, strlen(string[i]), 4);
		add_legible(&params->made, string[i]);
	}
	made(params, TYPE_TEXTS, from);
}

static void
add_pieces(struct pg_params *params, const struct pg_piece *piece, size_t n)
{
	const size_t from = params->made.used;

	begin_list(&params->made, TYPE_BYTEA, n);
	for (size_t i = 0; i < n; i++)
		add_piece(&params->made, piece[i].bytes, piece[i].n);
	made(params, TYPE_BYTEAS, from);
}

static void
add_numbers(struct pg_params *params, const int64_t *number, size_t n)
{
	const size_t from = params->made.used;

	begin_list(&params->made, TYPE_INT8, n);
	for (size_t i = 0; i < n; i++) {
		add_big(&params->made, 8, 4);
		add_big(&params->made, (uint64_t)number[i], 8);
	}
	made(params, TYPE_INT8S, from);
}

static void
add_number(struct pg_params *params, Oid type, uint64_t number)
{
	const size_t from = params->made.used;

	add_big(&params->made, number, 8);
	made(params, type, from);
}

void
pg_params_init(struct pg_params *params, const char *types, va_list ap)
{
	const void *bytes;
	uint64_t bits;
	double real;

	*params = (struct pg_params){ 0 };
	/* The database takes no longer values either. */
	text_init(&params->made, INT_MAX);
	if (strlen(types) > PG_PARAMS)
		bug("%zu parameters", strlen(types));
	for (; *types != '\0'; types++) {
		params->format[params->count] = 1;
		switch (*types) {
		case 'i':
			add_number(params, TYPE_INT8, va_arg(ap, uint64_t));
			break;
		case 'f':
			real = va_arg(ap, double);
			memcpy(&bits, &real, sizeof(bits));
			add_number(params, TYPE_FLOAT8, bits);
			break;
		case 's':
			add_string(params, va_arg(ap, const char *));
			break;
		case 'b':
			bytes = va_arg(ap, const void *);
			borrow(params, TYPE_BYTEA, bytes, va_arg(ap, size_t));
			break;
		case 'I':
			bytes = va_arg(ap, const int64_t *);
			add_numbers(params, bytes, va_arg(ap, size_t));
			break;
		case 'S': {
			const char *const *string =
				va_arg(ap, const char *const *);

			add_strings(params, string, va_arg(ap, size_t));
			break;
		}
		case 'B':
			bytes = va_arg(ap, const struct pg_piece *);
			add_pieces(params, bytes, va_arg(ap, size_t));
			break;
		default:
			bug("no type of a parameter: %c", *types);
		}
	}
	if (params->made.full)
		bug("parameters of more than %d bytes", INT_MAX);
	for (int i = 0; i < params->count; i++)
		if (params->at[i] != SIZE_MAX)
			params->value[i] = params->made.bytes + params->at[i];
}

void
pg_params_release(struct pg_params *params)
{
	text_release(&params->made);
}

/* ---- from the database ------------------------------------------------ */

static uint64_t
read_big(const char *at, unsigned bytes)
{
	uint64_t number = 0;

	while (bytes-- > 0)
		number = number << 8 | (unsigned char)*at++;
	return number;
}

unsigned
pg_rows(const struct pg_answer *answer)
{
	return answer->result == NULL ? 0 : (unsigned)PQntuples(answer->result);
}

bool
pg_null(const struct pg_answer *answer, unsigned row, unsigned column)
{
	return PQgetisnull(answer->result, (int)row, (int)column) != 0;
}

static Oid
type_of(const struct pg_answer *answer, unsigned column)
{
	return PQftype(answer->result, (int)column);
}

_Noreturn static void
other_type(const struct pg_answer *answer, unsigned column)
{
	bug("column %u is of type %u", column, type_of(answer, column));
}

int64_t
pg_number(const struct pg_answer *answer, unsigned row, unsigned column)
{
	const char *value = PQgetvalue(answer->result, (int)row, (int)column);

	if (pg_null(answer, row, column))
		return 0;
	switch (type_of(answer, column)) {
	case TYPE_BOOL:
		return *value != 0;
	case TYPE_INT2:
		return (int16_t)read_big(value, 2);
	case TYPE_INT4:
		return (int32_t)read_big(value, 4);
	case TYPE_INT8:
		return (int64_t)read_big(value, 8);
	default:
		other_type(answer, column);
	}
}

double
pg_real(const struct pg_answer *answer, unsigned row, unsigned column)
{
	double real;
	uint64_t bits;

	if (type_of(answer, column) != TYPE_FLOAT8)
		other_type(answer, column);
	if (pg_null(answer, row, column))
		return 0;
	bits = read_big(PQgetvalue(answer->result, (int)row, (int)column), 8);
	memcpy(&real, &bits, sizeof(real));
	return real;
}

const char *
pg_string(const struct pg_answer *answer, unsigned row, unsigned column)
{
	if (type_of(answer, column) != TYPE_TEXT)
		other_type(answer, column);
	return PQgetvalue(answer->result, (int)row, (int)column);
}

const char *
pg_bytes(const struct pg_answer *answer, unsigned row, unsigned column,
	 size_t *n)
{
	const Oid type = type_of(answer, column);

	if (type != TYPE_BYTEA && type != TYPE_TEXT)
		other_type(answer, column);
	*n = (size_t)PQgetlength(answer->result, (int)row, (int)column);
	return PQgetvalue(answer->result, (int)row, (int)column);
}

unsigned
pg_list(const struct pg_answer *answer, unsigned row, unsigned column,
	struct pg_piece item[], unsigned max)
{
	const char *at = PQgetvalue(answer->result, (int)row, (int)column);
	const Oid type = type_of(answer, column);
	unsigned n;

	if (type != TYPE_TEXTS && type != TYPE_BYTEAS)
		other_type(answer, column);
	if (pg_null(answer, row, column) || read_big(at, 4) == 0)
		return 0;
	if (read_big(at, 4) != 1)
		bug("a list of lists");
	n = (unsigned)read_big(at + 12, 4);
	at += 20;
	for (unsigned i = 0; i < n && i < max; i++) {
		const int32_t bytes = (int32_t)read_big(at, 4);

		at += 4;
		item[i] = (struct pg_piece){ .bytes = at };
		if (bytes < 0) {
			item[i].bytes = NULL;
			continue;
		}
		item[i].n = (size_t)bytes;
		at += bytes;
	}
	return n;
}
