//! Provenance: which program and job wrote a file. It contains nothing that differs between two runs of the same job,
//! so that equal results are equal files: no date, no machine, no folder.

pub use sinew_version::PROGRAM;

/// What made a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The command, without folders and without options that change nothing; empty if called from the library.
    pub command: String,
    /// The fingerprint of the job, as in the manifest; empty if there is none.
    pub job: String,
}

impl Provenance {
    /// What is known: the name and the text.
    pub fn entries(&self) -> Vec<(&'static str, String)> {
        std::iter::once(("program", PROGRAM.to_string())).chain(self.besides()).collect()
    }

    /// The same without the program, for formats that have a separate field for it.
    pub fn besides(&self) -> impl Iterator<Item = (&'static str, String)> {
        let known = [("command", &self.command), ("job", &self.job)];
        known.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, plain(text)))
    }
}

/// Text for headers, with their separator characters replaced by spaces.
pub(super) fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, ';' | '=' | '"' | '\\') { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_reported_and_nothing_breaks_a_header() {
        assert_eq!(Provenance::default().entries(), [("program", PROGRAM.to_string())]);
        let stated = Provenance { command: "sinew run a;b=\"c\"\n.xml".into(), job: "12".into() }.entries();
        assert_eq!(stated[1..], [("command", "sinew run a b  c  .xml".into()), ("job", "12".into())]);
    }
}
