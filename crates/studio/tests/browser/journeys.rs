//! What people come for, from the first address to the saved file, in a real browser at 1280 × 720.

use crate::common::{online, project};
use crate::tab::{Tab, shots};
use demo::server;
use demo::{Demo, Redesigned};
use serde_json::json;
use std::path::{Path, PathBuf};
use studio::{Opening, Running};
use wrapwright::Wrapper;

/// Ctrl, as the protocol counts keys.
const CTRL: u32 = 2;
const ALT: u32 = 1;
const SHIFT: u32 = 8;

/// A studio that may open addresses.
pub(crate) fn start(project: &Path, wrapper: Option<&Path>, pages: &[&str]) -> Running {
    let opening = Opening {
        wrapper: wrapper.map(Path::to_owned),
        ..online(project, pages)
    };
    studio::start(opening, 0).expect("a studio")
}

/// Waits until the answer is there.
pub(crate) fn answered(tab: &mut Tab) {
    tab.until("document.querySelector('#rows td.cell')");
    tab.until("document.getElementById('busy').hidden");
    tab.until("document.querySelector('#overlay .box')");
}

/// The middle of an element of the page, on the screen.
pub(crate) fn spot(tab: &mut Tab, selector: &str, number: usize) -> (f64, f64) {
    let place = tab.eval(&format!(
        "(() => {{ const f = document.getElementById('frame'), s = f.getBoundingClientRect(); \
         const r = f.contentDocument.querySelectorAll({selector:?})[{number}].getBoundingClientRect(); \
         return [s.x + r.x + r.width / 2, s.y + r.y + r.height / 2]; }})()"
    ));
    (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
}

/// The wrapper that was saved in a directory.
pub(crate) fn wrapper_in(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("files").flatten();
    let mut files = files.map(|entry| entry.path());
    files
        .find(|path| path.to_string_lossy().ends_with(".wrapper.json"))
        .expect("a wrapper")
}

/// Renames the chosen field with the keyboard.
fn rename(tab: &mut Tab, to: &str) {
    tab.key("r", 0);
    named(tab, to);
}

/// Types the name of a field whose name is being asked for.
pub(crate) fn named(tab: &mut Tab, to: &str) {
    tab.until("document.activeElement.matches('#fields li input')");
    tab.write(to);
    tab.key("Enter", 0);
    tab.until(&format!("document.querySelector('#fields li[data-field=\"{to}\"]')"));
}

#[test]
fn from_an_address_to_a_saved_wrapper_with_names() {
    let Some(mut tab) = Tab::open() else { return };
    let shop = server::start("127.0.0.1:0", Demo).expect("the shop");
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    tab.shoot(&shots().join("first-answer.png"));

    // A cell shows its place.
    tab.click("#rows tbody tr:nth-child(3) td:nth-child(4)");
    tab.until("document.querySelector('.box.on')");
    tab.shoot(&shots().join("cell-and-place.png"));

    // Two fields get names, one is hidden.
    let fields = "[...document.querySelectorAll('#fields [role=option]')].map((li) => li.dataset.field)";
    let before = tab.eval(fields);
    let before: Vec<String> = before
        .as_array()
        .expect("fields")
        .iter()
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(before.len() >= 3, "{before:?}");
    tab.eval("document.activeElement.blur(); document.querySelectorAll('#fields [role=option]')[0].click()");
    rename(&mut tab, "product");
    tab.eval("document.activeElement.blur()");
    tab.key("n", 0);
    rename(&mut tab, "second");
    tab.key("n", 0);
    tab.key("x", 0);
    tab.until(&format!("!{fields}.includes({:?})", before[2]));
    tab.shoot(&shots().join("named.png"));

    // Two are ticked by their names. Four more, and all others are hidden.
    tab.until("document.getElementById('wanted')?.textContent.startsWith('2 fields ticked')");
    for count in 3..=6 {
        tab.click("#fields li[role=option] .tick-field:not(:checked)");
        tab.until(&format!(
            "document.getElementById('wanted')?.textContent.startsWith('{count} fields ticked')"
        ));
    }
    tab.shoot(&shots().join("ticked.png"));
    tab.click("#only");
    tab.until("document.querySelectorAll('#fields [role=option]').length === 6");

    tab.click("#save");
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    let name = tab.eval("document.getElementById('file').value");
    let file = folder.path().join(name.as_str().expect("a name"));
    let wrapper = Wrapper::open(&file).expect("the file");
    assert!(wrapper.record_type.has_path("product") && wrapper.record_type.has_path("second"));
    assert!(wrapper.navigation.is_some(), "it can be run over the site");
    let shown = wrapper.shown.expect("some are shown");
    assert!(shown.contains(&"product".to_owned()) && !shown.contains(&before[2]));
    assert_eq!(shown.len(), 6, "{shown:?}");
    tab.dark();
    tab.size(1920, 1080);
    std::thread::sleep(std::time::Duration::from_millis(400));
    tab.shoot(&shots().join("dark.png"));
}

#[test]
fn a_value_that_is_clicked_becomes_a_field_and_a_wrong_one_goes() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = project();
    let pages = folder.path().join("project/pages").display().to_string();
    let running = start(&folder.path().join("project"), None, &[&pages]);
    tab.go(running.url());
    answered(&mut tab);
    let (x, y) = spot(&mut tab, "u", 0);
    tab.hover(x, y);
    tab.until("document.querySelector('.aim')");
    tab.click_at(x, y, 0);
    tab.until("!document.getElementById('popover').hidden");
    tab.shoot(&shots().join("what-a-click-means.png"));
    tab.click("#popover .pick");
    named(&mut tab, "seller");
    tab.until("[...document.querySelectorAll('#rows td.cell')].filter((td) => td.textContent === 'Ada Lovelace').length === 4");
    tab.until("document.querySelector('.box[data-field=seller]')");
    tab.shoot(&shots().join("new-field.png"));
    // Undo takes away the name, then the field.
    tab.eval("document.activeElement.blur()");
    tab.key("z", CTRL);
    tab.until("!document.querySelector('#fields li[data-field=seller]')");
    tab.key("z", CTRL);
    tab.until("![...document.querySelectorAll('#rows td.cell')].some((td) => td.textContent === 'Ada Lovelace')");
    tab.key("Z", CTRL | SHIFT);
    tab.until("[...document.querySelectorAll('#rows td.cell')].some((td) => td.textContent === 'Ada Lovelace')");
}

