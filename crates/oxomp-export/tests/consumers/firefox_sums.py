"""Loads a profile into the Firefox Profiler's own command line and prints, as JSON, the markers of
each thread by name (count and summed duration, ms) and the functions of its samples.

Arguments: node, the script profiler-cli.js, the profile, a folder for the session.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

node, client, profile, folder = sys.argv[1:5]
environment = dict(os.environ, PROFILER_CLI_SESSION_DIR=folder)


def run(*words):
    command = [node, client, *words, "--session", "oxomp"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)


def ask(*words):
    done = run(*words)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def load():
    """The command starts a daemon, for which it waits half a second: a busy machine needs longer."""
    done = run("load", profile)
    if done.returncode == 0:
        return
    still_starting = re.search(r"still be running as pid (\d+)", done.stderr)
    assert still_starting, (done.stdout, done.stderr)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(0.5)
        if run("profile", "info").returncode == 0:
            return
    os.kill(int(still_starting[1]), signal.SIGKILL)
    raise AssertionError(done.stderr)


load()
try:
    threads = []
    for thread in json.loads(ask("thread", "list", "--json", "--limit", "0"))["threads"]:
        handle = thread["threadHandle"]
        markers = json.loads(ask("thread", "markers", "--json", "--thread", handle))
        sums = {}
        for kind in markers["byType"]:
            stats = kind.get("durationStats") or {"avg": 0}
            sums[kind["markerName"]] = [kind["count"], kind["count"] * stats["avg"]]
        functions = json.loads(ask("thread", "functions", "--json", "--thread", handle))
        threads.append(
            {
                "name": thread["name"],
                "tid": thread["tid"],
                "markers": sums,
                "functions": functions["functions"],
            }
        )
finally:
    ask("stop")
print(json.dumps(threads))
