//! Lists that grow on one page: exactly one record for each item, and an end.

use super::stage::{Ran, run_with, shared, site};
use demo::server::{Response, Running};
use std::time::{Duration, Instant};

/// A page with a list of `total` items. Its scripts call `more()`, which gives the next items after `delay` milliseconds;
/// `put(items)` shows them; `all` has the items that came so far.
fn page(total: usize, step: usize, delay: usize, html: &str, script: &str) -> Running {
    let page = format!(
        "<h1>List</h1>{html}<script>
        const total = {total}, step = {step}, all = [];
        const wait = () => new Promise((done) => setTimeout(done, {delay}));
        const row = (n) => '<h2>' + (n % 5 ? 'item ' + n : 'the same') + '</h2> <a href=\"/' + (n % 5 && n) + '\">more</a>';
        const more = async () => {{ if ({delay}) await wait();
          const next = []; while (next.length < step && all.length < total) {{ all.push(all.length); next.push(all.at(-1)) }}
          put(next) }};
        const append = (list, items) => {{ for (const n of items) {{ const li = document.createElement('li');
          li.innerHTML = row(n); list.append(li) }} }};
        {script}
        more();
        </script>"
    );
    site(move |_| Response::html(page.clone()).into())
}

/// The records of the items: every fifth looks the same.
fn items(total: usize) -> Vec<String> {
    let title = |n| match n % 5 {
        0 => "the same".to_owned(),
        _ => format!("item {n}"),
    };
    (0..total).map(|n| format!("i(t={})", title(n))).collect()
}

fn run(server: &Running, expression: &str) -> Option<Ran> {
    let stage = shared()?;
    Some(run_with(&stage, 1, server, expression))
}

#[track_caller]
fn check(server: &Running, expression: &str, total: usize) {
    let Some(ran) = run(server, expression) else { return };
    assert_eq!(ran.failures, [""; 0]);
    assert_eq!(ran.records, items(total));
}

const CLICK: &str = "doc('SITE/')/(//button/{click /})*//li:<i>[h2:<t=.>]";
const SCROLL: &str = "doc('SITE/')/(//body/{scroll /})*//li:<i>[h2:<t=.>]";
const LIST: &str = "<ul id=u></ul><button id=b>More</button>";
const APPEND: &str = "b.onclick = more; const put = (next) => append(u, next);";

#[test]
fn load_more_adds() {
    check(&page(23, 5, 0, LIST, APPEND), CLICK, 23);
    // The button goes with the last items.
    let goes = "b.onclick = more; const put = (next) => { append(u, next); if (all.length == total) b.remove() };";
    check(&page(23, 5, 0, LIST, goes), CLICK, 23);
}

#[test]
fn load_more_renders_everything_again() {
    let again = "b.onclick = more; const put = () => { u.replaceChildren(); append(u, all) };";
    check(&page(23, 5, 0, LIST, again), CLICK, 23);
    // With a first row that is new, in elements that are used for other rows.
    let front = "b.onclick = more; const put = () => { while (u.children.length < all.length) append(u, [0]);
        [...all].reverse().forEach((n, at) => { if (u.children[at].dataset.n != n) {
          u.children[at].dataset.n = n; u.children[at].innerHTML = row(n) } }) };";
    let Some(ran) = run(&page(13, 4, 0, LIST, front), CLICK) else {
        return;
    };
    let (mut found, mut expected) = (ran.records, items(13));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_list_grows_when_its_end_is_seen() {
    let observe = "const put = (next) => append(u, next);
        new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) more() }).observe(end);";
    let html = "<style>li { height: 300px }</style><ul id=u></ul><p id=end>End</p>";
    check(&page(40, 7, 0, html, observe), SCROLL, 40);
    check(&page(40, 7, 150, html, observe), SCROLL, 40);
    // Items without any text.
    let images = observe.replace(
        "append(u, next)",
        "{ append(u, next); for (const li of u.children) li.innerHTML = `<img height=300 alt=x${[...u.children].indexOf(li)}>` }",
    );
    let Some(ran) = run(
        &page(40, 7, 0, html, &images),
        "doc('SITE/')/(//body/{scroll /})*//li/img:<i>[@alt:<t=.>]",
    ) else {
        return;
    };
    let expected: Vec<String> = (0..40).map(|n| format!("i(t=x{n})")).collect();
    assert_eq!(ran.records, expected);
}

#[test]
fn an_end_that_the_page_did_not_notice_is_shown_again() {
    // Many pages ignore what happens soon after they have loaded something.
    let observe = "let last = -1000; const put = (next) => { append(u, next); last = performance.now() };
        new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && performance.now() - last > 900) more() })
          .observe(end);";
    let html = "<style>li { height: 300px }</style><ul id=u></ul><p id=end>End</p>";
    check(&page(20, 7, 0, html, observe), SCROLL, 20);
}

#[test]
fn rows_may_come_late() {
    // Later than a page is waited for, and without a request that could be seen.
    check(&page(12, 4, 700, LIST, APPEND), CLICK, 12);
    let spinner = "b.onclick = () => { b.textContent = 'Loading'; more() };
        const put = (next) => { b.textContent = 'More'; append(u, next) };";
    check(&page(12, 4, 700, LIST, spinner), CLICK, 12);
}

