"""Whether a plug-in for Linux loads wherever Maya 2024 to 2027 runs: python3 check_linux.py sinew.so

Maya is made with gcc 11.2 and runs on Red Hat 8 and Rocky 8: glibc 2.28 and the C++ library of gcc 8. The plug-in may
take nothing newer from them. It may bring a C++ library of its own if no type of that library is passed between Maya
and the plug-in, and it exports what Maya looks for and nothing else, so that no other plug-in finds its functions and
unloading it removes it from memory. Needs objdump.
"""

import pathlib
import re
import subprocess
import sys

#: The newest version of each library that Red Hat 8 has.
NEWEST = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 25), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
ADVICE = "build it by sh cpp/dist.sh, or on Red Hat 8 or Rocky 8 with gcc-toolset-11"
EXPORTED = {"initializePlugin", "uninitializePlugin", "MApiVersion", "ADSK_PLUGIN_SIGNATURE"}
#: A class of Maya's, in the namespace of its version; the tests' stand-in has none.
MAYAS = re.compile(r"(^|.* for )(Autodesk::Maya::OpenMaya\d+::)?M[A-Z]\w*(::|\(|$)")


def problems(table: str) -> list[str]:
    """What is wrong, by what `objdump -T -C` prints of a plug-in."""
    found: list[str] = []
    for line in table.splitlines():
        parsed = re.match(
            r"[0-9a-f]{16} (.{7}) (\S+)\s+[0-9a-f]{16}\s+(?:\(?([A-Z]\w*_[\d.]+)\)?\s+|Base\s+)?(.+)$", line
        )
        if not parsed:
            continue
        flags, section, version, name = parsed.groups()
        if section != "*UND*":
            if name.partition("(")[0] not in EXPORTED:
                found.append(f"{name} is exported: link with the exports.map beside this file")
            continue
        library, _, number = (version or "").rpartition("_")
        if library in NEWEST and tuple(map(int, number.split("."))) > NEWEST[library]:
            newest = ".".join(map(str, NEWEST[library]))
            found.append(f"{name} needs {version}, and Maya's systems have {library}_{newest}: {ADVICE}")
        elif version or "w" in flags or name.startswith("sinew_"):
            continue
        elif not MAYAS.match(name):
            found.append(f"{name} is in no library that the plug-in names: Maya would not load it")
        elif "std::" in name:
            found.append(f"{name} passes a type of the C++ library to Maya: pass one of Maya's own instead")
    return found


def library_problems(headers: str) -> list[str]:
    """Whether the plug-in finds Sinew's library where the module has it, by what `objdump -p` prints."""
    found = re.search(r"^ +NEEDED +(\S*libsinew\S*)$", headers, re.MULTILINE)
    if found and "/" in found[1]:
        return [f"it asks for the library at {found[1]}: link the one of a release, which has a name of its own"]
    if found and not re.search(r"^ +RUNPATH +\$ORIGIN/\.\./lib$", headers, re.MULTILINE):
        return [f"it does not say that {found[1]} is in $ORIGIN/../lib: build it with DEVKIT_LOCATION"]
    return []


def _objdump(path: pathlib.Path, *flags: str) -> str:
    return subprocess.run(["objdump", *flags, str(path)], capture_output=True, text=True, check=True).stdout


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: check_linux.py PLUG-IN...", file=sys.stderr)
        return 2
    failed = 0
    for path in map(pathlib.Path, paths):
        try:
            found = problems(_objdump(path, "-T", "-C")) + library_problems(_objdump(path, "-p"))
        except subprocess.CalledProcessError as error:
            print(f"{path} could not be read: {error.stderr.strip()}.", file=sys.stderr)
            return 1
        failed += len(found)
        for problem in found:
            print(f"{path}: {problem}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
