"""Adds nodes to objects, removes them, and puts their modifiers in order."""

from contextlib import contextmanager

import bpy
from bpy.props import StringProperty

from ..bridge import hair, host, materials, properties, runtime, scatter, subdivision
from ..bridge.problem import Problem, sentence


def active_node(context):
    """The active object's node whose settings are shown, or None."""
    ob = context.object
    if ob is None or not ob.sinew.nodes:
        return None
    return ob.sinew.nodes[min(ob.sinew.active, len(ob.sinew.nodes) - 1)]


def show_now(context):
    """Shows the scene's frame with what was just changed: the first update computes, the second shows what came out."""
    context.view_layer.update()
    context.view_layer.update()


@contextmanager
def added(ob):
    """A node that is added within the block, and refused there, leaves nothing behind."""
    render, nodes, attributes = bpy.context.scene.render, ob.sinew.nodes, ob.data.attributes
    count, active, locked, before = len(nodes), ob.sinew.active, render.use_lock_interface, {one.name for one in attributes}
    try:
        yield
    except Problem:
        while len(nodes) > count:
            nodes.remove(len(nodes) - 1)
        for name in {one.name for one in attributes} - before:
            attributes.remove(attributes[name])
        ob.sinew.active, render.use_lock_interface = active, locked
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


class SINEW_OT_node_add(bpy.types.Operator):
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

    def execute(self, context):
        kind = host.kinds().get(self.kind)
        if kind is None:
            self.report({"ERROR"}, host.problem() or f'The library has no node "{self.kind}"')
            return {"CANCELLED"}
        try:
            runtime.check_writable(context.object)
            with added(context.object):
                properties.new_node(context.object, kind)
                runtime.prepare(context.object)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return {"CANCELLED"}
        show_now(context)
        return {"FINISHED"}


class SINEW_OT_node_remove(HasNode, bpy.types.Operator):
    """Removes the node and returns the body and the hair that it moved to where they are without it. What it wrote into UV maps and attributes stays, but renders and materials use the UV map at rest again"""

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
            self.report({"ERROR"}, f'The node came with "{ob.name}" from another file: remove it there, or turn off Live')
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
    """Lets renders, and what is selected, use the UV map at rest instead of one that no node writes any more; gives warnings."""
    layers = ob.data.uv_layers
    if written in scatter.targets_of(ob) or written not in layers or rest not in layers:
        return []
    if layers[written].active_render:
        layers[rest].active_render = True
    if layers.active == layers[written]:
        layers.active = layers[rest]
    return materials.switch(ob, written, rest)


class SINEW_OT_capture_update(HasKnownNode, bpy.types.Operator):
    """Puts the modifiers of the node where they belong: in front of those that subdivide or add vertices"""

    bl_idname, bl_label, bl_options = "sinew.capture_update", "Update Capture", {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            runtime.prepare(context.object)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return {"CANCELLED"}
        runtime.forget(context.object)
        show_now(context)
        return {"FINISHED"}


class SINEW_OT_forget(HasNode, bpy.types.Operator):
    """Discards all computed frames of the active object's nodes and frees their memory"""

    bl_idname, bl_label = "sinew.forget", "Forget Frames"

    def execute(self, context):
        runtime.forget(context.object)
        show_now(context)
        return {"FINISHED"}


CLASSES = (SINEW_OT_node_add, SINEW_OT_node_remove, SINEW_OT_capture_update, SINEW_OT_forget)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
