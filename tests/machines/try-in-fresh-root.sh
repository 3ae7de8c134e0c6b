#!/bin/sh
# tests/machines/try-in-fresh-root.sh - tests this tree on a machine with
# Debian's smallest system: in a new root folder, on a copy of the tree.
# try-in-fresh-root.sh RELEASE [root|user] [boxes|no-boxes] [COMMAND...] RELEASE
# is one that debootstrap knows (bookworm, trixie).  COMMAND runs in the copy,
# as root or as an ordinary user, when all packages are there; without one it is
# `./bootstrap run && ./bootstrap check`.  With `no-boxes` bubblewrap cannot
# start, as in most containers: no right to mount, no user namespaces.  The
# files are those that git knows, as they stand now.  Root runs it, with
# debootstrap, git and ip, and a network, which COMMAND does not have.
# Environment: CHECK_ALL and CHECK_SEED are passed on; MIRROR is where packages
# come from (otherwise where apt has its own from), ROOTS a folder in which
# roots, with what was built there, are kept for the next time; without it all
# is removed at the end.
set -eu

release=${1:?which RELEASE?}
who=${2:-user}
what=${3:-no-boxes}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- sh -c './bootstrap run && ./bootstrap check'
tree=$(cd "$(dirname "$0")/../.." && pwd)
roots=${ROOTS:-$(mktemp -d /var/tmp/fresh-roots-XXXXXX)}
root=$roots/$release
case $who/$what in
root/boxes | root/no-boxes | user/boxes | user/no-boxes) ;;
*) echo "neither root nor user, or neither boxes nor no-boxes" >&2 && exit 2 ;;
esac

# Prints the source of this machine's packages, in either format of apt.
mirror()
{
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
		/etc/apt/sources.list.d/*.sources 2>/dev/null |
		sed -n 's/^\(deb\|URIs:\).* \(https\{0,1\}:[^ ]*debian\/\{0,1\}\)\( .*\)\{0,1\}$/\2/p' |
		head -n 1
}

# enter boxes|no-boxes --net|'' COMMAND...: runs a command as root in the new
# root, with processes and mounts of its own, which go when it ends, and with a
# network of its own or the machine's.  In a chroot the kernel refuses user
# namespaces.
enter()
{
	set -- "$root" "$@"
	# The inner shells expand the words. shellcheck disable=SC2016,SC2086
	unshare --mount --pid --ipc $3 --fork --kill-child sh -euc '
		root=$1 what=$2
		[ -z "$3" ] || ip link set lo up
		shift 3
		mount --make-rprivate /
		mount --bind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
		cd "$root"
		export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
		if [ "$what" = no-boxes ]; then
			set -- setpriv --bounding-set=-sys_admin "$@"
		else
			mkdir -p outside
			pivot_root . outside
		fi
		exec chroot . sh -euc "
			[ ! -d /outside ] || umount -l /outside
			[ ! -d /outside ] || rmdir /outside
			cd /home/tree
			exec \"\$@\"" sh "$@"' sh "$@"
}

if [ ! -e "$root/home/made" ]; then
	debootstrap --variant=minbase "$release" "$root" "${MIRROR:-$(mirror)}"
	rm -rf "$root/home/tree"
	mkdir -p "$root/home/tree"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# Every machine has this file, but debootstrap does not make it.
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
	grep -qs tester "$root/etc/passwd" ||
		chroot "$root" useradd --create-home tester
	touch "$root/home/made"
fi
[ -n "${ROOTS:-}" ] || trap 'rm -rf --one-file-system "$roots"' EXIT

# The copy has the present files, which are newer (-m) than what was built
# before, and not those that have been removed.
[ ! -e "$root/home/files" ] ||
	(cd "$root/home/tree" && xargs -0 rm -f <"$root/home/files")
(cd "$tree" && git ls-files -z) >"$root/home/files"
tar -c -C "$tree" --null -T "$root/home/files" | tar -x -m -C "$root/home/tree"
enter no-boxes '' ./bootstrap packages
owner=root
[ "$who" = root ] || owner=tester
enter no-boxes '' chown -R "$owner:" .

set -- env LANG=C.UTF-8 "CHECK_ALL=${CHECK_ALL:-}" \
	${CHECK_SEED:+"CHECK_SEED=$CHECK_SEED"} "$@"
[ "$who" = root ] || set -- setpriv --reuid tester --regid tester \
	--init-groups env HOME=/home/tester USER=tester "$@"
enter "$what" --net "$@"
