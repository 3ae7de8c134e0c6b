noinst_LIBRARIES += %reldir%/libprotocol.a
%canon_reldir%_libprotocol_a_SOURCES = \
	%reldir%/abort.c \
	%reldir%/abort.h \
	%reldir%/ascii.h \
	%reldir%/asks.c \
	%reldir%/asks.h \
	%reldir%/card.c \
	%reldir%/card.h \
	%reldir%/clock.c \
	%reldir%/clock.h \
	%reldir%/date.c \
	%reldir%/date.h \
	%reldir%/error.c \
	%reldir%/error.h \
	%reldir%/event.h \
	%reldir%/fault.c \
	%reldir%/fault.h \
	%reldir%/field.c \
	%reldir%/field.h \
	%reldir%/file.c \
	%reldir%/file.h \
	%reldir%/gzip.c \
	%reldir%/gzip.h \
	%reldir%/hidden.c \
	%reldir%/hidden.h \
	%reldir%/limits.h \
	%reldir%/line.c \
	%reldir%/line.h \
	%reldir%/message.c \
	%reldir%/message.h \
	%reldir%/prune.c \
	%reldir%/prune.h \
	%reldir%/put.h \
	%reldir%/record-places.c \
	%reldir%/record-word.c \
	%reldir%/record-word.h \
	%reldir%/record.c \
	%reldir%/record.h \
	%reldir%/text.c \
	%reldir%/text.h \
	%reldir%/utf8.c \
	%reldir%/utf8.h \
	%reldir%/util.c \
	%reldir%/util.h
%canon_reldir%_libprotocol_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) $(ZLIB_CFLAGS)
dist_doc_DATA += %reldir%/PROTOCOL.md %reldir%/RECORD.md
EXTRA_DIST += \
	%reldir%/vectors/README.md \
	%reldir%/vectors/bot-lines.txt \
	%reldir%/vectors/deal.txt \
	%reldir%/vectors/redact.txt \
	%reldir%/vectors/stream.txt
