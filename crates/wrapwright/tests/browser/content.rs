//! What is on a page: content that comes late, frames, shadow trees, fields.

use crate::stage::check;

#[test]
fn what_a_script_writes_is_there() {
    check(
        &[
            (
                "/",
                "<ul id=l></ul><script>fetch('/d').then(r => r.json()).then(d => {
                   for (const x of d) { const li = document.createElement('li'); li.textContent = x; l.append(li) } })</script>",
            ),
            ("/d", "[\"one\",\"two\",\"three\"]"),
        ],
        "doc('SITE/')//li:<x=string(.)>",
        &["x=one", "x=two", "x=three"],
    );
}

#[test]
fn links_are_followed_and_their_page_stays() {
    check(
        &[
            (
                "/",
                "<h1>List</h1><p id=n>0</p><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a><script>let x = 1</script>",
            ),
            ("/a", "<h1>Page A</h1>"),
            ("/b", "<h1>Page B</h1><script>1</script>"),
            ("/c", "<h1>Page C</h1>"),
        ],
        "doc('SITE/')//a/{click /}//h1:<x=string(.)>",
        &["x=Page A", "x=Page B", "x=Page C"],
    );
}
