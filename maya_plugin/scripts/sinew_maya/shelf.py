"""The shelf. Maya writes it to the user's preferences, so it stays: it is made only where a user asks for it, and its
buttons are texts that first load the plug-in."""

from typing import Protocol

from maya import cmds, mel

from sinew_maya import table
from sinew_maya.dialogs import script
from sinew_maya.problems import batch

NAME = "Sinew"


class Part(Protocol):
    """A part of the interface that users show and hide."""

    def install(self) -> None: ...

    def remove(self) -> None: ...


def _path() -> str:
    """The shelf's place: Maya's tabs of shelves have a name that only MEL knows."""
    return f"{mel.eval('$sinew_shelves = $gShelfTopLevel')}|{NAME}"


def exists() -> bool:
    return not batch() and bool(cmds.shelfLayout(_path(), exists=True))


def install() -> None:
    """Makes the shelf, in place of an older one."""
    if batch():
        return
    remove()
    top, _, name = _path().rpartition("|")
    made = str(cmds.shelfLayout(name, parent=top))
    for action in table.ACTIONS:
        cmds.shelfButton(
            parent=made,
            label=action.title,
            annotation=action.tooltip,
            imageOverlayLabel=action.icon,
            image="pythonFamily.png",
            style="iconOnly",
            sourceType="python",
            command=script(f'import sinew_maya\nsinew_maya.clicked("{action.id}")'),
        )
    _save()


def remove() -> None:
    if exists():
        cmds.deleteUI(_path(), layout=True)
        _save()


def _save() -> None:
    """Writes all shelves, and the list of them in the preferences, as closing Maya does: a shelf that is in that list
    and has no file is an error at the next start."""
    mel.eval("saveAllShelves $gShelfTopLevel")
