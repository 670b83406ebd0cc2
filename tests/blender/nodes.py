"""Every node of the library, generically: nodes.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def every_node_has_its_properties_and_tooltips():
    host, properties = s.part("bridge.host"), s.part("bridge.properties")
    ob = s.tube()
    s.select(ob)
    assert host.kinds()
    for kind in host.kinds().values():
        assert bpy.ops.sinew.node_add(kind=kind.id) == {"FINISHED"}
        settings = properties.settings(ob.sinew.nodes[-1])
        for param in kind.params:
            if properties.is_hosts(param):
                continue
            made = settings.bl_rna.properties[f"param_{param.id}"]
            assert made.description == param.doc and made.name.startswith(param.title), param.id
            value = getattr(settings, f"param_{param.id}")
            assert (
                value == param.default
                if isinstance(param.default, str)
                else abs(value - param.default) <= 1e-6 * abs(param.default)
            ), param
            if param.kind == "choice":
                assert [item.identifier for item in made.enum_items] == [choice.id for choice in param.choices]
            elif param.kind == "real" and not param.unit.startswith("m"):
                assert np.allclose(
                    (made.soft_min, made.soft_max), (param.soft_minimum, param.soft_maximum), rtol=1e-5
                ), param
            if param.unit == "m":
                assert made.unit == "LENGTH"
        for port in kind.inputs:
            bound = getattr(settings, f"in_{port.id}")
            assert bound.choice == properties.sources_of(kind, port)[0]
        for port in kind.outputs:
            assert getattr(settings, f"out_{port.id}").choice == properties.targets_of(port)[0]
    s.refused("no node", bpy.ops.sinew.node_add, kind="no_such_node")


def no_limit_of_a_number_is_refused():
    """Properties have single precision, and lengths the scene's unit: the limits of all ranges are still within
    them."""
    host, properties, node = s.part("bridge.host"), s.part("bridge.properties"), s.part("sinew.node")
    params_of, scene, seen = s.part("bridge.roots").params_of, bpy.context.scene, 0
    ob = s.tube()
    s.select(ob)
    for kind in host.kinds().values():
        assert bpy.ops.sinew.node_add(kind=kind.id) == {"FINISHED"}
        # Only taken, not computed.
        ob.sinew.nodes[-1].live = False
        settings = properties.settings(ob.sinew.nodes[-1])
        numbers = [param for param in kind.params if param.kind in ("real", "int") and not properties.is_hosts(param)]
        with node.Node(kind, library=host.library()) as made:
            for unit in (1.0, 0.01, 0.3048, 1000.0):
                scene.unit_settings.scale_length = unit
                for limit in ("minimum", "maximum"):
                    for param in numbers:
                        _, power = properties.UNITS.get(param.unit, ("", 0))
                        value = min(max(getattr(param, limit) / unit**power, -(2**31)), 2**31 - 1)
                        setattr(settings, f"param_{param.id}", int(value) if param.kind == "int" else value)
                    given = params_of(kind, settings, scene)
                    for param in numbers:
                        made.set_param(param.id, given[param.id])
                        seen += given[param.id] == getattr(param, limit)
    scene.unit_settings.scale_length = 1
    assert seen > 100, seen


def a_node_that_nobody_has_seen_gets_properties():
    from dataclasses import replace

    host, properties = s.part("bridge.host"), s.part("bridge.properties")
    known = host.kinds()["skinning"]
    later = replace(known, id="later", params=tuple(replace(p, group="New") for p in known.params))
    classes, own = properties.classes_of(later)
    for one in classes:
        bpy.utils.register_class(one)
    assert {f"in_{port.id}" for port in later.inputs} <= set(own.bl_rna.properties.keys())
    for one in reversed(classes):
        bpy.utils.unregister_class(one)


def skinning_does_what_the_armature_does():
    for place, turn, scale in (((0, 0, 0), (0, 0, 0), (1, 1, 1)), ((3, -2, 1), (0.4, -0.7, 1.1), (-2, 0.5, 1.5))):
        s.empty()
        ob = s.tube()
        ob.location, ob.rotation_euler, ob.scale = place, turn, scale
        skins_like_its_armature(ob)


def skins_like_its_armature(ob):
    """The shape is in the object's own space, wherever the object and the armature are."""
    rig = s.armature(ob)
    rig.location = (0.3, 0, 0)
    bpy.context.view_layer.update()
    expected = {}
    for frame in (1, 5, 12):
        bpy.context.scene.frame_set(frame)
        expected[frame] = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
    ob.modifiers.remove(ob.modifiers["Armature"])
    s.select(ob)
    bpy.ops.sinew.node_add(kind="skinning")
    settings = ob.sinew.nodes[-1].of_skinning
    settings.in_points.choice = "REST"
    for port in ("rest_joints", "joints", "influence_counts", "influence_joints", "influence_weights"):
        getattr(settings, f"in_{port}").object = rig
    settings.out_points.choice = "SHAPE"
    bpy.context.view_layer.update()
    for frame in (12, 1, 5):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        found = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
        assert np.abs(found - expected[frame]).max() < 1e-5, (frame, np.abs(found - expected[frame]).max())


