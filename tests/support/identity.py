#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Google's and AWS's identity services on loopback, for tests: OAuth, STS, IAM Credentials, the metadata server of a VM, the
metadata service of AWS (IMDSv2), a provider of subject tokens as GitHub Actions has it, and one API that wants a token.

    identity.py PORT_FILE       serves until standard input ends or ten minutes are over

POST /control with JSON sets, for all that follows:
    answers   {PATH: [ANSWER, ...]}, each used once, the last one for ever; ANSWER is {status, json|text, headers}
    life      seconds that tokens live (3600)
    subject_life  seconds that subject tokens live (300)
    skew      seconds that this server's clock is ahead
POST /reset takes all that back, and forgets. GET /log gives every request since: [{method, path, headers, form|body}].
"""
import base64
import json
import os
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REQUEST_TOKEN = "request-token-of-the-workflow"
IDENTITY = "urn:ietf:params:oauth:grant-type:"


class State:
    def __init__(self):
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        self.answers, self.log, self.tokens, self.subjects = {}, [], {}, {}
        self.life, self.subject_life, self.skew, self.count = 3600, 300, 0, 0

    def new(self, kind, life=None):
        self.count += 1
        token = f"{kind}-token-{self.count:04d}"
        self.tokens[token] = self.now() + (self.life if life is None else life)
        return token

    def now(self):
        return time.time() + self.skew


STATE = State()


class Refusal(Exception):
    def __init__(self, status, body):
        super().__init__(body)
        self.status, self.body = status, body


def oauth_error(error, description, status=400):
    return Refusal(status, {"error": error, "error_description": description})


def claims_of(assertion):
    try:
        part = assertion.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (IndexError, ValueError) as spoiled:
        raise oauth_error("invalid_grant", "Invalid JWT.") from spoiled


def oauth(call):
    form = call.form
    if form.get("grant_type") == "refresh_token":
        if not form.get("client_id") or not form.get("client_secret"):
            raise oauth_error("invalid_client", "The OAuth client was not found.", 401)
        if form.get("refresh_token", "").startswith("revoked"):
            raise oauth_error("invalid_grant", "Token has been expired or revoked.")
        return {"access_token": STATE.new("user"), "expires_in": STATE.life, "token_type": "Bearer", "scope": "cloud-platform"}
    if form.get("grant_type") == IDENTITY + "jwt-bearer":
        claims = claims_of(form.get("assertion", ""))
        if claims["iat"] > STATE.now() or claims["exp"] < STATE.now() or claims["exp"] - claims["iat"] != 3600:
            raise oauth_error("invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                                               "timeframe. Check your iat and exp values in the JWT claim.")
        return {"access_token": STATE.new("key"), "expires_in": STATE.life, "token_type": "Bearer"}
    raise oauth_error("unsupported_grant_type", "Invalid grant_type: " + form.get("grant_type", ""))


def sts(call):
    form = call.form
    wanted = {"grant_type": IDENTITY + "token-exchange", "requested_token_type": "urn:ietf:params:oauth:token-type:access_token"}
    if any(form.get(name) != value for name, value in wanted.items()) or not form.get("audience") or not form.get("scope"):
        raise oauth_error("invalid_request", "The request is not a token exchange.")
    subject = form.get("subject_token", "")
    if subject in STATE.subjects and STATE.subjects[subject] < STATE.now():
        raise oauth_error("invalid_grant", "The given credential is rejected: ID Token is expired.")
    known = subject in STATE.subjects or subject.startswith("subject") or "GetCallerIdentity" in subject
    if not known:
        raise oauth_error("invalid_grant", "The given credential is rejected by the attribute condition.")
    return {"access_token": STATE.new("federated"), "issued_token_type": wanted["requested_token_type"], "token_type": "Bearer",
            "expires_in": STATE.life}


def sts_user(call):
    login = base64.b64decode(call.headers.get("Authorization", "Basic ")[6:]).decode()
    if login != "pool-client:pool-client-secret":
        raise oauth_error("invalid_client", "The client is not known.", 401)
    if call.form.get("refresh_token", "").startswith("revoked"):
        raise oauth_error("invalid_grant", "Token has been expired or revoked.")
    return {"access_token": STATE.new("workforce"), "expires_in": STATE.life, "token_type": "Bearer"}


def require_bearer(call):
    token = call.headers.get("Authorization", "").removeprefix("Bearer ")
    if STATE.tokens.get(token, 0) > STATE.now():
        return token
    raise Refusal(401, {"error": {"code": 401, "status": "UNAUTHENTICATED",
                                  "message": "Request had invalid authentication credentials."}})


def impersonate(call):
    require_bearer(call)
    until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(STATE.now() + STATE.life))
    return {"accessToken": STATE.new("impersonated"), "expireTime": until}


def metadata(call):
    if call.headers.get("Metadata-Flavor") != "Google":
        raise Refusal(403, "Missing Metadata-Flavor:Google header.\n")
    if call.route.endswith("/token"):
        return {"access_token": STATE.new("machine"), "expires_in": STATE.life, "token_type": "Bearer"}
    return ""


def aws(call):
    if call.method == "PUT":
        return "aws-session-token"
    if call.headers.get("X-aws-ec2-metadata-token") != "aws-session-token":
        raise Refusal(401, "")
    if call.route.endswith("/availability-zone"):
        return "eu-west-1b"
    if call.route.endswith("/role-of-the-machine"):
        return {"AccessKeyId": "AKIDEXAMPLE", "SecretAccessKey": "aws-secret-access-key", "Token": "aws-security-token"}
    return "role-of-the-machine"


def subject(call):
    if call.headers.get("Authorization") != "Bearer " + REQUEST_TOKEN:
        raise Refusal(401, "not the workflow")
    STATE.count += 1
    token = f"subject-{STATE.count:04d}"
    STATE.subjects[token] = STATE.now() + STATE.subject_life
    return {"value": token}


def api(call):
    require_bearer(call)
    return {}


ROUTES = [("/token", oauth), ("/v1/token", sts), ("/v1/oauthtoken", sts_user), ("/v1/projects/-/serviceAccounts/", impersonate),
          ("/computeMetadata/", metadata), ("/latest/", aws), ("/subject", subject), ("/v2/", api), ("/v2alpha1/", api)]


class Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return formatdate(STATE.now() if timestamp is None else timestamp, usegmt=True)

    def answer(self, status, body, headers=None):
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "text/plain" if isinstance(body, str) else "application/json"
        fields = {"Content-Type": kind}
        if self.route.startswith("/computeMetadata/"):
            fields["Metadata-Flavor"] = "Google"
        fields.update(headers or {})
        self.send_response(status)
        for name, value in fields.items():
            if value is not None:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def scripted(self):
        for path, answers in STATE.answers.items():
            if self.route == path or (path.endswith("*") and self.route.startswith(path[:-1])):
                return answers.pop(0) if len(answers) > 1 else answers[0]
        return None

    def serve(self):
        self.method, self.route = self.command, self.path.split("?")[0]
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.form = dict(urllib.parse.parse_qsl(self.body, keep_blank_values=True))
        with STATE.lock:
            if self.route in ("/control", "/reset", "/log"):
                self.control()
                return
            entry = {"method": self.method, "path": self.path, "headers": dict(self.headers)}
            form = "urlencoded" in self.headers.get("Content-Type", "")
            entry["form" if form else "body"] = self.form if form else self.body
            STATE.log.append(entry)
            one = self.scripted()
            if one is not None:
                self.answer(one.get("status", 200), one["json"] if "json" in one else one.get("text", ""), one.get("headers"))
                return
            try:
                handler = next((handler for prefix, handler in ROUTES if self.route.startswith(prefix)), None)
                if handler is None:
                    raise Refusal(404, "nothing here")
                self.answer(200, handler(self))
            except Refusal as refusal:
                self.answer(refusal.status, refusal.body)

    def control(self):
        if self.route == "/log":
            self.answer(200, STATE.log)
            return
        if self.route == "/reset":
            STATE.reset()
        for name, value in json.loads(self.body or "{}").items():
            setattr(STATE, name, value)
        self.answer(200, {})

    do_GET = do_POST = do_PUT = serve


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Call)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
        file.write(f"{server.server_port}\n")
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    done = threading.Event()

    def until_the_test_ends():
        while os.read(0, 4096):
            pass
        done.set()

    threading.Thread(target=until_the_test_ends, daemon=True).start()
    done.wait(600)


if __name__ == "__main__":
    main()
