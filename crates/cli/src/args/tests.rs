//! What the arguments of the command line are read as.

use super::*;

const CONFIG: &str = "allow-private = true\ncache = \"c\"\ncache-hours = 2\ncookies = \"k\"\ndelay = 3\n\
    format = \"csv\"\nignore-robots = true\njobs = 4\nmax-depth = 5\nmax-page-bytes = 6\nmax-pages = 7\n\
    max-time = 8\nper-host = 9\nproxy = \"p:1\"\nretries = 10\ntimeout = 11\nuser-agent = \"me\"\n";

/// Every flag that has the name of a setting takes it for a default, in every command that the configuration is read for.
#[test]
fn a_setting_is_the_default_of_all_flags_of_its_name() {
    let config = Config::parse(CONFIG).expect("settings");
    let command = Args::command_over(&config);
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
        let matches = Args::command_over(&config).try_get_matches_from(line).expect("flags");
        match Args::from_arg_matches(&matches).expect("flags").command {
            Command::Extract(args) => (args.jobs, args.max_page_bytes, args.records.format),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(read(&[]), (4, 6, Some(RecordFormat::Csv)));
    let typed = ["--jobs", "2", "--max-page-bytes", "1", "--format", "xml"];
    assert_eq!(read(&typed), (2, 1, Some(RecordFormat::Xml)));
}
