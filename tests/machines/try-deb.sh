#!/bin/sh
# tests/machines/try-deb.sh - tests the package that `make deb` has made on an
# empty machine: it installs with its dependencies, its daemon starts as the
# unit says and plays a game, and it is removed without a trace. try-deb.sh
# PACKAGE.deb [RELEASE] RELEASE (bookworm unless given) is the one that it was
# built on.  Root runs it, with debootstrap and a network.  Environment: MIRROR,
# where packages come from (otherwise where apt has its own from).
set -eu
package=${1:?which package?}
release=${2:-bookworm}
# The script has mounts of its own, which always go when it ends: a leftover
# root must not contain the machine's /dev, because somebody may remove it by
# hand.
[ -n "${OWN_MOUNTS:-}" ] ||
	exec unshare --mount --propagation private env OWN_MOUNTS=1 sh "$0" "$@"
root=$(mktemp -d /var/tmp/deb-root-XXXXXX)
chmod 755 "$root"
bots=
end_bots()
{
	# shellcheck disable=SC2086
	[ -z "$bots" ] || kill $bots 2>/dev/null || true
	bots=
}
finish()
{
	code=$?
	[ $code = 0 ] || tail -n 20 "$root"/*.log "$root"/*.out >&2 || true
	end_bots
	daemon_pid=$(cat "$root/var/lib/referee/lock" 2>/dev/null) &&
		kill "$daemon_pid" 2>/dev/null || true
	umount -l "$root/proc" "$root/dev" 2>/dev/null || true
	rm -rf --one-file-system "$root"
	exit $code
}
trap finish EXIT
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
	/etc/apt/sources.list.d/*.sources 2>/dev/null |
	sed -n 's/^\(deb\|URIs:\).* \(https\{0,1\}:[^ ]*debian\/\{0,1\}\)\( .*\)\{0,1\}$/\2/p' |
	head -n 1)

say()
{
	echo "try-deb: $*" >&2
}

inside()
{
	LC_ALL=C.UTF-8 chroot "$root" "$@"
}

# Waits until a command succeeds, a minute at most.
until_ok()
{
	tries=600
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { say "never: $*" && exit 1; }
		inside sleep 0.1
	done
}

debootstrap --variant=minbase "$release" "$root" "${MIRROR:-$mirror}" >/dev/null
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo '127.0.0.1 localhost' >"$root/etc/hosts"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
cp "$package" "$root/referee.deb"
say "install"
inside env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
	--no-install-recommends ./referee.deb >/dev/null
for unit in referee referee-worker; do
	inside systemd-analyze verify --man=no "/lib/systemd/system/$unit.service"
done
inside referee games --json >/dev/null
inside test -x /usr/libexec/referee/referee-box
inside test -x /usr/share/referee/check-record.py
inside test -r /usr/share/referee/rules_list.py
for kit in c/referee-bot.c cpp/referee_bot.hpp go/referee_bot.go \
	java/RefereeBot.java javascript/referee-bot.js python/referee_bot.py \
	rust/referee_bot.rs shell/referee_bot.sh; do
	inside test -r "/usr/share/referee/sample-bots/$kit"
done
say "start, as the unit's user with the unit's command"
inside install -d -o referee -g referee -m 700 /var/lib/referee
start=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/referee.service")
# The words of the command are meant to be split.
# shellcheck disable=SC2086
LC_ALL=C.UTF-8 chroot "$root" runuser -u referee -- $start >"$root/daemon.log" 2>&1 &
daemon=$!
token()
{
	inside runuser -u referee -- referee bots token "$1" --data /var/lib/referee \
		>"$root/$1.out" 2>&1
}
until_ok grep -q event=listening "$root/daemon.log"
until_ok token ann
until_ok token bob
for name in ann bob; do
	grep -o '[0-9a-f]\{64\}' "$root/$name.out" >"$root/$name.token"
	chmod 600 "$root/$name.token"
	LC_ALL=C.UTF-8 chroot "$root" referee connect 127.0.0.1:7450 --name $name --ladder toepen \
		--token-file /$name.token -- referee bench --as-bot \
		>/dev/null 2>"$root/$name.log" &
	bots="$bots $!"
done
played()
{
	inside runuser -u referee -- referee ladder games --data /var/lib/referee \
		--ladder toepen | grep -q ann
}
until_ok played
say "a game was played"
end_bots
# Both are in the same namespace of processes.
daemon_pid=$(cat "$root/var/lib/referee/lock")
kill "$daemon_pid"
wait $daemon || { say "the daemon ended with $?" && exit 1; }
say "purge"
inside env DEBIAN_FRONTEND=noninteractive apt-get -qq purge -y referee >/dev/null
for file in /usr/bin/referee /etc/referee.conf \
	/lib/systemd/system/referee.service \
	/lib/systemd/system/referee-worker.service \
	/usr/share/man/man1/referee.1.gz \
	/usr/share/man/man5/referee.conf.5.gz \
	/usr/share/man/man8/referee-serve.8.gz; do
	[ ! -e "$root$file" ] || { say "$file is still there" && exit 1; }
done
say "all of it works"
