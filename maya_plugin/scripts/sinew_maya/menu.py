"""The menu in Maya's main window."""

from collections.abc import Callable
from functools import partial

from maya import cmds, mel

from sinew_maya import marking, running, shelf, table
from sinew_maya.problems import batch

NAME = "sinewMenu"


def install() -> None:
    """Makes the menu, in place of an older one. There is no window in batch mode."""
    if batch():
        return
    remove()
    window = str(mel.eval("$sinew_window = $gMainWindow"))
    cmds.menu(NAME, label="Sinew", parent=window, tearOff=True, postMenuCommand=_opened)
    for section in table.sections():
        cmds.menuItem(parent=NAME, divider=True, dividerLabel=section)
        for action in table.ACTIONS:
            if action.section == section:
                cmds.menuItem(
                    _item(action),
                    parent=NAME,
                    label=action.title,
                    annotation=action.tooltip,
                    command=running.command(action),
                )
    cmds.menuItem(parent=NAME, divider=True, dividerLabel="Interface")
    cmds.menuItem(
        "sinewMenuShelf",
        parent=NAME,
        label="Shelf",
        annotation="Shows the Sinew shelf; it stays from session to session.",
        checkBox=shelf.exists(),
        command=partial(_toggled, shelf.show, shelf.hide),
    )
    cmds.menuItem(
        "sinewMenuMarking",
        parent=NAME,
        label="Marking Menu (Ctrl+Alt+Right Button)",
        annotation="Shows the entries around the pointer in the views; it stays from session to session.",
        checkBox=marking.exists(),
        command=partial(_toggled, marking.show, marking.hide),
    )


def remove() -> None:
    if not batch() and cmds.menu(NAME, exists=True):
        cmds.deleteUI(NAME, menu=True)


def _item(action: table.Action) -> str:
    return f"{NAME}_{action.id}"


def _opened(*_: object) -> None:
    """Greys out what does not apply, whenever the menu opens."""
    for action in table.ACTIONS:
        cmds.menuItem(_item(action), edit=True, enable=running.applies(action))


def _toggled(show: Callable[[], None], hide: Callable[[], None], checked: object = False, *_: object) -> None:
    show() if checked else hide()
