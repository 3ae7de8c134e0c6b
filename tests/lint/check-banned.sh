#!/bin/sh
# tests/lint/check-banned.sh - functions that have no place in our code.
#
# Each invites the mistake after its name.  Comments and strings do not count.
# A test for each function; speaks TAP.
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1

banned='strcpy:writes past the end
strcat:writes past the end
sprintf:writes past the end
vsprintf:writes past the end
gets:writes past the end
strncpy:leaves out the NUL
strtok:keeps a hidden state
gmtime:keeps a hidden state
localtime:keeps a hidden state
ctime:keeps a hidden state
atoi:does not see bad input
atol:does not see bad input
atof:does not see bad input
rand:can be guessed
srand:can be guessed
random:can be guessed
system:hands words to a shell
popen:hands words to a shell'

# All code as FILE:LINE:TEXT, comments and strings blanked.
code=$(mktemp) || exit 1
trap 'rm -f "$code"' EXIT
find protocol ladder sample-bots referee tests -name '*.[ch]' |
LC_ALL=C sort | while read -r file; do
	awk -v file="$file" '
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
		print file ":" FNR ":" out
	}' "$file"
done > "$code"
[ -s "$code" ] || { echo "Bail out! no source file found"; exit 1; }

count=0
echo "$banned" | { while IFS=: read -r name why; do
	count=$((count + 1))
	if grep -E "(^|[^A-Za-z0-9_.>]|[^-]>)${name}[[:space:]]*\(" "$code" |
		sed "s/^\([^:]*:[^:]*\):.*/# \1: $name() $why/" | grep .; then
		echo "not ok $count - $name"
	else
		echo "ok $count - $name"
	fi
done; echo "1..$count"; }
