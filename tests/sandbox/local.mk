# A program that looks around in a sandbox, and one that starts any in one.
# The first is built without sanitizers: their memory does not fit in there.
if HAVE_CRITERION
check_PROGRAMS += %reldir%/peek %reldir%/run-boxed
endif
%canon_reldir%_peek_SOURCES = %reldir%/peek.c
%canon_reldir%_peek_CFLAGS = -std=gnu17 $(WARN_CFLAGS)
%canon_reldir%_peek_LDFLAGS =
%canon_reldir%_run_boxed_SOURCES = %reldir%/run-boxed.c
%canon_reldir%_run_boxed_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(SECCOMP_LIBS) -lpthread
