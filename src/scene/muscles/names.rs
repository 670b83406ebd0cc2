//! The names of joints as one text, as a host's parameter holds them.

use sinew_base::error::{Error, Kind, Result};

/// Names separated by commas. A name with a comma, a quote or spaces around it stands in quotes, which are doubled
/// inside.
pub fn join_names(names: &[String]) -> String {
    let one = |name: &String| match name.contains([',', '"']) || name.trim() != name {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    names.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The names that [`join_names`] joined; spaces around commas do not count.
pub fn split_names(text: &str) -> Result<Vec<String>> {
    let (mut names, mut rest) = (Vec::new(), text);
    loop {
        let (name, after) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => in_quotes(quoted)?,
            None => {
                let (name, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                (name.trim().to_string(), after)
            }
        };
        names.push(name);
        let after = after.trim_start();
        let Some(next) = after.strip_prefix(',') else {
            return match after {
                "" => Ok(names),
                _ => Err(Error::new(Kind::Parse, format!("a comma is missing before {after:?}"))),
            };
        };
        rest = next;
    }
}

/// A name up to its closing quote, and what comes after.
fn in_quotes(quoted: &str) -> Result<(String, &str)> {
    let mut from = 0;
    while let Some(at) = quoted[from..].find('"') {
        let end = from + at;
        if !quoted[end + 1..].starts_with('"') {
            return Ok((quoted[..end].replace("\"\"", "\""), &quoted[end + 1..]));
        }
        from = end + 2;
    }
    Err(Error::new(Kind::Parse, format!("the closing quote of \"{quoted} is missing")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spaces_do_not_count_and_quotes_hold_names_together() {
        let names = split_names(" hip, \"arm, upper\" ,\"the \"\"tail\"\"\",,").unwrap();
        assert_eq!(names, ["hip", "arm, upper", "the \"tail\"", "", ""]);
        assert_eq!(join_names(&names[..3]), "hip,\"arm, upper\",\"the \"\"tail\"\"\"");
        for wrong in ["\"hip", "a,\"hip\"\"", "\"hip\"bone,a"] {
            assert_eq!(split_names(wrong).unwrap_err().kind(), Kind::Parse, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn names_come_back(names in prop::collection::vec("[ a,\"é]{0,5}", 1..6)) {
            prop_assert_eq!(split_names(&join_names(&names)).unwrap(), names);
        }

        #[test]
        fn any_text_is_split_or_refused(text in "[ a,\"é]{0,12}") {
            drop(split_names(&text));
        }
    }
}
