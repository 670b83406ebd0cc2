"""Drop this file onto Maya's view to install Sinew, update it or remove it.

Maya runs onMayaDroppedPythonFile of a Python file that is dropped. The archive has this file beside sinew.mod and the
folder sinew, and those two are copied into the user's folder of modules, which all versions of Maya read
(MAYA_APP_DIR/modules). A studio needs none of this: it puts the unpacked archive into a folder of its own and adds that
to MAYA_MODULE_PATH.
"""

import importlib
import pathlib
import shutil
import sys
from typing import Any

from maya import cmds

TITLE = "Sinew"
NAMES = {"win64": "Windows", "linux": "Linux", "mac": "macOS"}
PLUGINS = {"win64": "sinew.mll", "linux": "sinew.so", "mac": "sinew.bundle"}
LIBRARIES = {"win64": "bin/sinew.dll", "linux": "lib/libsinew.so*", "mac": "lib/libsinew*.dylib"}


class Refusal(Exception):
    """It cannot be done: one sentence that says what to do."""


def onMayaDroppedPythonFile(*_: object) -> None:
    """Maya calls this. What it says is shown in a dialog, failures too."""
    try:
        said = _dropped()
    except Refusal as refusal:
        said = str(refusal)
    finally:
        # Maya imports a dropped file once per session: the one of the next archive has the same name.
        sys.modules.pop(__name__, None)
    if said:
        cmds.confirmDialog(title=TITLE, message=said, button=["OK"])


def _dropped() -> str:
    package = pathlib.Path(__file__).resolve().parent
    modules = modules_folder()
    install, remove, cancel = "Install", "Uninstall", "Cancel"
    answer = install
    if (modules / "sinew.mod").exists():
        install = "Update"
        answer = str(
            cmds.confirmDialog(
                title=TITLE,
                message=f"Sinew is installed in {modules}.",
                button=[install, remove, cancel],
                defaultButton=install,
                cancelButton=cancel,
                dismissString=cancel,
            )
        )
    if answer == cancel:
        return ""
    if answer == remove:
        uninstall(modules)
        return "Sinew was removed. Menus and shelf are gone now, the rest when Maya is started again."
    check(package, str(cmds.about(majorVersion=True)), platform())
    stop()
    start(copy(package, modules))
    return "Sinew is installed, and its menu is there. It is loaded whenever Maya starts."


def platform() -> str:
    """The platform as .mod files name it."""
    if cmds.about(windows=True):
        return "win64"
    return "mac" if cmds.about(macOS=True) else "linux"


def modules_folder() -> pathlib.Path:
    return pathlib.Path(str(cmds.internalVar(userAppDir=True))) / "modules"


def check(package: pathlib.Path, version: str, system: str) -> None:
    """Whether the archive has what this Maya needs."""
    if not (package / "sinew.mod").is_file() or not (package / "sinew" / "scripts").is_dir():
        raise Refusal(
            f"{package} has only a part of Sinew: unpack the whole archive and drop install_sinew.py from there."
        )
    here = package / "sinew" / f"{version}-{system}"
    if not here.is_dir():
        there = sorted(one.name.partition("-")[0] for one in (package / "sinew").glob(f"20*-{system}"))
        offered = f"Maya {', '.join(there)} on {NAMES[system]}" if there else f"no Maya on {NAMES[system]}"
        raise Refusal(
            f"This archive is for {offered}, and this is Maya {version}: get the archive that has this version, "
            "or build the plug-in for it (README.md)."
        )
    if not (here / "plug-ins" / PLUGINS[system]).is_file():
        raise Refusal(f"{here / 'plug-ins' / PLUGINS[system]} is missing: unpack the archive again.")
    if not list(here.glob(LIBRARIES[system])):
        raise Refusal(f"Sinew's library is missing, {here / LIBRARIES[system]}: unpack the archive again.")


def copy(package: pathlib.Path, modules: pathlib.Path) -> pathlib.Path:
    """Copies the module beside an older one and then takes its place, so that a failure leaves the older one. Returns
    the .mod file."""
    new, old, place = modules / "sinew.new", modules / "sinew.old", modules / "sinew"
    try:
        modules.mkdir(parents=True, exist_ok=True)
        for left in (new, old):
            if left.exists():
                shutil.rmtree(left)
        shutil.copytree(package / "sinew", new)
        if place.exists():
            place.rename(old)
        try:
            new.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
        shutil.copyfile(package / "sinew.mod", modules / "sinew.mod")
    except OSError as error:
        raise Refusal(
            f"Sinew could not be copied to {modules}: {error.strerror} ({error.filename}). Close other sessions of "
            "Maya, see that you may write there, and drop the file again."
        ) from error
    # Windows keeps files of a plug-in that another session has loaded: they are removed next time.
    shutil.rmtree(old, ignore_errors=True)
    return modules / "sinew.mod"


def stop() -> None:
    """Unloads the plug-in: its file could not be replaced, and the scripts would be those of before."""
    if cmds.pluginInfo("sinew", query=True, loaded=True):
        try:
            cmds.unloadPlugin("sinew")
        except RuntimeError as error:
            raise Refusal(
                "This scene has nodes of Sinew: save it, choose File > New Scene, and drop the file again."
            ) from error
    for name in [one for one in sys.modules if one.partition(".")[0] == "sinew_maya"]:
        del sys.modules[name]


def start(module: pathlib.Path) -> None:
    """Makes the module known to this session, loads the plug-in, and has it loaded from now on."""
    known: Any = cmds.moduleInfo(listModules=True)
    if "sinew" not in (known or []):
        cmds.loadModule(load=module.as_posix())
    scripts = (module.parent / "sinew" / "scripts").as_posix()
    if scripts not in sys.path:
        sys.path.append(scripts)
    importlib.invalidate_caches()
    try:
        cmds.loadPlugin("sinew", quiet=True)
    except RuntimeError as error:
        library: Any = importlib.import_module("sinew_maya.library")
        raise Refusal(
            "Sinew is installed, but its plug-in did not load. "
            + (library.fault() or "The Script Editor says why. Where it names a missing module, start Maya again.")
        ) from error
    cmds.pluginInfo("sinew", edit=True, autoload=True)


def uninstall(modules: pathlib.Path) -> None:
    """Removes what was installed, the shelf and the preferences too."""
    ours: Any = sys.modules.get("sinew_maya")
    loaded = bool(cmds.pluginInfo("sinew", query=True, loaded=True))
    if loaded:
        cmds.pluginInfo("sinew", edit=True, autoload=False)
        if ours is not None:
            ours.uninstall()
    stop()
    try:
        (modules / "sinew.mod").unlink(missing_ok=True)
        for name in ("sinew", "sinew.new", "sinew.old"):
            if (modules / name).exists():
                shutil.rmtree(modules / name)
    except OSError as error:
        raise Refusal(
            f"Sinew is unloaded, but {error.filename} could not be removed: {error.strerror}. Close other sessions of "
            "Maya and drop the file again."
        ) from error
