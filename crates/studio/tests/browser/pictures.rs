//! The pictures of the documentation. To make them anew, from the root of the repository:
//!
//! ```sh
//! STUDIO_PICTURES=$PWD/docs/pictures cargo test -p wrapwright-studio --test browser pictures::
//! ```
//!
//! Otherwise they go to a directory for temporary files, like those in dark colours and on a large screen.

use crate::journeys::{answered, start, wrapper_in};
use crate::tab::{Tab, shots};
use crate::views::{quiet, save, shop, write_into};
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[test]
fn the_tour_in_pictures() {
    let Some(mut tab) = Tab::open() else { return };
    let large = std::env::temp_dir().join("studio-pictures");
    std::fs::create_dir_all(&large).expect("a directory");
    let (shop, is_new) = shop(30);
    let folder = tempfile::tempdir().expect("a directory");
    let running = start(folder.path(), None, &[&format!("{}shop/search", shop.url())]);
    tab.go(running.url());
    answered(&mut tab);
    save(&mut tab);
    tab.click("#rows tbody tr:nth-child(2) td:nth-child(4)");
    tab.until("document.querySelector('.box.on')");
    quiet(&mut tab);
    tab.shoot(&shots().join("studio.png"));

    tab.click("#tab-run");
    tab.until("document.getElementById('run-pages')");
    write_into(&mut tab, "run-pages", "60");
    tab.click("#run");
    tab.until("document.querySelectorAll('.arrived tbody tr').length > 12");
    tab.shoot(&shots().join("studio-run.png"));
    tab.until("document.getElementById('progress').textContent.includes('limit')");

    tab.click("#tab-health");
    tab.until("document.getElementById('look')");
    for look in 1..=2 {
        tab.click("#look");
        tab.until(&format!(
            "document.querySelectorAll('.strips thead th').length === {look}"
        ));
        quiet(&mut tab);
    }
    is_new.store(true, Ordering::Relaxed);
    drop(running);
    let file = wrapper_in(folder.path());
    let running = start(folder.path(), Some(&file), &[]);
    tab.go(running.url());
    tab.until("document.getElementById('repair')");
    tab.click("#repair");
    tab.until("document.getElementById('accept')");
    tab.until("document.querySelectorAll('#old-overlay .box').length > 1");
    tab.click(".repair tr[data-field=price] button");
    tab.until("document.querySelector('#overlay .box.on[data-field=price]')");
    quiet(&mut tab);
    tab.shoot(&shots().join("studio-repair.png"));
    tab.click("#accept");
    tab.until("document.querySelector('#rows td.cell')");
    tab.click("#save");
    tab.until("document.getElementById('save').textContent.startsWith('Saved')");
    tab.click("#tab-health");
    tab.click("#look");
    tab.until("document.querySelectorAll('.strips thead th').length === 4");
    quiet(&mut tab);
    tab.eval("document.querySelectorAll('.strips thead th button')[2].click()");
    tab.until("document.querySelector('section[aria-label=\"The chosen look\"]').textContent.includes('mended')");
    tab.shoot(&shots().join("studio-health.png"));

    tab.click("#tab-rule");
    tab.until("document.querySelector('.rule')");
    if tab.eval("document.getElementById('to-paths') !== null") == json!(true) {
        tab.click("#to-paths");
    }
    tab.until("document.querySelector('.rule') && !document.getElementById('to-paths')");
    tab.click("#fields [data-field=price] .swatch");
    tab.until("document.querySelectorAll('ol.paths input').length > 1");
    tab.click("ol.paths li:last-child input");
    tab.write("//strong[starts-with(., '$')]");
    tab.until("document.querySelector('ol.paths li:last-child .tried').textContent.includes('20 of 20 records')");
    quiet(&mut tab);
    tab.shoot(&shots().join("studio-rule.png"));

    // In dark colours, and on a large screen.
    tab.dark();
    for name in ["rule", "run", "health", "table"] {
        tab.click(&format!("#tab-{name}"));
        quiet(&mut tab);
        std::thread::sleep(Duration::from_millis(300));
        tab.shoot(&large.join(format!("dark-{name}.png")));
    }
    tab.size(3840, 2160);
    tab.click("#tab-health");
    std::thread::sleep(Duration::from_millis(600));
    tab.shoot(&large.join("large-health.png"));
    tab.click("#tab-table");
    std::thread::sleep(Duration::from_millis(600));
    tab.shoot(&large.join("large-table.png"));
}
