//! Programs with known answers, profiled on every runtime with OMPT that is at hand.
//!
//! The programs are in tests/profiler of the workspace; what they print, measured with their own
//! clock in the same run, is the truth. Runtimes: LLVM's libomp, Intel's libiomp5 (which
//! `OXOMP_IOMP5` names) and oxomp itself if `OXOMP_LIB`, or dist/lib, holds it.
//! `OXOMP_COLLECT` names the collector; without, cargo builds it.
//!
//! The tests judge counts, orders and names, which hold on a busy machine. The tests below
//! `accuracy::` judge times and advice as well; they are ignored, and `cargo xtask accuracy` runs
//! them.

mod advice;
mod advised;
mod afternoon;
mod agreement;
mod bare;
mod behaviour;
mod blocked;
mod demand;
mod distances;
mod flipped;
mod grain;
mod hot;
mod known_answers;
mod offload;
mod pairs;
mod planted;
mod plants;
mod random_programs;
mod recorded;
mod run;
mod runtimes;
mod sampled;
mod short;
mod whole;
mod windows;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use oxomp_prerequisites::Program;

use demand::Demand;
use pairs::{LONG, Pairs};
use run::Setting;
use runtimes::Runtime;

/// A test: its name, and the function that runs it in a setting.
type Check = (&'static str, fn(&Setting) -> Result<(), Failed>);

/// A trial for a demand, below `accuracy::` if that is for times, where only a runtime that is
/// there is worth a trial.
pub(crate) fn demanded(
    demand: Demand,
    title: String,
    is_absent: bool,
    check: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Option<Trial> {
    match demand {
        Demand::Counts => Some(Trial::test(title, check).with_ignored_flag(is_absent)),
        Demand::Times if is_absent => None,
        Demand::Times => {
            Some(Trial::test(format!("accuracy::{title}"), check).with_ignored_flag(true))
        }
    }
}

/// The trials of one demand with one compiler on one runtime.
fn trials(demand: Demand, pairs: Pairs, compiler: Program, runtime: Runtime) -> Vec<Trial> {
    let has = |name: &str| demand == Demand::Times || pairs.include(name, compiler, runtime);
    let mut checks = checks_of(demand, runtime);
    checks.retain(|(name, _)| has(name));
    let setting = move || {
        let library = runtime.library();
        library.map(|library| Setting::new(runtime, library, compiler, demand)).transpose()
    };
    let title = |name: &str| format!("{name}::{}::{}", compiler.text(), runtime.name());
    let mut trials = Vec::new();
    for &(name, check) in checks {
        let check = move || setting()?.map_or(Ok(()), |setting| check(&setting));
        trials.extend(demanded(demand, title(name), runtime.is_absent(), check));
    }
    for plant in planted::plants() {
        let name = format!("plant_{}", plant.name);
        if !has(&name) {
            continue;
        }
        let name = title(&name);
        let check = move || setting()?.map_or(Ok(()), |setting| plant.check(&setting));
        trials.extend(demanded(demand, name, runtime.is_absent(), check));
    }
    trials
}

/// The checks of one demand on one runtime.
fn checks_of(demand: Demand, runtime: Runtime) -> Vec<&'static Check> {
    let mut checks: Vec<&Check> = known_answers::MEASURED.iter().chain(plants::MEASURED).collect();
    checks.extend(grain::MEASURED.iter().chain(short::MEASURED).chain(afternoon::MEASURED));
    checks.extend(windows::MEASURED);
    if demand == Demand::Counts {
        checks.extend(plants::CHECKS.iter().chain(behaviour::CHECKS));
        checks.extend(blocked::CHECKS.iter().chain(hot::CHECKS));
        checks.extend(sampled::CHECKS.iter().chain(short::CHECKS));
        checks.extend(agreement::CHECKS.iter().chain(advice::CHECKS));
        checks.extend(distances::CHECKS);
        if runtime == Runtime::Oxomp {
            checks.extend(behaviour::ON_OXOMP);
            checks.extend(flipped::ON_OXOMP.iter().chain(random_programs::ON_OXOMP));
            checks.extend(advice::ON_OXOMP.iter().chain(agreement::ON_OXOMP));
        }
    }
    checks
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let pairs = match Pairs::from_environment() {
        Ok(pairs) => pairs,
        Err(reason) => {
            eprintln!("error: {reason}");
            return ExitCode::FAILURE;
        }
    };
    let checks = checks_of(Demand::Counts, Runtime::Oxomp);
    if let Some(name) = LONG.iter().find(|name| checks.iter().all(|check| check.0 != **name)) {
        eprintln!("error: pairs.rs has `{name}`, which is no check");
        return ExitCode::FAILURE;
    }
    let mut all = Vec::new();
    for demand in [Demand::Counts, Demand::Times] {
        for runtime in Runtime::all() {
            for compiler in [Program::Clang, Program::Gcc] {
                all.extend(trials(demand, pairs, compiler, runtime));
            }
        }
        if demand == Demand::Times || pairs == Pairs::Usual {
            all.extend(offload::trials(demand));
        }
    }
    libtest_mimic::run(&arguments, all).exit_code()
}
