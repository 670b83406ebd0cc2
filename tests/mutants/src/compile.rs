//! The copy of the crate with its switches, without the mutants that the compiler rejects, and its test programs.

use crate::instrument::{Instrumented, instrument};
use crate::sample::Mutant;
use crate::work;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SWITCH: &str = include_str!("../switch.rs");

/// Builds all tests; gives the rejected mutants, and the test programs.
pub fn build(mutants: &[Mutant]) -> Result<(BTreeSet<usize>, Vec<PathBuf>), Box<dyn Error>> {
    // Remembered by key, so that a second run of the same sample finds everything built.
    let memory = work().join("rejected.txt");
    let known = fs::read_to_string(&memory).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    let mut rejected: BTreeSet<usize> =
        mutants.iter().filter(|m| known.contains(m.key.as_str())).map(|m| m.id).collect();
    loop {
        let files = write_tree(mutants, &mut rejected)?;
        let messages = cargo(&["check", "--lib"])?;
        let errors: Vec<&Value> = messages.iter().filter(|m| m["message"]["level"] == "error").collect();
        let found: BTreeSet<usize> = errors.iter().flat_map(|e| blamed(&e["message"], &files)).collect();
        if errors.is_empty() {
            break;
        }
        if found.is_empty() {
            let texts = errors.iter().filter_map(|e| e["message"]["rendered"].as_str());
            return Err(format!("errors that belong to no mutant:\n{}", texts.collect::<String>()).into());
        }
        eprintln!("the compiler rejects {} mutants", found.len());
        rejected.extend(found);
    }
    let kept: Vec<&str> =
        known.into_iter().chain(rejected.iter().map(|&id| mutants[id].key.as_str())).collect();
    fs::write(&memory, kept.join("\n"))?;
    let messages = cargo(&["test", "--no-run"])?;
    let programs =
        messages.iter().filter(|m| m["profile"]["test"] == true).filter_map(|m| m["executable"].as_str());
    Ok((rejected, programs.map(PathBuf::from).collect()))
}

/// Writes what changed since the last time, so that only that is built again. Mutants that can't be switched are added
/// to `rejected`.
fn write_tree(
    mutants: &[Mutant],
    rejected: &mut BTreeSet<usize>,
) -> Result<BTreeMap<String, Instrumented>, Box<dyn Error>> {
    let tree = work().join("tree");
    let listing = Command::new("git").args(["ls-files", "-z", "-co", "--exclude-standard"]).output()?;
    let listing = String::from_utf8(listing.stdout)?;
    let files: Vec<&str> = listing.split('\0').filter(|f| Path::new(f).is_file()).collect();
    let previous = work().join("files.txt");
    for old in fs::read_to_string(&previous).unwrap_or_default().lines().filter(|old| !files.contains(old)) {
        fs::remove_file(tree.join(old))?;
    }
    let mut instrumented = BTreeMap::new();
    for file in &files {
        let mut bytes = fs::read(file)?;
        let here: Vec<&Mutant> =
            mutants.iter().filter(|m| m.file == **file && !rejected.contains(&m.id)).collect();
        if !here.is_empty() {
            let made = instrument(&String::from_utf8(bytes)?, &here)?;
            rejected.extend(&made.impossible);
            bytes = made.text.clone().into_bytes();
            instrumented.insert(file.to_string(), made);
        }
        // Every crate depends on this one, which then knows itself by the same name.
        if *file == "src/base/mod.rs" {
            bytes.extend(b"\nextern crate self as sinew_base;\n#[allow(missing_docs)]\npub mod mutation;\n");
        }
        write_changed(&tree.join(file), &bytes)?;
    }
    write_changed(&tree.join("src/base/mutation.rs"), SWITCH.as_bytes())?;
    fs::write(&previous, files.join("\n"))?;
    // The files and programs that the tests download.
    fs::create_dir_all(tree.join("target"))?;
    for folder in ["human", "judges"] {
        let (from, to) =
            (fs::canonicalize(Path::new("target").join(folder)), tree.join("target").join(folder));
        if let (Ok(from), false) = (from, to.exists()) {
            std::os::unix::fs::symlink(from, to)?;
        }
    }
    Ok(instrumented)
}

fn write_changed(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, bytes)
}

fn cargo(arguments: &[&str]) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(arguments).args(["--quiet", "--features", "opensubdiv", "--message-format", "json"]);
    command.current_dir(work().join("tree")).env("CARGO_TARGET_DIR", fs::canonicalize(work())?.join("build"));
    let output = command.stderr(Stdio::inherit()).output()?;
    let lines = String::from_utf8(output.stdout)?;
    let messages: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if !output.status.success() && !messages.iter().any(|m| m["message"]["level"] == "error") {
        return Err(format!("cargo {} failed", arguments.join(" ")).into());
    }
    Ok(messages)
}

/// Mutants in whose code a message points; failing that, those of the smallest expression around its main place.
fn blamed(message: &Value, files: &BTreeMap<String, Instrumented>) -> Vec<usize> {
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    let places = spans.iter().filter_map(|span| {
        let file = files.get(span["file_name"].as_str()?)?;
        let (start, end) = (span["byte_start"].as_u64()? as usize, span["byte_end"].as_u64()? as usize);
        Some((file, start, end, span["is_primary"] == true))
    });
    let mut around: Vec<(bool, usize, &[usize])> = Vec::new();
    for (file, start, end, primary) in places {
        let marks = file.marks.iter().filter(|m| m.range.start <= start && end <= m.range.end);
        if let Some(mark) = marks.min_by_key(|m| m.range.len()) {
            around.push((!(mark.mutants.len() == 1 && primary), mark.range.len(), &mark.mutants));
        }
    }
    around.sort();
    around.first().map(|(_, _, mutants)| mutants.to_vec()).unwrap_or_default()
}
