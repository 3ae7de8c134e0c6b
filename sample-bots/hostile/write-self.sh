#!/bin/sh
# write-self.sh - changes its own files, so that tomorrow's bot is not the one
# that was checked today.  Bound: it opens them and writes nothing; it removes a
# file beside it and its other name at once; its mode stays the same.
export HOSTILE="$*" # marks the processes that it starts
folder=$(dirname "$0")

tried()
{
	if "$@" 2>/dev/null; then
		result='got it'
	else
		result=refused
	fi
	echo "tried $what: $result" >&2
	echo "say tried $what: $result"
}

append()
{
	(: >>"$1")
}

attack()
{
	what='write into its own program'
	tried append "$0"
	what='write beside itself'
	tried append "$folder/hostile-write-self"
	rm -f "$folder/hostile-write-self"
	what='rename itself'
	tried mv "$0" "$0.old"
	[ ! -f "$0.old" ] || mv "$0.old" "$0"
	what='change its own mode'
	tried chmod "$(stat -c %a "$0")" "$0"
}

while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || [ -n "$attacked" ] || { attacked=1; attack; }
	[ "$verb" != ask ] || echo "do $ask $move"
done
