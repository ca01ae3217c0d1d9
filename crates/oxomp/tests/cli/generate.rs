//! `oxomp generate`: manual pages and completions that packages install.

use std::fs;

use oxomp_prerequisites::Program;

use crate::place::{Place, stdout, succeed};

/// The commands that `oxomp --help` lists, without that which prints help.
fn commands(place: &Place) -> Vec<String> {
    let help = stdout(&succeed(&mut place.oxomp(["--help"])));
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    list.lines().map_while(first).filter(|name| name != "help").collect()
}

/// What bash offers for the last word of `line`.
fn offered(place: &Place, line: &str) -> String {
    fs::write(place.path("complete"), stdout(&succeed(&mut place.oxomp(["generate", "bash"]))))
        .expect("a new file");
    let script = format!(
        "set -u; . ./complete; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _oxomp oxomp \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\""
    );
    let mut bash = Program::Bash.command();
    place.prepare(bash.arg("-c").arg(script));
    stdout(&succeed(&mut bash)).trim().to_owned()
}

#[test]
fn each_command_has_a_manual_page() {
    let place = Place::new();
    succeed(&mut place.oxomp(["generate", "man", "man/man1"]));
    let names = fs::read_dir(place.path("man/man1")).expect("the folder of the pages");
    let mut names: Vec<String> =
        names.map(|name| name.expect("a name").file_name().into_string().expect("text")).collect();
    names.sort();
    let mut expected: Vec<String> =
        commands(&place).iter().map(|name| format!("oxomp-{name}.1")).collect();
    expected.push("oxomp.1".to_owned());
    expected.sort();
    assert!(expected.contains(&"oxomp-profile.1".to_owned()), "{expected:?}");
    assert_eq!(names, expected);
    for name in names {
        let page = fs::read_to_string(place.path("man/man1").join(&name)).expect("a page");
        let title = name.strip_suffix(".1").expect("pages of commands").to_uppercase();
        assert!(page.contains(&format!("\n.TH {title} 1 ")), "{page}");
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"] {
            let heading = page.matches(&format!("\n.SH {section}\n")).count();
            let quoted = page.matches(&format!("\n.SH \"{section}\"\n")).count();
            assert_eq!(heading + quoted, 1, "{section} in {name}:\n{page}");
        }
    }
}

#[test]
fn a_page_has_the_examples_and_the_variables_of_the_help() {
    let place = Place::new();
    succeed(&mut place.oxomp(["generate", "man", "."]));
    let page = fs::read_to_string(place.path("oxomp-profile.1")).expect("a page");
    let (before, examples) = page.split_once("\n.SH EXAMPLES\n").expect("examples");
    assert!(examples.contains("\\fBoxomp profile \\-\\- ./solver \\-n 1000\\fR"), "{examples}");
    let (_, environment) = before.split_once("\n.SH ENVIRONMENT\n").expect("variables");
    assert!(environment.contains("OXOMP_MAX_SIZE") && environment.contains("OXOMP_HOME"));
    assert!(!page.contains("generate"), "the hidden command is told of:\n{page}");
}

#[test]
fn bash_completes_commands_options_and_values() {
    let place = Place::new();
    assert_eq!(offered(&place, "oxomp pro"), "profile");
    assert_eq!(offered(&place, "oxomp profile --rep"), "--repeat");
    assert_eq!(offered(&place, "oxomp paths mult"), "multiplexer");
    assert_eq!(offered(&place, "oxomp profile --runtime k"), "keep");
    assert_eq!(offered(&place, "oxomp gen"), "");
}

#[test]
fn zsh_and_fish_have_completions_too() {
    let place = Place::new();
    let zsh = stdout(&succeed(&mut place.oxomp(["generate", "zsh"])));
    assert!(zsh.starts_with("#compdef oxomp\n") && zsh.contains("--repeat"), "{zsh}");
    let fish = stdout(&succeed(&mut place.oxomp(["generate", "fish"])));
    assert!(fish.contains("complete -c oxomp") && fish.contains("repeat"), "{fish}");
    assert!(!zsh.contains("generate") && !fish.contains("generate"));
}

#[test]
fn it_is_hidden_from_users() {
    let place = Place::new();
    assert!(!commands(&place).contains(&"generate".to_owned()));
}
