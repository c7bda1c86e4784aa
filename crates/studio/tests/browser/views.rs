//! The views below the page: health, runs, the rule, and a repair beside the page of before.

use crate::common::project;
use crate::journeys::{answered, named, spot, start, wrapper_in};
use crate::tab::{Tab, shots};
use demo::server::{self, Answer, Request, Site};
use demo::{Demo, Redesigned};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

const SHIFT: u32 = 8;

/// The demo, which can be redesigned while it runs, and which takes its time if asked to.
struct Shop {
    is_new: Arc<AtomicBool>,
    pause: Duration,
}

impl Site for Shop {
    fn answer(&self, request: &Request) -> Answer {
        std::thread::sleep(self.pause);
        match self.is_new.load(Ordering::Relaxed) {
            true => Redesigned.answer(request),
            false => Demo.answer(request),
        }
    }
}

pub(crate) fn shop(pause: u64) -> (server::Running, Arc<AtomicBool>) {
    let is_new = Arc::new(AtomicBool::new(false));
    let site = Shop {
        is_new: Arc::clone(&is_new),
        pause: Duration::from_millis(pause),
    };
    (server::start("127.0.0.1:0", site).expect("the shop"), is_new)
}

/// Replaces the text of a control.
pub(crate) fn write_into(tab: &mut Tab, id: &str, text: &str) {
    tab.eval(&format!(
        "document.getElementById({id:?}).focus(); document.getElementById({id:?}).select()"
    ));
    tab.write(text);
}

/// Saves the wrapper as `shop.wrapper.json`.
pub(crate) fn save(tab: &mut Tab) {
    write_into(tab, "file", "shop.wrapper.json");
    tab.click("#save");
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
}

/// Waits until nothing is under way.
pub(crate) fn quiet(tab: &mut Tab) {
    std::thread::sleep(Duration::from_millis(50));
    tab.until("document.getElementById('busy').hidden");
}

#[test]
fn health_shows_each_look_and_a_repair_makes_a_field_mended() {
    let Some(mut tab) = Tab::open() else { return };
    let (shop, is_new) = shop(0);
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    tab.click("#tab-health");
    tab.until("document.querySelector('.health')?.textContent.includes('Nobody has looked')");
    assert_eq!(
        tab.eval("document.getElementById('look').disabled"),
        json!(true),
        "nothing is saved yet"
    );
    tab.shoot(&shots().join("health-empty.png"));
    save(&mut tab);
    tab.click("#look");
    tab.until("document.querySelectorAll('.strips thead th').length === 1");
    quiet(&mut tab);
    assert_eq!(
        tab.eval("document.querySelectorAll('.strips td.s-fine').length > 3"),
        json!(true)
    );
    is_new.store(true, Ordering::Relaxed);
    tab.click("#look");
    tab.until("document.querySelectorAll('.strips thead th').length === 2");
    quiet(&mut tab);
    // The reasons in words, now and in the history.
    tab.until("document.querySelectorAll('section[aria-label=\"The last check\"] li').length > 0");
    tab.until("document.querySelectorAll('section[aria-label=\"The chosen look\"] li').length > 0");
    tab.shoot(&shots().join("health-changed.png"));
    tab.click("#repair");
    tab.until("document.getElementById('accept')");
    tab.click("#accept");
    tab.until("!document.getElementById('accept')");
    save(&mut tab);
    tab.click("#tab-health");
    tab.until("document.querySelectorAll('.strips thead th').length === 3");
    tab.until("document.querySelectorAll('.strips td.s-mended').length > 0");
    assert_eq!(
        tab.eval("document.querySelector('.strips td.v-repaired') !== null"),
        json!(true)
    );
    quiet(&mut tab);
    tab.shoot(&shots().join("health-mended.png"));
    // After the repair, a look is fine again.
    tab.click("#look");
    tab.until("document.querySelectorAll('.strips thead th').length === 4");
    tab.until("document.querySelector('.strips tbody tr td:last-child').classList.contains('v-fine')");
    let history =
        wrapwright::history::History::existing(&folder.path().join("shop.history.sqlite")).expect("a history");
    let verdicts: Vec<&str> = history
        .last(9)
        .expect("entries")
        .iter()
        .map(|entry| entry.verdict.name())
        .collect();
    assert_eq!(verdicts, ["fine", "changed", "repaired", "fine"]);
}