#[test]
fn one_value_and_another_make_a_list_and_a_wrong_value_goes() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let item = |(name, price, note): (&str, &str, &str)| {
        format!("<li><h3><a href='/x'>{name}</a></h3><p>Price: <b>{price}</b></p>{note}</li>")
    };
    let items = [
        ("Kelp", "7.25", "<em class=new>new</em>"),
        ("Moss", "8.00", "<em class=old>sold out</em>"),
        ("Fern", "9.10", "<em class=new>new</em>"),
        ("Salt Road", "3.50", ""),
        ("Tide", "4.20", "<em class=new>new</em>"),
    ];
    let items: String = items.into_iter().map(item).collect();
    let html = format!("<title>Shelf</title><style>li {{ margin: 0 }} h3, p {{ margin: 2px }}</style><ul>{items}</ul>");
    std::fs::write(folder.path().join("shelf.html"), html).expect("a page");
    let page = folder.path().join("shelf.html").display().to_string();
    let running = start(folder.path(), None, &[&page]);
    tab.go(running.url());
    answered(&mut tab);

    // A new table from one value: with Alt, because the value has a box already.
    let (x, y) = spot(&mut tab, "h3 a", 0);
    tab.click_at(x - 8.0, y, ALT);
    tab.until("!document.getElementById('popover').hidden");
    tab.eval(
        "[...document.querySelectorAll('#popover button')].find((b) => b.textContent.startsWith('New table')).click()",
    );
    named(&mut tab, "name");
    tab.until("document.querySelectorAll('#rows td.cell').length === 1");
    let (x, y) = spot(&mut tab, "h3 a", 1);
    tab.click_at(x - 8.0, y, 0);
    tab.until("!document.getElementById('popover').hidden");
    tab.eval("[...document.querySelectorAll('#popover button')].find((b) => b.textContent === 'This is name').click()");
    tab.until("document.querySelectorAll('#rows td.cell').length === 5");

    // A field of these records, with a value too many.
    tab.eval("document.activeElement.blur()");
    let (x, y) = spot(&mut tab, "em", 0);
    tab.click_at(x, y, 0);
    tab.until("!document.getElementById('popover').hidden");
    tab.click("#popover .pick");
    named(&mut tab, "state");
    tab.until("document.querySelectorAll('.box[data-field=state]').length >= 3");
    tab.shoot(&shots().join("list-by-pointing.png"));
    tab.until("document.querySelectorAll('.box[data-field=state]').length === 3");
    tab.until("document.querySelectorAll('#rows td.gap').length === 2");
    tab.until("document.querySelectorAll('ol.ways li').length > 0");
    tab.shoot(&shots().join("wrong-value-gone.png"));
}

