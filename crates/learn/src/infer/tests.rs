//! Inference on made-up pages.

use super::*;
use wrapper::rule::Event;
use wrapper::rule::landmark::Run;

fn pages(sources: &[&str]) -> Vec<Page> {
    sources
        .iter()
        .map(|html| Page::parse(html.as_bytes(), &Default::default()).unwrap())
        .collect()
}

fn values(inferred: &Inferred, page: &str) -> Vec<(String, String)> {
    let page = &pages(&[page])[0];
    let events = Run::new(&inferred.rule).page(page, false);
    let value = |event| match event {
        Event::Value { field, text, .. } => Some((inferred.rule.fields[field as usize].name.clone(), text)),
        _ => None,
    };
    events.into_iter().filter_map(value).collect()
}

#[test]
fn labels_lists_and_missing_parts() {
    let sources = [
        "<h1>Alien</h1><p><b>Director:</b> <a>Scott</a></p><p><b>Year:</b> 1979</p><ul><li>a<li>b</ul>",
        "<h1>Solaris</h1><p><b>Director:</b> <a>Tarkovsky</a></p><p><b>Year:</b> 1972</p><ul><li>c<li>d<li>e</ul>",
        "<h1>Stalker</h1><p><b>Director:</b> <a>Andrei</a></p><ul><li>f</ul>",
        "<h1>Matrix</h1><p><b>Director:</b> <a>Lana</a>, <a>Lilly</a></p><p><b>Year:</b> 1999</p><ul><li>g<li>h</ul>",
    ];
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let found = values(&inferred, sources[3]);
    assert!(!found.is_empty(), "{inferred:?}");
    let of = |name: &str| {
        found
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("title"), ["Matrix"]);
    assert_eq!(of("director"), ["Lana", "Lilly"], "{found:?}");
    assert_eq!(of("year"), ["1999"]);
    let unseen = "<h1>Dune</h1><p><b>Year:</b> 1984</p><ul><li>x<li>y</ul>";
    let found = values(&inferred, unseen);
    assert!(found.contains(&("year".to_owned(), "1984".to_owned())), "{found:?}");
    assert!(found.iter().all(|(name, _)| name != "director"), "{found:?}");
}

#[test]
fn the_same_pages_give_the_same_rule() {
    let sources = [
        "<p class=a>x<p>y<p>Price: 1",
        "<p class=a>z<p>w<p>Price: 2",
        "<p class=a>v<p>Price: 3",
    ];
    let pages = pages(&sources);
    let pages: Vec<&Page> = pages.iter().collect();
    for objective in [Objective::Records, Objective::Tokens] {
        for search in [Search::Astar, Search::GreedyInf, Search::GreedyRnd, Search::Random] {
            let settings = LandmarkSettings {
                objective,
                search,
                ..LandmarkSettings::default()
            };
            assert_eq!(
                infer(&pages, &settings).unwrap().rule,
                infer(&pages, &settings).unwrap().rule
            );
        }
    }
}

#[test]
fn bad_input_is_told() {
    let two = pages(&["", "<p>"]);
    let same = pages(&["<p>a", "<p>a"]);
    let infer = |pages: &[Page]| infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).map(|_| ());
    assert_eq!(infer(&two[..1]), Err(InferError::TooFew(1)));
    assert_eq!(infer(&two), Err(InferError::NoText));
    assert_eq!(infer(&same), Err(InferError::Identical));
}

/// The least cost of a region set by trying every landmark everywhere, without bound or memo.
fn exhaustive(texts: &[Vec<&str>], k: usize) -> usize {
    let size: usize = texts.iter().map(Vec::len).sum();
    let mut words: Vec<&str> = texts.iter().flatten().copied().collect();
    words.sort_unstable();
    words.dedup();
    let mut best = None;
    for word in words {
        let counts: Vec<usize> = texts
            .iter()
            .map(|text| text.iter().filter(|w| **w == word).count())
            .collect();
        if counts.iter().any(|count| *count > 1) || counts.iter().filter(|count| **count == 1).count() < k {
            continue;
        }
        let (mut left, mut right, mut cost) = (Vec::new(), Vec::new(), 0);
        for text in texts {
            match text.iter().position(|w| *w == word) {
                Some(at) => {
                    left.push(text[..at].to_vec());
                    right.push(text[at + 1..].to_vec());
                }
                None => cost += text.len(),
            }
        }
        cost += exhaustive(&left, k) + exhaustive(&right, k);
        best = Some(best.map_or(cost, |best: usize| best.min(cost)));
    }
    best.unwrap_or(size)
}

