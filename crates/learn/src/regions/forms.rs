//! Texts that are told by how they are written: a date, a price, a number, a code, or words after a label.
//!
//! **In**: for each record the texts that stand side by side in it: lines, elements of one name, or pieces of one text between signs. Some of them are
//! optional, so their numbers say nothing. **Out**: which texts are one column, and for columns of such a form a regular expression that their texts
//! match and those of other columns do not.
//!
//! The kinds of a text (`record::values`) tell its form, if all of it is a value of that kind. A record has two columns of one form if it has two such texts. What is left, names and
//! words, is told by its number among what is left, if nearly all records have the same number of those. If not, words that texts of one column begin with (`Sold by`) may be a
//! form, too, and else `odd` aligns the records, where paths can count ([`aligned`]). A form that stands where
//! other records have words (`1984` among titles) is no form. Expressions are made from the texts, with letters and digits for letters and digits, so that other texts
//! written like them match.
//!
//! Linear in the texts.

use super::labelled;
use super::odd;
use record::values::{Kind, Kinds, kinds};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::paths::pattern;

/// The share of the records that must have the same number of texts without a form.
const NEARLY_ALL: f64 = 0.9;
/// The fewest records.
const FEWEST: usize = 3;
/// The fewest records that have a label in a text.
const LABELLED: usize = 2;
/// The most words of a beginning that is a form, and the most such forms.
const BEGINNING: usize = 3;
const BEGINNINGS: usize = 3;
/// The share of the records that nothing may tell.
const UNTOLD: f64 = 0.2;
/// The most columns.
const COLUMNS: usize = 12;
/// The most ways in which the texts of a column are written.
const SHAPES: usize = 6;
/// The longest text that may have a form, in bytes.
const LONGEST: usize = 80;
/// A number as it is written.
const AMOUNT: &str = r"\d[\d.,]*";
/// Times of the day.
const TIME: &str = r"\d{1,2}(?:[:.]\d{2}){1,2}(?: ?[AaPp]\.?[Mm]\.?)?|\d{1,2} ?[AaPp]\.?[Mm]\.?";

/// How a text is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Mail,
    Link,
    Moment,
    Date,
    Time,
    Phone,
    Percentage,
    Price,
    Code,
    Number,
    /// After a label, which ends with a colon.
    Label(String),
    /// After words that texts of other columns do not begin with.
    Begins(String),
}

impl Form {
    fn of(text: &str) -> Option<Form> {
        if let Some(label) = labelled::beginning(text).filter(|label| label.len() < text.len()) {
            return Some(Form::Label(label.to_owned()));
        }
        if let Some(word) = before_date(text) {
            return Some(Form::Label(word.to_owned()));
        }
        let found: Kinds = kinds(text);
        // A sign at the end divides the text from what is after it.
        let is_open = text.ends_with(|c: char| "([{:|,;-–—/·•".contains(c));
        if is_open || text.len() > LONGEST {
            return None;
        }
        // Without letters it is no name, whatever it is.
        let is_number = text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_alphabetic);
        if found.contains(Kind::Text) || found.contains(Kind::Name) {
            return is_number.then_some(Form::Code);
        }
        let forms = [
            (Kind::Email, Form::Mail),
            (Kind::Link, Form::Link),
            (Kind::DateTime, Form::Moment),
            (Kind::Date, Form::Date),
            (Kind::Time, Form::Time),
            (Kind::Phone, Form::Phone),
            (Kind::Percentage, Form::Percentage),
            (Kind::Price, Form::Price),
            (Kind::Code, Form::Code),
            (Kind::Integer, Form::Number),
            (Kind::Decimal, Form::Number),
        ];
        let mut forms = forms.into_iter().filter(|(kind, _)| found.contains(*kind));
        let form = forms.next().map(|(_, form)| form);
        // `15-0510 and` is a code and a word.
        let is_word = |word: &str| word.chars().all(char::is_lowercase);
        form.filter(|form| *form != Form::Code || !text.split(' ').any(is_word))
    }

    /// An expression for the texts of a column.
    fn expression(&self, texts: &[&str]) -> Option<String> {
        let known = match self {
            Form::Mail => r"[^ @]+@[^ @]+",
            Form::Link => r"\S+",
            Form::Time => TIME,
            Form::Percentage => r"[+-]?\d[\d.,]* ?%",
            Form::Number => r"[+-]?\d[\d.,]*",
            Form::Label(label) => return Some(format!("{} ?.+?", regex::escape(label))),
            Form::Begins(words) => return Some(format!("{} .+", regex::escape(words))),
            _ => "",
        };
        let mut ways: Vec<String> = Vec::new();
        let usual = (!known.is_empty()).then(|| pattern(known)).and_then(Result::ok);
        for text in texts {
            if usual.as_ref().is_some_and(|usual| usual.is_match(text)) {
                continue;
            }
            let shape = shape(text, matches!(self, Form::Date | Form::Moment), *self == Form::Price);
            if !ways.contains(&shape) {
                ways.push(shape);
            }
        }
        if !known.is_empty() {
            ways.insert(0, known.to_owned());
        }
        (ways.len() <= SHAPES).then(|| ways.join("|"))
    }
}

