//! Reads the layer table in `src/lib.rs` and refuses dependencies that go up or sideways, and crates that the table
//! forgets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn layers() -> BTreeMap<String, u32> {
    let text = std::fs::read_to_string("src/lib.rs").unwrap();
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("//! |")?.split('|').map(str::trim);
        let layer = cells.next()?.parse().ok()?;
        let name = cells.next()?.trim_matches(['[', ']', '`']).to_string();
        Some((name, layer))
    });
    rows.collect()
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    files(folder, &["rs"], out);
}

fn files(folder: &Path, extensions: &[&str], out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extensions, out);
        } else if extensions.iter().any(|own| path.extension().is_some_and(|e| e == *own)) {
            out.push(path);
        }
    }
}

/// The crates of `src` that a manifest names, in any of its lists of dependencies.
fn dependencies(manifest: &str) -> Vec<String> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("sinew-")?.split_once(['.', ' ']));
    names.map(|(name, _)| name.to_string()).collect()
}

/// Those of them that are not in a lower layer.
fn violations(name: &str, manifest: &str, layers: &BTreeMap<String, u32>) -> Vec<String> {
    let lower = |other: &String| layers.get(other).is_some_and(|&layer| layer < layers[name]);
    dependencies(manifest).into_iter().filter(|other| !lower(other)).collect()
}

/// The folders of `src`; `ffi` is a part of the crate above them.
fn crates() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("src").unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir() && !path.ends_with("ffi")).collect()
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let layers = layers();
    let mut wrong = Vec::new();
    for path in crates() {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(layers.contains_key(name), "{name}: not in the layer table of src/lib.rs");
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        wrong
            .extend(violations(name, &manifest, &layers).iter().map(|other| format!("{name} needs {other}")));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Functions whose last bits depend on the machine are refused everywhere, and every crate has the lints of all.
#[test]
fn crates_have_the_same_lints() {
    let line = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";
    let roots = crates().into_iter().map(|path| (path.join("mod.rs"), path.join("Cargo.toml")));
    for (root, manifest) in roots.chain([("src/lib.rs".into(), "Cargo.toml".into())]) {
        let text = std::fs::read_to_string(&root).unwrap();
        assert!(text.lines().any(|l| l == line), "{}", root.display());
        let text = std::fs::read_to_string(&manifest).unwrap();
        assert!(text.ends_with("[lints]\nworkspace = true\n"), "{}", manifest.display());
    }
}

#[test]
fn every_row_of_the_table_exists() {
    for name in layers().keys() {
        assert!(
            Path::new("src").join(name).join("mod.rs").exists(),
            "the layer table names {name}, which is not in src"
        );
    }
}

#[test]
fn the_reader_sees_upward_and_sideways_dependencies() {
    let manifest = "[dependencies]\nrayon.workspace = true\nsinew-base.workspace = true\n\n\
                    [dev-dependencies]\nsinew-nodes = { path = \"../nodes\" }\nsinew-math.workspace = true\n";
    assert_eq!(violations("math", manifest, &layers()), ["nodes", "math"]);
}

/// rustfmt leaves comments as they are.
#[test]
fn comments_end_at_column_120() {
    let mut files = Vec::new();
    ["src", "tests", "examples"].iter().for_each(|folder| rust_files(Path::new(folder), &mut files));
    let mut long = Vec::new();
    for path in files {
        for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let comment =
                line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!', ' ']));
            if comment.is_some_and(|text| !text.starts_with('|')) && line.chars().count() > 120 {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "{long:?}");
}

/// Paths named in the guide at the top of src/lib.rs exist.
#[test]
fn paths_in_the_guide_exist() {
    let text = std::fs::read_to_string("src/lib.rs").unwrap();
    let head: String = text.lines().filter(|line| line.starts_with("//!")).collect();
    let named = head.split('`').filter(|word| word.starts_with("src/") || word.starts_with("tests/"));
    let (found, missing): (Vec<_>, Vec<_>) = named.partition(|path| Path::new(path).exists());
    assert!(missing.is_empty(), "src/lib.rs names {missing:?}");
    assert!(found.len() > 20, "src/lib.rs names {found:?} only");
}

/// A module with files of its own is in its folder, as `mod.rs`: one way for all of them.
#[test]
fn modules_with_parts_stand_in_their_folders() {
    let mut files = Vec::new();
    rust_files(Path::new("src"), &mut files);
    let beside: Vec<_> = files.into_iter().filter(|path| path.with_extension("").is_dir()).collect();
    assert!(beside.is_empty(), "these belong in their folders as mod.rs: {beside:?}");
}

/// Jobs have few rooms, and the map at the head of the module names each of them.
#[test]
fn the_rooms_of_jobs_are_in_their_map() {
    let map = std::fs::read_to_string("src/job/mod.rs").unwrap();
    let entries = std::fs::read_dir("src/job").unwrap().map(|entry| entry.unwrap().path());
    let rooms: Vec<String> = entries
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_string())
        .filter(|room| room != "mod" && room != "Cargo")
        .collect();
    assert!((1..=10).contains(&rooms.len()), "{rooms:?}");
    for room in &rooms {
        assert!(map.contains(&format!("//! | `{room}` | ")), "{room} is not in the map of src/job/mod.rs");
    }
}

/// The authored parts of strands stand below everything that evaluates them: they name nothing else of the module.
#[test]
fn authored_parts_know_nothing_of_their_evaluation() {
    let mut files = Vec::new();
    rust_files(Path::new("src/strand/parts"), &mut files);
    assert!(files.len() > 5, "the authored parts are elsewhere");
    for path in files {
        let inner = path.file_name().is_some_and(|name| name != "mod.rs");
        for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or("").replace("pub(crate)", "");
            let up = code.contains("crate::")
                || code.contains("super::super")
                || !inner && code.contains("super::");
            assert!(!up, "{}:{}: an authored part imports from above", path.display(), number + 1);
        }
    }
}

