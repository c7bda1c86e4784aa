//! Chores of the repository, as `cargo xtask NAME`.
//!
//! A chore does what a test cannot do because it needs more than the source tree: real pages, or another implementation
//! to compare with. Each is a module with one `run` function; they share only the sample of pages.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to whoever runs it"
)]

mod alarms;
mod alarms_one;
mod auto;
mod changes;
mod changes_kinds;
mod changes_made;
mod changes_new;
mod conformance;
mod exalg;
mod guided;
mod guided_few;
mod guided_lists;
mod guided_onepage;
mod halves;
mod list_beside;
mod list_changes;
mod list_pages;
mod list_sites;
mod list_unseen;
mod lists;
mod metamorphic;
mod mixed;
mod onepage;
mod pages;
mod printed;
mod record_changes;
mod records;
mod repeat;
mod rule_changes;
mod slow;
mod swaps;
mod swde;
mod tables;
mod tidy;
mod weights;
mod written;

use std::process::ExitCode;
use xtask::random;

const HELP: &str = "\
usage: cargo xtask CHORE [OPTION…]

alarms        check runs of learned rules: on sites that changed, and on pages of sites that did not
    --data DIR          the bench data (default ../shared/bench)
    --part NAME         only one part: changes, records or swde
    --part one          instead, single pages on which one field is missing, after 5 to 33 good pages (--split NAME)
    --part mixed        instead, batches with pages before and after a redesign (--split NAME)
    --split NAME        only the families for development, or those kept apart: development, opened, apart
    --sites A,B, --seed S, --show all   as below; with show, the reasons
auto          compare the methods of inference on page sets with known rows, and see what is chosen by default
    --split NAME, --data DIR,DIR, --sites A,B   as for lists
    --part NAME         only one part: lists or swde (--packs DIR, --train FILE as for swde; --pages N of each site)
    --part paths        instead, compare landmark rules with the paths that they are translated to
pages         unpack the sample of real pages into target/pages
changes       repair rules by schema on sites before and after a redesign, and score what they give then
    --data DIR          the sites (default ../shared/bench/changes)
    --sites A,B         only these
    --show 1            what was found, and what is right
    --part kinds        wrappers of several kinds, through check and repair (--split NAME as for guided)
    --part made         lists with known rows, redesigned by known changes (--data, --split, --sites as for lists; --only A,B;
                        --show wrong for the wrong values; --said FILE for `bench/calibrate.py`;
                        --beside NAME, pages that have more of the same make: twin, twin first, headed, boxed, rows, pairs)
    --at-least SURE     with kinds and made, how sure a field must be (default 0.6)
