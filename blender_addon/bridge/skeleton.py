"""Bones as joints: where they are, at rest and in a frame, and how they carry the vertices of a body."""

import itertools

import numpy as np

from ..core import timeline
from ..sinew.muscles import joined
from . import bone_shapes, capture, properties
from .arrays import mesh_of, weights_by_vertex
from .problem import Problem


def chosen_armature(ob, bound=None):
    """The armature that a binding names, or that of the object's first Armature modifier; None without one."""
    found = (bound and bound.object) or next(
        (m.object for m in ob.modifiers if m.type == "ARMATURE" and m.object), None
    )
    return found if found is not None and found.type == "ARMATURE" else None


def armature_of(here, bound):
    found = chosen_armature(here.ob, bound)
    if found is None:
        raise Problem(f'choose the armature that moves "{here.ob.name}"')
    return found


def bones(here, bound, port):
    """The bones in their rest position: one matrix each."""
    ob = armature_of(here, bound)
    world = here.space(ob, port)
    return np.array([(world @ np.array(bone.matrix_local)).ravel() for bone in ob.data.bones])


def pose(here, bound):
    ob = armature_of(here, bound)
    if ob.data.is_editmode:
        raise Problem(f'"{ob.name}" is in edit mode, in which bones have no pose: leave it')
    world, posed = here.world(ob), ob.evaluated_get(here.depsgraph).pose.bones
    return np.array([(world @ np.array(posed[bone.name].matrix)).ravel() for bone in ob.data.bones])


def bones_read(ob, kind, settings):
    """What a node has read of armatures at rest: a hash for each, by their identity."""
    choices = [(port, properties.source(settings, port)) for port in kind.inputs]
    found = [
        chosen_armature(ob, getattr(settings, f"in_{port.id}"))
        for port, chosen in choices
        if chosen in ("BONES", "WEIGHTS")
    ]
    return {armature.data.session_uid: rest_mark(armature.data) for armature in found if armature is not None}


def rest_mark(armature):
    places = itertools.chain.from_iterable
    return timeline.mark(
        *((bone.name, bone.use_deform, bone.bbone_segments, *places(bone.matrix_local)) for bone in armature.bones)
    )


def with_itself(here, matrices, world):
    return (
        np.concatenate([matrices.reshape(-1, 16), world.reshape(1, 16)])
        if bone_shapes.reads_bones(here.kind, here.settings)
        else matrices
    )


def joints(here, bound, port):
    """The joints at rest: the bones, and the object if it is one."""
    return with_itself(here, bones(here, bound, port), here.space(here.ob, port))


def posed_joints(here, bound):
    """The same in the frame."""
    return with_itself(here, pose(here, bound), here.world(here.ob))


def joint_names(here):
    """The names of the bones that feed the joints of a node, and that of the object; empty if no armature does."""
    for port in here.kind.inputs:
        if properties.source(here.settings, port) in ("BONES", "POSE"):
            bound = getattr(here.settings, f"in_{port.id}")
            names = [bone.name for bone in armature_of(here, bound).data.bones]
            return joined(
                names + [name_besides(names, here.ob.name)]
                if bone_shapes.reads_bones(here.kind, here.settings)
                else names
            )
    return ""


def name_besides(names, wanted):
    """A name that none of the others is."""
    while wanted in names:
        wanted += "_"
    return wanted


def weights_of_bones(here, armature):
    """The joints that have vertex groups, and the weights in these: a row for each vertex, a column for each joint. The
    last one is the object itself."""
    bones, groups = armature.data.bones, here.ob.vertex_groups
    there = [joint for joint, bone in enumerate(bones) if bone.use_deform and bone.name in groups]
    found = weights_by_vertex(mesh_of(here.ob), [groups[bones[joint].name].index for joint in there])
    sums, part = found.sum(axis=1), deformed_part(here, armature)
    idle = np.flatnonzero(sums == 0)
    if len(idle):
        here.remarks.append(
            f"vertices without weights of bones move with the object alone: {len(idle)}, the first is vertex {idle[0]}"
        )
    passed = ", ".join(f'"{m.name}"' for m in in_front(here.ob, armature))
    if passed:
        here.remarks.append(
            f"modifiers in front of the Armature modifier have no effect: {passed}; apply them, or move them behind it"
        )
    bendy = ", ".join(f'"{bones[joint].name}"' for joint in there if bones[joint].bbone_segments > 1)
    if bendy:
        here.remarks.append(f"bendy bones carry the body as straight ones: {bendy}")
    own = np.where(sums > 0, 1 - part, 1).astype(np.float32)
    partly = np.flatnonzero((part < 1) & (sums > 0))
    found[partly] *= (part[partly] / sums[partly])[:, None]
    return [*there, len(bones)], np.column_stack([found, own])


def modifier_of(ob, armature):
    """The place of an armature's modifier in the stack of an object; None without one."""
    return next((k for k, m in enumerate(ob.modifiers) if m.type == "ARMATURE" and m.object == armature), None)


def acts(ob):
    """Whether shape keys move a body before its bones do."""
    return ob.data.shape_keys is not None and chosen_armature(ob) is not None


def in_front(ob, armature):
    """The modifiers in front of an armature's that move or change the vertices."""
    acting = capture.DEFORMS | capture.CHANGES_VERTICES
    return [
        m
        for m in ob.modifiers[: modifier_of(ob, armature) or 0]
        if m.type in acting and m.show_viewport and not capture.is_ours(m)
    ]


def deformed_part(here, armature):
    """How much of the bones' motion the Armature modifier gives each vertex, by its vertex group."""
    place = modifier_of(here.ob, armature)
    modifier = here.ob.modifiers[place] if place is not None else None
    group = here.ob.vertex_groups.get(modifier.vertex_group) if modifier is not None else None
    if group is None:
        return np.ones(len(here.ob.data.vertices), np.float32)
    found = weights_by_vertex(mesh_of(here.ob), [group.index])[:, 0]
    return 1 - found if modifier.invert_vertex_group else found


def packed(port, there, found):
    """The nonzero weights by vertex, as the port asks: how many each vertex has, their columns, or their values."""
    vertices, columns = np.nonzero(found)
    if not port.counted_by:
        return np.bincount(vertices, minlength=len(found)).astype(np.uint32).reshape(-1, 1)
    if port.index_of:
        return np.array(there, np.uint32)[columns].reshape(-1, 1)
    return found[vertices, columns].reshape(-1, 1)


def bone_weights(here, bound, port):
    """The influences of the bones on each vertex: their counts, their joints, or their weights, as the port says."""
    return packed(port, *here.once(weights_of_bones, armature_of(here, bound)))
