//! Public pages do not reach private addresses, however they try; the browser's own protection is off.

use crate::net::{Inside, PUBLIC, SECRET, in_network, outside, unprotected};
use crate::stage::{Ran, Stage, own_with, run_with, shared};
use demo::server::{Request, Response, Running};
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use wrapwright::drivers::{HttpSettings, Setup};

/// Ways to write an address inside.
const SPELLINGS: [&str; 36] = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "10.1.2.3",
    "167838211",
    "0xa.0x1.0x2.0x3",
    "169.254.169.254",
    "192.168.1.1",
    "100.64.0.1",
    "172.16.0.1",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:10.1.2.3]",
    "[fd00::1]",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "１２７.0.0.1",
    "127。0。0。1",
    "loop.test",
    "six.test",
    "inside.test",
    "INSIDE.test",
    "inside%2Etest",
    "user:word@inside.test",
];

/// Those that differ in what decides about them: a literal, a local name, names for IPv4 and IPv6.
const KINDS: [&str; 6] = [
    "127.0.0.1",
    "[::ffff:10.1.2.3]",
    "a.localhost",
    "loop.test",
    "six.test",
    "inside.test",
];

fn listed<'a>(
    spellings: impl IntoIterator<Item = &'a &'a str>,
    port: u16,
    each: impl Fn(usize, &str) -> String,
) -> String {
    let numbered = spellings.into_iter().enumerate();
    numbered
        .map(|(n, host)| each(n, &format!("http://{host}:{port}/")))
        .collect()
}

/// Requests by script, of every kind, to one address.
const SCRIPT: &str = "
    const go = (u) => {
      const w = u.replace('http', 'ws');
      const quietly = (f) => { try { Promise.resolve(f()).catch(() => {}) } catch {} };
      quietly(() => fetch(u, {mode: 'no-cors'}));
      quietly(async () => document.body.append(await (await fetch(u)).text()));
      quietly(() => { const x = new XMLHttpRequest(); x.open('GET', u); x.onload = () => document.body.append(x.responseText); x.send() });
      quietly(() => { new Image().src = u + 'i.png' });
      quietly(() => { new WebSocket(w) });
      quietly(() => { new WebSocket(w.replace('ws:', 'wss:')) });
      quietly(() => { new EventSource(u) });
      quietly(() => { navigator.sendBeacon(u, 'x') });
      quietly(() => { document.head.append(Object.assign(document.createElement('script'), {src: u})) });
      quietly(() => { document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href: u})) });
      quietly(() => { document.head.append(Object.assign(document.createElement('link'), {rel: 'preconnect', href: u})) });
      quietly(() => { document.head.append(Object.assign(document.createElement('link'), {rel: 'prefetch', href: u})) });
      quietly(() => { document.body.append(Object.assign(document.createElement('object'), {data: u})) });
      quietly(() => { document.body.append(Object.assign(document.createElement('video'), {src: u})) });
      const work = `fetch('${u}', {mode: 'no-cors'}).catch(() => {}); fetch('${u}').then(r => r.text()).then(t => postMessage(t)).catch(() => {}); new WebSocket('${w}')`;
      quietly(() => { const k = new Worker(URL.createObjectURL(new Blob([work]))); k.onmessage = e => document.body.append(e.data) });
      quietly(() => { new SharedWorker('data:text/javascript,' + encodeURIComponent(work)) });
    };";

