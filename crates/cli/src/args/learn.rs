//! What can be typed after `wrapwright learn`.

use super::MESSAGES;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

const LEARN_EXAMPLES: &str = "\
Examples:
  wrapwright learn a.html b.html --examples examples.json -o site.wrapper.json
  wrapwright learn pages/ --examples rows.csv --class HLRT --prefer short -o w.json
  wrapwright learn pages/ --recognizers known.json -o w.json
  wrapwright learn a.html --schema film.dtd --examples film.json -o site.wrapper.json
  wrapwright learn pages/ --oxpath books.oxp -o books.wrapper.json

The examples are JSON, by value or by byte offsets in the decoded source:
  {\"a.html\": [{\"country\": \"Congo\", \"code\": \"242\"}, {\"country\": \"Egypt\", \"code\": null}]}
  {\"a.html\": [{\"country\": [50, 55], \"code\": [63, 66]}]}
a list of records as a field nests them; or CSV, with a first column \"page\".

With --schema the examples follow the schema, and a value may be given by where it is:
  {\"a.html\": {\"title\": \"May Morning\", \"year\": {\"css\": \".year\"}, \"actor\": [\"Jane Birkin\", {\"xpath\": \"//i[2]\"}]}}

Without examples, recognizers can find the values. At least one must be exact; the others may either miss values or find
extra ones, not both:
  {\"country\": {\"use\": \"country\", \"mistakes\": \"none\"},
   \"code\": {\"regex\": \"[1-9][0-9]+\", \"in\": \"cell\", \"mistakes\": \"false-positives\"},
   \"capital\": {\"words\": [\"Cairo\", \"Madrid\"], \"mistakes\": \"false-negatives\"}}
\"use\" is date, time, year, price, number, percent, phone, email, url, isbn, postcode or country; \"words-file\" has a word on
each line; \"in\" is text (the default), cell (all the text between two tags) or source.";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = LEARN_EXAMPLES)]
pub(crate) struct LearnArgs {
    /// Files, directories (every .htm and .html below, sorted), WARC files, addresses, or @FILE for a list of these
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// A file with the values on some pages: all records of each page that it names
    #[arg(long, value_name = "FILE", required_unless_present_any = ["recognizers", "oxpath"])]
    pub(crate) examples: Option<PathBuf>,

    /// More pages of the site; what is found on pages without examples helps to choose among rules
    #[arg(long, value_name = "PAGE", requires = "examples")]
    pub(crate) also: Vec<String>,

    /// A DTD or JSON Schema for the records; the wrapper finds their values by paths
    #[arg(long, value_name = "FILE", requires = "examples", conflicts_with = "recognizers")]
    pub(crate) schema: Option<PathBuf>,

    /// Make a wrapper of this OXPath expression; what it extracts from the pages is taken as right
    #[arg(long, value_name = "FILE", conflicts_with_all = ["examples", "recognizers", "schema"])]
    pub(crate) oxpath: Option<PathBuf>,

    /// A file that says how to recognize the values of each field, instead of examples
    #[arg(long, value_name = "FILE", conflicts_with = "examples")]
    pub(crate) recognizers: Option<PathBuf>,

    /// Write the wrapper to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Delimiters of this class: LR, HLRT, OCLR, HOCLRT, N-LR, N-HLRT, or auto for the simplest that fits, and paths if
    /// they are right on more pages
    #[arg(long, value_name = "CLASS", conflicts_with = "schema")]
    pub(crate) class: Option<String>,

    /// Which of the valid delimiters to use
    #[arg(long, value_name = "TASTE", default_value = "tags")]
    pub(crate) prefer: Taste,

    /// What is allowed beyond the class: missing, alternatives, skips, eof, spaces, none; all of it with --class auto
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) allow: Vec<Extension>,

    /// The name of a record
    #[arg(long, value_name = "NAME", default_value = "record")]
    pub(crate) record: String,

    /// The share of pages on which the wrapper may be wrong, for the estimate of how many examples are needed
    #[arg(long, value_name = "E", default_value_t = 0.05)]
    pub(crate) epsilon: f64,

    /// The probability that it is wrong on more pages than that
    #[arg(long, value_name = "D", default_value_t = 0.05)]
    pub(crate) delta: f64,

    #[command(flatten)]
    pub(crate) read: crate::sheets::ReadArgs,

    /// Also print how many examples would prove that delimiters are right
    #[arg(long)]
    pub(crate) explain: bool,

    /// Print only errors
    #[arg(help_heading = MESSAGES, long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Taste {
    /// Whole tags and lines
    Tags,
    /// The shortest that fits
    Short,
    /// The longest that fits
    Long,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    /// Attributes may be missing
    Missing,
    /// Several delimiters for one edge
    Alternatives,
    /// Landmarks to pass before a left delimiter
    Skips,
    /// The end of the page as tail
    Eof,
    /// Differences in white space are ignored
    Spaces,
    /// Nothing
    None,
}
