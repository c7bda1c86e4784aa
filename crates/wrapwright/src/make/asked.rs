//! Wrappers from pages and names: chooses the fields that are asked for.

use super::wanted::{Asked, Pick, choose_fields, with_picks};
use super::{InferSettings, Inferred, MakeError, Method, infer};
use crate::{Document, Job};
use wrapper::Rule;

/// Chooses the fields that somebody asks for of a wrapper that was inferred with these settings: it shows these, under their names. What is
/// asked for also tells whether a page is a record or a list: of the method that suits the pages and of landmarks, the one whose fields
/// fit better is taken.
pub(super) fn suit(
    mut inferred: Inferred,
    documents: &[Document],
    settings: &InferSettings,
    asked: &[Asked],
    job: &Job,
) -> Result<(Inferred, Vec<Pick>), MakeError> {
    let mut picks = choose_fields(&inferred.wrapper, documents, asked);
    let is_list = !matches!(inferred.wrapper.rule, Rule::Landmarks(_));
    if settings.method == Method::Auto && is_list && documents.len() > 1 {
        let settings = InferSettings {
            method: Method::Landmarks,
            ..settings.clone()
        };
        let sure = |picks: &[Pick]| picks.iter().map(|pick| pick.sure).sum::<f64>();
        if let Ok(record) = infer(documents, &settings, job) {
            let other = choose_fields(&record.wrapper, documents, asked);
            if sure(&other) > CLEARLY * sure(&picks) {
                (inferred, picks) = (record, other);
            }
        }
    }
    inferred.wrapper = with_picks(&inferred.wrapper, &picks)?;
    Ok((inferred, picks))
}

/// Fields of a record must fit so much better than those of a list to be taken instead.
const CLEARLY: f64 = 1.1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseSettings;

    /// Three pages with a long table of games each, which is most of their text.
    #[test]
    fn names_tell_that_a_page_is_one_record() {
        let names = ["Ada Lovelace", "Bo Diddley", "Cy Twombly"];
        let page = |number: usize| {
            let rows: String = (0..30)
                .map(|row| {
                    format!(
                        "<tr><td>{}.{}.2010</td><td>Team {}</td><td>{}</td></tr>",
                        row % 28 + 1,
                        number + 1,
                        row * 7 % 11,
                        row * 13 % 40
                    )
                })
                .collect();
            let html = format!(
                "<title>Players</title><div><b>{}</b></div><p>Height: <i>{}-{number}</i></p><p>Weight: <i>{} lbs</i></p><table>{rows}</table>",
                names[number],
                number + 5,
                190 + 7 * number,
            );
            Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
        };
        let pages: Vec<Document> = (0..3).map(page).collect();
        let asked = Asked::read("height, weight").expect("names");
        let (settings, job) = (InferSettings::default(), Job::new());
        let inferred = infer(&pages, &settings, &job).expect("a wrapper");
        let (inferred, picks) = suit(inferred, &pages, &settings, &asked, &job).expect("fields");
        assert!(picks.iter().all(|pick| pick.field.is_some()), "{picks:?}");
        let record = inferred.wrapper.extract(&pages[1]).expect("records").remove(0);
        assert_eq!(
            (record.get("height"), record.get("weight")),
            (Some("6-1"), Some("197 lbs"))
        );
    }
}
