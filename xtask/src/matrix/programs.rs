//! The test programs: their compilers, their expected traces, and their imports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Error, Result};
use oxomp_prerequisites::{File, Prerequisite, Program};
use oxomp_testing::case::{Case, expand};
use oxomp_testing::compiler::Executables;
use oxomp_testing::directives::{Directives, Source, parse};
use oxomp_testing::file;
use oxomp_testing::trace::interface::Interface;

use oxomp_build::elf::SharedObject;

/// The paths that the compilation of the test programs needs.
pub(crate) fn prerequisites() -> Vec<Prerequisite> {
    let of_gcc = [Program::Gcc, Program::Gxx, Program::Gfortran];
    let of_llvm = [Program::Clang, Program::Clangxx, Program::Flang];
    let compilers = of_gcc.into_iter().chain(of_llvm).map(Prerequisite::from);
    // The compilers' omp.h comes with their runtimes.
    compilers.chain([File::CHeaders.into(), File::LibompToLink.into()]).collect()
}

/// A test program.
pub(crate) struct TestProgram {
    /// The program's name on the page.
    pub(crate) name: String,
    source: PathBuf,
    directives: Arc<Directives>,
}

impl TestProgram {
    /// The families of compilers that compile it, by name.
    pub(crate) fn families(&self) -> impl Iterator<Item = &'static str> {
        self.directives.compilers.iter().map(|family| family.name())
    }

    /// The lines of its expected trace of OMPT's events; empty if the trace has the 2015 report's
    /// events.
    pub(crate) fn expected_lines(&self) -> Vec<String> {
        match &self.directives.trace {
            Some(lines) if self.directives.interface == Interface::OpenMp => {
                lines.iter().map(|(_, line)| line.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// For each family of compilers and each level: the family's name, and the symbols that the
    /// executable imports. Tests find the executables that are made here, as these are found here.
    pub(crate) fn imports(
        &self,
        executables: &Executables,
    ) -> Result<Vec<(&'static str, Vec<String>)>> {
        let mut cases = expand(&self.name, &self.source, &self.directives);
        cases.dedup_by(|one, before| one.recipe == before.recipe);
        let imports = |case: Case| {
            let executable = executables.get(&case.recipe).map_err(Error::msg)?;
            let symbols = SharedObject::read(&executable)?.imports.into_iter();
            Ok((case.recipe.compiler.name(), symbols.map(|symbol| symbol.name).collect()))
        };
        cases.into_iter().map(imports).collect()
    }
}

/// The test programs of the repository at `root`, folder by folder, sorted by path.
pub(crate) fn find(root: &Path) -> Result<Vec<TestProgram>> {
    let mut found = Vec::new();
    for file in file::files(&root.join("tests")).map_err(Error::msg)? {
        let said = |mistake| Error::msg(format!("{}: {mistake}", file.source.display()));
        let text = file.text().map_err(Error::msg)?;
        if let Source::Test(directives) = parse(&text).map_err(said)? {
            let directives = Arc::from(directives);
            found.push(TestProgram { name: file.name, source: file.source, directives });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use oxomp_testing::directives::{Source, parse};

    use super::TestProgram;

    #[test]
    fn the_expected_lines_are_those_of_the_interface_of_today() {
        let program = |text: &str| {
            let Ok(Source::Test(directives)) = parse(text) else { panic!("right directives") };
            let directives = Arc::from(directives);
            TestProgram { name: "a".to_owned(), source: PathBuf::from("a.c"), directives }
        };
        let text = "//#Compilers:clang\n//#Trace\n//| primary {\n//|     work ..\n//| }\n";
        assert_eq!(program(text).expected_lines(), ["primary {", "work ..", "}"]);
        let of_2015 = text.replace("Trace", "Trace:2015");
        assert_eq!(program(&of_2015).expected_lines(), [""; 0]);
        assert!(program(text).families().eq(["clang"]));
    }
}
