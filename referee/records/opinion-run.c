/* referee/records/opinion-run.c - see opinion-run.h. */
#include "referee/records/opinion-run.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/base/error-line.h"
#include "referee/base/subprocess.h"

const char *
opinion_program(struct error *why)
{
	static char path[FILE_PROGRAM_BYTES];
	const char *program = file_program(
		OPINION_PROGRAM, "sample-bots/strong", PKGLIBEXECDIR, path);

	if (program == NULL)
		error_set(why, ERROR_MACHINE,
			  "there is no program " OPINION_PROGRAM
			  "; run make install, or name one");
	return program;
}

/* ---- the process ------------------------------------------------------ */

/* Sets the error from the line of its output that says why it gave up. */
static int
tell_status(const struct opinion_task *task, struct subprocess_end *end,
	    struct error *why)
{
	char shown[256];

	if (WIFSIGNALED(end->status))
		return error_set(why, ERROR_MACHINE, "%s was killed: %s",
				 task->program,
				 strsignal(WTERMSIG(end->status)));
	error_line_quote(end->output.bytes, end->output.used, shown,
			 sizeof(shown));
	if (shown[0] == '\0')
		return error_set(why, ERROR_MACHINE,
				 "%s ended with status %d and wrote nothing",
				 task->program, WEXITSTATUS(end->status));
	return error_set(why, ERROR_MACHINE, "%s ended with status %d: `%s`",
			 task->program, WEXITSTATUS(end->status), shown);
}

static int
judge(const struct opinion_task *task, struct subprocess_end *end,
      struct error *why)
{
	switch (end->how) {
	case SUBPROCESS_STOPPED:
		return error_set(why, ERROR_MACHINE, "%s was stopped",
				 task->program);
	case SUBPROCESS_LATE:
		return error_set(why, ERROR_MACHINE,
				 "%s took more than %u ms and was killed",
				 task->program, task->ms);
	case SUBPROCESS_FULL:
		return error_set(why, ERROR_MACHINE, "%s writes too much",
				 task->program);
	case SUBPROCESS_ENDED:
		break;
	}
	return end->status == 0 ? 0 : tell_status(task, end, why);
}

int
opinion_run(const struct opinion_task *task, const struct text *input,
	    struct text *output, struct error *why)
{
	const char *const argv[] = { task->program,
				     task->playouts == NULL ? NULL
							    : "--playouts",
				     task->playouts, NULL };
	struct subprocess_order order = { .program = task->program,
					  .argv = argv,
					  .most = OPINION_BYTES,
					  .bounded = true,
					  .ms = task->ms,
					  .nice = OPINION_NICE };
	struct subprocess *process = NULL;
	struct subprocess_end *end;
	int result;

	*output = (struct text){ 0 };
	order.in = subprocess_input(input->bytes, input->used);
	if (order.in >= 0) {
		process = subprocess_start(&order);
		close(order.in);
	}
	if (process == NULL)
		return error_set(why, ERROR_MACHINE, "cannot start %s: %m",
				 task->program);
	end = subprocess_wait(process, task->stop, 0);
	result = judge(task, end, why);
	*output = end->output;
	end->output = (struct text){ 0 };
	subprocess_free(process);
	return result;
}
