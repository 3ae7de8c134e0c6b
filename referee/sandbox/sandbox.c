/* referee/sandbox/sandbox.c - chooses the tier. */
#include "referee/sandbox/sandbox.h"

#include "protocol/limits.h"

const char *const sandbox_wants[] = { "auto", "on", "off", NULL };
const char *const sandbox_tiers[] = { "D", "C", "B", "A", NULL };

/* Java needs about forty threads and 200 MiB to do nothing. */
const struct sandbox_limits sandbox_limits_default = {
	.memory_mib = BOX_MEMORY_MIB,
	.processes = BOX_PROCESSES,
	.tmp_mib = BOX_TMP_MIB,
	.file_mib = BOX_FILE_MIB,
	.descriptors = BOX_DESCRIPTORS,
	.cpu_s = 0,
};

int
sandbox_choose(enum sandbox_want want, enum sandbox_tier minimum,
	       enum sandbox_tier *tier, struct error *why)
{
	const struct sandbox_probe *probe;

	*tier = SANDBOX_NONE;
	if (want == SANDBOX_OFF) {
		if (minimum == SANDBOX_NONE)
			return 0;
		error_set(
			why, ERROR_INPUT,
			"the sandbox is off, but at least tier %s is required",
			sandbox_tiers[minimum]);
		return -1;
	}
	if (want == SANDBOX_ON && minimum < SANDBOX_BOX)
		minimum = SANDBOX_BOX;
	probe = sandbox_probe();
	*tier = probe->tier;
	if (probe->tier >= minimum)
		return 0;
	error_set(
		why, ERROR_INPUT,
		"at least sandbox tier %s is required, but this machine has %s",
		sandbox_tiers[minimum], probe->sentence);
	return -1;
}
