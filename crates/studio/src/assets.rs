//! The files of the page, compiled in.

/// The type and the content of a file.
pub(crate) fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let found: (&str, &str) = match path {
        "/" => ("text/html; charset=utf-8", include_str!("../assets/index.html")),
        "/studio.css" => ("text/css; charset=utf-8", include_str!("../assets/studio.css")),
        "/icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        "/main.js" => (SCRIPT, include_str!("../assets/main.js")),
        "/store.js" => (SCRIPT, include_str!("../assets/store.js")),
        "/dom.js" => (SCRIPT, include_str!("../assets/dom.js")),
        "/pages.js" => (SCRIPT, include_str!("../assets/pages.js")),
        "/page.js" => (SCRIPT, include_str!("../assets/page.js")),
        "/fields.js" => (SCRIPT, include_str!("../assets/fields.js")),
        "/table.js" => (SCRIPT, include_str!("../assets/table.js")),
        "/popover.js" => (SCRIPT, include_str!("../assets/popover.js")),
        "/repair.js" => (SCRIPT, include_str!("../assets/repair.js")),
        "/below.js" => (SCRIPT, include_str!("../assets/below.js")),
        "/health.js" => (SCRIPT, include_str!("../assets/health.js")),
        "/run.js" => (SCRIPT, include_str!("../assets/run.js")),
        "/rule.js" => (SCRIPT, include_str!("../assets/rule.js")),
        "/compare.js" => (SCRIPT, include_str!("../assets/compare.js")),
        "/drop.js" => (SCRIPT, include_str!("../assets/drop.js")),
        "/keys.js" => (SCRIPT, include_str!("../assets/keys.js")),
        _ => return None,
    };
    Some((found.0, found.1.as_bytes()))
}
