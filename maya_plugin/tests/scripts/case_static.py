"""What can be said of the scripts without running them."""

import ast
import importlib
import re
import subprocess
import sys

import cases
import plugged
from cases import ROOT, Scene, refused

PLUGIN = ROOT / "maya_plugin"
FILES = sorted([*plugged.SCRIPTS.rglob("*.py"), *(PLUGIN / "install").glob("*.py")])


def types_fit_what_maya_stubs_declare_from_python_3_10_on():
    mypy = next(
        one for one in (cases.TOOLS[0] / "bin" / "mypy", cases.TOOLS[0] / "Scripts" / "mypy.exe") if one.exists()
    )
    for version in ("3.10", "3.13"):
        for folder, given in (
            (plugged.SCRIPTS, ["sinew_maya"]),
            (PLUGIN / "install", ["build_module.py", "check_linux.py", "install_sinew.py"]),
        ):
            done = subprocess.run(
                [mypy, "--strict", "--cache-dir=/dev/null", "--python-version", version, *given],
                cwd=folder,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stdout + done.stderr


def the_oldest_python_reads_every_file():
    for path in FILES:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 10))


def only_maya_and_the_standard_library_are_imported():
    known = {"maya", "sinew_maya"}
    standard = set(sys.stdlib_module_names)
    for path in FILES:
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in one.names] if isinstance(one, ast.Import) else []
            names += [one.module or ""] if isinstance(one, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] in known | standard, f"{path.name} imports {name}"
                assert name not in ("maya.OpenMaya", "maya.api"), f"{path.name} imports {name}"


def there_is_no_second_list_of_actions():
    """What users read of an action is in the table only."""
    table = Scene().part("table")
    for path in (one for one in FILES if one.name != "table.py"):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts = {one.value for one in tree if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        again = texts & {text for one in table.ACTIONS for text in (one.title, one.tooltip)}
        assert not again, f"{path.name} has {again} of the table"


def the_recorder_refuses_what_the_stubs_do_not_know():
    """A check of the check: without it, every other case would pass for the wrong reason."""
    scene = Scene()
    cmds = importlib.import_module("maya").cmds
    for call in (
        lambda: cmds.ls(sl=True),
        lambda: cmds.ls(selected=True),
        lambda: cmds.menu("a", "b"),
        lambda: cmds.confirmDialog(title=3),
        lambda: cmds.menuItem("a", label=True),
        lambda: cmds.artAttrCtx("a", edit=True, query=True),
        lambda: cmds.undoInfo("chunk", openChunk=True),
        lambda: cmds.editorTemplate(dimControl=("node", "attribute")),
        lambda: cmds.polyCube(),
    ):
        try:
            call()
        except AssertionError:
            continue
        raise AssertionError("a wrong call was taken")
    try:
        cmds.noSuchCommand()
    except AttributeError:
        pass
    scene.world.loaded = False
    refused("has no sinewSolve", scene.part("plugin").call, "sinewSolve")


def the_plug_in_registers_these_commands_with_these_flags():
    """The table in plugin.py against the plug-in's sources; what is not there yet is said so in the README."""
    files = sorted(one for one in (PLUGIN / "adapter").rglob("*") if one.suffix in (".h", ".cpp"))
    sources = "\n".join(one.read_text(encoding="utf-8") for one in files)
    registered = set(re.findall(r'(?:\{|command_name = )"(sinew\w+)"', sources))
    missing = set(plugged.table()) - registered
    readme = (PLUGIN / "README.md").read_text(encoding="utf-8")
    said = re.findall(
        r"`(sinew\w+)`", (re.findall(r"^Commands that are not there yet: (.*)$", readme, re.MULTILINE) or [""])[0]
    )
    assert missing == set(said), f"not there yet: {sorted(missing)}, by the README {sorted(said)}"
    flags = set(re.findall(r'"-\w{1,3}", "-(\w{4,})"', sources))
    for command in set(plugged.table()) & registered:
        assert set(plugged.table()[command]) <= flags, f"{command}: {set(plugged.table()[command]) - flags}"


def own_attributes_have_the_names_of_the_plug_in():
    text = (PLUGIN / "host" / "plan.h").read_text(encoding="utf-8").partition("struct OwnNames")[2]
    names = set(re.findall(r'static constexpr const char\* \w+ = "(\w+)"', text))
    templates = Scene().part("templates")
    used = {templates.STATUS, templates.MISSING, *templates.HIDDEN, *(name for name, _, _ in templates.FRAMES)}
    assert used <= names, used - names
    # One that is new would be shown by Maya without a title: it has to be put somewhere.
    assert names - used == {"uv_set"}, names - used
