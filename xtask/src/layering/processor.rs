//! Files that know a processor: they lie in `oxomp-arch` alone, but for a few with a reason.
//!
//! A file of Rust or of C knows a processor if it names one, asks for the one of the build, or has
//! instructions in assembly. Machine code as numbers is not found.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::breach::Breach;
use crate::files::{files_below, is_c, is_rust};

/// The folders of the repository that have no sources; those whose names begin with a dot have none
/// either.
const WITHOUT_SOURCES: [&str; 2] = ["dist", "target"];

/// What may know processors.
const HOME: &str = "crates/oxomp-arch/";

/// This file.
const OWN: &str = "xtask/src/layering/processor.rs";

/// What shows that a file knows a processor.
#[derive(Debug)]
struct Sign {
    /// The lines of a text that have the sign, from 1, and the word that was found there.
    found_in: fn(&str) -> Vec<(usize, &'static str)>,
    /// What may have the sign all the same, each with its reason: files, and folders with a slash.
    exceptions: &'static [(&'static str, &'static str)],
}

/// A word by which a file asks for a processor or names one, in letters of either case.
const NAMES: Sign = Sign {
    found_in: |text| {
        let words = ["aarch64", "iced_x86", "intrin.h>", "target_arch", "x86-64", "x86_64"];
        lines_with(text, &words)
    },
    exceptions: &[
        ("crates/oxomp-abi/src/kmpc/atomic/mod.rs", "x87's long double has routines of its own"),
        ("crates/oxomp-collect/src/sample/unwinder.rs", "framehop's types of registers"),
        ("crates/oxomp-inspect/src/unwind/vendor.rs", "gimli's name of a processor's tables"),
        ("crates/oxomp-prerequisites/src/list.rs", "Debian's folders"),
        ("crates/oxomp-symbols/src/instructions/", "its decoder must not come into the runtime"),
        ("crates/oxomp-symbols/src/outlined/tests/", "machine code of each processor"),
        ("crates/oxomp-testing/tests/entry_points/frames.h", "a test, exact on one processor"),
        ("crates/oxomp-testing/tests/real_programs/tools.rs", "Debian's folders"),
        ("crates/oxomp-testing/tests/report_2015_inquiry.rs", "a program steps by the trap flag"),
        ("crates/oxomp-testing/tests/report_2015_inquiry/stepped.c", "it steps by the trap flag"),
        ("tests/jitter/preempt.c", "it knows a thread that sleeps in a system call"),
        ("tests/offload/library/damaged.c", "an image for a machine that is not the host's"),
        ("xtask/src/foreign/", "other processors than this machine's"),
        ("xtask/src/layering/floors/arch.rs", "the folders of oxomp-arch"),
        ("xtask/src/main.rs", "an example of the help"),
        ("xtask/src/matrix/page.rs", "what was tested where"),
        ("xtask/src/offload_tests/lit.rs", "LLVM's names of targets"),
        ("xtask/src/package/", "the processors that packages are made for"),
        ("xtask/src/test.rs", "the processors for which `--target` tests"),
    ],
};

/// Assembly in Rust: `asm!`, `global_asm!` and `naked_asm!`.
const ASSEMBLY: Sign = Sign {
    found_in: |text| lines_with(text, &["asm!"]),
    exceptions: &[
        ("crates/libomptarget/src/export.rs", "directives that name symbols, no instruction"),
        ("crates/oxomp-abi/src/entry.rs", "directives that name symbols, no instruction"),
        ("crates/oxomp-abi/src/ompd.rs", "`ret` alone, which oxomp-arch's processors all have"),
    ],
};

/// Instructions in assembly in C: a barrier for the compiler, a directive and a comment are none.
const INSTRUCTIONS: Sign = Sign {
    found_in: instructions,
    exceptions: &[(
        "crates/oxomp-testing/tests/report_2015_inquiry/stepped.c",
        "a program steps by the trap flag",
    )],
};

/// All signs by which a file shows that it knows a processor.
const ALL: [Sign; 3] = [NAMES, ASSEMBLY, INSTRUCTIONS];

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
        for sign in ALL {
            let found = (sign.found_in)(&text);
            if let Some(known) = sign.exceptions.iter().find(|(path, _)| covers(path, &name)) {
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
    let exceptions = ALL.into_iter().flat_map(|sign| sign.exceptions);
    let stale = exceptions.filter(|known| !needed.contains(known));
    breaches.extend(stale.map(|(file, _)| Breach {
        file: own.clone(),
        line: text.lines().position(|line| line.contains(file)).map_or(1, |at| at + 1),
        rule: format!("`{file}` knows no processor: remove the exception"),
    }));
    Ok(breaches)
}

/// Whether an exception for `path` is one for the file `name`.
fn covers(path: &str, name: &str) -> bool {
    if path.ends_with('/') { name.starts_with(path) } else { name == path }
}

/// The Rust and C sources of the repository.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(root).with_context(|| root.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_searched = entry.file_type()?.is_dir() && !name.starts_with('.');
        if is_searched && !WITHOUT_SOURCES.contains(&name.as_str()) {
            sources.extend(files_below(&entry.path(), |path| is_rust(path) || is_c(path))?);
        }
    }
    sources.sort();
    Ok(sources)
}