/// What public pages do, with each of the addresses.
fn site(request: &Request, port: u16) -> Response {
    let number = request.value("n").and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let target = |list: &[&str]| format!("http://{}:{port}/", list[number]);
    let links = |to: &str, list: &[&str]| listed(list, port, |n, _| format!("<a href='{to}?n={n}'>{n}</a>\n"));
    match request.path.as_str() {
        "/links" => Response::html(listed(&SPELLINGS, port, |n, url| format!("<a href='{url}'>{n}</a>\n"))),
        "/script-links" => Response::html(
            listed(&KINDS, port, |n, url| {
                format!("<b onclick=\"location='{url}'\">{n}</b><i onclick=\"window.open('{url}')\">{n}</i>\n")
            }) + "<script>1</script>",
        ),
        "/secure" => Response::html(listed(&KINDS, port, |n, url| {
            let url = url.replace("http:", "https:");
            format!("<a href='{url}'>{n}</a><a href='/secure-hop?n={n}'>{n}</a>")
        })),
        "/secure-hop" => Response::see_other(&target(&KINDS).replace("http:", "https:")),
        "/redirects" => Response::html(links("/redirect", &SPELLINGS)),
        "/redirect" => Response::see_other(&target(&SPELLINGS)),
        "/forms" => Response::html(listed(&SPELLINGS, port, |n, url| {
            let method = if n % 2 == 0 { "post" } else { "get" };
            format!("<form action='{url}' method={method}><input name=a value={n}></form>\n")
        })),
        "/metas" => Response::html(links("/meta", &KINDS)),
        "/meta" => Response::html(format!(
            "<meta http-equiv=refresh content='0;url={}'><p>public</p><script>1</script>",
            target(&KINDS)
        )),
        "/moves" => {
            let link = |n: usize, ms: u32| format!("<a href='/move?n={n}&ms={ms}'>{n}</a>\n");
            let times = [0, 50, 200, 500];
            let links = (0..KINDS.len()).flat_map(|n| times.map(|ms| link(n, ms)));
            Response::html(links.collect::<String>())
        }
        "/move" => {
            let wait = request.value("ms").unwrap_or("0").to_owned();
            Response::html(format!(
                "<p>public</p><script>setTimeout(() => location = '{}', {wait});
                 let t = setInterval(() => document.body.append('.'), 40); setTimeout(() => clearInterval(t), 800)</script>",
                target(&KINDS)
            ))
        }
        "/frames" => Response::html(
            listed(&SPELLINGS, port, |_, url| format!("<iframe src='{url}'></iframe>\n"))
                + &listed(&KINDS, port, |n, _| {
                    format!("<iframe src='/redirect?n={n}'></iframe><iframe src='/meta?n={n}'></iframe>")
                })
                + "<p>public</p>",
        ),
        "/scripts" => {
            let calls = listed(&SPELLINGS, port, |_, url| format!("go('{url}');\n"));
            Response::html(format!("<body><p>public</p><script>{SCRIPT}\n{calls}</script>"))
        }
        "/files" => {
            let path = request.value("path").unwrap_or("");
            let links = FILES.map(|address| format!("<a href='{}'>{address}</a>\n", address.replace("PATH", path)));
            Response::html(links.concat())
        }
        _ => Response::plain(404),
    }
}

/// Ways to write the address of a file on this machine; the path begins with `/`. The first three are addresses of the
/// site, where nothing is.
const FILES: [&str; 11] = [
    "PATH",
    "../..PATH",
    "/../../..PATH",
    "file://PATH",
    "file:PATH",
    "file://localhostPATH",
    "file://127.0.0.1PATH",
    "FILE://PATH",
    "\tfi\nle://PATH",
    "view-source:file://PATH",
    "filesystem:file://PATH",
];

struct Scene {
    inside: Inside,
    server: Running,
    stage: Stage,
    _folder: tempfile::TempDir,
}

/// Pages that look inside, and a browser; none where none is installed.
fn scene(settings: HttpSettings) -> Option<Scene> {
    // Says so if there is none.
    drop(shared()?);
    let folder = tempfile::tempdir().expect("a folder");
    let inside = Inside::start();
    let port = inside.port;
    let server = outside(move |request| site(request, port).into());
    let settings = HttpSettings {
        delay: Some(Duration::ZERO),
        ..settings
    };
    let stage = own_with(unprotected(folder.path()), settings)?;
    Some(Scene {
        inside,
        server,
        stage,
        _folder: folder,
    })
}

impl Scene {
    fn run(&self, expression: &str) -> Ran {
        let ran = run_with(&self.stage, 1, &self.server, expression);
        for text in ran.records.iter().chain(&ran.failures) {
            assert!(!text.contains(SECRET), "{expression}: {text}");
        }
        assert_eq!(self.inside.seen(), 0, "{expression}: connections inside");
        ran
    }

    /// Runs it and expects that each of so many ways is refused with a reason.
    fn refuses(&self, expression: &str, count: usize) {
        let ran = self.run(expression);
        assert_eq!(
            ran.failures.len(),
            count,
            "{expression}: {:#?}\n{:?}",
            ran.failures,
            ran.records
        );
        for failure in &ran.failures {
            assert!(failure.contains("a private address"), "{expression}: {failure}");
        }
    }
}

