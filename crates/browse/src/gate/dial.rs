//! Connections to servers, directly or through the user's proxy.

use super::{Inner, Why, Zone};
use crate::address::{self, Written};
use crate::login;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

/// How long an address may take to accept a connection, if there is another one to try, and if not.
const NEXT: Duration = Duration::from_secs(3);
const LAST: Duration = Duration::from_secs(30);
/// The most bytes of a proxy's answer.
const MOST_HEAD: usize = 16 << 10;

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A connection, and how to ask on it.
pub(super) struct Dialled {
    pub(super) stream: Box<dyn Stream>,
    /// The user's proxy, if it expects whole addresses in requests, with its login.
    pub(super) proxy: Option<Option<String>>,
}

/// Connects to the host of an address. With `tunnel`, what is written then arrives at that host; without it, a proxy
/// for http may be at the other end, and expects requests for itself.
pub(super) async fn dial(inner: &Inner, url: &Url, door: Zone, tunnel: bool) -> Result<Dialled, Why> {
    let direct = |stream| Dialled { stream, proxy: None };
    let Some(proxy) = inner.proxies.of(url) else {
        let addresses = inner.allowed(url, door).await?;
        let (stream, at) = connect(&addresses).await?;
        (inner.reached)(url, at.ip());
        return Ok(direct(Box::new(stream)));
    };
    // A name is looked up by the proxy, but an address is what it is.
    if !inner.free && door == Zone::Public && address::written(url) == Written::Private {
        return Err(Why::Private);
    }
    // The user chose the proxy, so it may be anywhere.
    let (stream, _) = connect(&inner.look_up(proxy).await?).await.map_err(of_proxy)?;
    let unable = |error: io::Error| of_proxy(Why::Other(error.to_string()));
    match proxy.scheme() {
        "socks5" | "socks5h" => {
            let local = match proxy.scheme() {
                "socks5" => inner.allowed(url, door).await?.first().copied(),
                _ => None,
            };
            let mut stream = stream;
            timeout(LAST, socks(&mut stream, proxy, url, local))
                .await
                .map_err(|_| of_proxy(Why::Late))?
                .map_err(unable)?;
            Ok(direct(Box::new(stream)))
        }
        scheme => {
            let mut stream: Box<dyn Stream> = match scheme {
                "https" => {
                    let host = proxy.host_str().unwrap_or("").trim_matches(['[', ']']).to_owned();
                    let name = ServerName::try_from(host).map_err(|error| unable(io::Error::other(error)))?;
                    Box::new(inner.tls.connect(name, stream).await.map_err(unable)?)
                }
                _ => Box::new(stream),
            };
            let login = header(proxy);
            if !tunnel {
                let proxy = Some(login);
                return Ok(Dialled { stream, proxy });
            }
            timeout(LAST, ask_tunnel(&mut stream, url, login.as_deref()))
                .await
                .map_err(|_| of_proxy(Why::Late))?
                .map_err(unable)?;
            Ok(direct(stream))
        }
    }
}

fn of_proxy(why: Why) -> Why {
    Why::Other(match why {
        Why::NoHost => "there is no such proxy".to_owned(),
        Why::Refused => "the proxy refused the connection".to_owned(),
        Why::Late => "the proxy does not answer".to_owned(),
        Why::Other(why) => format!("the proxy cannot be used: {why}"),
        Why::Private | Why::Moved | Why::Own => "the proxy cannot be used".to_owned(),
    })
}

/// Connects to the first of these addresses that accepts.
async fn connect(addresses: &[SocketAddr]) -> Result<(TcpStream, SocketAddr), Why> {
    let mut why = Why::NoHost;
    for (n, at) in addresses.iter().enumerate() {
        let time = if n + 1 < addresses.len() { NEXT } else { LAST };
        match timeout(time, TcpStream::connect(at)).await {
            Ok(Ok(stream)) => {
                let _ = stream.set_nodelay(true);
                return Ok((stream, *at));
            }
            Ok(Err(error)) => {
                why = match error.kind() {
                    io::ErrorKind::ConnectionRefused => Why::Refused,
                    io::ErrorKind::TimedOut => Why::Late,
                    _ => Why::Other(error.to_string()),
                }
            }
            Err(_) => why = Why::Late,
        }
    }
    Err(why)
}

