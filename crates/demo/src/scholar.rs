//! Citeseek: the paper search of Fig. 2 in the OXPath paper, with its citation graph.
//!
//! Papers are numbered by year and cite only earlier ones, so following "Cited by" always comes to an end.

use crate::chance::Chance;
use crate::html::{Part, Text, address, missing, page};
use crate::people;
use crate::server::{Request, Response};
use std::fmt::Write;
use std::sync::LazyLock;

/// A paper.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its rank by time.
    pub id: usize,
    /// Title.
    pub title: String,
    /// Authors, as `A Merrow, J Thule`.
    pub authors: String,
    /// Journal or conference.
    pub venue: &'static str,
    /// When it appeared.
    pub year: usize,
    /// A first sentence.
    pub summary: String,
    /// The papers that cite it, oldest first.
    pub cited_by: Vec<usize>,
}

/// The number of papers on a page of results.
pub const PER_PAGE: usize = 10;

const TOPICS: [(&str, usize); 8] = [
    ("the world wide web", 34),
    ("Seattle", 14),
    ("wrapper induction", 22),
    ("urban rainfall", 18),
    ("tidal estuaries", 16),
    ("bicycle traffic", 18),
    ("bread fermentation", 14),
    ("choir acoustics", 12),
];

const OPENERS: [&str; 14] = [
    "The diameter of {}",
    "On the growth of {}",
    "Measuring {}",
    "A field study of {}",
    "Patterns in {}",
    "What we still do not know about {}",
    "Sampling {}",
    "A long view of {}",
    "Visualising {}",
    "Small worlds in {}",
    "Rethinking {}",
    "Searching {}",
    "An atlas of {}",
    "Models of {}",
];

const CLOSERS: [&str; 9] = [
    "",
    ": a survey",
    ": evidence from ten years of data",
    ", revisited",
    ": methods and pitfalls",
    " at scale",
    ": a replication",
    " with incomplete observations",
    ": an open data set",
];

const VENUES: [&str; 8] = [
    "Annals of Applied Curiosity",
    "Journal of Slow Computing",
    "Proceedings of the Harbour Workshop",
    "Letters in Measurement",
    "Transactions on Everyday Systems",
    "Northern Review of Science",
    "Symposium on Maps and Graphs",
    "Quarterly of Field Methods",
];

const SUMMARIES: [&str; 6] = [
    "We collect observations of {} over several years and show that the usual estimates are too low.",
    "This paper asks how {} can be described by a model with three parameters, and where that model fails.",
    "Earlier work on {} relied on samples of convenience. We repeat it with a random one.",
    "We present a simple procedure for {} and compare it with five others on public data.",
    "A review of two hundred studies of {} finds that few of them report their methods in full.",
    "We describe an unexpected regularity in {} and offer two explanations for it.",
];

static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    let mut chance = Chance::new(2);
    let mut papers = Vec::new();
    for (topic, count) in TOPICS {
        let mut titles: Vec<String> = (OPENERS.iter())
            .flat_map(|opener| {
                CLOSERS
                    .iter()
                    .map(move |closer| format!("{}{closer}", opener.replace("{}", topic)))
            })
            .collect();
        chance.shuffle(&mut titles);
        for title in titles.into_iter().take(count) {
            let authors: Vec<String> = (0..chance.between(1, 4)).map(|_| people::cited(&mut chance)).collect();
            papers.push((
                topic,
                Paper {
                    id: 0,
                    title,
                    authors: authors.join(", "),
                    venue: chance.pick(&VENUES),
                    year: chance.between(1994, 2024),
                    summary: chance.pick(&SUMMARIES).replace("{}", topic),
                    cited_by: Vec::new(),
                },
            ));
        }
    }
    chance.shuffle(&mut papers);
    papers.sort_by_key(|(_, paper)| paper.year);
    for citing in 1..papers.len() {
        papers[citing].1.id = citing;
        let topic = papers[citing].0;
        let mut cited = Vec::new();
        for _ in 0..chance.between(4, 16) {
            let candidate = chance.below(citing);
            // Mostly papers of the same field.
            if papers[candidate].0 == topic || chance.below(8) == 0 {
                cited.push(candidate);
            }
        }
        // And the papers that everyone in the field cites.
        cited.extend((0..citing).find(|cited| papers[*cited].0 == topic));
        cited.sort_unstable();
        cited.dedup();
        for cited in cited {
            papers[cited].1.cited_by.push(citing);
        }
    }
    papers.into_iter().map(|(_, paper)| paper).collect()
});

