//! Signs and numbers that a template puts before values, or after them: a box to tick, a bar, the number of the row.

/// Is a character a sign of a template, such as a bullet, a box or a bar? Values themselves begin and end with quotes, brackets, currencies and the
/// full stops of sentences.
fn is_sign(c: char) -> bool {
    let is_own = "()[]{}<>\"'`“”‘’„«»‹›.!?…¡¿¶§&%#@+-–—−/\\~_$€£¥¢₹°^=".contains(c);
    !c.is_alphanumeric() && !c.is_whitespace() && !is_own
}

/// The sign that a text begins with.
pub(crate) fn first_sign(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|c| is_sign(*c))?;
    text.get(..first.len_utf8())
}

/// The sign that a text ends with.
pub(crate) fn last_sign(text: &str) -> Option<&str> {
    let last = text.chars().next_back().filter(|c| is_sign(*c))?;
    text.get(text.len() - last.len_utf8()..)
}

/// Do texts begin with 1, 2, 3 and so on, in this order? It may begin again with 1, as on the next page. One text is not counted.
pub(crate) fn are_counted<T: AsRef<str>>(texts: &[T]) -> bool {
    let mut last = 0;
    let is_next = |text: &T| {
        let text = text.as_ref();
        last = match text.starts_with(&format!("{}", last + 1)) {
            true => last + 1,
            false if last > 1 && text.starts_with('1') => 1,
            false => return false,
        };
        // There must be something after the number: numbers alone are values.
        text.len() > format!("{last}").len()
    };
    texts.len() > 1 && texts.iter().all(is_next)
}
