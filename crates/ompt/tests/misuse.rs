//! A program that the types forbid does not compile.
//!
//! Each file of `misuse/` has the compiler's message beside it. Where a new compiler words it
//! otherwise, `TRYBUILD=overwrite cargo test -p ompt --test misuse` writes the messages anew.

#[test]
fn misuse_does_not_compile() {
    for (name, value) in [
        ("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR")),
        ("CARGO_PKG_NAME", env!("CARGO_PKG_NAME")),
    ] {
        // The crate of this test, also when another program of Cargo's has started the test.
        // SAFETY: the only test of its binary has started no thread that reads the environment.
        unsafe { std::env::set_var(name, value) };
    }
    assert!(std::path::Path::new("tests/misuse").is_dir(), "not in the crate's folder");
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}
