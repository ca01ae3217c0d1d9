//! Link options of the OMPD library.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname=libompd.so");
    println!("cargo::rerun-if-changed=build.rs");
}
