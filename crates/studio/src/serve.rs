//! HTTP: one thread that talks, and a few that work.
//!
//! Requests are checked by the [`Guard`] before anything else is looked at. Then each is answered by a plain function on a
//! thread of its own, because it may run a wrapper over all pages. What a client may cost is limited: connections, the size
//! of requests, the time for headers.

use crate::api;
use crate::assets;
use crate::body::Content;
use crate::guard::{Admission, Guard};
use crate::load;
use crate::project::{Opening, Project, Trouble};
use crate::view::Asked;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderValue, LOCATION, SET_COOKIE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use wrapwright::show;

/// The most connections at the same time. A browser opens six.
const MOST: usize = 64;
/// The most threads that work on answers.
const WORKERS: usize = 8;
/// The largest request.
const LARGEST: usize = 1 << 20;
/// The largest request with files that were dropped on the window.
const LARGEST_FILES: usize = 64 << 20;
/// The time that a client has to send the headers, and the body, of a request.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most messages that wait for a slow listener.
const WAITING: usize = 4;

/// What pages of the studio itself may do: run our scripts and talk to us, nothing else. Nobody may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Answer = Response<Content>;

/// A studio that is served. It ends when this is dropped.
pub struct Running {
    address: SocketAddr,
    entry: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    project: Arc<Project>,
}

/// Serves a studio on this machine at a port, or at any that is free if it is 0, and begins to open what was named.
///
/// # Errors
///
/// The port cannot be used, or the system gives no thread or no random numbers.
pub fn start(opening: Opening, port: u16) -> io::Result<Running> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let guard = Arc::new(Guard::new(address.port())?);
    let entry = format!("http://{address}{}", guard.entry());
    let project = Arc::new(Project::new(opening));
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(WORKERS)
        .build()?;
    let listener = {
        let _inside = runtime.enter();
        TcpListener::from_std(listener)?
    };
    let (stop, stopped) = oneshot::channel();
    let served = Arc::clone(&project);
    let thread = std::thread::Builder::new().name("studio".to_owned()).spawn(move || {
        runtime.spawn(accept(listener, guard, served));
        let _ = runtime.block_on(stopped);
        // Work that is under way is not waited for.
        runtime.shutdown_background();
    })?;
    let opened = Arc::clone(&project);
    std::thread::Builder::new()
        .name("studio-open".to_owned())
        .spawn(move || opened.open())?;
    Ok(Running {
        address,
        entry,
        stop: Some(stop),
        thread: Some(thread),
        project,
    })
}

