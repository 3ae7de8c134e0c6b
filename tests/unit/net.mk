# Connections: over socket pairs and loopback, with certificates made on the spot.
EXTRA_DIST += %reldir%/net-kit.h
NET_KIT = %reldir%/net-kit.c %reldir%/fake-bot.c

UNIT_TESTS += %reldir%/test-stream
%canon_reldir%_test_stream_SOURCES = %reldir%/test-stream.c $(NET_KIT)
%canon_reldir%_test_stream_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-link
%canon_reldir%_test_link_SOURCES = %reldir%/test-link.c $(NET_KIT)
%canon_reldir%_test_link_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-remote-bot-lost
%canon_reldir%_test_remote_bot_lost_SOURCES = %reldir%/test-remote-bot-lost.c \
	%reldir%/inn.c %reldir%/inn.h %reldir%/parley.c $(NET_KIT)
%canon_reldir%_test_remote_bot_lost_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-remote-bot
%canon_reldir%_test_remote_bot_SOURCES = %reldir%/test-remote-bot.c %reldir%/inn.c \
	%reldir%/inn.h %reldir%/parley.c $(NET_KIT)
%canon_reldir%_test_remote_bot_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-door
%canon_reldir%_test_door_SOURCES = %reldir%/test-door.c $(NET_KIT)
%canon_reldir%_test_door_LDADD = $(TABLE_LIBS)