def muscles_find_bones_by_their_names(folder):
    """The node muscle_skin takes a muscle set on an armature: the names of its bones are those of the set's joints."""
    muscles = """<muscle_set><space metres_per_unit="1" up="z"/>
    <muscle name="front" origin_joint="lower" origin="0.3 0 0.5" insertion_joint="upper" insertion="0.3 0 2.6" size="0.25"/>
    </muscle_set>"""
    path = pathlib.Path(f"{folder}/muscles.xml")
    path.write_text(muscles)
    s.empty()
    ob = s.tube()
    rig = s.armature(ob)
    ob.modifiers.remove(ob.modifiers["Armature"])
    s.select(ob)
    assert bpy.ops.sinew.node_add(kind="muscle_skin") == {"FINISHED"}
    settings = ob.sinew.nodes[-1].of_muscle_skin
    settings.in_points.choice = "REST"
    for port in ("rest_joints", "joints", "influence_counts", "influence_joints", "influence_weights"):
        getattr(settings, f"in_{port}").object = rig
    settings.out_points.choice = "SHAPE"
    settings.param_muscles, settings.param_smooth = str(path), 1
    settings.param_follow, settings.param_relax = "motion", 0.0

    def shape(frame):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)

    bpy.context.view_layer.update()
    rest = s.points(ob.data)
    assert np.abs(shape(1) - rest).max() < 1e-6
    carried = shape(2)
    settings.param_weight_factor = 0.0
    by_joints = shape(2)
    apart = np.abs(carried - by_joints).max(axis=1)
    assert 1e-3 < apart.max() < 0.5, apart.max()
    assert np.all(apart[rest[:, 2] > 3.5] == 0), "no muscle reaches there"
    settings.param_weight_factor = 1.0
    path.write_text(muscles.replace('"upper"', '"hand"'))
    settings.param_muscles = str(path) + " "
    settings.param_muscles = str(path)
    assert np.array_equal(shape(2), by_joints), "the muscle is left out"


def strands_become_curves_objects_and_properties(folder):
    """The node strand without a scene is a finger: its curves, matrices and angles are those of the library itself."""
    host, node = s.part("bridge.host"), s.part("sinew.node")
    holder = s.tube("Holder")
    s.select(holder)
    bpy.ops.sinew.node_add(kind="strand")
    settings = holder.sinew.nodes[-1].of_strand
    curve = s.link(bpy.data.objects.new("Tendons", bpy.data.curves.new("Tendons", "CURVE")))
    curve.data.dimensions = "3D"
    settings.out_strand_points.choice, settings.out_strand_points.object = "CURVES", curve
    settings.out_joint_turns.choice = "PROPERTY"
    kind = host.kinds()["strand"]
    with node.Node(kind, library=host.library()) as alone:
        alone.set_space(1.0, 1)
        alone.set_param("fps", 24.0)
        alone.step(1, 1 / 24)
        muscles, bodies = alone.output_count("activations"), alone.output_count("body_matrices")
        pull = np.full((muscles, 1), 0.02)
        bones = bpy.data.collections.new("Bones")
        for k in range(bodies):
            bones.objects.link(bpy.data.objects.new(f"bone{k:02}", None))
        settings.out_body_matrices.choice, settings.out_body_matrices.collection = "OBJECTS", bones
        for choice, prepare in (
            ("PROPERTY", lambda: holder.__setitem__("pull", pull.ravel().tolist())),
            ("TEXT", lambda: bpy.data.texts.new("pull").write("# one line each\n" + "0.02\n" * muscles)),
            ("FILE", lambda: pathlib.Path(f"{folder}/pull.csv").write_text("0.02\n" * muscles)),
        ):
            prepare()
            bound = settings.in_activations
            bound.choice, bound.name, bound.path, bound.text = (
                choice,
                "pull",
                f"{folder}/pull.csv",
                bpy.data.texts.get("pull"),
            )
            alone.reset()
            alone.set_lean(True)
            alone.set_start(1 / 24)
            alone.set_input("activations", pull)
            for frame in range(1, 6):
                alone.step(frame, frame / 24)
            s.go_to(5)
            assert s.state(holder)[0] == "computed", s.state(holder)
            turns = np.array(holder["Sinew " + kind.output("joint_turns").title], np.float32)
            assert np.array_equal(turns, alone.read("joint_turns").ravel()), choice
            bpy.context.scene.frame_set(1)
        s.go_to(5)
        wanted, counts = alone.read("strand_points"), alone.read("strand_counts").ravel()
        assert [len(spline.points) for spline in curve.data.splines] == counts.tolist()
        there = np.array([point.co[:3] for spline in curve.data.splines for point in spline.points])
        assert np.abs(there - wanted).max() < 1e-6
        places = [ob.matrix_basis.translation for ob in sorted(bones.objects, key=lambda ob: ob.name)]
        assert np.abs(np.array(places) - alone.read("body_matrices")[:, [3, 7, 11]]).max() < 1e-6
    # What someone has drawn is not deleted.
    drawn = s.link(bpy.data.objects.new("Drawn", bpy.data.curves.new("Drawn", "CURVE")))
    drawn.data.splines.new("BEZIER").bezier_points.add(2)
    settings.out_strand_points.object = drawn
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(1)
    assert s.state(holder)[0] == "failed" and "not of the type Poly" in s.state(holder)[1], s.state(holder)
    assert [len(spline.bezier_points) for spline in drawn.data.splines] == [3]
    settings.out_strand_points.object = curve
    pathlib.Path(f"{folder}/pull.csv").write_text("0.02\nx\n")
    bpy.context.scene.frame_set(1)
    settings.in_activations.path = f"{folder}/pull.csv"
    bpy.context.view_layer.update()
    assert s.state(holder)[0] == "failed" and "line 2" in s.state(holder)[1], s.state(holder)


