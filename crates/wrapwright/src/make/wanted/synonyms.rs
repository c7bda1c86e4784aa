//! Words that mean the same, as pages and people use them: data.

use crate::record::values::Kind;
use page::titles::plain as plain_words;

/// Words that say nothing in a description.
pub(in crate::make) const EMPTY: &[&str] = &[
    "the", "a", "an", "of", "or", "and", "in", "on", "for", "to", "when", "that", "was", "is", "its", "this", "with",
    "by", "who", "which", "der", "die", "das", "des", "le", "la", "les", "de", "el", "und",
];

/// Something that people ask for.
pub(in crate::make) struct Concept {
    /// What they call it.
    asked: &'static [&'static str],
    /// What pages call it.
    pub(in crate::make) words: &'static [&'static str],
    /// What its values look like, if that tells anything.
    pub(in crate::make) kinds: &'static [Kind],
    /// Is it the name of the thing that a page is about?
    pub(in crate::make) titled: bool,
    /// Has it digits?
    pub(in crate::make) digits: bool,
    /// Values that it often has, in lower case.
    pub(in crate::make) values: &'static [&'static str],
    /// Is it a town, a region or a country?
    pub(in crate::make) is_place: bool,
    /// Words in a label that make it another thing of the same kind, unless they are asked for.
    pub(in crate::make) other: &'static [&'static str],
}

const fn plain(asked: &'static [&'static str], words: &'static [&'static str]) -> Concept {
    Concept {
        asked,
        words,
        kinds: &[],
        titled: false,
        digits: false,
        values: &[],
        is_place: false,
        other: &[],
    }
}

const fn of_kind(asked: &'static [&'static str], words: &'static [&'static str], kinds: &'static [Kind]) -> Concept {
    Concept {
        kinds,
        ..plain(asked, words)
    }
}

const fn of_values(
    asked: &'static [&'static str],
    words: &'static [&'static str],
    values: &'static [&'static str],
) -> Concept {
    Concept {
        values,
        ..plain(asked, words)
    }
}

const fn measure(asked: &'static [&'static str], words: &'static [&'static str]) -> Concept {
    Concept {
        digits: true,
        ..plain(asked, words)
    }
}

const GENRES: &[&str] = &[
    "action",
    "adventure",
    "animation",
    "biography",
    "comedy",
    "crime",
    "documentary",
    "drama",
    "family",
    "fantasy",
    "film noir",
    "history",
    "horror",
    "musical",
    "mystery",
    "romance",
    "sci fi",
    "science fiction",
    "sport",
    "suspense",
    "thriller",
    "war",
    "western",
    "komödie",
    "krimi",
    "dokumentarfilm",
    "comédie",
    "drame",
    "comedia",
    "terror",
    "commedia",
];

const CUISINES: &[&str] = &[
    "african",
    "american",
    "argentinian",
    "asian",
    "bakery",
    "bar",
    "barbecue",
    "bbq",
    "bistro",
    "brazilian",
    "breakfast",
    "burgers",
    "cafe",
    "cafés",
    "cajun",
    "californian",
    "caribbean",
    "chinese",
    "coffee",
    "contemporary",
    "continental",
    "creole",
    "cuban",
    "deli",
    "diner",
    "eclectic",
    "ethiopian",
    "european",
    "fast food",
    "french",
    "fusion",
    "german",
    "greek",
    "hamburgers",
    "indian",
    "international",
    "irish",
    "italian",
    "japanese",
    "korean",
    "latin",
    "latin american",
    "lebanese",
    "mediterranean",
    "mexican",
    "middle eastern",
    "moroccan",
    "nouvelle",
    "pan asian",
    "peruvian",
    "pizza",
    "polish",
    "portuguese",
    "pub",
    "russian",
    "sandwiches",
    "seafood",
    "soul food",
    "southern",
    "southwestern",
    "spanish",
    "steak",
    "steakhouse",
    "steakhouses",
    "steaks",
    "sushi",
    "tapas",
    "tex mex",
    "thai",
    "traditional",
    "turkish",
    "vegan",
    "vegetarian",
    "vietnamese",
    "italienisch",
    "chinesisch",
    "italienne",
    "italiana",
];

