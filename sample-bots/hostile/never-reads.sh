#!/bin/sh
# never-reads.sh - reads nothing, says nothing, and stays.  Bound: 300 seconds.
export HOSTILE="$*" # marks the processes that it starts
echo 'tried not to read' >&2
exec sleep 300
