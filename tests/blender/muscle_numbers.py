"""The numbers of single muscles, seen and entered as properties: muscle_numbers.py ZIP CASE...

The bodies are those of muscles.py: turned, moved and scaled, with odd names."""

import pathlib
import re
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import muscles as limbs
import support as s
from muscles import names, settings_of, shape, with_muscles
from versions import drawn_in_red

from nodes import Layout

# What is entered for each number, and how it stands in a set of Blender's own space.
ENTERED = {
    "size": (0.1, "0.1"),
    "taper": (1.7, "1.7"),
    "girth": (1.2, "1.2"),
    "weight": (0.6, "0.6"),
    "bulge": (0.9, "0.9"),
    "stretch_ratio": (3.3, "3.3"),
    "swell": (0.4, "0.4"),
    "flex": (0.3, "0.3"),
    "mass": (0.7, "0.7"),
    "stiffness": (123.4, "123.4"),
    "damping": (0.05, "0.05"),
    "origin": ((0.6, 0.1, -0.05), "0.6 0.1 -0.05"),
    "insertion": ((2.1, 0, 0.07), "2.1 0 0.07"),
    "middle": ((0, -0.11, 0.02), "0 -0.11 0.02"),
    "up": ((0.1, 0.2, 1), "0.1 0.2 1"),
    "rings": (12, "12"),
    "divisions": (10, "10"),
    "insertion_joint": ("wurzel", "wurzel"),
}


def muscle(ob, name="bizeps.L"):
    return ob.sinew_muscles.names[name]


def text(ob):
    return settings_of(ob).param_muscles


def stands(ob, attribute, name="bizeps.L"):
    """An attribute of a muscle as it stands in the set."""
    found = re.search(rf'<muscle name="{re.escape(name)}"[^>]* {attribute}="([^"]*)"', text(ob))
    return found[1] if found else None


def with_attribute(xml, attribute, value, name="bizeps.L"):
    """The set as someone with a text editor would change it."""
    opening = re.search(rf'<muscle name="{re.escape(name)}"[^>]*>', xml)[0]
    made = re.sub(rf' {attribute}="[^"]*"', "", opening).replace("<muscle", f'<muscle {attribute}="{value}"', 1)
    return xml.replace(opening, made)


def moving(ob, frame=6):
    """The body and the muscles in a frame."""
    return shape(ob, frame).tobytes() + s.points(ob.sinew_muscles.live.data).tobytes()


def numbers_change_what_the_same_set_as_a_text_changes():
    ob, _ = limbs.arms()
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    # On the side where bending stretches it, and half activated.
    assert bpy.ops.sinew.muscle_create(
        label="bizeps.L", origin="Oberarm.L", insertion="Hand.L", offset=(0, -0.1, -0.1)
    ) == {"FINISHED"}
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    ob["active"] = [0.5]
    settings_of(ob).in_activations.choice, settings_of(ob).in_activations.name = "PROPERTY", "active"
    before = text(ob)
    plain = moving(ob)
    for attribute, (value, word) in ENTERED.items():
        setattr(muscle(ob), attribute, value)
        assert stands(ob, attribute) == word, (attribute, stands(ob, attribute))
        seen = getattr(muscle(ob), attribute)
        assert (
            seen == value if isinstance(value, (str, int)) else np.array_equal(np.float32(seen), np.float32(value))
        ), (attribute, seen)
        found = moving(ob)
        # Bending stretches it: it never activates itself.
        assert (found != plain) == (attribute != "flex"), attribute
        settings_of(ob).param_muscles = with_attribute(before, attribute, word)
        assert moving(ob) == found, attribute
        settings_of(ob).param_muscles = before
    assert moving(ob) == plain


