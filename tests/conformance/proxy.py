# SPDX-License-Identifier: Apache-2.0
"""What stands between the program and the emulator: it writes down every request, and makes the case's trouble.

Three things are set right on the way, because the emulator lives by a clock and the recording server did not:
  * a question for an operation is answered when the operation is done, so that one poll is enough;
  * `page_size` caps the pageSize of lists, so that a small world has several pages;
  * a page token handed out becomes {PAGE} in the record when it comes back, for tokens are the server's own business.
"""
import email
import http.client
import json
import os
import re
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

LISTS = re.compile(r"/(nodes|queuedResources|acceleratorTypes|runtimeVersions|reservations|locations)$")
OPERATION = re.compile(r"^/v2(alpha1)?/.*/operations/[^/:]+$")
LONGEST_OPERATION = 90  # seconds
HTML = "<!DOCTYPE html>\n<html lang=en>\n<title>Error %d</title>\n<p><b>%d.</b> That's an error.\n"


def decoded(raw, path):
    """The body as the record keeps it: JSON where it is JSON. Of a token request only its kind: the rest is secret."""
    if not raw:
        return None
    if path == "/token":
        return {"grant_type": parse_qs(raw.decode("utf-8", "replace")).get("grant_type", [None])[0]}
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode("utf-8", "replace")


class Proxy:
    """Context manager. `requests` are dicts: method, path, query, headers, body, answer (0: none came), time."""

    def __init__(self, port, page_size=None, faults=()):
        self.port, self.page_size = port, page_size
        self.faults = [dict(fault, left=fault.get("times", -1)) for fault in faults]
        self.requests, self.tokens, self.lock = [], set(), threading.Lock()
        handler = type("Handler", (Handler,), {"proxy": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def note(self, method, target, headers, raw):
        parts = urlsplit(target)
        query = parse_qs(parts.query, keep_blank_values=True)
        entry = {"method": method, "path": parts.path, "query": query, "headers": headers,
                 "body": decoded(raw, parts.path), "answer": 0, "time": time.monotonic()}
        with self.lock:
            if query.get("pageToken", [None])[0] in self.tokens:
                query["pageToken"] = ["{PAGE}"]
            self.requests.append(entry)
        return entry

    def fault(self, method, path):
        with self.lock:
            for fault in self.faults:
                if fault["left"] and fault.get("method", method) == method and re.search(fault.get("path", ""), path):
                    fault["left"] -= 1
                    return fault
        return None

    def ask(self, method, target, headers, raw):
        """The emulator's answer: status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                if name.lower() not in ("connection", "transfer-encoding", "content-length", "expect"):
                    connection.putheader(name, value)
            connection.putheader("Connection", "close")
            if raw or method in ("POST", "PATCH", "PUT"):
                connection.putheader("Content-Length", str(len(raw)))
            connection.endheaders(raw or None)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def answer(self, method, target, headers, raw):
        parts = urlsplit(target)
        is_list = method == "GET" and LISTS.search(parts.path)
        if is_list and self.page_size:
            query = parse_qs(parts.query, keep_blank_values=True)
            wish = int(query.get("pageSize", ["0"])[0]) or self.page_size
            query["pageSize"] = [str(min(wish, self.page_size))]
            target = parts.path + "?" + urlencode(query, doseq=True)
        status, out, body = self.ask(method, target, headers, raw)
        end = time.monotonic() + LONGEST_OPERATION
        while method == "GET" and OPERATION.match(parts.path) and status == 200 and time.monotonic() < end:
            if json.loads(body).get("done"):
                break
            time.sleep(0.01)
            status, out, body = self.ask(method, target, headers, raw)
        if is_list and status == 200:
            with self.lock:
                self.tokens.add(json.loads(body).get("nextPageToken"))
        return status, out, body


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    proxy = None

    def log_message(self, *_):
        pass

    def payload(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        raw = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            raw += self.rfile.read(size)
            self.rfile.readline()
            if not size:
                return raw

    def handle_request(self):
        raw = self.payload()
        if self.path.startswith("/batch"):
            return self.handle_batch(raw)
        entry = self.proxy.note(self.command, self.path, dict(self.headers.items()), raw)
        fault = self.proxy.fault(self.command, entry["path"])
        kind = fault["kind"] if fault else ""
        if kind == "reset":
            return self.reset()
        if kind == "given":  # what the emulator has no stock of
            status, headers, body = 200, [], json.dumps(fault["body"]).encode()
        elif kind == "garbage":
            status, headers, body = 200, [], b'{"name": "projects/'
        elif kind == "html":
            status = fault["status"]
            headers, body = [("Content-Type", "text/html; charset=UTF-8")], (HTML % (status, status)).encode()
        elif kind == "error":
            status, headers = fault["status"], list(fault.get("headers", {}).items())
            body = json.dumps({"error": dict({"code": status}, **fault["error"])}).encode()
        else:
            status, headers, body = self.proxy.answer(self.command, self.path, dict(self.headers.items()), raw)
        entry["answer"] = status
        if kind == "lost":
            return self.reset()
        self.reply(status, headers, body)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = handle_request

    def handle_batch(self, raw):
        """Several requests in one: each is written down as if it had come alone."""
        entries = []
        message = email.message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + raw)
        for part in message.get_payload():
            head, _, body = part.get_payload().replace("\r\n", "\n").partition("\n\n")
            line, _, lines = head.partition("\n")
            method, target = line.split(" ")[:2]
            headers = dict(self.headers.items()) | dict(email.message_from_string(lines).items())
            entries.append(self.proxy.note(method, target, headers, body.strip().encode()))
        status, headers, body = self.proxy.answer(self.command, self.path, dict(self.headers.items()), raw)
        for entry, found in zip(entries, re.findall(rb"\r\nHTTP/1\.1 (\d+) ", body)):
            entry["answer"] = int(found)
        self.reply(status, headers, body)

    def reply(self, status, headers, body):
        self.send_response_only(status)
        headers = [(n, v) for n, v in headers if n.lower() not in ("content-length", "connection", "transfer-encoding", "keep-alive")]
        if not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", "application/json; charset=UTF-8"))
        for name, value in headers + [("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.rfile.close()
        self.wfile = open(os.devnull, "wb")
        self.connection.close()
