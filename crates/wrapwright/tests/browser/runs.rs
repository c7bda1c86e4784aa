//! Whole runs: the demo's corner for browsers, the paper's scenarios, many tabs, browsers that die.

use crate::stage::{check_on, own, own_with, run_with, serve, shared, site};
use demo::server::{self, Response, Running};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use wrapwright::drivers::{HttpSettings, Setup};

fn demo_site() -> Running {
    server::start("127.0.0.1:0", demo::Demo).expect("the demo")
}

#[test]
fn the_script_corner_of_the_demo() {
    let Some(stage) = shared() else { return };
    let server = demo_site();
    let run = |expression: &str| {
        let ran = run_with(&stage, 1, &server, expression);
        assert_eq!(ran.failures, Vec::<String>::new(), "{expression}");
        ran.records
    };
    let products: Vec<String> = demo::script::products()
        .iter()
        .map(|p| format!("x={}", p.name))
        .collect();
    assert_eq!(run("doc('SITE/script/products')//article/h2:<x=string(.)>"), products);
    let found: Vec<String> = demo::script::suggestions("la")
        .iter()
        .map(|name| format!("x={name}"))
        .collect();
    assert_eq!(
        run("doc('SITE/script/suggest')//input/{'la' /}//li[@role='option']:<x=string(.)>"),
        found
    );
    let tabs: Vec<String> = demo::script::TABS.iter().map(|(_, text)| format!("x={text}")).collect();
    assert_eq!(
        run("doc('SITE/script/tabs')//button[@role='tab']/{click /}//div[@role='tabpanel']/p:<x=string(.)>"),
        tabs
    );
    let stores = run(
        "doc('SITE/script/places')//select[@id='country']/{'Portugal' /}//select[@id='city']/{'Porto' /}//ul[@class='stores']/li:<x=string(.)>",
    );
    assert_eq!(stores, ["x=Rua do Almada 275", "x=Cais da Ribeira 6"]);
    let feed = run(
        "doc('SITE/script/scroll')/(//p[@class='end'][.!='That was all.']/{scroll /})*\
         //p[.='That was all.']/preceding-sibling::ol/li[last()]/h2:<x=string(.)>",
    );
    let last = demo::script::feed()
        .last()
        .map(|(product, _)| format!("x={}", product.name));
    assert_eq!(feed, [last.expect("a feed")]);
}

/// A flight search as in the paper's figure 3: fields that complete, results that a script filters without a new address.
#[test]
fn the_flight_search_of_the_paper() {
    let server = serve(&[
        (
            "/",
            "<input id=city1><div id=s></div><input id=city2><button id=go>Search</button>
             <div id=stops hidden><label><input type=checkbox id=stops0 checked> nonstop</label>
             <label><input type=checkbox id=stops2 checked> two stops</label></div><div id=results></div><script>
               const cities = ['Oxford', 'New York', 'Newark'];
               for (const f of [city1, city2]) f.addEventListener('input', async () => { await fetch('/c');
                 s.replaceChildren(...cities.filter(c => c.startsWith(f.value)).map(c => { const a = document.createElement('a');
                   a.textContent = c; a.className = 'smart'; a.onclick = () => { f.value = c; s.replaceChildren() }; return a })) });
               let flights = [];
               const show = () => results.replaceChildren(...flights.filter(f => f.stops ? stops2.checked : stops0.checked).map(f => {
                 const d = document.createElement('div'); d.className = 'flight';
                 d.innerHTML = '<b class=price>' + f.price + '</b><i class=airline>' + f.airline + '</i>'; return d }));
               stops0.onchange = stops2.onchange = show;
               go.onclick = async () => { if (city1.value != 'Oxford' || city2.value != 'New York') return;
                 flights = await (await fetch('/f')).json(); stops.hidden = false; show() }</script>",
        ),
        ("/c", "{}"),
        (
            "/f",
            "[{\"price\":400,\"airline\":\"A\",\"stops\":0},{\"price\":300,\"airline\":\"B\",\"stops\":2},{\"price\":500,\"airline\":\"C\",\"stops\":0}]",
        ),
    ]);
    check_on(
        &server,
        "doc('SITE/')//field()[1]/{'Oxf' /}//a.smart[1]/{click /}//input#city2/{'New Y' /}//a.smart[1]/{click /}
          //button#go/{click /}//input#stops2/{uncheck /}//div.flight:<flight>[.//b:<price=string(.)>][.//i:<airline=string(.)>]",
        &["flight(price=400, airline=A)", "flight(price=500, airline=C)"],
    );
}

