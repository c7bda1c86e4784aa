//! Wrappers from pages without labels.

mod names;
mod records;
mod site;

use page::Page;
use wrapper::rule::landmark::{Grain, Landmarks};

/// Infers a landmark rule from pages of one template.
pub fn infer(pages: &[&Page], all: bool) -> Landmarks {
    let site = site::Site::new(pages, Grain::Nodes);
    let mut rule = records::infer(&site, all);
    names::name_fields(&site, &mut rule);
    rule
}
