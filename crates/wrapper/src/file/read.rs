//! Reads JSON values together with their place, so that every error can name it.

use super::WrapperError;
use serde_json::{Map, Value};

/// A value in the file, with the path to it.
pub(crate) struct At<'v> {
    pub(crate) value: &'v Value,
    pub(crate) place: String,
}

pub(crate) fn shape(place: &str, message: &str) -> WrapperError {
    WrapperError::Shape {
        place: place.to_owned(),
        message: message.to_owned(),
    }
}

impl<'v> At<'v> {
    pub(crate) fn fail<T>(&self, expected: &str) -> Result<T, WrapperError> {
        let found = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        Err(shape(&self.place, &format!("found {found}, expected {expected}")))
    }

    pub(crate) fn object(&self) -> Result<&'v Map<String, Value>, WrapperError> {
        self.value.as_object().map_or_else(|| self.fail("an object"), Ok)
    }

    pub(crate) fn get(&self, key: &str) -> Result<Option<At<'v>>, WrapperError> {
        let dot = if self.place.is_empty() { "" } else { "." };
        let place = format!("{}{dot}{key}", self.place);
        Ok(self.object()?.get(key).map(|value| At { value, place }))
    }

    pub(crate) fn key(&self, key: &str) -> Result<At<'v>, WrapperError> {
        let place = if self.place.is_empty() { "the file" } else { &self.place };
        self.get(key)?
            .ok_or_else(|| shape(place, &format!("found no \"{key}\", expected one")))
    }

    pub(crate) fn text(&self) -> Result<&'v str, WrapperError> {
        self.value.as_str().map_or_else(|| self.fail("a string"), Ok)
    }

    pub(crate) fn number(&self) -> Result<u64, WrapperError> {
        self.value
            .as_u64()
            .map_or_else(|| self.fail("a number that is not negative"), Ok)
    }

    pub(crate) fn list(&self) -> Result<Vec<At<'v>>, WrapperError> {
        let Some(values) = self.value.as_array() else {
            return self.fail("a list");
        };
        let place = |number| format!("{}[{number}]", self.place);
        Ok(values
            .iter()
            .enumerate()
            .map(|(number, value)| At {
                value,
                place: place(number),
            })
            .collect())
    }

    /// The items of a list; a value that is not a list counts as a list of one.
    pub(crate) fn one_or_many(&self) -> Result<Vec<At<'v>>, WrapperError> {
        match self.value {
            Value::Array(_) => self.list(),
            value => Ok(vec![At {
                value,
                place: self.place.clone(),
            }]),
        }
    }

    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<String>, WrapperError> {
        self.get(key)?.map(|at| at.text().map(str::to_owned)).transpose()
    }
}
