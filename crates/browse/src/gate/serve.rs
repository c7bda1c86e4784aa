//! The doors: requests of the browser, one by one, and tunnels.

use super::dial::{self, dial};
use super::{Inner, MARK, Why, Zone, peer};
use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::SendRequest;
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use url::Url;

/// The most connections at the same time. A browser opens a few dozen.
const MOST: usize = 2000;
/// The most headers of a message; pages with a hundred exist.
const HEADERS: usize = 1000;

type Body = Either<Incoming, Full<Bytes>>;

/// The connection to a server that belongs to one of the browser: its host and port, and how to send on it. A browser
/// uses a connection to its proxy for one host only, so one is enough.
type Kept = Mutex<Option<(String, Opened)>>;

/// How to send on a connection, and to which kind of proxy, see [`dial`].
type Opened = (SendRequest<Body>, Option<Option<String>>);

/// Serves a door until the runtime ends.
pub(super) async fn accept(listener: TcpListener, door: Zone, inner: Arc<Inner>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Too many open files, perhaps.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let known = stream.local_addr().is_ok_and(|to| peer::is_same_user(from, to));
        if !known || inner.connections.load(Ordering::Relaxed) >= MOST {
            continue;
        }
        inner.connections.fetch_add(1, Ordering::Relaxed);
        let inner = Arc::clone(&inner);
        tokio::spawn(async move {
            serve(stream, door, &inner).await;
            inner.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

async fn serve(stream: TcpStream, door: Zone, inner: &Arc<Inner>) {
    let _ = stream.set_nodelay(true);
    let kept: Kept = Mutex::new(None);
    let service = service_fn(|request| answer(request, door, inner, &kept));
    let served = hyper::server::conn::http1::Builder::new()
        .preserve_header_case(true)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // A connection that breaks is the browser's affair.
    let _ = served.await;
}

async fn answer(
    request: Request<Incoming>,
    door: Zone,
    inner: &Arc<Inner>,
    kept: &Kept,
) -> Result<Response<Body>, hyper::Error> {
    let target = match request.method() {
        &Method::CONNECT => request.uri().authority().map(|to| format!("https://{to}/")),
        _ => (request.uri().scheme_str() == Some("http")).then(|| request.uri().to_string()),
    };
    let Some(url) = target.and_then(|target| Url::parse(&target).ok()) else {
        // Not a request to a proxy; perhaps of a page in another browser.
        return Ok(said(StatusCode::BAD_REQUEST, None));
    };
    let done = match request.method() {
        &Method::CONNECT => tunnel(request, &url, door, inner).await,
        _ => forward(request, &url, door, inner, kept).await,
    };
    let failure = match done {
        Ok(answer) => {
            inner.note(&url, None);
            return Ok(answer);
        }
        Err(failure) => failure,
    };
    inner.note(&url, Some(&failure));
    let status = match &failure {
        Why::Private | Why::Moved | Why::Own => StatusCode::FORBIDDEN,
        Why::Late => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    };
    Ok(said(status, Some("failed")))
}

/// Our own answer.
fn said(status: StatusCode, mark: Option<&'static str>) -> Response<Body> {
    let mut answer = Response::new(Either::Right(Full::default()));
    *answer.status_mut() = status;
    if let Some(mark) = mark {
        answer.headers_mut().insert(MARK, HeaderValue::from_static(mark));
    }
    answer
}

/// A tunnel: bytes in both directions until one side ends.
async fn tunnel(request: Request<Incoming>, url: &Url, door: Zone, inner: &Inner) -> Result<Response<Body>, Why> {
    let mut far = dial(inner, url, door, true).await?.stream;
    tokio::spawn(async move {
        if let Ok(near) = hyper::upgrade::on(request).await {
            let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(near), &mut far).await;
        }
    });
    Ok(said(StatusCode::OK, None))
}

/// One request for http.
async fn forward(
    mut request: Request<Incoming>,
    url: &Url,
    door: Zone,
    inner: &Inner,
    kept: &Kept,
) -> Result<Response<Body>, Why> {
    let to = dial::authority(url);
    let mut kept = kept.lock().await;
    let reused = match kept.take() {
        Some((host, (mut sender, proxy))) if host == to => sender.ready().await.is_ok().then_some((sender, proxy)),
        _ => None,
    };
    let is_reused = reused.is_some();
    let (mut sender, proxy) = match reused {
        Some(reused) => reused,
        None => open(inner, url, door).await?,
    };
    prepare(&mut request, url, proxy.as_ref())?;
    // A connection may have been closed by the server just now. What does no harm is sent once more.
    let again = (is_reused && matches!(*request.method(), Method::GET | Method::HEAD)).then(|| {
        let mut again = Request::new(Either::Right(Full::default()));
        again.method_mut().clone_from(request.method());
        again.uri_mut().clone_from(request.uri());
        again.headers_mut().clone_from(request.headers());
        again
    });
    let unable = |error: hyper::Error| Why::Other(error.to_string());
    let mut answer = match (sender.send_request(request.map(Either::Left)).await, again) {
        (Err(_), Some(again)) => {
            sender = open(inner, url, door).await?.0;
            sender.send_request(again).await.map_err(unable)?
        }
        (answer, _) => answer.map_err(unable)?,
    };
    *kept = Some((to, (sender, proxy)));
    if answer.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        return Err(Why::Other("a login for the proxy is needed".to_owned()));
    }
    strip(answer.headers_mut());
    *answer.version_mut() = Version::HTTP_11;
    Ok(answer.map(Either::Left))
}

/// Makes a request to a proxy one to the server, or to the next proxy.
fn prepare(request: &mut Request<Incoming>, url: &Url, proxy: Option<&Option<String>>) -> Result<(), Why> {
    let wrong = |error: &dyn std::fmt::Display| Why::Other(error.to_string());
    let headers = request.headers_mut();
    strip(headers);
    if let Some(Some(login)) = proxy {
        let login = HeaderValue::from_str(login).map_err(|error| wrong(&error))?;
        headers.insert("proxy-authorization", login);
    }
    // The host that was checked, whatever the request says.
    let host = match url.port() {
        Some(_) => dial::authority(url),
        None => url.host_str().unwrap_or("").to_owned(),
    };
    headers.insert(HOST, HeaderValue::from_str(&host).map_err(|error| wrong(&error))?);
    if proxy.is_none() {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let path = path.parse::<Uri>().map_err(|error| wrong(&error))?;
        *request.uri_mut() = path;
    }
    *request.version_mut() = Version::HTTP_11;
    Ok(())
}

async fn open(inner: &Inner, url: &Url, door: Zone) -> Result<Opened, Why> {
    let dialled = dial(inner, url, door, false).await?;
    let (sender, connection) = hyper::client::conn::http1::Builder::new()
        .preserve_header_case(true)
        .max_headers(HEADERS)
        .ignore_invalid_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .handshake(TokioIo::new(dialled.stream))
        .await
        .map_err(|error| Why::Other(error.to_string()))?;
    tokio::spawn(connection);
    Ok((sender, dialled.proxy))
}

/// Removes what concerns one connection only, and our own mark.
fn strip(headers: &mut HeaderMap) {
    for name in [
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "proxy-authenticate",
        "upgrade",
        MARK,
    ] {
        headers.remove(name);
    }
}
