"""`acr_values`, `max_age` and `prompt`, as Authlib requests them, with the ID tokens that it validates. No JavaScript."""

import time

from apps import new_email, new_password
from authenticator import Authenticator
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from upstreams.builtin.provider import SITE
from user_agent import Browser


def run(provider):
    checks = provider.checks
    checks.equal("discovery: acr_values_supported", ["aal1", "aal2"], provider.document.get("acr_values_supported"))
    checks.that("discovery: acr, amr and auth_time are claims", {"acr", "amr", "auth_time"} <= set(
        provider.document["claims_supported"]), "all three", provider.document["claims_supported"])
    person = Person(provider)
    person.register()
    claims = person.tokens()
    checks.equal("a password alone", ("aal1", ["pwd"]), (claims.get("acr"), claims.get("amr")))
    enrolment(provider, person)
    raised(provider, person)
    ages(provider, person)
    prompts(provider, person)


class Person:
    """One browser of a person, and the client that it signs in to."""

    def __init__(self, provider):
        self.provider, self.browser = provider, Browser(stops_at=[SITE])
        self.email, self.password = new_email(), new_password()
        self.authenticator = self.codes = None

    def register(self):
        page = self.browser.visit(f"{self.provider.base}/register")
        self.browser.submit(page, page.form("email", "full_name"), {
            "email": self.email, "full_name": "Ada", "password": self.password})

    def request(self, **parameters):
        """Opens the client's request; returns the page, or the client's address with a code or an error."""
        self.begun = self.provider.begun(**parameters)
        return self.browser.visit(self.begun[1])

    def sign_in(self, page):
        return self.browser.submit(page, page.form("email", "password"), {
            "email": self.email, "password": self.password})

    def answer(self, page, **answers):
        return self.browser.submit(page, page.form(*answers), answers)

    def claims(self, page):
        """Redeems the code of the client's address with Authlib; returns the claims of the ID token, which it validates."""
        session, _, state, verifier, nonce = self.begun
        token = session.fetch_token(self.provider.document["token_endpoint"], authorization_response=page.url,
                                    code_verifier=verifier, state=state)
        decoded = jwt.decode(token["id_token"], self.provider.keys, algorithms=["RS256"])
        claims = CodeIDToken(decoded.claims, decoded.header, {
            "iss": {"essential": True, "value": self.provider.base}, "aud": {"essential": True, "value": "own"},
            "nonce": {"essential": True, "value": nonce}, "auth_time": {"essential": True}, "acr": {"essential": True},
            "amr": {"essential": True}}, {"access_token": token["access_token"], "nonce": nonce, "client_id": "own"})
        claims.validate(leeway=5)
        return claims

    def tokens(self, **parameters):
        return self.claims(self.request(**parameters))


def enrolment(provider, person):
    """A person without a second factor adds one, because the client asks for aal2."""
    checks = provider.checks
    page = person.request(acr_values="aal2")
    checks.that("a client that asks for aal2 is named on the page to add a factor", page.status == 200
                and "asks for a second factor" in page.text, "a page", page)
    declined = person.browser.submit(page, page.form(button=("decision", "deny")), button=("decision", "deny"))
    checks.equal("who declines goes back with an error", ("unmet_authentication_requirements", person.begun[2]), (
        declined.query.get("error"), declined.query.get("state")))
    silent = person.request(acr_values="aal2", prompt="none")
    checks.equal("a silent request is told", "login_required", silent.query.get("error"))
    page = person.request(acr_values="aal2 aal1")
    checks.equal("who accepts less gets less", "aal1", person.claims(page).get("acr"))
    page = person.request(acr_values="urn:example:unknown")
    checks.equal("an unknown level is no obstacle", "aal1", person.claims(page).get("acr"))

    page = person.request(acr_values="aal2")
    page = person.browser.submit(page, page.form(button=("decision", "totp")), button=("decision", "totp"))
    form = page.form("code", "name")
    person.authenticator = Authenticator(dict(form.fields)["uri"])
    page = person.browser.submit(page, form, {"code": person.authenticator.code(), "name": "Phone"})
    checks.that("the recovery codes are shown once", page.text.count("<li><code>") == 10, 10, page.text[-500:])
    person.codes = [line.split("</code>")[0] for line in page.text.split("<li><code>")[1:]]
    page = person.browser.visit(page.links["I have saved the codes"])
    claims = person.claims(page)
    checks.equal("and the client gets what it asked for", ("aal2", ["mfa", "otp", "pwd"]), (
        claims.get("acr"), claims.get("amr")))


def raised(provider, person):
    """A session of one factor is raised; one of two is accepted."""
    checks = provider.checks
    person.browser = Browser(stops_at=[SITE])
    page = person.sign_in(person.request())
    other = {"switch": "recovery_code"}
    page = person.browser.submit(page, page.form(button=("switch", "recovery_code")), other)
    page = person.answer(page, code=person.codes.pop())
    claims = person.claims(page)
    checks.equal("a recovery code does not raise the level", ("aal1", ["otp", "pwd"]), (
        claims.get("acr"), claims.get("amr")))
    began = int(time.time())
    page = person.request(acr_values="aal2")
    checks.that("a step-up asks for the factor alone", page.status == 200 and page.form("code")
                and "password" not in {name for form in page.forms for name in form.kinds}, "a code", page)
    claims = person.claims(person.answer(page, code=person.authenticator.code()))
    checks.equal("and raises the session", ("aal2", ["mfa", "otp", "pwd"]), (claims.get("acr"), claims.get("amr")))
    checks.that("auth_time is that of the older factor", claims["auth_time"] <= began, f"at most {began}",
                claims["auth_time"])
    checks.equal("from then on nobody is asked", "aal2", person.tokens(acr_values="aal2", prompt="none").get("acr"))


def ages(provider, person):
    checks = provider.checks
    claims = person.tokens(acr_values="aal2", max_age=3600)
    checks.that("max_age: auth_time is recent", time.time() - claims["auth_time"] <= 3600, "an hour", claims["auth_time"])
    page = person.request(max_age=0)
    checks.that("max_age=0 asks for the password again", page.status == 200 and page.form("password"), "a form", page)
    page = person.sign_in(page)
    checks.that("and for the second factor", page.form("code"), "a form", page)
    claims = person.claims(person.answer(page, code=person.authenticator.code()))
    checks.equal("a new sign-in has both", "aal2", claims.get("acr"))


def prompts(provider, person):
    checks = provider.checks
    before = person.tokens()["auth_time"]
    page = person.request(prompt="login")
    checks.that("prompt=login asks for the password again", page.status == 200 and page.form("password"), "a form", page)
    time.sleep(1.1)
    page = person.sign_in(page)
    page = person.answer(page, code=person.authenticator.code())
    claims = person.claims(page)
    checks.that("and auth_time is later", claims["auth_time"] > before, f"after {before}", claims["auth_time"])
