//! The add-on in every Blender that people have, and for another user than root: `tests/blender/versions.py`, and in
//! the newer ones a choice of the cases that `tests/blender.rs` runs in the older ones.

#[path = "support/addon.rs"]
mod addon;
#[path = "support/judges.rs"]
mod judges;

use addon::{blender_by, blenders, newer_blenders, run_cases_in, zip};
use std::os::unix::fs::{MetadataExt, chown};
use std::process::Command;

/// The cases about what differs from one Blender to the next.
const VERSIONS: [&str; 3] = [
    "skin_slides_under_nodes_of_the_user",
    "muscles_under_nodes_of_the_user_move_bodies",
    "errors_of_the_add_on_are_said_and_leave_the_body_alone",
];

fn in_every_blender(script: &str, names: &[&str]) {
    for python in blenders().into_iter().chain(newer_blenders()) {
        run_cases_in(&python, script, &[], names);
    }
}

#[test]
fn skin_and_muscles_go_on_in_every_blender() {
    in_every_blender("versions.py", &VERSIONS);
}

/// What is subdivided stays as it is, whatever slides: what Blender makes of that differs from one to the next.
#[test]
fn slid_uvs_go_through_subdivision() {
    let names = [
        "what_is_subdivided_stays_as_it_is",
        "uvs_are_those_of_blenders_own_subdivision",
        "maps_are_used_as_before",
        "pairs_come_and_go_with_what_needs_them",
        "halves_without_their_other_half_are_reported",
    ];
    in_every_blender("subdivision.py", &names);
}

/// What takes long, driven by events as a window sends them, computes in a thread.
#[test]
fn windows_stay_alive_while_the_library_computes() {
    let names = [
        "adding_skin_computes_in_a_thread",
        "frames_are_caught_up_with_and_baked_in_a_thread",
        "what_fails_in_a_thread_is_said",
        "bodies_that_go_away_end_their_thread",
    ];
    in_every_blender("alive.py", &names);
}

/// The same of the operators on muscles.
#[test]
fn windows_stay_alive_while_muscles_are_made() {
    let names = [
        "buttons_compute_in_a_thread_and_esc_takes_them_back",
        "errors_leave_the_body_as_it_was",
        "later_frames_show_what_was_changed_as_a_preview",
        "files_that_are_opened_meanwhile_end_the_thread",
    ];
    in_every_blender("alive_muscles.py", &names);
}

/// Of the other cases, those that newer Blenders have failed, and one of each part of the add-on.
#[test]
fn the_newer_blenders_do_as_the_older_ones() {
    for python in newer_blenders() {
        let some = |script, names: &[&str]| run_cases_in(&python, script, &[], names);
        some(
            "skin.py",
            &["modifiers_that_change_vertices_do_not_matter", "vertex_groups_are_read_as_they_are"],
        );
        some("around.py", &["hair_that_blender_carries_is_refused"]);
        some(
            "chains.py",
            &["names_that_are_taken_or_too_long_harm_nothing", "baked_hair_is_right_in_any_frame"],
        );
        some(
            "hostile.py",
            &["what_is_refused_leaves_nothing_behind", "shots_keep_what_they_set_on_a_character"],
        );
        some("nodes.py", &["every_node_has_its_properties_and_tooltips", "panels_show_what_there_is"]);
        some("muscles.py", &["muscles_are_made_from_posed_bones", "weights_are_made_and_painted"]);
        some("muscle_numbers.py", &["a_change_shows_at_once_and_can_be_undone"]);
        some("bone_roles.py", &["roles_are_corrected_kept_and_found_again"]);
        some("charts.py", &["charts_are_found_and_laid_flat"]);
    }
}

/// The folder of the interpreter may be closed to others: the process may read everything, and write only what is its
/// own.
#[test]
fn another_user_than_root_can_use_it() {
    let user = tempfile::tempdir().unwrap();
    if std::fs::metadata(user.path()).unwrap().uid() != 0 {
        println!("every other test is by another user than root");
        return;
    }
    let nobody = 65_534;
    chown(user.path(), Some(nobody), Some(nobody)).unwrap();
    let reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"];
    let starter = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", reads[0], reads[1]];
    let probe = Command::new(starter[0]).args(&starter[1..]).arg("true").output();
    if !probe.is_ok_and(|output| output.status.success()) {
        println!("skipped: this machine does not let root start what reads everything as another user");
        return;
    }
    let python = newer_blenders().pop().unwrap_or_else(judges::python);
    let case = "muscles_under_nodes_of_the_user_move_bodies";
    let out = blender_by(&starter, &python, "versions.py", &[zip().to_str().unwrap(), case], user.path());
    assert!(out.contains(&format!("{case}: ok")), "{out}");
    let made = std::fs::read_dir(user.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().uid());
    assert_eq!(
        made.collect::<std::collections::BTreeSet<_>>(),
        [nobody].into(),
        "who wrote the user's folder"
    );
}
