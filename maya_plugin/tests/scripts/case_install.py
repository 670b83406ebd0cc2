"""The module for Maya, made of files that stand for plug-ins and libraries, and what a dropped installer does."""

import importlib
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from types import ModuleType

from cases import PLUGINS, ROOT, Scene, is_sentence, refused
from plugged import SCRIPTS

INSTALL = ROOT / "maya_plugin" / "install"
FILES = {
    "linux": ("sinew.so", "libsinew.so.1"),
    "mac": ("sinew.bundle", "libsinew.dylib"),
    "win64": ("sinew.mll", "sinew.dll"),
}
VERSIONS = ("2024", "2025", "2026", "2027")


def _module(path: pathlib.Path) -> ModuleType:
    made = importlib.util.spec_from_file_location(path.stem, path)
    assert made and made.loader
    module = importlib.util.module_from_spec(made)
    sys.modules[path.stem] = module
    made.loader.exec_module(module)
    return module


def _built(folder: pathlib.Path, versions=VERSIONS, platforms=tuple(FILES)) -> pathlib.Path:
    """A module by the command line, as a build machine makes it."""
    source = folder / "built"
    source.mkdir(exist_ok=True)
    arguments: list[str] = []
    for platform in platforms:
        plugin, library = (source / name for name in FILES[platform])
        plugin.write_text(f"plug-in for {platform}")
        library.write_text(f"library for {platform}")
        arguments += [f"--library={platform}={library}"]
        arguments += [f"--plugin={version}-{platform}={plugin}" for version in versions]
    made = folder / "sinew-maya"
    command = [sys.executable, "-B", str(INSTALL / "build_module.py"), str(made), *arguments, "--version", "1.2.3"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip() == str(made / "sinew.mod"), done
    return made


def _entries(text: str) -> list[tuple[dict[str, str], list[str], list[str]]]:
    """Entries of a .mod file: conditions, name with version and path, and the lines until an empty one."""
    found = []
    for part in text.split("\n\n"):
        first, *rest = part.strip().splitlines()
        assert first.startswith("+ "), first
        words = first[2:].split()
        conditions = dict(word.split(":", 1) for word in words if ":" in word)
        found.append((conditions, [word for word in words if ":" not in word], rest))
    return found


def a_module_has_one_entry_for_each_version_and_platform():
    with tempfile.TemporaryDirectory() as temporary:
        made = _built(pathlib.Path(temporary))
        entries = _entries((made / "sinew.mod").read_text(encoding="utf-8"))
        for version in VERSIONS:
            for platform, (plugin, library) in FILES.items():
                wanted = {"MAYAVERSION": version, "PLATFORM": platform}
                (entry,) = (one for one in entries if one[0] == wanted)
                name, number, path = entry[1]
                assert (name, number) == ("sinew", "1.2.3")
                here = made / path
                assert (here / "plug-ins" / plugin).read_text() == f"plug-in for {platform}"
                # Nothing but the plug-in: Maya lists every library in that folder as a plug-in.
                assert [one.name for one in (here / "plug-ins").iterdir()] == [plugin]
                scripts = dict(re.split(r"\+?:=?\s*", line, maxsplit=1) for line in entry[2])["scripts"]
                assert (here / scripts / "sinew_maya" / "__init__.py").is_file()
                found = here / ("bin" if platform == "win64" else "lib") / library
                assert found.read_text() == f"library for {platform}"
                assert ("PATH+:=bin" in entry[2]) or platform != "win64"
        assert len(entries) == len(VERSIONS) * len(FILES)
        left = [one for one in made.rglob("*") if one.name in ("__pycache__", ".mypy_cache")]
        assert left == []


def an_archive_is_unpacked_and_installed():
    """With a built plug-in and its library, where run.py is given those."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        plugin, library = PLUGINS or [folder / "sinew.so", folder / "libsinew.so.1"]
        if not PLUGINS:
            plugin.write_text("plug-in")
            library.write_text("library")
        notices = folder / "NOTICES.txt"
        notices.write_text("thanks")
        made = folder / "sinew-maya-1.2.3"
        command = [sys.executable, "-B", str(INSTALL / "build_module.py"), str(made), "--archive", "--version=1.2.3"]
        command += [f"--plugin=2026-linux={plugin}", f"--library=linux={library}", f"--notices={notices}"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stdout.split() == [str(made / "sinew.mod"), f"{made}.zip"], done
        there = folder / "there"
        shutil.unpack_archive(f"{made}.zip", there)
        package = there / made.name
        assert "1.2.3" in (package / "README.txt").read_text(encoding="utf-8")
        scene = Scene(loaded=False, app=f"{folder}/app")
        before = sys.path[:]
        assert "is installed" in _dropped(scene, package)
        sys.path[:] = before
        installed = folder / "app" / "modules" / "sinew"
        here = installed / "2026-linux"
        assert (here / "plug-ins" / "sinew.so").read_bytes() == plugin.read_bytes()
        assert (here / "lib" / library.name).read_bytes() == library.read_bytes()
        assert (installed / "NOTICES.txt").read_text() == "thanks" and (installed / "LICENSE").is_file()


def what_the_readme_links_to_is_in_the_archive():
    with tempfile.TemporaryDirectory() as temporary:
        readme = _built(pathlib.Path(temporary)) / "documentation" / "maya_plugin" / "README.md"
        links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", readme.read_text(encoding="utf-8"))
        relative = [link for link in links if "://" not in link]
        assert len(relative) > 5
        for link in relative:
            assert (readme.parent / link).exists(), link


def a_plug_in_that_needs_a_newer_linux_is_refused():
    check = _module(INSTALL / "check_linux.py")
    problems = check.problems

    def line(name: str, version: str, section: str = "*UND*") -> str:
        """As `objdump -T -C` prints it."""
        return f"0000000000000000      DF {section}\t0000000000000000  {version:<11} {name}"

    good = [
        line("memcpy", "(GLIBC_2.14)"),
        line("fcntl64", "(GLIBC_2.28)"),
        line("std::__throw_bad_cast()", "(GLIBCXX_3.4)"),
        line("_Unwind_Resume", "(GCC_3.0)"),
        line("sinew_abi_version", "Base"),
        line("Autodesk::Maya::OpenMaya20240000::MPlug::asMObject() const", "Base"),
        line("vtable for Autodesk::Maya::OpenMaya20240000::MPxNode", "Base"),
        line("MPlug::~MPlug()", "Base"),
        line("initializePlugin(Autodesk::Maya::OpenMaya20240000::MObject)", "Base", ".text"),
        line("MApiVersion", "Base", ".data"),
        "0000000000000000  w   D  *UND*\t0000000000000000  Base        __gmon_start__",
    ]
    assert problems("\n".join(good)) == []
    for words, bad in (
        ("have GLIBC_2.28", line("pthread_create", "(GLIBC_2.34)")),
        ("have GLIBCXX_3.4.25", line("std::__throw_bad_array_new_length()", "(GLIBCXX_3.4.29)")),
        ("have CXXABI_1.3.11", line("__cxa_call_terminate", "(CXXABI_1.3.15)")),
        ("in no library", line("arc4random", "Base")),
        ("a type of the C++ library", line("MString::MString(std::string const&)", "Base")),
        ("is exported", line("sinew::host::Player::step()", "Base", ".text")),
    ):
        (said,) = problems("\n".join([*good, bad]))
        assert words in said, said
    needs, path = "  NEEDED               libsinew.so.1\n", "  RUNPATH              $ORIGIN/../lib\n"
    assert check.library_problems(needs + path) == []
    for words, headers in (
        ("does not say", needs),
        ("does not say", needs + path.replace("$ORIGIN/../lib", "/home/me")),
        ("of its own", needs.replace("lib", "/home/me/lib") + path),
    ):
        (said,) = check.library_problems(headers)
        assert words in said, said


def a_module_is_made_again_over_an_older_one_only():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        _built(folder)
        made = _built(folder, versions=("2026",), platforms=("linux",))
        assert sorted(one.name for one in (made / "sinew").iterdir()) == ["2026-linux", "LICENSE", "scripts"]
        build = _module(INSTALL / "build_module.py")
        other = folder / "photos"
        other.mkdir()
        (other / "one.png").write_text("")
        plugin = {"2026-linux": folder / "built" / "sinew.so"}
        library = {"linux": folder / "built" / "libsinew.so.1"}
        refused("other files", build.build, other, plugin, library, "1")
        assert [one.name for one in other.iterdir()] == ["one.png"]


def building_refuses_what_is_wrong_in_one_sentence():
    build = _module(INSTALL / "build_module.py")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        plugin, library, other = folder / "sinew.so", folder / "libsinew.so.1", folder / "libother.so"
        for one in (plugin, library, other):
            one.write_text("")
        libraries = {"linux": library}
        for words, plugins, given in (
            ("at least one", {}, libraries),
            ("2023-linux” is not a version", {"2023-linux": plugin}, libraries),
            ("2026-irix” is not", {"2026-irix": plugin}, libraries),
            ("end with .mll", {"2026-win64": plugin}, libraries),
            ("There is no plug-in", {"2026-linux": folder / "gone.so"}, libraries),
            ("add --library linux=PATH", {"2026-linux": plugin}, {}),
            ("There is no library", {"2026-linux": plugin}, {"linux": folder / "libsinew.so.2"}),
            ("its name is another", {"2026-linux": plugin}, {"linux": other}),
            ("not a platform", {"2026-linux": plugin}, {**libraries, "irix": library}),
        ):
            refused(words, build.build, folder / "out", plugins, given, "1")
            assert not (folder / "out").exists()
        refused(
            "no file of notices", build.build, folder / "out", {"2026-linux": plugin}, libraries, "1", folder / "no"
        )
        # A file where the folder should be: as without permission, the system refuses.
        refused("could not be written", build.build, plugin / "out", {"2026-linux": plugin}, libraries, "1")
        done = subprocess.run(
            [sys.executable, "-B", str(INSTALL / "build_module.py"), str(folder / "out"), "--plugin=2026-linux"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1 and "has no path" in done.stderr and "Traceback" not in done.stderr


def _dropped(scene: Scene, package: pathlib.Path) -> str:
    """Drops the installer of a package, and returns what it said."""
    before = len(scene.world.said)
    module = _module(package / "install_sinew.py")
    module.onMayaDroppedPythonFile(None)
    assert "install_sinew" not in sys.modules, "the next archive's file has the same name"
    said = scene.world.said[before:]
    for one in said:
        for sentence in re.split(r"(?<=[.!?]) ", one):
            is_sentence(sentence)
    return " ".join(said)


def dropping_installs_updates_and_removes():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        scene = Scene(loaded=False, app=f"{folder}/my maya/")
        package, modules = _built(folder), folder / "my maya" / "modules"
        before = sys.path[:]
        assert "is installed" in _dropped(scene, package)
        assert scene.world.loaded and scene.world.autoload and scene.world.modules == ["sinew"]
        assert sorted(one.name for one in modules.iterdir()) == ["sinew", "sinew.mod"]
        assert (modules / "sinew" / "2026-linux" / "lib" / "libsinew.so.1").is_file()
        sys.path[:] = before
        # Again: what a newer archive no longer has is gone.
        (modules / "sinew" / "stale.txt").write_text("")
        scene.world.answers["confirm"] = "Update"
        assert "is installed" in _dropped(scene, package)
        assert not (modules / "sinew" / "stale.txt").exists() and scene.world.modules == ["sinew"]
        sys.path[:] = before
        scene.world.answers["confirm"] = "Cancel"
        assert _dropped(scene, package) == ""
        scene.world.answers["confirm"] = "Uninstall"
        assert "was removed" in _dropped(scene, package)
        assert list(modules.iterdir()) == [] and not scene.world.loaded and not scene.world.autoload


def uninstalling_takes_the_shelf_along():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        scene = Scene(app=temporary)
        package = _built(folder, versions=("2026",), platforms=("linux",))
        scene.load()
        scene.part("shelf").show()
        before = sys.path[:]
        _dropped(scene, package)
        sys.path[:] = before
        # Installing unloads the scripts of before; those of now are imported by the plug-in.
        assert not any(one.startswith("sinew_maya") for one in sys.modules)
        scene.world.answers["confirm"] = "Uninstall"
        importlib.import_module("sinew_maya").load()
        scene.world.idle()
        _dropped(scene, package)
        assert "MayaWindow|Shelves|Sinew" not in scene.world.ui and "sinewMenu" not in scene.world.ui


def other_versions_and_broken_archives_are_refused_before_anything_is_touched():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for words, state, damage in (
            ("this is Maya 2023", {"version": "2023"}, ""),
            ("for Maya 2024, 2025, 2026, 2027 on Linux", {"version": "2028"}, ""),
            ("no Maya on macOS", {"platform": "mac"}, ""),
            ("is missing", {}, "sinew/2026-linux/plug-ins/sinew.so"),
            ("library is missing", {}, "sinew/2026-linux/lib/libsinew.so.1"),
            ("only a part", {}, "sinew.mod"),
        ):
            package = _built(folder, platforms=("linux",))
            if damage:
                (package / damage).unlink()
            scene = Scene(app=f"{folder}/app", **state)
            said = _dropped(scene, package)
            assert words in said, said
            assert scene.world.loaded and not (folder / "app").exists()
            if not (package / "sinew.mod").exists():
                (package / "sinew.mod").write_text("")


def a_folder_that_cannot_be_written_is_a_sentence():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        package = _built(folder, platforms=("linux",))
        (folder / "app").mkdir()
        (folder / "app" / "modules").write_text("a file, where the folder of modules should be")
        scene = Scene(app=f"{folder}/app")
        assert "could not be copied" in _dropped(scene, package)
        assert not scene.world.autoload


def nodes_in_the_scene_stop_an_update():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        package = _built(folder, platforms=("linux",))
        scene = Scene(app=f"{folder}/app")
        scene.character(slides=True)
        assert "New Scene" in _dropped(scene, package)
        assert not (folder / "app" / "modules").exists() and scene.world.loaded


def a_plug_in_that_does_not_load_is_said():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        package = _built(folder, platforms=("linux",))
        scene = Scene(app=f"{folder}/app", loaded=False, loadable=False)
        before = sys.path[:]
        # The library is a text here, and only the archive has scripts.
        sys.path.remove(str(SCRIPTS))
        said = _dropped(scene, package)
        assert "did not load" in said and "does not load Sinew's library" in said, said
        sys.path[:] = before
        assert not scene.world.autoload


def a_failed_copy_leaves_the_older_one():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        package = _built(folder, platforms=("linux",))
        modules = folder / "modules"
        Scene()
        module = _module(INSTALL / "install_sinew.py")
        module.copy(package, modules)
        (modules / "sinew" / "mine.txt").write_text("older")
        # What another session has loaded cannot be replaced on Windows.
        rename = pathlib.Path.rename

        def locked(path: pathlib.Path, target: pathlib.Path) -> pathlib.Path:
            if path.name == "sinew.new":
                raise PermissionError(13, "Permission denied", str(path))
            return rename(path, target)

        pathlib.Path.rename = locked
        try:
            refused("could not be copied", module.copy, package, modules)
        finally:
            pathlib.Path.rename = rename
        assert (modules / "sinew" / "mine.txt").read_text() == "older"
