#!/usr/bin/env python3
"""Tests that an error in a browser script outside of its tests becomes a failed
test point with a stack, and that the script goes on if it can."""

import http.server
import sys
import threading

import tap
import web


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><link rel=icon href='data:,'>")

    def log_message(self, *_):
        pass


def look(base, throws):
    """Returns what a test program prints about that script, and how it ends."""
    return tap.run([*tap.PYTHON, __file__, base,
                    *(["throws"] if throws else [])])


def points(done, begins):
    return [line for line in done.out.splitlines() if line.startswith(begins)]


def test_faults(base):
    done = look(base, False)
    wrong = points(done, "not ok ")
    tap.equal(len(wrong), 2, "two faults")
    tap.ok(all("nothing goes wrong beside the tests" in one for one in wrong),
           "are failed test points", done)
    for text in ("Error: thrown in a listener", "Error: rejected beside a test"):
        tap.ok(f"# {text}" in done.out and
               points(done, "#     at file:///"), f"`{text}`, with its stack", done)
    tap.ok(points(done, "ok ")[-1:] and "ran to its end" in
           points(done, "ok ")[-1], "and the script goes on", done)
    tap.equal(done.code, 1, "the program fails")


def test_throws(base):
    done = look(base, True)
    tap.ok("# Error: thrown by the script" in done.out,
           "what the script itself throws is told", done)
    tap.ok("ran to its end" in points(done, "not ok ")[-1],
           "and it has not run to its end", done)


if len(sys.argv) > 1:
    web.play("web-faults.mjs", {"page": sys.argv[1], "throws":
                                len(sys.argv) > 2})
    tap.done()
if not web.skip("faults in a script for a browser"):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        URL = f"http://127.0.0.1:{server.server_address[1]}/"
        test_faults(URL)
        test_throws(URL)
        server.shutdown()
tap.done()
