//! Random values of every locale must come back as they were, and no text may cause a panic.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// How a country writes numbers: decimal separator, thousands, groups of two above the first three digits.
const NUMBERS: &[(char, &str, bool)] = &[
    ('.', ",", false),
    ('.', "", false),
    ('.', "'", false),
    ('.', "’", false),
    ('.', " ", false),
    ('.', ",", true),
    (',', ".", false),
    (',', "", false),
    (',', " ", false),
    (',', "\u{a0}", false),
    (',', "\u{202f}", false),
    (',', "'", false),
];

fn written(number: &(bool, u64, String), (decimal, thousands, indian): (char, &str, bool)) -> String {
    let (negative, whole, fraction) = number;
    let digits = whole.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len() - at;
        let opens = match indian && left > 3 {
            true => left % 2 == 1,
            false => left % 3 == 0,
        };
        if at > 0 && opens {
            text += thousands;
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push(decimal);
        text += fraction;
    }
    match negative {
        true => format!("−{text}"),
        false => text,
    }
}

fn plain(number: &(bool, u64, String)) -> String {
    let (negative, whole, fraction) = number;
    let zero = *whole == 0 && fraction.bytes().all(|digit| digit == b'0');
    let sign = if *negative && !zero { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// Day, month, year in the order and with the separators of a country; `true` if the month comes first.
const DATES: &[(&str, bool)] = &[
    ("/", false),
    ("/", true),
    ("-", false),
    ("-", true),
    (".", false),
    (". ", false),
];

/// Twelve months in each language, full and abbreviated.
const LANGUAGES: &[&str] = &[
    "January February March April May June July August September October November December",
    "Jan. Feb. Mar. Apr. May Jun. Jul. Aug. Sept. Oct. Nov. Dec.",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "Jan. Feb. Mrz. Apr. Mai Jun. Jul. Aug. Sep. Okt. Nov. Dez.",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev mar abr mai jun jul ago set out nov dez",
];

/// What separates a day, a month's name and a year.
const NAMED: &[&str] = &[
    "{d} {m} {y}",
    "{d}. {m} {y}",
    "{d} de {m} de {y}",
    "{m} {d}, {y}",
    "{d}-{m}-{y}",
    "{m} {d} {y}",
];

fn days() -> impl Strategy<Value = Date> {
    let parts = (1900_u16..2100, 1_u8..=12, 1_u8..=31);
    parts.prop_filter_map("there is no such day", |(year, month, day)| Date::new(year, month, day))
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(23),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(3000))]

    /// A number comes back as it was, or it is said that it has two readings. It is never another number.
    #[test]
    fn numbers_of_every_locale_come_back(
        locale in select(NUMBERS),
        numbers in vec((any::<bool>(), 0_u64..10_000_000, "[0-9]{0,4}"), 1..8),
    ) {
        let texts: Vec<String> = numbers.iter().map(|number| written(number, locale)).collect();
        let convention = Convention::of(&texts);
        for (text, number_) in texts.iter().zip(&numbers) {
            match number(text, &convention) {
                Ok(read) => prop_assert_eq!(read.as_str(), plain(number_), "{:?}", texts),
                Err(Misread::Ambiguous { one, other }) => {
                    prop_assert!(!convention.is_certain());
                    prop_assert!([one, other].contains(&plain(number_)), "{:?}", texts);
                }
                Err(why) => prop_assert!(false, "{text:?} of {texts:?}: {why}"),
            }
        }
    }

    /// Prices have two decimals or none, so each comes back.
    #[test]
    fn prices_of_every_locale_come_back(
        locale in select(NUMBERS),
        prices in vec((Just(false), 0_u64..10_000_000, prop_oneof![Just(String::new()), "[0-9]{2}"]), 1..8),
        sign in select(&["€ {}", "{} €", "${}", "{}\u{a0}kr", "EUR {}", "{}zł"][..]),
    ) {
        let texts: Vec<String> = prices.iter().map(|price| sign.replace("{}", &written(price, locale))).collect();
        let convention = Convention::of(&texts);
        for (text, expected) in texts.iter().zip(&prices) {
            let read = price(text, &convention);
            prop_assert_eq!(read.map(|price| price.amount.to_string()), Ok(plain(expected)), "{:?}", texts);
        }
    }

    /// A date comes back as it was, or it is said that it has two readings. It is never another day.
    #[test]
    fn dates_of_every_order_come_back(
        (separator, month_first) in select(DATES),
        dates in vec(days(), 1..8),
        short in any::<bool>(),
    ) {
        let texts: Vec<String> = dates
            .iter()
            .map(|date| {
                let (one, two) = match month_first {
                    true => (date.month(), date.day()),
                    false => (date.day(), date.month()),
                };
                match short {
                    true => format!("{one}{separator}{two}{separator}{:02}", date.year() % 100),
                    false => format!("{one}{separator}{two}{separator}{}", date.year()),
                }
            })
            .collect();
        let convention = Convention::of(&texts);
        for (text, expected) in texts.iter().zip(&dates) {
            let same = |read: &str| match short {
                true => read[2..] == expected.to_string()[2..],
                false => read == expected.to_string(),
            };
            match date(text, &convention) {
                Ok(read) => prop_assert!(same(&read.to_string()), "{text:?} of {texts:?}: {read}"),
                Err(Misread::Ambiguous { one, other }) => prop_assert!(same(&one) || same(&other)),
                // A leap day of a century that two digits cannot tell.
                Err(Misread::NoSuchDay) if short && (expected.month(), expected.day()) == (2, 29) => {}
                Err(why) => prop_assert!(false, "{text:?} of {texts:?}: {why}"),
            }
        }
    }

    #[test]
    fn dates_of_every_language_come_back(
        language in select(LANGUAGES),
        form in select(NAMED),
        expected in days(),
    ) {
        let name = language.split(' ').nth(usize::from(expected.month()) - 1).unwrap_or_default();
        let text = form
            .replace("{d}", &expected.day().to_string())
            .replace("{m}", name)
            .replace("{y}", &expected.year().to_string());
        prop_assert_eq!(date(&text, &Convention::default()), Ok(expected), "{}", text);
        prop_assert!(kinds(&text).contains(Kind::Date), "{text}");
    }

    /// Times come back whatever the clock.
    #[test]
    fn times_of_every_clock_come_back(hour in 0_u8..24, minute in 0_u8..60, form in 0_usize..5) {
        let half = if hour < 12 { "AM" } else { "p.m." };
        let twelve = (hour + 11) % 12 + 1;
        let text = match form {
            0 => format!("{hour}:{minute:02}"),
            1 => format!("{twelve}:{minute:02} {half}"),
            2 => format!("{hour}h{minute:02}"),
            3 => format!("um {hour}.{minute:02} Uhr"),
            _ => format!("{hour:02}:{minute:02}:00"),
        };
        let read = time(&text).map(|time| (time.hour(), time.minute()));
        prop_assert_eq!(read, Ok((hour, minute)), "{}", text);
    }

    /// What is read back from ISO 8601 is the same.
    #[test]
    fn what_is_written_is_read_again(day in days(), hour in 0_u8..24, minute in 0_u8..60, zone in -840_i16..=840) {
        let time = Time::new(hour, minute, 7, 120_000, Zone::new(zone)).expect("a time");
        let moment = Timestamp { date: day, time };
        prop_assert_eq!(timestamp(&moment.to_string(), &Convention::default()), Ok(moment));
    }

    /// No text makes it panic, and every number that is read is a plain one.
    #[test]
    fn every_text_is_survived(
        text in prop_oneof![any::<String>(), vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())],
    ) {
        let convention = Convention::of([&text]);
        for convention in [Convention::default(), convention, convention.or_default()] {
            if let Ok(read) = number(&text, &convention) {
                let plain = read.as_str().trim_start_matches('-');
                prop_assert!(plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'), "{read}");
                prop_assert!(read.to_f64().is_finite());
            }
            let _ = (integer(&text, &convention), price(&text, &convention));
            let _ = (date(&text, &convention), timestamp(&text, &convention));
        }
        let _ = (time(&text), is_isbn(&text), is_phone(&text));
        prop_assert_eq!(kinds(&text).is_empty(), text.trim().is_empty());
    }
}

/// Parts of values, for texts that come close to one.
const PIECES: &[&str] = &[
    "0",
    "7",
    "12",
    "19",
    "234",
    "2019",
    "99999",
    ".",
    ",",
    "'",
    "’",
    " ",
    "\u{a0}",
    "-",
    "–",
    "−",
    "/",
    ":",
    "+",
    "(",
    ")",
    "%",
    "€",
    "$",
    "US",
    "kr",
    "EUR",
    "e",
    "E",
    "T",
    "Z",
    "h",
    "Uhr",
    "pm",
    "a.m.",
    "May",
    "mar",
    "août",
    "de",
    "of",
    "th",
    "Thu",
    "k",
    "Mio",
    "½",
    "@",
    "example.org",
    "http://",
    "St",
    "x",
    "\u{301}",
    "٣",
    "ß",
    "º",
];
