//! A driver of one's own, written with nothing but this crate.

use std::collections::BTreeMap;
use std::sync::Arc;
use wrapwright::session::Session;
use wrapwright::{
    Action, Driver, DriverError, FailureKind, Field, Fields, Foresight, Live, NodeId, Options, Outcome, Page, Remedy,
    Script,
};

/// A site of numbered pages. A form on the first one leads to the page whose number is typed.
#[derive(Default)]
struct Numbers {
    opened: BTreeMap<String, usize>,
}

impl Numbers {
    fn page(&mut self, url: &str) -> Result<Live, DriverError> {
        *self.opened.entry(url.to_owned()).or_default() += 1;
        let number = url
            .strip_prefix("number:")
            .and_then(|number| number.parse::<u32>().ok());
        let Some(number) = number else {
            let error = DriverError::new(FailureKind::BadUrl, format!("{url}: not a number"));
            return Err(error.with_remedy(Remedy::from("write number:1")));
        };
        let html = format!("<h1>{number}</h1><input name=n><button>go</button><a href='number:{number}'>again</a>");
        let page = Page::parse(html.as_bytes(), &Default::default());
        let page = page.map_err(|error| DriverError::new(FailureKind::TooLarge, error.to_string()))?;
        Ok(Live::new(Arc::new(page), url))
    }
}

impl Driver for Numbers {
    fn open(&mut self, url: &str, _: &Options) -> Result<Live, DriverError> {
        self.page(url)
    }

    fn open_from(&mut self, url: &str, _: &Live, options: &Options) -> Result<Live, DriverError> {
        self.open(url, options)
    }

    fn act(&mut self, on: &Live, node: NodeId, action: &Action, _: &Options) -> Result<Outcome, DriverError> {
        match action {
            Action::Type(text) => {
                let fields = Fields(BTreeMap::from([(node, Field::Text(text.clone()))]));
                Ok(Outcome::Same(Live {
                    fields: Arc::new(fields),
                    ..on.clone()
                }))
            }
            Action::Click => {
                let typed = on.fields.0.values().find_map(|field| match field {
                    Field::Text(text) => Some(text.clone()),
                    _ => None,
                });
                self.page(&format!("number:{}", typed.unwrap_or_default()))
                    .map(Outcome::New)
            }
            other => Err(DriverError::new(FailureKind::NotActionable, format!("{other:?}"))),
        }
    }

    fn foresee(&self, _: &Live, _: NodeId, action: &Action) -> Foresight {
        match action {
            Action::Type(_) => Foresight::Stays,
            _ => Foresight::Unknown,
        }
    }
}

#[test]
fn an_expression_runs_over_a_driver_of_ones_own() {
    let mut session = Session::with_driver(Box::new(Numbers::default()));
    let source = "doc('number:1')//input/{'7'}/following::button/{click /}//h1:<title=.>";
    let script = Script::compile(source, &[]).expect("a valid expression");
    let records: Vec<_> = session
        .run(&script)
        .expect("a run")
        .map(|record| record.expect("no failure").value)
        .collect();
    assert_eq!(records, [Some("7".to_owned())]);
}

#[test]
fn its_errors_come_through() {
    let mut session = Session::with_driver(Box::new(Numbers::default()));
    let script = Script::compile("doc('word:x')//h1:<title=.>", &[]).expect("a valid expression");
    let mut records = session.run(&script).expect("a run");
    match records.next() {
        Some(Err(wrapwright::Failure::Driver(error))) => {
            assert_eq!(error.kind, FailureKind::BadUrl);
            assert_eq!(error.remedy, Some("write number:1".into()));
        }
        other => panic!("{other:?}"),
    }
    assert!(records.next().is_none());
}
