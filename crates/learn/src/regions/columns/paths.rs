//! The paths of columns: from the head of a record down to an element, or to a sibling that belongs to the record and then down.

use super::{ANY, Key, Maker};
use crate::guided::literal;
use page::NameId;

impl Maker<'_, '_> {
    /// The path from the head of a record, with a test at its last element.
    pub(super) fn path(&self, key: &Key, test: &str) -> String {
        let mut steps: Vec<String> = Vec::new();
        if let (Some((tag, ANY)), Some(sign)) = (key.role, &key.sign) {
            let heads = &self.candidate.heads;
            let node = |tag: Option<NameId>| format!("self::{}", tag.map_or("text()", |tag| self.page.name_text(tag)));
            let head = format!("{}{}", node(heads.tag), heads.test.predicate(self.page));
            let link = format!("//a{}", sign.test());
            let wanted = format!("{}[.{link}]", node(tag));
            return format!("following-sibling::node()[{wanted} or {head}][1][{wanted}][not({head})]{link}/@href");
        }
        if let Some((tag, time)) = key.role {
            steps.extend(self.siblings(tag, time));
        }
        if let Some(sign) = &key.sign {
            let all = if steps.is_empty() { "." } else { "" };
            steps.push(format!("{all}//a{}/@href", sign.test()));
            return steps.concat();
        }
        for (at, (id, cell)) in key.steps.iter().enumerate() {
            let name = self.page.name_text(*id);
            let grid = self.grid.as_ref().filter(|_| at == 0);
            steps.push(match (cell, grid) {
                (Some(cell), Some(grid)) => format!("{name}{}", grid.test(self.page, *id, *cell)),
                (Some(cell), None) => format!("{name}[{cell}]"),
                (None, _) => name.to_owned(),
            });
        }
        let count = steps.len();
        if let Some((above, class)) = &key.around
            && let Some(step) = count.checked_sub(above + 1)
        {
            steps[step].push_str(&format!("[@class={}]", literal(class)));
        }
        if let Some(last) = steps.last_mut() {
            last.push_str(test);
        }
        if let Some(attribute) = key.attribute {
            steps.push(format!("@{attribute}"));
        }
        match steps.is_empty() {
            true => ".".to_owned(),
            false => steps.join("/"),
        }
    }

    /// The steps to the n-th sibling with a tag before the next head.
    fn siblings(&self, tag: Option<NameId>, time: usize) -> Vec<String> {
        let page = self.page;
        let heads = &self.candidate.heads;
        let node = |tag: Option<NameId>| match tag {
            Some(tag) => format!("self::{}", page.name_text(tag)),
            None => "self::text()[normalize-space()]".to_owned(),
        };
        if !heads.test.is_free() {
            let axis = match tag {
                Some(tag) => page.name_text(tag).to_owned(),
                None => "text()[normalize-space()]".to_owned(),
            };
            return vec![format!("following-sibling::{axis}[{time}]")];
        }
        let head = format!("{}{}", node(heads.tag), heads.test.predicate(page));
        let wanted = node(tag);
        let step = match heads.tag == tag {
            true => format!("following-sibling::node()[{wanted}][1][not({head})]"),
            false => format!("following-sibling::node()[{wanted} or {head}][1][{wanted}]"),
        };
        vec![step; time]
    }
}
