# shellcheck shell=bash
# tests/check.sh - does `./bootstrap check`, whose functions it uses: builds, runs
# tests, counts points.  As many tests run at a time as there are processors, and
# in addition as many of those that mostly wait (`make list-waiting`).

seed_given=${CHECK_SEED:-}
CHECK_SEED=${CHECK_SEED:-1} # decides everything that tests draw
USUAL_MINUTES=11 # on two processors
PART_MINUTES=60  # the longest part
SLOWER=30        # a machine with one processor, ten times slower, must do, too
FUZZ_SECONDS=60  # for each target
WORLD_SEEDS=100000  # the scenarios of one CHECK_SEED, as tests/world/world has them
WORLD_USUAL=200     # of these, the usual tests run so many without sanitizers

passed=0
failed=0
skipped=0
faults=         # failures of the tests, a line each
long=           # not empty: tests run their long form
only=()         # if there are any: a part runs only these tests
with_fetching=  # not empty: fetches in the background
with_programs=  # not empty: builds the programs in build/ in the background

# ---- what hangs ------------------------------------------------------------

# takes MINUTES NAME: names what is done from now on; a command of it that takes SLOWER
# times as long hangs.
takes()
{
	seconds=$(($1 * 60 * SLOWER))
	doing=$2
}

# Ends what this shell has begun: a timeout(1), whose process group has its number, or
# a shell that calls this, too.
end_jobs()
{
	local job

	for job in $(jobs -p); do
		kill -- "-$job" 2>/dev/null || kill "$job" 2>/dev/null || true
	done
	exit 143
}

# Ends a command that hangs, and says so.  A signal that ends this shell ends it, too.
# A test that runs then is in a process group of its own, and ends by its own limit.
bounded()
{
	local status=0

	trap end_jobs INT TERM HUP
	timeout -k 10 "$seconds" "$@" <&0 &
	wait $! || status=$?
	case $status in
	124 | 137)
		say "$doing is ended after $((seconds / 60)) minutes, $SLOWER times what it takes: $*"
		say 'what has begun above and not ended hangs: run it alone'
		;;
	esac
	return "$status"
}

# ---- what is counted -------------------------------------------------------

# summary LOG NAME: the number after NAME in automake's summary.
summary()
{
	sed -n "s/^# $2: *\([0-9][0-9]*\)$/\1/p" "$1"
}

# Runs a step that counts as one point.
step()
{
	say "$*"
	if "$@"; then
		passed=$((passed + 1))
	else
		say "failed: $*"
		failed=$((failed + 1))
	fi
}

# Prints what failed, and what each test says about it: the first lines of what it
# expected and found, and always where it stands, how to repeat it, where its files are.
# Some say so before the point.
faults_in()
{
	awk '
		function tell(line)
		{
			if (line ~ /^# (again: |files: |at [^ ]*:[0-9]+: )/ || left-- > 0)
				print line
			else if (left == -1)
				print "# (more in the log of the test)"
		}
		/^#/ && failed { tell($0) }
		/^#/ && !failed { before[++n] = $0 }
		/^#/ || /^(not ok|Bail out!)/ { next }
		{ failed = 0 }
		/^(FAIL|XPASS|ERROR): / {
			print
			failed = 1
			left = 16
			for (i = 1; i <= n; i++)
				tell(before[i])
		}
		{ n = 0 }' "$1"
}

count_tests()
{
	local log=$1

	if [ ! -f "$log" ]; then
		say "failed: there is no $log: the tests did not get to run"
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + $(summary "$log" PASS) + $(summary "$log" XFAIL)))
	failed=$((failed + $(summary "$log" FAIL) + $(summary "$log" XPASS) +
		$(summary "$log" ERROR)))
	skipped=$((skipped + $(summary "$log" SKIP)))
	faults+=$(faults_in "$log")
	[ -z "$faults" ] || faults+=$'\n'
}

# ---- runs ------------------------------------------------------------------

# packages_of FETCH: what database, browser or machines install.
packages_of()
{
	case $1 in
	database) echo "$SERVER_PACKAGES" ;;
	browser) echo "$WEB_PACKAGES$SHELL_PACKAGES" ;;
	machines) [ "$(id -u)" != 0 ] || echo "$MANY_PACKAGES" ;;
	esac
}

