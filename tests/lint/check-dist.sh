#!/bin/sh
# tests/lint/check-dist.sh - checks that `make dist` packs every file in git,
# except those that only git and editors need: a header that no local.mk lists
# is missing elsewhere.  Speaks TAP.
source=$(cd "${SOURCE_DIR:-$(dirname "$0")/../..}" && pwd) || exit 1
cd "${BUILD_DIR:-.}" || exit 1
if [ ! -e "$source/.git" ] || ! command -v git >/dev/null; then
	echo "1..0 # SKIP this is no working tree of git"
	exit 0
fi
dir=dist-$$
trap 'chmod -R u+w "$dir" 2>/dev/null; rm -rf "$dir"' EXIT
echo 1..1
if ! make -s distdir distdir="$dir" >"$dir.log" 2>&1; then
	sed 's/^/# /' "$dir.log"
	echo "not ok 1 - the tree can be packed"
	rm -f "$dir.log"
	exit 1
fi
rm -f "$dir.log"
missing=$(git -C "$source" ls-files | grep -v '\(^\|/\)\.\(git\|editorconfig\)' |
	while read -r file; do
		[ -e "$dir/$file" ] || [ ! -e "$source/$file" ] || echo "# $file"
	done)
[ -z "$missing" ] || printf 'not '
echo "ok 1 - all that git knows is packed"
[ -z "$missing" ] || { echo "$missing"; exit 1; }
