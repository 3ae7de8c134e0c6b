/* protocol/util.h - the few macros that all files use. */
#ifndef PROTOCOL_UTIL_H
#define PROTOCOL_UTIL_H

#include <stddef.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define COLD __attribute__((cold, noinline))
#define UNUSED __attribute__((unused)) /* a parameter that a type demands */
#define NELEM(array) (sizeof(array) / sizeof((array)[0]))
/* The struct that has this member. */
#define ENCLOSING(pointer, type, member)                                       \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* Our own mistake, never a bot's or the world's: say where and abort.  Stays
 * in release builds. */
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	PRINTF_LIKE(3, 4) COLD;

/* Like realloc(), but never NULL: out of memory says so and aborts. */
void *memory(void *old, size_t bytes) MUST_CHECK;
/* Likewise calloc(), */
void *zeroed(size_t count, size_t bytes) MUST_CHECK;
/* and strdup(). */
char *copied(const char *string) MUST_CHECK;

#endif