impl Running {
    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser. It works once.
    pub fn url(&self) -> &str {
        &self.entry
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the token.
        f.debug_struct("Running")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.project.cancel();
        self.project.stop_run();
        *self.project.ahead.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(stop) = self.stop.take() {
            // It may have ended by itself.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, guard: Arc<Guard>, project: Arc<Project>) {
    let count = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, perhaps.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        if count.load(Ordering::Relaxed) >= MOST {
            continue;
        }
        count.fetch_add(1, Ordering::Relaxed);
        let (guard, project, count) = (Arc::clone(&guard), Arc::clone(&project), Arc::clone(&count));
        tokio::spawn(async move {
            let service = service_fn(|request| answer(request, Arc::clone(&guard), Arc::clone(&project)));
            let served = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .serve_connection(TokioIo::new(stream), service);
            // A connection that breaks is the browser's affair.
            let _ = served.await;
            count.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

async fn answer(request: Request<Incoming>, guard: Arc<Guard>, project: Arc<Project>) -> Result<Answer, Infallible> {
    let (head, body) = request.into_parts();
    let (path, query) = (
        head.uri.path().to_owned(),
        head.uri.query().unwrap_or_default().to_owned(),
    );
    match guard.admit(&head.method, &path, &query, &head.headers) {
        Admission::Granted => {}
        Admission::Refused(status, why) => return Ok(plain(status, why)),
        Admission::Again => return Ok(to_start(None)),
        Admission::Enter => return Ok(to_start(Some(&guard.cookie()))),
    }
    if path == "/api/run" && head.method == Method::GET {
        return Ok(events(&project));
    }
    let posted = match head.method {
        Method::POST => {
            let largest = if path == "/api/files" { LARGEST_FILES } else { LARGEST };
            let all = tokio::time::timeout(PATIENCE, Limited::new(body, largest).collect()).await;
            match all {
                Ok(Ok(all)) => Some(all.to_bytes()),
                _ => {
                    return Ok(plain(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "the request is too large or too slow",
                    ));
                }
            }
        }
        _ => None,
    };
    let host = head
        .headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let host = host.to_owned();
    // A site that answers slowly keeps other pictures waiting, and nothing else.
    let waited = Arc::clone(&project);
    let _turn = match path == "/load" {
        true => waited.loading.turns.acquire().await.ok(),
        false => None,
    };
    let work = tokio::task::spawn_blocking(move || match posted {
        Some(body) if path == "/api/do" => perform(&project, &body, |command| project.perform(command)),
        Some(body) if path == "/api/files" => {
            perform(&project, &body, |given: api::Files| project.dropped(&given.files))
        }
        Some(_) => plain(StatusCode::NOT_FOUND, "there is nothing here"),
        None => read(&project, &path, &query, &host),
    });
    // A bug in one answer must not end the others.
    Ok(work
        .await
        .unwrap_or_else(|_| plain(StatusCode::INTERNAL_SERVER_ERROR, "this is a bug in the studio")))
}

/// Tells what happens in the run, as it happens.
fn events(project: &Arc<Project>) -> Answer {
    let (sender, receiver) = mpsc::channel(WAITING);
    let going = project.going().clone();
    if let Some(going) = going {
        tokio::spawn(going.listen(sender));
    }
    let mut answer = respond(StatusCode::OK, "text/event-stream", Vec::new(), POLICY);
    *answer.body_mut() = Content::Stream(receiver);
    answer
}

/// Makes a change, and answers with the new state.
fn perform<C: DeserializeOwned>(
    project: &Arc<Project>,
    body: &[u8],
    change: impl FnOnce(C) -> Result<(), Trouble>,
) -> Answer {
    let command = match serde_json::from_slice(body) {
        Ok(command) => command,
        Err(error) => return plain(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    match change(command) {
        Ok(()) => json(&project.state()),
        Err(trouble) => {
            let mut answer = json(&trouble.0);
            *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            answer
        }
    }
}

fn read(project: &Arc<Project>, path: &str, query: &str, host: &str) -> Answer {
    if let Some((media, bytes)) = assets::find(path) {
        return respond(StatusCode::OK, media, bytes.to_vec(), POLICY);
    }
    let number = |name: &str| value(query, name).and_then(|text| text.parse::<usize>().ok());
    let page = number("page").unwrap_or(0);
    let field = || value(query, "field").map(decoded).filter(|field| !field.is_empty());
    match path {
        "/api/state" => json(&project.state()),
        "/api/rows" => {
            let (rev, view, documents) = {
                let inner = project.lock();
                (inner.rev, inner.shown(), Arc::clone(&inner.now.documents))
            };
            let from = number("from").unwrap_or(0);
            let [without, find, sort] = ["without", "find", "sort"].map(|name| value(query, name).map(decoded));
            let asked = Asked {
                from,
                count: number("count").unwrap_or(200),
                without: without.as_deref(),
                find: find.as_deref(),
                sort: sort.as_deref(),
                is_down: value(query, "down") == Some("1"),
            };
            let (total, rows) = view.rows(&documents, &asked);
            json(&api::Rows {
                rev,
                columns: view.columns.clone(),
                total,
                from,
                rows,
            })
        }
        "/api/boxes" => {
            let (rev, view, documents) = {
                let inner = project.lock();
                (inner.rev, inner.shown(), Arc::clone(&inner.now.documents))
            };
            let (boxes, is_cut) = view.boxes(&documents, page);
            json(&api::Boxes { rev, boxes, is_cut })
        }
        "/table.csv" => {
            let (view, now) = {
                let inner = project.lock();
                (Arc::clone(&inner.view), inner.now.clone())
            };
            let csv = now.wrapper.as_deref().map(|wrapper| view.csv(wrapper, &now.documents));
            match csv {
                Some(Ok(bytes)) => respond(StatusCode::OK, "text/csv; charset=utf-8", bytes, POLICY),
                Some(Err(error)) => plain(StatusCode::INTERNAL_SERVER_ERROR, &error),
                None => plain(StatusCode::NOT_FOUND, "there is no table yet"),
            }
        }
        "/api/ways" => json(&project.ways(&value(query, "field").map(decoded).unwrap_or_default())),
        "/api/rule" => json(&project.rule(field().as_deref())),
        "/api/try-each" => {
            let path = value(query, "path").map(decoded).unwrap_or_default();
            match project.tried_each(field().as_deref(), &path, page) {
                Ok(tried) => json(&tried),
                Err(trouble) => plain(StatusCode::NOT_FOUND, &trouble.0.message),
            }
        }
        "/load" => {
            let name = value(query, "url").map(decoded).unwrap_or_default();
            match project.load(page, number("sheet"), &name) {
                Ok(part) => respond(StatusCode::OK, part.media, part.bytes.clone(), load::POLICY),
                Err(why) => plain(StatusCode::FORBIDDEN, &why),
            }
        }
        "/api/try" => {
            let [field, path] = ["field", "path"].map(|name| value(query, name).map(decoded).unwrap_or_default());
            match project.tried(&field, number("at").unwrap_or(0), &path, page) {
                Ok(tried) => json(&tried),
                Err(trouble) => plain(StatusCode::NOT_FOUND, &trouble.0.message),
            }
        }
        "/api/health" => json(&project.health()),
        "/history.svg" => match project.picture() {
            Some(picture) => respond(StatusCode::OK, "image/svg+xml", picture.into_bytes(), show::POLICY),
            None => plain(StatusCode::NOT_FOUND, "there is no history yet"),
        },
        "/api/way" => json(&project.way(page)),
        "/api/old" => match project.old(page) {
            Some((mending, number)) => json(&api::OldPage {
                name: mending.old[number].name.to_string(),
                boxes: mending.old_view.boxes(&mending.old, number).0,
            }),
            None => plain(StatusCode::NOT_FOUND, "no page of before is kept"),
        },
        "/old" => match project.old(page) {
            Some((mending, at)) => {
                let frozen = show::frozen(&mending.old[at].page, value(query, "plain") == Some("1"));
                let html = frozen.html.into_bytes();
                respond(StatusCode::OK, "text/html; charset=utf-8", html, show::POLICY)
            }
            None => plain(StatusCode::NOT_FOUND, "no page of before is kept"),
        },
        "/api/choices" => {
            let at = api::Spot {
                n: number("n").and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
                t: number("t"),
                a: None,
            };
            match project.choices(page, &at) {
                Ok(choices) => json(&choices),
                Err(trouble) => plain(StatusCode::NOT_FOUND, &trouble.0.message),
            }
        }
        "/page" => {
            let document = project.lock().now.documents.get(page).cloned();
            match document {
                Some(document) => {
                    const HTML: &str = "text/html; charset=utf-8";
                    let plain = value(query, "plain") == Some("1");
                    if let Some(thawed) = (!plain).then(|| project.thawed(page, &document)).flatten() {
                        let policy = show::loading_policy(&format!("http://{host}/load"));
                        return respond(StatusCode::OK, HTML, thawed.html.into_bytes(), &policy);
                    }
                    let frozen = show::frozen(&document.page, plain);
                    respond(StatusCode::OK, HTML, frozen.html.into_bytes(), show::POLICY)
                }
                None => plain(StatusCode::NOT_FOUND, "there is no such page"),
            }
        }
        _ => plain(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

/// A parameter of a query.
fn value<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// A text without its percent signs.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text that can be part of a query.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b':' => out.push(byte.into()),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn json(value: &impl Serialize) -> Answer {
    // Types of ours with texts as keys: they cannot fail.
    let bytes = serde_json::to_vec(value).unwrap_or_default();
    respond(StatusCode::OK, "application/json", bytes, POLICY)
}

fn plain(status: StatusCode, words: &str) -> Answer {
    respond(
        status,
        "text/plain; charset=utf-8",
        format!("{words}\n").into_bytes(),
        POLICY,
    )
}

fn respond(status: StatusCode, media: &'static str, body: Vec<u8>, policy: &str) -> Answer {
    let mut answer = Response::new(Content::Whole(Some(Bytes::from(body))));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    let fixed = [
        (CONTENT_TYPE.as_str(), media),
        (CACHE_CONTROL.as_str(), "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-dns-prefetch-control", "off"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Made of our words and of a host that was compared with our own names.
    let policy = HeaderValue::from_str(policy).unwrap_or(HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert("content-security-policy", policy);
    answer
}

/// Sends the browser to the clean address.
fn to_start(cookie: Option<&str>) -> Answer {
    let mut answer = plain(StatusCode::SEE_OTHER, "");
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(cookie).ok()) {
        answer.headers_mut().insert(SET_COOKIE, cookie);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read() {
        assert_eq!(value("page=3&n=4", "n"), Some("4"));
        assert_eq!(value("page=3", "n"), None);
        assert_eq!(decoded("a%20b%C3%A9%"), "a bé%");
        assert_eq!(decoded("%zz%"), "%zz%");
        assert_eq!(decoded(&encoded("https://é/a b?c=\"d\"&e")), "https://é/a b?c=\"d\"&e");
        assert!(
            encoded("a\"') b")
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'%')
        );
    }
}