fn lines(folder: &TempDir, file: &str) -> usize {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap_or_default();
    text.lines().count()
}

/// The way from the page arrives while a number is typed: the form is drawn anew, and the typing goes on.
#[test]
fn a_form_that_is_drawn_anew_keeps_what_is_selected() {
    let Some(mut tab) = Tab::open() else { return };
    let (shop, _) = shop(0);
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    tab.eval(
        "const ask = window.fetch; window.fetch = async (what, ...more) => { \
         if (String(what).includes('/api/way')) await new Promise((go) => { window.answerWay = go; }); \
         return ask(what, ...more); }; 0",
    );
    tab.click("#tab-run");
    tab.until("document.getElementById('run-pages') && window.answerWay");
    tab.eval("document.getElementById('run-pages').focus(); document.getElementById('run-pages').select(); window.answerWay()");
    tab.until("document.getElementById('way')");
    tab.write("60");
    assert_eq!(tab.eval("document.getElementById('run-pages').value"), json!("60"));
}

#[test]
fn a_run_is_seen_before_it_starts_stopped_and_gone_on_with() {
    let Some(mut tab) = Tab::open() else { return };
    let (shop, _) = shop(120);
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    save(&mut tab);
    tab.click("#tab-run");
    tab.until("document.getElementById('run-start')?.value.endsWith('/shop/search')");
    assert_eq!(tab.eval("document.getElementById('run-next').value"), json!("auto"));
    assert_eq!(tab.eval("document.getElementById('run-file').value"), json!("shop.csv"));
    // An address that is none is refused, and so is a file that is not one for records.
    write_into(&mut tab, "run-file", "../x.csv");
    tab.click("#run");
    tab.until("document.getElementById('says').textContent.includes('below the project')");
    write_into(&mut tab, "run-file", "shop.csv");

    write_into(&mut tab, "run-pages", "40");
    tab.click("#run");
    tab.until("document.querySelectorAll('.arrived tbody tr').length > 3");
    tab.shoot(&shots().join("run-under-way.png"));
    tab.click("#stop-run");
    tab.until("document.getElementById('progress').textContent.includes('stopped')");
    let stopped = tab
        .eval("document.querySelectorAll('.arrived tbody tr').length")
        .as_u64()
        .expect("rows");
    assert!(!folder.path().join("shop.csv").exists() && folder.path().join("shop.csv.part").exists());
    tab.shoot(&shots().join("run-stopped.png"));
    tab.click("#go-on");
    tab.until("document.getElementById('progress').textContent.includes('limit')");
    tab.until("document.querySelectorAll('.arrived tbody tr').length > 30");
    let rows = tab
        .eval("document.querySelectorAll('.arrived tbody tr').length")
        .as_u64()
        .expect("rows");
    assert!(rows > stopped, "{rows} after {stopped}");
    assert_eq!(
        lines(&folder, "shop.csv") as u64,
        rows + 1,
        "each record is in the file once"
    );
    tab.shoot(&shots().join("run-ended.png"));
    // The run is listed, and a page that is loaded anew still has its rows.
    tab.click("#tab-health");
    tab.until("document.querySelector('ul.runs')?.textContent.includes('limit reached')");
    tab.eval("location.reload()");
    tab.until("document.querySelector('#tab-run') && document.querySelector('#rows td.cell')");
    tab.click("#tab-run");
    tab.until(&format!(
        "document.querySelectorAll('.arrived tbody tr').length === {rows}"
    ));
}

#[test]
fn the_way_through_a_site_is_shown_on_its_pages() {
    let Some(mut tab) = Tab::open() else { return };
    let shop = server::start("127.0.0.1:0", Demo).expect("the shop");
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}books/search?q=a", shop.url())]);
    tab.go(running.url());
    tab.until("document.getElementById('busy').hidden && document.querySelectorAll('#pages li').length > 0");
    tab.click("#tab-run");
    tab.until("document.getElementById('way')");
    tab.click("#open-start");
    tab.until("document.querySelector('#way')?.textContent.includes('next page /books/search')");
    tab.until("document.getElementById('busy').hidden");
    tab.click("#show-way");
    tab.until("document.querySelector('#overlay .mark')");
    tab.shoot(&shots().join("run-way.png"));
    assert_eq!(
        tab.eval("[...document.querySelectorAll('#overlay .mark b')].some((b) => b.textContent === 'next page')"),
        json!(true)
    );
    tab.key("Escape", 0);
    tab.until("!document.querySelector('#overlay .mark')");
}