/// The lines of a text that have one of the words, from 1, and the words.
fn lines_with(text: &str, words: &[&'static str]) -> Vec<(usize, &'static str)> {
    let word_in = |line: &str| {
        let line = line.to_ascii_lowercase();
        words.iter().copied().find(|word| line.contains(word))
    };
    text.lines().zip(1..).filter_map(|(line, number)| Some((number, word_in(line)?))).collect()
}

/// The lines of a text in C that begin a statement in assembly with an instruction, from 1.
fn instructions(text: &str) -> Vec<(usize, &'static str)> {
    let words = text.match_indices("asm").map(|(at, word)| (&text[..at], &text[at + word.len()..]));
    let found = words.filter(|(before, rest)| {
        !before.ends_with(|c: char| c.is_alphanumeric()) && has_instruction(rest)
    });
    found.map(|(before, _)| (before.matches('\n').count() + 1, "asm")).collect()
}

/// Whether the statement of which `rest` follows `asm` has an instruction: the first text in its
/// parentheses is neither empty nor a directive, nor a comment, nor the name of a symbol, which has
/// an underscore.
fn has_instruction(rest: &str) -> bool {
    let Some((before, inside)) = rest.split_once('(') else { return false };
    let words = ["", "__", "volatile", "__ volatile", "__volatile__", "__ __volatile__"];
    let assembly = inside.trim_start().strip_prefix('"');
    let is_instruction = |text: &str| {
        let first = text.trim_start().split([' ', '"']).next().unwrap_or_default();
        !first.is_empty() && !first.starts_with(['.', '#']) && !first.contains('_')
    };
    words.contains(&before.trim()) && assembly.is_some_and(is_instruction)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ALL, ASSEMBLY, INSTRUCTIONS, NAMES, Sign, check};

    fn found(sign: &Sign, text: &str) -> Vec<(usize, &'static str)> {
        (sign.found_in)(text)
    }

    #[test]
    fn a_condition_and_a_name_are_found() {
        let text = "#[cfg(target_arch = \"riscv64\")]\n// Nothing.\nuse elf::EM_X86_64;\n";
        assert_eq!(found(&NAMES, text), [(1, "target_arch"), (3, "x86_64")]);
        assert_eq!(found(&NAMES, "/// As on x86-64 and AArch64."), [(1, "aarch64")]);
        assert_eq!(found(&NAMES, "use iced_x86::Decoder;"), [(1, "iced_x86")]);
        assert_eq!(found(&NAMES, "\n#include <immintrin.h>"), [(2, "intrin.h>")]);
    }

    #[test]
    fn assembly_of_every_kind_is_found() {
        let text = "asm!(\"nop\");\ncore::arch::global_asm!(\n\nnaked_asm!(\"ret\")";
        assert_eq!(found(&ASSEMBLY, text), [(1, "asm!"), (2, "asm!"), (4, "asm!")]);
        assert_eq!(found(&ASSEMBLY, "use core::arch::naked_asm;\n#define A __asm__"), []);
    }

    #[test]
    fn instructions_in_c_are_found_and_what_is_none_is_not() {
        for text in [
            "asm(\"nop\");",
            "__asm__ volatile(\"pause\");",
            "__asm volatile (\n    \"sub $8, %%rsp\");",
            "__asm__ __volatile__(\" mfence\" ::: \"memory\");",
        ] {
            let text = format!("/* One. */\n{text}");
            assert_eq!(found(&INSTRUCTIONS, &text), [(2, "asm")], "{text}");
        }
        for text in [
            "__asm__ volatile(\"\" ::: \"memory\");",
            "__asm__ volatile(\"\" : \"+r\"(value));",
            "__asm__(\".symver old, omp_init_lock@OMP_1.0\\n\"\n        \".symver a, b@C\");",
            "__asm__ volatile(\"# small\");",
            "extern int name(void) __asm__(symbol);",
            "extern int name(void) __asm__(\"ompc_name\");",
            "chasm(\"nop\"); /* asm */",
            "asm!(\"nop\")",
        ] {
            assert_eq!(found(&INSTRUCTIONS, text), [], "{text}");
        }
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
            ("crates/oxomp-symbols/src/instructions/spin.rs", "use iced_x86::Mnemonic;"),
            ("bench/clock.c", "int a;\nint b = asm(\"rdtsc\");"),
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
        let exceptions: usize = ALL.iter().map(|sign| sign.exceptions.len()).sum();
        assert_eq!(stale.len(), exceptions - 2, "ompd.rs and the decoder need their exceptions");
        let named = named.iter().map(|breach| {
            (breach.file.strip_prefix(root.path()).unwrap().to_str().unwrap(), breach.line)
        });
        let expected = [
            ("bench/clock.c", 2),
            ("bench/clock.rs", 1),
            ("crates/oxomp-abi/src/ompd.rs", 1),
            ("crates/oxomp-core/src/slot.rs", 2),
            ("crates/oxomp-core/src/stop.rs", 2),
        ];
        assert_eq!(named.collect::<Vec<_>>(), expected);
    }
}
