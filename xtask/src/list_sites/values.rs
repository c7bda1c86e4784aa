//! The values of made-up records: kinds of fields, and texts as pages have them.

use xtask::random::Random;

/// What a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Title,
    Date,
    Time,
    Price,
    Person,
    Place,
    Status,
    Code,
    Number,
    Description,
    Tags,
    Image,
    Agenda,
    Minutes,
}

/// Those that a site may draw beside its title.
pub(super) const KINDS: [Kind; 13] = [
    Kind::Date,
    Kind::Time,
    Kind::Price,
    Kind::Person,
    Kind::Place,
    Kind::Status,
    Kind::Code,
    Kind::Number,
    Kind::Description,
    Kind::Tags,
    Kind::Image,
    Kind::Agenda,
    Kind::Minutes,
];

impl Kind {
    /// The name of its column, or its label.
    pub(super) fn label(self) -> &'static str {
        match self {
            Kind::Title => "Title",
            Kind::Date => "Date",
            Kind::Time => "Time",
            Kind::Price => "Price",
            Kind::Person => "Contact",
            Kind::Place => "Location",
            Kind::Status => "Status",
            Kind::Code => "Reference",
            Kind::Number => "Views",
            Kind::Description => "Summary",
            Kind::Tags => "Topics",
            Kind::Image => "Photo",
            Kind::Agenda => "Agenda",
            Kind::Minutes => "Minutes",
        }
    }

    /// Are its texts told from those of other kinds by how they are written?
    pub(super) fn is_told(self) -> bool {
        !matches!(
            self,
            Kind::Title | Kind::Person | Kind::Place | Kind::Status | Kind::Description
        )
    }

    /// Is the value a text, not an address?
    pub(super) fn is_text(self) -> bool {
        !matches!(self, Kind::Image | Kind::Agenda | Kind::Minutes)
    }
}

const ADJECTIVES: &str =
    "Annual|Public|Quiet|Northern|Open|Green|Regional|Early|Special|Modern|Joint|Hidden|Late|Coastal|Small|Second";
const NOUNS: &str = "Budget|Garden|Harbour|Library|Council|Bridge|Orchard|Market|School|River|Theatre|Transport|Housing|Forest|Museum|Planning|Festival|Water|History|Music";
const ENDS: &str = "Review|Committee|Workshop|Report|Project|Meeting|Walk|Guide|Concert|Plan|Survey|Hearing";
const FIRST: &str = "Ann|Bob|Carla|David|Elena|Frank|Grace|Hugo|Irene|Jack|Karen|Luis|Maria|Nils";
const LAST: &str = "Smith|Keller|Novak|Brown|Rossi|Meyer|Young|Garcia|Olsen|Clark|Dubois|Ward|Lopez|Hall";
const PLACES: &str = "City Hall|Main Library|Room 12|Town Hall, Room 3|Riverside Park|Civic Center|Oak Street School|Old Mill|Harbour House, Floor 2|Station Square";
const STATUS: &str = "Open|Closed|Pending|Approved|Under review";
const TAGS: &str = "water|roads|parks|music|housing|schools|health|energy";
const VERBS: &str = "discusses|presents|follows|explains|opens|compares|supports|visits";
const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";
const DAYS: &str = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday";

/// One of the words.
pub(super) fn word(words: &'static str, random: &mut Random) -> &'static str {
    let words: Vec<&'static str> = words.split('|').collect();
    let word: &&str = random.pick(&words);
    word
}

/// How the texts of a site are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) date: usize,
    pub(super) price: usize,
    pub(super) code: usize,
    pub(super) time: usize,
    /// A sign that titles may have in them.
    pub(super) sign: Option<&'static str>,
}

impl Style {
    pub(super) fn draw(random: &mut Random) -> Style {
        Style {
            date: random.below(6),
            price: random.below(3),
            code: random.below(3),
            time: random.below(3),
            sign: None,
        }
    }

