#!/bin/sh
# tests/lint/check-banned.sh - finds functions that our code must not call.
# Each of them invites the mistake that is given after its name.  Every mention
# of the name counts, also `(strcpy)(a, b)`, `f = strcpy` and
# `__builtin_strcpy`; comments, strings, members of a struct and `#include` do
# not.  There is a test for each function; speaks TAP.
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1

banned='strcpy:writes past the end
strcat:writes past the end
sprintf:writes past the end
vsprintf:writes past the end
gets:writes past the end
strncpy:leaves out the NUL
strncat:takes a length that is not that of the target
strtok:keeps a hidden state
gmtime:keeps a hidden state
localtime:keeps a hidden state
ctime:keeps a hidden state
asctime:keeps a hidden state
atoi:does not see bad input
atol:does not see bad input
atoll:does not see bad input
atof:does not see bad input
rand:can be guessed
srand:can be guessed
random:can be guessed
lrand48:can be guessed
mrand48:can be guessed
system:hands words to a shell
popen:hands words to a shell
execlp:looks for the program in PATH
execvp:looks for the program in PATH
json_pack:takes what its format says, which the compiler does not read; JSON_OBJECT of json-line.h'
# These are banned only in the product, because tests know what they read.
banned_in_product='scanf:does not see numbers that are too large
sscanf:does not see numbers that are too large
fscanf:does not see numbers that are too large'

# Prints the code of files as FILE:LINE:TEXT without comments and strings.
blank() {
	LC_ALL=C sort | xargs awk '
	FNR == 1 { inside = 0 }
	/^[ \t]*#[ \t]*include/ { next }
	{
		line = $0; out = ""
		while (line != "") {
			if (inside) {
				at = index(line, "*/")
				if (at == 0) break
				line = substr(line, at + 2); inside = 0
			} else if (match(line, \
			/\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)+\047/)) {
				out = out substr(line, 1, RSTART - 1) " "
				hit = substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
				if (hit == "//") break
				inside = hit == "/*"
			} else {
				out = out line; break
			}
		}
		gsub(/->[ \t]*[A-Za-z_0-9]+|[.][A-Za-z_][A-Za-z_0-9]*/, ".", out)
		print FILENAME ":" FNR ":" out
	}'
}

# Prints the lines of such code that mention function $1.
mentions() {
	grep -E "^[^:]*:[^:]*:(.*[^A-Za-z0-9_])?(__builtin_)?$1([^A-Za-z0-9_]|\$)" "$2"
}

count=0
failed=0
report() {
	count=$((count + 1))
	[ "$1" = 0 ] || { failed=1; printf 'not '; }
	echo "ok $count - $2"
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Each line of the first file must be found, and none of the second.
cat > "$work/found.c" <<'EOF'
	strcpy(a, b);
	(strcpy)(a, b);
	strcpy
	f = strcpy;
#define COPY strcpy
	__builtin_strcpy(a, b);
	a.x = strcpy(b->strcpy, c);
	/* why */ strcpy(a, "b");
EOF
cat > "$work/passes.c" <<'EOF'
	a->strcpy = b.strcpy;
	/* strcpy(a, b)
	 * strcpy */
	puts("strcpy(a, b)"); // strcpy
	my_strcpy(a, b);
	strcpy_all(a, b);
#include <sys/strcpy.h>
EOF
for kind in found passes; do
	echo "$work/$kind.c" | blank > "$work/$kind"
	want=0
	[ "$kind" = passes ] || want=$(grep -c . "$work/found.c")
	[ "$(mentions strcpy "$work/$kind" | grep -c .)" = "$want" ]
	report $? "samples: $kind"
done

find protocol ladder sample-bots referee tests -name '*.[ch]' | blank > "$work/code"
[ -s "$work/code" ] || { echo "Bail out! no source file found"; exit 1; }
grep -E '^(protocol|ladder|referee)/' "$work/code" > "$work/product"
ban() {
	for entry in $(echo "$1" | tr ' ' _); do
		name=${entry%%:*}
		why=$(echo "${entry#*:}" | tr _ ' ')
		! mentions "$name" "$2" |
			sed "s/^\([^:]*:[^:]*\):.*/# \1: $name() $why/" | grep .
		report $? "$name"
	done
}
ban "$banned" "$work/code"
ban "$banned_in_product" "$work/product"
echo "1..$count"
exit $failed
