#!/bin/sh
# The smallest bot there is: it makes the first move of every list it is shown.
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
