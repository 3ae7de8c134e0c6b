#!/bin/sh
# stop-self.sh - stops itself at its first ask, so that it neither answers nor
# ends.
#
# Bound: a child wakes it after 300 seconds.
export HOSTILE="$*" # marks the processes that it starts
while read -r verb ask _ move _ && [ "$verb" != bye ]; do
	[ "$verb" = ask ] || continue
	echo 'tried stop: got it' >&2
	echo 'say tried stop: got it'
	(sleep 300 && kill -CONT $$) >/dev/null 2>&1 &
	kill -STOP $$
	echo "do $ask $move"
done