#[test]
fn a_repair_beside_the_page_of_before_is_corrected_by_pointing() {
    let Some(mut tab) = Tab::open() else { return };
    let (shop, is_new) = shop(0);
    let folder = tempfile::tempdir().expect("a directory");
    {
        let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
        tab.go(running.url());
        answered(&mut tab);
        save(&mut tab);
    }
    assert!(
        folder.path().join("shop.pages/manifest.ndjson").exists(),
        "pages are kept with the wrapper"
    );
    is_new.store(true, Ordering::Relaxed);
    let file = wrapper_in(folder.path());
    let running = start(folder.path(), Some(&file), &[]);
    tab.go(running.url());
    tab.until("document.getElementById('repair')");
    // Whatever is saved now, the pages of before stay what they were.
    tab.eval("document.activeElement.blur(); document.querySelector('#fields [data-field=crumbs] .swatch').click()");
    tab.key("r", 0);
    named(&mut tab, "department");
    tab.click("#save");
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    tab.click("#check");
    tab.until("document.getElementById('repair')");
    tab.click("#repair");
    tab.until("document.getElementById('accept')");
    tab.until("document.querySelectorAll('#old-overlay .box').length > 1");
    tab.until("document.querySelectorAll('#overlay .box').length > 1");
    // The same product on both sides.
    let heading = |id: &str| {
        format!("document.getElementById('{id}').contentDocument.querySelector('h1, h2')?.textContent.trim()")
    };
    let (before, now) = (tab.eval(&heading("old")), tab.eval(&heading("frame")));
    assert!(before.is_string() && before == now, "{before} {now}");
    // A field is shown on both pages.
    tab.click(".repair tr[data-field=price] button");
    tab.until("document.querySelector('#old-overlay .box.on[data-field=price]')");
    tab.until("document.querySelector('#overlay .box.on[data-field=price]')");
    tab.shoot(&shots().join("repair-side-by-side.png"));
    // Other changes must wait.
    tab.eval("document.activeElement.blur()");
    tab.key("x", 0);
    tab.until("document.getElementById('says').textContent.includes('accept or reject the repair first')");
    // Correct a field: the stock is the maker, say.
    tab.click(".repair tr[data-field=stock] button");
    tab.until("document.querySelector('#overlay .box.on[data-field=stock]')");
    let (x, y) = spot(&mut tab, "th + td", 1);
    tab.click_at(x + 60.0, y, 1);
    tab.until("!document.getElementById('popover').hidden");
    tab.shoot(&shots().join("repair-correcting.png"));
    assert_eq!(
        tab.eval("document.querySelector('#popover select').value"),
        json!("stock")
    );
    tab.click("#popover .pick");
    tab.until("document.querySelector('.repair tr[data-field=stock]').textContent.includes('corrected by you')");
    tab.shoot(&shots().join("repair-corrected.png"));
    // Undo takes the correction back, not the repair.
    tab.eval("document.activeElement.blur()");
    tab.key("z", 2);
    tab.until("!document.querySelector('.repair tr[data-field=stock]').textContent.includes('corrected by you')");
    // One field is not taken.
    tab.click(".repair tr[data-field=blurb] input");
    tab.until("document.getElementById('accept').textContent === 'Accept without 1'");
    tab.click("#accept");
    tab.until("document.querySelector('#rows td.cell')");
    assert_eq!(
        tab.eval("[...document.querySelectorAll('#fields [role=option]')].some((li) => li.dataset.field === 'blurb')"),
        json!(false)
    );
    assert_eq!(tab.eval("document.getElementById('before').hidden"), json!(true));
}