/// What is beside the price that one pays.
const OTHER_PRICES: &[&str] = &[
    "original",
    "was",
    "old",
    "former",
    "regular",
    "list",
    "retail",
    "msrp",
    "rrp",
    "invoice",
    "market",
    "combo",
    "bundle",
    "monthly",
    "payment",
    "shipping",
    "delivery",
    "handling",
    "tax",
    "save",
    "savings",
    "saving",
    "discount",
    "rebate",
    "deposit",
    "used",
    "statt",
    "uvp",
    "versand",
    "livraison",
    "envío",
    "antes",
    "spedizione",
];

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
    Concept {
        other: OTHER_PRICES,
        ..of_kind(
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
        )
    },
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
    of_values(
        &["genre", "category"],
        &["genre", "genres", "category", "categories", "style", "type"],
        GENRES,
    ),
    of_values(
        &["mpaa", "rated"],
        &["mpaa rating", "rating", "rated", "mpaa", "certification", "certificate"],
        &[
            "g",
            "pg",
            "pg13",
            "pg 13",
            "r",
            "nc17",
            "nc 17",
            "nr",
            "not rated",
            "unrated",
            "x",
        ],
    ),
    plain(
        &["rating", "score", "stars", "bewertung", "note"],
        &[
            "rating",
            "score",
            "stars",
            "average rating",
            "user rating",
            "bewertung",
            "note",
        ],
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
        &[
            "company",
            "employer",
            "organization",
            "organisation",
            "firma",
            "empresa",
        ],
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
    Concept {
        is_place: true,
        ..plain(
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
        )
    },
    of_values(
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
        CUISINES,
    ),
    of_values(
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
        &["public", "private", "nonprofit", "state"],
    ),
    plain(
        &["description", "summary"],
        &["description", "summary", "about", "overview", "details", "synopsis"],
    ),
];

/// The concept that a name means, or else its description.
pub(in crate::make) fn concept(own: &[String], described: &[String]) -> Option<&'static Concept> {
    find(own).or_else(|| find_first(described))
}

/// Is a field something that people ask for, by one of its labels or names, or by the share of values that are those of a concept?
pub(in crate::make) fn is_asked_for(labels: &[Vec<String>], share: impl Fn(&Concept) -> f64) -> bool {
    let is_name = |concept: &Concept| {
        concept.words.iter().any(|phrase| {
            let phrase = wrapper::profile::words(phrase);
            labels.contains(&phrase)
        })
    };
    let narrow = CONCEPTS.iter().filter(|concept| !concept.titled);
    let mut narrow = narrow.filter(|concept| is_name(concept) || !concept.values.is_empty() && share(concept) >= 0.5);
    narrow.next().is_some()
}

/// Is a text one of the values that a concept often has, alone or as the first of several?
pub(in crate::make) fn is_value(concept: &Concept, text: &str) -> bool {
    const LONGEST: usize = 80;
    if concept.values.is_empty() || text.len() > LONGEST {
        return false;
    }
    let first = text
        .split([',', '/', '|', ';', '(', '·', '•', '&'])
        .next()
        .unwrap_or(text);
    let words = plain_words(first);
    let one = words.split(' ').next().unwrap_or("");
    // A letter is a value only if it is alone.
    concept.values.contains(&words.as_str()) || one.len() > 2 && concept.values.contains(&one)
}

/// Does a text look like the name of a town with its region or country: capitalized words with commas between them?
pub(in crate::make) fn is_place_name(text: &str) -> bool {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_name = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        (1..=4).contains(&words.len()) && words[0].chars().next().is_some_and(char::is_uppercase) && !part.contains(':')
    };
    let digits = parts
        .iter()
        .take(parts.len().saturating_sub(1))
        .any(|part| part.contains(|c: char| c.is_ascii_digit()));
    (2..=4).contains(&parts.len()) && text.len() <= 80 && !digits && parts.iter().skip(1).all(|part| is_name(part))
}

/// "Company name" is about the company, so what is more than a name comes first; and the last word of a name is most often what
/// it is: a publication date is a date.
fn find(words: &[String]) -> Option<&'static Concept> {
    let by = |word: &String| CONCEPTS.iter().find(|concept| concept.asked.contains(&word.as_str()));
    let all: Vec<&Concept> = words.iter().rev().filter_map(by).collect();
    // What is known by its values is the narrower one: an MPAA rating is no rating by stars.
    let narrow = all.iter().find(|concept| !concept.values.is_empty() && !concept.titled);
    let narrow = narrow.or_else(|| all.iter().find(|concept| !concept.titled));
    narrow.or(all.first()).copied()
}

fn find_first(words: &[String]) -> Option<&'static Concept> {
    words
        .iter()
        .find_map(|word| CONCEPTS.iter().find(|concept| concept.asked.contains(&word.as_str())))
}
