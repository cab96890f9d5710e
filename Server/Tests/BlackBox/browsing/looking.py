"""Examines a page on a phone and on a desktop, in light and in dark mode: axe-core, further rules, and a picture if asked for."""

import base64
import re
from importlib import resources

from browsing.chromium import DESKTOP, PHONE

EVERYWHERE = [(size, is_dark) for size in (PHONE, DESKTOP) for is_dark in (False, True)]
# Each size and each mode: nearly every finding depends on one of them alone.
EACH_ONCE = [(PHONE, False), (DESKTOP, True)]
ON_A_PHONE = [(PHONE, False)]
AXE = resources.files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text("utf-8")
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations", "incomplete"], rules: {"target-size": {enabled: true}}})
  .then(result => done(result), error => done({error: String(error)}));
"""
# Further rules, each with a sentence that describes the violation; they cover what axe-core does not check.
RULES = """
const wrong = [], root = document.documentElement, told = e => e.outerHTML.slice(0, 120);
if (root.lang !== arguments[0]) wrong.push(`lang is ${root.lang}, not ${arguments[0]}`);
if (!document.title.trim()) wrong.push("no title");
if (document.querySelectorAll("h1").length !== 1) wrong.push("not exactly one h1");
if (root.scrollWidth > root.clientWidth) wrong.push(`scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
for (const input of document.querySelectorAll("input:not([type=hidden])")) {
  if (!input.labels.length) wrong.push("no label: " + told(input));
  if (!input.autocomplete) wrong.push("no autocomplete: " + told(input));
  if (parseFloat(getComputedStyle(input).fontSize) < 16) wrong.push("a phone zooms in on small text: " + told(input));
}
for (const target of document.querySelectorAll("input:not([type=hidden]), button, a[href]")) {
  // The target of a checkbox includes its label.
  const box = (target.type === "checkbox" ? target.parentElement : target).getBoundingClientRect();
  if (box.width && box.height < (target.matches("form button:not([type=button]), input") ? 44 : 24))
    wrong.push(`${Math.round(box.height)} px high: ` + told(target));
  if (box.width && (box.left < 0 || box.right > root.clientWidth + 1)) wrong.push("beyond the edge: " + told(target));
}
for (const input of document.querySelectorAll(".field input, .field select, .field textarea"))
  if (input.getBoundingClientRect().right > input.closest(".field").getBoundingClientRect().right + 1)
    wrong.push("beyond its field: " + told(input));
// On a desktop no word of a list is broken. Names of people, which may be longer than a line, are in its row headers.
for (const cell of root.clientWidth > 1000 ? document.querySelectorAll("table:not(.plain) td") : []) {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[\\w.]+/g)) {
    const range = document.createRange();
    range.setStart(texts.currentNode, word.index);
    range.setEnd(texts.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1) wrong.push("broken: " + word[0]);
  }
}
for (const described of document.querySelectorAll("[aria-describedby]"))
  for (const id of described.getAttribute("aria-describedby").split(" "))
    if (!document.getElementById(id)) wrong.push(`nothing has the id ${id}: ` + told(described));
return wrong;
"""


class Looking:
    def __init__(self, checks, pictures):
        self.checks, self.pictures = checks, pictures
        self.ways = EVERYWHERE if pictures else EACH_ONCE
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)

    def at(self, browser, name, language="en", ways=None):
        """Examines the page in the ways of this run, and restores the browser's settings."""
        before = browser.size, browser.is_dark
        browser.script(AXE)
        for size, is_dark in ways or self.ways:
            browser.look(size, is_dark)
            seen = f"{name}.{language}.{size.name}.{'dark' if is_dark else 'light'}"
            if self.pictures:
                self._keep_picture(browser, seen)
            wrong, notes = accessibility(browser)
            self.checks.none(f"axe-core on {seen}", wrong)
            self.checks.none(f"rules on {seen}", browser.script(RULES, language))
            for note in notes:
                print(f"note: {seen}: {note}")
        browser.look(*before)

    def _keep_picture(self, browser, name):
        picture = browser.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        (self.pictures / f"{re.sub(r'[^a-z0-9.-]', '-', name)}.png").write_bytes(base64.b64decode(picture["data"]))


def accessibility(browser):
    """Returns axe-core's findings: the serious and the minor ones, one sentence each."""
    browser.driver.set_script_timeout(20)
    result = browser.driver.execute_async_script(RUN)
    if "error" in result:
        return [result["error"]], []
    grave, lesser = [], []
    for violation in result["violations"]:
        place = "; ".join(node["html"][:160] for node in violation["nodes"][:3])
        sentence = f"{violation['id']} ({violation['impact']}): {violation['help']}: {place}"
        (grave if violation["impact"] in ("serious", "critical") else lesser).append(sentence)
    # A contrast that axe-core could not compute has not been checked.
    grave += [f"{open['id']} left open: {node['html'][:160]}: {node['any'][0]['message'] if node['any'] else ''}"
              for open in result["incomplete"] if open["id"] == "color-contrast" for node in open["nodes"]]
    return grave, lesser
