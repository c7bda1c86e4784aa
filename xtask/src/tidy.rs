//! House rules that the compiler does not know, checked over the source tree: `cargo xtask tidy`, and as a test.
//!
//! | Rule | Where | What |
//! |---|---|---|
//! | `length` | all Rust files | at most [`MOST_LINES`] lines, but for [`LONG`] |
//! | `module-docs` | all Rust files | the first line begins with `//!` |
//! | `unwrap` | libraries | no `.unwrap()`: errors are returned, invariants are argued in an `expect` |
//! | `flag` | libraries | no string names a flag of the command line: a library has other users, too |
//! | `words` | crates and Markdown | none of [`WORDS`] in comments, messages and pages |
//!
//! The last three do not apply to tests. The current breaches of a rule are counted in `xtask/tidy.txt`, for each file.
//! A count that is too small fails, and so does one that is too large. So the list can only shrink and always says what
//! is left.
//!
//! A small lexer ([`source`]) divides source into code, strings and comments; it cannot know which code a macro makes.

mod source;

use crate::Options;
use anyhow::{Context, ensure};
use source::{Part, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The longest file that needs no justification.
const MOST_LINES: usize = 1000;

/// Files that may be longer, and why.
const LONG: &[(&str, &str)] = &[(
    "crates/oxpath/src/syntax/parser.rs",
    "one function for each production of one grammar",
)];

/// Crates that other programs use.
const LIBRARIES: &[&str] = &[
    "page",
    "record",
    "oxpath",
    "wrapper",
    "learn",
    "tend",
    "browse",
    "columnar",
    "studio",
    "wrapwright",
];

/// Files whose strings name flags of other programs.
const FOREIGN_FLAGS: &[(&str, &str)] = &[("crates/browse/src/chromium/launch.rs", "flags of the browser")];

/// Phrases that confuse readers, and what to write instead. A phrase matches whole words, in any case. The word after
/// the bar is an exception: directly before the phrase it makes the phrase good English.
const WORDS: &[(&str, &str)] = &[
    ("is none|there", "is missing, is not a …"),
    ("are none|there", "are missing, are not …"),
    ("stands behind", "follows"),
    ("stand behind", "follow"),
    ("so many", "the number, or: up to N"),
    ("holds what is", "contains"),
    ("broken off", "no longer matches"),
    // Words that the glossary replaced.
    ("artifact", "wrapper"),
];

/// The file with the current number of breaches of each rule, for each file.
const KNOWN: &str = "xtask/tidy.txt";

const KNOWN_HEAD: &str = "\
# What breaks a house rule today: rule, count, file. See xtask/src/tidy.rs.
# The list only shrinks: fix something, then `cargo xtask tidy --write 1` lowers the counts.
";

/// Counts by rule and file.
type Counts = BTreeMap<(String, String), usize>;

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Breach {
    rule: &'static str,
    file: String,
    line: usize,
    message: String,
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let root = root();
    let breaches = examine(&root)?;
    let known = read_known(&root)?;
    let found = compare(&breaches, &known);
    if options.text("write").is_some() {
        let lowered = lower(&breaches, &known);
        let lines = lowered
            .iter()
            .map(|((rule, file), count)| format!("{rule} {count} {file}\n"));
        let text = lines.fold(KNOWN_HEAD.to_owned(), |text, line| text + &line);
        fs::write(root.join(KNOWN), text).context(KNOWN)?;
    }
    let left: Vec<&String> = match options.text("write") {
        Some(_) => found.iter().filter(|finding| !finding.contains(LOWER)).collect(),
        None => found.iter().collect(),
    };
    for finding in &left {
        eprintln!("{finding}");
    }
    println!(
        "{} findings; {} known breaches in {KNOWN}",
        left.len(),
        known.values().sum::<usize>()
    );
    Ok(ExitCode::from(u8::from(!left.is_empty())))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All breaches in the tree.
fn examine(root: &Path) -> anyhow::Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    let mut files = Vec::new();
    for folder in ["bench", "crates", "examples", "python", "tests", "xtask"] {
        walk(&root.join(folder), "rs", &mut files)?;
    }
    ensure!(files.len() > 100, "found {} Rust files, expected the tree", files.len());
    let mut sources = BTreeMap::new();
    for path in &files {
        let name = relative(root, path);
        let text = fs::read_to_string(path).with_context(|| name.clone())?;
        sources.insert(name, Source::read(&text));
    }
    let tests = test_modules(&sources);
    for (name, source) in &sources {
        let is_test = tests.iter().any(|folder| is_in(name, folder)) || is_test_file(name);
        examine_source(name, source, is_test, &mut breaches);
    }
    for (path, _) in LONG {
        if sources.get(*path).is_none_or(|source| source.lines <= MOST_LINES) {
            breaches.push(Breach {
                rule: "length",
                file: (*path).to_owned(),
                line: 1,
                message: format!("is short enough now; take it off the list in {}", file!()),
            });
        }
    }
    let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    walk(&root.join("docs"), "md", &mut pages)?;
    for path in pages {
        let name = relative(root, &path);
        let text = fs::read_to_string(&path).with_context(|| name.clone())?;
        examine_words(&name, 1, &text, &mut breaches);
    }
    breaches.sort_by(|a, b| (a.rule, &a.file, a.line).cmp(&(b.rule, &b.file, b.line)));
    Ok(breaches)
}

fn examine_source(name: &str, source: &Source, is_test: bool, breaches: &mut Vec<Breach>) {
    let mut add = |rule, line, message: String| {
        breaches.push(Breach {
            rule,
            file: name.to_owned(),
            line,
            message,
        });
    };
    if source.lines > MOST_LINES && !LONG.iter().any(|(path, _)| *path == name) {
        add(
            "length",
            source.lines,
            format!("{} lines, expected at most {MOST_LINES}", source.lines),
        );
    }
    if !source.documented {
        add(
            "module-docs",
            1,
            "found no //! at the start, expected what the module is for".to_owned(),
        );
    }
    if is_test {
        return;
    }
    let library = LIBRARIES
        .iter()
        .any(|library| is_in(name, &format!("crates/{library}/src")));
    let foreign = FOREIGN_FLAGS.iter().any(|(path, _)| *path == name);
    for piece in source.pieces.iter().filter(|piece| !piece.test) {
        match piece.part {
            Part::Code if library => {
                for _ in piece.text.matches(".unwrap()") {
                    add("unwrap", piece.line, "found .unwrap() in a library".to_owned());
                }
            }
            Part::Text if library && !foreign => {
                for flag in flags(&piece.text) {
                    add("flag", piece.line, format!("a library's string names the flag {flag}"));
                }
            }
            _ => {}
        }
    }
    if name.starts_with("crates/") {
        let prose = source
            .pieces
            .iter()
            .filter(|piece| !piece.test && piece.part != Part::Code);
        for piece in prose {
            examine_words(name, piece.line, &piece.text, breaches);
        }
    }
}

fn examine_words(name: &str, line: usize, text: &str, breaches: &mut Vec<Breach>) {
    for (word, instead, below) in bad_words(text) {
        breaches.push(Breach {
            rule: "words",
            file: name.to_owned(),
            line: line + below,
            message: format!("\"{word}\"; rather: {instead}"),
        });
    }
}

/// The phrases of [`WORDS`] in a text, what to write instead, and the line of each, counted from the start of the text.
fn bad_words(text: &str) -> Vec<(&'static str, &'static str, usize)> {
    // Words with their lines; line breaks and list bullets do not divide a phrase.
    let words: Vec<(String, usize)> = (text.lines().enumerate())
        .flat_map(|(line, words)| words.split_whitespace().map(move |word| (word, line)))
        .map(|(word, line)| (word.trim_start_matches(['*', '(', '"', '`']).to_lowercase(), line))
        .filter(|(word, _)| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for (entry, instead) in WORDS {
        let (phrase, unless) = entry.split_once('|').unwrap_or((entry, ""));
        let phrase_words: Vec<&str> = phrase.split(' ').collect();
        for (at, window) in words.windows(phrase_words.len()).enumerate() {
            let last = phrase_words.len() - 1;
            let equal = window
                .iter()
                .zip(&phrase_words)
                .enumerate()
                .all(|(i, ((word, _), wanted))| {
                    let word = if i == last {
                        word.trim_end_matches(|c: char| !c.is_alphanumeric())
                    } else {
                        word
                    };
                    word == *wanted
                });
            let excused = at > 0 && words[at - 1].0 == unless;
            if equal && !excused {
                found.push((phrase, *instead, window[0].1));
            }
        }
    }
    found
}

/// Everything in a string that looks like a long flag of the command line.
fn flags(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        let rest = &text[at + 2..];
        let end = rest
            .find(|c: char| !c.is_ascii_lowercase() && c != '-')
            .unwrap_or(rest.len());
        let starts = rest.starts_with(|c: char| c.is_ascii_lowercase());
        if starts && !before.is_some_and(|c| c.is_alphanumeric() || "-!<".contains(c)) {
            found.push(&text[at..at + 2 + end]);
        }
    }
    found
}

/// The differences from the list: additional breaches with their places, and lower counts that must be written.
fn compare(breaches: &[Breach], known: &Counts) -> Vec<String> {
    let now = count(breaches);
    let mut found = Vec::new();
    for ((rule, file), count) in &now {
        let allowed = known.get(&(rule.clone(), file.clone())).copied().unwrap_or(0);
        if *count > allowed {
            found.push(format!("{rule}: {file}: {count} found, {allowed} known:"));
            let here = breaches
                .iter()
                .filter(|breach| breach.rule == rule && breach.file == *file);
            found.extend(here.map(|breach| format!("    {file}:{}: {}", breach.line, breach.message)));
        }
    }
    for ((rule, file), allowed) in known {
        let count = now.get(&(rule.clone(), file.clone())).copied().unwrap_or(0);
        if count < *allowed {
            found.push(format!("{rule}: {file}: {allowed} known, {count} found; {LOWER}"));
        }
    }
    found
}

/// The message for a count that is too large.
const LOWER: &str = "lower the count with `cargo xtask tidy --write 1`";

/// The list, with the current counts where these are smaller.
fn lower(breaches: &[Breach], known: &Counts) -> Counts {
    let now = count(breaches);
    let lowered = known.iter().filter_map(|(key, allowed)| {
        let count = now.get(key).copied().unwrap_or(0).min(*allowed);
        (count > 0).then(|| (key.clone(), count))
    });
    lowered.collect()
}

fn count(breaches: &[Breach]) -> Counts {
    let mut counts = Counts::new();
    for breach in breaches {
        *counts.entry((breach.rule.to_owned(), breach.file.clone())).or_default() += 1;
    }
    counts
}

fn read_known(root: &Path) -> anyhow::Result<Counts> {
    let text = fs::read_to_string(root.join(KNOWN)).context(KNOWN)?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let (rule, count, file) = (words.next(), words.next(), words.next());
            let count = count.and_then(|count| count.parse().ok());
            let entry = rule.zip(file).zip(count);
            let ((rule, file), count) =
                entry.with_context(|| format!("{KNOWN}: found `{line}`, expected rule, count and file"))?;
            Ok(((rule.to_owned(), file.to_owned()), count))
        })
        .collect()
}

