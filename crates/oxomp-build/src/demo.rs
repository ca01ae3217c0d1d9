//! `cargo xtask demo`: from a fresh clone to a profile of a real OpenMP program.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::Program;

use crate::command;
use crate::dist;
use crate::workspace::Workspace;

/// Builds in release what a profile needs, compiles the example with the system's compiler, and
/// profiles it.
pub fn run(workspace: &Workspace) -> Result<()> {
    let cc = env::var_os("CC").unwrap_or_else(|| Program::Cc.text().into());
    require_openmp(&cc)?;
    let folder = workspace.target.join("demo");
    let built = dist::build_for_profiles(workspace, folder.join("oxomp"))?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    command::run(
        Command::new(&cc)
            .current_dir(&workspace.root)
            .args(["-fopenmp", "-g", "-O2", "-std=c99", "-o"])
            .arg(folder.join("solver"))
            .args(["examples/solver.c", "-lm"]),
    )?;
    command::run(
        Command::new(built.command()).current_dir(&folder).args(["profile", "--", "./solver"]),
    )
}

/// Fails with the package's name when `cc` cannot link an OpenMP program.
fn require_openmp(cc: &OsString) -> Result<()> {
    let name = cc.to_string_lossy();
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("probe.c"), folder.path().join("probe"));
    fs::write(&source, "int main(void) {\n#pragma omp parallel\n{ }\nreturn 0; }\n")?;
    let output = Command::new(cc)
        .arg("-fopenmp")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .stdin(Stdio::null())
        .output();
    match output {
        Err(error) => bail!(
            "cannot start the C compiler `{name}` ({error}); install one (Debian: apt-get install \
             gcc libc6-dev) or name it in the variable CC"
        ),
        Ok(output) if !output.status.success() => bail!(
            "the C compiler `{name}` cannot build OpenMP programs; install its OpenMP files \
             (Debian: gcc with libgomp1, or clang with libomp-dev) or name another compiler in \
             the variable CC\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        ),
        Ok(_) => Ok(()),
    }
}
