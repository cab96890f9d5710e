"""Checks that every relative link in the Markdown files given leads to a file of the repository."""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")

broken = [
    f"{page}: {target}"
    for page in sys.argv[1:]
    for target in LINK.findall(Path(page).read_text())
    if "://" not in target and not (Path(page).parent / target).exists()
]
print("\n".join(broken) or "all links lead somewhere")
sys.exit(1 if broken else 0)
