#!/bin/sh
# flood-stderr.sh - plays well, and floods standard error.  Bound: 256 MiB, 300
# seconds.
export HOSTILE="$*" # marks the processes that it starts
timeout 300 yes 'hostile-flood-stderr has something to complain of' |
	head -c 268435456 >&2 &
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