def numbers_that_do_not_fit_are_said():
    """Custom properties and texts can hold anything."""
    ob = s.tube()
    s.armature(ob)
    settings = s.slide(ob).of_skin_slider
    s.play(ob, range(1, 3))
    bound = settings.in_rows
    bound.choice, bound.name = "PROPERTY", "rows"
    for value, said in (
        ("12", "not made of numbers"),
        ("", "not made of numbers"),
        ({"a": 1}, "not made of numbers"),
        (["a", "b"], "not made of numbers"),
        (ob.data, "not made of numbers"),
        ([0.0, 1.0, 2.0], "3 numbers"),
        ([0.0, -1.0], "has -1, but needs whole numbers"),
        ([0.0, 1.5], "has 1.5, but needs whole numbers"),
        ([0.0, float("nan")], "has nan, but needs whole numbers"),
        ([0.0, 1e12], "has 1e+12, but needs whole numbers"),
        ([0.0, 1.0], "row_vectors"),
        ([[0, 1], [0, 2]], "row_vectors"),
    ):
        ob["rows"] = value
        ob.update_tag()
        bpy.context.view_layer.update()
        assert s.state(ob)[0] == "failed" and said in s.state(ob)[1], (value, s.state(ob))
        bpy.context.scene.frame_set(0)
        assert said in s.state(ob)[1], (value, s.state(ob))
    bound.choice = "NONE"
    # Attributes of all types.
    bound = settings.in_hold
    bound.choice, bound.name = "ATTRIBUTE", "any"
    for kind, said in (
        ("INT8", ""),
        ("INT", ""),
        ("BOOLEAN", ""),
        ("FLOAT2", "needs one with 1 number each"),
        ("FLOAT_COLOR", "1 number each"),
    ):
        made = ob.data.attributes.new("any", kind, "POINT")
        if not said:
            made.data.foreach_set("value", [1] * len(made.data))
        ob.data.update()
        bpy.context.view_layer.update()
        bpy.context.scene.frame_set(1)
        assert said in s.state(ob)[1] and s.state(ob)[0] == ("failed" if said else "computed"), (kind, s.state(ob))
        if not said:
            s.play(ob, range(1, 7))
            assert np.abs(s.uvs(ob) - s.uvs(ob, "UVMap")).max() < 1e-3, "all skin is held"
        ob.data.attributes.remove(ob.data.attributes["any"])
    bound.choice = "NONE"
    assert s.play(ob, range(1, 7)) and np.abs(s.uvs(ob) - s.uvs(ob, "UVMap")).max() > 3e-3
    # Ids are no fields for users, who would see them after the operator.
    for operator, name in ((bpy.ops.sinew.node_add, "kind"), (bpy.ops.sinew.paint, "port")):
        assert operator.get_rna_type().properties[name].is_hidden, name


