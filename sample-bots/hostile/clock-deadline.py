#!/usr/bin/env python3
"""clock-deadline.py - answers at the last moment: some answers shortly before
the deadline, some after it.

Bound: as many asks as the game has, and 300 seconds.
"""

import sys
import time

LATE_MS = (-20, -5, -2, -1, 0, 1, 2)  # from the deadline, in turn

end = time.monotonic() + 300
asks = 0
print("tried the deadline", file=sys.stderr)
for line in sys.stdin:
    now = time.monotonic()
    words = line.split()
    if words[0] == "bye" or now > end:
        break
    if words[0] == "ask":
        late = LATE_MS[asks % len(LATE_MS)] if asks else -20
        asks += 1
        time.sleep(max(0, min(3000, int(words[2]) + late) / 1000))
        print("do", words[1], words[3], flush=True)
