//! How the programs with a plant are built and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use oxomp_build::command;
use oxomp_prerequisites::{File, Prerequisite, Program as Tool};
use oxomp_testing::plant::Plant;

use super::platform::{Compiler, Runtime};

/// What building and running the programs needs.
pub(super) fn needed(compiler: Compiler, runtime: Runtime) -> Vec<Prerequisite> {
    let tools = ["c", "cpp", "f90"].map(|ending| tool(compiler, ending).into());
    let libomp = (runtime == Runtime::Keep).then(|| File::Libomp.into());
    let others = [File::DebianPython.into(), Tool::Sh.into(), Tool::Chrt.into()];
    tools.into_iter().chain(others).chain(libomp).collect()
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

/// Builds the program in `folder`; returns the command line that runs it.
pub(super) fn build(
    plant: &Plant,
    compiler: Compiler,
    repaired: bool,
    folder: &Path,
) -> Result<Vec<PathBuf>> {
    let is_script = plant.is_script();
    let source = if is_script { library(plant) } else { plant.path.clone() };
    let ending = if repaired { "repaired" } else { "planted" };
    let built = folder.join(format!("{}.{ending}", plant.file()));
    let mut compile = tool(compiler, if is_script { "c" } else { plant.ending() }).command();
    compile.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&built).arg(source);
    if is_script {
        compile.args(["-shared", "-fPIC"]);
    }
    if plant.ending() == "f90" {
        compile.arg("-cpp");
    }
    if repaired {
        compile.arg("-DREPAIRED");
    }
    command::capture(&mut compile)?;
    let script = is_script.then(|| vec![File::DebianPython.path().into(), plant.path.clone()]);
    Ok(script.into_iter().flatten().chain([built]).collect())
}

/// The command that runs `line`, which `build` returned. If `repaired`, it sets the variables of
/// the repair.
pub(super) fn command(plant: &Plant, line: &[PathBuf], repaired: bool) -> Command {
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    if repaired {
        command.env("REPAIRED", "1").envs(plant.variable.clone());
    }
    command
}

/// The library of a script.
fn library(plant: &Plant) -> PathBuf {
    plant.path.with_file_name(format!("{}_library.c", plant.name))
}
