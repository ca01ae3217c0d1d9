//! Files that know a processor: they lie in `oxomp-arch` alone, but for a few with a reason.
//!
//! A file knows a processor if it names one, asks for the one of the build, or has assembly.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::breach::Breach;
use crate::files::{files_below, is_rust};

/// The folders of the repository that have no sources; those whose names begin with a dot have none
/// either.
const WITHOUT_SOURCES: [&str; 2] = ["dist", "target"];

/// What may know processors.
const HOME: &str = "crates/oxomp-arch/";

/// This file.
const OWN: &str = "xtask/src/layering/processor.rs";

/// Words by which a file shows that it knows a processor; letters of either case.
#[derive(Debug)]
struct Words {
    words: &'static [&'static str],
    /// The files that may have such words all the same, each with its reason.
    exceptions: &'static [(&'static str, &'static str)],
}

/// Words by which a file asks for a processor, or names one.
const NAMES: Words = Words {
    words: &["aarch64", "target_arch", "x86-64", "x86_64"],
    exceptions: &[
        ("crates/oxomp-abi/src/kmpc/atomic/mod.rs", "x87's long double has routines of its own"),
        ("crates/oxomp-collect/src/sample/unwinder.rs", "framehop's types of registers"),
        ("crates/oxomp-prerequisites/src/list.rs", "Debian's folders"),
        ("crates/oxomp-testing/tests/real_programs/tools.rs", "Debian's folders"),
        ("crates/oxomp-testing/tests/report_2015_inquiry.rs", "a program steps by the trap flag"),
        ("xtask/src/layering/floors/arch.rs", "the folders of oxomp-arch"),
        ("xtask/src/offload_tests/lit.rs", "LLVM's names of targets"),
    ],
};

/// Assembly: `asm!`, `global_asm!` and `naked_asm!`.
const ASSEMBLY: Words = Words {
    words: &["asm!"],
    exceptions: &[
        ("crates/libomptarget/src/export.rs", "directives that name symbols, no instruction"),
        ("crates/oxomp-abi/src/entry.rs", "directives that name symbols, no instruction"),
        ("crates/oxomp-abi/src/ompd.rs", "`ret` alone, which oxomp-arch's processors all have"),
    ],
};

/// All words by which a file shows that it knows a processor.
const ALL: [Words; 2] = [NAMES, ASSEMBLY];

/// Checks the sources below `root`, the folder of the repository.
///
/// # Errors
///
/// A file cannot be read.
pub fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    let mut needed = Vec::new();
    for path in sources(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        if name.starts_with(HOME) || name == OWN {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for kind in ALL {
            let found = kind.found_in(&text);
            if let Some(known) = kind.exceptions.iter().find(|(file, _)| *file == name) {
                needed.extend(found.first().map(|_| *known));
                continue;
            }
            breaches.extend(found.into_iter().map(|(line, word)| Breach {
                file: path.clone(),
                line,
                rule: format!("`{word}`: what knows a processor lies in oxomp-arch (its README)"),
            }));
        }
    }
    let own = root.join(OWN);
    let text = fs::read_to_string(&own).unwrap_or_default();
    let exceptions = ALL.into_iter().flat_map(|kind| kind.exceptions);
    let stale = exceptions.filter(|known| !needed.contains(known));
    breaches.extend(stale.map(|(file, _)| Breach {
        file: own.clone(),
        line: text.lines().position(|line| line.contains(file)).map_or(1, |at| at + 1),
        rule: format!("`{file}` knows no processor: remove the exception"),
    }));
    Ok(breaches)
}

/// The Rust sources of the repository.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(root).with_context(|| root.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_searched = entry.file_type()?.is_dir() && !name.starts_with('.');
        if is_searched && !WITHOUT_SOURCES.contains(&name.as_str()) {
            sources.extend(files_below(&entry.path(), is_rust)?);
        }
    }
    sources.sort();
    Ok(sources)
}

impl Words {
    /// The lines of a file that have one of the words, from 1, and the words.
    fn found_in(&self, text: &str) -> Vec<(usize, &'static str)> {
        let word_in = |line: &str| {
            let line = line.to_ascii_lowercase();
            self.words.iter().copied().find(|word| line.contains(word))
        };
        text.lines().zip(1..).filter_map(|(line, number)| Some((number, word_in(line)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ALL, ASSEMBLY, NAMES, check};

    #[test]
    fn a_condition_and_a_name_are_found() {
        let text = "#[cfg(target_arch = \"riscv64\")]\n// Nothing.\nuse elf::EM_X86_64;\n";
        assert_eq!(NAMES.found_in(text), [(1, "target_arch"), (3, "x86_64")]);
        assert_eq!(NAMES.found_in("/// As on x86-64 and AArch64."), [(1, "aarch64")]);
        assert_eq!(NAMES.found_in("use iced_x86::Decoder;"), []);
    }

    #[test]
    fn assembly_of_every_kind_is_found() {
        let text = "asm!(\"nop\");\ncore::arch::global_asm!(\n\nnaked_asm!(\"ret\")";
        assert_eq!(ASSEMBLY.found_in(text), [(1, "asm!"), (2, "asm!"), (4, "asm!")]);
        assert_eq!(ASSEMBLY.found_in("use core::arch::naked_asm;\n#define A __asm__"), []);
    }

    #[test]
    fn a_file_outside_of_the_crate_is_named_and_so_are_exceptions_without_need() {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("crates/oxomp-arch/src/x86_64/mod.rs", "//! x86_64."),
            ("crates/oxomp-arch/src/x86_64/call.rs", "naked_asm!(\"ret\")"),
            ("crates/oxomp-core/src/slot.rs", "fn slot() {}\n// On x86_64."),
            ("crates/oxomp-core/src/stop.rs", "fn stop() {\n    asm!(\"hlt\")\n}"),
            ("crates/oxomp-abi/src/ompd.rs", "naked_asm!(\"ret\") // On AArch64."),
            ("bench/clock.rs", "asm!(\"rdtsc\")"),
            ("target/generated.rs", "// x86_64"),
            ("xtask/src/main.rs", "fn main() {}"),
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = check(root.path()).unwrap();
        let (stale, named): (Vec<_>, Vec<_>) =
            found.iter().partition(|breach| breach.rule.contains("remove the exception"));
        let exceptions: usize = ALL.iter().map(|kind| kind.exceptions.len()).sum();
        assert_eq!(stale.len(), exceptions - 1, "ompd.rs needs its exception");
        let named = named.iter().map(|breach| {
            (breach.file.strip_prefix(root.path()).unwrap().to_str().unwrap(), breach.line)
        });
        let expected = [
            ("bench/clock.rs", 1),
            ("crates/oxomp-abi/src/ompd.rs", 1),
            ("crates/oxomp-core/src/slot.rs", 2),
            ("crates/oxomp-core/src/stop.rs", 2),
        ];
        assert_eq!(named.collect::<Vec<_>>(), expected);
    }
}
