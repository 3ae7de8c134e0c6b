UNIT_TESTS += %reldir%/test-nursery
%canon_reldir%_test_nursery_SOURCES = %reldir%/test-nursery.c
%canon_reldir%_test_nursery_CPPFLAGS = $(UNIT_CPPFLAGS)
%canon_reldir%_test_nursery_LDADD = referee/libreferee.a \
	protocol/libprotocol.a $(UNIT_LIBS)
