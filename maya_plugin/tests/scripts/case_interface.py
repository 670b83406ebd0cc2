"""Menu, shelf and marking menu: made from the one list, made twice the same, gone without a trace."""

from cases import Scene


def _titles(scene, parent):
    return [one["label"] for one in scene.world.under(parent) if one.get("label")]


def all_entries_come_from_the_list():
    scene = Scene()
    scene.load()
    table = [action.title for action in scene.part("table").ACTIONS]
    menu = _titles(scene, "sinewMenu")
    assert menu[: len(table)] == table and len(menu) == len(table) + 2, menu
    scene.part("shelf").show()
    assert _titles(scene, "MayaWindow|Shelves|Sinew") == table
    scene.part("marking").show()
    for _ in range(2):
        # Each opening makes the entries anew.
        scene.world.ui["sinewMarkingMenu"]["postMenuCommand"]("sinewMarkingMenu")
    assert _titles(scene, "sinewMarkingMenu") == table


def the_list_itself_is_sound():
    scene = Scene()
    actions = scene.part("table").ACTIONS
    for key in ("id", "title", "icon"):
        values = [getattr(one, key) for one in actions]
        assert len(set(values)) == len(values), key
    directions = [one.direction for one in actions if one.direction]
    assert len(set(directions)) == len(directions)
    assert set(directions) <= {"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
    for one in actions:
        assert len(one.icon) <= 5 and one.tooltip.endswith("."), one


def twice_is_once():
    scene = Scene()
    scene.load()
    scene.part("shelf").show()
    scene.part("marking").show()
    before = {key: one.get("label") for key, one in scene.world.ui.items()}
    procedures, paintable = dict(scene.world.mel.procedures), dict(scene.world.paintable)
    scene.load()
    scene.part("shelf").show()
    scene.part("marking").show()
    assert {key.rpartition("|")[0]: one.get("label") for key, one in scene.world.ui.items()} == {
        key.rpartition("|")[0]: label for key, label in before.items()
    }
    assert len(scene.world.ui) == len(before)
    assert scene.world.mel.procedures == procedures and scene.world.paintable == paintable


def a_click_runs_the_action():
    scene = Scene()
    scene.character()
    scene.load()
    scene.world.ui["sinewMenu|sinewMenu_slide"]["command"](False)
    assert scene.plug.asked[-1][0] == "sinewCreate"
    scene.part("shelf").show()
    button = scene.world.under("MayaWindow|Shelves|Sinew")[0]
    assert button["sourceType"] == "python"
    scene.character("head")
    exec(button["command"], {})
    assert scene.plug.asked[-1] == ("sinewCreate", ("|head",), {"type": "sinewSkinSlider"})


def entries_that_do_not_apply_are_grey():
    scene = Scene()
    scene.load()
    meshes = {"slide", "switch", "import", "muscle_skin"}
    nodes = {"paint", "mirror", "remove", "solve", "bake", "bake_keys", "show", "export"}

    def enabled():
        scene.world.ui["sinewMenu"]["postMenuCommand"]("sinewMenu")
        return {key.partition("_")[2] for key, one in scene.world.ui.items() if one.get("enable")}

    always = {one.id for one in scene.part("table").ACTIONS if one.needs is scene.part("scene").ALWAYS}
    assert enabled() == always
    scene.character()
    assert enabled() == {*always, *meshes}
    scene.character("head", slides=True)
    assert enabled() == {*always, *meshes, *nodes}
    scene.world.selection = ["|head", "|body"]
    assert "copy" in enabled()
    # An older plug-in lacks a command.
    del scene.world.commands["sinewCopy"]
    assert "copy" not in enabled() and "solve" in enabled()
    scene.world.loaded = False
    assert enabled() == set()


def menu_items_show_and_hide_shelf_and_marking_menu():
    scene = Scene()
    scene.load()
    for item, made in (("sinewMenuShelf", "MayaWindow|Shelves|Sinew"), ("sinewMenuMarking", "sinewMarkingMenu")):
        entry = scene.world.ui[f"sinewMenu|{item}"]
        assert entry["checkBox"] is False and made not in scene.world.ui
        entry["command"](True)
        assert made in scene.world.ui
        entry["command"](False)
        assert made not in scene.world.ui


def the_interface_waits_for_the_window():
    scene = Scene()
    before = set(scene.world.ui)
    scene.sinew.load()
    assert set(scene.world.ui) == before and scene.world.mel.procedures == {}
    # Unloaded before Maya was idle: nothing is made.
    scene.sinew.unload()
    scene.world.loaded = False
    scene.world.idle()
    assert set(scene.world.ui) == before and scene.world.paintable == {}


def the_marking_menu_comes_back_where_it_was_wanted():
    scene = Scene()
    scene.load()
    assert "sinewMarkingMenu" not in scene.world.ui
    scene.part("marking").show()
    scene.sinew.unload()
    assert "sinewMarkingMenu" not in scene.world.ui
    scene.load()
    assert "sinewMarkingMenu" in scene.world.ui
    assert scene.world.ui["sinewMenu|sinewMenuMarking"]["checkBox"] is True
    scene.sinew.uninstall()
    assert scene.world.options == {}


def nothing_of_it_in_batch_mode():
    scene = Scene(batch=True)
    before = dict(scene.world.ui)
    scene.sinew.load()
    assert scene.world.deferred == []
    for part in ("menu", "marking", "templates"):
        scene.part(part).install()
    scene.part("shelf").show()
    scene.part("paint").register()
    scene.world.idle()
    scene.sinew.unload()
    scene.sinew.uninstall()
    assert scene.world.ui == before and scene.world.paintable == {} and scene.world.mel.procedures == {}


def unloading_removes_all_but_the_shelf_and_uninstalling_that_too():
    scene = Scene()
    before = set(scene.world.ui)
    scene.load()
    scene.part("shelf").show()
    scene.part("marking").show()
    scene.sinew.unload()
    left = set(scene.world.ui) - before
    assert left and all(one.startswith("MayaWindow|Shelves|Sinew") for one in left), left
    assert scene.world.paintable == {}
    scene.load()
    scene.sinew.uninstall()
    assert set(scene.world.ui) == before
    saved = [values for name, values in scene.world.mel.commands if name == "saveAllShelves"]
    assert saved == [["MayaWindow|Shelves"]] * 2, "Maya's list of shelves follows"
