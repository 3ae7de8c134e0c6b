"""Applies the restrictions of a systemd unit without systemd: its system call
filters, by libseccomp, and its changes of /proc and control groups.

    unit = unit.Unit(path)
    unit.hide()             # as root, in a mount namespace of our own
    unit.restrict()         # from here on this process and all that it starts

systemd-analyze lists the calls of a group like @mount.  An unknown directive is
an error, because its effect on a box has not been examined.
"""

import ctypes
import errno
import re
import subprocess

ALLOW, ERRNO = 0x7fff0000, 0x00050000
EQUAL, MASKED = 4, 7
NAMESPACES = {"cgroup": 0x02000000, "ipc": 0x08000000, "mnt": 0x00020000,
              "net": 0x40000000, "pid": 0x20000000, "user": 0x10000000,
              "uts": 0x04000000}
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
WRITE, EXECUTE = 2, 4
# Directives that refuse calls in addition to SystemCallFilter=.
CALLS = {"PrivateDevices": "@raw-io", "ProtectClock": "@clock",
         "ProtectKernelModules": "@module", "ProtectKernelLogs": "syslog",
         "ProtectHostname": "sethostname setdomainname",
         "RestrictSUIDSGID": "openat2"}
# In place of the machine's, for the service.
HIDES = {"ProtectProc=invisible":
             "mount -t proc -o hidepid=invisible proc /proc",
         "ProcSubset=pid": "mount -t proc -o subset=pid proc /proc",
         "ProtectKernelTunables=yes": "mount --bind /proc/sys /proc/sys",
         "ProtectKernelLogs=yes": "mount --bind /dev/null /proc/kmsg",
         "ProtectControlGroups=yes":
             "mount --rbind /sys/fs/cgroup /sys/fs/cgroup"
             " && mount -o remount,bind,ro /sys/fs/cgroup"}
# The tests fulfil these directives anyway, or a box does not depend on them.
PLAIN = """Type ExecStart ExecReload KillMode TimeoutStartSec TimeoutStopSec
    WatchdogSec Restart RestartSec RestartPreventExitStatus User StateDirectory
    StateDirectoryMode UMask WorkingDirectory LimitNOFILE Delegate
    CapabilityBoundingSet AmbientCapabilities NoNewPrivileges PrivateTmp RemoveIPC ProtectHome ProtectSystem
    ProtectControlGroups ProtectProc ProcSubset ProtectKernelTunables
    RestrictRealtime LockPersonality
    SystemCallArchitectures SystemCallErrorNumber""".split()


class _Compare(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int),
                ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class _Filter:
    """Wraps a filter of libseccomp; unknown calls are left out."""

    def __init__(self, default):
        self.lib = ctypes.CDLL("libseccomp.so.2")
        self.lib.seccomp_init.restype = ctypes.c_void_p
        self.lib.seccomp_rule_add_array.argtypes = [
            ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint,
            ctypes.POINTER(_Compare)]
        self.lib.seccomp_load.argtypes = [ctypes.c_void_p]
        self.context = self.lib.seccomp_init(default)

    def add(self, action, name, *compares):
        """`compares`: (number of the argument, operator, a, b)."""
        number = self.lib.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return
        code = self.lib.seccomp_rule_add_array(
            self.context, action, number, len(compares),
            (_Compare * len(compares))(*compares))
        if code != 0:
            raise OSError(-code, f"seccomp: {name}")

    def load(self):
        if self.lib.seccomp_load(self.context) != 0:
            raise OSError("seccomp: the filter is not taken")


def refuse(number=errno.EPERM):
    return ERRNO | number


def forbid(*names, namespaces=()):
    """Refuses these calls to this process and all that it starts, and clone()
    with these namespaces."""
    rules = _Filter(ALLOW)
    for name in names:
        rules.add(refuse(errno.ENOSYS if name == "clone3" else errno.EPERM),
                  name)
    for name in namespaces:
        rules.add(refuse(), "clone",
                  (0, MASKED, NAMESPACES[name], NAMESPACES[name]))
    rules.load()


def groups():
    """Returns the calls of each group by its name."""
    said = subprocess.run(["systemd-analyze", "syscall-filter"], check=True,
                          capture_output=True, text=True).stdout
    found, name = {}, None
    for line in said.splitlines():
        word = line.strip()
        if line.startswith("@"):
            name = word
            found[name] = []
        elif word and not word.startswith("#") and name:
            found[name].append(word)
    return found


class Unit:
    def __init__(self, path):
        text = re.sub(r"^[#;].*\n", "", path.read_text("ascii"), flags=re.M)
        service = text.partition("[Service]\n")[2].partition("\n[")[0]
        self.lines = [tuple(line.split("=", 1))
                      for line in service.splitlines() if line]
        self.groups = groups()
        unknown = {key for key, _ in self.lines} - set(PLAIN) - set(CALLS) - {
            "SystemCallFilter", "RestrictNamespaces",
            "RestrictAddressFamilies", "MemoryDenyWriteExecute"}
        if unknown:
            raise ValueError(f"what does {sorted(unknown)} do to a box?")

    def all(self, key):
        return [value for name, value in self.lines if name == key]

    def calls(self, words):
        """Returns the names of calls, with groups replaced by their calls."""
        found = set()
        for word in words.split():
            found |= self.calls(" ".join(self.groups[word])) \
                if word.startswith("@") and word in self.groups else {word}
        return found

    def hide(self):
        for directive, command in HIDES.items():
            if tuple(directive.split("=")) in self.lines:
                subprocess.run(["sh", "-c", command], check=True)

    def restrict(self):
        # This filter comes last, because it refuses further ones.
        self._restrict_arguments()
        self._restrict_calls()

    def _restrict_calls(self):
        allowed = set()
        for value in self.all("SystemCallFilter"):
            if value.startswith("~"):
                allowed -= self.calls(value[1:])
            else:
                allowed |= self.calls("@default " + value)
        rules = _Filter(refuse())
        for name in allowed:
            rules.add(ALLOW, name)
        rules.load()

    def _restrict_arguments(self):
        rules = _Filter(ALLOW)
        for key, words in CALLS.items():
            for name in self.calls(words) if "yes" in self.all(key) else ():
                rules.add(refuse(errno.ENOSYS if name == "openat2" else errno.EPERM),
                          name)
        for value in self.all("RestrictNamespaces"):
            allowed = [] if value == "yes" else value.split()
            rules.add(refuse(errno.ENOSYS), "clone3")
            for name in set(NAMESPACES) - set(allowed):
                flag = NAMESPACES[name]
                rules.add(refuse(), "unshare", (0, MASKED, flag, flag))
                rules.add(refuse(), "clone", (0, MASKED, flag, flag))
        for value in self.all("RestrictAddressFamilies"):
            allowed = {FAMILIES[word] for word in value.split()}
            for family in set(range(64)) - allowed:
                rules.add(refuse(errno.EAFNOSUPPORT), "socket",
                          (0, EQUAL, family, 0))
        if "yes" in self.all("MemoryDenyWriteExecute"):
            both = WRITE | EXECUTE
            rules.add(refuse(), "mmap", (2, MASKED, both, both))
            for name in ("mprotect", "pkey_mprotect"):
                rules.add(refuse(), name, (2, MASKED, EXECUTE, EXECUTE))
        rules.load()
