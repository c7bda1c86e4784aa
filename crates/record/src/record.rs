//! A record: a tree of named values, each with the page and the node it came from.

use page::NodeId;
use std::sync::Arc;

/// A record with its fields, or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name of the record or field.
    pub name: String,
    /// The value, if it has one.
    pub value: Option<String>,
    /// Fields and nested records, in the order of extraction.
    pub children: Vec<Record>,
    /// The file or address of the page.
    pub page: Arc<str>,
    /// The node it was extracted for.
    pub node: NodeId,
}

impl Record {
    /// A record without fields; push them to `children`.
    pub fn new(name: impl Into<String>, page: &Arc<str>, node: NodeId) -> Record {
        Record {
            name: name.into(),
            value: None,
            children: Vec::new(),
            page: Arc::clone(page),
            node,
        }
    }

    /// A value.
    pub fn leaf(name: impl Into<String>, value: impl Into<String>, page: &Arc<str>, node: NodeId) -> Record {
        Record {
            value: Some(value.into()),
            ..Record::new(name, page, node)
        }
    }

    /// The first value of a field.
    ///
    /// ```
    /// use record::Record;
    /// let page = "a.html".into();
    /// let mut book = Record::new("book", &page, page::NodeId::DOCUMENT);
    /// book.children.push(Record::leaf("title", "Kelp", &page, page::NodeId::DOCUMENT));
    /// assert_eq!(book.get("title"), Some("Kelp"));
    /// assert_eq!(book.get("price"), None);
    /// ```
    pub fn get(&self, field: &str) -> Option<&str> {
        let found = self
            .children
            .iter()
            .find(|child| child.name == field && child.value.is_some());
        found.and_then(|child| child.value.as_deref())
    }

    /// The values and nested records of a field.
    pub fn all<'r>(&'r self, field: &'r str) -> impl Iterator<Item = &'r Record> {
        self.children.iter().filter(move |child| child.name == field)
    }

    /// A hash of the records so far and of this one: names and values, without pages. The same in all versions, but not
    /// safe against collisions on purpose.
    ///
    /// ```
    /// use record::Record;
    /// let page = "a.html".into();
    /// let leaf = |value| Record::leaf("n", value, &page, page::NodeId::DOCUMENT);
    /// assert_eq!(leaf("1").fold(0), leaf("1").fold(0));
    /// assert_ne!(leaf("1").fold(leaf("2").fold(0)), leaf("2").fold(leaf("1").fold(0)));
    /// ```
    #[must_use]
    pub fn fold(&self, hash: u64) -> u64 {
        // Eight bytes at a time; each text ends with its length and a number for what it is.
        fn add(hash: u64, bytes: &[u8], end: u64) -> u64 {
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            let hash = words.fold(hash, mix);
            mix(hash, (bytes.len() as u64) << 2 | end)
        }
        // The two halves of a product, so that every bit of the word reaches every bit of the hash.
        fn mix(hash: u64, word: u64) -> u64 {
            let product = u128::from(hash.rotate_left(23) ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
            product as u64 ^ (product >> 64) as u64
        }
        let begin = if hash == 0 { 0xcbf2_9ce4_8422_2325 } else { hash };
        let mut hash = add(begin, self.name.as_bytes(), 0);
        if let Some(value) = &self.value {
            hash = add(hash, value.as_bytes(), 1);
        }
        hash = self.children.iter().fold(hash, |hash, child| child.fold(hash));
        add(hash, &[], 2)
    }
}
