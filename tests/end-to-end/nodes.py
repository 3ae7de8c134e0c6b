"""Runs machines on one machine: network namespaces at a bridge.  A test can
pull their cables and lose packets in one direction.

    nodes.enter()                       # first of all; may not return
    with nodes.Network() as network:
        db1 = network.node("db1")
        db1.start(["postgres", ...], log=path)
        network.cut("db1", "w1")        # what db1 sends to w1 is lost
        network.heal()
        db1.pull(); db1.plug()          # the cable
        db1.kill()                      # kill -9, all that runs there

Everything runs in a mount and a PID namespace of the test's own: when the test
ends, even by SIGKILL, all processes end and all networks go, and two tests do
not disturb each other."""

import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import arena
import tap

NETS = pathlib.Path("/run/netns")
MARK = "REFEREE_TEST_NODES"
NET = "10.77.0."
NOWHERE = "02:00:00:00:ff:ff"  # no port of the bridge has this address
GONE_S = 120
TRIED = """mkdir -p /run/netns && mount -t tmpfs none /run/netns &&
ip netns add hub && ip netns add leaf &&
ip -n hub link add hub0 type bridge &&
ip -n leaf link add eth0 type veth peer name leaf netns hub &&
ip -n hub link set leaf master hub0 &&
ip -n leaf neigh replace 10.77.0.1 lladdr 02:00:00:00:00:01 \\
dev eth0 nud permanent"""


@functools.cache
def missing():
    """Returns why there can be no such network here, or None."""
    if os.getuid() != 0:
        return "only root may make networks"
    for program in "ip", "unshare", "nsenter":
        if shutil.which(program) is None:
            return f"there is no {program} here (Debian: iproute2, util-linux)"
    done = tap.run(["unshare", "--mount", "--pid", "--fork", "--kill-child",
                    "--mount-proc", "sh", "-c", TRIED])
    return None if done.code == 0 else "no network namespaces here: " + \
        " ".join(done.err.split())


def _first_process():
    """Reaps orphaned processes until the test has ended."""
    child = os.fork()
    if child == 0:
        return
    for number in signal.SIGTERM, signal.SIGINT:
        signal.signal(number, lambda n, _: os.kill(child, n))
    while True:
        pid, status = os.wait()
        if pid == child:
            os.unlink(os.environ["CHECK_LIVES"])
            os._exit(os.waitstatus_to_exitcode(status) & 255)


def enter():
    """Continues in namespaces of the test's own, which end with it."""
    if not os.environ.get(MARK):
        os.environ[MARK] = "1"
        tap.again_by("unshare", "--mount", "--pid", "--fork", "--kill-child",
                     "--mount-proc")
    _first_process()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    NETS.mkdir(parents=True, exist_ok=True)
    _run("mount", "-t", "tmpfs", "none", NETS)


def _run(*words):
    done = tap.run(words)
    if done.code != 0:
        raise RuntimeError(f"{words}: {done}")


def running():
    """Returns {pid: command line} of all processes but the first two, which are
    ours."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if line and int(folder.name) not in (1, os.getpid()):
            found[int(folder.name)] = \
                line.replace(b"\0", b" ").decode("latin-1")
    return found


def mac(number):
    return f"02:00:00:00:00:{number:02x}"


class Node:
    """One machine."""

    def __init__(self, network, name, number):
        self.network, self.name, self.number = network, name, number
        self.address = f"{NET}{number}"
        self.words = ["nsenter", f"--net={NETS}/{name}"]
        self.plugged = True
        _run("ip", "netns", "add", name)
        self.mark = (NETS / name).stat().st_ino
        self._ip("link", "add", "eth0", "address", mac(number), "type", "veth",
                 "peer", "name", name, "netns", "hub")
        self._ip("address", "add", f"{self.address}/24", "dev", "eth0")
        self._ip("link", "set", "lo", "up")
        self._ip("link", "set", "eth0", "up")
        _run("ip", "-n", "hub", "link", "set", name, "master", "hub0", "up")

    def _ip(self, *words):
        _run("ip", "-n", self.name, *words)

    def sends(self, other, arrives):
        """Lets the packets of this node to another one arrive, or loses them."""
        self._ip("neighbour", "replace", other.address, "lladdr",
                 mac(other.number) if arrives else NOWHERE, "dev", "eth0",
                 "nud", "permanent")

    def pull(self):
        self.plugged = False
        _run("ip", "-n", "hub", "link", "set", self.name, "down")

    def plug(self):
        self.plugged = True
        _run("ip", "-n", "hub", "link", "set", self.name, "up")

    def start(self, words, log, **options):
        with open(log, "ab") as out:
            return subprocess.Popen(
                [*self.words, *map(str, words)], stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, cwd="/", **options)

    def pids(self):
        """Returns the processes of this node."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns" / "net").stat().st_ino == self.mark:
                    found.append(int(folder.name))
            except OSError:
                pass
        return found

    def kill(self):
        """Kills all of its processes, as a power failure does."""
        def gone():
            pids = self.pids()
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return not pids
        if not arena.wait_for(gone, GONE_S):
            raise RuntimeError(f"{self.name} lives on: {running()}")


class Network:
    """A bridge and its nodes."""

    def __init__(self):
        self.nodes = {}
        _run("ip", "netns", "add", "hub")
        _run("ip", "-n", "hub", "link", "add", "hub0", "type", "bridge")
        _run("ip", "-n", "hub", "link", "set", "hub0", "up")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes.values():
            node.kill()

    def node(self, name):
        node = Node(self, name, len(self.nodes) + 1)
        for other in self.nodes.values():
            node.sends(other, True)
            other.sends(node, True)
        self.nodes[name] = node
        return node

    def cut(self, one, other):
        """Silently loses the packets from `one` to `other`."""
        self.nodes[one].sends(self.nodes[other], False)

    def part(self, one, other):
        """Loses the packets in both directions."""
        self.cut(one, other)
        self.cut(other, one)

    def heal(self):
        for node in self.nodes.values():
            if not node.plugged:
                node.plug()
            for other in self.nodes.values():
                if other is not node:
                    node.sends(other, True)