    /// A value of a kind: the text, or the address of a link or picture.
    pub(super) fn value(&self, kind: Kind, random: &mut Random) -> String {
        let number = 1000 + random.below(9000);
        match kind {
            Kind::Title => self.title(random),
            Kind::Date => self.date(random),
            Kind::Time => {
                let (hour, minute) = (1 + random.below(11), ["00", "15", "30", "45"][random.below(4)]);
                match self.time {
                    0 => format!("{hour}:{minute} PM"),
                    1 => format!("{}:{minute}", hour + 11),
                    _ => format!("{hour}:{minute} p.m."),
                }
            }
            Kind::Price => {
                let (whole, cents) = (1 + random.below(90), 10 + random.below(90));
                match self.price {
                    0 => format!("${whole}.{cents}"),
                    1 => format!("{whole},{cents} €"),
                    _ => format!("£{whole},{}.00", 100 + random.below(900)),
                }
            }
            Kind::Person => format!("{} {}", word(FIRST, random), word(LAST, random)),
            Kind::Place => word(PLACES, random).to_owned(),
            Kind::Status => word(STATUS, random).to_owned(),
            Kind::Code => match self.code {
                0 => format!("2024-{number}"),
                1 => format!("A-{number}"),
                _ => format!("RFQ {number}"),
            },
            Kind::Number => match random.chance(30) {
                true => format!("{},{}", 1 + random.below(20), 100 + random.below(900)),
                false => (2 + random.below(900)).to_string(),
            },
            Kind::Description => {
                let sentence = |random: &mut Random| {
                    let (noun, other) = (word(NOUNS, random).to_lowercase(), word(NOUNS, random).to_lowercase());
                    let (first, last) = (
                        word(ADJECTIVES, random).to_lowercase(),
                        word(ENDS, random).to_lowercase(),
                    );
                    format!("The {noun} group {} the {first} {other} {last}.", word(VERBS, random))
                };
                let count = 1 + random.below(3);
                (0..count).map(|_| sentence(random)).collect::<Vec<_>>().join(" ")
            }
            Kind::Tags => {
                let (first, count) = (random.below(6), 1 + random.below(3));
                TAGS.split('|').skip(first).take(count).collect::<Vec<_>>().join(" ")
            }
            Kind::Image => format!("/img/{number}.jpg"),
            Kind::Agenda => format!("/files/agenda-{number}.pdf"),
            Kind::Minutes => format!("/files/minutes-{number}.pdf"),
        }
    }

    fn title(&self, random: &mut Random) -> String {
        let (noun, end) = (word(NOUNS, random), word(ENDS, random));
        let number = 2 + random.below(90);
        match (random.below(5), self.sign) {
            (0, Some(sign)) => format!("{noun} {end}{sign}{} {}", word(ADJECTIVES, random), word(NOUNS, random)),
            (0 | 1, _) => format!("{noun} {end} {number}"),
            (2, _) => format!(
                "{} {noun} {end} and {} {}",
                word(ADJECTIVES, random),
                word(NOUNS, random),
                word(ENDS, random)
            ),
            (3, _) => format!("{} {noun} in the {}", word(ADJECTIVES, random), word(NOUNS, random)),
            _ => format!("{} {noun} {end}", word(ADJECTIVES, random)),
        }
    }

    fn date(&self, random: &mut Random) -> String {
        let (day, month, year) = (1 + random.below(28), random.below(12), 2021 + random.below(5));
        let name = MONTHS.split('|').nth(month).unwrap_or_default();
        match self.date {
            0 => format!("{name} {day}, {year}"),
            1 => format!("{day:02}.{:02}.{year}", month + 1),
            2 => format!("{year}-{:02}-{day:02}", month + 1),
            3 => format!("{}/{day}/{year}", month + 1),
            4 => format!("{}, {name} {day}, {year}", word(DAYS, random)),
            _ => format!("{day} {} {year}", &name[..3]),
        }
    }
}

/// What stands above a group of records.
pub(super) fn heading(number: usize, random: &mut Random) -> String {
    let year = 2021 + random.below(5);
    let month = MONTHS.split('|').nth((number * 5 + year) % 12);
    format!("{} {year}", month.unwrap_or_default())
}
