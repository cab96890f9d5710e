"""Simulated users that sign up, in and out, refresh, change passwords and use codes, and repeat requests without an answer."""

import http.client
import random
import threading
import time

from apps import new_number, new_password
from drills.journal import Member, Session
from expectations import refusal_differences
from walks.vici import reset_token

PATIENCE = 60  # Seconds for one request with all of its repetitions.
PAUSE = 0.1  # Seconds before a repetition.
COOLDOWN = 61  # Seconds between two resets of an account: before, no message is sent.
MESSAGE = 3  # Seconds to wait for a message. A message claimed by a killed node arrives when its claim ends.


class GaveUp(Exception):
    """No answer within `PATIENCE`."""


class Asker:
    """Sends requests as a client does, and repeats them while there is no answer."""

    def __init__(self, journal):
        self.journal = journal

    def ask(self, app, operation, body=None, patience=PATIENCE, **more):
        """Returns the answer, and True if an earlier try of the same request may have taken effect."""
        unknown, deadline = False, time.monotonic() + patience
        while True:
            began = time.monotonic()
            try:
                answer = app.call(operation, body, **more)
            except (OSError, http.client.HTTPException) as error:
                status, said = None, repr(error)
            else:
                if answer.status not in (502, 503, 504):
                    return answer, unknown
                status, said = answer.status, str(answer)
                if status == 503 and (found := refusal_differences(answer, app.contract, 503)):
                    self.journal.complain(f"{operation}: a 503 should have {'; '.join(found)}: {said}")
            self.journal.outage(began, operation, status, said)
            if time.monotonic() > deadline:
                raise GaveUp(f"{operation}: {said}")
            unknown = True
            time.sleep(PAUSE)