/// Texts cross between Maya and the library in UTF-8, by the functions of one file: plain characters are those of the
/// host's locale, which lacks letters. Only the names of attributes and types, which are ASCII, go as such.
#[test]
fn the_plug_in_for_maya_converts_texts_in_one_place() {
    let mut paths = Vec::new();
    files(Path::new("maya_plugin/adapter"), &["cpp", "h"], &mut paths);
    paths.retain(|path| !path.ends_with("adapter/text.h"));
    assert!(paths.len() > 50, "the adapter is elsewhere");
    for path in paths {
        for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let own_names = ["plan->name.c_str()", "plan.type_name.c_str()", "attribute.name.c_str()"];
            let code = own_names.iter().fold(line.to_string(), |code, name| code.replace(name, ""));
            let converts = ["asChar", "asUTF8", "setUTF8", "c_str()"].iter().any(|word| code.contains(word));
            assert!(!converts, "{}:{}: use adapter/text.h", path.display(), number + 1);
        }
    }
}

/// The place of a file among the modules: `src/a/b/mod.rs` is a::b, `src/a/b.rs` too.
fn module_of(path: &Path) -> Vec<String> {
    let inside = path.strip_prefix("src").unwrap().with_extension("");
    let mut names: Vec<String> = inside.iter().map(|name| name.to_str().unwrap().to_string()).collect();
    names.pop_if(|last| last == "mod");
    names
}

/// The code of a file on one line, without comments and without the tests at its end.
fn code_of(text: &str) -> String {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("").trim()).collect();
    let code = code.join(" ");
    let end = code.find("#[cfg(test)] mod tests {").unwrap_or(code.len());
    code[..end].to_string()
}

/// The names that a folder's `mod.rs` re-exports from the modules beside it: others import them from there.
fn passed_on(folder: &[String], code: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = Vec::new();
    for line in code.split(';') {
        if let Some((before, path)) = line.split_once("use ")
            && before.rsplit([' ', '}']).next().is_some_and(|word| word.is_empty() || word.starts_with("pub"))
        {
            spell(folder, path, &mut found);
        }
    }
    found.into_iter().filter_map(|path| Some((path.last()?.clone(), path))).collect()
}

