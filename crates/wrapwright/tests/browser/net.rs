//! A network of one's own: a namespace in which this machine has public and private addresses, and names for them.
//!
//! A test cannot be at a public address of the real network, so it runs once more, alone, as a process in a network
//! namespace. There the loopback device has the addresses below, and a hosts file has the names. Nothing is replaced:
//! the driver, the browser and the system's resolver are the real ones. Where namespaces are not allowed, the test is
//! skipped.

use demo::server::{self, Answer, Request, Running};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use wrapwright::drivers::Setup;

/// Our public address; `public.test` and `other.test` are there.
pub(crate) const PUBLIC: &str = "93.184.216.34";

/// Where the servers of the private network are.
const INSIDE: [&str; 8] = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[fd00::1]",
    "172.16.0.1",
];

const HOSTS: &str = "127.0.0.1 localhost loop.test\n::1 six.test\n10.1.2.3 inside.test both.test intranet.test\n\
                     93.184.216.34 public.test other.test both.test\n";

/// Set in the process that runs in the namespace.
const VARIABLE: &str = "WRAPWRIGHT_TEST_NETWORK";

/// Runs a test in a network of its own; `name` is its path in this program.
pub(crate) fn in_network(name: &str, test: impl FnOnce()) {
    if std::env::var_os(VARIABLE).is_some() {
        return test();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, HOSTS).expect("a hosts file");
    let mut script = format!(
        "set -e; mount --bind {} /etc/hosts; ip link set lo up; ip addr add {PUBLIC}/32 dev lo; ",
        hosts.display()
    );
    for address in INSIDE
        .iter()
        .filter(|address| !address.starts_with("127") && **address != "[::1]")
    {
        let plain = address.trim_matches(['[', ']']);
        let width = if plain.contains(':') { "128 nodad" } else { "32" };
        let (bits, rest) = width.split_once(' ').unwrap_or((width, ""));
        script += &format!("ip addr add {plain}/{bits} dev lo {rest}; ");
    }
    let inside = |run: &str| {
        let mut command = Command::new("unshare");
        command.args(["-r", "-n", "-m", "sh", "-c", &format!("{script} {run}"), "sh"]);
        command
    };
    let possible = inside("true").output();
    if !possible.as_ref().is_ok_and(|output| output.status.success()) {
        let why = match possible {
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => error.to_string(),
        };
        return skip::skip(&format!("wrapwright: {name}"), &format!("no network namespace: {why}"));
    }
    let program = std::env::current_exe().expect("this program");
    let output = inside("exec \"$@\"")
        .arg(program)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(VARIABLE, "1")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("1 passed"), "{out}\n{said}");
}

/// The private network: answers everywhere with a secret, and counts who comes.
pub(crate) struct Inside {
    pub(crate) port: u16,
    count: Arc<AtomicUsize>,
}

pub(crate) const SECRET: &str = "the secret of the inside";

impl Inside {
    pub(crate) fn start() -> Inside {
        let count = Arc::new(AtomicUsize::new(0));
        let mut port = 0;
        for address in INSIDE {
            let listener = TcpListener::bind(format!("{address}:{port}")).expect("an address inside");
            port = listener.local_addr().expect("an address").port();
            let count = Arc::clone(&count);
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    let Ok(mut stream) = stream else { continue };
                    count.fetch_add(1, Ordering::SeqCst);
                    let body = format!("<h1>{SECRET}</h1><p>{SECRET}</p><a href=/>{SECRET}</a>");
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n\
                         Access-Control-Allow-Private-Network: true\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
                    let _ = stream.read(&mut [0; 4096]);
                    let _ = stream.write_all(answer.as_bytes());
                }
            });
        }
        Inside { port, count }
    }

    /// How many connections there were since the last time, after a moment for late ones.
    pub(crate) fn seen(&self) -> usize {
        std::thread::sleep(Duration::from_millis(700));
        self.count.swap(0, Ordering::SeqCst)
    }
}

/// A server at the public address.
pub(crate) fn outside(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Running {
    server::start(format!("{PUBLIC}:0"), answer).expect("a public server")
}

/// A browser whose own protection of private networks is off, so that only ours is left.
pub(crate) fn unprotected(folder: &std::path::Path) -> Setup {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("browser");
    // Of two lists of features, the last one counts.
    let features = "Translate,MediaRouter,OptimizationHints,BackForwardCache,AutofillServerCommunication,\
                    ProcessPerSiteUpToMainFrameThreshold,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,\
                    LocalNetworkAccessForWorkers,LocalNetworkAccessForNavigations,\
                    LocalNetworkAccessForSubframeNavigations,LocalNetworkAccessWebRTC,\
                    BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights";
    let script = format!(
        "#!/bin/sh\nfor name in chromium chromium-browser google-chrome; do\n\
         if command -v $name >/dev/null; then exec $name \"$@\" --disable-features={features}; fi\ndone\n"
    );
    std::fs::write(&program, script).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    Setup {
        program: Some(program),
        // Pictures are requests, too.
        load_images: true,
        ..Setup::default()
    }
}
