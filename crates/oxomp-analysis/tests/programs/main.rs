//! Programs with known answers, profiled on every runtime with OMPT that is at hand.
//!
//! The programs are in tests/profiler of the workspace; what they print, measured with their own
//! clock in the same run, is the truth. Runtimes: LLVM's libomp, Intel's libiomp5 (which
//! `OXOMP_IOMP5` names) and oxomp itself if `OXOMP_LIB`, or dist/lib, holds it.
//! `OXOMP_COLLECT` names the collector; without, cargo builds it.

mod afternoon;
mod behaviour;
mod grain;
mod known_answers;
mod offload;
mod planted;
mod plants;
mod run;
mod runtimes;
mod sampled;
mod short;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use oxomp_prerequisites::Program;

use run::Setting;
use runtimes::Runtime;

/// A test: its name, and the function that runs it in a setting.
type Check = (&'static str, fn(&Setting) -> Result<(), Failed>);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for runtime in Runtime::all() {
        for compiler in [Program::Clang, Program::Gcc] {
            let own = if runtime == Runtime::Oxomp { behaviour::ON_OXOMP } else { &[] };
            let checks = known_answers::CHECKS.iter().chain(plants::CHECKS).chain(grain::CHECKS);
            let checks =
                checks.chain(behaviour::CHECKS).chain(sampled::CHECKS).chain(short::CHECKS);
            let checks = checks.chain(afternoon::CHECKS).chain(own);
            for &(name, check) in checks {
                let title = format!("{name}::{}::{}", compiler.text(), runtime.name());
                let missing = runtime.is_absent();
                let trial = Trial::test(title, move || match runtime.library() {
                    Some(library) => check(&Setting::new(runtime, library, compiler)?),
                    None => Ok(()),
                });
                trials.push(trial.with_ignored_flag(missing));
            }
            for plant in planted::plants() {
                let title =
                    format!("plant_{}::{}::{}", plant.name, compiler.text(), runtime.name());
                let trial = Trial::test(title, move || match runtime.library() {
                    Some(library) => plant.check(&Setting::new(runtime, library, compiler)?),
                    None => Ok(()),
                });
                trials.push(trial.with_ignored_flag(runtime.is_absent()));
            }
        }
    }
    trials.extend(offload::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
