//! Values as sites write them: tables of examples.

use super::*;

/// Numbers with a convention that the other values of the field decide.
#[track_caller]
fn reads(field: &[&str], text: &str, expected: &str) {
    let convention = Convention::of(field);
    let read = match number(text, &convention) {
        Ok(number) => number.to_string(),
        Err(why) => format!("{why}"),
    };
    assert_eq!(read, expected, "{text:?} among {field:?}");
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, expected) in [
        ("12,50 €", "12.50"),
        ("1.234,50 €", "1234.50"),
        ("1 234,50 €", "1234.50"),
        ("1\u{a0}234,50\u{a0}€", "1234.50"),
        ("1\u{202f}234\u{202f}567,5", "1234567.5"),
        ("1'234.50", "1234.50"),
        ("CHF 1’234.50", "1234.50"),
        ("−7", "-7"),
        ("− 7", "-7"),
        ("-$5.10", "-5.10"),
        ("$-5.10", "-5.10"),
        ("+5", "5"),
        ("4.5e3", "4500"),
        ("1E-2", "0.01"),
        ("$1,299.00", "1299.00"),
        ("$1,299", "1299"),
        ("1.299 €", "1299"),
        ("12,34,567.00", "1234567.00"),
        (".5", "0.5"),
        ("0.123", "0.123"),
        ("1234,567", "1234.567"),
        ("12,- €", "12"),
        ("12.–", "12"),
        ("5kg", "5"),
        ("No.5", "5"),
        ("007", "7"),
        ("50 %", "50"),
        ("12.50 Euro", "12.50"),
        ("Rs.500", "500"),
        ("-0.0", "0.0"),
        // Refused.
        ("1/2", "it is a fraction"),
        ("1½", "it is a fraction"),
        ("1 / 2", "it is a fraction"),
        ("3–5", "it is a range"),
        ("10-20", "it is a range"),
        ("10 to 20", "it is a range"),
        ("$10 – $20", "it is a range"),
        ("10+", "it is a range"),
        ("< 5", "it is a range"),
        ("4 of 5", "it has several values"),
        ("5:30", "it has several values"),
        ("1,234", "it may be 1234 or 1.234"),
        ("1.234", "it may be 1.234 or 1234"),
        ("1.2.3", "its separators do not fit"),
        ("5'11", "its separators do not fit"),
        ("4.5k", "it is a multiple"),
        ("3 Mio. €", "it is a multiple"),
        ("A12", "it is part of a code"),
        ("CC-12", "it is part of a code"),
        ("($5.00)", "money in parentheses may be negative"),
        ("about 10", "there are too many words around the value"),
        ("soon", "there is no such value in it"),
        ("", "there is no such value in it"),
    ] {
        reads(&[], text, expected);
    }
}

#[test]
fn the_field_decides_how_its_values_are_read() {
    reads(&["12,50"], "1.234", "1234");
    reads(&["12.50"], "1.234", "1.234");
    reads(&["1,234,567"], "1,234", "1234");
    reads(&["12,50 €"], "1,459 €", "1.459");
    // One typing error in twenty values changes nothing; a field of two hands decides nothing.
    let mut field = vec!["12,50"; 20];
    field.push("12.50");
    reads(&field, "1.234", "1234");
    reads(&field, "12.50", "its separators do not fit");
    reads(&["12,50", "12.50"], "1.234", "it may be 1.234 or 1234");
    reads(&["12,50", "12.50"], "7.25", "7.25");
    assert!(!Convention::of(["12,50", "12.50"]).is_certain());
    assert!(Convention::of(["12", "soon", ""]).is_certain());
    assert_eq!(integer("1.299", &Convention::default()), Ok(1299));
    assert_eq!(integer("1.299", &Convention::of(["1.5"])), Err(Misread::NotWhole));
    assert_eq!(
        integer("99999999999999999999", &Convention::default()),
        Err(Misread::TooLarge)
    );
    assert!(number("12 %", &Convention::default()).is_ok_and(|number| number.is_percentage()));
}

