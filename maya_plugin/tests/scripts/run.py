"""The scripts for Maya, without Maya: python3 run.py [--tools FOLDER] [--description FILE] [CASE...]

FOLDER is a virtual environment with maya-stubs and mypy (requirements.txt), by default target/maya. FILE is what the
plug-in's sinewDescribe returned: with it, what depends on the description is also tried with that of the library.
"""

import argparse
import importlib
import pathlib
import sys
import traceback

import cases
import sample
from stubs import Stubs

MODULES = ("case_actions", "case_interface", "case_paint", "case_templates", "case_install", "case_static")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, default=cases.ROOT / "target" / "maya")
    parser.add_argument("--description", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    given = parser.parse_args()
    found = [
        *given.tools.glob("lib/python*/site-packages/maya-stubs"),
        *given.tools.glob("Lib/site-packages/maya-stubs"),
    ]
    if not found:
        print(f"{given.tools} has no maya-stubs: run sh tests/judges.sh, or give another environment by --tools.")
        return 2
    cases.STUBS.append(Stubs((found[0] / "cmds" / "__init__.pyi").read_text(encoding="utf-8")))
    cases.TOOLS.append(given.tools)
    cases.DESCRIPTIONS.append(sample.TEXT)
    if given.description:
        cases.DESCRIPTIONS.append(given.description.read_text(encoding="utf-8"))
    failed = run(given.cases)
    print(f"{failed} failed" if failed else "all passed", flush=True)
    return 1 if failed else 0


def run(wanted: list[str]) -> int:
    failed = 0
    for name in MODULES:
        for case, function in cases.named(importlib.import_module(name)).items():
            if wanted and case not in wanted:
                continue
            try:
                function()
            except Exception:
                traceback.print_exc()
                failed += 1
                print(f"{name}.{case}: FAILED", flush=True)
            else:
                print(f"{name}.{case}: ok", flush=True)
    return failed


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
