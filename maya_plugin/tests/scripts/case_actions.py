"""Every action in good and in bad circumstances."""

from cases import Scene, is_sentence, refused


def every_action_needs_the_plug_in_and_loads_it():
    for loadable in (True, False):
        scene = Scene(loaded=False, loadable=loadable)
        scene.character(slides=True)
        if loadable:
            assert scene.sinew.run("check") == []
            assert scene.world.called("loadPlugin") == [(("sinew",), {"quiet": True})]
        else:
            for action in scene.part("table").ACTIONS:
                refused("could not be loaded", scene.sinew.run, action.id)
            assert scene.plug.asked == []


def nothing_selected_is_one_sentence():
    scene = Scene()
    for action in scene.part("table").ACTIONS:
        if action.needs is scene.part("scene").ALWAYS:
            continue
        refused("Select", scene.sinew.run, action.id)
        # As a click: shown, not raised.
        scene.sinew.clicked(action.id, False)
        is_sentence(scene.world.said[-1])
    assert scene.plug.asked == [] and scene.world.chunks == []


def a_selected_light_is_not_a_mesh():
    scene = Scene()
    scene.world.nodes["light1"] = "transform"
    scene.world.selection = ["light1"]
    refused("Select a mesh", scene.sinew.run, "slide")


def sliding_goes_onto_each_selected_mesh_in_one_undo():
    scene = Scene()
    meshes = [scene.character("body"), scene.character("head")]
    # A component stands for its mesh, and the mesh for its transform.
    scene.world.selection = [f"{meshes[0]}|bodyShape.vtx[3]".replace(".vtx[3]", ""), meshes[0], meshes[1]]
    made = scene.sinew.run("slide")
    assert made == ["sinewSkinSlider1", "sinewSkinSlider2"]
    assert scene.plug.asked == [("sinewCreate", (mesh,), {"type": "sinewSkinSlider"}) for mesh in meshes]
    assert scene.world.chunks == ["Add Sliding Skin"] and scene.world.open_chunks == 0
    assert scene.world.selection == made and scene.world.said == []


def no_skin_cluster_is_said_and_goes_on():
    scene = Scene()
    scene.character(skinned=False)
    assert scene.sinew.run("slide") == ["sinewSkinSlider1"]
    (said,) = scene.world.said
    is_sentence(said)
    assert "no skinCluster" in said


def a_failing_command_is_its_sentence_and_closes_the_undo():
    scene = Scene()
    scene.character(slides=True)
    scene.plug.fails = "body has no UV set: give it one first\n"
    refused("Body has no UV set: give it one first.", scene.sinew.run, "slide")
    assert scene.world.open_chunks == 0
    scene.sinew.clicked("slide", True)
    assert scene.world.said[-1] == "Body has no UV set: give it one first."
    scene.plug.fails = "\n"
    refused("without a message", scene.sinew.run, "solve")


def solving_takes_what_is_given_or_leaves_it_to_the_plug_in():
    scene = Scene()
    scene.character(slides=True)
    assert scene.sinew.run("solve") == 12
    assert scene.sinew.run("solve", first=3, last=5) == 3
    assert [flags for _, _, flags in scene.plug.asked] == [
        {},
        {"startFrame": 3, "endFrame": 5},
    ]
    refused("swap", scene.sinew.run, "solve", first=9, last=5)
    assert scene.world.chunks == [], "solving changes nothing in the scene"


def who_caches_no_dynamics_is_told_where_to_turn_it_on():
    for cache_on, dynamics_cached in [(False, False), (True, True), (True, False)]:
        scene = Scene(cache_on=cache_on, dynamics_cached=dynamics_cached)
        scene.character(slides=True)
        scene.sinew.run("solve")
        told = [flags["assistMessage"] for _, flags in scene.world.called("inViewMessage")]
        advice = scene.part("caching").ADVICE
        expected = cache_on and not dynamics_cached
        assert told == ([advice] if expected else [])
        scene.world.values.update({"body_slider.status": "", "body_slider.missing_frames": ""})
        line = scene.part("rows").status_text("body_slider")
        assert line == f"This frame is computed.  {advice if expected else ''}".strip()


def nodes_are_found_selected_or_in_the_history():
    scene = Scene()
    scene.character(slides=True)
    scene.world.add_node("strand1", "sinewStrand")
    scene.world.selection = ["strand1", "|body", "body_slider"]
    assert scene.part("scene").nodes() == ["strand1", "body_slider"]


