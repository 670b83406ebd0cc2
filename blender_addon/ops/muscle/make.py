"""Makes muscles: the skin they carry, one between two bones, the other side, a human set, copies from another body."""

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty, StringProperty

from ...bridge import host, muscles, properties, runtime, skeleton
from ...bridge.problem import Problem
from ...sinew.muscles import MuscleSet
from ..in_thread import Computation
from ..nodes import added
from ..skin import OnBody
from .target import ChangesMuscles, OnMuscles, armature_of, of_a_human, on_set, rig_of

ACROSS = [
    (
        "bones",
        "Bones",
        "As the bones lie: those of the other side carry the images as those of this side carry the originals",
    ),
    *(
        (axis, axis.upper(), f"The plane across the body's own {axis.upper()} axis through its origin")
        for axis in "xyz"
    ),
]


def add_skin(ob):
    """Adds a muscle skin to a mesh that an armature moves; the Armature modifier stays for frames that are not
    computed."""
    runtime.check_writable(ob)
    if muscles.node_of(ob):
        raise Problem(f'"{ob.name}" has a muscle skin already')
    modifier = next((m for m in ob.modifiers if m.type == "ARMATURE" and m.object), None)
    if modifier is None:
        raise Problem(
            f'no armature moves "{ob.name}": add an Armature modifier first (Object > Parent > Armature Deform)'
        )
    if not ob.data.polygons:
        raise Problem(f'"{ob.name}" has no faces')
    names = {bone.name for bone in modifier.object.data.bones}
    if not names & {group.name for group in ob.vertex_groups}:
        raise Problem(f'"{ob.name}" has no vertex groups named after bones of "{modifier.object.name}": bind it first')
    with added(ob):
        item = properties.new_node(ob, host.kinds()[muscles.KIND])
        settings = properties.settings(item)
        with runtime.busy():
            settings.in_points.choice, settings.out_points.choice = "KEYS" if ob.data.shape_keys else "REST", "SHAPE"
            if modifier.use_deform_preserve_volume:
                settings.param_method = "dual_quaternion"
            world = np.array(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world, np.float64)
            item.own_rest, item.rest_world = True, muscles.own_space(world).ravel().tolist()
        runtime.prepare(ob)
    return item


class SINEW_OT_muscles_skin(OnBody, ChangesMuscles, bpy.types.Operator):
    """Lets muscles carry the skin of the active body together with its bones"""

    bl_idname, bl_label = "sinew.muscles_skin", "Add Muscle Skin"

    def body_in(self, context):
        return context.object

    def change_muscles(self, _context, ob, _item):
        add_skin(ob)
        return f'Muscles can now be added to "{ob.name}"'


def posed_pair(context):
    """The two selected bones of the armature that is posed: the one that was selected first, then the active one."""
    selected, active = context.selected_pose_bones or (), context.active_pose_bone
    if len(selected) != 2 or active not in selected:
        return None
    return next(bone.name for bone in selected if bone != active), active.name


def free_name(known, origin, insertion):
    """A name for a muscle between two bones."""
    name, ends = f"{origin} to {insertion}", ("", *(f" {k}" for k in range(2, len(known) + 3)))
    return next(made for made in (muscles.cut(name, end) for end in ends) if made not in known)


class SINEW_OT_muscle_create(OnMuscles, bpy.types.Operator):
    """Adds a muscle from one bone to another: select them in pose mode, the bone of its insertion last. It is as thick
    as the skin leaves room for"""

    bl_idname, bl_label = "sinew.muscle_create", "Create Muscle"
    label: StringProperty(name="Name", description="What the muscle is called; by default after its bones")
    origin: StringProperty(name="Origin", description="The bone of its origin; by default the one selected first")
    insertion: StringProperty(name="Insertion", description="The bone of its insertion; by default the active one")
    origin_along: FloatProperty(
        name="Origin Along",
        description="Where it begins on its bone: 0 is the bone's head, 1 its tail",
        default=0.1,
        soft_min=0,
        soft_max=1,
    )
    insertion_along: FloatProperty(
        name="Insertion Along",
        description="Where it ends on its bone: 0 is the bone's head, 1 its tail",
        default=0.2,
        soft_min=0,
        soft_max=1,
    )
    offset: FloatVectorProperty(
        name="Offset",
        description="Offset of both ends from the bones, in the body's axes, for example towards the front",
        size=3,
        subtype="TRANSLATION",
        unit="LENGTH",
    )
    size: FloatProperty(
        name="Size",
        description="Its largest radius; with zero it is fitted to the skin",
        min=0,
        soft_max=0.2,
        default=0,
        unit="LENGTH",
    )

    def change_muscles(self, context, ob, item):
        muscles.check_name(self.label)
        bones = (self.origin, self.insertion)
        if not all(bones):
            bones = posed_pair(context)
            if bones is None:
                raise Problem("select two bones in pose mode, or give the bones of origin and insertion")
            self.origin, self.insertion = bones
        name, size = self.label or free_name(muscles.names_of(item), *bones), self.size
        here = muscles.here_of(ob, item, context)
        ends = [self.place(here, *end) for end in zip(bones, (self.origin_along, self.insertion_along))]
        rig = muscles.rig_of(here)

        def add(found):
            found.add(rig, name, bones, ends, size)
            return found.text()

        made = on_set(item, add)
        yield made
        muscles.store(ob, item, made.result())
        ob.sinew_muscles.active = len(ob.sinew_muscles.names) - 1
        return f'"{name}" from {bones[0]} to {bones[1]}'

    def place(self, here, name, along):
        """A place on a bone at rest, moved by the offset; None if there is no such bone, which the library reports."""
        armature = skeleton.armature_of(here, here.settings.in_rest_joints)
        bone = armature.data.bones.get(name)
        if bone is None:
            return None
        matrix = here.at_rest(armature) @ np.array(bone.matrix_local)
        return (matrix @ (0, along * bone.length, 0, 1))[:3] + self.offset


