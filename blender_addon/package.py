"""Makes the add-on's zip file for this platform, with the library of a distribution archive inside:

    python3 blender_addon/package.py target/dist/sinew-0.1.0-linux-x86_64.tar.gz target/dist

It prints the zip's path, and refuses an archive of another platform, release, or version of the interface.
"""

import pathlib
import platform
import sys
import tarfile
import tempfile
import tomllib
import zipfile

from core.library import Library, LibraryError, file_name, own_name

ADDON = pathlib.Path(__file__).parent
LEFT_OUT = {"package.py", "__pycache__"}
# Zips made from the same files have the same bytes.
TIME = (2020, 1, 1, 0, 0, 0)
# Blender's names of platforms, by those of the archives.
PLATFORMS = {
    "linux-x86_64": "linux-x64",
    "linux-aarch64": "linux-arm64",
    "macos-x86_64": "macos-x64",
    "macos-arm64": "macos-arm64",
    "windows-x86_64": "windows-x64",
}


class Refused(Exception):
    """Why no zip can be made."""


def here():
    system = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}.get(platform.system(), platform.system())
    return f"{system}-{platform.machine().replace('AMD64', 'x86_64')}"


def files_of_archive(archive, release):
    """The library, the licence and the notices of an archive: name -> bytes."""
    name = archive.name.removesuffix(".tar.gz")
    if name != f"sinew-{release}-{here()}":
        raise Refused(f"{archive} is not sinew-{release}-{here()}.tar.gz, the archive of this platform and release")
    wanted = {f"{name}/lib/{file_name()}": f"lib/{file_name()}", f"{name}/LICENSE": "LICENSE", f"{name}/NOTICES.txt": "NOTICES.txt"}
    found = {}
    with tarfile.open(archive) as inside:
        members = {member.name.removeprefix("./"): member for member in inside.getmembers()}
        for path, target in wanted.items():
            if path not in members:
                raise Refused(f"{archive} lacks {path}")
            # Links, such as that of the library to the file with its version, are followed.
            found[target] = inside.extractfile(members[path]).read()
    return found


def check_library(data, release):
    """Runs the add-on's own check, and checks that add-on and library are the same release."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / file_name()
        path.write_bytes(data)
        library = Library(path)
    if library.release != release:
        raise Refused(f"the library is of release {library.release} and the add-on of {release}")


def manifest():
    text = (ADDON / "blender_manifest.toml").read_text()
    return text, tomllib.loads(text)


def package(archive, folder):
    """Writes the zip into the folder and gives its path."""
    text, described = manifest()
    files = files_of_archive(archive, described["version"])
    library = files.pop(f"lib/{file_name()}")
    check_library(library, described["version"])
    files[f"lib/{own_name(library)}"] = library
    for path in sorted(ADDON.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.relative_to(ADDON).parts):
            files[path.relative_to(ADDON).as_posix()] = path.read_bytes()
    if here() not in PLATFORMS:
        raise Refused(f"Blender has no name for the platform {here()}")
    line = f'platforms = ["{PLATFORMS[here()]}"]\n\n[permissions]'
    files["blender_manifest.toml"] = text.replace("[permissions]", line).encode()
    made = folder / f"sinew-blender-{described['version']}-{here()}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in sorted(files.items()):
            zipped.writestr(zipfile.ZipInfo(name, TIME), data, zipfile.ZIP_DEFLATED)
    return made


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    try:
        print(package(*map(pathlib.Path, arguments)))
    except (Refused, LibraryError, OSError, tarfile.TarError) as error:
        sys.exit(f"no zip was made: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
