#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Servers of a hostile network, on loopback: an API behind TLS, and a proxy that wants a password.

    network.py api NAME [--cert FILE --key FILE] [--client-ca FILE] [--tls VERSION] [--host ADDRESS]
    network.py proxy NAME [--user USER:PASSWORD] [--refuse STATUS]

The port is written to NAME.port when the server listens, and a line for each request to NAME.log. The API lists no nodes; the
zone of a request chooses another answer (ANSWERS). It gives tokens too: POST /token, /revoke, ...:generateAccessToken.
"""
import argparse
import base64
import hashlib
import http.server
import json
import os
import select
import socket
import socketserver
import ssl
import sys
import threading
import urllib.parse
import warnings

SHOWN = ("X-Goog-User-Project", "X-Goog-Request-Reason", "Cookie")


def refusal(reason, **metadata):
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com", "metadata": metadata}
    return 403, {"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Refused: %s." % reason, "details": [info]}}


def disabled(headers):
    return refusal("SERVICE_DISABLED", service="tpu.googleapis.com", consumer="projects/my-project",
                   activationUrl="https://console.developers.google.com/apis/api/tpu.googleapis.com/overview?project=my-project")


def foreign(headers):
    if headers.get("X-Goog-User-Project"):
        return 200, {}
    return refusal("SERVICE_DISABLED", service="tpu.googleapis.com", consumer="projects/764086051850")


def denied_project(headers):
    return refusal("USER_PROJECT_DENIED") if headers.get("X-Goog-User-Project") else (200, {})


def late(headers):
    return 401, {"error": {"code": 401, "status": "UNAUTHENTICATED", "message": "Request had invalid authentication credentials."}}


ANSWERS = {"disabled": disabled, "foreign": foreign, "denied-project": denied_project, "late": late}


def token(grant, form):
    """The token endpoint. A code is CODE. and the challenge that the browser saw."""
    answer = {"access_token": "access-token-of-mine", "token_type": "Bearer", "expires_in": 3599}
    if grant == "authorization_code":
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if form["code"] != "CODE." + challenge:
            return 400, {"error": "invalid_grant", "error_description": "Bad Request"}
        claims = base64.urlsafe_b64encode(json.dumps({"email": "me@example.com"}).encode()).decode().rstrip("=")
        answer.update(refresh_token="refresh-token-of-mine", id_token="e30.%s.signature" % claims,
                      scope="openid https://www.googleapis.com/auth/cloud-platform")
    if grant == "token-exchange":
        answer["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
    return 200, answer


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        peer = self.connection.getpeercert() if isinstance(self.connection, ssl.SSLSocket) else None
        names = [value for part in (peer or {}).get("subject", ()) for key, value in part if key == "commonName"]
        told = ["%s=%s" % (name, self.headers[name]) for name in SHOWN if self.headers[name]]
        self.server.log(" ".join([self.command, self.path.split("?")[0]] + told + ["certificate=%s" % name for name in names]))
        zone = self.path.split("/locations/")[-1].split("/")[0]
        if zone == "moved":
            self.answer(302, {}, [("Location", "https://%s/elsewhere" % self.headers["Host"])])
        else:
            status, body = ANSWERS.get(zone, lambda headers: (200, {}))(self.headers)
            date = [("Date", "Fri, 01 Jan 2100 00:00:00 GMT")] if zone == "late" else []
            self.answer(status, body, date)

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        path = self.path.split("?")[0]
        grant = form.get("grant_type", "").rsplit(":", 1)[-1]
        self.server.log(" ".join(["POST", path, grant]).strip())
        if path == "/token":
            self.answer(*token(grant, form), [])
        elif path.endswith(":generateAccessToken"):
            self.answer(200, {"accessToken": "token-of-another", "expireTime": "2099-01-01T00:00:00Z"}, [])
        else:
            self.answer(200 if form.get("token") == "refresh-token-of-mine" else 400, {}, [])

    def answer(self, status, body, headers):
        text = json.dumps(body).encode()
        self.send_response_only(status)
        for name, value in headers + [("Content-Type", "application/json"), ("Content-Length", str(len(text)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Proxy(http.server.BaseHTTPRequestHandler):
    def do_CONNECT(self):
        wanted = self.server.options.user and "Basic " + base64.b64encode(self.server.options.user.encode()).decode()
        known = not wanted or self.headers.get("Proxy-Authorization") == wanted
        status = self.server.options.refuse or (200 if known else 407)
        self.server.log("CONNECT %s %d" % (self.path, status))
        if status != 200:
            self.send_response_only(status)
            self.send_header("Content-Length", "0")
            if status == 407:
                self.send_header("Proxy-Authenticate", 'Basic realm="office"')
            self.end_headers()
            return
        host, port = self.path.rsplit(":", 1)
        with socket.create_connection((host.strip("[]"), int(port))) as far:
            self.send_response_only(200)
            self.end_headers()
            self.pump(far)
        self.close_connection = True

    def pump(self, far):
        other = {self.connection: far, far: self.connection}
        while True:
            for near in select.select(list(other), [], [])[0]:
                data = near.recv(65536)
                if not data:
                    return
                other[near].sendall(data)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def log(self, line):
        with open(self.options.name + ".log", "a") as log:
            log.write(line + "\n")

    def handle_error(self, *_):
        self.log("broken connection")

    def get_request(self):
        connection, address = super().get_request()
        if self.context:  # the handshake is the thread's
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address


class Server6(Server):
    address_family = socket.AF_INET6


def context_of(options):
    if not options.cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.cert, options.key)
    if options.tls:
        warnings.simplefilter("ignore")  # old versions are what it is about
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion[options.tls]
        context.set_ciphers("ALL:@SECLEVEL=0")
    if options.client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(options.client_ca)
    return context


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["api", "proxy"])
    parser.add_argument("name")
    for flag in ("--cert", "--key", "--client-ca", "--tls", "--user"):
        parser.add_argument(flag)
    parser.add_argument("--refuse", type=int)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    server = (Server6 if ":" in options.host else Server)((options.host, 0), {"api": Api, "proxy": Proxy}[options.kind])
    server.options, server.context = options, context_of(options)
    open(options.name + ".log", "w").close()
    if os.fork():
        sys.exit()  # who started it goes on when it listens
    os.setsid()
    with open(options.name + ".port.new", "w") as port:
        port.write(str(server.server_address[1]))
    os.rename(options.name + ".port.new", options.name + ".port")
    with open(options.name + ".pid", "w") as pid:
        pid.write("%d\n" % os.getpid())
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    parent_gone = threading.Event()
    while not parent_gone.wait(1):
        if not os.path.exists(options.name + ".port"):  # its folder is gone with the session
            return


if __name__ == "__main__":
    main()
