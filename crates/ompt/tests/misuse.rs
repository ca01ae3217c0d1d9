//! A program that the types forbid does not compile.
//!
//! Each file of `misuse/` has the compiler's message beside it. Where a new compiler words it
//! otherwise, `TRYBUILD=overwrite cargo test -p ompt --test misuse` writes the messages anew.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}
