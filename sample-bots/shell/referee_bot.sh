# shellcheck shell=sh disable=SC2034
# referee_bot.sh - the shell kit: write a bot and never see a protocol line.
#
# Copy this file beside your bot.  It needs a POSIX shell and nothing else.
#
#	#!/bin/sh
#	. "$(dirname "$0")/referee_bot.sh"
#	choose() {
#		answer=$1
#	}
#	run
#
# You may define:
#
#	start            a game begins
#	event VERB WORD… something happened, as your seat may see it
#	choose MOVE…     your turn: set `answer` to one of the moves
#	voided NUMBER    that ask needs no answer any more
#	retired          your seat made its last fault
#	over WHY         the game is over, or aborted if WHY is not empty
#
# and find in variables what is settled: game_id, game_name, seat, seats,
# game_pairs (`points=15 open=priority …`; `option KEY` prints one), ask_number
# and ask_ms; and the table as this seat knows it, the same in all games and in
# all the kits (lists are words with spaces between them):
#
#	round    the number of the round that is on
#	hand     my cards; of doubles-dread the pawns of my barks
#	held     by seat: how many cards each has in its hand
#	points   by seat: as the last `score` said
#	inside   the seats that are still in the round
#	stake    what it is about: toepen's stake, daupun's pot, the bid of
#	         doubles-dread; else 0
#	stock    how many cards no seat has yet
#	lying    SEAT:CARD, on the table in this turn or trick; daupun's reserves
#	seen     the cards that I have seen in this round
#	trump    of durnius the trump card; else empty
#
# `say TEXT` leaves a remark in the record; `below N` sets `number` to one from
# 0 to N-1, the same whenever game and seat are the same; `range_of MOVE` tells
# whether a move is a range and sets `low` and `high`, and `with_number MOVE N`
# sets `answer` to the move with this number.
#
# Standard output belongs to the protocol: what you print goes to standard
# error.  An answer that is not allowed becomes the first move of the list;
# standard error tells why, and the referee is told (`say fallback TYPE: TEXT`).
#
# A shell cannot look at lines that have not been read, so it also answers asks
# that are void by then; that is no fault.  There is no TCP in a shell: for a
# referee elsewhere there is `referee connect`, which also sends the entropy.

# The author defines these again.
start() { :; }
event() { :; }
choose() { answer=$1; }
voided() { :; }
retired() { :; }
over() { :; }

set -f # no word is a file name
bot_name= # shown in place of the file's name
BLANKS=$(printf ' \t\r')
IFS=$BLANKS

to_referee() {
	printf '%s\n' "$*" >&3
}

# ---- what a bot uses -------------------------------------------------------

say() {
	[ "$remarks" -ge 100 ] || ! tell "$@" || remarks=$((remarks + 1))
}

# Sends a remark; returns true if there was one.
tell() {
	remark=$(printf '%s' "$*" | LC_ALL=C tr -s '\001-\037\177-\377' ' ')
	remark=${remark#"${remark%%[! ]*}"}
	remark=${remark%"${remark##*[! ]}"}
	remark=$(printf '%.200s' "$remark")
	[ -n "$remark" ] && to_referee "say $remark"
}

option() {
	for pair in $game_pairs; do
		[ "${pair%%=*}" != "$1" ] || printf '%s\n' "${pair#*=}"
	done
}

# xorshift32 (Marsaglia 2003: 13, 17, 5), the same in all the kits.
below() {
	random=$((random ^ (random << 13 & 0xFFFFFFFF)))
	random=$((random ^ random >> 17))
	random=$((random ^ (random << 5 & 0xFFFFFFFF)))
	# Multiplies by halves, for the product may have 64 bits.
	number=$((((random >> 16) * $1 + ((random & 65535) * $1 >> 16)) >> 16))
}

# The generator starts with the FNV-1a of `SEAT ID`.
seed() {
	random=2166136261
	text="$seat $game_id"
	set --
	while [ -n "$text" ]; do
		rest=${text#?}
		set -- "$@" "'${text%"$rest"}"
		text=$rest
	done
	# Converts all characters at once, because a subshell takes long.
	for byte in $(printf '%d ' "$@"); do
		random=$(((random ^ byte) * 16777619 & 0xFFFFFFFF))
	done
	[ "$random" != 0 ] || random=1
}

range_of() {
	case $1 in
	*[0-9]..[0-9]*) ;;
	*) return 1 ;;
	esac
	low=${1%%..*} high=${1#*..}
	low=${low##*[!0-9]} high=${high%%[!0-9]*}
}

with_number() {
	range_of "$1" && answer=${1%%"$low..$high"*}$2${1#*"$low..$high"}
}

# ---- the table -------------------------------------------------------------

# nth LIST N: sets `item` to word number N, from 0 on.
nth() {
	at=$2
	# Words are split on purpose, here and below. shellcheck disable=SC2086
	set -- $1
	shift "$at"
	item=$1
}

# with_nth LIST N VALUE: sets `list` to one with another word there.
with_nth() {
	list='' i=0
	for item in $1; do
		[ "$i" != "$2" ] || item=$3
		list="$list${list:+ }$item" i=$((i + 1))
	done
}

# without LIST WORD: sets `list` to one without the first such word.
without() {
	list=''
	left=$2
	for item in $1; do
		if [ "$item" = "$left" ]; then
			left=
		else
			list="$list${list:+ }$item"
		fi
	done
}

has_word() {
	case " $1 " in
	*" $2 "*) return 0 ;;
	esac
	return 1
}

# held_more SEAT N
held_more() {
	nth "$held" "$1"
	with_nth "$held" "$1" $((item + $2))
	held=$list
}

see() {
	for card; do
		case $card in
		*\?*) ;;
		*) has_word "$seen" "$card" || seen="$seen${seen:+ }$card" ;;
		esac
	done
}

