//! The command in a folder of its own.
#![allow(dead_code)] // each user takes a part

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, Output};

pub fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder for what a run writes.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The numbers of a table by name: one row for each frame.
    pub fn table(&self, name: &str) -> HashMap<String, Vec<Vec<f64>>> {
        let mut all: HashMap<String, Vec<Vec<f64>>> = HashMap::new();
        for line in self.read(name).lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let rows = all.entry(cells[1].into()).or_default();
            rows.push(cells[2..].iter().map(|c| c.parse().unwrap()).collect());
        }
        all
    }
}