# begin_fetching FETCH…, end_fetching: fetch a browser, say, for tests while the
# compilers run.  Fetching must end before the first test begins.
begin_fetching()
{
	local fetch

	[ $# -gt 0 ] || return 0
	fetch_log=$(mktemp)
	{
		trap '' INT TERM HUP # else what it has changed for a moment stays
		for fetch; do
			"$fetch"
		done
	} </dev/null >"$fetch_log" 2>&1 &
	fetch_job=$!
	with_fetching=1
}

end_fetching()
{
	[ -n "$with_fetching" ] || return 0
	with_fetching=
	wait "$fetch_job" || true
	grep '^bootstrap: ' "$fetch_log" >&2 || true
	rm -f "$fetch_log"
}

# A user builds with other flags, so that build is tried, too: without bots and tests,
# which have been built in build-check, but for the simulated machine.
build_programs()
{
	configure_in build && make_in build programs tests/world/world
}

# begin_programs, end_programs: build the programs while tests are built and run, and
# run scenarios there, where they take a third of the time that they take with
# sanitizers.  All at a low priority: this takes time in which a processor has nothing
# else to do, and the time of the simulated machine is its own.
begin_programs()
{
	programs_log=$(mktemp)
	{
		renice -n 10 -p "$BASHPID" >/dev/null || true
		build_programs && direct_python && worlds build "$WORLD_USUAL"
	} </dev/null >"$programs_log" 2>&1 &
	programs_job=$!
	with_programs=1
}

end_programs()
{
	[ -n "$with_programs" ] || return 0
	with_programs=
	step programs_done
	[ ! -f build-check/tests/world/world.log ] ||
		step same_worlds build build-check/tests/world/world.log
}

programs_done()
{
	local status=0

	wait "$programs_job" || status=$?
	cat "$programs_log" >&2
	# Only a build that optimizes shows some warnings of gcc.
	! grep -Eq ':[0-9]+:[0-9]+: warning: ' "$programs_log" || status=1
	rm -f "$programs_log"
	return "$status"
}

# worlds FOLDER COUNT: runs scenarios on all processors; what they print is in
# FOLDER/worlds-NUMBER.log.
worlds()
{
	local folder=$1 count=$2 jobs status=0 i begin job
	local -a pids=()

	jobs=$(nproc)
	[ "$jobs" -le "$count" ] || jobs=$count
	begin=$((10#$CHECK_SEED * WORLD_SEEDS))
	rm -f "$folder"/worlds-*.log
	for ((i = 0; i < jobs; i++)); do
		bounded "$folder/tests/world/world" $((begin + count * i / jobs)) \
			$((begin + count * (i + 1) / jobs - 1)) \
			</dev/null >"$folder/worlds-$i.log" 2>&1 &
		pids+=($!)
	done
	for job in "${pids[@]}"; do
		wait "$job" || status=1
	done
	[ "$status" = 0 ] ||
		grep -h -v '^ok \|^1\.\.' "$folder"/worlds-*.log >&2 || true
	return "$status"
}

# same_worlds FOLDER LOG: a seed prints the same line in both, or only in one; LOG has
# some of them.
same_worlds()
{
	sed -n 's/^ok [0-9]* - seed //p' "$2" "$1"/worlds-*.log | LC_ALL=C sort -u |
		awk -F: '
			$1 == seed { printf "the seed %s differs:\n%s\n%s\n", seed, line, $0; bad = 1 }
			{ seed = $1; line = $0 }
			END { exit bad }' >&2
}

# build_tests FOLDER ARGUMENT…: configures with these and builds what tests
# need.
build_tests()
{
	local folder=$1

	configure_in "$@" && make_in "$folder" &&
		make_in "$folder" check TESTS= >/dev/null
}

# run_some FOLDER LOG TESTS-AT-A-TIME TEST…: runs tests; returns make's status.
run_some()
{
	local folder=$1 log=$2 at_a_time=$3 status=0 test
	local -a begun=()
	shift 3

	[ $# -gt 0 ] || return 0
	rm -f "$folder/$log"
	bounded make -C "$folder" -j "$at_a_time" \
		--no-print-directory check CHECK_ALL="$long" \
		TEST_SUITE_LOG="$log" TESTS="$*" || status=$?
	if [ "$status" = 124 ] || [ "$status" = 137 ]; then
		for test; do
			[ -e "$folder/${test%.[ps][yh]}.trs" ] || begun+=("$test")
		done
		say "they began, or were next: ${begun[*]:0:at_a_time}"
	fi
	return "$status"
}

# count_some FOLDER LOG STATUS TEST…: counts the points of tests that have run.
count_some()
{
	local folder=$1 log=$2 status=$3 before=$failed
	shift 3

	[ $# -gt 0 ] || return 0
	count_tests "$folder/$log"
	if [ "$status" != 0 ] && [ "$failed" = "$before" ]; then
		say "failed: make check in $folder ($status)"
		failed=$((failed + 1))
	fi
}

# A python3 that is a script (as in pyenv) takes half a second to start the real
# one, and tests start thousands: so they get the real one.
direct_python()
{
	local magic=

	IFS= read -r -d '' -n 2 magic <"$(command -v python3)" || true
	[ "$magic" != '#!' ] ||
		PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
}

# Tests start scripts thousands of times, and forbid Python to write what it has
# compiled: compiled here once, a bot starts in two thirds of the time.  A script that
# has changed since is compiled as before.
compile_scripts()
{
	python3 -m compileall -q sample-bots tests >/dev/null 2>&1 || true
}

# look_behind FAILED: one point fails if tests have left files in TMPDIR, unless other
# points than these have failed: then they stay, because these tests name them.
look_behind()
{
	local left

	left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 -printf '%f ')
	if [ -n "$left" ] && [ "$failed" != "$1" ]; then
		say "files of failed tests are in $TMPDIR"
		return
	fi
	if [ -n "$left" ]; then
		faults+="failed: tests left in TMPDIR: $left"$'\n'
		failed=$((failed + 1))
	fi
	rm -rf "$TMPDIR" || true
}

# run_tests FOLDER TEST…: runs what is built there.
run_tests()
{
	local folder=$1 before=$failed test job scratch status=0
	local -a waiting=() shared=() beside=()
	shift

	# Some tests run as other users, and sockets have short paths.
	scratch=$(mktemp -d -t check-XXXXXX)
	chmod 1777 "$scratch"
	local -x TMPDIR=$scratch
	end_fetching
	direct_python
	compile_scripts
	export CHECK_SEED PATH
	mapfile -t waiting < <(list "$folder" waiting)
	for test in "${waiting[@]}"; do
		[[ " $* " != *" $test "* ]] || beside+=("$test")
	done
	for test; do
		[[ " ${waiting[*]} " == *" $test "* ]] || shared+=("$test")
	done
	say "testing in $folder: $# programs, CHECK_SEED=$CHECK_SEED"
	[ $# -gt 0 ] || failed=$((failed + 1))
	run_some "$folder" test-waiting.log "$(nproc)" "${beside[@]}" </dev/null &
	job=$!
	run_some "$folder" test-suite.log "$(nproc)" "${shared[@]}" || status=$?
	count_some "$folder" test-suite.log "$status" "${shared[@]}"
	status=0
	wait "$job" || status=$?
	count_some "$folder" test-waiting.log "$status" "${beside[@]}"
	look_behind "$before"
}

# list FOLDER NAME: prints tests in the order in which they run.
list()
{
	make -s -C "$1" "list-$2"
}

# check_in FOLDER LIST ARGUMENT…: builds, and runs the tests of a list.
check_in()
{
	local folder=$1 list=$2
	local -a tests
	shift 2

	if ! build_tests "$folder" "$@"; then
		say "failed: build in $folder"
		failed=$((failed + 1))
		end_fetching
		return
	fi
	mapfile -t tests < <(list "$folder" "$list")
	[ ${#only[@]} = 0 ] || tests=("${only[@]}")
	run_tests "$folder" "${tests[@]}"
}

sanitized()
{
	check_in build-check "$1" --enable-sanitizers --enable-werror
}

# ---- the parts of --all ----------------------------------------------------

# Each part has a name, and a function part_NAME with - as _.
PARTS='gcc-plain clang-plain clang-sanitized long-units long-games long-daemon
long-queue long-hostile long-many world fuzz mutants lint dist'

describe_parts()
{
	cat <<'TEXT'
gcc-plain        the usual tests in a build without sanitizers
clang-plain      the same, built with clang
clang-sanitized  the same, with clang's sanitizers
long-units       the long forms of unit tests and lints
long-games       of matches, records, bots, kits
long-daemon      of the daemon and its pages
long-queue       of the queue in PostgreSQL
long-hostile     of hostile bots: compares times, so nothing else may run
long-many        three databases, three workers, two daemons (only root)
world            ten thousand scenarios on a simulated machine
fuzz             each fuzz target for a minute, with clang
mutants          breaks the product in thirty ways that tests must notice
lint             clang-format and shellcheck
dist             make distcheck

The first three take tests, too, which run alone in these builds.
TEXT
}

# needs_of PART: the packages that it needs.
needs_of()
{
	case $1 in
	lint) grep '^clang-format \|^shellcheck ' <<<"$ALL_PACKAGES" ;;
	*) echo "$BUILD_PACKAGES$CHECK_PACKAGES" ;;&
	fuzz | clang-*) grep '^clang ' <<<"$ALL_PACKAGES" ;;
	dist) grep '^xz-utils ' <<<"$ALL_PACKAGES" ;;
	esac
}

# fetches_of PART: what is fetched for tests, which are skipped without.
fetches_of()
{
	case $1 in
	world | fuzz | lint | long-units | long-hostile) ;;
	long-many) echo database machines ;;
	*) echo database browser ;;
	esac
}

