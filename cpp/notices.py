"""Prints the licences of everything that is compiled into the shipped library.

    python3 cpp/notices.py x86_64-unknown-linux-gnu

Packages without a licence text of their own are listed with the name of their licence only.
"""

import json
import pathlib
import subprocess
import sys

metadata = json.loads(
    subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--filter-platform", sys.argv[1]],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

# Dependencies of the library at run time: no build tools, no tests.
needed, ahead = set(), [metadata["resolve"]["root"]]
while ahead:
    for dependency in nodes[ahead.pop()]["deps"]:
        normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
        if normal and dependency["pkg"] not in needed:
            needed.add(dependency["pkg"])
            ahead.append(dependency["pkg"])

print("Sinew is made with the following packages, each under its own licence.")
others = needed - set(metadata["workspace_members"])
for package in sorted((packages[id] for id in others), key=lambda package: package["name"]):
    folder = pathlib.Path(package["manifest_path"]).parent
    texts = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"))
    )
    print(f"\n{'=' * 100}\n{package['name']} {package['version']} ({package['license'] or 'see below'})")
    print(f"{package['repository'] or ''}")
    for path in texts:
        print(f"\n--- {path.name}\n{path.read_text(errors='replace').strip()}")
