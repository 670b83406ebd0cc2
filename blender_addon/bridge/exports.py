"""Lets exporters and motion blur see what the add-on moves: of what Blender does not take for animated, Alembic and USD
files get a single sample.

Blender takes for animated what has keys, drivers or constraints, and meshes that have modifiers, whether these do
anything or not; USD, armatures that have animation data, if only empty; motion blur, meshes that have modifiers which
move points. Delta transforms, constraints of bones and points set in every frame are none of these, and nothing is
called when an export begins. What is called is the change of frames: exporters, as renders, evaluate the scene in a
graph of their own."""

import threading

import bpy

from . import capture

# What marks are called: of tendon rigs, and of what outputs of nodes write to.
NAME, OUTPUT = "Sinew Simulated", "Sinew Output"


def may_change_data(scene):
    """Whether data may be changed beside what windows draw: in Blender's main thread; in that of a render if the
    interface is locked; in that of an export, where Blender locks it."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main or scene.render.use_lock_interface or not bpy.app.is_job_running("RENDER")


def fetches(scene, depsgraph):
    """Whether an exporter or a render evaluates a frame, for which no user can press Catch Up."""
    return all(depsgraph != layer.depsgraph for layer in scene.view_layers) and may_change_data(scene)


def mark_places(parts, moved):
    """Marks those of some objects that a simulation moves, and not the others."""
    for part in parts:
        if part in moved:
            mark_place(part)
        else:
            unmark(part)


def mark_armatures(armatures, moved):
    """Gives the armatures whose bones follow simulated bodies animation data, and takes it from the others if it is
    still empty."""
    for armature in armatures:
        data = armature.animation_data
        if armature in moved and data is None:
            armature.animation_data_create()
            armature[NAME] = True
        elif armature not in moved and NAME in armature:
            del armature[NAME]
            if data is not None and not (data.action or data.drivers or data.nla_tracks):
                armature.animation_data_clear()


def mark_points(part, name=NAME):
    """Gives a mesh or curve whose points are written in every frame a modifier that does nothing: it smooths points no
    times."""
    if name not in part.modifiers:
        mark = part.modifiers.new(name, "SMOOTH")
        mark.iterations, mark.show_viewport = 0, False


def mark_hair(part, name):
    """The same for hair curves, which take no other modifiers than Geometry Nodes."""
    if name not in part.modifiers:
        mark = part.modifiers.new(name, "NODES")
        mark.node_group = capture.geometry_nodes(name, lambda nodes, links, start, end: links.new(start, end))
        mark.show_viewport = False


def mark_place(part, name=NAME):
    """Gives an object that is moved in every frame a constraint that does nothing."""
    if name not in part.constraints:
        mark = part.constraints.new("LIMIT_LOCATION")
        mark.name, mark.mute = name, True


def unmark(part, name=NAME):
    """Takes those away."""
    for kept in (part.constraints, part.modifiers):
        if name in kept:
            kept.remove(kept[name])


# What objects get that nodes write to, by the choice of the output.
MARKS = {"POINTS": mark_points, "CURVES": mark_points, "HAIR": mark_hair, "OBJECTS": mark_place}


def mark_targets(targets, no_others):
    """Marks what outputs write to, [(choice, object)]; `no_others`: and nothing else."""
    written = {part for _, part in targets}
    for part in bpy.data.objects if no_others else ():
        if part.library is None and part not in written:
            unmark(part, OUTPUT)
    for choice, part in targets:
        if part.library is None:
            MARKS[choice](part, OUTPUT)