def a_change_shows_at_once_and_can_be_undone():
    ob, _ = with_muscles()
    s.go_to(1)
    rest = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)

    def seen():
        body = bpy.data.objects["Body"]
        return muscle(body).girth, muscle(body).bulge, tuple(muscle(body).middle), text(body), names(body)

    def enter(attribute, value):
        setattr(muscle(bpy.data.objects["Body"]), attribute, value)
        return {"FINISHED"}

    for attribute, value in (("girth", 1.5), ("bulge", 0.8), ("middle", (0, 0.1, 0))):
        s.done_and_undone(seen, lambda **given: enter(**given), attribute=attribute, value=value)
    ob = bpy.data.objects["Body"]
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()
    now = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
    assert s.state(ob)[0] == "computed" and np.abs(now - rest).max() > 0.01
    # So it is where the muscles are shown, and the frame is shown that the change leads to.
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    live = ob.sinew_muscles.live
    before, body = s.points(live.data), s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
    muscle(ob).girth = 2
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "computed" and np.abs(s.points(live.data) - before).max() > 0.01
    assert np.abs(s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data) - body).max() > 0.01
    # The same number once more changes nothing.
    before = text(ob)
    muscle(ob).bulge = 0.8
    assert text(ob) == before and s.state(ob)[0] == "computed"
    # Too small a number is the smallest one; NaN is refused.
    muscle(ob).mass = -3
    assert stands(ob, "mass") == "0.001"
    muscle(ob).mass = float("nan")
    assert stands(ob, "mass") == "0.001"
    muscle(ob).up = (0, 0, 1)
    muscle(ob).up = (0, 0, 0)
    assert stands(ob, "up") is None


def later_frames_show_a_preview():
    """The frame goes on from the one before, as it was with the old number; Catch Up computes both."""
    ob, _ = with_muscles()
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    before = shape(ob, 6)

    def after():
        bpy.context.view_layer.update()
        bpy.context.view_layer.update()
        return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)

    for value in (1.5, 2.0):
        muscle(ob).size = 0.2 / value
        muscle(ob).girth = value
        seen = after()
        assert s.state(ob)[0] == "preview" and np.abs(seen - before).max() > 1e-3
        before = seen
    assert np.abs(shape(ob, 6) - seen).max() < 1e-3, "it moves slowly"
    # Where the state before does not fit, the frame waits to be computed.
    assert bpy.ops.sinew.muscle_create(label="third", origin="Hand.L", insertion="wurzel", size=0.05) == {"FINISHED"}
    after()
    assert s.state(ob)[0] == "missing" and "Catch Up" in s.state(ob)[1], s.state(ob)
    shape(ob, 6)


