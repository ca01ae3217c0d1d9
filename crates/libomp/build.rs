//! How the shared object is linked: version nodes, soname, and what the loader may do with it.

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
        "-soname=libomp.so.5".to_owned(),
        // Workers outlive a dlclose.
        "-znodelete".to_owned(),
        // A program's own omp_* wrappers must not be called from inside.
        "-Bsymbolic".to_owned(),
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
}
