#!/bin/sh
# flood-stdout.sh - sends useless lines to the referee as fast as it can.
# Bound: 256 MiB, 300 seconds.
export HOSTILE="$*" # marks the processes that it starts
echo 'tried flood its output: 256 MiB' >&2
timeout 300 yes 'pong hostile-flood-stdout' | head -c 268435456
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