def numbers_are_saved_mirrored_and_renamed(folder):
    ob, _ = with_muscles()
    ob.sinew_muscles.active = 1
    assert bpy.ops.sinew.muscle_remove() == {"FINISHED"}
    for attribute in ("bulge", "taper", "stiffness", "middle", "up"):
        setattr(muscle(ob), attribute, ENTERED[attribute][0])
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"}
    right = muscle(ob, "bizeps.R")
    assert np.allclose((right.bulge, right.taper, right.stiffness), (0.9, 1.7, 123.4))
    assert np.allclose(right.middle, (0, -0.11, 0.02)) and np.allclose(np.abs(right.up), (0.1, 0.2, 1))
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    ob.sinew_muscles.active = 0
    assert bpy.ops.sinew.muscles_sculpt(which="CHOSEN") == {"FINISHED"}
    made = ob.sinew_muscles.sculpt
    played = shape(ob, 5)
    # Renamed as in the list: its set, its weights and the mesh that is sculpted go with it.
    muscle(ob).name = '上腕二頭筋 "ä" & <x>.L'
    assert names(ob) == ['上腕二頭筋 "ä" & <x>.L', "bizeps.R"] and np.array_equal(shape(ob, 5), played)
    assert (
        muscle(ob, names(ob)[0]).bulge == right.bulge
        and "bizeps.L" not in ob.vertex_groups
        and "bizeps.L" not in text(ob)
    )
    for vertex in made.data.vertices[32:40]:
        vertex.co.z += 0.1
    made.data.update()
    assert bpy.ops.sinew.muscles_take() == {"FINISHED"} and text(ob).count("<offset") == 8
    muscle(ob, names(ob)[0]).name = "bizeps.R"
    assert names(ob) == ["bizeps.R.001", "bizeps.R"], "a name that is taken gets a number"
    muscle(ob, "bizeps.R.001").name = "Hand.L"
    assert names(ob)[0] == "Hand.L.001", "so does that of a bone, whose weights are not the muscle's"
    ob.sinew_muscles.names[0].name = ""
    assert names(ob)[0] == "Hand.L.001", "every muscle has a name"
    ob.sinew_muscles.names[0].name = "Ωμος"
    muscle(ob, "Ωμος").damping = 0.33
    played, path = shape(ob, 5), f"{folder}/numbers.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    ob = bpy.data.objects["Body"]
    assert (
        names(ob) == ["Ωμος", "bizeps.R"]
        and stands(ob, "damping", "Ωμος") == "0.33"
        and np.array_equal(shape(ob, 5), played)
    )
    # A set in a file: it is shown, and the first number that is entered copies it into the .blend file.
    pathlib.Path(f"{folder}/set.xml").write_text(text(ob), encoding="utf-8")
    settings_of(ob).param_muscles = "//set.xml"
    assert abs(muscle(ob, "Ωμος").damping - 0.33) < 1e-6
    muscle(ob, "Ωμος").damping = 0.5
    assert stands(ob, "damping", "Ωμος") == "0.5" and 'damping="0.33"' in pathlib.Path(f"{folder}/set.xml").read_text(
        encoding="utf-8"
    )


def a_number_goes_to_several_muscles():
    ob, _ = with_muscles()
    for label, origin in (
        ("breit.1", "Oberarm.L"),
        ("breit.2", "Oberarm.L"),
        ("breit.3", "wurzel"),
        ("[breit].1", "wurzel"),
    ):
        assert bpy.ops.sinew.muscle_create(label=label, origin=origin, insertion="Hand.L", size=0.1) == {"FINISHED"}
    ob.sinew_muscles.active = names(ob).index("breit.1")
    muscle(ob, "breit.1").bulge = 0.7

    def bulges():
        return {one.name: round(one.bulge, 6) for one in bpy.data.objects["Body"].sinew_muscles.names}

    s.done_and_undone(bulges, bpy.ops.sinew.muscle_number_share, number="bulge")
    ob = bpy.data.objects["Body"]
    assert bulges() == {
        "bizeps.L": 0.5,
        "bizeps.R": 0.5,
        "breit.1": 0.7,
        "breit.2": 0.7,
        "breit.3": 0.7,
        "[breit].1": 0.5,
    }
    assert bpy.ops.sinew.muscle_number_share(number="bulge", to="*.R") == {"FINISHED"} and bulges()["bizeps.R"] == 0.7
    ob.sinew_muscles.active = 0
    assert bpy.ops.sinew.muscle_number_share(number="bulge") == {"FINISHED"} and set(bulges().values()) == {0.5}
    s.refused('no other muscle is called "x*"', bpy.ops.sinew.muscle_number_share, number="bulge", to="x*")
    ob.sinew_muscles.active = names(ob).index("[breit].1")
    s.refused("no other muscle", bpy.ops.sinew.muscle_number_share, number="taper")
    offered = {item[0] for item in s.part("ops.muscle.numbers").shared()}
    assert {"size", "bulge", "damping"} <= offered and not offered & {"origin", "up", "rings", "origin_joint"}


