"""What is different from one Blender to the next, and what an error of the add-on leaves of a body: versions.py ZIP
CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from layers import shown, with_muscles

from nodes import Layout


def node_group(name):
    """A user's Geometry Nodes: what is beyond an object, along z, is stretched by a number there; a collection and a
    choice do nothing."""
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for way, kinds in (
        ("INPUT", ("Geometry", "Object", "Collection", "Float", "Vector", "Menu", "String")),
        ("OUTPUT", ("Geometry",)),
    ):
        for kind in kinds:
            group.interface.new_socket(kind, in_out=way, socket_type=f"NodeSocket{kind}")
    new, link = group.nodes.new, group.links.new
    start, end, where, place = (
        new("NodeGroupInput"),
        new("NodeGroupOutput"),
        new("GeometryNodeObjectInfo"),
        new("GeometryNodeInputPosition"),
    )
    beyond, along, by, put = (
        new("ShaderNodeVectorMath"),
        new("ShaderNodeVectorMath"),
        new("ShaderNodeVectorMath"),
        new("GeometryNodeSetPosition"),
    )
    beyond.operation, along.operation, by.operation = "SUBTRACT", "MULTIPLY", "SCALE"
    along.inputs[1].default_value = (0, 0, 1)
    where.transform_space = "RELATIVE"
    for one, other in (
        (start.outputs["Object"], where.inputs["Object"]),
        (place.outputs[0], beyond.inputs[0]),
        (where.outputs["Location"], beyond.inputs[1]),
        (beyond.outputs[0], along.inputs[0]),
        (along.outputs[0], by.inputs[0]),
        (start.outputs["Float"], by.inputs["Scale"]),
        (by.outputs[0], put.inputs["Offset"]),
        (start.outputs["Geometry"], put.inputs["Geometry"]),
        (put.outputs[0], end.inputs[0]),
    ):
        link(one, other)
    return group


def give(ob, modifier, **values):
    """Sets inputs of a Geometry Nodes modifier by their names, as its fields do."""
    for socket in modifier.node_group.interface.items_tree:
        if socket.item_type == "SOCKET" and socket.in_out == "INPUT" and socket.name in values:
            if hasattr(modifier, "properties"):
                getattr(modifier.properties.inputs, socket.identifier).value = values[socket.name]
            else:
                modifier[socket.identifier] = values[socket.name]
    ob.update_tag()
    bpy.context.view_layer.update()


def with_users_nodes():
    """A body that bends, whose Geometry Nodes fetch an object, in front of Subdivision and Solidify."""
    ob = s.tube(around=14, along=20, length=3.0)
    s.armature(ob, length=3.0, angle=0.8)
    ob.location, ob.rotation_euler = (2, -1, 0.5), (0.3, 0.2, -0.5)
    leader = s.link(bpy.data.objects.new("Leader", None))
    leader.location = (2, -1, 1.5)
    nodes = ob.modifiers.new("Pull", "NODES")
    nodes.node_group = node_group("Pull")
    give(ob, nodes, Object=leader, Float=0.2)
    ob.modifiers.new("Subdivision", "SUBSURF")
    ob.modifiers.new("Solidify", "SOLIDIFY")
    return ob, leader, nodes


def without(ob, *names):
    """What Blender shows of a body without modifiers of these names."""
    kept = [m for m in ob.modifiers if any(m.name.startswith(name) for name in names)]
    for one in kept:
        one.show_viewport = False
    bpy.context.view_layer.update()
    found = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data).copy()
    for one in kept:
        one.show_viewport = True
    bpy.context.view_layer.update()
    return found


def skin_slides_under_nodes_of_the_user():
    """Whatever Blender keeps their inputs in; what these name leads the body."""
    ob, leader, nodes = with_users_nodes()
    item = s.slide(ob)
    held = item.of_skin_slider
    found = s.play(ob, range(1, 13))
    assert np.abs(found[12] - found[1]).max() > 1e-3, "the skin slides"
    assert leader in s.part("bridge.relations").leaders(ob)
    held.param_mode = "dynamic"
    bpy.context.view_layer.update()
    timeline = s.part("bridge.runtime").known(ob, item, bpy.context.scene).timeline
    reads = s.part("bridge.node_inputs").read
    first = s.play(ob, range(1, 13))[12].copy()
    # What is set in a later frame acts in those before as well.
    for change, back, matters in (
        (lambda: give(ob, nodes, Float=0.5), lambda: give(ob, nodes, Float=0.2), True),
        # The body is elsewhere, which its skin does not feel.
        (lambda: setattr(leader, "location", (2, -1, 0.2)), lambda: setattr(leader, "location", (2, -1, 1.5)), False),
    ):
        before = reads(nodes)
        change()
        bpy.context.view_layer.update()
        assert s.state(ob)[0] == "preview" and not timeline.is_trusted_after(1), s.state(ob)
        s.go_to(12)
        changed = s.evaluated_uvs(ob).copy()
        assert (np.abs(changed - first).max() > 1e-5) == matters
        back()
        assert reads(nodes) == before
        s.go_to(12)
        assert np.array_equal(s.play(ob, range(1, 13))[12], first)
    # Names of attributes in the place of values are inputs, too.
    assert len(reads(nodes)) > 6 and any("attribute_name" in path for path, _ in reads(nodes))


def muscles_under_nodes_of_the_user_move_bodies():
    """A body without any muscle is where Blender has it, and one with a muscle where this has moved it."""
    ob, leader, nodes = with_users_nodes()
    place = without(ob)
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert np.abs(s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data) - place).max() < 1e-6
    ob.sinew.nodes.clear()
    bpy.context.view_layer.update()
    with_muscles(ob)
    for frame in range(1, 13):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
    assert 0.005 < np.abs(shown(ob) - without(ob, "Sinew Shape")[: len(ob.data.vertices)]).max() < 1


def drawn_in_red(panel):
    """What a panel draws in red."""
    found = []

    class Seen(Layout):
        alert = False

        def row(self, **_):
            made = Seen(self.drawn)
            made.alert = self.alert
            return made

        column = box = split = row

        def label(self, text="", icon="NONE"):
            if self.alert:
                found.append(text)

    own = {name: value for name, value in vars(panel).items() if callable(value) or isinstance(value, staticmethod)}
    type("Drawn", (), {**own, "layout": Seen([])})().draw(bpy.context)
    return " ".join(found)


def fails(*_, **__):
    raise TypeError("broken on purpose")


def errors_of_the_add_on_are_said_and_leave_the_body_alone():
    """Whatever part of it breaks: the body is where Blender has it, the panel says so in red, and all is well again
    afterwards."""
    runtime, gather, relations = (s.part(f"bridge.{name}") for name in ("runtime", "gather", "relations"))
    main = s.part("ui.panels").SINEW_PT_main
    tendons = s.part("ui.tendon").SINEW_PT_tendons
    guard = s.part("bridge.guard")
    ob, *_ = with_users_nodes()
    with_muscles(ob)
    s.slide(ob)
    expected = {}
    for frame in range(1, 13):
        s.go_to(frame)
        expected[frame] = shown(ob)
    # What breaks; whether it does so outside of all nodes, so that their frames cannot be given; and whether muscles
    # still move the body.
    for owner, name, everywhere, moved in (
        (runtime, "users", True, False),
        (gather.READERS, "WEIGHTS", False, False),
        (gather.READERS, "BODY", False, True),
        (relations, "places", False, False),
        (s.part("bridge.edits"), "edited_objects", True, False),
    ):
        s.go_to(6)
        assert np.array_equal(shown(ob), expected[6]), name
        kept = owner[name] if isinstance(owner, dict) else getattr(owner, name)

        def put(value):
            owner.__setitem__(name, value) if isinstance(owner, dict) else setattr(owner, name, value)

        put(fails)
        try:
            for item in ob.sinew.nodes:
                runtime.known(ob, item, bpy.context.scene).dirty = True
            bpy.context.scene.frame_set(7)
            ob.update_tag()
            bpy.context.view_layer.update()
            ob.sinew.active = next(k for k in range(2) if s.state(ob, k)[0] == "failed")
            red = drawn_in_red(main)
            assert "TypeError: broken on purpose" in red and "error of its own" in red, (name, red)
            assert ("TypeError" in drawn_in_red(tendons)) == everywhere == bool(guard.messages()), name
            off = np.abs(shown(ob) - without(ob, "Sinew Shape")[: len(ob.data.vertices)]).max()
            assert 0.005 < off < 1 if moved else off == 0, (name, off)
        finally:
            put(kept)
        s.select(ob)
        bpy.ops.sinew.forget()
        s.go_to(8)
        assert not guard.messages() and not drawn_in_red(main), (name, guard.messages())
        assert np.array_equal(shown(ob), expected[8]), name


if __name__ == "__main__":
    s.main(s.cases(globals()))
