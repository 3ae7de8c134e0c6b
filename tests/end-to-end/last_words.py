"""Makes a test program say why it ends without its plan.

A driver of TAP knows only that the plan is missing.  So this prints `Bail
out!`, the cause, the stack of every thread, and how to repeat it.  The cause is an exception; a
signal, such as the SIGTERM that timeout(1) sends when the time of a test is
over; or an exit before done().  If the interpreter crashes, faulthandler writes
to standard error; after SIGKILL the driver sees the exit status.
"""

import atexit
import faulthandler
import os
import signal
import sys
import threading
import traceback

SIGNALS = (signal.SIGTERM, signal.SIGHUP)

_owner = None  # the process that must print a plan; None: none
_said = False  # true once the plan, or why there is none, was printed
_repeat = None  # returns the last lines of the last words


def promise(repeat):
    """Obliges this process to print a plan and to call kept().  Without a plan,
    repeat() is called once, and returns lines about how to repeat it."""
    global _owner, _repeat
    _repeat = repeat
    _owner = os.getpid()
    faulthandler.enable()
    sys.excepthook = _on_exception
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    atexit.register(_at_exit)


def kept():
    global _said
    _said = True


def is_kept():
    return _said


def bail_out(why, trace=""):
    """Writes past the buffer of standard output, since a signal may have
    interrupted a write."""
    global _said
    if _said or os.getpid() != _owner:
        return
    _said = True
    try:
        sys.stdout.flush()
    except (OSError, RuntimeError, ValueError):
        pass
    # A driver takes comments for those of the line above.
    lines = [f"Bail out! {why}",
             *(f"# {line}" for line in [*trace.splitlines(), *_repeat()])]
    left = ("\n" + "\n".join(lines) + "\n").encode("utf-8", "backslashreplace")
    try:
        while left:
            left = left[os.write(1, left):]
    except OSError:
        pass  # the reader is gone


def _on_exception(kind, value, trace):
    if _said or os.getpid() != _owner:
        sys.__excepthook__(kind, value, trace)
        return
    words = "".join(traceback.format_exception_only(kind, value)).split()
    bail_out(" ".join(words)[:300],
             "".join(traceback.format_exception(kind, value, trace)))


def _where():
    """Returns the stacks of all threads."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"{names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items())


def _on_signal(number, _):
    name = signal.Signals(number).name
    if os.getpid() != _owner:  # a forked child that has not yet begun
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        return
    # timeout(1) sends the signal twice, and the second one must not interrupt
    # the end of the daemons.
    for each in SIGNALS:
        signal.signal(each, lambda *_: None)
    bail_out(f"{name} has ended this; timeout(1) sends SIGTERM when a test's time is "
             "over", _where())
    sys.exit(128 + number)


def _at_exit():
    bail_out("this ended before its plan, by sys.exit() or at the end of the file")