def a_strip_of_a_sheet_gets_a_number_of_its_own():
    ob, _ = with_muscles()
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    sheet = (
        '<muscle_set><space up="z"/><muscle name="flach" origin_joint="Oberarm.L" origin="0.5 0 0.1" origin_to="0.5 '
        '0.1 0.1" '
        'insertion_joint="Hand.L" insertion="2 0 0" count="3" size="0.05"><head name="Kopf" origin_joint="wurzel" '
        'origin="0.1 0 0"/>'
        '<offset ring="4" vertex="0" by="0 0.02 0"/></muscle></muscle_set>'
    )
    settings_of(ob).param_muscles = sheet
    assert names(ob) == ["flach.1", "flach.2", "flach.3", "Kopf"] and abs(muscle(ob, "flach.2").origin[1] - 0.05) < 1e-7
    plain = moving(ob)
    muscle(ob, "flach.2").taper = 1
    assert text(ob) == sheet, "nothing was changed"
    muscle(ob, "flach.2").taper = 2
    assert names(ob) == ["flach.1", "flach.2", "flach.3", "Kopf"] and [one.taper for one in ob.sinew_muscles.names] == [
        1,
        2,
        1,
        1,
    ]
    assert moving(ob) != plain
    muscle(ob, "flach.2").taper = 1
    assert moving(ob) == plain, "muscles of their own lie where those of the sheet did"


def lengths_are_those_of_the_scene():
    """A set in centimetres with y up in a scene whose unit is half a metre."""
    ob, _ = with_muscles()
    settings_of(ob).param_muscles = (
        '<muscle_set><space metres_per_unit="0.01" up="y"/><muscle name="m" origin_joint="Oberarm.L" '
        'origin="50.000000000001 2 -3" '
        'insertion_joint="Hand.L" insertion="200 0 1" middle="0 4 0" up="0 1 0.5" size="5"/></muscle_set>'
    )
    bpy.context.scene.unit_settings.scale_length = 0.5
    found = muscle(ob, "m")
    assert np.allclose(found.origin, (1, 0.06, 0.04)) and abs(found.size - 0.1) < 1e-6
    assert np.allclose(found.middle, (0, 0, 0.08)) and np.allclose(found.up, (0, -0.5, 1))
    found.origin[1] = 0.5
    assert stands(ob, "origin", "m") == "50.000000000001 2 -25", "numbers that are not entered keep their bits"
    muscle(ob, "m").size = 0.25
    assert stands(ob, "size", "m") == "12.5"
    properties = muscle(ob, "m").bl_rna.properties
    assert {properties[name].unit for name in ("size", "origin", "insertion", "middle")} == {"LENGTH"}
    bpy.context.scene.unit_settings.scale_length = 1


def tooltips_and_defaults_are_the_librarys():
    ob, _ = with_muscles()
    kind, numbers = s.part("bridge.host").kinds()["muscle_skin"], s.part("bridge.muscle_numbers").numbers()
    arrays = {port.id for port in kind.inputs if port.items == "muscle"} - {"activations"}
    assert {number.port for number in numbers} == arrays, "every array of muscles is a number of each"
    made = muscle(ob).bl_rna.properties
    for number in numbers:
        assert made[number.name].description == number.doc and not made[number.name].is_animatable
    assert made["mass"].name == "Mass (kg)" and made["stiffness"].name == "Stiffness (N/m)"
    for name, value in {"bulge": 0.5, "stiffness": 300, "rings": 9}.items():
        assert made[name].default == value and getattr(muscle(ob), name) == value


