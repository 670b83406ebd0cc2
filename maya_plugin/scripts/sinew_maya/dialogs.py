"""What is asked of a user. In batch mode nobody answers: callers must give what they want to be used."""

from collections.abc import Sequence
from typing import Any

from maya import cmds

from sinew_maya.problems import Problem, batch

CANCEL = "Cancel"


class Cancelled(Exception):
    """The user closed a dialog: nothing is done, and nothing is said."""


def script(text: str) -> Any:
    """A script as text, where Maya keeps it in a file of its own. Maya takes callables and texts; maya-stubs name the
    first only."""
    return text


def _nobody(what: str) -> Problem:
    return Problem(f"Nobody can be asked for {what} in batch mode: give it as an argument.")


def confirm(title: str, message: str, yes: str) -> None:
    """Goes on only if the user agrees."""
    if batch():
        raise _nobody(f"an answer to “{title}”")
    answer = cmds.confirmDialog(
        title=title,
        message=message,
        button=[yes, CANCEL],
        defaultButton=yes,
        cancelButton=CANCEL,
        dismissString=CANCEL,
    )
    if answer != yes:
        raise Cancelled


def _path(what: str, mode: int, caption: str, ok: str, files: str) -> str:
    if batch():
        raise _nobody(what)
    found: Any = cmds.fileDialog2(fileMode=mode, caption=caption, okCaption=ok, fileFilter=files)
    if not found:
        raise Cancelled
    # Maya returns a list.
    return str(found if isinstance(found, str) else found[0])


def existing_file(caption: str, files: str) -> str:
    return _path("a file", 1, caption, "Choose", f"{files};;All files (*)" if files else "All files (*)")


def new_file(caption: str, files: str) -> str:
    return _path("a file", 0, caption, "Save", files)


def folder(caption: str) -> str:
    return _path("a folder", 3, caption, "Choose", "All files (*)")


def one_of(title: str, choices: Sequence[tuple[str, str]]) -> str:
    """The id of a choice, from (id, text)."""
    if len(choices) == 1:
        return choices[0][0]
    if batch():
        raise _nobody(f"a choice for “{title}”")
    shown = {text: key for key, text in choices}

    def build(*_: object) -> None:
        # Maya has made a form to build in (command layoutDialog).
        form = str(cmds.setParent(query=True))
        column = str(cmds.columnLayout(adjustableColumn=True, rowSpacing=4))
        cmds.formLayout(form, edit=True, attachForm=[(column, side, 8) for side in ("top", "left", "right", "bottom")])
        chosen = cmds.textScrollList(
            append=list(shown), numberOfRows=min(12, len(shown)), selectIndexedItem=1, allowMultiSelection=False
        )

        def take(*_: object) -> None:
            selected: Any = cmds.textScrollList(str(chosen), query=True, selectItem=True)
            cmds.layoutDialog(dismiss=str(selected[0]) if selected else CANCEL)

        cmds.textScrollList(str(chosen), edit=True, doubleClickCommand=take)
        cmds.button(label="Choose", command=take)

    answer = cmds.layoutDialog(title=title, uiScript=build)
    if answer not in shown:
        raise Cancelled
    return shown[answer]
