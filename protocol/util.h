/* protocol/util.h - the few macros that all files use. */
#ifndef PROTOCOL_UTIL_H
#define PROTOCOL_UTIL_H

#include <stdarg.h>
#include <stddef.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define FALL_THROUGH __attribute__((fallthrough))
#define COLD __attribute__((cold, noinline))
#define UNUSED __attribute__((unused)) /* a parameter that a type demands */
#define NELEM(array) (sizeof(array) / sizeof((array)[0]))
/* Gives the struct that has this member. */
#define ENCLOSING(pointer, type, member)                                       \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* These keep lists of things that have `next` and `prev`, which is where it is pointed
 * to from: one puts a thing before the first, the other takes one out. */
#define LIST_PUT(first, thing)                                                 \
	do {                                                                   \
		(thing)->next = (first);                                       \
		(thing)->prev = &(first);                                      \
		if ((thing)->next != NULL)                                     \
			(thing)->next->prev = &(thing)->next;                  \
		(first) = (thing);                                             \
	} while (0)
#define LIST_CUT(thing)                                                        \
	do {                                                                   \
		if ((thing)->next != NULL)                                     \
			(thing)->next->prev = (thing)->prev;                   \
		*(thing)->prev = (thing)->next;                                \
	} while (0)

/* The call's result; it is called again while a signal interrupts it. */
#define RETRIED(call)                                                          \
	__extension__({                                                        \
		__typeof__(call) result_;                                      \
		do                                                             \
			result_ = (call);                                      \
		while (result_ < 0 && errno == EINTR);                         \
		result_;                                                       \
	})

/* Our own mistake, never a bot's or the world's: say where and abort.  Stays
 * in release builds. */
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	PRINTF_LIKE(3, 4) COLD;

/* Like realloc(), but never NULL: out of memory says so and aborts. */
void *memory(void *old, size_t bytes) MUST_CHECK;
/* A list with room for one more than `count` things of so many bytes, which is
 * zeroed; it has been made in this way alone, and may have had more things. */
void *grown(void *list, size_t count, size_t bytes) MUST_CHECK;
/* Adds a zeroed element to a list, counts it, and points to it. */
#define ADDED(list, count)                                                     \
	((list) = grown(list, count, sizeof(*(list))), &(list)[(count)++])
/* Does what calloc() does, but never returns NULL. */
void *zeroed(size_t count, size_t bytes) MUST_CHECK;
/* Does what strdup() does, but never returns NULL. */
char *copied(const char *string) MUST_CHECK;
/* These do what asprintf() and vasprintf() do, but never return NULL. */
char *formatted(const char *fmt, ...) PRINTF_LIKE(1, 2) MUST_CHECK;
char *vformatted(const char *fmt, va_list ap) PRINTF_LIKE(1, 0) MUST_CHECK;

/* For qsort() of unsigned numbers, the least first. */
int by_unsigned(const void *a, const void *b);

/* To be printed with decimals down to `step`, without a sign if it comes out as
 * 0: rounding makes -0 of what is a trace below. */
static inline double
shown(double number, double step)
{
	return number <= step / 2 && number >= -step / 2 ? 0 : number;
}

#endif