part_gcc_plain()
{
	check_in build-check/gcc-plain tests CC=gcc --enable-werror
}

part_clang_plain()
{
	check_in build-check/clang-plain tests CC=clang --enable-werror
}

part_clang_sanitized()
{
	check_in build-check/clang-sanitized tests CC=clang --enable-werror \
		--enable-sanitizers
}

# run_long PATTERN [EXCEPT]: runs the long forms of the tests whose names match
# PATTERN and not EXCEPT.  A page is looked at by a script in JavaScript, which
# has a long form of its own.
run_long()
{
	local pattern=$1 except=${2:-^$} test
	local -a tests=()

	long=1
	build_tests build-check --enable-sanitizers --enable-werror || {
		say 'failed: build in build-check'
		failed=$((failed + 1))
		return
	}
	while read -r test; do
		[[ $test =~ $pattern && ! $test =~ $except ]] || continue
		case $test in
		*.py | *.sh) grep -qE 'CHECK_ALL|web\.play\(' "$test" || continue ;;
		esac
		tests+=("$test")
	done < <(list build-check tests)
	run_tests build-check "${tests[@]}"
	long=
}

PROGRAMS='^tests/(end-to-end|independent|kits|hostile)/'
QUEUE_NAMES=$PROGRAMS'test-(queue|postgres)'
MANY_NAMES=$PROGRAMS'test-many'
DAEMON_NAMES=$PROGRAMS'test-(serve|web|term|backup|attack|events|crawl|connect|remote|local-bots|owners|import|builds|siege)'
HOSTILE_NAMES=$PROGRAMS'test-(zoo|bite)'
part_long_units() { run_long '^tests/(unit|lint|soak|fuzz|bench)/'; }
part_long_queue() { run_long "$QUEUE_NAMES"; }
part_long_many() { run_long "$MANY_NAMES"; }
part_long_daemon() { run_long "$DAEMON_NAMES"; }
# One after the other: without a sandbox bots leave what the zoo must not see.
part_long_hostile()
{
	run_long "$PROGRAMS"'test-zoo'
	run_long "$PROGRAMS"'test-bite'
}
part_long_games()
{
	run_long "$PROGRAMS" \
		"$QUEUE_NAMES|$MANY_NAMES|$DAEMON_NAMES|$HOSTILE_NAMES"
}

