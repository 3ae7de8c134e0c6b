/* tests/fuzz/fuzz-job.c - messages between a referee and its workers.
 *
 * Input: a byte, even for a job and odd for a result, and its bytes.  A message
 * that can be read gives the same bytes when it is written again. */
#include <stdlib.h>
#include <string.h>

#include "referee/runner/job.h"
#include "tests/fuzz/fuzz.h"

static void
check_same(struct text *text, const char *bytes, size_t n)
{
	HOLDS(!text->full && text->used == n);
	HOLDS(memcmp(text->bytes, bytes, n) == 0);
	text_release(text);
}

static void
check_job(const char *bytes, size_t n)
{
	struct job *job = job_read(bytes, n);
	struct text text;

	if (job == NULL)
		return;
	text_init(&text, JOB_BYTES);
	job_write(job, &text);
	check_same(&text, bytes, n);
	job_free(job);
}

static void
check_result(char *bytes, size_t n)
{
	struct job_result result;
	struct text text;

	job_result_init(&result);
	if (job_result_read(&result, bytes, n)) {
		text_init(&text, RESULT_BYTES);
		job_result_write(&result, &text);
		check_same(&text, bytes, n);
	}
	job_result_release(&result);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *bytes;

	if (n == 0)
		return 0;
	bytes = fuzz_copy(data + 1, n - 1);
	if (data[0] % 2 == 0)
		check_job(bytes, n - 1);
	else
		check_result(bytes, n - 1);
	free(bytes);
	return 0;
}