def the_panel_shows_the_numbers_of_the_chosen_muscle(folder):
    panel = s.part("ui.muscles").SINEW_PT_muscles

    class Seen(Layout):
        """Takes down which fields can be changed."""

        enabled = True

        def prop(self, data, name, **how):
            super().prop(data, name, **how)
            fields[name] = self.enabled

    def drawn():
        found = []
        fields.clear()
        own = {name: made for name, made in vars(panel).items() if name.startswith("draw")}
        type("Drawn", (), {**own, "layout": Seen(found)})().draw(bpy.context)
        return " ".join(found)

    fields = {}
    ob, rig = limbs.arms()
    s.select(ob)
    bpy.context.scene.frame_set(5)
    by_bones = s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert s.state(ob) == ("computed", "") and not drawn_in_red(s.part("ui.panels").SINEW_PT_main)
    assert np.abs(shape(ob, 5) - by_bones).max() < 1e-5
    known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene)
    bpy.context.scene.frame_set(1)
    assert "there are no muscles, so joints alone move the skin" in known.timeline.warnings(1)
    assert "press Create Muscle" in drawn() and "bulge" not in fields
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    assert "Shape of bizeps.L" in drawn() and "press Create Muscle" not in drawn() and s.state(ob) == ("computed", "")
    assert set(ENTERED) | {"origin_joint"} <= set(fields) and all(fields.values())
    # An array that the node gets counts in place of the number.
    ob["bulges"] = [0.9]
    settings_of(ob).in_muscle_bulges.choice, settings_of(ob).in_muscle_bulges.name = "PROPERTY", "bulges"
    assert "Muscle Bulges" in drawn() and not fields["bulge"] and fields["taper"]
    settings_of(ob).in_muscle_bulges.choice = "NONE"
    # A sculpted muscle keeps its number of vertices.
    offset = '><offset ring="4" vertex="7" by="0 0.1 0"/></muscle></muscle_set>'
    settings_of(ob).param_muscles = text(ob).replace("/>\n</muscle_set>", offset)
    drawn()
    assert not fields["rings"] and not fields["divisions"] and fields["size"]
    muscle(ob).rings = 3
    assert muscle(ob).rings == 9 and s.state(ob)[0] == "computed"
    # Linked, or on an override to which it came, it is shown but not changed.
    linked = from_library(ob, folder)
    for ob, why in ((linked, "linked from"), (overridden(linked), "came with it from")):
        s.select(ob)
        assert "cannot be changed" in drawn() and why in drawn() and muscle(ob).bulge == 0.5, drawn()
        before = text(ob)
        muscle(ob).bulge = 0.9
        muscle(ob).name = "other"
        assert text(ob) == before and names(ob) == ["bizeps.L"]
    s.refused("came with it from", bpy.ops.sinew.muscles_mirror)


def from_library(ob, folder):
    """The body linked from a file of its own, into an empty scene."""
    whole = bpy.data.collections.new("Whole")
    for one in (ob, ob.parent):
        whole.objects.link(one)
    name = whole.name
    bpy.data.libraries.write(f"{folder}/library.blend", {whole}, fake_user=True)
    bpy.data.collections.remove(whole)
    s.empty()
    with bpy.data.libraries.load(f"{folder}/library.blend", link=True) as (_, here):
        here.collections = [name]
    bpy.context.scene.collection.children.link(here.collections[0])
    return next(one for one in here.collections[0].objects if one.type == "MESH")


def overridden(linked):
    """An editable override of a linked body, with a mesh of its own."""
    whole = linked.users_collection[0].override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    made = next(one for one in whole.all_objects if one.type == "MESH")
    made.data = made.data.copy()
    return made


def an_override_gets_muscles_of_its_own(folder):
    ob, _ = limbs.arms()
    ob = overridden(from_library(ob, folder))
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"} and names(ob) == ["bizeps.L", "bizeps.R"]
    assert not any(muscle(ob).is_property_readonly(field) for field in ("bulge", "origin", "name"))
    muscle(ob).bulge = 0.9
    muscle(ob).name = "neu"
    played, path = shape(ob, 5), f"{folder}/shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    ob = next(one for one in bpy.data.objects if one.override_library and one.type == "MESH")
    assert (
        names(ob) == ["neu", "bizeps.R"]
        and stands(ob, "bulge", "neu") == "0.9"
        and np.array_equal(shape(ob, 5), played)
    )


OTHERS = ("muscle", "text", "stands", "with_attribute", "moving", "from_library", "overridden")
CASES = {name: case for name, case in s.cases(globals()).items() if name not in OTHERS}

if __name__ == "__main__":
    s.main(CASES)