/// The word before a date that says what happened then: `Filed May 9, 2018`.
fn before_date(text: &str) -> Option<&str> {
    const SHORT: usize = 3;
    let (word, rest) = text.split_once(' ').filter(|_| text.len() <= LONGEST)?;
    let is_word = word.chars().count() >= SHORT && word.chars().all(char::is_alphabetic);
    (is_word && super::is_date(rest) && !super::is_data(text)).then_some(word)
}

/// A text with letters and digits for all letters and digits.
fn shape(text: &str, is_date: bool, is_price: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let class: fn(char) -> bool = match c {
            c if c.is_ascii_digit() => |c| c.is_ascii_digit(),
            c if c.is_uppercase() && !is_date => char::is_uppercase,
            c if c.is_alphabetic() => char::is_alphabetic,
            _ => |_| false,
        };
        let length = rest.find(|c| !class(c)).unwrap_or(rest.len());
        if length == 0 {
            out.push_str(&regex::escape(&rest[..c.len_utf8()]));
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let digits = c.is_ascii_digit();
        if digits && is_price {
            out.push_str(AMOUNT);
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
            continue;
        }
        out.push_str(match (digits, is_date, length) {
            (true, true, 1 | 2) => r"\d{1,2}",
            (true, true, 4) => r"\d{4}",
            (true, ..) => r"\d+",
            // `Sept. 9` and `May 9`.
            (false, true, _) => r"\p{L}+\.?",
            (false, false, _) if c.is_uppercase() => r"\p{Lu}+",
            (false, false, _) => r"\p{L}+",
        });
        rest = &rest[length..];
        if is_date && !digits {
            rest = rest.strip_prefix('.').unwrap_or(rest);
        }
    }
    out
}

/// A column of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// By an expression for the whole text, without anchors or groups that capture; the n-th of those in a record, from 0, if there are several. A label that
    /// the text begins with is no part of the value.
    Form {
        expression: String,
        nth: Option<usize>,
        label: Option<String>,
        /// Is it told by words or signs that the text begins with, and which are part of the value?
        begins: bool,
    },
    /// The n-th of the texts without a form, from 0.
    Plain(usize),
    /// For numbers of texts without a form that a record has, which one of them it is, from 0.
    Counted(Vec<(usize, usize)>),
}

/// The columns of texts side by side.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) told: Vec<Told>,
    /// For each record the column of each of its texts.
    pub(super) of: Vec<Vec<usize>>,
    /// The number of texts without a form that nearly all records have, or most of them.
    pub(super) plain: usize,
    /// How many forms there are; none is one, too.
    kinds: usize,
    /// Have all texts without a form words, not only numbers and signs?
    pub(super) worded: bool,
}

impl Columns {
    /// An expression for texts with a form.
    pub(super) fn any(&self) -> String {
        let forms = self.told.iter().filter_map(|told| match told {
            Told::Form {
                expression,
                nth: None | Some(0),
                ..
            } => Some(format!("(?:{expression})")),
            _ => None,
        });
        forms.collect::<Vec<String>>().join("|")
    }
}

/// Tells the texts of records apart, if there are some with a form and nearly all records have as many without one. Texts
/// that are `divided` for sure need no form.
pub(super) fn told(records: &[Vec<String>], divided: bool) -> Option<Columns> {
    let forms = forms(records, divided)?;
    let (usual, share) = agreement(&forms)?;
    if share < NEARLY_ALL {
        return None;
    }
    let columns = columns(records, &forms, usual, |_, nth| nth, Told::Plain)?;
    // Of texts of one form only, their numbers tell as much.
    (divided || columns.kinds > 1).then_some(columns)
}

