"""Builds all test binaries and runs them side by side, one for each core; prints what each says when it is done.

    python3 tests/side_by_side.py [ARGUMENTS OF CARGO TEST]

Each test prints its seconds and its tier: `landing` for what every change must pass, `soak` for more of the same with
SINEW_SOAK set (`tests/soak.sh`), `by hand` for what makes files for people. `target/test-seconds.txt` lists all of
them.

Within a binary tests share what they set up (programs built against the library, posed characters), so a process for
each test, as nextest starts them, would set all of it up again. Binaries that took longest the last time start first;
where none has run yet, those that are known to take long.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

TIMES = pathlib.Path("target/test-times.json")
EACH = pathlib.Path("target/test-seconds.txt")
LONG = ["tests/maya.rs", "tests/hand/main.rs", "tests/blender.rs", "tests/blender_tendon.rs", "tests/skin/main.rs"]


def build(arguments):
    """The test binaries: file by name, in the order of cargo."""
    command = ["cargo", "test", "--no-run", "--message-format=json-render-diagnostics", *arguments]
    built = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit("the tests do not build")
    binaries = {}
    for message in map(json.loads, built.stdout.splitlines()):
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            source = os.path.relpath(message["target"]["src_path"])
            binaries[source] = message["executable"]
    return binaries


def run(binary):
    """The exit code of a binary, what it printed, and its seconds."""
    started = time.monotonic()
    # The seconds of each test are not offered by stable releases of Rust otherwise.
    command, around = [binary, "-Zunstable-options", "--report-time"], {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=around
    )
    return done.returncode, done.stdout, time.monotonic() - started


def tests_in(source, text):
    """The seconds, tier and name of each test of a binary, by what it printed."""
    tier = "soak" if os.environ.get("SINEW_SOAK") else "landing"
    for name, outcome, seconds in re.findall(
        r"^test (\S+) \.\.\. (ok|FAILED|ignored).*?(?: <([\d.]+)s>)?$", text, re.M
    ):
        yield float(seconds or 0), "by hand" if outcome == "ignored" else tier, f"{source} {name}"


def last_times():
    try:
        return json.loads(TIMES.read_text())
    except (OSError, ValueError):
        return {}


def main():
    started = time.monotonic()
    binaries = build(sys.argv[1:])
    print(f"{len(binaries)} test binaries, built in {time.monotonic() - started:.0f} s", flush=True)
    times, failed = last_times(), []
    long = {source: len(LONG) - k for k, source in enumerate(LONG)}
    order = sorted(binaries, key=lambda source: -times.get(source, long.get(source, 0)))
    counts, tests = [0, 0, 0], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(run, binaries[source]): source for source in order}
        for done in concurrent.futures.as_completed(running):
            source, (code, text, seconds) = running[done], done.result()
            print(f"\n     Running {source} ({seconds:.1f} s)\n{text}", end="", flush=True)
            times[source] = seconds
            tests += tests_in(source, text)
            if code:
                failed.append(source)
            for result in re.findall(r"^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored", text, re.M):
                counts = [sum(pair) for pair in zip(counts, map(int, result))]
    TIMES.write_text(json.dumps(times, indent=0))
    tests.sort(reverse=True)
    EACH.write_text("".join(f"{seconds:9.3f} s  {tier:8} {name}\n" for seconds, tier, name in tests))
    print("\nlongest tests: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, _, name in tests[:10]))
    longest = sorted(binaries, key=lambda source: -times[source])[:10]
    print("longest binaries: " + ", ".join(f"{source} {times[source]:.0f} s" for source in longest))
    print("tests: {} passed, {} failed, {} skipped".format(*counts))
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()
