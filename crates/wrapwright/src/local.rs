//! A driver that also opens files by their plain path, for the user's own `doc("page.html")`.

use page::NodeId;
use page::driver::{Action, Driver, DriverError, FailureKind, Foresight, Live, Options, Outcome};

/// A driver around another one that treats an address without a scheme as a path.
#[derive(Debug)]
pub struct Local<D>(pub D);

impl<D: Driver> Driver for Local<D> {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        if url::Url::parse(url) != Err(url::ParseError::RelativeUrlWithoutBase) {
            return self.0.open(url, options);
        }
        let file = std::path::Path::new(url)
            .canonicalize()
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => refused(url, "no such file").with_source(error),
                _ => refused(url, &error.to_string()).with_source(error),
            })?;
        let file = url::Url::from_file_path(file).map_err(|()| refused(url, "not the path of a file"))?;
        self.0.open(file.as_str(), options)
    }

    fn open_from(&mut self, url: &str, from: &Live, options: &Options) -> Result<Live, DriverError> {
        self.0.open_from(url, from, options)
    }

    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        self.0.act(on, node, action, options)
    }

    fn watch(&mut self, on: &Live, options: &Options) -> Result<Outcome, DriverError> {
        self.0.watch(on, options)
    }

    fn failed(&mut self, on: &Live, kind: &str) {
        self.0.failed(on, kind);
    }

    fn foresee(&self, on: &Live, node: NodeId, action: &Action) -> Foresight {
        self.0.foresee(on, node, action)
    }
}

fn refused(path: &str, reason: &str) -> DriverError {
    DriverError::new(FailureKind::BadUrl, format!("{path}: {reason}"))
        .with_remedy("an address on the web begins with http:// or https://")
}
