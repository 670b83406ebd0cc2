//! Which mutants: the list of `cargo mutants`, and a sample of each module.

use crate::Options;
use serde_json::Value;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::process::Command;

/// One change of the code.
pub struct Mutant {
    pub id: usize,
    pub module: String,
    /// From the crate's root.
    pub file: String,
    /// Place, change and function, as `cargo mutants` says it.
    pub name: String,
    /// What stays when lines move: file, column, change, and the text of the line.
    pub key: String,
    /// The function returns `replacement` instead of running; otherwise `replacement` stands in place of `span`.
    pub whole_function: bool,
    pub replacement: String,
    /// In bytes of the file.
    pub span: Range<usize>,
}

/// Draws `options.sample` mutants of every module, those with the smallest hash of seed and key.
pub fn draw(options: &Options) -> Result<Vec<Mutant>, Box<dyn Error>> {
    let mut drawn = Vec::new();
    for module in &options.modules {
        let mut mutants = list(module)?;
        if mutants.is_empty() {
            return Err(format!("src/{module} has no mutants").into());
        }
        mutants.sort_by_key(|m| {
            let mut hasher = DefaultHasher::new();
            (options.seed, &m.key).hash(&mut hasher);
            hasher.finish()
        });
        mutants.truncate(options.sample);
        mutants.sort_by(|a, b| (&a.file, a.span.start).cmp(&(&b.file, b.span.start)));
        drawn.append(&mut mutants);
    }
    drawn.iter_mut().enumerate().for_each(|(id, mutant)| mutant.id = id);
    Ok(drawn)
}

fn list(module: &str) -> Result<Vec<Mutant>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "--workspace", "-f", &format!("src/{module}/**")]);
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("cargo mutants --list: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    // A function with a hidden type (`-> impl Iterator`) can't return one of another type as well.
    let hidden = |value: &&Value| {
        value["genre"] == "FnValue"
            && value["function"]["return_type"].as_str().is_some_and(|t| t.contains("impl "))
    };
    listed.iter().filter(|value| !hidden(value)).map(|value| mutant(module, value)).collect()
}

fn mutant(module: &str, value: &Value) -> Result<Mutant, Box<dyn Error>> {
    let text =
        |field: &str| value[field].as_str().map(str::to_string).ok_or(format!("a mutant without {field}"));
    let (file, name) = (text("file")?, text("name")?);
    let source = std::fs::read_to_string(&file)?;
    let [start, end] = ["start", "end"].map(|side| offset(&source, &value["span"][side]));
    let span = start.ok_or("a span outside its file")?..end.ok_or("a span outside its file")?;
    let line = source[..span.start].lines().count().max(1) - 1;
    let change = name.splitn(4, ':').nth(3).ok_or("a name without a place")?;
    let key = format!(
        "{file}:{}:{change}: {}",
        value["span"]["start"]["column"],
        source.lines().nth(line).unwrap_or_default().trim()
    );
    let whole_function = value["genre"] == "FnValue";
    Ok(Mutant {
        id: 0,
        module: module.into(),
        whole_function,
        replacement: text("replacement")?,
        key,
        file,
        name,
        span,
    })
}

/// The byte of a place given as line and column, both from 1, the column in characters.
fn offset(source: &str, place: &Value) -> Option<usize> {
    let (line, column) = (place["line"].as_u64()? as usize, place["column"].as_u64()? as usize);
    let before: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let text = source.get(before..)?;
    Some(before + text.chars().take(column - 1).map(char::len_utf8).sum::<usize>())
}
