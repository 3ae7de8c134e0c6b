noinst_LIBRARIES += %reldir%/libladder.a
%canon_reldir%_libladder_a_SOURCES = \
	%reldir%/elo.c \
	%reldir%/elo.h \
	%reldir%/store.c \
	%reldir%/store.h
%canon_reldir%_libladder_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS)