/// The same where a path can count the texts of a record: records may also have different numbers of texts without a form. Where records have one of
/// these `lines` mostly, a second one may be the end of it, so a form must say that they are several values.
pub(super) fn aligned(records: &[Vec<String>], lines: bool) -> Option<Columns> {
    let mut forms = forms(records, false)?;
    if !is_settled(&forms) {
        tell_beginnings(records, &mut forms);
    }
    let (usual, _) = agreement(&forms)?;
    let is_told = forms.iter().flatten().any(Option::is_some);
    if is_settled(&forms) {
        let columns = columns(records, &forms, usual, |_, nth| nth, Told::Plain)?;
        return (is_told && columns.kinds > 1).then_some(columns);
    }
    let plain = |(texts, forms): (&'_ Vec<String>, &Vec<Option<Form>>)| -> Vec<String> {
        let plain = texts.iter().zip(forms).filter(|(_, form)| form.is_none());
        plain.map(|(text, _)| text.clone()).collect()
    };
    let texts: Vec<Vec<String>> = records.iter().zip(&forms).map(plain).collect();
    let readings = odd::readings(&texts)?;
    let is_one_value = lines && usual < 2;
    if !is_told && (is_one_value || readings.untold as f64 > UNTOLD * records.len() as f64) {
        return None;
    }
    let column = |count: usize, nth: usize| readings.of.get(&count).map_or(nth, |columns| columns[nth]);
    columns(records, &forms, usual, column, |column| counted(column, &readings.of))
}

/// The columns of texts with these forms. Texts without one are told by the number of them in their record and which one it is.
fn columns(
    records: &[Vec<String>],
    forms: &[Vec<Option<Form>>],
    usual: usize,
    column: impl Fn(usize, usize) -> usize,
    plain: impl Fn(usize) -> Told,
) -> Option<Columns> {
    let mut numbers: BTreeMap<(Option<Form>, usize), usize> = BTreeMap::new();
    let mut order: Vec<(Option<Form>, usize)> = Vec::new();
    let of: Vec<Vec<usize>> = forms
        .iter()
        .map(|forms| {
            let count = forms.iter().filter(|form| form.is_none()).count();
            let mut times: BTreeMap<&Option<Form>, usize> = BTreeMap::new();
            let own = forms.iter().map(|form| {
                let time = times.entry(form).or_default();
                let key = match form {
                    Some(_) => (form.clone(), *time),
                    None => (None, column(count, *time)),
                };
                *time += 1;
                *numbers.entry(key.clone()).or_insert_with(|| {
                    order.push(key);
                    order.len() - 1
                })
            });
            own.collect()
        })
        .collect();
    if order.len() > COLUMNS {
        return None;
    }
    let kinds: BTreeSet<&Option<Form>> = order.iter().map(|(form, _)| form).collect();
    let several: Vec<Form> = order
        .iter()
        .filter(|(_, time)| *time > 0)
        .filter_map(|(form, _)| form.clone())
        .collect();
    let texts_of = |wanted: &dyn Fn(&Option<Form>) -> bool| -> Vec<&str> {
        let all = records.iter().flatten().zip(forms.iter().flatten());
        all.filter(|(_, form)| wanted(form))
            .map(|(text, _)| text.as_str())
            .collect()
    };
    let mut told = Vec::new();
    for (form, time) in &order {
        let Some(form) = form else {
            told.push(plain(*time));
            continue;
        };
        let expression = form.expression(&texts_of(&|own| own.as_ref() == Some(form)))?;
        let test = pattern(&expression).ok()?;
        if texts_of(&|own| own.as_ref() != Some(form))
            .iter()
            .any(|text| test.is_match(text))
        {
            return None;
        }
        told.push(Told::Form {
            expression,
            nth: several.contains(form).then_some(*time),
            label: match form {
                Form::Label(label) => Some(label.clone()),
                _ => None,
            },
            begins: matches!(form, Form::Begins(_)),
        });
    }
    let worded = texts_of(&|own| own.is_none()).into_iter().all(has_word);
    Some(Columns {
        told,
        of,
        plain: usual,
        kinds: kinds.len(),
        worded,
    })
}

