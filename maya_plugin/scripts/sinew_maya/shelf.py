"""The shelf. Maya writes it to the user's preferences, so it stays: it is made only where a user asks for it, and its
buttons are texts that first load the plug-in."""

from maya import cmds, mel

from sinew_maya import table
from sinew_maya.dialogs import script
from sinew_maya.problems import batch

NAME = "Sinew"


def _path() -> str:
    """The shelf's place: Maya's tabs of shelves have a name that only MEL knows."""
    return f"{mel.eval('$sinew_shelves = $gShelfTopLevel')}|{NAME}"


def exists() -> bool:
    return not batch() and bool(cmds.shelfLayout(_path(), exists=True))


def show() -> None:
    """Makes the shelf, in place of an older one."""
    if batch():
        return
    hide()
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


def hide() -> None:
    if exists():
        cmds.deleteUI(_path(), layout=True)
        _save()


def _save() -> None:
    """Writes all shelves, and the list of them in the preferences, as closing Maya does: a shelf that is in that list
    and has no file is an error at the next start."""
    mel.eval("saveAllShelves $gShelfTopLevel")