part_world()
{
	step world
}

# Without sanitizers it is three times faster.
world()
{
	local folder=build-check/world

	direct_python
	configure_in "$folder" --enable-werror &&
		make_in "$folder" tests/world/world &&
		worlds "$folder" "${WORLD_SCENARIOS:-10000}"
}

part_fuzz()
{
	step fuzz
}

fuzz()
{
	local folder=build-check/fuzz

	configure_in "$folder" CC=clang --enable-fuzzing --enable-werror &&
		make_in "$folder" fuzz FUZZ_SECONDS="$FUZZ_SECONDS"
}

part_mutants()
{
	step mutants
}

mutants()
{
	end_fetching
	direct_python
	bounded env BUILD_DIR=build-check CHECK_SEED="$CHECK_SEED" \
		tests/mutants/run.py
}

sources()
{
	find protocol ladder referee sample-bots tests -name '*.[ch]'
}

formatted()
{
	sources | bounded xargs -d '\n' clang-format --dry-run -Werror
}

# SC2034: a bot reads words that it does not use.
scripts_clean()
{
	find bootstrap .ci/run sample-bots tests -type f \
		\( -name bootstrap -o -name run -o -name '*.sh' \) -print0 |
		bounded xargs -0 shellcheck -S warning -e SC2034
}

part_lint()
{
	step formatted
	step scripts_clean
}

part_dist()
{
	step distcheck
}

distcheck()
{
	end_fetching
	configure_in build-check/gcc-plain CC=gcc --enable-werror &&
		make_in build-check/gcc-plain distcheck
}

# Runs a part and prints how long it took.
run_part()
{
	local name=$1 from=$SECONDS # luck: only told

	say "part $name"
	takes "$PART_MINUTES" "part $name"
	"part_${name//-/_}"
	say "part $name took $(((SECONDS - from + 59) / 60)) minutes" # luck: only told
}

# ---- the command -----------------------------------------------------------

