//! The README's first command.

#[path = "support/strip.rs"]
mod strip;

use std::path::Path;
use strip::{sinew, text};

#[test]
fn the_demo_shows_what_it_says_and_writes_all_that_a_job_can() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(folder.path(), &["--json", "demo", "d", "--size", "128", "--step", "24"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{figures}");
    let pair = |what: &str| ["skinning", "sliding"].map(|side| figures[what][side].as_f64().unwrap());
    // Skinning takes the skin along with the lump; sliding skin stays, and spreads what the turn asks for.
    let [carried, stays] = pair("goes_along");
    assert!(carried > 0.85 && stays < 0.2, "{figures}");
    let [skinned, slid] = pair("largest_stretch");
    assert!(skinned > 1.4 && slid < 1.3, "{figures}");
    let [skinned, slid] = pair("stretched_by_a_fifth");
    assert!(slid < 0.6 * skinned, "{figures}");
    let named = "turn.png swallow.png results/page.html results/neck.abc results/st.0038.exr \
                 results/tattoo.0038.png results/stubble.0038.obj results/manifest.json";
    for name in named.split(' ') {
        assert!(folder.path().join("d").join(name).exists(), "{name}");
    }
    // Anyone can run its job file; nothing has changed, so the files do not change either.
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let before = read("d/results/tattoo.0020.png");
    let again = sinew(Path::new(folder.path()), &["run", "d/job.xml"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(before == read("d/results/tattoo.0020.png"));
}
