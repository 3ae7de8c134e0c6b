#!/bin/sh
# tests/fuzz/test-corpus.sh - runs every input of the corpora once.  A test for
# each target; speaks TAP.
corpus=${SOURCE_DIR:?}/tests/fuzz/corpus
programs=${BUILD_DIR:?}/tests/fuzz
names='job line message redact record game frame remote-bot config manifest html head asks opinions'

out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
count=0
# Names are split into words on purpose. shellcheck disable=SC2086
set -- $names
echo "1..$#"
for name; do
	count=$((count + 1))
	set -- "$corpus/$name"
	[ "$name" != record ] || set -- "$@" "$SOURCE_DIR/tests/vectors"
	if "$programs/replay-$name" "$@" >"$out" 2>&1; then
		echo "ok $count - $name: $(tail -n 1 "$out")"
	else
		tail -n 40 "$out" | sed 's/^/# /'
		echo "not ok $count - $name"
	fi
done
