//! Compilers for another processor, by the names of this machine's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_prerequisites::{Foreign, Program};

use super::Target;

/// The script by which rustc links.
pub(super) const LINKER: &str = "linker";

/// Has rustup install Rust's library for `triple`, if it is not there.
pub(crate) fn add_to_rust(triple: &str) -> Result<()> {
    if rust_says(&["--print", "target-libdir", "--target", triple])
        .is_ok_and(|folder| Path::new(&folder).is_dir())
    {
        return Ok(());
    }
    command::run(Command::new("rustup").args(["target", "add", triple]))
}

/// This machine, as Rust names it.
pub(super) fn host() -> Result<String> {
    rust_says(&["--print", "host-tuple"])
}

fn rust_says(arguments: &[&str]) -> Result<String> {
    Ok(command::capture(Command::new("rustc").args(arguments))?.trim().to_owned())
}

/// Writes a folder below `target` with a script for each compiler, which makes code of `processor`
/// against the libraries in `root`. Returns the folder.
pub(super) fn write(processor: Target, target: &Path, root: &Path) -> Result<PathBuf> {
    let folder = target.join("reference").join(format!("{}-compilers", processor.debian()));
    fs::create_dir_all(&folder)?;
    let script = |name: &str, before: &str, compiler: &Path, arguments: &str| {
        let text = format!("#!/bin/sh\n{before}exec '{}' {arguments} \"$@\"\n", compiler.display());
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok::<(), anyhow::Error>(())
    };
    let of_root = format!("--sysroot='{}'", root.display());
    let cross = [
        (Program::Cc, Foreign::CrossGcc),
        (Program::Gcc, Foreign::CrossGcc),
        (Program::Gxx, Foreign::CrossGxx),
        (Program::Gfortran, Foreign::CrossGfortran),
    ];
    for (name, compiler) in cross {
        let compiler = compiler.find().with_context(|| format!("no {}", compiler.text()))?;
        script(name.text(), "", &compiler, &of_root)?;
    }
    // LLVM's compilers make code for any processor. They do not look into `root` for the OpenMP
    // library, and flang not for its own one.
    let llvm = root.join("usr/lib/llvm-22/lib");
    let of_llvm = format!("--target={} {of_root} -L'{}'", processor.gnu(), llvm.display());
    let of_clang = format!("{of_llvm} -Wno-unused-command-line-argument");
    let of_flang = format!("{of_llvm} -resource-dir='{}'", llvm.join("clang/22").display());
    let llvm = [
        (Program::Clang, of_clang.clone()),
        (Program::Clangxx, of_clang),
        (Program::Flang, of_flang),
    ];
    // They do not hand their own arguments on to the clang that links a device's image.
    let of_images = format!(
        "case \" $* \" in *' -fopenmp-targets='*)\n  \
         set -- \"$@\" '-Wl,--device-compiler={}=--sysroot={}' ;;\nesac\n",
        processor.gnu(),
        root.display(),
    );
    for (name, arguments) in llvm {
        let compiler = name.find().with_context(|| format!("no {}", name.text()))?;
        script(name.text(), &of_images, &compiler, &arguments)?;
    }
    for name in [Program::Strip, Program::Objcopy] {
        let tool = Path::new("/usr/bin").join(format!("{}-{}", processor.gnu(), name.text()));
        script(name.text(), "", &tool, "")?;
    }
    let gcc = Foreign::CrossGcc.find().context("no gcc")?;
    script(LINKER, "", &gcc, &format!("{of_root} -B'{}' -fuse-ld=lld", lld()?.display()))?;
    Ok(folder)
}

/// The folder of Rust's own linker, by which rustc links for this machine too: version scripts mean
/// other things to GNU's.
fn lld() -> Result<PathBuf> {
    let sysroot = rust_says(&["--print", "sysroot"])?;
    Ok(Path::new(&sysroot).join("lib/rustlib").join(host()?).join("bin/gcc-ld"))
}
