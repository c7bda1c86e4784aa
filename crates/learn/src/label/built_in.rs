//! The built-in recognizers: values that look the same all over the web.

use super::recognize::{Recognizer, RecognizerError, Scope};
use record::values::{is_isbn, is_phone};

const MONTH: &str = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const CURRENCY: &str = r"(?:[$€£¥₹]|(?:USD|EUR|GBP|JPY|CHF|AUD|CAD|NZD|SEK|NOK|DKK|US\$|AU?\$|CA?\$|NZ\$|Fr\.|kr)\b)";
const AMOUNT: &str = r"[0-9]{1,3}(?:[,.'  ][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9]+(?:[.,][0-9]{1,2})?";

/// The names, in the order in which they are listed.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    [
        "date", "time", "year", "price", "number", "percent", "phone", "email", "url", "isbn", "postcode", "country",
    ]
    .into_iter()
}

/// The recognizer with a name; `None` if there is no such recognizer.
pub(super) fn find(name: &str) -> Option<Result<Recognizer, RecognizerError>> {
    let text = |pattern: &str| Some(Recognizer::regex(pattern, Scope::Text));
    match name {
        "date" => text(&format!(
            r"(?i)\b(?:(?:[0-9]{{1,2}}(?:st|nd|rd|th)?[ .-]+)?{MONTH}\.?[ -]+[0-9]{{1,2}}(?:st|nd|rd|th)?,?[ -]+[0-9]{{4}}|[0-9]{{1,2}}(?:st|nd|rd|th)?[ .-]+{MONTH}\.?,?[ -]+(?:[0-9]{{4}}|[0-9]{{2}})|{MONTH}\.? [0-9]{{1,2}}(?:st|nd|rd|th)?|[0-9]{{4}}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}([-/.])[0-9]{{1,2}}[-/.](?:[0-9]{{4}}|[0-9]{{2}}))\b"
        ).replace("([-/.])", "[-/.]")),
        "time" => text(r"(?i)\b[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?: ?[ap]\.?m\b\.?)?"),
        "year" => text(r"\b(?:1[5-9]|20)[0-9]{2}\b"),
        "price" => text(&format!(r"{CURRENCY} ?(?:{AMOUNT})\b|\b(?:{AMOUNT}) ?{CURRENCY}")),
        "number" => text(r"[-+]?\b[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?\b|[-+]?\b[0-9]+(?:[.,][0-9]+)?\b"),
        "percent" => text(r"[-+]?\b[0-9]+(?:[.,][0-9]+)? ?%"),
        "phone" => Some(
            Recognizer::regex(r"(?:\+|\b|\()[0-9][0-9 ()./-]{5,18}[0-9]\b", Scope::Text)
                .map(|recognizer| recognizer.checked(is_phone)),
        ),
        "email" => text(r"\b[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"),
        "url" => Some(Recognizer::regex(
            r#"(?i)\b(?:href|src|action)\s*=\s*["']?\s*([^"'\s>]+)"#,
            Scope::Source,
        )),
        "isbn" => Some(
            Recognizer::regex(r"\b[0-9][0-9 -]{8,15}[0-9Xx]\b", Scope::Text)
                .map(|recognizer| recognizer.checked(is_isbn)),
        ),
        "postcode" => text(
            r"\b(?:[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]|[0-9]{4} [A-Z]{2}|[0-9]{4})\b",
        ),
        "country" => Some(Recognizer::words(COUNTRIES.split(';'), Scope::Text)),
        _ => None,
    }
}

