//! The stack of open elements (HTML Standard 13.2.4.2), with queries in constant time.
//!
//! Most tags ask whether some element is open and whether a bounding element is above it: "has a `p` element in button
//! scope", "the first special element down the stack". Walking the stack would cost its depth at each tag, which may be
//! thousands on a hostile page. So every entry remembers the place of the nearest bound of each kind at or below it,
//! and the place of the next element of its own name below it; `last` contains the highest place of each name. A push
//! writes these, a pop restores `last`, and "in scope" becomes a comparison of two places.
//!
//! The price is that after an entry is removed from the middle, everything above it must be pushed again. Only the
//! adoption agency, `</form>` and a few corrections of misplaced tags do so. If the adoption agency leaves the number
//! of open elements unchanged, [`Stack::replace`] repairs the few links that changed.
//!
//! Places count from 1 so that 0 can mean "none": the entry at index `i` has place `i + 1`.

use super::class::{self, Class};
use crate::name::{NameId, known};
use crate::scratch::Ref;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: Ref,
    pub(super) name: NameId,
    pub(super) class: Class,
    /// The place of the next element below with this name; HTML and foreign elements are separate.
    below: u32,
    /// The nearest place at or below this one with [`class::SCOPE`].
    scope: u32,
    /// The nearest place at or below this one with [`class::SPECIAL`].
    special: u32,
    /// The nearest place at or below this one with [`class::ITEM_BOUND`].
    item: u32,
    /// The nearest place at or below this one that is an HTML element.
    html: u32,
}

impl Open {
    /// Is this the HTML element of that name?
    #[inline]
    pub(super) fn is(&self, name: NameId) -> bool {
        self.name == name && self.class & class::FOREIGN == 0
    }

    #[inline]
    pub(super) fn has(&self, class: Class) -> bool {
        self.class & class != 0
    }

    /// The same entry for another node.
    pub(super) fn with_node(self, node: Ref) -> Open {
        Open { node, ..self }
    }

    /// The entry with the bounds it has at a place above `previous`.
    #[inline]
    fn with_bounds(self, place: u32, previous: Option<&Open>) -> Open {
        let (scope, special, item, html) = match previous {
            Some(previous) => (previous.scope, previous.special, previous.item, previous.html),
            None => (0, 0, 0, 0),
        };
        let here_if = |bit: Class, otherwise: u32| if self.class & bit != 0 { place } else { otherwise };
        Open {
            scope: here_if(class::SCOPE, scope),
            special: here_if(class::SPECIAL, special),
            item: here_if(class::ITEM_BOUND, item),
            html: if self.class & class::FOREIGN == 0 { place } else { html },
            ..self
        }
    }
}

/// The open elements, the root first.
#[derive(Debug)]
pub(super) struct Stack {
    entries: Vec<Open>,
    /// By [`key`]: the highest place of that name.
    last: Vec<u32>,
    /// How often entries were removed from the middle; places remembered elsewhere are valid for one count only.
    shifts: u32,
}

/// HTML elements and foreign ones are counted separately.
#[inline]
fn key(name: NameId, class: Class) -> usize {
    name.index() * 2 + usize::from(class & class::FOREIGN != 0)
}

impl Stack {
    pub(super) fn new() -> Stack {
        Stack {
            entries: Vec::with_capacity(64),
            last: vec![0; 1024],
            shifts: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn shifts(&self) -> u32 {
        self.shifts
    }

    /// The current node.
    ///
    /// # Panics
    ///
    /// If nothing is open. The root is pushed before any rule asks, and no rule pops it.
    #[inline]
    pub(super) fn top(&self) -> &Open {
        &self.entries[self.entries.len() - 1]
    }

    /// The class of the current node, or 0.
    #[inline]
    pub(super) fn top_class(&self) -> Class {
        self.entries.last().map_or(0, |top| top.class)
    }

    pub(super) fn get(&self, index: usize) -> Option<&Open> {
        self.entries.get(index)
    }

    #[inline]
    pub(super) fn push(&mut self, node: Ref, name: NameId, class: Class) {
        let place = self.entries.len() as u32 + 1;
        let key = key(name, class);
        if key >= self.last.len() {
            self.last.resize((key + 1).next_power_of_two(), 0);
        }
        let below = std::mem::replace(&mut self.last[key], place);
        let open = Open {
            node,
            name,
            class,
            below,
            scope: 0,
            special: 0,
            item: 0,
            html: 0,
        };
        self.entries.push(open.with_bounds(place, self.entries.last()));
    }

    /// Closes the current node. The root stays.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.entries.len() > 1 {
            self.drop_top();
        }
    }

