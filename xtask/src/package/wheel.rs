//! The wheel: the stage as a Python package, with the command as its script.
//!
//! `hatchling` makes it, of a source tree that is put together here: the module of
//! `packaging/python`, and the files of the stage beside it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::dist::{OFFLOAD_LINKS, RUNTIME_LINKS, Stub, StubTools};
use oxomp_build::elf::SharedObject;
use oxomp_build::workspace::Workspace;

use super::release::Release;
use super::stage::Stage;
use super::tools::Tools;
use crate::python;

/// The platform tag of the stage's wheel: its C library and its processor.
fn tag(stage: &Stage) -> String {
    let glibc = stage.glibc.text().replace('.', "_");
    format!("manylinux_{glibc}_{}", stage.architecture.name())
}

/// The tag, and the name that glibc 2.17 has for versions of pip before 20.3.
fn platform(stage: &Stage) -> String {
    format!("{}.manylinux2014_{}", tag(stage), stage.architecture.name())
}

/// Makes the wheel of the stage, and returns its path.
pub(super) fn build(
    workspace: &Workspace,
    stage: &Stage,
    release: &Release,
    tools: &Tools,
    out: &Path,
) -> Result<PathBuf> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("source");
    copy(&workspace.root.join("packaging/python"), &source)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace.root.join(name), source.join(name)).context(name)?;
    }
    let module = source.join("oxomp");
    for part in ["bin", "include"] {
        copy(&stage.root.join(part), &module.join(part))?;
    }
    libraries(stage, &module.join("lib"), &stage.stub_tools(tools))?;
    copy(&stage.root.join("share"), &source.join("share"))?;
    let mut read = tools.python();
    read.args(["-c", "import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]"]);
    read.args(python::write_made(workspace, &module)?);
    command::capture(&mut read).context("Python cannot read what is made of the schemas")?;

    let mut build = tools.python();
    build.current_dir(&source).args(["-m", "hatchling", "build", "--target", "wheel"]);
    build.arg("--directory").arg(folder.path().join("built"));
    build.env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    build.env("OXOMP_VERSION", &release.version).env("OXOMP_PLATFORM", platform(stage));
    command::run(&mut build)?;
    let made: Vec<PathBuf> = fs::read_dir(folder.path().join("built"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    let [wheel] = made.as_slice() else { bail!("hatchling made {} wheels", made.len()) };
    let name = wheel.file_name().context("a wheel has a name")?;
    fs::create_dir_all(out)?;
    fs::copy(wheel, out.join(name))?;
    judge(tools, &out.join(name), stage)?;
    Ok(out.join(name))
}

/// Puts the libraries into the wheel's folder: each once, its further names as stubs that stand for
/// it, since a wheel is an archive without links.
fn libraries(stage: &Stage, to: &Path, tools: &StubTools) -> Result<()> {
    fs::create_dir_all(to)?;
    let from = stage.root.join("lib");
    for entry in fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        if path.is_file() && !path.is_symlink() {
            let name = path.file_name().context("a file has a name")?;
            fs::copy(&path, to.join(name)).with_context(|| path.display().to_string())?;
        }
    }
    for (file, sonames) in
        [("libomp.so", &RUNTIME_LINKS[..]), ("libomptarget.so", &OFFLOAD_LINKS[..])]
    {
        let library = SharedObject::read(&from.join(file))?;
        for soname in sonames {
            Stub::alias(soname, file, &library).link(tools, &to.join(soname))?;
        }
    }
    Ok(())
}

/// Fails unless `auditwheel` finds that the wheel runs wherever its name says.
fn judge(tools: &Tools, wheel: &Path, stage: &Stage) -> Result<()> {
    let mut show = tools.python();
    let verdict = command::capture(show.args(["-m", "auditwheel", "show"]).arg(wheel))?;
    let words: Vec<&str> = verdict.split_whitespace().collect();
    let tag = format!("\"{}\"", tag(stage));
    let verdict = words.join(" ");
    if !verdict.contains(&format!("following platform tag: {tag}")) {
        bail!("auditwheel does not find {} to be for {tag}: {verdict}", wheel.display());
    }
    Ok(())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let to = to.join(path.file_name().context("a file has a name")?);
        if path.is_dir() {
            copy(&path, &to)?;
        } else {
            fs::copy(&path, &to).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}
