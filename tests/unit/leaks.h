/* tests/unit/leaks.h - fail a test that leaks.
 *
 * Criterion prints what LeakSanitizer finds and passes the test all the same,
 * so a test ends with NO_LEAKS().  It is empty without AddressSanitizer. */
#ifndef TESTS_UNIT_LEAKS_H
#define TESTS_UNIT_LEAKS_H

#include <criterion/criterion.h>

#if defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_SEEN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_SEEN 1
#endif
#endif

#ifdef LEAKS_ARE_SEEN
#include <sanitizer/lsan_interface.h>

/* Criterion itself leaks six bytes while it reads its arguments.  Suppress
 * that one function, not the library: our code is called by it. */
__attribute__((weak)) const char *
__lsan_default_suppressions(void)
{
	return "leak:criterion_handle_args\n";
}

#define NO_LEAKS()                                                             \
	cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory leaked")
#else
#define NO_LEAKS() ((void)0)
#endif

#endif
