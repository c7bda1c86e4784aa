//! `${name}` in the text of an expression, as in the original OXPath: replaced before the expression is parsed.

/// Replaces every `${name}` whose name is bound; returns also the names that are not bound.
///
/// ```
/// let (text, missing) = wrapwright::template::fill("doc('${url}')//a${n}", &[("url", "http://x/")]);
/// assert_eq!(text, "doc('http://x/')//a${n}");
/// assert_eq!(missing, ["n"]);
/// ```
pub fn fill(source: &str, bindings: &[(&str, &str)]) -> (String, Vec<String>) {
    let mut out = String::with_capacity(source.len());
    let mut missing = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find("${") {
        let Some(length) = rest[start..].find('}') else { break };
        let name = &rest[start + 2..start + length];
        out.push_str(&rest[..start]);
        match bindings.iter().find(|(bound, _)| *bound == name) {
            Some((_, value)) => out.push_str(value),
            None => {
                missing.push(name.to_owned());
                out.push_str(&rest[start..=start + length]);
            }
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    (out, missing)
}
