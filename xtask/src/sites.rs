//! The pages of the benchmark's sites.

use crate::random::Random;
use anyhow::{Context as _, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names of pages and their bytes.
pub type Files = Vec<(String, Vec<u8>)>;

/// The default directory of the packs.
pub const PACKS: &str = "../shared/bench/swde";

/// The names of the available sites, in order.
pub fn names(packs: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(packs).with_context(|| format!("cannot read {}", packs.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let folder = packs.join(&name).is_dir().then_some(name.as_str());
        if let Some(site) = name.strip_suffix(".tar.xz").or(folder) {
            names.insert(site.to_owned());
        }
    }
    Ok(names)
}

/// Is a site for development, or kept apart to see whether what was developed holds elsewhere?
///
/// About one of five is kept apart. Another one of five, *opened*, was kept apart until 2026-11-17 and has been read since:
/// what failed on the sites for development had been mended, and only new sites show what else fails. Records of
/// before that date call both parts *apart*.
pub fn split(site: &str) -> &'static str {
    // The sum of the letters is as good as a draw, and stays the same when sites are added.
    let sum: u32 = site.bytes().map(u32::from).sum();
    match sum % 5 {
        0 => "apart",
        1 => "opened",
        _ => "development",
    }
}

/// For each site the pages to infer from, from a file or from the list of the benchmark.
pub fn training(packs: &Path, file: Option<&str>) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let file = file.map_or_else(|| packs.join("train20.txt"), PathBuf::from);
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let (Some(site), Some(page)) = (words.next(), words.next()) {
            sites.entry(site.to_owned()).or_default().push(page.to_owned());
        }
    }
    Ok(sites)
}

/// A random choice of `count` pages.
pub fn draw(files: &Files, count: usize, seed: u64) -> Vec<String> {
    let mut names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let mut random = Random::new(seed);
    let mut drawn = Vec::new();
    while drawn.len() < count && !names.is_empty() {
        drawn.push(names.swap_remove(random.below(names.len())).clone());
    }
    drawn
}

/// Unpacks an archive into a directory.
pub fn unpack(pack: &Path, place: &Path) -> anyhow::Result<()> {
    let done = Command::new("tar")
        .arg("-xJf")
        .arg(pack)
        .arg("-C")
        .arg(place)
        .status()?;
    if !done.success() {
        bail!("cannot unpack {}", pack.display());
    }
    Ok(())
}

/// The pages of a site, from a directory or a pack; `None` if there is neither.
pub fn files(packs: &Path, site: &str) -> anyhow::Result<Option<Files>> {
    let mut directory = packs.join(site);
    let mut unpacked = None;
    if !directory.is_dir() {
        let pack = packs.join(format!("{site}.tar.xz"));
        if !pack.is_file() {
            return Ok(None);
        }
        let place = std::env::temp_dir().join(format!("swde-{}-{site}", std::process::id()));
        std::fs::create_dir_all(&place)?;
        unpack(&pack, &place)?;
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

/// The truth about a site: attribute, page, values; `None` if there is no truth.
pub fn truth(packs: &Path, site: &str, expanded: bool) -> anyhow::Result<Option<Truth>> {
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
pub type Truth = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Replaces each run of white space by one space.
pub fn normal(text: &str) -> String {
    text.replace('\u{a0}', " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The values of an attribute on a page, each once, with each run of white space replaced by one space.
pub fn values(truth: &Truth, attribute: &str, page: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let values = truth
        .get(attribute)
        .and_then(|pages| pages.get(page))
        .into_iter()
        .flatten();
    values
        .map(|value| normal(value))
        .filter(|value| !value.is_empty() && seen.insert(value.clone()))
        .collect()
}

/// An order of pages that depends only on the seed and the site.
pub fn shuffled(count: usize, seed: u64, site: &str) -> Vec<usize> {
    let mut state = site
        .bytes()
        .fold(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(at, (state % (at as u64 + 1)) as usize);
    }
    order
}
