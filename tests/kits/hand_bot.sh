#!/bin/sh
# Makes an author's mistakes, which the kit must tolerate: it prints and gives
# illegal answers.  At each ask it says its hand and its table, and two times
# out of three makes the last move of the list.

# shellcheck source=sample-bots/shell/referee_bot.sh
. "$(dirname "$0")/../../sample-bots/shell/referee_bot.sh"

# The kit uses these variables. shellcheck disable=SC2034,SC2154
bot_name=hand

start() {
	echo 'a game begins'
	say "$(printf 'tab\there')"
}

# shellcheck disable=SC2086,SC2154
choose() {
	echo 'do 1 noise'
	say "hand $(printf '%s\n' $hand | LC_ALL=C sort | tr '\n' ' ')"
	set_of_seen=$(printf '%s\n' $seen | wc -w)
	say "table $round $stake $stock held $held points $points inside" \
		"$inside seen $((set_of_seen)) ${trump:--} $lying"
	if [ $((ask_number % 3)) != 0 ]; then
		shift $(($# - 1))
		answer=$1
		! range_of "$1" || with_number "$1" "$low"
	else
		answer=nonsense
		[ "$ask_number" != 3 ] || answer=non..sense
	fi
}

run
