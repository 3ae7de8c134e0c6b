#!/bin/sh
# test-bars.sh - checks that the bars of a match cover what they promise; see
# bars.c.  CHECK_ALL=1 plays as many matches as the documented figures are for.
matches=13
[ "${CHECK_ALL:-0}" != 1 ] || matches=300
exec "$BUILD_DIR/tests/soak/bars" "$matches"
