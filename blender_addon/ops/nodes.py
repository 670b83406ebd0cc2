"""Adds nodes to objects, removes them, and puts their modifiers in order."""

from contextlib import contextmanager

import bpy
from bpy.props import StringProperty

from ..bridge import hair, handlers, host, materials, properties, runtime, scatter, subdivision
from ..bridge.problem import Problem, sentence
from .in_thread import ShowsFrame


def active_node(context):
    """The active object's node whose settings are shown, or None."""
    ob = context.object
    if ob is None or not ob.sinew.nodes:
        return None
    return ob.sinew.nodes[min(ob.sinew.active, len(ob.sinew.nodes) - 1)]


class Before:
    """What a body is like before nodes are added to it, to take them away again."""

    def __init__(self, ob):
        self.ob, self.count, self.active = ob, len(ob.sinew.nodes), ob.sinew.active
        self.attributes, self.modifiers = set(self.names(ob.data)), {m.name for m in ob.modifiers}
        self.locked = [(scene, scene.render.use_lock_interface) for scene in bpy.data.scenes]
        self.groups = set(bpy.data.node_groups)
        maps = getattr(ob.data, "uv_layers", ())
        self.selected = maps.active.name if maps and maps.active else ""

    @staticmethod
    def names(data):
        return [one.name for one in getattr(data, "attributes", ())]

    def take_back(self):
        nodes, data = self.ob.sinew.nodes, self.ob.data
        while len(nodes) > self.count:
            nodes.remove(len(nodes) - 1)
        for modifier in [m for m in self.ob.modifiers if m.name not in self.modifiers]:
            self.ob.modifiers.remove(modifier)
        for name in set(self.names(data)) - self.attributes:
            data.attributes.remove(data.attributes[name])
        for group in set(bpy.data.node_groups) - self.groups:
            if not group.users:
                bpy.data.node_groups.remove(group)
        if self.selected:
            data.uv_layers.active = data.uv_layers[self.selected]
        self.ob.sinew.active = self.active
        for scene, locked in self.locked:
            if scene.render.use_lock_interface != locked:
                handlers.unlock(scene)
        runtime.forget_removed()


@contextmanager
def added(ob):
    """A node that is added within the block, and refused there, leaves nothing behind."""
    before = Before(ob)
    try:
        yield
    except Problem:
        before.take_back()
        raise


class HasNode:
    """For operators on the active node."""

    @classmethod
    def poll(cls, context):
        if active_node(context) is None:
            cls.poll_message_set("Add a node to the active object first")
            return False
        return True


class HasKnownNode(HasNode):
    """For operators on the active node, which need what the library says of it."""

    @classmethod
    def poll(cls, context):
        if not super().poll(context):
            return False
        kind = active_node(context).kind
        if kind not in host.kinds():
            cls.poll_message_set(host.problem() or f'The library has no node "{kind}"')
            return False
        return True


class SINEW_OT_node_add(ShowsFrame, bpy.types.Operator):
    """Adds a node to the active object"""

    bl_idname, bl_label, bl_options = "sinew.node_add", "Add Node", {"REGISTER", "UNDO"}
    kind: StringProperty(name="Kind", description="The node's permanent id", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        if context.object is None:
            cls.poll_message_set("Select an object first")
        return context.object is not None

    @classmethod
    def description(cls, _context, given):
        kind = host.kinds().get(given.kind)
        return kind.doc if kind else cls.__doc__

    def change(self, context):
        kind = host.kinds().get(self.kind)
        if kind is None:
            self.report({"ERROR"}, host.problem() or f'The library has no node "{self.kind}"')
            return False
        self._before = Before(context.object)
        try:
            runtime.check_writable(context.object)
            with added(context.object):
                properties.new_node(context.object, kind)
                runtime.prepare(context.object)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return False
        return True

    def take_back(self, context):
        self._before.take_back()


class SINEW_OT_node_remove(HasNode, bpy.types.Operator):
    """Removes the node and returns the body and the hair that it moved to where they are without it. What it wrote into
    UV maps and attributes stays, but renders and materials use the UV map at rest again"""

    bl_idname, bl_label, bl_options = "sinew.node_remove", "Remove Node", {"REGISTER", "UNDO"}

    def execute(self, context):
        ob = context.object
        index = min(ob.sinew.active, len(ob.sinew.nodes) - 1)
        item = ob.sinew.nodes[index]
        kind = host.kinds().get(item.kind)
        slid = scatter.uv_maps(ob, kind, properties.settings(item)) if kind else []
        shapes = scatter.shapes_of(kind, properties.settings(item)) if kind else ()
        try:
            for _, locks in scatter.hair_of(ob, kind, properties.settings(item)) if kind else ():
                hair.lay_down(locks)
            ob.sinew.nodes.remove(index)
        except TypeError:
            self.report(
                {"ERROR"}, f'The node came with "{ob.name}" from another file: remove it there, or turn off Live'
            )
            return {"CANCELLED"}
        ob.sinew.active = max(0, index - 1)
        try:
            scatter.drop_shapes(ob, shapes)
            subdivision.update(ob)
        except Problem as problem:
            self.report({"WARNING"}, sentence(problem))
        for written, rest in slid:
            for warning in use_instead(ob, written, rest):
                self.report({"WARNING"}, sentence(warning))
        runtime.forget_removed()
        runtime.mark_targets()
        return {"FINISHED"}


def use_instead(ob, written, rest):
    """Lets renders, and what is selected, use the UV map at rest instead of one that no node writes any more; gives
    warnings."""
    layers = ob.data.uv_layers
    if written in scatter.targets_of(ob) or written not in layers or rest not in layers:
        return []
    if layers[written].active_render:
        layers[rest].active_render = True
    if layers.active == layers[written]:
        layers.active = layers[rest]
    return materials.switch(ob, written, rest)


class SINEW_OT_capture_update(HasKnownNode, ShowsFrame, bpy.types.Operator):
    """Puts the modifiers of the node where they belong: in front of those that subdivide or add vertices"""

    bl_idname, bl_label, bl_options = "sinew.capture_update", "Update Capture", {"REGISTER", "UNDO"}

    def change(self, context):
        try:
            runtime.prepare(context.object)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return False
        runtime.forget(context.object)
        return True


class SINEW_OT_forget(HasNode, ShowsFrame, bpy.types.Operator):
    """Discards all computed frames of the active object's nodes and frees their memory"""

    bl_idname, bl_label = "sinew.forget", "Forget Frames"

    def change(self, context):
        runtime.forget(context.object)
        return True


CLASSES = (SINEW_OT_node_add, SINEW_OT_node_remove, SINEW_OT_capture_update, SINEW_OT_forget)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
