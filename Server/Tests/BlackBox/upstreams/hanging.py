"""Providers that hang, several at once: each waiting user gets an error within 5 s, later ones without a wait, and no
other app is affected. Row UP-01."""

import re
import statistics
import time

from expectations import refusal
from peers import serving
from upstreams.flow import arrive, at_once, redeem
from upstreams.misbehaving import AWAY, DISCOVERY, KEYS, SECONDS, TOKEN, begin, recovers, timed


def run(checks, slow, bystander):
    """Three providers that hang, each at another endpoint, with several users waiting at each."""
    person, other = bystander

    def me():
        return timed(lambda: other.call("me", bearer=person.access))

    def p50(count):
        answers = [me() for _ in range(count)]
        checks.that("the other app answers", all(answer.status == 200 for answer, _ in answers), 200)
        return statistics.median(seconds for _, seconds in answers)

    def wait_at(app, peer, endpoint, fault):
        """Hangs at that endpoint; returns the answers and their durations."""
        peer.people["ada"] = {}
        arrived = [arrive(app, "ada") for _ in range(7)] if endpoint == TOKEN else [
            arrive(app, "ada")] if endpoint == KEYS else []
        peer.fault, peer.faulty = fault, re.compile(endpoint)
        if endpoint == DISCOVERY:
            return timed(lambda: begin(app))
        if endpoint == KEYS:
            return timed(lambda: redeem(app, arrived[0]))
        answers = at_once(6, lambda number: timed(lambda: redeem(app, arrived[number])))
        # The circuit breaker: after some requests that waited, none waits any more.
        last.append((app, timed(lambda: redeem(app, arrived[6]))))
        return max(answers, key=lambda pair: pair[1])

    quiet = p50(100)
    work = [(*pair, endpoint, fault) for pair, (endpoint, fault) in zip(slow, [
        (endpoint, fault) for endpoint in (DISCOVERY, TOKEN, KEYS) for fault in (serving.silent(), serving.trickling)])]
    last = []

    def one(number):
        if number == len(work):
            time.sleep(1)
            return p50(100)
        return wait_at(*work[number])

    answers = at_once(len(work) + 1, one)
    for (app, _, endpoint, fault), answer in zip(work, answers):
        name = f"hanging at {endpoint}, {'trickling' if fault is serving.trickling else 'silent'}"
        if not checks.that(name, isinstance(answer, tuple), "an answer", answer):
            continue
        refusal(checks, name, answer[0], app.contract, AWAY)
        checks.that(f"{name}: within {SECONDS} s", answer[1] < SECONDS, f"{SECONDS} s", f"{answer[1]:.1f} s")
    busy = answers[-1]
    if checks.that("the other app was measured", isinstance(busy, float), "a number", busy):
        checks.that("another app's /me is as fast as before", busy < max(0.02, 4 * quiet),
                    f"about {quiet * 1000:.1f} ms", f"{busy * 1000:.1f} ms")
    checks.equal("two token endpoints hung", 2, len(last))
    for app, (answer, seconds) in last:
        refusal(checks, "a provider that hangs is soon not asked any more", answer, app.contract, AWAY)
        checks.that("and that is said at once", seconds < 1, "1 s", f"{seconds:.1f} s")
    for _, peer in slow:
        peer.fault = None
    for (app, _), what in zip(slow[::2], ("discovery", "token", "keys")):
        recovers(checks, f"when {what} does not hang any more", app)
