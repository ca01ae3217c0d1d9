//! Here, and only here, the runtime's files see loom's atomics.

fn main() {
    println!("cargo::rustc-cfg=loom");
    println!("cargo::rerun-if-changed=build.rs");
}
