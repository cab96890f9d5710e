#!/usr/bin/env python3
"""Checks the links between the Markdown files given.

  check-links.py FILE …
  check-links.py --self-test

Every relative link leads to a file of the repository, and its fragment to a heading of that file. In the table of questions of
`Documentation/README.md`, the link of each row is at most two clicks from `README.md`, and every name in code voice of the answer
occurs below the heading that the link leads to.
"""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?^ {0,3}\1[ \t]*$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+)[ \t]+(.*?)[ \t]*$", re.MULTILINE)
START, INDEX, TABLE = "README.md", "Documentation/README.md", "| question | answer | page |"
CLICKS = 2


def prose(path):
    """The text of a page with its code blocks blanked out, each character at its place."""
    return FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), path.read_text())


def slug(heading):
    """The fragment that GitHub makes of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def sections(path):
    """The text below each heading, by fragment: up to the next heading of its level or above."""
    text, whole = prose(path), path.read_text()
    found, headings = {}, list(HEADING.finditer(text))
    for index, heading in enumerate(headings):
        end = next((other.start() for other in headings[index + 1:] if len(other[1]) <= len(heading[1])), len(text))
        name, count = slug(heading[2]), 1
        while (name if count == 1 else f"{name}-{count - 1}") in found:
            count += 1
        found[name if count == 1 else f"{name}-{count - 1}"] = whole[heading.start():end]
    return found


def links(path):
    """The links of a page to files of the repository: file and fragment."""
    for target, fragment in LINK.findall(prose(path)):
        if "://" not in target and not target.startswith("mailto:"):
            yield (path.parent / target if target else path), fragment


def broken(path):
    for target, fragment in links(path):
        if not target.exists():
            yield f"{path}: {target} does not exist"
        elif fragment and target.suffix == ".md" and fragment not in sections(target):
            yield f"{path}: {target} has no heading #{fragment}"


def distances(start):
    """Returns the number of clicks to every reachable page."""
    found, front = {start.resolve(): 0}, [start]
    for clicks in range(1, CLICKS + 1):
        front = [target for page in front if page.suffix == ".md" for target, _ in links(page)
                 if target.exists() and found.setdefault(target.resolve(), clicks) == clicks]
    return found


def unanswered(root):
    """Returns the problems of the table of questions."""
    index = root / INDEX
    text = index.read_text()
    if TABLE not in text:
        yield f"{INDEX}: the table of questions is missing"
        return
    reach = distances(root / START)
    rows = [line for line in text.split(TABLE)[1].splitlines()[2:] if line.startswith("|")]
    if len(rows) < 10:
        yield f"{INDEX}: {len(rows)} questions, fewer than 10"
    for row in rows:
        question, answer, page = (cell.strip() for cell in row.strip("|").split("|"))
        target, fragment = LINK.findall(page)[0]
        target = index.parent / target
        if reach.get(target.resolve(), CLICKS + 1) > CLICKS:
            yield f"{question} {target} is more than {CLICKS} clicks from {START}"
            continue
        section = sections(target).get(fragment) if fragment else target.read_text()
        for name in re.findall(r"`([^`]+)`", answer):
            if section is not None and name not in section:
                yield f"{question} `{name}` does not occur in {target} #{fragment}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "Documentation").mkdir()
        (root / START).write_text("# A\n[b](Documentation/README.md) [no](no.md) ```x``` [gone](Documentation/README.md#gone)\n")
        page = "# B\n## Two `words`, here\n```\n# none\n[none](none.md)\n```\n" + TABLE + "\n| --- | --- | --- |\n"
        row = "| q? | `x` | [b](README.md#two-words-here) |\n"
        (root / INDEX).write_text(page + row * 10 + "\n## Two `words`, here\nx\n")
        assert list(sections(root / INDEX)) == ["b", "two-words-here", "two-words-here-1"], sections(root / INDEX)
        assert len(list(broken(root / START))) == 2, list(broken(root / START))
        assert not list(broken(root / INDEX)) and not list(unanswered(root)), list(unanswered(root))
        (root / "far.md").write_text("# Far\n")
        (root / INDEX).write_text(page + "| q? | `x` | [far](../far.md#far) |\n" * 10)
        assert any("`x` does not occur" in line for line in unanswered(root))
        (root / START).write_text("# A\nno link\n")
        assert any("clicks" in line for line in unanswered(root))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    wrong = [line for page in sys.argv[1:] for line in broken(Path(page))] + list(unanswered(ROOT))
    print("\n".join(wrong) or "all links lead somewhere, and the ten questions to their answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
