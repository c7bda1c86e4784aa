//! The sample of real pages: SWDE's packs, unpacked once into `target/pages/swde/SITE/NNNN.htm`.
//!
//! The packs are next to the repository, in `../shared/bench/swde`, and are not part of it. They are unpacked by the
//! system's `tar`, which is available everywhere and supports xz.

use crate::Options;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Unpacks what is not unpacked yet, and prints what there is.
pub(crate) fn run(_: &Options) -> Result<ExitCode> {
    let sites = sites()?;
    let pages: usize = sites.iter().map(|(_, pages)| pages.len()).sum();
    println!("{pages} pages of {} sites in {}", sites.len(), unpacked().display());
    Ok(ExitCode::SUCCESS)
}

fn unpacked() -> PathBuf {
    root().join("target/pages/swde")
}

/// Every site of the sample with its pages, sorted; unpacks them if necessary.
pub(crate) fn sites() -> Result<Vec<(String, Vec<PathBuf>)>> {
    let packs = root().join("../shared/bench/swde");
    let target = unpacked();
    if !packs.is_dir() {
        if target.is_dir() {
            return list_sites(&target);
        }
        bail!(
            "the sample of real pages is not here: expected SWDE's packs in {}\n\
             put them there, or name a directory of pages: cargo xtask conformance --pages DIR",
            packs.display()
        );
    }
    for pack in files_below(&packs, &["xz"])? {
        let name = pack.file_name().unwrap_or_default().to_string_lossy();
        let Some(site) = name.strip_suffix(".tar.xz") else {
            continue;
        };
        let directory = target.join(site);
        if !directory.is_dir() {
            // First into a separate name, so that an interrupted run does not leave half a site.
            let partial = target.join(format!(".{site}.{}", std::process::id()));
            unpack(&pack, &partial)?;
            std::fs::rename(&partial, &directory).with_context(|| format!("cannot create {}", directory.display()))?;
        }
    }
    list_sites(&target)
}

fn unpack(pack: &Path, directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let mut tar = Command::new("tar");
    tar.arg("-xJf")
        .arg(pack)
        .arg("-C")
        .arg(directory)
        .args(["--strip-components=1", "--wildcards", "pages/*"]);
    let status = tar
        .status()
        .context("cannot run `tar`; it must be installed, with xz")?;
    if !status.success() {
        bail!("`tar` could not unpack {}", pack.display());
    }
    Ok(())
}

/// Unpacks a whole pack.
pub(crate) fn unpack_all(pack: &Path, directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let status = Command::new("tar")
        .arg("-xJf")
        .arg(pack)
        .arg("-C")
        .arg(directory)
        .status();
    if !status
        .context("cannot run `tar`; it must be installed, with xz")?
        .success()
    {
        bail!("`tar` could not unpack {}", pack.display());
    }
    Ok(())
}

fn list_sites(directory: &Path) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let mut sites = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            sites.push((name, files_below(&path, &["htm", "html"])?));
        }
    }
    sites.sort();
    Ok(sites)
}

/// The files with one of these extensions in a directory and below it, sorted.
pub(crate) fn files_below(directory: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
