//! The programs with expected events once more, with the multiplexer, which runs the recorder
//! beside the collector: the recorder must see exactly the events that it sees alone. Programs with
//! events of the 2015 report have the recorder only.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::Trial;
use oxomp_testing::settings::{CACHE, Settings, multiplexer};
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
    let mut settings = Settings::from_environment(workspace.to_owned(), cache)?;
    settings.multiplexer = Some(multiplexer(&settings.runtime));
    let trials = Runner::new(settings)?.trials(only)?;
    let has_expectation = |trial: &Trial| {
        let name = trial.name();
        ["trace/", "report_2015/"].iter().any(|folder| name.starts_with(folder))
            && !name.ends_with("::jittered")
    };
    Ok(trials.into_iter().filter(has_expectation).collect())
}
