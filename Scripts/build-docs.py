#!/usr/bin/env python3
"""Builds the site of the documentation: guides, the DocC archive of all products, and the OpenAPI description of each contract.

  build-docs.py --program PATH --built DIR [--output DIR] [--base PATH]

The site is static. It works at the root of a host, or below PATH of it: the pages of the archive contain their base path.
BUILT is where this package has been built with all traits; `Apple/` must have been built too, so that the archive has the parts for
Apple's platforms. Every link of a guide is checked: to pages, headings, files and articles of the archive.
"""

import argparse
import html
import importlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markdown_it import MarkdownIt

from built_modules import MODULES, ROOT

links = importlib.import_module("check-links")
symbols = importlib.import_module("check-symbols")

PAGES = ["*.md", "Documentation/**/*.md", "Examples/**/*.md", "Benchmarks/*.md", "Apple/*.md"]
API, OPENAPI = "api", "openapi"
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
STYLE = """\
:root{color-scheme:light dark;--ink:#1d1d1f;--paper:#fff;--soft:#6e6e73;--line:#d2d2d7;--link:#0066cc;--code:#f5f5f7}
@media(prefers-color-scheme:dark){:root{--ink:#f5f5f7;--paper:#111;--soft:#a1a1a6;--line:#424245;--link:#5eb0ff;--code:#1d1d1f}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
nav,main{max-width:52rem;margin:0 auto;padding:1rem 1.25rem}nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}h1,h2,h3{line-height:1.25}h2{margin-top:2.25rem}img{max-width:100%;height:auto}
pre{background:var(--code);padding:.9rem 1rem;border-radius:.6rem;overflow-x:auto}code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
table{display:block;overflow-x:auto;border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
td{min-width:6rem}
"""
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}docs.css">
</head>
<body>
<nav>{navigation}</nav>
<main>
{body}
</main>
</body>
</html>
"""


class Site:
    def __init__(self, output, base):
        self.output, self.base = output, base
        self.pages = sorted(path for pattern in PAGES for path in ROOT.glob(pattern) if not hidden(path))
        # Files that a page links to and that are not pages, and broken links.
        self.files, self.broken = set(), []
        self.articles = {}

    def build(self, program, built):
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir(parents=True)
        symbols.convert(built, self.output / API, "/".join(part for part in (self.base, API) if part))
        self.find_articles()
        contracts = self.describe(program)
        (self.output / "docs.css").write_text(STYLE)
        for path in self.pages:
            self.write(path, contracts)
        for path in sorted(self.files):
            target = self.output / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        self.broken += dangling(self.output)

    def find_articles(self):
        """Records the path in the archive of each article and module."""
        documentation = self.output / API / "documentation"
        if not documentation.exists():
            sys.exit("there is no archive: this toolchain has no docc")
        # A symbol below a module may have the name of an article.
        for pattern in ("*/index.html", "ostiary/*/index.html"):
            for page in documentation.glob(pattern):
                self.articles[page.parent.name] = page.parent.relative_to(self.output)
        for module in MODULES:
            if not (documentation / module.lower() / "index.html").exists():
                sys.exit(f"the archive has no {module}")

    def describe(self, program):
        """Writes the OpenAPI description of each preset, and returns their names."""
        names = [preset["name"] for preset in json.loads(output_of(program, "contract", "list", "--json"))]
        (self.output / OPENAPI).mkdir()
        for name in names:
            description = output_of(program, "contract", "openapi", name)
            json.loads(description)
            (self.output / OPENAPI / f"{name}.json").write_text(description)
        return names

    def write(self, path, contracts):
        target = self.place(path)
        depth = len(target.relative_to(self.output).parts) - 1
        root = "../" * depth
        text = COMMENT.sub("", path.read_text())
        body = self.render(text, path, target)
        if path == ROOT / "Documentation/README.md":
            body += self.listing(root, contracts)
        title = re.search(r"^# (.*)$", text, re.MULTILINE)
        entries = [("Ostiary", "index.html"), ("Documentation", "Documentation/index.html"), *(
            (name, f"{API}/documentation/{name.lower()}/index.html") for name in ("OstiaryClient", "OstiaryUI"))]
        navigation = "".join(f'<a href="{root}{place}">{name}</a>' for name, place in entries)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(PAGE.format(
            title=html.escape(title[1].replace("`", "") if title else path.stem), root=root, navigation=navigation, body=body))

    def listing(self, root, contracts):
        """The parts that only the site has: the archive's modules and the descriptions."""
        modules = "".join(
            f'<li><a href="{root}{API}/documentation/{name.lower()}/index.html">{name}</a></li>\n' for name in MODULES)
        descriptions = "".join(f'<li><a href="{root}{OPENAPI}/{name}.json">{name}</a></li>\n' for name in contracts)
        return (f'<h2 id="symbols">Symbols of all products</h2>\n<ul>\n{modules}</ul>\n'
                f'<h2 id="openapi-descriptions">OpenAPI descriptions</h2>\n<ul>\n{descriptions}</ul>\n')

    def render(self, text, path, target):
        markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        tokens = markdown.parse(text)
        slugs = {}
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                slug = links.slug(tokens[index + 1].content)
                count = slugs[slug] = slugs.get(slug, -1) + 1
                token.attrSet("id", f"{slug}-{count}" if count else slug)
            opened = []
            for child in token.children or []:
                if child.type == "link_close":
                    drop(child, opened.pop() is None)
                name = {"link_open": "href", "image": "src"}.get(child.type)
                if name:
                    address = self.address(child.attrGet(name), path, target)
                    if child.type == "link_open":
                        opened.append(address)
                        drop(child, address is None)
                    if address is not None:
                        child.attrSet(name, address)
        return markdown.renderer.render(tokens, markdown.options, {})

    def address(self, link, page, target):
        """The target of a page's link on the site; None for a folder of sources, which has no page there."""
        if re.match(r"[a-z][a-z0-9+.-]*:", link) or link.startswith("#"):
            return link
        name, _, fragment = link.partition("#")
        path = (page.parent / unquote(name)).resolve()
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        if path.suffix == ".md" and ".docc" in str(path):
            # The archive encodes the fragments of headings differently.
            place = self.articles.get(path.stem.lower())
            if place is None:
                self.broken.append(f"{page.relative_to(ROOT)}: {link} is not in the archive")
                return None
            return relative(self.output / place / "index.html", target)
        if path in self.pages:
            return relative(self.place(path), target) + (f"#{fragment}" if fragment else "")
        if not path.is_file():
            if not path.is_dir():
                self.broken.append(f"{page.relative_to(ROOT)}: {link}")
            return None
        self.files.add(path)
        return relative(self.output / path.relative_to(ROOT), target)

    def place(self, path):
        """The file of a page: README.md is the index of its folder."""
        name = path.relative_to(ROOT).with_suffix(".html")
        return self.output / (name.with_name("index.html") if path.name == "README.md" else name)


