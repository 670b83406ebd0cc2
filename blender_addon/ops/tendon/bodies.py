"""Makes bodies and joints: from meshes and empties, or from the bones of an armature."""

import math

import bpy
import numpy as np

from ...bridge import arrays, host
from ...bridge.tendon import animation, curves, following, load, motion, places, rig_parts, shapes, show
from ...sinew.document import rod_inertia
from .check import OfRig

from mathutils import Matrix

MODES = [
    ("free", "Free", "Joints, strands and gravity move it"),
    ("led", "Led", "The animation moves it: a bone, a parent or keys"),
    ("held", "Held", "It stays where it is"),
]


class SINEW_OT_tendon_new_rig(bpy.types.Operator):
    """Make an empty tendon rig: a collection for bodies, joints, tendons and muscles, in the scene's unit"""

    bl_idname, bl_label, bl_options = "sinew.tendon_new_rig", "New Rig", {"REGISTER", "UNDO"}

    label: bpy.props.StringProperty(name="Name", description="The rig's name", default="Tendon Rig")

    def execute(self, context):
        rig = load.new_rig(self.label, context.scene)
        make_active(context, rig)
        return {"FINISHED"}


def make_active(context, rig):
    """Makes a rig the one that operators work on."""

    def find(layer):
        if layer.collection == rig:
            return layer
        return next((found for child in layer.children if (found := find(child))), None)

    layer = find(context.view_layer.layer_collection)
    if layer is not None:
        context.view_layer.active_layer_collection = layer
    if context.object is not None and rig_parts.rig_of(context.object) not in (None, rig):
        context.view_layer.objects.active = None


def adopt(rig, part, tag):
    """Makes an object a part of a rig."""
    home = rig_parts.rig_of(part)
    if home not in (None, rig):
        raise ValueError(f"{part.name} belongs to another rig")
    if home is None:
        rig.objects.link(part)
    known = part.sinew_tendon
    known.tag, known.key, known.given, known.name_in_file = tag, -1, "", ""
    known.property_unset("seen_matrix")
    return part


def forget_role(part):
    """Makes a plain object of one that was a part of a rig which it is no longer in, as those are that were appended
    alone."""
    show.unhide(part)
    part.property_unset("sinew_tendon")


def add(rig, name, tag, data=None, matrix=None):
    """A new part."""
    part = bpy.data.objects.new(name, data)
    rig.objects.link(part)
    part.sinew_tendon.tag = tag
    part.rotation_mode = "QUATERNION"
    if data is None:
        load.dress(part, tag, load.EMPTIES * extent(rig))
    if matrix is not None:
        places.set_modelled(part, matrix)
    return part


def extent(rig):
    """The size of a rig as modelled, which sets the display size of empties and the radius of new tendons; 1 where
    nothing has one yet."""
    at = [place for part in rig_parts.parts(rig, "body", "strand") for place in ends(part)]
    return float(np.ptp(at, axis=0).max()) or 1.0 if at else 1.0


def ends(part):
    """The least and the greatest coordinates of a body or tendon. Blender itself knows those of a new object only when
    it is evaluated."""
    if part.type == "CURVE":
        points = np.array(curves.world_points(part)).reshape(-1, 3)
    elif part.type == "MESH":
        part.update_from_editmode()
        points = arrays.moved(arrays.floats(part.data.vertices, "co", 3), np.array(places.modelled(part)))
    else:
        points = np.zeros((0, 3))
    points = points[np.isfinite(points).all(axis=-1)]
    if not len(points):
        points = np.array([places.modelled(part).translation])
    return points.min(axis=0), points.max(axis=0)


def become_body(rig, part, mode):
    """Makes an object a body; a mesh is its shape."""
    if part.type not in ("MESH", "EMPTY"):
        raise ValueError(f"{part.name} is neither a mesh nor an empty")
    if part.library is not None:
        raise ValueError(
            f"{part.name} is linked from another file, and what is changed here is not saved: make it local, or "
            f"override it"
        )
    if rig_parts.role(part) not in ("", "body"):
        raise ValueError(f"{part.name} is a {part.sinew_tendon.tag} of a rig already")
    if part.sinew_tendon.tag != "body":
        forget_role(part)
        places.fold_deltas(part, [path for path, _ in motion.DELTAS] if mode == "led" else ())
    adopt(rig, part, "body")
    if mode == "free" and part.rotation_mode != "QUATERNION" and not part.animation_data:
        part.rotation_mode = "QUATERNION"
    body = part.sinew_tendon.body
    body.mode, body.use_shape = mode, part.type == "MESH"
    part.color = load.COLOURS[mode]


