//! Every program under `tests/offload` of the workspace, as one trial per configuration and pair of
//! a libomptarget and a runtime: LLVM's or ours.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::Trial;
use oxomp_testing::offload;
use oxomp_testing::settings::Settings;
use oxomp_testing::trial::run_all;

fn main() -> ExitCode {
    run_all(trials)
}

fn trials(only: Option<&str>) -> Result<Vec<Trial>, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or("the crate does not lie in a workspace")?;
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oxomp-testing-offload");
    offload::trials(Settings::from_environment(workspace.to_owned(), cache)?, only)
}