#[test]
fn links_redirects_and_forms_lead_to_public_addresses_only() {
    in_network(
        "inside::links_redirects_and_forms_lead_to_public_addresses_only",
        || {
            let Some(scene) = scene(HttpSettings::default()) else {
                return;
            };
            let count = SPELLINGS.len();
            scene.refuses("doc('SITE/links')//a/{click /}//*:<x=string(.)>", count);
            scene.refuses("doc('SITE/links')//a/doc(@href)//*:<x=string(.)>", count);
            scene.refuses("doc('SITE/redirects')//a/doc(@href)//*:<x=string(.)>", count);
            scene.refuses("doc('SITE/secure')//a/doc(@href)//*:<x=string(.)>", 2 * KINDS.len());
            scene.refuses("doc('SITE/secure')//a/{click /}//*:<x=string(.)>", 2 * KINDS.len());
            scene.refuses("doc('SITE/redirects')//a/{click /}//*:<x=string(.)>", count);
            scene.refuses("doc('SITE/forms')//form/{submit /}//*:<x=string(.)>", count);
            scene.refuses("doc('SITE/script-links')//b/{click /}//*:<x=string(.)>", KINDS.len());
            scene.refuses("doc('SITE/script-links')//i/{click /}//*:<x=string(.)>", KINDS.len());
            scene.refuses(
                "doc('SITE/frames')//iframe[position() <= 36]/{movetoframe /}//*:<x=string(.)>",
                count,
            );
        },
    );
}

#[test]
fn pages_that_move_on_lead_to_public_addresses_only() {
    in_network("inside::pages_that_move_on_lead_to_public_addresses_only", || {
        let Some(scene) = scene(HttpSettings::default()) else {
            return;
        };
        scene.refuses("doc('SITE/metas')//a/{click /}//*:<x=string(.)>", KINDS.len());
        scene.refuses("doc('SITE/metas')//a/doc(@href)//*:<x=string(.)>", KINDS.len());
        let ran = scene.run("doc('SITE/moves')//a/{click[wait=1] /}//p:<x=string(.)>");
        assert_eq!(ran.records, Vec::<String>::new());
        assert_eq!(ran.failures.len(), 4 * KINDS.len(), "{:#?}", ran.failures);
        // Without a wait, what is read depends on the time; never anything from inside.
        scene.run("doc('SITE/moves')//a/{click /}//p:<x=string(.)>");
    });
}

/// The user may open files here, but an address that comes from a page is the page's.
#[test]
fn addresses_from_pages_are_not_those_of_files() {
    in_network("inside::addresses_from_pages_are_not_those_of_files", || {
        let settings = HttpSettings {
            allow_file: true,
            ..HttpSettings::default()
        };
        let Some(scene) = scene(settings) else { return };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("page.html");
        std::fs::write(&file, format!("<h1>{SECRET}</h1>")).expect("a file");
        let own = format!("doc('file://{}')//h1:<x=string(.)>", file.display());
        let ran = run_with(&scene.stage, 1, &scene.server, &own);
        assert_eq!((ran.records, ran.failures), (vec![format!("x={SECRET}")], vec![]));
        for path in ["/etc/passwd", &file.display().to_string()] {
            for way in ["doc(@href)", "doc(string(@href))", "{click /}"] {
                let expression = format!("doc('SITE/files?path={path}')//a/{way}//*:<x=string(.)>");
                let ran = scene.run(&expression);
                assert_eq!(ran.records, Vec::<String>::new(), "{expression}");
                assert_eq!(ran.failures.len(), FILES.len(), "{expression}: {:#?}", ran.failures);
                let (of_site, of_files) = ran.failures.split_at(3);
                assert!(of_site.iter().all(|failure| failure.contains("404")), "{of_site:#?}");
                let refused = |failure: &String| failure.contains("is not a page");
                assert!(of_files.iter().all(refused), "{expression}: {of_files:#?}");
            }
        }
    });
}

