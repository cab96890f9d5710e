"""Writes the page about growth, `growth.md`, with its plot, `growth.svg`, from the figures of `growth.py`."""

import math
from pathlib import Path

HERE = Path(__file__).resolve().parent
STORES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
OPERATIONS = ["sign-in", "/me", "first /me of a session", "refresh"]
UNITS = {1000: "1 k", 10_000: "10 k", 100_000: "100 k", 1_000_000: "1 M", 10_000_000: "10 M", 100_000_000: "100 M"}

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP, INSET = 900, 300, 48, 56, 44, 52, 22
PANEL = (WIDTH - LEFT - 16 - GAP * (len(OPERATIONS) - 1)) / len(OPERATIONS)
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .small { font-size: 11px; fill: #59636e; }
  .grid { stroke: #d1d9e0; }
  .line { fill: none; stroke-width: 2; }
  .sqlite.line { stroke: #0969da; } .sqlite.dot, text.sqlite { fill: #0969da; }
  .postgres.line { stroke: #bc4c00; } .postgres.dot, text.postgres { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .small { fill: #9198a1; } .grid { stroke: #3d444d; }
    .sqlite.line { stroke: #4493f8; } .sqlite.dot, text.sqlite { fill: #4493f8; }
    .postgres.line { stroke: #f0883e; } .postgres.dot, text.postgres { fill: #f0883e; }
  }
"""


def number(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def ceiling(value):
    """Returns a round number above `value`."""
    step = 10 ** math.floor(math.log10(value))
    return next(step * factor for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * factor >= value)


def panel(left, operation, figures, counts):
    lines = {store: {int(count): cost["microseconds"] for count, cost in figures[store]["costs"][operation].items()}
             for store in STORES if store in figures}
    thousand = max(max(line.values()) for line in lines.values()) >= 10_000
    scale, unit = (1000, "ms") if thousand else (1, "µs")
    highest = ceiling(max(max(line.values()) for line in lines.values()) * 1.12 / scale)
    low, high = math.log10(min(counts)), math.log10(max(counts))

    def x(count):
        return left + INSET + (PANEL - 2 * INSET) * (math.log10(count) - low) / (high - low)

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest

    yield f'<text class="title" x="{left:.0f}" y="{TOP - 16}">{operation}, {unit}</text>'
    for quarter in range(5):
        value = highest * quarter / 4
        yield f'<line class="grid" x1="{left:.1f}" x2="{left + PANEL:.1f}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        yield f'<text class="small" text-anchor="end" x="{left - 6:.1f}" y="{y(value) + 4:.1f}">{value:,.4g}</text>'
    for count in counts:
        yield f'<line class="grid" x1="{x(count):.1f}" x2="{x(count):.1f}" y1="{y(0):.1f}" y2="{y(0) + 4:.1f}"/>'
        yield f'<text class="small" text-anchor="middle" x="{x(count):.1f}" y="{y(0) + 18:.1f}">{UNITS[count]}</text>'
    for store, line in lines.items():
        points = [(x(count), y(cost / scale)) for count, cost in sorted(line.items())]
        yield f'<polyline class="{store} line" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
        # Of two lines the labels of the lower one are below it.
        above = line[max(line)] >= max(other[max(other)] for other in lines.values())
        for (a, b), (_, cost) in zip(points, sorted(line.items())):
            yield f'<circle class="{store} dot" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>'
            yield (f'<text class="{store}" font-size="11" text-anchor="middle" x="{a:.1f}" y="{b - 8 if above else b + 17:.1f}">'
                   f"{number(cost / scale)}</text>")


def plot(figures):
    counts = sorted({int(count) for store in figures.values() for count in store["costs"]["/me"]})
    stores = [store for store in STORES if store in figures]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
             ' aria-label="CPU time of a request by the number of accounts">', f"<style>{STYLE}</style>"]
    for index, store in enumerate(stores):
        parts.append(f'<circle class="{store} dot" cx="{LEFT + 6 + 90 * index}" cy="14" r="4"/>')
        parts.append(f'<text class="{store}" x="{LEFT + 16 + 90 * index}" y="18">{STORES[store]}</text>')
    parts.append(f'<text class="small" x="{WIDTH - 16}" y="18" text-anchor="end">CPU time of a request, by accounts</text>')
    for index, operation in enumerate(OPERATIONS):
        parts.extend(panel(LEFT + index * (PANEL + GAP), operation, figures, counts))
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(figures):
    counts = sorted({int(count) for store in figures.values() for count in store["costs"]["/me"]})
    rows = ["| µs of CPU | store | " + " | ".join(f"{UNITS[count]} accounts" for count in counts) + " | largest : least |",
            "| --- | --- |" + " ---: |" * (len(counts) + 1)]
    for operation in OPERATIONS:
        for store, name in STORES.items():
            if store in figures:
                costs = {int(count): cost for count, cost in figures[store]["costs"][operation].items()}
                cells = [f"{number(costs[count]['microseconds'])}" + (
                    f" ({number(costs[count]['database'])})" if costs[count]["database"] else "") if count in costs else ""
                    for count in counts]
                growth = costs[max(costs)]["microseconds"] / costs[min(costs)]["microseconds"]
                rows.append(f"| {operation} | {name} | " + " | ".join(cells) + f" | {growth:.0%} |")
    for store, name in STORES.items():
        if store in figures:
            sizes = {int(count): size for count, size in figures[store]["bytes"].items()}
            rows.append(f"| database, MB | {name} | " + " | ".join(
                f"{sizes[count] / 1e6:,.0f}" if count in sizes else "" for count in counts) + " | |")
    return "\n".join(rows)


PAGE = """# Growth

What a request costs as the number of accounts grows. Written by `make bench ONLY=growth`; do not edit.

![CPU time of a request by the number of accounts](growth.svg)

{table}

In brackets: the part of PostgreSQL's processes.

- The cost is the CPU time of the server and of PostgreSQL's processes, by `/proc/PID/task/*/schedstat`: medians of seven rounds in which
  requests, on one connection, alternate between the sizes. Other work on the machine changes it little.
- Each account has a session, and all share a password, whose hash of bcrypt cost 10 is nearly all of a sign-in.
- `/me` is requested with the tokens of 200 sessions in turn. The first `/me` of a session reads it from the database. Refreshes and
  sign-ins are of accounts at random, each commit durable.
- The databases fit into the machine's page cache.
"""


def write(figures):
    (HERE / "growth.svg").write_text(plot(figures))
    (HERE / "growth.md").write_text(PAGE.format(table=table(figures)))
