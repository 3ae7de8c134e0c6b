#!/bin/sh
# run-fuzz.sh SECONDS NAME... - looks for inputs that make targets fail, one
# target after the other.  Runs in a build folder configured for it:
#
#	make fuzz FUZZ_SECONDS=600 FUZZ_NAMES='redact game'
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
MEGABYTES=1024
LONGEST=8192 # bytes of an input

# The dictionaries of two targets are made with the seeds.
dictionary()
{
	if [ -e "$here/$1.dict" ]; then
		echo "$here/$1.dict"
	else
		echo "fuzz-found/seeds/$1.dict"
	fi
}

seconds=$1
shift
[ -x tests/fuzz/fuzz-line ] || {
	echo "run-fuzz.sh: configure with CC=clang --enable-fuzzing" >&2
	exit 1
}
mkdir -p fuzz-failed || exit 1
python3 "$here/make-corpus.py" fuzz-found/seeds || exit 1
status=0
for name; do
	log=fuzz-found/$name.log
	mkdir -p "fuzz-found/$name" || exit 1
	set -- "fuzz-found/$name"
	for folder in "$here/corpus/$name" "fuzz-found/seeds/$name"; do
		[ ! -d "$folder" ] || set -- "$@" "$folder"
	done
	# The corpus is small; whole records are in tests/vectors.
	[ "$name" != record ] || set -- "$@" "$here/../vectors"
	# The dictionary also gets every game's name.
	sed -n 's/^GAME(\(.*\))$/"\1"/p' "$here/../../referee/games/list.h" |
		tr _ - | cat "$(dictionary "$name")" - >"fuzz-found/$name.dict"
	echo "fuzzing $name for $seconds seconds"
	if "tests/fuzz/fuzz-$name" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb="$MEGABYTES" -max_len="$LONGEST" \
		-dict="fuzz-found/$name.dict" -print_final_stats=1 \
		-artifact_prefix="fuzz-failed/$name-" "$@" >"$log" 2>&1; then
		grep -E 'DONE|^Done' "$log"
	else
		tail -n 40 "$log" >&2
		echo "run-fuzz.sh: $name fails; its input is in fuzz-failed/" >&2
		status=1
	fi
done
exit "$status"
