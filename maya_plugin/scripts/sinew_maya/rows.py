"""Rows of the attribute editor that Maya has no control for. Maya calls the first function of a pair where it builds a
row, and the second where the row is to show another node; the layout that the row is in is then the current parent.
"""

from functools import partial
from typing import Any

from maya import cmds

from sinew_maya import caching, dialogs, paint, plugin, problems
from sinew_maya.description import Attribute
from sinew_maya.dialogs import Cancelled
from sinew_maya.problems import Problem

LABEL_WIDTH = 140


def _split(plug: str) -> tuple[str, str]:
    node, _, name = plug.partition(".")
    return node, name


def _described(plug: str) -> Attribute:
    node, name = _split(plug)
    kind = plugin.type_of(node)
    found = kind.find(name) if kind else None
    if found is None:
        raise Problem(f"{plug} is not described by the plug-in: install the scripts and the plug-in together.")
    return found


def _here(name: str) -> str:
    """The full name of a control in the current layout: the attribute editor may show several nodes at once."""
    return f"{cmds.setParent(query=True)}|{name}"


def _guarded(function: Any, *arguments: Any) -> None:
    """For buttons: a failure is one sentence."""
    try:
        function(*arguments)
    except Problem as problem:
        problems.tell(str(problem))
    except RuntimeError as error:
        problems.tell(problems.sentence(error))
    except Cancelled:
        pass


# Status: what the node says, the frames that are missing, and a button that computes them.


def status_text(node: str) -> str:
    """What the node says of the current frame; it says nothing where all is well, except of Cached Playback."""
    said = str(cmds.getAttr(f"{node}.status") or "")
    missing = str(cmds.getAttr(f"{node}.missing_frames") or "")
    if missing:
        return f"{said}  Missing: {missing}".strip()
    return said or f"This frame is computed.  {caching.advice()}".strip()


def status_new(status: str, missing: str) -> None:
    cmds.rowLayout("sinewStatus", numberOfColumns=2, adjustableColumn=1)
    cmds.text("sinewStatusText", align="left", label="")
    cmds.button("sinewStatusSolve", label="Solve", annotation="Computes the frames that are missing.")
    cmds.setParent(upLevel=True)
    status_replace(status, missing)


def status_replace(status: str, missing: str) -> None:
    node, _ = _split(status)
    text, button = _here("sinewStatus|sinewStatusText"), _here("sinewStatus|sinewStatusSolve")
    refresh = partial(_refresh, text, node)
    refresh()
    cmds.button(button, edit=True, command=partial(_solve, node, refresh))
    # The jobs end with the text, and the first one replaces those of the node that was shown before.
    cmds.scriptJob(event=("timeChanged", refresh), parent=text, replacePrevious=True)
    for plug in (status, missing):
        cmds.scriptJob(attributeChange=(plug, refresh), parent=text)


def _refresh(text: str, node: str) -> None:
    if cmds.objExists(node):
        cmds.text(text, edit=True, label=status_text(node))


def _solve(node: str, refresh: partial[None], *_: object) -> None:
    _guarded(plugin.solve, [node], None, None)
    refresh()


# A map: its name and a button that opens the brush.


def paint_new(plug: str) -> None:
    one = _described(plug)
    row = f"sinewPaint_{one.name}"
    cmds.rowLayout(row, numberOfColumns=2, columnWidth2=(LABEL_WIDTH, 80))
    cmds.text(f"{row}Text", label=one.title, annotation=one.doc, align="right")
    cmds.button(f"{row}Button", label="Paint", annotation=f"Paints this map. {one.doc}")
    cmds.setParent(upLevel=True)
    paint_replace(plug)


def paint_replace(plug: str) -> None:
    node, name = _split(plug)
    row = f"sinewPaint_{name}"
    cmds.button(_here(f"{row}|{row}Button"), edit=True, command=partial(_paint, node, name))


def _paint(node: str, name: str, *_: object) -> None:
    _guarded(paint.start, node, name)


# A file: its path and a button that browses.


def file_new(plug: str) -> None:
    one = _described(plug)
    cmds.textFieldButtonGrp(
        f"sinewFile_{one.name}",
        label=one.title,
        annotation=one.doc,
        buttonLabel="Browse...",
        columnWidth=(1, LABEL_WIDTH),
    )
    file_replace(plug)


def file_replace(plug: str) -> None:
    node, name = _split(plug)
    field = _here(f"sinewFile_{name}")
    cmds.textFieldButtonGrp(
        field,
        edit=True,
        text=str(cmds.getAttr(plug) or ""),
        changeCommand=partial(_typed, plug),
        buttonCommand=partial(_browse, plug, field),
    )
    one = _described(plug)
    if one.shown_with:
        # dimControl is for Maya's own controls. The job ends with the field, or where the row shows another node.
        dimmed = partial(_dim_file, field, node, one)
        dimmed()
        cmds.scriptJob(attributeChange=(f"{node}.{one.shown_with}", dimmed), parent=field, replacePrevious=True)


def _dim_file(field: str, node: str, one: Attribute) -> None:
    if cmds.objExists(node):
        cmds.textFieldButtonGrp(field, edit=True, enable=_counts(node, one))


def _typed(plug: str, text: str, *_: object) -> None:
    cmds.setAttr(plug, text, type="string")


def _browse(plug: str, field: str, *_: object) -> None:
    def choose() -> None:
        one = _described(plug)
        path = dialogs.existing_file(one.title, f"{one.title} ({one.files})" if one.files else "")
        _typed(plug, path)
        cmds.textFieldButtonGrp(field, edit=True, text=path)

    _guarded(choose)


# Settings that do not count for the current choice are dimmed.


def dim(plug: str) -> None:
    """Dims or undims each control of a node that is shown with a choice. A change gives the node, a row its plug."""
    node = _split(plug)[0]
    kind = plugin.type_of(node)
    for one in kind.attributes if kind else ():
        if one.shown_with and not one.paintable and not one.is_file:
            cmds.editorTemplate(dimControl=(node, one.name, not _counts(node, one)))


def _counts(node: str, one: Attribute) -> bool:
    """Whether a setting counts for the current choice."""
    return int(cmds.getAttr(f"{node}.{one.shown_with}")) in one.shown_choices
