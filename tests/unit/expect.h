/* tests/unit/expect.h - makes comparisons of Criterion tell what they have found.
 *
 * Criterion prints the words of a comparison that fails, or instead of them those of
 * its caller.  Here it prints both values, too.  Each side is evaluated once, and they
 * are compared as C compares them.  local.mk includes this before each file. */
#ifndef TESTS_UNIT_EXPECT_H
#define TESTS_UNIT_EXPECT_H

#if __has_include(<criterion/criterion.h>)
#include <criterion/criterion.h>

/* Keeps two values, which printf() prints by `conversion`, for the assertion that fails
 * next in this thread: `found`, and what it had to be, `op` another.  Returns false. */
bool keep_values(const char *op, const char *conversion, ...);

#define EXPECT_CONVERSION(value)                                               \
	_Generic((value), int                                                  \
		 : "%d", unsigned                                              \
		 : "%u", long                                                  \
		 : "%ld", unsigned long                                        \
		 : "%lu", long long                                            \
		 : "%lld", unsigned long long                                  \
		 : "%llu", float                                               \
		 : "%.9g", double                                              \
		 : "%.17g", default                                            \
		 : "%p")

/* Both sides get the type in which C compares them. */
#undef cr_assert_op_
#define cr_assert_op_(Fail, Op, Actual, Expected, ...)                         \
	do {                                                                   \
		__typeof__(1 ? (Actual) : (Expected)) found__ = (Actual);      \
		__typeof__(found__) expected__ = (Expected);                   \
		CR_EXPAND(cr_assert_impl(                                      \
			Fail,                                                  \
			(found__ Op expected__) ||                             \
				keep_values(#Op, EXPECT_CONVERSION(found__),   \
					    found__, expected__),              \
			dummy, CRITERION_ASSERT_MSG_EXPR_FALSE,                \
			(CR_STR(Actual Op Expected)), __VA_ARGS__));           \
	} while (0)

#undef cr_assert_float_op_
#define cr_assert_float_op_(Fail, Op, Actual, Expected, Epsilon, ...)          \
	do {                                                                   \
		const double found__ = (Actual), expected__ = (Expected);      \
		CR_EXPAND(cr_assert_impl(                                      \
			Fail,                                                  \
			(Op(found__, expected__, Epsilon)) ||                  \
				keep_values("about", "%.17g", found__,         \
					    expected__),                       \
			dummy, CRITERION_ASSERT_MSG_EXPR_FALSE,                \
			(CR_STR(Op(Actual, Expected, Epsilon))),               \
			__VA_ARGS__));                                         \
	} while (0)

#undef cr_assert_str_op_
#define cr_assert_str_op_(Fail, Op, Actual, Expected, ...)                     \
	do {                                                                   \
		const char *found__ = (Actual), *expected__ = (Expected);      \
		CR_EXPAND(cr_assert_impl(                                      \
			Fail,                                                  \
			(found__ != NULL && expected__ != NULL &&              \
			 strcmp(found__, expected__) Op 0) ||                  \
				keep_values(#Op, "`%s`", found__, expected__), \
			dummy, CRITERION_ASSERT_MSG_EXPR_FALSE,                \
			(CR_STR(Actual Op Expected)), __VA_ARGS__));           \
	} while (0)

#endif
#endif
