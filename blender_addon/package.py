"""Makes the add-on's zip file for a platform, with the library of a distribution archive of that platform inside:

    python3 blender_addon/package.py target/dist/sinew-0.1.0-linux-x86_64.tar.gz target/dist

It prints the zip's path, and refuses an archive of another release or version of the interface. `wheel.py` makes the
Python wheel from the same archive.
"""

import hashlib
import pathlib
import platform
import re
import sys
import tarfile
import tempfile
import tomllib
import zipfile

ADDON = pathlib.Path(__file__).resolve().parent
# What is needed of the package `sinew` works without numpy, which the package itself imports.
sys.path.insert(0, str(ADDON / "sinew"))
import abi  # noqa: E402
from loader import LibraryError, file_name, load  # noqa: E402

LEFT_OUT = {"package.py", "wheel.py", "__pycache__"}
# Zips made from the same files have the same bytes.
TIME, MODE = (2020, 1, 1, 0, 0, 0), 0o644
# Blender's names of platforms, by those of the archives.
PLATFORMS = {
    "linux-x86_64": "linux-x64",
    "linux-aarch64": "linux-arm64",
    "macos-x86_64": "macos-x64",
    "macos-arm64": "macos-arm64",
    "windows-x86_64": "windows-x64",
}
# What a user has to have of an archive besides the library.
LEGAL = ("LICENSE", "NOTICES.txt")


class Refused(Exception):
    """Why nothing can be made."""


def here():
    system = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}.get(platform.system(), platform.system())
    return f"{system}-{platform.machine().replace('AMD64', 'x86_64')}"


def own_name(data, system=""):
    """What a library with these bytes, by default for this system, is called in the add-on. Of two with the same path,
    a Blender that runs while the add-on is updated would go on with the first."""
    stem, dot, ending = file_name(system).partition(".")
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}{dot}{ending}"


def platform_of(archive, release):
    """The platform that an archive of a release is for, as its name says."""
    found = re.fullmatch(rf"sinew-{re.escape(release)}-(\w+-\w+)\.tar\.gz", archive.name)
    if not found or found[1] not in PLATFORMS:
        raise Refused(
            f"{archive} is not sinew-{release}-PLATFORM.tar.gz with one of the platforms {', '.join(PLATFORMS)}"
        )
    return found[1]


def files_of_archive(archive, release, target):
    """The library of an archive for a platform, and its licence and notices: name -> bytes. The library is loaded where
    that is possible."""
    folder, library = archive.name.removesuffix(".tar.gz"), file_name(target.partition("-")[0])
    found = {}
    with tarfile.open(archive) as inside:
        members = {member.name.removeprefix("./"): member for member in inside.getmembers()}
        for name, places in {library: ("lib/", "bin/"), **{name: ("",) for name in LEGAL}}.items():
            there = [f"{folder}/{place}{name}" for place in places if f"{folder}/{place}{name}" in members]
            if not there:
                raise Refused(f"{archive} lacks {folder}/{places[0]}{name}")
            # Links, such as that of the library to the file with its version, are followed.
            found[name] = inside.extractfile(members[there[0]]).read()
    data = found.pop(library)
    if target == here():
        check_library(data, release)
    return data, found


def check_library(data, release):
    """Runs the package's own check, and checks that package and library are the same release."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / file_name()
        path.write_bytes(data)
        _, _, found = load(path, (abi.SINEW_ABI_MAJOR, abi.SINEW_ABI_MINOR))
    # The library names the commit, too.
    if found.split()[0] != release:
        raise Refused(f"the library is of release {found}, and this is {release}")


def files_below(folder):
    """The files that belong into the zip or wheel: path from the folder -> bytes."""
    paths = ((path, path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.is_file())
    return {inner.as_posix(): path.read_bytes() for path, inner in paths if not LEFT_OUT & set(inner.parts)}


def zipped(path, files):
    """Writes files, name -> bytes, as a zip that has the same bytes each time; gives its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system, entry.external_attr = 3, MODE << 16
            made.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return path


def package(archive, folder):
    """Writes the add-on's zip into the folder and gives its path."""
    text = (ADDON / "blender_manifest.toml").read_text()
    release = tomllib.loads(text)["version"]
    target = platform_of(archive, release)
    library, legal = files_of_archive(archive, release, target)
    line = f'platforms = ["{PLATFORMS[target]}"]\n\n[permissions]'
    described = {"blender_manifest.toml": text.replace("[permissions]", line).encode()}
    name = own_name(library, target.partition("-")[0])
    files = {**files_below(ADDON), **legal, f"sinew/lib/{name}": library, **described}
    return zipped(folder / f"sinew-blender-{release}-{target}.zip", files)


def run(make, what, usage):
    """Makes a thing from the archive and for the folder that the command line names, and prints its path."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    try:
        print(make(*map(pathlib.Path, sys.argv[1:])))
    except (Refused, LibraryError, OSError, tarfile.TarError) as error:
        sys.exit(f"no {what} was made: {error}")


if __name__ == "__main__":
    run(package, "zip", __doc__)