def nodes_are_removed_from_their_bodies_in_one_undo():
    scene = Scene()
    scene.character(slides=True)
    scene.world.add_node("strand1", "sinewStrand")
    scene.world.selection = ["strand1", "|body"]
    assert scene.sinew.run("remove") == ["body_slider"]
    assert scene.plug.asked == [("sinewRemove", ("body_slider",), {})]
    assert scene.world.chunks == ["Remove from Body"] and scene.world.open_chunks == 0
    scene.world.selection = ["strand1"]
    refused("delete it by Maya's own command", scene.sinew.run, "remove")


def baking_asks_for_a_file():
    scene = Scene()
    scene.character(slides=True)
    scene.world.answers["file"] = ["/shots/neck.abc"]
    assert scene.sinew.run("bake") == ["/shots/neck.abc"]
    assert scene.world.called("fileDialog2")[0][1]["fileFilter"] == "Alembic (*.abc)"
    scene.world.answers["file"] = None
    scene.sinew.clicked("bake")
    assert len(scene.plug.asked) == 1 and scene.world.said == [] and scene.world.open_chunks == 0


def jobs_go_out_and_come_back():
    scene = Scene()
    mesh = scene.character(slides=True)
    scene.world.answers["file"] = ["/farm/a010"]
    assert scene.sinew.run("export") == "/farm/a010/job.xml"
    for place, flags in (
        ("Beside the body, to compare", {}),
        ("Onto the body, in the place of its node", {"onto": True}),
    ):
        scene.world.answers["choose"] = place
        assert scene.sinew.run("import") == ["results1"]
        assert scene.plug.asked[-1] == ("sinewImportResults", (mesh,), {"folder": "/farm/a010", **flags})
    assert scene.world.chunks == ["Import a Job's Results"] * 2
    # A job is that of one node.
    scene.world.add_node("muscles1", "sinewMuscleSkin", mesh)
    for node in ("muscles1", "body_slider"):
        scene.world.answers["choose"] = node
        scene.sinew.run("export")
        assert scene.plug.asked[-1][1] == (node,)


def results_of_a_node_without_a_mesh_go_to_the_node():
    scene = Scene()
    scene.world.add_node("strand1", "sinewStrand")
    scene.world.selection = ["strand1"]
    assert scene.sinew.run("import", folder="/x", place="beside") == ["results1"]
    assert scene.plug.asked[-1] == ("sinewImportResults", ("strand1",), {"folder": "/x"})


def keys_take_the_place_of_what_slides():
    scene = Scene()
    mesh = scene.character(slides=True)
    scene.world.add_node("muscles1", "sinewMuscleSkin", mesh)
    assert scene.sinew.run("bake_keys", first=3, last=9) == ["body_slider_keys"]
    flags = {"uvKeys": True, "startFrame": 3, "endFrame": 9}
    assert scene.plug.asked[-1] == ("sinewBake", ("body_slider",), flags)
    assert scene.world.chunks == ["Bake UVs to Keys"]
    assert scene.sinew.run("switch") == "body_keys"
    assert scene.plug.asked[-1] == ("sinewSwitch", (mesh,), {})
    assert scene.sinew.run("switch", to="body_slider") == "body_slider"
    assert scene.world.called("inViewMessage")[-1][1]["assistMessage"] == "Shown now: body_slider"
    scene.world.selection = ["muscles1"]
    refused("Select a mesh with sliding skin", scene.sinew.run, "bake_keys")


def batch_mode_asks_nobody():
    scene = Scene(batch=True)
    scene.character(slides=True)
    for action in ("bake", "export", "import", "mirror"):
        refused("in batch mode", scene.sinew.run, action)
    refused("batch mode", scene.sinew.run, "paint", node="body_slider", attribute="hold")
    assert scene.plug.asked == []
    assert scene.sinew.run("bake", file="/x.abc") == ["/x.abc"]
    assert scene.sinew.run("export", folder="/x", first=1, last=2) == "/x/job.xml"
    assert scene.sinew.run("mirror", node="body_slider", attribute="hold") == 12


def a_map_is_chosen_from_a_list():
    scene = Scene()
    scene.character(slides=True)
    scene.world.answers["choose"] = "Hold  (body_slider)"
    assert scene.sinew.run("mirror") == 12
    assert scene.plug.asked == [("sinewMirrorMap", ("body_slider",), {"mapName": "hold"})]
    scene.world.answers["choose"] = ""
    scene.sinew.clicked("mirror")
    assert len(scene.plug.asked) == 1 and scene.world.said == []