#[test]
fn a_path_is_written_by_hand_with_live_matches() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = project();
    let pages = folder.path().join("project/pages").display().to_string();
    let running = start(&folder.path().join("project"), None, &[&pages]);
    tab.go(running.url());
    answered(&mut tab);
    tab.click("#tab-rule");
    tab.until("document.querySelector('.rule')");
    if tab.eval("document.getElementById('to-paths') !== null") == json!(true) {
        tab.shoot(&shots().join("rule-no-paths.png"));
        tab.click("#to-paths");
    }
    tab.until("document.querySelector('.rule')?.textContent.includes('Choose a field')");
    tab.click("#fields [role=option] .swatch");
    tab.until("document.querySelectorAll('ol.paths input').length > 1");
    tab.shoot(&shots().join("rule.png"));
    let last = "ol.paths li:last-child input";
    tab.click(last);
    tab.write("//u[");
    tab.until("document.querySelector('ol.paths li:last-child pre.caret')?.textContent.includes('^')");
    assert_eq!(
        tab.eval("document.querySelector('ol.paths li:last-child .take').disabled"),
        json!(true)
    );
    tab.shoot(&shots().join("rule-caret.png"));
    tab.eval(&format!("document.querySelector({last:?}).select()"));
    tab.write("//u");
    tab.until("document.querySelector('ol.paths li:last-child .tried').textContent.includes('in 4 of 4 records: Ada Lovelace')");
    tab.until("document.querySelector('#overlay .mark')");
    tab.shoot(&shots().join("rule-live.png"));
    tab.key("Enter", 0);
    tab.until("[...document.querySelectorAll('ol.paths input')].filter((input) => input.value === '//u').length === 1");
    tab.until("document.querySelector('section[aria-label=\"The whole rule\"] pre').textContent.includes('//u')");
    tab.eval("[...document.querySelectorAll('ol.paths li')].find((li) => li.querySelector('input').value === '//u').querySelector('button.small:not(.take)').click()");
    tab.until("[...document.querySelectorAll('#rows td.cell'), document.body].length && document.querySelector('ol.paths input').value === '//u'");
    tab.key("Escape", 0);
    tab.click("#tab-table");
    tab.until("[...document.querySelectorAll('#rows td.cell')].filter((td) => td.textContent === 'Ada Lovelace').length === 4");
}

#[test]
fn a_wrong_value_goes_by_a_click_with_shift_and_rows_are_sorted() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let item = |(name, price, note): (&str, &str, &str)| {
        format!("<li><h3><a href='/x'>{name}</a></h3><p>Price: <b>{price}</b></p><div>{note}</div></li>")
    };
    let items = [
        ("Kelp", "7.25", "<i class=new>new</i>"),
        ("Moss", "18.00", "<i class=old>sold out</i>"),
        ("Fern", "9.10", "<i class=new>new</i>"),
        ("Salt Road", "103.50", "<i class=new>new</i>"),
        ("Tide", "4.20", "<i class=new>new</i>"),
    ];
    let items: String = items.into_iter().map(item).collect();
    let html = format!("<title>Shelf</title><style>li, h3, p {{ margin: 1px }}</style><ul>{items}</ul>");
    std::fs::write(folder.path().join("shelf.html"), html).expect("a page");
    let page = folder.path().join("shelf.html").display().to_string();
    let running = start(folder.path(), None, &[&page]);
    tab.go(running.url());
    answered(&mut tab);
    let of = |text: &str| {
        format!(
            "[...document.querySelectorAll('#rows tbody tr')].map((tr) => [...tr.children].findIndex((td) => td.textContent === '{text}')).find((at) => at > 0)"
        )
    };
    // Sorting goes by numbers, not by letters, and a third click ends it.
    let column = tab.eval(&of("18.00")).as_u64().expect("a column") + 1;
    let first = format!("document.querySelector('#rows tbody tr td:nth-child({column})').textContent");
    let heading = format!("#rows th:nth-child({column}) button");
    tab.click(&heading);
    tab.until(&format!("{first} === '4.20'"));
    tab.click(&heading);
    tab.until(&format!("{first} === '103.50'"));
    tab.shoot(&shots().join("sorted.png"));
    tab.click(&heading);
    tab.until(&format!("{first} === '7.25'"));
    // Somebody says that one value is wrong.
    let column = tab.eval(&of("sold out")).as_u64().expect("a column") + 1;
    let (x, y) = spot(&mut tab, "i.old", 0);
    tab.hover(x, y);
    tab.until("document.getElementById('overlay').title.includes('Shift-click')");
    tab.click_at(x, y, SHIFT);
    tab.until(&format!(
        "document.querySelectorAll('#rows tbody tr')[1].children[{}].className.includes('gap')",
        column - 1
    ));
    tab.until("document.querySelectorAll('#rows td.gap').length === 1");
    quiet(&mut tab);
    tab.shoot(&shots().join("shift-click.png"));
}

