/* referee/cli/arguments.h - a command's arguments. */
#ifndef REFEREE_ARGUMENTS_H
#define REFEREE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/command.h"

struct argp;

/* argp_parse(), but what is wrong with the options themselves is told as
 * complain_usage() does.  Does not return then, nor after --help. */
void parse_arguments(const struct argp *argp, int argc, char **argv,
		     void *input);
/* The number that an option takes; other text is refused as by
 * refuse_argument(). */
uint64_t argument_number(const char *option, const char *arg, uint64_t min,
			 uint64_t max);
/* Which of the words, after which there is NULL, an option takes. */
unsigned argument_word(const char *option, const char *arg,
		       const char *const words[]);

#define HOST_BYTES 256 /* of a host's name or address */
#define PORT_BYTES 8   /* of a port in digits */

/* HOST:PORT, [ADDRESS]:PORT, or if there `need` be no host, PORT, which is one
 * of 127.0.0.1; false: it is none of these.  An IPv6 address without brackets
 * is refused as above. */
bool parse_place(const char *arg, bool need, char host[HOST_BYTES],
		 char port[PORT_BYTES]) MUST_CHECK;

#endif
