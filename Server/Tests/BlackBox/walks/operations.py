"""The server's own endpoints: health, metrics, OpenAPI, keys, the inbox."""

import re

from apps import new_email
from checks import brief
from contracts import CONTRACTS
from shapes import differences, integer, optional, text
from wire import NOT_JSON

try:
    from openapi_spec_validator import OpenAPIV31SpecValidator
except ImportError:
    OpenAPIV31SpecValidator = None

PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"}


def message_id(value):
    return text(value) or integer(value)


MESSAGE = {"id": message_id, "app": text, "channel": text, "to": text, "subject": optional(text), "text": text,
           "code": optional(text), "link": optional(text), "sent_at": text}


def run(walk):
    for path in ("/healthz", "/readyz"):
        walk.checks.equal(f"GET {path}", 200, walk.wire.get(path).status)
    metrics = walk.wire.get("/metrics")
    walk.checks.that("GET /metrics is Prometheus text", metrics.status == 200
                     and (metrics.header("content-type") or "").startswith("text/plain")
                     and all(is_metric_line(line) for line in metrics.body.decode().splitlines()),
                     "200 text/plain of samples", f"{metrics} {metrics.header('content-type')}")
    for name in CONTRACTS:
        openapi(walk, walk.apps[name])
        keys(walk, walk.apps[name])
    inbox(walk)
    answer = walk.wire.get("/a-path-of-nobody")
    walk.checks.equal("a path below no app is 404", 404, answer.status)
    walk.checks.equal("a path that only begins like an app's base is 404", 404,
                      walk.wire.get("/vicious/api/auth/me").status)


def is_metric_line(line):
    return line == "" or line.startswith("#") or re.fullmatch(
        r'[a-zA-Z_:][\w:]*(\{.*\})? ([-+]?[\d.]+([eE][-+]?\d+)?|NaN|[+-]Inf)( \d+)?', line) is not None


def openapi(walk, app):
    answer = app.wire.get("/openapi.json")
    document = answer.json
    if not walk.checks.that(f"{app.name}: GET /openapi.json", answer.status == 200 and isinstance(document, dict)
                            and str(document.get("openapi", "")).startswith("3.1"), "200 with OpenAPI 3.1", answer):
        return
    if OpenAPIV31SpecValidator:
        problems = [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]
        walk.checks.that(f"{app.name}: openapi.json is valid", not problems, "a valid document", problems[:3])
    else:
        walk.skipped("validity of openapi.json: openapi-spec-validator is not installed")
    described = {(method.upper(), re.sub(r"\{[^}]*\}", "google", path))
                 for path, item in document.get("paths", {}).items() for method in item}
    missing = [f"{endpoint.method} {endpoint.path}" for endpoint in app.contract.endpoints.values()
               if (endpoint.method, endpoint.path.replace("github", "google")) not in described]
    walk.checks.that(f"{app.name}: openapi.json describes every request", not missing, missing, brief(described))


def keys(walk, app):
    answer = app.wire.get("/.well-known/jwks.json")
    listed = answer.json.get("keys") if isinstance(answer.json, dict) else None
    if app.contract.name == "vici":
        walk.checks.that("vici: signs with secrets, so publishes no key", answer.status == 404 or listed == [],
                         "404 or no keys", answer)
        return
    if walk.checks.that(f"{app.name}: GET /.well-known/jwks.json", answer.status == 200 and listed, "200 with keys",
                        answer):
        walk.checks.that(f"{app.name}: no key has a private member",
                         not any(PRIVATE_MEMBERS & key.keys() for key in listed), "public members", answer)
        walk.checks.that(f"{app.name}: the keys are P-256 and named",
                         all(key.get("kty") == "EC" and key.get("crv") == "P-256" and key.get("kid") for key in listed),
                         "EC P-256 with kid", answer)


def inbox(walk):
    vici, email = walk.apps["vici"], new_email()
    vici.call("register", vici.newcomer(email=email))
    vici.call("forgot", {"email": email})
    message = walk.inbox.wait("vici", email)
    walk.checks.none("a message of the inbox has its documented keys", differences(MESSAGE, message, "message"),
                     message)
    accept = [("Accept", "application/json")]
    for query, found in ((f"?app=vici&to={email}", 1), (f"?to={email}", 1), (f"?app=clarity&to={email}", 0),
                         ("?to=nobody-at-all@example.com", 0)):
        body = walk.wire.get(f"/dev/inbox{query}", headers=accept).json
        walk.checks.equal(f"GET /dev/inbox{query}", found, len(body["messages"]) if body is not NOT_JSON else body)
    page = walk.wire.get("/dev/inbox", headers=[("Accept", "text/html")])
    walk.checks.that("the inbox is a page for a person", page.status == 200
                     and "text/html" in (page.header("content-type") or ""), "200 text/html",
                     page.header("content-type"))
    for header in ("content-security-policy", "x-content-type-options", "referrer-policy"):
        walk.checks.that(f"the page has {header}", page.header(header), header, page.headers)
    walk.checks.that("DELETE /dev/inbox", walk.wire.send("DELETE", "/dev/inbox").status in (200, 204), "200 or 204")
    walk.checks.equal("DELETE empties the inbox", [], walk.wire.get("/dev/inbox", headers=accept).json["messages"])
