#!/usr/bin/env python3
"""boxless.py PROGRAM ARGUMENT... - runs it where bubblewrap cannot start, as in
most containers: no namespaces, no mounts."""

import os
import sys

import unit

unit.forbid("mount", "umount2", "pivot_root", "unshare", "setns", "clone3",
            namespaces=unit.NAMESPACES)
os.execvp(sys.argv[1], sys.argv[1:])
