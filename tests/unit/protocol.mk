# An example of the form:
# UNIT_TESTS += %reldir%/test-line
# %canon_reldir%_test_line_SOURCES = %reldir%/test-line.c
# %canon_reldir%_test_line_CPPFLAGS = $(UNIT_CPPFLAGS)
# %canon_reldir%_test_line_LDADD = protocol/libprotocol.a $(UNIT_LIBS)