/// The login of a proxy, as a header has it.
fn header(proxy: &Url) -> Option<String> {
    login::take_login(&mut proxy.clone())
}

/// The name and the password in a proxy's address.
fn user(proxy: &Url) -> Option<(Vec<u8>, Vec<u8>)> {
    let password = proxy.password().unwrap_or("");
    (!proxy.username().is_empty()).then(|| (login::unescaped(proxy.username()), login::unescaped(password)))
}

/// Host and port, as in a request line.
pub(super) fn authority(url: &Url) -> String {
    format!(
        "{}:{}",
        url.host_str().unwrap_or(""),
        url.port_or_known_default().unwrap_or(0)
    )
}

/// Asks a proxy for a tunnel.
async fn ask_tunnel(stream: &mut Box<dyn Stream>, url: &Url, login: Option<&str>) -> io::Result<()> {
    let to = authority(url);
    let login = login.map_or(String::new(), |login| format!("Proxy-Authorization: {login}\r\n"));
    let request = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{login}\r\n");
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    // Byte by byte, because what follows the head belongs to the tunnel. It is short and asked for once.
    let mut head = Vec::with_capacity(256);
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= MOST_HEAD {
            return Err(io::Error::other("its answer is too long"));
        }
        head.push(stream.read_u8().await?);
    }
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or(b"");
    let line = String::from_utf8_lossy(line);
    let status = line.split(' ').nth(1).unwrap_or("");
    match status {
        "407" => Err(io::Error::other("it needs a login")),
        status if status.len() == 3 && status.starts_with('2') => Ok(()),
        status => Err(io::Error::other(format!("it answered {:.20}", status))),
    }
}

/// The opening of SOCKS 5 (RFC 1928, RFC 1929).
async fn socks(stream: &mut TcpStream, proxy: &Url, url: &Url, local: Option<SocketAddr>) -> io::Result<()> {
    let user = user(proxy);
    let method = if user.is_some() { 2 } else { 0 };
    stream.write_all(&[5, 1, method]).await?;
    let mut answer = [0; 2];
    stream.read_exact(&mut answer).await?;
    if answer != [5, method] {
        return Err(io::Error::other("it does not accept the login"));
    }
    let short = |bytes: &[u8]| u8::try_from(bytes.len()).map_err(|_| io::Error::other("a name is too long"));
    if let Some((name, password)) = &user {
        let mut message = vec![1, short(name)?];
        message.extend_from_slice(name);
        message.push(short(password)?);
        message.extend_from_slice(password);
        stream.write_all(&message).await?;
        stream.read_exact(&mut answer).await?;
        if answer[1] != 0 {
            return Err(io::Error::other("it does not accept the login"));
        }
    }
    let mut message = vec![5, 1, 0];
    match (local, url.host()) {
        (Some(SocketAddr::V4(at)), _) => {
            message.push(1);
            message.extend_from_slice(&at.ip().octets());
        }
        (Some(SocketAddr::V6(at)), _) => {
            message.push(4);
            message.extend_from_slice(&at.ip().octets());
        }
        (None, Some(Host::Ipv4(at))) => {
            message.push(1);
            message.extend_from_slice(&at.octets());
        }
        (None, Some(Host::Ipv6(at))) => {
            message.push(4);
            message.extend_from_slice(&at.octets());
        }
        (None, Some(Host::Domain(name))) => {
            message.extend([3, short(name.as_bytes())?]);
            message.extend_from_slice(name.as_bytes());
        }
        (None, None) => return Err(io::Error::other("there is no host")),
    }
    message.extend_from_slice(&url.port_or_known_default().unwrap_or(0).to_be_bytes());
    stream.write_all(&message).await?;
    let mut head = [0; 4];
    stream.read_exact(&mut head).await?;
    if head[1] != 0 {
        return Err(io::Error::other(format!("it cannot connect, reason {}", head[1])));
    }
    // The address that it connected from, and its port.
    let rest = match head[3] {
        1 => 4,
        4 => 16,
        _ => usize::from(stream.read_u8().await?),
    };
    let mut rest = vec![0; rest + 2];
    stream.read_exact(&mut rest).await?;
    Ok(())
}
