//! Files that know a processor: they lie in `oxomp-arch` alone, but for a few with a reason.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::breach::Breach;
use crate::files::{files_below, is_rust};

/// The folders with sources.
const FOLDERS: [&str; 2] = ["crates", "xtask"];

/// What may know processors.
const HOME: &str = "crates/oxomp-arch/";

/// Words by which a file asks for a processor, or names one; letters of either case.
const WORDS: [&str; 4] = ["aarch64", "target_arch", "x86-64", "x86_64"];

/// This file.
const OWN: &str = "xtask/src/layering/processor.rs";

/// The files that may name processors all the same, each with its reason.
const EXCEPTIONS: [(&str, &str); 7] = [
    ("crates/oxomp-abi/src/kmpc/atomic/mod.rs", "x87's long double has routines of its own"),
    ("crates/oxomp-collect/src/sample/unwinder.rs", "framehop's types of registers"),
    ("crates/oxomp-prerequisites/src/list.rs", "Debian's folders"),
    ("crates/oxomp-testing/tests/real_programs/tools.rs", "Debian's folders"),
    ("crates/oxomp-testing/tests/report_2015_inquiry.rs", "a program steps by the trap flag"),
    ("xtask/src/layering/floors/arch.rs", "the folders of oxomp-arch"),
    ("xtask/src/offload_tests/lit.rs", "LLVM's names of targets"),
];

/// Checks the sources below `root`, the folder of the repository.
///
/// # Errors
///
/// A file cannot be read.
pub fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    let mut needed = Vec::new();
    for folder in FOLDERS {
        for path in files_below(&root.join(folder), is_rust)? {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            if name.starts_with(HOME) || name == OWN {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let named = named_in(&text);
            if let Some(known) = EXCEPTIONS.iter().find(|(file, _)| *file == name) {
                needed.extend(named.first().map(|_| known.0));
                continue;
            }
            breaches.extend(named.into_iter().map(|(line, word)| Breach {
                file: path.clone(),
                line,
                rule: format!("`{word}`: what knows a processor lies in oxomp-arch (its README)"),
            }));
        }
    }
    let stale = EXCEPTIONS.iter().filter(|(file, _)| !needed.contains(file));
    let own = root.join(OWN);
    let text = fs::read_to_string(&own).unwrap_or_default();
    breaches.extend(stale.map(|(file, _)| Breach {
        file: own.clone(),
        line: text.lines().position(|line| line.contains(file)).map_or(1, |at| at + 1),
        rule: format!("`{file}` names no processor: remove the exception"),
    }));
    Ok(breaches)
}

/// The lines of a file that name a processor, from 1, and the words.
fn named_in(text: &str) -> Vec<(usize, &'static str)> {
    let word_in = |line: &str| {
        let line = line.to_ascii_lowercase();
        WORDS.into_iter().find(|word| line.contains(word))
    };
    text.lines().zip(1..).filter_map(|(line, number)| Some((number, word_in(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{EXCEPTIONS, check, named_in};

    #[test]
    fn a_condition_and_a_name_are_found() {
        let text = "#[cfg(target_arch = \"riscv64\")]\n// Nothing.\nuse elf::EM_X86_64;\n";
        assert_eq!(named_in(text), [(1, "target_arch"), (3, "x86_64")]);
        assert_eq!(named_in("/// As on x86-64 and AArch64."), [(1, "aarch64")]);
        assert_eq!(named_in("use iced_x86::Decoder;"), []);
    }

    #[test]
    fn a_file_outside_of_the_crate_is_named_and_so_are_exceptions_without_need() {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("crates/oxomp-arch/src/x86_64/mod.rs", "//! x86_64."),
            ("crates/oxomp-core/src/slot.rs", "fn slot() {}\n// On x86_64."),
            ("xtask/src/main.rs", "fn main() {}"),
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = check(root.path()).unwrap();
        let (stale, named): (Vec<_>, Vec<_>) =
            found.iter().partition(|breach| breach.rule.contains("remove the exception"));
        assert_eq!(stale.len(), EXCEPTIONS.len());
        let [breach] = named.as_slice() else { panic!("{named:?}") };
        assert!(breach.file.ends_with("oxomp-core/src/slot.rs") && breach.line == 2, "{breach}");
    }
}
