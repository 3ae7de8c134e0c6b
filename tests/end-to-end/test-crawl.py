#!/usr/bin/env python3
"""Crawls all pages of a daemon behind a proxy: below /cards/ each link, form
and file leads somewhere, each page is sound, HEAD is GET without a body, gzip
has the same bytes, and a known page is not sent again.  End-to-end for a proxy, and
for links from each page to the next."""

import gzip
import http.client
import http.server
import re
import threading
import urllib.parse

import arena
import daemon
import html_page
import local_bots
import tap

PREFIX = "/cards"
CONFIG = f"""
trusted-proxies = {{ "127.0.0.1" }}
uploads = {local_bots.UPLOADS}
sign-up = code
limits {{ return-time = 100 stop-time = 1000 }}
ladder quick {{ game = daumen-drauf seats = 2 options = {{ "games=1" }}
               readers = everybody }}
ladder five {{ game = toepen seats = 2 options = {{ "points=1" }}
              readers = everybody }}
ladder secret {{ game = durnius seats = 2 }}
"""
MOST = 400  # addresses that are visited
GAMES = 3  # addresses of games among them


class Proxy(http.server.BaseHTTPRequestHandler):
    """Does what nginx does with `location /cards/ { proxy_pass http://daemon/; }`."""

    protocol_version = "HTTP/1.1"
    port = 0
    outside = []  # paths outside of our pages

    def log_message(self, *_):
        pass

    def handle_request(self):
        if not self.path.startswith(f"{PREFIX}/"):
            self.outside.append(self.path)
            self.send_error(404)
            return
        headers = {key: value for key, value in self.headers.items()
                   if key.lower() not in ("connection", "host")}
        headers["X-Forwarded-For"] = self.client_address[0]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        one = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        one.request(self.command, self.path[len(PREFIX):], body or None,
                    dict(headers, Host="cards.example"))
        answer = one.getresponse()
        data = answer.read()
        one.close()
        self.send_response_only(answer.status, answer.reason)
        for key, value in answer.getheaders():
            if key.lower() != "connection":
                self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_HEAD = do_PUT = handle_request  # noqa: N815


class Visitor:
    """Asks the proxy over one connection."""

    def __init__(self, port):
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path, method="GET", body=None, **headers):
        """Returns the code, the headers by their lower-case names, and the
        body."""
        self.link.request(method, path, body,
                          {key.replace("_", "-"): value
                           for key, value in headers.items()})
        answer = self.link.getresponse()
        return (answer.status, {key.lower(): value for key, value in
                                answer.getheaders()}, answer.read())


def without(headers, *names):
    return {key: value for key, value in headers.items()
            if key not in ("date",) + names}


def wrong_with_ways(visitor, path, code, headers, body):
    """Asks for the page by HEAD, gzipped, and again; returns sentences about
    what is wrong."""
    wrong = []
    head = visitor.ask(path, "HEAD", Accept_Encoding="identity")
    if head != (code, dict(headers, date=head[1].get("date")), b""):
        wrong.append(f"HEAD of {path}: {head[:2]}, GET: {headers}")
    packed = visitor.ask(path, Accept_Encoding="gzip")
    unpacked = gzip.decompress(packed[2]) if packed[1].get(
        "content-encoding") == "gzip" else packed[2]
    changing = ("content-encoding", "content-length", "etag")
    if unpacked != body or without(packed[1], *changing) != without(
            headers, *changing):
        wrong.append(f"gzip of {path}: {packed[:2]}, identity: {headers}")
    if len(body) > 2000 and unpacked is packed[2] and (
            headers.get("content-type", "").startswith("text/html")):
        wrong.append(f"{path} is never gzipped")
    for _, found, _ in ((code, headers, body), packed):
        if "etag" not in found:
            continue
        known = visitor.ask(path, Accept_Encoding=found.get(
            "content-encoding", "identity"), If_None_Match=found["etag"])
        leave = ("content-type", "content-length", "content-encoding")
        if (known[0], known[2]) != (304, b"") or without(
                known[1], *leave) != without(found, *leave):
            wrong.append(f"{path} once more: {known}, first: {found}")
    return wrong


def leads(path, kind, body):
    """Returns the addresses in this answer, and sentences about what is wrong."""
    text = body.decode("utf-8")
    if kind.startswith("text/html"):
        page = html_page.Page(text)
        return page.links + page.loads, page.wrong
    if kind.startswith("text/javascript"):
        return re.findall(r'(?:from |import |import\(|new URL\()"([^"]+)"',
                          text), []
    if kind.startswith("text/css"):
        return re.findall(r"url\(\"?([^\")]+)", text), []
    if kind.startswith("application/json") and "openapi" in path:
        return [], []
    return [], []


def is_enough(path, seen):
    """Returns true if enough paths of this kind have been visited."""
    return len(seen) > MOST or ("/games/" in path and sum(
        "/games/" in one for one in seen) > GAMES and "/api/" not in path) or (
            "/api/1/" in path and sum("/api/1/" in one
                                      for one in seen) > GAMES)


