//! The add-on for Blender, in real Blender: installed from its zip and used as people use it. Each test starts
//! Blender once, with cases from a script in tests/blender.

#[path = "support/addon.rs"]
mod addon;
#[path = "support/judges.rs"]
mod judges;

use addon::{
    RELEASE, archive, blender, blenders, library, newer_blenders, package, platform, root, run_cases, said,
    zip,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn cases(script: &str, cases: &[&str]) {
    run_cases(script, &[], cases);
}

#[test]
fn the_core_works_without_blender() {
    for script in ["core_test.py", "muscle_core.py", "binding_core.py", "binding_jobs.py"] {
        let script = root().join("tests/blender").join(script);
        let output = Command::new(judges::python()).arg("-B").arg(script).arg(library()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn the_zip_installs_stays_and_goes() {
    let zip = zip().to_str().unwrap();
    for python in blenders().into_iter().chain(newer_blenders()) {
        let user = tempfile::tempdir().unwrap();
        for step in ["validate", "install", "restarted", "uninstall"] {
            blender(&python, "install.py", &[zip, step], user.path());
        }
    }
}

#[test]
fn the_zip_follows_the_rules_of_the_extensions_site() {
    let script = root().join("tests/blender/extension_rules.py");
    let output = Command::new(judges::python()).arg("-B").arg(script).arg(zip()).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_library_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.so");
    let source = folder.path().join("other.c");
    std::fs::write(
        &source,
        "unsigned sinew_abi_version(void) { return 2 << 16; }\nconst char *sinew_version_string(void) \
         { return \"9\"; }\n",
    )
    .unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&other).arg(&source).status().unwrap();
    assert!(made.success());
    let name = format!("sinew-{RELEASE}-{}", platform());
    for (name, library, word) in [
        (name.clone(), other.clone(), "has version 2.0"),
        (format!("sinew-9.9.9-{}", platform()), library(), "PLATFORM.tar.gz with one of the platforms"),
        (format!("sinew-{RELEASE}-windows-x86_64"), library(), "lacks sinew-"),
    ] {
        let output = package(&archive(folder.path(), &name, &library), folder.path());
        assert!(!output.status.success() && said(&output).contains(word), "{}", said(&output));
        assert!(!said(&output).contains("Traceback"), "{}", said(&output));
    }
    // What `package.py` would not make: the message comes from the add-on itself.
    let changed = folder.path().join("changed.zip");
    std::fs::copy(zip(), &changed).unwrap();
    let put = "import sys, zipfile\nold = zipfile.ZipFile(sys.argv[1])\nwith zipfile.ZipFile(sys.argv[2], 'w') as \
            new:\n    \
               for name in old.namelist():\n        \
               new.writestr(name.replace('.so', '2.so'), open(sys.argv[3], 'rb').read() if name.endswith('.so') else \
               old.read(name))\n";
    let made = Command::new(judges::python()).args(["-c", put]).arg(zip()).arg(&changed).arg(&other).status();
    assert!(made.unwrap().success());
    let changed = changed.to_str().unwrap();
    for python in blenders() {
        let user = tempfile::tempdir().unwrap();
        blender(&python, "install.py", &[changed, "other_library"], user.path());
        blender(&python, "install.py", &[changed, "updated", zip().to_str().unwrap()], user.path());
    }
}

#[test]
fn skin_slides_on_the_timeline() {
    cases(
        "skin.py",
        &["plays_scrubs_and_jumps_alike", "edits_of_the_motion_are_noticed", "hidden_bodies_wait"],
    );
}

#[test]
fn skin_is_held_painted_and_led() {
    cases(
        "skin.py",
        &[
            "maps_hold_the_skin",
            "the_brush_goes_on_from_what_the_map_has",
            "vertex_groups_are_read_as_they_are",
            "slides_along_curves",
            "slid_geometry_is_a_shape",
            "colours_follow_frames_and_maps",
        ],
    );
}

#[test]
fn skin_slides_under_any_modifiers() {
    let names = [
        "modifiers_that_change_vertices_do_not_matter",
        "geometry_nodes_and_shape_keys_move_the_body",
        "geometry_nodes_that_move_are_followed",
        "modifiers_that_are_applied_or_turned_off_leave_no_capture_behind",
        "caches_move_the_body",
    ];
    cases("skin.py", &names);
}

#[test]
fn files_bakes_and_renders_keep_the_slide() {
    let names = [
        "bakes_survive_reload",
        "what_is_deleted_during_a_bake_stops_it",
        "bakes_replace_nothing_but_bakes",
        "bodies_that_are_hidden_are_not_baked",
        "scenes_that_are_deleted_stop_what_plays_them",
        "files_that_are_not_saved_have_no_bake_beside_them",
        "a_disk_that_cannot_be_written_is_said",
        "esc_stops_a_bake_and_leaves_nothing_behind",
        "renders_show_the_frame",
        "exports_carry_the_slide",
    ];
    cases("file.py", &names);
}

#[test]
fn undo_names_scenes_and_rates() {
    let names = [
        "undo_and_redo_go_back_and_forth",
        "maps_and_bakes_are_undone",
        "objects_scenes_names_and_rates_are_their_own",
    ];
    cases("file.py", &names);
}

#[test]
fn frames_outlive_settings_undo_and_sessions() {
    let names = [
        "frames_outlive_a_change_of_settings",
        "an_edit_of_the_motion_meanwhile_is_noticed",
        "maps_that_are_painted_and_undone",
        "what_follows_from_a_preview_is_none_that_is_computed",
        "files_open_with_their_frames",
        "frames_of_another_version_are_not_taken_for_computed",
        "a_moving_body_opens_with_its_frames",
        "files_that_are_not_saved_leave_nothing_behind",
    ];
    cases("kept.py", &names);
}

#[test]
fn what_happens_unasked_goes_well() {
    let names = [
        "keyed_settings_are_those_of_the_rendered_frame",
        "subdivision_in_renders_alone_keeps_the_slide",
        "bodies_that_viewports_hide_are_computed_for_renders",
        "multires_slides_at_level_0_and_baked",
        "skin_that_is_added_again_starts_from_the_map_at_rest",
        "a_copy_is_baked_into_a_file_of_its_own",
        "clocks_and_sources_that_change_are_noticed",
        "meshes_and_empty_sources_are_left_alone",
        "bodies_in_instanced_collections_slide",
        "a_disk_that_fills_up_ends_the_bake",
        "what_is_renamed_is_followed",
        "maps_of_an_exchanged_mesh_are_others",
        "what_is_read_and_deleted_is_said",
        "what_is_renamed_in_edit_mode_is_followed",
        "a_map_that_is_deleted_comes_back_as_it_was",
        "undo_keeps_what_still_holds",
    ];
    cases("unasked.py", &names);
}

#[test]
fn edits_are_noticed_wherever_they_show() {
    let names = [
        "edits_at_rest_that_change_later_frames_are_noticed",
        "sculpted_corrections_are_noticed",
        "caches_and_geometry_nodes_that_are_exchanged_are_noticed",
        "what_was_undone_is_noticed",
        "poses_without_keys_in_the_first_frame_are_previews",
        "edits_that_move_nothing_cost_no_frames",
        "exports_change_nothing",
        "edits_between_frames_are_noticed",
        "edits_in_another_scene_are_noticed",
        "every_scene_that_shows_a_body_locks_the_interface",
        "bakes_say_what_has_changed_since",
        "playback_that_leaves_frames_out_is_reported",
    ];
    cases("edits.py", &names);
}

#[test]
fn hair_rides_and_comes_back() {
    let names = [
        "hair_rides",
        "what_rides_moves_in_exports",
        "objects_that_are_parented_to_each_other_ride_like_free_ones",
        "what_is_added_later_moves_in_exports",
        "exports_of_hair_warn_of_nothing",
        "hair_of_older_files_is_carried_on",
        "hair_lies_down_where_nothing_is_computed_and_grows",
        "combed_hair_stays_combed",
        "hair_whose_transform_is_applied_stays_where_it_is",
        "hair_is_laid_down_when_its_body_is_deleted",
    ];
    cases("hair.py", &names);
}

#[test]
fn what_lies_on_a_body_and_around_it_goes_along() {
    let names = [
        "curves_stay_where_they_lay_when_the_motion_began",
        "thick_curves_lead_as_thin_ones_do",
        "hair_without_a_parent_rides_on_bodies_that_walk",
        "hair_that_blender_carries_is_refused",
        "a_copied_body_leaves_the_hair_of_the_first_alone",
        "skin_slides_on_bodies_that_were_exported_with_sliding_skin",
        "exports_compute_the_frames_that_they_need",
        "materials_name_the_slid_map_and_the_one_at_rest_again",
    ];
    cases("around.py", &names);
}

#[test]
fn skin_slides_over_muscles() {
    let names = [
        "skin_slides_over_muscles_whatever_was_added_first",
        "skin_that_moves_vertices_goes_on_from_muscles_whatever_was_added_first",
        "bodies_are_without_a_node_that_is_removed_as_if_it_had_never_been_there",
        "what_nodes_take_away_is_not_renamed",
        "skin_says_what_it_does_not_see_behind_the_muscles",
    ];
    cases("layers.py", &names);
}

#[test]
fn nodes_scenes_and_names_do_not_get_in_each_others_way() {
    let names = [
        "bodies_in_two_scenes_and_in_the_background_show_their_own_frame",
        "baked_hair_is_right_in_any_frame",
        "bodies_that_geometry_nodes_fetch_are_computed",
        "things_without_keys_that_pass_in_other_frames_are_noticed",
        "drivers_and_strips_that_act_in_other_frames_are_noticed",
        "bodies_off_in_viewports_are_computed_for_renders",
        "names_that_are_taken_or_too_long_harm_nothing",
        "files_survive_an_add_on_that_is_off_or_has_no_library",
        "paths_that_are_no_utf8_are_said_as_far_as_they_can_be",
        "what_is_deleted_leaves_no_frames_behind",
    ];
    cases("chains.py", &names);
}

/// Characters from elsewhere, in the folder that SINEW_BODIES names; see `tests/blender/bodies.py`.
#[test]
fn bodies_made_elsewhere_slide() {
    let Ok(folder) = std::env::var("SINEW_BODIES") else {
        println!("skipped: SINEW_BODIES names no folder of animated characters");
        return;
    };
    for python in blenders() {
        let user = tempfile::tempdir().unwrap();
        let out = blender(&python, "bodies.py", &[zip().to_str().unwrap(), &folder], user.path());
        assert!(out.contains(": ok, "), "{out}");
        println!("{out}");
    }
}

#[test]
fn bad_input_is_said() {
    let names = [
        "refusals_say_what_to_do",
        "what_is_refused_leaves_nothing_behind",
        "linked_data_is_said",
        "linked_characters_show_their_bake_once_they_can_be_written",
        "shots_keep_what_they_set_on_a_character",
        "edit_mode_waits",
        "bodies_that_become_something_else_are_said",
        "vertices_that_come_and_go_are_said",
        "broken_bodies_are_named",
    ];
    cases("hostile.py", &names);
}

#[test]
fn scale_and_parents_do_not_matter() {
    let names =
        ["scale_parents_and_places_do_not_matter", "places_at_rest_stay_and_places_of_the_frame_move"];
    cases("hostile.py", &names);
}

#[test]
fn every_node_works_generically() {
    let names = [
        "every_node_has_its_properties_and_tooltips",
        "no_limit_of_a_number_is_refused",
        "a_node_that_nobody_has_seen_gets_properties",
        "skinning_does_what_the_armature_does",
        "muscles_find_bones_by_their_names",
        "strands_become_curves_objects_and_properties",
        "numbers_that_do_not_fit_are_said",
        "lengths_are_in_the_unit_of_the_scene",
        "panels_show_what_there_is",
        "narrow_panels_cut_nothing_off",
        "the_simple_part_comes_first",
        "warnings_are_shown_and_kept_with_their_frames",
    ];
    cases("nodes.py", &names);
}

#[test]
fn muscles_are_made_mirrored_copied_and_changed() {
    let names = [
        "muscles_are_made_from_posed_bones",
        "what_a_mirror_warns_of_is_shown",
        "muscles_carry_the_skin_wherever_the_body_stands",
        "sets_survive_files_undo_and_names",
        "muscles_are_copied_to_other_proportions",
        "physiques_change_all_selected_bodies",
        "bad_bodies_are_reported",
    ];
    cases("muscles.py", &names);
}

/// The list of what bones do: all corrections go through the library.
#[test]
fn bone_roles_are_listed_and_corrected() {
    cases(
        "bone_roles.py",
        &["roles_are_listed_by_parts_of_the_body", "roles_are_corrected_kept_and_found_again"],
    );
}

#[test]
fn muscles_follow_names() {
    cases("muscle_bones.py", &["muscles_follow_bones_that_are_renamed"]);
}

#[test]
fn muscles_move_bodies_as_characters_have_them() {
    let names = [
        "what_the_armature_leaves_in_place_stays_on_the_body",
        "bones_that_are_edited_at_rest_are_read_again",
        "mirrored_bodies_keep_their_muscles",
        "shape_keys_act_before_bones_and_muscles",
        "modifiers_behind_the_armature_go_on_from_the_muscles",
        "long_names_of_muscles_fit_their_vertex_groups",
        "muscles_keep_their_places_when_the_scale_is_applied",
        "muscles_keep_their_places_whatever_is_applied",
        "locked_weights_stay_while_others_are_painted",
        "muscles_are_mirrored_onto_bones_beside_the_origin",
        "an_armature_in_edit_mode_says_so",
    ];
    cases("muscle_bodies.py", &names);
}

#[test]
fn muscles_are_shown_sculpted_and_painted() {
    let names = [
        "muscles_are_shown_and_chosen",
        "muscles_are_sculpted_at_rest",
        "weights_are_made_and_painted",
        "the_panel_offers_what_is_possible",
    ];
    cases("muscles.py", &names);
}

#[test]
fn numbers_of_single_muscles_are_seen_and_entered() {
    let names = [
        "numbers_change_what_the_same_set_as_a_text_changes",
        "a_change_shows_at_once_and_can_be_undone",
        "later_frames_show_a_preview",
        "numbers_are_saved_mirrored_and_renamed",
        "a_number_goes_to_several_muscles",
        "a_strip_of_a_sheet_gets_a_number_of_its_own",
        "lengths_are_those_of_the_scene",
        "tooltips_and_defaults_are_the_librarys",
        "the_panel_shows_the_numbers_of_the_chosen_muscle",
        "an_override_gets_muscles_of_its_own",
    ];
    cases("muscle_numbers.py", &names);
}

#[test]
fn charts_are_marked_found_shown_and_laid_flat() {
    let names = [
        "charts_are_found_and_laid_flat",
        "a_marked_slit_unrolls_the_tube",
        "scale_counts",
        "charts_are_shown_in_colours",
        "colours_that_are_asked_for_last_are_seen",
        "pictures_show_the_charts",
        "the_panel_and_its_tooltips_come_from_the_library",
        "the_node_runs_on_an_object",
    ];
    cases("charts.py", &names);
}

#[test]
fn charts_refuse_with_reasons_and_can_be_undone() {
    let names = [
        "bad_input_is_said",
        "linked_meshes_are_said",
        "everything_can_be_undone",
        "names_that_are_taken_are_reported",
        "meshes_are_edited_together",
        "the_limits_of_numbers_are_taken",
    ];
    cases("charts.py", &names);
}

#[test]
fn the_pages_of_the_manual_are_true() {
    let names = [
        "sliding_is_added_in_five_steps",
        "painted_maps_hold_in_three_steps",
        "a_bake_goes_to_the_farm_in_three_steps",
        "charts_are_made_in_four_steps",
    ];
    cases("guide.py", &names);
}

#[test]
fn the_pages_about_muscles_are_true() {
    let names = [
        "muscles_are_added_in_five_steps",
        "numbers_of_one_muscle_are_changed_in_two_steps",
        "muscles_are_sculpted_and_painted_in_four_steps",
        "physiques_go_to_other_bodies_in_two_steps",
    ];
    cases("guide.py", &names);
}

#[test]
fn the_example_of_a_human_slides() {
    cases("guide.py", &["the_example_slides"]);
}

#[test]
fn the_example_of_a_human_has_muscles() {
    cases("guide.py", &["the_example_with_muscles"]);
}

/// The Debian with a Blender of its own that `tests/window.sh` installs; where there is none, the test is skipped.
fn debian() -> Option<PathBuf> {
    let folder = root().join("target/window");
    if folder.join("installed.txt").exists() {
        return Some(folder);
    }
    let why = std::fs::read_to_string(root().join("target/window.txt"));
    println!(
        "skipped: {}",
        why.unwrap_or_else(|_| "no Blender with a window: run sh tests/window.sh".into())
    );
    None
}

/// The library of this build needs OpenSubdiv, in the version of this machine; that of releases does not.
fn copy_opensubdiv(folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let needed = Command::new("ldd").arg(library()).output().unwrap();
    for line in String::from_utf8_lossy(&needed.stdout).lines() {
        if let Some((name, rest)) = line.trim().split_once(" => ")
            && name.starts_with("libosd")
        {
            std::fs::copy(rest.split(' ').next().unwrap(), folder.join(name)).unwrap();
        }
    }
}

/// Runs a script of tests/blender in Debian's Blender, on a screen of its own; `arguments` come after the zip. The
/// folder `pictures` beside the script is left in the result.
fn debians_blender(debian: &Path, options: &[&str], script: &str, arguments: &[&str]) -> (String, TempDir) {
    let folder = tempfile::tempdir_in(debian.join("tmp")).unwrap();
    for entry in std::fs::read_dir(root().join("tests/blender")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "py") {
            std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
    }
    std::fs::copy(zip(), folder.path().join("sinew.zip")).unwrap();
    std::fs::create_dir(folder.path().join("pictures")).unwrap();
    copy_opensubdiv(&folder.path().join("needed"));
    let inside = Path::new("/tmp").join(folder.path().file_name().unwrap());
    let mut command = Command::new("timeout");
    command.arg("300").arg("chroot").arg(debian);
    command.args(["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "blender"]).args(options);
    command.arg("--python").arg(inside.join(script)).arg("--").arg(inside.join("sinew.zip")).args(arguments);
    command
        .env_remove("SINEW_LIBRARY")
        .env("LD_LIBRARY_PATH", inside.join("needed"))
        .env("HOME", &inside)
        .env("BLENDER_USER_RESOURCES", inside.join("user"));
    let output = command.env("LIBGL_ALWAYS_SOFTWARE", "1").output().unwrap();
    assert!(output.status.success(), "{script} {arguments:?}\n{}", said(&output));
    (said(&output), folder)
}

#[test]
fn a_click_in_a_window_makes_the_skin_slide() {
    let Some(debian) = debian() else { return };
    let size = ["--window-geometry", "0", "0", "1280", "800"];
    let (out, folder) = debians_blender(&debian, &size, "window.py", &[]);
    assert!(
        ["clicked", "rendered", "dragged", "seen", "threaded", "added"]
            .iter()
            .all(|step| out.contains(&format!("{step}: ok"))),
        "{out}"
    );
    let kept = root().join("target/blender");
    std::fs::create_dir_all(&kept).unwrap();
    for name in [
        "before.png",
        "after.png",
        "dragged_plane.png",
        "dragged_line.png",
        "muscles.png",
        "bone_roles.png",
        "computing.png",
        "failed_handler.png",
    ] {
        std::fs::copy(folder.path().join("pictures").join(name), kept.join(format!("window_{name}")))
            .unwrap();
    }
}

#[test]
fn the_command_line_renders_what_the_window_shows() {
    let Some(debian) = debian() else { return };
    let (out, _folder) = debians_blender(&debian, &["--background"], "farm.py", &[]);
    assert!(["live", "baked"].iter().all(|step| out.contains(&format!("{step}: ok"))), "{out}");
}
