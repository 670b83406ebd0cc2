"""The marking menu in the views: Ctrl+Alt and the right mouse button. Maya itself uses the button alone, with Shift and
with Ctrl. It is made only where a user asks for it, and then in later sessions, too."""

from maya import cmds

from sinew_maya import running, table
from sinew_maya.problems import batch

NAME = "sinewMarkingMenu"
#: Maya's own name of the area with the views.
PARENT = "viewPanes"


def exists() -> bool:
    return not batch() and bool(cmds.popupMenu(NAME, exists=True))


def install() -> None:
    """Makes the menu, in place of an older one. Its entries are made when it opens, for what is selected then."""
    if batch():
        return
    remove()
    cmds.popupMenu(
        NAME,
        parent=PARENT,
        markingMenu=True,
        button=3,
        ctrlModifier=True,
        altModifier=True,
        postMenuCommand=_opened,
    )


def remove() -> None:
    if exists():
        cmds.deleteUI(NAME, menu=True)


def show() -> None:
    """Makes it, now and in later sessions."""
    cmds.optionVar(intValue=(NAME, 1))
    install()


def hide() -> None:
    cmds.optionVar(remove=NAME)
    remove()


def restore() -> None:
    """Makes it where the user wants it."""
    if cmds.optionVar(exists=NAME):
        install()


def _opened(*_: object) -> None:
    cmds.popupMenu(NAME, edit=True, deleteAllItems=True)
    for action in table.ACTIONS:
        if action.direction:
            cmds.menuItem(
                parent=NAME,
                label=action.title,
                annotation=action.tooltip,
                command=running.command(action),
                enable=running.applies(action),
                radialPosition=action.direction,
            )
        else:
            cmds.menuItem(
                parent=NAME,
                label=action.title,
                annotation=action.tooltip,
                command=running.command(action),
                enable=running.applies(action),
            )