#[test]
fn frames_and_scripts_reach_public_addresses_only() {
    in_network("inside::frames_and_scripts_reach_public_addresses_only", || {
        let Some(scene) = scene(HttpSettings::default()) else {
            return;
        };
        for page in ["frames", "scripts"] {
            let ran = scene.run(&format!(
                "doc('SITE/{page}', [wait=3])//*[self::p or self::h1]:<x=string(.)>"
            ));
            assert_eq!(
                (ran.records.as_slice(), ran.failures.as_slice()),
                (&["x=public".to_owned()][..], &[][..])
            );
            let ran = scene.run(&format!("doc('SITE/{page}', [wait=3])/html:<x=string(.)>"));
            assert_eq!(ran.failures, Vec::<String>::new());
        }
    });
}

/// The pages above do reach inside if they may: otherwise the tests above could not fail.
#[test]
fn what_is_allowed_reaches_inside() {
    in_network("inside::what_is_allowed_reaches_inside", || {
        let settings = HttpSettings {
            allow_private: true,
            ..HttpSettings::default()
        };
        let Some(scene) = scene(settings) else { return };
        let run = |expression: &str| run_with(&scene.stage, 1, &scene.server, expression);
        for (page, least) in [("frames", 30), ("scripts", 150)] {
            run(&format!("doc('SITE/{page}', [wait=3])//p:<x=string(.)>"));
            let seen = scene.inside.seen();
            assert!(seen >= least, "{page}: {seen} connections");
        }
        for expression in [
            "doc('SITE/links')//a[position() < 30]/{click /}//h1:<x=string(.)>",
            "doc('SITE/links')//a[position() < 30]/doc(@href)//h1:<x=string(.)>",
            "doc('SITE/metas')//a/{click /}//h1:<x=string(.)>",
            "doc('SITE/metas')//a/doc(@href)//h1:<x=string(.)>",
            "doc('SITE/moves')//a/{click[wait=1] /}//h1:<x=string(.)>",
            "doc('SITE/forms')//form[position() < 10]/{submit /}//h1:<x=string(.)>",
        ] {
            let ran = run(expression);
            assert!(
                ran.records.len() >= 6,
                "{expression}: {:?} {:?}",
                ran.records,
                ran.failures
            );
            assert!(ran.records.iter().all(|record| record.contains(SECRET)));
        }
    });
}

