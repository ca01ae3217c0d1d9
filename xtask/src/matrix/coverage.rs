//! Which test program makes the compiler call which symbol, and which one expects which event.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use oxomp_prerequisites::{File, Prerequisite, Program};

use crate::command;
use crate::elf::undefined_names;

/// The first test, by name, of each symbol and event.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    symbols: BTreeMap<String, String>,
    events: BTreeMap<String, String>,
}

impl Coverage {
    /// The test whose object asks for the symbol.
    pub(crate) fn of_symbol(&self, name: &str) -> Option<&str> {
        self.symbols.get(name).map(String::as_str)
    }

    /// The test whose expected trace names the event.
    pub(crate) fn of_event(&self, name: &str) -> Option<&str> {
        self.events.get(name).map(String::as_str)
    }
}

/// The compilers of the test programs: the name that directives have for them, and those for the
/// languages whose files end so.
const COMPILERS: [(&str, [(&str, Program); 3]); 2] = [
    ("gcc", [("c", Program::Gcc), ("cpp", Program::Gxx), ("f90", Program::Gfortran)]),
    ("clang", [("c", Program::Clang), ("cpp", Program::Clangxx), ("f90", Program::Flang)]),
];

/// What the compilation of the test programs takes.
pub(crate) fn prerequisites() -> Vec<Prerequisite> {
    let compilers = COMPILERS.iter().flat_map(|(_, compilers)| compilers);
    let compilers = compilers.map(|(_, compiler)| Prerequisite::from(*compiler));
    // The compilers' omp.h comes with their runtimes.
    compilers.chain([File::CHeaders.into(), File::LibompToLink.into()]).collect()
}

/// The folders of the test programs, and what their files' names begin with on the page.
const FOLDERS: [(&str, &str); 2] = [("tests/c", ""), ("tests/fortran", "fortran/")];

/// How the runner of the programs compiles those that do not say.
const DEFAULT_LEVEL: &str = "-O2";

/// Compiles every test program of the repository at `root` and reads its imports.
pub(crate) fn find(root: &Path) -> Result<Coverage> {
    let objects = tempfile::tempdir()?;
    let mut coverage = Coverage::default();
    for (folder, prefix) in FOLDERS {
        let folder = root.join(folder);
        for source in sources(&folder)? {
            let text = fs::read_to_string(&source)
                .with_context(|| format!("cannot read {}", source.display()))?;
            let path = source.strip_prefix(&folder).unwrap_or(&source);
            let name = format!("{prefix}{}", path.display());
            for event in expected_words(&text) {
                coverage.events.entry(event).or_insert_with(|| name.clone());
            }
            for (compiler, symbols) in imports(root, &source, &text, objects.path())? {
                for symbol in symbols {
                    let test = || format!("{name} ({compiler})");
                    coverage.symbols.entry(symbol).or_insert_with(test);
                }
            }
        }
    }
    Ok(coverage)
}

/// What the objects of one program import, compiler by compiler.
fn imports(
    root: &Path,
    source: &Path,
    text: &str,
    folder: &Path,
) -> Result<Vec<(&'static str, Vec<String>)>> {
    let only = directive(text, "Compilers");
    let flags = |name: &str| directive(text, name).unwrap_or_default().split_whitespace();
    let levels = directive(text, "Opt").unwrap_or(DEFAULT_LEVEL);
    let mut found = Vec::new();
    for (name, compilers) in COMPILERS {
        if only.is_some_and(|list| !list.split(',').any(|one| one.trim() == name)) {
            continue;
        }
        let object = folder.join("object.o");
        let Some(compiler) = compiler_for(source, &compilers) else { continue };
        for level in levels.split(',') {
            command::capture(
                compiler
                    .command()
                    .current_dir(folder)
                    .args(["-fopenmp", level.trim(), "-w", "-c", "-I"])
                    .arg(root.join("tests/include"))
                    .args(flags("Flags").chain(flags(&format!("Flags[{name}]"))))
                    .arg(source)
                    .arg("-o")
                    .arg(&object),
            )?;
            found.push((name, undefined_names(&object)?.into_iter().collect()));
        }
    }
    Ok(found)
}

/// The compiler for the language of `source`, which the end of its name tells.
fn compiler_for(source: &Path, compilers: &[(&str, Program)]) -> Option<Program> {
    let end = source.extension()?.to_str()?;
    compilers.iter().find(|(language, _)| *language == end).map(|(_, compiler)| *compiler)
}

/// A line without what makes it a comment in Fortran.
fn stripped(line: &str) -> &str {
    line.trim_start().trim_start_matches('!')
}

/// The words of the expected trace, `//|` lines, event names among them.
fn expected_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines()
        .filter_map(|line| stripped(line).strip_prefix("//|"))
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned))
}

fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (found, value) = stripped(line).strip_prefix("//#")?.split_once(':')?;
        (found == name).then_some(value.trim())
    })
}

/// The programs below `folder`, sorted by path; none if there is no such folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if compiler_for(&path, &COMPILERS[0].1).is_some() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{directive, expected_words, find};
    use anyhow::Result;
    use std::fs;

    #[test]
    fn directives_and_expectations_are_read() {
        let text =
            "//#Compilers:clang\n//#Flags:-lm\n//#Trace\n//| primary: work(loop) < sync_region\n";
        assert_eq!(directive(text, "Compilers"), Some("clang"));
        assert_eq!(directive(text, "Opt"), None);
        assert_eq!(directive("!//#Compilers:gcc\nend\n", "Compilers"), Some("gcc"));
        let words: Vec<String> = expected_words(text).collect();
        assert!(words.contains(&"sync_region".to_owned()) && words.contains(&"work".to_owned()));
    }

    #[test]
    fn the_objects_imports_are_found() -> Result<()> {
        let root = tempfile::tempdir()?;
        let folder = root.path().join("tests/c/parallel");
        fs::create_dir_all(&folder)?;
        let text = "//#Compilers:gcc\nvoid g(void);\nint main(void) {\n#pragma omp parallel\ng();\nreturn 0; }\n";
        fs::write(folder.join("empty.c"), text)?;
        let coverage = find(root.path())?;
        assert_eq!(coverage.of_symbol("GOMP_parallel"), Some("parallel/empty.c (gcc)"));
        assert_eq!(coverage.of_symbol("__kmpc_fork_call"), None);
        Ok(())
    }
}
