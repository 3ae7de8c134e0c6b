#!/bin/sh
# referee/pages/make-rules.sh FILE... - files as C: rules-text.h says how.
set -e

echo '#include "referee/pages/rules-text.h"'
i=0
for file; do
	echo "static const unsigned char text_${i}[] = {"
	od -An -v -tx1 "$file" | sed 's/ \(..\)/0x\1,/g'
	echo '};'
	i=$((i + 1))
done
echo 'const struct rules_text rules_texts[] = {'
i=0
for file; do
	echo "	{ \"$(basename "$file")\", text_$i, sizeof(text_$i) },"
	i=$((i + 1))
done
echo '	{ NULL, NULL, 0 },'
echo '};'
