//! The pages of the benchmark's sites.

use crate::random::Random;
use anyhow::{Context as _, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of pages and their bytes.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// Where the packs are.
pub(super) fn packs(options: &crate::Options) -> PathBuf {
    PathBuf::from(options.text("packs").unwrap_or("../shared/bench/swde"))
}

/// For each site the pages to infer from, as `--train` or the benchmark lists them.
pub(super) fn training(options: &crate::Options, packs: &Path) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let file = options
        .text("train")
        .map_or_else(|| packs.join("train20.txt"), PathBuf::from);
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let (Some(site), Some(page)) = (words.next(), words.next()) {
            sites.entry(site.to_owned()).or_default().push(page.to_owned());
        }
    }
    if let Some(wanted) = options.text("sites") {
        sites.retain(|site, _| wanted.split(',').any(|name| name == site));
    }
    Ok(sites)
}

/// So many of the pages, drawn by chance.
pub(super) fn draw(files: &Files, count: usize, seed: u64) -> Vec<String> {
    let mut names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let mut random = Random::new(seed);
    let mut drawn = Vec::new();
    while drawn.len() < count && !names.is_empty() {
        drawn.push(names.swap_remove(random.below(names.len())).clone());
    }
    drawn
}

/// The pages of a site, from a directory or a pack; none if there is neither.
pub(crate) fn files(packs: &Path, site: &str) -> anyhow::Result<Option<Files>> {
    let mut directory = packs.join(site);
    let mut unpacked = None;
    if !directory.is_dir() {
        let pack = packs.join(format!("{site}.tar.xz"));
        if !pack.is_file() {
            return Ok(None);
        }
        let place = std::env::temp_dir().join(format!("swde-{}-{site}", std::process::id()));
        std::fs::create_dir_all(&place)?;
        let done = Command::new("tar")
            .arg("-xJf")
            .arg(&pack)
            .arg("-C")
            .arg(&place)
            .status()?;
        if !done.success() {
            bail!("cannot unpack {}", pack.display());
        }
        directory = place.clone();
        unpacked = Some(place);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory.join("pages"))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        files.push((name.to_owned(), std::fs::read(&path)?));
    }
    files.sort();
    if let Some(place) = unpacked {
        std::fs::remove_dir_all(place)?;
    }
    Ok(Some(files))
}

/// The truth about a site: attribute, page, values; none where there is none.
pub(crate) fn truth(packs: &Path, site: &str, expanded: bool) -> anyhow::Result<Option<Truth>> {
    let name = if expanded {
        "groundtruth_expanded.json"
    } else {
        "groundtruth.json"
    };
    let unpacked = packs.join(site).join(name);
    let bytes = if unpacked.is_file() {
        std::fs::read(unpacked)?
    } else {
        let pack = packs.join(format!("{site}.tar.xz"));
        let out = Command::new("tar").arg("-xJOf").arg(&pack).arg(name).output()?;
        if !out.status.success() {
            return Ok(None);
        }
        out.stdout
    };
    Ok(Some(serde_json::from_slice(&bytes)?))
}

/// Attribute, page, values.
pub(crate) type Truth = BTreeMap<String, BTreeMap<String, Vec<String>>>;