/// How a column is told by its places in records with several numbers of texts. If it has one place in all records that are long enough, the number
/// says nothing.
fn counted(column: usize, of: &BTreeMap<usize, Vec<usize>>) -> Told {
    let place = |(count, columns): (&usize, &Vec<usize>)| {
        let place = columns.iter().position(|own| *own == column)?;
        Some((*count, place))
    };
    let places: Vec<(usize, usize)> = of.iter().filter_map(place).collect();
    let first = places.first().map_or(0, |(_, place)| *place);
    let is_same = places.iter().all(|(_, place)| *place == first);
    let has = |count: &usize| places.iter().any(|(own, _)| own == count);
    match is_same && of.keys().all(|count| *count <= first || has(count)) {
        true => Told::Plain(first),
        false => Told::Counted(places),
    }
}

/// The form of each text.
fn forms(records: &[Vec<String>], divided: bool) -> Option<Vec<Vec<Option<Form>>>> {
    let filled = records.iter().filter(|texts| !texts.is_empty()).count();
    if filled < FEWEST || !divided && records.iter().all(|texts| texts.len() < 2) {
        return None;
    }
    let mut forms: Vec<Vec<Option<Form>>> = records
        .iter()
        .map(|texts| texts.iter().map(|text| Form::of(text)).collect())
        .collect();
    // A label is said in several records.
    let mut labels: BTreeMap<Form, usize> = BTreeMap::new();
    for forms in &forms {
        let mut own: Vec<&Form> = forms.iter().flatten().collect();
        own.sort();
        own.dedup();
        own.into_iter()
            .for_each(|form| *labels.entry(form.clone()).or_default() += 1);
    }
    for form in forms.iter_mut().flatten() {
        let is_rare = |form: &Form| matches!(form, Form::Label(_)) && labels[form] < LABELLED;
        if form.as_ref().is_some_and(is_rare) {
            *form = None;
        }
    }
    // A form that stands in for words tells nothing.
    for form in labels.keys() {
        let plain = |forms: &Vec<Option<Form>>| forms.iter().filter(|form| form.is_none()).count();
        let has = |forms: &&Vec<Option<Form>>| forms.contains(&Some(form.clone()));
        let (Some(usual), with) = (mode(forms.iter().map(plain)), forms.iter().filter(has)) else {
            continue;
        };
        let with: Vec<usize> = with.map(plain).collect();
        if with.iter().filter(|plain| **plain < usual).count() * 2 > with.len() {
            let own = forms.iter_mut().flatten();
            own.filter(|own| own.as_ref() == Some(form)).for_each(|own| *own = None);
        }
    }
    Some(forms)
}

/// The number of texts without a form that most records have, and the share of the records that have it.
fn agreement(forms: &[Vec<Option<Form>>]) -> Option<(usize, f64)> {
    let plain: Vec<usize> = forms
        .iter()
        .filter(|forms| !forms.is_empty())
        .map(|forms| forms.iter().filter(|form| form.is_none()).count())
        .collect();
    let usual = mode(plain.iter().copied())?;
    let agree = plain.iter().filter(|plain| **plain == usual).count();
    Some((usual, agree as f64 / plain.len() as f64))
}

/// Have all records that have texts without a form the same number of them?
fn is_settled(forms: &[Vec<Option<Form>>]) -> bool {
    let mut counts = forms.iter().map(|forms| count_plain(forms)).filter(|count| *count > 0);
    counts.next().is_none_or(|first| counts.all(|count| count == first))
}

fn count_plain(forms: &[Option<Form>]) -> usize {
    forms.iter().filter(|form| form.is_none()).count()
}

/// Expressions for dates and for times as they are written.
pub(super) fn dates(texts: &[&str]) -> Option<String> {
    Form::Date.expression(texts)
}

pub(super) fn times(texts: &[&str]) -> Option<String> {
    Form::Time.expression(texts)
}

