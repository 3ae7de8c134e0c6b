#!/bin/sh
# referee/web/make-report-script.sh FOLDER FILE - one script, as C, of the module FILE
# and those of FOLDER that it imports: a report is one file, and a browser loads no
# modules from a disk.
#
# Each module becomes a function that is called once and returns what it exports.
# Understood is what our modules have: `import { A, B as C } from "./NAME.js";`,
# `export` before const, function, async function and class at the beginning of a
# line, and cards.svg by import.meta.url, whose pictures are in a report.
# Everything else of modules, and modules that import each other, are an error.
set -e

script=$(mktemp)
trap 'rm -f "$script"' EXIT
awk -v folder="$1" -v first="$2" '
function fail(why) {
	print "make-report-script.sh: " why >"/dev/stderr"
	failed = 1
	exit 1
}
function variable(path) {
	sub(/.*\//, "", path)
	gsub(/[^A-Za-z0-9]/, "_", path)
	return path
}
# `import { A, B as C } from "./NAME.js";`, which may go on for some lines
function bring(path, text,    names, from) {
	while (text !~ /;[ \t]*$/ && (getline line <path) > 0)
		text = text " " line
	if (text !~ /^import *\{[^}]*\} *from *"\.\/[A-Za-z0-9_-]*\.js";[ \t]*$/)
		fail(path ": not understood: " text)
	names = text
	sub(/^import */, "", names)
	sub(/\}.*/, "}", names)
	gsub(/ as /, ": ", names)
	from = text
	sub(/.*"\.\//, "", from)
	sub(/".*/, "", from)
	module(folder "/" from)
	return "const " names " = " variable(from) ";"
}
# Prints the module behind those that it needs.
function module(path,    text, all, exports, name, lines) {
	if (state[path] == "done")
		return
	if (state[path] == "open")
		fail(path " is imported by what it imports")
	state[path] = "open"
	while ((lines = (getline text <path)) > 0) {
		if (text ~ /^import[ {]/) {
			text = bring(path, text)
		} else if (text ~ /^export (async function|function|class|const) /) {
			sub(/^export /, "", text)
			name = text
			sub(/^(async function|function|class|const)[ *]*/, "", name)
			sub(/[^A-Za-z0-9_$].*/, "", name)
			exports = exports (exports == "" ? "" : ", ") name
		}
		sub(/new URL\("cards\.svg", import\.meta\.url\)\.href/, "\"\"",
			text)
		if (text ~ /^export[ {]|import\.meta|import\(|<\/script|<!--/)
			fail(path ": not understood: " text)
		all = all text "\n"
	}
	if (lines < 0)
		fail("cannot read " path)
	close(path)
	state[path] = "done"
	printf "const %s = (() => {\n%sreturn { %s };\n})();\n", variable(path),
		all, exports
}
BEGIN {
	print "\"use strict\";"
	module(first)
	exit failed
}' >"$script"

echo '#include "referee/web/report.h"'
echo 'const unsigned char report_script[] = {'
od -An -v -tx1 <"$script" | sed 's/ \(..\)/0x\1,/g'
echo '};'
echo 'const size_t report_script_bytes = sizeof(report_script);'
