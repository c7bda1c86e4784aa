//! Templates in the infix notation of the paper: `<A * B {<E * F * G>}_H C * D>`.

use super::{Mark, Part, PartId, Rows, Template, What};

/// The template in infix notation.
///
/// Tags and words are written as they are, `*` stands for basic text, `{…}_S` for a set with the separator `S`, `(…)?`
/// for an optional and `(…|…)` for a disjunction; `{…|*}` means some of these with text between them. Lists that are read
/// by their rows follow, each with the path to it. With `names`, the name of a field follows its star.
pub fn infix(template: &Template, names: bool) -> String {
    let mut out = String::new();
    write(template, 0, names, &mut out);
    for rows in template.own_rows() {
        out.push_str("\n\n");
        write_rows(template, rows, names, &mut out);
    }
    out
}

/// A list that is read by its rows: the way to it, then a full row; cells that not all rows have are optional.
fn write_rows(template: &Template, rows: &Rows, names: bool, out: &mut String) {
    let field = |field: u32| match names {
        true => format!("*{}", template.fields[field as usize]),
        false => "*".to_owned(),
    };
    out.push_str(&format!("{}/{}", rows.path.join("/"), rows.row));
    if let Some(label) = &rows.label {
        out.push_str(&format!(" after \"{label}\""));
    }
    if let Some(heading) = &rows.heading {
        out.push_str(&format!(" below {}", field(heading.field)));
    }
    out.push_str(": {<");
    for (number, cell) in rows.cells.iter().enumerate() {
        if number > 0 {
            out.push(' ');
        }
        let mut text = match cell.path.is_empty() {
            true => String::new(),
            false => format!("<{}", cell.path),
        };
        for (_, name, id) in &cell.attributes {
            text += &format!(" {name}={}", field(*id));
        }
        if !cell.path.is_empty() {
            text += "> ";
        }
        match (&cell.words, cell.field) {
            (_, Some(id)) => text += &field(id),
            (Some(words), None) => text += words,
            (None, None) => {}
        }
        let text = text.trim_end();
        match cell.usual {
            true => out.push_str(text),
            false => out.push_str(&format!("({text})?")),
        }
    }
    out.push_str(">}");
}

fn write(template: &Template, part: PartId, names: bool, out: &mut String) {
    let star = |field: &Option<u32>, out: &mut String| {
        out.push('*');
        if let Some(field) = field.filter(|_| names) {
            out.push_str(&template.fields[field as usize]);
        }
    };
    let list = |parts: &[PartId], out: &mut String| {
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                out.push_str(" | ");
            }
            write(template, *part, names, out);
        }
    };
    match &template.parts[part as usize] {
        Part::Basic(field) => star(field, out),
        Part::Tuple { strings, parts, .. } => {
            out.push('<');
            let mut gap = false;
            for (number, string) in strings.iter().enumerate() {
                for mark in string {
                    if std::mem::replace(&mut gap, true) {
                        out.push(' ');
                    }
                    out.push_str(&mark_text(template, mark, names));
                }
                if let Some(part) = parts.get(number) {
                    if std::mem::replace(&mut gap, true) {
                        out.push(' ');
                    }
                    write(template, *part, names, out);
                }
            }
            out.push('>');
        }
        Part::Set { of, separator, .. } => {
            out.push('{');
            write(template, *of, names, out);
            out.push('}');
            if !separator.is_empty() {
                let words: Vec<String> = separator.iter().map(|mark| mark_text(template, mark, names)).collect();
                out.push('_');
                out.push_str(&words.join(" "));
            }
        }
        Part::Optional(of) => {
            out.push('(');
            write(template, *of, names, out);
            out.push_str(")?");
        }
        Part::Either(parts) => {
            out.push('(');
            list(parts, out);
            out.push(')');
        }
        Part::Mixed { parts, rest, .. } => {
            out.push('{');
            list(parts, out);
            out.push_str(" | ");
            star(rest, out);
            out.push('}');
        }
    }
}

/// A mark as it would be written on a page.
pub(crate) fn mark_text(template: &Template, mark: &Mark, names: bool) -> String {
    let tag = &template.paths[mark.path as usize].name;
    match &mark.what {
        What::Start => {
            let attributes = mark.attributes.iter();
            let attributes = attributes.map(|(name, field)| match names {
                true => format!(" {name}=*{}", template.fields[*field as usize]),
                false => format!(" {name}=*"),
            });
            format!("<{tag}{}>", attributes.collect::<String>())
        }
        What::End => format!("</{tag}>"),
        What::Word(word) => word.clone(),
    }
}
