UNIT_TESTS += %reldir%/test-nursery
%canon_reldir%_test_nursery_SOURCES = %reldir%/test-nursery.c
%canon_reldir%_test_nursery_CPPFLAGS = $(UNIT_CPPFLAGS)
%canon_reldir%_test_nursery_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-sandbox
%canon_reldir%_test_sandbox_SOURCES = %reldir%/test-sandbox.c
%canon_reldir%_test_sandbox_CPPFLAGS = $(UNIT_CPPFLAGS)
%canon_reldir%_test_sandbox_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)
