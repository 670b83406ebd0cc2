//! Commands of the README, for the tests that run them.

/// The commands in the README's blocks with this mark, in order.
pub fn readme_blocks(mark: &str) -> String {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let fence = format!("```{mark}\n");
    let blocks = readme.split(&fence).skip(1);
    let text: String = blocks.map(|block| block.split("```").next().unwrap()).collect();
    assert!(!text.is_empty(), "the README has no block marked {mark}");
    text
}

/// The README's text with a part of it replaced; the part must occur.
pub fn put_otherwise(text: &str, part: &str, otherwise: &str) -> String {
    assert!(text.contains(part), "{part} is not in: {text}");
    text.replace(part, otherwise)
}
