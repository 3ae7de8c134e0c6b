#!/bin/sh
# referee/web/make-static.sh FILE... - the files that pages load, as C: each as
# it is and gzipped, and a hash of them all.
set -e

bytes() {
	echo "static const unsigned char $1[] = {"
	od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g'
	echo "};"
}

hash=$(for file in "$@"; do
	basename "$file"
	cat "$file"
done | sha256sum | cut -c1-16)

echo '#include "referee/web/static-files.h"'
echo "const char static_files_hash[] = \"$hash\";"
i=0
for file in "$@"; do
	bytes "plain_$i" <"$file"
	gzip -9nc "$file" | bytes "gzipped_$i"
	i=$((i + 1))
done
echo 'const struct static_file static_files[] = {'
i=0
for file in "$@"; do
	echo "	{ \"$(basename "$file")\", plain_$i, gzipped_$i,"
	echo "	  sizeof(plain_$i), sizeof(gzipped_$i) },"
	i=$((i + 1))
done
echo '	{ NULL, NULL, NULL, 0, 0 },'
echo '};'
