#!/bin/sh
# tests/fuzz/test-corpus.sh - runs every input of the corpora, and the seeds, once.  A
# test for each target; speaks TAP.
corpus=${SOURCE_DIR:?}/tests/fuzz/corpus
programs=${BUILD_DIR:?}/tests/fuzz
names='job line message redact record game frame remote-bot config manifest html head asks opinions'

made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
out=$made/out
if command -v python3 >/dev/null; then
	python3 "$SOURCE_DIR/tests/fuzz/make-corpus.py" "$made" || exit 1
fi
count=0
# Names are split into words on purpose. shellcheck disable=SC2086
set -- $names
echo "1..$#"
for name; do
	count=$((count + 1))
	set --
	for folder in "$corpus/$name" "$made/$name"; do
		[ ! -d "$folder" ] || set -- "$@" "$folder"
	done
	[ "$name" != record ] || set -- "$@" "$SOURCE_DIR/tests/vectors"
	if "$programs/replay-$name" "$@" >"$out" 2>&1; then
		echo "ok $count - $name: $(tail -n 1 "$out")"
	else
		echo "not ok $count - $name"
		tail -n 40 "$out" | sed 's/^/# /'
		echo '# again: ./bootstrap check tests/fuzz/test-corpus.sh'
	fi
done
