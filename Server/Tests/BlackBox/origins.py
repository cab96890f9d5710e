#!/usr/bin/env python3
"""The origins of hosted pages (AD-11): equivalent spellings of a public URL, and apps with hosts of their own.

  origins.py --program PATH
"""

import argparse
import html
import http.client
import json
import re
import sys
import urllib.parse

from apps import new_email, new_password
from checks import Checks
from server import app, development, free_port, serving
from wire import FORM

PUBLIC, ADMIN = "https://auth.example.com", "https://admin.example.com"
HOSTS = ["a.example.com", "b.example.com"]
# RFC 3986 §6.2.2.1 and §6.2.3: each is the same URL.
SPELLINGS = {"plain": ("{}", "{}"), "capitals": ("{}", "{}"), "a port": ("{}:443", "{}"), "a port in Host": ("{}", "{}:443")}


def request(port, method, host, target, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, target, body, {"Host": host} | headers)
        answer = connection.getresponse()
        return answer, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def posted(port, host, target, origin):
    """Opens a page with a form in a browser of its own, and returns the status of that form from an origin."""
    opened, page = request(port, "GET", host, target)
    cookie = (opened.getheader("set-cookie") or "").partition(";")[0]
    fields = {name: html.unescape(value) for name, value in re.findall(
        r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)}
    return request(port, "POST", host, target.partition("?")[0], urllib.parse.urlencode(fields), **{
        "Content-Type": FORM, "Cookie": cookie, "Origin": origin, "Sec-Fetch-Site": "same-origin"})[0].status


def spelled(program, checks, name):
    """The provider's pages and the console, with a public URL in another spelling."""
    url, authority = SPELLINGS[name]
    port, capitals = free_port(), str.title if name == "capitals" else str
    def spelling(origin):
        return "https://" + capitals(url.format(origin.removeprefix("https://")))
    configuration = development(vici=app("vici")) | {
        "public_url": spelling(PUBLIC), "admin": {"listen": f"127.0.0.1:{port}", "public_url": spelling(ADMIN)}, "idp": {}}
    with serving(program, configuration, checks) as server:
        for origin, accepted in [(PUBLIC, True), ("https://other.example.com", False), ("http://auth.example.com", False)]:
            status = posted(server.port, authority.format("auth.example.com"), "/idp/sign-in", origin)
            checks.equal(f"{name}: a form from {origin}", accepted, status != 403)
        answer, _ = request(port, "GET", authority.format("admin.example.com"), "/admin")
        cookie = answer.getheader("set-cookie") or ""
        checks.equal(f"{name}: the console's cookie is the host's, over TLS alone", (True, True), (
            cookie.startswith("__Host-"), "; Secure" in cookie))
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.getheader("location") or "").query)
        checks.equal(f"{name}: the console's redirect URI", [f"{ADMIN}/admin/callback"], query.get("redirect_uri"))


def reset_link(server, host):
    """Returns the path and query of a link to reset a new account's password."""
    email = new_email()
    for path, body in [("register", {"email": email, "password": new_password(), "name": "Ann"}), ("forgot-password", {"email": email})]:
        request(server.port, "POST", host, f"/v/api/auth/{path}", json.dumps(body), **{"Content-Type": "application/json"})
    parts = urllib.parse.urlsplit(server.inbox.wait("vici", email)["link"])
    return f"{parts.path}?{parts.query}"


def own_hosts(program, checks):
    """The pages of an app with hosts of its own are of these origins, and of no other."""
    configuration = development(vici=app("vici", hosts=HOSTS, base_path="/v")) | {"public_url": PUBLIC}
    with serving(program, configuration, checks) as server:
        for host in HOSTS:
            link = reset_link(server, host)
            for origin in [*(f"https://{name}" for name in HOSTS), f"http://{host}", PUBLIC, "null"]:
                accepted = origin in (f"https://{host}", "null")
                status = posted(server.port, host, link, origin)
                checks.equal(f"{host}: a form from {origin}", accepted, status != 403)


def invitation(program, checks):
    """An administrator is sent to the address at which the server listens, which an option has set."""
    with serving(program, None, checks) as server:
        told = server.command("admin", "invite", new_email())
        checks.that("both addresses are the server's", f"{server.base}/idp/reset-password?" in told.stdout
                    and f"then sign in at {server.base}/admin\n" in told.stdout, server.base, told.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    checks = Checks()
    for name in SPELLINGS:
        checks.run(name, lambda name=name: spelled(program, checks, name))
    checks.run("own hosts", lambda: own_hosts(program, checks))
    checks.run("an invitation", lambda: invitation(program, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
