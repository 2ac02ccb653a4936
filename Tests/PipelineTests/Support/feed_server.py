#!/usr/bin/env python3
"""Serves feeds on loopback, with every behaviour seen in real servers, and prints its port.

The argument is a folder of answers: for the path /berlin.zip it has the file berlin.zip.json, which is read anew for each request:

  body      file in the folder                      etag, date   headers, if any
  status    200 unless given                        encoding     Content-Encoding; "gzip" also compresses
  conduct   how the body is sent, see `conducts`    location     Location
  length    Content-Length other than the body's    failures     number of requests answered 503 first
  until     the file that "hold" waits for          compares     "equal": only the same date is one that is known
  cookie    NAME=VALUE; a request without it gets it, and a redirect to the same path
  broken    a conduct for the first `failures` requests, in place of 503; or a list of them, with "503", that take turns

Each request is written to requests.jsonl, so that tests can check it.
"""

import email.utils
import gzip
import http.server
import json
import pathlib
import random
import socket
import struct
import sys
import threading
import time

folder = pathlib.Path(sys.argv[1])
lock = threading.Lock()
counts = {}


def whole(handler, body):
    handler.wfile.write(body)


def half(handler, body):
    handler.wfile.write(body[: len(body) // 2])


def trickle(handler, body):
    for byte in body:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.05)


def stall(handler, body):
    half(handler, body)
    handler.wfile.flush()
    (folder / "stalled").touch()
    time.sleep(600)


def hold(handler, body):
    """The second half comes when the test makes a file."""
    half(handler, body)
    handler.wfile.flush()
    (folder / "stalled").touch()
    while not (folder / handler.until).exists():
        time.sleep(0.01)
    handler.wfile.write(body[len(body) // 2 :])


def reset(handler, body):
    half(handler, body)
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def endless(handler, body):
    """Chunks without end and without a length."""
    chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    while True:
        handler.wfile.write(chunk)


def bomb(handler, body):
    """Sixteen megabytes that are sixteen kilobytes on their way."""
    handler.wfile.write(gzip.compress(bytes(16 << 20), 1))


def spoiled(handler, body):
    """Compressed, and damaged in the middle."""
    handler.wfile.write(gzip.compress(random.Random(1).randbytes(400_000), 1)[:200_000] + b"\xff" * 200_000)


conducts = {f.__name__: f for f in (whole, half, trickle, stall, hold, reset, endless, bomb, spoiled)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.lstrip("/").split("?")[0]
        with lock:
            counts[name] = counts.get(name, 0) + 1
            with open(folder / "requests.jsonl", "a") as log:
                log.write(json.dumps({"path": self.path, "headers": dict(self.headers)}) + "\n")
        try:
            answer = json.loads((folder / f"{name}.json").read_text())
        except OSError:
            return self.send_error(404)
        if counts[name] <= answer.get("failures", 0):
            broken = answer.get("broken", "503")
            if isinstance(broken, list):
                broken = broken[(counts[name] - 1) % len(broken)]
            if broken == "503":
                return self.send_error(503)
            answer["conduct"] = broken
        time.sleep(answer.get("delay", 0))
        if "cookie" in answer and self.headers.get("Cookie") != answer["cookie"]:
            answer |= {"status": 302, "location": self.path}
        self.answer(answer)

    def answer(self, answer):
        status = 304 if self.is_known(answer) else answer.get("status", 200)
        body = (folder / answer["body"]).read_bytes() if status != 304 and "body" in answer else b""
        conduct = answer.get("conduct", "whole")
        self.until = answer.get("until", "")
        if conduct == "spoiled":
            answer["encoding"] = "gzip"
        elif answer.get("encoding") == "gzip" and conduct != "bomb":
            body = gzip.compress(body)
        self.send_response(status)
        for header, key in (("ETag", "etag"), ("Last-Modified", "date"), ("Location", "location"), ("Content-Encoding", "encoding"), ("Set-Cookie", "cookie")):
            if key in answer:
                self.send_header(header, answer[key])
        if conduct in ("endless", "bomb", "spoiled") and "length" not in answer:
            self.send_header("Transfer-Encoding" if conduct == "endless" else "Connection",
                             "chunked" if conduct == "endless" else "close")
        else:
            self.send_header("Content-Length", str(answer.get("length", len(body))))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            conducts[conduct](self, body)
        except OSError:
            pass  # the client has had enough

    def is_known(self, answer):
        """As RFC 9110, 13.1: a date counts only where no ETag was sent, and is exceeded, not equalled."""
        if "If-None-Match" in self.headers:
            return self.headers["If-None-Match"] == answer.get("etag")
        known, own = self.headers.get("If-Modified-Since"), answer.get("date")
        if not known or not own or answer.get("compares") == "equal":
            return own is not None and known == own
        # Not after the date that the client has (13.1.3).
        return email.utils.parsedate_to_datetime(own) <= email.utils.parsedate_to_datetime(known)

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
