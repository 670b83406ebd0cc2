"""Keeps computed frames beside the .blend file when it is saved, and finds them when it is opened. Nothing is written
for files that are not saved, and nothing is shown as computed before it is found to hold."""

import pathlib

import bpy
import numpy as np

from ..core import kept, timeline
from ..sinew.loader import readable

# The frames that came with the file, and what went wrong with them.
_store, _problem = None, ""
# What of an entry is kept as text or number, and what as bytes.
PLAIN, BYTES = ("history", "failure", "warnings", "rendered"), ("motion", "root", "form", "mark")


def problem():
    """Why frames are not kept, or were not found, in words for the user; mostly empty."""
    return _problem


def limit():
    """How many bytes may be kept beside a file."""
    addon = bpy.context.preferences.addons.get(__package__.rpartition(".")[0])
    return (addon.preferences.kept if addon and addon.preferences else 512) * 2**20


def path_of(blend):
    return pathlib.Path(blend).with_suffix(kept.ENDING)


def _say(text):
    global _problem
    _problem = readable(str(text))
    print(f"Sinew: {_problem}")


def close():
    """Another file is opened."""
    global _store, _problem
    if _store is not None:
        _store.close()
    _store, _problem = None, ""


def open_beside(blend):
    """Finds the frames that were kept beside a file."""
    global _store
    close()
    path = path_of(blend) if blend else None
    if path is not None and path.exists():
        try:
            _store = kept.KeptFrames(path)
        except kept.Broken as broken:
            _say(broken)


def _read(link):
    return _store.read(link) if _store is not None else None


def key_of(ob, item, scene):
    return [ob.name_full, item.uid, scene.name_full]


def has(ob, item, scene):
    """Whether frames of a node came with the file."""
    return _store is not None and any(node.key == key_of(ob, item, scene) for node in _store.nodes)


def adopt(runtime, ob, item, scene):
    """Gives what is remembered of a node the frames that came with the file."""
    key = key_of(ob, item, scene)
    for node in _store.nodes if _store is not None else ():
        if node.key != key:
            continue
        try:
            entries = [(frame, link, entry_of(link, described)) for frame, link, described in node.frames]
            rest, places = node.about["rest_world"], node.about["places"]
            runtime.rest_world = None if rest is None else np.array(rest, np.float64).reshape(4, 4)
            by_name = {one.name_full: one for one in bpy.data.objects}
            for name, place in places.items():
                if name in by_name:
                    runtime.places.put(by_name[name], np.array(place, np.float64).reshape(4, 4))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            _say(f"{_store.path} is damaged ({error}): its frames are computed again")
            return
        for entry in entries:
            runtime.timeline.adopt(*entry)


def entry_of(link, described):
    plain = {name: described[name] for name in PLAIN}
    plain["warnings"] = tuple(plain["warnings"])
    given = {name: bytes.fromhex(described[name]) for name in BYTES}
    return timeline.Entry(outputs={}, state=None, load=lambda: _read(link), saved=True, **plain, **given)


def describe(entry):
    plain = {name: getattr(entry, name) for name in PLAIN}
    return {**plain, "warnings": list(entry.warnings), **{name: getattr(entry, name).hex() for name in BYTES}}


def frames_of(known, ob, item, scene, left):
    """The frames of a node to keep, from the first one on, as far as they take no more than `left` bytes: those, by
    link what was computed, and the bytes that are left."""
    places = {other.name_full: known.places.known(other) for other in bpy.data.objects}
    about = {
        "rest_world": None if known.rest_world is None else known.rest_world.ravel().tolist(),
        "places": {name: place.ravel().tolist() for name, place in places.items() if place is not None},
    }
    node, entries = kept.NodeFrames(key_of(ob, item, scene), about), {}
    for frame, link, entry in known.timeline.last_of_each():
        # Of frames that are not in memory only the file knows how large they are; it was within the limit.
        left -= entry.size()
        if left < 0:
            break
        entries[link] = entry
        node.frames.append((frame, link, describe(entry)))
    return node, entries, left


def save(blend, remembered):
    """Keeps the computed frames of nodes beside the file that was just saved; `remembered`: (runtime, object, node,
    scene) of each."""
    global _problem
    _problem = ""
    path, nodes, entries, left = path_of(blend), [], {}, limit()
    for known, ob, item, scene in remembered if left > 0 else ():
        # Stateless nodes compute any frame at once, and a bake is in a file already.
        if known.kind.stateful and not item.use_bake:
            node, found, left = frames_of(known, ob, item, scene, left)
            entries.update(found)
            if node.frames:
                nodes.append(node)
    same = (
        _store is not None
        and _store.path == path
        and [node.plain() for node in _store.nodes] == [node.plain() for node in nodes]
    )
    if same and path.exists():
        return

    def read(link):
        entry = entries[link]
        return entry.load() if entry.load is not None else (entry.outputs, entry.state)

    try:
        if nodes:
            kept.write(path, nodes, read, release=close)
        elif path.exists() and kept.is_ours(path):
            close()
            path.unlink()
    except (kept.Broken, OSError) as error:
        _say(error)
    else:
        open_beside(blend)
