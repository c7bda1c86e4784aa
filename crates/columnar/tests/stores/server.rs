//! A PostgreSQL server of its own for each test, on a socket in a temporary directory.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server that ends with the test.
pub(crate) struct Server {
    folder: TempDir,
    bin: PathBuf,
    child: Child,
    as_root: bool,
    options: Vec<String>,
}

/// Where the programs of PostgreSQL are: on Debian each version has a directory.
fn bin() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    found.sort();
    found.reverse();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found.extend(std::env::split_paths(&path));
    let is_whole = |folder: &PathBuf| {
        ["initdb", "postgres", "psql"]
            .iter()
            .all(|name| folder.join(name).is_file())
    };
    found.into_iter().find(is_whole)
}

impl Server {
    /// Starts a server, or says why there is none. It does not wait for the disk.
    pub(crate) fn start() -> Result<Server, String> {
        Server::start_with(&["-F"])
    }

    /// The same with options of one's own.
    pub(crate) fn start_with(options: &[&str]) -> Result<Server, String> {
        let bin = bin().ok_or("PostgreSQL is missing")?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // The server does not run as root.
        let id = Command::new("id")
            .arg("-u")
            .output()
            .map_err(|error| error.to_string())?;
        let as_root = id.stdout.starts_with(b"0\n");
        if as_root {
            let owned = Command::new("chown").arg("postgres").arg(folder.path()).output();
            if !owned.is_ok_and(|output| output.status.success()) {
                return Err("this is root, and there is no user `postgres`".to_owned());
            }
        }
        let data = folder.path().join("data");
        let made = command(&bin, "initdb", as_root)
            .args(["-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync", "-D"])
            .arg(&data)
            .output();
        let made = made.map_err(|error| error.to_string())?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let child = Server::serve(&bin, folder.path(), as_root, &options)?;
        let server = Server {
            folder,
            bin,
            child,
            as_root,
            options,
        };
        server.wait()?;
        Ok(server)
    }

    fn serve(bin: &Path, folder: &Path, as_root: bool, options: &[String]) -> Result<Child, String> {
        command(bin, "postgres", as_root)
            .args(options)
            .args(["-h", "", "-k"])
            .arg(folder)
            .arg("-D")
            .arg(folder.join("data"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())
    }

    fn wait(&self) -> Result<(), String> {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let ready = Command::new(self.bin.join("psql"))
                .args([&self.url(), "-c", "SELECT 1"])
                .output();
            if ready.is_ok_and(|output| output.status.success()) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("the server does not answer".to_owned())
    }

    /// The address of its database.
    pub(crate) fn url(&self) -> String {
        format!("postgresql://tester@/postgres?host={}", self.folder.path().display())
    }

    /// What `psql` says, a line for each row.
    #[track_caller]
    pub(crate) fn ask(&self, sql: &str) -> Vec<String> {
        let output = Command::new(self.bin.join("psql"))
            .args([&self.url(), "-AtX", "-c", sql])
            .output();
        let output = output.expect("psql");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Ends the server as a power failure would.
    pub(crate) fn kill(&mut self) {
        let data = self.folder.path().join("data");
        let _ = command(&self.bin, "pg_ctl", self.as_root)
            .args(["stop", "-m", "immediate", "-D"])
            .arg(data)
            .output();
        let _ = self.child.wait();
    }

    /// Starts the server again.
    pub(crate) fn start_again(&mut self) {
        self.child = Server::serve(&self.bin, self.folder.path(), self.as_root, &self.options).expect("a server");
        self.wait().expect("a server");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn command(bin: &Path, program: &str, as_root: bool) -> Command {
    match as_root {
        true => {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(bin.join(program));
            // The directory of the test may not be the server's.
            command.current_dir("/");
            command
        }
        false => Command::new(bin.join(program)),
    }
}
