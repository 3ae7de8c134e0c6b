#!/bin/sh
# flood-stdout.sh - useless lines to the referee, as fast as they go.
#
# Bound: 256 MiB, 20 seconds.
export HOSTILE="$*" # for what it starts: whose it is
echo 'tried flood its output: 256 MiB' >&2
timeout 20 yes 'pong hostile-flood-stdout' | head -c 268435456
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
