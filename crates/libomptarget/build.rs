//! How the shared object is linked: its version node, its soname, and what the loader may do with
//! it.

use std::env;

fn main() {
    let map = format!(
        "{}/versions.map",
        env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")
    );
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={map}");
    for argument in [
        format!("--version-script={map}"),
        "-soname=libomptarget.so.22.1".to_owned(),
        // The host runtime keeps addresses of functions, and programs those of device memory.
        "-znodelete".to_owned(),
        // A program's own omp_target_* wrappers must not be called from inside.
        "-Bsymbolic".to_owned(),
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
}
