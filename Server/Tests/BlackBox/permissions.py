#!/usr/bin/env python3
"""Roles and permissions over HTTP: /permissions, /permissions/check, /verify and the command line, in every contract.

  permissions.py --program PATH
"""

import argparse
import sys

from apps import App
from checks import Checks
from second_factors import APPS, SecondFactors
from server import app, development, serving

ROLES = {"editor": ["videos:*", "images:read"], "viewer": ["videos:read"]}
ASSIGNED = ("editor@project:42", "viewer")


class Permissions(SecondFactors):
    """An app with two roles."""

    def allowed(self, person, permission, scope=None):
        body = {"permission": permission} | ({} if scope is None else {"scope": scope})
        return self.data(self.post("/permissions/check", body, person.access))["allowed"]

    def roles(self, person, *change):
        who = person.user.get("email") or person.credentials[self.app.contract.identifier]
        done = self.server.command("users", "roles", "--app", self.app.name, who, *change)
        self.checks.equal(f"{self.name}: users roles {' '.join(change)}", (0, ""), (done.returncode, done.stderr.strip()))
        return done.stdout.split()

    def run(self):
        app, checks, name = self.app, self.checks, self.name
        person = app.register()
        path = self.path("/permissions")
        checks.equal(f"{name}: nobody begins with a permission", [], self.data(app.wire.get(path, bearer=person.access))["permissions"])
        checks.equal(f"{name}: assigned", sorted(ASSIGNED), self.roles(
            person, *(part for role in ASSIGNED for part in ("--add", role))))
        listed = self.data(app.wire.get(path, bearer=person.access))["permissions"]
        checks.equal(f"{name}: listed", [("videos:read", None), ("images:read", "project:42"), ("videos:*", "project:42")], [
            (grant["permission"], grant.get("scope")) for grant in listed])
        for permission, scope, expected in (
                ("videos:read", None, True), ("videos:write", None, False), ("videos:write", "project:42", True),
                ("videos:write", "project:4", False), ("images:write", "project:42", False)):
            checks.equal(f"{name}: {permission} in {scope}", expected, self.allowed(person, permission, scope))
            query = f"?permission={permission}" + ("" if scope is None else f"&scope={scope}")
            answer = app.wire.get(f"/verify{query}", bearer=person.access)
            checks.equal(f"{name}: /verify{query}", 200 if expected else 403, answer.status)
            if expected:
                checks.equal(f"{name}: and the permissions in every scope", "videos:read", answer.header("x-auth-permissions"))
            else:
                self.refused("a missing permission", answer, 403, "missing_permission")
        for body, code in (
                ({}, "permission_missing"), ({"permission": 1}, "permission_mistyped"), ({"permission": "videos"}, "permission_malformed"),
                ({"permission": "videos:*"}, "permission_malformed"), ({"permission": "v:" + "a" * 65}, "permission_malformed"),
                ({"permission": "videos:re\u0301ad"}, "permission_malformed"), ({"permission": "e" + "\u0301" * 4000}, None),
                ({"permission": "videos:read", "scope": ""}, "scope_missing"),
                ({"permission": "videos:read", "scope": "a b"}, "scope_malformed"),
                ({"permission": "videos:read", "scope": "a" * 129}, "scope_too_long")):
            answer = self.post("/permissions/check", body, person.access)
            checks.equal(f"{name}: {str(body)[:40]}", (400, code or answer.json["code"]), (answer.status, answer.json.get("code")))
        self.refused("without a token", self.post("/permissions/check", {"permission": "videos:read"}), 401, "invalid_access_token")
        checks.equal(f"{name}: nor a list", 401, app.wire.get(path).status)
        self.roles(person, "--remove", "viewer", "--add", "admin")
        checks.equal(f"{name}: admin may do everything at once", True, self.allowed(person, "anything:else"))
        self.roles(person, "--remove", "admin")
        checks.equal(f"{name}: and nothing more afterwards", False, self.allowed(person, "videos:read"))
        for bad in ("@", "editor@", "edi tor", "editor@a b"):
            done = self.server.command("users", "roles", "--app", app.name, person.credentials[app.contract.identifier], "--add", bad)
            checks.equal(f"{name}: {bad!r} is refused in one line", (1, 1), (done.returncode, len(done.stderr.splitlines())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    apps = {name: app(name, roles=ROLES) for name in APPS}
    with serving(arguments.program, development(**apps), checks) as server:
        for name in APPS:
            scenario = Permissions(server, name, checks)
            scenario.app = App(server.wire, server.inbox, name)
            checks.run(name, scenario.run)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
