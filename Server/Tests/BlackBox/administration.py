#!/usr/bin/env python3
"""Roles, messages and audit queries by the command line, beside a server and without one.

  administration.py --program PATH
"""

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from aiosmtpd.controller import Controller

from apps import App, new_email
from checks import Checks
from commandlines.store import Store, eventually, refused
from server import app, development, free_port

ROLES = {"editor": ["videos:write"]}


class MailServer:
    """Accepts mail, or refuses every recipient for good."""

    def __init__(self):
        self.refuses, self.accepted, self.contents = False, [], []
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.refuses:
            return "550 5.1.1 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.accepted += envelope.rcpt_tos
        self.contents.append(envelope.content)
        return "250 OK"


@contextlib.contextmanager
def store(program, **configuration):
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        kept = Store(program, Path(directory))
        kept.server.configuration = development(vici=app("vici", roles=ROLES), clarity=app("clarity")) | configuration
        kept.options = kept.server.options
        try:
            yield kept
        finally:
            kept.close()


def roles(kept, checks, online):
    """Roles of the store beside those of the configuration; their permissions hold at once."""
    kept.create("--email", "ann@example.com", password="correct horse battery")
    if online:
        kept.server.start()

    def run(*arguments):
        done = kept.run("roles", *arguments, "--app", "vici")
        checks.equal(f"roles {' '.join(arguments)}", (0, ""), (done.returncode, done.stderr))
        return done.stdout

    run("create", "moderator", "--permission", "comments:read", "--permission", "comments:delete")
    listed = [(role["name"], role["source"], role["permissions"]) for role in kept.listed("roles", "list", "--app", "vici")]
    checks.equal("the list has every source", [
        ("admin", "built-in", ["*"]), ("editor", "configuration", ["videos:write"]),
        ("moderator", "api", ["comments:read", "comments:delete"])], listed)
    checks.that("and a table", "moderator" in run("list"), "the role", "not")
    for arguments, words in (
            (["create", "moderator"], "already"), (["create", "editor"], "already"), (["update", "editor"], "configuration"),
            (["delete", "admin"], "built in"), (["update", "stranger"], "no role"), (["delete", "stranger"], "no role"),
            (["create", "mod erator"], "letters"), (["create", "viewer", "--permission", "videos"], "permission"),
            (["create", "viewer", "--permission", "*:read"], "permission"), (["create", "e\u0301" * 40], "letters")):
        refused(checks, " ".join(arguments), kept.run("roles", *arguments, "--app", "vici"), words)
    refused(checks, "an unknown app", kept.run("roles", "list", "--app", "nothing"), "nothing")
    if online:
        permissions(kept, checks, run)
    run("delete", "moderator")
    checks.equal("deleted", ["admin", "editor"], [role["name"] for role in kept.listed("roles", "list", "--app", "vici")])
    events = [(event["action"], event.get("details")) for event in kept.events("--app", "vici", "--action", "cli.roles.create")]
    # Refused ones as well: a change is written to the log before it is made.
    granted = ("cli.roles.create", {"role": "moderator", "permissions": "comments:read,comments:delete"})
    checks.that("the audit log has what was granted", granted in events, granted, events)


def permissions(kept, checks, run):
    vici = App(kept.server.wire, kept.server.inbox, "vici")
    ann = vici.call("login", {"email": "ann@example.com", "password": "correct horse battery"})
    token = vici.tokens(ann)[0]

    def may(permission, expected):
        answer = vici.wire.get(f"/verify?permission={permission}", bearer=token)
        checks.equal(f"{permission} is granted: {expected}", 200 if expected else 403, answer.status)

    may("comments:delete", False)
    kept.run("users", "roles", "--app", "vici", "ann@example.com", "--add", "moderator")
    may("comments:delete", True)
    run("update", "moderator", "--permission", "comments:read")
    may("comments:delete", False)
    may("comments:read", True)
    run("delete", "moderator")
    may("comments:read", False)
    run("create", "moderator", "--permission", "*")
    may("anything:else", True)