/// The modules that are compiled only for tests, as the beginnings of their paths.
fn test_modules(sources: &BTreeMap<String, Source>) -> Vec<String> {
    let mut folders = Vec::new();
    for (name, source) in sources {
        let stem = name.trim_end_matches(".rs");
        let folder = match stem.rsplit_once('/') {
            Some((folder, "mod" | "lib" | "main")) => folder,
            _ => stem,
        };
        folders.extend(source.test_modules.iter().map(|module| format!("{folder}/{module}")));
    }
    folders
}

fn is_test_file(name: &str) -> bool {
    let mut parts = name.split('/');
    parts.any(|part| part == "tests" || part == "tests.rs" || part == "examples" || part == "benches")
}

/// Is it that file, or in that folder?
fn is_in(name: &str, folder: &str) -> bool {
    let rest = name.strip_prefix(folder);
    rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// The files with an extension below a folder, in order.
fn walk(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            walk(&path, ending, files)?;
        } else if path.extension().is_some_and(|extension| extension == ending) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules hold in this tree, except for the listed breaches.
    #[test]
    fn the_tree_is_tidy() {
        let root = root();
        let found = compare(
            &examine(&root).expect("the source tree"),
            &read_known(&root).expect("the list"),
        );
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }

    fn breaches(name: &str, text: &str) -> Vec<(&'static str, usize)> {
        let mut breaches = Vec::new();
        examine_source(name, &Source::read(text), is_test_file(name), &mut breaches);
        breaches.iter().map(|breach| (breach.rule, breach.line)).collect()
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        let library = "crates/page/src/x.rs";
        assert_eq!(breaches(library, "//! Docs.\nfn f() {}\n"), []);
        assert_eq!(breaches(library, "fn f() {}\n"), [("module-docs", 1)]);
        assert_eq!(breaches(library, &"//! Docs.\n".repeat(1001)), [("length", 1001)]);
        let unwrap = "//! Docs.\nfn f() {\n    g().unwrap();\n}\n";
        assert_eq!(breaches(library, unwrap), [("unwrap", 3)]);
        assert_eq!(breaches("crates/cli/src/x.rs", unwrap), []);
        assert_eq!(breaches("crates/page/tests/x.rs", unwrap), []);
        let quoted = "//! Docs.\n// g().unwrap()\nconst S: &str = \".unwrap()\";\n";
        assert_eq!(breaches(library, quoted), []);
        let tested = "//! Docs.\n#[cfg(test)]\nmod tests {\n    fn f() { g().unwrap(); }\n}\n";
        assert_eq!(breaches(library, tested), []);
        let flag = "//! Docs with --flags.\nconst S: &str = \"use --jobs\";\n";
        assert_eq!(breaches(library, flag), [("flag", 2)]);
        assert_eq!(breaches("crates/cli/src/x.rs", flag), []);
        let words = "//! Docs.\n\n/// The address is\n/// none, so it goes.\nfn f() {}\n";
        assert_eq!(breaches(library, words), [("words", 3)]);
    }

    #[test]
    fn flags_are_told_from_comments_and_dashes() {
        assert_eq!(
            flags("raise it with --max-page-bytes, or `--jobs`"),
            ["--max-page-bytes", "--jobs"]
        );
        for text in ["<!--x-->", "a--b", "----", "-- no", "--", "x -->"] {
            assert_eq!(flags(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn phrases_are_whole_words_across_lines() {
        let words = |text| {
            bad_words(text)
                .into_iter()
                .map(|(word, _, line)| (word, line))
                .collect::<Vec<_>>()
        };
        assert_eq!(words("It Is\nnone."), [("is none", 0)]);
        assert_eq!(words("where there is none"), []);
        assert_eq!(words("this nonetheless; is nonesuch"), []);
        assert_eq!(words("one\ntwo\n- so many\n  pages"), [("so many", 2)]);
    }

    #[test]
    fn the_list_must_say_exactly_what_is_left() {
        let breach = |line| Breach {
            rule: "unwrap",
            file: "a.rs".to_owned(),
            line,
            message: String::new(),
        };
        let known = |count| Counts::from([(("unwrap".to_owned(), "a.rs".to_owned()), count)]);
        let two = [breach(1), breach(2)];
        assert_eq!(compare(&two, &known(2)), [""; 0]);
        assert!(compare(&two, &known(1))[0].contains("2 found, 1 known"));
        assert!(compare(&two, &known(3))[0].contains(LOWER));
        assert_eq!(lower(&two, &known(3)), known(2));
        assert_eq!(lower(&two, &known(1)), known(1));
        assert_eq!(lower(&[], &known(1)), Counts::new());
    }

    #[test]
    fn modules_for_tests_are_left_out() {
        let sources = BTreeMap::from([(
            "crates/x/src/lib.rs".to_owned(),
            Source::read("//! Docs.\n#[cfg(test)]\nmod oracle;\nmod other;\n"),
        )]);
        let tests = test_modules(&sources);
        assert_eq!(tests, ["crates/x/src/oracle"]);
        assert!(is_in("crates/x/src/oracle.rs", &tests[0]) && is_in("crates/x/src/oracle/mod.rs", &tests[0]));
        assert!(!is_in("crates/x/src/oracles.rs", &tests[0]));
    }
}
