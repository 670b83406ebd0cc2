"""From a scene to objects in a collection of their own: the rig."""

import pathlib

import bpy
import numpy as np

from ...core import single, strand_obj
from ...core.scene_error import SceneError
from ...sinew import UP_Z
from ...sinew.document import Document
from ...sinew.loader import Error
from .. import host
from . import animation, armatures, collapsed, curves, fields, kinds, motion, places, rig_parts, shapes, ties

from mathutils import Matrix, Vector

# How large empties are drawn, as a part of the whole rig.
EMPTIES = 0.04
COLOURS = {"led": (0.55, 0.6, 0.68, 1), "held": (0.45, 0.45, 0.47, 1), "free": (0.85, 0.82, 0.72, 1)}


def load_file(path, scene, name=None):
    """The rig in a file, with the meshes that it names, linked to a scene of Blender; nothing is made where it cannot
    be read."""
    if host.library() is None:
        raise ValueError(host.problem())
    path = pathlib.Path(path)
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text: open it in a text editor and save it as UTF-8") from error
    try:
        loaded = Document.load(path, library=host.library())
    except Error as error:
        said = str(error).removeprefix(f"{path}:").removeprefix(f"{error.line}:").strip()
        raise SceneError(f"line {error.line}: {said}" if error.line else said) from error
    with loaded as document:
        document.set_space(animation.metres(scene), UP_Z)
        check_readable(document)
        root = document.read()
        files, rest = files_of(root, path.parent), joints_of(document, root)
        reader = Reader(name or path.stem, document, document.read() if rest else root, files, rest, scene)
        try:
            reader.all()
        except Exception:
            delete(reader.rig)
            raise
        return reader.rig


def files_of(root, folder):
    """The files beside a scene, {name: bytes}."""
    shapes_of = [shape for body in root.elements("body") for shape in body.elements("shape")]
    files = {}
    for element in root.elements("armature") + shapes_of:
        name, kind = element.get("file", ""), "mesh" if element.tag == "shape" else "animation"
        try:
            files[name] = (folder / name).read_bytes()
        except OSError as error:
            raise SceneError(f"the {kind} {name} cannot be read: {error.strerror}", element) from error
    return files


def joints_of(document, root):
    """Where the joints of its animations are at rest; the document then knows them."""
    armatures_of = root.elements("armature")
    try:
        return document.joints() if armatures_of else {}
    except Error as error:
        raise SceneError(*armatures.blamed(error, armatures_of)) from error


def check_readable(document):
    """Refuses values that do not parse, and names that are missing, taken or refer to nothing."""
    kind = document.describe(document.root)["element"]
    if kind != "strand_scene":
        raise SceneError(f"a strand_scene is expected, this is {kind}")
    for fault in document.faults():
        if fault.weight == "unreadable":
            raise SceneError(fault.message, document.read(fault.element))


def new_rig(name, scene):
    """A collection that is an empty rig in the scene's unit."""
    rig = bpy.data.collections.new(name)
    rig.sinew_tendons.is_rig = True
    with Document.new("strand_scene", animation.metres(scene), UP_Z, library=host.library()) as document:
        rig.sinew_tendons.document = document.text()
    scene.collection.children.link(rig)
    return rig


def delete(rig):
    """Removes a rig with all its objects, and what lets bones follow them."""
    rig_parts.leave_bones(rig, rig_parts.moved_bones(rig))
    for part in list(rig.all_objects):
        bpy.data.objects.remove(part)
    bpy.data.collections.remove(rig)