#[test]
fn the_search_finds_the_optimum() {
    // Random texts over few words: landmarks that cross, repeat and are missing.
    let mut seed = 7u64;
    let mut below = |n: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let words = ["a", "b", "c", "d", "e", "f", "g"];
    let mut greedy_loses = 0;
    for round in 0..400 {
        let k = 1 + (round % 3);
        let texts: Vec<Vec<&str>> = (0..2 + below(3))
            .map(|_| {
                (0..below(8))
                    .map(|_| words[below(words.len() as u64) as usize])
                    .collect()
            })
            .collect();
        let sources: Vec<String> = texts.iter().map(|text| text.join(" ")).collect();
        let pages: Vec<Page> = sources
            .iter()
            .map(|text| Page::parse(text.as_bytes(), &Default::default()).unwrap())
            .collect();
        let pages: Vec<&Page> = pages.iter().collect();
        let settings = LandmarkSettings {
            objective: Objective::Tokens,
            k: Some(k),
            lattice: false,
            ..LandmarkSettings::default()
        };
        let site = site::Site::new(&pages, Grain::Words, &settings);
        let outcome = ksep::infer(&site, &settings);
        assert!(outcome.exact);
        // html, head and body are landmarks of every page if enough pages have them.
        let tags = if pages.len() >= k { 0 } else { 6 * pages.len() };
        let expected = (exhaustive(&texts, k) + tags) as u64;
        assert_eq!(outcome.cost, expected, "{texts:?}, k = {k}");
        let greedy = ksep::infer(
            &site,
            &LandmarkSettings {
                search: Search::GreedyInf,
                ..settings
            },
        );
        assert!(greedy.cost >= expected);
        greedy_loses += u32::from(greedy.cost > expected);
    }
    assert!(
        greedy_loses > 0,
        "the cases are too easy to tell the search from a greedy one"
    );
}

#[test]
fn a_doubled_landmark_spoils_its_own_region_only() {
    let sources = [
        "<b>T</b> x <i>u</i> <hr> p <u>q</u>",
        "<b>T</b> y <i>v</i> <hr> r <u>s</u>",
    ];
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let whole = values(&inferred, "<b>T</b> z <i>w</i> <hr> m <u>n</u>");
    let spoiled = values(&inferred, "<b>T</b> z <i>w</i> <i>w</i> <hr> m <u>n</u>");
    let behind = |values: &[(String, String)]| values.iter().filter(|(_, text)| text == "m" || text == "n").count();
    assert_eq!(behind(&whole), 2);
    assert_eq!(behind(&spoiled), 2, "{spoiled:?}");
}

/// Values of a small set, which many pages share, in a fixed order: each occurs once in many regions, as a label does.
#[test]
fn values_of_a_set_are_no_landmarks() {
    let genres = [
        "Action", "Comedy", "Drama", "Epic", "Farce", "Gore", "Horror", "Jazz", "Noir", "War",
    ];
    let sources: Vec<String> = (0..40u32)
        .map(|number| {
            let chosen = (0..10).filter(|genre| (number * 25 + 3) >> genre & 1 == 1);
            let items: Vec<String> = chosen.map(|genre| format!("{}<br>", genres[genre])).collect();
            format!("<h1>t{number}</h1><p><b>Genres:</b><br>{}</p>", items.concat())
        })
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let found = values(
        &inferred,
        "<h1>x</h1><p><b>Genres:</b><br>Action<br>Drama<br>War<br></p>",
    );
    let genres: Vec<&str> = found
        .iter()
        .filter(|(name, _)| name == "genres")
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(genres, ["Action", "Drama", "War"], "{found:?}");
}