class SINEW_OT_muscle_remove(OnMuscles, bpy.types.Operator):
    """Takes the chosen muscle out of the set"""

    bl_idname, bl_label = "sinew.muscle_remove", "Remove Muscle"

    def change_muscles(self, _context, ob, item):
        name = muscles.chosen_name(ob)
        if not name:
            raise Problem(f'"{ob.name}" has no muscle to remove')
        with muscles.set_of(item) as found:
            found.remove(name)
            muscles.store(ob, item, found.text())
        return f'"{name}" was removed'


class SINEW_OT_muscles_mirror(OnMuscles, bpy.types.Operator):
    """Adds the muscles of the other side: left and right are recognised by name, such as arm.L, LeftArm and
    right_arm"""

    bl_idname, bl_label = "sinew.muscles_mirror", "Mirror Muscles"
    across: EnumProperty(name="Across", description="Where the other side is", items=ACROSS)

    def change_muscles(self, context, ob, item):
        with muscles.set_of(item) as found:
            if self.across == "bones":
                added = found.mirror_on(rig_of(ob, item, context))
            else:
                added = found.mirror("xyz".index(self.across))
            if not added:
                raise Problem(
                    "nothing was added: no name is marked as left or right, or each already has its counterpart"
                )
            self._warnings = found.warnings
            muscles.store(ob, item, found.text())
        return f"{added} muscles, pads and bones were added"


class SINEW_OT_muscles_human(OnMuscles, bpy.types.Operator):
    """Gives the body the muscles of a human, fitted to its bones and its skin, in place of those that it has. Which
    bone is which is found by where they are, with their names as hints"""

    bl_idname, bl_label = "sinew.muscles_human", "Load the Human's Muscles"

    def change_muscles(self, context, ob, item):
        library, rig = host.library(), rig_of(ob, item, context)

        def fit(on_progress):
            with MuscleSet.fit(rig, on_progress=on_progress, library=library) as made:
                return made.report(), made.text()

        fitting = Computation(fit)
        yield fitting
        with of_a_human(f'the bones of "{armature_of(ob, item).name}" are not those'):
            report, text = fitting.result()
        muscles.store(ob, item, text)
        self._warnings = report["warnings"]
        return f"{len(report['muscles'])} muscles, {len(report['pads'])} pads and {len(report['bones'])} bones"


def sources(_self, context):
    """The other bodies with muscles."""
    body = context.object
    found = [(ob.name, ob.name, "") for ob in runtime.users(context.scene) if ob != body and muscles.node_of(ob)]
    # Blender keeps no reference to the texts.
    sources.kept = found
    return found


class SINEW_OT_muscles_copy(ChangesMuscles, bpy.types.Operator):
    """Gives the active body the muscles of another one, at its own proportions: on bones of the same names, or on those
    that do the same"""

    bl_idname, bl_label = "sinew.muscles_copy", "Copy Muscles from"
    source: EnumProperty(name="Body", description="Whose muscles are copied", items=sources)

    @classmethod
    def poll(cls, context):
        if context.object is None or context.object.type != "MESH":
            cls.poll_message_set("Select the body that gets the muscles, a mesh")
            return False
        if not sources(None, context):
            cls.poll_message_set("No other body has muscles")
            return False
        return True

    def body_in(self, context):
        return context.object

    def change_muscles(self, context, ob, item):
        source = context.scene.objects[self.source]
        given = muscles.node_of(source)
        item = item or add_skin(ob)
        rigs = rig_of(source, given, context), rig_of(ob, item, context)

        def copy(found):
            found.copy(*rigs)
            return found.report(), found.text()

        copying = on_set(given, copy)
        yield copying
        report, text = copying.result()
        muscles.store(ob, item, text)
        with runtime.busy():
            same_params(properties.settings(given), properties.settings(item))
        self._warnings = report["warnings"]
        return f'{len(report["muscles"])} muscles of "{source.name}"'


def same_params(source, target):
    """Gives a node the parameters of another one, but for its set and the names of its joints."""
    for param in host.kinds()[muscles.KIND].params:
        if param.kind != "text" and not properties.is_hosts(param):
            setattr(target, f"param_{param.id}", getattr(source, f"param_{param.id}"))


CLASSES = (
    SINEW_OT_muscles_skin,
    SINEW_OT_muscle_create,
    SINEW_OT_muscle_remove,
    SINEW_OT_muscles_mirror,
    SINEW_OT_muscles_human,
    SINEW_OT_muscles_copy,
)
