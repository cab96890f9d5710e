"""Counts checks, and reports a failed one in one line with the expected and the actual value."""

import traceback


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = 0
        self.section = ""

    def that(self, name, holds, expected="", came=""):
        """Counts one check; prints only if it failed."""
        if holds:
            self.passed += 1
            return True
        self.failed += 1
        print(f"FAIL {self.section}: {name}: expected {brief(expected)}; came {brief(came)}", flush=True)
        return False

    def equal(self, name, expected, came):
        return self.that(name, expected == came, expected, came)

    def none(self, name, differences, came=""):
        """`differences` is a list of sentences that must be empty."""
        return self.that(name, not differences, "; ".join(differences), came)

    def skip(self, why):
        """Counts a check that cannot run here, and reports it."""
        self.skipped += 1
        print(f"skipped {self.section}: {why}", flush=True)

    def run(self, section, work):
        """Runs one section; an exception in it is a failed check and does not stop the others."""
        self.section = section
        before = self.passed, self.failed
        try:
            work()
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            self.that("runs to its end", False, "no exception", f"{error!r} at {last.filename}:{last.lineno}")
        print(f"{section}: {self.passed - before[0]} passed, {self.failed - before[1]} failed", flush=True)

    def close(self):
        """Prints the closing line and returns the exit status."""
        print(f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else ""))
        return 1 if self.failed or not self.passed else 0


def brief(value):
    text = value if isinstance(value, str) else repr(value)
    text = text.replace("\n", "\\n").replace("\r", "\\r")
    return text if len(text) <= 300 else text[:300] + "…"