class SINEW_OT_tendon_add_body(OfRig, bpy.types.Operator):
    """Make the selected meshes and empties bodies of the rig; a mesh is the shape that gives the mass"""

    bl_idname, bl_label = "sinew.tendon_add_body", "Add Bodies"

    mode: bpy.props.EnumProperty(name="Mode", description="What moves the bodies", items=MODES)
    density: bpy.props.FloatProperty(name="Density", description="In kg/m^3", default=1000.0, min=0.001)

    def on_rig(self, context, rig):
        chosen = [o for o in context.selected_objects if rig_parts.role(o) in ("", "body")]
        if not chosen:
            raise ValueError("select the meshes or empties to turn into bodies")
        self.each(chosen, lambda part: self.body(rig, part))

    def body(self, rig, part):
        become_body(rig, part, self.mode)
        part.sinew_tendon.body.shape.density = self.density


class SINEW_OT_tendon_add_joint(OfRig, bpy.types.Operator):
    """Add a joint at the 3D cursor that attaches the other selected body to the active body, its parent"""

    bl_idname, bl_label = "sinew.tendon_add_joint", "Add Joint"

    axis: bpy.props.EnumProperty(
        name="Turns About",
        description="The axis of the joint's empty about which it may turn",
        items=[(f"turn_{a}", a.upper(), f"About the joint's {a} axis") for a in "xyz"],
        default="turn_x",
    )

    def on_rig(self, context, rig):
        chosen = [o for o in context.selected_objects if rig_parts.role(o) == "body"]
        parent = context.object if context.object in chosen else None
        others = [o for o in chosen if o != parent]
        if len(others) != 1:
            raise ValueError("select the body that moves, then the body it is attached to")
        at = context.scene.cursor.matrix
        joint(rig, parent, others[0], at, f"{others[0].name} Joint").axis.add().label = self.axis


def joint(rig, parent, child, matrix, name):
    """A joint between two bodies; gives its group."""
    part = add(rig, name, "joint", matrix=matrix)
    group = part.sinew_tendon.joint
    group.parent, group.child = parent, child
    return group


class SINEW_OT_tendon_add_axis(OfRig, bpy.types.Operator):
    """Free another degree of freedom of the active joint"""

    bl_idname, bl_label = "sinew.tendon_add_axis", "Add Motion"

    def on_rig(self, context, rig):
        joint_of(context).axis.add().label = next_axis(joint_of(context))


def joint_of(context):
    """The active joint's group."""
    part = context.object
    if part is None or part.sinew_tendon.tag != "joint":
        raise ValueError("make a joint the active object")
    return part.sinew_tendon.joint


def next_axis(group):
    """The first motion that a joint does not have yet."""
    names = [f"{kind}_{axis}" for kind in ("turn", "move") for axis in "xyz"]
    left = [name for name in names if name not in {axis.label for axis in group.axis}]
    if not left:
        raise ValueError("all six degrees of freedom are listed already")
    return left[0]


class SINEW_OT_tendon_remove_axis(OfRig, bpy.types.Operator):
    """Lock this degree of freedom of the active joint"""

    bl_idname, bl_label = "sinew.tendon_remove_axis", "Remove Motion"

    index: bpy.props.IntProperty(name="Motion", description="The motion's number in the list", min=0)

    def on_rig(self, context, rig):
        if self.index >= len(joint_of(context).axis):
            raise ValueError("there is no such motion")
        joint_of(context).axis.remove(self.index)


