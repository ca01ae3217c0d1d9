//! `oxomp run`: the program on our runtime.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::launch::Launch;
use crate::locate::Installation;
use crate::program::Program;
use crate::props::{RunProps, RuntimePolicy};
use crate::runtime_choice::choose;
use crate::variables::Variables;
use crate::verbose::{say_decision, say_detail, say_mapped};
use crate::watch::Watch;

/// Becomes the program; with `-v` stays beside it to see which runtime it has.
pub(crate) fn run(props: &RunProps) -> Result<ExitCode, Failure> {
    let program = Program::find(&props.program[0])?;
    let installation = Installation::find()?;
    let mut variables = Variables::new();
    let choice = choose(RuntimePolicy::Oxomp, &program, &installation, &mut variables)?;
    let launch = Launch { program: &program, words: &props.program, variables: &variables };
    if !props.verbose {
        return launch.replace_ourselves().map(|never| match never {});
    }
    let runtime = installation.runtime()?;
    say_decision(&program, &choice, &runtime, &variables);
    let (ended, watch) = launch.run(|pid| {
        let runtime = runtime.clone();
        Watch::start(pid, move |pid, file| say_mapped(pid, file, &runtime))
    })?;
    watch.stop();
    if let Some(signal) = ended.by_signal() {
        say_detail("ended", &signal);
    }
    Ok(ended.pass_on())
}