/// Countries by their usual English names.
const COUNTRIES: &str = "Afghanistan;Albania;Algeria;Andorra;Angola;Antigua and Barbuda;Argentina;Armenia;Australia;Austria;\
Azerbaijan;Bahamas;Bahrain;Bangladesh;Barbados;Belarus;Belgium;Belize;Benin;Bhutan;Bolivia;Bosnia and Herzegovina;Botswana;\
Brazil;Brunei;Bulgaria;Burkina Faso;Burma;Burundi;Cambodia;Cameroon;Canada;Cape Verde;Cabo Verde;Central African Republic;\
Chad;Chile;China;Colombia;Comoros;Congo;Democratic Republic of the Congo;Republic of the Congo;Costa Rica;Côte d'Ivoire;\
Ivory Coast;Croatia;Cuba;Cyprus;Czech Republic;Czechia;Denmark;Djibouti;Dominica;Dominican Republic;East Timor;Timor-Leste;\
Ecuador;Egypt;El Salvador;Equatorial Guinea;Eritrea;Estonia;Eswatini;Swaziland;Ethiopia;Fiji;Finland;France;Gabon;Gambia;\
Georgia;Germany;Ghana;Greece;Grenada;Guatemala;Guinea;Guinea-Bissau;Guyana;Haiti;Honduras;Hong Kong;Hungary;Iceland;India;\
Indonesia;Iran;Iraq;Ireland;Israel;Italy;Jamaica;Japan;Jordan;Kazakhstan;Kenya;Kiribati;Kosovo;Kuwait;Kyrgyzstan;Laos;Latvia;\
Lebanon;Lesotho;Liberia;Libya;Liechtenstein;Lithuania;Luxembourg;Macedonia;North Macedonia;Madagascar;Malawi;Malaysia;\
Maldives;Mali;Malta;Marshall Islands;Mauritania;Mauritius;Mexico;Micronesia;Moldova;Monaco;Mongolia;Montenegro;Morocco;\
Mozambique;Myanmar;Namibia;Nauru;Nepal;Netherlands;The Netherlands;New Zealand;Nicaragua;Niger;Nigeria;North Korea;Norway;\
Oman;Pakistan;Palau;Palestine;Panama;Papua New Guinea;Paraguay;Peru;Philippines;Poland;Portugal;Puerto Rico;Qatar;Romania;\
Russia;Russian Federation;Rwanda;Saint Kitts and Nevis;Saint Lucia;Saint Vincent and the Grenadines;Samoa;San Marino;\
São Tomé and Príncipe;Saudi Arabia;Senegal;Serbia;Seychelles;Sierra Leone;Singapore;Slovakia;Slovenia;Solomon Islands;\
Somalia;South Africa;South Korea;South Sudan;Spain;Sri Lanka;Sudan;Suriname;Sweden;Switzerland;Syria;Taiwan;Tajikistan;\
Tanzania;Thailand;Togo;Tonga;Trinidad and Tobago;Tunisia;Turkey;Türkiye;Turkmenistan;Tuvalu;Uganda;Ukraine;\
United Arab Emirates;United Kingdom;United States;United States of America;Uruguay;Uzbekistan;Vanuatu;Vatican City;\
Venezuela;Vietnam;Viet Nam;Yemen;Zambia;Zimbabwe";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finds_what_it_is_named_for() {
        for (name, page, expected) in [
            (
                "date",
                "<p>2026-11-15, 15/11/2026, 15.11.26<p>Nov. 15, 2026 or 15th November 2026<p>May 3<p>12-345 <p>3 May 97",
                "2026-11-15|15/11/2026|15.11.26|Nov. 15, 2026|15th November 2026|May 3|3 May 97",
            ),
            (
                "time",
                "<p>at 10:25:07 AM or 9:30 p.m.<p>23:59",
                "10:25:07 AM|9:30 p.m.|23:59",
            ),
            ("year", "<p>1997, 2026 and 12345", "1997|2026"),
            (
                "price",
                "<p>$1,200.50<p>12,99 € <p>USD 7<p>7 apples",
                "$1,200.50|12,99 €|USD 7",
            ),
            ("number", "<p>1,200.50 and -3 or 2.5 x7", "1,200.50|-3|2.5"),
            ("percent", "<p>2.5% of 40 %, 7", "2.5%|40 %"),
            (
                "phone",
                "<p>(206) 367-2578<p>+49 30 1234567<p>1234567<p>12-34",
                "(206) 367-2578|+49 30 1234567",
            ),
            (
                "email",
                "<p>nick@ucd.ie, x@y<p>a.b-c@d.example.org",
                "nick@ucd.ie|a.b-c@d.example.org",
            ),
            (
                "url",
                "<a class=x href='/a?b=1'>http</a><img src=i.png>",
                "/a?b=1|i.png",
            ),
            (
                "isbn",
                "<p>0-306-40615-2<p>978-0-306-40615-7<p>0-306-40615-3",
                "0-306-40615-2|978-0-306-40615-7",
            ),
            (
                "postcode",
                "<p>98101-1234<p>SW1A 1AA<p>K1A 0B1",
                "98101-1234|SW1A 1AA|K1A 0B1",
            ),
            (
                "country",
                "<td>Congo<td>Guinea-Bissau<td>Perugia, Peru",
                "Congo|Guinea-Bissau|Peru",
            ),
        ] {
            let recognizer = Recognizer::built_in(name).expect("it is there");
            let texts: Vec<&str> = recognizer.find(page).into_iter().map(|range| &page[range]).collect();
            assert_eq!(texts.join("|"), expected, "{name}");
        }
        assert_eq!(names().count(), 12);
    }
}
