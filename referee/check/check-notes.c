/* referee/check/check-notes.c - turns the notes of a box into sentences. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "referee/check/check-inside.h"
#include "referee/sandbox/sandbox.h"

#define SENTENCE_BYTES 512
#define SHOWN 5 /* notes of a kind that are shown */

/* Returns what a call is for; calls with the same purpose are refused for the
 * same reason. */
static const char *
purpose(const char *call)
{
	static const struct {
		const char *call, *text;
	} purposes[] = {
		{ "ptrace", "traces other processes" },
		{ "process_vm_readv", "reads the memory of others" },
		{ "process_vm_writev", "writes into the memory of others" },
		{ "pidfd_getfd", "takes descriptors of others" },
		{ "perf_event_open", "measures other processes" },
		{ "unshare", "makes namespaces" },
		{ "clone", "makes namespaces" },
		{ "setns", "enters namespaces" },
		{ "mount", "mounts" },
		{ "umount2", "unmounts" },
		{ "chroot", "changes the root" },
		{ "pivot_root", "changes the root" },
		{ "open_by_handle_at", "opens files without their path" },
		{ "name_to_handle_at", "opens files without their path" },
		{ "bpf", "loads programs into the kernel" },
		{ "userfaultfd", "holds the kernel up" },
		{ "io_uring_setup", "makes calls that no filter sees" },
		{ "add_key", "keeps keys in the kernel" },
		{ "keyctl", "keeps keys in the kernel" },
		{ "request_key", "keeps keys in the kernel" },
		{ "shmget", "leaves shared memory" },
		{ "shmat", "leaves shared memory" },
		{ "semget", "leaves semaphores" },
		{ "msgget", "leaves messages" },
		{ "ioctl", "types into a terminal" },
		{ "setpriority", "goes before others" },
		{ "sched_setscheduler", "goes before others" },
		{ "sched_setaffinity", "chooses processors for others" },
		{ "ioprio_set", "goes before others" },
		{ "mq_open", "leaves messages" },
		{ "vmsplice", "lays memory into pipes" },
		{ "io_setup", "takes requests that the whole machine shares" },
		{ "prlimit64", "raises a limit, or sets another's" },
		{ "setrlimit", "raises a limit" },
	};

	for (size_t i = 0; i < NELEM(purposes); i++)
		if (strcmp(call, purposes[i].call) == 0)
			return purposes[i].text;
	return NULL;
}

static void
tell_family(int family, char *to, size_t size)
{
	static const struct {
		int family;
		const char *name;
	} names[] = {
		{ AF_UNIX, "unix" },	 { AF_INET, "inet" },
		{ AF_INET6, "inet6" },	 { AF_NETLINK, "netlink" },
		{ AF_PACKET, "packet" }, { AF_ALG, "alg" },
		{ AF_VSOCK, "vsock" },	 { AF_BLUETOOTH, "bluetooth" },
	};

	for (size_t i = 0; i < NELEM(names); i++)
		if (names[i].family == family) {
			snprintf(to, size, "%s", names[i].name);
			return;
		}
	snprintf(to, size, "number %d", family);
}

/* Writes one note as part of a list. */
static void
tell_note(const struct box_note *note, char *to, size_t size)
{
	char path[2 * BOX_PATH];
	const char *name, *what;

	text_escape(path, sizeof(path), note->path,
		    strnlen(note->path, BOX_PATH));
	switch ((enum box_tried)note->tried) {
	case BOX_CALL:
	case BOX_RAISE:
		name = sandbox_call_name(note->number);
		what = purpose(name);
		snprintf(to, size, what == NULL ? "%s" : "%s, which %s", name,
			 what);
		break;
	case BOX_SOCKET:
		tell_family(note->number, to, size);
		break;
	case BOX_SIGNAL:
		if (note->number == -1)
			snprintf(to, size, "all at once");
		else
			snprintf(to, size, "process %d", note->number);
		break;
	case BOX_PROCESS:
		if (path[0] != '\0')
			snprintf(to, size, "%s", path);
		else
			snprintf(to, size, "process %d", note->number);
		break;
	default:
		snprintf(to, size, "%s", path);
	}
}

/* The words before the list, for each kind of note. */
static const struct telling {
	enum box_tried tried;
	enum check_kind kind;
	const char *before;
} tellings[] = {
	{ BOX_CALL, CHECK_FORBIDDEN,
	  "made a system call that the sandbox forbids: " },
	{ BOX_SOCKET, CHECK_FORBIDDEN,
	  "tried to open a socket, but a bot has no network, only its standard "
	  "input and output: " },
	{ BOX_RAISE, CHECK_FORBIDDEN,
	  "tried to raise a limit or its priority: " },
	{ BOX_OPEN, CHECK_FILES, "tried to open files outside its sandbox: " },
	{ BOX_WRITE, CHECK_FILES, "tried to change files outside /tmp: " },
	{ BOX_LOCK, CHECK_FILES, "locked or watched a file of the system: " },
	{ BOX_RUN, CHECK_FORBIDDEN,
	  "tried to run a program that the sandbox forbids: " },
	{ BOX_SIGNAL, CHECK_STRANGERS, "sent a signal to another process: " },
	{ BOX_PROCESS, CHECK_STRANGERS, "looked at another process: " },
	{ BOX_LITTER, CHECK_FILES, "created thousands of files in its /tmp" },
	{ BOX_FULL, CHECK_FILES, "filled its /tmp" },
	{ BOX_HANDLES, CHECK_TOO_MANY,
	  "reached its limit of open descriptors" },
};

static bool
tell_all(const struct bot_end *end, const struct telling *telling,
	 char sentence[SENTENCE_BYTES])
{
	size_t used = (size_t)snprintf(sentence, SENTENCE_BYTES, "%s",
				       telling->before);
	unsigned count = 0;
	char part[256];

	for (unsigned i = 0; i < end->notes && i < BOX_NOTES; i++) {
		if (end->note[i].tried != telling->tried || ++count > SHOWN)
			continue;
		tell_note(&end->note[i], part, sizeof(part));
		if (used + strlen(part) + 40 > SENTENCE_BYTES)
			continue;
		used += (size_t)snprintf(sentence + used, SENTENCE_BYTES - used,
					 "%s%s", count > 1 ? "; " : "", part);
	}
	if (count > SHOWN)
		snprintf(sentence + used, SENTENCE_BYTES - used,
			 "; and %u more", count - SHOWN);
	return count > 0;
}

void
check_judge_notes(struct check_game *game, const struct bot_end *end)
{
	char sentence[SENTENCE_BYTES];

	for (size_t i = 0; i < NELEM(tellings); i++)
		if (tell_all(end, &tellings[i], sentence))
			check_found(game, tellings[i].kind, "%s", sentence);
}
