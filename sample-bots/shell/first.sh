#!/bin/sh
# The smallest bot: it makes the first move of every list.
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
