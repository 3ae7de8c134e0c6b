#!/bin/sh
# never-reads.sh - reads nothing of what it is told, says nothing, stays.
#
# Bound: 20 seconds.
export HOSTILE="$*" # for what it starts: whose it is
echo 'tried not to read' >&2
exec sleep 20
