"""timetracker with two providers: a page offers both; a request that names one skips the page."""

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
