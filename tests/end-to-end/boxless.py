#!/usr/bin/env python3
"""boxless.py PROGRAM ARGUMENT... - runs a program without the right to make
namespaces and mounts, so that bubblewrap cannot start, as in most containers."""

import os
import sys

import unit

unit.forbid("mount", "umount2", "pivot_root", "unshare", "setns", "clone3",
            namespaces=unit.NAMESPACES)
os.execvp(sys.argv[1], sys.argv[1:])
