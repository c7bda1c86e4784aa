//! States that are easily forgotten: nothing yet, something wrong, long names, a hundred fields, small and large screens, light
//! and dark. Each is a picture to look at, and on each all controls have names, can be reached and are on the screen.

use crate::common::opening;
use crate::journeys::{answered, start};
use crate::tab::{Tab, shots};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Controls without a name for those who do not see them, outside of the screen, or below another one.
const LOST: &str = "(() => { \
    const controls = [...document.querySelectorAll('button, input, select, textarea, a[href], summary, [tabindex=\"0\"]')].filter((e) => e.getClientRects().length && !e.closest('[aria-hidden=true]')); \
    const name = (e) => e.getAttribute('aria-label') || (e.labels?.length && e.labels[0].textContent.trim()) || e.textContent.trim() || e.title; \
    const nameless = controls.filter((e) => !name(e)).map((e) => 'without a name: ' + e.outerHTML); \
    const scrolls = (e) => e.closest('.scroll, #rows, .rule, .health, .run, .repair, #popover, #help'); \
    const away = controls.filter((e) => { const r = e.getBoundingClientRect(); return !scrolls(e) && (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1); }).map((e) => 'outside: ' + e.outerHTML); \
    const wide = document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight ? ['the window scrolls'] : []; \
    return [...nameless, ...away, ...wide]; })()";

/// Looks at a state in all sizes and colours.
fn look(tab: &mut Tab, name: &str) {
    for (size, width, height) in [("small", 1280, 720), ("4k", 3840, 2160)] {
        tab.size(width, height);
        for is_dark in [false, true] {
            tab.scheme(if is_dark { "dark" } else { "light" });
            std::thread::sleep(Duration::from_millis(250));
            assert_eq!(tab.eval(LOST), json!([]), "{name}, {size}");
            let color = if is_dark { "-dark" } else { "" };
            tab.shoot(&shots().join(format!("state-{name}-{size}{color}.png")));
        }
    }
    tab.size(1280, 720);
    tab.scheme("light");
}

/// Pages with many fields, whose names are long.
fn many_fields(folder: &Path) {
    std::fs::create_dir_all(folder.join("pages")).expect("a directory");
    for page in 0..6 {
        let mut html = format!(
            "<title>Product {page} with a title that is much longer than any column can be wide</title><h1>Product {page}</h1><table>"
        );
        for row in 0..100 {
            let more = if row % 9 == 0 {
                ", measured at room temperature after delivery to the warehouse"
            } else {
                ""
            };
            let value = (page * 37 + row * 11) % 1000;
            let _ = write!(
                html,
                "<tr><th>Property {row}{more}:</th><td>{value}.{row:02} units</td></tr>"
            );
        }
        std::fs::write(folder.join(format!("pages/{page}.html")), html + "</table>").expect("a page");
    }
}

#[test]
fn nothing_yet_and_something_wrong() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let running = studio::start(opening(folder.path(), &[]), 0).expect("a studio");
    tab.go(running.url());
    tab.until("document.querySelector('#blank input')");
    look(&mut tab, "empty");
    for (key, view) in [("2", "rule"), ("3", "run"), ("4", "health")] {
        tab.eval("document.activeElement.blur()");
        tab.key(key, 0);
        tab.until(&format!("document.body.dataset.tab === '{view}'"));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(tab.eval(LOST), json!([]), "{view} of nothing");
        tab.shoot(&shots().join(format!("state-empty-{view}.png")));
    }
    tab.eval("document.activeElement.blur()");
    tab.key("1", 0);
    // Something that is not there.
    tab.click("#blank input[type=text]");
    tab.write("no/such/folder");
    tab.key("Enter", 0);
    tab.until("document.getElementById('says').className === 'bad' && !document.getElementById('says').hidden");
    look(&mut tab, "wrong");
}

#[test]
fn a_hundred_fields_with_long_names() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    many_fields(folder.path());
    let pages = folder.path().join("pages").display().to_string();
    let running = start(folder.path(), None, &[&pages]);
    tab.go(running.url());
    answered(&mut tab);
    // As one record a page, not as a list of properties.
    tab.eval("(() => { const s = document.querySelector('#fields select'); s.value = 'landmarks'; s.dispatchEvent(new Event('change')); })()");
    tab.until("document.querySelectorAll('#fields li').length > 90");
    tab.until("document.getElementById('busy').hidden && document.querySelector('#overlay .box')");
    look(&mut tab, "many");
    tab.click("#fields [role=option] .swatch");
    tab.until("document.querySelector('#fields li[aria-selected=true] .tools')");
    look(&mut tab, "many-chosen");
    tab.click("#tab-rule");
    tab.until("document.querySelector('.rule')");
    look(&mut tab, "many-rule");
    tab.eval("document.activeElement.blur()");
    tab.key("?", 0);
    tab.until("!document.getElementById('help').hidden");
    look(&mut tab, "keys");
}
