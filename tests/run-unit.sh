#!/bin/sh
# run-unit.sh PROGRAM - runs a Criterion program, with a limit in time.
#
# Criterion forks its tests out of a process that has a thread of nanomsg's.
# Under AddressSanitizer (gcc 12, clang 14) the child hangs for good if that
# thread holds the allocator's lock at this moment: rarely, and before any code
# of ours runs.  So a program that hangs is tried once more, aloud; one that
# hangs every time fails.
set -u
SECONDS_A_TRY=240
[ -z "${CHECK_ALL:-}" ] || SECONDS_A_TRY=1800 # their long forms
TRIES=2

out=$(mktemp) || exit 99
trap 'rm -f "$out"' EXIT
try=1
while :; do
	timeout -k 10 "$SECONDS_A_TRY" "$@" >"$out"
	status=$?
	[ "$status" = 124 ] || [ "$status" = 137 ] || break
	echo "# $1 hung: try $try of $TRIES" >&2
	[ "$try" -lt "$TRIES" ] || break
	try=$((try + 1))
done
cat "$out"
exit "$status"
