"""What a node's results follow from, as hashes that hold from one session to the next: its parameters, what does not
move, what does."""

import functools
import hashlib
import os

import bpy

from ..core import timeline
from ..sinew.loader import readable
from ..sinew.node import Mesh
from . import bakes, gather, host, properties
from .problem import Problem


def params_of(kind, settings, scene):
    """The parameters as the library takes them."""
    found = {}
    metres = scene.unit_settings.scale_length
    for param in kind.params:
        if properties.is_hosts(param):
            found[param.id] = scene.render.fps / scene.render.fps_base
        else:
            found[param.id] = properties.to_library(param, getattr(settings, f"param_{param.id}"), metres)
            if param.files and found[param.id]:
                found[param.id] = path = bpy.path.abspath(found[param.id])
                if readable(path) != path:
                    raise Problem(f"{path} has letters that are no UTF-8: rename the file or its folders")
    return found


def parts_of(given):
    """The ports of some inputs and the arrays of each, from which their hash is made."""
    parts = []
    for port, value in given.items():
        parts += [port, *(bakes.arrays_of(value) or (None,))]
    return parts


@functools.lru_cache(maxsize=2)
def _of_bytes(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _files(kind, params):
    """When the files that parameters name were last changed."""
    for path in (params[param.id] for param in kind.params if param.files and params[param.id]):
        try:
            found = os.stat(path)
            yield (path, found.st_size, found.st_mtime_ns)
        except OSError:
            yield (path,)


def _sources(kind, settings):
    """Where what moves comes from."""
    for port in kind.inputs:
        bound = getattr(settings, f"in_{port.id}")
        if gather.moves(port, bound.choice):
            named = [getattr(bound, field, None) for field in ("object", "collection")]
            yield (port.id, bound.choice, getattr(bound, "name", ""), *(one.name_full if one else "" for one in named))


def root(ob, kind, settings, scene, start, still):
    """What all frames follow from: the library, the settings that are not animated, and `still`, the hash of the inputs
    that do not move."""
    params = params_of(kind, settings, scene)
    quality = "" if "param_quality" in bakes.animated_params(ob) else params.get("quality", "")
    parts = [_of_bytes(host.library().path), kind.id, still, bakes.made_of(params, ob, start), quality]
    return timeline.fingerprint(*parts, *_files(kind, params), *_sources(kind, settings))


def form(clock, wanted, given):
    """What outputs must fit to be shown: the clock, the ports, the faces of the meshes."""
    meshes = [
        part
        for value in given.values()
        if isinstance(value, Mesh)
        for part in (len(value.positions), value.face_sizes, value.corner_vertices)
    ]
    return timeline.fingerprint(*clock, *(port.id for port, _ in wanted), *meshes)
