/* referee/cli/arguments.h - reads a command's arguments. */
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
	ARGUMENT_OWN,	 /* stores nothing; `take` does all */
	ARGUMENT_VALUE,	 /* takes no value; stores `max` */
	ARGUMENT_TEXT,	 /* a string borrowed from argv */
	ARGUMENT_NUMBER, /* digits, from `min` to `max`; stored times `unit` */
	ARGUMENT_WORD,	 /* one of `words`; stored as its index */
};

/* An option: what --help says about it, which values it takes, and where the
 * value goes in the struct that the command line is read into. */
struct argument {
	const char *name; /* NULL: the option has only a letter */
	int letter;	  /* 0: none */
	const char *arg;  /* name of its value in --help; NULL: takes none */
	const char *doc;
	enum argument_kind kind;
	size_t offset, bytes; /* place and size of the field */
	uint64_t min, max, unit;
	const char *const *words; /* ends with NULL */
	argument_taker *take;	  /* or NULL; called after storing */
	int group;		  /* group in --help */
	bool hidden;
};

/* Give an option its kind and field.  The compiler checks the type place and
 * size of the field. */
#define STORE_VALUE(type, field, value)                                        \
	ARGUMENT_VALUE, STORED(type, field, BYTES_OF_FLAG), .max = value
#define STORE_FLAG(type, field) STORE_VALUE(type, field, true)
#define STORE_TEXT(type, field)                                                \
	ARGUMENT_TEXT, STORED(type, field, BYTES_OF_TEXT)
#define STORE_NUMBER(type, field, least, most)                                 \
	ARGUMENT_NUMBER, STORED(type, field, BYTES_OF_NUMBER),                 \
		.min = least, .max = most, .unit = 1
/* Takes milliseconds and stores microseconds. */
#define STORE_MS(type, field, least, most)                                     \
	ARGUMENT_NUMBER, STORED(type, field, BYTES_OF_NUMBER),                 \
		.min = least, .max = most, .unit = 1000
/* Stores which word it is; a bool becomes false for the first word and true for
 * any other. */
#define STORE_WORD(type, field, list)                                          \
	ARGUMENT_WORD, STORED(type, field, BYTES_OF_WORD), .words = list
/* Leaves the value to a function, which stores it in this field, or anywhere in
 * the struct. */
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

/* Returns the option's field in `to`. */
void *argument_field(const struct argument *option, void *to);
/* Refuses a value that cannot be the name of a bot. */
argument_taker argument_check_name;
/* Takes a number from 0 to `max` thousandths into an int64_t. */
argument_taker argument_take_milli;

/* The words of a command line beside the options. */
struct words {
	char **word; /* a string borrowed from argv, so NULL comes after the
		      * last */
	unsigned count;
};

/* Reads a command line: stores the options in `to`, and returns the words.  A
 * zeroed option ends `options`; NULL: there are none.  `argp` has the texts
 * group in --help.  Complains about wrong options like complain_usage().  Does
 * not return then, nor after --help. */
struct words parse_arguments(const struct argp *argp,
			     const struct argument *options, int argc,
			     char **argv, void *to) MUST_CHECK;

#define HOST_BYTES 256 /* for a host's name or address */
#define PORT_BYTES 8   /* for a port in digits */

/* Reads HOST:PORT or [ADDRESS]:PORT; unless a host is needed (`need`) also
 * PORT, which means 127.0.0.1.  Returns false if it is none of these.  Refuses
 * an IPv6 address without brackets like a wrong option. */
bool parse_place(const char *arg, bool need, char host[HOST_BYTES],
		 char port[PORT_BYTES]) MUST_CHECK;

#endif