# give SEAT CARD…: adds cards to a hand.
give() {
	owner=$1
	shift
	held_more "$owner" $#
	see "$@"
	[ "$owner" != "$seat" ] || hand="$hand${hand:+ }$*"
}

# leave SEAT CARD: takes a card out of a hand.
leave() {
	held_more "$1" -1
	see "$2"
	if [ "$1" = "$seat" ]; then
		without "$hand" "$2"
		hand=$list
	fi
}

put_down() {
	lying="$lying${lying:+ }$1:$2"
}

lay() {
	leave "$1" "$2"
	put_down "$1" "$2"
}

# lift CARD…: takes cards off the table.
lift() {
	for card; do
		for play in $lying; do
			[ "${play#*:}" = "$card" ] || continue
			without "$lying" "$play"
			lying=$list
		done
	done
}

zeros() {
	list=0 i=1
	while [ "$i" -lt "$seats" ]; do
		list="$list 0" i=$((i + 1))
	done
}

# Sets how many cards a round of a game has (a fixed number and a number for
# each seat, times the value of an option), and which card of a move goes from
# the hand onto the table.  Returns false if the game is unknown.
know() {
	case $1 in
	# made by make-tables.py:
	daumen-drauf) fixed=12 each=6 times='' lays='' ;;
	daupun) fixed=40 each=0 times='' lays='discard:1 swap:1' ;;
	doubles-dread) fixed=32 each=0 times='' lays='play:1' ;;
	durnius) fixed=36 each=0 times='decks' lays='attack:1 beat:2 transfer:1 add:1' ;;
	toepen) fixed=32 each=0 times='' lays='play:1' ;;
	# end of what make-tables.py makes
	*) return 1 ;;
	esac
	cards=$(option "$times")
	cards=$(((fixed + each * seats) * ${cards:-1}))
}

begin() {
	round=$1 hand='' lying='' seen='' trump='' stake=0 inside=$alive
	zeros
	held=$list stock=$cards
	[ "$game_name" != toepen ] || stake=1
}

table_start() {
	zeros
	points=$list alive='' i=0
	while [ "$i" -lt "$seats" ]; do
		alive="$alive${alive:+ }$i" i=$((i + 1))
	done
	begin 0
}

# on_move SEAT VERB CARD CARD
on_move() {
	case " $lays " in
	*" $2:1 "*) lay "$1" "$3" ;;
	*" $2:2 "*) lay "$1" "$4" ;;
	esac
	case $2 in
	fold)
		without "$inside" "$1"
		inside=$list
		;;
	swap)
		lift "$4"
		give "$1" "$4"
		;;
	show | twin)
		if [ "$game_name" = daumen-drauf ]; then
			put_down "$1" "$3"
		else
			see "$3"
		fi
		;;
	esac
}