/// Books as on the paper's Amazon: a search, pages by script, and for each book a page of its own with reviews by script.
#[test]
fn the_book_shop_of_the_paper() {
    let server = site(|request| {
        match request.path.as_str() {
        "/" => Response::html(
            "<select id=dept><option>All<option>Books</select><form action=/s><input name=q><button>Go</button></form><script>1</script>",
        )
        .into(),
        "/s" => Response::html(
            "<div id=l></div><a id=next href=#>Next</a><script>let p = 0;
               const show = () => { p++; l.innerHTML = [1, 2].map(n => '<div class=book><a href=/b/' + p + n + '>Book ' + p + n + '</a></div>').join('');
                 if (p == 3) next.remove() };
               next.onclick = e => { e.preventDefault(); show() }; show()</script>",
        )
        .into(),
        path => {
            let number = path.trim_start_matches("/b/").to_owned();
            Response::html(format!(
                "<h1>Title {number}</h1><span class=price>{number}.00</span><div id=r></div>
                 <script>fetch('/').then(() => r.innerHTML = '<p>good {number}</p>')</script>"
            ))
            .into()
        }
    }
    });
    check_on(
        &server,
        "doc('SITE/')//select#dept/{'Books' /}//input[@name='q']/{'web'}/..//button/{click /}
           /(//a#next/{click /})*//div.book:<book>[.//a/{click /}/.[.//h1:<title=string(.)>][.//span.price:<price=string(.)>][.//div#r/p:<review=string(.)>]]",
        &[
            "book(title=Title 11, price=11.00, review=good 11)",
            "book(title=Title 12, price=12.00, review=good 12)",
            "book(title=Title 21, price=21.00, review=good 21)",
            "book(title=Title 22, price=22.00, review=good 22)",
            "book(title=Title 31, price=31.00, review=good 31)",
            "book(title=Title 32, price=32.00, review=good 32)",
        ],
    );
}

/// A list of so many links, with a script on each page.
fn listing(count: usize) -> Running {
    site(move |request| match request.path.as_str() {
        "/" => {
            let links: String = (0..count).map(|n| format!("<a href=/p/{n}>{n}</a> ")).collect();
            Response::html(links).into()
        }
        path => Response::html(format!(
            "<h1>{path}</h1><p id=p></p><script>p.textContent = 'by script'</script>"
        ))
        .into(),
    })
}

fn expected(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("x(h=/p/{n}, p=by script)")).collect()
}

const FOLLOW: &str = "doc('SITE/')//a/{click /}/.:<x>[.//h1:<h=string(.)>][.//p:<p=string(.)>]";

#[test]
fn several_tabs_give_the_same_records() {
    let Some(stage) = own(Setup {
        tabs: 3,
        ..Setup::default()
    }) else {
        return;
    };
    let server = listing(20);
    for jobs in [1, 3] {
        let ran = run_with(&stage, jobs, &server, FOLLOW);
        assert_eq!(ran.failures, Vec::<String>::new());
        assert_eq!(ran.records, expected(20));
    }
    // Two pages deep, three at once.
    assert!(stage.0.most_tabs() <= 2 + 3, "{} tabs", stage.0.most_tabs());
}

#[test]
fn a_browser_that_is_killed_is_started_again() {
    let Some(stage) = own(Setup::default()) else { return };
    let count = 24;
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let server = site(move |request| match request.path.as_str() {
        "/" => {
            let links: String = (0..count).map(|n| format!("<a href=/p/{n}>{n}</a> ")).collect();
            Response::html(links + "<script>1</script>").into()
        }
        path => {
            counter.fetch_add(1, Ordering::SeqCst);
            Response::html(format!(
                "<h1>{path}</h1><p id=p></p><script>p.textContent = 'by script'</script>"
            ))
            .into()
        }
    });
    let done = Arc::new(AtomicBool::new(false));
    let killer = {
        let (chromium, asked, done) = (stage.0.clone(), Arc::clone(&asked), Arc::clone(&done));
        std::thread::spawn(move || {
            let mut kills = 0;
            for at in [4, 10, 16] {
                while asked.load(Ordering::SeqCst) < at && !done.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                if let Some(process) = chromium.process() {
                    let killed = Command::new("kill").args(["-9", &process.to_string()]).status();
                    kills += usize::from(killed.is_ok_and(|status| status.success()));
                }
            }
            kills
        })
    };
    let ran = run_with(&stage, 1, &server, FOLLOW);
    done.store(true, Ordering::SeqCst);
    let kills = killer.join().expect("the killer ends");
    assert_eq!(
        ran.failures,
        Vec::<String>::new(),
        "{kills} kills, {} starts",
        stage.0.starts()
    );
    assert_eq!(ran.records, expected(count));
    assert_eq!((kills, stage.0.starts()), (3, 4));
}