def crawl(visitor):
    queue, seen, wrong = [(f"{PREFIX}/", "nowhere")], {}, []
    while queue:
        path, by = queue.pop(0)
        if path in seen or is_enough(path, seen):
            continue
        code, headers, body = visitor.ask(path, Accept_Encoding="identity")
        seen[path] = code
        if code != 200:
            wrong.append(f"{by} leads to {path}: {code}")
            continue
        wrong += wrong_with_ways(visitor, path, code, headers, body)
        found, bad = leads(path, headers["content-type"], body)
        wrong += [f"{path}: {one}" for one in bad]
        for one in found:
            to = urllib.parse.urljoin(path, one).partition("#")[0]
            if "://" not in to:
                queue.append((to, path))
    return seen, wrong


def test_crawl(serve, visitor):
    seen, wrong = crawl(visitor)
    tap.equal(wrong, [], f"{len(seen)} addresses lead on, in each way")
    tap.equal(Proxy.outside, [], f"and none out of {PREFIX}/")
    ways = [re.sub(r"\{[^}]+\}", "[^/?]+", path) for path in re.findall(
        r"/[^ ,\n]*", serve.get("/nowhere").text.partition("there are ")[2])]
    never = [way for way in ways if not any(
        re.fullmatch(re.escape(PREFIX) + way + r"(\?.*)?", path)
        for path in seen)]
    apart = {"/metrics", "/healthz", "/api/1/ladders", "/api/1/events",
             "/queue",  # there is no queue
             "/tournaments", "/tournaments/[^/?]+",  # nor a tournament
             "/tournaments/[^/?]+/projector",
             "/projector", "/projector/",  # typed by hand, not linked
             "/owners/[^/?]+",  # a script leads there
             "/api/1/bots/[^/?]+/log", "/api/1/bots/[^/?]+/notes"}
    tap.ok(all("/api/1/" in way or way in apart for way in never),
           "each page was reached", never)
    for way in never:
        path = PREFIX + way.replace("[^/?]+", "quick" if "ladders" in way
                                    else "alice")
        tap.ok(visitor.ask(path)[0] in (200, 400, 401, 404), f"{path} answers")


def test_redirects(visitor):
    """Tests that old paths redirect to the present ones."""
    for old, new in (("/bots/alice/log", "/api/1/bots/alice/log"),
                     ("/records/x", "/api/1/records/x"),
                     ("/ladders/quick/running?a=b",
                      "/api/1/ladders/quick/running?a=b")):
        code, headers, _ = visitor.ask(PREFIX + old)
        to = urllib.parse.urljoin(PREFIX + old, headers.get("location", ""))
        tap.equal((code, to), (308, PREFIX + new), f"{old} has moved")


def test_forms(visitor):
    """Tests forms with all fields empty, as browsers send them."""
    path = f"{PREFIX}/ladders/quick/games"
    text = visitor.ask(path)[2].decode()
    names = re.findall(r'<(?:input|select)[^>]* name="(\w+)"', text)
    page = html_page.Page(text)
    to = urllib.parse.urljoin(path, page.loads[0])
    code = visitor.ask(f"{to}?" + "&".join(f"{one}=" for one in names))[0]
    tap.ok(code == 200 and len(names) > 4, "an empty form is a page",
           (code, names, to))


def test_upload(serve, visitor):
    token = serve.token("alice")
    code, headers, body = visitor.ask(
        f"{PREFIX}/bots/alice", "PUT", b"no archive", X_Bot="alice",
        Authorization=f"Bearer {token}")
    to = urllib.parse.urljoin(f"{PREFIX}/bots/alice", headers.get("location", ""))
    tap.equal((code, to), (202, f"{PREFIX}/api/1/bots/alice/log"),
              "an upload leads to its log")
    tap.ok(visitor.ask(to, X_Bot="alice", Authorization=f"Bearer {token}")[0]
           == 200, "which is there", body)


def test_client(serve, visitor):
    """Tests that the daemon sees the proxy's client, also for wrong tokens."""
    visitor.ask(f"{PREFIX}/api/1/bots/alice/log", X_Bot="alice",
                Authorization="Bearer x", X_Forwarded_For="192.0.2.7")
    tap.ok(arena.wait_for(lambda: serve.log("wrong-token address=127.0.0.1 ")),
           "what a client says of itself does not count", serve.text()[-500:])


with daemon.Daemon(CONFIG) as serve:
    serve.start()
    for name, ladder in (("alice", "quick"), ("bob", "quick"), ("carol", "five"),
                         ("dave", "five"), ("erna", "secret"),
                         ("fritz", "secret")):
        serve.play(name, ladder)
    arena.wait_for(lambda: all(
        serve.metric(f'referee_games_rated_total{{ladder="{name}"}}') >= 1
        for name in ("quick", "five", "secret")))
    for guest, _ in serve.players:
        guest.socket.shutdown(2)
    serve.stand_still("quick", "five", "secret")
    # A fit changes pages, too.  No other is due after those of the start.
    serve.stop()
    serve.configure(CONFIG + "log-level = debug\n")
    serve.start()
    serve.wait_for_log("pairing-fitted", 3)
    Proxy.port = serve.port("pages")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    guest = Visitor(server.server_address[1])
    test_crawl(serve, guest)
    test_redirects(guest)
    test_forms(guest)
    test_upload(serve, guest)
    test_client(serve, guest)
    guest.link.close()
    server.shutdown()
    server.server_close()
    tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
