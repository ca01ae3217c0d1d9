//! Every program under `tests/c` and `tests/fortran` of the workspace, as one trial per compiler
//! and configuration.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::Trial;
use oxomp_testing::settings::{CACHE, Settings};
use oxomp_testing::trial::{Runner, run_all};

fn main() -> ExitCode {
    run_all(trials)
}

fn trials(only: Option<&str>) -> Result<Vec<Trial>, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or("the crate does not lie in a workspace")?;
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(CACHE);
    Runner::new(Settings::from_environment(workspace.to_owned(), cache)?)?.trials(only)
}