    #[inline]
    fn drop_top(&mut self) {
        if let Some(open) = self.entries.pop() {
            self.last[key(open.name, open.class)] = open.below;
        }
    }

    /// Closes all elements except the `len` lowest; the root always stays.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        while self.entries.len() > len.max(1) {
            self.drop_top();
        }
    }

    /// Is an HTML element of that name open?
    #[inline]
    pub(super) fn is_open(&self, name: NameId) -> bool {
        self.place(name) != 0
    }

    /// The place of the highest open HTML element of that name, or 0.
    #[inline]
    pub(super) fn place(&self, name: NameId) -> u32 {
        self.last.get(name.index() * 2).copied().unwrap_or(0)
    }

    /// The element at a place.
    pub(super) fn at(&self, place: u32) -> Option<&Open> {
        self.entries.get((place as usize).wrapping_sub(1))
    }

    #[inline]
    pub(super) fn in_scope(&self, name: NameId) -> bool {
        let place = self.place(name);
        place != 0 && place >= self.top().scope
    }

    #[inline]
    pub(super) fn in_button_scope(&self, name: NameId) -> bool {
        let place = self.place(name);
        place != 0 && place >= self.top().scope && place >= self.place(known::BUTTON)
    }

    pub(super) fn in_list_scope(&self, name: NameId) -> bool {
        let place = self.place(name);
        place != 0 && place >= self.top().scope.max(self.place(known::OL)).max(self.place(known::UL))
    }

    #[inline]
    pub(super) fn in_table_scope(&self, name: NameId) -> bool {
        let place = self.place(name);
        place != 0 && place >= self.place(known::TABLE).max(self.place(known::TEMPLATE))
    }

    /// Is this place within the default scope?
    pub(super) fn place_in_scope(&self, place: u32) -> bool {
        place >= self.top().scope
    }

    /// The place of the highest heading, or 0.
    pub(super) fn heading(&self) -> u32 {
        let headings = [known::H1, known::H2, known::H3, known::H4, known::H5, known::H6];
        headings.into_iter().map(|name| self.place(name)).max().unwrap_or(0)
    }

    /// The place of the first special element down the stack, or 0.
    #[inline]
    pub(super) fn special(&self) -> u32 {
        self.top().special
    }

    /// The place of the first element down the stack at which the search for an open list item ends, or 0.
    pub(super) fn item_bound(&self) -> u32 {
        self.top().item
    }

    /// The place of the first HTML element down the stack.
    pub(super) fn html(&self) -> u32 {
        self.top().html
    }

    /// The place of the highest open foreign element of that name, or 0.
    pub(super) fn foreign_place(&self, name: NameId) -> u32 {
        self.last.get(name.index() * 2 + 1).copied().unwrap_or(0)
    }

    /// How many elements from an index on come before the first special one.
    pub(super) fn until_special(&self, index: usize) -> usize {
        self.entries[index..]
            .iter()
            .take_while(|open| !open.has(class::SPECIAL))
            .count()
    }

    /// Closes elements up to and including the highest HTML element of that name; closes nothing if there is none.
    #[inline]
    pub(super) fn pop_to(&mut self, name: NameId) {
        let place = self.place(name);
        if place != 0 {
            self.truncate(place as usize - 1);
        }
    }

    /// The place of a node that is open under that name, or 0. Costs the number of open elements of the name.
    pub(super) fn place_of(&self, node: Ref, name: NameId) -> u32 {
        let mut place = self.place(name);
        while let Some(open) = self.at(place) {
            if open.node == node {
                break;
            }
            place = open.below;
        }
        place
    }

    /// Sets or clears [`class::LISTED`].
    pub(super) fn mark_listed(&mut self, place: u32, listed: bool) {
        if let Some(open) = self.entries.get_mut((place as usize).wrapping_sub(1)) {
            open.class = if listed {
                open.class | class::LISTED
            } else {
                open.class & !class::LISTED
            };
        }
    }

    /// Replaces the elements at `from..to`. The cost is the number of elements above, unless there are as many new
    /// elements as old ones and they have the same names. Then it is the distance to the next elements above of these
    /// names.
    pub(super) fn replace(&mut self, from: usize, to: usize, new: &[Open]) {
        if new.len() != to - from {
            let above = self.take_from(from);
            self.put_back(new);
            self.put_back(&above[to - from..]);
            return;
        }
        // Removing the old ones leaves for each name the highest place below `from`; adding the new ones, the highest
        // below `to`, which is what the next element above must point at.
        let mut names: Vec<(usize, u32)> = Vec::new();
        for open in self.entries[from..to].iter().rev() {
            let key = key(open.name, open.class);
            match names.iter_mut().find(|known| known.0 == key) {
                Some(known) => known.1 = open.below,
                None => names.push((key, open.below)),
            }
        }
        for (index, &open) in (from..to).zip(new) {
            let place = index as u32 + 1;
            let below = match names.iter_mut().find(|known| known.0 == key(open.name, open.class)) {
                Some(known) => std::mem::replace(&mut known.1, place),
                None => 0,
            };
            self.entries[index] = Open { below, ..open }.with_bounds(place, self.entries[..index].last());
        }
        for (key, place) in names {
            if self.last[key] as usize <= to {
                self.last[key] = place;
            } else if let Some(next) = self.entries[to..]
                .iter_mut()
                .find(|open| self::key(open.name, open.class) == key)
            {
                next.below = place;
            }
        }
        for index in to..self.entries.len() {
            let old = self.entries[index];
            let new = old.with_bounds(index as u32 + 1, self.entries[..index].last());
            let bounds = |open: &Open| (open.scope, open.special, open.item, open.html);
            if bounds(&old) == bounds(&new) {
                break;
            }
            self.entries[index] = new;
        }
    }

    /// Removes the element at a place. The cost is the number of elements above it.
    pub(super) fn remove(&mut self, place: u32) {
        let mut above = self.take_from(place as usize - 1);
        above.remove(0);
        self.put_back(&above);
    }

    /// Closes all elements from an index on and returns them, the lowest first.
    fn take_from(&mut self, index: usize) -> Vec<Open> {
        let above = self.entries[index..].to_vec();
        while self.entries.len() > index {
            self.drop_top();
        }
        self.shifts = self.shifts.wrapping_add(1);
        above
    }

    /// Opens elements again that [`Stack::take_from`] closed.
    fn put_back(&mut self, elements: &[Open]) {
        for open in elements {
            self.push(open.node, open.name, open.class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stack with everything computed again.
    fn rebuilt(stack: &Stack) -> Stack {
        let mut fresh = Stack::new();
        fresh.put_back(&stack.entries);
        fresh
    }

    #[test]
    fn replacing_leaves_the_links_as_pushing_would() {
        let names = [known::B, known::DIV, known::I, known::LI, known::TABLE, known::BUTTON];
        // All ways to reorder three neighbours on stacks that repeat names with several periods.
        for rhythm in [1, 2, 3, 5, 7] {
            let mut stack = Stack::new();
            stack.push(Ref(0), known::HTML, class::of_html(known::HTML));
            for i in 1..40 {
                let name = names[i * rhythm % names.len() * i % names.len()];
                stack.push(Ref(i as u32), name, class::of_html(name));
            }
            for from in 1..37 {
                for order in [[1, 2, 0], [2, 1, 0], [0, 2, 1], [1, 0, 2]] {
                    let new = order.map(|n| stack.entries[from + n]);
                    stack.replace(from, from + 3, &new);
                    let fresh = rebuilt(&stack);
                    assert_eq!(format!("{:?}", stack.entries), format!("{:?}", fresh.entries));
                    assert_eq!(stack.last, fresh.last);
                }
            }
            stack.replace(3, 6, &[]);
            assert_eq!(format!("{:?}", stack.entries), format!("{:?}", rebuilt(&stack).entries));
            assert_eq!(stack.shifts(), 1);
        }
    }
}