#[test]
fn a_part_of_a_text_becomes_a_field() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    for (number, (title, by)) in [
        ("Kelp", "Ugo (1972)"),
        ("Moss", "Ada Lovelace (1843)"),
        ("Fern", "Cy (2001)"),
    ]
    .into_iter()
    .enumerate()
    {
        let html = format!("<title>{title}</title><h1>{title}</h1><p>By: <b>{by}</b></p>");
        std::fs::write(folder.path().join(format!("{number}.html")), html).expect("a page");
    }
    let pages = folder.path().display().to_string();
    let running = start(folder.path(), None, &[&pages]);
    tab.go(running.url());
    answered(&mut tab);
    let (x, y) = spot(&mut tab, "b", 0);
    tab.click_at(x, y, 1);
    tab.until("!document.getElementById('popover').hidden");
    tab.eval("(() => { const input = document.querySelector('#popover input.whole'); input.focus(); input.setSelectionRange(5, 9); })()");
    tab.until("document.querySelector('#popover .pick').textContent === 'only this part'");
    tab.shoot(&shots().join("part-of-a-text.png"));
    tab.click("#popover .pick");
    named(&mut tab, "year");
    for year in ["1972", "1843", "2001"] {
        tab.until(&format!(
            "[...document.querySelectorAll('#rows td.cell')].some((td) => td.textContent === '{year}')"
        ));
    }
}

#[test]
fn files_that_are_dropped_become_pages_of_the_project() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[]);
    tab.go(running.url());
    tab.until("document.querySelector('#blank input')");
    let drop = |names: &str| {
        format!(
            "(() => {{ const data = new DataTransfer(); for (const name of {names}) \
             data.items.add(new File([`<title>${{name}}</title><h1>${{name}}</h1><p>Price: <b>${{name.length}}.00</b></p>`], name, {{ type: 'text/html' }})); \
             for (const kind of ['dragenter', 'dragover', 'drop']) {{ \
             document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer: data, bubbles: true, cancelable: true }})); }} }})()"
        )
    };
    tab.eval(&drop("['kelp.html', 'moss.html', 'salt-road.html']"));
    answered(&mut tab);
    assert_eq!(tab.eval("document.querySelectorAll('#pages li').length"), json!(3));
    assert!(Path::new(&folder.path().join("pages/kelp.html")).exists());
    tab.shoot(&shots().join("dropped.png"));
    tab.eval(&drop("['evil.exe']"));
    tab.until("document.getElementById('says').textContent.includes('evil.exe: expected files')");
}

#[test]
fn every_view_is_reached_by_keys_and_every_control_has_a_name() {
    let Some(mut tab) = Tab::open() else { return };
    let shop = server::start("127.0.0.1:0", Demo).expect("the shop");
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    tab.eval("document.activeElement.blur()");
    let nameless = "[...document.querySelectorAll('button, input, select, textarea, [tabindex=\"0\"]')].filter((e) => e.offsetParent \
                    && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML)";
    for (key, name) in [("1", "table"), ("2", "rule"), ("3", "run"), ("4", "health")] {
        tab.key(key, 0);
        tab.until(&format!(
            "document.body.dataset.tab === '{name}' && document.getElementById('panel').children.length > 0"
        ));
        assert_eq!(tab.eval("document.activeElement.id"), json!(format!("tab-{name}")));
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(tab.eval(nameless), json!([]), "{name}");
    }
    // A key for a view that is not there does nothing, and arrows go from view to view.
    tab.key("5", 0);
    tab.key("ArrowLeft", 0);
    tab.until("document.body.dataset.tab === 'run' && document.activeElement.id === 'tab-run'");
    // A run is started and ended without a mouse.
    tab.eval("document.getElementById('run-pages').focus(); document.getElementById('run-pages').select()");
    tab.write("5");
    tab.key("Enter", 0);
    tab.until("document.getElementById('progress')?.textContent.includes('limit')");
    // The words come before the rows.
    tab.until("document.querySelectorAll('.arrived tbody tr').length === 4");
}