def lengths_are_in_the_unit_of_the_scene():
    frame, host = s.part("bridge.roots"), s.part("bridge.host")
    ob = s.tube()
    item = s.slide(ob)
    scene = bpy.context.scene
    item.of_skin_slider.param_thickness = 0.4
    scene.unit_settings.scale_length = 0.01
    params = frame.params_of(host.kinds()["skin_slider"], item.of_skin_slider, scene)
    assert abs(params["thickness"] - 0.004) < 1e-9 and params["young"] == 30000 and params["fps"] == 24
    scene.unit_settings.scale_length = 1


class Layout:
    """Takes what panels draw, and refuses what is not there."""

    def __init__(self, drawn):
        self.drawn = drawn

    def same(self, *_, **__):
        return self

    row = column = box = split = same

    def panel(self, name, default_closed=False):
        self.drawn.append(name)
        return self, self

    def label(self, text="", icon="NONE"):
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys(), icon
        self.drawn.append(text)

    def prop(self, data, name, **_):
        assert name in data.bl_rna.properties and data.bl_rna.properties[name].description, (data, name)
        self.drawn.append(name)

    def prop_search(self, data, name, where, collection, **_):
        assert hasattr(where, collection)
        self.prop(data, name)

    def prop_decorator(self, data, name):
        assert name in data.bl_rna.properties

    def operator(self, name, text=None, icon="NONE"):
        module, _, one = name.partition(".")
        made = getattr(getattr(bpy.ops, module), one)
        assert made.get_rna_type().description
        self.drawn.append(name)
        return type("Given", (), {})()

    def operator_menu_enum(self, name, prop, **_):
        assert prop in getattr(bpy.ops.sinew, name.partition(".")[2]).get_rna_type().properties
        self.drawn.append(name)

    def menu(self, name, **_):
        assert hasattr(bpy.types, name)

    def template_list(self, name, _, data, items, active, where, **__):
        assert hasattr(bpy.types, name) and hasattr(data, items) and hasattr(active, where)


def narrow_panels_cut_nothing_off():
    """Fields stand below their titles where these, or numbers, would be cut off beside them."""
    panels = s.part("ui.panels")
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    context, made, width = bpy.context, [], panels.letters

    class Split(Layout):
        """Notes the titles that stand beside their field."""

        is_beside = False

        def split(self, **_):
            made = Split(self.drawn)
            made.is_beside = True
            return made

        def label(self, text="", icon="NONE"):
            titles.extend([text] * self.is_beside)

    try:
        for letters in (41, 29):
            titles = []
            panels.letters = lambda letters=letters: letters
            for one in (
                panels.SINEW_PT_basics,
                panels.SINEW_PT_maps,
                panels.SINEW_PT_settings,
                panels.SINEW_PT_outputs,
            ):
                own = {name: drawn for name, drawn in vars(one).items() if name.startswith("draw")}
                type("Drawn", (), {**own, "layout": Split([])})().draw(context)
            made.append(titles)
    finally:
        panels.letters = width
    assert "Fixed" in made[0] and "Tolerance" in made[0] and not any("When Stretched" in title for title in made[0]), (
        made[0]
    )
    assert made[1] == [], made[1]


def panels_show_what_there_is():
    """Without a window there is nothing to look at, so panels draw into a recorder."""
    panels = s.part("ui.panels")
    context = bpy.context

    def drawn():
        found = []
        for one in panels.CLASSES:
            if issubclass(one, bpy.types.Panel) and getattr(one, "poll", lambda _: True)(context):
                own = {name: made for name, made in vars(one).items() if name.startswith("draw")}
                type("Drawn", (), {**own, "layout": Layout(found)})().draw(context)
        return found

    ob = s.tube()
    s.armature(ob)
    s.select(ob)
    assert drawn() == ["sinew.skin_add", "sinew.node_remove"]
    s.select(bpy.data.objects["Rig"])
    assert drawn() == ["sinew.skin_add", "Select the body, a mesh"]
    s.select(ob)
    item = s.slide(ob)
    there = drawn()
    assert "This frame is computed" in there and "Skin" in there and "sinew.bake" in there and "param_young" in there
    assert "param_fung_exponent" not in there, "it is for another material"
    assert any(text.startswith("1 frame, ") for text in there), there
    item.of_skin_slider.param_material = "fung"
    assert "param_fung_exponent" in drawn()
    context.scene.frame_set(7)
    there = drawn()
    assert "sinew.catch_up" in there and any("Frame 7 is not computed" in text for text in there), there
    s.go_to(7)
    assert "sinew.catch_up" not in drawn()
    # What cannot help is not offered.
    for rest, cure in (("gone", False), ("UVMap", True)):
        item.of_skin_slider.in_rest.name = rest
        if cure:
            ob.modifiers.new("Subdivision", "SUBSURF")
            for modifier in [m for m in ob.modifiers if m.type == "NODES"]:
                ob.modifiers.remove(modifier)
        s.go_to(1)
        assert s.state(ob)[0] == "failed" and ("sinew.capture_update" in drawn()) == cure, (rest, drawn())
    ob.modifiers.remove(ob.modifiers["Subdivision"])
    s.go_to(1)
    for kind in s.part("bridge.host").kinds():
        bpy.ops.sinew.node_add(kind=kind)
        assert any(name.startswith("param_") for name in drawn())


