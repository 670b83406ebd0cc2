"""Attribute-editor templates, made from the plug-in's description.

Maya finds the template of a node by the name of a MEL procedure, AE<type>Template, so one is defined for each described
type. It is made of `editorTemplate` only, whose flag label must come first and whose dimControl works on controls that
exist (Autodesk, command editorTemplate); rows that Maya has no control for call rows.py.
"""

from collections.abc import Iterable, Iterator

from maya import mel

from sinew_maya import plugin
from sinew_maya.description import Attribute, NodeType
from sinew_maya.problems import batch

OWN_GROUP = "Settings"
#: What the plug-in adds to each node of its own: shown in the status line, or set by connections.
STATUS, MISSING = "status", "missing_frames"
FRAMES = (
    ("start_time", "Start Time", "The frame at which the motion begins; earlier ones show the body at rest."),
    ("frame_memory", "Frame Memory (MB)", "What computed frames may take before older ones are dropped."),
)
HIDDEN = ("current_time", "in_mesh", "out_mesh", "painted_maps", "kept_frames")
#: How attributes are held that have a control; others come from connections.
SHOWN = ("switch", "whole", "number", "choice", "text", "each")


def install() -> None:
    """Defines the procedures of all described types. There is no attribute editor in batch mode."""
    if batch():
        return
    mel.eval(ROWS)
    for kind in plugin.types():
        mel.eval(template(kind))


def quoted(text: str) -> str:
    """A text as MEL has it, in one line."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\t", " ").replace("\r", "")
    return f'"{plain}"'


def template(kind: NodeType) -> str:
    """The procedure of a type."""
    lines = [f"global proc AE{kind.type_name}Template(string $node) {{", "editorTemplate -beginScrollLayout;"]
    lines.append(_row("Status", STATUS, MISSING))
    for title, attributes in groups(kind).items():
        lines += _frame(kind, title, attributes)
    lines += ['editorTemplate -beginLayout "Frames" -collapse 1;']
    lines += [_plain(*one) for one in FRAMES]
    lines += ["editorTemplate -endLayout;"]
    if kind.shape == "deformer":
        lines.append('editorTemplate -addControl "envelope";')
    lines += [f"editorTemplate -suppress {quoted(name)};" for name in [*HIDDEN, *_connected(kind)]]
    controllers = sorted({one.shown_with for one in kind.attributes if one.shown_with})
    if controllers:
        # Last, when all controls are there: which of them are dimmed at first.
        lines.append(_row("Dim", controllers[0]))
    lines += [
        "AEdependNodeTemplate $node;",
        "editorTemplate -addExtraControls;",
        "editorTemplate -endScrollLayout;",
        "}",
    ]
    return "\n".join(lines)


def groups(kind: NodeType) -> dict[str, list[Attribute]]:
    """The attributes with a control by the title of their frame, both in the description's order."""
    found: dict[str, list[Attribute]] = {}
    for one in kind.attributes:
        if one.of != "output" and (one.holds in SHOWN or one.paintable):
            found.setdefault(one.group or OWN_GROUP, []).append(one)
    return found


def _connected(kind: NodeType) -> list[str]:
    shown = [one.name for each in groups(kind).values() for one in each]
    return [one.name for one in kind.attributes if one.name not in shown]


def _frame(kind: NodeType, title: str, attributes: Iterable[Attribute]) -> Iterator[str]:
    """A frame, with a collapsed one inside for experts. A frame that has only those is collapsed itself."""
    plain = [one for one in attributes if not one.advanced]
    expert = [one for one in attributes if one.advanced]
    yield f"editorTemplate -beginLayout {quoted(title)} -collapse {int(not plain)};"
    for one in plain:
        yield _control(kind, one)
    if plain and expert:
        yield f"editorTemplate -beginLayout {quoted(f'{title}: Expert')} -collapse 1;"
    for one in expert:
        yield _control(kind, one)
    if plain and expert:
        yield "editorTemplate -endLayout;"
    yield "editorTemplate -endLayout;"


def _control(kind: NodeType, one: Attribute) -> str:
    if one.paintable:
        return _row("Paint", one.name)
    if one.is_file:
        return _row("File", one.name)
    changes = any(other.shown_with == one.name for other in kind.attributes)
    return _plain(one.name, f"{one.title} ({one.unit})" if one.unit else one.title, one.doc, changes)


def _plain(name: str, label: str, doc: str, changes_others: bool = False) -> str:
    changed = f" {quoted('sinewDimReplace')}" if changes_others else ""
    return f"editorTemplate -label {quoted(label)} -annotation {quoted(doc)} -addControl {quoted(name)}{changed};"


def _row(name: str, *attributes: str) -> str:
    named = " ".join(quoted(one) for one in attributes)
    return f"editorTemplate -callCustom {quoted(f'sinew{name}New')} {quoted(f'sinew{name}Replace')} {named};"


def _procedure(name: str, function: str, arguments: tuple[str, ...]) -> str:
    """A MEL procedure that calls a function of rows.py. Its arguments are names of plugs, which have no quotes."""
    declared = ", ".join(f"string ${one}" for one in arguments)
    passed = " + \"', '\" + ".join(f"${one}" for one in arguments)
    called = f'"import sinew_maya.rows; sinew_maya.rows.{function}(\'" + {passed} + "\')"'
    return f"global proc {name}({declared}) {{ python({called}); }}"


#: Custom rows get the full names of their attributes; the procedure of a change gets the node's name.
ROWS = "\n".join(
    [
        _procedure("sinewStatusNew", "status_new", ("status", "missing")),
        _procedure("sinewStatusReplace", "status_replace", ("status", "missing")),
        _procedure("sinewPaintNew", "paint_new", ("plug",)),
        _procedure("sinewPaintReplace", "paint_replace", ("plug",)),
        _procedure("sinewFileNew", "file_new", ("plug",)),
        _procedure("sinewFileReplace", "file_replace", ("plug",)),
        _procedure("sinewDimNew", "dim", ("plug",)),
        _procedure("sinewDimReplace", "dim", ("plug",)),
    ]
)
