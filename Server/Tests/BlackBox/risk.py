#!/usr/bin/env python3
"""The risk of sign-ins: generated MaxMind databases, notices by real mail, "This was not me", challenges, refusals, passwords that
become known.

  risk.py --program PATH [--store postgres]
"""

import argparse
import email
import email.policy
import hashlib
import html
import importlib.util
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from aiosmtpd.controller import Controller
from apps import App, new_email, new_password
from checks import Checks
from drills.cluster import Database, encryption_key
from drills.stage import needed, options
from peers.guard import Guard
from server import app, clean_environment, development, free_port, serving
from upstreams import flow
from user_agent import Browser
from wire import FORM

MAKER = Path(__file__).parent.parent / "OstiaryGeographyTests" / "Fixtures" / "make.py"
HOME, ABROAD, PROXY = "203.0.113.7", "198.51.100.9", "192.0.2.4"
KNOWN = "a horse that was breached"
# The contracts of apps whose names are others.
CONTRACTS = {"strict": ("viewvault", "strict")}


def maker():
    spec = importlib.util.spec_from_file_location("make", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Mailboxes:
    """A mail server that keeps what it accepts."""

    def __init__(self):
        self.mails, self.lock = [], threading.Condition()
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        with self.lock:
            self.mails += [(to, message["subject"], message.get_content().replace("\r\n", "\n")) for to in envelope.rcpt_tos]
            self.lock.notify_all()
        return "250 OK"

    def of(self, to, subject):
        with self.lock:
            return [text for recipient, title, text in self.mails if recipient == to and subject in title]

    def wait(self, to, subject, count=1, seconds=10):
        end = time.monotonic() + seconds
        while len(found := self.of(to, subject)) < count:
            if time.monotonic() > end:
                raise RuntimeError(f"no {subject!r} to {to}: {[(who, title) for who, title, _ in self.mails]}")
            with self.lock:
                self.lock.wait(0.1)
        return found[-1]


def link_in(text):
    parts = urllib.parse.urlsplit(re.search(r"https?://\S+", text)[0])
    return f"{parts.path}?{parts.query}"


class Page:
    """An opened page with a form, in a browser at home."""

    def __init__(self, wire, link):
        self.wire, self.path = wire, link.partition("?")[0]
        self.opened = wire.get(link, headers=[("X-Forwarded-For", HOME)])
        self.cookie = (self.opened.header("set-cookie") or "").partition(";")[0]
        self.fields = {name: html.unescape(value) for name, value in re.findall(
            r'<input type="hidden" name="([^"]+)" value="([^"]*)">', self.opened.body.decode())}

    def press(self, **changes):
        fields = {name: value for name, value in (self.fields | changes).items() if value is not None}
        return self.wire.post(self.path, body=urllib.parse.urlencode(fields).encode(), content_type=FORM, headers=[
            ("Cookie", self.cookie), ("Origin", "null"), ("Sec-Fetch-Site", "same-origin"), ("X-Forwarded-For", HOME)])


class Scene:
    def __init__(self, server, mail, checks):
        self.server, self.mail, self.checks = server, mail, checks

    def target(self, name):
        return App(self.server.wire, self.server.inbox, *CONTRACTS.get(name, (name,)))

    def login(self, target, credentials, address):
        return target.call("login", credentials, headers=[("X-Forwarded-For", address)])

    def settled(self, name, password=None):
        """A person with a verified address who signed in at home."""
        target = self.target(name)
        body = target.newcomer(password=password) if password else target.newcomer()
        answer = target.call("register", body, headers=[("X-Forwarded-For", HOME)])
        person = target.person_from(answer, {key: body[key] for key in (target.contract.identifier, "password")})
        to = body["email"]
        prefix = target["challenge"].path.removesuffix("/challenge")
        target.wire.post(f"{prefix}/forgot-password", {"email": to})
        link = link_in(self.mail.wait(to, "Reset your"))
        done = Page(self.server.wire, link).press(password=person.password)
        self.checks.equal(f"{name}: a reset verifies the address", 200, done.status)
        again = self.login(target, person.credentials, HOME)
        self.checks.equal(f"{name}: a usual sign-in", 200, again.status)
        return target, person, to, target.tokens(again)[0]

    def events(self, name, action="signIn"):
        done = self.server.command("audit", "--app", name, "--action", action, "--json")
        return [json.loads(line) for line in done.stdout.splitlines()]


def notices(scene):
    checks, wire = scene.checks, scene.server.wire
    target, person, to, access = scene.settled("vici")
    checks.equal("no mail after a usual sign-in", [], scene.mail.of(to, "unusual"))
    wrong = scene.login(target, person.with_password("wrong password"), ABROAD)
    checks.equal("a wrong password abroad", 401, wrong.status)
    stolen = scene.login(target, person.credentials, ABROAD)
    checks.equal("the right password abroad signs in", 200, stolen.status)
    thief = target.tokens(stolen)[0]
    path = target["challenge"].path.removesuffix("/challenge") + "/sessions"
    listed = target.wire.get(path, bearer=access).json["sessions"]
    checks.equal("the list of sessions has countries", ("US", "DE"), (listed[0].get("country"), listed[-1].get("country")))
    done = scene.server.command("sessions", "list", "--app", "vici", to, "--json")
    checks.equal("the command too", "US", json.loads(done.stdout)[0].get("country"))
    text = scene.mail.wait(to, "unusual")
    checks.that("the mail has time, address and country", re.search(
        r"When: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nFrom: 198\.51\.100\.9\nCountry: US\n", text), "all", text)
    scene.login(target, person.credentials, PROXY)
    event = scene.events("vici")[-2]
    checks.equal("the audit log has codes and the country", (
        "unrecognized_device,new_country,new_asn,impossible_travel,recent_reset", "110", "US"), (
        event["details"]["risk_signals"], event["details"]["risk_score"], event["details"]["country"]))
    checks.that("and no place", not re.search(r"40\.7|-74", json.dumps(event["details"])))
    explain(scene, event)

    link = link_in(text)
    checks.that("the link is of the page", "/vici/deny-sign-in?token=" in link, "", link)
    for method in ("GET", "HEAD", "GET"):
        checks.equal(f"{method} shows the page", 200, wire.send(method, link).status)
    for body in (b"", link.partition("=")[2].encode(), link.partition("?")[2].encode()):
        for path in (link, link.partition("?")[0]):
            checks.equal("a bare POST is refused", 403, wire.post(path, body=body, content_type=FORM).status)
    for method in ("PUT", "DELETE", "PATCH"):
        checks.equal(f"{method} is no method of the page", 405, wire.send(method, link).status)
    checks.that("none of them did anything", target.accepts(access) and target.accepts(thief))
    page = Page(wire, link)
    checks.equal("the form without its token is refused", 403, page.press(form_token=None).status)
    pressed = page.press()
    checks.equal("the button", 200, pressed.status)
    checks.that("it signs nobody in", "access_token" not in pressed.body.decode() and not pressed.header("set-cookie"))
    checks.that("every session has ended", not target.accepts(access) and not target.accepts(thief))
    checks.equal("the password is unusable, also at home", 401, scene.login(target, person.credentials, HOME).status)
    checks.equal("the button works once", 404, page.press().status)
    checks.equal("the link too", 404, wire.get(link).status)
    reset = Page(wire, link_in(scene.mail.wait(to, "Reset your", 2)))
    checks.equal("the reset that was mailed", 200, reset.press(password="another good passphrase").status)
    checks.equal("another password signs in", 200, scene.login(
        target, person.with_password("another good passphrase"), HOME).status)
    checks.equal("one mail an hour", 1, len(scene.mail.of(to, "unusual")))
    checks.equal("it is audited", ["ok", "not_found"], [event["outcome"] for event in scene.events("vici", "denySignIn")])


def explain(scene, event):
    checks = scene.checks
    points = [["unrecognized_device", 30], ["new_country", 25], ["new_asn", 10], ["impossible_travel", 30], ["recent_reset", 15]]
    for option in (("--session", event["session"]), ("--event", str(event["id"]))):
        done = scene.server.command("risk", "explain", "--app", "vici", *option, "--json")
        shown = json.loads(done.stdout or "{}")
        checks.equal(f"risk explain {option[0]}", (points, 110, "high", "US", event["id"]), (
            [[entry["code"], entry["weight"]] for entry in shown.get("signals", [])], shown.get("score"), shown.get("level"),
            shown.get("country"), shown.get("event")))
    text = scene.server.command("risk", "explain", "--app", "vici", "--event", str(event["id"])).stdout
    checks.that("as a table", re.search(r"impossible_travel +30\n", text) and re.search(r"sum: high +110\n", text), "", text)
    for options, problem in ((("--session", "none"), "no session"), (("--event", "999999"), "no event")):
        done = scene.server.command("risk", "explain", "--app", "vici", *options)
        checks.that(f"{problem}", done.returncode == 1 and problem in done.stderr, problem, done.stderr)
    checks.equal("neither a session nor an event", 64, scene.server.command("risk", "explain", "--app", "vici").returncode)


def challenges(scene):
    checks = scene.checks
    target, person, to, _ = scene.settled("clarity")
    prefix = target["challenge"].path.removesuffix("/challenge")
    answer = scene.login(target, person.credentials, ABROAD)
    checks.equal("a challenge", (401, "challenge_required", "SECOND_FACTOR", ["email_code"]), (
        answer.status, answer.json.get("code"), answer.json.get("challenge"), answer.json.get("methods")))
    token = answer.json["challenge_token"]

    def give(code, challenge=token):
        return target.wire.post(f"{prefix}/challenge", {"challenge_token": challenge, "answers": {"email_code": code}},
                                headers=[("X-Forwarded-For", ABROAD)])

    sent = target.wire.post(f"{prefix}/challenge/send", {"challenge_token": token, "method": "email_code"})
    checks.that("a code is sent", sent.status in (200, 204), "", sent)
    code = re.search(r"^\d{6}$", scene.mail.wait(to, "code"), re.MULTILINE)[0]
    checks.equal("a wrong code", 400, give("000000" if code != "000000" else "111111").status)
    checks.equal("the code signs in", 200, give(code).status)
    checks.equal("once", 401, give(code).status)
    checks.equal("an answered challenge sends no notice", [], scene.mail.of(to, "unusual"))
    checks.equal("the place is known then", 200, scene.login(target, person.credentials, ABROAD).status)


def refusals(scene):
    checks = scene.checks
    target, person, to, _ = scene.settled("strict")

    def seen(answer):
        left_out = {"date", "x-request-id", "content-length"}
        return answer.status, answer.body, sorted((name.lower(), value) for name, value in answer.headers if name.lower() not in left_out)

    right, wrong = (scene.login(target, person.with_password(word), ABROAD) for word in (person.password, "wrong password"))
    checks.equal("a refused sign-in is a wrong password, byte for byte", seen(wrong), seen(right))
    checks.equal("and the same status", 401, right.status)
    times = {True: [], False: []}
    for number in range(12):
        for is_right in (True, False):
            # A network of its own: waits grow otherwise.
            begun = time.perf_counter()
            scene.login(target, person.with_password(person.password if is_right else "wrong password"), f"198.51.100.{20 + number}")
            times[is_right].append(time.perf_counter() - begun)
    # The shortest of each: what else runs on the machine lengthens the others.
    shortest = {key: min(values) for key, values in times.items()}
    checks.that("as slow as a wrong password", abs(shortest[True] - shortest[False]) < 0.2 * shortest[False], "a fifth at most",
                shortest)
    checks.equal("no mail tells of it", [], scene.mail.of(to, "unusual"))
    checks.equal("at home the password is right", 200, scene.login(target, person.credentials, HOME).status)


def provider(scene):
    """The pages of the built-in provider."""
    checks, base = scene.checks, f"{scene.server.base}/idp"
    person = {"email": new_email(), "password": new_password()}
    home, abroad = Browser(), Browser()
    home.address, abroad.address = HOME, ABROAD
    page = home.visit(f"{base}/register")
    home.submit(page, page.form("email", "password"), person | {"full_name": "Ada Lovelace"})
    page = abroad.visit(f"{base}/sign-in")
    entered = abroad.submit(page, page.form("email", "password"), person)
    checks.equal("provider: the right password abroad signs in", f"{base}/account", entered.url)
    link = link_in(scene.mail.wait(person["email"], "unusual"))
    checks.that("provider: the link is of its page", link.startswith("/idp/deny-sign-in?token="), "", link)
    checks.equal("provider: a bare POST is refused", 403, scene.server.wire.post(link, body=b"", content_type=FORM).status)
    page = Page(scene.server.wire, link)
    checks.equal("provider: opening it does nothing", f"{base}/account", abroad.visit(f"{base}/account").url)
    checks.equal("provider: the button", 200, page.press().status)
    for browser in (home, abroad):
        checks.that("provider: every browser is signed out", "/sign-in" in browser.visit(f"{base}/account").url)
    checks.equal("provider: the button works once", 404, page.press().status)
    reset = Page(scene.server.wire, link_in(scene.mail.wait(person["email"], "Reset your")))
    checks.equal("provider: the reset that was mailed", 200, reset.press(password="another good passphrase").status)
    app_at_provider(scene, person | {"password": "another good passphrase"})
    checks.equal("provider: it is audited", "ok", scene.events("idp", "denySignIn")[0]["outcome"])
    checks.equal("provider: a link to undo leads to a page", 404, scene.server.wire.get("/idp/undo-factor-change?token=x").status)
    checks.that("provider: which says so", b"Nothing was changed now." in scene.server.wire.get("/idp/undo-factor-change?token=x").body)


def app_at_provider(scene, person):
    """A sign-in to an app at the built-in provider is assessed once."""
    checks, target = scene.checks, scene.target("timetracker")
    for address in (HOME, PROXY):
        browser, page = flow.at_provider(target, browser_at(address))
        arrived = flow.back(browser, browser.submit(page, page.form("email", "password"), person))
        done = target.call("token", arrived.body, headers=[("X-Forwarded-For", address)])
        checks.equal(f"an app at the provider: signs in at {address}", 200, done.status)
    # From the second sign-in on, the app's account has others to compare with.
    details = scene.events("timetracker", "completeBrowserSignIn")[-1].get("details", {})
    checks.equal("an app at the provider: records the country, and assesses nothing", ("NL", None), (
        details.get("country"), details.get("risk_signals")))
    assessed = scene.events("idp")[-1]["details"]
    checks.that("an app at the provider: the provider assessed it", "anonymizing_network" in assessed.get("risk_signals", ""), "",
                assessed)
    checks.equal("an app at the provider: no second mail", 1, len(scene.mail.of(person["email"], "unusual")))


def browser_at(address):
    browser = Browser()
    browser.address = address
    return browser


def reloads(scene, folder, make):
    checks, server = scene.checks, scene.server
    target, person, _, _ = scene.settled("vici")

    def replace(data):
        (folder / "next").write_bytes(data)
        (folder / "next").rename(folder / "city.mmdb")
        size = server.log.stat().st_size
        server.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 10
        while b"reloaded" not in (text := server.log.read_bytes()[size:]) and time.monotonic() < end:
            time.sleep(0.02)
        return text.decode()

    whole = (folder / "city.mmdb").read_bytes()
    checks.that("a damaged file is not taken", "not reloaded" in (text := replace(whole[:-40])) and "city.mmdb" in text, "", text)
    scene.login(target, person.credentials, ABROAD)
    make.NETWORKS["198.51.100.0/24"] = ("CA", 45.5, -73.6, 50, 64502, False)
    make.make(folder / "new")
    checks.that("a new file is taken", "not reloaded" not in (text := replace((folder / "new" / "city.mmdb").read_bytes())), "", text)
    scene.login(target, person.credentials, ABROAD)
    # Read now: with PostgreSQL a command opens the files itself.
    checks.equal("the old file stayed in use until then", ["US", "CA"], [
        event["details"].get("country") for event in scene.events("vici")[-2:]])
    metrics = server.wire.get("/metrics").body.decode()
    checks.that("levels are counted", re.search(r'ostiary_sign_in_risks_total\{app="vici",level="high",outcome="ok"\} \d', metrics))


def damaged_start(program, folder, checks):
    bad = folder / "bad.mmdb"
    bad.write_bytes(b"no database")
    with tempfile.TemporaryDirectory() as place:
        configuration = Path(place) / "ostiary.yaml"
        configuration.write_text(json.dumps({
            "mode": "development", "listen": "127.0.0.1:0", "geoip": {"asn": str(bad)}, "apps": {"vici": {"contract": "vici"}}}))
        for arguments in (["serve", "--config", str(configuration), "--data", place], ["config", "check", "--config", str(configuration)]):
            done = subprocess.run([program, *arguments], env=clean_environment(), capture_output=True, text=True, timeout=20)
            checks.equal(f"{arguments[0]}: a damaged file", (78, 1), (done.returncode, len(done.stderr.splitlines())))
            checks.that(f"{arguments[0]}: says so", "geoip" in done.stderr and str(bad) in done.stderr, "", done.stderr)


def compromised(scene, program, folder):
    """A password that becomes known after it was chosen."""
    checks, server = scene.checks, scene.server
    target, person, to, _ = scene.settled("vici", KNOWN)
    source, output = folder / "source.txt", folder / "pwned.bin"
    source.write_text(f"{hashlib.sha1(KNOWN.encode()).hexdigest().upper()}:3\n")
    subprocess.run([program, "passwords", "prepare-list", "--from", str(source), "--output", str(output)],
                   env=clean_environment(), capture_output=True, timeout=60, check=True)
    with server.paused():
        server.configuration["apps"]["vici"]["passwords"] = {"compromised": {"file": str(output)}}
    for number in range(3):
        checks.equal("a compromised password signs in", 200, scene.login(target, person.credentials, HOME).status)
        scene.mail.wait(to, "breach")
        if number == 1:
            time.sleep(0.3)
    checks.equal("one mail for a password", 1, len(scene.mail.of(to, "breach")))
    events = scene.events("vici", "checkPassword")
    checks.equal("one event", ["password_compromised"], [event["outcome"] for event in events])
    signals = [event.get("details", {}).get("risk_signals", "") for event in scene.events("vici")[-3:]]
    checks.equal("a signal from the next sign-in on", [False, True, True], ["compromised_password" in text for text in signals])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options(parser)
    arguments = parser.parse_args()
    return needed(arguments, lambda: run(arguments))


def run(arguments):
    program = str(Path(arguments.program).resolve())
    checks, make, mail = Checks(), maker(), Mailboxes()
    mail.controller.start()
    try:
        with Guard() as guard, tempfile.TemporaryDirectory(prefix="ostiary-") as place:
            folder = Path(place)
            make.make(folder)
            configuration = development(
                vici=app("vici"), clarity=app("clarity", risk={"challenge": "medium"}),
                strict=app("viewvault", "strict", risk={"refuse": "high"}),
                timetracker=app("timetracker", identity={"kind": "builtin"})) | {
                "trusted_proxies": ["127.0.0.1/32"],
                "geoip": {name: str(folder / f"{name}.mmdb") for name in ("city", "asn", "anonymous")},
                "email": {"kind": "smtp", "url": f"smtp://127.0.0.1:{mail.controller.port}", "from": "no-reply@example.com"}}
            if arguments.store == "postgres":
                configuration |= {"store": Database(guard).url(), "encryption_key": encryption_key()}
            with serving(program, configuration, checks) as server:
                scene = Scene(server, mail, checks)
                checks.run("notices", lambda: notices(scene))
                checks.run("challenges", lambda: challenges(scene))
                checks.run("refusals", lambda: refusals(scene))
                checks.run("provider", lambda: provider(scene))
                checks.run("reloads", lambda: reloads(scene, folder, make))
                checks.run("compromised", lambda: compromised(scene, program, folder))
            checks.run("a damaged file", lambda: damaged_start(program, folder, checks))
    finally:
        mail.controller.stop()
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
