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

/// Are the ends of some texts these parts, and what is before them the numbers 1, 2, 3 and so on, perhaps after the same word: `Step 1`? A part that is all of its text has no number.
pub(crate) fn are_numbered(wholes: &[&str], parts: &[&str]) -> bool {
    let word = |number: usize| -> Option<&str> {
        let before = wholes[number].strip_suffix(parts[number])?.trim();
        let before = before.trim_end_matches(['.', ':', ')', '-', '#']).trim_end();
        let word = before.strip_suffix(&format!("{}", number + 1))?.trim_end();
        (word.len() <= LONGEST_WORD && word.chars().all(|c| c.is_alphabetic() || c == '#')).then_some(word)
    };
    let Some(first) = (wholes.len() > 1 && wholes.len() == parts.len())
        .then(|| word(0))
        .flatten()
    else {
        return false;
    };
    (1..wholes.len()).all(|number| word(number) == Some(first))
}

/// Words before numbers are short: "Step", "Schritt", "Passaggio".
const LONGEST_WORD: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_texts() {
        let parts = ["Mix it.", "Bake it.", "Eat it."];
        let check =
            |wholes: [&str; 3], expected: bool| assert_eq!(are_numbered(&wholes, &parts), expected, "{wholes:?}");
        check(["1 Mix it.", "2 Bake it.", "3 Eat it."], true);
        check(["Step 1: Mix it.", "Step 2: Bake it.", "Step 3: Eat it."], true);
        check(parts, false);
        check(["1 Mix it.", "1 Bake it.", "1 Eat it."], false);
        check(["Step 1 Mix it.", "Part 2 Bake it.", "Step 3 Eat it."], false);
        check(["First, 1 Mix it.", "First, 2 Bake it.", "First, 3 Eat it."], false);
    }
}
