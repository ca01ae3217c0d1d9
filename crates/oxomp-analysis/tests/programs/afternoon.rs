//! The programs of examples/afternoon, step by step: each has a profile, and where times are
//! demanded the first advice is the next step.

use std::fs;
use std::process::Command;

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, TryFirst, try_first};
use oxomp_analysis::symbols::Symbols;

use crate::Check;
use crate::demand::Demand;
use crate::run::Setting;
use crate::runtimes::workspace;

pub(crate) const MEASURED: &[Check] = &[
    ("an_afternoon_with_an_image", |setting| steps(setting, "image.cpp")),
    ("an_afternoon_with_heat", |setting| steps(setting, "heat.f90")),
    ("an_afternoon_with_bodies", |setting| steps(setting, "bodies.py")),
];

/// Steps of each program, after which nothing is planted any more.
const STEPS: u32 = 2;

/// Takes the steps of a program one after the other.
fn steps(setting: &Setting, file: &str) -> Result<(), Failed> {
    let folder = workspace().join("examples/afternoon");
    let text = fs::read_to_string(folder.join(file)).map_err(|error| error.to_string())?;
    let says = |step: u32| -> Vec<&str> {
        let mark = format!("//#Says[{step}]:");
        text.lines().filter_map(|line| Some(line.split_once(&mark)?.1)).collect()
    };
    if says(STEPS - 1).is_empty() {
        return Err(format!("{file} does not say what the last step's advice is").into());
    }
    for step in 0..=STEPS {
        let mut command = build(setting, file, step)?;
        let wanted = says(step);
        let holds = |advice: &str| {
            if step < STEPS {
                wanted.iter().all(|part| advice.contains(part))
            } else {
                // What the last steps repaired is not advised again.
                !(0..STEPS).any(|step| says(step).iter().all(|part| advice.contains(part)))
            }
        };
        setting.demand.attempts(|| {
            let advice = first_advice(setting, &mut command)?;
            if setting.demand == Demand::Counts || holds(&advice) {
                return Ok(());
            }
            Err(format!("step {step} of {file}: {wanted:?} is not in `{advice}`"))
        })?;
    }
    Ok(())
}

/// Builds a program with `step` steps taken; returns the command that runs it.
fn build(setting: &Setting, file: &str, step: u32) -> Result<Command, String> {
    let folder = "../../examples/afternoon";
    let taken = format!("-DSTEP={step}");
    let (name, ending) = file.split_once('.').ok_or("a file without ending")?;
    let mut command = if ending == "py" {
        let library = format!("{folder}/{name}_library");
        let options = ["-shared", "-fPIC"];
        let library = setting.compile_as(&library, "library.so", &options)?;
        let mut command = setting.interpreter();
        command.arg(workspace().join("examples/afternoon").join(file)).arg(library);
        command
    } else {
        let options: &[&str] =
            if ending == "f90" { &["-cpp", &taken] } else { &["-std=c++17", &taken] };
        let program = format!("{name}{step}");
        setting.urgent_command(&setting.compile_as(
            &format!("{folder}/{name}"),
            &program,
            options,
        )?)
    };
    command.env("STEP", step.to_string()).env("OMP_NUM_THREADS", "2");
    if setting.demand == Demand::Counts {
        // The three million tasks of all rounds take minutes on a machine without a free processor.
        command.env("ROUNDS", "2");
    }
    Ok(command)
}

/// The first advice of a run; empty if the run has no advice.
fn first_advice(setting: &Setting, command: &mut Command) -> Result<String, String> {
    let run = setting.finish(command)?;
    if !run.status.success() {
        return Err(format!("ended with {}: {}", run.status, run.stderr));
    }
    let summary = run.summary()?;
    if summary.regions.is_empty() {
        return Err("no region".to_owned());
    }
    let places = Symbols::new().places(&summary.sites);
    let TryFirst { advices, .. } = try_first(summary, Names { places: &places });
    Ok(advices.into_iter().next().map_or_else(String::new, |advice| advice.text))
}
