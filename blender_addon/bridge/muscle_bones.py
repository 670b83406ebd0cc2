"""Muscles follow their bones when someone renames these, as vertex groups do. The names are kept with the node in the
file, so that an undo, another scene or another file does not lose track of them."""

import bpy
from bpy.app.handlers import persistent

from ..core import muscle_bones
from ..sinew.document import Document
from ..sinew.loader import Error
from . import host, listeners, muscles, properties, runtime, skeleton
from .problem import Problem


def note_of(armature):
    """The bones of an armature as they are now."""
    bones = armature.data.bones
    numbers = {bone.name: k for k, bone in enumerate(bones)}
    found = [(bone.name, numbers[bone.parent.name] if bone.parent else -1, bone.head_local) for bone in bones]
    return muscle_bones.noted(armature.name, found)


def with_bones(text, names):
    """The XML of a set in which bones have new names; everything else keeps its bytes."""
    with Document.parse(text, library=host.library()) as document:
        for element in document.read().walk():
            for attribute in muscle_bones.JOINTS:
                name = element.get(attribute)
                if name in names:
                    element.set(attribute, names[name])
        return document.text()


def follow(ob, item, edited):
    """Gives the set of a node the names that its bones have now; whether any had changed. `edited`: whether armatures
    were."""
    settings = properties.settings(item)
    armature = skeleton.chosen_armature(ob, settings.in_rest_joints)
    if (
        armature is None
        or settings.in_rest_joints.choice != "BONES"
        or not edited
        and muscle_bones.is_of(item.bones, armature.name)
    ):
        return False
    try:
        runtime.check_own(ob)
        muscles.check_kept(ob, item)
        before, now = item.bones, note_of(armature)
        names = muscle_bones.renamed(before, now) if before and before != now else {}
        text = muscles.text_of(settings) if names else ""
        made = with_bones(text, names) if text else ""
    except (Problem, Error):
        # Nothing can be written here, or the set cannot be read, which is reported when the frame is shown.
        return False
    if before == now:
        return False
    with runtime.busy():
        item.bones = now
        if made != text:
            settings.param_muscles = made
    return made != text


def follow_all(scene, edited=True):
    for ob in runtime.users(scene):
        if any([follow(ob, item, edited) for item in ob.sinew.nodes if item.kind == muscles.KIND]):
            ob.update_tag()


@persistent
def scene_edited(scene, depsgraph):
    if not runtime.is_busy():
        follow_all(scene, any(isinstance(update.id, bpy.types.Armature) for update in depsgraph.updates))


@persistent
def undone_or_loaded(*_):
    for scene in bpy.data.scenes:
        follow_all(scene)


HANDLERS = (
    ("depsgraph_update_post", scene_edited),
    ("undo_post", undone_or_loaded),
    ("redo_post", undone_or_loaded),
    ("load_post", undone_or_loaded),
)


def register():
    # Ahead of those that show frames.
    listeners.add(HANDLERS, first=True)


def unregister():
    listeners.remove(HANDLERS)
