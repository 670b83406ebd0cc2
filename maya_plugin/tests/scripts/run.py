"""The scripts for Maya, without Maya: python3 run.py [--tools FOLDER] [--library FILE] [--plugin FILE] [CASE...]

FOLDER is a virtual environment with maya-stubs and mypy (requirements.txt), by default target/maya. FILE is
libsinew.so: with it, what depends on the plug-in's description of its nodes is also tried with that of the library,
which needs a C++ compiler. With --plugin, the plug-in that was built with it is packed and installed.
"""

import argparse
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

import cases
import sample
from stubs import Stubs

MODULES = (
    "case_actions",
    "case_authoring",
    "case_interface",
    "case_paint",
    "case_templates",
    "case_install",
    "case_library",
    "case_static",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, default=cases.ROOT / "target" / "maya")
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--plugin", type=pathlib.Path)
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
    if given.library:
        cases.DESCRIPTIONS.append(described(given.library.resolve()))
    if given.plugin:
        cases.PLUGINS.extend([given.plugin, given.library])
    failed = run(given.cases)
    print(f"{failed} failed" if failed else "all passed", flush=True)
    return 1 if failed else 0


def described(library: pathlib.Path) -> str:
    """What sinewDescribe returns for a library."""
    plugin = cases.ROOT / "maya_plugin"
    sources = [
        plugin / "tests" / "scripts" / "describe.cpp",
        plugin / "host" / "description.cpp",
        plugin / "host" / "plan.cpp",
    ]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "describe"
        flags = ["-std=c++17", f"-I{plugin}", f"-I{cases.ROOT / 'cpp' / 'include'}", f"-Wl,-rpath,{library.parent}"]
        command = [os.environ.get("CXX", "c++"), *flags, *map(str, sources), str(library), "-o", str(program)]
        subprocess.run(command, check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


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
