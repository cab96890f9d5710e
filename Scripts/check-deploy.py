#!/usr/bin/env python3
"""Checks the monitoring files in Deploy/ against the server's metrics, and with promtool.

  check-deploy.py [--self-test]

Every metric in the rules and in the dashboard is one of the server, every label one that the metric has. promtool checks the rules,
runs their tests, and reads every query of the dashboard.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "Deploy"
PROMTOOL = ROOT / "Scripts/promtool.sh"
SUFFIXES = re.compile(r"_(bucket|sum|count)$")
# The variables of Grafana, with values that make each query complete.
VARIABLES = {"$__rate_interval": "5m", "$__range": "1h", "$app": ".*"}


def described():
    """Name to labels of each metric of the server."""
    spec = importlib.util.spec_from_file_location("reference", ROOT / "Scripts/make-reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    return {name: set(metric["labels"]) for name, metric in reference.server_metrics().items()}


def problems(query, metrics):
    """Returns the metrics and labels in a query that the server does not have."""
    found = []
    for name, selector in re.findall(r"\b(ostiary_\w+)(?:\{([^}]*)\})?", query):
        plain = name if name in metrics else SUFFIXES.sub("", name)
        if plain not in metrics:
            found.append(f"no metric {name}")
            continue
        labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector)) - {"instance", "job", "le"}
        found += [f"{name} has no label {label}" for label in sorted(labels - metrics[plain])]
    return found


def dashboard_queries():
    dashboard = json.loads((DEPLOY / "grafana/ostiary.json").read_text())
    return [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel.get("targets", [])]


def rule_queries():
    text = (DEPLOY / "prometheus/ostiary.rules.yml").read_text()
    return [("rules", line) for line in text.splitlines() if not line.lstrip().startswith(("#", "summary:", "description:", "- alert:"))]


def complete(query):
    for name, value in VARIABLES.items():
        query = query.replace(name, value)
    return query


def promtool(*arguments, **more):
    done = subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, **more)
    if done.returncode == 69:
        sys.exit(f"promtool is not available: {done.stderr.strip()}")
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def self_test():
    metrics = {"ostiary_a_total": {"app"}, "ostiary_b_seconds": set()}
    assert problems('rate(ostiary_a_total{app=~"x", instance="y"}[5m])', metrics) == []
    assert problems('ostiary_a_total{method="x"}', metrics) == ["ostiary_a_total has no label method"]
    assert problems("ostiary_c_total", metrics) == ["no metric ostiary_c_total"]
    assert problems("ostiary_b_seconds_bucket", metrics) == []


def main():
    self_test()
    if "--self-test" in sys.argv:
        return
    metrics = described()
    found = [f"{place}: {problem}" for place, query in dashboard_queries() + rule_queries() for problem in problems(query, metrics)]
    if found:
        sys.exit("\n".join(found))
    # A group of recording rules, because promtool reads queries in rules only.
    group = {"groups": [{"name": "dashboard", "rules": [
        {"record": f"dashboard:{index}", "expr": complete(query)} for index, (_, query) in enumerate(dashboard_queries())]}]}
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "dashboard.yml"
        path.write_text(json.dumps(group))
        promtool("check", "rules", str(path))
    promtool("check", "rules", str(DEPLOY / "prometheus/ostiary.rules.yml"))
    promtool("test", "rules", "ostiary.rules.test.yml", cwd=DEPLOY / "prometheus")
    print(f"{len(dashboard_queries())} queries and {sum('alert:' in line for line in (DEPLOY / 'prometheus/ostiary.rules.yml').read_text().splitlines())} alerts")


if __name__ == "__main__":
    main()