conformance   compare XPath answers with those of libxml2 (through Python's lxml)
    --pages DIR         pages to ask about, searched for .htm and .html; default: a sample from every site
    --per-site N        how many pages of each site of the sample (default 2)
    --expressions N     how many expressions in all (default 6000)
    --seed S            where the random expressions start (default 1)
    --python PROGRAM    the Python that has lxml (default python3)
    --show N            how many disagreements to print (default 20)
exalg         infer templates for the collections of EXALG's authors, and compare with their results
    --data DIR          the collections (default ../shared/bench/exalg)
    --sites A,B         only these
    --method paper      without our additions to the paper
    --part draws        instead, infer from --pages N (half) drawn by chance and read the others (--times K, --seed S, --show 1)
    --part growth       instead, how the time grows with the number of pages
lists         score lists that the program infers from page sets with known rows, on these pages and on others
    --binary FILE       the program (default target/release/wrapwright), or `none` for the library in this one
    --method NAME       exalg (default), landmarks or auto; with `none`, exalg or paper
    --data DIR,DIR      the page sets (default ../shared/bench/records,../shared/bench/meetings/records); of ../shared/bench/onepage each page
                        is a set of two, with half of its records each
    --split NAME        only the families for development, or those kept apart: development, opened, apart
    --sites A,B         only those whose names contain one of these
    --part changes      instead, sets with changes whose effect on the rows is known (--seed S, --only A,B; --keep DIR
                        writes the changed pages there)
    --part unseen       instead, learn from --pages N (1) of each set and read pages with such changes (--seed S, --only A,B)
    --part sites        instead, made-up sites: learn from some pages of each, read others (--seed S, --count N, --only WORD,WORD for
                        features that a site must have or its number, --show 1 for what is not right, --keep DIR)
    --part optional     the same with records that differ in an optional text; themes: as real sites are made; kept: two more of these; hand: as people type them
    --show 1            a line for each set
records       learn delimiter wrappers from page sets with known tuples, and print how it went
    --data DIR          the page sets (default ../shared/bench/records)
    --part NAME         only one part: verdicts, pages, growth, corroborate
    --part values       instead, learn from values with the program, and try the saved wrapper on unseen pages
        --binary FILE   the program (default target/release/wrapwright)
        --split NAME    only the families for development, or those kept apart: development, opened, apart
        --set A,B       only sets whose names have one of these in them; --show 1 for what the program says
        --pages N       learn from at most N pages (default 9); --class NAME the class, or `none` for no --class
        --change NAME   on pages with a known change: spaces, repeated, beginnings, titles, first, copies, order or all
        --seed S        where the changes start (default 1); --list 1 for a line for each set
guided        learn rules by schema from a few labelled SWDE pages, and score them on others
    --packs DIR, --sites A,B, --seed S   as below
    --part lists        instead, from the first pages of the sets with known tuples (--data DIR as for records;
                        --limit N gives only the first N tuples of each page; --change NAME or all: on pages with a known
                        change, as for records or row-deleted, row-added, rows-swapped, cell-empty, advert-row,
                        classes-renamed, no-classes, wrapped, table-as-divs, other-wording, white-space, two-tables)
    --part few          instead, from one, two or three records of a list: the first, those in the middle, and seeded draws
                        (--change NAME as for lists)
    --part onepage      instead, from one record of a list on single pages of many sites, on the same page
    --part printed      instead, compare rules with the OXPath that they are printed as
    --part rows         instead, on pages on which one row was deleted, added or moved
    --split NAME        only the sites that are for development, or those kept apart: development, opened, apart
    --also N            give N more pages without labels; with lists, those that are scored
    --weights FILE      with other weights, as `weights` prints them (not for rows and printed)
repeat        run the tests in a real browser many times over
    --times N           how often (default 50)
    --only A,B          only tests with one of these in their names
slow          search for expressions whose time grows faster than the page; run with --release
    --seed S            where the random expressions start (default 1)
    --expressions N     how many (default 400)
    --seconds N         stop after this time (default 600)
    --nodes N           the size of the largest pages (default 1000000)
    --limit MS          the longest evaluation to wait for (default 2000)
    --show N            how many shapes to print (default 20)
    --one EXPRESSION    instead, the times of this expression
swaps         swap two fields of one kind on pages, with their labels, and see whether a check notices
    --data DIR          the bench data (default ../shared/bench)
    --part NAME         only one part: records, changes, meetings or made
    --split NAME        only the sites that are for development, or those kept apart: development, opened, apart
    --sites A,B         only those whose names contain one of these
    --show all          all swaps, not only those that were missed
swde          infer wrappers for the SWDE sites, extract from all their pages, and write NDJSON for score.py
    --packs DIR         the packs, or their unpacked directories (default ../shared/bench/swde)
    --train FILE        the pages to infer from, a site and a page on each line (default DIR/train20.txt)
    --out FILE          where to write the extractions (default target/swde.ndjson)
    --sites A,B         only these sites
    --method NAME       records (default), exalg, or by tokens: astar, greedy-inf, greedy-rnd, random
    --k N, --lattice off   how often a landmark must occur (default: on half of the pages), and without attributes
    --part changes      instead, pages with changes whose effect on the values is known (--split NAME, --seed S, --only A,B, --show 1;
                        --binary FILE and --method NAME, auto by default, as for lists)
    --part unseen       the same with changes that only pages have that no wrapper was inferred from
    --report TABLE      score whole tables instead, with score.py: strategies, k, training, names or all
tidy          check the house rules over the source tree; `cargo test -p xtask` does, too
    --write 1           lower the counts of known breaches in xtask/tidy.txt to those of today
weights       learn the weights of what paths depend on, and print them; cross-validated over families
    --split NAME        the half to learn from (default development)
    --part table        without the cross-validation
written       score what the program writes: infer and extract with the binary, write NDJSON for score.py
    --binary FILE       the program (default target/release/wrapwright)
    --method NAME       landmarks (default), exalg or auto
    --train FILE, --out FILE, --sites A,B   as for swde (--out: default target/written.ndjson)
help          print this
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_else(|| "help".to_owned());
    let result = Options::parse(arguments).and_then(|options| match chore.as_str() {
        "pages" => pages::run(&options),
        "conformance" => conformance::run(&options),
        "alarms" if options.text("part") == Some("one") => alarms_one::run(&options),
        "alarms" if options.text("part") == Some("mixed") => mixed::run(&options),
        "alarms" => alarms::run(&options),
        "auto" => auto::run(&options),
        "changes" if options.text("part") == Some("kinds") => changes_kinds::run(&options),
        "changes" if options.text("part") == Some("made") => changes_made::run(&options),
        "changes" => changes::run(&options),
        "guided" => guided::run(&options),
        "exalg" => exalg::run(&options),
        "lists" if options.text("part") == Some("changes") => list_changes::run(&options),
        "lists" if options.text("part") == Some("unseen") => list_unseen::run(&options),
        "lists"
            if matches!(
                options.text("part"),
                Some("sites" | "optional" | "themes" | "hand" | "kept")
            ) =>
        {
            list_sites::run(&options)
        }
        "lists" => lists::run(&options),
        "records" => records::run(&options),
        "repeat" => repeat::run(&options),
        "slow" => slow::run(&options),
        "swaps" => swaps::run(&options),
        "swde" if matches!(options.text("part"), Some("changes" | "unseen")) => record_changes::run(&options),
        "swde" => swde::run(&options),
        "tidy" => tidy::run(&options),
        "weights" => weights::run(&options),
        "written" => written::run(&options),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        other => Err(anyhow::anyhow!(
            "unknown chore `{other}`; `cargo xtask help` lists them"
        )),
    });
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// The arguments after the name of a chore: pairs of `--option value`.
struct Options(Vec<(String, String)>);

impl Options {
    const KNOWN: &[&str] = &[
        "binary",
        "cross",
        "times",
        "said",
        "pages",
        "per-site",
        "expressions",
        "seconds",
        "nodes",
        "limit",
        "one",
        "seed",
        "count",
        "python",
        "show",
        "data",
        "part",
        "set",
        "packs",
        "train",
        "out",
        "sites",
        "split",
        "also",
        "at-least",
        "only",
        "keep",
        "method",
        "dump",
        "k",
        "lattice",
        "report",
        "write",
        "change",
        "class",
        "list",
        "weights",
        "beside",
    ];

    fn parse(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Options> {
        let mut pairs = Vec::new();
        while let Some(argument) = arguments.next() {
            let name = argument.strip_prefix("--").filter(|name| Options::KNOWN.contains(name));
            let name = name.ok_or_else(|| anyhow::anyhow!("unknown option `{argument}`; see `cargo xtask help`"))?;
            let value = arguments
                .next()
                .ok_or_else(|| anyhow::anyhow!("`{argument}` needs a value"))?;
            pairs.push((name.to_owned(), value));
        }
        Ok(Options(pairs))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str, default: u64) -> anyhow::Result<u64> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        text.parse()
            .map_err(|_| anyhow::anyhow!("`--{name}` needs a number, found `{text}`"))
    }
}
