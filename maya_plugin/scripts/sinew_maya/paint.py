"""Painting the maps of our nodes with Artisan.

Artisan paints what `makePaintable` names, by the type of node and attribute, and keeps that list in the user's
preferences (Autodesk, "Make an attribute paintable"), so that it is removed when the plug-in is unloaded. The maps of
all our nodes are built as Maya's own deformer weights are, a multi of multis whose first index is the geometry, for
which the flag shapeMode is "deformer" (Autodesk, command makePaintable). The other mode, an empty text, is for arrays
whose index is the vertex. No example is known of "deformer" with a node that is no deformer, as the slider is not.
"""

from functools import partial
from typing import Any

from maya import cmds, mel

from sinew_maya import caching, dialogs, plugin, scene
from sinew_maya.problems import Problem, batch

CONTEXT = "artAttrCtx"


#: What this session has registered: only that is removed again.
_registered: list[tuple[str, str]] = []


def register() -> None:
    """Makes the maps of every described node paintable. Artisan is not there without a window."""
    if batch():
        return
    for kind in plugin.types():
        for attribute in kind.maps():
            cmds.makePaintable(
                kind.type_name,
                attribute.name,
                attrType="multiFloat",
                shapeMode="deformer",
                uiName=attribute.title,
            )
            if (kind.type_name, attribute.name) not in _registered:
                _registered.append((kind.type_name, attribute.name))


def unregister() -> None:
    while _registered:
        cmds.makePaintable(*_registered.pop(), remove=True)


def start(node: str, attribute: str) -> None:
    """Opens Artisan's brush on a map of a node, with its mesh selected."""
    kind = plugin.type_of(node)
    if kind is None or attribute not in [one.name for one in kind.maps()]:
        raise Problem(f"{node} has no map {attribute} to paint.")
    if batch():
        raise Problem("Maps are painted in Maya's window: there is none in batch mode.")
    body = scene.body_of(node)
    if body is None:
        raise Problem(f"{node} has no mesh to paint on: connect its output to a mesh first.")
    _without_cached_playback()
    cmds.select(body, replace=True)
    mel.eval("ArtPaintAttrTool")
    # The procedure is defined in this script of Maya, which is sourced when the tool's menu is first shown.
    mel.eval('source "artAttrCreateMenuItems.mel"')
    mel.eval(f'artSetToolAndSelectAttr("{CONTEXT}", "{kind.type_name}.{node}.{attribute}")')


def _without_cached_playback() -> None:
    """Autodesk's manual says of painting muscle weights that with Cached Playback on it "can create unexpected
    behavior", and to turn it off meanwhile (Maya help, "Maya Muscle"). A stroke makes every cached frame invalid, and
    filling them again computes all frames of our nodes after each one."""
    if not caching.is_on():
        return
    dialogs.confirm(
        "Cached Playback Is On",
        "Painting while Cached Playback fills its cache is slow, and Maya's manual advises against it. "
        "Turn it off while you paint? It is turned on again when you choose another tool.",
        "Turn Off and Paint",
    )
    cmds.evaluator(name="cache", enable=False)
    # The job is made when Maya is idle: the change to the brush itself must not count as the end of painting.
    cmds.evalDeferred(_watch_tool, lowestPriority=True)


def _watch_tool() -> None:
    jobs: list[int] = []
    jobs.append(_job(cmds.scriptJob(event=("ToolChanged", partial(_tool_changed, jobs)))))


def _job(made: Any) -> int:
    return int(made)


def _tool_changed(jobs: list[int]) -> None:
    if painting():
        return
    cmds.evaluator(name="cache", enable=True)
    # A job cannot end itself while it runs.
    for job in jobs:
        cmds.evalDeferred(partial(cmds.scriptJob, kill=job, force=True))
    jobs.clear()


def painting() -> bool:
    """Whether the brush for attributes is the current tool."""
    context = cmds.currentCtx()
    return bool(context) and cmds.contextInfo(context, c=True) == "artAttr"


def flood(value: float) -> None:
    """Sets every vertex that can be painted to a value."""
    _brush("absolute", value, 1)


def smooth(times: int = 1) -> None:
    """Smooths the whole map."""
    _brush("smooth", 1.0, times)


def _brush(operation: str, value: float, times: int) -> None:
    """Floods by an operation; the brush is afterwards what it was. Flag clear floods (command artAttrCtx)."""
    if not painting():
        raise Problem("Choose a map to paint first: flood and smooth work on the map under the brush.")
    context = cmds.currentCtx()
    before: Any = [
        cmds.artAttrCtx(context, query=True, selectedattroper=True),
        cmds.artAttrCtx(context, query=True, value=True),
        cmds.artAttrCtx(context, query=True, opacity=True),
    ]
    cmds.artAttrCtx(context, edit=True, selectedattroper=operation, value=value, opacity=1.0)
    try:
        for _ in range(times):
            cmds.artAttrCtx(context, edit=True, clear=True)
    finally:
        cmds.artAttrCtx(context, edit=True, selectedattroper=before[0], value=before[1], opacity=before[2])
