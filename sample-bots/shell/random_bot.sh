#!/bin/sh
# Every legal move is equally likely, and so is every number of a range.  The
# moves depend only on the game's ID and the seat.

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
