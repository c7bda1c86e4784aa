//! Wrappers that find their pages themselves.

use oxpath::run::Script;
use wrapper::{Rule, Wrapper};

/// The expression of a wrapper that navigates by itself, so that it is run as an expression: one in OXPath that opens its
/// pages, without a navigation beside it.
pub fn expression_of(wrapper: &Wrapper) -> Option<&str> {
    match &wrapper.rule {
        Rule::Oxpath(source) if wrapper.navigation.is_none() => {
            // One with variables is compiled with their values.
            let navigates = Script::compile(source, &[]).map_or(true, |script| !script.needs_start_page());
            navigates.then_some(source)
        }
        _ => None,
    }
}
