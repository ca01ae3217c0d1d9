//! Link options of the multiplexer's shared object.

fn main() {
    // A runtime that closes its tool's library at the end must not unmap code that a late callback
    // still runs in.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
