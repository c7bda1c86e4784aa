//! Words that mean the same, as pages and people use them: data.

use crate::record::values::Kind;

/// Words that say nothing in a description.
pub(super) const EMPTY: &[&str] = &[
    "the", "a", "an", "of", "or", "and", "in", "on", "for", "to", "when", "that", "was", "is", "its", "this", "with",
    "by", "who", "which", "der", "die", "das", "des", "le", "la", "les", "de", "el", "und",
];

/// Something that people ask for.
pub(super) struct Concept {
    /// What they call it.
    asked: &'static [&'static str],
    /// What pages call it.
    pub(super) words: &'static [&'static str],
    /// What its values look like, if that tells anything.
    pub(super) kinds: &'static [Kind],
    /// Is it the name of the thing that a page is about?
    pub(super) titled: bool,
    /// Has it digits?
    pub(super) digits: bool,
}

const fn plain(asked: &'static [&'static str], words: &'static [&'static str]) -> Concept {
    Concept {
        asked,
        words,
        kinds: &[],
        titled: false,
        digits: false,
    }
}

const fn of_kind(asked: &'static [&'static str], words: &'static [&'static str], kinds: &'static [Kind]) -> Concept {
    Concept {
        kinds,
        ..plain(asked, words)
    }
}

const fn measure(asked: &'static [&'static str], words: &'static [&'static str]) -> Concept {
    Concept {
        digits: true,
        ..plain(asked, words)
    }
}

/// The concepts. One with all of its words in the name comes before one with a word in the description.
const CONCEPTS: &[Concept] = &[
    Concept {
        titled: true,
        ..plain(
            &["title", "name", "headline", "model", "titel", "titre", "nombre", "nome"],
            &[
                "title",
                "name",
                "headline",
                "product name",
                "model",
                "job title",
                "position",
                "item",
            ],
        )
    },
    of_kind(
        &["price", "cost", "preis", "prix", "precio", "prezzo", "preço"],
        &[
            "price",
            "our price",
            "list price",
            "msrp",
            "sale price",
            "cost",
            "retail price",
            "base price",
            "you pay",
            "preis",
            "prix",
            "precio",
            "prezzo",
            "preço",
            "amount",
            "invoice",
        ],
        &[Kind::Price],
    ),
    of_kind(
        &[
            "date",
            "published",
            "publication",
            "posted",
            "released",
            "release",
            "datum",
            "fecha",
            "data",
        ],
        &[
            "date",
            "published",
            "publication date",
            "pub date",
            "date published",
            "posted",
            "date posted",
            "posted on",
            "release date",
            "released",
            "updated",
            "last updated",
            "publish date",
            "erschienen",
            "fecha",
            "on sale",
        ],
        &[Kind::Date],
    ),
    of_kind(
        &["phone", "telephone", "tel", "telefon", "teléfono", "téléphone"],
        &[
            "phone",
            "telephone",
            "tel",
            "call",
            "contact",
            "phone number",
            "telefon",
        ],
        &[Kind::Phone],
    ),
    of_kind(
        &["website", "url", "homepage", "web", "site", "link"],
        &[
            "website",
            "web site",
            "url",
            "homepage",
            "home page",
            "web",
            "site",
            "visit",
            "web address",
        ],
        &[Kind::Link],
    ),
    of_kind(&["email", "mail"], &["email", "e mail", "mail"], &[Kind::Email]),
    of_kind(
        &["image", "picture", "photo"],
        &["image", "picture", "photo", "img", "thumbnail"],
        &[Kind::Image],
    ),
    of_kind(
        &["address", "adresse", "dirección"],
        &[
            "address",
            "street",
            "street address",
            "location",
            "adr",
            "adresse",
            "directions",
        ],
        &[Kind::Address],
    ),
    measure(&["isbn", "ean"], &["isbn", "isbn 13", "isbn13", "ean", "isbn 10"]),
    measure(&["height"], &["height", "ht", "height weight", "size"]),
    measure(&["weight"], &["weight", "wt", "height weight"]),
    measure(
        &["mileage", "economy", "mpg", "consumption"],
        &[
            "fuel economy",
            "mpg",
            "gas mileage",
            "epa mileage",
            "city hwy",
            "city highway",
            "mileage",
            "epa",
            "miles per gallon",
        ],
    ),
    measure(
        &["engine", "motor"],
        &[
            "engine",
            "motor",
            "engine type",
            "displacement",
            "base engine",
            "powertrain",
        ],
    ),
    plain(
        &["author", "writer", "autor", "auteur", "autore"],
        &[
            "author",
            "authors",
            "by",
            "writer",
            "written by",
            "autor",
            "auteur",
            "contributor",
            "creator",
        ],
    ),
    plain(
        &["publisher", "verlag", "editorial", "éditeur"],
        &[
            "publisher",
            "published by",
            "imprint",
            "verlag",
            "publishing",
            "editorial",
        ],
    ),
    plain(&["director"], &["director", "directors", "directed by", "regie", "dir"]),
    plain(
        &["genre", "category"],
        &["genre", "genres", "category", "categories", "style", "type"],
    ),
    plain(
        &["mpaa", "rating", "rated"],
        &["mpaa rating", "rating", "rated", "mpaa", "certification", "certificate"],
    ),
    plain(&["team", "club"], &["team", "club", "teams", "current team"]),
    plain(
        &["manufacturer", "brand", "maker", "hersteller", "marque", "marca"],
        &[
            "manufacturer",
            "brand",
            "maker",
            "made by",
            "make",
            "mfr",
            "mfg",
            "vendor",
            "brand name",
            "hersteller",
            "marque",
            "marca",
        ],
    ),
    plain(
        &["company", "employer", "organization"],
        &[
            "company",
            "employer",
            "company name",
            "organization",
            "hiring company",
            "recruiter",
            "advertiser",
            "firm",
        ],
    ),
    plain(
        &["location", "place", "city", "ort", "lieu", "lugar"],
        &[
            "location",
            "city",
            "place",
            "area",
            "job location",
            "work location",
            "where",
            "region",
            "state",
            "ort",
        ],
    ),
    plain(
        &["cuisine", "food"],
        &[
            "cuisine",
            "cuisines",
            "food",
            "type of food",
            "category",
            "categories",
            "food type",
        ],
    ),
    plain(
        &["type", "kind", "control", "sector"],
        &[
            "type",
            "kind",
            "control",
            "institution type",
            "school type",
            "affiliation",
            "sector",
            "institutional control",
            "classification",
            "public private",
        ],
    ),
    plain(
        &["description", "summary"],
        &["description", "summary", "about", "overview", "details", "synopsis"],
    ),
];

/// The concept that a name means, or else its description.
pub(super) fn concept(own: &[String], described: &[String]) -> Option<&'static Concept> {
    find(own).or_else(|| find_first(described))
}

/// "Company name" is about the company, so what is more than a name comes first; and the last word of a name is most often what
/// it is: a publication date is a date.
fn find(words: &[String]) -> Option<&'static Concept> {
    let by = |word: &String| CONCEPTS.iter().find(|concept| concept.asked.contains(&word.as_str()));
    let all: Vec<&Concept> = words.iter().rev().filter_map(by).collect();
    all.iter().find(|concept| !concept.titled).or(all.first()).copied()
}

fn find_first(words: &[String]) -> Option<&'static Concept> {
    words
        .iter()
        .find_map(|word| CONCEPTS.iter().find(|concept| concept.asked.contains(&word.as_str())))
}