class Reader:
    """Makes the objects of a scene."""

    def __init__(self, name, document, root, files, rest, scene):
        self.scene, self.files, self.rest, self.host = root, files, rest, scene
        self.keys = {e.id: k for k, e in enumerate(self.scene.walk())}
        self.rig = bpy.data.collections.new(name)
        self.rig.sinew_tendons.is_rig = True
        self.rig.sinew_tendons.document = document.text()
        armatures.keep(self.rig, {e.get("file"): files[e.get("file")] for e in self.scene.elements("armature")}, rest)
        scene.collection.children.link(self.rig)
        self.objects, self.made = {}, []
        self.points = {e.get("name"): e for e in self.scene.elements("point")}
        self.rules = {}
        for rule in self.scene.elements(*kinds.RULES):
            self.rules.setdefault(rule.get(kinds.ends_of(rule.tag)[0]), []).append(rule)
        ats = [point.place() for point in self.points.values()]
        spread = np.ptp(ats, axis=0).max() if ats else 1.0
        self.size = EMPTIES * float(spread or 1.0)

    def all(self):
        """Makes everything."""
        for element in self.scene.elements("settings"):
            self.rig.sinew_tendons.use_settings = True
            self.group(self.rig.sinew_tendons.settings, element, kinds.kind("settings"))
        used = {n.get("point") for s in self.scene.elements("strand") for n in s.elements("node")}
        for element in self.scene.elements(*kinds.objects()):
            if element.tag != "point" or element.get("name") not in used:
                self.part(element)
        self._outside()
        for element, part in self.made:
            place = getattr(self, "_place_" + element.tag, None)
            if place:
                place(element, part)
        for element, part in self.made:
            group = getattr(part.sinew_tendon, element.tag)
            self.group(group, element, kinds.kind(element.tag))
            places.follow(part)
            getattr(self, "_more_" + element.tag, lambda *_: None)(element, part)
        ties.follow_renames(self.rig)
        collapsed.look([part for _, part in self.made], self.size)

    def _outside(self):
        """Stands in for the bodies that an armature's own file makes."""
        if not self.scene.elements("armature"):
            return
        for element in self.scene.walk():
            described = kinds.scene().children.get(element.tag)
            for attribute in described.attributes.values() if described else ():
                name = element.get(attribute.name)
                if attribute.refers_to != ("body",) or name in (None, *kinds.NO_BODY):
                    continue
                if ("body", name) not in self.objects:
                    part = self.objects["body", name] = bpy.data.objects.new(name, None)
                    self._link(part, rig_parts.OUTSIDE, name, -1)
                    dress(part, rig_parts.OUTSIDE, self.size)
                    if name in self.rest:
                        places.set_modelled(part, self.rest[name])

    # Objects.

    def part(self, element):
        """An object for an element."""
        name = element.get("name", "")
        data = getattr(self, "_data_" + element.tag, lambda *_: None)(element)
        part = data if isinstance(data, bpy.types.Object) else bpy.data.objects.new(name or element.tag, data)
        self._link(part, element.tag, name, self.keys[element.id])
        part.rotation_mode = "QUATERNION"
        if part.type == "EMPTY":
            dress(part, element.tag, self.size)
        self.objects[element.tag, name] = part
        self.made.append((element, part))

    def _link(self, part, tag, name, key):
        self.rig.objects.link(part)
        known = part.sinew_tendon
        known.tag, known.key, known.given, known.name_in_file = tag, key, part.name, name

    def _data_body(self, element):
        name = element.get("name")
        for shape in element.elements("shape"):
            file = shape.get("file")
            return shapes.read(name, shape, self.files[file])
        for box in element.elements("cuboid"):
            return shapes.mesh_from(name, *strand_obj.cuboid(box.numbers["size"]))
        return None

    def _data_strand(self, element):
        places_of = [self.points[node.get("point")].place() for node in element.elements("node")]
        if not places_of:
            raise SceneError("it has no nodes", element)
        return curves.make(element.get("name"), places_of, element.number("radius"))

    # Places.

    def _place_body(self, element, part):
        places.set_modelled(part, element.places["at"])
        mode = element.get("mode", "free")
        part.color = COLOURS[mode]

    def _place_joint(self, element, part):
        places.set_modelled(part, element.places["at"])

    _place_plane = _place_joint

    def _place_circle(self, element, part):
        places.set_modelled(part, places.circle_frame(element.places["at"], back=True))
        part.empty_display_size = element.number("radius")

    def _place_line(self, element, part):
        places.set_line(part, element.place("from"), element.place("to"))

    def _place_point(self, element, part):
        part.location = element.place()

    def _place_goal_place(self, element, part):
        part.location = element.place()

    # Properties.

    def group(self, group, element, described):
        """Fills the properties of an element and its children."""
        group.key = self.keys[element.id]
        for attribute in described.attributes.values():
            name = fields.identifier(attribute.name)
            # Lengths that are left out are those of the scene's unit.
            is_there = (
                element.get(attribute.name) is not None or attribute.is_length and attribute.name in element.numbers
            )
            if is_there and fields.holds(described.name, attribute) and hasattr(group, name):
                self._value(element, attribute, group, name)
        for tag, child in described.children.items():
            for inner in element.elements(tag):
                if tag in kinds.KEYS or tag == "node":
                    continue
                if child.many:
                    self.group(getattr(group, tag).add(), inner, child)
                else:
                    setattr(group, "use_" + tag, True)
                    self.group(getattr(group, tag), inner, child)

    def _value(self, element, attribute, group, name):
        owner, text = element.tag, element.get(attribute.name)
        if fields.is_optional(attribute):
            setattr(group, "use_" + name, True)
        if (owner, attribute.name) in fields.TYPED_PLACES:
            setattr(group, name, element.place(attribute.name))
        elif fields.has_carrier(owner, attribute):
            group.carrier = text if text in kinds.NO_BODY else "body"
            if group.carrier == "body":
                group.on = self.objects.get(("body", text))
        elif attribute.kind == "number":
            setattr(group, name, element.number(attribute.name))
        elif attribute.kind == "whole":
            setattr(group, name, int(text))
        elif attribute.kind == "vector":
            setattr(group, name, element.numbers[attribute.name])
        elif attribute.kind == "range" and text not in attribute.choices:
            setattr(group, name, "limits")
            setattr(group, name + "_limits", element.numbers[attribute.name])
        elif fields.points_at_objects(attribute):
            found = (self.objects.get((tag, text)) for tag in attribute.refers_to)
            setattr(group, name, next((o for o in found if o), None))
        else:
            setattr(group, name, text)

    # Child elements, and keys over time.

    def _frame(self, time):
        return (self.host.frame_start + time * animation.fps(self.host)) * animation.pace(self.host)

    def _keys(self, element, tag, names):
        """The keys of an element with the value that it starts from, [(frame, values)]."""
        found = motion.keys_of(element, tag, names)
        if found and found[0][0] > 0:
            found.insert(0, (0.0, motion.initial(self.scene, element)))
        return [(self._frame(time), values) for time, values in found]

    def _more_body(self, element, part):
        keys = self._keys(element, "key", ("at", "turn"))
        before = places.frame(part)
        for frame, values in keys:
            matrix = single.frame(values["at"], values["turn"][:3, :3])
            part.delta_location = Vector(matrix[:3, 3] - before[:3, 3])
            part.delta_rotation_quaternion = Matrix(matrix[:3, :3] @ before[:3, :3].T).to_quaternion()
            for path, _ in motion.DELTAS:
                part.keyframe_insert(path, frame=frame)
        for curve in animation.fcurves(part) if keys else []:
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"

    def _more_muscle(self, element, part):
        path = f"sinew_tendon.{element.tag}.activation"
        keys = self._keys(element, "activation", ("value",))
        if keys:
            animation.set_keys(part, path, [(frame, values["value"]) for frame, values in keys])
        self._seat(element, part)

    _more_reel = _more_hill = _more_muscle

    def _seat(self, element, part):
        """Puts the empty of a muscle where it pulls."""
        strand = self.objects.get(("strand", element.get("strand")))
        if strand is not None:
            points = curves.world_points(strand)
            k = int(element.get("segment", 0)) if element.tag == "hill" else 0 if element.get("end") != "last" else -1
            part.location = points[k]
        elif element.get("point") in self.points:
            part.location = self.points[element.get("point")].place()

    def _more_goal_motion(self, element, part):
        keys = self._keys(element, "to", ("value",))
        animation.set_keys(part, "sinew_tendon.goal_motion.target", [(f, v["value"]) for f, v in keys])
        if part.sinew_tendon.goal_motion.joint:
            part.location = places.modelled(part.sinew_tendon.goal_motion.joint).translation

    def _more_goal_place(self, element, part):
        keys = self._keys(element, "to", ("at",))
        animation.set_keys(part, "location", [(f, v["at"]) for f, v in keys], 3)

    def _more_strand(self, element, part):
        for child, place in zip(element.elements("node"), curves.control_points(part)):
            node = part.sinew_tendon.strand.node.add()
            self.group(node, child, kinds.kind("strand", "node"))
            node.co = place
            node.point = child.get("point")
            self._point(node.here, self.points[node.point])

    def _more_point(self, element, part):
        self._rules(part.sinew_tendon.point, element.get("name"))

    def _point(self, here, element):
        self.group(here, element, kinds.kind("point"))
        self._rules(here, element.get("name"))

    def _rules(self, here, name):
        for rule in self.rules.get(name, []):
            self.group(getattr(here, rule.tag).add(), rule, kinds.kind(rule.tag))


def dress(part, tag, size):
    """How the empty of a part is drawn."""
    part.empty_display_type = {
        "plane": "ARROWS",
        "line": "SINGLE_ARROW",
        "circle": "CIRCLE",
        "joint": "SPHERE",
        "point": "SPHERE",
        "muscle": "CONE",
        "reel": "CONE",
        "hill": "CONE",
        "goal_place": "SPHERE",
    }.get(tag, "PLAIN_AXES")
    if tag not in ("line", "circle"):
        part.empty_display_size = size * {"joint": 0.6, "point": 0.2, "muscle": 0.4, "goal_place": 0.4}.get(tag, 1.0)