/// The processes that show pages, below the process of a browser.
fn renderers(browser: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        let read = |file: &str| std::fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        let group = read("stat")
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(2)?.parse::<u32>().ok());
        if group == Some(browser) && read("cmdline").contains("--type=renderer") {
            found.push(process);
        }
    }
    found
}

#[test]
fn a_tab_that_crashes_is_opened_again() {
    let Some(stage) = own(Setup::default()) else { return };
    let (chromium, asked) = (stage.0.clone(), AtomicUsize::new(0));
    let killed = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&killed);
    let server = site(move |request| match request.path.as_str() {
        "/" => Response::html("<a href=/p>p</a><a href=/q>q</a><script>1</script>").into(),
        "/p" => Response::html("<p>up again</p><script>fetch('/crash')</script>").into(),
        "/crash" => {
            // The first time, all tabs go down while this page waits for its answer.
            if asked.fetch_add(1, Ordering::SeqCst) == 0 {
                let processes = chromium.process().map(renderers).unwrap_or_default();
                let names = processes.iter().map(u32::to_string);
                let done = Command::new("kill").arg("-9").args(names).status();
                let count = if done.is_ok_and(|status| status.success()) {
                    processes.len()
                } else {
                    0
                };
                counter.store(count, Ordering::SeqCst);
            }
            Response::html("").into()
        }
        _ => Response::html("<p>the other</p>").into(),
    });
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//a/{click /}//p:<x=string(.)>");
    assert!(killed.load(Ordering::SeqCst) > 0);
    assert_eq!(
        (ran.records, ran.failures),
        (vec!["x=up again".to_owned(), "x=the other".to_owned()], vec![])
    );
    assert_eq!(stage.0.starts(), 1, "the browser itself is as it was");
}

#[test]
fn pictures_are_loaded_only_when_asked_for() {
    for (load_images, styles) in [(false, vec![]), (true, vec![]), (false, vec!["color".to_owned()])] {
        let loads = load_images || !styles.is_empty();
        let Some(stage) = own(Setup {
            load_images,
            styles,
            ..Setup::default()
        }) else {
            return;
        };
        let pictures = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&pictures);
        let server = site(move |request| match request.path.as_str() {
            "/" => Response::html("<img src=/a.png><img src=/b.png><p>text</p>").into(),
            "/a.png" | "/b.png" => {
                counter.fetch_add(1, Ordering::SeqCst);
                Response::plain(404).into()
            }
            _ => Response::plain(404).into(),
        });
        let ran = run_with(&stage, 1, &server, "doc('SITE/')//p:<x=string(.)>");
        assert_eq!(ran.records, ["x=text"]);
        assert_eq!(pictures.load(Ordering::SeqCst), if loads { 2 } else { 0 });
    }
}

/// Links on a page with scripts are followed by as many tabs as there are jobs, and no more tabs are open than the branch
/// is deep and jobs there are.
#[test]
fn scripted_pages_are_followed_at_once_within_bounds() {
    let jobs = 3;
    let Some(stage) = own(Setup {
        tabs: jobs,
        ..Setup::default()
    }) else {
        return;
    };
    let at_once = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let counter = Arc::clone(&at_once);
    let script = "<script>document.body.append('!')</script>";
    let server = site(move |request| {
        let (now, most) = &*counter;
        let links =
            |to: &str, count: usize| -> String { (0..count).map(|n| format!("<a href={to}{n}>{n}</a> ")).collect() };
        match request.path.split('/').nth(1) {
            Some("") => Response::html(links("/a/", 4) + script).into(),
            Some("a") => {
                Response::html(links(&format!("{}/b/", request.path.replace("/a/", "/b/")), 4) + script).into()
            }
            Some("b") => {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(150));
                now.fetch_sub(1, Ordering::SeqCst);
                Response::html(format!("<h1>{}</h1>{script}", request.path)).into()
            }
            _ => Response::plain(404).into(),
        }
    });
    let ran = run_with(
        &stage,
        jobs,
        &server,
        "doc('SITE/')//a/{click /}//a/{click /}//h1:<x=string(.)>",
    );
    let all: Vec<String> = (0..16).map(|n| format!("x=/b/{}/b/{}", n / 4, n % 4)).collect();
    assert_eq!((ran.records, ran.failures), (all, vec![]));
    assert!(at_once.1.load(Ordering::SeqCst) > 1, "one page after the other");
    assert!(stage.0.most_tabs() <= 3 + jobs, "{} tabs", stage.0.most_tabs());
}

