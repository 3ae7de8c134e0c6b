UNIT_TESTS += %reldir%/test-spawner
%canon_reldir%_test_spawner_SOURCES = %reldir%/test-spawner.c
%canon_reldir%_test_spawner_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll
%canon_reldir%_test_spawner_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-spawner-box
%canon_reldir%_test_spawner_box_SOURCES = %reldir%/test-spawner-box.c
%canon_reldir%_test_spawner_box_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-sandbox
%canon_reldir%_test_sandbox_SOURCES = %reldir%/test-sandbox.c
%canon_reldir%_test_sandbox_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)
