"""Makes a bot that takes as long for a move as a test wants.

    command = held.bot(folder)          # the first moves, but for its second ask
    hold = held.wait(place.processes)   # the process that keeps it from answering
    held.stand(pids)                    # whether all of these stand still now
    held.release(hold)
"""

import contextlib
import os
import pathlib
import signal

import arena

NAP = "sleep 86400"
SCRIPT = f"""\
asks=0
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" = ask ] || continue
	asks=$((asks + 1))
	[ $asks != 2 ] || {NAP}
	echo "do $ask $move"
done
"""
TIMES = ("--move-time", 3600000)  # long, so that a held bot is not late


def bot(folder):
    """Returns its command line, which works in a box, too."""
    path = pathlib.Path(folder) / "held.sh"
    path.write_text(SCRIPT, "ascii")
    path.chmod(0o755)
    return f"sh {path}"


def wait(processes):
    """Waits until the bot is held; returns its process, or None."""
    def found():
        return [pid for pid, line in processes().items() if line.strip() == NAP]
    return (arena.wait_for(found) or [None])[0]


def release(pid):
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def _stat(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(
            ")")[2].split()
    except OSError:
        return None


def stand(pids):
    """Returns true if there are such processes and a signal has stopped them
    all."""
    found = list(filter(None, map(_stat, pids)))
    return bool(found) and all(words[0] == "T" for words in found)


def ticks(pids):
    """Returns the ticks of processor time that these processes have used."""
    return sum(int(words[11]) + int(words[12])
               for words in filter(None, map(_stat, pids)))