#[test]
fn it_ends_although_the_page_never_rests() {
    let begin = Instant::now();
    let clock = format!("{APPEND} setInterval(() => {{ c.textContent = Date.now() }}, 400);");
    let html = format!("{LIST}<p id=c></p>");
    check(&page(12, 4, 0, &html, &clock), CLICK, 12);
    // Advertisements in elements of their own.
    let ads = clock.replace(
        "c.textContent = Date.now()",
        "c.innerHTML = '<b>' + Date.now() + '</b>'",
    );
    check(&page(12, 4, 0, &html, &ads), CLICK, 12);
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
    // A button that says each time that there is no more.
    let says = APPEND.replace(
        "append(u, next)",
        "{ append(u, next); if (!next.length) c.innerHTML += '<b>No more</b> ' }",
    );
    let Some(ran) = run(&page(12, 4, 0, &html, &says), CLICK) else {
        return;
    };
    assert_eq!(ran.records, items(12));
    assert_eq!(ran.failures.len(), 1, "{:?}", ran.failures);
    assert!(ran.failures[0].contains("nothing new"), "{:?}", ran.failures);
    assert_eq!(ran.summary.failures, 0);
}

/// The pages of a pager are not states that contain each other, even if elements are used again, or rows look the same.
#[test]
fn a_pager_without_addresses_gives_all_of_each_page() {
    for script in [
        "const put = (next) => { if (next.length) { u.replaceChildren(); append(u, next) } };",
        "const put = (next) => { if (!next.length) return; while (u.children.length < next.length) append(u, [0]);
           while (u.children.length > next.length) u.lastChild.remove();
           next.forEach((n, at) => { const [h, , a] = u.children[at].childNodes, made = document.createElement('li');
             made.innerHTML = row(n); h.textContent = made.firstChild.textContent; a.href = made.lastChild.href }) };",
    ] {
        let script = format!("b.onclick = more; {script}");
        check(&page(23, 5, 0, LIST, &script), CLICK, 23);
        // Nodes that say little.
        let Some(ran) = run(
            &page(23, 4, 0, LIST, &script),
            "doc('SITE/')/(//button/{click /})*//li/a:<i=.>",
        ) else {
            return;
        };
        assert_eq!(ran.records, ["i=more"; 23]);
    }
}

/// What is rare is found, and a page without any of it does not end the search.
#[test]
fn items_that_are_not_wanted_do_not_end_it() {
    let expression = "doc('SITE/')/(//button/{click /})*//li[h2='item 2' or h2='item 33']:<i>[h2:<t=.>]";
    let Some(ran) = run(&page(40, 3, 0, LIST, APPEND), expression) else {
        return;
    };
    assert_eq!(ran.records, ["i(t=item 2)", "i(t=item 33)"]);
    // A single one, and a text that changes at the end.
    let last = "b.onclick = more;
        const put = (next) => { append(u, next); if (!next.length) b.textContent = 'No more' };";
    let single = expression.replace(" or h2='item 33'", "");
    let Some(ran) = run(&page(14, 5, 0, LIST, last), &single) else {
        return;
    };
    assert_eq!(ran.records, ["i(t=item 2)"]);
    let last = "onscroll = more;
        const put = (next) => { append(u, next); if (!next.length) b.textContent = 'No more' };";
    let html = format!("<style>li {{ height: 300px }}</style>{LIST}");
    let Some(ran) = run(
        &page(14, 14, 0, &html, last),
        &single.replace("button/{click /}", "body/{scroll /}"),
    ) else {
        return;
    };
    assert_eq!(ran.records, ["i(t=item 2)"]);
    let pager =
        "b.onclick = more; const put = (next) => { if (next.length) { u.replaceChildren(); append(u, next) } };";
    let Some(ran) = run(&page(40, 3, 0, LIST, pager), expression) else {
        return;
    };
    assert_eq!(ran.records, ["i(t=item 2)", "i(t=item 33)"]);
}

/// The details of each row, in a panel, while the list grows: each row is clicked once.
#[test]
fn details_of_rows_of_a_growing_list() {
    let script = "b.onclick = more; let clicks = 0; const put = (next) => { append(u, next);
        for (const li of u.children) li.lastChild.onclick = (e) => { e.preventDefault();
          panel.innerHTML = '<p>' + li.firstChild.textContent.toUpperCase() + '</p>' } };";
    let html = "<ul id=u></ul><button id=b>More</button><div id=panel></div>";
    let expression = "doc('SITE/')/(//button/{click /})*//li:<i>[h2:<t=.>][? a/{click /}//p:<c=.>]";
    for expression in [
        expression.to_owned(),
        expression.replace("[? a/{click /}", "[? a/{click [noback] /}"),
    ] {
        let Some(ran) = run(&page(13, 4, 0, html, script), &expression) else {
            return;
        };
        assert_eq!(ran.failures, [""; 0], "{expression}");
        let expected: Vec<String> = items(13)
            .iter()
            .map(|item| {
                let title = &item[4..item.len() - 1];
                format!("i(t={title}, c={})", title.to_uppercase())
            })
            .collect();
        assert_eq!(ran.records, expected, "{expression}");
    }
}
