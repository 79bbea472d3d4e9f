#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Identity-Aware Proxy's relay on loopback, with TLS and a certificate authority of its own.

    iap_relay.py serve DIR [TROUBLE ...]         writes DIR/ca.pem, DIR/url and DIR/log, and serves until it is killed
    iap_relay.py exchange BYTES COMMAND ...      sends that many random bytes through COMMAND's stdin to an echo and compares

DIR/hosts has lines "INSTANCE ADDRESS"; a machine that is not in it is an echo. Trouble:
    cut:N          the connection is cut, without a word, each time N more bytes have gone in either direction (N a list: once each)
    refuse:CODE    every new session is closed with that code; close:CODE the same, after it has connected
    http:STATUS    the upgrade is answered with that status; down:N  the first N reconnects get a 503
    token:TEXT     only this token will do
    forget         sessions do not outlive their connection
"""
import asyncio, base64, hashlib, os, ssl, struct, subprocess, sys, threading
from urllib.parse import parse_qs, urlsplit

WINDOW = 1 << 20  # sent and not confirmed: then the machine behind waits
ACK_EVERY = 32768


class Relay:
    def __init__(self, folder, trouble):
        self.folder, self.sessions, self.moved = folder, {}, 0
        self.trouble = {name: value for name, _, value in (one.partition(":") for one in trouble)}
        self.cuts = sorted(int(n) for n in self.trouble.get("cut", "").split(",") if n)
        self.down = int(self.trouble.get("down", 0))

    def log(self, line):
        with open(f"{self.folder}/log", "a") as out:
            out.write(line + "\n")

    def address_of(self, instance):
        try:
            for line in open(f"{self.folder}/hosts"):
                name, address = line.split()
                if name == instance:
                    return address
        except FileNotFoundError:
            pass
        return None

    async def serve(self, reader, writer):
        try:
            await self.upgrade(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.transport.abort()

    async def upgrade(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        url = urlsplit(lines[0].split(" ")[1])
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:] if line)}
        query = {k: v[0] for k, v in parse_qs(url.query).items()}
        verb = url.path.rsplit("/", 1)[-1]
        self.log(" ".join([verb] + [f"{k}={v}" for k, v in sorted(query.items()) if k not in ("sid", "ack")]))
        status = int(self.trouble.get("http", 0))
        if self.trouble.get("token", "") not in ("", headers.get("authorization", "").removeprefix("Bearer ")):
            status = 401
        if verb == "reconnect" and self.down > 0:
            self.down, status = self.down - 1, 503
        if headers.get("origin") != "bot:iap-tunneler" or headers.get("sec-websocket-protocol") != "relay.tunnel.cloudproxy.app":
            status = 400
        if status:
            writer.write(f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode())
            return await writer.drain()
        accept = base64.b64encode(hashlib.sha1((headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Protocol: relay.tunnel.cloudproxy.app\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        connection = Connection(self, reader, writer)
        if verb == "connect" and "refuse" in self.trouble:
            return await connection.close(int(self.trouble["refuse"]), "no")
        if verb == "connect":
            session = await Session.make(self, query["instance"], int(query["port"]))
            if session is None:
                return await connection.close(4003, "failed to connect to backend")
            connection.message(struct.pack(">HI", 1, len(session.sid)) + session.sid.encode())
            if "close" in self.trouble:
                return await connection.close(int(self.trouble["close"]), "no more")
        else:
            session = self.sessions.get(query["sid"])
            if session is None:
                return await connection.close(4001, "unknown sid")
            await session.confirm(int(query["ack"]))
            connection.message(struct.pack(">HQ", 2, session.received))
        try:
            await connection.carry(session)
        finally:
            if "forget" in self.trouble:
                self.sessions.pop(session.sid, None)

    def count(self, n, connection):
        self.moved += n
        if self.cuts and self.moved >= self.cuts[0]:
            self.log(f"cut at {self.cuts.pop(0)}")
            connection.dead = True
            connection.writer.transport.abort()
            raise ConnectionAbortedError


class Session:
    """The connection to the machine: outlives the websocket."""

    @staticmethod
    async def make(relay, instance, port):
        self = Session()
        self.sid, self.received, self.base, self.out, self.ended = os.urandom(8).hex(), 0, 0, bytearray(), False
        self.changed = asyncio.Condition()
        address = relay.address_of(instance)
        try:
            self.reader, self.writer = await asyncio.open_connection(address or "127.0.0.1", port if address else relay.echo_port)
        except OSError:
            return None
        relay.sessions[self.sid] = self
        self.task = asyncio.ensure_future(self.collect())
        return self

    async def collect(self):
        while True:
            async with self.changed:
                await self.changed.wait_for(lambda: len(self.out) < WINDOW)
            piece = await self.reader.read(65536)
            async with self.changed:
                self.out += piece
                self.ended = not piece
                self.changed.notify_all()
            if not piece:
                return

    async def confirm(self, total):
        assert self.base <= total <= self.base + len(self.out), "confirmed what was not sent"
        async with self.changed:
            del self.out[:total - self.base]
            self.base = total
            self.changed.notify_all()


class Connection:
    def __init__(self, relay, reader, writer):
        self.relay, self.reader, self.writer, self.dead = relay, reader, writer, False

    def frame(self, opcode, payload):
        size = len(payload)
        length = bytes([size]) if size < 126 else struct.pack(">BH", 126, size) if size < 65536 else struct.pack(">BQ", 127, size)
        self.writer.write(bytes([0x80 | opcode]) + length + payload)

    def message(self, payload):
        self.frame(2, payload)

    async def close(self, code, reason):
        self.relay.log(f"close {code}")
        self.frame(8, struct.pack(">H", code) + reason.encode())
        await self.writer.drain()
        await asyncio.wait_for(self.reader.read(), 5)

    async def read_frame(self):
        first, second = await self.reader.readexactly(2)
        assert second & 0x80, "a client masks"
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
        mask = await self.reader.readexactly(4)
        payload = await self.reader.readexactly(size)
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        return first & 0xF, (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")

    async def carry(self, session):
        sender = asyncio.ensure_future(self.send(session))
        try:
            await self.receive(session)
        finally:
            sender.cancel()

    async def send(self, session):
        at = session.base
        while True:
            async with session.changed:
                await session.changed.wait_for(lambda: session.ended or at < session.base + len(session.out))
            piece = bytes(session.out[at - session.base:][:16384])
            if not piece:
                return await self.close(1000, "")
            self.message(struct.pack(">HI", 4, len(piece)) + piece)
            at += len(piece)
            self.relay.count(len(piece), self)
            await self.writer.drain()

    async def receive(self, session):
        acked = session.received
        while True:
            opcode, payload = await self.read_frame()
            if self.dead:  # what had arrived before the cut is lost with it
                raise ConnectionAbortedError
            if opcode == 8:
                code = struct.unpack(">H", payload[:2])[0] if payload else 0
                self.relay.log(f"client closed {code} after {session.received} bytes")
                session.writer.close()
                return
            (tag,) = struct.unpack(">H", payload[:2])
            if tag == 7:
                await session.confirm(struct.unpack(">Q", payload[2:10])[0])
            elif tag == 4:
                (size,) = struct.unpack(">I", payload[2:6])
                assert size <= 16384 and len(payload) == size + 6
                session.writer.write(payload[6:])
                session.received += size
                await session.writer.drain()
                self.relay.count(size, self)
                if session.received - acked >= ACK_EVERY:
                    acked = session.received
                    self.message(struct.pack(">HQ", 7, acked))


async def echo(reader, writer):
    while piece := await reader.read(65536):
        writer.write(piece)
        await writer.drain()
    writer.close()


def make_certificates(folder):
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=private")
    openssl("req", *curve, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost")
    with open(f"{folder}/extensions", "w") as out:
        out.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "extensions", "-out", "cert.pem")


async def serve(folder, trouble):
    if not os.path.exists(f"{folder}/cert.pem"):
        make_certificates(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    relay = Relay(folder, trouble)
    behind = await asyncio.start_server(echo, "127.0.0.1", 0)
    relay.echo_port = behind.sockets[0].getsockname()[1]
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0, ssl=context)
    with open(f"{folder}/url.new", "w") as out:
        out.write(f"wss://localhost:{server.sockets[0].getsockname()[1]}\n")
    os.rename(f"{folder}/url.new", f"{folder}/url")
    await server.serve_forever()


def exchange(count, command):
    data = os.urandom(count)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        try:
            child.stdin.write(data)
            child.stdin.flush()
        except BrokenPipeError:
            pass
    threading.Thread(target=feed, daemon=True).start()
    got = b""
    while len(got) < count and (piece := child.stdout.read1(1 << 20)):
        got += piece
    child.stdin.close()
    rest = child.stdout.read()
    print(f"{'the same' if got == data and not rest else f'{len(got)} other'} bytes, exit {child.wait()}")


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve(sys.argv[2], sys.argv[3:]))
    else:
        exchange(int(sys.argv[2]), sys.argv[3:])
