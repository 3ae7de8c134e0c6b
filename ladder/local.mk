noinst_LIBRARIES += %reldir%/libladder.a
%canon_reldir%_libladder_a_SOURCES = \
	%reldir%/anchor.c \
	%reldir%/copy.c \
	%reldir%/durable.c \
	%reldir%/durable.h \
	%reldir%/elo.c \
	%reldir%/elo.h \
	%reldir%/entry.c \
	%reldir%/fit.c \
	%reldir%/fit.h \
	%reldir%/fit-bars.c \
	%reldir%/fit-errors.c \
	%reldir%/fit-inside.h \
	%reldir%/fit-kept.c \
	%reldir%/fit-kept.h \
	%reldir%/fit-ladder.c \
	%reldir%/fit-ladder.h \
	%reldir%/fit-links.c \
	%reldir%/fit-solve.c \
	%reldir%/fold.c \
	%reldir%/follow.c \
	%reldir%/log.c \
	%reldir%/log.h \
	%reldir%/log-files.c \
	%reldir%/folder.c \
	%reldir%/founding.c \
	%reldir%/folder.h \
	%reldir%/milli.c \
	%reldir%/milli.h \
	%reldir%/pack.c \
	%reldir%/pack.h \
	%reldir%/pairing.c \
	%reldir%/pairing.h \
	%reldir%/pairing-first.c \
	%reldir%/pairing-inside.h \
	%reldir%/pairing-seats.c \
	%reldir%/pairing-next.c \
	%reldir%/place.c \
	%reldir%/place.h \
	%reldir%/rate.c \
	%reldir%/read.c \
	%reldir%/rebuild.c \
	%reldir%/result.h \
	%reldir%/roster-entry.c \
	%reldir%/roster-image.c \
	%reldir%/roster-inside.h \
	%reldir%/roster-marks.c \
	%reldir%/roster-open.c \
	%reldir%/roster-owner.c \
	%reldir%/roster-owner.h \
	%reldir%/roster.c \
	%reldir%/roster.h \
	%reldir%/search.c \
	%reldir%/search.h \
	%reldir%/setting.c \
	%reldir%/sql.c \
	%reldir%/sql.h \
	%reldir%/store.c \
	%reldir%/store.h \
	%reldir%/store-inside.h \
	%reldir%/void.c
nodist_%canon_reldir%_libladder_a_SOURCES = %reldir%/schema.c \
	%reldir%/roster-schema.c
%canon_reldir%_libladder_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS) $(ZLIB_CFLAGS)
# Ratings are the same on every machine: elo.c says why.
%canon_reldir%_libladder_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off

# A schema as a string constant, a line for each of its lines.
SCHEMA_TO_C = sed -e 's/[\\"]/\\&/g' -e 's/.*/	"&\\n"/'

EXTRA_DIST += %reldir%/schema.sql %reldir%/roster.sql
CLEANFILES += %reldir%/schema.c %reldir%/roster-schema.c
%reldir%/schema.c: %reldir%/schema.sql
	$(AM_V_GEN)$(MKDIR_P) %reldir% && { \
	echo '#include "ladder/store-inside.h"'; \
	echo 'const char ladder_schema[] ='; \
	$(SCHEMA_TO_C) $(srcdir)/%reldir%/schema.sql; \
	echo '	;'; } > $@.tmp && mv $@.tmp $@
%reldir%/roster-schema.c: %reldir%/roster.sql
	$(AM_V_GEN)$(MKDIR_P) %reldir% && { \
	echo '#include "ladder/roster-inside.h"'; \
	echo 'const char roster_schema[] ='; \
	$(SCHEMA_TO_C) $(srcdir)/%reldir%/roster.sql; \
	echo '	;'; } > $@.tmp && mv $@.tmp $@
