//! The tags between two positions of a source, as one number.
//!
//! The names of the tags are hashed one after the other, so that the hash of those between two positions is a difference of
//! two sums (a polynomial hash). Reading the page takes one pass; each question takes two binary searches.

/// The tags of a source.
pub(crate) struct Tags {
    /// Where each begins.
    starts: Vec<u32>,
    /// The hash of the tags before each, and of all of them.
    sums: Vec<u64>,
    /// The powers of [`BASE`].
    powers: Vec<u64>,
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Tags {
    /// Finds the tags of a source of less than 4 GiB.
    pub(crate) fn new(page: &str) -> Tags {
        let bytes = page.as_bytes();
        let mut tags = Tags {
            starts: Vec::new(),
            sums: vec![0],
            powers: vec![1],
        };
        let (mut sum, mut power) = (0u64, 1u64);
        for at in memchr::memchr_iter(b'<', bytes) {
            let name = bytes[at + 1..].iter();
            let name = name.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'/');
            let name = name.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3)
            });
            sum = sum.wrapping_mul(BASE).wrapping_add(name);
            power = power.wrapping_mul(BASE);
            tags.starts.push(at as u32);
            tags.sums.push(sum);
            tags.powers.push(power);
        }
        tags
    }

    /// A number for the tags that begin between two positions.
    pub(crate) fn between(&self, from: usize, to: usize) -> u64 {
        let first = self.starts.partition_point(|start| (*start as usize) < from);
        let last = self.starts.partition_point(|start| (*start as usize) < to);
        match last.checked_sub(first) {
            Some(count) => self.sums[last].wrapping_sub(self.sums[first].wrapping_mul(self.powers[count])),
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_tags_give_the_same_number() {
        let page = "<p><b>one</b> <I class=x>two</i><p><b>three</B> <i>four</i></p>";
        let tags = Tags::new(page);
        let at = |text: &str| page.find(text).unwrap_or(0);
        let between = |one: &str, other: &str| tags.between(at(one) + one.len(), at(other));
        assert_eq!(between("one", "two"), between("three", "four"));
        assert_ne!(between("one", "two"), between("two", "three"));
        assert_eq!(
            tags.between(at("one"), at("one")),
            tags.between(at("two"), at("two") + 3)
        );
        assert_eq!(tags.between(9, 3), 0);
    }
}
