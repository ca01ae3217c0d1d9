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
    if let Some(unwinder) = unwinder() {
        link_unwinder(&unwinder, Path::new(&variable("OUT_DIR")));
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The C compiler's unwinder as a static library, if it has one; clang's own toolchains have none.
fn unwinder() -> Option<PathBuf> {
    const NAME: &str = "libgcc_eh.a";
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let compiler = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let output = Command::new(compiler).arg(format!("-print-file-name={NAME}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    // A compiler that does not find the file prints the name alone.
    path.is_absolute().then_some(path)
}

/// Lets `-lgcc_s`, which the standard library asks for, mean the static unwinder. A program in C
/// does without `libgcc_s.so.1` then: the loader takes 50 µs for it at each start. Panics end the
/// process, so the runtime unwinds its own frames alone, for the message, and no exception of the
/// program meets a frame with a personality here: two unwinders do not share a context.
fn link_unwinder(unwinder: &Path, folder: &Path) {
    let script = format!("INPUT({})\n", unwinder.display());
    fs::write(folder.join("libgcc_s.so"), script).expect("cargo has made OUT_DIR");
    println!("cargo::rustc-link-search=native={}", folder.display());
}
