"""The rules for every answer of every contract: status, headers, and a body of exactly the documented shape."""

import re

from contracts import ADDITIONS
from shapes import differences


def header_differences(answer, public=False):
    """Returns the problems of the headers of any answer below an app's base."""
    found = []
    if answer.body and not re.fullmatch(r'application/json(; ?charset="?utf-8"?)?', answer.header("content-type") or "",
                                        re.IGNORECASE):
        found.append(f"Content-Type application/json in UTF-8, not {answer.header('content-type')!r}")
    if not public and "no-store" not in (answer.header("cache-control") or ""):
        found.append("Cache-Control: no-store")
    if answer.body and answer.header("x-content-type-options") != "nosniff":
        found.append("X-Content-Type-Options: nosniff")
    challenge = answer.header("www-authenticate")
    if answer.status == 401 and not (challenge or "").startswith("Bearer"):
        found.append(f"WWW-Authenticate: Bearer on a 401, not {challenge!r}")
    if "basic" in (challenge or "").lower():
        found.append("WWW-Authenticate never to say Basic")
    return found


def success(checks, name, answer, endpoint, /, **values):
    """Checks a success; `values` are fields of the body, or of its `data` or `user`, that must have these values."""
    found = [] if answer.status == endpoint.status else [f"status {endpoint.status}"]
    found += header_differences(answer, endpoint.public)
    if endpoint.answer is None:
        found += ["an empty body"] if answer.body else []
    else:
        found += differences(endpoint.answer, answer.json)
    if not found:
        body = answer.json if endpoint.answer is not None else {}
        data = body.get("data", body)
        user = data.get("user", data)
        for key, value in values.items():
            came = user.get(key, data.get(key))
            if type(came) is not type(value) or came != value:
                found.append(f"{key} to be {value!r}")
    return checks.none(name, found, str(answer))


def refusal_differences(answer, contract, statuses):
    statuses = (statuses,) if isinstance(statuses, int) else statuses
    found = [] if answer.status in statuses else [f"status {' or '.join(map(str, statuses))}"]
    found += header_differences(answer)
    if not answer.body:
        return found + ["an error body"]
    body = answer.json
    if not isinstance(body, dict):
        return found + ["a JSON object as error body"]
    additions = {key: ADDITIONS[key] for key in body if key in ADDITIONS and key not in contract.refusal}
    found += differences(contract.refusal | additions, body)
    if answer.status in (429, 503) and body.get("code") != "not_configured":
        wait = answer.header("retry-after") or ""
        if not re.fullmatch(r"[1-9]\d*", wait):
            found.append(f"Retry-After in seconds, not {wait!r}")
        elif "retry_after" in body and body["retry_after"] != int(wait):
            found.append("retry_after to be what Retry-After says")
    if answer.status == 405 and not answer.header("allow"):
        found.append("Allow on a 405")
    return found


def refusal(checks, name, answer, contract, statuses, secret=None):
    """Checks a refusal: one of `statuses`, the contract's own error body, and no part of `secret` in it."""
    found = refusal_differences(answer, contract, statuses)
    if secret and secret.encode() in answer.body:
        found.append("a body without the secret that was sent")
    return checks.none(name, found, str(answer))
