//! The example of the README: it shows what the command says of `examples/transfer.c`.

use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::Program;
use oxomp_testing::directives::Ending;
use regex_lite::Regex;

use crate::planted::{outcome, oxomp_debug};

/// The command of the example, as the README has it.
const COMMAND: &str = "$ dist/bin/oxomp debug --end-on-deadlock -- ./transfer\n";

/// The trials of this file.
pub(crate) fn trials() -> Vec<Trial> {
    let test = || example().map_err(Failed::from);
    vec![Trial::test("readme::the_example_says_what_the_program_says", test)]
}

fn example() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let readme = read("README.md")?;
    let (_, rest) = readme.split_once(COMMAND).ok_or("the README has no example of a deadlock")?;
    let (shown, _) = rest.split_once("```").ok_or("the example does not end")?;

    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut compiler = Program::Cc.command();
    compiler.args(["-g", "-fopenmp", "transfer.c", "-o", "transfer"]).current_dir(folder.path());
    fs::write(folder.path().join("transfer.c"), read("examples/transfer.c")?)
        .map_err(|error| error.to_string())?;
    let compiled = outcome(&mut compiler)?;
    if compiled.ending != Ending::Status(0) {
        return Err(compiled.stderr);
    }
    let mut command = oxomp_debug();
    command.args(["--end-on-deadlock", "--", "./transfer"]).current_dir(folder.path());
    let outcome = outcome(&mut command)?;
    let (found, wanted) = (without_numbers(&outcome.stderr), without_numbers(shown));
    if found != wanted {
        return Err(format!("the README shows:\n{shown}\nthe program says:\n{}", outcome.stderr));
    }
    Ok(())
}

/// The text without what differs from run to run: numbers of processes and addresses.
fn without_numbers(text: &str) -> String {
    let numbers = Regex::new(r"\b(0x[0-9a-f]+|[0-9]{3,})\b").expect("a pattern");
    let text = numbers.replace_all(text, "N");
    let spaces = Regex::new(" +").expect("a pattern");
    spaces.replace_all(&text, " ").into_owned()
}
