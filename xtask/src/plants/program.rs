//! The programs with a plant, and how they are built.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_prerequisites::{File, Prerequisite, Program as Tool};

use super::{Compiler, Runtime};
use crate::command;

/// A program with one fault.
#[derive(Debug)]
pub(super) struct Program {
    /// The file's name without its ending.
    pub(super) name: String,
    path: PathBuf,
    /// The fault, in the words of the file's first comment.
    pub(super) plant: String,
    /// The repair, in a few words.
    pub(super) repair: String,
    /// A variable that the repair needs beside the changed source.
    variable: Option<(String, String)>,
}

/// Every program of tests/profiler/plants, by name.
pub(super) fn all(root: &Path) -> Result<Vec<Program>> {
    let folder = root.join("tests/profiler/plants");
    let mut programs = Vec::new();
    let files =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for file in files {
        let path = file?.path();
        let text = fs::read_to_string(&path)?;
        programs.extend(read(&path, &text));
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

/// The program of a file; `None` if the file is only a part of one.
fn read(path: &Path, text: &str) -> Option<Program> {
    let repair = text.lines().find_map(|line| line.split_once("//#Repair:"))?.1;
    let comment = text.lines().take_while(|line| !line.contains("//#")).collect::<Vec<_>>();
    let plant = comment.join(" ").replace(['/', '*', '"', '!'], " ");
    Some(Program {
        name: path.file_name()?.to_str()?.to_owned(),
        path: path.to_owned(),
        plant: plant.split_whitespace().collect::<Vec<_>>().join(" "),
        repair: repair.to_owned(),
        variable: text.lines().find_map(|line| {
            let (name, value) = line.split_once("//#RepairedWith:")?.1.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        }),
    })
}

/// What building and running the programs needs.
pub(super) fn needed(compiler: Compiler, runtime: Runtime) -> Vec<Prerequisite> {
    let tools = ["c", "cpp", "f90"].map(|ending| tool(compiler, ending).into());
    let libomp = (runtime == Runtime::Keep).then(|| File::Libomp.into());
    tools.into_iter().chain([File::DebianPython.into()]).chain(libomp).collect()
}

fn tool(compiler: Compiler, ending: &str) -> Tool {
    match (compiler, ending) {
        (Compiler::Gcc, "cpp") => Tool::Gxx,
        (Compiler::Gcc, "f90") => Tool::Gfortran,
        (Compiler::Gcc, _) => Tool::Gcc,
        (Compiler::Clang, "cpp") => Tool::Clangxx,
        (Compiler::Clang, "f90") => Tool::Flang,
        (Compiler::Clang, _) => Tool::Clang,
    }
}

impl Program {
    fn ending(&self) -> &str {
        self.path.extension().and_then(OsStr::to_str).unwrap_or_default()
    }

    /// Builds the program in `folder`; returns the command line that runs it.
    pub(super) fn build(
        &self,
        compiler: Compiler,
        repaired: bool,
        folder: &Path,
    ) -> Result<Vec<PathBuf>> {
        let is_script = self.ending() == "py";
        let source = if is_script { self.library() } else { self.path.clone() };
        let ending = if repaired { "repaired" } else { "planted" };
        let built = folder.join(format!("{}.{ending}", self.name));
        let mut compile = tool(compiler, if is_script { "c" } else { self.ending() }).command();
        compile.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&built).arg(source);
        if is_script {
            compile.args(["-shared", "-fPIC"]);
        }
        if self.ending() == "f90" {
            compile.arg("-cpp");
        }
        if repaired {
            compile.arg("-DREPAIRED");
        }
        command::capture(&mut compile)?;
        let script = is_script.then(|| vec![File::DebianPython.path().into(), self.path.clone()]);
        Ok(script.into_iter().flatten().chain([built]).collect())
    }

    /// The command that runs `line`, which `build` returned: repaired, as far as that is done by
    /// variables, if `repaired` says so.
    pub(super) fn command(&self, line: &[PathBuf], repaired: bool) -> Command {
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]);
        if repaired {
            command.env("REPAIRED", "1").envs(self.variable.clone());
        }
        command
    }

    /// The library of a script.
    fn library(&self) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{stem}_library.c"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read;

    #[test]
    fn comments_of_each_language_tell_plant_and_repair() {
        for text in [
            "/* A fault\n * here. */\n//#Says:x\n//#Repair:less\n",
            "! A fault\n! here.\n!//#Repair:less\n!//#RepairedWith:OMP_X=1\nprogram x\n",
            "\"\"\"A fault here.\"\"\"\n#//#Repair:less\n",
        ] {
            let program = read(Path::new("plants/a.c"), text).expect("a program");
            assert_eq!(
                (program.plant.as_str(), program.repair.as_str()),
                ("A fault here.", "less")
            );
            let variable = text.contains("OMP_X").then(|| ("OMP_X".to_owned(), "1".to_owned()));
            assert_eq!(program.variable, variable);
        }
        assert!(read(Path::new("plants/burn.h"), "/* No program. */\n").is_none());
    }
}
