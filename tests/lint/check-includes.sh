#!/bin/sh
# tests/lint/check-includes.sh - who may include whom; CONTRIBUTING.md says why.
#
#   protocol/        protocol/
#   ladder/          protocol/, ladder/
#   sample-bots/     what lies beside the file; protocol/
#   sample-bots/strong/   besides, what thinkers need: referee/game.h, chance.h,
#                    draws.h, follow.h, games/; and the C kit
#   referee/games/   protocol/, referee/game.h, chance.h, draws.h, its own folder
#   referee/ROOM/    protocol/, ladder/, what lies in referee/ itself, its own
#                    folder, and the rooms below it: see below()
#   the rest         anything
#
# A header of ours is written from the top of the tree ("protocol/card.h"); a
# kit in sample-bots/ is copied by strangers, so there it stands beside its
# user ("referee-bot.h").  A test for each source file; speaks TAP.
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1

# The headers in quotes that file $1 includes: LINE:HEADER.
included()
{
	sed -n '/^[[:space:]]*#[[:space:]]*include[[:space:]]*"/{
		=
		s/^[^"]*"\([^"]*\)".*/\1/p
	}' "$1" | paste -d: - -
}

# The rooms that room $1 of referee/ stands on.
below()
{
	case $1 in
	table) ;;
	child|net|records) echo table ;;
	config) echo table child ;;
	runner) echo table child records ;;
	bench) echo table child runner ;;
	check) echo table child config runner ;;
	away) echo table child net ;;
	match) echo table child config records runner ;;
	serve) echo table child config records runner net match ;;
	*) return 1 ;;
	esac
}

# Whether file $1, which lies in a room of referee/, may include header $2.
allowed_in_room()
{
	room=${1#referee/}
	room=${room%%/*}
	rooms=$(below "$room") || return
	case $2 in
	protocol/*|ladder/*|config.h|referee/"$room"/*) return ;;
	referee/*/*)
		for other in $rooms; do
			[ "${2#referee/"$other"/}" = "$2" ] || return 0
		done
		return 1 ;;
	referee/*) return ;;
	esac
	return 1
}

# Whether file $1 may include header $2.
allowed()
{
	case $1 in
	protocol/*) case $2 in protocol/*) return ;; esac ;;
	ladder/*) case $2 in protocol/*|ladder/*) return ;; esac ;;
	sample-bots/strong/*)
		case $2 in
		protocol/*|referee/games/*|referee/game.h|referee/chance.h)
			return ;;
		referee/draws.h|referee/follow.h|referee-bot.h) return ;;
		*/*) ;;
		*) [ -f "${1%/*}/$2" ] && return ;;
		esac ;;
	sample-bots/*)
		case $2 in
		protocol/*) return ;;
		*/*) ;;
		*) [ -f "${1%/*}/$2" ] && return ;;
		esac ;;
	referee/games/*)
		case $2 in
		protocol/*|referee/games/*|referee/game.h|referee/chance.h)
			return ;;
		referee/draws.h) return ;;
		esac ;;
	referee/*/*) allowed_in_room "$1" "$2"; return ;;
	*) return ;;
	esac
	return 1
}

count=0
for file in $(find protocol ladder sample-bots referee tests -name '*.[ch]' |
	LC_ALL=C sort); do
	count=$((count + 1))
	wrong=
	for line in $(included "$file"); do
		header=${line#*:}
		if ! allowed "$file" "$header"; then
			wrong=1
			echo "# $file:${line%%:*}: must not include $header"
		fi
	done
	echo "${wrong:+not }ok $count - $file"
done
[ "$count" -gt 0 ] || echo "Bail out! no source file found"
echo "1..$count"
