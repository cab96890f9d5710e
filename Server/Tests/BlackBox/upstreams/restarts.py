"""A sign-in that one process began is completed by the next: its state is only in the store."""

from apps import App
from user_agent import Browser
from expectations import refusal, success
from peers.openid import OpenIDPeer
from server import app as entry
from server import development, serving
from upstreams import flow


def run(program, checks):
    with OpenIDPeer() as peer:
        peer.people["ada"] = {"email": "ada@example.com"}
        configuration = development(timetracker=entry("timetracker", identity=peer.identity()))
        with serving(program, configuration, checks) as server:
            app = App(server.wire, server.inbox, "timetracker")
            peer.client.redirect_uris.append(f"{app.wire.base}/auth/callback")
            used = flow.arrive(app, "ada")
            access = flow.redeem(app, used).json["access_token"]
            browser, page = flow.at_provider(app)
            arrived = flow.arrive(app, "ada")
            with server.paused():
                pass
            success(checks, "come back before, redeemed after", flow.redeem(app, arrived), app["token"])
            came = flow.back(browser, flow.name_oneself(browser, page, "ada"))
            success(checks, "begun before, come back and redeemed after", flow.redeem(app, came), app["token"])
            checks.equal("a session goes on", 200, app.call("me", bearer=access).status)
            refusal(checks, "used before, used again after", flow.redeem(app, used), app.contract, 400)
            refusal(checks, "which ends the session of before", app.call("me", bearer=access), app.contract, 401)
            browser, page = flow.at_provider(app)
            address = flow.without_last_hop(browser, page, "ada")
            server.kill()
            server.start()
            checks.that("after a kill, another browser is still refused", 400 <= Browser().visit(address).status < 500)
            came = flow.back(browser, browser.visit(address))
            success(checks, "killed in between, finished after", flow.redeem(app, came), app["token"])