#[test]
fn a_picture_is_taken_of_what_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(stage) = own(Setup {
        screenshots: Some(folder.path().to_owned()),
        ..Setup::default()
    }) else {
        return;
    };
    let server = site(|_| Response::html("<button disabled>no</button>").into());
    run_with(&stage, 1, &server, "doc('SITE/')//button/{click /}//p:<x=string(.)>");
    let picture = std::fs::read(folder.path().join("001-not-actionable.png")).expect("a picture");
    assert_eq!(&picture[1..4], b"PNG");
}

#[test]
fn a_running_browser_can_be_connected_to() {
    // Private addresses are allowed for all, so this browser is as one that somebody else started.
    let settings = HttpSettings {
        allow_private: true,
        ..HttpSettings::default()
    };
    let Some(stage) = own_with(Setup::default(), settings) else {
        return;
    };
    let address = stage.0.address().expect("a browser that runs");
    let Some(guest) = own(Setup {
        connect: Some(address),
        ..Setup::default()
    }) else {
        return;
    };
    let server = listing(2);
    let ran = run_with(&guest, 1, &server, FOLLOW);
    assert_eq!((ran.records, ran.failures), (expected(2), Vec::new()));
    drop(guest);
    assert_eq!(run_with(&stage, 1, &server, FOLLOW).records, expected(2));
}

#[test]
fn a_profile_goes_with_its_browser() {
    let Some(stage) = own(Setup::default()) else { return };
    let process = stage.0.process().expect("a process");
    let mine = format!("wrapwright-browser-{}-", std::process::id());
    let of_this = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&mine);
    assert!(
        std::fs::read_dir(std::env::temp_dir())
            .expect("a folder")
            .flatten()
            .any(|entry| of_this(&entry))
    );
    drop(stage);
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
}

/// A proxy that answers by itself, and tells what it was asked.
fn proxy() -> (u16, std::sync::mpsc::Receiver<String>) {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a proxy");
    let port = listener.local_addr().expect("an address").port();
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let page = "<p id=p></p><script>fetch('/data').then(() => p.textContent = 'by proxy')</script>";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{page}",
                page.len()
            );
            let _ = sender.send(head.join("\n"));
            let _ = (&stream).write_all(answer.as_bytes());
        }
    });
    (port, asked)
}

#[test]
fn a_proxy_of_the_user_is_used() {
    let (port, asked) = proxy();
    let settings = HttpSettings {
        proxy: Some(format!("http://me:word@127.0.0.1:{port}")),
        delay: Some(Duration::ZERO),
        ..HttpSettings::default()
    };
    let Some(stage) = own_with(Setup::default(), settings) else {
        return;
    };
    // A host on loopback is reached without it.
    let server = listing(1);
    let ran = run_with(&stage, 1, &server, "doc('http://a.test/x')//p:<x=string(.)>");
    assert_eq!((ran.records, ran.failures), (vec!["x=by proxy".to_owned()], vec![]));
    assert_eq!(run_with(&stage, 1, &server, FOLLOW).records, expected(1));
    let asked: Vec<String> = asked.try_iter().collect();
    for path in ["x", "data"] {
        let line = format!("GET http://a.test/{path} HTTP/1.1");
        let found = asked.iter().find(|head| head.starts_with(&line));
        let head = found.unwrap_or_else(|| panic!("{line}: {asked:?}")).to_lowercase();
        assert!(head.contains("proxy-authorization: basic bwu6d29yza=="), "{head}");
    }
    assert!(asked.iter().all(|head| !head.contains("127.0.0.1")), "{asked:?}");
}

/// A browser limits its connections to a proxy, for all hosts together; pages that wait must not stop others.
#[test]
fn many_requests_at_once_do_not_block_each_other() {
    let Some(stage) = own(Setup::default()) else { return };
    let at_once = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let counter = Arc::clone(&at_once);
    let server = site(move |request| match request.path.as_str() {
        "/" => Response::html(
            "<p>page</p><script>for (let h = 0; h < 12; h++) for (let n = 0; n < 5; n++)
               fetch(`http://h${h}.localhost:${location.port}/wait/${n}`, {mode: 'no-cors'})</script>",
        )
        .into(),
        _ => {
            let (now, most) = &*counter;
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(1500));
            now.fetch_sub(1, Ordering::SeqCst);
            Response::text("").into()
        }
    });
    let ran = run_with(&stage, 1, &server, "doc('SITE/', [wait=3])//p:<x=string(.)>");
    assert_eq!((ran.records, ran.failures), (vec!["x=page".to_owned()], vec![]));
    let most = at_once.1.load(Ordering::SeqCst);
    assert!(most > 40, "{most} at once");
}