def drop(token, is_dropped):
    """Removes a link's mark from its text."""
    if is_dropped:
        token.type, token.tag, token.content = "html_inline", "", ""


def hidden(path):
    return any(part.startswith(".") for part in path.relative_to(ROOT).parts)


def relative(path, page):
    return str(PurePosixPath(*[".."] * (len(page.parts) - 1 - common(path, page)), *path.parts[common(path, page):]))


def common(path, page):
    count = 0
    for one, other in zip(path.parts[:-1], page.parts[:-1]):
        if one != other:
            break
        count += 1
    return count


def dangling(output):
    """The links of the guides to files or headings that the site does not have."""
    identifiers, found = {}, []
    guides = [page for page in sorted(output.glob("**/*.html")) if API not in page.relative_to(output).parts[:1]]
    for page in guides:
        identifiers[page] = set(re.findall(r'\bid="([^"]*)"', page.read_text()))
    for page in guides:
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', page.read_text()):
            if re.match(r"[a-z][a-z0-9+.-]*:", link):
                continue
            name, _, fragment = html.unescape(link).partition("#")
            target = (page.parent / unquote(name)).resolve() if name else page
            if not target.is_file():
                found.append(f"{page.relative_to(output)}: {link}")
            elif fragment and target in identifiers and unquote(fragment) not in identifiers[target]:
                found.append(f"{page.relative_to(output)}: {link}")
    return found


def output_of(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path, help="path of the program `ostiary`")
    parser.add_argument("--built", required=True, type=Path, help="where this package has been built with all traits")
    parser.add_argument("--output", type=Path, default=ROOT / ".build-docs")
    parser.add_argument("--base", default="", help="the path below which the site is served")
    arguments = parser.parse_args()
    site = Site(arguments.output.resolve(), arguments.base.strip("/"))
    site.build(arguments.program.resolve(), arguments.built.resolve())
    if site.broken:
        sys.exit("\n".join(site.broken))
    symbol_pages = len(list((site.output / API).glob("documentation/**/index.html")))
    print(f"{len(site.pages)} guides and {symbol_pages} pages of symbols and articles, in {arguments.output}")


if __name__ == "__main__":
    main()
