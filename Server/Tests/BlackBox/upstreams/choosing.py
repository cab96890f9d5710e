"""timetracker with two providers: a page offers both; a request that names one skips the page."""

import urllib.parse

from expectations import refusal, success
from upstreams import flow
from upstreams.flow import name_oneself
from user_agent import Browser


def run(world, app, peers):
    checks = world.checks
    browser = Browser()
    page = browser.visit(flow.login(app))
    checks.that("with several providers a page offers them", page.status == 200 and "/auth/choose?" in page.url,
                "a page at /auth/choose", page)
    for name, peer in peers.items():
        peer.people["ada"] = {"email": "ada@example.com"}
        link = next((url for url in page.links.values() if f"provider={name}" in url), None)
        if not checks.that(f"a link offers {name}", link, "a link", page.links):
            continue
        arrived = flow.back(browser, name_oneself(browser, browser.visit(link), "ada"))
        success(checks, f"who chose {name} signs in", flow.redeem(app, arrived), app["token"])
        success(checks, f"provider={name} asks nothing", flow.redeem(app, flow.arrive(app, "ada", provider=name)),
                app["token"])
    users = [flow.redeem(app, flow.arrive(app, "ada", provider=name)).json["user"]["id"] for name in peers]
    checks.equal("one subject at two issuers is two accounts", 2, len(set(users)))
    answer = app.wire.get("/auth/login?redirect_uri=timetracker://oauth/callback&provider=nobody")
    refusal(checks, "a provider of nobody", answer, app.contract, (400, 404))
    for query in ("", "?redirect_uri=https://evil.example/"):
        answer = app.wire.get(f"/auth/choose{query}", headers=[("Accept", "application/json")])
        refusal(checks, f"choose{query}", answer, app.contract, 400)
    verifier, challenge = flow.verifier_and_challenge()
    page = browser.visit(flow.login(app, app_challenge=challenge))
    link = next(url for url in page.links.values() if f"provider={next(iter(peers))}" in url)
    arrived = flow.back(browser, name_oneself(browser, browser.visit(link), "ada"))
    checks.equal("a challenge is kept over the choice", 200, flow.redeem(app, arrived, app_verifier=verifier).status)
    mix_up(app, checks, *peers.values())


def mix_up(app, checks, honest, malicious):
    """OA-22: a provider sends the browser on to another one, whose answer names no issuer, with the nonce and the challenge of
    an attacker. The code must not reach its token endpoint."""
    honest.names_issuer = False
    _, page = flow.at_provider(app, provider="one")
    attackers = page.query
    browser, page = flow.at_provider(app, provider="two")
    redeemed = len(malicious.requests("/token"))
    query = urllib.parse.urlencode(attackers | {"state": page.query["state"]})
    came = flow.name_oneself(browser, browser.visit(f"{honest.base}{honest.paths.authorize}?{query}"), "ada")
    checks.that("the answer of another provider is refused", came.url.startswith(app.wire.base)
                and 400 <= (came.status or 0) < 500, "4xx at our callback", came)
    if came.url.startswith(flow.CALLBACK):
        flow.redeem(app, flow.back(browser, came))
    checks.equal("no code reaches the malicious provider", redeemed, len(malicious.requests("/token")))
    success(checks, "a provider that names no issuer signs in", flow.redeem(app, flow.arrive(
        app, "ada", provider="one")), app["token"])
    honest.names_issuer = True
