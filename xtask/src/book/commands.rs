//! The page of commands: what `oxomp --help` and the help of each command print.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_build::command;

use super::generated::Generated;

/// What stands before the help texts.
const BEGINNING: &str = "\
# Commands

<!-- `cargo xtask book` writes this page. The texts are those of crates/oxomp/src/cli. -->

For users who look an option up: what `oxomp --help` prints, and `oxomp COMMAND --help` for each
command. The manual pages have the same texts.
";

/// The columns of the texts.
const COLUMNS: &str = "100";

/// The page, by the command `program`.
pub(super) fn page(program: &Path) -> Result<Generated> {
    let help = |words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).arg("--help").env("COLUMNS", COLUMNS);
        command::capture(&mut command)
    };
    let whole = help(&[])?;
    let names = names(&whole);
    if names.is_empty() {
        bail!("`oxomp --help` lists no commands");
    }
    let mut text = BEGINNING.to_owned();
    text += &section("oxomp", &whole);
    for name in names {
        let help = help(&[name]).with_context(|| format!("the help of {name}"))?;
        text += &section(&format!("oxomp {name}"), &help);
    }
    Ok(Generated { path: "reference/commands.md", text })
}

/// The commands that the help of the whole program lists, without that which prints help.
fn names(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let first = |line: &'_ str| line.starts_with("  ") && !line.starts_with("   ");
    let names = lines.filter(|line| first(line)).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// A heading with a help text below.
fn section(name: &str, help: &str) -> String {
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{names, section};

    #[test]
    fn the_commands_are_those_of_the_list() {
        let help = "Runs\n\nCommands:\n  run    Run a program\n           on it\n  debug  Explain\n\
                    \u{20} help   Print\n\nOptions:\n  -h, --help\n";
        assert_eq!(names(help), ["run", "debug"]);
        assert_eq!(names("Options:\n  -h\n"), [""; 0]);
    }

    #[test]
    fn a_text_has_no_blanks_at_the_ends_of_its_lines() {
        assert_eq!(section("a b", "1  \n\n2\n\n"), "\n## a b\n\n```text\n1\n\n2\n```\n");
    }
}