def the_simple_part_comes_first():
    """What most people set is open and on top, all else is folded below; nodes are called as the button that adds them;
    an empty rig is reported."""
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    button = bpy.ops.sinew.skin_add.get_rna_type()
    assert button.name == f"Add {item.name}" and item.name == s.part("bridge.host").kinds()["skin_slider"].title, (
        button.name,
        item.name,
    )
    made = [
        one
        for part in ("ui.panels", "ui.muscles")
        for one in s.part(part).CLASSES
        if getattr(one, "bl_parent_id", "") == "SINEW_PT_main"
    ]
    order = [
        (one.bl_label, "DEFAULT_CLOSED" not in getattr(one, "bl_options", ()))
        for one in sorted(made, key=lambda one: one.bl_order)
    ]
    expected = [
        ("Basics", True),
        ("Inputs", False),
        ("Settings", False),
        ("Outputs", False),
        ("Muscles", True),
        ("Timeline and Bake", False),
    ]
    assert order == expected, order
    basics = s.part("ui.panels").SINEW_PT_basics
    for kind in s.part("bridge.host").kinds().values():
        assert s.part("ui.panels").basics(kind), kind.id
    found = []
    type("Drawn", (), {"layout": Layout(found), "draw": basics.draw})().draw(bpy.context)
    headings = [text for text in found if str(text).startswith(("What ", "How "))]
    assert headings == ["What is fixed", "How firmly", "How stiff", "How it moves", "How fast"], found
    assert "param_young" in found and "param_snap_speed" in found and "param_friction_time" not in found, found
    item.of_skin_slider.param_poisson = 0.6
    assert item.of_skin_slider.param_poisson == 0.5
    assert s.part("bridge.problem").sentence("the body is read") == "The body is read"
    assert bpy.ops.sinew.tendon_new_rig(label="Bare") == {"FINISHED"} and bpy.ops.sinew.tendon_check() == {"FINISHED"}
    rig = bpy.data.collections["Bare"].sinew_tendons
    assert not rig.problems and "empty" in rig.checked, rig.checked


def warnings_are_shown_and_kept_with_their_frames():
    ob = s.tube()
    rig = s.armature(ob)
    s.select(ob)
    assert bpy.ops.sinew.node_add(kind="muscle_skin") == {"FINISHED"}
    item = ob.sinew.nodes[-1]
    settings = item.of_muscle_skin
    settings.param_muscles = (
        '<muscle_set><space up="z"/><muscle name="good" origin_joint="lower" origin="0 0 1.5" insertion_joint="upper" '
        'insertion="0 0 3" size="0.45"/><muscle name="lost" origin_joint="lower" origin="0 0 1" insertion_joint="tail" '
        'insertion="0 0 2" size="0.2"/></muscle_set>'
    )
    known = lambda: s.part("bridge.runtime").known(ob, item, bpy.context.scene)
    for frame in range(1, 5):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
    assert known().timeline.warnings(1) == ['muscle lost (line 1) is left out: the rig has no joint "tail"'], (
        known().timeline.warnings(1)
    )
    assert known().timeline.warnings(4) == ['Frame 1: muscle lost (line 1) is left out: the rig has no joint "tail"']
    rig.pose.bones["upper"].scale = (1.5, 1, 1)
    rig.pose.bones["upper"].keyframe_insert("scale", frame=6)
    rig.pose.bones["upper"].scale = (1, 1, 1)
    rig.pose.bones["upper"].keyframe_insert("scale", frame=5)
    for frame in (1, 2, 3, 4, 5, 6, 1, 6):
        s.go_to(frame)
    assert any('joint "upper": scaling' in text for text in known().timeline.warnings(6)), known().timeline.warnings(6)


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
