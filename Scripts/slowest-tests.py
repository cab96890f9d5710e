#!/usr/bin/env python3
"""Prints the test cases that took longest, from an event stream of Swift Testing.

A test's own time begins when it is scheduled, and so includes its wait for a slot among the concurrent tests; a case's time begins
when it runs. Cases over a minute are named: they belong among the drills.
"""

import json
import sys

MINUTE = 60


def durations(lines):
    began = {}
    for line in lines:
        record = json.loads(line)
        if record["kind"] != "event":
            continue
        event = record["payload"]
        key = (event.get("testID"), json.dumps(event.get("_testCase")))
        if event["kind"] == "testCaseStarted":
            began[key] = event["instant"]["absolute"]
        elif event["kind"] == "testCaseEnded" and key in began:
            yield event["instant"]["absolute"] - began.pop(key), event["testID"].split("/")[-2]


def main():
    with open(sys.argv[1]) as stream:
        slowest = sorted(durations(stream), reverse=True)
    for seconds, name in [each for each in slowest[:5] if each[0] > 1]:
        print(f"{seconds:6.1f} s {'OVER A MINUTE: ' if seconds > MINUTE else ''}{name}")
    for seconds, name in [each for each in slowest[5:] if each[0] > MINUTE]:
        print(f"{seconds:6.1f} s OVER A MINUTE: {name}")


if __name__ == "__main__":
    main()