# announce TEXT PACKAGES FETCH…: says at the beginning how long it takes and what it
# installs.
announce()
{
	local packages=$2 missing fetch

	say "$1"
	shift 2
	for fetch; do
		packages+=$'\n'$(packages_of "$fetch")
	done
	missing=$(missing_of "$packages")
	if [ -n "$missing" ]; then
		say "installs from Debian: ${missing% }"
	fi
	[[ " $* " != *' browser '* ]] || has_modules ||
		say "fetches from npm into $WEB/: $WEB_MODULES"
}

finish()
{
	# Failures are printed again at the end, where a reader looks.
	printf %s "$faults"
	echo "CHECK_SEED=$CHECK_SEED"
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

check_usual()
{
	announce 'builds in build-check/ (with sanitizers) and in build/, then runs all tests; '"$USUAL_MINUTES minutes on two processors" \
		"$BUILD_PACKAGES$CHECK_PACKAGES" database browser
	need "$BUILD_PACKAGES$CHECK_PACKAGES"
	begin_fetching database browser
	takes "$USUAL_MINUTES" check
	# Two builds must not make Makefile.in at a time.
	configure_in build-check --enable-sanitizers --enable-werror &&
		make_in build-check Makefile && begin_programs
	sanitized tests
	end_programs
	finish
}

check_quick()
{
	announce 'builds in build-check/ (with sanitizers) and runs unit tests, vectors and a few matches; 2 minutes after the build' \
		"$BUILD_PACKAGES$CHECK_PACKAGES"
	need "$BUILD_PACKAGES$CHECK_PACKAGES"
	takes "$USUAL_MINUTES" 'check --quick'
	sanitized quick
	finish
}

# named TEST…: all of them are tests.
named()
{
	local test

	for test; do
		[ -e "$test" ] || [ -e "$test.c" ] ||
			[[ $test =~ ^tests/(unit/.*|world/world)$ ]] ||
			wrong_usage "there is no test \"$test\""
	done
}

# Runs the parts; draws the seed unless one is given.  Tests beside the name of a part
# that builds run alone there.
check_parts()
{
	local name needs
	local -a names=() fetches

	case ${1:-} in
	'') wrong_usage 'check --part takes a name of --part help' ;;
	help)
		describe_parts
		return
		;;
	all) read -r -d '' -a names <<<"$PARTS" || true ;;
	*)
		for name; do
			case $name in
			*/*) only+=("$name") ;;
			*) names+=("$name") ;;
			esac
		done
		named "${only[@]}"
		[ ${#names[@]} != 0 ] || wrong_usage 'check --part takes a name of --part help'
		;;
	esac
	for name in "${names[@]}"; do
		[[ " ${PARTS//$'\n'/ } " == *" $name "* ]] ||
			wrong_usage "check has no part \"$name\""
		[ ${#only[@]} = 0 ] || [[ $name =~ ^(gcc|clang)- ]] ||
			wrong_usage "the part $name takes no tests"
	done
	needs=$(for name in "${names[@]}"; do needs_of "$name"; done |
		awk '!seen[$0]++')
	read -r -d '' -a fetches < <(for name in "${names[@]}"; do
		fetches_of "$name"
	done | tr ' ' '\n' | awk '!seen[$0]++') || true
	announce "runs these parts: ${names[*]}; each takes up to $PART_MINUTES minutes on two processors" \
		"$needs" "${fetches[@]}"
	need "$needs"
	# luck: this is the seed
	[ -n "$seed_given" ] || CHECK_SEED=$((SRANDOM % 1000000000))
	begin_fetching "${fetches[@]}"
	for name in "${names[@]}"; do
		run_part "$name"
	done
	end_fetching
	finish
}

check_some()
{
	named "$@"
	announce 'builds in build-check/ (with sanitizers) and runs these tests' \
		"$BUILD_PACKAGES$CHECK_PACKAGES"
	need "$BUILD_PACKAGES$CHECK_PACKAGES"
	long=${CHECK_ALL:-}
	takes "$PART_MINUTES" "check $*"
	build_tests build-check --enable-sanitizers --enable-werror &&
		run_tests build-check "$@"
	finish
}

check()
{
	case $CHECK_SEED in
	*[!0-9]* | ??????????*)
		wrong_usage "CHECK_SEED is a number of up to nine digits, not \"$CHECK_SEED\""
		;;
	esac
	case ${1:-} in
	'') check_usual ;;
	--quick) check_quick ;;
	--all) check_parts all ;;
	--part)
		shift
		check_parts "$@"
		;;
	-*) wrong_usage "check has no option \"$1\"" ;;
	*) check_some "$@" ;;
	esac
}