class Person(Asker, threading.Thread):
    """A simulated user, with separate accounts and sessions."""

    def __init__(self, journal, vici, barqnet, post, seed):
        Asker.__init__(self, journal)
        threading.Thread.__init__(self, daemon=True)
        self.vici, self.barqnet, self.post, self.random = vici, barqnet, post, random.Random(seed)
        self.members, self.sessions = [], []
        self.leaving = threading.Event()
        self.surprise = None

    def run(self):
        deeds = {self.refresh: 60, self.look: 60, self.sign_in: 6, self.sign_up: 6, self.sign_out: 4,
                 self.sign_up_by_code: 4, self.change_password: 4}
        try:
            while not self.leaving.is_set():
                deed = self.random.choices(list(deeds), deeds.values())[0] if self.sessions else self.sign_up
                deed()
                time.sleep(0.005)
        except Exception as error:
            self.surprise = error

    # Operations

    def sign_up(self):
        self._register(self.vici, self.vici.newcomer())

    def sign_up_by_code(self):
        app, number = self.barqnet, new_number()
        answer, unknown = self.ask(app, "send", {"phone_number": number})
        # The earlier try may have sent a message: no second one is sent within a minute, but one must be.
        if answer.status != 200 and not (unknown and answer.status == 429):
            return self.journal.complain(f"send-otp: {answer}")
        message = self._message(number, 1, "code")
        if message is None:
            return None
        body = {"phone_number": number, "password": new_password(), "otp": message["code"]}
        if self._register(app, body):
            self.journal.note(self.journal.spent, (app, "register", body, (400, 409)))

    def _register(self, app, body):
        """Returns True if there is an account now; a try without an answer may have created it."""
        answer, unknown = self.ask(app, "register", body)
        member = Member(app, {key: body[key] for key in (app.contract.identifier, "password")})
        if answer.status == 201:
            self.journal.note(self.journal.members, member)
            self.members.append(member)
            self._hold(member, answer)
            return True
        if unknown and answer.status in (400, 409):
            self.journal.note(self.journal.members, member)
            self.members.append(member)
            # A code is redeemed, and an address taken, only together with the account.
            return self._sign_in(member, f"after register was answered {answer.status}")
        self.journal.complain(f"register{' after an unknown one' if unknown else ''}: {answer}")
        return False

    def _message(self, to, count, holds):
        """Returns the promised message; None if it does not arrive soon."""
        try:
            return self.post.wait(None, to, count, MESSAGE, holds)
        except RuntimeError:
            with self.journal.lock:
                self.journal.awaited.append((to, count, holds, time.monotonic()))
            return None

    def sign_in(self):
        self._sign_in(self.random.choice(self.members))

    def _sign_in(self, member, when=""):
        answer, _ = self.ask(member.app, "login", member.credentials)
        if answer.status != 200:
            self.journal.complain(f"login {when}: {answer}")
            return False
        self._hold(member, answer)
        return True

    def _hold(self, member, answer):
        access, refresh = member.app.tokens(answer)
        session = Session(member, access, refresh)
        member.sessions.append(session)
        self.sessions.append(session)
        self.journal.note(self.journal.sessions, session)

    def refresh(self):
        session = self.random.choice(self.sessions)
        app = session.member.app
        answer, unknown = self.ask(app, "refresh", {next(iter(app["refresh"].fields)): session.refresh})
        if answer.status != 200:
            return self.journal.complain(f"refresh{' after an unknown one' if unknown else ''}: {answer}")
        session.spent = session.refresh
        session.access, session.refresh = app.tokens(answer)
        self.journal.note([])

    def look(self):
        session = self.random.choice(self.sessions)
        if session.member.app is not self.vici:
            return
        answer, _ = self.ask(self.vici, "me", bearer=session.access)
        if answer.status != 200:
            self.journal.complain(f"me: {answer}")

    def sign_out(self):
        session = self.random.choice(self.sessions)
        app = session.member.app
        self._forget([session])
        if app is self.vici:
            answer, _ = self.ask(app, "logout", {"refreshToken": session.refresh})
        else:
            answer, _ = self.ask(app, "logout", {"token": session.access}, bearer=session.access)
        if answer.status != 200:
            return self.journal.complain(f"logout: {answer}")
        self.journal.note(self.journal.ended, session)
        # Effective immediately, at every node.
        self.see_dead(session)

    def see_dead(self, session):
        app = session.member.app
        if app is self.vici:
            answer, _ = self.ask(app, "me", bearer=session.access)
            if answer.status != 401:
                self.journal.complain(f"me of a session that was ended: {answer}")
        answer, _ = self.ask(app, "refresh", {next(iter(app["refresh"].fields)): session.refresh})
        if answer.status != 401:
            self.journal.complain(f"refresh of a session that was ended: {answer}")

    def _forget(self, sessions):
        for session in sessions:
            session.member.sessions.remove(session)
            self.sessions.remove(session)
        with self.journal.lock:
            for session in sessions:
                self.journal.sessions.remove(session)

    def change_password(self):
        app = self.vici
        fit = [member for member in self.members if member.app is app and time.monotonic() - member.reset_at > COOLDOWN]
        if not fit:
            return
        member = self.random.choice(fit)
        before = len([each for each in self.post.messages("vici", member.address) if each["link"]])
        answer, _ = self.ask(app, "forgot", {"email": member.address})
        member.reset_at = time.monotonic()
        if answer.status != 200:
            return self.journal.complain(f"forgot-password: {answer}")
        message = self._message(member.address, before + 1, "link")
        if message is None:
            return None
        token = reset_token(message)
        renewed = member.credentials | {"password": new_password()}
        ended = list(member.sessions)
        self._forget(ended)
        body = {"token": token, "password": renewed["password"]}
        answer, unknown = self.ask(app, "reset", body)
        if answer.status != 200 and not (unknown and answer.status == 400):
            return self.journal.complain(f"reset-password: {answer}")
        # A try without an answer that redeemed the token has changed the password: the sign-in below shows it.
        member.credentials = renewed
        self.journal.note(self.journal.spent, (app, "reset", body, (400,)))
        self.journal.note(self.journal.ended, *ended)
        self._sign_in(member, f"with the new password, after reset was answered {answer.status}")
        for session in ended[:2]:
            self.see_dead(session)
