//! Completions and manual pages, from the binary itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn wrapwright(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .output()
        .expect("wrapwright runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The names of the commands, as the help lists them.
fn commands() -> BTreeSet<String> {
    let help = text(&wrapwright(&["--help"]).stdout);
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let list = list.split("\n\n").next().expect("the end of the list");
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    names
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect()
}

#[test]
fn completions_know_the_commands_and_their_flags() {
    let commands = commands();
    assert!(commands.contains("run") && commands.contains("man"), "{commands:?}");
    // How each shell begins, and how it spells the flag --max-pages.
    for (shell, mark, flag) in [
        ("bash", "_wrapwright()", "--max-pages"),
        ("zsh", "#compdef wrapwright", "--max-pages"),
        ("fish", "complete -c wrapwright", "-l max-pages"),
    ] {
        let output = wrapwright(&["completions", shell]);
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        let script = text(&output.stdout);
        assert!(script.contains(mark) && script.contains(flag), "{shell}");
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
    }
}

/// A script that does not parse would break the shell of whoever sources it.
#[test]
fn the_completions_for_bash_parse() {
    let script = wrapwright(&["completions", "bash"]).stdout;
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("wrapwright.bash");
    std::fs::write(&file, script).expect("a file");
    let bash = Command::new("bash").arg("-n").arg(&file).output();
    assert!(bash.expect("bash runs").status.success());
}

#[test]
fn an_unknown_shell_is_refused_with_those_that_are_known() {
    let output = wrapwright(&["completions", "dos"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("fish") && stderr.contains("powershell"), "{stderr}");
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = dir.path().join("share/man1");
    let output = wrapwright(&["man", place.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let names = |place: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(place).expect("the directory");
        entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect()
    };
    let expected: BTreeSet<String> = commands()
        .iter()
        .map(|command| format!("wrapwright-{command}.1"))
        .chain(["wrapwright.1".to_owned()])
        .collect();
    assert_eq!(names(&place), expected);
    let page = std::fs::read_to_string(place.join("wrapwright-run.1")).expect("the page of run");
    assert!(page.contains(".TH") && page.contains("max\\-pages"), "{page}");
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let output = wrapwright(&["man", file.join("man1").to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("cannot write manual pages to"));
}
