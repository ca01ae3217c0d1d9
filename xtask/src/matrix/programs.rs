//! The test programs: their compilers, their flags, and their imports.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use oxomp_prerequisites::{File, Prerequisite, Program};

use crate::command;
use crate::elf::undefined_names;
use crate::files::files_below;

/// The name that directives have for a family of compilers, and its compilers for the languages
/// whose files end so.
type Family = (&'static str, [(&'static str, Program); 3]);

/// The compilers of the test programs.
const COMPILERS: [Family; 2] = [
    ("gcc", [("c", Program::Gcc), ("cpp", Program::Gxx), ("f90", Program::Gfortran)]),
    ("clang", [("c", Program::Clang), ("cpp", Program::Clangxx), ("f90", Program::Flang)]),
];

/// The paths that the compilation of the test programs needs.
pub(crate) fn prerequisites() -> Vec<Prerequisite> {
    let compilers = COMPILERS.iter().flat_map(|(_, compilers)| compilers);
    let compilers = compilers.map(|(_, compiler)| Prerequisite::from(*compiler));
    // The compilers' omp.h comes with their runtimes.
    compilers.chain([File::CHeaders.into(), File::LibompToLink.into()]).collect()
}

/// The folders of the test programs, and what their files' names begin with on the page.
const FOLDERS: [(&str, &str); 2] = [("tests/c", ""), ("tests/fortran", "fortran/")];

/// The flags with which the runner compiles programs that name no flags.
const DEFAULT_LEVEL: &str = "-O2";

/// A test program.
pub(crate) struct TestProgram {
    /// The program's name on the page.
    pub(crate) name: String,
    source: PathBuf,
    text: String,
}

impl TestProgram {
    /// The families of compilers that compile it, by name.
    pub(crate) fn families(&self) -> impl Iterator<Item = &'static str> {
        self.compilers().map(|(name, _)| *name)
    }

    /// The lines of its expected trace of OMPT's events, which begin with `//|`; empty if the trace
    /// has the 2015 report's events.
    pub(crate) fn expected_lines(&self) -> Vec<String> {
        if directive(&self.text, "Trace") == Some("2015") {
            return Vec::new();
        }
        let lines = self.text.lines().filter_map(|line| stripped(line).strip_prefix("//|"));
        lines.map(|line| line.trim().to_owned()).collect()
    }

    fn compilers(&self) -> impl Iterator<Item = &'static Family> {
        let only = directive(&self.text, "Compilers");
        COMPILERS.iter().filter(move |(name, _)| {
            only.is_none_or(|list| list.split(',').any(|one| one.trim() == *name))
        })
    }

    /// The symbols that its objects import, compiler by compiler; the objects are written to
    /// `folder`.
    pub(crate) fn imports(
        &self,
        root: &Path,
        folder: &Path,
    ) -> Result<Vec<(&'static str, Vec<String>)>> {
        let flags = |name: &str| directive(&self.text, name).unwrap_or_default().split_whitespace();
        let levels = directive(&self.text, "Opt").unwrap_or(DEFAULT_LEVEL);
        let mut found = Vec::new();
        for (name, compilers) in self.compilers() {
            let object = folder.join("object.o");
            let Some(compiler) = compiler_for(&self.source, compilers) else { continue };
            for level in levels.split(',') {
                command::capture(
                    compiler
                        .command()
                        .current_dir(folder)
                        .args(["-fopenmp", level.trim(), "-w", "-c", "-I"])
                        .arg(root.join("tests/include"))
                        .args(flags("Flags").chain(flags(&format!("Flags[{name}]"))))
                        .arg(&self.source)
                        .arg("-o")
                        .arg(&object),
                )?;
                found.push((*name, undefined_names(&object)?.into_iter().collect()));
            }
        }
        Ok(found)
    }
}

/// The test programs of the repository at `root`, folder by folder, sorted by path.
pub(crate) fn find(root: &Path) -> Result<Vec<TestProgram>> {
    let mut found = Vec::new();
    for (folder, prefix) in FOLDERS {
        let folder = root.join(folder);
        if !folder.exists() {
            continue;
        }
        let is_program = |path: &Path| compiler_for(path, &COMPILERS[0].1).is_some();
        for source in files_below(&folder, is_program)? {
            let text = fs::read_to_string(&source)
                .with_context(|| format!("cannot read {}", source.display()))?;
            let path = source.strip_prefix(&folder).unwrap_or(&source);
            found.push(TestProgram { name: format!("{prefix}{}", path.display()), source, text });
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

fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (found, value) = stripped(line).strip_prefix("//#")?.split_once(':')?;
        (found == name).then_some(value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::{TestProgram, directive};
    use std::path::PathBuf;

    #[test]
    fn directives_and_expectations_are_read() {
        let text =
            "//#Compilers:clang\n//#Flags:-lm\n//#Trace\n//| primary {\n//|     work ..\n//| }\n";
        assert_eq!(directive(text, "Compilers"), Some("clang"));
        assert_eq!(directive(text, "Opt"), None);
        assert_eq!(directive("!//#Compilers:gcc\nend\n", "Compilers"), Some("gcc"));
        let program = TestProgram {
            name: "a".to_owned(),
            source: PathBuf::from("a.c"),
            text: text.to_owned(),
        };
        assert_eq!(program.expected_lines(), ["primary {", "work ..", "}"]);
        let of_2015 = text.replace("Trace", "Trace:2015");
        let other = TestProgram { text: of_2015, name: String::new(), source: PathBuf::new() };
        assert_eq!(other.expected_lines(), [""; 0]);
        assert!(program.families().eq(["clang"]));
    }
}