/// The modules that the code of a module names by `super::` or `crate::`, braces spelled out.
fn named_modules(module: &[String], code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (begin, _) in code.match_indices("super::").chain(code.match_indices("crate::")) {
        if code[..begin].ends_with("::") {
            continue;
        }
        let top = if module[0] == "ffi" { 0 } else { 1 };
        let mut path =
            if code[begin..].starts_with("crate") { module[..top].to_vec() } else { module.to_vec() };
        let mut rest = &code[begin..];
        while let Some(after) = rest.strip_prefix("super::") {
            path.pop();
            rest = after;
        }
        rest = rest.strip_prefix("crate::").unwrap_or(rest);
        spell(&path, rest, &mut found);
    }
    found
}

/// Adds a path, or those in braces, up to the first name that is no module's (modules are written in small letters).
fn spell(path: &[String], text: &str, found: &mut Vec<Vec<String>>) {
    let text = text.trim_start();
    if let Some(inside) = text.strip_prefix('{') {
        let (mut depth, mut begin) = (0, 0);
        for (at, c) in inside.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    spell(path, &inside[begin..at], found);
                    begin = at + 1;
                    if c == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut path = path.to_vec();
    let after = text[name.len()..].strip_prefix("::");
    path.push(name);
    match after {
        Some(rest) => spell(&path, rest, found),
        None => found.push(path),
    }
}

/// Within a folder, too, modules import each other in one direction.
#[test]
fn neighbours_do_not_import_each_other_in_circles() {
    let mut files = Vec::new();
    rust_files(Path::new("src"), &mut files);
    files.retain(|path| !path.iter().any(|part| part == "tests" || part == "tests.rs"));
    let modules: Vec<Vec<String>> = files.iter().map(|path| module_of(path)).collect();
    let code: Vec<String> =
        files.iter().map(|path| code_of(&std::fs::read_to_string(path).unwrap())).collect();
    let folders = files.iter().zip(&modules).zip(&code).filter(|((path, _), _)| path.ends_with("mod.rs"));
    let passed: BTreeMap<_, _> =
        folders.map(|((_, folder), code)| (folder.clone(), passed_on(folder, code))).collect();
    let mut arrows: BTreeMap<Vec<String>, BTreeMap<String, BTreeMap<String, String>>> = BTreeMap::new();
    for ((path, module), code) in files.iter().zip(&modules).zip(&code) {
        for mut target in named_modules(module, code) {
            // A name that a folder re-exports belongs to the module that defines it.
            if let Some((name, folder)) = target.split_last()
                && let Some(from) = passed.get(folder).and_then(|passed| passed.get(name))
            {
                target.clone_from(from);
            }
            // The deepest folder that holds both, and a module of it on either side.
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (module.get(shared), target.get(shared)) else { continue };
            let folder = module[..shared].to_vec();
            if shared > 0 && modules.contains(&target[..=shared].to_vec()) {
                let from = arrows.entry(folder).or_default().entry(from.clone()).or_default();
                from.entry(to.clone()).or_insert_with(|| path.display().to_string());
            }
        }
    }
    let mut circles = Vec::new();
    for (folder, arrows) in &arrows {
        for start in arrows.keys() {
            let (mut seen, mut next) = (Vec::new(), vec![start]);
            while let Some(module) = next.pop() {
                for (to, file) in arrows.get(module).into_iter().flatten() {
                    if to == start {
                        circles
                            .push(format!("{}: {module} leads back to {start} in {file}", folder.join("::")));
                    } else if !seen.contains(&to) {
                        seen.push(to);
                        next.push(to);
                    }
                }
            }
        }
    }
    assert!(arrows.len() > 20, "only {} folders have arrows", arrows.len());
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