#[test]
fn a_repair_is_seen_and_accepted_after_a_redesign() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let shop = server::start("127.0.0.1:0", Demo).expect("the shop");
    let address = shop.address();
    {
        let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
        tab.go(running.url());
        answered(&mut tab);
        tab.click("#save");
        tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    }
    drop(shop);
    let file = wrapper_in(folder.path());
    let _redesigned = server::start(address, Redesigned).expect("the shop after its redesign");
    let running = start(folder.path(), Some(&file), &[]);
    tab.go(running.url());
    tab.until("document.getElementById('repair')");
    tab.shoot(&shots().join("changed.png"));
    tab.click("#repair");
    tab.until("document.getElementById('accept')");
    tab.shoot(&shots().join("repair.png"));
    assert!(
        tab.eval("document.querySelectorAll('.repair tbody tr').length")
            .as_u64()
            .is_some_and(|rows| rows > 1)
    );
    tab.click("#accept");
    tab.until("document.querySelector('#rows td.cell')");
    tab.click("#save");
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    tab.shoot(&shots().join("repaired.png"));
    let names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("files")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        names.iter().any(|name| name.contains(".old-1.")),
        "the version before is kept: {names:?}"
    );
}

#[test]
fn everything_can_be_done_with_the_keyboard() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = project();
    let root = folder.path().join("project");
    let running = start(&root, None, &[]);
    tab.go(running.url());
    tab.until("document.querySelector('#blank input')");
    tab.shoot(&shots().join("empty.png"));
    for _ in 0..30 {
        if tab.eval("document.activeElement.matches('#blank input')") == json!(true) {
            break;
        }
        tab.key("Tab", 0);
    }
    tab.write("pages");
    tab.key("Enter", 0);
    answered(&mut tab);
    tab.eval("document.activeElement.blur()");
    tab.key("j", 0);
    tab.until("document.querySelectorAll('#pages li')[1].hasAttribute('aria-current')");
    tab.until("document.getElementById('frame').contentWindow.location.search.includes('page=1&')");
    tab.until("document.querySelector('#overlay .box')");
    tab.key("f", 0);
    tab.until("document.activeElement.id === 'overlay'");
    for _ in 0..20 {
        tab.key("ArrowRight", 0);
        if tab.eval("document.querySelector('.aim b')?.textContent") == json!("Ada Lovelace") {
            break;
        }
    }
    assert_eq!(
        tab.eval("document.querySelector('.aim b')?.textContent"),
        json!("Ada Lovelace")
    );
    tab.key("Enter", 0);
    tab.until("document.activeElement.matches('#popover .pick')");
    tab.key("Enter", 0);
    named(&mut tab, "seller");
    tab.eval("document.activeElement.blur()");
    tab.key("?", 0);
    tab.until("!document.getElementById('help').hidden");
    tab.shoot(&shots().join("keys.png"));
    tab.key("Escape", 0);
    tab.key("s", CTRL);
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    let saved = std::fs::read_dir(&root)
        .expect("files")
        .flatten()
        .map(|entry| entry.path());
    let saved: Vec<_> = saved
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    assert_eq!(saved.len(), 1, "{saved:?}");
    assert!(
        Wrapper::open(&saved[0])
            .expect("a wrapper")
            .record_type
            .has_path("seller")
    );
    // Every control has a name.
    let nameless = tab.eval(
        "[...document.querySelectorAll('button, input, select')].filter((e) => e.offsetParent && !(e.textContent.trim() \
         || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
}

#[test]
fn what_cannot_be_opened_is_told_and_another_address_can_be_given() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = project();
    let running = start(&folder.path().join("project"), None, &["http://127.0.0.1:1/nothing"]);
    tab.go(running.url());
    tab.until("!document.getElementById('says').hidden && document.getElementById('says').className === 'bad'");
    tab.until("document.querySelector('#blank input')");
    tab.shoot(&shots().join("unreachable.png"));
    tab.click("#blank input");
    tab.write("no-such-folder");
    tab.key("Enter", 0);
    tab.until("document.getElementById('says').textContent.includes('there is no such file')");
    tab.eval("document.querySelector('#blank input').value = ''");
    tab.write("pages");
    tab.key("Enter", 0);
    answered(&mut tab);
    assert_eq!(tab.eval("document.getElementById('says').className"), json!(""));
}
