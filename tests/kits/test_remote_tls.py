#!/usr/bin/env python3
"""End-to-end because each language has a TLS of its own.

Tests which TLS servers the kits believe, and that others never get a token.
Speaks TAP."""

import hashlib
import os
import shutil
import ssl
import subprocess

from fake_referee import Place, Unexpected
from test_kits import BUILD, RANDOM_BOTS, tap
from test_remote import each_kit

import arena

# These programs are built with TLS.
TOLD = {"c": [os.path.join(BUILD, "tests", "kits", "random-bot-tls")],
        "c++": [os.path.join(BUILD, "tests", "kits", "cpp", "random-bot-tls")]}
BOTS = {**RANDOM_BOTS, **TOLD}
WITHOUT = {"rust": BOTS.pop("rust")}


class Identity:
    """A self-signed certificate for a name."""

    def __init__(self, folder, name):
        os.mkdir(folder)
        self.key = os.path.join(folder, "key.pem")
        self.chain = os.path.join(folder, "chain.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=referee", "-addext", "subjectAltName=" + name,
             "-keyout", self.key, "-out", self.chain], check=True,
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(self.chain, encoding="ascii") as file:
            certificate = ssl.PEM_cert_to_DER_cert(file.read())
        self.pin = hashlib.sha256(certificate).hexdigest()

    def server(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key)
        return context


def believes(argv, server, more, host="127.0.0.1"):
    """Tests a conversation with a cut over TLS."""
    with Place(tls=server, more=more) as place:
        place.start(argv, host)
        place.expect("bot 1 mole token=s3cret entropy=yes")
        place.send(b"referee 1 x\ngame aa toepen seat 0 of 2\n")
        place.expect("sit main")
        for letter in b"ask 1 5 a\n":  # each byte a record of its own
            place.send(bytes([letter]))
        place.expect("@aa do 1 a")
        place.reset()
        place.expect("bot 1 mole token=s3cret entropy=yes resume=aa:2")
        place.send(b"referee 1 x\n")
        place.expect("sit main")
        place.expect("@aa do 1 a")
        place.terminate()
        place.expect("quit")
        place.send(b"over aa 00\nbye\n")
        status, err = place.finish()
        return "exit status %d\n%s" % (status, err) if status else None


def refuses(argv, server, more, host="127.0.0.1"):
    with Place(tls=server, more=more) as place:
        place.start(argv, host)
        try:
            line = place.read_line()
        except (OSError, Unexpected):  # it hung up in the handshake
            line = None
        if line is not None:
            return "it said %r" % line
        status, err = place.finish()
        if status != 1 or "refused: " not in err:
            return "exit status %d\n%s" % (status, err)
    return None


def says_nothing(argv, more):
    """Tests that to a server without TLS it sends nothing readable, and tries
    again."""
    with Place(more=more) as place:
        place.start(argv)
        place.send(b"referee 1 x\n")
        heard = place.connection.recv(65536)
        place.close()
        if b"s3cret" in heard or heard[:1] != b"\x16":
            return "it said %r" % heard
        place.accept()
        place.stop()
    return None


def wrong_arguments(argv, more, part):
    with Place(more=more) as place:
        place.start(argv)
        status, err = place.finish()
        if status != 2 or part not in err:
            return "exit status %d\n%s" % (status, err)
    return None


def test(here, other):
    colons = ":".join(here.pin[i:i + 2] for i in range(0, 64, 2)).upper()
    server = here.server()
    for title, more in (
            ("an authority", ["--ca", here.chain]),
            ("--tls beside it", ["--tls", "--ca", here.chain]),
            ("a fingerprint", ["--fingerprint", here.pin]),
            ("a fingerprint with colons", ["--fingerprint", colons]),
            ("a fingerprint, whatever the authority",
             ["--fingerprint", here.pin, "--ca", other.chain])):
        each_kit(BOTS, "believes " + title, believes, server, more)
    each_kit(BOTS, "believes a fingerprint, whatever the name", believes,
             other.server(), ["--fingerprint", other.pin])
    each_kit(BOTS, "believes a name", believes, other.server(),
             ["--ca", other.chain], "localhost")
    for title, more in (
            ("one whom nobody knows", ["--tls"]),
            ("one of another authority", ["--ca", other.chain]),
            ("another fingerprint", ["--fingerprint", other.pin]),
            ("another fingerprint, whatever the authority",
             ["--fingerprint", other.pin, "--ca", here.chain])):
        each_kit(BOTS, "refuses " + title, refuses, server, more)
    each_kit(BOTS, "refuses another address", refuses, other.server(),
             ["--ca", other.chain])
    each_kit(BOTS, "refuses another name", refuses, server,
             ["--ca", here.chain], "localhost")
    each_kit(BOTS, "no TLS at the other end", says_nothing,
             ["--ca", here.chain])
    for title, more, part in (
            ("a fingerprint that is none", ["--fingerprint", "12"],
             "--fingerprint"),
            ("no such authorities", ["--ca", "/nowhere/ca.pem"], "ca")):
        each_kit(BOTS, title, wrong_arguments, more, part)
    each_kit({language: RANDOM_BOTS[language] for language in TOLD},
             "built without TLS", wrong_arguments, ["--tls"],
             "-DREFEREE_BOT_TLS")
    for option in ("--tls", "--ca=x", "--fingerprint=" + 64 * "0"):
        each_kit(WITHOUT, option + " in a kit without TLS",
                 wrong_arguments, option.split("="), "referee connect")


def main():
    if not shutil.which("openssl"):
        tap.skip_all("no openssl here to make certificates")
    with arena.Arena() as place:
        test(Identity(place.root / "one", "IP:127.0.0.1"),
             Identity(place.root / "two", "DNS:localhost"))
    tap.done()


if __name__ == "__main__":
    main()