def a_node_without_maps_cannot_be_painted():
    scene = Scene()
    scene.world.add_node("strand1", "sinewStrand")
    scene.world.selection = ["strand1"]
    refused("with maps", scene.sinew.run, "paint")
    refused("no map hold", scene.part("paint").start, "strand1", "hold")


def copying_goes_from_the_first_to_all_others():
    scene = Scene()
    meshes = [scene.character("body", slides=True), scene.character("twin"), scene.character("child")]
    scene.world.selection = meshes[:1]
    refused("Select the character", scene.sinew.run, "copy")
    scene.world.selection = meshes
    assert scene.sinew.run("copy") == ["body_slider_copy"] * 2
    assert [flags for _, _, flags in scene.plug.asked] == [{"toMesh": meshes[1]}, {"toMesh": meshes[2]}]
    assert len(scene.world.chunks) == 1
    scene.world.selection = [meshes[1], meshes[0]]
    refused("selected first", scene.sinew.run, "copy")


def an_output_is_chosen_by_its_title():
    scene = Scene()
    scene.character(slides=True)
    assert scene.sinew.run("show") == ["body_slider_viewShape"]
    assert scene.plug.asked[-1] == ("sinewShow", ("body_slider",), {"outputs": "out_load"})
    assert scene.world.chunks == ["Show in the View"]
    scene.plug.sinewShow = lambda *nodes, **flags: []
    refused("nothing that can be shown", scene.sinew.run, "show")


def checking_asks_for_what_is_selected_or_for_all():
    scene = Scene()
    scene.character(slides=True)
    assert scene.sinew.run("check") == []
    assert scene.world.called("inViewMessage")[-1][1]["assistMessage"] == "Sinew found nothing wrong."
    scene.plug.faults = [
        {"node": "body_slider", "text": "The map hold holds no vertex.", "components": ["|body.vtx[12]"]}
    ]
    # The command itself says and selects it.
    assert scene.sinew.run("check") == scene.plug.faults
    # With nothing selected: all nodes.
    scene.world.selection = []
    scene.sinew.run("check")
    assert scene.plug.asked[-1][1] == ("body_slider",)
    refused("no node of Sinew in this scene", Scene().sinew.run, "check")


def every_action_calls_the_command_that_it_names():
    scene = Scene()
    scene.character("twin")
    scene.character("body", slides=True)
    scene.world.nodes.update({"|hip": "joint", "|knee": "joint", "|line": "transform", "|line|lineShape": "nurbsCurve"})
    scene.world.parents["|line|lineShape"] = "|line"
    scene.world.add_node("strand1", "sinewStrand")
    scene.world.add_node("muscles1", "sinewMuscleSkin", "|twin")
    scene.world.selection = ["|body", "|twin", "|hip", "|knee", "|line"]
    scene.world.answers["choose"] = "muscles1"
    given = {
        "paint": {"node": "body_slider", "attribute": "hold"},
        "mirror": {"node": "body_slider", "attribute": "hold"},
        "bake": {"file": "/x.abc"},
        "export": {"folder": "/x", "node": "body_slider"},
        "import": {"folder": "/x", "place": "onto"},
        "show": {"node": "body_slider"},
        "save_tendons": {"file": "/x.xml"},
    }
    for action in scene.part("table").ACTIONS:
        scene.plug.asked.clear()
        selected = list(scene.world.selection)
        scene.sinew.run(action.id, **given.get(action.id, {}))
        assert {name for name, _, _ in scene.plug.asked} == ({action.uses} - {""}), action.id
        scene.world.selection = selected


def an_unknown_action_names_those_that_there_are():
    refused("slide, paint, mirror", Scene().sinew.run, "slid")


def other_versions_of_the_plug_in_are_one_sentence():
    scene = Scene(description='{"nodes": [{"type_name": "sinewSkinSlider"}]}')
    scene.character()
    refused("different versions", scene.sinew.run, "slide")
    scene = Scene(description='{"nodes": []}')
    scene.character()
    refused("no sliding skin", scene.sinew.run, "slide")
    # Said before anybody is asked for a file.
    del scene.world.commands["sinewBake"]
    refused("has no sinewBake", scene.sinew.run, "bake")
