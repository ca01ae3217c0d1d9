//! Further names of a library where links cannot be: in wheels, which are archives without links.
//!
//! A program asks for a library by its soname, and for versions of symbols that must be defined
//! there. An alias is a library of that soname without code. It defines the versions and needs the
//! real library, in which the loader then finds the symbols.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::elf::SharedObject;

/// Writes the alias `soname` of the library `real` into the folder of that library. `compiler` are
/// the words that call a C compiler.
pub(super) fn write(real: &Path, soname: &str, compiler: &[OsString]) -> Result<()> {
    let library = SharedObject::read(real)?;
    let folder = tempfile::tempdir()?;
    let [source, script] = ["alias.s", "alias.map"].map(|name| folder.path().join(name));
    fs::write(&source, ".section .note.GNU-stack,\"\",%progbits\n")?;
    let mut nodes = String::new();
    for node in &library.nodes {
        let _ = writeln!(nodes, "{node} {{ }};");
    }
    fs::write(&script, nodes)?;
    let (compiler, arguments) = compiler.split_first().context("no C compiler is given")?;
    let mut link = Command::new(compiler);
    link.args(arguments).args(["-shared", "-nostdlib", "-s", "-Wl,-rpath,$ORIGIN"]);
    link.arg(format!("-Wl,-soname,{soname}")).arg("-Wl,--no-as-needed");
    link.arg(format!("-Wl,--version-script={}", script.display()));
    link.arg("-o").arg(real.with_file_name(soname)).arg(&source).arg(real);
    command::capture(&mut link)?;
    Ok(())
}
