# Bots that misbehave, each in a file of its own.  They are what strangers would
# send in, so they are built as strangers would build them: without sanitizers,
# which want more memory than a box has.  `make zoo` builds them all.
HOSTILE_CFLAGS = -std=gnu17 $(WARN_CFLAGS)
HOSTILE_BOTS = \
	%reldir%/abstract \
	%reldir%/cgroup-leave \
	%reldir%/close-all \
	%reldir%/control-socket \
	%reldir%/core-dump \
	%reldir%/daemon \
	%reldir%/descriptors \
	%reldir%/devices \
	%reldir%/disk-fill \
	%reldir%/environment \
	%reldir%/escape \
	%reldir%/fork-bomb \
	%reldir%/hang-box \
	%reldir%/io-uring \
	%reldir%/kernel-doors \
	%reldir%/keyring \
	%reldir%/kill-parent \
	%reldir%/ladder \
	%reldir%/leave-ipc \
	%reldir%/memory-files \
	%reldir%/memory-many \
	%reldir%/memory-one \
	%reldir%/mount \
	%reldir%/name-bomb \
	%reldir%/neighbour \
	%reldir%/neighbour-memory \
	%reldir%/net-families \
	%reldir%/net-listen \
	%reldir%/net-out \
	%reldir%/page-tables \
	%reldir%/pid-creep \
	%reldir%/ponder \
	%reldir%/ponder-aside \
	%reldir%/proc-peek \
	%reldir%/ptrace \
	%reldir%/raise-limits \
	%reldir%/setuid \
	%reldir%/shadow \
	%reldir%/signals \
	%reldir%/starve-others \
	%reldir%/thread-bomb \
	%reldir%/tiocsti \
	%reldir%/userns \
	%reldir%/whisper
check_PROGRAMS += $(HOSTILE_BOTS)
zoo: $(HOSTILE_BOTS)
.PHONY: zoo
EXTRA_DIST += \
	%reldir%/README.md \
	%reldir%/hostile.h \
	%reldir%/memory.h \
	%reldir%/strangers.h \
	%reldir%/clock-deadline.py \
	%reldir%/clock-early.py \
	%reldir%/clock-twice.py \
	%reldir%/escape-name.sh \
	%reldir%/escape-say.sh \
	%reldir%/flood-stderr.sh \
	%reldir%/flood-stdout.sh \
	%reldir%/gigabyte-line.sh \
	%reldir%/nested-referee.sh \
	%reldir%/never-reads.sh \
	%reldir%/stop-self.sh \
	%reldir%/write-self.sh

%canon_reldir%_abstract_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_abstract_LDFLAGS =
%canon_reldir%_cgroup_leave_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_cgroup_leave_LDFLAGS =
%canon_reldir%_close_all_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_close_all_LDFLAGS =
%canon_reldir%_control_socket_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_control_socket_LDFLAGS =
%canon_reldir%_core_dump_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_core_dump_LDFLAGS =
%canon_reldir%_daemon_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_daemon_LDFLAGS =
%canon_reldir%_descriptors_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_descriptors_LDFLAGS =
%canon_reldir%_devices_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_devices_LDFLAGS =
%canon_reldir%_disk_fill_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_disk_fill_LDFLAGS =
%canon_reldir%_environment_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_environment_LDFLAGS =
%canon_reldir%_escape_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_escape_LDFLAGS =
%canon_reldir%_fork_bomb_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_fork_bomb_LDFLAGS =
%canon_reldir%_hang_box_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_hang_box_LDFLAGS =
%canon_reldir%_io_uring_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_io_uring_LDFLAGS =
%canon_reldir%_kernel_doors_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_kernel_doors_LDFLAGS =
%canon_reldir%_keyring_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_keyring_LDFLAGS =
%canon_reldir%_kill_parent_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_kill_parent_LDFLAGS =
%canon_reldir%_ladder_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_ladder_LDFLAGS =
%canon_reldir%_leave_ipc_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_leave_ipc_LDFLAGS =
%canon_reldir%_leave_ipc_LDADD = -lrt
%canon_reldir%_memory_files_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_memory_files_LDFLAGS =
%canon_reldir%_memory_many_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_memory_many_LDFLAGS =
%canon_reldir%_memory_one_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_memory_one_LDFLAGS =
%canon_reldir%_mount_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_mount_LDFLAGS =
%canon_reldir%_name_bomb_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_name_bomb_LDFLAGS =
%canon_reldir%_neighbour_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_neighbour_LDFLAGS =
%canon_reldir%_neighbour_memory_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_neighbour_memory_LDFLAGS =
%canon_reldir%_net_families_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_net_families_LDFLAGS =
%canon_reldir%_net_listen_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_net_listen_LDFLAGS =
%canon_reldir%_net_out_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_net_out_LDFLAGS =
%canon_reldir%_page_tables_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_page_tables_LDFLAGS =
%canon_reldir%_pid_creep_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_pid_creep_LDFLAGS =
%canon_reldir%_ponder_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_ponder_LDFLAGS = -pthread
%canon_reldir%_ponder_aside_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_ponder_aside_LDFLAGS =
%canon_reldir%_proc_peek_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_proc_peek_LDFLAGS =
%canon_reldir%_ptrace_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_ptrace_LDFLAGS =
%canon_reldir%_raise_limits_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_raise_limits_LDFLAGS =
%canon_reldir%_setuid_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_setuid_LDFLAGS =
%canon_reldir%_shadow_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_shadow_LDFLAGS =
%canon_reldir%_signals_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_signals_LDFLAGS =
%canon_reldir%_starve_others_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_starve_others_LDFLAGS =
%canon_reldir%_thread_bomb_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_thread_bomb_LDFLAGS = -pthread
%canon_reldir%_tiocsti_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_tiocsti_LDFLAGS =
%canon_reldir%_userns_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_userns_LDFLAGS =
%canon_reldir%_whisper_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_whisper_LDFLAGS =
