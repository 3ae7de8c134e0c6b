#!/usr/bin/env python3
"""clock-twice.py - answers twice: at once, to stop the clock, and later with
the move that it found in the meantime.

Bound: two lines an ask.
"""

import sys

print("tried two answers", file=sys.stderr)
for line in sys.stdin:
    words = line.split()
    if words[0] == "bye":
        break
    if words[0] == "ask":
        print("do", words[1], words[3], flush=True)
        print("do", words[1], words[-1], flush=True)
