"""Live rigs: simulated again automatically after every edit, in slices of time between which Blender keeps running."""

import time

import bpy
from bpy.app.handlers import persistent

from ...bridge import guard, host, listeners
from ...bridge.tendon import props, rig_parts, show
from ...sinew.loader import Error
from .. import in_thread
from . import check, simulate

# The idle time before a simulation begins, and between its slices, in s.
PAUSE, BETWEEN = 0.3, 0.01

# The rigs that were edited since they were looked at, and the running simulations, by the collections' names.
_edited, _running = set(), {}
# True while something here changes the scene: that is no edit.
_busy = False


def live_rigs(scene):
    """The rigs of a scene that follow every edit."""
    return [rig for rig in show.rigs(scene) if rig.sinew_tendons.live and not rig.override_library]


def concerns(rig, updated):
    """Whether one of the things that were updated is part of a rig, or moves parts of it."""
    parts = rig_parts.parts(rig)
    own = {rig, *parts, *(part.data for part in parts if part.data)}
    return bool(own & updated) or any(isinstance(one, bpy.types.Action) for one in updated)


@persistent
def scene_edited(scene, depsgraph):
    """Notes which rigs were edited. Showing a simulation looks like an edit, too; that nothing changed is found out
    when the rig is looked at."""
    if _busy:
        return
    rigs = live_rigs(scene)
    if not rigs:
        return
    updated = {update.id.original for update in depsgraph.updates}
    for rig in rigs:
        if concerns(rig, updated):
            look_at(rig)


def look_at(rig):
    """Lets a rig be simulated soon, unless nothing about it has changed."""
    _edited.add(rig.name_full)
    if not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=PAUSE)


def is_waiting():
    """Whether to wait before going through frames: playback is running, or a part is being edited."""
    playing = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
    return playing or bpy.context.mode.startswith("EDIT")


@guard.guarded("while live rigs were simulated")
def tick():
    """Continues with the first rig that needs it; returns the delay until the next call, or None when all is done."""
    global _busy
    if is_waiting():
        return PAUSE
    scene, _busy = bpy.context.scene, True
    try:
        rigs = {rig.name_full: rig for rig in live_rigs(scene)}
        for name in [name for name in (*_edited, *_running) if name not in rigs]:
            drop(name)
        for name in list(_edited):
            begin(rigs[name], scene)
            return BETWEEN
        for name in list(_running):
            go_on(rigs[name])
            return BETWEEN
        return None
    finally:
        _busy = False


def begin(rig, scene):
    """Begins the simulation of a rig that was edited, if it is not what was simulated; what is wrong goes into its
    list."""
    name = rig.name_full
    known = _running[name].digest if name in _running else rig.sinew_tendons.digest
    _edited.discard(name)
    try:
        problems, stored = check.find(rig, scene)
        shown = [line.message for line in rig.sinew_tendons.problems]
        # Filling the list is an edit, too: with what it says already, the rig would be looked at for ever.
        if shown != [message for _, message, *_ in problems] or not rig.sinew_tendons.checked:
            check.fill(rig, problems)
        if check.digest(stored, scene) == known:
            return
        drop(name)
        if not any(error for error, *_ in problems):
            _running[name] = simulate.Simulation(rig, scene, stored)
    except (ValueError, OSError, Error) as error:
        check.fill(rig, [(True, str(error), None, -1)])


def go_on(rig):
    """A slice of a simulation; at its end the rig shows it."""
    simulation, until = _running[rig.name_full], time.perf_counter() + in_thread.SLICE
    more = True
    try:
        while more and time.perf_counter() < until:
            more = simulation.step()
    except ValueError:
        # What went wrong, and in which frame, stands in the rig's list.
        more = False
    if not more:
        simulation.end(bpy.context)
        del _running[rig.name_full]


def drop(name):
    """Forgets a rig: its simulation is out of date, or it is no longer live."""
    _edited.discard(name)
    if name in _running:
        _running.pop(name).run.close()


@persistent
def forget(*_):
    """Another file is opened."""
    for name in list(_running):
        drop(name)
    _edited.clear()


def changed(group, _context):
    """Someone made a rig live, or not."""
    rig = group.id_data
    if group.live and host.library() is not None:
        look_at(rig)
    else:
        drop(rig.name_full)


HANDLERS = (("depsgraph_update_post", scene_edited), ("load_pre", forget))


def register():
    props.live_changed = changed
    listeners.add(HANDLERS)


def unregister():
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    listeners.remove(HANDLERS)
    props.live_changed = None
    forget()