/// Makes words that texts begin with a form, if then all records have as many texts without one. The last of the words is in small letters, as in `Sold by`: a title
/// may begin with any word with a capital letter, unless nothing but a number is ever after it, as in `Room 12`. A sign is also such a beginning, as in `- 84k`.
fn tell_beginnings(records: &[Vec<String>], forms: &mut Vec<Vec<Option<Form>>>) {
    let mut found = forms.clone();
    for _ in 0..BEGINNINGS {
        // The beginnings of texts without a form, with the records that have them and what follows.
        let mut beginnings: BTreeMap<&str, (BTreeSet<usize>, BTreeSet<&str>)> = BTreeMap::new();
        for (number, (texts, forms)) in records.iter().zip(&found).enumerate() {
            for (text, _) in texts.iter().zip(forms).filter(|(_, form)| form.is_none()) {
                let ends = text.match_indices(' ').map(|(at, _)| at).take(BEGINNING);
                for end in ends {
                    let (words, rest) = (&text[..end], &text[end + 1..]);
                    let (numbers, rests) = beginnings.entry(words).or_default();
                    numbers.insert(number);
                    rests.insert(rest);
                }
            }
        }
        let is_number = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit()) && !has_word(rest);
        beginnings.retain(|words, (_, rests)| {
            let last = words.rsplit(' ').next().unwrap_or_default();
            last.starts_with(char::is_lowercase) || is_sign(words) || rests.iter().all(is_number)
        });
        let several = beginnings
            .iter()
            .filter(|(_, (numbers, rests))| numbers.len() >= LABELLED && rests.len() > 1);
        let best = several.max_by_key(|(words, (numbers, _))| (numbers.len(), words.len()));
        let Some(words) = best.map(|(words, _)| (*words).to_owned()) else {
            return;
        };
        let begins = |text: &str| {
            text.strip_prefix(words.as_str())
                .is_some_and(|rest| rest.starts_with(' '))
        };
        for (texts, forms) in records.iter().zip(&mut found) {
            for (text, form) in texts.iter().zip(forms).filter(|(_, form)| form.is_none()) {
                if begins(text) {
                    *form = Some(Form::Begins(words.clone()));
                }
            }
        }
        // Words do not stand in for others: what is left is as much as in other records.
        let most = found.iter().map(|forms| count_plain(forms)).max();
        let stands_in = |forms: &Vec<Option<Form>>| {
            let has_words = |form: &Form| matches!(form, Form::Begins(words) if !is_sign(words));
            forms.iter().flatten().any(has_words) && Some(count_plain(forms)) != most
        };
        if is_settled(&found) && !found.iter().any(stands_in) {
            *forms = found;
            return;
        }
    }
}

/// Are there two letters side by side?
fn has_word(text: &str) -> bool {
    let mut letters = text.chars().map(char::is_alphabetic);
    let mut last = false;
    letters.any(|is_letter| std::mem::replace(&mut last, is_letter) && is_letter)
}

/// Is it a sign, not a word?
fn is_sign(word: &str) -> bool {
    !word.contains(char::is_alphanumeric)
}