/// A page inside may lead inside and outside; what it leads to outside is a public page.
#[test]
fn private_pages_lead_everywhere_but_take_nobody_inside() {
    in_network("inside::private_pages_lead_everywhere_but_take_nobody_inside", || {
        let Some(scene) = scene(HttpSettings::default()) else {
            return;
        };
        let port = scene.inside.port;
        let public = scene.server.url().replace(PUBLIC, "public.test");
        let fetched = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&fetched);
        let attack = format!(
            "<p>public</p><iframe src='http://inside.test:{port}/'></iframe><script>{SCRIPT}\ngo('http://inside.test:{port}/')</script>"
        );
        let evil = outside(move |request| match request.path.as_str() {
            "/lib.js" => {
                counter.fetch_add(1, Ordering::SeqCst);
                Response::new(200, "text/javascript", "document.body.append('by a public script')").into()
            }
            "/later" => Response::html("<script>setTimeout(() => location = '/', 100)</script>").into(),
            _ => Response::html(attack.clone()).into(),
        });
        let evil_url = evil.url().replace(PUBLIC, "other.test");
        let inside_url = format!("http://inside.test:{port}/");
        let to = evil_url.clone();
        let intranet = demo::server::start("10.1.2.3:0", move |request: &Request| match request.path.as_str() {
            "/" => Response::html(format!(
                "<a id=in href='{inside_url}'>in</a> <a id=out href='{public}links'>out</a> <a id=hop href=/hop>hop</a>
                 <b onclick=\"location='{to}'\">b</b><i onclick=\"window.open('{to}')\">i</i><script src='{to}lib.js'></script>"
            ))
            .into(),
            "/hop" => Response::see_other(&to).into(),
            "/frame" => Response::html(format!("<h1>here</h1><iframe src='{to}'></iframe><iframe src='{to}later'></iframe>
                <iframe src='http://127.0.0.1:{port}/'></iframe>")).into(),
            _ => Response::html(format!("<form action='{to}' method=post><input name=a></form><form action='{to}'><input name=a></form>")).into(),
        })
        .expect("an intranet");
        let site = format!("http://intranet.test:{}", intranet.address().port());
        let run = |expression: &str| run_with(&scene.stage, 1, &scene.server, &expression.replace("HERE", &site));
        // A script of a public host belongs to the page.
        let ran = run("doc('HERE/')//body:<x=contains(., 'by a public script')>");
        assert_eq!((ran.records, ran.failures), (vec!["x=true".to_owned()], vec![]));
        assert_eq!(fetched.load(Ordering::SeqCst), 1);
        let ran = run("doc('HERE/')//a[@id='in']/{click /}//h1:<x=string(.)>");
        assert_eq!((ran.records, ran.failures), (vec![format!("x={SECRET}")], vec![]));
        assert!(scene.inside.seen() > 0);
        // From there, links inside are refused again.
        scene.refuses(
            &"doc('HERE/')//a[@id='out']/{click /}//a[position() <= 5]/{click /}//*:<x=string(.)>"
                .replace("HERE", &site),
            5,
        );
        for way in [
            "doc('HERE/hop', [wait=1])",
            "doc('HERE/')//a[@id='hop']/{click[wait=1] /}",
            "doc('HERE/')//b/{click[wait=1] /}",
            "doc('HERE/')//i/{click[wait=1] /}",
            "doc('HERE/form')//form[2]/{submit[wait=1] /}",
        ] {
            let ran = scene.run(&format!("{way}//p:<x=string(.)>").replace("HERE", &site));
            assert_eq!(
                (ran.records.as_slice(), ran.failures.as_slice()),
                (&["x=public".to_owned()][..], &[][..]),
                "{way}"
            );
        }
        let ran = scene.run(&"doc('HERE/form')//form[1]/{submit /}//p:<x=string(.)>".replace("HERE", &site));
        assert!(
            ran.failures[0].contains("a form of a private page leads to"),
            "{:?}",
            ran.failures
        );
        // Frames of public hosts stay empty there; the one of a private host is reached.
        let ran = run("doc('HERE/frame', [wait=2])//h1:<x=string(.)>");
        assert_eq!((ran.records, ran.failures), (vec!["x=here".to_owned()], vec![]));
        assert_eq!(scene.inside.seen(), 1);
        // A name with addresses on both sides is public.
        let both = scene.server.url().replace(PUBLIC, "both.test");
        let ran = scene.run(&format!("doc('{both}scripts', [wait=2])//p:<x=string(.)>"));
        assert_eq!((ran.records, ran.failures), (vec!["x=public".to_owned()], vec![]));
    });
}

/// What does not use proxies would go past the gate: calls by WebRTC, and WebTransport.
#[test]
fn no_datagrams_are_sent() {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let port = socket.local_addr().expect("an address").port();
    let time = Duration::from_millis(300);
    socket.set_read_timeout(Some(time)).expect("a timeout");
    let datagrams = || std::iter::from_fn(|| socket.recv(&mut [0; 2048]).ok()).count();
    let page = format!(
        "<p>page</p><script>
         const ice = [{{urls: 'stun:127.0.0.1:{port}'}}, {{urls: 'stun:localhost:{port}'}},
           {{urls: 'turn:127.0.0.1:{port}?transport=udp', username: 'a', credential: 'b'}}];
         const pc = new RTCPeerConnection({{iceServers: ice}}); pc.createDataChannel('x');
         pc.createOffer().then(o => pc.setLocalDescription(o));
         try {{ new WebTransport('https://127.0.0.1:{port}/').ready.catch(() => {{}}) }} catch {{}}</script>"
    );
    let server = crate::stage::site(move |_| Response::html(page.clone()).into());
    for allow_private in [false, true] {
        let settings = HttpSettings {
            allow_private,
            ..HttpSettings::default()
        };
        let Some(stage) = own_with(Setup::default(), settings) else {
            return;
        };
        let ran = run_with(&stage, 1, &server, "doc('SITE/', [wait=2])//p:<x=string(.)>");
        assert_eq!((ran.records, ran.failures), (vec!["x=page".to_owned()], vec![]));
        // Without the gate there are some: otherwise this test could not fail.
        let seen = datagrams();
        assert_eq!(seen > 0, allow_private, "{seen} datagrams");
    }
}
