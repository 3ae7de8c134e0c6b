#!/bin/sh
# referee/serve/make-checker.sh FILE... - the files of check-record.py, as C.
set -e

echo '#include "referee/serve/checker.h"'
i=0
for file in "$@"; do
	echo "static const unsigned char file_$i[] = {"
	od -An -v -tx1 <"$file" | sed 's/ \(..\)/0x\1,/g'
	echo '};'
	i=$((i + 1))
done
echo 'const struct checker_file checker_files[] = {'
i=0
for file in "$@"; do
	echo "	{ \"$(basename "$file")\", file_$i, sizeof(file_$i) },"
	i=$((i + 1))
done
echo '	{ NULL, NULL, 0 },'
echo '};'
