#!/bin/sh
# escape-say.sh - makes remarks that command a reader's terminal: clear it, name
# its window, type an answer.  Bound: three remarks.
export HOSTILE="$*" # marks the processes that it starts
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" = ask ] || continue
	echo 'tried terminal escape sequences in a remark' >&2
	[ -n "$said" ] || printf 'say \033[2J\033]0;hostile\007\033[6n\n'
	said=1
	echo "do $ask $move"
done
