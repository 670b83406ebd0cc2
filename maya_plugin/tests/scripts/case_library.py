"""A library that does not load, or is another one: one sentence that says what to do."""

import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from types import ModuleType

from cases import Scene, is_sentence, refused
from plugged import SCRIPTS

ANSWERS = 'const char *sinew_version_string(void) { return "%s (commit)"; }\n'


def _library(path: pathlib.Path, source: str) -> None:
    source_file = path.with_suffix(".c")
    source_file.write_text(source)
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", f"-Wl,-soname,{path.name}", source_file, "-o", path], check=True)
    source_file.unlink()


def _in_a_module(check: Callable[[ModuleType, pathlib.Path], None]) -> None:
    """Calls with the scripts of a module of version 1.2.3, and the folder of its library."""
    with tempfile.TemporaryDirectory() as temporary:
        module = pathlib.Path(temporary) / "sinew"
        shutil.copytree(SCRIPTS, module / "scripts", ignore=shutil.ignore_patterns("__pycache__", ".mypy_cache"))
        (module.parent / "sinew.mod").write_text("+ MAYAVERSION:2026 PLATFORM:linux sinew 1.2.3 ./sinew/2026-linux\n")
        folder = module / "2026-linux" / "lib"
        folder.mkdir(parents=True)
        scene = Scene(loaded=False, loadable=False)
        sys.path.insert(0, str(module / "scripts"))
        for name in [one for one in sys.modules if one.partition(".")[0] == "sinew_maya"]:
            del sys.modules[name]
        try:
            assert str(module) in str(importlib.import_module("sinew_maya").__file__)
            check(scene.part("library"), folder)
        finally:
            sys.path.remove(str(module / "scripts"))
            Scene()


def a_library_that_is_as_it_should_be_is_no_fault():
    def check(library: ModuleType, folder: pathlib.Path) -> None:
        _library(folder / "libsinew.so.1", ANSWERS % "1.2.3")
        assert library.fault() == ""
        refused("The Script Editor says why", importlib.import_module("sinew_maya.plugin").require)

    _in_a_module(check)


def each_fault_is_a_sentence_of_its_own():
    def check(library: ModuleType, folder: pathlib.Path) -> None:
        def says(words: str) -> None:
            said = library.fault()
            is_sentence(said)
            assert words in said, said
            refused(words, importlib.import_module("sinew_maya.plugin").require)

        says("library is missing")
        file = folder / "libsinew.so.1"
        file.write_text("half of a download")
        says("does not load Sinew's library")
        file.unlink()
        _library(file, "void other(void) {}\n")
        says("sinew_version_string")
        # A library that is loaded stays so under its path, so that each has its own.
        file.unlink()
        _library(folder / "libsinew.so.2", ANSWERS % "0.9.0")
        says("is of Sinew 0.9.0, and the plug-in beside it of 1.2.3")

    _in_a_module(check)


def a_linux_that_is_too_old_is_said():
    def check(library: ModuleType, folder: pathlib.Path) -> None:
        (folder / "libsinew.so.1").write_text("")
        asked = os.confstr
        try:
            for version, old in (("2.17", True), ("2.27", True), ("2.28", False), ("2.4", True), ("3.0", False)):
                os.confstr = lambda name, version=version: f"glibc {version}"
                said = library.fault()
                assert (f"this one has {version}" in said) == old, said
        finally:
            os.confstr = asked

    _in_a_module(check)


def scripts_outside_of_a_module_know_nothing():
    assert Scene().part("library").fault() == ""
