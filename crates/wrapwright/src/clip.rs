//! Texts of pages in messages and tables for people.

/// A text in one line, cut to `width` characters. Control characters are removed: values come from pages.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace(char::is_control, "");
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text,
    }
}
