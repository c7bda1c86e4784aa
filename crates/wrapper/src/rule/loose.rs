//! The source of a page without insignificant white space: the extension "spaces".
//!
//! White space next to a tag is removed. Any other run of white space becomes one line end if it contains one,
//! otherwise one space. So two sources that differ only in line breaks and indentation, whether by their author or by
//! the program that wrote them, become the same. White space inside a tag is treated the same way, so `<a  href="x">`
//! becomes `<a href="x">`.
//!
//! This takes one pass. The memory is a copy of the source and eight bytes for each place where something was removed.
//! The operation is idempotent.

/// A source without insignificant white space, with a mapping back to the original.
#[derive(Clone, Debug)]
pub struct Loosened {
    /// The remaining text.
    pub text: String,
    /// Where something was removed: a position in the text, and the corresponding position in the source.
    jumps: Vec<(u32, u32)>,
}

impl Loosened {
    /// Loosens a source of less than 4 GiB; a longer one is cut off there.
    pub fn new(source: &str) -> Loosened {
        let mut out = Loosened {
            text: String::with_capacity(source.len()),
            jumps: Vec::new(),
        };
        let bytes = source.as_bytes();
        let limit = bytes.len().min(u32::MAX as usize - 1);
        let mut at = 0;
        while at < limit {
            let start = at;
            while at < limit && !bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            out.jump(start);
            out.text.push_str(source.get(start..at).unwrap_or_default());
            let space = at;
            while at < limit && bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            let beside_tag = out.text.ends_with('>') || bytes.get(at) == Some(&b'<');
            if space == at || beside_tag || at == limit || out.text.is_empty() {
                continue;
            }
            let line_end = bytes[space..at].iter().position(|byte| *byte == b'\n');
            out.jump(space + line_end.unwrap_or(0));
            out.text.push(if line_end.is_some() { '\n' } else { ' ' });
        }
        out
    }

    /// Records that the text continues from this position of the source.
    fn jump(&mut self, source: usize) {
        let here = self.text.len();
        if self.to_source(here) != source {
            self.jumps.push((here as u32, source as u32));
        }
    }

    /// The position in the source of a byte of the text.
    pub fn to_source(&self, at: usize) -> usize {
        let behind = self.jumps.partition_point(|(text, _)| *text as usize <= at);
        match behind.checked_sub(1).map(|last| self.jumps[last]) {
            Some((text, source)) => source as usize + (at - text as usize),
            None => at,
        }
    }

    /// The start and the end in the source of a piece of the text.
    pub fn piece_to_source(&self, start: usize, end: usize) -> (usize, usize) {
        let begin = self.to_source(start);
        match end > start {
            true => (begin, self.to_source(end - 1) + 1),
            false => (begin, begin),
        }
    }

    /// The position in the text of a byte of the source; for a removed byte, that of the next byte that was kept.
    pub fn from_source(&self, at: usize) -> usize {
        let behind = self.jumps.partition_point(|(_, source)| *source as usize <= at);
        let next = self
            .jumps
            .get(behind)
            .map_or(self.text.len(), |(text, _)| *text as usize);
        match behind.checked_sub(1).map(|last| self.jumps[last]) {
            Some((text, source)) => (text as usize + (at - source as usize)).min(next),
            None => at.min(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_beside_tags_goes_and_other_space_shrinks() {
        for (source, expected) in [
            ("<td> <b>a  b</b>\n</td>", "<td><b>a b</b></td>"),
            ("  <a   href='x'> a \n b ", "<a href='x'>a\nb"),
            ("a b", "a b"),
            ("", ""),
            (" \n ", ""),
            ("é  é<p>é", "é é<p>é"),
        ] {
            let loose = Loosened::new(source);
            assert_eq!(loose.text, expected);
            assert_eq!(Loosened::new(&loose.text).text, expected, "twice is once");
        }
    }

    #[test]
    fn pieces_lead_back() {
        let source = " <td> <b>one  two</b>\n\n <i> x</i> </td>  end";
        let loose = Loosened::new(source);
        for piece in ["one", "two", "x", "end", "</i>", "<b>one two"] {
            let at = loose.text.find(piece).expect("the piece");
            let (start, end) = loose.piece_to_source(at, at + piece.len());
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words(&source[start..end]), piece);
            assert_eq!(loose.from_source(start), at);
            assert_eq!(loose.from_source(end - 1), at + piece.len() - 1);
        }
    }
}
