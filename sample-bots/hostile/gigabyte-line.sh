#!/bin/sh
# gigabyte-line.sh - answers its first ask with a line that does not end.
#
# Bound: 1 GiB, 300 seconds.
export HOSTILE="$*" # marks the processes that it starts
while read -r verb ask _ && [ "$verb" != bye ]; do
	[ "$verb" = ask ] || continue
	echo 'tried a line of a gigabyte' >&2
	printf 'do %s ' "$ask"
	timeout 300 yes play | tr '\n' : | head -c 1073741824
	exit 0
done
