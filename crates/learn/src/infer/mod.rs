//! Wrappers from pages without labels.

mod records;
mod site;

use page::Page;
use wrapper::rule::landmark::{Grain, Landmarks};

/// Infers a landmark rule from pages of one template.
pub fn infer(pages: &[&Page], all: bool) -> Landmarks {
    let site = site::Site::new(pages, Grain::Nodes);
    records::infer(&site, all)
}
