"""Finds out by the program itself what this machine can do, for tests that need
it.

    why = machine.no_boxes()        # None, or the reason in one line
    if not tap.skip("a build", why):
        ...
"""

import functools
import os
import pathlib
import sys

import tap

TELL = pathlib.Path(os.environ.get(
    "RUN_BOXED", tap.BUILD_DIR / "tests" / "sandbox" / "run-boxed"))
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
# Words that start a program as on a machine that cannot make boxes.
BOXLESS = [*tap.PYTHON,
           str(pathlib.Path(__file__).with_name("boxless.py"))]


@functools.cache
def told(user=()):
    """Returns the letter of the best sandbox tier, true if its boxes are
    watched for `referee check`, and which protections it has.  `user` are words
    that start a program as another user."""
    if not os.access(TELL, os.X_OK):
        return "D", False, f"no {TELL} was built to tell (it needs Criterion)"
    done = tap.run([*user, TELL, "--tell"])
    if done.code != 0:
        return "D", False, repr(done)
    letter, watched, sentence = done.out.strip().split(" ", 2)
    return letter, watched == "watched", sentence


def no_boxes(user=()):
    """Returns why there are no boxes here (tiers A and B); None if there are."""
    letter, _, sentence = told(user)
    return None if letter in "AB" else f"no boxes here: {sentence}"


def no_builds():
    """Returns why a build cannot write anywhere here, or None."""
    letter, _, sentence = told()
    if letter == "C" and os.getuid() == 0:
        return "without boxes root's bots are other users, who may not " \
            f"write into root's folders: {sentence}"
    return None


def python(user=()):
    """Returns a Python that this user can also start, or None."""
    for path in sys.executable, "/usr/bin/python3":
        if tap.run([*user, "test", "-x", path]).code == 0:
            return path
    return None


@functools.cache
def may_mount():
    """Returns true if the user is root here and may mount in a namespace."""
    return os.getuid() == 0 and tap.run(
        ["unshare", "--mount", "sh", "-c",
         "mount -t tmpfs -o size=64k none /tmp"]).code == 0