#[test]
fn currencies_are_told() {
    let told = |text: &str| {
        let price = price(text, &Convention::default()).expect(text);
        let code = price.currency.code().unwrap_or("?");
        format!("{} {} {code}", price.amount, price.currency.written())
    };
    for (text, expected) in [
        ("12,50 €", "12.50 € EUR"),
        ("Our price: $5.00", "5.00 $ ?"),
        ("US$ 5.00", "5.00 US$ USD"),
        ("$5.00 USD", "5.00 USD USD"),
        ("5 kr", "5 kr ?"),
        ("Fr. 12.50", "12.50 Fr CHF"),
        ("EUR12,50", "12.50 EUR EUR"),
        ("R$ 12,50", "12.50 R$ BRL"),
        ("12,50 zł", "12.50 zł PLN"),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
    let open = Convention::default();
    assert_eq!(price("12,50", &open), Err(Misread::NoCurrency));
    assert_eq!(price("was $5 now $4", &open), Err(Misread::Several));
}

#[test]
fn dates_are_read_as_they_are_written() {
    let read = |text: &str| match date(text, &Convention::default()) {
        Ok(date) => date.to_string(),
        Err(why) => why.to_string(),
    };
    for text in [
        "2019-05-09",
        "2019/5/9",
        "20190509",
        "9.5.2019",
        "9. 5. 2019",
        "09.05.19",
        "May 9, 2019",
        "May 9th 2019",
        "MAY. 9, 2019",
        "9 May 2019",
        "9-May-19",
        "9th of May, 2019",
        "Thursday, May 9, 2019, 7:00 PM – 9:00 PM",
        "Posted on May 9, 2019 by admin",
        "Donnerstag, 9. Mai 2019, 19.30 Uhr",
        "jeudi 9 mai 2019",
        "9 de mayo de 2019",
        "mar 9 mayo 2019",
        "9 maggio 2019",
        "9 mei 2019",
        "9 de maio de 2019",
        "2019 May 9",
        "2019-05-09T19:00:00-05:00",
        "2019-05-09 (May 9, 2019)",
    ] {
        assert_eq!(read(text), "2019-05-09", "{text}");
    }
    for (text, expected) in [
        ("5/9/2019", "it may be 2019-09-05 or 2019-05-09"),
        ("5/23/2019", "2019-05-23"),
        ("5/5/2019", "2019-05-05"),
        ("Fri 5/10/2019", "2019-05-10"),
        ("97-11-03", "1997-11-03"),
        ("3 May 97", "1997-05-03"),
        ("1er août 2019", "2019-08-01"),
        ("May 9", "it has no year"),
        ("May 2019", "it has no day"),
        ("May 9–11, 2019", "it is a range"),
        ("9.–11. Mai 2019", "it is a range"),
        ("May 9, 2019 – May 11, 2019", "it has several values"),
        ("February 30, 2019", "there is no such day"),
        ("1.2.3.4", "there is no such value in it"),
        ("soon", "there is no such value in it"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn the_field_decides_the_order_and_the_century() {
    let read = |field: &[&str], text: &str| {
        let read = date(text, &Convention::of(field));
        read.map_or_else(|why| why.to_string(), |date| date.to_string())
    };
    assert_eq!(read(&["5/23/2019"], "5/9/2019"), "2019-05-09");
    assert_eq!(read(&["23/5/2019"], "5/9/2019"), "2019-09-05");
    assert_eq!(read(&["23/5/2019"], "5/23/2019"), "there is no such day");
    assert_eq!(read(&["Fri 5/10/2019"], "5/9/2019"), "2019-05-09");
    assert_eq!(read(&["5/23/1931", "5/24/1932"], "5/9/19"), "1919-05-09");
    let default = Convention::of(["5/9/2019"]).or_default();
    assert!(!default.is_certain());
    assert_eq!(date("5/9/2019", &default).map(Date::month), Ok(5));
    assert_eq!(date("5-9-2019", &default).map(Date::month), Ok(9));
}

#[test]
fn times_are_read_as_they_are_written() {
    let read = |text: &str| time(text).map_or_else(|why| why.to_string(), |time| time.to_string());
    for (text, expected) in [
        ("19:30", "19:30:00"),
        ("7:30 PM", "19:30:00"),
        ("7:30p.m.", "19:30:00"),
        ("7.30 pm", "19:30:00"),
        ("7pm", "19:00:00"),
        ("12 am", "00:00:00"),
        ("12:15 PM", "12:15:00"),
        ("19h30", "19:30:00"),
        ("19.30 Uhr", "19:30:00"),
        ("19 Uhr", "19:00:00"),
        ("19:30:05.25Z", "19:30:05.25Z"),
        ("19:30 UTC+2", "19:30:00+02:00"),
        ("19:30 CET", "19:30:00+01:00"),
        ("19:30+0530", "19:30:00+05:30"),
        ("7:00 – 9:00", "it has several values"),
        ("7.30", "there is no such value in it"),
        ("25:00", "there is no such value in it"),
        ("13 pm", "there is no such value in it"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    let moment = |text: &str| timestamp(text, &Convention::of(["5/23/19"])).map(|moment| moment.to_string());
    assert_eq!(moment("5/9/19-7pm"), Ok("2019-05-09T19:00:00".to_owned()));
    assert_eq!(moment("2019-05-09T19:00:00Z"), Ok("2019-05-09T19:00:00Z".to_owned()));
    assert_eq!(moment("5/9/19"), Err(Misread::NoTime));
    assert_eq!(moment("5/9/19, 7pm to 9pm"), Err(Misread::Several));
}

#[test]
fn texts_have_kinds() {
    for (text, expected) in [
        ("Thursday, May 9, 2019, 7:00 PM – 9:00 PM", "Date Time DateTime"),
        ("5/9/19-7pm", "Date Time DateTime"),
        ("2019-05-09T19:00:00Z", "Date Time DateTime"),
        ("9 de mayo de 2019 a las 19:00", "Date Time DateTime Text"),
        ("OCTOBER 24, 2016", "Date"),
        ("May 9", "Date"),
        ("Posted on May 9, 2019", "Date Text"),
        ("7:00 PM", "Time"),
        ("from 7pm to 9pm", "Time"),
        ("$15.38", "Price Decimal"),
        ("Our Price: $15.38", "Price Decimal Text"),
        ("$10 – $20", "Price Integer"),
        ("$12,590", "Price Integer"),
        ("2 for $5", "Price Integer Text"),
        ("50 %", "Percentage Integer"),
        ("12", "Integer"),
        ("1,234", "Integer Decimal"),
        ("4.5", "Decimal"),
        ("12 pages", "Integer Text"),
        ("3–5", "Integer"),
        ("(206) 367-2578", "Phone"),
        ("(1874–1927)", "Integer"),
        ("+49 30 1234567", "Phone"),
        ("Tel. 030 1234567", "Phone Text"),
        ("206-367-2578", "Phone"),
        ("https://example.org/a?b=1", "Link"),
        ("/pre/x.pdf", "Link"),
        ("/opinions/13-149, 13-227.pdf", "Link"),
        ("http://example.org/Nieto Memo 11-1124.pdf", "Link"),
        ("/img/kelp.PNG?w=3", "Link Image"),
        ("see https://example.org/", "Link Text"),
        ("mailto:a@example.org", "Link Email"),
        ("nick@ucd.ie", "Email"),
        ("Mail: nick@ucd.ie", "Email Text"),
        ("12 Main Street, Springfield", "Address Text"),
        ("Hauptstraße 5, 10115 Berlin", "Address Text"),
        ("5 rue de la Paix", "Address Text"),
        ("10 Oxbow Crescent, LAWNTON QLD 4501", "Address Text"),
        ("106 Lorimer Rd, Belmont,MA 02178-1004", "Address Text"),
        ("Ward Office, 4544 N. Broadway,", "Address Text"),
        ("1936 S. Michigan", "Address Text"),
        ("NIGHTMARE ON ELM STREET PART 2", "Text"),
        ("13TH STREET HOLDINGS", "Integer Text"),
        ("CC-12-1226", "Code"),
        ("23-2009", "Code"),
        ("06-50677", "Code"),
        ("139-2019", "Code"),
        ("101/2019", "Code"),
        ("D-139-2019", "Code"),
        ("DA - 1234 / 2018A", "Code"),
        ("2018 OK 1", "Code"),
        ("B00X4WHP5E", "Code"),
        ("978-0-306-40615-7", "Code"),
        ("192.168.1.1", "Code"),
        ("Ugo Liberatore", "Name Text"),
        ("Ludwig van Beethoven", "Name Text"),
        ("a plain text", "Text"),
        ("You may go out and set it.", "Text"),
        (
            "The minutes of the meeting on May 9, 2019 were approved by the board.",
            "Text",
        ),
        ("…", "Text"),
        ("", ""),
    ] {
        let found: Vec<String> = kinds(text).iter().map(|kind| format!("{kind:?}")).collect();
        assert_eq!(found.join(" "), expected, "{text:?}");
    }
    assert_eq!(kinds(&"word 12 ".repeat(1000)), [Kind::Text].into_iter().collect());
}
