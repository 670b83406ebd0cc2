//! Lists of names in messages.

/// More names than this make a message no clearer.
pub const FEW: usize = 3;

/// The first few of so many names in all, and how many more there are.
pub fn few(first: &[String], count: usize) -> String {
    let shown = &first[..first.len().min(FEW)];
    let names = shown.join(", ");
    match count - shown.len() {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}
