/* referee/cli/arguments.h - a command's arguments. */
#ifndef REFEREE_ARGUMENTS_H
#define REFEREE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/command.h"

struct argp;
struct argument;

/* Takes an option's value for the struct `to`. */
typedef void argument_taker(void *to, const struct argument *option, char *arg);

enum argument_kind {
	ARGUMENT_OWN,	 /* its taker does all */
	ARGUMENT_VALUE,	 /* without a value: it stores `max` */
	ARGUMENT_TEXT,	 /* borrowed from argv */
	ARGUMENT_NUMBER, /* in digits, from `min` to `max`, times `unit` */
	ARGUMENT_WORD,	 /* which of `words` */
};

/* An option: what --help says of it, what it may be, and where it goes in the
 * struct that the command line is read into. */
struct argument {
	const char *name; /* NULL: it has a letter alone */
	int letter;	  /* or 0 */
	const char *arg;  /* what --help calls its value; NULL: it takes none */
	const char *doc;
	enum argument_kind kind;
	size_t offset, bytes; /* of the field */
	uint64_t min, max, unit;
	const char *const *words; /* NULL ends */
	argument_taker *take;	  /* or NULL; called when it is stored */
	int group;		  /* of --help */
	bool hidden;
};

/* Kind and field of an option.  The compiler sees that the field has the type. */
#define STORE_VALUE(type, field, value)                                        \
	ARGUMENT_VALUE, STORED(type, field, BYTES_OF_FLAG), .max = value
#define STORE_FLAG(type, field) STORE_VALUE(type, field, true)
#define STORE_TEXT(type, field)                                                \
	ARGUMENT_TEXT, STORED(type, field, BYTES_OF_TEXT)
#define STORE_NUMBER(type, field, least, most)                                 \
	ARGUMENT_NUMBER, STORED(type, field, BYTES_OF_NUMBER),                 \
		.min = least, .max = most, .unit = 1
/* Milliseconds, kept in microseconds. */
#define STORE_MS(type, field, least, most)                                     \
	ARGUMENT_NUMBER, STORED(type, field, BYTES_OF_NUMBER),                 \
		.min = least, .max = most, .unit = 1000
/* A bool gets whether it is not the first one. */
#define STORE_WORD(type, field, list)                                          \
	ARGUMENT_WORD, STORED(type, field, BYTES_OF_WORD), .words = list
/* Code takes it, into this field, or into the whole struct. */
#define TAKE_INTO(type, field, taker)                                          \
	ARGUMENT_OWN, .offset = offsetof(type, field), .take = taker
#define TAKE(taker) ARGUMENT_OWN, .take = taker

#define STORED(type, field, bytes_of)                                          \
	.offset = offsetof(type, field), .bytes = bytes_of(((type *)0)->field)
#define BYTES_OF_FLAG(field) _Generic(field, bool : sizeof(bool))
#define BYTES_OF_TEXT(field) _Generic(field, const char * : sizeof(char *))
#define BYTES_OF_NUMBER(field)                                                 \
	_Generic(field, unsigned                                               \
		 : sizeof(unsigned), uint64_t                                  \
		 : sizeof(uint64_t))
#define BYTES_OF_WORD(field)                                                   \
	_Generic(field, unsigned : sizeof(unsigned), bool : sizeof(bool))

/* The option's field in `to`. */
void *argument_field(const struct argument *option, void *to);
/* Refuses what cannot be the name of a bot. */
argument_taker argument_check_name;
/* Takes a number from 0 to `max` thousandths into an int64_t. */
argument_taker argument_take_milli;

/* The words of a command line beside the options. */
struct words {
	char **word; /* borrowed from argv, whose NULL comes after the last */
	unsigned count;
};

/* Reads a command line: the options, of which a zeroed one is the last (NULL: there
 * are none), into `to`, and the words, which it returns.  `argp` has what --help
 * says.  Complains of wrong options as complain_usage() does, and does not return
 * then, nor after --help. */
struct words parse_arguments(const struct argp *argp,
			     const struct argument *options, int argc,
			     char **argv, void *to) MUST_CHECK;

#define HOST_BYTES 256 /* of a host's name or address */
#define PORT_BYTES 8   /* of a port in digits */

/* HOST:PORT, [ADDRESS]:PORT, or if there `need` be no host, PORT, which is one
 * of 127.0.0.1; false: it is none of these.  An IPv6 address without brackets
 * is refused as above. */
bool parse_place(const char *arg, bool need, char host[HOST_BYTES],
		 char port[PORT_BYTES]) MUST_CHECK;

#endif
