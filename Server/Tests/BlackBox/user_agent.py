"""The parts of a browser that sign-in needs: cookies, redirects, forms, and the restrictions that a page sets for its forms.

It follows pages over plain HTTP on this machine, and stops at an address that it cannot or must not open:
there the app continues.
"""

import http.client
import urllib.parse
from dataclasses import dataclass, field
from html.parser import HTMLParser

from wire import FORM, Answer



@dataclass
class Form:
    action: str
    method: str
    fields: list  # (name, value) of the fields with their default values.
    kinds: dict = field(default_factory=dict)  # name → the input's type
    completions: dict = field(default_factory=dict)  # name → autocomplete
    buttons: list = field(default_factory=list)


@dataclass
class Page:
    url: str
    answer: Answer = None  # None where the browser stopped.
    via: list = field(default_factory=list)  # The addresses before, in order.

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query, keep_blank_values=True))

    @property
    def text(self):
        return self.answer.body.decode("utf-8", "replace") if self.answer else ""

    @property
    def forms(self):
        return _Reader(self.text, self.url).forms

    @property
    def links(self):
        """Returns the addresses of links by their text."""
        return _Reader(self.text, self.url).links

    @property
    def status(self):
        return self.answer.status if self.answer else None

    def form(self, *with_fields, button=None):
        """Returns the first form that has all these fields, or that button."""
        for form in self.forms:
            names = {name for name, _ in form.fields} | set(form.kinds)
            if set(with_fields) <= names and (button is None or button in form.buttons):
                return form
        raise RuntimeError(f"no form with {with_fields or button} at {self}")

    def __str__(self):
        return f"{self.url.partition('?')[0]} {self.answer or 'not opened'}"


class Browser:
    """One browser with its own cookies. `opens` decides which addresses it opens itself."""

    addresses = None  # Yields the network address of each new browser, in the header of a proxy.
    everything = []  # Every (address, answer) of every browser, which are searched for secrets.

    def __init__(self, stops_at=()):
        self.jar = {}  # (host, name) → (value, path, attributes)
        self.stops_at = tuple(stops_at)
        self.address = next(self.addresses) if self.addresses else None

    def opens(self, url):
        return url.startswith("http://") and not url.startswith(self.stops_at or ("\0",))

    def visit(self, url, headers=()):
        """Opens an address as if it had been typed, and follows its redirects."""
        return self._follow("GET", url, None, url, headers)

    def submit(self, page, form, answers=(), button=None):
        """Submits a form of a page; `answers` replace its default values."""
        values = dict(answers)
        fields = [(name, values.pop(name, value)) for name, value in form.fields] + list(values.items())
        if button:
            fields.append(button)
        body = urllib.parse.urlencode(fields)
        allowed = form_actions(page)
        if form.method == "GET":
            return self._follow("GET", f"{form.action.partition('?')[0]}?{body}", None, page.url, (), allowed)
        return self._follow("POST", form.action, body.encode(), page.url, (), allowed)

    def _follow(self, method, url, body, initiator, headers=(), allowed=None):
        via = []
        for _ in range(12):
            if allowed is not None and not allows(allowed, url, initiator):
                raise RuntimeError(f"form-action {allowed} of {initiator} does not allow {url.partition('?')[0]}")
            if not self.opens(url):
                return Page(url, None, via)
            answer = self.send(method, url, body, initiator, headers)
            location = answer.header("location")
            if answer.status not in (301, 302, 303, 307, 308) or not location:
                return Page(url, answer, via)
            via.append(url)
            url = urllib.parse.urljoin(url, location)
            if answer.status not in (307, 308):
                method, body = "GET", None
        raise RuntimeError(f"more than 12 redirects from {via[0]}")

    def send(self, method, url, body=None, initiator=None, headers=()):
        """Sends one request, with the cookies that belong to it; stores those that the answer sets."""
        parts = urllib.parse.urlsplit(url)
        cross = urllib.parse.urlsplit(initiator or url).hostname != parts.hostname
        connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=30)
        try:
            sent = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "en", "User-Agent": "black-box",
                    "Sec-Fetch-Site": "cross-site" if cross else "same-origin", "Sec-Fetch-Mode": "navigate"}
            cookies = self._cookies(parts, cross and method == "POST")
            if self.address:
                sent["X-Forwarded-For"] = self.address
            if cookies:
                sent["Cookie"] = cookies
            if body is not None:
                sent["Content-Type"] = FORM
                origin = urllib.parse.urlsplit(initiator or url)
                sent["Origin"] = f"{origin.scheme}://{origin.netloc}"
            connection.request(method, urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, "")), body,
                               sent | dict(headers))
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                self._keep(parts.hostname, value)
        self.everything.append((url, answer))
        return answer

    def _cookies(self, parts, cross_site_post):
        """Returns the cookies of a request: by host and path, and no `SameSite=Lax` with a form from another site.

        Cookies do not distinguish ports, as in every browser.
        """
        return "; ".join(
            f"{name}={value}" for (host, name), (value, path, attributes) in self.jar.items()
            if host == parts.hostname and (parts.path or "/").startswith(path) and not (
                cross_site_post and attributes.get("samesite", "lax") != "none"))

    def _keep(self, host, text):
        pair, *rest = (part.strip() for part in text.split(";"))
        name, _, value = pair.partition("=")
        attributes = {key.lower(): value.lower() if key.lower() != "path" else value
                      for key, _, value in (part.partition("=") for part in rest)}
        if attributes.get("max-age") == "0" or value == "":
            self.jar.pop((host, name), None)
        else:
            self.jar[host, name] = (value, attributes.get("path") or "/", attributes)


def form_actions(page):
    """Returns the targets that the page allows its forms; None if it sets no restriction."""
    for directive in (page.answer.header("content-security-policy") or "").split(";"):
        name, *sources = directive.split() or [""]
        if name == "form-action":
            return sources
    return None


def allows(sources, url, page):
    """Returns True if a form of `page` may lead to `url`. Source: CSP Level 3 §6.7.2."""
    target, own = urllib.parse.urlsplit(url), urllib.parse.urlsplit(page)
    for source in sources:
        if source == "'self'" and (target.scheme, target.netloc) == (own.scheme, own.netloc):
            return True
        if source.endswith(":") and source[:-1] == target.scheme:
            return True
        if "://" in source:
            listed = urllib.parse.urlsplit(source)
            if (listed.scheme, listed.netloc) == (target.scheme, target.netloc):
                return True
    return False


class _Reader(HTMLParser):
    def __init__(self, text, url):
        super().__init__()
        self.url, self.forms, self.links, self.open, self.link = url, [], {}, None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.open = Form(urllib.parse.urljoin(self.url, attributes.get("action") or self.url),
                             attributes.get("method", "get").upper(), [])
            self.forms.append(self.open)
        elif tag == "a" and "href" in attributes:
            self.link = urllib.parse.urljoin(self.url, attributes["href"])
        elif tag in ("input", "button") and self.open is not None:
            self._field(tag, attributes)

    def _field(self, tag, attributes):
        name, kind = attributes.get("name"), attributes.get("type", "text" if tag == "input" else "submit").lower()
        if kind == "submit":
            self.open.buttons.append((name, attributes.get("value", "")))
        elif name and (kind not in ("checkbox", "radio") or "checked" in attributes):
            self.open.fields.append((name, attributes.get("value", "on" if kind == "checkbox" else "")))
            self.open.kinds[name] = kind
            self.open.completions[name] = attributes.get("autocomplete", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None
        elif tag == "a":
            self.link = None

    def handle_data(self, data):
        if self.link and data.strip():
            self.links[data.strip()] = self.link
