#!/bin/sh
# flood-stderr.sh - plays well, and writes its heart out on standard error.
#
# Bound: 256 MiB, 20 seconds.
export HOSTILE="$*" # for what it starts: whose it is
timeout 20 yes 'hostile-flood-stderr has something to complain of' |
	head -c 268435456 >&2 &
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
