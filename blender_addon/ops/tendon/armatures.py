"""Animations that lead bodies of a scene (`armature`): their files are carried in the rig, and written where they are needed."""

import base64
import json
import pathlib
import re
import tempfile
import zlib

import numpy as np

from ...bridge import host
from ...core import strand_run, strand_scene, strand_xml
from ...core.library import SinewError

# Where a rig keeps the files, and where the joints in them are at rest.
FILES, REST = "sinew_tendon_armatures", "sinew_tendon_rest"
# A frame long before the first one of any file: bodies that start there are at rest.
LONG_BEFORE = "-1e12"


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
    """Where the joints of a rig's files are at rest, in its scene's world."""
    return {name: np.array(matrix) for name, matrix in json.loads(rig.get(REST, "{}")).items()}


def at_rest(scene, files):
    """Where the joints of a scene's armatures are at rest, as the library reads their files."""
    found = {}
    for element in scene.elements("armature"):
        found.update(_joints(element, scene.space(), files[element.get("file")]))
    return found


def _joints(element, space, data):
    if host.library() is None:
        raise strand_scene.SceneError(host.problem(), element)
    file = element.get("file")
    still, name = strand_scene.new(space.metres_per_unit, space.up), "armature" + pathlib.PurePath(file).suffix
    still.root.add(strand_xml.Element("armature", {**element.attributes, "file": name, "first": LONG_BEFORE}), 0)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "scene.xml")
        strand_run.write_files(folder, {path.name: still.text().encode("utf-8"), name: data})
        try:
            run = strand_run.Run(host.library(), path, space, 0, 24.0)
            try:
                run.step()
                result = run.result()
            finally:
                run.close()
        except SinewError as error:
            message = re.sub(r"^.*\bnode strand(?:, parameter \w+)?: ", "", str(error))
            message = message.replace(str(path.with_name(name)), file)
            raise strand_scene.SceneError(message if file in message else f"{file}: {message}", element) from error
    matrices = result.arrays["body_matrices"][0].reshape(-1, 4, 4)
    return dict(zip(result.names["bodies"], matrices))