#[test]
fn what_is_said_twice_is_one_field() {
    let makers = ["Canon", "Nikon", "Sony", "Leica", "Pentax", "Olympus", "Ricoh", "Kodak"];
    let page = |number: usize, maker: &str| {
        format!(
            "<h1>{maker}</h1><p>Price: <b>{number}.50</b></p><table><tr><td>Maker<td>{maker}<tr><td>Company<td>{maker}, Inc\
             <tr><td>Zeros<td>{}<tr><td>More zeros<td>{}</table>",
            number / 8,
            number / 8
        )
    };
    let sources: Vec<String> = (0..16).map(|number| page(number, makers[number % 8])).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let found = values(&inferred, &page(9, "Nikon"));
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let expected = [
        ("maker", "Nikon"),
        ("maker_mentions", "Nikon"),
        ("price", "9.50"),
        ("company", "Nikon, Inc"),
        ("maker_mentions", "Nikon, Inc"),
        ("zeros", "1"),
        ("more_zeros", "1"),
    ];
    assert_eq!(found, expected);
    // Without the first mention, the second is used.
    let other = page(9, "Nikon").replace("<h1>Nikon</h1>", "");
    assert!(values(&inferred, &other).contains(&("maker".to_owned(), "Nikon".to_owned())));
}

#[test]
fn values_are_called_after_their_rows_or_columns() {
    let page = |n: u32| {
        format!(
            "<h1>t{n}</h1><table><tr><td>Height<td>{n} cm<tr><td>Weight<td>{} kg</table>\
             <table><tr><th>Games<th>Points</tr><tr><td>{}<td>{}</tr></table>",
            n * 2,
            n * 3,
            n * 5
        )
    };
    let sources: Vec<String> = (1..6).map(page).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let names: Vec<&str> = inferred.rule.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["title", "height", "weight", "games", "points"]);
}

#[test]
fn pages_of_two_templates_are_two_groups() {
    let film = |n: u32| format!("<div class=film><h1 class=t>f{n}</h1><p class=d>d{n}</p></div>");
    let shop = |n: u32| format!("<table class=shop><tr class=row><td class=cell>s{n}</td></tr></table>");
    let sources = [film(1), shop(1), film(2), film(3), shop(2)];
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let groups = clusters(&pages.iter().collect::<Vec<_>>());
    assert_eq!(groups, [vec![0, 2, 3], vec![1, 4]]);
    assert!(clusters(&[]).is_empty());
}

#[test]
fn attributes_that_are_asked_for_are_fields() {
    let page = |n: u32| format!("<h1>t{n}</h1><a class=more href='/l{n}'>more</a><img class=p src='p{n}' alt='a{n}'>");
    let sources: Vec<String> = (0..4).map(page).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let settings = LandmarkSettings {
        values: ["href", "src"].map(str::to_owned).to_vec(),
        ..LandmarkSettings::default()
    };
    let found = |settings: &LandmarkSettings| {
        let inferred = infer(&pages.iter().collect::<Vec<_>>(), settings).unwrap();
        let texts = values(&inferred, &page(7)).into_iter().map(|(_, text)| text);
        texts.collect::<Vec<String>>()
    };
    assert_eq!(found(&settings), ["t7", "/l7", "p7"]);
    assert_eq!(found(&LandmarkSettings::default()), ["t7", "a7"]);
}

