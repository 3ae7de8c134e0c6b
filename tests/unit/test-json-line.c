/* tests/unit/test-json-line.c - objects that programs read. */
#include "referee/base/json-line.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Text of a damaged database does not abort a program. */
Test(json, text_that_is_not_utf8_is_escaped)
{
	json_t *object =
		JSON_OBJECT(TEXT("name", "a\xff"), TEXT("word", "\xc3\xa9"),
			    TEXT_IF("none", NULL), INT("games", 5));
	char *line = json_dumps(object, JSON_COMPACT);

	cr_expect_str_eq(line, "{\"name\":\"a\\\\xff\",\"word\":\"\xc3\xa9\","
			       "\"games\":5}");
	free(line);
	json_decref(object);
}