class SINEW_OT_tendon_from_armature(OfRig, bpy.types.Operator):
    """Make a body from each selected bone of the active armature (in object mode, from all bones), with joints between
    them"""

    bl_idname, bl_label = "sinew.tendon_from_armature", "Bodies from Armature"

    lead: bpy.props.EnumProperty(
        name="Lead",
        description="Which bones drive their bodies",
        items=[
            ("roots", "Roots Lead", "Bones without a selected parent drive their bodies; tendons move all others"),
            ("armature", "Armature Leads", "The armature's animation moves all bodies; tendons slide along"),
        ],
    )
    density: bpy.props.FloatProperty(name="Density", description="In kg/m^3; 0: as dense as bone", default=0.0, min=0)

    def on_rig(self, context, rig):
        armature = context.object
        if armature is None or armature.type != "ARMATURE":
            raise ValueError("make an armature the active object")
        if armature.mode == "EDIT":
            # New bones have no poses before.
            bpy.ops.object.mode_set(mode="OBJECT")
        selected = context.mode == "POSE" and context.selected_pose_bones
        chosen = list(selected or armature.pose.bones)
        if not chosen:
            raise ValueError(f"{armature.name} has no bones")
        if reason := places.distorted(armature):
            raise ValueError(reason)
        if names := sorted(bones_with_bodies(armature) & {bone.name for bone in chosen}):
            raise ValueError(
                f"{armature.name}: bodies exist for {', '.join(names)}: select other bones in pose mode, or delete "
                f"those bodies"
            )
        posed, made = [bone.name for bone in chosen if is_posed(bone)], {}
        for bone in sorted(chosen, key=lambda b: len(b.parent_recursive)):
            made[bone.name] = self.body(context, rig, armature, bone, made)
        if posed and self.lead == "roots":
            names = posed[0] + (f" and {len(posed) - 1} more" if len(posed) > 1 else "")
            self.report(
                {"WARNING"},
                f"{names} left the pose: tendons move bones from rest. To keep it, undo, and apply it as the rest pose",
            )

    def body(self, context, rig, armature, bone, made):
        """The body of a bone, and the joint to that of its parent."""
        parent = next((made[b.name] for b in bone.parent_recursive if b.name in made), None)
        led = self.lead == "armature" or parent is None
        matrix = Matrix(places.rigid(armature.matrix_world @ bone.bone.matrix_local))
        length = bone.bone.length * np.mean(np.abs(armature.matrix_world.to_scale()))
        metres = animation.metres(context.scene)
        inertia = rod_inertia((0, length, 0), metres, self.density, library=host.library())
        part = add(rig, bone.name, "body", bone_mesh(bone.name, length, rod_radius(inertia) / metres), matrix)
        body = part.sinew_tendon.body
        body.mode = "led" if led else "free"
        part.color = load.COLOURS[body.mode]
        body.use_inertia = True
        body.inertia.mass, body.inertia.moments = inertia["mass"][0], inertia["moments"]
        body.inertia.centre = inertia["centre"]
        if led:
            following.copy_place(part, armature, bone.name)
        else:
            following.copy_place(bone, part, "")
            group = joint(rig, parent, part, matrix, f"{bone.name} Joint")
            limits(group, bone)
        return part


def is_posed(bone):
    """Whether a bone is not where it rests."""
    off = np.abs(np.array(bone.matrix) - np.array(bone.bone.matrix_local))
    return max(off[:3, :3].max(), off[:3, 3].max() / max(bone.length, 1e-9)) > 1e-4


def bones_with_bodies(armature):
    """The names of an armature's bones that lead a body or follow one."""
    followers = (
        bone.name
        for bone in armature.pose.bones
        if any(getattr(c, "target", None) and c.target.sinew_tendon.tag == "body" for c in bone.constraints)
    )
    bodies = (part for part in bpy.data.objects if part.sinew_tendon.tag == "body" and not following.is_deleted(part))
    leading = (c.subtarget for part in bodies for c in part.constraints if getattr(c, "target", None) == armature)
    return {*followers, *leading} - {""}


def rod_radius(inertia):
    """The radius in metres of a rod along y, from its moment about itself."""
    return math.sqrt(2 * inertia["moments"][1] / inertia["mass"][0])


def bone_mesh(name, length, w):
    """A mesh shaped like an octahedral bone, along y."""
    knuckle = 0.1 * length
    ring = [(w, knuckle, w), (-w, knuckle, w), (-w, knuckle, -w), (w, knuckle, -w)]
    points = [(0, 0, 0), *ring, (0, length, 0)]
    sides = [(1, 2), (2, 3), (3, 4), (4, 1)]
    faces = [[0, a, b] for a, b in sides] + [[5, b, a] for a, b in sides]
    return shapes.mesh_from(name, points, faces)


def limits(group, bone):
    """The motions of a joint: those that inverse kinematics may use, with its limits."""
    for axis in "xyz":
        if getattr(bone, f"lock_ik_{axis}"):
            continue
        made = group.axis.add()
        made.label = f"turn_{axis}"
        if getattr(bone, f"use_ik_limit_{axis}"):
            made.may = "limits"
            ends = (getattr(bone, f"ik_{end}_{axis}") for end in ("min", "max"))
            made.may_limits = [math.degrees(end) for end in ends]


CLASSES = (
    SINEW_OT_tendon_new_rig,
    SINEW_OT_tendon_add_body,
    SINEW_OT_tendon_add_joint,
    SINEW_OT_tendon_add_axis,
    SINEW_OT_tendon_remove_axis,
    SINEW_OT_tendon_from_armature,
)
