//! Names of objects that all formats allow.

/// A valid name, as USD is the strictest about them: characters that are not allowed become `_`.
pub fn identifier(name: &str) -> String {
    let mut id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        id.insert(0, '_');
    }
    id
}

/// Distinct valid identifiers for names.
pub fn identifiers<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names.map(identifier) {
        let others = (2..).map(|k| format!("{name}_{k}"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !all.contains(name));
        all.extend(free);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_that_no_file_can_have_are_told_apart() {
        let found = identifiers(["FDP left", "FDP_left", "FDP/left", "3", "FDP_left_2"].into_iter());
        assert_eq!(found, ["FDP_left", "FDP_left_2", "FDP_left_3", "_3", "FDP_left_2_2"]);
    }
}