/// What is there most often; of equals the largest.
fn mode(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    numbers.for_each(|number| *times.entry(number).or_default() += 1);
    times
        .into_iter()
        .max_by_key(|(_, times)| *times)
        .map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(records: &[&[&str]]) -> Option<Columns> {
        let records: Vec<Vec<String>> = records
            .iter()
            .map(|texts| texts.iter().map(|text| (*text).to_owned()).collect())
            .collect();
        told(&records, false)
    }

    #[test]
    fn forms_tell_what_is_missing() {
        let found = columns(&[
            &["Ann Lee", "$5.20", "May 9, 2019"],
            &["Bob Roe", "June 12, 2020"],
            &["Cy Doe", "$12.00"],
            &["Eve Fox"],
        ])
        .unwrap();
        assert_eq!(found.of, [vec![0, 1, 2], vec![0, 2], vec![0, 1], vec![0]]);
        let expression = |at: usize| match &found.told[at] {
            Told::Form { expression, .. } => pattern(expression).unwrap(),
            _ => panic!("a form"),
        };
        assert!(expression(1).is_match("$1,250.00") && !expression(1).is_match("7"));
        assert!(expression(2).is_match("Sept. 1, 1999") && !expression(2).is_match("Room 12"));
    }

    #[test]
    fn words_are_aligned_where_their_numbers_differ() {
        let rows: [&[&str]; 8] = [
            &["Elm Lamp", "Sold by Bo Day", "$68.00"],
            &["Heath Bench", "$53.00"],
            &["Birch Stool", "$8.00"],
            &["Gale Stool", "$82.00"],
            &["Alder Bench", "$62.00"],
            &["Heath Shelf", "Sold by Di Orr", "$34.00"],
            &["Kelp Chair", "$63.00"],
            &["Alder Stool", "$76.00"],
        ];
        let records: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|text| (*text).to_owned()).collect())
            .collect();
        assert!(told(&records, false).is_none());
        let found = aligned(&records, false).unwrap();
        assert_eq!(found.of[0], [0, 1, 2]);
        assert_eq!(found.of[1], [0, 2]);
        assert!(
            matches!(&found.told[1], Told::Form { expression, .. } if expression == "Sold by .+"),
            "{:?}",
            found.told
        );
        // Without words in common, the number of texts tells.
        let mut records = records;
        records[0][1] = "new in our garden shop".to_owned();
        records[5][1] = "only this week, as long as there are some".to_owned();
        let found = aligned(&records, false).unwrap();
        assert_eq!((&found.of[0][..], &found.of[1][..]), (&[0, 1, 2][..], &[0, 2][..]));
        assert_eq!(found.told[..2], [Told::Plain(0), Told::Plain(1)]);
        records[5].swap(0, 1);
        records[0].swap(0, 1);
        let found = aligned(&records, false).unwrap();
        assert_eq!((&found.of[0][..], &found.of[1][..]), (&[0, 1, 2][..], &[1, 2][..]));
        assert_eq!(
            found.told[..2],
            [Told::Counted(vec![(2, 0)]), Told::Counted(vec![(1, 0), (2, 1)])]
        );
    }

    #[test]
    fn words_must_be_as_many_in_most_records() {
        assert!(columns(&[&["Ann", "x", "5"], &["Bob", "6"], &["Cy", "y", "7"], &["Eve", "8"]]).is_none());
        assert!(columns(&[&["a", "b"], &["c", "d"], &["e", "f"]]).is_none(), "no form");
    }

    #[test]
    fn a_number_that_stands_for_words_is_no_form() {
        let found = columns(&[
            &["1984", "May 9, 2019"],
            &["Emma", "June 1, 2019"],
            &["Dune", "July 2, 2019"],
            &["Ulysses"],
        ]);
        assert_eq!(found.unwrap().of, [vec![0, 1], vec![0, 1], vec![0, 1], vec![0]]);
    }

    #[test]
    fn labels_are_forms() {
        let found = columns(&[
            &["Kelp", "Status: Open", "Place: Hall"],
            &["Moss", "Place: Dock"],
            &["Fern", "Status: Closed"],
        ])
        .unwrap();
        assert_eq!(found.of, [vec![0, 1, 2], vec![0, 2], vec![0, 1]]);
    }

    #[test]
    fn a_word_with_a_number_after_it_is_a_form() {
        let people = [
            &["Dean", "Room 12"][..],
            &["Clerk"],
            &["Lecturer", "Room 7"],
            &["Professor", "Room 31"],
            &["Dean"],
        ];
        let records: Vec<Vec<String>> = people
            .iter()
            .map(|texts| texts.iter().map(|text| (*text).to_owned()).collect())
            .collect();
        let columns = aligned(&records, true).expect("rooms are told");
        assert_eq!(columns.of, [vec![0, 1], vec![0], vec![0, 1], vec![0, 1], vec![0]]);
    }

    #[test]
    fn words_before_dates_tell_them() {
        let lines = |at: usize| match at % 3 {
            0 => format!("Filed May {}, 2019", at + 1),
            1 => format!("Filed May {}, 2019<br>Hearing June {}, 2020", at + 1, at + 2),
            _ => format!("Hearing June {}, 2020", at + 2),
        };
        let row = |at: usize| {
            format!(
                "<tr><td><a href=/c{at}>Case number {at}</a></td><td>Hon. Ann Lee {at}</td><td>{}</td></tr>",
                lines(at)
            )
        };
        let rows: String = (0..12).map(row).collect();
        let page = page::Page::parse_str(&format!("<h1>Cases</h1><table>{rows}</table>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &page::Job::new()).remove(0);
        let records = wrapper::rule::paths::PathsRun::new(&best.rule).unwrap().page(&page);
        let said = |name: &str, at: usize| {
            let field = best.names.iter().position(|other| other == name);
            let field = field.unwrap_or_else(|| panic!("{:?}", best.names));
            let found = records[at].values.iter().find(|value| value.field == field);
            found.map(|value| value.text.clone())
        };
        let dates = |at: usize| [said("filed", at), said("hearing", at)];
        assert_eq!(dates(3), [Some("May 4, 2019".to_owned()), None]);
        assert_eq!(
            dates(4),
            [Some("May 5, 2019".to_owned()), Some("June 6, 2020".to_owned())]
        );
        assert_eq!(dates(5), [None, Some("June 7, 2020".to_owned())]);
    }
}
