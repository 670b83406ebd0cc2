"""Assembles the module for Maya from built plug-ins, the library and the scripts, ready to be zipped and handed out.

    python3 build_module.py FOLDER --plugin 2026-linux=build/sinew.so --library linux=sinew/lib/libsinew.so.1 ...

It makes

    FOLDER/install_sinew.py           to be dropped onto Maya's view
    FOLDER/sinew.mod                  one entry for each version and platform
    FOLDER/sinew/scripts/             for all of them
    FOLDER/sinew/2026-linux/          plug-ins/sinew.so and lib/libsinew.so.1; on Windows the library is in bin/
    FOLDER/documentation/             the README of the plug-in and what it links to
    FOLDER.zip                        with --archive: all of it

Plug-ins of one version of Maya do not load in another (Autodesk, "Compiler requirements"), hence a folder for each. An
entry of a .mod file counts where MAYAVERSION and PLATFORM (win64, linux, mac) fit; its path is relative to the .mod
file, that of `scripts:` to the entry's path, and `PATH+:=` adds a folder of the module to the environment, which is
where Windows finds the library (Autodesk, "Maya module paths, folders and versions" and "Sample module file"). On Linux
and macOS the plug-in itself says that its library is in ../lib. A library beside the plug-in would be listed as one in
the Plug-in Manager.
"""

import argparse
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSIONS = ("2024", "2025", "2026", "2027")
#: The plug-in's file, the library's folder, and how the library may be called.
PLATFORMS = {
    "linux": ("sinew.so", "lib", r"libsinew\.so(\.\d+)*"),
    "mac": ("sinew.bundle", "lib", r"libsinew(\.\d+)*\.dylib"),
    "win64": ("sinew.mll", "bin", r"sinew\.dll"),
}


#: What the plug-in's README links to, by its place in the repository; links work as they do there.
DOCUMENTATION = (
    "README.md",
    "maya_plugin/README.md",
    "maya_plugin/pictures",
    "blender_addon/README_tendons.md",
    "examples/strand/README.md",
)
#: What stands beside the installer.
START = """Sinew {version} for Maya.

One artist: drop install_sinew.py onto Maya's view. The same file updates and uninstalls.
A studio: put this folder where all can read it, and add it to MAYA_MODULE_PATH.
How to go on: documentation/maya_plugin/README.md. Licences: sinew/LICENSE and sinew/NOTICES.txt.
"""


class Refusal(Exception):
    """Something is missing or wrong: one sentence that says what to do."""


def build(
    folder: pathlib.Path,
    plugins: dict[str, pathlib.Path],
    libraries: dict[str, pathlib.Path],
    version: str,
    notices: pathlib.Path | None = None,
) -> pathlib.Path:
    """`plugins` by version and platform ("2026-linux"), `libraries` by platform, `notices` of third parties. Returns
    the .mod file."""
    check(plugins, libraries)
    if notices and not notices.is_file():
        raise Refusal(f"There is no file of notices {notices}: a release archive has it as NOTICES.txt.")
    try:
        _clear(folder)
        for key, plugin in plugins.items():
            platform = key.partition("-")[2]
            name, library_folder, _ = PLATFORMS[platform]
            _copy(plugin, folder / "sinew" / key / "plug-ins" / name)
            library = libraries[platform].resolve()
            _copy(library, folder / "sinew" / key / library_folder / library.name)
        ignored = shutil.ignore_patterns("__pycache__", ".mypy_cache", "README.md")
        shutil.copytree(HERE.parent / "scripts", folder / "sinew" / "scripts", ignore=ignored)
        _copy(HERE / "install_sinew.py", folder / "install_sinew.py")
        _copy(ROOT / "LICENSE", folder / "sinew" / "LICENSE")
        if notices:
            _copy(notices, folder / "sinew" / "NOTICES.txt")
        _document(folder, version)
        made = folder / "sinew.mod"
        made.write_text(module_file(sorted(plugins), version), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"The module could not be written to {folder}: {error.strerror} ({error.filename}).") from error
    return made


def module_file(keys: list[str], version: str) -> str:
    """The .mod file. A blank line ends an entry."""
    entry = (HERE / "sinew.mod.in").read_text(encoding="utf-8")
    parts = [key.partition("-") for key in keys]
    return "\n".join(entry.format(maya=maya, platform=platform, version=version) for maya, _, platform in parts)


