//! What the arguments of the command line are read as.

use super::*;

const CONFIG: &str = "allow-private = true\ncache = \"c\"\ncache-hours = 2\ncookies = \"k\"\ndelay = 3\n\
    format = \"csv\"\nignore-robots = true\njobs = 4\nmax-depth = 5\nmax-page-bytes = 6\nmax-pages = 7\n\
    max-time = 8\nper-host = 9\nproxy = \"p:1\"\nretries = 10\ntimeout = 11\nuser-agent = \"me\"\n";

/// Every flag that has the name of a setting takes it for a default, in every command that the configuration is read for.
#[test]
fn a_setting_is_the_default_of_all_flags_of_its_name() {
    let config = Config::parse(CONFIG).expect("settings");
    let command = Args::command_over(&config, false);
    let mut set = std::collections::BTreeSet::new();
    for (name, value) in config.values() {
        for subcommand in command.get_subcommands() {
            let Some(arg) = subcommand.get_arguments().find(|arg| arg.get_long() == Some(name)) else {
                continue;
            };
            // Commands that print no records have formats of their own.
            if name == "format"
                && arg
                    .get_possible_values()
                    .iter()
                    .any(|known| known.matches("text", false))
            {
                continue;
            }
            assert_eq!(
                arg.get_default_values(),
                [value.as_str()],
                "{} --{name}",
                subcommand.get_name()
            );
            set.insert((subcommand.get_name().to_owned(), name));
        }
        assert!(set.iter().any(|(_, known)| *known == name), "no command has --{name}");
    }
    for row in [
        ("run", "format"),
        ("extract", "format"),
        ("extract", "jobs"),
        ("extract", "max-page-bytes"),
        ("query", "jobs"),
        ("query", "max-page-bytes"),
        ("check", "max-page-bytes"),
        ("repair", "max-page-bytes"),
        ("watch", "max-page-bytes"),
        ("fetch", "max-pages"),
    ] {
        assert!(set.contains(&(row.0.to_owned(), row.1)), "{row:?}");
    }
}

#[test]
fn what_is_typed_wins_over_the_configuration() {
    let config = Config::parse(CONFIG).expect("settings");
    let read = |typed: &[&str]| {
        let line = ["wrapwright", "extract", "w.json", "a.html"].iter().chain(typed);
        let matches = Args::command_over(&config, false)
            .try_get_matches_from(line)
            .expect("flags");
        match Args::from_arg_matches(&matches).expect("flags").command {
            Command::Extract(args) => (args.jobs, args.max_page_bytes, args.records.format),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(read(&[]), (4, 6, Some(RecordFormat::Csv)));
    let typed = ["--jobs", "2", "--max-page-bytes", "1", "--format", "xml"];
    assert_eq!(read(&typed), (2, 1, Some(RecordFormat::Xml)));
}

/// A flag that follows a group of others must not get the heading of that group.
#[test]
fn flags_of_run_are_under_the_right_heading() {
    let command = Args::command_over(&Config::default(), false);
    let run = command.find_subcommand("run").expect("a command");
    let mut headings: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for arg in run.get_arguments() {
        let heading = arg.get_help_heading().unwrap_or("");
        headings.entry(heading).or_default().extend(arg.get_long());
    }
    assert_eq!(headings[""], ["help"; 0], "all flags have a heading");
    for (heading, flags) in [
        (
            EXPRESSION,
            &["expression", "check", "explain", "bind", "bind-file", "with-bindings"][..],
        ),
        ("A part of the work", &["shard", "shard-by"]),
        ("On several machines", &["frontier", "tries"]),
        (MESSAGES, &["summary", "log-interval", "log", "quiet"]),
        (
            RUN,
            &["strict", "fail-fast", "jobs", "max-pages", "max-depth", "max-time"],
        ),
    ] {
        assert_eq!(headings[heading], flags, "{heading}");
    }
    assert!(headings[FETCHING].contains(&"record"));
    assert!(
        headings["Browser"]
            .iter()
            .all(|flag| !["record", "delay"].contains(flag))
    );
}

#[test]
fn levels_and_their_short_forms() {
    let level = |typed: &[&str]| {
        let line: Vec<OsString> = ["wrapwright", "run", "a.oxp"]
            .iter()
            .chain(typed)
            .map(Into::into)
            .collect();
        let args = Args::parse_over(&Config::default(), false, &line);
        args.level()
    };
    for (typed, expected) in [
        (&[][..], Level::Info),
        (&["-q"], Level::Error),
        (&["-v"], Level::Debug),
        (&["--log-level", "warning"], Level::Warning),
        (&["--log-level", "error"], Level::Error),
        (&["--log-level", "debug"], Level::Debug),
    ] {
        assert_eq!(level(typed), expected, "{typed:?}");
    }
    // What is quiet by its level is quiet for the command.
    let line = ["wrapwright", "run", "a.oxp"].map(OsString::from);
    assert!(Args::parse_over(&Config::default(), true, &line).is_quiet);
}
