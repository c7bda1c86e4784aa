//! Percent-encoding and what is built on it: query strings, forms.
//!
//! Decoding is total. A `%` without two hexadecimal digits stands for itself, and invalid UTF-8 becomes the
//! replacement character, because a server that refuses such input cannot show what a client sent.

/// Decodes a percent-encoded text.
///
/// ```
/// assert_eq!(demo::server::percent_decode("/caf%C3%A9/100%"), "/café/100%");
/// ```
#[must_use]
pub fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = (bytes.get(at + 1).copied().and_then(digit)).zip(bytes.get(at + 2).copied().and_then(digit));
        match pair {
            Some((high, low)) if bytes[at] == b'%' => {
                out.push(high << 4 | low);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// The names and values of a query string or of a form's body, in their order.
///
/// ```
/// let pairs = demo::server::pairs("q=oak+table&in=&loose");
/// assert_eq!(pairs[0], ("q".to_owned(), "oak table".to_owned()));
/// assert_eq!(pairs[2], ("loose".to_owned(), String::new()));
/// ```
#[must_use]
pub fn pairs(text: &str) -> Vec<(String, String)> {
    let decode = |text: &str| percent_decode(&text.replace('+', " "));
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// Encodes a text for a query string.
///
/// ```
/// assert_eq!(demo::server::encode("tea & cake"), "tea+%26+cake");
/// ```
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            _ => {
                out.push('%');
                for half in [byte >> 4, byte & 15] {
                    out.push(char::from(b"0123456789ABCDEF"[usize::from(half)]));
                }
            }
        }
    }
    out
}

fn digit(byte: u8) -> Option<u8> {
    // A hexadecimal digit is below 16.
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}