# Sets `last` to the card that a seat has shown last, `former` to the one before that.
shown() {
	last='' former=''
	for play in $lying; do
		[ "${play%%:*}" != "$1" ] || former=$last last=${play#*:}
	done
}

on_open() {
	shown "$1"
	before=$lying lying=''
	for play in $before; do
		[ "$play" != "$1:$former" ] || play=$1:$2
		lying="$lying${lying:+ }$play"
	done
	leave "$1" "$2"
}

on_take() {
	shift
	for player in $alive; do
		shown "$player"
		[ -z "$last" ] || leave "$player" "$last"
	done
	see "$@"
	lying=''
}

on_pickup() {
	held_more "$1" "$2"
	if [ "$1" = "$seat" ]; then
		for play in $lying; do
			hand="$hand${hand:+ }${play#*:}"
		done
	fi
	lying=''
}

on_out() {
	without "$inside" "$1"
	inside=$list
	if [ "$game_name" = toepen ]; then
		without "$alive" "$1"
		alive=$list
	fi
}

on_draw() {
	give "$@"
	stock=$((stock - $# + 1))
}

on_deal() {
	with_nth "$held" "$1" 0
	held=$list
	[ "$1" != "$seat" ] || hand=''
	on_draw "$@"
}

# bark NAME PAWN…: keeps the pawns in a variable of that name.
on_bark() {
	case $1 in
	[a-e]) ;;
	*) return ;;
	esac
	bark=$1
	shift
	see "$@"
	stock=$((stock - $#))
	eval "bark_$bark=\$*"
}

# at POSITION BARK SEAT
on_at() {
	case $2 in
	[a-e]) eval "give $3 \$bark_$2" ;;
	esac
}

table_event() {
	verb=$1
	shift
	case $verb in
	round)
		begin "$1"
		[ "$game_name" != daupun ] || stake=$9
		;;
	deal) on_deal "$@" ;;
	draw) on_draw "$@" ;;
	bark) on_bark "$@" ;;
	at) on_at "$@" ;;
	move)
		player=$1
		IFS=:
		# shellcheck disable=SC2086
		set -- $2
		IFS=$BLANKS
		on_move "$player" "$@"
		;;
	stake | pot) stake=$1 ;;
	south) stake=$2 ;;
	trump)
		trump=$1
		see "$1"
		;;
	reveal)
		shift
		see "$@"
		;;
	show)
		shift 2
		see "$@"
		;;
	score)
		with_nth "$points" "$1" "$2"
		points=$list
		;;
	out) on_out "$1" ;;
	swallow) lift "$@" ;;
	trick) [ "$game_name" = daupun ] || lying='' ;;
	turn | discard) lying='' ;;
	pickup) on_pickup "$@" ;;
	open) on_open "$@" ;;
	take) on_take "$@" ;;
	esac
}

# ---- the conversation ------------------------------------------------------

# game ID GAME seat S of N KEY=VALUE…
on_game() {
	case "$#,$4,$6,$5,$7" in
	[1-6],* | *[!0-9]) return ;;
	*,seat,of,[0-9],[0-9]) ;;
	*) return ;;
	esac
	game_id=$2 game_name=$3 seat=$5 seats=$7 remarks=0
	shift 7
	game_pairs=$*
	known=yes
	know "$game_name" || known='' cards=0 lays=''
	seed
	table_start
	playing=yes
	start
}

allows() {
	[ "$1" != "$answer" ] || { ! range_of "$1"; return; }
	range_of "$1" || return 1
	chosen=${answer#"${1%%"$low..$high"*}"}
	chosen=${chosen%"${1#*"$low..$high"}"}
	case $chosen in
	'' | *[!0-9]* | 0?*) return 1 ;;
	esac
	[ "$chosen" -ge "$low" ] && [ "$chosen" -le "$high" ] &&
		wanted=$answer && with_number "$1" "$chosen" &&
		[ "$answer" = "$wanted" ]
}

# ask NUMBER MS MOVE…
on_ask() {
	[ $# -ge 4 ] || return
	ask_number=$2 ask_ms=$3
	shift 3
	first=$1 answer=''
	choose "$@"
	given=$answer
	for move; do
		answer=$given
		if allows "$move"; then
			to_referee "do $ask_number $given"
			return
		fi
	done
	case $given in
	*..*) why="illegal: $given is a range: answer with one number of it" ;;
	*) why="illegal: ${given:-nothing} is not in the list" ;;
	esac
	echo "$why; making the first move instead" >&2
	tell "fallback $why"
	to_referee "do $ask_number $first"
}

in_game() {
	case $1 in
	ask) on_ask "$@" ;;
	void) voided "$2" ;;
	retired) retired ;;
	over)
		playing=
		over ''
		;;
	abort)
		playing=
		shift
		[ $# = 0 ] || shift
		over "${*:-aborted}"
		;;
	commit) ;;
	*)
		[ -z "$known" ] || [ $# -lt 2 ] || table_event "$@"
		event "$@"
		;;
	esac
}

# Takes the words of one line.
take_line() {
	case $1 in
	game) on_game "$@" ;;
	ping)
		shift
		to_referee "pong${*:+ $*}"
		;;
	entropy\?)
		to_referee "entropy $(od -An -v -tx1 -N32 /dev/urandom |
			tr -d ' \n')"
		;;
	error)
		shift
		echo "the referee says: $*" >&2
		;;
	referee) ;;
	*) [ -z "$playing" ] || in_game "$@" ;;
	esac
}

# Plays until the referee says bye or goes away.
run() {
	exec 3>&1 >&2
	trap 'exit 0' PIPE
	playing=
	[ -z "$bot_name" ] || to_referee "bot 1 $bot_name"
	while IFS='' read -r line; do
		[ ${#line} -le 8191 ] || continue
		# shellcheck disable=SC2086
		set -- $line
		[ $# -gt 0 ] || continue
		[ "$1" != bye ] || break
		take_line "$@"
	done
	exit 0
}
