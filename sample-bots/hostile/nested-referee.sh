#!/bin/sh
# nested-referee.sh REFEREE DATA - runs the referee in its box: a match of its
# own, on the time of others, and the command that makes tokens, on the
# organiser's data folder.  Bound: one game, and a bot's name that says where it
# came from.
export HOSTILE="$*" # marks the processes that it starts
referee=${1:-referee} data=${2:-referee.data}
referee=${referee#@} data=${data#@}

tried()
{
	echo "tried $1: $2" >&2
	echo "say tried $1: $2"
}

attack()
{
	if timeout 5 "$referee" match toepen --bot random --bot house \
		--games 1 --exact </dev/null >/dev/null 2>&1; then
		tried 'a match inside' 'got it'
	else
		tried 'a match inside' refused
	fi
	if timeout 5 "$referee" bots token hostile-nested --data "$data" \
		</dev/null >/dev/null 2>&1; then
		tried 'a token from the daemon' 'got it'
	else
		tried 'a token from the daemon' refused
	fi
}

while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || [ -n "$attacked" ] || { attacked=1; attack; }
	[ "$verb" != ask ] || echo "do $ask $move"
done
