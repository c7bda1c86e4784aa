//! A form's entries as a request (HTML Standard 4.10.21.5 to 4.10.21.8).
//!
//! A form sends in the encoding of its page unless it names another; a character that the encoding lacks is sent as a
//! numeric reference, as browsers do. The boundary of a multipart body is a constant with a counter, chosen so that no
//! value contains it: the same form always makes the same bytes, which recordings rely on.

use crate::fetch::{Body, Method, Request};
use encoding_rs::Encoding;
use page::form::Entry;
use std::borrow::Cow;
use url::Url;

/// How a form encodes its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    UrlEncoded,
    Multipart,
    Plain,
}

impl Packing {
    pub(crate) fn of(enctype: &str) -> Packing {
        match () {
            () if enctype.eq_ignore_ascii_case("multipart/form-data") => Packing::Multipart,
            () if enctype.eq_ignore_ascii_case("text/plain") => Packing::Plain,
            () => Packing::UrlEncoded,
        }
    }
}

/// The request that a form makes.
pub(crate) fn request(method: Method, mut url: Url, packing: Packing, charset: &str, entries: &[Entry]) -> Request {
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    match method {
        Method::Get => {
            url.set_query(Some(&url_encoded(encoding, entries)));
            Request::get(url)
        }
        Method::Post => {
            let body = match packing {
                Packing::UrlEncoded => Body {
                    content_type: "application/x-www-form-urlencoded".to_owned(),
                    bytes: url_encoded(encoding, entries).into_bytes(),
                },
                Packing::Multipart => multipart(encoding, entries),
                Packing::Plain => {
                    let line = |e: &Entry| format!("{}={}\r\n", crlf(&e.name), crlf(&e.value));
                    let lines: String = entries.iter().map(line).collect();
                    Body {
                        content_type: "text/plain".to_owned(),
                        bytes: encoding.encode(&lines).0.into_owned(),
                    }
                }
            };
            Request {
                method,
                url,
                body: Some(body),
                headers: Vec::new(),
            }
        }
    }
}

/// An encoding in the form that the `url` crate expects.
pub(crate) fn encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    |text| encoding.encode(text).0
}

fn url_encoded(encoding: &'static Encoding, entries: &[Entry]) -> String {
    let encode = encoder(encoding);
    let mut out = url::form_urlencoded::Serializer::new(String::new());
    out.encoding_override(Some(&encode));
    for entry in entries {
        out.append_pair(&crlf(&entry.name), &crlf(&entry.value));
    }
    out.finish()
}

fn multipart(encoding: &'static Encoding, entries: &[Entry]) -> Body {
    let holds = |boundary: &str| {
        entries
            .iter()
            .any(|e| e.name.contains(boundary) || e.value.contains(boundary))
    };
    let boundary = (0u32..)
        .map(|n| format!("----WrapwrightFormBoundary{n:08}"))
        .find(|b| !holds(b))
        .unwrap_or_default();
    let mut text = String::new();
    for entry in entries {
        let name = crlf(&entry.name)
            .replace('\r', "%0D")
            .replace('\n', "%0A")
            .replace('"', "%22");
        let file = if entry.is_file {
            "; filename=\"\"\r\nContent-Type: application/octet-stream"
        } else {
            ""
        };
        text += &format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        text += &crlf(&entry.value);
        text += "\r\n";
    }
    text += &format!("--{boundary}--\r\n");
    let content_type = format!("multipart/form-data; boundary={boundary}");
    Body {
        content_type,
        bytes: encoding.encode(&text).0.into_owned(),
    }
}

/// Line breaks as forms send them.
fn crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(pairs: &[(&str, &str)]) -> Vec<Entry> {
        let entry = |&(name, value): &(&str, &str)| Entry {
            name: name.into(),
            value: value.into(),
            is_file: false,
        };
        pairs.iter().map(entry).collect()
    }

    #[test]
    fn url_encoding_is_in_the_charset_of_the_form() {
        type Row = (&'static str, &'static [(&'static str, &'static str)], &'static str);
        let rows: &[Row] = &[
            (
                "utf-8",
                &[("q", "a b&c=d"), ("ü", "€")],
                "q=a+b%26c%3Dd&%C3%BC=%E2%82%AC",
            ),
            ("windows-1252", &[("ü", "€ \u{4e00}")], "%FC=%80+%26%2319968%3B"),
            ("utf-8", &[("t", "one\ntwo\r\nthree")], "t=one%0D%0Atwo%0D%0Athree"),
            ("utf-8", &[], ""),
        ];
        for (charset, pairs, expected) in rows {
            let url = Url::parse("http://a.test/find?old=1#part").unwrap();
            let get = request(Method::Get, url.clone(), Packing::UrlEncoded, charset, &entries(pairs));
            assert_eq!(get.url.as_str(), format!("http://a.test/find?{expected}#part"));
            let post = request(Method::Post, url.clone(), Packing::UrlEncoded, charset, &entries(pairs));
            assert_eq!(post.url, url);
            assert_eq!(post.body.unwrap().bytes, expected.as_bytes());
        }
    }

    #[test]
    fn other_packings() {
        let url = Url::parse("http://a.test/").unwrap();
        let mut pairs = entries(&[("a\"b", "----WrapwrightFormBoundary00000000"), ("f", "")]);
        pairs[1].is_file = true;
        let body = request(
            Method::Post,
            url.clone(),
            Packing::of("Multipart/Form-Data"),
            "utf-8",
            &pairs,
        )
        .body
        .unwrap();
        assert_eq!(
            body.content_type,
            "multipart/form-data; boundary=----WrapwrightFormBoundary00000001"
        );
        let expected = "------WrapwrightFormBoundary00000001\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n\
            ----WrapwrightFormBoundary00000000\r\n\
            ------WrapwrightFormBoundary00000001\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\
            Content-Type: application/octet-stream\r\n\r\n\r\n------WrapwrightFormBoundary00000001--\r\n";
        assert_eq!(String::from_utf8(body.bytes).unwrap(), expected);
        let body = request(Method::Post, url, Packing::of("text/plain"), "utf-8", &pairs[1..])
            .body
            .unwrap();
        assert_eq!(body.bytes, b"f=\r\n");
    }
}
