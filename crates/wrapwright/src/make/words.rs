//! Words that several messages share.

/// A text in quotes, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}… ({} characters)", &text[..end], text.chars().count()),
        None => format!("{text:?}"),
    }
}

/// `1 page`, `2 pages`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A warning of a value that begins or ends inside a word of its page.
pub(super) fn cut(page: &str, text: &str, field: &str, whole: &str) -> String {
    let (text, whole) = (quoted(text), quoted(whole));
    format!("{page}: {text}, which is given for `{field}`, is cut inside a word; did you mean {whole}?")
}

/// Are values that are cut inside a word a mistake? If most of a field are, they are meant to be.
pub(super) fn is_mistake(cut: usize, of: usize) -> bool {
    of == 1 || cut * 2 <= of
}
