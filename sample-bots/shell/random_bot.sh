#!/bin/sh
# Every legal move is as likely as any other; so is every number of a range.
# Its moves follow from the game's ID and its seat alone.

# shellcheck source=sample-bots/shell/referee_bot.sh
. "$(dirname "$0")/referee_bot.sh"

choose() {
	below $#
	shift "$number"
	answer=$1
	if range_of "$1"; then
		below $((high - low + 1))
		with_number "$1" $((low + number))
	fi
}

run
