#!/bin/sh
# test-soak.sh - plays a few random games of every game and verifies each; see
# soak.c.  CHECK_ALL=1 plays more of them, `make soak SOAK_GAMES=N` plays N.
games=400
[ "${CHECK_ALL:-0}" != 1 ] || games=10000
exec "$BUILD_DIR/tests/soak/soak" "$games"
