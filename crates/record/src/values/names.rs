//! Names of months and weekdays, full and abbreviated, in English, German, French, Spanish, Italian, Dutch and
//! Portuguese. The tables are sorted, without case and accents ([`fold`]), so that a word is looked up in a few
//! comparisons.

use super::scan::fold;

/// The longest name has eleven letters; longer words are not looked up.
const LONGEST_NAME: usize = 16;

/// Months, from 1 to 12.
const MONTHS: &[(&str, u8)] = &[
    ("abr", 4),
    ("abril", 4),
    ("ago", 8),
    ("agosto", 8),
    ("aout", 8),
    ("apr", 4),
    ("april", 4),
    ("aprile", 4),
    ("aug", 8),
    ("august", 8),
    ("augustus", 8),
    ("avr", 4),
    ("avril", 4),
    ("dec", 12),
    ("december", 12),
    ("decembre", 12),
    ("dez", 12),
    ("dezember", 12),
    ("dezembro", 12),
    ("dic", 12),
    ("dicembre", 12),
    ("diciembre", 12),
    ("ene", 1),
    ("enero", 1),
    ("feb", 2),
    ("febbraio", 2),
    ("feber", 2),
    ("febrero", 2),
    ("februar", 2),
    ("februari", 2),
    ("february", 2),
    ("fev", 2),
    ("fevereiro", 2),
    ("fevr", 2),
    ("fevrier", 2),
    ("gen", 1),
    ("gennaio", 1),
    ("giu", 6),
    ("giugno", 6),
    ("jaenner", 1),
    ("jan", 1),
    ("janeiro", 1),
    ("janner", 1),
    ("januar", 1),
    ("januari", 1),
    ("january", 1),
    ("janv", 1),
    ("janvier", 1),
    ("juil", 7),
    ("juillet", 7),
    ("juin", 6),
    ("jul", 7),
    ("julho", 7),
    ("juli", 7),
    ("julio", 7),
    ("july", 7),
    ("jun", 6),
    ("june", 6),
    ("junho", 6),
    ("juni", 6),
    ("junio", 6),
    ("lug", 7),
    ("luglio", 7),
    ("maart", 3),
    ("maerz", 3),
    ("mag", 5),
    ("maggio", 5),
    ("mai", 5),
    ("maio", 5),
    ("mar", 3),
    ("march", 3),
    ("marco", 3),
    ("mars", 3),
    ("marz", 3),
    ("marzo", 3),
    ("may", 5),
    ("mayo", 5),
    ("mei", 5),
    ("mrt", 3),
    ("mrz", 3),
    ("nov", 11),
    ("november", 11),
    ("novembre", 11),
    ("novembro", 11),
    ("noviembre", 11),
    ("oct", 10),
    ("october", 10),
    ("octobre", 10),
    ("octubre", 10),
    ("okt", 10),
    ("oktober", 10),
    ("ott", 10),
    ("ottobre", 10),
    ("out", 10),
    ("outubro", 10),
    ("sep", 9),
    ("sept", 9),
    ("september", 9),
    ("septembre", 9),
    ("septiembre", 9),
    ("set", 9),
    ("setembro", 9),
    ("setiembre", 9),
    ("settembre", 9),
];

/// Weekdays, from Monday, 0, to Sunday, 6.
const WEEKDAYS: &[(&str, u8)] = &[
    ("di", 1),
    ("dienstag", 1),
    ("dim", 6),
    ("dimanche", 6),
    ("dinsdag", 1),
    ("do", 3),
    ("dom", 6),
    ("domenica", 6),
    ("domingo", 6),
    ("donderdag", 3),
    ("donnerstag", 3),
    ("fr", 4),
    ("freitag", 4),
    ("fri", 4),
    ("friday", 4),
    ("gio", 3),
    ("giovedi", 3),
    ("jeu", 3),
    ("jeudi", 3),
    ("jue", 3),
    ("jueves", 3),
    ("lun", 0),
    ("lundi", 0),
    ("lunedi", 0),
    ("lunes", 0),
    ("ma", 0),
    ("maandag", 0),
    ("mar", 1),
    ("mardi", 1),
    ("martedi", 1),
    ("martes", 1),
    ("mer", 2),
    ("mercoledi", 2),
    ("mercredi", 2),
    ("mi", 2),
    ("mie", 2),
    ("miercoles", 2),
    ("mittwoch", 2),
    ("mo", 0),
    ("mon", 0),
    ("monday", 0),
    ("montag", 0),
    ("qua", 2),
    ("quarta", 2),
    ("qui", 3),
    ("quinta", 3),
    ("sa", 5),
    ("sab", 5),
    ("sabado", 5),
    ("sabato", 5),
    ("sam", 5),
    ("samedi", 5),
    ("samstag", 5),
    ("sat", 5),
    ("saturday", 5),
    ("seg", 0),
    ("segunda", 0),
    ("sex", 4),
    ("sexta", 4),
    ("so", 6),
    ("sonnabend", 5),
    ("sonntag", 6),
    ("sun", 6),
    ("sunday", 6),
    ("ter", 1),
    ("terca", 1),
    ("thu", 3),
    ("thur", 3),
    ("thurs", 3),
    ("thursday", 3),
    ("tue", 1),
    ("tues", 1),
    ("tuesday", 1),
    ("ven", 4),
    ("vendredi", 4),
    ("venerdi", 4),
    ("vie", 4),
    ("viernes", 4),
    ("vr", 4),
    ("vrijdag", 4),
    ("wed", 2),
    ("wednesday", 2),
    ("weds", 2),
    ("wo", 2),
    ("woensdag", 2),
    ("za", 5),
    ("zaterdag", 5),
    ("zo", 6),
    ("zondag", 6),
];

/// Abbreviations that are words or other abbreviations as well: they are months only in a full date.
const DOUBTFUL: &[&str] = &["ago", "gen", "mag", "out", "set"];

fn find(table: &[(&str, u8)], word: &str) -> Option<u8> {
    if word.len() > LONGEST_NAME {
        return None;
    }
    let word = fold(word);
    let at = table.binary_search_by(|(name, _)| (*name).cmp(&word)).ok()?;
    Some(table[at].1)
}

/// The month of this name, from 1 to 12.
pub(super) fn month(word: &str) -> Option<u8> {
    find(MONTHS, word)
}

/// Is the name of a month more often another word?
pub(super) fn is_doubtful(word: &str) -> bool {
    DOUBTFUL.contains(&fold(word).as_str())
}

/// The weekday of this name, from Monday, 0, to Sunday, 6.
pub(super) fn weekday(word: &str) -> Option<u8> {
    find(WEEKDAYS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_found() {
        for table in [MONTHS, WEEKDAYS] {
            assert!(table.is_sorted_by(|one, next| one.0 < next.0));
        }
        for (word, number) in [
            ("May", 5),
            ("MÄRZ", 3),
            ("août", 8),
            ("Março", 3),
            ("sept", 9),
            ("dez", 12),
        ] {
            assert_eq!(month(word), Some(number), "{word}");
        }
        assert_eq!(
            (weekday("Miércoles"), weekday("Sun"), month("maybe")),
            (Some(2), Some(6), None)
        );
    }
}