def check(plugins: dict[str, pathlib.Path], libraries: dict[str, pathlib.Path]) -> None:
    if not plugins:
        raise Refusal("No plug-in is given: give at least one, as --plugin 2026-linux=build/sinew.so.")
    for key, plugin in plugins.items():
        maya, _, platform = key.partition("-")
        if maya not in VERSIONS or platform not in PLATFORMS:
            raise Refusal(
                f"“{key}” is not a version and a platform: versions are {', '.join(VERSIONS)}, "
                f"platforms are {', '.join(PLATFORMS)}, as in 2026-linux."
            )
        suffix = pathlib.PurePath(PLATFORMS[platform][0]).suffix
        if plugin.suffix != suffix:
            raise Refusal(f"{plugin} is no plug-in for {platform}: those end with {suffix}.")
        if not plugin.is_file():
            raise Refusal(f"There is no plug-in {plugin}: build it first, or correct the path.")
        if platform not in libraries:
            raise Refusal(f"The library for {platform} is not given: add --library {platform}=PATH.")
    for platform, library in libraries.items():
        if platform not in PLATFORMS:
            raise Refusal(f"“{platform}” is not a platform: there are {', '.join(PLATFORMS)}.")
        if not library.is_file():
            raise Refusal(f"There is no library {library}: build it with cpp/dist.sh, or correct the path.")
        if not re.fullmatch(PLATFORMS[platform][2], library.resolve().name):
            raise Refusal(f"{library.resolve()} is not Sinew's library for {platform}: its name is another.")


def _document(folder: pathlib.Path, version: str) -> None:
    for name in DOCUMENTATION:
        source, target = ROOT / name, folder / "documentation" / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            _copy(source, target)
    (folder / "README.txt").write_text(START.format(version=version), encoding="utf-8")


def archive(folder: pathlib.Path) -> pathlib.Path:
    """All of a module in one file beside it. Every system of Maya unpacks .zip, and a module has no links."""
    try:
        return pathlib.Path(shutil.make_archive(str(folder), "zip", folder.parent, folder.name))
    except OSError as error:
        raise Refusal(f"{folder}.zip could not be written: {error.strerror}.") from error


def _clear(folder: pathlib.Path) -> None:
    """Only what an earlier call has made is removed."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / "sinew.mod").is_file():
            raise Refusal(f"{folder} has other files in it: give a new folder, or an earlier module.")
        for name in ("sinew", "documentation"):
            if (folder / name).exists():
                shutil.rmtree(folder / name)
    folder.mkdir(parents=True, exist_ok=True)


def _copy(source: pathlib.Path, target: pathlib.Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def own_version() -> str:
    """The library's version, from the one place that has it."""
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)
    if not found:
        raise Refusal("Cargo.toml says no version: give one by --version.")
    return found[1]


def _pairs(given: list[str], flag: str) -> dict[str, pathlib.Path]:
    pairs: dict[str, pathlib.Path] = {}
    for one in given:
        key, equals, path = one.partition("=")
        if not equals or not path:
            raise Refusal(f"“{one}” after {flag} has no path: write it as NAME=PATH.")
        pairs[key] = pathlib.Path(path)
    return pairs


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description="Assembles the module for Maya from built plug-ins, the library and the scripts."
    )
    parser.add_argument("folder", type=pathlib.Path, help="where to make it")
    parser.add_argument("--plugin", action="append", default=[], metavar="VERSION-PLATFORM=PATH")
    parser.add_argument("--library", action="append", default=[], metavar="PLATFORM=PATH")
    parser.add_argument("--notices", type=pathlib.Path, help="NOTICES.txt of the release that has the library")
    parser.add_argument("--archive", action="store_true", help="pack it into FOLDER.zip, too")
    parser.add_argument("--version", default="", help="of the module; without it, that in Cargo.toml")
    given = parser.parse_args(arguments)
    try:
        plugins, libraries = _pairs(given.plugin, "--plugin"), _pairs(given.library, "--library")
        folder = given.folder.resolve()
        print(build(folder, plugins, libraries, given.version or own_version(), given.notices))
        if given.archive:
            print(archive(folder))
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
