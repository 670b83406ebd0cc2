"""Tendons and muscles from what is selected."""

from cases import Scene, refused


def _curve(scene: Scene, name: str) -> str:
    shape = f"|{name}|{name}Shape"
    scene.world.nodes.update({f"|{name}": "transform", shape: "nurbsCurve"})
    scene.world.parents[shape] = f"|{name}"
    return f"|{name}"


def _joints(scene: Scene, *names: str) -> list[str]:
    scene.world.nodes.update({f"|{name}": "joint" for name in names})
    return [f"|{name}" for name in names]


def a_tendon_goes_into_the_node_that_there_is_or_a_new_one():
    scene = Scene()
    refused("Select the NURBS curves", scene.sinew.run, "tendon")
    scene.world.selection = [_curve(scene, "flexor"), _curve(scene, "extensor")]
    shapes = ("|flexor|flexorShape", "|extensor|extensorShape")
    # Nodes of other types are none to draw in.
    scene.world.add_node("muscles1", "sinewMuscleSkin")
    scene.sinew.run("tendon")
    assert scene.plug.asked[-1] == ("sinewTendon", shapes, {"draw": True})
    scene.world.add_node("strand1", "sinewStrand")
    scene.sinew.run("tendon", radius=0.2)
    assert scene.plug.asked[-1] == ("sinewTendon", shapes, {"node": "strand1", "draw": True, "radius": 0.2})
    # Of several, the selected one; where none is selected, the user says which.
    scene.world.add_node("strand2", "sinewStrand")
    scene.world.selection.append("strand2")
    scene.sinew.run("tendon")
    assert scene.plug.asked[-1][2]["node"] == "strand2"
    scene.world.selection.pop()
    scene.world.answers["choose"] = "strand1"
    scene.sinew.run("tendon")
    assert scene.plug.asked[-1][2]["node"] == "strand1"
    assert scene.world.called("inViewMessage")[-1][1]["assistMessage"] == "The scene was edited."
    assert set(scene.world.chunks) == {"Draw Tendons on Curves"}


def bones_are_the_selected_joints():
    scene = Scene()
    refused("Select the joints", scene.sinew.run, "bodies")
    scene.world.selection = _joints(scene, "hip", "knee")
    scene.sinew.run("bodies", lead="all")
    assert scene.plug.asked == [("sinewTendon", ("|hip", "|knee"), {"addBodies": "all"})]


def tendons_are_mirrored_and_saved_where_there_are_some():
    scene = Scene()
    for action in ("mirror_tendons", "save_tendons", "tendon_curves"):
        refused("no tendons in this scene", scene.sinew.run, action)
    scene.world.add_node("strand1", "sinewStrand")
    scene.sinew.run("mirror_tendons")
    scene.world.answers["file"] = ["/hand.xml"]
    scene.sinew.run("save_tendons")
    scene.sinew.run("tendon_curves")
    assert [flags for _, _, flags in scene.plug.asked] == [
        {"node": "strand1", "mirror": "x"},
        {"node": "strand1", "file": "/hand.xml"},
        {"node": "strand1", "showCurves": True},
    ]


def muscles_need_a_muscle_skin():
    scene = Scene()
    for action in ("fit", "mirror_muscles", "range"):
        refused("no muscle skin in this scene", scene.sinew.run, action)
    mesh = scene.character()
    assert scene.sinew.run("muscle_skin") == ["sinewMuscleSkin1"]
    assert scene.plug.asked == [("sinewCreate", (mesh,), {"type": "sinewMuscleSkin"})]
    for action, flags in (("fit", {"fitHuman": True}), ("mirror_muscles", {"mirror": True})):
        scene.sinew.run(action)
        assert scene.plug.asked[-1] == ("sinewMuscles", (), {"node": "sinewMuscleSkin1", **flags})


def a_muscle_runs_between_two_joints_or_two_locators():
    scene = Scene()
    scene.world.add_node("muscles1", "sinewMuscleSkin")
    joints = _joints(scene, "upper_arm", "forearm", "hand")
    scene.world.selection = joints
    refused("Select two joints", scene.sinew.run, "muscle")
    scene.world.selection = joints[:2]
    scene.sinew.run("muscle", name="biceps")
    assert scene.plug.asked[-1] == (
        "sinewMuscles",
        (*joints[:2],),
        {"node": "muscles1", "addMuscle": True, "name": "biceps"},
    )
    for name in ("from", "to"):
        scene.world.nodes.update({f"|{name}": "transform", f"|{name}|{name}Shape": "locator"})
        scene.world.parents[f"|{name}|{name}Shape"] = f"|{name}"
    scene.world.selection = ["|from", *joints[:2], "|to"]
    scene.sinew.run("muscle")
    assert scene.plug.asked[-1] == (
        "sinewMuscles",
        (*joints[:2], "|from", "|to"),
        {"node": "muscles1", "addMuscle": True},
    )


def what_goes_wrong_in_the_range_of_motion_is_said():
    scene = Scene()
    scene.world.add_node("muscles1", "sinewMuscleSkin")
    assert scene.sinew.run("range") == [] and scene.world.said == []
    scene.plug.problems = ["The muscle biceps flips at 120 degrees of the forearm."]
    assert scene.sinew.run("range") == scene.plug.problems == scene.world.said
    assert scene.world.chunks == []