def messages(program, checks):
    """A message that is sent, one that fails, and one that is sent after a retry."""
    post = MailServer()
    post.controller.start()
    mail = {"kind": "smtp", "url": f"smtp://127.0.0.1:{post.controller.port}", "from": "no-reply@example.com"}
    try:
        with store(program, email=mail) as kept:
            kept.server.start()
            vici = App(kept.server.wire, kept.server.inbox, "vici")

            def listed(*arguments):
                return kept.listed("messages", "list", *arguments)

            def forget(refuses):
                person = vici.register()
                post.refuses = refuses
                vici.call("forgot", {"email": person.credentials["email"]})
                return person.credentials["email"]

            sent = forget(False)
            checks.that("the first is sent", eventually(lambda: listed("--state", "sent")), "sent", listed())
            failing = forget(True)
            checks.that("the second fails", eventually(lambda: listed("--state", "failed")), "failed", listed())
            vici.call("forgot", {"email": new_email()})
            everything = listed()
            checks.equal("a decoy is no message", ["failed", "sent"], [message["state"] for message in everything])
            failed, first = everything
            checks.equal("what is shown of it", ("vici", "email", "password_reset", 1), (
                failed["app"], failed["channel"], failed["kind"], failed["attempts"]))
            checks.that("the reason", "550" in failed["last_error"], "550", failed["last_error"])
            checks.that("when it was sent", first["sent_at"] >= first["created_at"] and "sent_at" not in failed, "", everything)
            shown = kept.run("messages", "list").stdout + str(everything)
            checks.that("no recipient is in the clear", not any(address in shown for address in (sent, failing)), "masked", shown)
            checks.equal("of another app there are none", [], listed("--app", "clarity"))
            checks.equal("none waits", [], listed("--state", "queued"))
            refused(checks, "a retry of what was sent", kept.run("messages", "retry", first["id"]), "was sent")
            refused(checks, "a retry of nothing", kept.run("messages", "retry", "nothing"), "no message")
            refused(checks, "an unknown state", kept.run("messages", "list", "--state", "lost"), "queued, sent or failed")
            checks.equal("a limit that is none", 64, kept.run("messages", "list", "--limit", "0").returncode)
            post.refuses = False
            done = kept.run("messages", "retry", failed["id"])
            checks.equal("the retry", (0, f"queued {failed['id']}\n"), (done.returncode, done.stdout))
            checks.that("the mail arrives", eventually(lambda: failing in post.accepted), failing, post.accepted)
            checks.that("and is sent", eventually(lambda: len(listed("--state", "sent")) == 2), 2, listed())
            checks.equal("with all its attempts", 2, listed("--state", "sent")[0]["attempts"])
            actions = [event["action"] for event in kept.events("--action", "cli.messages.retry")]
            checks.equal("only the retry that was made is audited", ["cli.messages.retry"], actions)
            kept.server.stop()
            checks.equal("the list is there without a server", 2, len(listed()))
    finally:
        post.controller.stop()


def queries(kept, checks):
    """Selections of the audit log, with a server and without one."""
    kept.server.start()
    vici = App(kept.server.wire, kept.server.inbox, "vici")
    ann, bob = vici.register(), vici.register()
    for _ in range(3):
        vici.sign_in(ann)
        vici.call("login", {"email": ann.credentials["email"], "password": "wrong password"})
    vici.sign_in(bob)
    everything = kept.events("--app", "vici")
    for online in (True, False):
        if not online:
            kept.server.stop()
        who = ann.credentials["email"]
        for arguments, selects in (
                (["--app", "vici", "--account", who], lambda event: event.get("account") == ann.user["id"]),
                (["--action", "signIn"], lambda event: event["action"] == "signIn"),
                (["--app", "vici", "--outcome", "wrong_credentials"], lambda event: event["outcome"] == "wrong_credentials"),
                (["--app", "vici", "--account", who, "--action", "signIn", "--outcome", "ok"], lambda event: (
                    event.get("account"), event["action"], event["outcome"]) == (ann.user["id"], "signIn", "ok")),
                (["--app", "vici", "--until", everything[4]["at"]], lambda event: event["at"] < everything[4]["at"]),
                (["--app", "clarity", "--action", "signIn"], lambda event: False)):
            checks.equal(f"{' '.join(arguments)}, server {online}", [event for event in everything if selects(event)],
                         kept.events(*arguments))
    checks.equal("an account without its app", 64, kept.run("audit", "--account", who).returncode)
    refused(checks, "an account that is not there", kept.run("audit", "--app", "vici", "--account", "stranger"), "stranger")
    refused(checks, "an action that is none", kept.run("audit", "--action", "e\u0301" * 40), "action")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks = Checks()
    for online in (False, True):
        with store(arguments.program) as kept:
            checks.run(f"roles, server {online}", lambda: roles(kept, checks, online))
    checks.run("messages", lambda: messages(arguments.program, checks))
    with store(arguments.program) as kept:
        checks.run("audit queries", lambda: queries(kept, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
