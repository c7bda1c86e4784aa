//! What all pages share: escaping, the frame around a page, pagers.

use crate::server::{Response, encode};
use std::fmt::{self, Display, Write};

/// A text, escaped for HTML when it is shown; good for attributes too.
pub(crate) struct Text<'t>(pub(crate) &'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

/// An amount of cents as `12.50`.
pub(crate) struct Money(pub(crate) u32);

impl Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// A number with commas: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The sites of the demo: class of the body, path, name.
const SITES: [(&str, &str, &str); 6] = [
    ("shop", "/shop/", "Lantern Row"),
    ("books", "/books/", "Riverbend Books"),
    ("scholar", "/scholar/", "Citeseek"),
    ("flights", "/flights/", "Kestrel Fares"),
    ("stocks", "/stocks/", "Tickerboard"),
    ("script", "/script/", "Script corner"),
];

/// A page in the frame that all pages share. `site` is the class of its body, `main` is HTML.
pub(crate) fn page(site: &str, title: &str, main: &str) -> Response {
    framed(site, title, main, "")
}

/// The same with something more in its head.
pub(crate) fn framed(site: &str, title: &str, main: &str, head: &str) -> Response {
    let mut out = String::with_capacity(main.len() + 2048);
    let title = Text(title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"/icon.svg\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n{head}</head>\n\
         <body class=\"{site}\">\n<header class=\"top\">\n<a class=\"home\" href=\"/\">Wrapwright demo</a>\n<nav>\n"
    );
    for (class, path, name) in SITES {
        let here = if class == site { " aria-current=\"true\"" } else { "" };
        let _ = writeln!(out, "<a href=\"{path}\"{here}>{name}</a>");
    }
    let _ = write!(
        out,
        "</nav>\n</header>\n<main>\n{main}</main>\n<footer>All goods, people, papers, flights and companies here are \
         invented.</footer>\n</body>\n</html>\n"
    );
    Response::html(out)
}

/// The page for a missing page.
pub(crate) fn missing(site: &str) -> Response {
    page(
        site,
        "Not found",
        "<h1>Not found</h1>\n<p>There is no such page here. <a href=\"/\">Start again</a>.</p>\n",
    )
    .with_status(404)
}

/// A page of a list: its number, and the number of pages.
pub(crate) struct Part<'l, T> {
    pub(crate) items: &'l [T],
    /// Counted from 1.
    pub(crate) page: usize,
    pub(crate) pages: usize,
}

impl<'l, T> Part<'l, T> {
    /// The requested page of a list; the last page if the number is too large.
    pub(crate) fn of(all: &'l [T], size: usize, asked: Option<&str>) -> Part<'l, T> {
        let pages = all.len().div_ceil(size).max(1);
        let page = asked.and_then(|page| page.parse().ok()).unwrap_or(1).clamp(1, pages);
        let start = (page - 1) * size;
        Part {
            items: &all[start..all.len().min(start + size)],
            page,
            pages,
        }
    }

    /// Links to the other pages: their addresses are `path` with `query` and the page's number.
    pub(crate) fn pager(&self, path: &str, query: &[(&str, &str)]) -> String {
        if self.pages == 1 {
            return String::new();
        }
        let address = |page: usize| {
            let number = page.to_string();
            let all = query.iter().copied().chain([("page", number.as_str())]);
            address(path, all)
        };
        let mut out = String::from("<nav class=\"pager\" aria-label=\"Pages\">\n");
        if self.page > 1 {
            let _ = writeln!(
                out,
                "<a class=\"previous\" rel=\"prev\" href=\"{}\">Previous</a>",
                Text(&address(self.page - 1))
            );
        }
        for page in 1..=self.pages {
            let away = page.abs_diff(self.page);
            let _ = if away == 0 {
                writeln!(out, "<span class=\"here\" aria-current=\"page\">{page}</span>")
            } else if away <= 2 || page == 1 || page == self.pages {
                writeln!(out, "<a href=\"{}\">{page}</a>", Text(&address(page)))
            } else if away == 3 {
                writeln!(out, "<span class=\"gap\">…</span>")
            } else {
                Ok(())
            };
        }
        if self.page < self.pages {
            let _ = writeln!(
                out,
                "<a class=\"next\" rel=\"next\" href=\"{}\">Next</a>",
                Text(&address(self.page + 1))
            );
        }
        out + "</nav>\n"
    }
}

/// A path with a query.
pub(crate) fn address<'q>(path: &str, query: impl IntoIterator<Item = (&'q str, &'q str)>) -> String {
    let query: Vec<String> = query
        .into_iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    format!("{path}?{}", query.join("&"))
}

/// A JSON string.
pub(crate) struct Json<'t>(pub(crate) &'t str);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                char if char < ' ' => write!(f, "\\u{:04x}", char as u32)?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}
