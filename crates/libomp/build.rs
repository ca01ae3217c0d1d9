//! How the shared object is linked: version nodes, soname, the unwinder, and what the loader may do
//! with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let map = format!("{}/versions.map", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={map}");
    for argument in [
        format!("--version-script={map}"),
        "-soname=libomp.so.5".to_owned(),
        // Workers outlive a dlclose.
        "-znodelete".to_owned(),
        // A program's own omp_* wrappers must not be called from inside.
        "-Bsymbolic".to_owned(),
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
    link_unwinder(Path::new(&variable("OUT_DIR")));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Lets `-lgcc_s`, which the standard library asks for, mean the compiler's static unwinder, by a
/// copy of that name in a folder that is searched before those of the system. A program in C does
/// without `libgcc_s.so.1` then, which the loader would have to find and to relocate at each start.
///
/// In the profiles that inherit `release` a panic ends the process. So the runtime unwinds its own
/// frames alone, for the message of a panic, and the frames of the runtime that an exception of the
/// program may pass have no personality routine, which would ask the one unwinder about a context
/// of the other. Everywhere else, and where the compiler has no such library or none for the
/// target, `libgcc_s.so.1` stays.
fn link_unwinder(folder: &Path) {
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let copy = folder.join("libgcc_s.a");
    // An earlier build may have left one.
    let _ = fs::remove_file(&copy);
    if variable("PROFILE") != "release" {
        return;
    }
    let Some(unwinder) = unwinder() else { return };
    println!("cargo::rerun-if-changed={}", unwinder.display());
    if fs::copy(&unwinder, &copy).is_ok() {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// The static unwinder of the compiler that links, if it has one for the target.
fn unwinder() -> Option<PathBuf> {
    let compiler = match env::var_os("RUSTC_LINKER") {
        Some(linker) => linker,
        None if variable("HOST") == variable("TARGET") => "cc".into(),
        None => return None,
    };
    let output = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // A compiler that does not find the file prints the name alone.
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    (output.status.success() && path.is_absolute() && path.is_file()).then_some(path)
}
