//! The runtime that `--runtime` means.

use std::path::{Path, PathBuf};

use crate::elf::{self, NotAProgram};
use crate::failure::Failure;
use crate::ours::implementation;

/// The names that runtimes have, in the order in which they are looked for. `libgomp.so` is not
/// among them: a file of this name is for the linker.
const NAMES: [&str; 5] =
    ["libomp.so", "libomp.so.5", "libiomp5.so", "libiomp5md.so", "libgomp.so.1"];

/// A shared object of this machine: `place` itself, or the one in the folder `place` or in its
/// `lib/`.
pub(crate) fn find(place: &Path) -> Result<PathBuf, Failure> {
    let shown = place.display();
    if !place.exists() {
        return Err(Failure::own(format!("--runtime {shown}: no such file or folder")));
    }
    if !place.is_dir() {
        require_library(place)?;
        let stands_for = elf::read(place).ok().and_then(|read| read.stands_for);
        let file = stands_for.and_then(|_| implementation(place)).unwrap_or(place.to_owned());
        return Ok(std::path::absolute(&file).unwrap_or(file));
    }
    let mut found: Vec<(PathBuf, PathBuf)> = Vec::new();
    for folder in [place.to_owned(), place.join("lib")] {
        for name in NAMES {
            let file = folder.join(name);
            let Some(real) = implementation(&file).filter(|_| elf::read(&file).is_ok()) else {
                continue;
            };
            if !found.iter().any(|(_, present)| *present == real) {
                found.push((file, real));
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    let file = match found.as_slice() {
        [(file, _)] => file,
        [] => {
            return Err(Failure::own(format!(
                "--runtime {shown}: no OpenMP runtime there: none of {}",
                NAMES.join(", ")
            )));
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|(file, _)| file.display().to_string()).collect();
            return Err(Failure::own(format!(
                "--runtime {shown}: several runtimes; name one of {}",
                names.join(", ")
            )));
        }
    };
    Ok(std::path::absolute(file).unwrap_or_else(|_| file.clone()))
}

fn require_library(file: &Path) -> Result<(), Failure> {
    let defect = match elf::read(file) {
        Ok(read) if read.is_static || read.interpreter.is_some() && !read.contains_runtime => {
            "is a program, no shared library; `oxomp doctor -- PROGRAM` reports on programs"
                .to_owned()
        }
        Ok(read) if !read.is_native => {
            "is a 32-bit library, and oxomp's probe is 64-bit".to_owned()
        }
        Ok(read) if !read.contains_runtime => {
            "is no OpenMP runtime: it defines neither __kmpc_fork_call nor GOMP_parallel".to_owned()
        }
        Ok(_) => return Ok(()),
        Err(NotAProgram::NotElf) => "is no ELF file".to_owned(),
        Err(NotAProgram::OtherKind(kind)) => format!("is {kind}"),
        Err(NotAProgram::OtherMachine(machine)) => format!("is a library for {machine}"),
        Err(NotAProgram::Damaged(reason)) => format!("cannot be read: {reason}"),
    };
    Err(Failure::own(format!("--runtime {}: {defect}", file.display())))
}
