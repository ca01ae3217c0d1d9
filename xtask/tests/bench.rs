//! The benchmarks of `bench/` run on the runtime under test and find what they expect.

use std::path::{Path, PathBuf};

use xtask::bench::verify;

#[test]
fn every_benchmark_runs() {
    let lib = std::env::var_os("OXOMP_LIB").expect("OXOMP_LIB is not set: run `cargo xtask test`");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let folder = tempfile::tempdir().expect("a folder");
    let runs = verify::run(root, &PathBuf::from(lib), folder.path());
    let runs = runs.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(runs > 50, "only {runs} runs");
}
