//! Link options of the shared object.

fn main() {
    // The collector has addresses of the library's data.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