/// All papers, oldest first.
#[must_use]
pub fn all() -> &'static [Paper] {
    &PAPERS
}

/// The papers that have all these words in their titles, in the order of the list: most cited first.
#[must_use]
pub fn matching(words: &str) -> Vec<&'static Paper> {
    let words = words.to_lowercase();
    let mut found: Vec<&Paper> = (all().iter())
        .filter(|paper| {
            let title = paper.title.to_lowercase();
            words.split_whitespace().all(|word| title.contains(word))
        })
        .collect();
    found.sort_by_key(|paper| std::cmp::Reverse(paper.cited_by.len()));
    found
}

/// The papers that cite a paper, in the order of the list.
#[must_use]
pub fn citing(paper: &Paper) -> Vec<&'static Paper> {
    paper.cited_by.iter().map(|id| &all()[*id]).collect()
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    match rest {
        "" => page("scholar", "Citeseek", &front()),
        "search" => {
            let words = request.value("q").unwrap_or("");
            list(&matching(words), "Papers", ("q", words), words, request)
        }
        "cited" => {
            let id = request.value("of").unwrap_or("");
            match id.parse::<usize>().ok().and_then(|id| all().get(id)) {
                Some(paper) => {
                    let heading = format!("Papers that cite “{}”", paper.title);
                    list(&citing(paper), &heading, ("of", id), "", request)
                }
                None => missing("scholar"),
            }
        }
        _ => match rest.strip_prefix("paper/").and_then(|id| id.parse::<usize>().ok()) {
            Some(id) if id < all().len() => detail(&all()[id]),
            _ => missing("scholar"),
        },
    }
}

fn form(words: &str) -> String {
    format!(
        "<form class=\"bar\" action=\"/scholar/search\">\n<input type=\"search\" name=\"q\" value=\"{}\" \
         aria-label=\"Words\">\n<input type=\"submit\" value=\"Search\">\n</form>\n",
        Text(words)
    )
}

fn front() -> String {
    let mut out = String::from("<h1>Citeseek</h1>\n<p class=\"lead\">Papers, and the papers that cite them.</p>\n");
    out += &form("");
    out += "<ul class=\"tags\">\n";
    for (topic, _) in TOPICS {
        let href = address("/scholar/search", [("q", topic)]);
        let _ = writeln!(out, "<li><a href=\"{}\">{topic}</a></li>", Text(&href));
    }
    out + "</ul>\n"
}

fn list(papers: &[&Paper], heading: &str, asked: (&str, &str), words: &str, request: &Request) -> Response {
    let part = Part::of(papers, PER_PAGE, request.value("page"));
    let mut out = form(words);
    let _ = write!(
        out,
        "<h1>{}</h1>\n<p class=\"count\">{} results, page {} of {}</p>\n",
        Text(heading),
        papers.len(),
        part.page,
        part.pages
    );
    for paper in part.items {
        let _ = write!(
            out,
            "<div class=\"gs_r\">\n<h3><a href=\"/scholar/paper/{}\">{}</a></h3>\n<div class=\"gs_a\">{} - {}, {}</div>\n\
             <p>{}</p>\n",
            paper.id,
            Text(&paper.title),
            Text(&paper.authors),
            Text(paper.venue),
            paper.year,
            Text(&paper.summary)
        );
        if !paper.cited_by.is_empty() {
            let _ = writeln!(
                out,
                "<p class=\"gs_fl\"><a href=\"/scholar/cited?of={}\">Cited by {}</a></p>",
                paper.id,
                paper.cited_by.len()
            );
        }
        out += "</div>\n";
    }
    let path = &request.path;
    out += &part.pager(path, &[asked]);
    page("scholar", "Citeseek", &out)
}

fn detail(paper: &Paper) -> Response {
    let main = format!(
        "<h1>{}</h1>\n<p class=\"gs_a\">{}</p>\n<p><i>{}</i>, {}</p>\n<h2>Abstract</h2>\n<p>{}</p>\n",
        Text(&paper.title),
        Text(&paper.authors),
        Text(paper.venue),
        paper.year,
        Text(&paper.summary)
    );
    page("scholar", &paper.title, &main)
}