#[test]
fn of_many_fields_the_best_are_kept() {
    // A table of forty rows that all pages have, and four hundred that one page in eight has.
    let source = |number: usize| {
        let usual = (0..40).map(|row| format!("<tr><th>Usual {row}:<td>{}</tr>", number * 100 + row));
        let rare = (0..400).filter(|row| row % 8 == number % 8);
        let rare = rare.map(|row| format!("<tr><th>Rare {row}:<td>{}</tr>", number * 1_000 + row));
        format!(
            "<h1>Thing {number}</h1><table>{}</table>",
            usual.chain(rare).collect::<String>()
        )
    };
    let sources: Vec<String> = (0..16).map(source).collect();
    let pages = pages(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let count = inferred.rule.fields.len();
    assert!((200..=cut::MOST).contains(&count), "{count}");
    let found = values(&inferred, &sources[3]);
    let usual = (0..40).filter(|row| found.contains(&(format!("usual_{row}"), (300 + row).to_string())));
    assert_eq!(usual.count(), 40);
}

#[test]
fn what_encloses_some_pages_is_opened() {
    let body = |at: usize| {
        let names = ["Kelp", "Moss", "Fern", "Reed", "Sedge", "Rush", "Alga", "Bark", "Cone"];
        format!(
            "<div id=head><a href=/>Home</a></div><div id=main><h1>{}</h1><p>Price: <b>{}.50</b></p>\
             <table><tr><td>Weight<td>{} g<tr><td>Size<td>{} cm</table></div><div id=foot>Imprint</div>",
            names[at],
            at + 3,
            7 * at + 1,
            11 * at + 2
        )
    };
    let check = |change: &dyn Fn(String) -> String| {
        let sources: Vec<String> = (0..9)
            .map(|at| match at % 3 {
                0 => change(body(at)),
                _ => body(at),
            })
            .collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let pages = pages(&sources);
        let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
        for at in [0, 1, 3, 5] {
            let found = values(&inferred, sources[at]);
            let one = |name: &str| {
                found
                    .iter()
                    .find(|(field, _)| field == name)
                    .map(|(_, text)| text.clone())
            };
            assert_eq!(one("weight"), Some(format!("{} g", 7 * at + 1)), "page {at}: {found:?}");
            assert_eq!(one("price"), Some(format!("{}.50", at + 3)), "page {at}: {found:?}");
        }
    };
    // A partner's frame, with something before it and after it.
    check(&|page| format!("<h2>Partner of the week</h2><div class=brand>{page}</div>"));
    check(&|page| format!("<h2>Partner of the week</h2><div class=brand>{page}</div><p>More of them</p>"));
    // The main part is in an element more, which has nothing of its own.
    check(&|page| {
        page.replace("<div id=main>", "<div><div id=main>")
            .replace("<div id=foot>", "</div><div id=foot>")
    });
    check(&|page| {
        page.replace("<div id=head>", "<section><div id=head>")
            .replace("<div id=foot>", "</section><div id=foot>")
    });
    // Two elements, one in the other.
    check(&|page| {
        format!("<div class=brand><h2>Partner of the week</h2><div class=column>{page}</div></div><p>More of them</p>")
    });
    // Two different frames.
    check(&|page| match page.contains("Kelp") {
        true => format!("<h2>Partner of the week</h2><div class=brand>{page}</div>"),
        false => format!("<section id=paper>{page}</section><section id=news><b>The Daily Kelp</b></section>"),
    });
}

#[test]
fn each_make_of_pages_may_have_a_frame_of_its_own() {
    let sources: Vec<String> = (0..9)
        .map(|n| {
            let thing = format!(
                "<h1>{} Lane {n}</h1><p class=cost>${n}00</p><dl><dt>Rooms</dt><dd>{}</dd><dt>Built</dt><dd>19{n}5</dd></dl><p class=who>Agent {n}</p>",
                ["Kelp", "Moss", "Fern"][n % 3],
                n % 4 + 1,
            );
            match n % 3 {
                2 => format!(
                    "<div id=brand><p class=top>Partner</p><table><tr><td>Log in</td><td><div class=box>{thing}</div></td></tr></table><p class=end>By Partner</p></div>"
                ),
                _ => format!("<div id=head>Homes</div><div id=menu>Home</div><div id=main>{thing}</div><div id=foot>2014</div>"),
            }
        })
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    for n in [1, 2, 4, 5] {
        let found = values(&inferred, sources[n]);
        let one = |name: &str| {
            let mut all = found.iter().filter(|(field, _)| field == name);
            (all.next().map(|(_, text)| text.clone()), all.count())
        };
        assert_eq!(one("built"), (Some(format!("19{n}5")), 0), "page {n}: {found:?}");
        assert_eq!(one("price"), (Some(format!("${n}00")), 0), "page {n}: {found:?}");
        assert_eq!(one("rooms"), (Some((n % 4 + 1).to_string()), 0), "page {n}: {found:?}");
    }
}

/// A page about a player: rows in two columns that are filled in turn, and a table whose columns differ from page to page.
fn player(name: &str, rows: &[(&str, &str)], figures: &[(&str, &str)]) -> String {
    let row = |(label, value): &(&str, &str)| format!("<tr><td><b>{label}</b></td><td>{value}</td></tr>");
    let (first, second) = rows.split_at(rows.len().div_ceil(2));
    let column = |rows: &[(&str, &str)]| {
        let rows: String = rows.iter().map(row).collect();
        format!("<td><table>{rows}</table></td>")
    };
    let cells = |of: fn(&(&str, &str)) -> String| figures.iter().map(of).collect::<String>();
    format!(
        "<h1>{name}</h1><table><tr>{}{}</tr></table><table><tr class=heads>{}</tr><tr>{}</tr></table>",
        column(first),
        column(second),
        cells(|(heading, _)| format!("<td>{heading}</td>")),
        cells(|(_, figure)| format!("<td>{figure}</td>")),
    )
}

#[test]
fn labels_and_headings_lead_to_values_that_move() {
    let sources = [
        player(
            "Ann Abel",
            &[
                ("Born", "1980"),
                ("Height", "180"),
                ("Weight", "70"),
                ("College", "Yale"),
            ],
            &[("Points", "10"), ("Assists", "1")],
        ),
        player(
            "Bob Behn",
            &[
                ("Born", "1981"),
                ("Height", "181"),
                ("Weight", "71"),
                ("College", "Duke"),
            ],
            &[("Points", "11"), ("Rebounds", "7")],
        ),
        player(
            "Cat Cole",
            &[
                ("Born", "1982"),
                ("Nickname", "Kit"),
                ("Height", "182"),
                ("Weight", "72"),
                ("College", "Rice"),
            ],
            &[("Points", "12"), ("Assists", "3")],
        ),
        player(
            "Dan Dorn",
            &[
                ("Born", "1983"),
                ("Height", "183"),
                ("Weight", "73"),
                ("College", "LSU"),
            ],
            &[("Points", "13"), ("Rebounds", "9")],
        ),
        player(
            "Eve Ette",
            &[
                ("Born", "1984"),
                ("Nickname", "Eef"),
                ("Height", "184"),
                ("Weight", "74"),
            ],
            &[("Points", "14"), ("Assists", "5")],
        ),
        player(
            "Fay Funk",
            &[
                ("Born", "1985"),
                ("Height", "185"),
                ("Weight", "75"),
                ("College", "Elon"),
            ],
            &[("Points", "15"), ("Rebounds", "4")],
        ),
    ];
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    // All is at another place than on the pages that were seen.
    let unseen = player(
        "Gus Gray",
        &[
            ("College", "Iona"),
            ("Weight", "76"),
            ("Nickname", "Guy"),
            ("Born", "1986"),
        ],
        &[("Rebounds", "8"), ("Points", "16")],
    );
    let found = values(&inferred, &unseen);
    for (name, value) in [("college", "Iona"), ("nickname", "Guy"), ("rebounds", "8")] {
        let of: Vec<&str> = (found.iter().filter(|(field, _)| field == name))
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(of, [value], "{name}: {found:?}");
    }
    // What a page does not have is not found.
    let found = values(&inferred, sources[0]);
    let lacking = |(name, _): &(String, String)| name != "nickname" && name != "rebounds";
    assert!(found.iter().all(lacking), "{found:?}");
}

#[test]
fn spellings_of_a_label_are_one_field() {
    let page = |title: &str, label: &str, value: &str| {
        format!(
            "<h1>{title}</h1><p><b>Year:</b> {}<p><b>{label}</b> <i>{value}</i>",
            title.len()
        )
    };
    let sources = [
        page("Alien", "Director:", "Scott"),
        page("Stalker", "Director:", "Andrei"),
        page("Matrix", "Directors:", "Lana"),
        page("Fargo it is", "Directors:", "Joel"),
    ];
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let labels = inferred.rule.fields.iter().filter_map(|slot| slot.label.as_ref());
    let labels: Vec<&[String]> = labels.map(|label| &label.words[..]).collect();
    assert!(
        labels.contains(&&["Director:".to_owned(), "Directors:".to_owned()][..]),
        "{labels:?}"
    );
}

/// A page about a thing, with a block of facts that only its `id` tells, in one of three places.
fn thing(name: &str, facts: [&str; 2], place: usize) -> String {
    let block = format!("<div id=facts><p>{}</p><p>{}</p></div>", facts[0], facts[1]);
    let at = |wanted: usize| if place == wanted { block.as_str() } else { "" };
    format!(
        "<div class=main><h1>{name}</h1>{}<div class=text><p>{name} is a thing.</p></div></div>\
         <div class=side><p>See also {name} 2</p><div>{}</div></div><section>{}<i>{name} end</i></section>",
        at(0),
        at(1),
        at(2)
    )
}

/// The fields with a value.
fn fields_of(inferred: &Inferred, page: &str, value: &str) -> Vec<String> {
    let found = values(inferred, page).into_iter();
    found.filter(|(_, text)| text == value).map(|(name, _)| name).collect()
}

#[test]
fn a_block_with_an_id_is_found_under_any_parent() {
    let names = ["Kelp", "Moss", "Fern", "Reed", "Alga", "Dulse"];
    let colours = ["red", "dark blue", "green", "white", "grey", "pink"];
    let page = |number: usize, place: usize| {
        let facts = [format!("{} kg", 10 + number), colours[number].to_owned()];
        thing(names[number], [&facts[0], &facts[1]], place)
    };
    // Where the block is on the pages that a rule is made from.
    for places in [[0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0], [0, 1, 2, 0, 1, 2]] {
        let sources: Vec<String> = (0..6).map(|number| page(number, places[number])).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let pages = pages(&sources);
        let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
        let known = fields_of(&inferred, sources[0], "10 kg");
        assert_eq!(known.len(), 1, "{places:?}");
        assert_eq!(fields_of(&inferred, sources[4], "14 kg"), known, "{places:?}");
        for place in 0..3 {
            let unseen = thing("Tang", ["77 kg", "black"], place);
            assert_eq!(fields_of(&inferred, &unseen, "77 kg"), known, "{places:?} {place}");
            assert_eq!(fields_of(&inferred, &unseen, "black").len(), 1, "{places:?} {place}");
        }
    }
}

#[test]
fn a_frame_that_no_known_page_had_is_opened() {
    let page = |name: &str, frame: [&str; 2]| {
        format!(
            "<body>{}<div class=top><h1>{name}</h1></div><table class=data><tr><td>Price:<td>{}</table>\
             <div class=foot><p>About {name}</p></div>{}</body>",
            frame[0],
            name.len() * 7,
            frame[1]
        )
    };
    let sources = ["Kelp", "Mosses", "Ferns", "Reeds it is"].map(|name| page(name, ["", ""]));
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let pages = pages(&sources);
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &LandmarkSettings::default()).unwrap();
    let plain = values(&inferred, &page("Dulse", ["", ""]));
    assert!(plain.len() >= 3, "{plain:?}");
    for frame in [
        ["<div>", "</div>"],
        ["<div id=brand><h2>Partner</h2>", "</div><p>Their menu</p>"],
        ["<section><h2>Partner</h2><div>", "</div></section>"],
    ] {
        assert_eq!(values(&inferred, &page("Dulse", frame)), plain, "{frame:?}");
    }
    // A page without the landmarks has nothing to be opened.
    assert_eq!(
        values(
            &inferred,
            "<body><div><div><h3>Error</h3><p>No such page</p></div></div>"
        ),
        []
    );
}
