#!/bin/sh
# escape-name.sh - sends names that command a reader's terminal, are a path, or
# are an option, and one on standard error.  Bound: four lines.
export HOSTILE="$*" # marks the processes that it starts
printf 'bot 1 ../../hostile\n'
printf 'bot 1 --records=/tmp/hostile\n'
printf 'bot 1 \033]0;hostile\007\033[2J\n'
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" = ask ] || continue
	[ -n "$said" ] || printf '\033[2J\033]0;hostile\007tried a name\n' >&2
	said=1
	echo "do $ask $move"
done
