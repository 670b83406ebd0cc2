"""The rules of Blender's site for extensions, for the add-on's zip: extension_rules.py ZIP

Blender's own tool validates the manifest (see install.py); here is what reviewers look for besides. Prints a line for
each fault, and what of the zip waits for a wheel; then makes each fault in a copy, and must find it there."""

import ast
import re
import sys
import tomllib
import zipfile

MANIFEST = "blender_manifest.toml"
REQUIRED = {
    "schema_version",
    "id",
    "version",
    "name",
    "tagline",
    "maintainer",
    "type",
    "blender_version_min",
    "license",
}
OPTIONAL = {"website", "tags", "copyright", "permissions", "platforms", "wheels", "blender_version_max"}
TAGS = {
    "3D View",
    "Add Curve",
    "Add Mesh",
    "Animation",
    "Bake",
    "Camera",
    "Compositing",
    "Development",
    "Game Engine",
    "Geometry Nodes",
    "Grease Pencil",
    "Import-Export",
    "Lighting",
    "Material",
    "Modeling",
    "Mesh",
    "Node",
    "Object",
    "Paint",
    "Pipeline",
    "Physics",
    "Render",
    "Rigging",
    "Scene",
    "Sculpt",
    "Sequencer",
    "System",
    "Text Editor",
    "Tracking",
    "User Interface",
    "UV",
}
# What the site accepts; an add-on needs the first.
LICENCES = (
    "SPDX:GPL-3.0-or-later",
    "SPDX:GPL-2.0-or-later",
    "SPDX:LGPL-2.1-or-later",
    "SPDX:LGPL-3.0-or-later",
    "SPDX:BSD-1-Clause",
    "SPDX:BSD-2-Clause",
    "SPDX:BSD-3-Clause",
    "SPDX:BSL-1.0",
    "SPDX:MIT",
    "SPDX:MIT-0",
    "SPDX:MPL-2.0",
    "SPDX:Pixar",
    "SPDX:Zlib",
)
PERMISSIONS = {"files", "network", "clipboard", "camera", "microphone"}
PLATFORMS = {"windows-x64", "windows-arm64", "macos-x64", "macos-arm64", "linux-x64", "linux-arm64"}
LONGEST = 64
NETWORK = {
    "socket",
    "ssl",
    "urllib",
    "http",
    "ftplib",
    "smtplib",
    "xmlrpc",
    "requests",
    "webbrowser",
    "asyncio",
    "telnetlib",
    "imaplib",
}
PROGRAMS = {"subprocess", "pip", "ensurepip", "pty", "multiprocessing"}
OBSCURE = {"eval", "exec", "compile", "__import__"}
BINARY = re.compile(r"\.(so(\.[\d.]+)?|dll|dylib|pyd|exe|a|lib|o|pyc|whl|zip|bin)\Z")


def of_line(manifest, field):
    """A line of text in the manifest: short, and no sentence with a full stop."""
    text = manifest.get(field, "")
    if not 0 < len(text) <= LONGEST:
        yield f"{field} has {len(text)} letters: 1 to {LONGEST} are allowed"
    if text != text.strip() or any(ord(letter) < 32 for letter in text):
        yield f"{field} has blanks around it, or control characters"
    if text and not text[-1].isalnum() and text[-1] not in ")]}":
        yield f"{field} ends with a punctuation mark"


def of_manifest(manifest):
    yield from (f"the manifest lacks {field}" for field in sorted(REQUIRED - manifest.keys()))
    yield from (f"the manifest has an unknown field {field}" for field in sorted(manifest.keys() - REQUIRED - OPTIONAL))
    yield from (f"{field} is empty: leave it out" for field, value in manifest.items() if value in ("", [], {}))
    if not re.fullmatch(r"[a-z][a-z0-9_]*", manifest.get("id", "")) or "__" in manifest["id"]:
        yield "id must have lower-case letters, digits and single underscores"
    for field in ("id", "name"):
        if "blender" in manifest.get(field, "").lower():
            yield f"{field} has the name of Blender in it"
    if not re.fullmatch(r"\d+\.\d+\.\d+", manifest.get("version", "")):
        yield "version is no semantic version"
    yield from of_line(manifest, "tagline")
    if manifest.get("type") != "add-on":
        yield "type must be add-on"
    yield from (f"there is no tag {tag}" for tag in manifest.get("tags", ()) if tag not in TAGS)
    yield from (
        f"the site does not take the licence {one}" for one in manifest.get("license", ()) if one not in LICENCES
    )
    if LICENCES[0] not in manifest.get("license", ()):
        yield f"an add-on needs the licence {LICENCES[0]}"
    if not manifest.get("copyright") or not all(
        re.fullmatch(r"\d{4}(-\d{4})? \S.*", one) for one in manifest["copyright"]
    ):
        yield "copyright must be a year or two, and a name"
    if tuple(map(int, manifest.get("blender_version_min", "0.0.0").split("."))) < (4, 2, 0):
        yield "extensions need Blender 4.2 or later"
    for name, reason in manifest.get("permissions", {}).items():
        if name not in PERMISSIONS:
            yield f"there is no permission {name}"
        yield from (text.replace("reason", f"the reason for {name}") for text in of_line({"reason": reason}, "reason"))
    yield from (f"there is no platform {one}" for one in manifest.get("platforms", ()) if one not in PLATFORMS)


