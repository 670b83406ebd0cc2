//! Text in HTML.

/// Text escaped for HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Sentences as a list; nothing if there are none.
pub(super) fn list(class: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let items: String = sentences.iter().map(|text| format!("<li>{}</li>\n", escaped(text))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}
