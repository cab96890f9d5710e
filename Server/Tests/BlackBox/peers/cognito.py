"""AWS Cognito, simulated by `moto` in a separate process, and a recording proxy in front of it that verifies every SECRET_HASH
with an independent implementation, which moto does only partly."""

import base64
import hashlib
import hmac
import http.client
import json
import signal
import socket
import subprocess
import sys
import time

import boto3
import flask
from botocore.config import Config

from peers.serving import Peer

REGION = "us-east-1"
TARGET = "AWSCognitoIdentityProviderService."


class Moto:
    """`moto` on a free port; users and pools are created with `boto3`."""

    def __init__(self, log):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.base, self.log, self.process = f"http://127.0.0.1:{self.port}", log, None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", str(self.port)],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("moto did not start")
            time.sleep(0.05)
        self.aws = boto3.client(
            "cognito-idp", region_name=REGION, endpoint_url=self.base, aws_access_key_id="x",
            aws_secret_access_key="x", config=Config(proxies={}, retries={"max_attempts": 1}))

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def pool(self, by_email):
        """A pool whose users sign in with their email: as an alias of the pool's own username, or as the username."""
        more = {"UsernameAttributes": ["email"]} if by_email else {}
        pool = self.aws.create_user_pool(PoolName="people", **more)["UserPool"]["Id"]
        client = self.aws.create_user_pool_client(
            UserPoolId=pool, ClientName="ostiary", GenerateSecret=True,
            ReadAttributes=["email", "name"],
            ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]
        return Pool(self, pool, client["ClientId"], client["ClientSecret"])


class Pool:
    def __init__(self, moto, id, client_id, client_secret):
        self.moto, self.id, self.client_id, self.client_secret = moto, id, client_id, client_secret

    def identity(self, endpoint=None, **more):
        return {"kind": "cognito", "region": REGION, "user_pool_id": self.id, "client_id": self.client_id,
                "client_secret": self.client_secret, "endpoint": endpoint or self.moto.base} | more

    def add(self, email, password, name=None, permanent=True):
        """Creates a user; without a permanent password, the first sign-in requires a new one."""
        attributes = [{"Name": "email", "Value": email}, {"Name": "email_verified", "Value": "true"}]
        attributes += [{"Name": "name", "Value": name}] if name else []
        self.moto.aws.admin_create_user(
            UserPoolId=self.id, Username=email, TemporaryPassword=password, UserAttributes=attributes)
        if permanent:
            self.moto.aws.admin_set_user_password(
                UserPoolId=self.id, Username=email, Password=password, Permanent=True)

    def username(self, email):
        return self.moto.aws.admin_get_user(UserPoolId=self.id, Username=email)["Username"]

    def is_enabled(self, username):
        return self.moto.aws.admin_get_user(UserPoolId=self.id, Username=username)["Enabled"]

    def disable(self, email):
        self.moto.aws.admin_disable_user(UserPoolId=self.id, Username=email)

    def enable(self, email):
        self.moto.aws.admin_enable_user(UserPoolId=self.id, Username=email)

    def sign_out(self, email):
        """Revokes every refresh token of a user."""
        self.moto.aws.admin_user_global_sign_out(UserPoolId=self.id, Username=email)

    def secret_hash(self, name):
        digest = hmac.new(self.client_secret.encode(), (name + self.client_id).encode(), hashlib.sha256).digest()
        return base64.b64encode(digest).decode()


class CognitoProxy(Peer):
    """Forwards requests to moto and records them; adds the behaviour of AWS that moto lacks.

    - SECRET_HASH is verified at each request: at sign-in over the typed name, at a refresh over the pool's own username
      (moto expects the typed one there, so that the hash is replaced after the verification).
    - A disabled user's refresh is refused (moto does not check this).
    - An ended session is reported as AWS reports it (moto: a resource that was not found).
    """

    def __init__(self, pool):
        super().__init__(self._application())
        self.pool = pool
        self.calls = []  # (action, its parameters)
        self.wrong = []  # The problems of a SECRET_HASH.
        self.given = set()  # Every token and session that the pool issued.
        self.owners = {}  # Refresh token → (typed name, the pool's name).

    def of(self, action, flow=None):
        return [body for name, body in self.calls if name == action and flow in (None, body.get("AuthFlow"))]

    def _application(self):
        app = flask.Flask("cognito-proxy")

        @app.post("/")
        def pass_on():
            request = flask.request
            action = request.headers.get("X-Amz-Target", "").removeprefix(TARGET)
            body = json.loads(request.data)
            self.calls.append((action, json.loads(request.data)))
            parameters = body.get("AuthParameters", {})
            typed = parameters.get("USERNAME")
            if body.get("AuthFlow") == "USER_PASSWORD_AUTH":
                self._check(action, typed, parameters.get("SECRET_HASH"))
            elif body.get("AuthFlow") in ("REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"):
                typed, own = self.owners.get(parameters.get("REFRESH_TOKEN"), ("", ""))
                self._check("refresh", own, parameters.get("SECRET_HASH"))
                if own and not self.pool.is_enabled(typed):
                    return refused("User is disabled.")
                if parameters.get("SECRET_HASH") == self.pool.secret_hash(own):
                    parameters["SECRET_HASH"] = self.pool.secret_hash(typed)
            elif action == "RespondToAuthChallenge":
                answers = body["ChallengeResponses"]
                self._check(action, answers.get("USERNAME"), answers.get("SECRET_HASH"))
                typed = answers.get("USERNAME")
            status, headers, answer = self._ask(json.dumps(body), request.headers)
            if action == "RespondToAuthChallenge" and b"ResourceNotFoundException" in answer:
                return refused("Invalid session for the user.")
            self._remember(answer, typed)
            return answer, status, headers

        return app

    def _check(self, what, name, hash):
        if hash != self.pool.secret_hash(name or ""):
            self.wrong.append(f"{what} keyed on {name!r}: {hash!r}")

    def _ask(self, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.pool.moto.port, timeout=20)
        try:
            connection.request("POST", "/", body, {
                name: headers[name] for name in ("X-Amz-Target", "Content-Type") if name in headers} | {
                "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/cognito-idp/aws4_request"})
            response = connection.getresponse()
            kept = [pair for pair in response.getheaders() if pair[0].lower().startswith(("content-type", "x-amz"))]
            return response.status, kept, response.read()
        finally:
            connection.close()

    def _remember(self, answer, typed):
        try:
            body = json.loads(answer)
        except ValueError:
            return
        if body.get("Session"):
            self.given.add(body["Session"])
        result = body.get("AuthenticationResult") or {}
        self.given |= {result[key] for key in ("AccessToken", "IdToken", "RefreshToken") if result.get(key)}
        if result.get("RefreshToken"):
            self.owners[result["RefreshToken"]] = (typed, self.pool.username(typed))


def refused(message, kind="NotAuthorizedException"):
    return (json.dumps({"__type": kind, "message": message}), 400,
            {"Content-Type": "application/x-amz-json-1.1", "x-amzn-ErrorType": kind})


def error(kind, message="", status=400):
    """A fault: the response of AWS when it refuses."""
    body = json.dumps({"__type": kind, "message": message}).encode()

    def fault(environ, start_response, _):
        start_response(f"{status} Said", [("Content-Type", "application/x-amz-json-1.1"), (
            "x-amzn-ErrorType", kind), ("Content-Length", str(len(body)))])
        return [body]
    return fault