def called(node):
    """What a call calls, as a dotted name."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def of_code(name, text):
    """What reviewers look for in a module."""
    for node in ast.walk(ast.parse(text, name)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        where = f"{name}, line {getattr(node, 'lineno', 0)}"
        for top in (one.partition(".")[0] for one in names):
            if top in NETWORK:
                yield f"{where}: {top} is for networks, which need a permission and bpy.app.online_access"
            if top in PROGRAMS:
                yield f"{where}: {top} starts other programs"
        if called(node) in OBSCURE or called(node) in ("os.system", "os.popen"):
            yield f"{where}: {called(node)} runs what cannot be reviewed"
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.path", "sys.modules"):
            yield f"{where}: {ast.unparse(node)} is shared with all other add-ons"
        if isinstance(node, ast.Name) and node.id == "bl_info":
            yield f"{where}: bl_info is of legacy add-ons: the manifest says it"


def uses_files(code):
    """Whether modules read or write files."""
    calls = {called(node).rpartition(".")[2] for text in code.values() for node in ast.walk(ast.parse(text))}
    return not calls.isdisjoint(
        {"open", "read_text", "write_text", "read_bytes", "write_bytes", "ZipFile", "TemporaryDirectory", "stat"}
    )


def faults(files):
    """All faults of an extension: name in the zip -> bytes."""
    manifest = tomllib.loads(files[MANIFEST].decode())
    found = list(of_manifest(manifest))
    code = {name: data.decode() for name, data in files.items() if name.endswith(".py")}
    found += [fault for name, text in code.items() for fault in of_code(name, text)]
    if "__init__.py" not in files:
        found.append("there is no __init__.py")
    if uses_files(code) != ("files" in manifest.get("permissions", {})):
        found.append("the permission files must be asked for if the add-on uses files, and only then")
    if "network" in manifest.get("permissions", {}):
        found.append("the permission network is asked for and not used")
    wanted = [f"LICENSES/{one.removeprefix('SPDX:')}.txt" for one in manifest.get("license", ())]
    found += [f"the text of the licence is missing: {name}" for name in wanted if len(files.get(name, b"")) < 1000]
    found += [
        f"{name} is no part of an add-on"
        for name in files
        if re.search(r"(^|/)(\.|__pycache__|__MACOSX|package\.py)|\.(blend\d+|orig|rej)\Z", name)
    ]
    wheels = {wheel.removeprefix("./") for wheel in manifest.get("wheels", ())}
    found += [f"{name} is not in the zip" for name in wheels - files.keys()]
    found += [f"{name}: binary outside a wheel" for name in files if BINARY.search(name) and name not in wheels]
    return found


def changed(files, *pairs, **more):
    """The files with another manifest, or further files."""
    text = files[MANIFEST].decode()
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after)
    return {**files, MANIFEST: text.encode(), **{name.replace("__DOT__", "."): data for name, data in more.items()}}


def made_wrong(files):
    """Zips with one fault each, and a word of what must be said of it."""
    name = re.search(r'tagline = "(.*)"', files[MANIFEST].decode()).group(1)
    for before, after, word in (
        (f'"{name}"', f'"{name}."', "punctuation"),
        (f'"{name}"', f'"{name * 2}"', "letters"),
        ('id = "sinew"', 'id = "Sinew-1"', "lower-case"),
        ('name = "Sinew"', 'name = "Sinew for Blender"', "name of Blender"),
        ('"Rigging"', '"Muscles"', "no tag Muscles"),
        ("SPDX:GPL-3.0-or-later", "SPDX:Apache-2.0", "does not take"),
        ("SPDX:GPL-3.0-or-later", "SPDX:MIT", "needs the licence"),
        ('copyright = ["2026 ', 'copyright = ["', "a year"),
        ("copyright =", "copyleft =", "unknown field"),
        ("4.2.0", "4.1.0", "4.2 or later"),
        ("files =", "network =", "not used"),
        ("files =", "disk =", "no permission disk"),
        ("files =", "clipboard =", "only then"),
        ("bakes, frames and scenes", "bakes, frames and scenes.", "punctuation"),
        ('version = "0', 'version = "v0', "semantic"),
        ('tags = ["', 'website = ""\ntags = ["', "leave it out"),
        ("linux-x64", "linux", "no platform"),
    ):
        yield changed(files, (before, after)), word
    for text, word in (
        ("import urllib.request", "online_access"),
        ("from http import client", "networks"),
        ("import subprocess", "other programs"),
        ("import sys\nsys.path.append('x')", "shared with"),
        ("eval('1')", "reviewed"),
        ("bl_info = {}", "legacy"),
    ):
        yield {**files, "bridge/more.py": text.encode()}, word
    for more, word in (
        ("core/__pycache__/abi.cpython-311.pyc", "no part"),
        ("lib/other.dll", "outside a wheel"),
        (".gitignore", "no part"),
    ):
        yield {**files, more: b""}, word
    for gone, word in (("LICENSES/GPL-3.0-or-later.txt", "text of the licence"), ("__init__.py", "no __init__")):
        yield {name: data for name, data in files.items() if name != gone}, word
    yield changed(files, ('type = "add-on"', 'type = "add-on"\nwheels = ["./wheels/sinew.whl"]')), "is not in the zip"


def main(path):
    with zipfile.ZipFile(path) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    found = faults(files)
    # The library comes in a wheel once there is one.
    waiting = [
        fault
        for fault in found
        if re.fullmatch(r"sinew/lib/(lib)?sinew-\w+\.(so|dll|dylib): binary outside a wheel", fault)
    ]
    left = [fault for fault in found if fault not in waiting]
    for fault in left:
        print(fault)
    print("waits for a wheel:", *waiting)
    for wrong, word in made_wrong(files):
        said = [fault for fault in faults(wrong) if fault not in found]
        assert any(word in fault for fault in said), (word, said)
    sys.exit(bool(left))


if __name__ == "__main__":
    main(sys.argv[1])
