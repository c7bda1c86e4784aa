//! The wrapper of somebody in a hurry: for each field the path from the root to its first value, each step a tag and a
//! number. It shows the effect of a redesign when nothing is done about it.

use super::{Repaired, Said, Sample, Site, Wrapper};
use page::{NodeId, Page};
use xtask::sites::normal;

/// For each field the path to its value on the first page with labels.
#[derive(Debug)]
pub struct Indexed(Vec<Option<Vec<(String, usize)>>>);

impl Indexed {
    /// Takes the paths to the values of the first page.
    pub fn learn(site: &Site) -> Indexed {
        let path = |page: &Page, values: &Vec<String>| {
            let wanted = values.first()?;
            let says = |at: NodeId| normal(page.string_value(at)) == *wanted;
            let is_inner = |at: NodeId| !page.children(at).any(|child| page.is_element(child) && says(child));
            let mut at = *page.elements().iter().find(|at| says(**at) && is_inner(**at))?;
            let mut path = Vec::new();
            while let Some(parent) = page.parent(at) {
                let mut alike = page.children(parent).filter(|child| page.name(*child) == page.name(at));
                path.push((page.name(at).to_owned(), alike.position(|child| child == at)?));
                at = parent;
            }
            path.reverse();
            Some(path)
        };
        let first = site.labelled.first();
        let paths = first.map(|sample| sample.truth.iter().map(|values| path(&sample.page, values)).collect());
        Indexed(paths.unwrap_or_default())
    }
}

impl Wrapper for Indexed {
    fn extract(&self, page: &Page) -> Vec<Vec<String>> {
        let follow = |path: &Option<Vec<(String, usize)>>| {
            let mut at = NodeId::DOCUMENT;
            for (tag, number) in path.as_ref()? {
                let is_element = |child: &NodeId| page.is_element(*child) && page.name(*child) == tag;
                at = page.children(at).filter(is_element).nth(*number)?;
            }
            Some(page.string_value(at).to_owned()).filter(|text| !text.trim().is_empty())
        };
        self.0.iter().map(|path| follow(path).into_iter().collect()).collect()
    }

    fn repair(&self, _: &[Sample]) -> Repaired<Indexed> {
        // It is never checked.
        Repaired::Fine
    }

    fn said(&self) -> Vec<Option<Said>> {
        Vec::new()
    }
}
