"""What the entries of the menu do. Each can also be called from a script: what a user would be asked for are arguments.

import sinew_maya
sinew_maya.run("bake", file="/shots/a010/neck.abc", first=1001, last=1100)
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from maya import cmds

from sinew_maya import caching, dialogs, paint, plugin, scene
from sinew_maya.problems import Problem, inform

SLIDER = "sinewSkinSlider"


@contextmanager
def one_undo(title: str) -> Iterator[None]:
    """All that is done within is undone at once. A chunk that stayed open would swallow all later edits (Maya's manual
    of undoInfo warns of it), so it is closed whatever happens."""
    cmds.undoInfo(openChunk=True, chunkName=title)
    try:
        yield
    finally:
        cmds.undoInfo(closeChunk=True)


def add_sliding_skin() -> list[str]:
    """One node for each selected mesh that has none yet; the last ones are selected."""
    if all(one.type_name != SLIDER for one in plugin.types()):
        raise Problem("This build of the plug-in has no sliding skin: install the scripts and the plug-in together.")
    made: list[str] = []
    for mesh in scene.meshes():
        if scene.shape(mesh) is None:
            raise Problem(f"{mesh} has no visible mesh: show it, or select another.")
        if scene.skin_cluster(mesh) is None:
            cmds.warning(
                f"{mesh} has no skinCluster: its skin slides by how its vertices move.",
                noContext=True,
            )
        made += plugin.create(mesh, SLIDER)
    cmds.select(*made, replace=True)
    return made


def paint_map(node: str = "", attribute: str = "") -> None:
    """Opens the brush; asks which map."""
    node, attribute = _map(node, attribute, "Paint Map")
    paint.start(node, attribute)


def mirror_map(node: str = "", attribute: str = "") -> int:
    node, attribute = _map(node, attribute, "Mirror Map")
    return plugin.mirror_map(node, attribute)


def _map(node: str, attribute: str, title: str) -> tuple[str, str]:
    """The map that is named, or one of those of the selection."""
    if node and attribute:
        return node, attribute
    choices: list[tuple[str, str]] = []
    for one in [node] if node else scene.nodes():
        kind = plugin.type_of(one)
        choices += [(f"{one}.{each.name}", f"{each.title}  ({one})") for each in kind.maps()] if kind else []
    if not choices:
        raise Problem(scene.PAINTABLE.otherwise)
    found, _, name = dialogs.one_of(title, choices).partition(".")
    return found, name


def copy_to_character() -> list[str]:
    """The nodes of the mesh that was selected first are copied to all others."""
    source, *targets = scene.meshes()
    under = scene.shape(source)
    history = cmds.listHistory(under, pruneDagObjects=True) if under else []
    ours = [name for name in history if plugin.type_of(name)] if isinstance(history, list) else []
    if not ours:
        raise Problem(
            f"{source}, which was selected first, has no node of Sinew: select the character to copy from first."
        )
    return [made for target in targets for node in ours for made in plugin.copy(node, target)]


def remove_from_body(nodes: list[str] | None = None) -> list[str]:
    """The bodies are then as they were before; without nodes, those of the selection are removed."""
    bodies = [name for name in nodes or scene.nodes() if _has_body(name)]
    if not bodies:
        raise Problem("What is selected has no body: delete it by Maya's own command.")
    return plugin.remove(bodies)


def _has_body(node: str) -> bool:
    kind = plugin.type_of(node)
    return kind is not None and kind.shape != "values"


def solve(first: float | None = None, last: float | None = None) -> int:
    """Computes the frames that are missing. Without a range: all up to the end of the time slider."""
    computed = plugin.solve(scene.nodes(), *_frames(first, last))
    if advice := caching.advice():
        inform(advice)
    return computed


def bake(file: str = "", first: float | None = None, last: float | None = None) -> list[str]:
    file = file or dialogs.new_file("Bake to Alembic", "Alembic (*.abc)")
    return plugin.bake(scene.nodes(), file, *_frames(first, last))


def bake_keys(first: float | None = None, last: float | None = None, most: int | None = None) -> list[str]:
    """Keys on the UVs in the place of nodes that slide them."""
    sliding = [node for node in scene.nodes() if cmds.nodeType(node) == SLIDER]
    if not sliding:
        raise Problem("Select a mesh with sliding skin: the points of others are baked to Alembic.")
    return plugin.bake_keys(sliding, *_frames(first, last), most)


def switch(to: str | None = None) -> str:
    """The body shows its node again, or what stands for it."""
    shown = plugin.switch((scene.meshes() or scene.nodes())[0], to)
    inform(f"Shown now: {shown}")
    return shown


def export_job(folder: str = "", node: str = "", first: float | None = None, last: float | None = None) -> str:
    """A job is that of one node: asks which, if there are several."""
    node = node or dialogs.one_of("Export the Job of", [(one, one) for one in scene.nodes()])
    folder = folder or dialogs.folder("Export a Job for the Farm")
    made = plugin.export_job(node, folder, *_frames(first, last))
    inform(f"On the farm: sinew run {made}")
    return made


#: Where results can go, with what a user chooses by.
PLACES = (("beside", "Beside the body, to compare"), ("onto", "Onto the body, in the place of its node"))


def import_results(folder: str = "", place: str = "") -> list[str]:
    folder = folder or dialogs.folder("Import a Job's Results")
    target = (scene.meshes() or scene.nodes())[0]
    place = place or dialogs.one_of("Import a Job's Results", PLACES)
    return plugin.import_results(target, folder, place == "onto")


def show_output(node: str = "", output: str = "") -> list[str]:
    """A view of an output in Maya's viewport: asks of which node, and which."""
    node = node or dialogs.one_of("Show a Result of", [(one, one) for one in scene.nodes()])
    if not output:
        kind = plugin.type_of(node)
        found = [kind.find(name) if kind else None for name in plugin.can_show(node)]
        choices = [(one.name, one.title) for one in found if one]
        if not choices:
            raise Problem(f"{node} has nothing that can be shown in the view.")
        output = dialogs.one_of("Show", choices)
    return plugin.show(node, output)


def check() -> list[dict[str, Any]]:
    """Says what is wrong with the selected nodes, or with all if none is selected, and selects where it is."""
    nodes = scene.nodes() or scene.all_nodes()
    if not nodes:
        raise Problem("There is no node of Sinew in this scene.")
    faults = plugin.check(nodes)
    if not faults:
        inform("Sinew found nothing wrong.")
    return faults


def _frames(first: float | None, last: float | None) -> tuple[float | None, float | None]:
    """Frames that are not given are left to the plug-in: it begins where the motion of a node begins, which may be
    before the time slider does."""
    if first is not None and last is not None and first > last:
        raise Problem(f"The first frame, {first:g}, is after the last, {last:g}: swap them.")
    return first, last
