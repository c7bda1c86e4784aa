//! Lists by pointing, paths to records by hand, types and the key, in a real browser.

use crate::common::shelf;
use crate::journeys::{answered, spot, start};
use crate::tab::{Tab, shots};
use serde_json::json;

const CELLS: &str = "[...document.querySelectorAll('#rows td.cell')].map((td) => td.textContent)";

#[test]
fn a_list_is_chosen_by_two_records_and_changed_by_hand() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = shelf(true);
    let file = folder.path().join("shelf.html").display().to_string();
    let running = start(folder.path(), None, &[&file]);
    tab.go(running.url());
    answered(&mut tab);
    tab.click("#pair");
    tab.until("document.getElementById('page-bar').textContent.includes('Click in one record')");
    let (x, y) = spot(&mut tab, ".post i", 0);
    tab.click_at(x, y, 0);
    tab.until("document.getElementById('page-bar').textContent.includes('another record')");
    tab.until("document.querySelector('#overlay .mark')");
    tab.shoot(&shots().join("list-first-record.png"));
    let (x, y) = spot(&mut tab, ".post u", 2);
    tab.click_at(x, y, 0);
    tab.until(&format!(
        "{CELLS}.includes('Bo') && {CELLS}.includes('2024-05-02') && !{CELLS}.includes('Kelp')"
    ));
    assert_eq!(tab.eval("document.querySelectorAll('#rows tbody tr').length"), json!(4));
    tab.shoot(&shots().join("list-by-pointing.png"));

    // The other list, with the keyboard alone.
    tab.eval("document.activeElement.blur()");
    tab.key("l", 0);
    let aimed = |text: &str| format!("document.querySelector('#overlay .aim:not(.mark) b')?.textContent === '{text}'");
    for text in ["Kelp", "Fern"] {
        for _ in 0..40 {
            if tab.eval(&aimed(text)) == json!(true) {
                break;
            }
            tab.key("ArrowRight", 0);
        }
        tab.until(&aimed(text));
        tab.key("Enter", 0);
    }
    tab.until(&format!("{CELLS}.includes('Salt Road') && !{CELLS}.includes('Bo')"));

    // A path to the records by hand: live matches, a caret, and the result.
    tab.click("#tab-rule");
    let first = "#each li:first-child input";
    tab.until(&format!("document.querySelector({first:?})"));
    tab.click(first);
    tab.eval(&format!("document.querySelector({first:?}).select()"));
    tab.write("//li[");
    tab.until("document.querySelector('#each pre.caret')?.textContent.includes('^')");
    tab.shoot(&shots().join("records-caret.png"));
    tab.eval(&format!("document.querySelector({first:?}).select()"));
    tab.write("//li[position() < 4]");
    tab.until("document.querySelector('#each .tried').textContent === '3 records on 1 of 1 page'");
    tab.until("document.querySelectorAll('#overlay .mark').length === 3");
    tab.shoot(&shots().join("records-live.png"));
    tab.key("Enter", 0);
    tab.until("document.getElementById('summary').textContent.includes('3 rows')");
}

#[test]
fn a_field_gets_a_type_and_becomes_the_key() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = shelf(false);
    let file = folder.path().join("shelf.html").display().to_string();
    let running = start(folder.path(), None, &[&file]);
    tab.go(running.url());
    answered(&mut tab);
    let field = |text: &str| {
        format!(
            "[...document.querySelectorAll('#fields [role=option]')].find((li) => li.querySelector('.sample').textContent === '{text}')"
        )
    };
    tab.eval(&format!("{}.querySelector('.swatch').click()", field("7.25")));
    tab.until("document.querySelector('#fields li[aria-selected=true] .type select')");
    let set = |value: &str| {
        format!(
            "(() => {{ const s = document.querySelector('#fields li[aria-selected=true] .type select'); s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()"
        )
    };
    tab.eval(&set("number"));
    tab.until(&format!(
        "{}.querySelector('.sort').textContent === 'number'",
        field("7.25")
    ));
    // What the values are not is refused in words, and the list shows what is.
    tab.eval(&set("date"));
    tab.until("!document.getElementById('says').hidden && document.getElementById('says').className === 'bad'");
    tab.until("document.querySelector('#fields li[aria-selected=true] .type select').value === 'number'");
    tab.shoot(&shots().join("type-refused.png"));
    tab.eval(&format!("{}.querySelector('.swatch').click()", field("Kelp")));
    tab.click("#fields li[aria-selected=true] input.key");
    tab.until(&format!(
        "{}.querySelector('.sort').textContent.includes('key')",
        field("Kelp")
    ));
    tab.shoot(&shots().join("type-and-key.png"));
}
