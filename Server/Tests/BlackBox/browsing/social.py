"""viewvault's social sign-in at the mock of its providers."""

import base64
import json

from browsing.chromium import chromium
from browsing.people import VIEWVAULT, quiet, somebody


def run(walk):
    grace = somebody("Grace Social")
    with chromium() as browser:
        first = arrive(walk, browser, "google", grace, "stand-in")
    with chromium() as browser:
        again = arrive(walk, browser, "google", grace)
        walk.checks.equal("the same person has the same account, in whatever browser", first.get("id"), again.get("id"))
        other = arrive(walk, browser, "github", grace)
        walk.checks.that("another provider's person with the same address is another account",
                         other.get("id") not in (None, first.get("id")), "another id", other)
        quiet(walk.checks, browser, walk.base, told="viewvault")


def arrive(walk, browser, provider, person, picture=None):
    """Signs in through a provider; returns the user."""
    checks, wire = walk.checks, walk.apps["viewvault"].wire
    begun = wire.post(f"/api/auth/auth0/oauth/{provider}")
    url = (begun.json or {}).get("oauth_url", "") if begun.status == 200 else ""
    if not checks.that(f"{provider}: oauth_url is here", url.startswith(walk.base + "/"), walk.base, begun):
        return {}
    browser.open(url)
    if picture:
        walk.look.at(browser, picture)
    browser.submit(email=person.email, full_name=person.full_name)
    came, query = browser.app_url("viewvault")
    checks.that(f"{provider}: the browser is back at the app", came.startswith(VIEWVAULT + "?"), VIEWVAULT, came)
    body = {"code": query.get("code"), "state": query.get("state")}
    answer = wire.post("/api/auth/auth0/callback", body)
    if not checks.equal(f"{provider}: callback", 200, answer.status):
        return {}
    user = answer.json["user"]
    checks.equal(f"{provider}: who it is", (person.full_name, "auth0", False),
                 (user["full_name"], user["auth_provider"], user["is_admin"]))
    prefix = {"google": "auth0|google-oauth2|", "github": "auth0|github|"}[provider]
    subject = claims(answer.json["access_token"]).get("sub", "")
    checks.that(f"{provider}: sub", subject.startswith(prefix), prefix, subject)
    checks.equal(f"{provider}: me", user, wire.get("/api/auth/me", bearer=answer.json["access_token"]).json)
    checks.equal(f"{provider}: the same code and state once more", 400,
                 wire.post("/api/auth/auth0/callback", body).status)
    return user


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
