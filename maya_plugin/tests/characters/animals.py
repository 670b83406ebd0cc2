"""Animals, from a skin of MuJoCo (little-endian numbers: counts, vertices, UVs, triangles, bones with their vertices)
and the model that says which bone hangs on which. z is up, units are metres."""

import math
import struct
import xml.etree.ElementTree as ElementTree

import linear
from character import Character, Joint, Part

CENTIMETRES = 100.0


class Skin:
    def __init__(self, path):
        self.data, self.at = path.read_bytes(), 0
        vertices, uvs, faces, bones = self.take("4i")
        self.points = [self.take("3f") for _ in range(vertices)]
        self.uvs = [self.take("2f") for _ in range(uvs)]
        self.faces = [self.take("3i") for _ in range(faces)]
        self.influences = [[] for _ in range(vertices)]
        """The place and the rotation of each bone by its name."""
        self.bones = {}
        for _ in range(bones):
            name = self.take("40s")[0].partition(b"\0")[0].decode()
            place, quaternion, (count,) = self.take("3f"), self.take("4f"), self.take("i")
            for vertex, weight in zip(self.take(f"{count}i"), self.take(f"{count}f"), strict=True):
                if weight > 0:
                    self.influences[vertex].append((name, weight))
            self.bones[name] = (list(place), linear.of_quaternion(*quaternion))

    def take(self, form):
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found


def numbers(body, name, default):
    return [float(word) for word in body.get(name, default).split()]


def add_bodies(body, parent, skin, joints):
    """Bones that hold nothing are where the model has them."""
    name = body.get("name")
    if name in skin.bones:
        place, rotation = skin.bones[name]
    else:
        above = joints[parent]
        place = linear.plus(above.place, linear.applied(above.rotation, numbers(body, "pos", "0 0 0")))
        rotation = linear.times(above.rotation, linear.of_quaternion(*numbers(body, "quat", "1 0 0 0")))
    index = len(joints)
    joints.append(Joint(name, parent, place, rotation))
    for child in body.findall("body"):
        add_bodies(child, index, skin, joints)


def read(folder, name):
    """It walks: neighbouring legs swing to opposite sides, and the back bends a little in each vertebra."""
    skin = Skin(folder / f"{name}.skn")
    model = ElementTree.parse(folder / f"{name}.xml").getroot()
    joints = []
    add_bodies(model.find("worldbody/body"), -1, skin, joints)
    index = {joint.name: k for k, joint in enumerate(joints)}
    for joint in joints:
        legs = ("upper_arm", "lower_arm", "upper_leg", "lower_leg")
        joint.axis = [0.0, 1.0, 0.0] if joint.name.startswith(legs) else [0.0, 0.0, 1.0]
        side = -1.0 if joint.name.endswith("_R") else 1.0
        joint.angle = 0.5 * side if joint.name.startswith(legs) else 0.03
    part = Part(
        "skin",
        skin.points,
        [[u, 1 - v] for u, v in skin.uvs],
        [[(vertex, vertex if skin.uvs else 0) for vertex in face] for face in skin.faces],
        [[(index[bone], weight) for bone, weight in pairs] for pairs in skin.influences],
    )
    return Character(name, joints, [part], turned=[-math.pi / 2, 0.0, 0.0], scale=CENTIMETRES)
