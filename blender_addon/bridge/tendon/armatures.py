"""Animations that lead bodies of a scene (`armature`): their files are carried in the rig, and written where they are
needed."""

import base64
import json
import re
import zlib

import numpy as np

# Where a rig keeps the files, and where the joints in them are at rest.
FILES, REST = "sinew_tendon_armatures", "sinew_tendon_rest"


def keep(rig, files, rest):
    """Keeps files, {name: bytes}, and the places of joints, {name: 4 x 4}, in a rig as text."""
    if files:
        packed = {name: base64.b85encode(zlib.compress(data)).decode("ascii") for name, data in files.items()}
        rig[FILES] = json.dumps(packed)
        rig[REST] = json.dumps({name: matrix.tolist() for name, matrix in rest.items()})


def files_of(rig):
    """The files that a rig carries."""
    packed = json.loads(rig.get(FILES, "{}"))
    return {name: zlib.decompress(base64.b85decode(text)) for name, text in packed.items()}


def rest_of(rig):
    """Where the joints of a rig's files are at rest, in Blender's world."""
    return {name: np.array(matrix) for name, matrix in json.loads(rig.get(REST, "{}")).items()}


def blamed(error, elements):
    """What an error of the library says of the file of an armature, and the element of that."""
    element = next((one for one in elements if one.line == error.line), elements[0])
    file = element.get("file")
    said = str(error).partition("strand_scene/armature")[2].partition(": ")[2] or str(error)
    # The file as the scene names it.
    said = re.sub(r"\S*" + re.escape(file), lambda _: file, said)
    return said if file in said else f"{file}: {said}", element
