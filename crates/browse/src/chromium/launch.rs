//! Finding a browser, starting it with a new profile, and ending it.
//!
//! The profile is a new folder that is removed with the browser, so the user's own profile is not touched and nothing
//! is left over. If we are killed, a small shell that waits for our end also ends the browser and cleans up. Background
//! work of the browser is off: updates, synchronisation, first-run pages, metrics. The sandbox stays on unless the user
//! turns it off; Chromium does not support it for root, so there it is off.
//!
//! The only way out is the door of the [`gate`](crate::gate) that it gets. What would not use it is off: QUIC, UDP for
//! WebRTC, WebTransport (which does not work with a proxy), and all lookups of names. Loopback addresses go through it
//! too, which is not the default.

use super::Setup;
use page::Remedy;
use page::driver::{DriverError, FailureKind};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use url::Url;

/// Programs that are looked for, in this order.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
];

/// Where they are if they are not on the path.
const PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];

/// How long a browser may take to start.
const START: Duration = Duration::from_secs(60);
/// How long it may take to end.
const END: Duration = Duration::from_secs(5);

const FLAGS: [&str; 23] = [
    "--remote-debugging-port=0",
    "--no-startup-window",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    // Hidden tabs must work like visible ones.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-features=Translate,MediaRouter,OptimizationHints,BackForwardCache,\
     AutofillServerCommunication,CertificateTransparencyComponentUpdater,CalculateNativeWinOcclusion,\
     ProcessPerSiteUpToMainFrameThreshold",
];

/// For a browser that reaches the network through the gate only.
const GATED: [&str; 5] = [
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    // The name of the switch has changed between versions.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// A browser that we started.
pub(super) struct Launched {
    child: Child,
    heir: Option<Child>,
    profile: PathBuf,
    pub(super) address: Url,
}

fn failed(message: String) -> DriverError {
    DriverError::new(FailureKind::Other, message)
}

/// The browser to start: the one that was named, or the first that is installed.
pub(super) fn find(setup: &Setup) -> Result<PathBuf, DriverError> {
    if let Some(path) = &setup.program {
        // A bare name is searched on the path, like any other program.
        let bare = path.components().count() == 1;
        let found = match bare {
            true => on_path(&path.to_string_lossy()),
            false => path.is_file().then(|| path.clone()),
        };
        return found.ok_or_else(|| failed(format!("there is no browser at {}", path.display())));
    }
    let place = |place: &&str| Path::new(place).is_file().then(|| PathBuf::from(place));
    let found = NAMES.iter().find_map(|name| on_path(name));
    found.or_else(|| PLACES.iter().find_map(place)).ok_or_else(|| {
        failed("no browser is installed: looked for Chromium and Chrome".to_owned()).with_remedy(Remedy::InstallBrowser)
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// A new folder for a profile.
fn profile() -> std::io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wrapwright-browser-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match create_private(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 10_000 => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(unix)]
fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir(folder)
}

/// Are we root? The owner of a folder that we created shows it.
#[cfg(unix)]
fn is_root(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).is_ok_and(|about| about.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_folder: &Path) -> bool {
    false
}

impl Launched {
    /// Starts a browser and waits until it accepts connections.
    pub(super) fn start(
        setup: &Setup,
        door: Option<SocketAddr>,
        user_agent: Option<&str>,
    ) -> Result<Launched, DriverError> {
        let program = find(setup)?;
        let profile = profile()
            .map_err(|error| failed(format!("no folder for the browser's profile: {error}")).with_source(error))?;
        let mut command = Command::new(&program);
        command.args(FLAGS);
        let mut folder = OsString::from("--user-data-dir=");
        folder.push(&profile);
        command.arg(folder);
        if !setup.headed {
            command.args(["--headless=new", "--hide-scrollbars", "--window-size=1280,1024"]);
        }
        if setup.no_sandbox || is_root(&profile) {
            command.arg("--no-sandbox");
        }
        if let Some(door) = door {
            command.arg(format!("--proxy-server={door}")).args(GATED);
            // A browser opens at most 32 connections to a proxy, for all hosts together, unless this says otherwise.
            let settings = r#"{"net":{"max_connections_per_proxy":99}}"#;
            let _ = std::fs::write(profile.join("Local State"), settings);
        }
        if let Some(name) = user_agent {
            command.arg(format!("--user-agent={name}"));
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C must not reach the browser: we end it ourselves.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let started = command.spawn();
        let mut child = started.map_err(|error| {
            let _ = std::fs::remove_dir_all(&profile);
            failed(format!("{} cannot be started: {error}", program.display())).with_source(error)
        })?;
        // Before waiting for anything else: we may be killed meanwhile.
        let heir = heir(child.id(), &profile);
        let address = address(&mut child);
        let mut launched = Launched {
            heir,
            child,
            profile,
            address: Url::parse("ws://127.0.0.1").unwrap_or_else(|_| unreachable!("that is an address")),
        };
        match address {
            Ok(address) => {
                launched.address = address;
                Ok(launched)
            }
            Err(said) => {
                launched.end();
                let error = failed(format!("{} does not start: {said}", program.display()));
                Err(match said.contains("andbox") {
                    true => error.with_remedy(Remedy::DisableSandbox),
                    false => error,
                })
            }
        }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits a little for the browser to end by itself, and ends it if it does not.
    pub(super) fn end(&mut self) {
        let begin = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if begin.elapsed() > END {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // Its other processes should have ended with it; the heir makes sure of that.
        if let Some(mut heir) = self.heir.take() {
            drop(heir.stdin.take());
            let _ = heir.wait();
        }
        // One of them may still have been writing to it.
        for _ in 0..100 {
            match std::fs::remove_dir_all(&self.profile) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => break,
            }
        }
    }

    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
    }
}

/// Cleans up after a browser, even if we are killed: a shell that reads from us. When the input ends, it ends the
/// remaining processes of the browser and removes the profile.
#[cfg(unix)]
fn heir(browser: u32, profile: &Path) -> Option<Child> {
    let mut command = Command::new("/bin/sh");
    command
        .args([
            "-c",
            "read _; kill -9 \"-$1\"; rm -rf \"$2\" || { sleep 1; rm -rf \"$2\"; }",
            "sh",
        ])
        .arg(browser.to_string())
        .arg(profile)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().ok()
}

#[cfg(not(unix))]
fn heir(_browser: u32, _profile: &Path) -> Option<Child> {
    None
}

/// The address at which a browser listens, or its other output.
fn address(child: &mut Child) -> Result<Url, String> {
    let Some(output) = child.stderr.take() else {
        return Err("it says nothing".to_owned());
    };
    let (sender, said) = channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        // A browser keeps writing, and blocks if its output is not read.
        while let Ok(1..) = (&mut output).take(1 << 16).read_until(b'\n', &mut line) {
            let _ = sender.send(String::from_utf8_lossy(&line).trim().to_owned());
            line.clear();
        }
    });
    let deadline = Instant::now() + START;
    let mut last = "it ended at once".to_owned();
    loop {
        match said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(address) = line.strip_prefix("DevTools listening on ") {
                    return Url::parse(address).map_err(|error| error.to_string());
                }
                if !line.is_empty() {
                    last = line.chars().take(300).collect();
                }
            }
            Err(_) => {
                let _ = child.kill();
                return Err(last);
            }
        }
    }
}
